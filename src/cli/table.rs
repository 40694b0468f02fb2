//! Tables on a terminal, and text from outside that is shown: what runs, files and models call
//! themselves must neither move a terminal's cursor nor become a tag or a formula.

pub(super) use crate::base::{one_line, visible};

/// A table of text with a heading: columns as wide as their widest cell, two spaces apart.
#[derive(Debug)]
pub(super) struct Table<'a> {
    columns: Vec<Column<'a>>,
    rows: Vec<Vec<String>>,
}

/// One column: its heading, and on which side its cells stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    /// The word on top.
    pub(super) heading: &'a str,
    /// Text stands left, numbers right.
    pub(super) side: CellAlignment,
}

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellAlignment {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl<'a> Column<'a> {
    /// A column of words.
    pub(super) const fn left(heading: &'a str) -> Self {
        Self { heading, side: CellAlignment::Left }
    }

    /// A column of numbers.
    pub(super) const fn right(heading: &'a str) -> Self {
        Self { heading, side: CellAlignment::Right }
    }
}

impl CellAlignment {
    /// A column whose cells stand on this side.
    pub(super) const fn column(self, heading: &str) -> Column<'_> {
        Column { heading, side: self }
    }
}

impl<'a> Table<'a> {
    /// A table without rows.
    pub(super) fn new(columns: &[Column<'a>]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, those beyond the columns are left out. A cell is one line,
    /// whatever is in it.
    pub(super) fn push(&mut self, row: Vec<String>) {
        // Here rather than when drawing: widths are counted over what will be shown.
        self.rows.push(row.into_iter().map(|cell| one_line(&cell)).collect());
    }

    /// The whole table, each line ending with a new line.
    pub(super) fn to_text(&self) -> String {
        let heading: Vec<String> =
            self.columns.iter().map(|column| column.heading.to_owned()).collect();
        // Once for all lines: a table of statistics has very many.
        let widths: Vec<usize> = (0..self.columns.len()).map(|at| self.width(at)).collect();
        let lines = std::iter::once(&heading).chain(&self.rows);
        lines.map(|row| self.line(row, &widths) + "\n").collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let columns = self.columns.iter().zip(widths).enumerate();
        let cells = columns.map(|(at, (column, width))| {
            let cell = row.get(at).map_or("", String::as_str);
            match column.side {
                CellAlignment::Left => format!("{cell:<width$}"),
                CellAlignment::Right => format!("{cell:>width$}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    fn width(&self, at: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        let heading = self.columns.get(at).map(|column| column.heading.chars().count());
        cells.chain(heading).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_left_and_numbers_right() {
        let mut table = Table::new(&[Column::left("task"), Column::right("ΔSSIM")]);
        table.push(vec!["gid1-22".to_owned(), "0.7".to_owned()]);
        table.push(vec!["é".to_owned()]);
        assert_eq!(table.to_text(), "task     ΔSSIM\ngid1-22    0.7\né\n");
    }

    #[test]
    fn a_name_cannot_move_the_cursor_or_turn_the_text_round() {
        let mut table = Table::new(&[Column::left("agent"), Column::left("task")]);
        table.push(vec!["a\u{1b}[2Jb\r\nc".to_owned(), "\u{202e}x\u{9b}1m\t.".to_owned()]);
        let text = table.to_text();
        assert!(text.contains("a\\u{1b}[2Jb c  \\u{202e}x\\u{9b}1m ."), "{text}");
        assert_eq!(visible("plain\n\ttext"), "plain\n\ttext");
    }
}
