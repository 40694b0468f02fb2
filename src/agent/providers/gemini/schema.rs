//! JSON Schema as Gemini takes it: a part of OpenAPI 3.0 (ai.google.dev/api/caching#Schema).
//!
//! What Gemini has no word for is translated where another word says the same, told in the
//! description where the model ought to know, and left out otherwise: the tools check their
//! arguments anyway.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use crate::agent::providers::json::merge;

/// Deepest nesting of schemas; what is deeper is left out. References may go in circles.
const DEPTH: usize = 32;
/// Most schemas in one; the rest is left out. References may multiply.
const SCHEMAS: usize = 20_000;
/// Fields that Gemini takes as they are.
const AS_THEY_ARE: [&str; 14] = [
    "title",
    "description",
    "nullable",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "pattern",
    "default",
    "example",
];
/// Formats that Gemini knows.
const FORMATS: [&str; 6] = ["float", "double", "int32", "int64", "enum", "date-time"];

/// The schema of a tool's arguments as Gemini takes it; `None` where there are no arguments, for which
/// it has no schema.
pub(super) fn gemini_schema(schema: &Value) -> Option<Value> {
    let translated = Translation { root: schema, left: Cell::new(SCHEMAS) }.schema(schema, DEPTH);
    let has_some = translated.get("properties").and_then(Value::as_object);
    has_some.is_some_and(|properties| !properties.is_empty()).then_some(translated)
}

struct Translation<'a> {
    root: &'a Value,
    /// How many schemas may still be written.
    left: Cell<usize>,
}

impl Translation<'_> {
    fn schema(&self, schema: &Value, depth: usize) -> Value {
        // Depth and number are both bounded: a schema may refer to itself, several times at every level.
        let left = self.left.get().checked_sub(1);
        let (Some(depth), Some(left)) = (depth.checked_sub(1), left) else { return json!({}) };
        self.left.set(left);
        let Value::Object(fields) = schema else { return json!({}) };
        if let Some(target) = self.target(fields) {
            // What stands beside a reference counts too, since draft 2019-09, and wins.
            let mut merged = target.as_object().cloned().unwrap_or_default();
            let beside = fields.iter().filter(|(name, _)| *name != "$ref");
            merged.extend(beside.map(|(name, value)| (name.clone(), value.clone())));
            return self.schema(&Value::Object(merged), depth);
        }
        let fields = with_all_of(fields);
        let mut out = Map::new();
        for name in AS_THEY_ARE {
            if let Some(value) = fields.get(name) {
                out.insert(name.to_owned(), value.clone());
            }
        }
        types(&fields, &mut out);
        if let Some(format) = fields.get("format").and_then(Value::as_str)
            && FORMATS.contains(&format)
        {
            out.insert("format".to_owned(), json!(format));
        }
        choices(&fields, &mut out);
        bounds(&fields, &mut out);
        self.children(&fields, &mut out, depth);
        Value::Object(out)
    }

    /// What a reference within the schema means.
    fn target(&self, fields: &Map<String, Value>) -> Option<Value> {
        let reference = fields.get("$ref")?.as_str()?;
        let pointer = reference.strip_prefix('#')?;
        Some(self.root.pointer(pointer).cloned().unwrap_or_else(|| json!({})))
    }

    fn children(&self, fields: &Map<String, Value>, out: &mut Map<String, Value>, depth: usize) {
        if let Some(Value::Object(properties)) = fields.get("properties") {
            let translated = properties
                .iter()
                .map(|(name, schema)| (name.clone(), self.schema(schema, depth)))
                .collect::<Map<_, _>>();
            let names: Vec<&String> = properties.keys().collect();
            if !translated.is_empty() {
                // Gemini writes arguments in the order of their names unless it is told another.
                out.insert("propertyOrdering".to_owned(), json!(names));
                let required = fields.get("required").and_then(Value::as_array);
                // A name that is no property, which JSON Schema allows, is an error to Gemini.
                let required: Vec<&str> = required
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .filter(|name| properties.contains_key(*name))
                    .collect();
                if !required.is_empty() {
                    out.insert("required".to_owned(), json!(required));
                }
                out.insert("properties".to_owned(), Value::Object(translated));
            }
        }
        let tuple = fields.get("prefixItems").filter(|items| items.is_array());
        match (fields.get("items"), tuple) {
            (_, Some(Value::Array(tuple))) => {
                // Gemini knows no places in a list: each item may be what any place may.
                out.insert("items".to_owned(), self.any_of(tuple, depth));
            }
            (Some(items @ Value::Object(_)), _) => {
                out.insert("items".to_owned(), self.schema(items, depth));
            }
            // A list of which nothing is said: Gemini wants something said of it.
            _ if out.get("type") == Some(&json!("array")) => {
                out.insert("items".to_owned(), json!({}));
            }
            _ => {}
        }
        let either = fields.get("anyOf").or_else(|| fields.get("oneOf")).and_then(Value::as_array);
        if let Some(either) = either.filter(|either| !either.is_empty()) {
            self.either(either, out, depth);
        }
    }

    /// One of several schemas. That one of them is `null` Gemini says in another way.
    fn either(&self, either: &[Value], out: &mut Map<String, Value>, depth: usize) {
        let others: Vec<Value> =
            either.iter().filter(|schema| schema["type"] != "null").cloned().collect();
        // A schema of Gemini's can be `nullable`, and none can be of the type `null`.
        if others.len() < either.len() {
            out.insert("nullable".to_owned(), json!(true));
        }
        if let Value::Object(translated) = self.any_of(&others, depth) {
            for (name, value) in translated {
                out.entry(name).or_insert(value);
            }
        }
    }

    /// Any of several schemas; the only one as it is.
    fn any_of(&self, schemas: &[Value], depth: usize) -> Value {
        let mut translated: Vec<Value> = Vec::new();
        for schema in schemas {
            let schema = self.schema(schema, depth);
            if !translated.contains(&schema) {
                translated.push(schema);
            }
        }
        match translated.len() {
            0 => json!({}),
            1 => translated.swap_remove(0),
            _ => json!({ "anyOf": translated }),
        }
    }
}

