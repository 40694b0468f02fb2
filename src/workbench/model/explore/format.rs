//! Which table is written, and as what.

use crate::evaluate::typed_table::TypedTable;

/// Which table is written to a file or copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportedTable {
    /// That over all runs, as it is shown.
    Runs,
    /// The tasks of the two groups that are held against each other, a row each.
    MatchedTasks,
    /// What a study comes to.
    Study(StudySource, StudyRows),
    /// What calls of the selected run brought, left out one group after the other.
    Calls,
    /// What they brought over all orders.
    Shapley,
    /// What tools brought over many runs.
    Tools,
    /// Where the loss is at the selected step.
    Losses,
}

/// Which study a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudySource {
    /// That which is open in *Assist*, as it was counted last.
    Open,
    /// That whose figure *Explore* shows, of its runs that are shown.
    Shown,
}

/// What is a row of a table of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyRows {
    /// A level under a condition.
    Levels,
    /// An attempt that this is of.
    Attempts,
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
    /// The table as such text.
    pub fn text_of(self, table: &TypedTable) -> String {
        match self {
            Self::Csv => table.to_csv(),
            Self::Tsv => table.to_tsv(),
            Self::Markdown => table.to_markdown(),
            Self::Latex => table.to_latex(),
        }
    }

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
            Self::Study(_, StudyRows::Levels) => {
                ["study.csv", "study.md", "study.tex", "study.tsv", "study.parquet"]
            }
            Self::Study(_, StudyRows::Attempts) => {
                ["attempts.csv", "attempts.md", "attempts.tex", "attempts.tsv", "attempts.parquet"]
            }
            Self::Calls => ["calls.csv", "calls.md", "calls.tex", "calls.tsv", "calls.parquet"],
            Self::Shapley => {
                ["shapley.csv", "shapley.md", "shapley.tex", "shapley.tsv", "shapley.parquet"]
            }
            Self::Tools => ["tools.csv", "tools.md", "tools.tex", "tools.tsv", "tools.parquet"],
            Self::Losses => ["loss.csv", "loss.md", "loss.tex", "loss.tsv", "loss.parquet"],
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
            ExportedTable::Study(StudySource::Open, StudyRows::Levels),
            ExportedTable::Study(StudySource::Shown, StudyRows::Attempts),
            ExportedTable::Calls,
            ExportedTable::Shapley,
            ExportedTable::Tools,
            ExportedTable::Losses,
        ] {
            for file in TableFile::ALL {
                let (_, extension, _) = file.file();
                let name = table.file_name(file);
                assert!(name.ends_with(&format!(".{extension}")), "{name} is no {extension}");
            }
        }
    }
}
