//! Guides: the little Markdown that they need.

use egui::text::{LayoutJob, TextFormat};
use egui::{Label, Ui};

use crate::ui::theme::{Type, tokens};

/// Draws headings, lists and paragraphs, with words in bold. Everything else stands as it is written: links
/// and pictures would lead out of the room.
pub(in crate::ui) fn markdown_ui(ui: &mut Ui, text: &str) {
    let mut paragraph = String::new();
    for line in text.lines().map(str::trim).chain([""]) {
        let (mark, rest) = marked(line);
        if mark == MarkdownLine::Plain && !line.is_empty() {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
            continue;
        }
        if !paragraph.is_empty() {
            words_ui(ui, "", &std::mem::take(&mut paragraph), Type::Body);
        }
        match mark {
            MarkdownLine::Heading => words_ui(ui, "", rest, Type::Strong),
            MarkdownLine::Bullet => words_ui(ui, "•  ", rest, Type::Body),
            MarkdownLine::Numbered => words_ui(ui, "", line, Type::Body),
            MarkdownLine::Plain => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkdownLine {
    Plain,
    Heading,
    Bullet,
    Numbered,
}

/// What a line is, and its words.
fn marked(line: &str) -> (MarkdownLine, &str) {
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() && heading.starts_with(' ') {
        return (MarkdownLine::Heading, heading.trim());
    }
    if let Some(rest) = line.strip_prefix("- ").or(line.strip_prefix("* ")) {
        return (MarkdownLine::Bullet, rest);
    }
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < line.len() && digits.starts_with(". ") {
        return (MarkdownLine::Numbered, line);
    }
    (MarkdownLine::Plain, line)
}

fn words_ui(ui: &mut Ui, before: &str, words: &str, style: Type) {
    let tokens = tokens(ui);
    let mut job = LayoutJob::default();
    let plain = TextFormat::simple(style.font(), tokens.text);
    let bold = TextFormat::simple(Type::Strong.font(), tokens.text);
    job.append(before, 0.0, plain.clone());
    // Every second part stands between two pairs of stars. There are no slanted letters here: what stands
    // between single stars stands without them.
    for (at, part) in words.split("**").enumerate() {
        let format = if at % 2 == 1 { &bold } else { &plain };
        job.append(&part.replace('*', ""), 0.0, format.clone());
    }
    ui.add(Label::new(job).wrap());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        for (line, mark, rest) in [
            ("## How to answer", MarkdownLine::Heading, "How to answer"),
            ("- one", MarkdownLine::Bullet, "one"),
            ("12. twelfth", MarkdownLine::Numbered, "12. twelfth"),
            ("#no heading", MarkdownLine::Plain, "#no heading"),
            ("3.5 is a number", MarkdownLine::Plain, "3.5 is a number"),
            ("", MarkdownLine::Plain, ""),
        ] {
            assert_eq!(marked(line), (mark, rest), "{line}");
        }
    }
}
