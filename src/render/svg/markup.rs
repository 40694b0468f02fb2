//! Well-formed XML.

use std::fmt::Display;

/// A piece of the document: elements with everything in them.
#[derive(Debug, Default)]
pub(super) struct Markup {
    text: String,
    /// How many elements are open.
    depth: usize,
}

/// The attributes of one element, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes(String);

impl Attributes {
    /// With one more.
    pub(super) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        escape(&value.to_string(), &mut self.0);
        self.0.push('"');
        self
    }

    /// With one more, if there is a value.
    pub(super) fn with_some(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// With those of `other` after them.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.push_str(&other.0);
        self
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Markup {
    pub(super) fn open(&mut self, tag: &str, attributes: &Attributes) {
        self.line(&format!("<{tag}{}>", attributes.as_str()));
        self.depth += 1;
    }

    pub(super) fn close(&mut self, tag: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(&format!("</{tag}>"));
    }

    /// An element with nothing in it.
    pub(super) fn leaf(&mut self, tag: &str, attributes: &Attributes) {
        self.line(&format!("<{tag}{}/>", attributes.as_str()));
    }

    /// An element with `inside`, which stands as it is, on one line.
    pub(super) fn one_line(&mut self, tag: &str, attributes: &Attributes, inside: &str) {
        self.line(&format!("<{tag}{}>{inside}</{tag}>", attributes.as_str()));
    }

    /// An element around `inside`; nothing at all if that is empty.
    pub(super) fn around(&mut self, tag: &str, attributes: &Attributes, inside: &Self) {
        if !inside.is_empty() {
            self.open(tag, attributes);
            self.append(inside);
            self.close(tag);
        }
    }

    /// Adds `other`, indented as deep as this one stands.
    pub(super) fn append(&mut self, other: &Self) {
        // Texts keep their own line ends, as `escape` writes them as references.
        for line in other.text.lines() {
            self.line(line);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n(' ', self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// Adds `text` as it may stand in an attribute or between tags: without the characters that XML
/// forbids, and on one line.
pub(super) fn escape(text: &str, to: &mut String) {
    for character in text.chars().filter(|c| is_allowed(*c)) {
        match character {
            '&' => to.push_str("&amp;"),
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '"' => to.push_str("&quot;"),
            // Written as they are they would end the line or become a space.
            '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' => {
                to.push_str("&#");
                to.push_str(&u32::from(character).to_string());
                to.push(';');
            }
            _ => to.push(character),
        }
    }
}

/// XML 1.0, production 2.
fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use usvg::roxmltree::Document;

    proptest! {
        #[test]
        fn any_text_is_read_back_without_what_xml_forbids(text in any::<String>()) {
            let mut inside = String::new();
            escape(&text, &mut inside);
            let mut markup = Markup::default();
            markup.one_line("t", &Attributes::default().with("name", &text), &inside);
            let read = Document::parse(markup.as_str()).unwrap();
            let kept: String = text.chars().filter(|c| is_allowed(*c)).collect();
            prop_assert_eq!(read.root_element().attribute("name"), Some(kept.as_str()));
            prop_assert_eq!(read.root_element().text().unwrap_or_default(), kept);
        }
    }

    #[test]
    fn elements_are_indented_by_their_depth() {
        let mut inside = Markup::default();
        inside.leaf("path", &Attributes::default().with("d", "M0 0"));
        let mut markup = Markup::default();
        markup.around("g", &Attributes::default().with("opacity", 0.5), &inside);
        assert_eq!(markup.as_str(), "<g opacity=\"0.5\">\n <path d=\"M0 0\"/>\n</g>\n");
    }

    #[test]
    fn an_element_around_nothing_is_nothing() {
        let mut markup = Markup::default();
        markup.around("g", &Attributes::default(), &Markup::default());
        assert!(markup.is_empty());
    }
}
