//! Each quirk of the published tools: as documented, and with `canvas-2026-01`.

use pentimento::base::{CancelToken, Point, Rgba};
use pentimento::design::{Direction, NodeKind, PaintKind};
use pentimento::environment::EnvironmentKind;
use pentimento::environment::FailureClass;
use pentimento::environment::canvas::Compat;
use serde_json::json;

use super::*;

fn published() -> CanvasEnvironment {
    let settings = CanvasSettings { compat: Compat::Canvas202601, ..CanvasSettings::default() };
    CanvasEnvironment::new(Start::Blank(Size::new(393.0, 852.0)), settings).unwrap()
}

/// As documented, and as published.
fn both() -> [CanvasEnvironment; 2] {
    [blank(), published()]
}

/// A rectangle in a frame at (100, 200); gives both ids.
fn nested(canvas: &mut CanvasEnvironment) -> (String, String) {
    let outer = frame(canvas, [100.0, 200.0, 100.0, 100.0], None);
    let leaf = rectangle(canvas, [110.0, 220.0, 10.0, 10.0], Some(&outer));
    (outer, leaf)
}

#[test]
fn set_layout_mode_answers_with_an_error_though_it_worked() {
    let mut canvas = published();
    let id = frame(&mut canvas, [0.0, 0.0, 100.0, 100.0], None);
    let arguments = json!({"nodeId": id, "layoutMode": "VERTICAL"});
    let outcome = call(&mut canvas, "set_layout_mode", arguments.clone());
    let start = "Error (set_layout_mode): Cannot read properties of undefined";
    assert!(outcome.is_error() && outcome.text.starts_with(start), "{}", outcome.text);
    let layout = node(&canvas, &id).auto_layout.clone().unwrap();
    assert_eq!(layout.direction, Direction::Vertical);
    assert!(canvas.last_edit().is_some_and(|edit| !edit.is_empty()));
    let mut canvas = blank();
    frame(&mut canvas, [0.0, 0.0, 100.0, 100.0], None);
    good(&mut canvas, "set_layout_mode", arguments);
}

#[test]
fn set_layout_sizing_refuses_texts_and_rectangles() {
    for (mut canvas, works) in both().into_iter().zip([true, false]) {
        let row = json!({
            "x": 0, "y": 0, "width": 100, "height": 100, "name": "Row", "layoutMode": "HORIZONTAL"
        });
        let row = id_of(&good(&mut canvas, "create_frame", row));
        let leaf = rectangle(&mut canvas, [0.0, 0.0, 10.0, 10.0], Some(&row));
        let fill = json!({"nodeId": leaf, "layoutSizingHorizontal": "FILL"});
        assert_eq!(!call(&mut canvas, "set_layout_sizing", fill).is_error(), works);
        let hug = json!({"nodeId": row, "layoutSizingVertical": "HUG"});
        good(&mut canvas, "set_layout_sizing", hug);
    }
}

#[test]
fn nothing_gets_another_parent() {
    for (mut canvas, works) in both().into_iter().zip([true, false]) {
        let (outer, leaf) = nested(&mut canvas);
        let main = main_id(&canvas);
        let arguments = json!({"nodeId": leaf, "x": 5, "y": 6, "parentId": main});
        let reply = good(&mut canvas, "move_node", arguments);
        assert_eq!(reply["parentId"], json!(if works { &main } else { &outer }));
        let arguments = json!({"nodeId": leaf, "parentId": main});
        let reply = good(&mut canvas, "clone_node", arguments);
        assert_eq!(reply["parentId"], json!(if works { &main } else { &outer }));
        assert_near(box_of(&canvas, &leaf), 5.0, 6.0, 10.0, 10.0);
    }
}

#[test]
fn a_clone_is_placed_only_if_both_coordinates_are_given() {
    for (mut canvas, x) in both().into_iter().zip([300.0, 110.0]) {
        let (_, leaf) = nested(&mut canvas);
        let reply = good(&mut canvas, "clone_node", json!({"nodeId": leaf, "x": 300}));
        assert_near(box_of(&canvas, &id_of(&reply)), x, 220.0, 10.0, 10.0);
        let placed = json!({"nodeId": leaf, "x": 300, "y": 310});
        let reply = good(&mut canvas, "clone_node", placed);
        assert_near(box_of(&canvas, &id_of(&reply)), 300.0, 310.0, 10.0, 10.0);
    }
}

#[test]
fn move_node_answers_relative_to_the_parent() {
    for (mut canvas, at) in both().into_iter().zip([(130, 240), (30, 40)]) {
        let (_, leaf) = nested(&mut canvas);
        let reply = good(&mut canvas, "move_node", json!({"nodeId": leaf, "x": 130, "y": 240}));
        assert_eq!((&reply["newX"], &reply["newY"]), (&json!(at.0), &json!(at.1)));
        assert_near(box_of(&canvas, &leaf), 130.0, 240.0, 10.0, 10.0);
    }
}

