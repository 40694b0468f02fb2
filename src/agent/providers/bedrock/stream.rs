//! Putting a streamed answer together.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::agent::chat::{ChatListener, TokenUsage};

use super::answer::usage;
use crate::agent::providers::api::{DONE, StreamReader, event_json, kind_of};
use crate::agent::providers::draft::check_parts;
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{append_text, text_of};
use crate::agent::providers::sse::SseEvent;

/// A streamed answer so far.
#[derive(Debug, Default)]
pub(super) struct ConverseStream {
    /// Blocks by their place.
    blocks: BTreeMap<u64, BedrockBlock>,
    /// The answer but for its message.
    answer: Map<String, Value>,
    any: bool,
}

/// A block so far: of one of three kinds, which its parts tell.
#[derive(Debug, Default)]
struct BedrockBlock {
    text: Option<String>,
    /// Text and signature of reasoning.
    reasoning: Option<Map<String, Value>>,
    /// Reasoning that may not be seen.
    redacted: Option<String>,
    call: Option<Map<String, Value>>,
    /// The input of a call, as it comes.
    input: String,
    emitted: bool,
}

impl StreamReader for ConverseStream {
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
            "contentBlockStart" => {
                let place = place_of(&json);
                if let Some(Value::Object(call)) =
                    json.pointer_mut("/start/toolUse").map(Value::take)
                {
                    self.block(place)?.call = Some(call);
                }
            }
            "contentBlockDelta" => {
                let place = place_of(&json);
                if let Some(delta) = json.get("delta") {
                    self.block(place)?.grow(delta, listener);
                }
            }
            "contentBlockStop" => {
                if let Some(block) = self.blocks.get_mut(&place_of(&json)) {
                    block.emit(listener);
                }
            }
            "messageStop" => {
                self.answer.insert("stopReason".to_owned(), json!(text_of(&json, "stopReason")));
            }
            // After the end, with what it cost.
            "metadata" => {
                if let Some(usage @ Value::Object(_)) = json.get_mut("usage").map(Value::take) {
                    self.answer.insert("usage".to_owned(), usage);
                }
            }
            kind if kind.ends_with("Exception") => return Err(exception(kind, &json)),
            // `messageStart`, which says only that it is the assistant's, and what may come to be.
            _ => match json.get("error") {
                Some(error) if !error.is_null() => return Err(ProviderError::of_error(error)),
                _ => {}
            },
        }
        Ok(())
    }

    fn finish(&mut self, listener: &mut dyn ChatListener) -> Result<Value, ProviderError> {
        if !self.answer.contains_key("stopReason") {
            let why = if self.any { "its end is missing" } else { "nothing came" };
            return Err(ProviderError::broken_off(why.to_owned()));
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        for block in blocks.values_mut() {
            block.emit(listener);
        }
        let content: Vec<Value> =
            blocks.into_values().filter_map(BedrockBlock::into_json).collect();
        let mut answer = std::mem::take(&mut self.answer);
        let output = json!({ "message": { "role": "assistant", "content": content } });
        answer.insert("output".to_owned(), output);
        Ok(Value::Object(answer))
    }

    fn usage(&self) -> Option<TokenUsage> {
        usage(&json!({ "usage": self.answer.get("usage")? }))
    }
}

impl ConverseStream {
    /// The block of a place, which words and reasoning begin without saying so.
    fn block(&mut self, place: u64) -> Result<&mut BedrockBlock, ProviderError> {
        let count = self.blocks.len() + usize::from(!self.blocks.contains_key(&place));
        check_parts(count)?;
        Ok(self.blocks.entry(place).or_default())
    }
}

impl BedrockBlock {
    fn grow(&mut self, delta: &Value, listener: &mut dyn ChatListener) {
        if let Some(Value::String(text)) = delta.get("text") {
            self.text.get_or_insert_default().push_str(text);
            if !text.is_empty() {
                listener.text(text);
            }
        }
        // Arguments come in pieces that are JSON only when put together.
        if let Some(Value::String(part)) = delta.pointer("/toolUse/input") {
            self.input.push_str(part);
        }
        let Some(reasoning) = delta.get("reasoningContent") else { return };
        if let Some(Value::String(data)) = reasoning.get("redactedContent") {
            self.redacted.get_or_insert_default().push_str(data);
        }
        for field in ["text", "signature"] {
            if let Some(Value::String(part)) = reasoning.get(field) {
                append_text(self.reasoning.get_or_insert_default(), field, part);
            }
        }
        let text = text_of(reasoning, "text");
        if !text.is_empty() {
            listener.reasoning(text);
        }
    }

    fn emit(&mut self, listener: &mut dyn ChatListener) {
        if let Some(call) = self.call.as_ref().filter(|_| !self.emitted) {
            let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
            listener.call(name, &self.input);
            self.emitted = true;
        }
    }

    /// The block as it would have come at once; input that is no object stays a text. `None`: nothing
    /// came of it.
    fn into_json(self) -> Option<Value> {
        let Self { text, reasoning, redacted, call, input, emitted: _ } = self;
        if let Some(mut call) = call {
            let parsed = crate::base::parse_json::<Map<String, Value>>(input.as_bytes());
            let input = match parsed {
                Ok(input) => Value::Object(input),
                Err(_no_object) if input.trim().is_empty() => json!({}),
                // The reader of whole answers says what is wrong with it.
                Err(_no_object) => Value::String(input),
            };
            call.insert("input".to_owned(), input);
            return Some(json!({ "toolUse": call }));
        }
        if let Some(reasoning) = reasoning {
            return Some(json!({ "reasoningContent": { "reasoningText": reasoning } }));
        }
        if let Some(redacted) = redacted {
            return Some(json!({ "reasoningContent": { "redactedContent": redacted } }));
        }
        text.map(|text| json!({ "text": text }))
    }
}

/// An exception in the stream. Which of them may pass is what their statuses say where they come before
/// it (API_runtime_ConverseStream.html).
fn exception(kind: &str, json: &Value) -> ProviderError {
    let status = match kind {
        "validationException" | "serviceQuotaExceededException" => Some(400),
        "accessDeniedException" => Some(403),
        "resourceNotFoundException" => Some(404),
        // Throttling, a model that broke down or took too long, and what nobody has heard of.
        _ => None,
    };
    let mut error = json!({ "type": kind, "message": text_of(json, "message") });
    if let (Some(status), Some(fields)) = (status, error.as_object_mut()) {
        fields.insert("status_code".to_owned(), json!(status));
    }
    ProviderError::of_error(&error)
}

fn place_of(event: &Value) -> u64 {
    event.get("contentBlockIndex").and_then(Value::as_u64).unwrap_or(0)
}
