//! Line breaks and heights beside a browser's, an engine independent of ours; see
//! `tests/chromium/README.md`.

use super::sketch::{layout, measure};
use pentimento::base::{Size, parse_json};
use pentimento::design::{TextContent, figma};
use serde_json::{Value, json};

const PARAGRAPHS: &str = include_str!("../../data/chromium/text.json");

/// The text as a file has it.
fn content(paragraph: &Value) -> TextContent {
    let width = paragraph["width"].as_f64().unwrap_or(1000.0);
    let bounds = json!({ "x": 0, "y": 0, "width": width, "height": 100 });
    let node = json!({
        "id": "1:2", "name": "text", "type": "TEXT", "absoluteBoundingBox": bounds,
        "characters": paragraph["characters"], "style": paragraph["style"],
    });
    let page = json!({ "id": "0:1", "name": "page", "type": "CANVAS", "children": [node] });
    let file = json!({ "document": { "id": "0:0", "type": "DOCUMENT", "children": [page] } });
    let document = figma::from_json(file).unwrap().document;
    document.get(&"1:2".into()).unwrap().text().unwrap().clone()
}

fn paragraphs() -> Vec<Value> {
    let all: Value = parse_json(PARAGRAPHS.as_bytes()).unwrap();
    let all = all.as_array().unwrap().clone();
    assert_eq!(all.len(), 50);
    all
}

/// The lines as the file has them: without the spaces at their ends, but with no-break spaces.
fn lines(content: &TextContent, width: Option<f64>) -> Vec<String> {
    let laid_out = layout(content, Size::new(width.unwrap_or(0.0), 0.0));
    let line = |range: &std::ops::Range<usize>| {
        content.characters[range.clone()].trim_end_matches([' ', '\n']).to_owned()
    };
    laid_out.lines.iter().map(|placed| line(&placed.text_range)).collect()
}

#[test]
fn lines_break_where_a_browser_breaks_them() {
    for paragraph in paragraphs() {
        let expected: Vec<&str> =
            paragraph["lines"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let got = lines(&content(&paragraph), paragraph["width"].as_f64());
        assert_eq!(got, expected, "{}", paragraph["name"]);
    }
}

#[test]
fn texts_are_as_high_as_in_a_browser() {
    for paragraph in paragraphs() {
        let measured = measure(&content(&paragraph), paragraph["width"].as_f64());
        let height: f64 = measured.lines.iter().map(|line| line.height).sum();
        let expected = paragraph["height"].as_f64().unwrap();
        assert!(
            (height - expected).abs() < 1.0,
            "{}: {height} instead of {expected}",
            paragraph["name"]
        );
    }
}