/// The fields with those of `allOf` beside them.
fn with_all_of(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut all = Map::new();
    let parts = fields.get("allOf").and_then(Value::as_array);
    for part in parts.into_iter().flatten().filter_map(Value::as_object) {
        merge(&mut all, part);
    }
    for (name, value) in fields.iter().filter(|(name, _)| *name != "allOf") {
        match (all.get_mut(name), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            // All that any part requires is required.
            (Some(Value::Array(old)), Value::Array(new)) if name == "required" => {
                old.extend(new.iter().cloned());
            }
            _ => drop(all.insert(name.clone(), value.clone())),
        }
    }
    all
}

/// The type; several of them are several schemas to Gemini.
fn types(fields: &Map<String, Value>, out: &mut Map<String, Value>) {
    match fields.get("type") {
        Some(Value::String(one)) => drop(out.insert("type".to_owned(), json!(one))),
        Some(Value::Array(several)) => {
            let others: Vec<&Value> = several.iter().filter(|one| *one != "null").collect();
            if others.len() < several.len() {
                out.insert("nullable".to_owned(), json!(true));
            }
            if let [one] = others.as_slice() {
                out.insert("type".to_owned(), (*one).clone());
            } else if !others.is_empty() {
                let schemas: Vec<Value> = others.iter().map(|one| json!({ "type": one })).collect();
                out.insert("anyOf".to_owned(), json!(schemas));
            }
        }
        // JSON Schema lets the type be left out, Gemini does not.
        _ if fields.contains_key("properties") => {
            drop(out.insert("type".to_owned(), json!("object")));
        }
        _ => {}
    }
}

/// `enum` and `const`: of texts Gemini takes them, of anything else the description tells.
fn choices(fields: &Map<String, Value>, out: &mut Map<String, Value>) {
    let only = fields.get("const").map(|only| vec![only.clone()]);
    let choices = only.or_else(|| fields.get("enum").and_then(Value::as_array).cloned());
    let Some(choices) = choices else { return };
    let texts: Vec<&Value> = choices.iter().filter(|choice| choice.is_string()).collect();
    if texts.len() == choices.len() {
        out.entry("type").or_insert_with(|| json!("string"));
        out.insert("enum".to_owned(), json!(choices));
        return;
    }
    let words: Vec<String> = choices.iter().map(Value::to_string).collect();
    describe(out, &format!("One of {}.", words.join(", ")));
}

