//! Tools that turn nodes and put several together: rotation, masks, boolean operations.

use pentimento::base::{Point, Rgba};
use pentimento::design::{BooleanOp, NodeKind};
use pentimento::environment::FailureClass;
use serde_json::json;

use super::*;

fn middle(canvas: &CanvasEnvironment, id: &str) -> Point {
    let at = box_of(canvas, id);
    Point::new(at.x + at.width / 2.0, at.y + at.height / 2.0)
}

#[test]
fn a_node_turns_counter_clockwise_about_its_middle_to_the_angle_told() {
    let mut canvas = blank();
    let id = rectangle(&mut canvas, [100.0, 100.0, 40.0, 20.0], None);
    let reply = good(&mut canvas, "rotate_node", json!({"nodeId": id, "angle": 90}));
    assert_eq!((&reply["angle"], &reply["rotation"]), (&json!(90), &json!(90)));
    assert_eq!((&reply["x"], &reply["y"]), (&json!(110), &json!(90)));
    assert_near(box_of(&canvas, &id), 110.0, 90.0, 20.0, 40.0);
    // Its own right end points up.
    let right = node(&canvas, &id).transform.apply(Point::new(40.0, 10.0));
    assert_eq!(right, Point::new(120.0, 90.0));
    assert!((node(&canvas, &id).transform.rotation_degrees() - 90.0).abs() < 1e-9);
    for angle in [33.0, 271.5, 180.0, 360.0] {
        good(&mut canvas, "rotate_node", json!({"nodeId": id, "angle": angle}));
        let at = middle(&canvas, &id);
        assert!((at.x - 120.0).abs() < 1e-9 && (at.y - 110.0).abs() < 1e-9, "{at:?}");
    }
    assert_near(box_of(&canvas, &id), 100.0, 100.0, 40.0, 20.0);
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [id]}));
    assert_eq!(info["nodeList"][0]["nodeInfo"]["rotation"], json!(null));
}

#[test]
fn a_group_turns_with_what_is_in_it_and_angles_count_from_the_frame_around() {
    let mut canvas = blank();
    let a = rectangle(&mut canvas, [100.0, 100.0, 40.0, 20.0], None);
    let b = rectangle(&mut canvas, [160.0, 100.0, 40.0, 20.0], None);
    let group = good(&mut canvas, "group_nodes", json!({"nodeIds": [a, b]}));
    let group = group["groupId"].as_str().unwrap().to_owned();
    good(&mut canvas, "rotate_node", json!({"nodeId": group, "angle": 90}));
    assert_near(box_of(&canvas, &group), 140.0, 60.0, 20.0, 100.0);
    assert_near(box_of(&canvas, &a), 140.0, 120.0, 20.0, 40.0);
    // Against the frame it is turned by 90 already.
    good(&mut canvas, "rotate_node", json!({"nodeId": a, "angle": 90}));
    assert_near(box_of(&canvas, &a), 140.0, 120.0, 20.0, 40.0);
    good(&mut canvas, "rotate_node", json!({"nodeId": a, "angle": 0}));
    assert_near(box_of(&canvas, &a), 130.0, 130.0, 40.0, 20.0);
    let turn = |id: &str, angle: f64| json!({"nodeId": id, "angle": angle});
    bad(&mut canvas, "rotate_node", turn("7:7", 1.0), FailureClass::UnknownNode);
    bad(&mut canvas, "rotate_node", turn(&a, 361.0), FailureClass::BadArguments);
}

#[test]
fn a_mask_lies_below_its_contents_in_a_group_in_its_parent() {
    let mut canvas = blank();
    let card = frame(&mut canvas, [20.0, 20.0, 200.0, 200.0], None);
    let photo = rectangle(&mut canvas, [30.0, 30.0, 100.0, 100.0], Some(&card));
    let badge = rectangle(&mut canvas, [200.0, 300.0, 10.0, 10.0], None);
    let mask = rectangle(&mut canvas, [40.0, 40.0, 50.0, 50.0], Some(&card));
    let above = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], Some(&card));
    let places: Vec<_> = [&photo, &badge, &mask].map(|id| box_of(&canvas, id)).to_vec();
    let arguments = json!({"maskNodeId": mask, "contentNodeIds": [badge, photo]});
    let reply = good(&mut canvas, "create_mask", arguments);
    let group = id_of(&reply);
    assert_eq!((&reply["name"], &reply["maskNodeId"]), (&json!("Mask Group"), &json!(mask)));
    assert_eq!((&reply["groupId"], &reply["parentId"]), (&json!(group), &json!(card)));
    // The contents lie as they lay: the badge was painted after the card.
    assert_eq!(children(&canvas, &group), [mask.clone(), photo.clone(), badge.clone()]);
    assert_eq!(reply["contentNodeIds"], json!([photo, badge]));
    assert_eq!(children(&canvas, &card), [group.clone(), above]);
    assert!(node(&canvas, &mask).is_mask && !node(&canvas, &photo).is_mask);
    for (id, was) in [&photo, &badge, &mask].into_iter().zip(places) {
        assert_near(box_of(&canvas, id), was.x, was.y, was.width, was.height);
    }
}

