//! 300 generated trees against Chromium's flexbox. `tests/chromium/README.md` says how they were made.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::sketch::{laid_out, place};

#[derive(Deserialize)]
struct Tree {
    name: String,
    root: Value,
    boxes: BTreeMap<String, [f64; 4]>,
}

#[test]
fn every_box_of_300_trees_is_where_chromium_puts_it() {
    let trees: Vec<Tree> =
        serde_json::from_str(include_str!("../../data/chromium/layout.json")).unwrap();
    assert_eq!(trees.len(), 300);
    let mut wrong = Vec::new();
    let mut largest = 0.0f64;
    for tree in trees {
        let document = laid_out(tree.root);
        assert_eq!(document.len(), tree.boxes.len(), "{}", tree.name);
        for (id, expected) in &tree.boxes {
            let got = place(&document, id);
            let off = got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            largest = largest.max(off);
            if off > 0.5 {
                wrong.push(format!("{} {id}: {got:?} is not {expected:?}", tree.name));
            }
        }
    }
    println!("at most {largest} px off");
    assert!(wrong.is_empty(), "{} boxes are off:\n{}", wrong.len(), wrong.join("\n"));
}
