//! The component-wise score against the published evaluator's own values, and by its rules.

use std::path::Path;

use pentimento::base::CancelToken;
use pentimento::design::{Document, figma};
use pentimento::metric::assignment::cheapest_pairs;
use pentimento::metric::component::{ComponentSimilarity, Parts};
use pentimento::metric::{Comparison, Registry, Score};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::shared;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn document(json: Value) -> Document {
    figma::from_json(json).unwrap().document
}

fn canvas(truth: &Document, made: &Document) -> Parts {
    ComponentSimilarity::canvas(truth, made, &CancelToken::new()).unwrap().0
}

fn strict(truth: &Document, made: &Document) -> Parts {
    ComponentSimilarity::strict(truth, made, &CancelToken::new()).unwrap().0
}

fn measured(truth: &Document, made: &Document, id: &str) -> Score {
    let comparison = Comparison::of_designs(truth, made);
    let measured = Registry::built_in().measure_one(id, &comparison, &CancelToken::new());
    measured.unwrap().unwrap().score
}

#[test]
fn the_published_evaluators_values_come_out_to_four_decimals() {
    let Some(file) = shared::path("reference/component_similarity.json") else { return };
    let cases = read(&file)["cases"].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    for case in cases {
        let open = |key: &str| document(read(&file.with_file_name(case[key].as_str().unwrap())));
        let (truth, made) = (open("gt"), open("gen"));
        for (id, key) in [
            ("block_match/canvas", "block_match_score"),
            ("color_similarity/canvas", "color_similarity_score"),
            ("position_similarity/canvas", "position_similarity_score"),
            ("text_coverage_f1/canvas", "text_coverage_f1_score"),
            ("component_similarity/canvas", "component_similarity_score"),
        ] {
            let found = measured(&truth, &made, id);
            assert_eq!(found, Score::Value(case[key].as_f64().unwrap()), "{id} of {}", case["gt"]);
        }
    }
}

#[test]
fn assignments_cost_what_scipys_do() {
    let Some(file) = shared::path("reference/assignment.json") else { return };
    for case in read(&file)["cases"].as_array().unwrap() {
        let rows: Vec<Vec<f64>> = serde_json::from_value(case["cost"].clone()).unwrap();
        let columns = rows.first().map_or(0, Vec::len);
        let cost: Vec<f64> = rows.iter().flatten().copied().collect();
        let pairs = cheapest_pairs(rows.len(), columns, &cost);
        let total: f64 = pairs.iter().map(|(row, column)| rows[*row][*column]).sum();
        assert!((total - case["total"].as_f64().unwrap()).abs() < 1e-6);
        assert_eq!(pairs.len(), rows.len().min(columns));
    }
}

fn boxed(x: f64, y: f64, width: f64, height: f64) -> Value {
    json!({"x": x, "y": y, "width": width, "height": height})
}

fn solid(r: f64, g: f64, b: f64) -> Value {
    json!([{"type": "SOLID", "color": {"r": r, "g": g, "b": b, "a": 1}}])
}

fn screen(children: Value) -> Document {
    let mut frame = json!({
        "id": "0:0", "type": "FRAME", "name": "Main Screen",
        "absoluteBoundingBox": boxed(0.0, 0.0, 100.0, 200.0), "fills": solid(1.0, 1.0, 1.0),
    });
    frame["children"] = children;
    document(json!({ "document": frame }))
}

fn text(id: &str, characters: Value, y: f64) -> Value {
    let mut text = json!({
        "id": id, "type": "TEXT", "fills": solid(0.0, 0.0, 0.0),
        "absoluteBoundingBox": boxed(10.0, y, 50.0, 10.0),
    });
    text["characters"] = characters;
    text
}

fn card(id: &str, x: f64, fills: Value) -> Value {
    let bounds = boxed(x, 20.0, 40.0, 40.0);
    let mut card = json!({"id": id, "type": "RECTANGLE", "absoluteBoundingBox": bounds});
    card["fills"] = fills;
    card
}

#[test]
fn a_design_is_exactly_like_itself() {
    let twins = [card("1", 5.0, solid(1.0, 0.0, 0.0)), card("2", 5.0, solid(0.0, 0.5, 1.0))];
    let design = screen(json!([twins[0], twins[1], text("3", json!("Hello"), 80.0)]));
    let all = Parts { block_match: 1.0, position: 1.0, color: 1.0, text: 1.0 };
    assert_eq!(canvas(&design, &design), all);
    assert_eq!(strict(&design, &design), all);
}

#[test]
fn what_should_not_be_there_costs_in_the_strict_variant_alone() {
    let truth = screen(json!([card("1", 5.0, solid(1.0, 0.0, 0.0))]));
    let crowded = screen(json!([
        card("1", 5.0, solid(1.0, 0.0, 0.0)),
        card("2", 50.0, solid(0.0, 0.0, 0.0)),
    ]));
    assert_eq!(canvas(&truth, &crowded).block_match, 1.0);
    assert_eq!(strict(&truth, &crowded).block_match, 0.8);
}

#[test]
fn a_hidden_node_stands_for_no_shown_one() {
    let mut hidden = card("1", 5.0, solid(1.0, 0.0, 0.0));
    hidden["visible"] = json!(false);
    let (truth, made) = (screen(json!([card("1", 5.0, json!([]))])), screen(json!([hidden])));
    assert_eq!(canvas(&truth, &made).block_match, 0.5);
    assert_eq!(strict(&truth, &made).block_match, 0.5);
    assert_eq!(canvas(&made, &made).block_match, 1.0);
}

