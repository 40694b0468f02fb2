//! One attempt: posts the request, reads the answer as it comes, and keeps what went over the wire.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;

use crate::agent::chat::{ChatListener, Exchange, ExchangeEnd, Payload, RetryCause, TokenUsage};
use crate::base::{CancelToken, parse_json};
use crate::model::wire::{
    AnswerListener, ApiKey, BodyEnd, Redactor, Wire, WireError, WireHead, WireRequest, asked_wait,
    in_one_line,
};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::{ProviderError, error_in, may_pass, message_of};
use super::event_stream::{FrameReader, begins_message};
use super::limits::AnswerLimits;
use super::sse::SseReader;

/// What an attempt needs.
pub(super) struct Attempting<'a> {
    pub(super) api: &'a dyn Api,
    pub(super) wire: &'a dyn Wire,
    pub(super) key: Option<&'a ApiKey>,
    pub(super) request: &'a WireRequest,
    pub(super) delivery: Delivery,
    pub(super) ids: CallIds,
    pub(super) cancel: &'a CancelToken,
    /// When the model was asked, before any attempt.
    pub(super) asked_at: Instant,
}

/// What came of an attempt.
pub(super) struct Attempted {
    pub(super) exchange: Exchange,
    pub(super) outcome: Result<Draft, ProviderError>,
    /// What it cost, whether or not it failed, if the provider told.
    pub(super) usage: Option<TokenUsage>,
    /// How long the provider wants to be left alone.
    pub(super) asked_wait: Option<Duration>,
}

/// The answer's headers that are kept, by how their names begin.
const KEPT_HEADERS: [&str; 10] = [
    "content-type",
    "retry-after",
    "request-id",
    "x-request-id",
    "x-should-retry",
    "x-ratelimit-",
    "anthropic-ratelimit-",
    "openai-",
    "x-amzn-",
    "server",
];

impl Attempting<'_> {
    /// Makes the attempt.
    pub(super) fn run(&self, listener: &mut dyn ChatListener) -> Attempted {
        let began = Instant::now();
        let mut hearing = Hearing::new(self, listener);
        let ended = self.wire.post(self.request, &mut hearing, self.cancel);
        let milliseconds = began.elapsed().as_secs_f64() * 1e3;
        hearing.end();
        // Errors hold what the provider said, which may hold the key: none of them leaves uncleaned.
        let outcome = self.outcome(&mut hearing, ended.as_ref());
        let outcome = outcome.map_err(|error| error.map_text(|text| self.clean(text)));
        // A failed attempt is paid for as well, as far as it came.
        let usage = match &outcome {
            Ok(draft) => draft.usage,
            Err(_) => hearing.usage_told(),
        };
        // The header is of a standard; the body is Google's way.
        let asked_wait = asked_wait(&hearing.head, Timestamp::now())
            .or_else(|| asked_in_body(&hearing.head, &hearing.body));
        // From here on only what is recorded: nothing of it may hold the key.
        let Hearing { head, body, .. } = hearing;
        let end = match ended {
            Ok(BodyEnd::Whole) => ExchangeEnd::Whole,
            Err(WireError::Unreachable { why }) => {
                ExchangeEnd::Unreachable { why: self.clean(&why) }
            }
            Err(WireError::BrokenOff { why }) => ExchangeEnd::BrokenOff { why: self.clean(&why) },
            Err(WireError::TimedOut { limit, seconds }) => ExchangeEnd::TimedOut { limit, seconds },
            Ok(BodyEnd::Stopped) | Err(_) => ExchangeEnd::Abandoned,
        };
        let exchange = Exchange {
            method: "POST".to_owned(),
            url: self.redact(&self.request.url),
            request_headers: self.shown_headers(),
            request: Payload::new(&self.redact_bytes(&self.request.body)),
            status: (head.status != 0).then_some(head.status),
            answer_headers: self.kept_headers(&head),
            answer: Payload::new(&body),
            end,
            started_ms: (began - self.asked_at).as_secs_f64() * 1e3,
            milliseconds,
        };
        Attempted { exchange, outcome, usage, asked_wait }
    }

    fn outcome(
        &self,
        hearing: &mut Hearing<'_>,
        ended: Result<&BodyEnd, &WireError>,
    ) -> Result<Draft, ProviderError> {
        match ended {
            Err(WireError::Cancelled) => return Err(ProviderError::Cancelled),
            Err(WireError::Setup(why) | WireError::Unsendable(why)) => {
                return Err(ProviderError::Unsendable(why.clone()));
            }
            Err(WireError::NotRecorded(why)) => {
                return Err(ProviderError::NotRecorded(why.clone()));
            }
            Ok(_)
            | Err(
                WireError::Unreachable { .. }
                | WireError::BrokenOff { .. }
                | WireError::TimedOut { .. },
            ) => {}
        }
        // The status counts though the body broke off: a refusal says what it says in its
        // beginning.
        if hearing.head.status != 0 && !hearing.head.is_success() {
            return Err(refused(&hearing.head, &hearing.body));
        }
        // A connection that broke after the last event has lost nothing.
        let read = hearing.answer(ended.is_ok());
        match (read, ended) {
            (Ok(draft), _) => Ok(self.without_key(draft)),
            // What broke the connection says more than what is missing for it.
            (Err(ProviderError::Passing(RetryCause::BrokenOff { .. })), Err(error)) => {
                Err(ProviderError::Passing(cause_of(error)))
            }
            (Err(ProviderError::Rejected { status: None, message }), _) => {
                Err(ProviderError::Rejected { status: Some(hearing.head.status), message })
            }
            // What is wrong with the answer itself, however the connection ended.
            (Err(error), _) => Err(error),
        }
    }

    fn shown_headers(&self) -> Vec<(String, String)> {
        let headers = self.request.headers.iter();
        headers.map(|header| (header.name.clone(), self.redact(header.shown()))).collect()
    }

    fn kept_headers(&self, head: &WireHead) -> Vec<(String, String)> {
        let headers = head.headers.iter();
        headers
            .filter(|(name, _)| KEPT_HEADERS.iter().any(|start| name.starts_with(start)))
            .map(|(name, value)| (name.clone(), self.redact(value)))
            .collect()
    }

    /// A text from outside as it may stand in an error.
    fn clean(&self, text: &str) -> String {
        in_one_line(&self.redact(text))
    }

    fn redact(&self, text: &str) -> String {
        self.key.map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    fn redact_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut redactor = redactor(self.key);
        let mut clean = redactor.push(bytes);
        clean.extend(redactor.finish());
        clean
    }

    /// A key that came in several parts stands in none of them, but in the whole.
    fn without_key(&self, mut draft: Draft) -> Draft {
        if let Some(key) = self.key {
            draft.message.text = key.redact(&draft.message.text);
            draft.reasoning = key.redact(&draft.reasoning);
        }
        draft
    }
}

