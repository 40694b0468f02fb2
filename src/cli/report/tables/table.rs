//! A table of a paper.

use crate::evaluate::MadeBy;

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
    /// Of how many runs it is, by which variants, and what cannot be read; without the command.
    pub(super) made_by: MadeBy,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Words, or numbers as the paper prints them.
    Text(String),
    /// Nothing, and why: a sentence.
    Missing(String),
    /// Words, and what has to be known to read them.
    Noted {
        /// What stands there.
        words: String,
        /// A sentence.
        note: String,
    },
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

    /// The same with what has to be known to read it, if there is such. A cell without data has its
    /// own reason.
    pub(super) fn with_note(self, note: Option<String>) -> Self {
        match (self, note) {
            (Self::Text(words), Some(note)) => Self::Noted { words, note },
            // Both, as a mean of fewer types may be of mixed runs too.
            (Self::Noted { words, note: first }, Some(note)) => {
                Self::Noted { words, note: format!("{first}; {note}") }
            }
            (cell, _) => cell,
        }
    }

    /// What stands there, if anything does.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            Self::Text(words) | Self::Noted { words, .. } => Some(words),
            Self::Missing(_) => None,
        }
    }

    /// What its footnote says, if it has one.
    pub(super) fn note(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Missing(note) | Self::Noted { note, .. } => Some(note),
        }
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

    /// With a word on how its numbers are made.
    pub(super) fn with_remark(mut self, remark: &str) -> Self {
        self.remarks.push(remark.to_owned());
        self
    }

    /// With these remarks too.
    pub(super) fn with_remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
    }

    /// The footnotes from 1, in the order of first use: why cells are missing, and how others are read.
    pub(super) fn footnotes(&self) -> Vec<&str> {
        // One number for one reason: most cells of a table lack the same thing.
        let mut notes: Vec<&str> = Vec::new();
        for note in self.rows.iter().flatten().filter_map(Cell::note) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}

/// What the cells of a row say, without their notes.
#[cfg(test)]
pub(super) fn words(cells: &[Cell]) -> Vec<&str> {
    let words = cells.iter().map(|cell| match cell {
        Cell::Text(text) | Cell::Noted { words: text, .. } => text.as_str(),
        Cell::Missing(_) => "—",
    });
    words.collect()
}
