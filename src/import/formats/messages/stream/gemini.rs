//! Gemini's streams: answers of the same shape as those that come at once, with a part of the words in each.

use serde_json::{Map, Value, json};

use crate::import::json::{first_text, items, text};

use super::{Joint, Known, StreamShape, error_in};

pub(in crate::import::formats::messages) const SHAPE: StreamShape = StreamShape {
    types: &[],
    is_event,
    id_of,
    finishes: |event| finish_of(event).is_some(),
    begins,
    ends: |_| false,
    is_mixed: |_| false,
    join,
};

fn is_event(value: &Value) -> bool {
    // Beside what was asked, an answer was whole.
    value.get("contents").is_none()
        && (value["candidates"].is_array()
            || ["usageMetadata", "promptFeedback"].iter().any(|name| value[*name].is_object()))
}

/// By their ids; without any, what is said after the reason for the end is another answer.
fn begins(known: &Known, event: &Value) -> bool {
    match (&known.id, id_of(event)) {
        (Some(known), Some(id)) => known != id,
        _ => known.is_finished,
    }
}

fn id_of(event: &Value) -> Option<&str> {
    first_text(event, &["responseId", "response_id"])
}

fn finish_of(event: &Value) -> Option<&str> {
    first_text(items(event, "candidates").first()?, &["finishReason", "finish_reason"])
}

fn join(events: &[Value]) -> Joint {
    let (mut answer, mut parts) = (Map::new(), Vec::new());
    let (mut finish, mut error) = (None, None);
    for event in events {
        // Each says all that is known by then, so that the last one counts.
        let about =
            event.as_object().into_iter().flatten().filter(|(name, _)| *name != "candidates");
        answer.extend(about.map(|(name, value)| (name.clone(), value.clone())));
        error = error_in(event).or(error);
        if let Some(why) = text(&event["promptFeedback"], "blockReason") {
            error = Some(format!("what was asked was blocked: {why}"));
        }
        let Some(candidate) = items(event, "candidates").first() else { continue };
        parts.extend_from_slice(items(&candidate["content"], "parts"));
        finish = finish_of(event).map(str::to_owned).or(finish);
    }
    let is_whole = finish.is_some();
    if parts.is_empty() && !is_whole {
        return Joint { answer: Value::Null, is_whole, error };
    }
    let content = json!({ "role": "model", "parts": parts });
    answer.insert("candidates".to_owned(), json!([{ "content": content, "finishReason": finish }]));
    Joint { answer: Value::Object(answer), is_whole, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, finish: &Value, id: &Value) -> Value {
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}], "responseId": id, "usageMetadata": {"promptTokenCount": 4}})
    }

    #[test]
    fn pieces_of_one_id_or_up_to_the_end_are_one_answer() {
        let (stop, none) = (json!("STOP"), json!(null));
        // Some versions say with each piece why it ended.
        let named = ["a", "b"].map(|text| piece(text, &stop, &json!("q")));
        assert!(!SHAPE.begins_behind(&named[..1], &named[1]));
        assert!(SHAPE.begins_behind(&named, &piece("c", &none, &json!("r"))));
        let bare = [piece("a", &none, &none), piece("b", &stop, &none)];
        assert!(!SHAPE.begins_behind(&bare[..1], &bare[1]) && SHAPE.begins_behind(&bare, &bare[0]));
        let Joint { answer, is_whole, .. } = join(&bare);
        assert!(is_whole && !join(&bare[..1]).is_whole);
        assert_eq!(
            answer["candidates"][0]["content"]["parts"],
            json!([{"text": "a"}, {"text": "b"}])
        );
        assert_eq!(answer["usageMetadata"]["promptTokenCount"], 4);
        let blocked = join(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})]);
        assert!(blocked.answer.is_null() && blocked.error.unwrap().ends_with("SAFETY"));
    }
}
