//! Tools for auto layout: what they say of frames and children, and what they refuse.

use pentimento::design::{AutoResize, CounterAlign, Direction, PrimaryAlign, Sides, Sizing};
use pentimento::environment::FailureClass;
use serde_json::json;

use super::*;

/// A frame with auto layout; gives its id.
fn row(canvas: &mut CanvasEnvironment, mode: &str, parent: Option<&str>) -> String {
    let id = frame(canvas, [10.0, 10.0, 200.0, 100.0], parent);
    good(canvas, "set_layout_mode", json!({"nodeId": id, "layoutMode": mode}));
    id
}

fn text(canvas: &mut CanvasEnvironment, parent: &str) -> String {
    let arguments = json!({
        "x": 0, "y": 0, "width": 80, "height": 30, "name": "Label", "text": "Hello",
        "parentId": parent
    });
    id_of(&good(canvas, "create_text", arguments))
}

fn sizing(canvas: &CanvasEnvironment, id: &str) -> [Option<Sizing>; 2] {
    let item = node(canvas, id).layout_item;
    [item.horizontal, item.vertical]
}

#[test]
fn a_frame_gets_auto_layout_hugs_along_it_and_keeps_its_extent_across() {
    let mut canvas = blank();
    let id = frame(&mut canvas, [10.0, 10.0, 200.0, 100.0], None);
    let mode = json!({"nodeId": id, "layoutMode": "HORIZONTAL", "layoutWrap": "WRAP"});
    let reply = good(&mut canvas, "set_layout_mode", mode);
    assert_eq!(
        reply,
        json!({"id": id, "name": "Frame", "layoutMode": "HORIZONTAL", "layoutWrap": "WRAP"})
    );
    let layout = node(&canvas, &id).auto_layout.clone().unwrap();
    assert_eq!((layout.direction, layout.wraps), (Direction::Horizontal, true));
    assert_eq!((layout.padding, layout.item_spacing), (Sides::default(), 0.0));
    assert_eq!((layout.primary_hugs, layout.counter_hugs), (true, false));
    assert_eq!(sizing(&canvas, &id), [Some(Sizing::Hug), Some(Sizing::Fixed)]);
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [id]}));
    assert_eq!(info["nodeList"][0]["nodeInfo"]["layoutMode"], "HORIZONTAL");
}

#[test]
fn turning_a_layout_keeps_its_padding_and_taking_it_keeps_everything_in_place() {
    let mut canvas = blank();
    let id = row(&mut canvas, "HORIZONTAL", None);
    let a = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], Some(&id));
    let b = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], Some(&id));
    good(&mut canvas, "set_padding", json!({"nodeId": id, "paddingLeft": 7}));
    good(&mut canvas, "set_layout_mode", json!({"nodeId": id, "layoutMode": "VERTICAL"}));
    let layout = node(&canvas, &id).auto_layout.clone().unwrap();
    assert_eq!((layout.direction, layout.padding.left), (Direction::Vertical, 7.0));
    let fill = json!({"nodeId": a, "layoutSizingHorizontal": "FILL"});
    good(&mut canvas, "set_layout_sizing", fill);
    let before = [box_of(&canvas, &id), box_of(&canvas, &a), box_of(&canvas, &b)];
    let reply = good(&mut canvas, "set_layout_mode", json!({"nodeId": id, "layoutMode": "NONE"}));
    assert_eq!((&reply["layoutMode"], &reply["layoutWrap"]), (&json!("NONE"), &json!("NO_WRAP")));
    assert_eq!(node(&canvas, &id).auto_layout, None);
    assert_eq!([box_of(&canvas, &id), box_of(&canvas, &a), box_of(&canvas, &b)], before);
    // Nothing is left that only auto layout could mean.
    assert!(!sizing(&canvas, &a).contains(&Some(Sizing::Fill)));
    assert!(!sizing(&canvas, &id).contains(&Some(Sizing::Hug)));
}

