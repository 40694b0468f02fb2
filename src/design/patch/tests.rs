//! That patches are exact, and refuse what is not.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::design::edit::tests::{Op, ops, run_all};
use crate::design::figma;
use crate::design::node::node_in_box;

/// Through text, as a file would have it.
fn through_json(patch: &DocumentPatch) -> DocumentPatch {
    let text = serde_json::to_string(patch).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn assert_leads(before: &Document, after: &Document) {
    let patch = through_json(&DocumentPatch::between(before, after));
    let patched = patch.apply(before).unwrap();
    let mut got = before.clone();
    patched.edit.apply(&mut got);
    assert_eq!(got, *after);
    let written = |document: &Document| serde_json::to_string(&figma::to_json(document));
    assert_eq!(written(&got).unwrap(), written(after).unwrap());
    patched.edit.inverse().apply(&mut got);
    assert_eq!(got, *before);
}

/// A document that was read, with a group, a turned node, a text and fields that are not typed.
fn read() -> Document {
    let json = json!({"document": {"id": "0:0", "name": "File", "type": "DOCUMENT", "children": [
        {"id": "0:1", "name": "Page", "type": "CANVAS", "children": [
            {"id": "1:1", "name": "Screen", "type": "FRAME", "clipsContent": true,
             "exportSettings": [{"suffix": "@2x"}], "blendMode": "PASS_THROUGH",
             "absoluteBoundingBox": {"x": 0.1, "y": 20, "width": 393, "height": 852.7},
             "children": [
                {"id": "1:2", "name": "Group", "type": "GROUP", "children": [
                    {"id": "1:3", "name": "Turned", "type": "RECTANGLE", "rotation": 0.3,
                     "absoluteBoundingBox": {"x": 10, "y": 30, "width": 71.3, "height": 40},
                     "fills": [{"type": "SOLID", "color": {"r": 0.1, "g": 0.2, "b": 0.3}}]},
                    {"id": "1:4", "name": "Words", "type": "TEXT", "characters": "Añ🙂",
                     "style": {"fontFamily": "Inter", "fontSize": 13.3},
                     "absoluteBoundingBox": {"x": 12, "y": 80, "width": 60, "height": 17}}],
                 "absoluteBoundingBox": {"x": 10, "y": 30, "width": 71.3, "height": 67}}]}]}]}});
    figma::from_json(json).unwrap().document
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_patch_leads_to_exactly_the_same_document(ops in ops(), is_read in any::<bool>()) {
        let mut document = if is_read { read() } else { Document::default() };
        let mut states = vec![document.clone()];
        for ops in &ops {
            run_all(&mut document, ops);
            states.push(document.clone());
        }
        for pair in states.windows(2) {
            assert_leads(&pair[0], &pair[1]);
            assert_leads(&pair[1], &pair[0]);
        }
        // Over several steps at once, as a burst is written down.
        assert_leads(&states[0], &document);
        assert_leads(&document, &states[0]);
    }

    #[test]
    fn whatever_is_applied_gives_a_document_or_an_error(
        ops in ops(),
        index in 0..9usize,
        parent in 0..9usize,
        node in 0..9usize,
    ) {
        let mut document = read();
        run_all(&mut document, &ops.into_iter().flatten().collect::<Vec<Op>>());
        let id = |n: usize| document.iter_depth_first().nth(n).map(|node| node.id.clone());
        let (Some(id), parent) = (id(node), id(parent)) else { return Ok(()) };
        let patch = DocumentPatch {
            nodes: vec![NodePatch { parent, index: Some(index), ..NodePatch::about(&id) }],
            ..DocumentPatch::default()
        };
        if let Ok(patched) = patch.apply(&document) {
            let mut after = document.clone();
            patched.edit.apply(&mut after);
            prop_assert_eq!(after.iter_depth_first().count(), document.len());
        }
    }
}

#[test]
fn copies_name_their_original_and_do_not_repeat_it() {
    let before = read();
    let mut after = before.clone();
    run_all(&mut after, &[Op::Duplicate { node: 4 }]);
    let patch = DocumentPatch::between(&before, &after);
    let copy = patch.nodes.iter().find(|node| node.like.is_some()).unwrap();
    assert!(copy.source.is_none() && copy.read.is_none(), "{patch:?}");
}

#[test]
fn bad_patches_are_refused_by_name() {
    let document = read();
    let fields = |node: Value| {
        json!({"nodes": [{"id": "1:9", "parent": "1:1", "index": 0, "node": node,
            "transform": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            "size": {"width": 1.0, "height": 1.0}}]})
    };
    let rectangle =
        Value::Object(typed_fields(&node_in_box("1:9", NodeKind::Rectangle, None, [0.0; 4])));
    let mut odd = rectangle.clone();
    odd["opacity"] = json!("much");
    for (patch, expected) in [
        (json!({"removed": ["9:9"]}), "9:9"),
        (json!({"removed": ["1:2"]}), "1:3 would lie in a node that is removed"),
        (json!({"removed": ["1:3", "1:3"]}), "1:3 comes twice"),
        (json!({"nodes": [{"id": "1:9"}]}), "1:9 is new and has no index"),
        (json!({"nodes": [{"id": "1:9", "index": 0}]}), "needs node, transform and size"),
        (json!({"nodes": [{"id": "1:3", "parent": "1:1"}]}), "has a parent and no index"),
        (json!({"nodes": [{"id": "1:3", "parent": "9:9", "index": 0}]}), "9:9"),
        (json!({"nodes": [{"id": "1:2", "parent": "1:2", "index": 0}]}), "in one another"),
        (json!({"nodes": [{"id": "1:1", "parent": "1:2", "index": 0}]}), "in one another"),
        (json!({"nodes": [{"id": "1:3", "parent": "1:4", "index": 0}]}), "1:4 is a TEXT"),
        (json!({"nodes": [{"id": "1:3", "size": {"width": -1.0, "height": 2.0}}]}), "width"),
        (json!({"nodes": [{"id": "1:3", "transform": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]}]}), "1:3"),
        (json!({"order": [{"parent": "1:2", "children": ["1:3"]}]}), "the order of 1:2"),
        (json!({"order": [{"parent": null, "children": []}]}), "the order of the page"),
        (json!({"nodes": [{"id": "1:3", "like": "9:9"}]}), "9:9"),
        (json!({"pictures": {"a": "*"}}), "picture \"a\""),
        (fields(json!({"type": "RECTANGLE"})), "1:9: the field"),
        (fields(odd), "\"opacity\""),
    ] {
        let patch: DocumentPatch = serde_json::from_value(patch).unwrap();
        let error = patch.apply(&document).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    }
    let good: DocumentPatch = serde_json::from_value(fields(rectangle)).unwrap();
    assert!(good.apply(&document).is_ok());
    assert!(serde_json::from_value::<DocumentPatch>(json!({"node": []})).is_err());
}

