//! The scores of the selected step by every variant.

use crate::metric::{Score, VariantSpec};
use crate::workbench::model::{LibraryRun, State};

use super::stage::PaneStatus;
use super::targets::{delta, gain};

/// What is to be done for a score that no model was asked for.
pub const HOW_TO_ASK: &str =
    "\"Ask for scores…\" says how many questions there are and what they cost, and sends them.";

/// The scores of the selected step by every variant.
#[derive(Debug)]
pub struct Scores<'a> {
    /// The selected step, 0 the start.
    pub step: u32,
    /// The last step of the run.
    pub last_step: u32,
    /// One a variant, in the order of tables.
    pub rows: Vec<ScoreRow<'a>>,
    /// Whether all is there, or why there is nothing at all.
    pub status: PaneStatus<'a>,
}

/// The scores by one variant.
#[derive(Clone, Copy, Debug)]
pub struct ScoreRow<'a> {
    /// Which.
    pub variant: &'a VariantSpec,
    /// At the selected step; `None` while it is not computed, as below.
    pub now: Option<&'a Score>,
    /// The score minus that at the step before, where both are values.
    pub delta: Option<f64>,
    /// By how much that is better.
    pub gain: Option<f64>,
    /// At the start.
    pub start: Option<&'a Score>,
    /// At the last step.
    pub last: Option<&'a Score>,
    /// Whether the timeline shows its curve.
    pub is_curve: bool,
    /// Whether the stage shows its map.
    pub is_heat: bool,
}

/// The scores of the selected step by every variant that can have one; without a run, or anything to
/// measure it by, why there are none.
pub fn scores(state: &State) -> Scores<'_> {
    let step = state.selection.step;
    let Some(run) = state.selected_run() else {
        let why = "Choose a run to see how near it comes to the ground truth or to its query.";
        return nothing(step, why);
    };
    if let Some(why) = why_none(state) {
        return nothing(step, why);
    }
    let rows: Vec<ScoreRow<'_>> =
        state.listed_variants().map(|variant| row(state, run, variant)).collect();
    // Of the step alone: the start and the last step may come later.
    let is_complete = rows.iter().all(|row| row.now.is_some());
    let status = if is_complete { PaneStatus::Current } else { PaneStatus::Loading };
    Scores { step, last_step: run.steps, rows, status }
}

fn nothing(step: u32, why: &str) -> Scores<'_> {
    Scores { step, last_step: 0, rows: Vec::new(), status: PaneStatus::Nothing(why) }
}

fn why_none(state: &State) -> Option<&'static str> {
    match state.selected_task() {
        _ if state.is_measurable() => None,
        None => Some("The task set of this run is not open, so there is nothing to compare with."),
        Some(_) => Some("This task has no ground truth, so there is nothing to compare with."),
    }
}

fn row<'a>(state: &State, run: &'a LibraryRun, variant: &'a VariantSpec) -> ScoreRow<'a> {
    let delta = delta(run.curves.of(&variant.id), state.selection.step);
    ScoreRow {
        variant,
        now: run.curves.get(&variant.id, state.selection.step),
        delta,
        gain: delta.map(|delta| gain(variant, delta)),
        start: run.curves.get(&variant.id, 0),
        last: run.curves.get(&variant.id, run.steps),
        is_curve: state.curve_variant().is_some_and(|chosen| chosen.id == variant.id),
        is_heat: state.heat_variant().is_some_and(|chosen| chosen.id == variant.id),
    }
}
