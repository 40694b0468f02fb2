//! The table of scores in the window: what a person does there, and how it looks.

use egui::Key;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::{Direction, MissingScore, Needs, Score, VariantSpec};
use pentimento::workbench::{
    Browse, Command, InspectorTab, ScoresCommand, State, VariantId, Variants,
};

use super::fixture::{self, RUN, STEPS};
use super::harness::{Part, copied_text, looks, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];

/// A variant of our own: id, name, what distinguishes it, whether more is better, its map's range.
type Known = (&'static str, &'static str, &'static str, bool, Option<(f64, f64)>);

const KNOWN: [Known; 6] = [
    ("psnr/test", "PSNR", "8 bits", true, Some((0.0, 60.0))),
    ("rmse/test", "RMSE inverse", "whole picture", true, None),
    ("color/test", "ΔE2000", "mean over pixels", false, Some((100.0, 0.0))),
    ("saliency/test", "Saliency SIM", "spectral residual", true, Some((1.0, 0.0))),
    ("component/test", "Components", "canvas", true, None),
    ("caption/test", "Caption similarity", "all-MiniLM-L6-v2", true, None),
];

fn variants() -> Vec<VariantSpec> {
    let ssim = Variants::default()
        .get(PrimaryMetric::Similarity.variant())
        .expect("it is built in")
        .clone();
    let known = KNOWN.map(|(id, label, variant_label, more, map_range)| VariantSpec {
        id: id.into(),
        label,
        variant_label: variant_label.into(),
        needs: Needs::Pictures,
        is_asked: false,
        direction: if more { Direction::HigherIsBetter } else { Direction::LowerIsBetter },
        range: (0.0, f64::INFINITY),
        map_range,
        version: 1,
        source: "A paper, section 4",
    });
    std::iter::once(ssim).chain(known).collect()
}

fn value(place: usize, step: u32) -> Score {
    let along = f64::from(step) / f64::from(STEPS);
    match place {
        0 => Score::Value(14.2 + along * 9.1),
        1 => Score::Value(0.71 + along * 0.12),
        2 => Score::Value(31.4 - along * 20.0),
        3 => Score::Value(0.42 + along * 0.2),
        4 => {
            Score::Missing(MissingScore::NoDesign("only pictures were recorded of this run".into()))
        }
        _ => Score::Missing(MissingScore::NoCaption("no captioner configured".into())),
    }
}

fn measured() -> State {
    let mut state = fixture::full();
    state.variants = Variants::new(variants());
    state.settings.inspector_tab = InspectorTab::Scores;
    let run = state.library.runs.get_mut(&RUN).expect("the fixture has it");
    for (place, (id, ..)) in KNOWN.iter().enumerate() {
        for step in 0..=STEPS {
            run.curves.put(&VariantId::from(*id), step, value(place, step));
        }
    }
    state
}

#[test]
fn a_key_goes_to_the_scores_and_each_row_says_what_it_is() {
    let mut state = measured();
    state.settings.inspector_tab = InspectorTab::Step;
    let mut harness = window(state, DESKTOP);
    harness.key_press(Key::S);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.inspector_tab, InspectorTab::Scores);
    let ssim = "SSIM, uniform 7×7: 0.690, −0.046 to the step before";
    assert!(harness.query_by_label(ssim).is_some());
    // What cannot be computed is folded, under its reason.
    let caption = "Caption similarity, all-MiniLM-L6-v2: none, no caption: no captioner configured";
    assert!(harness.query_by_label(caption).is_none());
    harness.get_by_label("1 not computed: no caption: no captioner configured").click();
    harness.run_ok();
    assert!(harness.query_by_label(caption).is_some());
}

#[test]
fn what_nobody_asked_a_model_says_so() {
    let mut state = measured();
    let run = state.library.runs.get_mut(&RUN).expect("the fixture has it");
    for step in 0..=STEPS {
        let score = Score::Missing(MissingScore::NotAsked);
        run.curves.put(&VariantId::from("caption/test"), step, score);
    }
    let mut harness = window(state, DESKTOP);
    harness.get_by_label("1 not computed: not asked yet").click();
    harness.run_ok();
    let row = "Caption similarity, all-MiniLM-L6-v2: none, not asked yet";
    assert!(harness.query_by_label(row).is_some());
}