#[test]
fn a_star_answers_relative_to_the_parent_and_takes_its_radius_as_it_is() {
    for (mut canvas, (x, ratio)) in both().into_iter().zip([(110, 0.25), (10, 1.0)]) {
        let (outer, _) = nested(&mut canvas);
        let arguments = json!({
            "x": 110, "y": 220, "width": 20, "height": 20, "pointCount": 5, "innerRadius": 25,
            "parentId": outer
        });
        let reply = good(&mut canvas, "create_star", arguments);
        assert_eq!(reply["x"], json!(x));
        assert_near(box_of(&canvas, &id_of(&reply)), 110.0, 220.0, 20.0, 20.0);
        let kind = &node(&canvas, &id_of(&reply)).kind;
        assert_eq!(*kind, NodeKind::Star { tips: 5, inner_ratio: ratio });
    }
}

#[test]
fn get_text_node_info_answers_relative_to_the_parent() {
    for (mut canvas, x) in both().into_iter().zip([110, 10]) {
        let (outer, _) = nested(&mut canvas);
        let text = json!({
            "x": 110, "y": 220, "width": 20, "height": 20, "name": "t", "text": "a",
            "parentId": outer
        });
        good(&mut canvas, "create_text", text);
        let reply = good(&mut canvas, "get_text_node_info", json!({"nodeId": outer}));
        assert_eq!(reply["textNodes"][0]["x"], json!(x));
    }
}

#[test]
fn sloping_lines_come_out_mirrored() {
    for (mut canvas, end) in both().into_iter().zip([(40.0, 80.0), (40.0, 20.0)]) {
        let line = json!({"startX": 0, "startY": 50, "endX": 40, "endY": 80, "name": "l"});
        let id = id_of(&good(&mut canvas, "create_line", line));
        let line = node(&canvas, &id);
        let at = line.transform.apply(Point::new(line.size.width, 0.0));
        assert!((at.x - end.0).abs() < 1e-9 && (at.y - end.1).abs() < 1e-9, "{at:?}");
    }
}

#[test]
fn a_graphic_without_a_parent_stays_at_the_origin() {
    for (compat, x) in [(Compat::Documented, 30.0), (Compat::Canvas202601, 0.0)] {
        let settings = CanvasSettings {
            default_parent: DefaultParent::Page,
            compat,
            ..CanvasSettings::default()
        };
        let start = Start::Blank(Size::new(393.0, 852.0));
        let mut canvas = CanvasEnvironment::new(start, settings).unwrap();
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\
                   <path d='M1 1H5V3Z'/></svg>";
        let graphic = json!({"svg": svg, "name": "g", "x": 30, "y": 30});
        let id = id_of(&good(&mut canvas, "create_graphic", graphic.clone()));
        assert_near(box_of(&canvas, &id), x, x, 9.0, 9.0);
        let mut inside = graphic;
        inside["parentId"] = json!(main_id(&canvas));
        let id = id_of(&good(&mut canvas, "create_graphic", inside));
        assert_near(box_of(&canvas, &id), 30.0, 30.0, 9.0, 9.0);
    }
}

#[test]
fn an_alpha_of_0_is_taken_for_none() {
    for (mut canvas, alpha) in both().into_iter().zip([0.0, 1.0]) {
        let id = rectangle(&mut canvas, [0.0, 0.0, 10.0, 10.0], None);
        let fill = json!({"nodeId": id, "r": 1, "g": 0, "b": 0, "a": 0});
        good(&mut canvas, "set_fill_color", fill);
        let color = node(&canvas, &id).fills[0].solid_color();
        assert_eq!(color, Some(Rgba::new(1.0, 0.0, 0.0, alpha)));
        let half = json!({"nodeId": id, "r": 1, "g": 0, "b": 0, "a": 0.5});
        good(&mut canvas, "set_fill_color", half);
        assert_eq!(node(&canvas, &id).fills[0].solid_color().unwrap().a, 0.5);
    }
}

#[test]
fn gradients_turn_about_the_corner() {
    for (mut canvas, start) in both().into_iter().zip([Point::new(0.5, 0.0), Point::new(-0.5, 0.0)])
    {
        let id = rectangle(&mut canvas, [0.0, 0.0, 10.0, 10.0], None);
        let stop = |position: f64| json!({"r": 1, "g": 0, "b": 0, "position": position});
        let fill = json!({"nodeId": id, "angle": 90, "gradientStops": [stop(0.0), stop(1.0)]});
        good(&mut canvas, "set_fill_gradient", fill);
        let PaintKind::Gradient(gradient) = &node(&canvas, &id).fills[0].kind else { panic!() };
        assert_eq!(gradient.handles[0], start);
    }
}

