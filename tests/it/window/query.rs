//! What of its query a design has, in the window: answers, their nodes on the stage, keys, looks.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::base::{CancelToken, Pixels};
use pentimento::environment::suite::{GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{
    Environment as _, HandOuts as _, PictureRequest, ToolCall, ToolCategory,
};
use pentimento::metric::constraint::{Aspect, Page, Query, Verdict, check};
use pentimento::metric::plan::PlanRow;
use pentimento::run::{Run, RunPlan, Step, StepOutcome};
use pentimento::task::{DesignBrief, TaskKind};
use pentimento::workbench::protocol::{NodeBox, StagePicture};
use pentimento::workbench::{
    CheckKey, Command, Comparison, Fetched, FindingRef, InspectorTab, LayerTree, LayerTreeKey,
    NodeSide, PictureKey, QueryCommand, State,
};
use serde_json::{Value, json};

use super::fixture::{self, RUN};
use super::harness::{Host, Part, looks, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];
const LAYOUT: &str = "Layout Designer";
/// The pictures on the stage, in pixels a point.
const SCALE: f64 = 0.4;

fn query() -> Query {
    let components = json!({
        "background_color": "deep purple",
        "text": {
            "title": {"content": "Night of the jellyfish", "size": "huge", "color": "white",
                "position": "top center"},
            "date": {"content": "Saturday, 14 June", "size": "medium", "color": "gold",
                "position": "below the title"},
            "place": {"content": "Harbour Hall", "size": "small", "color": "white",
                "position": "bottom center"},
        },
        "visual": {
            "jellyfish_illustration": {"size": "large", "position": "centered"},
            "pink_moonlit": {"size": "small", "position": "top right, woven into the sky"},
        },
    });
    let image = |name: &str| json!({"content": name, "url": format!("https://example.org/{name}")});
    let images = json!([image("jellyfish_illustration"), image("pink_moonlit")]);
    let (query, odd) = Query::read("poster", &components, &images);
    assert!(odd.is_empty(), "{odd:?}");
    query
}

/// A poster by the words, but for the date, the colour of the place and the moon.
fn calls() -> Vec<(&'static str, Value, ToolCategory)> {
    use ToolCategory::{Creation, Operation, Style, Text};
    let rgb = |layer: &str, [red, green, blue]: [u8; 3]| json!({"layerName": layer, "red": red, "green": green, "blue": blue});
    let text = |layer: &str, words: &str| json!({"layerName": layer, "textString": words});
    let size = |layer: &str, points: u32| json!({"layerName": layer, "fontSize": points});
    let middle = |layer: &str| json!({"layerName": layer, "alignment": "center"});
    let at = |layer: &str, y: f64| json!({"layerName": layer, "posX": 27.4, "posY": y});
    vec![
        ("CreateDocument", json!({"docType": "poster"}), Creation),
        ("SetBackgroundColor", json!({"red": 45, "green": 12, "blue": 90}), Style),
        (
            "ImportObject",
            json!({"fileName": "jellyfish_illustration.png", "layerName": "SwimmerLayer"}),
            Creation,
        ),
        (
            "ResizeObject",
            json!({"layerName": "SwimmerLayer", "width": 820, "height": 820}),
            Operation,
        ),
        (
            "RepositionObject",
            json!({"layerName": "SwimmerLayer", "posX": 238, "posY": 500}),
            Operation,
        ),
        ("CreateText", text("TitleLayer", "Night of the jellyfish"), Text),
        ("ResizeText", size("TitleLayer", 112), Text),
        ("ColorText", rgb("TitleLayer", [255, 255, 255]), Style),
        ("AlignText", middle("TitleLayer"), Text),
        ("RepositionText", at("TitleLayer", 40.0), Text),
        ("CreateText", text("DateLayer", "Saturday, 15 June"), Text),
        ("ResizeText", size("DateLayer", 52), Text),
        ("ColorText", rgb("DateLayer", [255, 215, 0]), Style),
        ("AlignText", middle("DateLayer"), Text),
        ("RepositionText", at("DateLayer", 98.0), Text),
        ("CreateText", text("PlaceLayer", "Harbour Hall"), Text),
        ("ResizeText", size("PlaceLayer", 34), Text),
        ("ColorText", rgb("PlaceLayer", [110, 70, 150]), Style),
        ("AlignText", middle("PlaceLayer"), Text),
        ("RepositionText", at("PlaceLayer", 560.0), Text),
    ]
}

fn suite() -> SuiteEnvironment {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/suite/pictures");
    let given = |name: &str| GivenPicture {
        name: name.to_owned(),
        file: Some(pictures.join(format!("{name}.png"))),
        ..GivenPicture::default()
    };
    let given = vec![given("jellyfish_illustration"), given("pink_moonlit")];
    SuiteEnvironment::new(SuiteStart { given, ..SuiteStart::default() }).unwrap()
}

/// A run of these calls on the stage at its last step, with all answers, and its task, which has no
/// ground truth.
fn checked(tab: InspectorTab) -> State {
    let mut state = fixture::full();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    task.kind = TaskKind::Composition;
    task.ground_truth = None;
    "A poster for a night of jellyfish, deep purple, with a moon."
        .clone_into(&mut task.instruction);
    task.brief = Some(Arc::new(DesignBrief { query: query(), ..DesignBrief::default() }));
    let steps = perform(&mut state);
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    let count = steps.len() as u32;
    let run = Run { steps: steps.into(), ..Run::clone(entry.loaded.as_ref().unwrap()) };
    (entry.steps, entry.loaded) = (count, Some(Arc::new(run)));
    let share = |step: u32| {
        let Some(Fetched::Ready(findings)) = state.derived.checks.get(&CheckKey { run: RUN, step })
        else {
            panic!("step {step} is not checked");
        };
        findings.share(None).map(pentimento::metric::Score::Value)
    };
    let shares = (0..=count).map(share).collect();
    entry.curves = pentimento::workbench::Curves::of_one("constraints/all", shares);
    entry.last_score = None;
    state.derived.maps.clear();
    state.selection.step = count;
    state.settings.inspector_tab = tab;
    state
}

/// Does the calls, and puts what each step looks like and is answered into the state.
fn perform(state: &mut State) -> Vec<Step> {
    let mut suite = suite();
    state.derived.pictures.clear();
    let mut steps = Vec::new();
    show(state, &suite, 0);
    for ((name, mut arguments, category), number) in calls().into_iter().zip(1_u32..) {
        arguments["expert"] = json!(LAYOUT);
        let call = ToolCall { id: number.to_string(), name: name.to_owned(), arguments };
        let outcome = suite.call(&call, &CancelToken::default());
        assert!(!outcome.is_error(), "{name}: {}", outcome.text);
        let outcome = StepOutcome {
            text: outcome.text,
            structured: None,
            image: None,
            failure: None,
            latency_ms: 1.0,
        };
        let turn = number.div_ceil(2);
        steps.push(Step { number, turn, call: Some(call), category, outcome: Some(outcome) });
        show(state, &suite, number);
    }
    steps
}

fn show(state: &mut State, suite: &SuiteEnvironment, step: u32) {
    let design = suite.design().unwrap();
    let picture = |scale: f64| {
        suite.picture(&PictureRequest { scale, ..PictureRequest::default() }).unwrap().pixels
    };
    let outline = LayerTree::new(design.clone(), None);
    let boxes = outline.rows.iter().rev().filter_map(|row| {
        let mut pixel_box = row.screen_box?;
        for side in
            [&mut pixel_box.x, &mut pixel_box.y, &mut pixel_box.width, &mut pixel_box.height]
        {
            *side *= SCALE;
        }
        let (id, name) = (row.id.to_string(), row.name.clone());
        Some(NodeBox { id, name, kind: row.kind.clone(), pixel_box })
    });
    let staged = |pixels: Pixels, nodes: Arc<[NodeBox]>| {
        let picture = StagePicture {
            pixels: pixels.into(),
            reduced: Arc::default(),
            nodes,
            diagnostics: Vec::new(),
            documents: None,
        };
        Fetched::Ready(Arc::new(picture))
    };
    let large = staged(picture(SCALE), boxes.collect());
    state.derived.pictures.insert(PictureKey::Step(RUN, step), large);
    let small = staged(picture(0.05), Arc::default());
    state.derived.pictures.insert(PictureKey::Thumbnail(RUN, step), small);
    let seen = picture(0.25);
    let shown = suite.shown_pictures();
    let page = Page { document: &design, picture: Some(&seen), shown: shown.as_deref() };
    let findings = Fetched::Ready(Arc::new(check(&query(), &page).unwrap()));
    state.derived.checks.insert(CheckKey { run: RUN, step }, findings);
    let key = LayerTreeKey { slot: PictureKey::Step(RUN, step), against: Comparison::None };
    state.derived.layer_trees.insert(key, Fetched::Ready(Arc::new(outline)));
}

fn place_color() -> FindingRef {
    FindingRef { component: "place".to_owned(), aspect: Aspect::Color, nth: 0 }
}

fn select(state: &mut State, answer: FindingRef) {
    drop(pentimento::workbench::handle(state, Command::Query(QueryCommand::Select(Some(answer)))));
}

#[test]
fn the_answers_about_a_query_beside_the_stage() {
    let mut state = checked(InspectorTab::Query);
    let answer = FindingRef { component: "title".to_owned(), aspect: Aspect::Position, nth: 0 };
    select(&mut state, answer);
    looks("query_1440", &state, DESKTOP, Part::Inspector);
}

#[test]
fn the_answers_that_are_no_at_a_small_size() {
    let mut state = checked(InspectorTab::Query);
    state.query.only = Some(Verdict::No);
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    let plan = RunPlan::new(PlanRow::read(&serde_json::Map::new()));
    let run = Run { plan: Some(Arc::new(plan)), ..Run::clone(entry.loaded.as_ref().unwrap()) };
    entry.loaded = Some(Arc::new(run));
    select(&mut state, place_color());
    looks("query_1024", &state, SMALL, Part::Inspector);
}

#[test]
fn answers_say_yes_or_no_in_words_with_the_reason_and_count() {
    let harness = window(checked(InspectorTab::Query), DESKTOP);
    for words in [
        "background, Colour, asked deep purple: yes. #2D0C5A: ΔE",
        "title, Present, asked Night of the jellyfish: yes.",
        "date, Present, asked Saturday, 14 June: no. \"Saturday, 15 June\" is 1 character away",
        "place, Colour, asked white: no. #6E4696: ΔE",
        "place, Contrast: no.",
        "jellyfish_illustration, Present: yes. the layer \"SwimmerLayer\" shows the picture of this",
        "pink_moonlit, Present: no. no layer shows the picture of this name",
    ] {
        harness.get_by_label_contains(words);
    }
    let findings = harness.state().state.ready_check(CheckKey { run: RUN, step: 20 }).unwrap();
    let count = |verdict| findings.count(verdict, None);
    let (yes, no) = (count(Verdict::Yes), count(Verdict::No));
    assert_eq!(no, 4);
    assert!(harness.query_by_label(&format!("{yes} of {} yes", yes + no)).is_some());
    assert!(harness.query_by_label(&format!("{yes} yes, {no} no, 0 can't say")).is_some());
}

#[test]
fn a_click_on_an_answer_selects_its_node_and_again_nothing() {
    let mut harness = window(checked(InspectorTab::Query), DESKTOP);
    harness.get_by_label_contains("place, Colour").click();
    harness.run_ok();
    let selected = harness.state().state.nodes.selected.clone().unwrap();
    assert_eq!(selected.side, NodeSide::Canvas);
    let outlined = pentimento::workbench::views::outlined(&harness.state().state, &selected);
    assert_eq!(outlined.len(), 1, "the stage outlines it");
    assert_eq!(harness.state().state.query.selected, Some(place_color()));
    harness.get_by_label_contains("place, Colour").click();
    harness.run_ok();
    assert_eq!(harness.state().state.nodes.selected, None);
    assert_eq!(harness.state().state.query.selected, None);
}

#[test]
fn keys_walk_through_the_answers_and_escape_lets_go() {
    let mut harness = window(checked(InspectorTab::Step), DESKTOP);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Q);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.inspector_tab, InspectorTab::Query);
    let at = |harness: &Harness<'_, Host>| {
        let selected = harness.state().state.query.selected.clone()?;
        Some((selected.component, selected.aspect))
    };
    let step = harness.state().state.selection.step;
    harness.key_press(Key::Y);
    harness.run_ok();
    assert_eq!(at(&harness), Some(("background".to_owned(), Aspect::Color)));
    harness.get_by_label_contains("title, Present").click();
    harness.run_ok();
    harness.key_press(Key::ArrowDown);
    harness.run_ok();
    assert_eq!(at(&harness), Some(("title".to_owned(), Aspect::Color)));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Y);
    harness.run_ok();
    assert_eq!(at(&harness), Some(("title".to_owned(), Aspect::Present)));
    assert_eq!(harness.state().state.selection.step, step, "arrows are the list's now");
    assert!(harness.state().state.nodes.selected.is_some());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!((at(&harness), &harness.state().state.nodes.selected), (None, &None));
}

