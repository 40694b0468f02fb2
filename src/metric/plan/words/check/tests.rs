use proptest::prelude::*;
use serde_json::json;

use crate::metric::plan::PlanRow;
use crate::metric::plan::words::{ClashRule, of_row};

#[expect(clippy::needless_pass_by_value, reason = "tests read better so")]
fn clashes(steps: serde_json::Value) -> Vec<(usize, ClashRule)> {
    let row = json!({
        "ID": 1, "final_workflow": steps,
        "design_choices": {
            "background_color": "deep purple",
            "text": {
                "title": {"content": "Moonlit Fantasies", "size": "large", "color": "white",
                    "position": "top center"},
                "author": {"content": "J.K. Stellar", "size": "small", "color": "white",
                    "position": "bottom center, below the moon"},
            },
            "visual": {"dreamy_moon": {"size": "large", "position": "bottom right"}},
        },
    });
    let row = PlanRow::read(row.as_object().unwrap());
    of_row(&row).into_iter().map(|clash| (clash.step, clash.rule)).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "tests read better so")]
fn step(action: &str, words: &str, parameters: serde_json::Value) -> serde_json::Value {
    json!({"expert": "Layout Designer", "skill": action, "description": words,
        "parameters": parameters})
}

fn page() -> serde_json::Value {
    step("CreateDocumentCustom", "Create it.", json!({"width": 1000, "height": 1000}))
}

fn text(layer: &str, says: &str) -> serde_json::Value {
    step("CreateText", "Add it.", json!({"layerName": layer, "textString": says}))
}

#[test]
fn a_plan_that_says_what_it_does_has_no_clash() {
    let plan = json!([
        page(),
        step(
            "SetBackgroundColor",
            "Set the background to deep purple.",
            json!({"red": 48, "green": 0, "blue": 96})
        ),
        text("TitleLayer", "Moonlit Fantasies"),
        step(
            "ResizeText",
            "Resize the title to a large size.",
            json!({"layerName": "TitleLayer", "fontSize": 72})
        ),
        step(
            "ColorText",
            "Color it white.",
            json!({"layerName": "TitleLayer", "red": 255, "green": 255, "blue": 255})
        ),
        step(
            "RepositionText",
            "Place it at the top center.",
            json!({"layerName": "TitleLayer", "posX": 300, "posY": 50})
        ),
        text("AuthorLayer", "J.K. Stellar"),
        step(
            "ResizeText",
            "Make the author small.",
            json!({"layerName": "AuthorLayer", "fontSize": 24})
        ),
        step(
            "RepositionText",
            "Move it below the title.",
            json!({"layerName": "AuthorLayer", "posX": 300, "posY": 140})
        ),
        step(
            "ImportObject",
            "Import the moon.",
            json!({"layerName": "MoonLayer", "fileName": "dreamy_moon.png"})
        ),
        step(
            "RepositionObject",
            "Place the moon in the bottom right corner.",
            json!({"layerName": "MoonLayer", "posX": 600, "posY": 600})
        ),
    ]);
    assert_eq!(clashes(plan), []);
}

#[test]
fn each_rule_finds_what_it_is_for() {
    use ClashRule::{Action, Color, ComponentPlace, Kind, OnePlace, Place, Size, Wording};
    let plan = json!([
        page(),
        step(
            "SetBackgroundColor",
            "Set the background.",
            json!({"red": 255, "green": 240, "blue": 0})
        ),
        text("TitleLayer", "Moonlit Fantasies"),
        step(
            "RepositionText",
            "Place it at the top.",
            json!({"layerName": "TitleLayer", "posX": 300, "posY": 800})
        ),
        step(
            "RepositionText",
            "Place it.",
            json!({"layerName": "TitleLayer", "posX": 300, "posY": 850})
        ),
        step(
            "AlignText",
            "Align it to the center.",
            json!({"layerName": "TitleLayer", "alignment": "left"})
        ),
        step(
            "ColorText",
            "Color it white.",
            json!({"layerName": "TitleLayer", "red": 0, "green": 0, "blue": 0})
        ),
        step(
            "ColorText",
            "Color it.",
            json!({"layerName": "TitleLayer", "red": 255, "green": 0, "blue": 0})
        ),
        step(
            "ResizeText",
            "Set it to 72 points.",
            json!({"layerName": "TitleLayer", "fontSize": 24})
        ),
        step("ResizeText", "Make it small.", json!({"layerName": "TitleLayer", "fontSize": 24})),
        step(
            "ResizeObject",
            "Scale it.",
            json!({"layerName": "TitleLayer", "width": 10, "height": 10})
        ),
        step(
            "RepositionText",
            "Rotate the title.",
            json!({"layerName": "TitleLayer", "posX": 300, "posY": 50})
        ),
        step(
            "CreateText",
            "Write 'The Night Sky'.",
            json!({"layerName": "AuthorLayer", "textString": "Fairy tales"})
        ),
        step(
            "RepositionText",
            "Put it there.",
            json!({"layerName": "AuthorLayer", "posX": 302, "posY": 52})
        ),
    ]);
    let expected = [
        (2, Color),
        (4, Place),
        (5, ComponentPlace),
        (6, Place),
        (7, Color),
        (8, Color),
        (9, Size),
        (10, Size),
        (11, Kind),
        (12, Action),
        (13, Wording),
        (14, OnePlace),
    ];
    assert_eq!(clashes(plan), expected);
}

#[test]
fn a_text_called_small_is_not_larger_than_one_called_large() {
    let plan = json!([
        page(),
        text("One", "First of two"),
        text("Two", "Second of two"),
        step("ResizeText", "Make it large.", json!({"layerName": "One", "fontSize": 40})),
        step("ResizeText", "Make it small.", json!({"layerName": "Two", "fontSize": 60})),
    ]);
    assert_eq!(clashes(plan), [(5, ClashRule::Size)]);
}

#[test]
fn without_a_known_page_no_place_is_held_against_anything() {
    let plan = json!([
        step("CreateDocument", "Create it.", json!({"docType": "poster"})),
        text("TitleLayer", "Moonlit Fantasies"),
        step(
            "RepositionText",
            "Place it at the top.",
            json!({"layerName": "TitleLayer", "posX": 300, "posY": 800})
        ),
    ]);
    assert_eq!(clashes(plan), []);
}

proptest! {
    #[test]
    fn no_plan_however_odd_breaks_the_rules(
        steps in prop::collection::vec(
            (0_usize..50, any::<String>(), "[a-c]", prop_oneof![Just(json!(null)), any::<f64>().prop_map(|it| json!(it)), any::<String>().prop_map(|it| json!(it))]), 0..20,
        ),
    ) {
        let count = steps.len();
        let steps = steps.into_iter().map(|(action, words, layer, value)| {
            let action = crate::graphictown::all().get(action).map_or("?", |it| it.name.as_str());
            step(action, &words, json!({"layerName": layer, "posX": value, "posY": value, "width": value,
                "height": value, "red": value, "green": 0, "blue": 0, "fontSize": value, "textString": value}))
        });
        let found = clashes(steps.collect());
        prop_assert!(found.len() <= count);
    }
}