fn cause_of(error: &WireError) -> RetryCause {
    match error {
        WireError::TimedOut { limit, seconds } => {
            RetryCause::TimedOut { limit: *limit, seconds: *seconds }
        }
        WireError::Unreachable { why } => RetryCause::Unreachable { why: why.clone() },
        WireError::BrokenOff { why } => RetryCause::BrokenOff { why: why.clone() },
        other => RetryCause::BrokenOff { why: other.to_string() },
    }
}

fn redactor(key: Option<&ApiKey>) -> Redactor {
    key.map(ApiKey::redactor).unwrap_or_default()
}

/// Takes the key out of every text: one that came in pieces stands in no piece, but in the whole.
fn redact_value(value: &mut Value, key: &ApiKey) {
    match value {
        Value::String(text) => *text = key.redact(text),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, key)),
        Value::Object(fields) => fields.values_mut().for_each(|field| redact_value(field, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How long Google's services want to be left alone, which they say in the body of the refusal
/// (google.rpc.RetryInfo).
fn asked_in_body(head: &WireHead, body: &[u8]) -> Option<Duration> {
    if head.is_success() {
        return None;
    }
    let error = error_in(body);
    let details = super::json::list_of(&error, "details");
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    (0.0..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The answer as it is heard.
struct Hearing<'a> {
    api: &'a dyn Api,
    key: Option<&'a ApiKey>,
    ids: CallIds,
    delivery: Delivery,
    listener: &'a mut dyn ChatListener,
    redactor: Redactor,
    head: WireHead,
    /// Without the key.
    body: Vec<u8>,
    events: SseReader,
    /// Where the stream is one of Amazon's messages and not of lines.
    frames: Option<FrameReader>,
    /// Where the answer is a stream.
    reader: Option<Box<dyn StreamReader>>,
    failure: Option<ProviderError>,
}

impl<'a> Hearing<'a> {
    fn new(attempting: &Attempting<'a>, listener: &'a mut dyn ChatListener) -> Self {
        Self {
            api: attempting.api,
            key: attempting.key,
            ids: attempting.ids,
            delivery: attempting.delivery,
            listener,
            redactor: redactor(attempting.key),
            head: WireHead::default(),
            body: Vec::new(),
            events: SseReader::default(),
            frames: None,
            reader: None,
            failure: None,
        }
    }

    fn take(&mut self, clean: &[u8]) -> Result<(), ProviderError> {
        self.keep(clean)?;
        self.read_events(clean)
    }

    /// Takes bytes of a stream of messages, of which each is cleaned as a whole.
    fn take_messages(&mut self, bytes: &[u8]) -> Result<(), ProviderError> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        for message in frames.push(bytes, self.key) {
            let message = message?;
            self.keep(&message.bytes)?;
            if let (Some(reader), Some(event)) = (&mut self.reader, &message.event) {
                reader.event(event, self.listener)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, clean: &[u8]) -> Result<(), ProviderError> {
        let most = if self.head.is_success() {
            AnswerLimits::BODY_BYTES
        } else {
            AnswerLimits::REFUSAL_BYTES
        };
        // What fits is kept, so that the record shows what came before it was refused.
        let room = most.saturating_sub(self.body.len());
        self.body.extend(clean.iter().take(room));
        if clean.len() > room {
            return Err(ProviderError::TooMuch(format!("it has more than {most} bytes")));
        }
        Ok(())
    }

    fn read_events(&mut self, bytes: &[u8]) -> Result<(), ProviderError> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        for event in self.events.push(bytes)? {
            reader.event(&event, self.listener)?;
        }
        Ok(())
    }

    /// No more bytes come.
    fn end(&mut self) {
        // What could have been the beginning of the key and was not.
        let mut held = self.redactor.finish();
        let mut taken = Ok(());
        if let Some(frames) = &mut self.frames {
            // Of a message that was torn or damaged: kept, and never read.
            held = self.redactor.push(&frames.rest());
            held.extend(self.redactor.finish());
            taken = self.keep(&held);
        } else if self.failure.is_none() {
            taken = self.take(&held);
        }
        // A stream that calls itself something else.
        let is_unknown = self.reader.is_none() && self.head.is_success();
        if taken.is_ok() && is_unknown && self.delivery == Delivery::Streamed && !self.is_json() {
            self.reader = Some(self.api.stream());
            // Taken out for a moment, as the events are told to a listener that this borrows.
            let body = std::mem::take(&mut self.body);
            if begins_message(&body) {
                self.frames = Some(FrameReader::default());
                taken = self.take_messages(&body);
                self.body = body;
            } else {
                taken = self.read_events(&body);
                self.body = body;
            }
        }
        if let Err(failure) = taken {
            self.failure.get_or_insert(failure);
        }
    }

    fn is_json(&self) -> bool {
        let first = self.body.iter().find(|byte| !byte.is_ascii_whitespace());
        // HTML is what a proxy answers in the provider's place: no stream either.
        matches!(first, Some(b'{' | b'[' | b'<'))
    }

    fn answer(&mut self, is_whole: bool) -> Result<Draft, ProviderError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let Some(reader) = &mut self.reader else { return self.whole_answer(is_whole) };
        // An event that the connection tore is none.
        if is_whole && let Some(event) = self.events.finish()? {
            reader.event(&event, self.listener)?;
        }
        let mut answer = reader.finish(self.listener)?;
        if let Some(key) = self.key {
            redact_value(&mut answer, key);
        }
        self.api.read(&answer, self.ids)
    }

    /// What a failed attempt cost, if its provider told before it failed.
    fn usage_told(&self) -> Option<TokenUsage> {
        match &self.reader {
            Some(reader) => reader.usage(),
            None => self.api.usage(&parse_json(&self.body).ok()?),
        }
    }

    /// An answer that came at once; it is told of at once too.
    fn whole_answer(&mut self, is_whole: bool) -> Result<Draft, ProviderError> {
        // Half of a JSON cannot be read, and blanks are what some servers send while they think.
        if !is_whole || self.body.iter().all(u8::is_ascii_whitespace) {
            return Err(ProviderError::broken_off("nothing came".to_owned()));
        }
        let answer =
            parse_json(&self.body).map_err(|error| ProviderError::malformed(error.to_string()))?;
        let draft = self.api.read(&answer, self.ids)?;
        if !draft.reasoning.is_empty() {
            self.listener.reasoning(&draft.reasoning);
        }
        if !draft.message.text.is_empty() {
            self.listener.text(&draft.message.text);
        }
        for call in &draft.message.calls {
            self.listener.call(&call.name, &call.arguments_text());
        }
        Ok(draft)
    }
}

impl AnswerListener for Hearing<'_> {
    fn head(&mut self, head: WireHead) {
        let kind = head.header("content-type").unwrap_or_default().to_ascii_lowercase();
        // A refusal is one body, whatever it calls itself.
        if head.is_success() && kind.contains("event-stream") {
            self.reader = Some(self.api.stream());
        } else if head.is_success() && kind.contains("amazon.eventstream") {
            self.reader = Some(self.api.stream());
            self.frames = Some(FrameReader::default());
        }
        self.head = head;
    }

    fn bytes(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let taken = if self.frames.is_some() {
            self.take_messages(bytes)
        } else {
            let clean = self.redactor.push(bytes);
            self.take(&clean)
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}

/// The error with its kind where AWS says it: in a header, before a colon and an address.
fn named_by_header(mut error: Value, head: &WireHead) -> Value {
    let kind = head.header("x-amzn-errortype").map(|kind| kind.split(':').next().unwrap_or(kind));
    if let (Some(kind), Some(fields)) = (kind, error.as_object_mut()) {
        fields.entry("type").or_insert_with(|| Value::String(kind.to_owned()));
    }
    error
}

/// A status that is no success.
fn refused(head: &WireHead, body: &[u8]) -> ProviderError {
    let error = named_by_header(error_in(body), head);
    let (status, message) = (head.status, message_of(&error));
    // An account without money has status 429 too.
    let no_money =
        matches!(ProviderError::of_error(&error), ProviderError::Rejected { status: None, .. })
            && message.contains("quota");
    // Some providers know better than the status whether another try would help.
    let told_not_to = head.header("x-should-retry") == Some("false");
    if may_pass(status) && !no_money && !told_not_to {
        ProviderError::Passing(RetryCause::Status { status, message })
    } else {
        ProviderError::Rejected { status: Some(status), message }
    }
}
