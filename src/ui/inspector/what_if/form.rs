//! A form for the arguments of a call, made of its tool's JSON Schema; as JSON where there is none, or where
//! somebody likes that better.

use egui::{ComboBox, DragValue, Id, Key, Margin, Modifiers, TextEdit, Ui, vec2};
use serde_json::{Map, Value, json};

use crate::base::parse_json;
use crate::environment::{ArgumentError, check_arguments};
use crate::ui::inspector::parts::quiet_ui;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, add_stable, chosen_look, give_up_on_escape, rich_text, tick_ui, with_escape,
};

/// Deepest object that has fields of its own; what is deeper is JSON.
const DEPTH: usize = 6;
/// What widths and heights begin with, in units of the canvas.
const SIDE: i64 = 100;
/// Most items of a list that have fields.
const ITEMS: usize = 100;

/// The arguments as they stand in the form.
#[derive(Debug, Default)]
pub(super) struct ArgumentsForm {
    arguments: Value,
    before: Value,
    /// The text, while they are shown as JSON.
    json: Option<String>,
    /// Whether somebody likes that better than a form.
    is_json_chosen: bool,
}

impl ArgumentsForm {
    /// Begins with these arguments.
    pub(super) fn begin(&mut self, arguments: &Value) {
        self.arguments = arguments.clone();
        self.before = arguments.clone();
        // Whoever looks at JSON goes on doing so.
        if self.json.is_some() {
            self.json = Some(pretty(arguments));
        }
    }

    /// Enters what a schema asks for and is not there.
    pub(super) fn fill_required(&mut self, schema: &Value) {
        self.arguments = filled(schema, DEPTH);
        if self.json.is_some() {
            self.json = Some(pretty(&self.arguments));
        }
    }

    /// Draws the form; gives the arguments when they are to be used.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        schema: Option<&Value>,
        use_them: &str,
    ) -> Option<Value> {
        // What is no object has no fields: a model may have sent anything.
        let has_fields = schema.is_some() && self.arguments.is_object();
        if has_fields && !self.is_json_chosen {
            // There was no schema before: the tools come with the first picture.
            self.json = None;
        }
        let is_json = self.json.is_some() || !has_fields;
        let mut errors = schema.map(|it| check_arguments(it, &self.arguments)).unwrap_or_default();
        let mut broken = None;
        if is_json {
            let text = self.json.get_or_insert_with(|| pretty(&self.arguments));
            let field = TextEdit::multiline(text)
                .id(Id::unique("what_if_json"))
                .font(Type::Mono.font())
                .margin(Margin::symmetric(8, 5))
                .event_filter(with_escape())
                .desired_width(f32::INFINITY);
            let response = ui.add(field).accessible_name("Arguments as JSON");
            // Left, and not given up: there may be much of it, and *Reset* takes it back.
            let is_left = response.has_focus()
                && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            if is_left {
                response.surrender_focus();
            }
            match parse_json::<Value>(text.as_bytes()) {
                Ok(arguments) => {
                    self.arguments = arguments;
                    errors =
                        schema.map(|it| check_arguments(it, &self.arguments)).unwrap_or_default();
                }
                Err(error) => broken = Some(format!("This is no JSON: {error}")),
            }
            for error in &errors {
                ui.label(rich_text(error.to_string(), Type::Caption, tokens(ui).warn));
            }
        } else if let Some(schema) = schema {
            let at = ArgumentPlace { path: String::new(), errors: &errors, depth: DEPTH };
            object_ui(ui, &at, schema, &mut self.arguments);
        }
        if let Some(broken) = &broken {
            ui.label(rich_text(broken, Type::Caption, tokens(ui).loss));
        }
        ui.add_space(4.0);
        let mut used = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let is_new = self.arguments != self.before || use_them != "Change the call";
            // Also with errors: what the tool says of them is what one may want to see.
            let button = Button::text(use_them).look(Look::Primary);
            if button.enabled(is_new && broken.is_none()).show(ui).clicked() {
                used = Some(self.arguments.clone());
            }
            if self.arguments != self.before
                && Button::text("Reset").look(Look::Tool).show(ui).clicked()
            {
                let before = self.before.clone();
                self.begin(&before);
            }
            if has_fields && broken.is_none() {
                let tooltip = "Write the arguments as JSON instead of filling in a form.";
                if let Some(on) = tick_ui(ui, "As JSON", tooltip, self.json.is_some()) {
                    self.is_json_chosen = on;
                    self.json = on.then(|| pretty(&self.arguments));
                }
            }
        });
        used
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Where in the arguments a field is, and what is wrong with them.
struct ArgumentPlace<'a> {
    path: String,
    errors: &'a [ArgumentError],
    depth: usize,
}

