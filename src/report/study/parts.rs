//! What sections are made of: figures, tables, lines.

use std::fmt::Write as _;

use crate::report::html::escape;

/// A drawing with its title and what it shows; nothing without one.
pub(super) fn figure(title: &str, caption: &str, drawing: &str) -> String {
    if drawing.is_empty() {
        return String::new();
    }
    format!(
        "<figure class=\"over-steps\"><figcaption><span>{}</span><span>{}</span></figcaption>{drawing}</figure>",
        escape(title),
        escape(caption),
    )
}

/// A table with a title; columns of numbers begin with `#`.
pub(super) fn table(title: &str, columns: &[&str], rows: &str) -> String {
    let columns = columns.iter().fold(String::new(), |mut head, name| {
        match name.strip_prefix('#') {
            Some(name) => write!(head, "<th class=\"r\">{name}</th>").ok(),
            None => write!(head, "<th>{name}</th>").ok(),
        };
        head
    });
    format!(
        "<figure class=\"over-steps\"><figcaption><span>{title}</span></figcaption><div class=\"scroll\"><table><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table></div></figure>"
    )
}

/// A quiet line.
pub(super) fn note(text: &str) -> String {
    format!("<p class=\"quiet\">{}</p>", escape(text))
}

/// Two decimals, with a minus and no hyphen.
pub(super) fn signed(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}