#[test]
fn a_reason_longer_than_the_inspector_does_not_widen_it() {
    let mut state = measured();
    state.settings.inspector_tab = InspectorTab::Step;
    let mut harness = window(state, [1024.0, 700.0]);
    let left = harness.get_by_label("Inspect the step").rect().left();
    harness.key_press(Key::S);
    harness.run_ok();
    let reason = "1 not computed: no design: only pictures were recorded of this run";
    assert!(harness.get_by_label(reason).rect().right() <= 1024.0);
    assert_eq!(harness.get_by_label("Inspect the step").rect().left(), left);
}

#[test]
fn a_click_shows_the_curve_and_the_arrows_go_on_from_there() {
    let mut harness = window(measured(), DESKTOP);
    harness.get_by_label_contains("ΔE2000").click();
    harness.run_ok();
    let chosen = Command::Scores(ScoresCommand::Choose("color/test".into()));
    assert!(harness.state().sent.contains(&chosen));
    assert!(harness.query_by_label("ΔE2000 after each step").is_some());
    assert_eq!(harness.state().state.settings.heat_variant, "color/test");
    let before = harness.state().state.selection.step;
    harness.key_press(Key::ArrowUp);
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!(state.settings.curve_variant, "rmse/test");
    assert_eq!(state.settings.heat_variant, "color/test", "it has no map");
    assert_eq!(state.selection.step, before);
    harness.key_press(Key::V);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.curve_variant, "color/test");
}

#[test]
fn the_table_is_copied_as_markdown_and_as_csv() {
    for (words, part) in [
        (
            "As Markdown",
            "| ssim/uniform7 | SSIM | uniform 7×7 | 0.6900 | -0.0460 | 0.7120 | 0.6690 |",
        ),
        ("As CSV", "ssim/uniform7,SSIM,uniform 7×7,0.69,"),
    ] {
        let mut harness = window(measured(), DESKTOP);
        harness.get_by_label("Copy the scores").click();
        harness.run_ok();
        harness.get_by_label(words).click();
        harness.step();
        let copied = copied_text(&harness).expect("something was copied");
        assert!(copied.contains(part), "{copied}");
        assert_eq!(copied.matches("component/test").count(), 1);
    }
}

#[test]
fn the_models_and_the_captions_are_below_the_scores_with_what_is_wrong_with_them() {
    let mut harness = window(measured(), DESKTOP);
    assert_eq!(harness.query_all_by_label("none chosen").count(), 2);
    for (choose, browse) in [
        ("Choose a file of models", Browse::Models),
        ("Choose a file of captions", Browse::Captions),
    ] {
        harness.get_by_label(choose).click();
        harness.run_ok();
        assert!(harness.state().sent.contains(&Command::Browse(browse)));
    }
    let mut state = measured();
    state.settings.models = Some("/home/me/models.json".into());
    state.models_problem = Some("not a file of models: line 1".into());
    let mut harness = window(state, DESKTOP);
    assert!(harness.query_by_label_contains("models.json").is_some());
    assert!(harness.query_by_label("not a file of models: line 1").is_some());
    harness.get_by_label("Measure without models").click();
    harness.run_ok();
    let without = Command::Scores(ScoresCommand::UseModels(None));
    assert!(harness.state().sent.contains(&without));
}

#[test]
fn a_task_alone_has_no_scores() {
    let mut state = measured();
    state.selection.run = None;
    let harness = window(state, DESKTOP);
    let words = harness.get_by_label("No scores");
    assert!(words.accesskit_node().label().is_some() || words.accesskit_node().value().is_some());
}

#[test]
fn the_scores_of_a_step() {
    looks("scores", &measured(), DESKTOP, Part::Inspector);
}

#[test]
fn the_scores_of_a_step_in_a_small_window() {
    looks("scores_1024", &measured(), [1024.0, 700.0], Part::Inspector);
}
