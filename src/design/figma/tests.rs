use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::base::{Affine, Limits, Point, Rect, Rgba, Size, Vector, parse_json};
use crate::design::edit::Transaction;
use crate::design::edit::tests::{ops, run_all};
use crate::design::{
    AnchorId, AnchorKind, AutoResize, BlendMode, Contours, CornerRadii, Document, DocumentError,
    Gradient, LineHeight, Node, NodeId, NodeKind, Paint, PaintKind, StyleOverride, TextContent,
};

/// A page with most of what Figma writes, and some of what it does not.
fn sample() -> Value {
    let text = include_str!("../../../tests/data/figma/sample.json");
    parse_json(text.as_bytes()).unwrap()
}

fn load(json: Value) -> Document {
    from_json(json).unwrap().document
}

fn changed(json: &Value, id: &str, change: impl FnOnce(&mut Node)) -> Value {
    let mut document = load(json.clone());
    let mut transaction = Transaction::begin(&mut document);
    transaction.update(&id.into(), change).unwrap();
    transaction.commit();
    to_json(&document)
}

const FRAME: &str = "/document/children/0/children/0";
const BOX: &str = "/document/children/0/children/0/children/0";
const LABEL: &str = "/document/children/0/children/0/children/1/children/0";

/// The sample with values set at pointers; null takes a key out.
fn edited(changes: &[(&str, Value)]) -> Value {
    let mut json = sample();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match json.pointer_mut(parent).unwrap() {
            Value::Object(object) if value.is_null() => drop(object.shift_remove(key)),
            Value::Object(object) => drop(object.insert(key.to_owned(), value.clone())),
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            _ => panic!("{pointer}"),
        }
    }
    json
}

#[track_caller]
fn assert_same_text(a: &Value, b: &Value) {
    assert_eq!(a, b);
    assert_eq!(a.to_string(), b.to_string(), "order of keys");
}

#[test]
fn an_unchanged_document_is_written_back_with_its_numbers_and_order() {
    assert_same_text(&to_json(&load(sample())), &sample());
}

#[test]
fn every_shape_comes_back_as_that_shape() {
    let node = &sample()["document"]["children"][0]["children"][0];
    let entry = json!({"components": {}, "document": node, "schemaVersion": 1});
    let nodes = json!({"name": "n", "nodes": {"1-2": entry, "9:9": null}, "role": "owner"});
    let inside = json!({"document": node, "more": 1});
    for json in [node.clone(), inside, nodes, json!({"nodes": {}})] {
        assert_same_text(&to_json(&load(json.clone())), &json);
    }
}

#[test]
fn what_is_odd_is_said_and_kept() {
    let warnings = from_json(sample()).unwrap().warnings.join("\n");
    for word in ["HOLOGRAM", "SPARKLE", "PATTERN", "opacity", "absoluteBoundingBox", "children"] {
        assert!(warnings.contains(word), "{word} is not in:\n{warnings}");
    }
}

#[test]
fn typed_values_are_what_the_file_says() {
    let document = load(sample());
    let node = document.node(&"1:3".into()).unwrap();
    assert_eq!(node.corner_radii, CornerRadii::uniform(8.0));
    assert_eq!((node.opacity, node.fills.len()), (0.5, 4));
    assert_eq!(node.transform, Affine::translate(10.0, 20.0));
    assert_eq!(node.size, Size::new(50.0, 60.5));
    let gradient = &node.fills[2].kind;
    assert!(matches!(gradient, PaintKind::Gradient(Gradient { stops, .. }) if stops.len() == 1));
    let text = document.node(&"1:5".into()).unwrap().text().unwrap();
    assert_eq!(text.style.line_height, LineHeight::Percent(150.0));
    assert_eq!(text.style.auto_resize, AutoResize::Height);
    assert_eq!(text.override_ids, [0, 7, 7]);
    assert_eq!(text.overrides[&7].font_weight, Some(400.0));
}

