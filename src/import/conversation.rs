//! A conversation with a model as a run: what all message logs come to.
//!
//! Each answer of the model is a turn, its calls are the steps, and what a tool gave back belongs to the
//! call that it names. A picture that comes before the next answer is what was seen after the turn.

use serde_json::Value;

use crate::run::{ImageRef, Usage};

use super::error::ImportError;
use super::json::{count, first_count};
use super::sink::{CallRecord, OutcomeRecord, RunWriter, TurnRecord};

/// An answer of a model.
#[derive(Default)]
pub(super) struct Answer {
    /// By which the next part of the same answer is known, where a log writes answers in parts.
    pub(super) id: Option<String>,
    /// RFC 3339, UTC; empty where it is not known.
    pub(super) at: String,
    /// Its thinking and its words.
    pub(super) text: String,
    pub(super) calls: Vec<AskedCall>,
    pub(super) usage: Option<Usage>,
    pub(super) model: Option<String>,
    /// 0 where it is not known.
    pub(super) seconds: f64,
}

/// A call as the model asked for it.
#[derive(Default)]
pub(super) struct AskedCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
    /// What came of it, where the provider carried it out itself and the answer says it.
    pub(super) outcome: Option<OutcomeRecord>,
}

/// What a tool gave back.
#[derive(Default)]
pub(super) struct ToolResult {
    /// The id of the call; empty: of the first one without an answer.
    pub(super) call_id: String,
    pub(super) text: String,
    pub(super) structured: Option<Value>,
    pub(super) image: Option<ImageRef>,
    pub(super) error: Option<String>,
    /// 0 where it is not known.
    pub(super) latency_ms: f64,
}

/// Puts a conversation into a run, one turn at a time.
#[derive(Default)]
pub(super) struct Conversation {
    open: Option<TurnRecord>,
    /// The id of the answer that is open, while parts of it may follow.
    open_id: Option<String>,
}

impl Conversation {
    /// Something that was said to the model. What comes before its first answer is what it was asked; later
    /// words are kept as a note.
    pub(super) fn told(&mut self, writer: &mut RunWriter, text: &str) -> Result<(), ImportError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        if self.open.is_none() && writer.is_empty() {
            writer.add_instruction(text);
            return Ok(());
        }
        self.end_answer();
        writer.note(format!("Told: {text}"))
    }

    /// What is answered from now on is another answer, whatever its id.
    pub(super) fn end_answer(&mut self) {
        self.open_id = None;
    }

    /// A picture that the model was shown, of no call.
    pub(super) fn shown(&mut self, writer: &mut RunWriter, image: Option<ImageRef>) {
        let Some(image) = image else { return };
        let Some(turn) = &mut self.open else {
            writer.set_start_picture(Some(image));
            return;
        };
        // The last step is what it shows the outcome of, unless that has a picture of its own.
        if let Some(outcome) = turn.calls.last_mut().map(|call| &mut call.outcome) {
            let outcome = outcome.get_or_insert_default();
            outcome.image.get_or_insert_with(|| image.clone());
        }
        turn.observation = Some(image);
    }

    /// The model answers.
    pub(super) fn answer(
        &mut self,
        writer: &mut RunWriter,
        answer: Answer,
    ) -> Result<(), ImportError> {
        if let Some(model) = &answer.model {
            writer.set_agent(model);
        }
        let calls = answer.calls.into_iter().map(|call| CallRecord {
            id: call.id,
            name: if call.name.is_empty() { "unnamed".to_owned() } else { call.name },
            arguments: call.arguments,
            outcome: call.outcome,
        });
        if answer.id.is_some()
            && answer.id == self.open_id
            && let Some(turn) = &mut self.open
        {
            turn.thought = paragraphs([&turn.thought, &answer.text]);
            turn.calls.extend(calls);
            // Each part says what the whole answer has used up to it.
            turn.usage = answer.usage.or(turn.usage);
            return Ok(());
        }
        let calls = calls.collect();
        self.end_turn(writer)?;
        self.open_id = answer.id;
        self.open = Some(TurnRecord {
            at: answer.at,
            thought: answer.text,
            usage: answer.usage,
            seconds: answer.seconds,
            calls,
            observation: None,
        });
        Ok(())
    }

    /// A tool gives something back. One that belongs to no call is a warning.
    pub(super) fn result(&mut self, writer: &mut RunWriter, result: ToolResult, place: &str) {
        let call = self.open.as_mut().and_then(|turn| {
            // The first without an answer: a log may use an id twice.
            turn.calls.iter_mut().find(|call| {
                call.outcome.is_none() && (result.call_id.is_empty() || call.id == result.call_id)
            })
        });
        let Some(call) = call else {
            let id: String = result.call_id.chars().take(80).collect();
            writer
                .warn(format!("a result belongs to no call that waits for one ({id:?}): {place}"));
            return;
        };
        call.outcome = Some(OutcomeRecord {
            text: result.text,
            structured: result.structured,
            image: result.image,
            error: result.error,
            latency_ms: result.latency_ms,
        });
    }

    /// A call that was carried out, as spans of tools tell it: one that the answer asked for, by its id or by
    /// its name where it has none, or else one of its own.
    pub(super) fn carried_out(&mut self, call: AskedCall, outcome: OutcomeRecord) {
        let turn = self.open.get_or_insert_default();
        let asked = turn.calls.iter_mut().find(|asked| {
            let is_it =
                if call.id.is_empty() { asked.name == call.name } else { asked.id == call.id };
            asked.outcome.is_none() && is_it
        });
        if let Some(asked) = asked {
            asked.outcome = Some(outcome);
            return;
        }
        let AskedCall { id, name, arguments, .. } = call;
        turn.calls.push(CallRecord { id, name, arguments, outcome: Some(outcome) });
    }

    /// What the last answer has used, where that is said only after it and not yet known.
    pub(super) fn used(&mut self, usage: Usage) {
        if let Some(turn) = &mut self.open {
            turn.usage.get_or_insert(usage);
        }
    }

    /// Whether a call of this id waits for its result.
    pub(super) fn waits_for(&self, call_id: &str) -> bool {
        let calls = self.open.as_ref().map(|turn| turn.calls.as_slice()).unwrap_or_default();
        calls.iter().any(|call| call.outcome.is_none() && call.id == call_id)
    }

    /// Whether no answer is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_none()
    }

    /// Whether the last answer asked for no call: the model ended it.
    pub(super) fn ends_without_call(&self) -> bool {
        self.open.as_ref().is_some_and(|turn| turn.calls.is_empty())
    }

    /// Writes what is open.
    pub(super) fn end_turn(&mut self, writer: &mut RunWriter) -> Result<(), ImportError> {
        self.end_answer();
        self.open.take().map_or(Ok(()), |turn| writer.turn(turn))
    }
}

