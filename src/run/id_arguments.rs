//! The ids of nodes in the arguments of calls.
//!
//! No schema says which strings are ids, but the names of arguments do: `nodeId`, `parentId`, `nodeIds`, `id`.
//! A string under any other name is words, even if it reads like an id: `1:30` is a time as well.

use serde_json::Value;

/// Deepest value that is looked at.
const DEPTH: usize = 64;

/// Whether an argument of this name holds the id of a node, or several.
pub fn is_id_key(key: &str) -> bool {
    let stem = key.strip_suffix('s').unwrap_or(key);
    stem == "id"
        || ["Id", "ID", "_id"].into_iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
}

/// Whether a schema of arguments asks for the id of a node anywhere.
pub fn schema_has_ids(schema: &Value) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return schema.get("items").is_some_and(schema_has_ids);
    };
    properties.iter().any(|(key, schema)| is_id_key(key) || schema_has_ids(schema))
}

/// The ids in arguments, in their order.
pub fn ids_in(arguments: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    gather(arguments, false, DEPTH, &mut found);
    found
}

fn gather<'a>(value: &'a Value, is_id: bool, depth: usize, found: &mut Vec<&'a str>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::String(text) if is_id => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, is_id, depth, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, field)| gather(field, is_id_key(key), depth, found));
        }
        _ => {}
    }
}

/// The arguments with every id for which `rename` gives another replaced by that; `None` if all stay.
pub fn with_ids(arguments: &Value, rename: &impl Fn(&str) -> Option<String>) -> Option<Value> {
    // Looked at first: hardly any call needs a copy.
    ids_in(arguments).into_iter().find_map(rename)?;
    let mut renamed = arguments.clone();
    replace(&mut renamed, false, DEPTH, rename);
    Some(renamed)
}

fn replace(value: &mut Value, is_id: bool, depth: usize, rename: &impl Fn(&str) -> Option<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::String(text) if is_id => {
            if let Some(other) = rename(text) {
                *text = other;
            }
        }
        Value::Array(items) => {
            for item in items {
                replace(item, is_id, depth, rename);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                replace(field, is_id_key(key), depth, rename);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ids_are_told_from_words_by_the_names_of_arguments() {
        let arguments = json!({
            "nodeId": "1:2", "text": "1:2", "nodeIds": ["1:3", "1:4"], "width": 3, "valid": "1:2",
            "changes": [{ "id": "1:5", "name": "1:5" }],
        });
        let mut found = ids_in(&arguments);
        found.sort_unstable();
        assert_eq!(found, ["1:2", "1:3", "1:4", "1:5"]);
        let renamed = with_ids(&arguments, &|id| (id == "1:2").then(|| "1:9".to_owned())).unwrap();
        assert_eq!((&renamed["nodeId"], &renamed["text"]), (&json!("1:9"), &json!("1:2")));
        assert_eq!(with_ids(&arguments, &|_| None), None);
        assert!(schema_has_ids(&json!({ "properties": { "parentId": {} } })));
        assert!(!schema_has_ids(&json!({ "properties": { "layerName": {}, "fluid": {} } })));
    }
}
