//! The arguments of a call, in whatever form they come.

use serde_json::{Map, Value};

use crate::agent::chat::MalformedArguments;
use crate::base::parse_json;

use super::error::ProviderError;
use super::limits::AnswerLimits;

/// Arguments: an object, or a text that holds one. A text of nothing, or of `null`, is no arguments:
/// what models write for tools that take none.
pub(super) fn read_arguments(
    value: Option<&Value>,
) -> Result<Result<Map<String, Value>, MalformedArguments>, ProviderError> {
    match value {
        None | Some(Value::Null) => Ok(Ok(Map::new())),
        Some(Value::Object(object)) => Ok(Ok(object.clone())),
        Some(Value::String(text)) => {
            within_limit(text)?;
            Ok(object_in(text, Layers::Two))
        }
        Some(other) => {
            let raw = other.to_string();
            // It is kept and sent back as a text, for which the limit holds as well.
            within_limit(&raw)?;
            Ok(Err(MalformedArguments { why: format!("they are {}", kind_of(other)), raw }))
        }
    }
}

fn within_limit(text: &str) -> Result<(), ProviderError> {
    let limit = AnswerLimits::ARGUMENT_BYTES;
    if text.len() > limit {
        return Err(ProviderError::TooMuch(format!("arguments of a call have over {limit} bytes")));
    }
    Ok(())
}

/// How often the text may be JSON in a JSON text: some servers encode twice.
#[derive(Clone, Copy)]
enum Layers {
    One,
    Two,
}

fn object_in(text: &str, layers: Layers) -> Result<Map<String, Value>, MalformedArguments> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let why = match (parse_json::<Value>(text.as_bytes()), layers) {
        (Ok(Value::Object(object)), _) => return Ok(object),
        (Ok(Value::Null), _) => return Ok(Map::new()),
        (Ok(Value::String(inner)), Layers::Two) => match object_in(&inner, Layers::One) {
            Ok(object) => return Ok(object),
            Err(error) => error.why,
        },
        (Ok(other), _) => format!("they are {}", kind_of(&other)),
        (Err(error), _) => error.to_string(),
    };
    // With the outer text, as it came: that is what the model is shown.
    Err(MalformedArguments { raw: text.to_owned(), why })
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_come_as_objects_as_texts_and_encoded_twice() {
        for value in [json!({ "a": 1 }), json!("{\"a\":1}"), json!("\"{\\\"a\\\":1}\"")] {
            let arguments = read_arguments(Some(&value)).unwrap().unwrap();
            assert_eq!(Value::Object(arguments), json!({ "a": 1 }));
        }
        for value in [None, Some(json!(null)), Some(json!("")), Some(json!("null"))] {
            assert!(read_arguments(value.as_ref()).unwrap().unwrap().is_empty());
        }
    }

    #[test]
    fn what_is_no_object_is_kept_as_it_came() {
        let cases = [
            (json!("{\"a\":"), "{\"a\":"),
            (json!("[1]"), "[1]"),
            (json!([1]), "[1]"),
            (json!(7), "7"),
            (json!("{\"a\":1}{\"a\":1}"), "{\"a\":1}{\"a\":1}"),
        ];
        for (value, raw) in cases {
            let malformed = read_arguments(Some(&value)).unwrap().unwrap_err();
            assert_eq!(malformed.raw, raw);
            assert!(!malformed.why.is_empty());
        }
    }

    #[test]
    fn arguments_as_deep_as_a_tower_are_malformed_and_as_long_as_a_book_are_too_much() {
        let tower = format!("{{\"a\":{}", "[".repeat(100_000));
        assert!(read_arguments(Some(&json!(tower))).unwrap().is_err());
        let book = " ".repeat(AnswerLimits::ARGUMENT_BYTES + 1);
        assert!(matches!(read_arguments(Some(&json!(book))), Err(ProviderError::TooMuch(_))));
    }
}
