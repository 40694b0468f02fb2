//! Real Figma files through the document and back.

use std::path::{Path, PathBuf};

use pentimento::base::{Affine, Limits, Rect, parse_json, read_file_limited};
use pentimento::design::edit::Transaction;
use pentimento::design::{Document, EllipseArc, Node, NodeId, NodeKind, Paint, figma};
use pentimento::{base::Rgba, design::figma::Loaded};
use serde_json::Value;

use crate::shared;

fn read(path: &Path) -> Value {
    parse_json(&read_file_limited(path, Limits::JSON_BYTES).unwrap()).unwrap()
}

fn files() -> Vec<PathBuf> {
    let Some(folder) = shared::path("data/figma") else { return Vec::new() };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect();
    files.sort();
    assert!(files.len() >= 6, "only {} files", files.len());
    files
}

fn load(path: &Path) -> (Value, Loaded) {
    let json = read(path);
    let loaded = figma::from_json(json.clone()).unwrap();
    (json, loaded)
}

/// Every node object of a file, with the document's node of the same id.
fn with_sources<'a>(
    json: &'a Value,
    document: &'a Document,
    found: &mut Vec<(&'a Value, &'a Node)>,
) {
    if let Some(node) = json.get("id").and_then(|id| document.get(&id.as_str()?.into())) {
        found.push((json, node));
    }
    let children = json.get("children").and_then(Value::as_array).into_iter().flatten();
    for child in json.get("document").into_iter().chain(children) {
        with_sources(child, document, found);
    }
}

fn box_of(json: &Value) -> Option<Rect> {
    let bounds = json.get("absoluteBoundingBox")?;
    let number = |key| bounds.get(key)?.as_f64();
    Some(Rect::new(number("x")?, number("y")?, number("width")?, number("height")?))
}

fn assert_close(a: Rect, b: Rect, tolerance: f64, what: &str) {
    let near = |a: f64, b: f64| (a - b).abs() <= tolerance;
    let all =
        near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
    assert!(all, "{what}: {a:?} is not {b:?}");
}

#[test]
fn real_files_are_written_back_equal_to_the_byte() {
    for path in files() {
        let (json, loaded) = load(&path);
        let written = figma::to_json(&loaded.document);
        assert_eq!(written, json, "{}", path.display());
        assert_eq!(written.to_string(), json.to_string(), "order of keys: {}", path.display());
    }
}

#[test]
fn single_nodes_of_real_files_are_written_back_equal() {
    for path in files() {
        let (json, loaded) = load(&path);
        let mut nodes = Vec::new();
        with_sources(&json, &loaded.document, &mut nodes);
        assert_eq!(nodes.len(), loaded.document.len(), "{}", path.display());
        for (source, node) in nodes.iter().step_by(7) {
            assert_eq!(figma::node_to_json(&loaded.document, &node.id).unwrap(), **source);
        }
    }
}

#[test]
fn real_boxes_are_the_boxes_in_the_file() {
    for path in files() {
        let (json, loaded) = load(&path);
        let mut nodes = Vec::new();
        with_sources(&json, &loaded.document, &mut nodes);
        for (source, node) in nodes {
            assert_eq!(node.has_box(), box_of(source).is_some(), "{}", node.id);
            if let Some(bounds) = box_of(source) {
                let ours = loaded.document.absolute_box(&node.id).unwrap();
                assert_close(ours, bounds, 1e-3, node.id.as_str());
            }
        }
    }
}

#[test]
fn a_rotated_vector_of_a_real_file_has_its_own_size() {
    let Some(path) = shared::path("data/figma/header.json") else { return };
    let (_, loaded) = load(&path);
    let id = NodeId::from("I20226:12392;13013:2118;13013:2108");
    let node = loaded.document.node(&id).unwrap();
    assert_close(
        Rect::new(0.0, 0.0, node.size.width, node.size.height),
        Rect::new(0.0, 0.0, 10.0, 5.0),
        1e-4,
        "a quarter turn swaps the extents",
    );
}

#[test]
fn a_moved_frame_takes_the_boxes_of_its_descendants_along_and_nothing_else() {
    for path in files() {
        let (json, Loaded { mut document, .. }) = load(&path);
        let frame = document.main_frame().unwrap();
        let (id, by) = (frame.id.clone(), Affine::translate(12.5, -3.0));
        let moved: Vec<NodeId> = document.subtree(&id).map(|node| node.id.clone()).collect();
        let mut transaction = Transaction::begin(&mut document);
        let transform = by.after(transaction.document().node(&id).unwrap().transform);
        transaction.update(&id, |node| node.transform = transform).unwrap();
        let edit = transaction.commit();

        let written = figma::to_json(&document);
        let (mut nodes, mut sources) = (Vec::new(), Vec::new());
        with_sources(&written, &document, &mut nodes);
        with_sources(&json, &document, &mut sources);
        for ((written, node), (source, _)) in nodes.iter().zip(&sources) {
            if !moved.contains(&node.id) {
                assert_eq!(without_children(written), without_children(source));
            } else if let Some(bounds) = box_of(source) {
                let there = Rect { x: bounds.x + 12.5, y: bounds.y - 3.0, ..bounds };
                assert_close(box_of(written).unwrap(), there, 1e-3, node.id.as_str());
            }
        }
        assert_eq!(figma::to_json(&figma::from_json(written.clone()).unwrap().document), written);

        edit.inverse().apply(&mut document);
        assert_eq!(figma::to_json(&document), json);
    }
}

fn without_children(json: &Value) -> Value {
    let mut json = json.clone();
    if let Some(object) = json.as_object_mut() {
        object.shift_remove("children");
    }
    json
}

#[test]
fn an_edited_file_reads_back_as_the_same_design() {
    for path in files() {
        let (_, Loaded { mut document, .. }) = load(&path);
        let main = document.main_frame().unwrap();
        // One of the files has no frame, only a vector on its page.
        let frame = if main.kind.is_container() { main } else { document.page().unwrap() };
        let frame = frame.id.clone();
        let mut transaction = Transaction::begin(&mut document);
        let mut node =
            Node::new(transaction.new_id(), "badge", NodeKind::Ellipse(EllipseArc::WHOLE));
        node.transform = Affine::translate(4.0, 5.5).after(Affine::rotate(0.3));
        node.size = pentimento::base::Size::new(40.0, 20.0);
        node.fills = vec![Paint::solid(Rgba::new(0.2, 0.4, 0.6, 0.5))];
        let badge = node.id.clone();
        transaction.insert(node, Some(&frame), None).unwrap();
        let copy = transaction.duplicate(&frame).unwrap();
        transaction.update(&copy, |node| node.name = "Copy".to_owned()).unwrap();
        transaction.commit();

        let written = figma::to_json(&document);
        let again = figma::from_json(written.clone()).unwrap().document;
        assert_eq!(figma::to_json(&again), written, "{}", path.display());
        assert_eq!(again.len(), document.len());
        let (a, b) = (document.node(&badge).unwrap(), again.node(&badge).unwrap());
        assert_eq!((&a.fills, &a.kind, &a.name), (&b.fills, &b.kind, &b.name));
        for node in document.iter_depth_first() {
            let ours = document.absolute_box(&node.id).unwrap();
            assert_close(again.absolute_box(&node.id).unwrap(), ours, 1e-3, node.id.as_str());
        }
    }
}
