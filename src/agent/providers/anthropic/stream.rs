//! Putting a streamed answer together.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::agent::chat::{ChatListener, TokenUsage};

use super::answer::usage;
use crate::agent::providers::api::{DONE, StreamReader, event_json, kind_of};
use crate::agent::providers::draft::check_parts;
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{append_text, merge, text_of};
use crate::agent::providers::sse::SseEvent;

/// A streamed answer so far.
#[derive(Debug, Default)]
pub(super) struct MessageStream {
    /// The message but for its content.
    message: Map<String, Value>,
    /// Blocks by their place.
    blocks: BTreeMap<u64, AnthropicBlock>,
    stopped: bool,
    any: bool,
}

/// A block so far.
#[derive(Debug, Default)]
struct AnthropicBlock {
    fields: Map<String, Value>,
    /// The input of a call, as it comes.
    input: String,
    emitted: bool,
}

impl StreamReader for MessageStream {
    fn event(
        &mut self,
        event: &SseEvent,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        // Not of this API, but added by some gateways to every stream.
        if event.data.trim() == DONE {
            return Ok(());
        }
        self.any = true;
        let mut json = event_json(event)?;
        match kind_of(event, &json).as_str() {
            // Has all fields but the content, which comes block by block.
            "message_start" => {
                if let Some(Value::Object(message)) = json.get_mut("message").map(Value::take) {
                    self.message = message;
                }
            }
            "content_block_start" => self.block_start(&mut json, listener)?,
            "content_block_delta" => self.block_delta(&json, listener)?,
            "content_block_stop" => {
                if let Some(block) = self.blocks.get_mut(&place_of(&json)) {
                    block.emit(listener);
                }
            }
            "message_delta" => self.message_delta(&mut json),
            "message_stop" => self.stopped = true,
            "error" => return Err(ProviderError::of_error(json.get("error").unwrap_or(&json))),
            // `ping`, and what may come to be.
            _ => match json.get("error") {
                Some(error) if !error.is_null() => return Err(ProviderError::of_error(error)),
                _ => {}
            },
        }
        Ok(())
    }

    fn finish(&mut self, listener: &mut dyn ChatListener) -> Result<Value, ProviderError> {
        // The reason comes before the last event, which some servers leave out.
        if !self.stopped && text_of_map(&self.message, "stop_reason").is_empty() {
            let why = if self.any { "its end is missing" } else { "nothing came" };
            return Err(ProviderError::broken_off(why.to_owned()));
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        for block in blocks.values_mut() {
            block.emit(listener);
        }
        let mut message = std::mem::take(&mut self.message);
        let content = blocks.into_values().map(AnthropicBlock::into_json).collect();
        message.insert("content".to_owned(), Value::Array(content));
        Ok(Value::Object(message))
    }

    fn usage(&self) -> Option<TokenUsage> {
        usage(&json!({ "usage": self.message.get("usage")? }))
    }
}

impl MessageStream {
    fn block_start(
        &mut self,
        event: &mut Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        let place = place_of(event);
        let Some(Value::Object(fields)) = event.get_mut("content_block").map(Value::take) else {
            return Ok(());
        };
        match text_of_map(&fields, "type") {
            "text" => say(text_of_map(&fields, "text"), |text| listener.text(text)),
            "thinking" => say(text_of_map(&fields, "thinking"), |text| listener.reasoning(text)),
            _ => {}
        }
        self.blocks.insert(place, AnthropicBlock { fields, ..AnthropicBlock::default() });
        check_parts(self.blocks.len())
    }

    fn block_delta(
        &mut self,
        event: &Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        let Some(delta) = event.get("delta") else { return Ok(()) };
        let block = self.blocks.get_mut(&place_of(event)).ok_or_else(|| {
            ProviderError::malformed("a part of a block came before the block".to_owned())
        })?;
        match text_of(delta, "type") {
            "text_delta" => {
                append_text(&mut block.fields, "text", text_of(delta, "text"));
                say(text_of(delta, "text"), |text| listener.text(text));
            }
            "thinking_delta" => {
                append_text(&mut block.fields, "thinking", text_of(delta, "thinking"));
                say(text_of(delta, "thinking"), |text| listener.reasoning(text));
            }
            "signature_delta" => {
                append_text(&mut block.fields, "signature", text_of(delta, "signature"));
            }
            "input_json_delta" => block.input.push_str(text_of(delta, "partial_json")),
            // Citations, which nobody here asks for.
            _ => {}
        }
        Ok(())
    }

    /// Why it ended, and what it cost: counts replace those of before.
    fn message_delta(&mut self, event: &mut Value) {
        let mut change = match event.get_mut("delta").map(Value::take) {
            Some(Value::Object(delta)) => delta,
            _ => Map::new(),
        };
        if let Some(usage) = event.get_mut("usage").map(Value::take) {
            change.insert("usage".to_owned(), usage);
        }
        // A count that is not said again is not gone.
        change.retain(|_, value| !value.is_null());
        if let Some(Value::Object(usage)) = change.get_mut("usage") {
            usage.retain(|_, value| !value.is_null());
        }
        merge(&mut self.message, &change);
    }
}

impl AnthropicBlock {
    fn emit(&mut self, listener: &mut dyn ChatListener) {
        if text_of_map(&self.fields, "type") == "tool_use" && !self.emitted {
            self.emitted = true;
            listener.call(text_of_map(&self.fields, "name"), &self.input);
        }
    }

    /// The block as it would have come at once; input that is no object stays a text.
    fn into_json(self) -> Value {
        let Self { mut fields, input, .. } = self;
        if !input.trim().is_empty() {
            let parsed = crate::base::parse_json::<Map<String, Value>>(input.as_bytes());
            // The reader of whole answers says what is wrong with it, as with one that came at
            // once.
            let input = parsed.map_or(Value::String(input), Value::Object);
            fields.insert("input".to_owned(), input);
        }
        Value::Object(fields)
    }
}

fn place_of(event: &Value) -> u64 {
    event.get("index").and_then(Value::as_u64).unwrap_or(0)
}

fn text_of_map<'a>(fields: &'a Map<String, Value>, field: &str) -> &'a str {
    fields.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn say(text: &str, mut emit: impl FnMut(&str)) {
    if !text.is_empty() {
        emit(text);
    }
}