impl ArgumentPlace<'_> {
    fn key(&self, key: &str) -> Self {
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        ArgumentPlace { path, errors: self.errors, depth: self.depth.saturating_sub(1) }
    }

    fn item(&self, at: usize) -> Self {
        let path = format!("{}[{at}]", self.path);
        ArgumentPlace { path, errors: self.errors, depth: self.depth.saturating_sub(1) }
    }

    fn errors_ui(&self, ui: &mut Ui) {
        for error in self.errors.iter().filter(|error| error.path == self.path) {
            ui.label(rich_text(&error.message, Type::Caption, tokens(ui).loss));
        }
    }
}

fn is_required(schema: &Value, key: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|keys| keys.iter().any(|it| it.as_str() == Some(key)))
}

/// The fields of an object: those that are there, and for each that is not a button that puts it in.
fn object_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, schema: &Value, value: &mut Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        raw_ui(ui, at, value);
        return;
    };
    let Value::Object(fields) = value else {
        *value = Value::Object(Map::new());
        return;
    };
    let mut missing = Vec::new();
    for (key, property) in properties {
        let Some(field) = fields.get_mut(key) else {
            missing.push((key, property));
            continue;
        };
        let place = at.key(key);
        let mut keep = true;
        let nested = matches!(kind_of(property), "object" | "array");
        ui.horizontal(|ui| {
            name_ui(ui, key, property);
            if !nested {
                value_ui(ui, &place, property, field);
            }
            if !is_required(schema, key) {
                let name = format!("Leave out {key}");
                let button = Button::icon(crate::ui::icons::CLOSE, &name).look(Look::Tool);
                keep = !button.height(20.0).show(ui).clicked();
            }
        });
        if nested {
            ui.indent(("what_if_field", &place.path), |ui| value_ui(ui, &place, property, field));
        }
        place.errors_ui(ui);
        if !keep {
            fields.shift_remove(key);
        }
    }
    // What the tool does not know stays until somebody takes it out: the tool says so.
    let unknown: Vec<String> =
        fields.keys().filter(|key| !properties.contains_key(*key)).cloned().collect();
    for key in unknown {
        let place = at.key(&key);
        ui.horizontal(|ui| {
            ui.label(rich_text(&key, Type::Body, tokens(ui).warn));
            if Button::text("Take it out").look(Look::Tool).height(20.0).show(ui).clicked() {
                fields.shift_remove(&key);
            }
        });
        place.errors_ui(ui);
    }
    if missing.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        for (key, property) in missing {
            let place = at.key(key);
            let words = format!("+ {key}");
            let name = format!("Put in {key}");
            let button = Button::text(&words).named(&name).look(Look::Tool).height(20.0);
            let tooltip = property.get("description").and_then(Value::as_str).unwrap_or_default();
            if button.tooltip(tooltip).show(ui).clicked() {
                fields.insert(key.clone(), filled(property, at.depth));
            }
            place.errors_ui(ui);
        }
    });
}

fn name_ui(ui: &mut Ui, key: &str, property: &Value) {
    let label = ui.label(rich_text(key, Type::Body, tokens(ui).dim));
    if let Some(words) = property.get("description").and_then(Value::as_str) {
        label.on_hover_text(words);
    }
}

fn kind_of(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// A value by its schema; one of another type is shown as JSON.
fn value_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, schema: &Value, value: &mut Value) {
    match (kind_of(schema), &mut *value) {
        ("object", Value::Object(_)) if at.depth > 0 => object_ui(ui, at, schema, value),
        // What is too deep or too long for fields is edited as JSON, and so is whatever does not fit its schema.
        ("array", Value::Array(items)) if at.depth > 0 && items.len() <= ITEMS => {
            items_ui(ui, at, schema, items);
        }
        ("string", Value::String(text)) => {
            if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
                choice_ui(ui, at, choices, text);
                return;
            }
            let before = text.clone();
            let field = TextEdit::singleline(text)
                .id(Id::unique(("what_if_text", &at.path)))
                .event_filter(with_escape())
                .desired_width((ui.available_width() - 30.0).max(60.0));
            let mut response = ui.add(field).accessible_name(&at.path);
            give_up_on_escape(ui, &mut response, text, &before);
        }
        ("boolean", Value::Bool(is_on)) => {
            let words = if *is_on { "yes" } else { "no" };
            if let Some(on) = tick_ui(ui, words, &at.path, *is_on) {
                *is_on = on;
            }
        }
        ("number" | "integer", Value::Number(_)) => number_ui(ui, at, schema, value),
        _ => raw_ui(ui, at, value),
    }
}

fn choice_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, choices: &[Value], text: &mut String) {
    let combo = ComboBox::from_id_salt(("what_if_choice", &at.path)).selected_text(text.as_str());
    let shown = combo.show_ui(ui, |ui| {
        chosen_look(ui);
        for choice in choices.iter().filter_map(Value::as_str) {
            ui.selectable_value(text, choice.to_owned(), choice);
        }
    });
    shown.response.on_hover_text(&at.path);
}

