//! A typed builder of the schemas.

use serde_json::{Map, Number, Value, json};

/// A JSON Schema in the making.
#[derive(Clone, Debug)]
pub(crate) struct Schema(Map<String, Value>);

/// A property of an object.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    name: &'static str,
    schema: Schema,
    is_required: bool,
}

/// A property that must be there.
pub(crate) fn required(name: &'static str, schema: Schema) -> Property {
    Property { name, schema, is_required: true }
}

/// A property that may be left out.
pub(crate) fn optional(name: &'static str, schema: Schema) -> Property {
    Property { name, schema, is_required: false }
}

/// Any number.
pub(crate) fn number() -> Schema {
    Schema::of_type("number")
}

/// Any whole number.
pub(crate) fn integer() -> Schema {
    Schema::of_type("integer")
}

/// Any text.
pub(crate) fn string() -> Schema {
    Schema::of_type("string")
}

/// True or false.
pub(crate) fn boolean() -> Schema {
    Schema::of_type("boolean")
}

/// One of these words.
pub(crate) fn one_of(words: &[&str]) -> Schema {
    string().with("enum", json!(words))
}

/// A list of this.
pub(crate) fn array(items: Schema) -> Schema {
    Schema::of_type("array").with("items", items.into_value())
}

/// An object of exactly these properties.
pub(crate) fn object(properties: impl IntoIterator<Item = Property>) -> Schema {
    let (mut fields, mut required) = (Map::new(), Vec::new());
    for property in properties {
        if property.is_required {
            required.push(Value::from(property.name));
        }
        fields.insert(property.name.to_owned(), property.schema.into_value());
    }
    let mut schema = Schema::of_type("object").with("properties", Value::Object(fields));
    if !required.is_empty() {
        schema = schema.with("required", Value::Array(required));
    }
    // Providers with strict schemas ask for it, and a misspelt argument is found.
    schema.with("additionalProperties", Value::Bool(false))
}

impl Schema {
    fn of_type(name: &str) -> Self {
        Self(Map::new()).with("type", Value::from(name))
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.to_owned(), value);
        self
    }

    /// At least this.
    pub(crate) fn min(self, bound: f64) -> Self {
        self.with("minimum", shortest(bound))
    }

    /// At most this.
    pub(crate) fn max(self, bound: f64) -> Self {
        self.with("maximum", shortest(bound))
    }

    /// At least this many items.
    pub(crate) fn min_items(self, count: usize) -> Self {
        self.with("minItems", Value::from(count))
    }

    /// At most this many items.
    pub(crate) fn max_items(self, count: usize) -> Self {
        self.with("maxItems", Value::from(count))
    }

    /// The schema as JSON.
    pub(crate) fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}

/// A JSON number written as an integer wherever it is one: `0`, not `0.0`.
pub(crate) fn shortest(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: every integer below is exact
    if value.fract() == 0.0 && value.abs() < EXACT {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_lists_what_it_requires_and_closes_itself() {
        let schema = object([required("x", number().min(0.0)), optional("name", string())]);
        assert_eq!(
            schema.into_value(),
            json!({
                "type": "object",
                "properties": {"x": {"type": "number", "minimum": 0}, "name": {"type": "string"}},
                "required": ["x"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn an_object_without_required_properties_has_no_empty_list() {
        assert!(object([]).into_value().get("required").is_none());
    }

    #[test]
    fn bounds_are_written_as_short_as_they_are() {
        assert_eq!(shortest(1.0), json!(1));
        assert_eq!(shortest(0.1), json!(0.1));
        assert_eq!(shortest(-0.0), json!(0));
    }
}
