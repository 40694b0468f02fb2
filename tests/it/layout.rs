//! Auto layout against Chromium's flexbox.

use std::collections::BTreeMap;

use pentimento::base::{Rect, Size};
use pentimento::design::edit::Transaction;
use pentimento::design::{Document, Measure, NodeId, TextContent, TextExtent, figma, layout};
use serde::Deserialize;
use serde_json::Value;

/// For trees without texts and combined shapes.
struct NoRuler;

impl Measure for NoRuler {
    fn text(&self, _: &TextContent, _: Option<f64>) -> TextExtent {
        TextExtent { size: Size::default(), baseline: 0.0 }
    }

    fn combined_box(&self, _: &Document, _: &NodeId) -> Option<Rect> {
        None
    }
}

#[derive(Deserialize)]
struct Tree {
    name: String,
    root: Value,
    boxes: BTreeMap<String, [f64; 4]>,
}

fn trees() -> Vec<Tree> {
    let text = include_str!("../data/chromium/layout.json");
    serde_json::from_str(text).unwrap()
}

fn laid_out(root: Value) -> Document {
    let mut document = figma::from_json(root).unwrap().document;
    let root = document.roots()[0].clone();
    let mut change = Transaction::begin(&mut document);
    layout::lay_out_all(&mut change, &root, &NoRuler);
    change.commit();
    document
}

fn box_in(document: &Document, id: &str, root: &NodeId) -> [f64; 4] {
    let origin = document.absolute_box(root).unwrap();
    let rect = document.absolute_box(&id.into()).unwrap();
    [rect.x - origin.x, rect.y - origin.y, rect.width, rect.height]
}

#[test]
fn every_box_of_300_trees_is_where_chromium_puts_it() {
    let trees = trees();
    assert_eq!(trees.len(), 300);
    let mut wrong = Vec::new();
    let (mut boxes, mut largest) = (0, 0.0f64);
    for tree in trees {
        let document = laid_out(tree.root);
        let root = document.roots()[0].clone();
        for (id, expected) in &tree.boxes {
            let got = box_in(&document, id, &root);
            let off = got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            boxes += 1;
            largest = largest.max(off);
            if off > 0.5 {
                wrong.push(format!("{} {id}: {got:?} is not {expected:?}", tree.name));
            }
        }
    }
    println!("{boxes} boxes, at most {largest} px off");
    assert!(wrong.is_empty(), "{} of {boxes} boxes:\n{}", wrong.len(), wrong.join("\n"));
}