fn number_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, schema: &Value, value: &mut Value) {
    let limit =
        |key: &str, default: f64| schema.get(key).and_then(Value::as_f64).unwrap_or(default);
    let (least, most) = (limit("minimum", f64::NEG_INFINITY), limit("maximum", f64::INFINITY));
    let is_integer = kind_of(schema) == "integer";
    let mut number = value.as_f64().unwrap_or_default();
    // Channels of colours move by hundredths, places by whole units.
    let speed = if most - least <= 2.0 { 0.01 } else { 1.0 };
    let field =
        DragValue::new(&mut number).speed(speed).max_decimals(if is_integer { 0 } else { 4 });
    // Not held to its range: what a tool says of other numbers may be what is looked for.
    let response = add_stable(ui, field).accessible_name(&at.path);
    if response.changed() {
        let number = if is_integer { number.round() } else { number };
        // As short as it can be written: 12 and not 12.0.
        *value = if number.fract() == 0.0 && number.abs() < 9e15 {
            json!(number as i64)
        } else {
            json!(number)
        };
    }
}

fn items_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, schema: &Value, items: &mut Vec<Value>) {
    let none = Value::Null;
    let item_schema = schema.get("items").unwrap_or(&none);
    let mut gone = None;
    for (number, item) in items.iter_mut().enumerate() {
        let place = at.item(number);
        ui.horizontal(|ui| {
            ui.label(rich_text((number + 1).to_string(), Type::Caption, tokens(ui).dim));
            if !matches!(kind_of(item_schema), "object" | "array") {
                value_ui(ui, &place, item_schema, item);
            }
            let name = format!("Take item {} out", number + 1);
            let button = Button::icon(crate::ui::icons::CLOSE, &name).look(Look::Tool);
            if button.height(20.0).show(ui).clicked() {
                gone = Some(number);
            }
        });
        if matches!(kind_of(item_schema), "object" | "array") {
            ui.indent(("what_if_item", &place.path), |ui| value_ui(ui, &place, item_schema, item));
        }
        place.errors_ui(ui);
    }
    // After the loop: taking it out meanwhile would give its place to the next one, with its focus.
    if let Some(gone) = gone {
        items.remove(gone);
    }
    if Button::text("+ item").look(Look::Tool).height(20.0).show(ui).clicked() {
        items.push(filled(item_schema, at.depth));
    }
}

/// A value as JSON, on one line; kept as it is while what is typed is none.
fn raw_ui(ui: &mut Ui, at: &ArgumentPlace<'_>, value: &mut Value) {
    let id = Id::unique(("what_if_raw", &at.path));
    let before = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| value.to_string());
    let mut text = before.clone();
    let field = TextEdit::singleline(&mut text)
        .id(id)
        .font(Type::Mono.font())
        .event_filter(with_escape())
        .desired_width((ui.available_width() - 30.0).max(60.0));
    let mut response = ui.add(field).accessible_name(&at.path);
    give_up_on_escape(ui, &mut response, &mut text, &before);
    if response.changed() {
        match parse_json::<Value>(text.as_bytes()) {
            Ok(parsed) => *value = parsed,
            Err(_) => quiet_ui(ui, "no JSON yet"),
        }
        ui.data_mut(|data| data.insert_temp(id, text));
    } else if !response.has_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
    }
}

/// The least value that a schema takes, with everything that it asks for.
fn filled(schema: &Value, depth: usize) -> Value {
    if let Some(first) = schema.get("enum").and_then(|words| words.get(0)) {
        return first.clone();
    }
    match kind_of(schema) {
        "string" => json!(""),
        "boolean" => json!(false),
        "number" | "integer" => {
            let least = schema.get("minimum").and_then(Value::as_f64).unwrap_or(0.0).max(0.0);
            json!(least.ceil() as i64)
        }
        "array" => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(16);
            let none = Value::Null;
            let item = schema.get("items").unwrap_or(&none);
            (0..least).map(|_| filled(item, depth.saturating_sub(1))).collect()
        }
        "object" => {
            let mut fields = Map::new();
            let properties = schema.get("properties").and_then(Value::as_object);
            for (key, property) in properties.into_iter().flatten().filter(|_| depth > 0) {
                if is_required(schema, key) {
                    let is_side = matches!(key.as_str(), "width" | "height");
                    // Nothing is drawn without an extent, which no schema says.
                    let value = match kind_of(property) {
                        "number" | "integer" if is_side => json!(SIDE),
                        _ => filled(property, depth - 1),
                    };
                    fields.insert(key.clone(), value);
                }
            }
            Value::Object(fields)
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment as _;
    use crate::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};

    #[test]
    fn what_a_tool_asks_for_is_filled_in_of_the_right_types() {
        let start = Start::Blank(crate::base::Size::new(100.0, 100.0));
        let canvas = CanvasEnvironment::new(start, CanvasSettings::default()).unwrap();
        for tool in canvas.tools() {
            let arguments = filled(&tool.schema, DEPTH);
            let errors = check_arguments(&tool.schema, &arguments);
            assert!(errors.is_empty(), "{} {arguments}: {errors:?}", tool.name);
        }
    }
}
