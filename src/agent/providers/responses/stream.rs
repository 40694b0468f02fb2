//! Putting a streamed answer together.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agent::chat::{ChatListener, TokenUsage};

use super::answer::usage;
use crate::agent::providers::api::{DONE, StreamReader, event_json, kind_of};
use crate::agent::providers::draft::check_parts;
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{list_of, text_of};
use crate::agent::providers::sse::SseEvent;

/// A streamed answer so far.
#[derive(Debug, Default)]
pub(super) struct ResponsesStream {
    /// Whole items by their place, for providers whose last event does not repeat them.
    items: BTreeMap<u64, Value>,
    /// The whole answer, once it came.
    answer: Option<Value>,
    any: bool,
}

impl StreamReader for ResponsesStream {
    fn event(
        &mut self,
        event: &SseEvent,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        if event.data.trim() == DONE {
            return Ok(());
        }
        self.any = true;
        let mut json = event_json(event)?;
        match kind_of(event, &json).as_str() {
            "response.output_text.delta" => listener.text(text_of(&json, "delta")),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                listener.reasoning(text_of(&json, "delta"));
            }
            "response.output_item.done" => self.item_done(&mut json, listener)?,
            // Each holds the whole answer once more, with its tokens and why it ended.
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.answer = json.get_mut("response").map(Value::take);
            }
            "error" | "response.error" => {
                return Err(ProviderError::of_error(json.get("error").unwrap_or(&json)));
            }
            // An error without a type, as proxies send them; anything else says nothing new.
            _ => match json.get("error") {
                Some(error) if !error.is_null() => return Err(ProviderError::of_error(error)),
                _ => {}
            },
        }
        Ok(())
    }

    fn finish(&mut self, _listener: &mut dyn ChatListener) -> Result<Value, ProviderError> {
        let missing = if self.any { "its end is missing" } else { "nothing came" };
        let answer = self.answer.take();
        let mut answer = answer.ok_or_else(|| ProviderError::broken_off(missing.to_owned()))?;
        // Some servers end with an answer that repeats nothing of what they sent.
        if list_of(&answer, "output").is_empty() && !self.items.is_empty() {
            let items = std::mem::take(&mut self.items).into_values().collect::<Vec<_>>();
            match &mut answer {
                Value::Object(fields) => drop(fields.insert("output".to_owned(), json!(items))),
                _ => {
                    return Err(ProviderError::malformed(
                        "the whole answer is no object".to_owned(),
                    ));
                }
            }
        }
        Ok(answer)
    }

    fn usage(&self) -> Option<TokenUsage> {
        self.answer.as_ref().and_then(usage)
    }
}

impl ResponsesStream {
    fn item_done(
        &mut self,
        event: &mut Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        // Servers that say no place send the items in their order.
        let next = self.items.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        let place = event.get("output_index").and_then(Value::as_u64).unwrap_or(next);
        let Some(item) = event.get_mut("item").map(Value::take) else { return Ok(()) };
        if text_of(&item, "type") == "function_call" {
            listener.call(text_of(&item, "name"), text_of(&item, "arguments"));
        }
        self.items.insert(place, item);
        check_parts(self.items.len())
    }
}