#[test]
fn a_change_of_one_field_changes_that_field_alone() {
    let json = sample();
    let is = |id, change: fn(&mut Node), expected: &[(&str, Value)]| {
        assert_same_text(&changed(&json, id, change), &edited(expected));
    };
    is("1:3", |n| n.name = "Card".to_owned(), &[(&format!("{BOX}/name"), json!("Card"))]);
    is("1:3", |n| n.opacity = 1.0, &[(&format!("{BOX}/opacity"), json!(null))]);
    is("1:3", |n| n.visible = false, &[(&format!("{BOX}/visible"), json!(false))]);
    is(
        "1:2",
        |n| n.blend_mode = BlendMode::Multiply,
        &[(&format!("{FRAME}/blendMode"), json!("MULTIPLY"))],
    );
    is("1:2", |n| n.clips_content = false, &[(&format!("{FRAME}/clipsContent"), json!(false))]);
    is(
        "1:5",
        |n| n.text_mut().unwrap().style.font_size = 20.0,
        &[
            (&format!("{LABEL}/style/fontSize"), json!(20)),
            (&format!("{LABEL}/style/lineHeightPx"), json!(30)),
        ],
    );
    is(
        "1:5",
        |n| n.text_mut().unwrap().characters = "x".to_owned(),
        &[
            (&format!("{LABEL}/characters"), json!("x")),
            (&format!("{LABEL}/lineTypes"), json!(["NONE"])),
        ],
    );
    is(
        "1:5",
        |n| n.text_mut().unwrap().override_ids = vec![7],
        &[(&format!("{LABEL}/characterStyleOverrides"), json!([7]))],
    );
}

#[test]
fn one_changed_paint_leaves_the_others_verbatim() {
    let written = changed(&sample(), "1:3", |node| {
        node.fills[1].opacity = 0.25;
        node.fills.remove(0);
    });
    let fills = written.pointer(&format!("{BOX}/fills")).unwrap();
    let image = json!({"type": "IMAGE", "scaleMode": "FILL", "imageRef": "abc", "blendMode": "NORMAL", "opacity": 0.25, "filters": {"exposure": 0.3}});
    assert_eq!(fills[0], image, "its position has another type, so it is written anew");
    let was = sample();
    assert_eq!(fills[1], *was.pointer(&format!("{BOX}/fills/2")).unwrap());
    assert_eq!(fills[2], *was.pointer(&format!("{BOX}/fills/3")).unwrap());
}

#[test]
fn a_recoloured_paint_keeps_what_else_it_had() {
    let written = changed(&sample(), "1:3", |node| node.fills[1].opacity = 0.25);
    let path = format!("{BOX}/fills/1");
    let image = json!({"type": "IMAGE", "scaleMode": "FILL", "imageRef": "abc", "filters": {"exposure": 0.3}, "opacity": 0.25});
    assert_eq!(written, edited(&[(&path, image)]));
}

#[test]
fn deprecated_fills_of_a_frame_follow() {
    let written = changed(&sample(), "1:2", |node| node.fills = vec![Paint::solid(Rgba::WHITE)]);
    let white = json!({"r": 1, "g": 1, "b": 1, "a": 1});
    let fills = json!([{"blendMode": "NORMAL", "type": "SOLID", "color": white}]);
    assert_eq!(
        written,
        edited(&[
            (&format!("{FRAME}/fills"), fills.clone()),
            (&format!("{FRAME}/background"), fills),
            (&format!("{FRAME}/backgroundColor"), white),
        ])
    );
}

#[test]
fn radii_are_written_as_one_or_four() {
    fn four(radii: CornerRadii) -> Value {
        changed(&sample(), "1:3", |node| node.corner_radii = radii)
    }
    fn keys(json: &Value) -> (Option<Value>, Option<Value>) {
        let node = json.pointer(BOX).unwrap();
        (node.get("cornerRadius").cloned(), node.get("rectangleCornerRadii").cloned())
    }
    assert_eq!(keys(&four(CornerRadii::uniform(3.0))), (Some(json!(3)), Some(json!([3, 3, 3, 3]))));
    assert_eq!(keys(&four(CornerRadii::default())), (None, None));
    let two = CornerRadii { top_left: 1.0, ..CornerRadii::default() };
    assert_eq!(keys(&four(two)), (None, Some(json!([1, 0, 0, 0]))));
}

#[test]
fn a_moved_node_takes_its_boxes_along() {
    let written = changed(&sample(), "1:3", |node| {
        node.transform = Affine::translate(11.0, 20.0);
    });
    assert_same_text(
        &written,
        &edited(&[
            (&format!("{BOX}/absoluteBoundingBox/x"), json!(111)),
            (&format!("{BOX}/absoluteRenderBounds/x"), json!(109)),
        ]),
    );
    let written = changed(&sample(), "1:3", |node| node.size.width = 51.0);
    assert_same_text(
        &written,
        &edited(&[
            (&format!("{BOX}/absoluteBoundingBox/width"), json!(51)),
            (&format!("{BOX}/absoluteRenderBounds"), json!(null)),
        ]),
    );
}

