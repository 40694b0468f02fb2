//! The dialog that says what asking models for scores costs.

use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable as _;

use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::{Direction, Needs, VariantSpec};
use pentimento::workbench::{
    AskCommand, AskEstimate, Column, Command, ExploreCommand, Fetched, JobKind, Overlay, State,
    Variants, handle,
};

use super::explore::room;
use super::harness::{Part, looks, window};

const SIZE: [f32; 2] = [1024.0, 700.0];

fn judged(id: &'static str, label: &'static str, ssim: &VariantSpec) -> VariantSpec {
    VariantSpec {
        id: id.into(),
        label,
        variant_label: "eye-1".into(),
        needs: Needs::Instruction,
        is_asked: true,
        direction: Direction::HigherIsBetter,
        range: (1.0, 5.0),
        map_range: None,
        source: "GraphicBench §4.2",
        ..ssim.clone()
    }
}

/// The table over all runs with a column that a judge fills.
fn asked_column() -> State {
    let mut state = room();
    let ssim = Variants::default()
        .get(PrimaryMetric::Similarity.variant())
        .expect("it is built in")
        .clone();
    let originality = judged("originality/eye-1", "Originality", &ssim);
    let elaboration = judged("elaboration/eye-1", "Elaboration", &ssim);
    state.variants = Variants::new([ssim, originality, elaboration]);
    let column = Column::Score("originality/eye-1".into());
    drop(handle(&mut state, Command::Explore(ExploreCommand::ToggleColumn(column))));
    state
}

/// The dialog over it, with what the worker would have told of the questions.
fn counted() -> State {
    let mut state = asked_column();
    drop(handle(&mut state, Command::Ask(AskCommand::Open)));
    let key = state.ask_estimate_key().expect("the runs lack it");
    let estimate = AskEstimate {
        questions: 12,
        tokens_read: 9_840,
        tokens_written: 2_400,
        expected_usd: Some(0.0521),
        most_usd: Some(0.0912),
        looked_at: (key.runs.len(), key.runs.len()),
    };
    state.derived.ask_estimates.insert(key, Fetched::Ready(Arc::new(estimate)));
    state
}

#[test]
fn a_column_that_a_judge_fills_has_a_button_that_says_what_asking_costs() {
    let mut harness = window(asked_column(), SIZE);
    harness.get_by_label("Ask for scores…").click();
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Ask));
    assert!(harness.query_by_label("Counting the questions…").is_some());
    harness.key_press(Key::Enter);
    harness.run_ok();
    let start = Command::Ask(AskCommand::Start);
    assert!(!harness.state().sent.contains(&start), "not before it is said what it costs");
}

#[test]
fn the_questions_are_sent_once_their_number_and_cost_are_said() {
    let mut harness = window(counted(), SIZE);
    for words in
        ["12 questions", "About 9,840 tokens read, 2,400 written", "About $0.0521, at most $0.0912"]
    {
        assert!(harness.query_by_label(words).is_some(), "{words}");
    }
    harness.key_press(Key::Enter);
    harness.run_ok();
    let state = &harness.state().state;
    assert!(harness.state().sent.contains(&Command::Ask(AskCommand::Start)));
    assert_eq!(state.overlay, None);
    assert!(state.jobs.active().any(|(_, job)| job.kind == JobKind::Ask));
}

#[test]
fn a_score_is_ticked_off() {
    let mut harness = window(counted(), SIZE);
    harness.get_by_label("Originality · eye-1").click();
    harness.run_ok();
    assert!(harness.state().state.asking.variants.is_empty());
    assert!(harness.query_by_label("Choose a score to ask for.").is_some());
}

#[test]
fn the_dialog_that_says_what_asking_costs() {
    looks("ask", &counted(), SIZE, Part::Overlay("ask"));
}