#[test]
fn what_cannot_be_masked_is_refused() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [30.0, 30.0, 10.0, 10.0], Some(&a));
    let mask = |mask: &str, content: &str| json!({"maskNodeId": mask, "contentNodeIds": [content]});
    bad(&mut canvas, "create_mask", mask(&leaf, &leaf), FailureClass::BadArguments);
    bad(&mut canvas, "create_mask", mask(&leaf, &a), FailureClass::BadArguments);
    bad(&mut canvas, "create_mask", mask(&a, &leaf), FailureClass::BadArguments);
    bad(&mut canvas, "create_mask", mask("7:7", &leaf), FailureClass::UnknownNode);
    bad(&mut canvas, "create_mask", mask(&leaf, "7:7"), FailureClass::UnknownNode);
    let none = json!({"maskNodeId": leaf, "contentNodeIds": []});
    bad(&mut canvas, "create_mask", none, FailureClass::BadArguments);
}

/// A red circle below a blue one that covers part of it.
fn circles(canvas: &mut CanvasEnvironment) -> [String; 2] {
    [(100, json!({"r": 1, "g": 0, "b": 0})), (120, json!({"r": 0, "g": 0, "b": 1}))].map(
        |(x, color)| {
            let arguments = json!({
                "x": x, "y": 100, "width": 40, "height": 40, "name": "Circle", "fillColor": color
            });
            id_of(&good(canvas, "create_ellipse", arguments))
        },
    )
}

#[test]
fn combined_shapes_keep_their_place_and_are_painted_as_figma_does() {
    for (word, operation, color) in [
        ("UNION", BooleanOp::Union, Rgba::new(0.0, 0.0, 1.0, 1.0)),
        ("SUBTRACT", BooleanOp::Subtract, Rgba::new(1.0, 0.0, 0.0, 1.0)),
        ("INTERSECT", BooleanOp::Intersect, Rgba::new(0.0, 0.0, 1.0, 1.0)),
        ("EXCLUDE", BooleanOp::Exclude, Rgba::new(0.0, 0.0, 1.0, 1.0)),
    ] {
        let mut canvas = blank();
        let [red, blue] = circles(&mut canvas);
        let above = rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None);
        let arguments = json!({"nodeIds": [blue, red], "operation": word});
        let reply = good(&mut canvas, "boolean_nodes", arguments);
        let id = id_of(&reply);
        assert_eq!(reply["booleanOperation"], word);
        assert_eq!(reply["containedIds"], json!([red, blue]));
        let combined = node(&canvas, &id);
        assert_eq!(combined.kind, NodeKind::BooleanOperation(operation));
        assert_eq!(combined.fills[0].solid_color(), Some(color), "{word}");
        assert_eq!(children(&canvas, &id), [red.clone(), blue.clone()]);
        assert_eq!(children(&canvas, &main_id(&canvas)), [id.clone(), above]);
        assert_near(box_of(&canvas, &red), 100.0, 100.0, 40.0, 40.0);
        assert_near(box_of(&canvas, &blue), 120.0, 100.0, 40.0, 40.0);
        let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [id]}));
        assert_eq!(info["nodeList"][0]["nodeInfo"]["booleanOperation"], word);
    }
}

#[test]
fn the_box_of_a_union_is_that_of_its_shapes() {
    let mut canvas = blank();
    let [red, blue] = circles(&mut canvas);
    let arguments = json!({"nodeIds": [red, blue], "operation": "UNION"});
    let reply = good(&mut canvas, "boolean_nodes", arguments);
    let numbers = ["x", "y", "width", "height"].map(|key| reply[key].as_f64().unwrap().round());
    assert_eq!(numbers, [100.0, 100.0, 60.0, 40.0]);
}

#[test]
fn frames_are_not_combined() {
    let mut canvas = blank();
    let [red, blue] = circles(&mut canvas);
    let outer = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let combine = |a: &str, b: &str| json!({"nodeIds": [a, b], "operation": "UNION"});
    let message =
        bad(&mut canvas, "boolean_nodes", combine(&red, &outer), FailureClass::WrongNodeType);
    assert!(message.contains("FRAME"), "{message}");
    bad(&mut canvas, "boolean_nodes", combine(&red, &red), FailureClass::BadArguments);
    bad(&mut canvas, "boolean_nodes", combine(&red, "7:7"), FailureClass::UnknownNode);
    let once = json!({"nodeIds": [blue], "operation": "UNION"});
    bad(&mut canvas, "boolean_nodes", once, FailureClass::BadArguments);
}
