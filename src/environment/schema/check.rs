//! Checking arguments against a tool's JSON Schema.

use serde_json::{Map, Value};

use crate::base::Limits;

/// One thing wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ArgumentError {
    /// Where, such as `fillColor.r` or `changes[2].text`; `arguments` for the whole.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Checks `arguments` against `schema`, of the subset of JSON Schema that the tools use; returns
/// every error, in the order of the schema. Empty: the arguments are good.
///
/// Beyond the schema, a number must lie within ±[`Limits::COORDINATE`]: no tool has a use for a
/// larger one, and geometry beyond it loses its pixels. An integer may be written with a point
/// (`3.0`), as JSON Schema has it. The descent follows the schema, never the arguments, so that
/// arguments of any depth are checked in bounded stack.
pub fn check_arguments(schema: &Value, arguments: &Value) -> Vec<ArgumentError> {
    let mut errors = Vec::new();
    check(schema, arguments, &Path::Root, &mut errors);
    errors
}

/// Where the check stands; written out only when something is wrong.
enum Path<'a> {
    Root,
    Key(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl Path<'_> {
    fn text(&self) -> String {
        match self {
            Self::Root => "arguments".to_owned(),
            // The first key stands alone: `fillColor.r`, not `arguments.fillColor.r`.
            Self::Key(Self::Root, key) => shorten(key),
            Self::Key(parent, key) => format!("{}.{}", parent.text(), shorten(key)),
            Self::Item(parent, index) => format!("{}[{index}]", parent.text()),
        }
    }

    fn error(&self, message: String) -> ArgumentError {
        ArgumentError { path: self.text(), message }
    }
}

fn check(schema: &Value, value: &Value, path: &Path<'_>, errors: &mut Vec<ArgumentError>) {
    match (schema.get("type").and_then(Value::as_str).unwrap_or_default(), value) {
        ("object", Value::Object(fields)) => check_object(schema, fields, path, errors),
        ("array", Value::Array(items)) => check_array(schema, items, path, errors),
        // Type first, then range: of a wrong type nothing else is worth saying.
        ("number" | "integer", Value::Number(_)) => {
            errors.extend(number_fault(schema, value).map(|message| path.error(message)));
        }
        ("string", Value::String(text)) => {
            errors.extend(word_fault(schema, text).map(|message| path.error(message)));
        }
        ("boolean", Value::Bool(_)) => {}
        (wanted, _) => {
            let message = format!("expected {}, got {}", article(wanted), describe(value));
            errors.push(path.error(message));
        }
    }
}

fn check_object(
    schema: &Value,
    fields: &Map<String, Value>,
    path: &Path<'_>,
    errors: &mut Vec<ArgumentError>,
) {
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    // In the schema's order, so that the same fault is always the first.
    for (key, property) in known {
        let path = Path::Key(path, key);
        match fields.get(key) {
            Some(value) => check(property, value, &path, errors),
            None if is_required(schema, key) => {
                let kind = property.get("type").and_then(Value::as_str).unwrap_or_default();
                errors.push(path.error(format!("is missing; give {}", article(kind))));
            }
            None => {}
        }
    }
    for key in fields.keys().filter(|key| !known.contains_key(*key)) {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        // The names that there are, as a misspelt one is the usual reason.
        let message = format!("is not known here; known are: {known}");
        errors.push(Path::Key(path, key).error(message));
    }
}

fn check_array(schema: &Value, items: &[Value], path: &Path<'_>, errors: &mut Vec<ArgumentError>) {
    let count = items.len() as u64;
    let [least, most] = ["minItems", "maxItems"].map(|key| schema.get(key).and_then(Value::as_u64));
    let (least, most) = (least.unwrap_or(0), most.unwrap_or(u64::MAX));
    if count < least || count > most {
        let wanted = match (least, most) {
            (least, most) if least == most => format!("exactly {least}"),
            (least, _) if count < least => format!("at least {least}"),
            (_, most) => format!("at most {most}"),
        };
        errors.push(path.error(format!("expected {wanted} items, got {count}")));
    }
    // A schema without `items` names no type, and its items fail as of the wrong one.
    let any = Value::Null;
    let schema = schema.get("items").unwrap_or(&any);
    for (index, item) in items.iter().enumerate() {
        check(schema, item, &Path::Item(path, index), errors);
    }
}

