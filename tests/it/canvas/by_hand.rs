//! The tool for what people do by hand: not among those of agents, exact, and refused where it is not allowed.

use pentimento::base::{CancelToken, Size};
use pentimento::environment::canvas::{
    APPLY_EDIT, CanvasEnvironment, CanvasSettings, HandTools, Start, apply_edit_call, category_of,
};
use pentimento::environment::{Environment as _, FailureClass, ToolCategory};
use serde_json::json;

use super::{blank, call, good};

fn by_hand() -> CanvasEnvironment {
    let settings = CanvasSettings { hands: HandTools::Allowed, ..CanvasSettings::default() };
    CanvasEnvironment::new(Start::Blank(Size::new(393.0, 852.0)), settings).unwrap()
}

#[test]
fn no_agent_is_told_of_it_and_a_canvas_of_agents_refuses_it() {
    for canvas in [blank(), by_hand()] {
        assert_eq!(canvas.tools().len(), 50);
        assert!(canvas.tools().iter().all(|tool| tool.name != APPLY_EDIT));
    }
    assert_eq!(category_of(APPLY_EDIT), Some(ToolCategory::Operation));
    let mut canvas = blank();
    let before = canvas.document().clone();
    let outcome = call(&mut canvas, APPLY_EDIT, json!({"removed": ["1:1"]}));
    assert_eq!(outcome.failure.map(|failure| failure.class), Some(FailureClass::UnknownTool));
    assert_eq!(canvas.document(), &before);
}

#[test]
fn what_other_tools_did_is_done_again_by_it_byte_for_byte() {
    let mut agent = blank();
    let mut hands = by_hand();
    let rectangle = json!({"x": 16.5, "y": 60, "width": 361.1, "height": 48, "name": "Search"});
    let id = good(&mut agent, "create_rectangle", rectangle)["id"].clone();
    let text = json!({"x": 20, "y": 70, "width": 100, "height": 20, "text": "Añ🙂", "name": "t"});
    good(&mut agent, "create_text", text);
    good(&mut agent, "clone_node", json!({"nodeId": id, "x": 3, "y": 4}));
    good(&mut agent, "rotate_node", json!({"nodeId": id, "angle": 33.3}));
    let made = apply_edit_call(hands.document(), agent.document(), "1".to_owned()).unwrap();
    // Through a line of a file.
    let made = serde_json::from_str(&serde_json::to_string(&made).unwrap()).unwrap();
    let outcome = hands.call(&made, &CancelToken::default());
    assert!(!outcome.is_error(), "{}", outcome.text);
    assert_eq!(hands.document(), agent.document());
    assert_eq!(hands.document_json().to_string(), agent.document_json().to_string());
    // And back, by its own inverse.
    let edit = hands.last_edit().unwrap().inverse();
    hands.apply(&edit);
    assert_eq!(hands.document(), by_hand().document());
}

#[test]
fn hostile_arguments_are_refused_by_name_and_change_nothing() {
    let mut canvas = by_hand();
    let before = canvas.document().clone();
    for (arguments, expected) in [
        (json!([]), "must be an object"),
        (json!({"nodes": 3}), "invalid type"),
        (json!({"node": []}), "unknown field"),
        (json!({"removed": ["9:9"]}), "9:9"),
        (json!({"nodes": [{"id": "1:1", "parent": "1:1", "index": 0}]}), "in one another"),
        (json!({"nodes": [{"id": "1:1", "size": {"width": 1e300, "height": 1.0}}]}), "width"),
        (json!({"pictures": {"p": "AAAA"}}), "picture \"p\""),
    ] {
        let outcome = call(&mut canvas, APPLY_EDIT, arguments);
        assert!(outcome.is_error() && outcome.text.contains(expected), "{}", outcome.text);
        assert_eq!(canvas.document(), &before);
    }
}
