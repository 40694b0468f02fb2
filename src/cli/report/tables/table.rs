//! A table of a paper.

/// A table of a paper, with what it could not be filled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PaperTable {
    /// Such as `canvas-1`.
    pub(super) id: &'static str,
    /// Paper, number and what it shows.
    pub(super) title: &'static str,
    /// The headings; of columns below a common one, both: `Replication · SSIM`.
    pub(super) columns: Vec<String>,
    /// How many columns at the left are words.
    pub(super) heading_columns: usize,
    /// As many cells a row as there are columns.
    pub(super) rows: Vec<Vec<Cell>>,
    /// How the numbers are made, where a paper leaves that open.
    pub(super) remarks: Vec<String>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Words, or numbers as the paper prints them.
    Text(String),
    /// Nothing, and why: a sentence.
    Missing(String),
}

impl Cell {
    /// Words.
    pub(super) fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// What is there, or why it is not.
    pub(super) fn of(cell: Result<String, String>) -> Self {
        cell.map_or_else(Self::Missing, Self::Text)
    }
}

impl PaperTable {
    /// A table without rows.
    pub(super) fn new(id: &'static str, title: &'static str, columns: &[&str]) -> Self {
        Self {
            id,
            title,
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            heading_columns: 1,
            ..Self::default()
        }
    }

    /// With these rows.
    pub(super) fn with_rows(self, rows: Vec<Vec<Cell>>) -> Self {
        Self { rows, ..self }
    }

    /// With a word on how its numbers are made.
    pub(super) fn with_remark(mut self, remark: &str) -> Self {
        self.remarks.push(remark.to_owned());
        self
    }

    /// Every reason for a missing cell, in the order of first use: the footnotes, from 1.
    pub(super) fn footnotes(&self) -> Vec<&str> {
        let mut notes: Vec<&str> = Vec::new();
        for cell in self.rows.iter().flatten() {
            if let Cell::Missing(why) = cell
                && !notes.contains(&why.as_str())
            {
                notes.push(why);
            }
        }
        notes
    }
}