#[test]
fn a_node_put_where_its_null_box_was_gets_a_box() {
    let document = load(sample());
    assert!(!document.node(&"1:6".into()).unwrap().has_box());
    assert_eq!(document.absolute_box(&"1:6".into()).unwrap(), Rect::new(100.0, 100.0, 0.0, 0.0));
    let written = changed(&sample(), "1:6", |node| node.size = Size::new(3.0, 4.0));
    let bounds = written.pointer(&format!("{FRAME}/children/2/absoluteBoundingBox")).unwrap();
    assert_eq!(*bounds, json!({"x": 100, "y": 100, "width": 3, "height": 4}));
}

#[test]
fn relative_transforms_under_a_group_count_from_the_frame() {
    // As Figma writes with geometry=paths: the child's transform skips the group.
    let json = json!({
        "id": "1:1", "name": "Frame", "type": "FRAME",
        "absoluteBoundingBox": {"x": 100, "y": 100, "width": 300, "height": 300},
        "relativeTransform": [[1, 0, 7], [0, 1, 7]], "size": {"x": 300, "y": 300},
        "children": [{
            "id": "1:2", "name": "Group", "type": "GROUP",
            "absoluteBoundingBox": {"x": 150, "y": 150, "width": 10, "height": 20},
            "relativeTransform": [[1, 0, 50], [0, 1, 50]], "size": {"x": 10, "y": 20},
            "children": [{
                "id": "1:3", "name": "Box", "type": "RECTANGLE", "fillGeometry": [],
                "absoluteBoundingBox": {"x": 150, "y": 150, "width": 10, "height": 20},
                "relativeTransform": [[0, -1, 60], [1, 0, 50]], "size": {"x": 20, "y": 10},
            }]
        }]
    });
    let document = load(json.clone());
    assert_same_text(&to_json(&document), &json);
    let node = document.node(&"1:3".into()).unwrap();
    assert_eq!(node.transform, Affine::from_rows([[0.0, -1.0, 10.0], [1.0, 0.0, 0.0]]));

    let written = changed(&json, "1:2", |node| node.transform = Affine::translate(60.0, 50.0));
    let child = &written["children"][0]["children"][0];
    assert_eq!(child["relativeTransform"], json!([[0, -1, 70], [1, 0, 50]]));
    assert_eq!(child["absoluteBoundingBox"]["x"], json!(160));
    assert_eq!(child["size"], json!({"x": 20, "y": 10}));
    assert_eq!(written["relativeTransform"], json["relativeTransform"]);
}

#[test]
fn a_line_is_as_long_as_its_box_says() {
    fn line(width: u32, height: u32) -> Size {
        let json = json!({"id": "1:1", "name": "l", "type": "LINE",
            "absoluteBoundingBox": {"x": 5, "y": 5, "width": width, "height": height}});
        let document = load(json.clone());
        assert_same_text(&to_json(&document), &json);
        document.get(&"1:1".into()).unwrap().size
    }
    assert_eq!(line(30, 0), Size::new(30.0, 0.0));
    assert_eq!(line(0, 30), Size::new(30.0, 0.0));
    assert!((line(30, 40).width - 50.0).abs() < 1e-9);
}

#[test]
fn ids_that_are_missing_or_taken_are_replaced_inside_and_kept_outside() {
    let json = json!({"type": "FRAME", "id": "1:1", "children": [
        {"type": "RECTANGLE", "id": "1:5"},
        {"type": "RECTANGLE", "id": "1:5"},
        {"type": "RECTANGLE"},
        {"type": "RECTANGLE", "id": 7},
        {"type": "RECTANGLE", "id": "1:6"},
    ]});
    let document = load(json.clone());
    assert_same_text(&to_json(&document), &json);
    let ids: Vec<_> = document.children_of(Some(&"1:1".into())).to_vec();
    assert_eq!(ids, ["1:5", "1:7", "1:8", "1:9", "1:6"].map(NodeId::from));
}

#[test]
fn a_node_that_is_no_object_is_an_error_with_its_place() {
    let json = json!({"document": {"type": "FRAME", "children": [{"type": "GROUP", "children": [{}, 3]}]}});
    let error = from_json(json).unwrap_err().to_string();
    assert_eq!(
        error,
        "a node must be an object, not a number (at /document/children/0/children/1)"
    );
    for json in [json!(null), json!([]), json!({}), json!({"document": 3}), json!("FRAME")] {
        assert!(matches!(from_json(json), Err(FigmaError::NoNode)));
    }
}

