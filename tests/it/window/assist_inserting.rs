//! What is put into a design lies in the middle of what is seen of it, in the frame that lies there.

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::base::{Point, Size};
use pentimento::design::{Document, NodeKind};
use pentimento::workbench::{Browse, Command, State};

use super::assist::{desk, opened_state, shape};
use super::harness::{Host, window};

/// The middle of all that is seen.
const MIDDLE: Point = Point { x: 650.0, y: 150.0 };
/// A red picture of 8 × 6 pixels.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAYAAAD+Bd/7AAAAEklEQVR42mM4ISf3Hx9mGAoKAEspYJGb6KMsAAAAAElFTkSuQmCC";

/// A page with three frames in a row, of which the first is the screen, and a component between the first two.
fn three_frames() -> State {
    let white = [1.0; 3];
    let frame =
        |id: &str, x: f64| shape(id, NodeKind::Frame, Some("Page"), [x, 0.0, 300.0, 300.0], white);
    let document = Document::from_nodes([
        shape("Page", NodeKind::Canvas, None, [0.0; 4], white),
        frame("screen", 0.0),
        shape(
            "Star",
            NodeKind::Component,
            Some("Page"),
            [390.0, 20.0, 20.0, 20.0],
            [0.9, 0.7, 0.1],
        ),
        frame("middle", 500.0),
        frame("last", 1_000.0),
    ]);
    opened_state("frames", Size::new(300.0, 300.0), document.unwrap())
}

fn is_in_the_middle(at: Point) -> bool {
    (at.x - MIDDLE.x).abs() <= 2.0 && (at.y - MIDDLE.y).abs() <= 2.0
}

/// What was put in is selected, alone; then nothing is.
fn assert_inserted(harness: &mut Harness<'_, Host>, what: &str) {
    let editor = &desk(&harness.state().state).editor;
    let inserted = editor.selection().only().unwrap_or_else(|| panic!("{what} is not selected"));
    let document = editor.document();
    assert_eq!(document.get(inserted).unwrap().parent, Some("middle".into()), "{what}");
    let at = document.absolute_box(inserted).unwrap();
    assert!(is_in_the_middle(at.center()), "{what}: {at:?}");
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(desk(&harness.state().state).editor.selection().nodes.is_empty(), "{what}");
}

#[test]
fn what_is_pasted_placed_or_made_of_a_component_goes_where_one_looks() {
    let mut harness = window(three_frames(), [1440.0, 900.0]);
    harness.run_steps(2);
    let far = r#"{"document": {"id": "1:1", "name": "Far", "type": "FRAME",
        "absoluteBoundingBox": {"x": 9000, "y": 9000, "width": 40, "height": 20}}}"#;
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
        <rect width="40" height="20" fill="#224466"/></svg>"##;
    for (what, text) in [("JSON", far), ("SVG", svg), ("a picture", PICTURE)] {
        harness.event(Event::Paste(text.to_owned()));
        harness.run_steps(2);
        assert_inserted(&mut harness, what);
    }
    harness.key_press_modifiers(Modifiers::ALT, Key::Num2);
    harness.run_steps(3);
    harness.get_by_label_contains("Star, ").click();
    harness.run_steps(3);
    assert_inserted(&mut harness, "an instance");
    // A picture that is chosen from a file, which the application asks for.
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::K);
    harness.run_steps(2);
    let asked = harness.state().sent.iter().find_map(|command| match command {
        Command::Browse(Browse::PlacePicture(at)) => Some(*at),
        _ => None,
    });
    assert!(asked.is_some_and(is_in_the_middle), "{asked:?}");
}
