//! A span, whichever of its shapes it has, and what was said in it.

use serde_json::{Map, Value};

use crate::import::conversation::paragraphs;
use crate::import::json::{count, first_count, first_text, items, text, words};
use crate::import::picture_data;

/// Most numbered messages of a span.
const MOST_NUMBERED: usize = 10_000;

/// A span with plain attributes.
pub(super) struct Span {
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    /// Nanoseconds since 1970; 0 where they are not known.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) attributes: Value,
    pub(super) error: Option<String>,
    events: Vec<(String, Value)>,
}

/// Something that was said to a model or by it.
#[derive(Default)]
pub(super) struct SpanMessage {
    pub(super) role: String,
    pub(super) text: String,
    /// Ids, names and arguments.
    pub(super) calls: Vec<(String, String, Value)>,
    /// Ids of calls, with what came of them.
    pub(super) results: Vec<(String, String)>,
    /// The bytes of pictures, or why there are none.
    pub(super) pictures: Vec<Result<Vec<u8>, String>>,
    pub(super) finish: Option<String>,
}

impl Span {
    /// Reads a span of OTLP, or one that the Python SDK wrote.
    pub(super) fn read(value: &Value) -> Option<Self> {
        // The Python SDK writes ids into a context, and times as words.
        let context = &value["context"];
        // camelCase is OTLP's JSON, snake_case that of proto3 writers that keep field names.
        let trace = first_text(value, &["traceId", "trace_id"]);
        let trace = trace.or_else(|| text(context, "trace_id")).map(plain_id)?;
        let id = first_text(value, &["spanId", "span_id"]);
        // Without a trace or an id it cannot be placed, and is no span.
        let id = id.or_else(|| text(context, "span_id")).map(plain_id)?;
        let parent = first_text(value, &["parentSpanId", "parent_span_id", "parent_id"]);
        let start = first_count(value, &["startTimeUnixNano", "start_time_unix_nano"]);
        let start = start.or_else(|| nanos_of(text(value, "start_time")?));
        let end = first_count(value, &["endTimeUnixNano", "end_time_unix_nano"]);
        let end = end.or_else(|| nanos_of(text(value, "end_time")?));
        let events = items(value, "events").iter().map(|event| {
            (text(event, "name").unwrap_or_default().to_owned(), attributes_of(event))
        });
        let events = events.collect();
        Some(Self {
            trace,
            id,
            parent: parent.map(plain_id),
            name: text(value, "name").unwrap_or("unnamed").to_owned(),
            // A span without times stands first, and its times are said to be unknown.
            start: start.unwrap_or(0),
            end: end.unwrap_or(0),
            attributes: attributes_of(value),
            error: error_of(&value["status"]),
            events,
        })
    }

    fn operation(&self) -> &str {
        text(&self.attributes, "gen_ai.operation.name").unwrap_or_default()
    }

    /// Whether it asks a model.
    pub(super) fn is_answer(&self) -> bool {
        let is_named = matches!(self.operation(), "chat" | "text_completion" | "generate_content");
        let is_older = self.operation().is_empty()
            && (self.attributes.get("gen_ai.request.model").is_some()
                || self.attributes.get("llm.request.type").is_some());
        is_named || (is_older && !self.is_tool())
    }

    /// Whether it carries out a tool.
    pub(super) fn is_tool(&self) -> bool {
        self.operation() == "execute_tool"
            || (self.operation().is_empty()
                && (self.attributes.get("gen_ai.tool.name").is_some()
                    || text(&self.attributes, "traceloop.span.kind") == Some("tool")))
    }

    /// How long it took; 0 where that is not known.
    pub(super) fn seconds(&self) -> f64 {
        if self.start == 0 { 0.0 } else { self.end.saturating_sub(self.start) as f64 / 1e9 }
    }

    /// What the model was asked with.
    pub(super) fn asked(&self) -> Vec<SpanMessage> {
        if let Some(messages) = self.messages("gen_ai.input.messages") {
            return messages;
        }
        let mut said = self.numbered("gen_ai.prompt");
        for (name, attributes) in &self.events {
            let role = match name.as_str() {
                "gen_ai.user.message" => "user",
                "gen_ai.tool.message" => "tool",
                "gen_ai.content.prompt" => {
                    let prompt = attributes.get("gen_ai.prompt").map(words).unwrap_or_default();
                    said.push(SpanMessage {
                        role: "user".to_owned(),
                        text: prompt,
                        ..SpanMessage::default()
                    });
                    continue;
                }
                _ => continue,
            };
            let id = words(&attributes["id"]);
            let content = words(&attributes["content"]);
            let results = if role == "tool" { vec![(id, content.clone())] } else { Vec::new() };
            said.push(SpanMessage {
                role: role.to_owned(),
                text: content,
                results,
                ..SpanMessage::default()
            });
        }
        said
    }

