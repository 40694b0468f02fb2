//! What an API is to the provider.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agent::chat::{AssistantMessage, ChatListener, ChatRequest, TokenUsage};
use crate::base::parse_json;
use crate::model::wire::{ApiKey, WireHeader, WireRequest};

use super::draft::{CallIds, Draft};
use super::error::ProviderError;
use super::json::text_of;
use super::sse::SseEvent;

/// An API: how a request is written and an answer read.
pub(super) trait Api: Send + Sync {
    /// The path below the provider's address, with its query.
    fn path(&self, model: &str, delivery: Delivery) -> String;

    /// The headers beside `content-type`, the key among them.
    fn headers(&self, key: Option<&ApiKey>) -> Vec<WireHeader>;

    /// What a stream of it calls itself.
    fn stream_type(&self) -> &'static str {
        "text/event-stream"
    }

    /// The headers that each try has anew, because a signature in them has a time.
    fn headers_of_try(
        &self,
        _request: &WireRequest,
        _key: Option<&ApiKey>,
        _at: Timestamp,
    ) -> Vec<WireHeader> {
        Vec::new()
    }

    /// The body, but for the settings' `extra`.
    fn body(&self, request: &ChatRequest, delivery: Delivery) -> Map<String, Value>;

    /// Puts a streamed answer together.
    fn stream(&self) -> Box<dyn StreamReader>;

    /// Reads a whole answer.
    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError>;

    /// What a whole answer cost, if it says so, though it may be of no use.
    fn usage(&self, answer: &Value) -> Option<TokenUsage>;
}

/// How an answer is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// As it grows.
    Streamed,
    /// At once.
    Whole,
}

/// Puts a streamed answer together.
pub(super) trait StreamReader {
    /// Takes the next event; what grows is told.
    fn event(
        &mut self,
        event: &SseEvent,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError>;

    /// The answer as it would have come at once; [`RetryCause::BrokenOff`](crate::agent::chat::RetryCause::BrokenOff)
    /// if its end is missing.
    fn finish(&mut self, listener: &mut dyn ChatListener) -> Result<Value, ProviderError>;

    /// What it cost so far, if the provider told.
    fn usage(&self) -> Option<TokenUsage>;
}

/// What marks the end of many streams; not JSON.
pub(super) const DONE: &str = "[DONE]";

/// The JSON of an event.
pub(super) fn event_json(event: &SseEvent) -> Result<Value, ProviderError> {
    parse_json(event.data.as_bytes())
        .map_err(|error| ProviderError::malformed(format!("an event of it: {error}")))
}

/// Which event it is: by the `type` in its data, or without one by its `event:` line.
pub(super) fn kind_of(event: &SseEvent, json: &Value) -> String {
    match text_of(json, "type") {
        "" => event.kind.clone(),
        kind => kind.to_owned(),
    }
}

/// A picture as Base64.
pub(super) fn base64_of(png: &[u8]) -> String {
    STANDARD.encode(png)
}

/// A picture as an address that holds it.
pub(super) fn data_url(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", base64_of(png))
}

/// What the provider of this name wants back unchanged.
pub(super) fn own_items<'a>(message: &'a AssistantMessage, provider: &str) -> Option<&'a Value> {
    let items = message.provider_items.as_ref()?;
    // Items of another API mean nothing to this one, or are refused.
    (items.provider == provider).then_some(&items.items)
}

/// Messages with their blocks, roles in turn: what one role says in a row is one message.
pub(super) fn in_turn(said: impl Iterator<Item = (&'static str, Vec<Value>)>) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for (role, blocks) in said {
        match messages.last_mut() {
            // A message without a block is refused, and says nothing.
            _ if blocks.is_empty() => {}
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    let messages = messages.into_iter();
    messages.map(|(role, blocks)| json!({ "role": role, "content": blocks })).collect()
}

/// Adds a field to an object.
pub(super) fn add(object: &mut Map<String, Value>, name: &str, value: Value) {
    object.insert(name.to_owned(), value);
}

/// Some of the fields of an object.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