#[test]
fn a_text_that_does_not_say_what_it_says_has_no_published_score() {
    let good = screen(json!([text("1", json!("Hello"), 10.0)]));
    for characters in [Value::Null, json!(7)] {
        let bad = screen(json!([text("1", characters, 10.0)]));
        let found = measured(&good, &bad, "component_similarity/canvas");
        assert!(matches!(found, Score::Missing(_)), "{found:?}");
        assert!(measured(&good, &bad, "component_similarity/strict").value().is_some());
    }
    let blank = screen(json!([text("1", json!(""), 10.0)]));
    assert_eq!(canvas(&blank, &blank).text, 1.0);
}

#[test]
fn a_fill_without_a_colour_is_passed_over() {
    let fills = json!([{"type": "SOLID"}, {"type": "SOLID", "color": {"r": 1, "g": 0, "b": 0}}]);
    let truth = screen(json!([card("1", 5.0, solid(1.0, 0.0, 0.0))]));
    assert_eq!(canvas(&truth, &screen(json!([card("1", 5.0, fills)]))).color, 1.0);
}

#[test]
fn a_design_without_a_root_frame_has_no_score() {
    let page = document(json!({"document": {"id": "0:1", "type": "CANVAS", "children": []}}));
    for (truth, made) in [(&page, &page), (&Document::default(), &Document::default())] {
        let found = measured(truth, made, "component_similarity/canvas");
        assert!(matches!(found, Score::Missing(_)), "{found:?}");
    }
}

#[test]
fn the_root_frame_is_the_first_of_the_page_whatever_its_name() {
    let frame = |id: &str, name: &str, color: Value| {
        json!({"id": id, "name": name, "type": "FRAME", "fills": color,
            "absoluteBoundingBox": boxed(0.0, 0.0, 10.0, 10.0)})
    };
    let file = document(json!({"document": {"id": "0:0", "type": "DOCUMENT", "children": [
        {"id": "0:1", "type": "CANVAS", "children": [
            frame("1", "First", solid(1.0, 0.0, 0.0)),
            frame("2", "Main Screen", solid(0.0, 1.0, 0.0)),
        ]},
    ]}}));
    let red = document(frame("1", "Red", solid(1.0, 0.0, 0.0)));
    assert_eq!(canvas(&red, &file).color, 1.0);
}

#[test]
fn the_pairs_the_missing_and_the_extra_are_the_evidence() {
    let truth = screen(json!([card("a", 0.0, json!([])), text("t", json!("Hello"), 80.0)]));
    let made = screen(json!([card("b", 60.0, json!([])), text("u", json!("Hullo"), 80.0)]));
    let comparison = Comparison::of_designs(&truth, &made);
    let measurement = Registry::built_in()
        .measure_one("component_similarity/canvas", &comparison, &CancelToken::new())
        .unwrap()
        .unwrap();
    let components = measurement.components().unwrap();
    let ids = |ids: &[pentimento::design::NodeId]| {
        ids.iter().map(|id| id.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&components.missing), ["a"]);
    assert_eq!(ids(&components.extra), ["b"]);
    let first = &components.pairs[0];
    assert_eq!((first.ground_truth.as_str(), first.generated.as_str()), ("t", "u"));
    assert!(first.is_text && first.text.unwrap() < 1.0 && first.position == 1.0);
    assert_eq!(components.pairs.len(), 2);
}

fn any_node() -> impl Strategy<Value = Value> {
    let place = (-20.0..120.0f64, -20.0..220.0f64, 0.0..80.0f64, 0.0..80.0f64);
    let color = prop::option::of(prop::array::uniform3(0.0..=1.0f64));
    (place, color, prop::option::of("[a-c ]{0,4}"), any::<bool>()).prop_map(
        |((x, y, width, height), color, characters, visible)| {
            let fills = color.map_or(json!([]), |[r, g, b]| solid(r, g, b));
            let mut node = json!({"type": "RECTANGLE", "visible": visible, "fills": fills,
                "absoluteBoundingBox": boxed(x, y, width, height)});
            if let Some(characters) = characters {
                node["type"] = json!("TEXT");
                node["characters"] = json!(characters);
            }
            node
        },
    )
}

fn any_screen() -> impl Strategy<Value = Document> {
    prop::collection::vec(any_node(), 0..7).prop_map(|children| screen(json!(children)))
}

proptest! {
    #[test]
    fn scores_stay_in_their_ranges_and_a_design_is_strictly_like_itself(
        (truth, made) in (any_screen(), any_screen()),
    ) {
        let registry = Registry::built_in();
        let comparison = Comparison::of_designs(&truth, &made);
        for measured in registry.measure(&comparison, &CancelToken::new()).unwrap() {
            if let Some(score) = measured.measurement.score.value() {
                let (least, most) = measured.variant.range;
                prop_assert!(least <= score && score <= most, "{} {score}", measured.variant.id);
            }
        }
        let itself = strict(&made, &made);
        prop_assert!((itself.mean() - 1.0).abs() < 1e-12, "{itself:?}");
    }
}

#[test]
fn too_many_nodes_are_refused_and_long_texts_end() {
    let many: Vec<Value> = (0..2_500).map(|at| card(&at.to_string(), 1.0, json!([]))).collect();
    let crowd = screen(json!(many));
    let found = measured(&crowd, &crowd, "block_match/canvas");
    assert!(matches!(found, Score::Missing(_)), "{found:?}");
    let long = |letter: &str| json!([text("1", json!(letter.repeat(200_000)), 10.0)]);
    assert!(strict(&screen(long("ab")), &screen(long("ba"))).text > 0.9);
}
