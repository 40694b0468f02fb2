//! JSON values read with a default and a note, and written back without touching what still holds.

use serde_json::{Map, Number, Value};

use crate::base::{Limits, Point, Rgba};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Two numbers nearer than this are the same number: what is left of arithmetic on coordinates up
/// to [`Limits::COORDINATE`]. Far below what Figma's `f32` coordinates can tell apart.
pub(super) const TOLERANCE: f64 = 1e-5;

/// How many notes are kept of one document; a hostile file could make millions.
const MOST_NOTES: usize = 1000;

/// What was odd, for people.
#[derive(Debug, Default)]
pub(super) struct Notes {
    subject: String,
    list: Vec<String>,
    left_out: usize,
}

impl Notes {
    /// The notes that follow are about this node.
    pub(super) fn about(&mut self, subject: &str) {
        subject.clone_into(&mut self.subject);
    }

    /// Notes that something was read with a replacement.
    pub(super) fn add(&mut self, message: impl std::fmt::Display) {
        // Counted on, so that people hear how much was odd.
        if self.list.len() < MOST_NOTES {
            self.list.push(format!("{}: {message}", self.subject));
        } else {
            self.left_out += 1;
        }
    }

    /// All notes, with the number of those left out.
    pub(super) fn into_list(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.list.push(format!("… and {} more", self.left_out));
        }
        self.list
    }
}

/// Values of Figma's enumerations by name.
pub(super) type Names<T> = [(&'static str, T)];

/// The name of a value; the first entry's if the table lacks it.
pub(super) fn name_of<T: PartialEq>(names: &'static Names<T>, value: &T) -> &'static str {
    names.iter().find(|(_, v)| v == value).or(names.first()).map_or("", |(name, _)| name)
}

/// A named value; `default` if absent, or unknown, which is noted.
pub(super) fn named<T: Copy>(
    object: &Object,
    key: &str,
    names: &'static Names<T>,
    default: T,
    notes: &mut Notes,
) -> T {
    let Some(text) = string(object, key, notes) else { return default };
    // An unknown word stays in the source, and is written back while nobody sets the field.
    let known = names.iter().find(|(name, _)| *name == text);
    if known.is_none() {
        notes.add(format_args!("{key} has the unknown value {text:?}"));
    }
    known.map_or(default, |(_, value)| *value)
}

/// A string, if present; anything else but null is noted.
pub(super) fn string<'a>(object: &'a Object, key: &str, notes: &mut Notes) -> Option<&'a str> {
    let value = present(object, key)?;
    // Noted and read as absent: one odd field does not cost the node.
    if !value.is_string() {
        notes.add(format_args!("{key} is not a string"));
    }
    value.as_str()
}

/// A boolean; `default` if absent or something else, which is noted.
pub(super) fn boolean(object: &Object, key: &str, default: bool, notes: &mut Notes) -> bool {
    let Some(value) = present(object, key) else { return default };
    if !value.is_boolean() {
        notes.add(format_args!("{key} is neither true nor false"));
    }
    value.as_bool().unwrap_or(default)
}

/// A number within `min..=max`, if present; anything else but null is noted.
pub(super) fn number(
    object: &Object,
    key: &str,
    (min, max): (f64, f64),
    notes: &mut Notes,
) -> Option<f64> {
    let value = present(object, key)?;
    let number = value.as_f64().filter(|number| (min..=max).contains(number));
    if number.is_none() {
        notes.add(format_args!("{key} is not a number between {min} and {max}"));
    }
    number
}

/// A number of pixels of either sign.
pub(super) const ANY: (f64, f64) = (-Limits::COORDINATE, Limits::COORDINATE);
/// An extent in pixels.
pub(super) const EXTENT: (f64, f64) = (0.0, Limits::COORDINATE);
/// A share.
pub(super) const UNIT: (f64, f64) = (0.0, 1.0);

/// A list; empty if absent, or something else but null, which is noted.
pub(super) fn list<'a>(object: &'a Object, key: &str, notes: &mut Notes) -> &'a [Value] {
    let Some(value) = present(object, key) else { return &[] };
    if !value.is_array() {
        notes.add(format_args!("{key} is not a list"));
    }
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The value of a key, unless absent or null.
pub(super) fn present<'a>(object: &'a Object, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|value| !value.is_null())
}

/// A point `{x, y}` of finite numbers in range.
pub(super) fn point(value: &Value) -> Option<Point> {
    Some(Point::new(coordinate(value.get("x")?)?, coordinate(value.get("y")?)?))
}

fn coordinate(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| (ANY.0..=ANY.1).contains(number))
}

/// A number of pixels of at least 0 and in range.
pub(super) fn extent(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| (EXTENT.0..=EXTENT.1).contains(number))
}

/// The rows of a 2 × 3 matrix of numbers in range.
pub(super) fn rows(value: &Value) -> Option<[[f64; 3]; 2]> {
    let mut rows = [[0.0; 3]; 2];
    for (row, numbers) in rows.iter_mut().enumerate() {
        for (column, number) in numbers.iter_mut().enumerate() {
            *number = coordinate(value.get(row)?.get(column)?)?;
        }
    }
    Some(rows)
}

/// A colour `{r, g, b, a}`; alpha may be absent. Channels are clamped.
pub(super) fn color(value: &Value) -> Option<Rgba> {
    let [r, g, b, a] = ["r", "g", "b", "a"].map(|key| value.get(key).and_then(Value::as_f64));
    Some(Rgba::new(r?, g?, b?, a.unwrap_or(1.0)))
}

/// A number as JSON: whole numbers without a fraction, as JavaScript writes them.
pub(super) fn json_number(value: f64) -> Value {
    // Beyond 2⁵³ not every whole number has a double of its own.
    if value.fract() == 0.0 && value.abs() < 2f64.powi(53) {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// Whether two numbers are the same but for rounding.
pub(super) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE
}

/// Sets a value, keeping the key's place if it is there.
pub(super) fn put(object: &mut Object, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

/// Sets a number, unless the one there is the same but for what is left of arithmetic (closer than
/// [`TOLERANCE`], so that what is kept here is still the same place there).
pub(super) fn put_number(object: &mut Object, key: &str, value: f64) {
    // Or the digits of a file would change because a node was moved there and back.
    let same = object
        .get(key)
        .and_then(Value::as_f64)
        .is_some_and(|there| (there - value).abs() <= TOLERANCE * 1e-2);
    if !same {
        put(object, key, json_number(value));
    }
}

/// Sets a value, or takes the key out where the value is the default.
pub(super) fn put_unless(
    object: &mut Object,
    key: &str,
    is_default: bool,
    value: impl Into<Value>,
) {
    if is_default {
        object.shift_remove(key);
    } else {
        put(object, key, value);
    }
}

/// Sets `{x, y}`-like numbers inside the object at `key`.
pub(super) fn put_numbers(object: &mut Object, key: &str, numbers: &[(&str, f64)]) {
    // Over what is there: keys that are not ours stay.
    let mut inner = object.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    for (key, value) in numbers {
        put_number(&mut inner, key, *value);
    }
    put(object, key, inner);
}

/// A colour as JSON.
pub(super) fn json_color(color: Rgba) -> Value {
    let channels = [("r", color.r), ("g", color.g), ("b", color.b), ("a", color.a)];
    channels.into_iter().map(|(key, value)| (key.to_owned(), json_number(value))).collect()
}

/// A 2 × 3 matrix as JSON.
pub(super) fn json_rows(rows: [[f64; 3]; 2]) -> Value {
    rows.iter().map(|row| row.iter().copied().map(json_number).collect::<Value>()).collect()
}
