//! JSON as other programs write it: with a byte order mark, with `NaN`, in lines of which some are torn, as the
//! events of a stream.

use std::borrow::Cow;
use std::io::{BufReader, Read};
use std::path::Path;

use serde_json::Value;

use crate::base::{JsonLimitError, Limits, parse_json};
use crate::run::lines::{BoundedLines, LINE_BYTES, Line};

use super::error::ImportError;
use super::packed::{self, Unpacked};
use super::sink::Sink;
use super::source::Source;

/// Gives the values of a file one after the other, each with its place: those on its lines, the items of its list, or
/// the one that it is; or what is wrong with a line.
///
/// The beginning does not show which of them it is where a line is longer than what is looked at: what is no JSON as
/// a whole, and begins with a line that is, has lines.
pub(super) fn each(
    source: &Source,
    sink: &mut Sink<'_>,
    mut take: impl FnMut(Result<&Value, String>, &str, &mut Sink<'_>) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let path = source.path.display();
    let is_lines = source.outline().is_some_and(|outline| outline.is_lines);
    let whole = if is_lines { None } else { Some(read(&source.path)) };
    match whole {
        Some(Ok(Value::Array(items))) => {
            for (number, item) in (1..).zip(&items) {
                let place = format!("{path}#{number}");
                sink.doing(place.clone())?;
                take(Ok(item), &place, sink)?;
            }
            return Ok(());
        }
        Some(Ok(value)) => return take(Ok(&value), &path.to_string(), sink),
        Some(Err(error)) => match Lines::open(&source.path)?.next() {
            Some((_, Ok(_))) => {}
            _ => return Err(error),
        },
        None => {}
    }
    // It may be larger than memory, and is never there whole.
    let mut lines = Lines::open(&source.path)?;
    while let Some((number, line)) = lines.next() {
        let place = format!("{path}:{number}");
        sink.doing(place.clone())?;
        match line {
            Ok(value) => take(Ok(&value), &place, sink)?,
            Err(why) => take(Err(why), &place, sink)?,
        }
    }
    Ok(())
}

/// Reads a whole file of JSON.
pub(super) fn read(path: &Path) -> Result<Value, ImportError> {
    let bytes = packed::read(path, Limits::JSON_BYTES)?;
    parse(&bytes).map_err(|what| ImportError::content(what, path.display().to_string()))
}

/// Reads JSON, or says what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, String> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes {
        return Err("the text is UTF-16; save it as UTF-8".to_owned());
    }
    let bytes = without_mark(bytes);
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
///
/// Server-sent events (WHATWG HTML, "Server-sent events") may stand between them or alone: of each its data is a
/// value, with the type that it has beside. What marks the end of many streams, [`DONE`], is a text.
pub(super) struct Lines<R> {
    source: BoundedLines<BufReader<R>>,
    is_over: bool,
    /// The type of the event that is read.
    kind: Option<String>,
    /// Where its data began, and what there is of it, where that has several lines.
    data: Option<(usize, Vec<u8>)>,
    /// The line behind such data, which showed that it has ended.
    held: Option<(usize, Vec<u8>)>,
    /// Whether it is at the headers of the answer that a stream came in.
    is_in_headers: bool,
}

/// What marks the end of many streams; no JSON.
pub(super) const DONE: &str = "[DONE]";

impl Lines<Unpacked> {
    /// Opens a file, which may be packed.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        Ok(Self::new(packed::open(path).map_err(ImportError::read(path))?))
    }
}

impl<R: Read> Lines<R> {
    /// Reads from anything.
    pub(super) fn new(reader: R) -> Self {
        Self {
            source: BoundedLines::new(BufReader::new(reader), LINE_BYTES),
            is_over: false,
            kind: None,
            data: None,
            held: None,
            is_in_headers: false,
        }
    }