/// Bounds that are not reached: of whole numbers the next one is, of others the description tells.
fn bounds(fields: &Map<String, Value>, out: &mut Map<String, Value>) {
    let whole = fields.get("type").and_then(Value::as_str) == Some("integer");
    let sides =
        [("exclusiveMinimum", "minimum", 1, "More"), ("exclusiveMaximum", "maximum", -1, "Less")];
    for (exclusive, inclusive, step, word) in sides {
        let Some(bound) = fields.get(exclusive).filter(|bound| bound.is_number()) else { continue };
        match bound.as_i64().and_then(|bound| bound.checked_add(step)) {
            // More than 0 is at least 1 of whole numbers.
            Some(next) if whole => drop(out.insert(inclusive.to_owned(), json!(next))),
            _ => {
                out.insert(inclusive.to_owned(), bound.clone());
                describe(out, &format!("{word} than {bound}."));
            }
        }
    }
    if let Some(step) = fields.get("multipleOf").filter(|step| step.is_number()) {
        describe(out, &format!("A multiple of {step}."));
    }
    if fields.get("uniqueItems") == Some(&json!(true)) {
        describe(out, "No item twice.");
    }
}

/// Adds a sentence to the description.
fn describe(out: &mut Map<String, Value>, sentence: &str) {
    let before = out.get("description").and_then(Value::as_str).unwrap_or_default();
    let gap = if before.is_empty() { "" } else { " " };
    out.insert("description".to_owned(), json!(format!("{before}{gap}{sentence}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(schema: &Value) -> Value {
        let whole = json!({ "type": "object", "properties": { "a": schema } });
        gemini_schema(&whole).unwrap()["properties"]["a"].clone()
    }

    #[test]
    fn words_that_gemini_lacks_are_translated_told_or_left_out() {
        let cases = [
            (
                json!({ "type": "integer", "exclusiveMinimum": 0 }),
                json!({ "type": "integer", "minimum": 1 }),
            ),
            (
                json!({ "type": "number", "exclusiveMaximum": 1.5, "description": "A." }),
                json!({ "description": "A. Less than 1.5.", "type": "number", "maximum": 1.5 }),
            ),
            (json!({ "type": ["string", "null"] }), json!({ "nullable": true, "type": "string" })),
            (
                json!({ "type": ["string", "number"] }),
                json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
            ),
            (json!({ "const": "a" }), json!({ "type": "string", "enum": ["a"] })),
            (
                json!({ "type": "integer", "enum": [1, 2] }),
                json!({ "type": "integer", "description": "One of 1, 2." }),
            ),
            (
                json!({ "oneOf": [{ "type": "string" }, { "type": "null" }], "default": null }),
                json!({ "default": null, "nullable": true, "type": "string" }),
            ),
            (
                json!({ "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }] }),
                json!({ "type": "array", "items": { "type": "number" } }),
            ),
            (json!({ "type": "string", "format": "uri" }), json!({ "type": "string" })),
            (json!({ "type": "array" }), json!({ "type": "array", "items": {} })),
            (
                json!({ "allOf": [{ "type": "number", "minimum": 0 }], "title": "T" }),
                json!({ "title": "T", "minimum": 0, "type": "number" }),
            ),
        ];
        for (schema, expected) in cases {
            assert_eq!(translated(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn references_are_what_they_mean_and_circles_end() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "required": ["node", "gone"],
            "properties": { "node": { "$ref": "#/$defs/Node" } },
            "$defs": {
                "Node": {
                    "type": "object",
                    "properties": { "name": { "type": "string" }, "next": { "$ref": "#/$defs/Node" } },
                },
            },
        });
        let translated = gemini_schema(&schema).unwrap();
        assert_eq!(translated["required"], json!(["node"]));
        assert_eq!(translated["properties"]["node"]["properties"]["name"]["type"], "string");
        let text = translated.to_string();
        for left in ["$ref", "$defs", "$schema", "additionalProperties"] {
            assert!(!text.contains(left), "{left}");
        }
    }

    #[test]
    fn references_that_multiply_do_not_explode() {
        // Each name stands for ten of the next; 10^16 schemas would come of it.
        let mut defs = Map::new();
        for level in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            let ten: Map<String, Value> =
                (0..10).map(|n| (format!("p{n}"), next.clone())).collect();
            defs.insert(format!("d{level}"), json!({ "properties": ten }));
        }
        let schema = json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs });
        assert!(gemini_schema(&schema).is_some());
    }

    #[test]
    fn a_tool_without_arguments_has_no_schema() {
        assert_eq!(gemini_schema(&json!({ "type": "object", "properties": {} })), None);
        assert_eq!(gemini_schema(&json!({ "type": "object" })), None);
        assert_eq!(gemini_schema(&json!(true)), None);
    }
}
