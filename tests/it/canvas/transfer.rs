//! Looking, JSON in and out, the link, and starting.

use pentimento::base::Size;
use pentimento::design::figma;
use pentimento::environment::canvas::StartError;
use pentimento::environment::{Environment as _, FailureClass, PictureRequest};
use serde_json::{Value, json};

use super::*;
use crate::shared;

#[test]
fn a_blank_start_is_a_white_main_screen() {
    let canvas = blank();
    let main = node(&canvas, &main_id(&canvas));
    assert_eq!((main.name.as_str(), main.clips_content), ("Main Screen", true));
    assert_near(box_of(&canvas, &main_id(&canvas)), 0.0, 0.0, 393.0, 852.0);
    for size in [Size::new(0.0, 9.0), Size::new(9.0, f64::NAN), Size::new(1e9, 9.0)] {
        let start = CanvasEnvironment::new(Start::Blank(size), CanvasSettings::default());
        assert!(matches!(start, Err(StartError::Size { .. })));
    }
}

#[test]
fn the_page_and_its_nodes_are_described() {
    let mut canvas = blank();
    let main = main_id(&canvas);
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [30.0, 40.0, 10.0, 10.0], Some(&a));
    let page = good(&mut canvas, "get_page_info", json!({}));
    assert_eq!((&page["id"], &page["immediateChildrenCount"]), (&json!("0:1"), &json!(1)));
    assert_eq!(page["immediateChildren"][0]["id"], main);
    let info = good(&mut canvas, "get_node_info", json!({"nodeIds": [leaf, "7:7"]}));
    assert_eq!(info["missing"], json!(["7:7"]));
    let leaf_info = &info["nodeList"][0]["nodeInfo"];
    assert_eq!(leaf_info["fills"][0]["color"], "#d9d9d9");
    assert_eq!(leaf_info["position"], json!({"x": 30, "y": 40}));
    assert_eq!(leaf_info["parent"], json!({"id": a, "name": "Frame", "type": "FRAME"}));
    assert_eq!((&leaf_info["visible"], &leaf_info["type"]), (&json!(true), &json!("RECTANGLE")));
    let tree = good(&mut canvas, "get_page_structure", json!({}));
    let leaf_there = &tree["structureTree"][0]["children"][0]["children"][0];
    assert_eq!(
        *leaf_there,
        json!({
            "id": leaf, "name": "Box", "type": "RECTANGLE",
            "position": {"x": 30, "y": 40}, "size": {"width": 10, "height": 10}
        })
    );
    bad(&mut canvas, "get_node_info", json!({"nodeIds": ["7:7"]}), FailureClass::UnknownNode);
    bad(&mut canvas, "get_node_info", json!({"nodeIds": []}), FailureClass::BadArguments);
}

#[test]
fn there_is_one_channel() {
    let mut canvas = blank();
    let channels = good(&mut canvas, "get_channels", json!({}));
    let channel = channels["availableChannels"][0].clone();
    assert_eq!(
        good(&mut canvas, "select_channel", json!({"channel": channel}))["channel"],
        channel
    );
    assert_eq!(good(&mut canvas, "check_connection_status", json!({}))["currentChannel"], channel);
    bad(&mut canvas, "select_channel", json!({"channel": "9-Z"}), FailureClass::Refused);
}

#[test]
fn the_page_is_drawn_at_a_scale_and_an_empty_one_is_50_by_50() {
    let mut canvas = blank();
    let outcome = call(&mut canvas, "get_result_image", json!({"scale": 0.5}));
    assert!(!outcome.is_error(), "{}", outcome.text);
    let picture = outcome.image.unwrap();
    assert_eq!((picture.width(), picture.height()), (197, 426));
    assert_eq!(picture.get(10, 10), Some([255; 4]));
    let main = main_id(&canvas);
    good(&mut canvas, "delete_node", json!({"nodeIds": [main]}));
    let picture = call(&mut canvas, "get_result_image", json!({"pageId": "0:1"})).image.unwrap();
    assert_eq!((picture.width(), picture.height()), (50, 50));
    bad(&mut canvas, "get_result_image", json!({"pageId": "1:1"}), FailureClass::Refused);
    bad(&mut canvas, "get_result_image", json!({"scale": 0.01}), FailureClass::BadArguments);
    bad(&mut canvas, "get_result_image", json!({"scale": 1e6}), FailureClass::Render);
    assert!(canvas.picture(&PictureRequest::default()).is_err());
}

#[test]
fn what_is_exported_can_be_imported() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    rectangle(&mut canvas, [30.0, 40.0, 10.0, 10.0], Some(&a));
    rectangle(&mut canvas, [-30.0, 40.0, 10.0, 10.0], Some("0:1"));
    let exported = good(&mut canvas, "export_json", json!({}));
    assert_eq!(exported["document"]["type"], "CANVAS");
    let result = canvas.document_json();
    assert_eq!(result["document"]["name"], "Main Screen");
    let mut other = blank();
    let reply = good(&mut other, "import_json", json!({"jsonString": exported.to_string()}));
    assert_eq!(reply["rootFrameId"], main_id(&canvas));
    assert_eq!(other.document_json(), result);
    assert_eq!(other.document().roots().len(), 1);
}

#[test]
fn what_cannot_be_imported_is_refused_and_leaves_the_page_alone() {
    let mut canvas = blank();
    rectangle(&mut canvas, [30.0, 40.0, 10.0, 10.0], None);
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    for text in ["", "{", "[1, 2]", "{\"document\": 5}", "null", deep.as_str()] {
        bad(&mut canvas, "import_json", json!({"jsonString": text}), FailureClass::BadArguments);
    }
    let rectangle = json!({"document": {
        "id": "1:1", "type": "RECTANGLE", "name": "r",
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 5, "height": 5}
    }});
    let arguments = json!({"jsonString": rectangle.to_string()});
    bad(&mut canvas, "import_json", arguments, FailureClass::Refused);
}

#[test]
fn a_real_design_starts_at_the_origin_with_its_ids_and_is_written_back() {
    let Some(folder) = shared::path("data/figma") else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let json: Value = pentimento::base::parse_json(&std::fs::read(&path).unwrap()).unwrap();
        let document = figma::from_json(json).unwrap().document;
        let Ok(canvas) = CanvasEnvironment::new(Start::Design(document), CanvasSettings::default())
        else {
            continue;
        };
        let main = main_id(&canvas);
        let at = box_of(&canvas, &main);
        assert!(at.x.abs() < 1e-6 && at.y.abs() < 1e-6, "{}: {at:?}", path.display());
        assert_eq!(node(&canvas, &main).name, "Main Screen");
        assert_eq!(canvas.document_json()["document"]["id"], main);
        seen += 1;
    }
    assert!(seen > 0, "no design in the folder could be worked on");
}