    /// The next line's number and value, or what is wrong with it; `None` at the end.
    pub(super) fn next(&mut self) -> Option<(usize, Result<Value, String>)> {
        loop {
            let Some((number, line)) = self.line() else { return self.end_data() };
            let (number, line) = match line {
                Ok(line) => (number, line),
                Err(why) => return Some((number, Err(why))),
            };
            // A mark of the byte order may stand before the first line, and nowhere else.
            let line = if number == 1 { without_mark(&line) } else { &line };
            let value = line.trim_ascii();
            let is_data = value.starts_with(b"data:");
            if self.data.is_some() && !is_data {
                self.held = Some((number, line.to_vec()));
                return self.end_data();
            }
            if is_data {
                if let Some(value) = self.take_data(number, value) {
                    return Some(value);
                }
            } else if !self.is_aside(value) {
                return Some((number, parse(value.strip_suffix(b",").unwrap_or(value))));
            }
        }
    }

    /// The next line as it stands, or why nothing is read behind the one before; `None` at the end.
    fn line(&mut self) -> Option<(usize, Result<Vec<u8>, String>)> {
        if let Some((number, line)) = self.held.take() {
            return Some((number, Ok(line)));
        }
        if self.is_over {
            return None;
        }
        let line = self.source.next();
        let number = self.source.number;
        match line {
            Ok(Some(Line::Whole(bytes))) => Some((number, Ok(bytes))),
            Ok(None) => None,
            Ok(Some(Line::TooLong)) => {
                let is_passed = self.pass_over();
                let rest = if is_passed { "it is left out" } else { "nothing behind it is read" };
                Some((number, Err(format!("longer than {LINE_BYTES} bytes; {rest}"))))
            }
            Err(error) => {
                self.is_over = true;
                Some((number + 1, Err(format!("cannot be read: {error}"))))
            }
        }
    }

    /// Passes over the rest of a line that is too long; `false` where it does not end, or too late.
    fn pass_over(&mut self) -> bool {
        let number = self.source.number;
        let start = self.source.end;
        let mut is_passed = false;
        while !is_passed && self.source.end - start < Limits::JSON_BYTES {
            match self.source.next() {
                Ok(Some(_)) => is_passed = self.source.has_feed,
                Ok(None) | Err(_) => break,
            }
        }
        // What was passed over is of one line.
        self.source.number = number;
        self.is_over = !is_passed;
        is_passed
    }

    /// Whether a line holds no value: it is empty, the bracket of a list, or a field of an event beside its data.
    fn is_aside(&mut self, line: &[u8]) -> bool {
        if line.starts_with(b"HTTP/") {
            self.is_in_headers = true;
        }
        if line.is_empty() {
            (self.kind, self.is_in_headers) = (None, false);
        }
        // No header begins so: the empty line behind them was lost.
        if line.starts_with(b"{") || line.starts_with(b"[{") {
            self.is_in_headers = false;
        }
        if let Some(kind) = line.strip_prefix(b"event:") {
            self.kind = Some(String::from_utf8_lossy(kind.trim_ascii()).into_owned());
            return true;
        }
        let is_field =
            line.starts_with(b":") || line.starts_with(b"id:") || line.starts_with(b"retry:");
        self.is_in_headers || is_field || matches!(line, b"" | b"[" | b"]" | b",")
    }

    /// Takes a line of an event's data; the value, if that is whole on it.
    fn take_data(&mut self, number: usize, line: &[u8]) -> Option<(usize, Result<Value, String>)> {
        let said = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
        if let Some((_, data)) = &mut self.data {
            // As long as a line may be, and then it is no JSON.
            if (data.len() + said.len()) as u64 <= LINE_BYTES {
                data.push(b'\n');
                data.extend_from_slice(said);
            }
            return None;
        }
        if said == DONE.as_bytes() {
            return Some((number, Ok(Value::String(DONE.to_owned()))));
        }
        if let Ok(value) = parse(said) {
            return Some((number, Ok(typed(value, self.kind.as_deref()))));
        }
        // It may go on, on the next line.
        self.data = Some((number, said.to_vec()));
        None
    }

    /// Ends data of several lines.
    fn end_data(&mut self) -> Option<(usize, Result<Value, String>)> {
        let (number, data) = self.data.take()?;
        let value = parse(&data).map(|value| typed(value, self.kind.as_deref()));
        Some((number, value))
    }
}

