//! Reading an answer.

use serde_json::Value;

use crate::agent::chat::{StopReason, TokenUsage};

use super::request::NAME;
use crate::agent::providers::draft::{CallIds, Draft, Parts, check_parts};
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{count_of, list_of, text_of};

pub(super) fn read(answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(ProviderError::of_error(error));
    }
    let Some(output) = answer.get("output").and_then(Value::as_array) else {
        return Err(ProviderError::malformed("it has no output".to_owned()));
    };
    check_parts(output.len())?;
    let mut parts = Parts::new(ids);
    let mut refusal = String::new();
    for item in output {
        read_item(item, &mut parts, &mut refusal)?;
    }
    let stop = stop_of(answer, &parts, refusal)?;
    // Reasoning that cannot be sent back would be looked for at the provider, where it is not.
    let kept = output.iter().filter(|item| {
        text_of(item, "type") != "reasoning"
            || item.get("encrypted_content").is_some_and(Value::is_string)
    });
    let items = Value::Array(kept.cloned().collect());
    Ok(parts.draft(stop, usage(answer), Some((NAME, items))))
}

fn read_item(item: &Value, parts: &mut Parts, refusal: &mut String) -> Result<(), ProviderError> {
    match text_of(item, "type") {
        "message" => {
            for content in list_of(item, "content") {
                parts.text.push_str(text_of(content, "text"));
                refusal.push_str(text_of(content, "refusal"));
            }
        }
        "function_call" => {
            // Results name `call_id`; the item's own id is what servers have that know only one.
            let id = [text_of(item, "call_id"), text_of(item, "id")];
            let id = id.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
            parts.add_call(id, text_of(item, "name"), item.get("arguments"))?;
        }
        "reasoning" => {
            let said = list_of(item, "summary").iter().chain(list_of(item, "content"));
            said.for_each(|part| parts.add_reasoning(text_of(part, "text")));
        }
        // Calls of tools that the provider itself runs, and what comes with them.
        _ => {}
    }
    Ok(())
}

fn stop_of(answer: &Value, parts: &Parts, refusal: String) -> Result<StopReason, ProviderError> {
    if !refusal.is_empty() {
        return Ok(StopReason::Refused(refusal));
    }
    let reason = answer.pointer("/incomplete_details/reason").and_then(Value::as_str);
    Ok(match (text_of(answer, "status"), reason) {
        // A filter says that it was one; some servers say nothing of the limit of tokens.
        ("incomplete", Some("max_output_tokens") | None) => StopReason::Length,
        ("incomplete", Some("content_filter")) => StopReason::Filtered("content_filter".to_owned()),
        ("incomplete", Some(reason)) => StopReason::Other(reason.to_owned()),
        ("failed", _) => {
            return Err(ProviderError::failed("it failed without saying why".to_owned()));
        }
        ("cancelled", _) => return Err(ProviderError::failed("it was cancelled".to_owned())),
        ("queued" | "in_progress", _) => {
            return Err(ProviderError::broken_off("it was not yet whole".to_owned()));
        }
        _ => parts.natural_stop(),
    })
}

pub(super) fn usage(answer: &Value) -> Option<TokenUsage> {
    let cached = count_of(answer, "/usage/input_tokens_details/cached_tokens");
    let reasoning = count_of(answer, "/usage/output_tokens_details/reasoning_tokens");
    Some(TokenUsage {
        input: count_of(answer, "/usage/input_tokens")?,
        output: count_of(answer, "/usage/output_tokens")?,
        cached_input: cached.unwrap_or(0),
        cache_writes: 0,
        reasoning: reasoning.unwrap_or(0),
    })
}
