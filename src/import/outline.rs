//! What JSON is about, told from its beginning alone: the names at the top of its first value.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};

/// Longest text that is kept of a name or a value.
const TEXT_BYTES: usize = 200;
/// Longest text that a beginning keeps whole: what follows of it may be a picture of megabytes.
const BEGINNING_TEXT_BYTES: usize = 4096;
/// Most names that are kept.
const NAMES: usize = 256;
/// Most lines before the first event of a stream: headers of the answer that it came in, and comments.
const LINES_BEFORE_EVENT: usize = 200;

/// The names in the first value of a file of JSON or JSON Lines, of which only the beginning need be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonHead {
    /// Whether the value is a list; the names are then those of its first object.
    pub is_list: bool,
    /// The names of the object, with the value where it is a short text.
    names: BTreeMap<String, Option<String>>,
    /// Whether another value follows: the file is JSON Lines, or a stream of events.
    pub is_lines: bool,
}

impl JsonHead {
    /// Looks at the beginning of a file; `None` if it is no object, no list of objects and no stream of events
    /// with objects.
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        if !begins_as_json(head) {
            return Self::of_events(head);
        }
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

    /// Looks at the first of some server-sent events, as they came over the wire.
    fn of_events(head: &[u8]) -> Option<Self> {
        for line in head.split(|byte| *byte == b'\n').take(LINES_BEFORE_EVENT) {
            if event_data(line).is_some() {
                return Self::of_line(line);
            }
            // Other fields of events, and headers: a name and a colon.
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            let is_name = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
            let is_field = is_name && name.len() < line.len();
            if !line.trim_ascii().is_empty() && !is_field && !line.starts_with(b"HTTP/") {
                return None;
            }
        }
        None
    }

    /// Looks at a line of JSON Lines, or of events; `None` if it is no object.
    pub(super) fn of_line(line: &[u8]) -> Option<Self> {
        let line = event_data(line).unwrap_or(line);
        let outline = Self::of(line).filter(|outline| !outline.is_list)?;
        Some(Self { is_lines: true, ..outline })
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

    /// Whether another has the same names, and the same `type`.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.names.keys().eq(other.names.keys()) && self.text("type") == other.text("type")
    }

    /// The value of a name, where it is a short text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.names.get(name)?.as_deref()
    }
}

/// Whether a file begins as an object or a list does.
pub(super) fn begins_as_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    matches!(head.iter().find(|byte| !byte.is_ascii_whitespace()), Some(b'{' | b'['))
}

/// The JSON on a line of a server-sent event, if it begins on it.
pub(super) fn event_data(line: &[u8]) -> Option<&[u8]> {
    let data = line.strip_prefix(b"data:")?.trim_ascii();
    data.starts_with(b"{").then_some(data)
}

/// The first `most` bytes of JSON with its long texts cut short: a picture that stands at the beginning of a
/// log would hide what tells its format.
pub(super) fn shortened(json: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    let (mut in_text, mut is_escaped, mut is_kept, mut length) = (false, false, true, 0_usize);
    for byte in BufReader::new(json).bytes() {
        let byte = byte?;
        match (in_text, byte) {
            // No text has more than one line: it is torn, and the next line is whole again.
            (true, b'\n') => (in_text, is_escaped, is_kept) = (false, false, true),
            // Kept or cut together with its backslash.
            (true, _) if is_escaped => is_escaped = false,
            (true, b'"') => (in_text, is_kept) = (false, true),
            (true, _) => {
                is_escaped = byte == b'\\';
                is_kept = length < BEGINNING_TEXT_BYTES;
            }
            (false, b'"') => (in_text, length) = (true, 0),
            (false, _) => {}
        }
        length += 1;
        if is_kept {
            kept.push(byte);
        }
        if kept.len() >= most {
            break;
        }
    }
    Ok(kept)
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
    fn the_first_event_of_a_stream_is_told_behind_the_headers_of_its_answer() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: ping\n\nevent: a\ndata: {\"type\": \"a\"}\n";
        let outline = JsonHead::of(answer).unwrap();
        assert_eq!((outline.text("type"), outline.is_lines), (Some("a"), true));
        let again = "data:".repeat(100_000);
        for nothing in ["data: [DONE]\n", "a: b\nno field\ndata: {\"a\": 1}", &again] {
            assert_eq!(JsonHead::of(nothing.as_bytes()), None);
        }
    }

    #[test]
    fn long_texts_are_cut_and_what_stands_behind_them_is_seen() {
        let long = "\\\"x".repeat(100_000);
        let json = format!("{{\"a\": \"{long}\", \"b\": \"kept\"}}\n{{\"c\": \"torn\n{{\"d\": 1}}");
        let short = shortened(json.as_bytes(), 1 << 20).unwrap();
        assert!(short.len() < 5000 && json.len() > 300_000);
        let outline = JsonHead::of(&short).unwrap();
        assert_eq!((outline.text("b"), outline.is_lines), (Some("kept"), true));
        assert!(short.ends_with(b"{\"c\": \"torn\n{\"d\": 1}"));
        assert_eq!(shortened(json.as_bytes(), 10).unwrap().len(), 10);
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
