//! Shadows, blend modes, copied styles, shared styles, decoration, and new shapes.

use pentimento::base::{Point, Rgba};
use pentimento::design::{BlendMode, EffectKind, NodeKind, TextCase, TextDecoration};
use pentimento::environment::FailureClass;
use serde_json::json;

use super::*;

fn shadow(id: &str, radius: f64) -> Value {
    json!({
        "nodeId": id, "shadowColor": {"r": 0, "g": 0, "b": 0, "a": 0.25}, "offsetX": 1,
        "offsetY": 4, "radius": radius
    })
}

fn text(canvas: &mut CanvasEnvironment) -> String {
    let arguments =
        json!({"x": 0, "y": 0, "width": 80, "height": 30, "name": "Label", "text": "Hello"});
    id_of(&good(canvas, "create_text", arguments))
}

#[test]
fn a_shadow_replaces_those_of_its_kind_and_leaves_the_other() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    good(&mut canvas, "set_drop_shadow", shadow(&id, 3.0));
    good(&mut canvas, "set_inner_shadow", shadow(&id, 5.0));
    let reply = good(&mut canvas, "set_drop_shadow", shadow(&id, 8.0));
    let effect = |kind: &str, radius: i32| {
        json!({
            "type": kind, "visible": true, "color": {"r": 0, "g": 0, "b": 0, "a": 0.25},
            "offset": {"x": 1, "y": 4}, "radius": radius, "spread": 0, "blendMode": "NORMAL"
        })
    };
    let wanted = json!([effect("INNER_SHADOW", 5), effect("DROP_SHADOW", 8)]);
    assert_eq!(reply, json!({"id": id, "name": "Box", "effects": wanted}));
    let EffectKind::DropShadow { shadow: drawn, show_behind_node } =
        &node(&canvas, &id).effects[1].kind
    else {
        panic!()
    };
    assert_eq!((drawn.offset, *show_behind_node), (Point::new(1.0, 4.0), false));
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [id]}));
    assert_eq!(info["nodeList"][0]["nodeInfo"]["effects"], wanted);
}

#[test]
fn shadows_and_blend_modes_that_cannot_be_are_refused() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    for tool in ["set_drop_shadow", "set_inner_shadow"] {
        bad(&mut canvas, tool, shadow("7:7", 1.0), FailureClass::UnknownNode);
        bad(&mut canvas, tool, shadow(&id, -1.0), FailureClass::BadArguments);
    }
    let mode = |id: &str, mode: &str| json!({"nodeId": id, "blendMode": mode});
    bad(&mut canvas, "set_blend_mode", mode("7:7", "NORMAL"), FailureClass::UnknownNode);
    bad(&mut canvas, "set_blend_mode", mode(&id, "ADD"), FailureClass::BadArguments);
    let reply = good(&mut canvas, "set_blend_mode", mode(&id, "LINEAR_BURN"));
    assert_eq!(reply, json!({"id": id, "name": "Box", "blendMode": "LINEAR_BURN"}));
    assert_eq!(node(&canvas, &id).blend_mode, BlendMode::LinearBurn);
}

#[test]
fn a_style_is_copied_without_the_weight_of_the_outline() {
    let mut canvas = blank();
    let from = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    let to = rectangle(&mut canvas, [60.0, 0.0, 50.0, 50.0], None);
    let red = json!({"r": 1, "g": 0, "b": 0});
    good(&mut canvas, "set_stroke", json!({"nodeId": from, "strokeColor": red, "weight": 9}));
    good(&mut canvas, "set_corner_radius", json!({"nodeId": from, "radius": 6, "topLeft": false}));
    good(&mut canvas, "set_opacity", json!({"nodeId": from, "opacity": 0.5}));
    good(&mut canvas, "set_drop_shadow", shadow(&from, 3.0));
    let arguments = json!({"sourceNodeId": from, "targetNodeId": to});
    let reply = good(&mut canvas, "copy_style", arguments);
    let all = json!(["fills", "strokes", "effects", "cornerRadius", "opacity"]);
    assert_eq!((&reply["copiedProperties"], &reply["skippedProperties"]), (&all, &json!([])));
    let (from, to) = (node(&canvas, &from), node(&canvas, &to));
    assert_eq!((&to.fills, &to.effects), (&from.fills, &from.effects));
    assert_eq!((to.corner_radii, to.opacity), (from.corner_radii, 0.5));
    assert_eq!((&to.stroke.paints, to.stroke.weight), (&from.stroke.paints, 1.0));
}