#[test]
fn only_frames_take_auto_layout_and_only_rows_wrap() {
    let mut canvas = blank();
    let id = frame(&mut canvas, [10.0, 10.0, 200.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], None);
    let mode = |id: &str, mode: &str| json!({"nodeId": id, "layoutMode": mode});
    bad(&mut canvas, "set_layout_mode", mode(&leaf, "VERTICAL"), FailureClass::WrongNodeType);
    bad(&mut canvas, "set_layout_mode", mode("7:7", "VERTICAL"), FailureClass::UnknownNode);
    bad(&mut canvas, "set_layout_mode", mode(&id, "GRID"), FailureClass::BadArguments);
    let wraps = json!({"nodeId": id, "layoutMode": "VERTICAL", "layoutWrap": "WRAP"});
    bad(&mut canvas, "set_layout_mode", wraps, FailureClass::BadArguments);
    let column = json!({
        "x": 0, "y": 0, "width": 10, "height": 10, "name": "f", "layoutMode": "VERTICAL",
        "counterAxisAlignItems": "BASELINE"
    });
    bad(&mut canvas, "create_frame", column, FailureClass::BadArguments);
    let negative = json!({
        "x": 0, "y": 0, "width": 10, "height": 10, "name": "f", "layoutMode": "VERTICAL",
        "paddingTop": -1
    });
    bad(&mut canvas, "create_frame", negative, FailureClass::BadArguments);
}

#[test]
fn padding_changes_only_on_the_sides_given() {
    let mut canvas = blank();
    let id = row(&mut canvas, "HORIZONTAL", None);
    good(&mut canvas, "set_padding", json!({"nodeId": id, "paddingTop": 4, "paddingLeft": 8}));
    let reply = good(&mut canvas, "set_padding", json!({"nodeId": id, "paddingTop": 5}));
    assert_eq!(
        reply,
        json!({
            "id": id, "name": "Frame", "paddingTop": 5, "paddingRight": 0, "paddingBottom": 0,
            "paddingLeft": 8
        })
    );
    let negative = json!({"nodeId": id, "paddingTop": -5});
    bad(&mut canvas, "set_padding", negative, FailureClass::BadArguments);
}

#[test]
fn alignment_and_spacing_are_set_and_what_is_left_out_stays() {
    let mut canvas = blank();
    let id = row(&mut canvas, "HORIZONTAL", None);
    let align = json!({"nodeId": id, "primaryAxisAlignItems": "SPACE_BETWEEN"});
    good(&mut canvas, "set_axis_align", align);
    let align = json!({"nodeId": id, "counterAxisAlignItems": "BASELINE"});
    let reply = good(&mut canvas, "set_axis_align", align.clone());
    assert_eq!(reply["primaryAxisAlignItems"], "SPACE_BETWEEN");
    assert_eq!(
        (&reply["counterAxisAlignItems"], &reply["layoutMode"]),
        (&json!("BASELINE"), &json!("HORIZONTAL"))
    );
    let layout = node(&canvas, &id).auto_layout.clone().unwrap();
    assert_eq!(layout.primary_align, PrimaryAlign::SpaceBetween);
    assert_eq!(layout.counter_align, CounterAlign::Baseline);
    let reply = good(&mut canvas, "set_item_spacing", json!({"nodeId": id, "itemSpacing": -4}));
    let wanted = json!({"id": id, "name": "Frame", "itemSpacing": -4, "layoutMode": "HORIZONTAL"});
    assert_eq!(reply, wanted);
    let column = row(&mut canvas, "VERTICAL", None);
    let align = json!({"nodeId": column, "counterAxisAlignItems": "BASELINE"});
    bad(&mut canvas, "set_axis_align", align, FailureClass::BadArguments);
}

#[test]
fn what_has_no_auto_layout_says_how_to_get_one() {
    let mut canvas = blank();
    let plain = frame(&mut canvas, [10.0, 10.0, 200.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], None);
    for (tool, rest) in [
        ("set_padding", json!({"paddingTop": 1})),
        ("set_axis_align", json!({"primaryAxisAlignItems": "MAX"})),
        ("set_item_spacing", json!({"itemSpacing": 1})),
    ] {
        let with = |id: &str| {
            let mut arguments = rest.clone();
            arguments["nodeId"] = json!(id);
            arguments
        };
        let message = bad(&mut canvas, tool, with(&plain), FailureClass::WrongNodeType);
        assert!(message.contains("set_layout_mode"), "{message}");
        bad(&mut canvas, tool, with(&leaf), FailureClass::WrongNodeType);
        bad(&mut canvas, tool, with("7:7"), FailureClass::UnknownNode);
    }
}

