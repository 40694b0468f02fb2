//! JSON as other programs write it: with a byte order mark, with `NaN`, in lines of which some are torn.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use serde_json::Value;

use crate::base::{JsonLimitError, Limits, open_file, parse_json, read_file_limited};
use crate::run::lines::{BoundedLines, LINE_BYTES, Line};

use super::error::ImportError;
use super::source::Source;

/// What a file holds.
pub(super) enum Content {
    /// One value.
    Whole(Value),
    /// A value a line.
    Lines(Lines<File>),
}

/// Opens a file of JSON or JSON Lines. Its beginning does not show which of the two it is where a line is longer
/// than that: what is no JSON as a whole, and begins with a line that is, has lines.
pub(super) fn open(source: &Source) -> Result<Content, ImportError> {
    let path = &source.path;
    if source.outline().is_some_and(|outline| outline.is_lines) {
        return Ok(Content::Lines(Lines::open(path)?));
    }
    match read(path) {
        Ok(whole) => Ok(Content::Whole(whole)),
        Err(error) => match Lines::open(path)?.next() {
            Some((_, Ok(_))) => Ok(Content::Lines(Lines::open(path)?)),
            _ => Err(error),
        },
    }
}

/// Reads a whole file of JSON.
pub(super) fn read(path: &Path) -> Result<Value, ImportError> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
    parse(&bytes).map_err(|what| ImportError::content(what, path.display().to_string()))
}

/// Reads JSON, or says what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, String> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes {
        return Err("the text is UTF-16; save it as UTF-8".to_owned());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if std::str::from_utf8(bytes).is_err() {
        return Err("the text is not UTF-8".to_owned());
    }
    let first = parse_json(bytes);
    // Most have no such numbers, and are not looked through for them.
    let parsed = match first {
        Err(JsonLimitError::Syntax(_)) => match without_constants(bytes) {
            Cow::Owned(plain) => parse_json(&plain),
            Cow::Borrowed(_) => first,
        },
        other => other,
    };
    parsed.map_err(|error| error.to_string())
}

/// The text with `NaN` and infinities outside of strings, which Python writes, as `null`.
fn without_constants(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut plain: Vec<u8> = Vec::new();
    let (mut at, mut copied, mut in_string) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        // Within a string the words are text; a backslash takes the next byte with it, or `\"` would end the string.
        if in_string {
            match byte {
                b'\\' => at += 1,
                b'"' => in_string = false,
                _ => {}
            }
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        // With its sign, or that would be left standing before `null`.
        let found = [&b"NaN"[..], b"-Infinity", b"Infinity"];
        if let Some(word) = found.into_iter().find(|word| rest.starts_with(word)) {
            plain.extend_from_slice(bytes.get(copied..at).unwrap_or_default());
            plain.extend_from_slice(b"null");
            at += word.len();
            copied = at;
            continue;
        }
        in_string = *byte == b'"';
        at += 1;
    }
    // Nothing was found: a file that may be large is not copied.
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    plain.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    Cow::Owned(plain)
}

/// The lines of a file of JSON Lines, one at a time; empty ones are passed over. A list with an item a line is
/// read alike, its brackets and commas passed over: so a list that was broken off is read as far as it goes.
pub(super) struct Lines<R> {
    lines: BoundedLines<BufReader<R>>,
    is_over: bool,
}

impl Lines<File> {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        Ok(Self::new(open_file(path).map_err(ImportError::read(path))?))
    }
}

impl<R: Read> Lines<R> {
    /// Reads from anything.
    pub(super) fn new(reader: R) -> Self {
        Self { lines: BoundedLines::new(BufReader::new(reader), LINE_BYTES), is_over: false }
    }

    /// The next line's number and value, or what is wrong with it; `None` at the end.
    pub(super) fn next(&mut self) -> Option<(usize, Result<Value, String>)> {
        loop {
            if self.is_over {
                return None;
            }
            let line = match self.lines.next() {
                Ok(line) => line?,
                Err(error) => {
                    self.is_over = true;
                    return Some((self.lines.number + 1, Err(format!("cannot be read: {error}"))));
                }
            };
            let number = self.lines.number;
            let Line::Whole(bytes) = line else {
                self.is_over = true;
                let what = format!("longer than {LINE_BYTES} bytes; nothing behind it is read");
                return Some((number, Err(what)));
            };
            let value = bytes.trim_ascii();
            if !matches!(value, b"" | b"[" | b"]" | b"," | b"\xef\xbb\xbf" | b"\xef\xbb\xbf[") {
                return Some((number, parse(value.strip_suffix(b",").unwrap_or(value))));
            }
        }
    }
}

/// A time that is written out, as RFC 3339 in UTC; empty if it is none.
pub(super) fn moment(text: &str) -> String {
    text.parse::<jiff::Timestamp>().map(|at| at.to_string()).unwrap_or_default()
}

/// A text at a path of names.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The items of a list, or none.
pub(super) fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A value in words: a text as it is, anything else as JSON.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// A whole number that is not negative, also where it is written as a text, as in OTLP.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).or_else(|| {
        let number = value.as_f64().filter(|number| *number >= 0.0 && *number < 1e15)?;
        (number.fract() == 0.0).then_some(number as u64)
    })
}

/// The text under the first of these names where one stands.
pub(super) fn first_text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| text(value, name))
}

/// The number under the first of these names where one stands.
pub(super) fn first_count(value: &Value, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| count(value.get(*name)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_python_writes_is_read_and_strings_stay_as_they_are() {
        let text =
            "\u{feff}{\"a\": NaN, \"b\": [-Infinity, Infinity], \"c\": \"NaN \\\" Infinity\"}";
        let expected = json!({"a": null, "b": [null, null], "c": "NaN \" Infinity"});
        assert_eq!(parse(text.as_bytes()).unwrap(), expected);
        assert!(parse(b"\xff\xfe{\0}\0").unwrap_err().contains("UTF-16"));
        assert!(parse(b"{\"a\": \"\xe9\"}").unwrap_err().contains("not UTF-8"));
        assert!(parse(b"{\"a\": ").unwrap_err().contains("not valid JSON"));
    }

    #[test]
    fn a_list_that_was_broken_off_is_read_line_by_line() {
        let mut lines = Lines::new(&b"\xef\xbb\xbf[\r\n{\"a\":1},\r\n{\"b\":2},\r\n{\"c"[..]);
        assert_eq!(lines.next(), Some((2, Ok(json!({"a": 1})))));
        assert_eq!(lines.next(), Some((3, Ok(json!({"b": 2})))));
        assert!(matches!(lines.next(), Some((4, Err(_)))));
    }

    #[test]
    fn a_torn_line_is_one_error_and_the_others_are_read() {
        let mut lines = Lines::new(&b"{\"a\":1}\n\n{\"b\n{\"c\":3}"[..]);
        assert_eq!(lines.next(), Some((1, Ok(json!({"a": 1})))));
        assert!(matches!(lines.next(), Some((3, Err(_)))));
        assert_eq!(lines.next(), Some((4, Ok(json!({"c": 3})))));
        assert_eq!(lines.next(), None);
    }
}