fn number_fault(schema: &Value, value: &Value) -> Option<String> {
    let number = value.as_f64()?;
    let is_integer = schema.get("type").and_then(Value::as_str) == Some("integer");
    // `3.0` is an integer in JSON Schema, and models write it.
    if is_integer && number.fract() != 0.0 {
        return Some(format!("expected an integer, got {value}"));
    }
    match ["minimum", "maximum"].map(|key| schema.get(key).and_then(Value::as_f64)) {
        [Some(least), Some(most)] if number < least || number > most => {
            Some(format!("must be within {least} and {most}, got {value}"))
        }
        [Some(least), None] if number < least => {
            Some(format!("must be at least {least}, got {value}"))
        }
        [None, Some(most)] if number > most => Some(format!("must be at most {most}, got {value}")),
        _ if number.abs() > Limits::COORDINATE => {
            Some(format!("must lie within ±{}, got {value}", Limits::COORDINATE))
        }
        _ => None,
    }
}

fn word_fault(schema: &Value, text: &str) -> Option<String> {
    let words = schema.get("enum").and_then(Value::as_array)?;
    if words.iter().any(|word| word.as_str() == Some(text)) {
        return None;
    }
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    Some(format!("must be one of {}, got {:?}", words.join(", "), shorten(text)))
}

fn is_required(schema: &Value, key: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|keys| keys.iter().any(|k| k.as_str() == Some(key)))
}

fn article(kind: &str) -> String {
    match kind {
        "object" | "array" | "integer" => format!("an {kind}"),
        "boolean" => "true or false".to_owned(),
        other => format!("a {other}"),
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => format!("the number {value}"),
        Value::String(text) => format!("the string {:?}", shorten(text)),
        Value::Array(items) => format!("an array of {} items", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The first 40 characters: an error must stay readable whatever was sent.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::schema::build::{
        array, boolean, number, object, one_of, optional, required, string,
    };
    use serde_json::json;

    fn color() -> crate::environment::schema::build::Schema {
        object([required("r", number().min(0.0).max(1.0)), optional("a", number())])
    }

    fn faults(schema: crate::environment::schema::build::Schema, arguments: &Value) -> Vec<String> {
        check_arguments(&schema.into_value(), arguments).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_error_is_found_and_named_by_its_path() {
        let schema =
            object([required("x", number()), optional("fill", color()), optional("on", boolean())]);
        let arguments = json!({"fill": {"r": 2, "z": 1}, "on": "yes"});
        assert_eq!(
            faults(schema, &arguments),
            [
                "x: is missing; give a number",
                "fill.r: must be within 0 and 1, got 2",
                "fill.z: is not known here; known are: r, a",
                "on: expected true or false, got the string \"yes\"",
            ]
        );
    }

    #[test]
    fn items_are_named_by_their_index() {
        let schema = object([required("ids", array(string()).min_items(2).max_items(2))]);
        assert_eq!(
            faults(schema, &json!({"ids": ["1:2", 3, null]})),
            [
                "ids: expected exactly 2 items, got 3",
                "ids[1]: expected a string, got the number 3",
                "ids[2]: expected a string, got null",
            ]
        );
    }

    #[test]
    fn numbers_no_design_can_hold_are_refused() {
        let schema = object([required("x", number())]);
        assert_eq!(faults(schema.clone(), &json!({"x": 1e308})).len(), 1);
        assert_eq!(faults(schema.clone(), &json!({"x": u64::MAX})).len(), 1);
        assert!(faults(schema, &json!({"x": -1e7})).is_empty());
    }

    #[test]
    fn a_word_out_of_the_list_is_answered_with_the_list() {
        let schema = object([required("mode", one_of(&["NONE", "WRAP"]))]);
        assert_eq!(
            faults(schema, &json!({"mode": "wrap"})),
            ["mode: must be one of NONE, WRAP, got \"wrap\""]
        );
    }

    #[test]
    fn arguments_that_are_no_object_are_refused_as_a_whole() {
        assert_eq!(
            faults(object([]), &json!([1])),
            ["arguments: expected an object, got an array of 1 items"]
        );
    }

    #[test]
    fn an_endless_key_is_shortened() {
        let arguments = json!({"k".repeat(100_000): 1});
        assert!(faults(object([]), &arguments).iter().all(|e| e.len() < 200));
    }
}
