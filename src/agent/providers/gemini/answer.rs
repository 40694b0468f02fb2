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
    let mut parts = Parts::new(ids);
    let candidate = list_of(answer, "candidates").first();
    let Some(candidate) = candidate else {
        // A prompt that was blocked has no candidates at all, and is a success to HTTP.
        let blocked = answer.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
        let blocked =
            blocked.ok_or_else(|| ProviderError::malformed("it has no candidates".to_owned()))?;
        let why = StopReason::Filtered(with_message(blocked, answer.get("promptFeedback")));
        return Ok(parts.draft(why, usage(answer), None));
    };
    let content = candidate.get("content").cloned().unwrap_or_default();
    let found = list_of(&content, "parts");
    check_parts(found.len())?;
    for part in found {
        read_part(part, &mut parts)?;
    }
    let stop = stop_of(candidate, &parts);
    let items = (!found.is_empty()).then(|| (NAME, Value::Array(found.to_vec())));
    Ok(parts.draft(stop, usage(answer), items))
}

fn read_part(part: &Value, parts: &mut Parts) -> Result<(), ProviderError> {
    // A call first, as a part with one may have a signature beside it but no words.
    if let Some(call) = part.get("functionCall") {
        return parts.add_call(text_of(call, "id"), text_of(call, "name"), call.get("args"));
    }
    let text = text_of(part, "text");
    if is_thought(part) {
        parts.add_reasoning(text);
    } else {
        parts.text.push_str(text);
    }
    Ok(())
}

/// Whether a part is what the model thought, not what it says.
pub(super) fn is_thought(part: &Value) -> bool {
    part.get("thought").and_then(Value::as_bool) == Some(true)
}

fn stop_of(candidate: &Value, parts: &Parts) -> StopReason {
    let reason = text_of(candidate, "finishReason");
    let said = with_message(reason, Some(candidate));
    match reason {
        "STOP" | "FUNCTION_CALL" | "FINISH_REASON_UNSPECIFIED" | "" => parts.natural_stop(),
        "MAX_TOKENS" => StopReason::Length,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => StopReason::MalformedCall(said),
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => StopReason::Filtered(said),
        _ => StopReason::Other(said),
    }
}

/// The reason with what the provider says of it.
fn with_message(reason: &str, whose: Option<&Value>) -> String {
    let fields = ["finishMessage", "blockReasonMessage"];
    let texts = fields.map(|field| whose.map_or("", |whose| text_of(whose, field)));
    match texts.into_iter().find(|text| !text.is_empty()) {
        Some(message) => format!("{reason}: {message}"),
        None => reason.to_owned(),
    }
}

/// The API counts thoughts apart from what is said.
pub(super) fn usage(answer: &Value) -> Option<TokenUsage> {
    let reasoning = count_of(answer, "/usageMetadata/thoughtsTokenCount").unwrap_or(0);
    let of_tools = count_of(answer, "/usageMetadata/toolUsePromptTokenCount").unwrap_or(0);
    let said = count_of(answer, "/usageMetadata/candidatesTokenCount").unwrap_or(0);
    Some(TokenUsage {
        input: count_of(answer, "/usageMetadata/promptTokenCount")?.saturating_add(of_tools),
        output: said.saturating_add(reasoning),
        cached_input: count_of(answer, "/usageMetadata/cachedContentTokenCount").unwrap_or(0),
        cache_writes: 0,
        reasoning,
    })
}
