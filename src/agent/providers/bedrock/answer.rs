//! Reading an answer.

use serde_json::{Value, json};

use crate::agent::chat::{StopReason, TokenUsage};

use super::request::NAME;
use crate::agent::providers::arguments::read_arguments;
use crate::agent::providers::draft::{CallIds, Draft, Parts, check_parts};
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{count_of, text_of};

pub(super) fn read(answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(ProviderError::of_error(error));
    }
    let Some(blocks) = answer.pointer("/output/message/content").and_then(Value::as_array) else {
        return Err(ProviderError::malformed("it has no content".to_owned()));
    };
    check_parts(blocks.len())?;
    let mut parts = Parts::new(ids);
    for block in blocks {
        parts.text.push_str(text_of(block, "text"));
        // Reasoning that may not be seen has another field.
        if let Some(Value::String(text)) = block.pointer("/reasoningContent/reasoningText/text") {
            parts.add_reasoning(text);
        }
        if let Some(call) = block.get("toolUse") {
            parts.add_call(text_of(call, "toolUseId"), text_of(call, "name"), call.get("input"))?;
        }
    }
    let stop = stop_of(answer, &parts);
    // All blocks go back, reasoning with its signature among them, or models that sign it refuse the
    // next request. Only blank texts the API does not take.
    let items = blocks.iter().filter(|block| !is_blank(block)).map(sendable).collect();
    Ok(parts.draft(stop, usage(answer), Some((NAME, Value::Array(items)))))
}

fn stop_of(answer: &Value, parts: &Parts) -> StopReason {
    match text_of(answer, "stopReason") {
        "end_turn" | "stop_sequence" | "tool_use" | "" => parts.natural_stop(),
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        // What a guardrail says in the model's place is the answer's text.
        "guardrail_intervened" | "content_filtered" => StopReason::Refused(parts.text.clone()),
        // `malformed_tool_use` among them.
        other => StopReason::Other(other.to_owned()),
    }
}

fn is_blank(block: &Value) -> bool {
    block.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty())
}

/// A block as it may be sent back: the API takes only objects as input of a call.
fn sendable(block: &Value) -> Value {
    let mut block = block.clone();
    let input = block.pointer_mut("/toolUse/input").filter(|input| !input.is_object());
    if let Some(input) = input {
        let parsed = read_arguments(Some(input));
        *input = json!(parsed.ok().and_then(Result::ok).unwrap_or_default());
    }
    block
}

/// The API counts what was read from a cache and written to it apart.
pub(super) fn usage(answer: &Value) -> Option<TokenUsage> {
    let cached_input = count_of(answer, "/usage/cacheReadInputTokens").unwrap_or(0);
    let cache_writes = count_of(answer, "/usage/cacheWriteInputTokens").unwrap_or(0);
    let fresh = count_of(answer, "/usage/inputTokens")?;
    Some(TokenUsage {
        input: fresh.saturating_add(cached_input).saturating_add(cache_writes),
        output: count_of(answer, "/usage/outputTokens").unwrap_or(0),
        cached_input,
        cache_writes,
        reasoning: 0,
    })
}
