//! What mutations begin with.

use std::path::Path;

use pentimento::design::figma;
use pentimento::render::svg::{SvgOptions, export_node};
use serde_json::Value;

use crate::render::random_design::random_design;
use crate::render::sketch::context;

/// Inputs larger than this would make the campaign slow.
const LARGEST: u64 = 300_000;

/// Designs as JSON: samples, random ones with every kind and paint, and oddities.
pub(super) fn designs() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let mut all = Vec::new();
    for folder in ["replication", "modification"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let is_json = path.extension().is_some_and(|ending| ending == "json");
            if is_json && std::fs::metadata(&path).unwrap().len() < LARGEST {
                all.push(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap());
            }
        }
    }
    all.extend((0..12).map(|seed| figma::to_json(&random_design(seed))));
    all.push(auto_layout());
    all
}

/// Nested auto layout with everything it can say.
fn auto_layout() -> Value {
    serde_json::from_str(AUTO_LAYOUT).unwrap()
}

const AUTO_LAYOUT: &str = r#"{"id": "1:1", "name": "row", "type": "FRAME",
"absoluteBoundingBox": {"x": 0, "y": 0, "width": 80, "height": 40},
"layoutMode": "HORIZONTAL", "layoutWrap": "WRAP", "itemSpacing": 8, "counterAxisSpacing": 4,
"paddingLeft": 10, "paddingTop": 5, "primaryAxisAlignItems": "SPACE_BETWEEN",
"counterAxisAlignItems": "BASELINE", "layoutSizingHorizontal": "HUG",
"effects": [
  {"type": "DROP_SHADOW", "visible": true, "radius": 4, "blendMode": "NORMAL",
   "offset": {"x": 0, "y": 2}, "color": {"r": 0, "g": 0, "b": 0, "a": 0.3}},
  {"type": "BACKGROUND_BLUR", "visible": true, "radius": 9}],
"children": [
  {"id": "1:2", "name": "column", "type": "FRAME", "layoutMode": "VERTICAL",
   "absoluteBoundingBox": {"x": 0, "y": 0, "width": 80, "height": 40},
   "layoutSizingHorizontal": "FILL", "minWidth": 20, "maxWidth": 200,
   "strokesIncludedInLayout": true, "strokeWeight": 3,
   "children": [
     {"id": "1:3", "name": "words", "type": "TEXT", "characters": "one\ntwo",
      "absoluteBoundingBox": {"x": 0, "y": 0, "width": 80, "height": 40},
      "lineTypes": ["ORDERED", "UNORDERED"], "lineIndentations": [1, 2],
      "layoutSizingVertical": "HUG",
      "style": {"fontFamily": "Inter", "fontSize": 14, "textAutoResize": "HEIGHT",
        "textDecoration": "UNDERLINE", "textTruncation": "ENDING", "maxLines": 1}}]},
  {"id": "1:4", "name": "cut", "type": "BOOLEAN_OPERATION", "booleanOperation": "SUBTRACT",
   "absoluteBoundingBox": {"x": 0, "y": 0, "width": 80, "height": 40},
   "fills": [{"type": "GRADIENT_ANGULAR", "blendMode": "LINEAR_BURN",
     "gradientHandlePositions": [{"x": 0.5, "y": 0.5}, {"x": 1, "y": 0.5}, {"x": 0.5, "y": 1}],
     "gradientStops": [
       {"position": 0, "color": {"r": 1, "g": 0, "b": 0, "a": 1}},
       {"position": 1, "color": {"r": 0, "g": 0, "b": 1, "a": 0}}]}],
   "children": [
     {"id": "1:5", "name": "a", "type": "ELLIPSE",
      "absoluteBoundingBox": {"x": 0, "y": 0, "width": 60, "height": 40},
      "arcData": {"startingAngle": 0, "endingAngle": 4, "innerRadius": 0.4}},
     {"id": "1:6", "name": "b", "type": "STAR",
      "absoluteBoundingBox": {"x": 20, "y": 0, "width": 60, "height": 40}}]}]}"#;

/// SVG of our own hand, and exports of random designs.
pub(super) fn graphics() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = HAND_MADE.iter().map(|svg| svg.as_bytes().to_vec()).collect();
    for seed in 0..8 {
        let document = random_design(seed);
        let Some(frame) = document.main_frame() else { continue };
        let exported =
            export_node(&context(), &document, &frame.id, SvgOptions::default()).unwrap();
        if (exported.svg.len() as u64) < LARGEST {
            all.push(exported.svg.into_bytes());
        }
    }
    all
}

const HAND_MADE: [&str; 4] = [
    "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24' viewBox='0 0 24 24'>\
     <g fill='none' stroke='#123' stroke-width='2' stroke-linecap='round'>\
     <path d='M4 4h16v16H4z M8 8c2 3 5 3 8 0'/><circle cx='12' cy='12' r='5'/></g></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='40' \
     height='40'><defs><linearGradient id='a' x1='0' x2='1'><stop offset='0' stop-color='red'/>\
     <stop offset='1' stop-color='blue' stop-opacity='.5'/></linearGradient>\
     <clipPath id='c'><rect width='20' height='20' rx='4'/></clipPath><mask id='m'>\
     <circle r='9' fill='white'/></mask></defs><g clip-path='url(#c)'><rect id='r' width='40' \
     height='40' fill='url(#a)'/></g><use xlink:href='#r' transform='rotate(30) scale(.5 -1)' \
     mask='url(#m)' opacity='.4'/></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='30'><text x='4' y='20' \
     font-family='Inter' font-size='14'>Hello <tspan font-weight='700'>you</tspan></text></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><style>.a{fill:red}</style>\
     <pattern id='p' width='2' height='2' patternUnits='userSpaceOnUse'><path d='M0 0h1v1z'/>\
     </pattern><path class='a' d='M0 0L10 0A5 5 0 0 1 0 10Z' stroke='url(#p)' \
     stroke-dasharray='1 2' transform='matrix(1 0 .5 1 0 0)'/></svg>",
];
