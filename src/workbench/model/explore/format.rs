//! As what a table is written.

/// As what text a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values: every number whole, and each run's folder.
    Csv,
    /// The same with tabs, as spreadsheets take what is pasted.
    Tsv,
    /// A table of Markdown, rounded.
    Markdown,
    /// A `tabular` with the rules of booktabs, rounded.
    Latex,
}

impl TableFormat {
    /// What people call it, the end of its files' names, and a name of a file.
    fn file(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Csv => ("CSV", "csv", "runs.csv"),
            Self::Tsv => ("Tab-separated values", "tsv", "runs.tsv"),
            Self::Markdown => ("Markdown", "md", "runs.md"),
            Self::Latex => ("LaTeX", "tex", "runs.tex"),
        }
    }
}

/// As what file a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFile {
    /// As text.
    Text(TableFormat),
    /// Apache Parquet: columns of numbers, words and flags, what is not known as null.
    Parquet,
}

impl TableFile {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Text(TableFormat::Csv),
        Self::Text(TableFormat::Markdown),
        Self::Text(TableFormat::Latex),
        Self::Text(TableFormat::Tsv),
        Self::Parquet,
    ];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text(TableFormat::Csv) => "csv",
            Self::Text(TableFormat::Tsv) => "tsv",
            Self::Text(TableFormat::Markdown) => "md",
            Self::Text(TableFormat::Latex) => "latex",
            Self::Parquet => "parquet",
        }
    }

    /// Whether the file has no place for where it comes from, which then lies in a file beside it.
    pub fn lacks_provenance(self) -> bool {
        matches!(self, Self::Text(TableFormat::Csv | TableFormat::Tsv))
    }

    /// What people call it, the end of its files' names, and a name of a file.
    pub fn file(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Text(format) => format.file(),
            Self::Parquet => ("Parquet", "parquet", "runs.parquet"),
        }
    }
}
