//! What JSON is about, told from its beginning alone: the names at the top of its first value.

use std::collections::BTreeMap;

/// Longest text that is kept of a name or a value.
const TEXT_BYTES: usize = 200;
/// Most names that are kept.
const NAMES: usize = 256;

/// The names in the first value of a file of JSON or JSON Lines, of which only the beginning need be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonHead {
    /// Whether the value is a list; the names are then those of its first object.
    pub is_list: bool,
    /// The names of the object, with the value where it is a short text.
    names: BTreeMap<String, Option<String>>,
    /// Whether another value follows: the file is JSON Lines.
    pub is_lines: bool,
}

impl JsonHead {
    /// Looks at the beginning of a file; `None` if it is no object and no list of objects.
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let mut scan = Scan { bytes: head, at: 0 };
        let mut outline = Self::default();
        match scan.next_mark()? {
            b'{' => {}
            b'[' => {
                outline.is_list = true;
                if scan.next_mark()? != b'{' {
                    return None;
                }
            }
            _ => return None,
        }
        let is_whole = outline.take_object(&mut scan).is_some();
        if is_whole && !outline.is_list {
            outline.is_lines = scan.next_mark() == Some(b'{');
        }
        // A brace alone says nothing.
        (!outline.names.is_empty()).then_some(outline)
    }

    /// Takes the names of an object whose brace is behind; `None` where the beginning ends first.
    fn take_object(&mut self, scan: &mut Scan<'_>) -> Option<()> {
        loop {
            match scan.next_mark()? {
                b'}' => return Some(()),
                b',' => {}
                b'"' => {
                    let name = scan.text()?;
                    if scan.next_mark()? != b':' {
                        return None;
                    }
                    // Entered before the value, which may reach beyond what there is.
                    if self.names.len() < NAMES {
                        self.names.insert(name.clone(), None);
                    }
                    let value = scan.value()?;
                    if let Some(kept) = self.names.get_mut(&name) {
                        *kept = value;
                    }
                }
                _ => return None,
            }
        }
    }

    /// Whether the object has this name.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Whether it has all of these.
    pub fn has_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    /// The value of a name, where it is a short text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.names.get(name)?.as_deref()
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    /// The next byte that is no white space, taken.
    fn next_mark(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
        }
    }

    /// The rest of a text whose opening quote is behind, at most [`TEXT_BYTES`] of it, escapes as they are.
    fn text(&mut self) -> Option<String> {
        let start = self.at;
        loop {
            match *self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let text = self.bytes.get(start..self.at)?;
        self.at += 1;
        let kept = text.get(..TEXT_BYTES).unwrap_or(text);
        Some(String::from_utf8_lossy(kept).into_owned())
    }

    /// Passes over a value; its text if it is one.
    #[expect(clippy::option_option, reason = "whether it is whole, and whether it is a text")]
    fn value(&mut self) -> Option<Option<String>> {
        match self.next_mark()? {
            b'"' => return Some(Some(self.text()?)),
            b'{' | b'[' => {}
            _ => {
                while !matches!(self.bytes.get(self.at)?, b',' | b'}' | b']') {
                    self.at += 1;
                }
                return Some(None);
            }
        }
        // Counted and not by calling itself: what nests without end would end the stack first.
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next_mark()? {
                b'"' => drop(self.text()?),
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        Some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_at_the_top_are_told_and_no_others() {
        let outline =
            JsonHead::of(br#" {"a": {"b": "}\""}, "kind": "x", "n": 3, "l": [1]}"#).unwrap();
        assert!(outline.has_all(&["a", "kind", "n", "l"]) && !outline.has("b"));
        assert_eq!(
            (outline.text("kind"), outline.is_list, outline.is_lines),
            (Some("x"), false, false)
        );
        let lines = JsonHead::of(b"{\"a\": 1}\n{\"b\": 2}").unwrap();
        assert!(lines.is_lines && lines.has("a") && !lines.has("b"));
        let list = JsonHead::of(b"\xef\xbb\xbf[{\"role\": \"user\"").unwrap();
        assert!(list.is_list && list.text("role") == Some("user"));
    }

    #[test]
    fn what_is_cut_off_is_told_as_far_as_it_goes() {
        let outline = JsonHead::of(br#"{"a": 1, "picture": "iVBORw0K"#).unwrap();
        assert!(outline.has_all(&["a", "picture"]));
        for nothing in ["", "{", "[]", "[1]", "12", "\"x\"", "{\"", "plain text", "[[{\"a\":1}]]"] {
            assert_eq!(JsonHead::of(nothing.as_bytes()), None, "{nothing}");
        }
    }
}
