//! Tools that paint, and tools that set text.

use pentimento::base::{Point, Rgba};
use pentimento::design::{LineHeight, PaintKind, StrokeAlign, TextAlign, VerticalAlign};
use pentimento::environment::FailureClass;
use serde_json::json;

use super::*;

fn group(canvas: &mut CanvasEnvironment) -> String {
    let a = rectangle(canvas, [0.0, 0.0, 5.0, 5.0], None);
    let b = rectangle(canvas, [9.0, 0.0, 5.0, 5.0], None);
    let reply = good(canvas, "group_nodes", json!({"nodeIds": [a, b]}));
    reply["groupId"].as_str().unwrap().to_owned()
}

fn text(canvas: &mut CanvasEnvironment, characters: &str) -> String {
    let arguments = json!({
        "x": 0, "y": 0, "width": 100, "height": 20, "text": characters, "name": "Label"
    });
    id_of(&good(canvas, "create_text", arguments))
}

#[test]
fn a_fill_is_replaced_and_alpha_0_stays_0() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
    let fill = json!({"nodeId": id, "r": 1, "g": 0.5, "b": 0, "a": 0});
    let reply = good(&mut canvas, "set_fill_color", fill);
    assert_eq!(reply["fills"][0]["color"], json!({"r": 1, "g": 0.5, "b": 0}));
    assert_eq!(reply["fills"][0]["opacity"], json!(0));
    let fill = &node(&canvas, &id).fills;
    assert_eq!((fill.len(), fill[0].solid_color()), (1, Some(Rgba::new(1.0, 0.5, 0.0, 0.0))));
    let group = group(&mut canvas);
    let fill = json!({"nodeId": group, "r": 1, "g": 0.5, "b": 0});
    bad(&mut canvas, "set_fill_color", fill, FailureClass::WrongNodeType);
    let fill = json!({"nodeId": "7:7", "r": 1, "g": 0.5, "b": 0});
    bad(&mut canvas, "set_fill_color", fill, FailureClass::UnknownNode);
}

#[test]
fn only_flagged_corners_change() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    good(&mut canvas, "set_corner_radius", json!({"nodeId": id, "radius": 8}));
    assert_eq!(node(&canvas, &id).corner_radii.as_uniform(), Some(8.0));
    let top = json!({"nodeId": id, "radius": 2, "bottomLeft": false, "bottomRight": false});
    let reply = good(&mut canvas, "set_corner_radius", top);
    assert_eq!((&reply["cornerRadius"], &reply["topLeftRadius"]), (&json!("mixed"), &json!(2)));
    assert_eq!(reply["bottomRightRadius"], json!(8));
    let text = text(&mut canvas, "a");
    let on_text = json!({"nodeId": text, "radius": 8});
    bad(&mut canvas, "set_corner_radius", on_text, FailureClass::WrongNodeType);
    let negative = json!({"nodeId": id, "radius": -8});
    bad(&mut canvas, "set_corner_radius", negative, FailureClass::BadArguments);
}

#[test]
fn opacity_is_set_on_anything_that_is_drawn() {
    let mut canvas = blank();
    let group = group(&mut canvas);
    let reply = good(&mut canvas, "set_opacity", json!({"nodeId": group, "opacity": 0.25}));
    assert_eq!(reply["opacity"], json!(0.25));
    assert_eq!(node(&canvas, &group).opacity, 0.25);
    bad(
        &mut canvas,
        "set_opacity",
        json!({"nodeId": group, "opacity": 2}),
        FailureClass::BadArguments,
    );
    bad(
        &mut canvas,
        "set_opacity",
        json!({"nodeId": "7:7", "opacity": 1}),
        FailureClass::UnknownNode,
    );
}

