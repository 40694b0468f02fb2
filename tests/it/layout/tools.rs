//! Auto layout by the canvas's tools.

use pentimento::base::{CancelToken, Size};
use pentimento::design::{Direction, Sizing};
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use pentimento::environment::{Environment as _, ToolCall};
use serde_json::{Value, json};

fn blank() -> CanvasEnvironment {
    let start = Start::Blank(Size::new(393.0, 852.0));
    CanvasEnvironment::new(start, CanvasSettings::default()).unwrap()
}

/// The id in the structured answer of a call that must work.
fn call(canvas: &mut CanvasEnvironment, name: &str, arguments: Value) -> Option<String> {
    let call = ToolCall { id: "call".to_owned(), name: name.to_owned(), arguments };
    let outcome = canvas.call(&call, &CancelToken::default());
    assert!(!outcome.is_error(), "{name}: {}", outcome.text);
    outcome.structured?.get("id")?.as_str().map(str::to_owned)
}

fn create(canvas: &mut CanvasEnvironment, name: &str, arguments: Value) -> String {
    call(canvas, name, arguments).unwrap()
}

/// A row of 200 × 100 with 10 px of padding and spacing; with more arguments.
fn row(canvas: &mut CanvasEnvironment, parent: Option<&str>, more: &Value) -> String {
    let mut arguments = json!({
        "x": 20, "y": 30, "width": 200, "height": 100, "name": "Row",
        "layoutMode": "HORIZONTAL", "itemSpacing": 10,
    });
    if let Some(parent) = parent {
        arguments["parentId"] = json!(parent);
    }
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    create(canvas, "create_frame", arguments)
}

fn rectangle(canvas: &mut CanvasEnvironment, parent: &str) -> String {
    let arguments =
        json!({"x": 0, "y": 0, "width": 40, "height": 20, "name": "Box", "parentId": parent});
    create(canvas, "create_rectangle", arguments)
}

fn place(canvas: &CanvasEnvironment, id: &str) -> [f64; 4] {
    let at = canvas.document().absolute_box(&id.into()).unwrap();
    [at.x, at.y, at.width, at.height]
}

fn sizing(canvas: &CanvasEnvironment, id: &str) -> [Sizing; 2] {
    [Direction::Horizontal, Direction::Vertical]
        .map(|axis| canvas.document().sizing(&id.into(), axis))
}

#[test]
fn new_nodes_take_their_place_in_a_row_and_it_hugs_them() {
    let mut canvas = blank();
    let hugs = json!({"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG"});
    let row = row(&mut canvas, None, &hugs);
    assert_eq!(place(&canvas, &row), [20.0, 30.0, 200.0, 100.0]);
    let first = rectangle(&mut canvas, &row);
    let second = rectangle(&mut canvas, &row);
    assert_eq!(place(&canvas, &row), [20.0, 30.0, 110.0, 40.0]);
    assert_eq!(place(&canvas, &first), [30.0, 40.0, 40.0, 20.0]);
    assert_eq!(place(&canvas, &second), [80.0, 40.0, 40.0, 20.0]);
    call(&mut canvas, "delete_node", json!({"nodeIds": [first]}));
    assert_eq!(place(&canvas, &second)[0], 30.0);
    assert_eq!(place(&canvas, &row)[2], 60.0);
}

#[test]
fn a_row_that_is_given_a_size_no_longer_hugs_on_that_axis() {
    let mut canvas = blank();
    let hugs = json!({"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG"});
    let row = row(&mut canvas, None, &hugs);
    rectangle(&mut canvas, &row);
    call(&mut canvas, "resize_node", json!({"nodeId": row, "width": 300, "height": 40}));
    assert_eq!(place(&canvas, &row), [20.0, 30.0, 300.0, 40.0]);
    assert_eq!(sizing(&canvas, &row), [Sizing::Fixed, Sizing::Hug]);
}

#[test]
fn what_fills_and_is_given_a_size_no_longer_fills() {
    let mut canvas = blank();
    let outer = row(&mut canvas, None, &json!({}));
    let fills = json!({"layoutSizingHorizontal": "FILL", "layoutSizingVertical": "FILL"});
    let inner = row(&mut canvas, Some(&outer), &fills);
    assert_eq!(place(&canvas, &inner), [30.0, 40.0, 180.0, 80.0]);
    call(&mut canvas, "resize_node", json!({"nodeId": outer, "width": 220, "height": 100}));
    assert_eq!(place(&canvas, &inner)[2], 200.0);
    call(&mut canvas, "resize_node", json!({"nodeId": inner, "width": 50, "height": 80}));
    assert_eq!(place(&canvas, &inner), [30.0, 40.0, 50.0, 80.0]);
    assert_eq!(sizing(&canvas, &inner), [Sizing::Fixed, Sizing::Fill]);
}

#[test]
fn a_child_that_is_moved_goes_back_to_its_place() {
    let mut canvas = blank();
    let row = row(&mut canvas, None, &json!({}));
    let child = rectangle(&mut canvas, &row);
    call(&mut canvas, "move_node", json!({"nodeId": child, "x": 150, "y": 99}));
    assert_eq!(place(&canvas, &child)[..2], [30.0, 40.0]);
}
