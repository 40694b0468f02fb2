//! The arguments of a call, as a table where they are flat and as JSON where they are not.

use egui::text::{LayoutJob, TextFormat};
use egui::{Label, Ui};
use serde_json::Value;

use crate::base::Rgba;
use crate::environment::ToolCall;
use crate::ui::theme::{Tokens, Type, swatch_color, tokens};
use crate::workbench::protocol::NodeBox;

/// A longer value is cut; copying gives all of it.
const LONG: usize = 240;
/// More lines than this are cut; copying gives all of them.
const LINES: usize = 60;

/// Draws the arguments: names at the left, values at one indent, names of nodes beside their ids.
pub(super) fn arguments_ui(ui: &mut Ui, arguments: &Value, nodes: &[NodeBox]) {
    let tokens = tokens(ui);
    // A model may send anything; what is no object is shown as it came.
    let Value::Object(fields) = arguments else {
        let words = egui::RichText::new(pretty(arguments)).font(Type::Mono.font());
        ui.add(Label::new(words.color(tokens.text)).wrap().selectable(true));
        return;
    };
    // One long name must not push all values out of the panel.
    let widest = fields.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(18);
    for (name, value) in fields.iter().take(LINES) {
        ui.add_space(3.0);
        let job = line(tokens, name, value, widest, nodes);
        ui.add(Label::new(job).wrap().selectable(true));
    }
    if fields.len() > LINES {
        let words = format!("and {} more", fields.len() - LINES);
        ui.label(egui::RichText::new(words).color(tokens.dim));
    }
}

fn line(tokens: &Tokens, name: &str, value: &Value, widest: usize, nodes: &[NodeBox]) -> LayoutJob {
    let dim = TextFormat::simple(Type::Mono.font(), tokens.dim);
    let plain = TextFormat { color: tokens.text, ..dim.clone() };
    let mut job = LayoutJob::default();
    // Padded to the widest name: the letters of the font are all of one width.
    job.append(&format!("{name:<widest$}  "), 0.0, dim);
    if let Some(color) = as_color(value) {
        let swatch = TextFormat { color: swatch_color(color.to_u8()), ..plain.clone() };
        job.append("■ ", 0.0, swatch);
        job.append(&color.to_hex(), 0.0, plain);
        return job;
    }
    job.append(&short(value), 0.0, plain);
    if let Some(node) = named_node(name, value, nodes) {
        let caption = TextFormat::simple(Type::Caption.font(), tokens.dim);
        job.append(&format!("  {node}"), 0.0, caption);
    }
    job
}

/// A colour as tools take it: red, green, blue and perhaps alpha, each in 0..=1.
fn as_color(value: &Value) -> Option<Rgba> {
    // Three or four fields and no other: a gradient stop holds a colour and is none.
    let fields = value.as_object().filter(|fields| (3..=4).contains(&fields.len()))?;
    let alpha = if fields.len() == 4 { fields.get("a")?.as_f64()? } else { 1.0 };
    let [r, g, b] = ["r", "g", "b"].map(|name| fields.get(name).and_then(Value::as_f64));
    Some(Rgba::new(r?, g?, b?, alpha))
}

/// The name of the node that an id argument names.
fn named_node<'a>(name: &str, value: &Value, nodes: &'a [NodeBox]) -> Option<&'a str> {
    // Tools call their ids nodeId, parentId, id: what ends so and is a known id is one.
    let id = value.as_str().filter(|_| name.to_lowercase().ends_with("id"))?;
    nodes.iter().find(|node| node.id == id).map(|node| node.name.as_str())
}

/// A value in a line or, if it has structure, in a few.
fn short(value: &Value) -> String {
    let flat = value.to_string();
    // A text is never broken into lines of JSON, however long it is.
    if flat.chars().count() <= 48 || !(value.is_object() || value.is_array()) {
        return cut(&flat, LONG);
    }
    // Below its name, one step in.
    format!("\n  {}", pretty(value).replace('\n', "\n  "))
}

fn cut(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let start: String = text.chars().take(limit).collect();
    format!("{start}… ({count} characters)")
}

/// JSON over several lines, cut where it gets long.
pub(super) fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string());
    let mut lines: Vec<String> = text.lines().take(LINES).map(|line| cut(line, LONG)).collect();
    let all = text.lines().count();
    if all > LINES {
        lines.push(format!("… {} more lines", all - LINES));
    }
    lines.join("\n")
}

/// The whole call, for the clipboard.
pub(super) fn as_json(call: &ToolCall) -> String {
    let value = serde_json::json!({ "name": call.name, "arguments": call.arguments });
    serde_json::to_string_pretty(&value).unwrap_or_else(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_are_cut_on_letters_and_say_how_long_they_are() {
        let text = cut(&"ä".repeat(300), 10);
        assert_eq!(text, format!("{}… (300 characters)", "ä".repeat(10)));
        assert!(pretty(&json!((0..500).collect::<Vec<_>>())).ends_with("more lines"));
    }

    #[test]
    fn a_colour_is_shown_as_one() {
        let color = as_color(&json!({"r": 1, "g": 0.5, "b": 0, "a": 1})).unwrap();
        assert_eq!(color.to_hex(), "#FF8000");
        assert_eq!(as_color(&json!({"r": 1, "g": 0.5, "x": 0})), None);
        assert_eq!(as_color(&json!([1, 0, 0])), None);
    }

    #[test]
    fn short_structures_stay_on_their_line() {
        assert_eq!(short(&json!({"r": 1, "g": 0})), r#"{"r":1,"g":0}"#);
        assert!(short(&json!({"a": "x".repeat(60), "b": 1})).contains('\n'));
    }
}
