//! Tools that make nodes.

use pentimento::base::{Point, Rgba};
use pentimento::design::{EllipseArc, NodeKind, StrokeCap, TextAlign};
use pentimento::environment::{Environment as _, FailureClass};
use serde_json::{Value, json};

use super::*;

#[test]
fn a_rectangle_has_figmas_defaults_and_lies_in_the_main_frame() {
    let mut canvas = blank();
    let arguments = json!({"x": 16, "y": 60, "width": 361, "height": 48, "name": "Search"});
    let reply = good(&mut canvas, "create_rectangle", arguments);
    assert_eq!(reply["parentId"], main_id(&canvas));
    assert_eq!((&reply["x"], &reply["width"]), (&json!(16), &json!(361)));
    assert_eq!((&reply["name"], &reply["cornerRadius"]), (&json!("Search"), &json!(0)));
    assert_eq!(reply["strokes"], json!([]));
    let node = node(&canvas, &id_of(&reply));
    assert_eq!(node.kind, NodeKind::Rectangle);
    assert_eq!(node.fills[0].solid_color(), Some(Rgba::DEFAULT_SHAPE));
}

#[test]
fn colours_radius_and_outline_are_taken_over_and_alpha_0_stays_0() {
    let mut canvas = blank();
    let arguments = json!({
        "x": 0, "y": 0, "width": 10, "height": 10, "name": "", "cornerRadius": 4,
        "fillColor": {"r": 1, "g": 0, "b": 0, "a": 0},
        "strokeColor": {"r": 0, "g": 0, "b": 1}, "strokeWeight": 3
    });
    let id = id_of(&good(&mut canvas, "create_rectangle", arguments));
    let node = node(&canvas, &id);
    assert_eq!(node.fills[0].opacity, 0.0);
    assert_eq!(node.stroke.paints[0].solid_color(), Some(Rgba::new(0.0, 0.0, 1.0, 1.0)));
    assert_eq!((node.stroke.weight, node.corner_radii.as_uniform()), (3.0, Some(4.0)));
}

#[test]
fn coordinates_are_those_of_the_page_however_deep_the_parent_lies() {
    let mut canvas = blank();
    let outer = frame(&mut canvas, [20.0, 100.0, 300.0, 300.0], None);
    let inner = frame(&mut canvas, [50.5, 150.25, 200.0, 200.0], Some(&outer));
    let leaf = rectangle(&mut canvas, [60.0, 160.0, 10.0, 10.0], Some(&inner));
    assert_near(box_of(&canvas, &leaf), 60.0, 160.0, 10.0, 10.0);
    let local = node(&canvas, &leaf).transform;
    assert_eq!((local.e, local.f), (9.5, 9.75));
}

#[test]
fn a_group_grows_around_what_is_created_in_it() {
    let mut canvas = blank();
    let a = rectangle(&mut canvas, [10.0, 10.0, 20.0, 20.0], None);
    let b = rectangle(&mut canvas, [50.0, 10.0, 20.0, 20.0], None);
    let group = good(&mut canvas, "group_nodes", json!({"nodeIds": [a, b]}));
    let group = group["groupId"].as_str().unwrap().to_owned();
    assert_near(box_of(&canvas, &group), 10.0, 10.0, 60.0, 20.0);
    let c = rectangle(&mut canvas, [5.0, 5.0, 5.0, 5.0], Some(&group));
    assert_near(box_of(&canvas, &c), 5.0, 5.0, 5.0, 5.0);
    assert_near(box_of(&canvas, &a), 10.0, 10.0, 20.0, 20.0);
    assert_near(box_of(&canvas, &group), 5.0, 5.0, 65.0, 25.0);
}

#[test]
fn a_parent_that_cannot_take_it_means_the_main_frame_in_a_run_and_an_error_without() {
    let mut canvas = blank();
    let leaf = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
    for parent in ["9:99", leaf.as_str(), "0:1"] {
        let id = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], Some(parent));
        assert_eq!(node(&canvas, &id).parent.as_ref().unwrap(), canvas.start_frame());
    }
    let mut canvas = strict();
    let leaf = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
    assert_eq!(node(&canvas, &leaf).parent, None);
    let at = |parent: &str| json!({"x": 0, "y": 0, "width": 5, "height": 5, "name": "a", "parentId": parent});
    bad(&mut canvas, "create_rectangle", at("9:99"), FailureClass::UnknownNode);
    let message = bad(&mut canvas, "create_ellipse", at(&leaf), FailureClass::WrongNodeType);
    assert!(message.contains("RECTANGLE"), "{message}");
}

#[test]
fn without_a_main_frame_new_nodes_go_to_the_page() {
    let mut canvas = blank();
    let main = main_id(&canvas);
    good(&mut canvas, "delete_node", json!({"nodeIds": [main]}));
    let id = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
    assert_eq!(node(&canvas, &id).parent, None);
}

#[test]
fn sizes_no_node_can_have_are_refused() {
    for (width, height, named) in [(0.0, 5.0, "width"), (5.0, -3.0, "height")] {
        for tool in ["create_rectangle", "create_ellipse", "create_frame"] {
            let arguments = json!({"x": 0, "y": 0, "width": width, "height": height, "name": "a"});
            let message = bad(&mut blank(), tool, arguments, FailureClass::BadArguments);
            assert!(message.starts_with(named), "{message}");
        }
    }
}