#[test]
fn a_count_lists_only_its_answers() {
    let mut harness = window(checked(InspectorTab::Query), DESKTOP);
    harness.get_by_label("4 no").click();
    harness.run_ok();
    harness.get_by_label_contains("place, Contrast: no.");
    let has =
        |harness: &Harness<'_, Host>, words: &str| harness.query_by_label_contains(words).is_some();
    assert!(!has(&harness, "title, Present"));
    harness.get_by_label("0 can't say").click();
    harness.run_ok();
    harness.get_by_label("Show all answers").click();
    harness.run_ok();
    assert!(has(&harness, "title, Present"));
}

#[test]
fn pointing_at_an_answer_outlines_its_node() {
    let mut harness = window(checked(InspectorTab::Query), DESKTOP);
    let picture = harness.get_by_label_contains("Picture of step 20").rect();
    let before = harness.render().unwrap();
    let at = harness.get_by_label_contains("title, Present").rect().center();
    harness.hover_at(at);
    harness.run_ok();
    let after = harness.render().unwrap();
    let differs = |x: u32, y: u32| before.get_pixel(x, y) != after.get_pixel(x, y);
    let changed = (picture.top() as u32..picture.bottom() as u32)
        .flat_map(|y| (picture.left() as u32..picture.right() as u32).map(move |x| (x, y)))
        .filter(|(x, y)| differs(*x, *y))
        .count();
    assert!(changed > 100, "{changed} pixels of the stage changed");
}

