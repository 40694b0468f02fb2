//! Reading a chat completion.

use serde::Deserialize;
use serde_json::Value;

/// What a chat completion says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The answer, whole.
    Text(String),
    /// It stopped at the limit of tokens.
    Cut,
    /// The model will not answer, and what it says about it.
    Refused(String),
    /// It said nothing.
    Empty,
    /// It is an error in the body of a success, and what it says.
    Error(String),
}

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: AnswerMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct AnswerMessage {
    content: Option<Content>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
}

/// Reads the body of a success; `Err` says what is wrong with it.
pub(super) fn read_reply(body: &[u8]) -> Result<Reply, String> {
    let completion: Completion =
        crate::base::parse_json(body).map_err(|error| error.to_string())?;
    // Some servers send their errors with status 200, and some a null with every success.
    if let Some(error) = completion.error.filter(|error| !error.is_null()) {
        return Ok(Reply::Error(error_text(&error)));
    }
    let choice = completion.choices.into_iter().next().ok_or("it has no choices")?;
    let text = choice.message.content.map(Content::into_text).unwrap_or_default();
    // Some servers send an empty refusal with every answer.
    let refusal = choice.message.refusal.filter(|refusal| !refusal.trim().is_empty());
    Ok(match (refusal, choice.finish_reason.as_deref()) {
        (Some(refusal), _) => Reply::Refused(refusal),
        (None, Some("content_filter")) => Reply::Refused("a content filter stopped it".to_owned()),
        // Before the text: an answer that was cut is none, however much of it there is.
        (None, Some("length")) => Reply::Cut,
        _ if text.trim().is_empty() => Reply::Empty,
        _ => Reply::Text(text),
    })
}

/// What the body of a failure says, if it is of the usual shape.
pub(super) fn read_error(body: &[u8]) -> String {
    let parsed = crate::base::parse_json::<Value>(body);
    parsed.ok().and_then(|value| Some(error_text(value.get("error")?))).unwrap_or_default()
}

fn error_text(error: &Value) -> String {
    let text = error.get("message").unwrap_or(error);
    text.as_str().map_or_else(|| text.to_string(), str::to_owned)
}

impl Content {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(body: &str) -> Reply {
        read_reply(body.as_bytes()).unwrap()
    }

    #[test]
    fn text_and_parts_of_text_are_answers() {
        let whole = r#"{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}"#;
        assert_eq!(reply(whole), Reply::Text("4".to_owned()));
        let parts =
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"text":"b"}]}}]}"#;
        assert_eq!(reply(parts), Reply::Text("ab".to_owned()));
    }

    #[test]
    fn what_is_no_answer_is_told_apart() {
        let cut = r#"{"choices":[{"message":{"content":"The"},"finish_reason":"length"}]}"#;
        assert_eq!(reply(cut), Reply::Cut);
        let no = r#"{"choices":[{"message":{"content":null,"refusal":"I will not."}}]}"#;
        assert_eq!(reply(no), Reply::Refused("I will not.".to_owned()));
        let empty = r#"{"choices":[{"message":{"content":" "},"finish_reason":"stop"}]}"#;
        assert_eq!(reply(empty), Reply::Empty);
        let error = r#"{"error":{"message":"no such model"}}"#;
        assert_eq!(reply(error), Reply::Error("no such model".to_owned()));
    }

    #[test]
    fn other_shapes_say_what_is_wrong() {
        for body in ["", "[]", "{", r#"{"choices":[]}"#, r#"{"choices":[{}]}"#, "<html>"] {
            assert!(!read_reply(body.as_bytes()).unwrap_err().is_empty(), "{body}");
        }
    }
}