#[test]
fn a_stroke_is_black_and_centred_unless_told_otherwise() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    let reply = good(&mut canvas, "set_stroke", json!({"nodeId": id}));
    assert_eq!((&reply["strokeAlign"], &reply["strokeWeight"]), (&json!("CENTER"), &json!(1)));
    assert_eq!(node(&canvas, &id).stroke.paints[0].solid_color(), Some(Rgba::BLACK));
    let red = json!({
        "nodeId": id, "strokeColor": {"r": 1, "g": 0, "b": 0, "a": 0.5}, "weight": 4,
        "align": "OUTSIDE"
    });
    good(&mut canvas, "set_stroke", red);
    let stroke = &node(&canvas, &id).stroke;
    assert_eq!((stroke.weight, stroke.align), (4.0, StrokeAlign::Outside));
    assert_eq!(stroke.paints[0].opacity, 0.5);
    let group = group(&mut canvas);
    bad(&mut canvas, "set_stroke", json!({"nodeId": group}), FailureClass::WrongNodeType);
    bad(&mut canvas, "set_stroke", json!({"nodeId": "7:7"}), FailureClass::UnknownNode);
}

#[test]
fn a_gradient_runs_through_the_middle_at_its_angle() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [0.0, 0.0, 50.0, 50.0], None);
    let stops = json!([
        {"r": 1, "g": 0, "b": 0, "position": 0}, {"r": 0, "g": 0, "b": 1, "a": 0, "position": 1}
    ]);
    let down = json!({"nodeId": id, "gradientStops": stops, "angle": 90});
    let reply = good(&mut canvas, "set_fill_gradient", down);
    assert_eq!(reply["fills"][0]["type"], "GRADIENT_LINEAR");
    assert_eq!(reply["fills"][0]["gradientStops"][1]["color"]["a"], json!(0));
    let PaintKind::Gradient(gradient) = &node(&canvas, &id).fills[0].kind else { panic!() };
    assert_eq!(gradient.handles[..2], [Point::new(0.5, 0.0), Point::new(0.5, 1.0)]);
    let radial = json!({"nodeId": id, "gradientStops": stops, "gradientType": "GRADIENT_RADIAL"});
    let reply = good(&mut canvas, "set_fill_gradient", radial);
    assert_eq!(reply["fills"][0]["type"], "GRADIENT_RADIAL");
    let one = json!({"nodeId": id, "gradientStops": [stops[0]]});
    bad(&mut canvas, "set_fill_gradient", one, FailureClass::BadArguments);
    let group = group(&mut canvas);
    let on_group = json!({"nodeId": group, "gradientStops": stops});
    bad(&mut canvas, "set_fill_gradient", on_group, FailureClass::WrongNodeType);
}

#[test]
fn texts_change_all_together_or_not_at_all() {
    let mut canvas = blank();
    let (a, b) = (text(&mut canvas, "one"), text(&mut canvas, "two"));
    let changes = json!({"changes": [{"nodeId": a, "text": "eins"}, {"nodeId": b, "text": ""}]});
    let reply = good(&mut canvas, "set_text_content", changes);
    assert_eq!((&reply["changesApplied"], &reply["completedInChunks"]), (&json!(2), &json!(1)));
    assert_eq!(
        reply["results"][0],
        json!({"success": true, "nodeId": a, "originalText": "one", "translatedText": "eins"})
    );
    assert_eq!(node(&canvas, &b).text().unwrap().characters, "");
    let main = main_id(&canvas);
    for (other, class) in
        [("7:7", FailureClass::UnknownNode), (main.as_str(), FailureClass::WrongNodeType)]
    {
        let changes =
            json!({"changes": [{"nodeId": a, "text": "x"}, {"nodeId": other, "text": "y"}]});
        bad(&mut canvas, "set_text_content", changes, class);
    }
    bad(&mut canvas, "set_text_content", json!({"changes": []}), FailureClass::BadArguments);
}

#[test]
fn text_properties_are_set_one_by_one() {
    let mut canvas = blank();
    let id = text(&mut canvas, "one");
    let given = json!({
        "nodeId": id, "fontSize": 20, "lineHeight": 28, "letterSpacing": -0.5,
        "textAlignHorizontal": "RIGHT", "textAlignVertical": "BOTTOM"
    });
    assert_eq!(good(&mut canvas, "set_text_properties", given), json!({"nodeId": id}));
    let style = node(&canvas, &id).text().unwrap().style.clone();
    assert_eq!((style.font_size, style.letter_spacing), (20.0, -0.5));
    assert_eq!(style.line_height, LineHeight::Pixels(28.0));
    assert_eq!((style.align, style.vertical_align), (TextAlign::Right, VerticalAlign::Bottom));
    good(&mut canvas, "set_text_properties", json!({"nodeId": id, "fontSize": 30}));
    assert_eq!(node(&canvas, &id).text().unwrap().style.align, TextAlign::Right);
    let zero = json!({"nodeId": id, "fontSize": 0});
    bad(&mut canvas, "set_text_properties", zero, FailureClass::BadArguments);
    let main = main_id(&canvas);
    bad(&mut canvas, "set_text_properties", json!({"nodeId": main}), FailureClass::WrongNodeType);
}