#[test]
fn a_child_that_fills_makes_a_parent_that_hugs_fixed_and_back() {
    let mut canvas = blank();
    let id = row(&mut canvas, "HORIZONTAL", None);
    let child = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], Some(&id));
    let fill = json!({
        "nodeId": child, "layoutSizingHorizontal": "FILL", "layoutSizingVertical": "FILL"
    });
    let reply = good(&mut canvas, "set_layout_sizing", fill);
    assert_eq!(
        reply,
        json!({
            "id": child, "name": "Box", "layoutSizingHorizontal": "FILL",
            "layoutSizingVertical": "FILL", "layoutMode": "NONE"
        })
    );
    assert_eq!(sizing(&canvas, &id), [Some(Sizing::Fixed); 2]);
    let hug = json!({"nodeId": id, "layoutSizingHorizontal": "HUG"});
    good(&mut canvas, "set_layout_sizing", hug);
    assert_eq!(sizing(&canvas, &child), [Some(Sizing::Fixed), Some(Sizing::Fill)]);
    let older = node(&canvas, &child).layout_item;
    assert_eq!((older.grows, older.stretches), (false, true));
}

#[test]
fn sizing_that_figma_refuses_is_refused_with_the_reason() {
    let mut canvas = blank();
    let plain = frame(&mut canvas, [10.0, 10.0, 200.0, 100.0], None);
    let child = rectangle(&mut canvas, [0.0, 0.0, 20.0, 20.0], Some(&plain));
    let label = text(&mut canvas, &plain);
    let across = |id: &str, word: &str| json!({"nodeId": id, "layoutSizingHorizontal": word});
    let down = |id: &str, word: &str| json!({"nodeId": id, "layoutSizingVertical": word});
    for arguments in
        [across(&plain, "HUG"), down(&child, "HUG"), across(&child, "FILL"), down(&label, "FILL")]
    {
        let message = bad(&mut canvas, "set_layout_sizing", arguments, FailureClass::WrongNodeType);
        assert!(message.contains("auto layout"), "{message}");
    }
    bad(&mut canvas, "set_layout_sizing", across("7:7", "FIXED"), FailureClass::UnknownNode);
    good(&mut canvas, "set_layout_sizing", across(&child, "FIXED"));
    let both = json!({
        "nodeId": label, "layoutSizingHorizontal": "HUG", "layoutSizingVertical": "FIXED"
    });
    bad(&mut canvas, "set_layout_sizing", both, FailureClass::BadArguments);
}

#[test]
fn a_text_that_hugs_takes_the_size_of_its_letters() {
    let mut canvas = blank();
    let main = main_id(&canvas);
    let label = text(&mut canvas, &main);
    let down = json!({"nodeId": label, "layoutSizingVertical": "HUG"});
    let reply = good(&mut canvas, "set_layout_sizing", down);
    assert_eq!(
        (&reply["layoutSizingHorizontal"], &reply["layoutSizingVertical"]),
        (&json!("FIXED"), &json!("HUG"))
    );
    let style = |canvas: &CanvasEnvironment| node(canvas, &label).text().unwrap().style.clone();
    assert_eq!(style(&canvas).auto_resize, AutoResize::Height);
    let at = box_of(&canvas, &label);
    assert!(at.width == 80.0 && at.height < 30.0, "{at:?}");
    let across = json!({"nodeId": label, "layoutSizingHorizontal": "HUG"});
    good(&mut canvas, "set_layout_sizing", across);
    assert_eq!(style(&canvas).auto_resize, AutoResize::WidthAndHeight);
    assert!(box_of(&canvas, &label).width < 80.0);
    assert_eq!(sizing(&canvas, &label), [Some(Sizing::Hug); 2]);
}
