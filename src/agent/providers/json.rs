//! Reading JSON that may be of any shape.

use serde_json::{Map, Value};

/// Merges into an object: objects into objects, `null` takes a field out, anything else replaces.
pub(super) fn merge(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (name, value) in from {
        match (into.get_mut(name), value) {
            // Shifted and not swapped, so that the other fields keep their order and the bytes stay
            // the same.
            (_, Value::Null) => drop(into.shift_remove(name)),
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            _ => drop(into.insert(name.clone(), value.clone())),
        }
    }
}

/// The text of a field; empty if there is none.
pub(super) fn text_of<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The array of a field; empty if there is none.
pub(super) fn list_of<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A number of tokens; `None` unless it is a whole number of at least 0.
pub(super) fn count_of(value: &Value, pointer: &str) -> Option<u64> {
    let count = value.pointer(pointer)?;
    // Some servers write 12.0. Up to 9e15 a float holds every whole number.
    count.as_u64().or_else(|| {
        let count = count.as_f64()?;
        (count >= 0.0 && count.fract() == 0.0 && count < 9e15).then_some(count as u64)
    })
}

/// Appends to the text of a field, which is made if it is not there.
pub(super) fn append_text(object: &mut Map<String, Value>, field: &str, text: &str) {
    match object.get_mut(field) {
        // What is there and is no text is replaced: it was null.
        Some(Value::String(old)) => old.push_str(text),
        _ => drop(object.insert(field.to_owned(), Value::String(text.to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_merged_goes_into_objects_and_null_takes_out() {
        let mut into = json!({ "a": { "b": 1, "c": 2 }, "d": 3, "e": [1] });
        let from = json!({ "a": { "b": null, "f": 4 }, "d": null, "e": [2] });
        merge(into.as_object_mut().unwrap(), from.as_object().unwrap());
        assert_eq!(into, json!({ "a": { "c": 2, "f": 4 }, "e": [2] }));
    }

    #[test]
    fn a_count_is_a_whole_number_that_is_not_negative() {
        let value = json!({ "a": 3, "b": 3.0, "c": -1, "d": "3", "e": 1e300, "f": 0.5 });
        let counts = ["/a", "/b", "/c", "/d", "/e", "/f", "/g"].map(|at| count_of(&value, at));
        assert_eq!(counts, [Some(3), Some(3), None, None, None, None, None]);
    }
}
