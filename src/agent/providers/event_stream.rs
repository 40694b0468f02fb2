//! Amazon's event streams, bit by bit (`application/vnd.amazon.eventstream`; the format is in
//! docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html and in Smithy's "Amazon Event
//! Stream Specification").
//!
//! A message is a prelude (length of the whole, length of the headers, CRC-32 of these two), headers, a
//! payload, and the CRC-32 of all before. Our own, for it is a page; the crate
//! `aws-smithy-eventstream` reads the same with three crates of a runtime around it.

use crate::model::wire::ApiKey;

use super::error::ProviderError;
use super::limits::AnswerLimits;
use super::sse::SseEvent;

/// Bytes of a prelude: two lengths and their sum.
const PRELUDE: usize = 12;
/// Bytes of the sum at the end.
const SUM: usize = 4;

/// A message as it is recorded, and what it says.
pub(super) struct Framed {
    /// Its bytes, without the key.
    pub(super) bytes: Vec<u8>,
    /// What it says; `None` of a message that says nothing.
    pub(super) event: Option<SseEvent>,
}

/// Takes a stream apart into its messages.
#[derive(Debug, Default)]
pub(super) struct FrameReader {
    held: Vec<u8>,
}

impl FrameReader {
    /// The messages that these bytes complete, one after the other; after an error no more come.
    ///
    /// The key is taken out of whole messages: taken out of the bytes it would break their lengths.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        key: Option<&ApiKey>,
    ) -> Vec<Result<Framed, ProviderError>> {
        self.held.extend_from_slice(bytes);
        let mut messages = Vec::new();
        loop {
            match self.next(key) {
                Ok(Some(message)) => messages.push(Ok(message)),
                Ok(None) => return messages,
                Err(error) => {
                    messages.push(Err(error));
                    return messages;
                }
            }
        }
    }

    /// The bytes that are no whole message: of one that was torn or is damaged.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    fn next(&mut self, key: Option<&ApiKey>) -> Result<Option<Framed>, ProviderError> {
        let Some((prelude, _)) = self.held.split_first_chunk::<PRELUDE>() else { return Ok(None) };
        let [total, headers, sum] = [0, 4, 8].map(|at| number_at(prelude, at));
        // The sum before the length: a damaged length would let it wait for bytes that never come.
        if crc32fast::hash(prelude.get(..8).unwrap_or_default()) != sum {
            return Err(damaged("the sum of a message's beginning is wrong"));
        }
        let (total, headers) = (total as usize, headers as usize);
        // Before the rest is waited for, which would be held until then.
        if total > AnswerLimits::EVENT_BYTES {
            let limit = AnswerLimits::EVENT_BYTES;
            return Err(ProviderError::TooMuch(format!("an event of it has over {limit} bytes")));
        }
        if total < PRELUDE + headers + SUM {
            return Err(damaged("a message is shorter than its headers"));
        }
        if self.held.len() < total {
            return Ok(None);
        }
        let (content, sum) = self.held.get(..total).unwrap_or_default().split_at(total - SUM);
        if crc32fast::hash(content) != number_at(sum, 0) {
            return Err(damaged("the sum of a message is wrong"));
        }
        let (headers, payload) = content
            .get(PRELUDE..)
            .unwrap_or_default()
            .split_at_checked(headers)
            .unwrap_or_default();
        let texts = text_headers(headers)?;
        let payload = std::str::from_utf8(payload)
            .map_err(|_not_text| damaged("a message is not UTF-8 text"))?;
        let message = framed(self.held.get(..total).unwrap_or_default(), texts, payload, key);
        self.held.drain(..total);
        Ok(Some(message))
    }
}

/// Whether bytes begin as a message of less than 16 MiB does and no text.
pub(super) fn begins_message(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0)
}