    /// What the model answered.
    pub(super) fn answered(&self) -> Vec<SpanMessage> {
        if let Some(messages) = self.messages("gen_ai.output.messages") {
            return messages;
        }
        let mut said = self.numbered("gen_ai.completion");
        for (name, attributes) in &self.events {
            match name.as_str() {
                "gen_ai.choice" => {
                    let message = parsed(&attributes["message"]);
                    let finish = text(attributes, "finish_reason").map(str::to_owned);
                    said.push(SpanMessage { finish, ..plain_message(&message) });
                }
                "gen_ai.content.completion" => {
                    let text = attributes.get("gen_ai.completion").map(words).unwrap_or_default();
                    said.push(SpanMessage { text, ..SpanMessage::default() });
                }
                _ => {}
            }
        }
        said
    }

    /// Messages in one attribute, as the conventions have them; also in the event that holds all of them.
    fn messages(&self, name: &str) -> Option<Vec<SpanMessage>> {
        let value = self.attributes.get(name);
        let mut of_events = self.events.iter().filter_map(|(_, attributes)| attributes.get(name));
        let value = parsed(value.or_else(|| of_events.next())?);
        Some(value.as_array()?.iter().map(message).collect())
    }

    /// Messages in attributes with numbers, as OpenLLMetry has them.
    fn numbered(&self, prefix: &str) -> Vec<SpanMessage> {
        let mut all = Vec::new();
        // Bounded, though the loop ends at the first number that is missing: attributes are from outside.
        for number in 0..MOST_NUMBERED {
            let place = format!("{prefix}.{number}");
            let [role, content, id, finish] = ["role", "content", "tool_call_id", "finish_reason"]
                .map(|field| self.attributes.get(format!("{place}.{field}")));
            let mut calls = Vec::new();
            for call in 0..MOST_NUMBERED {
                let [name, arguments, id] = ["name", "arguments", "id"]
                    .map(|field| self.attributes.get(format!("{place}.tool_calls.{call}.{field}")));
                let Some(name) = name else { break };
                calls.push((
                    id.map(words).unwrap_or_default(),
                    words(name),
                    arguments.cloned().unwrap_or(Value::Null),
                ));
            }
            // Nothing under this number: the list has ended.
            if role.is_none() && content.is_none() && calls.is_empty() {
                break;
            }
            let id = id.map(words);
            let (said, pictures) = content.map(content_of).unwrap_or_default();
            all.push(SpanMessage {
                role: role.map(words).unwrap_or_default(),
                // With a call's id it is the result of that call.
                results: id.map(|id| (id, said.clone())).into_iter().collect(),
                text: said,
                calls,
                pictures,
                finish: finish.map(words),
            });
        }
        all
    }
}

/// A message of the conventions: a role and parts.
fn message(value: &Value) -> SpanMessage {
    let mut said = SpanMessage {
        role: text(value, "role").unwrap_or_default().to_owned(),
        finish: text(value, "finish_reason").map(str::to_owned),
        ..SpanMessage::default()
    };
    let mut texts: Vec<String> = Vec::new();
    for part in items(value, "parts") {
        match part["type"].as_str() {
            Some("text" | "reasoning") => texts.extend(text(part, "content").map(str::to_owned)),
            Some("tool_call") => {
                let id = words(&part["id"]);
                said.calls.push((id, words(&part["name"]), part["arguments"].clone()));
            }
            Some("tool_call_response") => {
                let given = part.get("response").or_else(|| part.get("result"));
                said.results.push((words(&part["id"]), given.map(words).unwrap_or_default()));
            }
            Some("blob") => {
                let is_picture = text(part, "mime_type").is_none_or(|it| it.starts_with("image/"));
                let data = text(part, "content").or_else(|| text(part, "data"));
                if is_picture {
                    said.pictures.push(picture_data::from_base64(data.unwrap_or_default()));
                }
            }
            Some("uri") => {
                said.pictures
                    .push(picture_data::from_data_uri(text(part, "uri").unwrap_or_default()));
            }
            _ => {}
        }
    }
    said.text = paragraphs(texts);
    // Written by older conventions, which have a `content` and no parts.
    if items(value, "parts").is_empty() {
        let plain = plain_message(value);
        return SpanMessage { role: said.role, finish: said.finish, ..plain };
    }
    said
}

/// A message as chats have it: content and calls.
fn plain_message(value: &Value) -> SpanMessage {
    let calls = items(value, "tool_calls").iter().map(|call| {
        let function = if call["function"].is_object() { &call["function"] } else { call };
        (words(&call["id"]), words(&function["name"]), function["arguments"].clone())
    });
    let (text, pictures) = content_of(&value["content"]);
    SpanMessage { text, pictures, calls: calls.collect(), ..SpanMessage::default() }
}

