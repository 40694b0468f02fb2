//! The canvas environment as an agent meets it: calls in, outcomes and documents out.

mod by_hand;
mod combining;
mod compat;
mod creation;
mod effects;
mod graphic;
mod inverse;
mod layout;
mod operation;
mod schema;
mod sequences;
mod style;
mod transfer;
mod validity;

pub(crate) use inverse::HostileCaller;
pub(crate) use validity::{faults, validate};

use pentimento::base::{CancelToken, Rect, Size};
use pentimento::design::{Node, NodeId};
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, DefaultParent, Start};
use pentimento::environment::{Environment as _, FailureClass, ToolCall, ToolOutcome};
use serde_json::Value;

/// A screen of 393 × 852 with nothing on it.
fn blank() -> CanvasEnvironment {
    let start = Start::Blank(Size::new(393.0, 852.0));
    CanvasEnvironment::new(start, CanvasSettings::default()).unwrap()
}

/// The same, with new nodes going to the page unless told otherwise.
fn strict() -> CanvasEnvironment {
    let settings =
        CanvasSettings { default_parent: DefaultParent::Page, ..CanvasSettings::default() };
    CanvasEnvironment::new(Start::Blank(Size::new(393.0, 852.0)), settings).unwrap()
}

fn call(canvas: &mut CanvasEnvironment, name: &str, arguments: Value) -> ToolOutcome {
    canvas.call(
        &ToolCall { id: "call".to_owned(), name: name.to_owned(), arguments },
        &CancelToken::default(),
    )
}

/// The structured answer of a call that must work.
fn good(canvas: &mut CanvasEnvironment, name: &str, arguments: Value) -> Value {
    let outcome = call(canvas, name, arguments);
    assert!(!outcome.is_error(), "{name}: {}", outcome.text);
    assert!(!outcome.text.is_empty());
    outcome.structured.unwrap()
}

/// The message of a call that must fail in this way, and change nothing.
fn bad(
    canvas: &mut CanvasEnvironment,
    name: &str,
    arguments: Value,
    class: FailureClass,
) -> String {
    let before = canvas.document().clone();
    let outcome = call(canvas, name, arguments);
    let failure = outcome.failure.unwrap_or_else(|| panic!("{name} worked: {}", outcome.text));
    assert_eq!(failure.class, class, "{}", failure.message);
    assert_eq!(outcome.text, format!("Error ({name}): {}", failure.message));
    assert!(*canvas.document() == before, "a failed {name} changed the document");
    failure.message
}

fn id_of(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_owned()
}

fn node<'a>(canvas: &'a CanvasEnvironment, id: &str) -> &'a Node {
    canvas.document().get(&NodeId::from(id)).unwrap()
}

fn box_of(canvas: &CanvasEnvironment, id: &str) -> Rect {
    canvas.document().absolute_box(&NodeId::from(id)).unwrap()
}

#[track_caller]
fn assert_near(got: Rect, x: f64, y: f64, width: f64, height: f64) {
    let wanted = Rect::new(x, y, width, height);
    let off = [got.x - x, got.y - y, got.width - width, got.height - height];
    assert!(off.iter().all(|d| d.abs() < 1e-9), "{got:?} is not {wanted:?}");
}

fn main_id(canvas: &CanvasEnvironment) -> String {
    canvas.start_frame().to_string()
}

/// A rectangle; gives its id.
fn rectangle(canvas: &mut CanvasEnvironment, at: [f64; 4], parent: Option<&str>) -> String {
    let [x, y, width, height] = at;
    let mut arguments = serde_json::json!({
        "x": x, "y": y, "width": width, "height": height, "name": "Box"
    });
    if let Some(parent) = parent {
        arguments["parentId"] = Value::from(parent);
    }
    id_of(&good(canvas, "create_rectangle", arguments))
}

/// A frame; gives its id.
fn frame(canvas: &mut CanvasEnvironment, at: [f64; 4], parent: Option<&str>) -> String {
    let [x, y, width, height] = at;
    let mut arguments = serde_json::json!({
        "x": x, "y": y, "width": width, "height": height, "name": "Frame"
    });
    if let Some(parent) = parent {
        arguments["parentId"] = Value::from(parent);
    }
    id_of(&good(canvas, "create_frame", arguments))
}

/// The children of a node, by id.
fn children(canvas: &CanvasEnvironment, id: &str) -> Vec<String> {
    node(canvas, id).children.iter().map(ToString::to_string).collect()
}