#[test]
fn the_tab_of_the_query_is_there_only_for_runs_that_have_one() {
    let harness = window(fixture::full(), DESKTOP);
    assert!(harness.query_by_label("Inspect the query").is_none());
    let harness = window(checked(InspectorTab::Step), DESKTOP);
    assert!(harness.query_by_label("Inspect the query").is_some());
    let mut state = fixture::full();
    state.settings.inspector_tab = InspectorTab::Query;
    let harness = window(state, DESKTOP);
    // The tab that was chosen before has nothing for this run: the step is shown.
    assert!(harness.query_by_label("Inspect the query").is_none());
    assert!(harness.query_by_label("Inspect the step").is_some());
}

#[test]
fn scores_of_a_run_from_a_query_are_those_that_need_no_ground_truth() {
    let mut state = checked(InspectorTab::Scores);
    let ids: Vec<String> = state.listed_variants().map(|it| it.id.to_string()).collect();
    assert!(ids.iter().any(|id| id == "constraints/all"), "{ids:?}");
    assert!(!ids.iter().any(|id| id.starts_with("ssim")), "{ids:?}");
    let (run, step) = (RUN, state.selection.step);
    let findings = state.ready_check(CheckKey { run, step }).unwrap().share(None).unwrap();
    let entry = state.library.runs.get_mut(&run).unwrap();
    let id: pentimento::workbench::VariantId = "constraints/all".into();
    entry.curves = pentimento::workbench::Curves::of_one(id, vec![None; step as usize + 1]);
    let score = pentimento::metric::Score::Value(findings);
    entry.curves.put(&"constraints/all".into(), step, score);
    let harness = window(state, SMALL);
    let words = format!("Constraints, all: {findings:.3}");
    assert!(harness.query_by_label_contains(&words).is_some(), "{words}");
    assert!(harness.query_by_label_contains("Constraints, contrast: not scored yet").is_some());
}