#[test]
fn a_frame_is_white_and_clips_and_keeps_its_auto_layout_in_the_json() {
    let mut canvas = blank();
    let plain = frame(&mut canvas, [0.0, 0.0, 100.0, 100.0], None);
    assert_eq!(node(&canvas, &plain).fills[0].solid_color(), Some(Rgba::WHITE));
    assert!(node(&canvas, &plain).clips_content);
    let arguments = json!({
        "x": 0, "y": 0, "width": 100, "height": 50, "name": "Row", "layoutMode": "HORIZONTAL",
        "paddingLeft": 4, "itemSpacing": 8, "counterAxisAlignItems": "CENTER"
    });
    let reply = good(&mut canvas, "create_frame", arguments);
    assert_eq!(
        (&reply["layoutMode"], &reply["layoutWrap"]),
        (&json!("HORIZONTAL"), &json!("NO_WRAP"))
    );
    let json = canvas.document_json();
    let row = json["document"]["children"].as_array().unwrap().last().unwrap();
    for (key, value) in [
        ("layoutMode", json!("HORIZONTAL")),
        ("paddingLeft", json!(4)),
        ("paddingTop", json!(10)),
        ("itemSpacing", json!(8)),
        ("counterAxisAlignItems", json!("CENTER")),
        ("primaryAxisAlignItems", json!("MIN")),
        ("layoutSizingHorizontal", json!("FIXED")),
        ("type", json!("FRAME")),
        ("name", json!("Row")),
        ("absoluteBoundingBox", json!({"x": 0.0, "y": 0.0, "width": 100.0, "height": 50.0})),
    ] {
        assert!(same(&row[key], &value), "{key}: {}", row[key]);
    }
    assert!(row["fills"].is_array() && row["clipsContent"] == true, "{row}");
}

/// Equal as JSON, where 1 and 1.0 are the same.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}

#[test]
fn a_text_has_the_published_defaults() {
    let mut canvas = blank();
    let arguments =
        json!({"x": 5, "y": 6, "width": 100, "height": 20, "text": "Hello\nyou", "name": ""});
    let reply = good(&mut canvas, "create_text", arguments);
    assert_eq!(reply["fontName"], json!({"family": "Inter", "style": "Regular"}));
    assert_eq!((&reply["fontSize"], &reply["fontWeight"]), (&json!(14), &json!(400)));
    assert_eq!(reply["fontColor"], json!({"r": 0, "g": 0, "b": 0, "a": 1}));
    assert_eq!(reply["textAlignHorizontal"], "LEFT");
    let node = node(&canvas, &id_of(&reply));
    assert_eq!(node.text().unwrap().characters, "Hello\nyou");
    assert_eq!(node.name, "Hello\nyou");
    assert_near(box_of(&canvas, &id_of(&reply)), 5.0, 6.0, 100.0, 20.0);
}

#[test]
fn weights_take_the_names_of_inter_and_odd_ones_are_regular() {
    let mut canvas = blank();
    for (given, style, weight) in [(600.0, "Semi Bold", 600), (650.0, "Regular", 400)] {
        let arguments = json!({
            "x": 0, "y": 0, "width": 100, "height": 20, "text": "a", "name": "t",
            "fontWeight": given, "textAlignHorizontal": "CENTER"
        });
        let reply = good(&mut canvas, "create_text", arguments);
        assert_eq!(
            (&reply["fontName"]["style"], &reply["fontWeight"]),
            (&json!(style), &json!(weight))
        );
        let text = node(&canvas, &id_of(&reply)).text().unwrap().clone();
        assert_eq!(text.style.align, TextAlign::Center);
        assert_eq!(text.style.font_style.as_deref(), Some(style));
    }
    let tiny = json!({
        "x": 0, "y": 0, "width": 9, "height": 9, "text": "a", "name": "t", "fontSize": 0
    });
    assert!(bad(&mut canvas, "create_text", tiny, FailureClass::BadArguments).contains("fontSize"));
}

#[test]
fn a_line_runs_from_its_start_to_its_end() {
    let mut canvas = blank();
    let holder = frame(&mut canvas, [50.0, 50.0, 300.0, 300.0], None);
    for (from, to) in [
        ((60.0, 70.0), (160.0, 120.0)),
        ((160.0, 70.0), (60.0, 120.0)),
        ((80.0, 200.0), (80.0, 90.0)),
    ] {
        let arguments = json!({
            "startX": from.0, "startY": from.1, "endX": to.0, "endY": to.1, "name": "Rule",
            "parentId": holder, "strokeCap": "ROUND", "dashPattern": [4, 2]
        });
        let reply = good(&mut canvas, "create_line", arguments);
        let id = NodeId::from(id_of(&reply).as_str());
        let line = canvas.document().get(&id).unwrap();
        let page_from_line = canvas.document().absolute_transform(&id).unwrap();
        let end = page_from_line.apply(Point::new(line.size.width, 0.0));
        let start = page_from_line.apply(Point::ZERO);
        assert!((start.x - from.0).hypot(start.y - from.1) < 1e-9);
        assert!((end.x - to.0).hypot(end.y - to.1) < 1e-9, "{end:?}");
        assert_eq!(
            (line.stroke.cap, line.stroke.dashes.as_slice()),
            (StrokeCap::Round, &[4.0, 2.0][..])
        );
        assert_eq!(line.stroke.paints[0].solid_color(), Some(Rgba::BLACK));
        assert_eq!(reply["length"].as_f64().unwrap(), (to.0 - from.0).hypot(to.1 - from.1));
    }
    let nowhere = json!({"startX": 5, "startY": 5, "endX": 5, "endY": 5, "name": "dot"});
    bad(&mut canvas, "create_line", nowhere, FailureClass::BadArguments);
}

#[test]
fn an_ellipse_is_made() {
    let mut canvas = blank();
    let arguments = json!({"x": 1, "y": 2, "width": 30, "height": 30, "name": "Avatar"});
    let reply = good(&mut canvas, "create_ellipse", arguments);
    assert_eq!(node(&canvas, &id_of(&reply)).kind, NodeKind::Ellipse(EllipseArc::WHOLE));
}
