//! Reading an answer.

use serde_json::{Map, Value, json};

use crate::agent::chat::{StopReason, TokenUsage};

use super::request::{self, NAME};
use crate::agent::providers::draft::{CallIds, Draft, Parts, check_parts};
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{count_of, list_of, text_of};

/// What providers call the reasoning, each its own.
pub(super) const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];
/// Fields of a message that some providers want back with its calls.
const WANTED_BACK: [&str; 3] = ["reasoning_content", "reasoning_details", "extra_content"];
/// Fields of a call that are written anew.
const OF_A_CALL: [&str; 4] = ["id", "type", "function", "index"];

pub(super) fn read(answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
    if let Some(error) = error_of(answer) {
        return Err(ProviderError::of_error(error));
    }
    let choice = list_of(answer, "choices").first();
    let choice = choice.ok_or_else(|| ProviderError::malformed("it has no choices".to_owned()))?;
    if let Some(error) = error_of(choice) {
        return Err(ProviderError::of_error(error));
    }
    let message = choice.get("message").filter(|message| message.is_object());
    let message =
        message.ok_or_else(|| ProviderError::malformed("it has no message".to_owned()))?;
    let mut parts = Parts::new(ids);
    parts.text = content_of(message);
    parts.add_reasoning(reasoning_of(message));
    let calls = calls_of(message);
    check_parts(calls.len())?;
    for call in &calls {
        // Some servers write name and arguments into the call itself.
        let function = call.get("function").unwrap_or(call);
        parts.add_call(text_of(call, "id"), text_of(function, "name"), arguments_of(function))?;
    }
    let stop = stop_of(choice, &parts, text_of(message, "refusal"))?;
    let items = items_of(message, &calls, &parts).map(|items| (NAME, Value::Object(items)));
    Ok(parts.draft(stop, usage(answer), items))
}

/// An error where an answer should be.
pub(super) fn error_of(value: &Value) -> Option<&Value> {
    let error = value.get("error").filter(|error| !error.is_null());
    error.or_else(|| (text_of(value, "object") == "error").then_some(value))
}

/// A message's words, in one piece or in parts.
pub(super) fn content_of(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().map(|part| text_of(part, "text")).collect(),
        _ => String::new(),
    }
}

pub(super) fn reasoning_of(message: &Value) -> &str {
    let texts = REASONING.map(|field| text_of(message, field));
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// The calls; the one of before there were several too.
fn calls_of(message: &Value) -> Vec<Value> {
    let calls = list_of(message, "tool_calls");
    match message.get("function_call") {
        Some(only) if calls.is_empty() && only.is_object() => vec![json!({ "function": only })],
        _ => calls.to_vec(),
    }
}

fn arguments_of(function: &Value) -> Option<&Value> {
    function.get("arguments").or_else(|| function.get("parameters"))
}

fn stop_of(choice: &Value, parts: &Parts, refusal: &str) -> Result<StopReason, ProviderError> {
    if !refusal.trim().is_empty() {
        return Ok(StopReason::Refused(refusal.to_owned()));
    }
    let reason = text_of(choice, "finish_reason");
    Ok(match reason.to_ascii_lowercase().as_str() {
        "length" | "max_tokens" => StopReason::Length,
        "content_filter" | "safety" => StopReason::Filtered(reason.to_owned()),
        "refusal" => StopReason::Refused(String::new()),
        "malformed_function_call" => StopReason::MalformedCall(reason.to_owned()),
        "error" => return Err(ProviderError::failed("it ended in an error".to_owned())),
        "" | "stop" | "eos" | "end_turn" | "tool_calls" | "tool_call" | "function_call" => {
            parts.natural_stop()
        }
        _ => StopReason::Other(reason.to_owned()),
    })
}

/// What goes back beside words and calls; `None` if there is nothing.
fn items_of(message: &Value, calls: &[Value], parts: &Parts) -> Option<Map<String, Value>> {
    // Reasoning is wanted back only where the turn goes on, after calls; else it is dropped unread.
    if calls.is_empty() {
        return None;
    }
    let mut items: Map<String, Value> = WANTED_BACK
        .iter()
        .filter_map(|field| Some(((*field).to_owned(), message.get(*field)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect();
    // What comes with a call, such as a signature, goes back with it.
    let mut with_more = false;
    let written = calls.iter().zip(&parts.calls).map(|(came, call)| {
        let mut written = request::call(call);
        let more = came.as_object().into_iter().flatten();
        let more = more.filter(|(name, _)| !OF_A_CALL.contains(&name.as_str()));
        if let Value::Object(fields) = &mut written {
            let before = fields.len();
            fields.extend(more.map(|(name, value)| (name.clone(), value.clone())));
            with_more |= fields.len() > before;
        }
        written
    });
    let written: Vec<Value> = written.collect();
    if with_more {
        items.insert("tool_calls".to_owned(), Value::Array(written));
    }
    (!items.is_empty()).then_some(items)
}

pub(super) fn usage(answer: &Value) -> Option<TokenUsage> {
    // OpenAI's own place first, then that of DeepSeek.
    let cached = count_of(answer, "/usage/prompt_tokens_details/cached_tokens")
        .or_else(|| count_of(answer, "/usage/prompt_cache_hit_tokens"));
    let reasoning = count_of(answer, "/usage/completion_tokens_details/reasoning_tokens");
    Some(TokenUsage {
        input: count_of(answer, "/usage/prompt_tokens")?,
        output: count_of(answer, "/usage/completion_tokens").unwrap_or(0),
        cached_input: cached.unwrap_or(0),
        cache_writes: 0,
        reasoning: reasoning.unwrap_or(0),
    })
}
