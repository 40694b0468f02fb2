//! Lists: what stands before an item, and how far in.
//!
//! Numbers are `1.`, then `a.`, then `i.` by level, and again; every level has the bullet `•`. An
//! item goes on counting after a deeper list; a list of another kind at its level, or a line in no
//! list, begins anew. Figma documents only that there are such lists and five levels of them; the
//! signs and the counting are as in an independent reader of its text segments, penpot's exporter
//! (penpot/penpot-exporter-figma-plugin, `plugin-src/translators/text/paragraph`).
//!
//! Nowhere written down are the measures. What Figma generates as code indents an item by 1.5 em a
//! level (21 px at 14 px, 24 px at 16 px); markers hang in that space, ending 0.4 em before the
//! text, as a browser's do.

use crate::design::{LineType, TextContent};

/// Indentation of a level, in the size of the item's first character.
const INDENT_EMS: f64 = 1.5;
/// From the end of a marker to the text.
const GAP_EMS: f64 = 0.4;
/// Before an item without a number, of every level.
const BULLET: &str = "•";
/// Items deeper than this are indented no further; Figma's editor ends at 5.
const DEEPEST: u32 = 32;

/// What a paragraph is in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListItem {
    /// From 1.
    pub(crate) level: u32,
    /// The number or bullet before it.
    pub(crate) marker: String,
}

impl ListItem {
    /// From the edge to the text of an item of `size` pixels per em.
    pub(crate) fn inset(&self, size: f64) -> f64 {
        f64::from(self.level) * INDENT_EMS * size
    }

    /// From the end of its marker to its text.
    pub(crate) fn gap(size: f64) -> f64 {
        GAP_EMS * size
    }
}

/// Counts the items of a text, from the top.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// The kind and last number of each open level.
    open: Vec<(LineType, u32)>,
}

impl Counter {
    /// What the line `index` of the text is; lines are asked for in order, one a paragraph.
    pub(crate) fn next(&mut self, content: &TextContent, index: usize) -> Option<ListItem> {
        let kind = content.line_types.get(index).copied().unwrap_or_default();
        if kind == LineType::None {
            self.open.clear();
            return None;
        }
        let level = content.line_indents.get(index).copied().unwrap_or(1).clamp(1, DEEPEST);
        let number = self.count(kind, level);
        let marker = match kind {
            LineType::Ordered => ordered(number, level),
            _ => BULLET.to_owned(),
        };
        Some(ListItem { level, marker })
    }

    fn count(&mut self, kind: LineType, level: u32) -> u32 {
        let level = level as usize;
        // Deeper levels end here; levels that were passed over begin with this item.
        self.open.truncate(level);
        self.open.resize(level, (kind, 0));
        let Some(last) = self.open.last_mut() else { return 1 };
        let number = if last.0 == kind { last.1 + 1 } else { 1 };
        *last = (kind, number);
        number
    }
}

fn ordered(number: u32, level: u32) -> String {
    let number = match level % 3 {
        1 => number.to_string(),
        2 => alphabetic(number),
        _ => roman(number),
    };
    number + "."
}

/// a, b, … z, aa, ab …
fn alphabetic(mut number: u32) -> String {
    let mut letters = Vec::new();
    while number > 0 {
        // There is no nought among the letters: `z` is followed by `aa`, as in columns of a table.
        number -= 1;
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters.iter().rev().collect()
}

fn roman(mut number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    // Roman numerals have no sign for five thousand.
    if number >= 4000 {
        return number.to_string();
    }
    let mut written = String::new();
    for (value, sign) in SIGNS {
        while number >= value {
            written.push_str(sign);
            number -= value;
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers(lines: &[(LineType, u32)]) -> Vec<String> {
        let content = TextContent {
            line_types: lines.iter().map(|line| line.0).collect(),
            line_indents: lines.iter().map(|line| line.1).collect(),
            ..TextContent::default()
        };
        let mut counter = Counter::default();
        let items = (0..lines.len()).map(|index| counter.next(&content, index));
        items.map(|item| item.map_or(String::new(), |item| item.marker)).collect()
    }

    #[test]
    fn numbers_go_on_after_a_deeper_list_which_begins_anew() {
        use LineType::Ordered;
        let lines = [(Ordered, 1), (Ordered, 2), (Ordered, 2), (Ordered, 1), (Ordered, 2)];
        assert_eq!(markers(&lines), ["1.", "a.", "b.", "2.", "a."]);
    }

    #[test]
    fn a_line_in_no_list_ends_all_lists() {
        use LineType::{None, Ordered, Unordered};
        let lines = [(Ordered, 1), (None, 0), (Ordered, 1), (Unordered, 1), (Ordered, 1)];
        assert_eq!(markers(&lines), ["1.", "", "1.", "•", "1."]);
    }

    #[test]
    fn levels_have_their_own_numbers_and_one_bullet() {
        let lines: Vec<_> = (1..=4).map(|level| (LineType::Unordered, level)).collect();
        assert_eq!(markers(&lines), ["•", "•", "•", "•"]);
        let lines: Vec<_> = (1..=4).map(|level| (LineType::Ordered, level)).collect();
        assert_eq!(markers(&lines), ["1.", "a.", "i.", "1."]);
    }

    #[test]
    fn large_numbers_are_written() {
        assert_eq!([alphabetic(26), alphabetic(27), alphabetic(703)], ["z", "aa", "aaa"]);
        assert_eq!([roman(4), roman(1994), roman(4000)], ["iv", "mcmxciv", "4000"]);
    }

    #[test]
    fn levels_out_of_range_are_brought_in() {
        let content = TextContent {
            line_types: vec![LineType::Ordered; 2],
            line_indents: vec![0, u32::MAX],
            ..TextContent::default()
        };
        let mut counter = Counter::default();
        let levels = (0..2).filter_map(|index| counter.next(&content, index)).map(|i| i.level);
        assert_eq!(levels.collect::<Vec<_>>(), [1, DEEPEST]);
    }
}
