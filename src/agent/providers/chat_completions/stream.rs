//! Putting a streamed answer together.

use serde_json::{Map, Value, json};

use crate::agent::chat::{ChatListener, TokenUsage};

use super::answer::{REASONING, content_of, error_of, reasoning_of, usage};
use crate::agent::providers::api::{DONE, StreamReader, event_json};
use crate::agent::providers::draft::{check_calls, check_parts};
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{append_text, list_of, text_of};
use crate::agent::providers::sse::SseEvent;

/// A streamed answer so far.
#[derive(Debug, Default)]
pub(super) struct ChatStream {
    message: Map<String, Value>,
    calls: Vec<GrowingCall>,
    finish_reason: Option<Value>,
    usage: Option<Value>,
    done: bool,
    any: bool,
}

/// A call of which the arguments still come.
#[derive(Debug, Default)]
struct GrowingCall {
    /// Its place as the provider counts.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// What else comes with it.
    more: Map<String, Value>,
    emitted: bool,
}

impl StreamReader for ChatStream {
    fn event(
        &mut self,
        event: &SseEvent,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        if event.data.trim() == DONE {
            self.done = true;
            return Ok(());
        }
        self.any = true;
        let mut json = event_json(event)?;
        if let Some(error) = error_of(&json) {
            return Err(ProviderError::of_error(error));
        }
        if event.kind == "error" {
            return Err(ProviderError::of_error(&json));
        }
        // Often in an event of its own after the end, which has no choices.
        if let Some(usage @ Value::Object(_)) = json.get_mut("usage").map(Value::take) {
            self.usage = Some(usage);
        }
        // Several answers are never asked for.
        let mut choices = list_of(&json, "choices").iter();
        let Some(choice) = choices.find(|it| it.get("index").is_none_or(|index| *index == 0))
        else {
            return Ok(());
        };
        if let Some(error) = error_of(choice) {
            return Err(ProviderError::of_error(error));
        }
        // Servers that cannot stream send the whole message in one event.
        if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
            self.grow(delta, listener)?;
        }
        if let Some(reason) = choice.get("finish_reason").filter(|reason| reason.is_string()) {
            self.finish_reason = Some(reason.clone());
            self.emit_calls(self.calls.len(), listener);
        }
        Ok(())
    }

    fn finish(&mut self, listener: &mut dyn ChatListener) -> Result<Value, ProviderError> {
        // Some servers give no reason for the end; but an end alone is no answer.
        let has_said = !self.message.is_empty() || !self.calls.is_empty();
        if self.finish_reason.is_none() && !(self.done && has_said) {
            let why = match (self.done, self.any) {
                (true, _) => "nothing came but its end",
                (false, true) => "its end is missing",
                (false, false) => "nothing came",
            };
            return Err(ProviderError::broken_off(why.to_owned()));
        }
        self.emit_calls(self.calls.len(), listener);
        let mut message = std::mem::take(&mut self.message);
        let calls: Vec<Value> =
            std::mem::take(&mut self.calls).into_iter().map(GrowingCall::into_json).collect();
        if !calls.is_empty() {
            message.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        let choice = json!({ "message": message, "finish_reason": self.finish_reason });
        Ok(json!({ "choices": [choice], "usage": self.usage }))
    }

    fn usage(&self) -> Option<TokenUsage> {
        usage(&json!({ "usage": self.usage.as_ref()? }))
    }
}

