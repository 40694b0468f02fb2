//! Calls at random: nothing panics, failures change nothing, everything repeats.

use pentimento::base::CancelToken;
use pentimento::environment::{Environment as _, ToolCall};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::*;

/// A call whose ids are still to be chosen among those there are when it is made.
#[derive(Clone, Debug)]
struct Draft {
    tool: usize,
    ids: Vec<Index>,
    numbers: [f64; 4],
    unit: f64,
    flag: bool,
}

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let draft = (
        0usize..TOOLS.len(),
        prop::collection::vec(any::<Index>(), 3),
        [-50.0..450.0f64, -50.0..900.0f64, -1.0..200.0f64, 0.0..200.0f64],
        0.0..=1.0f64,
        any::<bool>(),
    );
    let draft =
        draft.prop_map(|(tool, ids, numbers, unit, flag)| Draft { tool, ids, numbers, unit, flag });
    prop::collection::vec(draft, 1..40)
}

const TOOLS: [&str; 24] = [
    "create_rectangle",
    "create_frame",
    "create_frame",
    "create_ellipse",
    "create_text",
    "create_line",
    "create_graphic",
    "move_node",
    "move_node",
    "clone_node",
    "resize_node",
    "delete_node",
    "group_nodes",
    "group_nodes",
    "ungroup_nodes",
    "rename_node",
    "reorder_node",
    "set_fill_color",
    "set_corner_radius",
    "set_opacity",
    "set_stroke",
    "set_fill_gradient",
    "set_text_content",
    "set_text_font",
];

fn finish(draft: &Draft, canvas: &CanvasEnvironment) -> ToolCall {
    let mut there: Vec<String> =
        canvas.document().iter_depth_first().map(|node| node.id.to_string()).collect();
    there.push("7:777".to_owned());
    let id = |n: usize| there[draft.ids[n].index(there.len())].clone();
    let [x, y, w, h] = draft.numbers;
    let (u, name) = (draft.unit, TOOLS[draft.tool]);
    let color = json!({"r": u, "g": 0, "b": 1});
    let mut arguments = match name {
        "create_text" => {
            json!({"x": x, "y": y, "width": w, "height": h, "name": "t", "text": "ab\nc"})
        }
        "create_line" => json!({"startX": x, "startY": y, "endX": w, "endY": h, "name": "l"}),
        "create_graphic" => json!({"x": x, "y": y, "name": "g", "svg": SVG}),
        "move_node" | "clone_node" => json!({"nodeId": id(0), "x": x, "y": y}),
        "resize_node" => json!({"nodeId": id(0), "width": w.abs() + 1.0, "height": h + 1.0}),
        "delete_node" => json!({"nodeIds": [id(0), id(1)]}),
        "group_nodes" => json!({"nodeIds": [id(0), id(1), id(2)]}),
        "ungroup_nodes" => json!({"groupId": id(0)}),
        "rename_node" => json!({"nodeId": id(0), "newName": "n"}),
        "reorder_node" => {
            json!({"nodeId": id(0), "direction": if draft.flag { "FORWARD" } else { "BOTTOM" }})
        }
        "set_fill_color" => json!({"nodeId": id(0), "r": u, "g": u, "b": 0, "a": u}),
        "set_corner_radius" => json!({"nodeId": id(0), "radius": h, "topLeft": draft.flag}),
        "set_opacity" => json!({"nodeId": id(0), "opacity": u}),
        "set_stroke" => json!({"nodeId": id(0), "strokeColor": color, "weight": h}),
        "set_fill_gradient" => json!({
            "nodeId": id(0), "angle": u * 360.0, "gradientStops": [
                {"r": u, "g": 0, "b": 0, "position": 0}, {"r": 0, "g": 0, "b": u, "position": 1}
            ]
        }),
        "set_text_content" => json!({"changes": [{"nodeId": id(0), "text": "new"}]}),
        "set_text_font" => json!({"nodeId": id(0), "font": {"family": "Inter", "style": "Bold"}}),
        _ => json!({"x": x, "y": y, "width": w, "height": h, "name": "n", "fillColor": color}),
    };
    let takes_parent = name.starts_with("create") || name == "move_node" || name == "clone_node";
    if takes_parent && draft.flag {
        arguments["parentId"] = Value::from(id(1));
    }
    ToolCall { id: "c".to_owned(), name: name.to_owned(), arguments }
}

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'>\
    <g id='a'><path d='M1 1H9V9Z'/><circle cx='12' cy='12' r='5' fill='red'/></g></svg>";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn random_calls_keep_every_promise(drafts in drafts()) {
        let mut canvas = blank();
        let start = canvas.snapshot();
        let mut states = Vec::new();
        let mut calls = Vec::new();
        for draft in &drafts {
            let call = finish(draft, &canvas);
            let before = (canvas.snapshot(), canvas.document().clone());
            let outcome = canvas.call(&call, &CancelToken::default());
            prop_assert_eq!(outcome.is_error(), outcome.structured.is_none());
            if outcome.is_error() {
                prop_assert!(*canvas.document() == before.1, "{call:?} failed but changed");
            }
            check_moves(&canvas, &call, outcome.is_error())?;
            calls.push((call, outcome));
            states.push(before);
        }
        let end = canvas.document_json();
        for (snapshot, document) in states.iter().rev() {
            canvas.restore(snapshot);
            prop_assert!(canvas.document() == document);
        }
        canvas.restore(&start);
        for (call, outcome) in &calls {
            prop_assert_eq!(&canvas.call(call, &CancelToken::default()).text, &outcome.text);
        }
        prop_assert_eq!(canvas.document_json(), end);
    }
}

/// Whatever was moved lies where it was told to.
fn check_moves(
    canvas: &CanvasEnvironment,
    call: &ToolCall,
    is_error: bool,
) -> Result<(), TestCaseError> {
    if is_error || call.name != "move_node" {
        return Ok(());
    }
    let id = call.arguments["nodeId"].as_str().unwrap();
    let at = box_of(canvas, id);
    let (x, y) = (call.arguments["x"].as_f64().unwrap(), call.arguments["y"].as_f64().unwrap());
    prop_assert!((at.x - x).abs() < 1e-6 && (at.y - y).abs() < 1e-6, "{call:?}: {at:?}");
    Ok(())
}
