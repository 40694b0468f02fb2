//! Comma-separated values, as much of RFC 4180 as spreadsheets write.

/// The rows of a text: fields may be quoted, quotes in them are doubled, line feeds may be inside.
pub(super) fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::default();
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if reader.quoted && chars.peek() == Some(&'"') => {
                chars.next();
                reader.field.push('"');
            }
            '"' => reader.quoted = !reader.quoted,
            _ if reader.quoted => reader.field.push(c),
            ',' => reader.end_field(),
            '\n' => reader.end_row(),
            '\r' => {}
            _ => reader.field.push(c),
        }
    }
    reader.end_row();
    reader.rows
}

#[derive(Default)]
struct Reader {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    field: String,
    quoted: bool,
}

impl Reader {
    fn end_field(&mut self) {
        self.row.push(std::mem::take(&mut self.field));
    }

    /// Ends the row; empty lines are no rows.
    fn end_row(&mut self) {
        self.end_field();
        let row = std::mem::take(&mut self.row);
        if row.iter().any(|field| !field.is_empty()) {
            self.rows.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_quotes_and_line_feeds() {
        let text = "\u{feff}id,tools\r\n1,\"a, \"\"b\"\"\nc\"\n\n2,d,e";
        assert_eq!(
            rows(text),
            [vec!["id", "tools"], vec!["1", "a, \"b\"\nc"], vec!["2", "d", "e"]]
        );
    }
}