#[test]
fn a_font_is_set_by_family_and_style() {
    let mut canvas = blank();
    let id = text(&mut canvas, "one");
    let font = |family: &str, style: &str| json!({"nodeId": id, "font": {"family": family, "style": style}});
    good(&mut canvas, "set_text_font", font("Inter", "Semi Bold Italic"));
    let style = node(&canvas, &id).text().unwrap().style.clone();
    assert_eq!((style.font_weight, style.italic), (600.0, true));
    let outcome = call(&mut canvas, "set_text_font", font("Roboto", "Bold"));
    assert!(outcome.text.contains("drawn in Inter"), "{}", outcome.text);
    assert_eq!(node(&canvas, &id).text().unwrap().style.font_family, "Roboto");
    let message = bad(&mut canvas, "set_text_font", font("Inter", "Wobbly"), FailureClass::Refused);
    assert!(message.contains("Semi Bold"), "{message}");
    bad(&mut canvas, "set_text_font", font("", "Bold"), FailureClass::BadArguments);
}

/// A design of one frame with one text in it.
fn with_text(style: &Value) -> CanvasEnvironment {
    let at = |x: f64, width: f64| json!({"x": x, "y": 10.0, "width": width, "height": 17.0});
    let design = json!({"document": {
        "id": "1:1", "name": "Screen", "type": "FRAME", "absoluteBoundingBox": at(0.0, 400.0),
        "children": [{
            "id": "1:2", "name": "Label", "type": "TEXT", "characters": "Hello",
            "absoluteBoundingBox": at(100.0, 40.0), "fills": [], "style": style
        }]
    }});
    let mut canvas = blank();
    good(&mut canvas, "import_json", json!({"jsonString": design.to_string()}));
    canvas
}

#[test]
fn a_text_that_resizes_itself_grows_from_the_edge_it_is_aligned_to() {
    for (align, left, right) in [("LEFT", 0.0, 1.0), ("CENTER", 0.5, 0.5), ("RIGHT", 1.0, 0.0)] {
        let mut canvas = with_text(&json!({
            "fontFamily": "Inter", "fontSize": 14, "fontWeight": 400,
            "textAlignHorizontal": align, "textAutoResize": "WIDTH_AND_HEIGHT"
        }));
        let before = box_of(&canvas, "1:2");
        let longer = json!({"changes": [{"nodeId": "1:2", "text": "Hello and good evening"}]});
        good(&mut canvas, "set_text_content", longer);
        let after = box_of(&canvas, "1:2");
        let more = after.width - before.width;
        assert!(more > 50.0, "{after:?}");
        assert_near(after, before.x - left * more, before.y, before.width + more, after.height);
        assert!((after.right() - before.right() - right * more).abs() < 1e-9);
    }
}

#[test]
fn a_text_of_fixed_size_keeps_its_box_and_one_of_fixed_width_its_width() {
    let long = json!({"changes": [{"nodeId": "1:2", "text": "many more words than before"}]});
    let style = |resize: &str| json!({"fontFamily": "Inter", "fontSize": 14, "fontWeight": 400, "textAutoResize": resize});
    let mut canvas = with_text(&style("NONE"));
    good(&mut canvas, "set_text_content", long.clone());
    assert_near(box_of(&canvas, "1:2"), 100.0, 0.0, 40.0, 17.0);
    let mut canvas = with_text(&style("HEIGHT"));
    good(&mut canvas, "set_text_content", long);
    let at = box_of(&canvas, "1:2");
    assert!(at.width == 40.0 && at.height > 60.0, "{at:?}");
}