#[test]
fn lists_of_styles_and_components_come_along() {
    let before = read();
    let mut after = before.clone();
    let mut envelope = after.envelope().clone();
    envelope.fields.insert("styles".to_owned(), json!({"1:9": {"name": "Warning"}}));
    after.set_envelope(envelope);
    assert!(!DocumentPatch::between(&before, &after).is_empty());
    assert_leads(&before, &after);
    assert_leads(&after, &before);
    let node = json!({"id": "1:1", "name": "Shape", "type": "RECTANGLE"});
    let bare = figma::from_json(node).unwrap().document;
    let patch: DocumentPatch = serde_json::from_value(json!({"around": {}})).unwrap();
    assert_eq!(patch.apply(&bare).unwrap_err(), PatchError::NoFile);
}

#[test]
fn pictures_come_along() {
    let before = read();
    let mut after = before.clone();
    after.add_image("photo", Arc::new(Pixels::filled(3, 2, [1, 2, 3, 255]).unwrap()));
    let mut change = crate::design::edit::Transaction::begin(&mut after);
    let image = json!({"type": "RECTANGLE", "fills": [{"type": "IMAGE", "imageRef": "photo"}]});
    let fills = node_of_fields("1:9".into(), image.as_object().unwrap()).fills;
    change.update(&"1:3".into(), |node| node.fills = fills).unwrap();
    change.commit();
    let patch = through_json(&DocumentPatch::between(&before, &after));
    let patched = patch.apply(&before).unwrap();
    assert_eq!(patched.pictures.len(), 1);
    assert_eq!(patched.pictures[0].1.rgba(), after.images().get("photo").unwrap().rgba());
    assert_leads(&before, &after);
}
