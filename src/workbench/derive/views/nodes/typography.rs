//! Text.

use super::properties::{PropertyList, number};
use crate::design::{AutoResize, Node, TextCase, TextDecoration, TextStyle};

const TEXT: &str = "Text";
/// Longer words are cut: the stage shows them all.
const LONG: usize = 160;

/// What it says and how.
pub(super) fn text(list: &mut PropertyList, node: &Node) {
    let Some(text) = node.text() else { return };
    list.put(TEXT, "Words", shortened(&text.characters));
    let style = &text.style;
    list.put(TEXT, "Font", font(style));
    list.put(TEXT, "Size", number(style.font_size));
    list.put(TEXT, "Line height", style.line_height.label(number));
    if style.letter_spacing != 0.0 {
        list.put(TEXT, "Letter spacing", number(style.letter_spacing));
    }
    let (across, down) = (style.align.label(), style.vertical_align.label());
    list.put(TEXT, "Align", format!("{across} · {down}"));
    let resize = match style.auto_resize {
        AutoResize::None => "fixed",
        AutoResize::Height => "height follows",
        AutoResize::WidthAndHeight => "both follow",
        AutoResize::Truncate => "fixed, cut with …",
    };
    list.put(TEXT, "Box", resize);
    extras(list, style);
    if !text.overrides.is_empty() {
        list.put(TEXT, "Mixed styles", text.overrides.len().to_string());
    }
}

fn extras(list: &mut PropertyList, style: &TextStyle) {
    let case = match style.case {
        TextCase::Original => None,
        TextCase::Upper => Some("upper"),
        TextCase::Lower => Some("lower"),
        TextCase::Title => Some("title"),
        TextCase::SmallCaps => Some("small caps"),
        TextCase::SmallCapsForced => Some("all small caps"),
    };
    let decoration = match style.decoration {
        TextDecoration::None => None,
        TextDecoration::Underline => Some("underline"),
        TextDecoration::Strikethrough => Some("strikethrough"),
    };
    for (label, value) in [("Case", case), ("Decoration", decoration)] {
        if let Some(value) = value {
            list.put(TEXT, label, value);
        }
    }
    for (label, value) in [
        ("Paragraph spacing", style.paragraph_spacing),
        ("Paragraph indent", style.paragraph_indent),
        ("List spacing", style.list_spacing),
    ] {
        if value != 0.0 {
            list.put(TEXT, label, number(value));
        }
    }
    // The number is kept also where it does not cut anything.
    if let Some(lines) = style.max_lines.filter(|_| style.truncates) {
        list.put(TEXT, "Max lines", lines.to_string());
    }
}

fn font(style: &TextStyle) -> String {
    let slant = if style.italic { " italic" } else { "" };
    format!("{} {}{slant}", style.font_family, number(style.font_weight))
}

/// On one line, cut where it gets long.
fn shortened(text: &str) -> String {
    let flat: String =
        text.chars().take(LONG).collect::<String>().replace(['\n', '\u{2028}'], " ⏎ ");
    if text.chars().count() > LONG { format!("{flat}…") } else { flat }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_on_one_line() {
        assert_eq!(shortened("a\nb"), "a ⏎ b");
        assert!(shortened(&"ä".repeat(500)).ends_with("ä…"));
    }
}
