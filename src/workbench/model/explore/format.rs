//! Which table is written, and as what.

/// Which table is written to a file or copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportedTable {
    /// That over all runs, as it is shown.
    Runs,
    /// The tasks of the two groups that are held against each other, a row each.
    MatchedTasks,
    /// What the study that is open in *Assist* comes to: a row a level under a condition.
    StudyLevels,
    /// The attempts that this is of, a row each.
    StudyAttempts,
}

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

    /// What people call it, the end of its files' names, and a name of a file of runs.
    pub fn file(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Text(format) => format.file(),
            Self::Parquet => ("Parquet", "parquet", "runs.parquet"),
        }
    }
}

impl ExportedTable {
    /// A name of a file of it.
    pub fn file_name(self, file: TableFile) -> &'static str {
        let names = match self {
            Self::Runs => return file.file().2,
            Self::MatchedTasks => {
                ["tasks.csv", "tasks.md", "tasks.tex", "tasks.tsv", "tasks.parquet"]
            }
            Self::StudyLevels => {
                ["study.csv", "study.md", "study.tex", "study.tsv", "study.parquet"]
            }
            Self::StudyAttempts => {
                ["attempts.csv", "attempts.md", "attempts.tex", "attempts.tsv", "attempts.parquet"]
            }
        };
        let place = TableFile::ALL.iter().position(|known| *known == file);
        place.and_then(|place| names.get(place).copied()).unwrap_or(names[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_says_what_it_is() {
        for table in [
            ExportedTable::Runs,
            ExportedTable::MatchedTasks,
            ExportedTable::StudyLevels,
            ExportedTable::StudyAttempts,
        ] {
            for file in TableFile::ALL {
                let (_, extension, _) = file.file();
                let name = table.file_name(file);
                assert!(name.ends_with(&format!(".{extension}")), "{name} is no {extension}");
            }
        }
    }
}