#[test]
fn a_tower_of_nodes_is_refused() {
    fn tower(levels: usize) -> Value {
        (1..levels).fold(
            json!({"type": "FRAME"}),
            |inner, _| json!({"type": "FRAME", "children": [inner]}),
        )
    }
    assert_eq!(load(tower(Limits::NODE_DEPTH)).len(), Limits::NODE_DEPTH);
    let error = from_json(tower(Limits::NODE_DEPTH + 1)).unwrap_err();
    assert!(matches!(error, FigmaError::Document(DocumentError::TooLarge(_))), "{error}");
}

fn made_here() -> Document {
    let mut frame = Node::new("1:1".into(), "Main Screen", NodeKind::Frame);
    frame.size = Size::new(100.0, 200.0);
    frame.clips_content = true;
    let mut text = Node::new(
        "1:2".into(),
        "Title",
        NodeKind::Text(Box::new(TextContent {
            characters: "Hello".to_owned(),
            override_ids: vec![1],
            overrides: [(1, StyleOverride { italic: Some(true), ..StyleOverride::default() })]
                .into(),
            ..TextContent::default()
        })),
    );
    text.parent = Some(frame.id.clone());
    text.transform = Affine::translate(10.0, 10.5).after(Affine::rotate(45f64.to_radians()));
    text.size = Size::new(50.0, 20.0);
    text.fills = vec![Paint::solid(Rgba::new(0.1, 0.2, 0.3, 0.5))];
    Document::from_nodes([frame, text]).unwrap()
}

#[test]
fn nodes_made_here_are_whole_rest_nodes() {
    let json = to_json(&made_here());
    let keys: Vec<_> = json["document"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "id",
            "name",
            "type",
            "blendMode",
            "children",
            "absoluteBoundingBox",
            "scrollBehavior",
            "constraints",
            "clipsContent",
            "fills",
            "strokes",
            "strokeWeight",
            "strokeAlign",
            "effects",
        ]
    );
    let text = &json["document"]["children"][0];
    assert_eq!(text["characters"], "Hello");
    assert_eq!(text["style"]["fontFamily"], "Inter");
    assert_eq!(text["styleOverrideTable"], json!({"1": {"italic": true}}));
    assert!(text.get("relativeTransform").is_some(), "a box at 45° does not tell the size");
    assert!(text.get("children").is_none() && text.get("opacity").is_none());
}

#[test]
fn nodes_made_here_read_back_the_same() {
    let document = made_here();
    let again = load(to_json(&document));
    for node in document.iter_depth_first() {
        let read = again.node(&node.id).unwrap();
        assert!(geometry::same_map(read.transform, node.transform), "{:?}", read.transform);
        let plain = Node {
            source: node.source.clone(),
            origin: None,
            transform: node.transform,
            size: node.size,
            ..Node::clone(read)
        };
        assert_eq!(plain, **node);
    }
}

#[test]
fn removed_and_added_roots_of_a_nodes_answer_come_and_go_with_their_entries() {
    let [a, b] = ["1:1", "1:2"].map(|id| json!({"document": {"id": id, "type": "FRAME"}}));
    let mut document = load(json!({"nodes": {"a": a, "b": b}, "name": "n"}));
    let mut transaction = Transaction::begin(&mut document);
    transaction.remove(&"1:1".into()).unwrap();
    transaction.insert(Node::new("1:9".into(), "new", NodeKind::Frame), None, None).unwrap();
    transaction.commit();
    let written = to_json(&document);
    let keys: Vec<_> = written["nodes"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["b", "1:9"]);
    assert_eq!(load(written).len(), 2);
}

#[test]
fn the_main_frame_is_the_one_canvas_would_pick() {
    fn frame(id: &str, name: &str) -> Value {
        json!({"id": id, "name": name, "type": "FRAME",
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 1, "height": 1}})
    }
    let document = load(sample());
    assert_eq!(document.main_frame().unwrap().id.as_str(), "1:2");
    let page = json!({"type": "CANVAS", "id": "0:1", "children": [frame("1:1", "A"), frame("1:2", "Main Screen")]});
    assert_eq!(load(page).main_frame().unwrap().id.as_str(), "1:2");
    let group = json!({"type": "GROUP", "id": "1:1", "children": [frame("1:2", "A")]});
    assert_eq!(load(group).main_frame().unwrap().id.as_str(), "1:2");
    assert_eq!(load(json!({"type": "TEXT", "id": "1:1"})).main_frame().unwrap().id.as_str(), "1:1");
    assert_eq!(Document::default().main_frame(), None);
}

