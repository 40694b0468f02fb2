//! Tables on a terminal.

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
    pub(super) side: Side,
}

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl<'a> Table<'a> {
    /// A table without rows.
    pub(super) fn new(columns: &[Column<'a>]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, those beyond the columns are left out.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The whole table, each line ending with a new line.
    pub(super) fn to_text(&self) -> String {
        let heading: Vec<String> =
            self.columns.iter().map(|column| column.heading.to_owned()).collect();
        let lines = std::iter::once(&heading).chain(&self.rows);
        lines.map(|row| self.line(row) + "\n").collect()
    }

    fn line(&self, row: &[String]) -> String {
        let cells = self.columns.iter().enumerate().map(|(at, column)| {
            let (cell, width) = (row.get(at).map_or("", String::as_str), self.width(at));
            match column.side {
                Side::Left => format!("{cell:<width$}"),
                Side::Right => format!("{cell:>width$}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    fn width(&self, at: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        cells.chain(self.columns.get(at).map(|column| column.heading.len())).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_left_and_numbers_right() {
        let mut table = Table::new(&[
            Column { heading: "task", side: Side::Left },
            Column { heading: "SSIM", side: Side::Right },
        ]);
        table.push(vec!["gid1-22".to_owned(), "0.7".to_owned()]);
        table.push(vec!["é".to_owned()]);
        assert_eq!(table.to_text(), "task     SSIM\ngid1-22   0.7\né\n");
    }
}