impl ChatStream {
    fn grow(
        &mut self,
        delta: &Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        let text = content_of(delta);
        if !text.is_empty() {
            append_text(&mut self.message, "content", &text);
            listener.text(&text);
        }
        let reasoning = reasoning_of(delta);
        if !reasoning.is_empty() {
            // Under the name that it came by, as it may have to go back by that.
            let field = REASONING.iter().find(|field| text_of(delta, field) == reasoning);
            append_text(&mut self.message, field.unwrap_or(&REASONING[0]), reasoning);
            listener.reasoning(reasoning);
        }
        if !text_of(delta, "refusal").is_empty() {
            append_text(&mut self.message, "refusal", text_of(delta, "refusal"));
        }
        self.grow_details(list_of(delta, "reasoning_details"))?;
        if let Some(only) = delta.get("function_call").filter(|call| call.is_object()) {
            self.grow_call(&json!({ "index": 0, "function": only }), listener)?;
        }
        for call in list_of(delta, "tool_calls") {
            self.grow_call(call, listener)?;
        }
        Ok(())
    }

    fn grow_details(&mut self, details: &[Value]) -> Result<(), ProviderError> {
        if details.is_empty() {
            return Ok(());
        }
        let kept = self.message.entry("reasoning_details").or_insert_with(|| json!([]));
        let Value::Array(kept) = kept else { return Ok(()) };
        kept.extend(details.iter().cloned());
        check_parts(kept.len())
    }

    fn grow_call(
        &mut self,
        delta: &Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        let function = delta.get("function").unwrap_or(delta);
        let place = if let Some(place) = self.place_of(delta, text_of(function, "name")) {
            place
        } else {
            self.emit_calls(self.calls.len(), listener);
            let index = delta.get("index").and_then(Value::as_u64);
            self.calls.push(GrowingCall { index, ..GrowingCall::default() });
            check_calls(self.calls.len())?;
            self.calls.len() - 1
        };
        if let Some(call) = self.calls.get_mut(place) {
            call.grow(delta, function);
        }
        Ok(())
    }

    /// Which call this belongs to; `None` if it begins another.
    ///
    /// By its place where it has one, unless id and name say otherwise: some servers give every call
    /// the place 0. Without a place, what has no name goes on with the last.
    fn place_of(&self, delta: &Value, name: &str) -> Option<usize> {
        let id = text_of(delta, "id");
        if let Some(index) = delta.get("index").and_then(Value::as_u64) {
            let place = self.calls.iter().rposition(|call| call.index == Some(index))?;
            let call = self.calls.get(place)?;
            let begins = !id.is_empty() && !call.id.is_empty() && id != call.id && !name.is_empty();
            return (!begins).then_some(place);
        }
        if !id.is_empty() {
            return self.calls.iter().rposition(|call| call.id == id);
        }
        if name.is_empty() { self.calls.len().checked_sub(1) } else { None }
    }

    /// Tells of the first calls, as far as that was not done: another has begun, or all came.
    fn emit_calls(&mut self, count: usize, listener: &mut dyn ChatListener) {
        for call in self.calls.iter_mut().take(count).filter(|call| !call.emitted) {
            call.emitted = true;
            listener.call(&call.name, &call.arguments);
        }
    }
}

impl GrowingCall {
    fn grow(&mut self, delta: &Value, function: &Value) {
        // Some repeat id and name with every piece.
        if self.id.is_empty() {
            text_of(delta, "id").clone_into(&mut self.id);
        }
        if self.name.is_empty() {
            text_of(function, "name").clone_into(&mut self.name);
        }
        match function.get("arguments") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => self.arguments.push_str(text),
            // Arguments as an object come at once, as Ollama sends them.
            Some(whole) => self.arguments.push_str(&whole.to_string()),
        }
        let own = ["id", "type", "function", "index", "name", "arguments"];
        let more = delta.as_object().into_iter().flatten();
        let more = more.filter(|(name, value)| !own.contains(&name.as_str()) && !value.is_null());
        self.more.extend(more.map(|(name, value)| (name.clone(), value.clone())));
    }

    fn into_json(self) -> Value {
        let Self { id, name, arguments, mut more, .. } = self;
        more.insert("id".to_owned(), json!(id));
        more.insert("function".to_owned(), json!({ "name": name, "arguments": arguments }));
        Value::Object(more)
    }
}
