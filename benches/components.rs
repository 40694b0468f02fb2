//! The component-wise score of two screens of 150 nodes, with its pairs, against the clock.

use std::hint::black_box;

use criterion::Criterion;
use pentimento::base::CancelToken;
use pentimento::design::Document;
use pentimento::design::figma::{self, FigmaError};
use pentimento::metric::component::ComponentSimilarity;
use serde_json::{Value, json};

const NODES: usize = 150;

/// A screen of cards in twos, every third of them a text. `shift` moves them, as an attempt would.
fn screen(shift: f64) -> Result<Document, FigmaError> {
    let children: Vec<Value> = (1..NODES).map(|at| node(at, shift)).collect();
    let frame = json!({
        "id": "0:1", "name": "Main Screen", "type": "FRAME", "children": children,
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 393, "height": 852},
    });
    Ok(figma::from_json(json!({ "document": frame }))?.document)
}

fn node(at: usize, shift: f64) -> Value {
    let (column, row) = ((at % 10) as f64, (at / 10) as f64);
    let color = json!({"r": column / 10.0, "g": row / 15.0, "b": 0.5, "a": 1});
    json!({
        "id": format!("1:{at}"),
        "type": if at.is_multiple_of(3) { "TEXT" } else { "RECTANGLE" },
        "characters": format!("Order number {} of {}", at * 7919 % 1000, at % 5),
        "fills": [{"type": "SOLID", "color": color}],
        "absoluteBoundingBox": {
            "x": column * 38.0 + shift, "y": row * 55.0 + shift * row / 7.0, "width": 60, "height": 40,
        },
    })
}

fn main() -> Result<(), FigmaError> {
    let (truth, made) = (screen(0.0)?, screen(6.0)?);
    let cancel = CancelToken::new();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("component_similarity/canvas 150x150", |bencher| {
        bencher.iter(|| ComponentSimilarity::canvas(black_box(&truth), black_box(&made), &cancel));
    });
    criterion.bench_function("component_similarity/strict 150x150", |bencher| {
        bencher.iter(|| ComponentSimilarity::strict(black_box(&truth), black_box(&made), &cancel));
    });
    criterion.final_summary();
    Ok(())
}
