//! The scores of the selected step by every variant.

use crate::metric::{Score, VariantSpec};
use crate::workbench::{LibraryRun, State};

use super::stage::PaneStatus;
use super::targets::{delta, gain};

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

/// The scores of the selected step by every variant; without a run or a ground truth, why there are
/// none.
pub fn scores(state: &State) -> Scores<'_> {
    let step = state.selection.step;
    let Some(run) = state.selected_run() else {
        return nothing(step, "Choose a run to see how near it comes to the ground truth.");
    };
    if let Some(why) = why_none(state) {
        return nothing(step, why);
    }
    let rows: Vec<ScoreRow<'_>> =
        state.variants.iter().map(|variant| row(state, run, variant)).collect();
    let is_complete = rows.iter().all(|row| row.now.is_some());
    let status = if is_complete { PaneStatus::Current } else { PaneStatus::Loading };
    Scores { step, last_step: run.steps, rows, status }
}

fn nothing(step: u32, why: &str) -> Scores<'_> {
    Scores { step, last_step: 0, rows: Vec::new(), status: PaneStatus::Nothing(why) }
}

/// Why the table is empty beside a run of a design query, and what is there instead.
const OF_A_QUERY: &str = "A design query has no ground truth, and these metrics compare with one. \
     Fidelity and the metrics by models need none: pentimento score RUN. What the query asks for is \
     checked by pentimento metric constraints RUN.";

fn why_none(state: &State) -> Option<&'static str> {
    match state.selected_task() {
        None => Some("The task set of this run is not open, so there is nothing to compare with."),
        Some(task) if task.ground_truth.is_none() && task.brief.is_some() => Some(OF_A_QUERY),
        Some(task) if task.ground_truth.is_none() => {
            Some("This task has no ground truth, so there is nothing to compare with.")
        }
        Some(_) => None,
    }
}

fn row<'a>(state: &State, run: &'a LibraryRun, variant: &'a VariantSpec) -> ScoreRow<'a> {
    let at = |step: u32| run.curves.get(&variant.id, step);
    let delta = delta(run, variant, state.selection.step);
    let is = |chosen: Option<&VariantSpec>| chosen.is_some_and(|it| it.id == variant.id);
    ScoreRow {
        variant,
        now: at(state.selection.step),
        delta,
        gain: delta.map(|delta| gain(variant, delta)),
        start: at(0),
        last: at(run.steps),
        is_curve: is(state.curve_variant()),
        is_heat: is(state.heat_variant()),
    }
}
