//! Putting a streamed answer together.

use serde_json::{Map, Value, json};

use crate::agent::chat::{ChatListener, TokenUsage};

use super::answer::{is_thought, usage};
use crate::agent::providers::api::{DONE, StreamReader, event_json};
use crate::agent::providers::draft::check_parts;
use crate::agent::providers::error::ProviderError;
use crate::agent::providers::json::{append_text, list_of, text_of};
use crate::agent::providers::sse::SseEvent;

/// A streamed answer so far.
#[derive(Debug, Default)]
pub(super) struct ContentStream {
    parts: Vec<Value>,
    /// The candidate but for its content.
    candidate: Map<String, Value>,
    /// The answer but for its candidates.
    answer: Map<String, Value>,
    any: bool,
}

impl StreamReader for ContentStream {
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
        if let Some(error) = json.get("error").filter(|error| !error.is_null()) {
            return Err(ProviderError::of_error(error));
        }
        // Several answers are never asked for.
        let mut candidates = list_of(&json, "candidates").iter();
        if let Some(ours) = candidates.find(|it| it.get("index").is_none_or(|index| *index == 0)) {
            self.grow(ours, listener)?;
        }
        // Each says all that is known by then, so that the last one counts.
        for field in ["usageMetadata", "promptFeedback"] {
            if let Some(value @ Value::Object(_)) = json.get_mut(field).map(Value::take) {
                self.answer.insert(field.to_owned(), value);
            }
        }
        Ok(())
    }

    fn finish(&mut self, _listener: &mut dyn ChatListener) -> Result<Value, ProviderError> {
        let finished = self.candidate.get("finishReason").is_some_and(Value::is_string);
        let feedback = self.answer.get("promptFeedback");
        // A prompt that was blocked ends without a reason, as it has no candidate to give one.
        let blocked = feedback.is_some_and(|feedback| feedback.get("blockReason").is_some());
        if !finished && !blocked {
            let why = if self.any { "its end is missing" } else { "nothing came" };
            return Err(ProviderError::broken_off(why.to_owned()));
        }
        let mut answer = std::mem::take(&mut self.answer);
        if finished || !self.parts.is_empty() {
            let mut candidate = std::mem::take(&mut self.candidate);
            let parts = std::mem::take(&mut self.parts);
            candidate.insert("content".to_owned(), json!({ "role": "model", "parts": parts }));
            answer.insert("candidates".to_owned(), json!([candidate]));
        }
        Ok(Value::Object(answer))
    }

    fn usage(&self) -> Option<TokenUsage> {
        usage(&json!({ "usageMetadata": self.answer.get("usageMetadata")? }))
    }
}

impl ContentStream {
    fn grow(
        &mut self,
        candidate: &Value,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ProviderError> {
        let said = candidate.as_object().into_iter().flatten();
        let said = said.filter(|(name, value)| *name != "content" && !value.is_null());
        self.candidate.extend(said.map(|(name, value)| (name.clone(), value.clone())));
        let Some(content) = candidate.get("content") else { return Ok(()) };
        for part in list_of(content, "parts") {
            emit(part, listener);
            self.add(part);
        }
        check_parts(self.parts.len())
    }

    /// Joins what is said or thought in a row. A part with a signature stays as it is: it has to go
    /// back as it came.
    fn add(&mut self, part: &Value) {
        if let Some(last) = self.parts.last_mut()
            && is_plain(last)
            && is_plain(part)
            && is_thought(last) == is_thought(part)
            && let Value::Object(last) = last
        {
            append_text(last, "text", text_of(part, "text"));
            return;
        }
        self.parts.push(part.clone());
    }
}

fn is_plain(part: &Value) -> bool {
    part.as_object().is_some_and(|fields| {
        fields.contains_key("text") && fields.keys().all(|it| it == "text" || it == "thought")
    })
}

fn emit(part: &Value, listener: &mut dyn ChatListener) {
    let text = text_of(part, "text");
    if let Some(call) = part.get("functionCall") {
        let arguments = call.get("args").map(Value::to_string).unwrap_or_default();
        listener.call(text_of(call, "name"), &arguments);
    } else if text.is_empty() {
    } else if is_thought(part) {
        listener.reasoning(text);
    } else {
        listener.text(text);
    }
}
