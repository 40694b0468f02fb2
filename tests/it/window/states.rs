//! What the window says of runs, by how they ended and by what was recorded of them; and how it keeps its shape.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::run::{Outcome, Run, RunOrigin, Step, Turn};
use pentimento::workbench::{Curves, RunState, State, ThemeChoice};

use super::fixture::{self, RUN, STEPS};
use super::harness::{Host, window};

/// The full window with something else known of the run on the stage.
fn with_run(change: impl FnOnce(&mut Run)) -> State {
    let mut state = fixture::full();
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    change(Arc::make_mut(entry.loaded.as_mut().unwrap()));
    state
}

fn count(harness: &Harness<'_, Host>, words: &str) -> usize {
    harness.query_all_by_label_contains(words).count()
}

#[test]
fn a_run_that_failed_is_not_said_to_have_ended_somewhere() {
    let ended = window(fixture::full(), [1440.0, 900.0]);
    let mut state = fixture::full();
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    let why = "the model gave no answer".to_owned();
    entry.manifest.outcome = Outcome::Failed(why.clone());
    entry.state = RunState::Failed(why);
    let failed = window(state, [1440.0, 900.0]);
    // The curve alone still says how it went; the line beside the buttons says the outcome.
    let of_curve = "SSIM 0.690 · peaked at step 4 (0.781), ended 0.112 lower";
    assert!(count(&ended, "0.112 lower") > count(&ended, of_curve));
    assert!(count(&failed, of_curve) > 0);
    assert_eq!(count(&failed, "0.112 lower"), count(&failed, of_curve));
    assert!(count(&failed, "Failed") > count(&ended, "Failed"));
    assert!(count(&failed, "The run failed") > 0);
}

#[test]
fn of_pictures_alone_without_their_tasks_nothing_is_said_that_nobody_recorded() {
    let mut state = with_run(|run| {
        run.origin = RunOrigin::Pictures { dir: "/shots".into(), files: Vec::new() };
        run.steps =
            run.steps.iter().map(|step| Step { call: None, outcome: None, ..*step }).collect();
        run.turns = run
            .turns
            .iter()
            .cloned()
            .map(|turn| Turn { thought: String::new(), usage: None, seconds: None, ..turn })
            .collect();
    });
    state.library.sets.retain(|entry| entry.set.id != "replication");
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    entry.curves = Curves::default();
    entry.last_score = None;
    let harness = window(state, [1440.0, 1600.0]);
    assert!(count(&harness, "Only pictures were recorded of this run, no calls.") > 0);
    assert!(count(&harness, "Not recorded.") > 0, "of thoughts");
    assert!(harness.query_all_by_label("not recorded").next().is_some(), "of the outcome");
    assert!(count(&harness, "the task set of this run is not open") > 0);
    for invented in ["being computed", "said it was done", "Nothing was said", "Took"] {
        assert_eq!(count(&harness, invented), 0, "{invented}");
    }
}

#[test]
fn the_words_after_the_last_call_are_there_at_the_last_step() {
    let mut state = with_run(|run| {
        let turn = run.turns.iter().last().unwrap().clone();
        let thought = "The screen is as in the picture.".to_owned();
        let first_step = STEPS as usize;
        run.turns.extend([Turn {
            number: turn.number + 1,
            thought,
            first_step,
            step_count: 0,
            ..turn
        }]);
    });
    state.selection.step = STEPS;
    let harness = window(state, [1440.0, 1600.0]);
    assert!(harness.query_by_label("Answer without a call").is_some());
    assert!(harness.query_by_label("The screen is as in the picture.").is_some());
}

#[test]
fn each_press_of_the_themes_key_shows_the_other_theme() {
    let mut state = fixture::full();
    state.settings.theme = ThemeChoice::System;
    let mut harness = window(state, [1280.0, 800.0]);
    for _ in 0..3 {
        let was_dark = harness.state().state.shows_dark();
        harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::L);
        harness.run_ok();
        assert_ne!(harness.state().state.shows_dark(), was_dark);
    }
}

#[test]
fn a_filter_moves_nothing_beside_it() {
    let mut harness = window(fixture::full(), [1280.0, 800.0]);
    let before = harness.get_by_label("Sort and group").rect();
    harness.get_by_label("Filter the library").focus();
    harness.run_ok();
    harness.get_by_label("Filter the library").type_text("agent:tracer");
    harness.run_ok();
    let after = harness.get_by_label("Sort and group").rect();
    assert_eq!(after, before);
    let clear = harness.get_all_by_label("Clear the filter");
    assert!(clear.into_iter().all(|button| !button.rect().intersects(after)), "it is covered");
}

#[test]
fn a_window_of_half_the_points_of_a_usual_screen_has_its_buttons_in_sight() {
    // 1080p at a scale of two.
    let harness = window(fixture::full(), [960.0, 540.0]);
    let bottom = harness.ctx.content_rect().bottom();
    for name in ["Play or pause", "Next loss", "Best step", "keys"] {
        let ends: Vec<_> = harness.query_all_by_label(name).map(|it| it.rect().bottom()).collect();
        assert!(!ends.is_empty(), "{name} is missing");
        assert!(ends.iter().all(|end| *end <= bottom), "{name} ends at {ends:?} of {bottom}");
    }
}