#[test]
fn chunks_of_texts_before_a_bad_one_stay_changed() {
    for (mut canvas, changed) in both().into_iter().zip([0, 5]) {
        let texts: Vec<String> = (0..7)
            .map(|_| {
                let text = json!({
                    "x": 0, "y": 0, "width": 20, "height": 20, "name": "t", "text": "old"
                });
                id_of(&good(&mut canvas, "create_text", text))
            })
            .collect();
        let ids = texts.iter().map(String::as_str).chain(["7:7"]);
        let changes: Vec<Value> = ids.map(|id| json!({"nodeId": id, "text": "new"})).collect();
        let outcome = call(&mut canvas, "set_text_content", json!({"changes": changes}));
        assert_eq!(outcome.failure.unwrap().class, FailureClass::UnknownNode);
        let is_new = |id: &&String| node(&canvas, id).text().unwrap().characters == "new";
        assert_eq!(texts.iter().filter(is_new).count(), changed);
        assert_eq!(canvas.last_edit().is_some(), changed > 0);
    }
}

#[test]
fn get_page_info_says_undefined() {
    for (mut canvas, says) in both().into_iter().zip([false, true]) {
        let outcome = call(&mut canvas, "get_page_info", json!({}));
        assert_eq!(outcome.text.contains("contains undefined"), says);
        assert_eq!(outcome.structured.unwrap()["immediateChildrenCount"], 1);
    }
}

#[test]
fn vectors_have_no_info() {
    for (mut canvas, is_null) in both().into_iter().zip([false, true]) {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\
                   <path d='M1 1H5V3Z'/></svg>";
        let graphic = json!({"svg": svg, "name": "g", "x": 0, "y": 0});
        let id = id_of(&good(&mut canvas, "create_graphic", graphic));
        let vector = children(&canvas, &id)[0].clone();
        let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [vector]}));
        assert_eq!(info["nodeList"][0]["nodeInfo"].is_null(), is_null);
    }
}

#[test]
fn importing_leaves_out_components_and_polygons() {
    let child = |id: &str, kind: &str| {
        json!({
            "id": id, "name": id, "type": kind, "fills": [],
            "absoluteBoundingBox": {"x": 20, "y": 10, "width": 30, "height": 40}
        })
    };
    let mut button = child("1:3", "INSTANCE");
    button["children"] = json!([child("1:4", "RECTANGLE")]);
    let design = json!({"document": {
        "id": "1:1", "name": "Screen", "type": "FRAME",
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 100, "height": 100},
        "children": [
            child("1:2", "RECTANGLE"), button, child("1:5", "REGULAR_POLYGON"), child("1:6", "STAR"),
            child("1:7", "COMPONENT")
        ]
    }});
    let design = json!({"jsonString": design.to_string()});
    for (mut canvas, left) in both().into_iter().zip([5, 2]) {
        good(&mut canvas, "import_json", design.clone());
        assert_eq!(children(&canvas, "1:1").len(), left);
    }
}

#[test]
fn the_names_of_compat_are_taken_where_a_run_is_opened() {
    use pentimento::environment::{StartError, StartState, open_environment};
    let open = |compat: Option<&str>| {
        let start = StartState {
            environment: EnvironmentKind::Canvas,
            canvas_size: Size::new(100.0, 100.0),
            document: None,
            pictures: None,
            given: Vec::new(),
            compat: compat.map(str::to_owned),
            hands: pentimento::environment::canvas::HandTools::default(),
            fonts: pentimento::environment::FontSource::default(),
        };
        let arguments = json!({"startX": 0, "startY": 50, "endX": 40, "endY": 80, "name": "l"});
        let call = ToolCall { id: "1".into(), name: "create_line".into(), arguments };
        open_environment(&start).map(|mut canvas| {
            canvas.call(&call, &CancelToken::default());
            canvas.document_json()["document"]["children"][0]["absoluteBoundingBox"]["y"].clone()
        })
    };
    let y = |compat| open(compat).unwrap().as_f64().unwrap().round();
    assert_eq!((y(None), y(Some("documented")), y(Some("canvas-2026-01"))), (50.0, 50.0, 20.0));
    let error = open(Some("canvas-1999")).unwrap_err();
    assert!(matches!(&error, StartError::UnknownCompat(name) if name == "canvas-1999"));
    assert!(error.to_string().contains("canvas-2026-01"), "{error}");
}