#[test]
fn what_the_other_kind_cannot_have_is_skipped_and_said() {
    let mut canvas = blank();
    let from = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    let red = json!({"nodeId": from, "r": 1, "g": 0, "b": 0});
    good(&mut canvas, "set_fill_color", red);
    let label = text(&mut canvas);
    let arguments = json!({
        "sourceNodeId": from, "targetNodeId": label, "properties": ["cornerRadius", "fills"]
    });
    let outcome = call(&mut canvas, "copy_style", arguments);
    assert!(outcome.text.contains("not cornerRadius"), "{}", outcome.text);
    let reply = outcome.structured.unwrap();
    assert_eq!(reply["copiedProperties"], json!(["fills"]));
    assert_eq!(reply["skippedProperties"], json!(["cornerRadius"]));
    let color = node(&canvas, &label).fills[0].solid_color();
    assert_eq!(color, Some(Rgba::new(1.0, 0.0, 0.0, 1.0)));
    let with = |source: &str, target: &str, properties: Value| json!({"sourceNodeId": source, "targetNodeId": target, "properties": properties});
    let corners = with(&from, &label, json!(["cornerRadius"]));
    bad(&mut canvas, "copy_style", corners, FailureClass::WrongNodeType);
    let none = with(&from, &label, json!([]));
    bad(&mut canvas, "copy_style", none, FailureClass::BadArguments);
    let missing = with("7:7", &label, json!(["fills"]));
    bad(&mut canvas, "copy_style", missing, FailureClass::UnknownNode);
    let missing = with(&from, "7:7", json!(["fills"]));
    bad(&mut canvas, "copy_style", missing, FailureClass::UnknownNode);
}

#[test]
fn a_file_made_here_has_no_shared_styles() {
    let reply = good(&mut blank(), "get_styles", json!({}));
    assert_eq!(reply, json!({"colors": [], "texts": [], "effects": [], "grids": []}));
}

#[test]
fn shared_styles_of_a_file_are_listed_with_what_they_look_like() {
    let style = |name: &str, kind: &str| json!({"key": "k", "name": name, "styleType": kind});
    let design = json!({
        "document": {
            "id": "1:1", "name": "Screen", "type": "FRAME", "styles": {"fill": "5:1"},
            "fills": [{"type": "SOLID", "color": {"r": 1, "g": 0, "b": 0, "a": 1}}],
            "absoluteBoundingBox": {"x": 0, "y": 0, "width": 100, "height": 100}, "children": []
        },
        "styles": {
            "5:1": style("Brand", "FILL"), "5:2": style("Title", "TEXT"),
            "5:3": style("Soft", "EFFECT"), "5:4": style("Columns", "GRID"), "5:5": 7
        }
    });
    let mut canvas = blank();
    good(&mut canvas, "import_json", json!({"jsonString": design.to_string()}));
    let reply = good(&mut canvas, "get_styles", json!({}));
    let brand = &reply["colors"][0];
    assert_eq!((&brand["id"], &brand["name"]), (&json!("5:1"), &json!("Brand")));
    assert_eq!(brand["paints"][0]["color"], json!({"r": 1, "g": 0, "b": 0}));
    assert_eq!(reply["texts"], json!([{"id": "5:2", "name": "Title", "key": "k"}]));
    assert_eq!(
        (&reply["effects"][0]["name"], &reply["grids"][0]["id"]),
        (&json!("Soft"), &json!("5:4"))
    );
}

#[test]
fn lines_along_a_text_and_its_case_are_set_apart() {
    let mut canvas = blank();
    let id = text(&mut canvas);
    let line = json!({"nodeId": id, "textDecoration": "UNDERLINE"});
    good(&mut canvas, "set_text_decoration", line);
    let case = json!({"nodeId": id, "textCase": "SMALL_CAPS_FORCED"});
    let reply = good(&mut canvas, "set_text_decoration", case);
    assert_eq!(
        reply,
        json!({
            "nodeId": id, "name": "Label", "textDecoration": "UNDERLINE",
            "textCase": "SMALL_CAPS_FORCED"
        })
    );
    let style = &node(&canvas, &id).text().unwrap().style;
    assert_eq!(style.decoration, TextDecoration::Underline);
    assert_eq!(style.case, TextCase::SmallCapsForced);
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [id]}));
    assert_eq!(info["nodeList"][0]["nodeInfo"]["style"]["textDecoration"], "UNDERLINE");
    let leaf = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
    let on = |id: &str| json!({"nodeId": id, "textCase": "UPPER"});
    bad(&mut canvas, "set_text_decoration", on(&leaf), FailureClass::WrongNodeType);
    bad(&mut canvas, "set_text_decoration", on("7:7"), FailureClass::UnknownNode);
    let odd = json!({"nodeId": id, "textCase": "CAMEL"});
    bad(&mut canvas, "set_text_decoration", odd, FailureClass::BadArguments);
}

