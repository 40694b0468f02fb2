//! Reading an answer.

use serde_json::{Value, json};

use crate::agent::chat::{StopReason, TokenUsage};

use super::request::NAME;
use crate::agent::providers::draft::{CallIds, Draft, Parts, check_parts};
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{count_of, text_of};

pub(super) fn read(answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(ProviderError::of_error(error));
    }
    let Some(blocks) = answer.get("content").and_then(Value::as_array) else {
        return Err(ProviderError::malformed("it has no content".to_owned()));
    };
    check_parts(blocks.len())?;
    let mut parts = Parts::new(ids);
    for block in blocks {
        match text_of(block, "type") {
            "text" => parts.text.push_str(text_of(block, "text")),
            "thinking" => parts.add_reasoning(text_of(block, "thinking")),
            "tool_use" => {
                parts.add_call(text_of(block, "id"), text_of(block, "name"), block.get("input"))?;
            }
            // Thinking that may not be seen, and calls of tools that the provider itself runs.
            _ => {}
        }
    }
    let stop = stop_of(answer, &parts);
    // All blocks go back, thinking with its signature among them, or the API refuses the next
    // request. Only blank texts, which it writes itself, it does not take back.
    let items = blocks.iter().filter(|block| !is_blank(block)).map(sendable).collect();
    Ok(parts.draft(stop, usage(answer), Some((NAME, Value::Array(items)))))
}

fn stop_of(answer: &Value, parts: &Parts) -> StopReason {
    match text_of(answer, "stop_reason") {
        "end_turn" | "stop_sequence" | "tool_use" | "" => parts.natural_stop(),
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => {
            let why = answer.pointer("/stop_details/explanation").and_then(Value::as_str);
            StopReason::Refused(why.unwrap_or(&parts.text).to_owned())
        }
        // `pause_turn` among them: the answer goes on when it is sent back.
        other => StopReason::Other(other.to_owned()),
    }
}

fn is_blank(block: &Value) -> bool {
    text_of(block, "type") == "text" && text_of(block, "text").trim().is_empty()
}

/// A block as it may be sent back: the API takes only objects as input of a call.
fn sendable(block: &Value) -> Value {
    let mut block = block.clone();
    if text_of(&block, "type") == "tool_use"
        && let Some(input) = block.get_mut("input").filter(|input| !input.is_object())
    {
        let parsed = crate::agent::providers::arguments::read_arguments(Some(input));
        *input = json!(parsed.ok().and_then(Result::ok).unwrap_or_default());
    }
    block
}

/// The API counts what was read from a cache and written to it apart.
pub(super) fn usage(answer: &Value) -> Option<TokenUsage> {
    let cached_input = count_of(answer, "/usage/cache_read_input_tokens").unwrap_or(0);
    let cache_writes = count_of(answer, "/usage/cache_creation_input_tokens").unwrap_or(0);
    let fresh = count_of(answer, "/usage/input_tokens")?;
    Some(TokenUsage {
        input: fresh.saturating_add(cached_input).saturating_add(cache_writes),
        output: count_of(answer, "/usage/output_tokens").unwrap_or(0),
        cached_input,
        cache_writes,
        reasoning: 0,
    })
}
