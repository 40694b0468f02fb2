//! Server-sent events, bit by bit (WHATWG HTML, "Server-sent events").

use super::error::ProviderError;
use super::limits::AnswerLimits;

/// An event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Its type; empty if it has none.
    pub(super) kind: String,
    /// Its lines of data.
    pub(super) data: String,
}

/// Takes a stream apart into its events.
///
/// Stricter than browsers in that bytes that are not UTF-8 are an error, and more lenient in that an
/// event counts though the empty line after the last one is missing.
#[derive(Debug, Default)]
pub(super) struct SseReader {
    /// What came of a line that has not ended.
    line: Vec<u8>,
    /// The line before ended in a carriage return: a line feed at once belongs to it.
    after_return: bool,
    any_line: bool,
    event: SseEvent,
    has_data: bool,
}

impl SseReader {
    /// The events that these bytes complete.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<SseEvent>, ProviderError> {
        let mut events = Vec::new();
        if self.after_return && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            self.after_return = false;
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.extend_line(line)?;
            events.extend(self.end_line()?);
            // Whether a line feed follows is only seen in the next bytes.
            self.after_return = rest == b"\r";
            bytes = match rest {
                [b'\r', b'\n', after @ ..] | [_, after @ ..] | after => after,
            };
        }
        self.extend_line(bytes)?;
        Ok(events)
    }

    /// The event that the end of the stream completes.
    pub(super) fn finish(&mut self) -> Result<Option<SseEvent>, ProviderError> {
        let unfinished = if self.line.is_empty() { None } else { self.end_line()? };
        Ok(unfinished.or_else(|| self.end_event()))
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), ProviderError> {
        let limit = AnswerLimits::EVENT_BYTES;
        if self.line.len() + self.event.data.len() + bytes.len() > limit {
            return Err(ProviderError::TooMuch(format!("an event of it has over {limit} bytes")));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Result<Option<SseEvent>, ProviderError> {
        let line = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&line)
            .map_err(|_not_text| ProviderError::malformed("it is not UTF-8 text".to_owned()))?;
        // A mark of the byte order may stand before the first line and nowhere else.
        let line = if self.any_line { line } else { line.trim_start_matches('\u{feff}') };
        self.any_line = true;
        if line.is_empty() {
            return Ok(self.end_event());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "event" => value.clone_into(&mut self.event.kind),
            // Comments, which keep a connection alive, and fields that say nothing to us.
            _ => {}
        }
        Ok(None)
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        // An event without data is none, whatever its type, as the standard says.
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::chat::RetryCause;

    fn events(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = SseReader::default();
        let mut events = Vec::new();
        for chunk in chunks {
            events.extend(reader.push(chunk).unwrap());
        }
        events.extend(reader.finish().unwrap());
        events.into_iter().map(|event| (event.kind, event.data)).collect()
    }

    fn pair(kind: &str, data: &str) -> (String, String) {
        (kind.to_owned(), data.to_owned())
    }

    #[test]
    fn events_end_at_empty_lines_of_any_kind() {
        for text in ["event: a\ndata: 1\n\ndata:2\n\n", "event: a\r\ndata: 1\r\n\r\ndata:2\r\r"] {
            assert_eq!(events(&[text.as_bytes()]), [pair("a", "1"), pair("", "2")]);
        }
    }

    #[test]
    fn data_lines_are_joined_and_comments_left_out() {
        let text = "\u{feff}: ping\nretry: 3\ndata: {\ndata:  1}\nid: 4\n\n: ping\n\n";
        assert_eq!(events(&[text.as_bytes()]), [pair("", "{\n 1}")]);
    }

    #[test]
    fn the_last_event_counts_without_its_empty_line() {
        assert_eq!(events(&[b"data: 1\n\ndata: 2"]), [pair("", "1"), pair("", "2")]);
        assert_eq!(events(&[b"data: 1\n"]), [pair("", "1")]);
        assert_eq!(events(&[b"event: a\n"]), []);
    }

    #[test]
    fn an_endless_line_and_bytes_that_are_no_text_are_errors() {
        let mut reader = SseReader::default();
        let chunk = vec![b'a'; 1 << 20];
        let error = (0..100).find_map(|_| reader.push(&chunk).err());
        assert!(matches!(error, Some(ProviderError::TooMuch(_))), "{error:?}");
        let error = SseReader::default().push(b"data: \xff\n").unwrap_err();
        assert!(matches!(error, ProviderError::Passing(RetryCause::Malformed { .. })), "{error:?}");
    }

    #[test]
    fn endless_lines_of_one_event_are_too_much() {
        let mut reader = SseReader::default();
        let lines = format!("data: {}\n", "a".repeat(1 << 20)).repeat(2);
        let error = (0..100).find_map(|_| reader.push(lines.as_bytes()).err());
        assert!(matches!(error, Some(ProviderError::TooMuch(_))), "{error:?}");
    }

    proptest! {
        #[test]
        fn however_it_is_cut_a_stream_has_the_same_events(
            text in "(data: [a-zé{}]{0,5}|event: [a-z]{0,3}|: c|\r\n|\n|\r){0,20}",
            cuts in prop::collection::vec(0usize..200, 0..8),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> =
                cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(events(&chunks), events(&[bytes]));
        }
    }
}