#[test]
fn polygons_and_stars_have_figmas_defaults() {
    let mut canvas = blank();
    let polygon = json!({
        "x": 10, "y": 20, "width": 30, "height": 40, "pointCount": 6.0, "name": "Hexagon"
    });
    let reply = good(&mut canvas, "create_polygon", polygon.clone());
    assert_eq!((&reply["pointCount"], &reply["x"]), (&json!(6), &json!(10)));
    let made = node(&canvas, &id_of(&reply));
    assert_eq!(made.kind, NodeKind::RegularPolygon { corners: 6 });
    assert_eq!(made.fills[0].solid_color(), Some(Rgba::DEFAULT_SHAPE));
    let star = json!({"x": 10, "y": 20, "width": 30, "height": 40, "pointCount": 5});
    let reply = good(&mut canvas, "create_star", star.clone());
    assert_eq!((&reply["name"], &reply["innerRadius"]), (&json!("Star"), &json!(50)));
    let star_id = id_of(&reply);
    let kind = &node(&canvas, &star_id).kind;
    assert_eq!(*kind, NodeKind::Star { tips: 5, inner_ratio: 0.5 });
    assert_near(box_of(&canvas, &star_id), 10.0, 20.0, 30.0, 40.0);
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [star_id]}));
    assert_eq!(info["nodeList"][0]["nodeInfo"]["innerRadius"], json!(0.5));
    for (tool, base, key, value) in [
        ("create_polygon", &polygon, "pointCount", json!(2)),
        ("create_polygon", &polygon, "pointCount", json!(3.5)),
        ("create_polygon", &polygon, "pointCount", json!(9_000_000)),
        ("create_polygon", &polygon, "width", json!(-3)),
        ("create_star", &star, "pointCount", json!(61)),
        ("create_star", &star, "innerRadius", json!(101)),
        ("create_star", &star, "height", json!(0)),
    ] {
        let mut arguments = base.clone();
        arguments[key] = value;
        bad(&mut canvas, tool, arguments, FailureClass::BadArguments);
    }
}

#[test]
fn nothing_is_selected() {
    let reply = good(&mut blank(), "get_selection_info", json!({}));
    assert_eq!(reply, json!({"selectionCount": 0, "selection": []}));
}

#[test]
fn nodes_are_found_by_type_where_they_are_visible() {
    let mut canvas = blank();
    let hidden = json!({"document": {
        "id": "1:1", "name": "Screen", "type": "FRAME",
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 100, "height": 100},
        "children": [
            {"id": "1:2", "name": "Off", "type": "FRAME", "visible": false,
             "absoluteBoundingBox": {"x": 0, "y": 0, "width": 10, "height": 10},
             "children": [{"id": "1:3", "name": "Lost", "type": "TEXT", "characters": "x",
                "absoluteBoundingBox": {"x": 0, "y": 0, "width": 10, "height": 10}}]},
            {"id": "1:4", "name": "Seen", "type": "TEXT", "characters": "Hi",
             "absoluteBoundingBox": {"x": 5, "y": 6, "width": 10, "height": 10}},
            {"id": "1:5", "name": "Tri", "type": "REGULAR_POLYGON",
             "absoluteBoundingBox": {"x": 5, "y": 6, "width": 10, "height": 10}}
        ]
    }});
    good(&mut canvas, "import_json", json!({"jsonString": hidden.to_string()}));
    let find = json!({"nodeId": "1:1", "types": ["TEXT", "POLYGON", "FRAME"]});
    let reply = good(&mut canvas, "get_node_info_by_types", find);
    let ids: Vec<_> =
        reply["matchingNodes"].as_array().unwrap().iter().map(|found| &found["id"]).collect();
    assert_eq!(ids, ["1:1", "1:4", "1:5"]);
    assert_eq!((&reply["count"], &reply["success"]), (&json!(3), &json!(true)));
    let seen = json!({"x": 5, "y": 6, "width": 10, "height": 10});
    assert_eq!(reply["matchingNodes"][1]["bbox"], seen);
    let texts = good(&mut canvas, "get_text_node_info", json!({"nodeId": "0:1"}));
    assert_eq!(texts["count"], json!(1));
    let text = &texts["textNodes"][0];
    assert_eq!((&text["characters"], &text["x"]), (&json!("Hi"), &json!(5)));
    assert_eq!((&text["path"], &text["depth"]), (&json!("Main Screen > Seen"), &json!(1)));
    let none = json!({"nodeId": "1:1", "types": []});
    bad(&mut canvas, "get_node_info_by_types", none, FailureClass::BadArguments);
    let missing = json!({"nodeId": "7:7", "types": ["TEXT"]});
    bad(&mut canvas, "get_node_info_by_types", missing, FailureClass::UnknownNode);
    bad(&mut canvas, "get_text_node_info", json!({"nodeId": "7:7"}), FailureClass::UnknownNode);
}