/// An event with the type that stands beside its data, where it says none itself.
pub(super) fn typed(mut event: Value, kind: Option<&str>) -> Value {
    if let (Some(kind), Some(fields)) = (kind, event.as_object_mut()) {
        fields.entry("type").or_insert_with(|| kind.into());
    }
    event
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A time that is written out, as RFC 3339 in UTC; empty if it is none.
pub(super) fn moment(text: &str) -> String {
    text.parse::<jiff::Timestamp>().map(|at| at.to_string()).unwrap_or_default()
}

/// A time that is written out, or counted since 1970 in seconds or smaller units, which their size tells.
pub(super) fn moment_of(time: &Value) -> String {
    if let Some(text) = time.as_str() {
        return moment(text);
    }
    let Some(count) = time.as_f64() else { return String::new() };
    // From 1973 to 5138 in each unit.
    let units = [(1e8, 1.0), (1e11, 1e3), (1e14, 1e6), (1e17, 1e9)];
    let unit = units.into_iter().rfind(|(from, _)| (*from..*from * 1e3).contains(&count));
    let Some((_, unit)) = unit else { return String::new() };
    let millis = (count / unit * 1e3).round() as i64;
    jiff::Timestamp::from_millisecond(millis).map(|at| at.to_string()).unwrap_or_default()
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
    fn events_of_a_stream_are_values_with_the_type_that_stands_beside() {
        let text = b"HTTP/2 200\r\ncontent-type: text/event-stream\r\n\r\nevent: a\r\ndata: {\"n\": 1}\r\n\r\n: ping\ndata:{\"type\": \"b\"}\ndata: {\ndata: \"n\": 2}\n\nid: 7\ndata: [DONE]\n\n{\"messages\": []}\ndata: {\"n\"";
        let mut lines = Lines::new(&text[..]);
        assert_eq!(lines.next(), Some((5, Ok(json!({"n": 1, "type": "a"})))));
        assert_eq!(lines.next(), Some((8, Ok(json!({"type": "b"})))));
        assert_eq!(lines.next(), Some((9, Ok(json!({"n": 2})))));
        assert_eq!(lines.next(), Some((13, Ok(json!("[DONE]")))));
        assert_eq!(lines.next(), Some((15, Ok(json!({"messages": []})))));
        assert!(matches!(lines.next(), Some((16, Err(_)))));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn headers_end_at_the_first_value_where_no_empty_line_ends_them() {
        let text = b"HTTP/1.1 200 OK\ncontent-type: application/json\n{\"a\": 1}\nHTTP/2 200\n[{\"b\": 2}]\n";
        let mut lines = Lines::new(&text[..]);
        assert_eq!(lines.next(), Some((3, Ok(json!({"a": 1})))));
        assert_eq!(lines.next(), Some((5, Ok(json!([{"b": 2}])))));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_alone() {
        let text = format!("1\n\"{}\"\n3\n", "x".repeat(LINE_BYTES as usize));
        let mut lines = Lines::new(text.as_bytes());
        assert_eq!(lines.next(), Some((1, Ok(json!(1)))));
        assert!(matches!(lines.next(), Some((2, Err(why))) if why.ends_with("it is left out")));
        assert_eq!(lines.next(), Some((3, Ok(json!(3)))));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_time_is_written_out_or_counted_in_units_that_its_size_tells() {
        for time in [
            json!("2026-01-01T01:00:00+01:00"),
            json!(1_767_225_600),
            json!(1_767_225_600.0),
            json!(1_767_225_600_000_u64),
            json!(1_767_225_600_000_000_000_u64),
        ] {
            assert_eq!(moment_of(&time), "2026-01-01T00:00:00Z", "{time}");
        }
        // Without a zone, or too small and too large for any unit.
        for none in [json!("2026-01-01T00:00:00"), json!(7), json!(-1), json!(1e30), json!(null)] {
            assert_eq!(moment_of(&none), "", "{none}");
        }
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