/// Joins what was thought and said, leaving out what is empty.
pub(super) fn paragraphs<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for part in parts {
        let part = part.as_ref().trim();
        if !part.is_empty() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(part);
        }
    }
    text
}

/// The arguments of a call as an object: they come as JSON in a text, or as they are.
pub(super) fn arguments_of(value: Option<&Value>) -> Value {
    match value {
        Some(Value::String(text)) => match crate::base::parse_json::<Value>(text.as_bytes()) {
            Ok(Value::Object(fields)) => Value::Object(fields),
            // What a model wrote that is no object is kept as it stands.
            _ if text.trim().is_empty() => Value::Object(serde_json::Map::new()),
            _ => serde_json::json!({ "text": text }),
        },
        Some(Value::Object(fields)) => Value::Object(fields.clone()),
        None | Some(Value::Null) => Value::Object(serde_json::Map::new()),
        Some(other) => serde_json::json!({ "value": other }),
    }
}

/// Tokens by the names that the APIs give them; `None` where neither is said.
pub(super) fn usage_of(value: &Value) -> Option<Usage> {
    // The names of Anthropic, OpenAI and Gemini; the first that is there is taken.
    let input = first_count(
        value,
        &["input_tokens", "prompt_tokens", "promptTokenCount", "prompt_token_count"],
    );
    let output = first_count(
        value,
        &["output_tokens", "completion_tokens", "candidatesTokenCount", "candidates_token_count"],
    );
    if input.is_none() && output.is_none() {
        return None;
    }
    // Anthropic counts what came from its cache and went there beside the others.
    // Other APIs count them within the input, and use neither of these names.
    let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"]
        .iter()
        .filter_map(|name| value.get(*name).and_then(count))
        .fold(0_u64, u64::saturating_add);
    // Gemini counts what it thought beside what it said, as the others do not.
    let thought = first_count(value, &["thoughtsTokenCount", "thoughts_token_count"]).unwrap_or(0);
    // Only what can be a price: a negative one would spoil the sums of a whole set.
    let cost_usd = ["cost_usd", "total_cost", "cost"]
        .iter()
        .find_map(|name| value.get(*name).and_then(Value::as_f64))
        .filter(|cost| cost.is_finite() && *cost >= 0.0);
    Some(Usage {
        input_tokens: input.unwrap_or(0).saturating_add(cached),
        output_tokens: output.unwrap_or(0).saturating_add(thought),
        cost_usd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_that_are_no_object_are_kept_as_they_stand() {
        assert_eq!(arguments_of(Some(&json!("{\"a\": 1}"))), json!({"a": 1}));
        assert_eq!(arguments_of(Some(&json!("{\"a\": "))), json!({"text": "{\"a\": "}));
        assert_eq!(arguments_of(Some(&json!([1]))), json!({"value": [1]}));
        assert_eq!(arguments_of(None), json!({}));
    }

    #[test]
    fn tokens_are_found_by_the_names_of_every_api_and_not_made_up() {
        let of = |value: Value| usage_of(&value).map(|it| (it.input_tokens, it.output_tokens));
        assert_eq!(of(json!({"prompt_tokens": 3, "completion_tokens": 4})), Some((3, 4)));
        assert_eq!(of(json!({"input_tokens": 3, "cache_read_input_tokens": 2})), Some((5, 0)));
        assert_eq!(of(json!({"promptTokenCount": "7", "thoughtsTokenCount": 5})), Some((7, 5)));
        assert_eq!(of(json!({"total": 9})), None);
    }
}