/// The message without the key: the bytes as they came, or, where the key stands in them, a message that
/// says the same without it.
fn framed(
    bytes: &[u8],
    texts: Vec<(String, String)>,
    payload: &str,
    key: Option<&ApiKey>,
) -> Framed {
    if let Some(key) = key {
        let mut redactor = key.redactor();
        let mut redacted = redactor.push(bytes);
        redacted.extend(redactor.finish());
        if redacted != bytes {
            let texts: Vec<(String, String)> =
                texts.into_iter().map(|(name, value)| (name, key.redact(&value))).collect();
            let payload = key.redact(payload);
            let bytes = encode(&texts, payload.as_bytes());
            return Framed { bytes, event: event_of(&texts, &payload) };
        }
    }
    Framed { bytes: bytes.to_vec(), event: event_of(&texts, payload) }
}

/// A message with these headers of text.
fn encode(texts: &[(String, String)], payload: &[u8]) -> Vec<u8> {
    let mut headers = Vec::new();
    for (name, value) in texts {
        // What came in a message has lengths that fit, and taking a key out makes no header too long.
        headers.push(name.len() as u8);
        headers.extend_from_slice(name.as_bytes());
        headers.push(TEXT);
        headers.extend_from_slice(&(value.len() as u16).to_be_bytes());
        headers.extend_from_slice(value.as_bytes());
    }
    let total = PRELUDE + headers.len() + payload.len() + SUM;
    let mut message = Vec::with_capacity(total);
    message.extend_from_slice(&(total as u32).to_be_bytes());
    message.extend_from_slice(&(headers.len() as u32).to_be_bytes());
    message.extend_from_slice(&crc32fast::hash(&message).to_be_bytes());
    message.extend_from_slice(&headers);
    message.extend_from_slice(payload);
    message.extend_from_slice(&crc32fast::hash(&message).to_be_bytes());
    message
}

/// The type of headers that are text.
const TEXT: u8 = 7;

/// The headers that are text; others are passed over.
fn text_headers(mut bytes: &[u8]) -> Result<Vec<(String, String)>, ProviderError> {
    let mut texts = Vec::new();
    while let Some((&length, rest)) = bytes.split_first() {
        let (name, rest) = cut(rest, usize::from(length))?;
        let (kind, rest) = cut(rest, 1)?;
        let kind = kind.first().copied().unwrap_or_default();
        let (length, rest) = match kind {
            // True and false are their type.
            0 | 1 => (0, rest),
            2 => (1, rest),
            3 => (2, rest),
            4 => (4, rest),
            // A number and a time of eight bytes, a UUID.
            5 | 8 => (8, rest),
            9 => (16, rest),
            6 | TEXT => {
                let (length, rest) = cut(rest, 2)?;
                (usize::from(u16::from_be_bytes([byte_at(length, 0), byte_at(length, 1)])), rest)
            }
            _ => return Err(damaged("a header of a message is of no known type")),
        };
        let (value, rest) = cut(rest, length)?;
        if kind == TEXT {
            let [name, value] =
                [name, value].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            texts.push((name, value));
        }
        bytes = rest;
    }
    Ok(texts)
}

/// What a message says: an event by its type, an exception by its own, an error as one.
fn event_of(texts: &[(String, String)], payload: &str) -> Option<SseEvent> {
    let (kind, data) = match header(texts, ":message-type") {
        "exception" => (header(texts, ":exception-type").to_owned(), payload.to_owned()),
        // Has no payload: what is wrong is in the headers.
        "error" => {
            let code = header(texts, ":error-code");
            let said = serde_json::json!({ "message": header(texts, ":error-message") });
            // Ends as exceptions do, so that it is read as one.
            let kind = format!("{}Exception", code.trim_end_matches("Exception"));
            (kind, said.to_string())
        }
        _ => (header(texts, ":event-type").to_owned(), payload.to_owned()),
    };
    (!data.is_empty()).then_some(SseEvent { kind, data })
}

fn header<'a>(texts: &'a [(String, String)], name: &str) -> &'a str {
    let found = texts.iter().find(|(header, _)| header == name);
    found.map_or("", |(_, value)| value.as_str())
}

fn cut(bytes: &[u8], length: usize) -> Result<(&[u8], &[u8]), ProviderError> {
    bytes.split_at_checked(length).ok_or_else(|| damaged("a header of a message is torn"))
}

fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([0, 1, 2, 3].map(|offset| byte_at(bytes, at + offset)))
}

fn damaged(why: &str) -> ProviderError {
    ProviderError::malformed(why.to_owned())
}