fn close_boxes([a, b]: [Rect; 2]) -> bool {
    [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height].iter().all(|d| d.abs() < 1e-3)
}

/// Small JSON of any form.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        (-1e3..1e3f64).prop_map(Value::from),
        "[A-Z_]{0,8}".prop_map(Value::from),
        Just(json!("TEXT")),
        Just(json!({"x": 1e300, "y": -1, "width": 3, "height": -2})),
        Just(json!([[0, 0, 0], [0, 0, 0]])),
        Just(json!([[1e7, 1e7, 0], [1e7, 1e7, 0]])),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,3}|children|type|id|fills|style", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// How many values there are in a tree, itself included.
fn count(json: &Value) -> usize {
    1 + match json {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(object) => object.values().map(count).sum(),
        _ => 0,
    }
}

/// The value with this number, counting from 0, depth first.
fn nth<'a>(json: &'a mut Value, n: &mut usize) -> Option<&'a mut Value> {
    if *n == 0 {
        return Some(json);
    }
    *n -= 1;
    match json {
        Value::Array(list) => list.iter_mut().find_map(|value| nth(value, n)),
        Value::Object(object) => object.values_mut().find_map(|value| nth(value, n)),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn broken_files_never_panic_and_what_is_read_is_written_back(
        breaks in prop::collection::vec((0usize..1000, any_json()), 1..6),
    ) {
        let mut json = sample();
        for (at, value) in breaks {
            let mut at = at % count(&json);
            *nth(&mut json, &mut at).unwrap() = value;
        }
        if let Ok(loaded) = from_json(json.clone()) {
            prop_assert_eq!(to_json(&loaded.document), json);
            for node in loaded.document.iter_depth_first() {
                loaded.document.absolute_box(&node.id).unwrap();
            }
        }
    }

    #[test]
    fn after_any_changes_what_is_written_reads_back_as_the_same_design(batches in ops()) {
        let mut document = load(sample());
        for batch in &batches {
            run_all(&mut document, batch);
        }
        let written = to_json(&document);
        let again = load(written.clone());
        prop_assert_eq!(to_json(&again), written);
        prop_assert_eq!(again.len(), document.len());
        for (a, b) in document.iter_depth_first().zip(again.iter_depth_first()) {
            prop_assert_eq!((&a.id, &a.parent, &a.children), (&b.id, &b.parent, &b.children));
            prop_assert_eq!((&a.name, &a.fills, &a.stroke), (&b.name, &b.fills, &b.stroke));
            prop_assert_eq!((&a.kind, a.has_box()), (&b.kind, b.has_box()));
            let boxes = [&document, &again].map(|document| document.absolute_box(&a.id).unwrap());
            if a.has_box() {
                prop_assert!(close_boxes(boxes), "{} {boxes:?}", a.id);
            }
        }
    }

    #[test]
    fn a_placed_node_reads_back_where_it_was(
        degrees in -180.0..180.0f64, inner in -180.0..180.0f64,
        (x, y) in (-1e3..1e3f64, -1e3..1e3f64), (w, h) in (0.0..500.0f64, 0.0..500.0f64),
    ) {
        let mut frame = Node::new("1:1".into(), "f", NodeKind::Frame);
        frame.transform = Affine::translate(x, y).after(Affine::rotate(degrees.to_radians()));
        frame.size = Size::new(w, h);
        let mut group = Node::new("1:2".into(), "g", NodeKind::Group);
        group.parent = Some(frame.id.clone());
        let mut shape = Node::new("1:3".into(), "s", NodeKind::Ellipse(crate::design::EllipseArc::WHOLE));
        shape.parent = Some(group.id.clone());
        shape.transform = Affine::translate(y, x).after(Affine::rotate(inner.to_radians()));
        shape.size = Size::new(h, w);
        let document = Document::from_nodes([frame, group, shape]).unwrap();
        let again = load(to_json(&document));
        for node in document.iter_depth_first() {
            let place = |document: &Document| {
                let map = document.absolute_transform(&node.id).unwrap();
                [map.apply(Point::ZERO), map.apply(Point::new(w, h))]
            };
            for (a, b) in place(&document).iter().zip(place(&again)) {
                prop_assert!((a.x - b.x).abs() < 1e-3 && (a.y - b.y).abs() < 1e-3, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_lock_is_written_where_it_is_and_absent_where_it_is_not() {
    let locked = edited(&[(&format!("{BOX}/locked"), json!(true))]);
    let id = locked.pointer(&format!("{BOX}/id")).unwrap().as_str().unwrap().to_owned();
    let document = load(locked.clone());
    assert!(document.get(&id.as_str().into()).unwrap().locked);
    assert!(document.is_locked(&id.as_str().into()));
    assert_same_text(&to_json(&document), &locked);
    assert_same_text(&changed(&locked, &id, |node| node.locked = false), &sample());
    assert_eq!(changed(&sample(), &id, |node| node.locked = true), locked);
    for said in [json!(false), json!(null), json!("yes")] {
        let mut json = sample();
        let object = json.pointer_mut(BOX).unwrap().as_object_mut().unwrap();
        object.insert("locked".to_owned(), said);
        assert_same_text(&to_json(&load(json.clone())), &json);
    }
}

#[test]
fn path_data_comes_back_as_figma_wrote_it_unless_it_was_edited() {
    let json = json!({
        "id": "1:2", "name": "Vector", "type": "VECTOR",
        "absoluteBoundingBox": {"x": 10.0, "y": 20.0, "width": 10.0, "height": 10.0},
        "fillGeometry": [{"path": "M0 0h10q0,10-10,10z", "windingRule": "NONZERO", "overrideID": 3}],
        "strokeGeometry": [{"path": "M0 0L10 0L10 1Z", "windingRule": "NONZERO"}],
    });
    assert_same_text(&changed(&json, "1:2", |node| drop(Contours::of_node(node))), &json);
    let edited = changed(&json, "1:2", |node| {
        let mut contours = Contours::of_node(node).unwrap();
        let first = AnchorId::default();
        contours.move_anchors(&[first], Vector { x: -5.0, y: 0.0 }).unwrap();
        contours.fitted().unwrap().put_into(node);
    });
    assert_eq!(
        edited["absoluteBoundingBox"],
        json!({"x": 5, "y": 20.0, "width": 15, "height": 10.0})
    );
    let path = edited["fillGeometry"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("M0 0L15 0C"), "{path}");
    assert_eq!(edited["strokeGeometry"], json!([]), "it follows from the path again");
}

#[test]
fn kinds_of_anchors_that_do_not_follow_from_the_path_are_written_and_read() {
    let oval = "M0 3.75C0 -1.25 10 -1.25 10 3.75C10 8.75 0 8.75 0 3.75Z";
    let json = json!({
        "id": "1:2", "name": "Vector", "type": "VECTOR",
        "absoluteBoundingBox": {"x": 10.0, "y": 20.0, "width": 10.0, "height": 7.5},
        "fillGeometry": [{"path": oval, "windingRule": "NONZERO"}], "strokeGeometry": [],
    });
    let first = AnchorId::default();
    let with_kind = |json: &Value, kind: AnchorKind| {
        changed(json, "1:2", |node| {
            let mut contours = Contours::of_node(node).unwrap();
            contours.set_kind(first, kind).unwrap();
            contours.fitted().unwrap().put_into(node);
        })
    };
    let smooth = with_kind(&json, AnchorKind::Smooth);
    let said = |json: &Value| json["fillGeometry"][0].get("handleMirroring").cloned();
    assert_eq!(said(&smooth), Some(json!(["ANGLE", "ANGLE_AND_LENGTH"])));
    let document = load(smooth.clone());
    let contours = Contours::of_node(document.get(&"1:2".into()).unwrap()).unwrap();
    assert_eq!(contours.anchor(first).unwrap().kind, AnchorKind::Smooth);
    assert_same_text(&to_json(&document), &smooth);
    assert_eq!(said(&with_kind(&smooth, AnchorKind::Symmetric)), None, "it follows again");
    let mut odd = smooth;
    odd["fillGeometry"][0]["handleMirroring"][0] = json!("BOTH");
    let loaded = from_json(odd.clone()).unwrap();
    assert!(
        loaded.warnings.iter().any(|it| it.contains("handleMirroring")),
        "{:?}",
        loaded.warnings
    );
    assert_same_text(&to_json(&loaded.document), &odd);
}