/// The words and pictures of what chats have as content: a text, or parts, which OpenLLMetry writes as JSON in a
/// text.
fn content_of(content: &Value) -> (String, Vec<Result<Vec<u8>, String>>) {
    let parts = match content {
        Value::String(said) if !said.starts_with("[{") => return (said.clone(), Vec::new()),
        _ => parsed(content),
    };
    let Some(parts) =
        parts.as_array().filter(|parts| parts.iter().all(|it| it["type"].is_string()))
    else {
        return (words(content), Vec::new());
    };
    let (mut said, mut pictures) = (Vec::new(), Vec::new());
    for part in parts {
        let uri = text(part, "image_url").or_else(|| text(&part["image_url"], "url"));
        if let Some(uri) = uri {
            pictures.push(picture_data::from_data_uri(uri));
        } else if let Some(data) = text(&part["source"], "data") {
            pictures.push(picture_data::from_base64(data));
        } else if let Some(words) = text(part, "text").or_else(|| text(part, "content")) {
            said.push(words.to_owned());
        }
    }
    (paragraphs(said), pictures)
}

/// JSON that stands in a text.
fn parsed(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            crate::import::json::parse(text.as_bytes()).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}

/// Attributes as a plain object: OTLP writes them as a list of names and typed values.
fn attributes_of(value: &Value) -> Value {
    match &value["attributes"] {
        Value::Array(list) => {
            let fields = list
                .iter()
                .filter_map(|it| Some((text(it, "key")?.to_owned(), plain(&it["value"], 0))));
            Value::Object(fields.collect())
        }
        Value::Object(fields) => Value::Object(fields.clone()),
        _ => Value::Object(Map::new()),
    }
}

/// A typed value of OTLP without its type.
fn plain(value: &Value, depth: usize) -> Value {
    // Deeper than any file that was read can be.
    if depth > 512 {
        return Value::Null;
    }
    let Some((kind, inner)) = value.as_object().and_then(|fields| fields.iter().next()) else {
        return Value::Null;
    };
    match kind.as_str() {
        // Whole numbers are written as texts, as JSON's are not large enough.
        "intValue" => count(inner).map_or_else(|| inner.clone(), Value::from),
        "arrayValue" => {
            items(inner, "values").iter().map(|value| plain(value, depth + 1)).collect()
        }
        "kvlistValue" => {
            let pairs = items(inner, "values").iter().filter_map(|it| {
                Some((text(it, "key")?.to_owned(), plain(&it["value"], depth + 1)))
            });
            Value::Object(pairs.collect())
        }
        _ => inner.clone(),
    }
}

/// Why a span failed; `None` if it did not.
fn error_of(status: &Value) -> Option<String> {
    let code = status.get("code").or_else(|| status.get("status_code"))?;
    let is_error = code == 2 || code == "STATUS_CODE_ERROR" || code == "ERROR";
    let said = text(status, "message").or_else(|| text(status, "description"));
    is_error.then(|| said.unwrap_or("the trace gives no reason").to_owned())
}

fn plain_id(written: &str) -> String {
    written.strip_prefix("0x").unwrap_or(written).to_owned()
}

/// Nanoseconds of a time that is written out.
fn nanos_of(text: &str) -> Option<u64> {
    let at: jiff::Timestamp = text.parse().ok()?;
    u64::try_from(at.as_nanosecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn attributes_of_either_shape_are_the_same() {
        let otlp = json!({"attributes": [
            {"key": "a", "value": {"stringValue": "x"}},
            {"key": "n", "value": {"intValue": "12"}},
            {"key": "l", "value": {"arrayValue": {"values": [{"boolValue": true}]}}},
            {"key": "o", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"doubleValue": 0.5}}]}}},
        ]});
        let plain = json!({"attributes": {"a": "x", "n": 12, "l": [true], "o": {"k": 0.5}}});
        assert_eq!(attributes_of(&otlp), attributes_of(&plain));
    }

    #[test]
    fn parts_in_a_text_are_words_and_pictures() {
        let parts = json!([{"type": "text", "text": "Hi"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]);
        let expected = ("Hi".to_owned(), vec![Ok(b"hi".to_vec())]);
        assert_eq!(content_of(&parts), expected);
        assert_eq!(content_of(&json!(parts.to_string())), expected);
        for plain in ["[{\"x\": 1}]", "[{not json", "words"] {
            assert_eq!(content_of(&json!(plain)), (plain.to_owned(), Vec::new()));
        }
        assert_eq!(content_of(&Value::Null), (String::new(), Vec::new()));
    }

    #[test]
    fn numbered_attributes_are_messages() {
        let span = Span::read(&json!({"traceId": "t", "spanId": "s", "attributes": {
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": "I look.",
            "gen_ai.completion.0.tool_calls.0.name": "look",
            "gen_ai.completion.0.tool_calls.0.id": "c1",
            "gen_ai.completion.0.tool_calls.0.arguments": "{\"at\": 3}",
        }}))
        .unwrap();
        let said = span.answered();
        assert_eq!((said.len(), &*said[0].text, &*said[0].calls[0].1), (1, "I look.", "look"));
    }
}
