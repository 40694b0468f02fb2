//! The selected run, step by step.

use std::collections::BTreeSet;

use crate::environment::{ToolCall, ToolCategory};
use crate::graphictown::Expert;
use crate::metric::behavior::ToolAgreement;
use crate::metric::plan::errors::PlanError;
use crate::metric::{Score, VariantSpec};
use crate::run::{Run, Step};
use crate::task::Task;
use crate::workbench::model::{LibraryRun, Note, RunId, RunState, State, StepLabel, StepRange};

use super::ranges::{KeptRangeRow, kept_ranges};
use super::targets::{CurveEnd, best_step, curve_end, delta, gain, is_in_range};
use super::tools::reference_tools;
use super::what_if::branch_curve;

/// Most pictures of a filmstrip.
pub const FILMSTRIP_PICTURES: u32 = 48;

/// The selected run, step by step.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// Which run.
    pub run_id: RunId,
    /// The run.
    pub run: &'a LibraryRun,
    /// Every step; index 0 is the start state. Only that while the run is being read.
    pub steps: Vec<TimelineStep<'a>>,
    /// The scores of the run with other calls, by how many of them were made, while it is shown.
    pub branch: Option<&'a [Score]>,
    /// The selected step.
    pub current: u32,
    /// The turn of the selected step; 0 for the start state.
    pub current_turn: u32,
    /// How many turns there are.
    pub turns: u32,
    /// By which variant the scores are.
    pub variant: Option<&'a VariantSpec>,
    /// The first step with the best score, and the score, which may be infinite.
    pub best: Option<(u32, f64)>,
    /// The curves beside it, each by a variant of its own.
    pub beside: Vec<CurveBeside<'a>>,
    /// Whether each step has a bar for what it changed.
    pub shows_changes: bool,
    /// The steps that were marked.
    pub range: Option<StepRange>,
    /// The ranges of its steps that were kept.
    pub kept: Vec<KeptRangeRow<'a>>,
    /// How its tools agree with those of the task's reference, over the marked steps if some are; `None` where the
    /// task names none, and where no call is known.
    pub agreement: Option<ToolAgreement>,
    /// Whether the run is being recorded.
    pub is_live: bool,
    /// Whether the run is still being read.
    pub is_loading: bool,
    /// Whether its task has nothing that steps could be scored against.
    pub is_without_truth: bool,
    /// Why there are no scores and will be none, if so.
    pub why_not_scored: Option<&'static str>,
}

/// A curve beside the chosen one.
#[derive(Clone, Copy, Debug)]
pub struct CurveBeside<'a> {
    /// By which variant.
    pub variant: &'a VariantSpec,
    /// The scores after each step, the start first; `None` where not computed yet. Empty while none is.
    pub scores: &'a [Option<Score>],
    /// How it went, as far as known.
    pub end: Option<CurveEnd>,
}

impl Timeline<'_> {
    /// How the chosen curve went, as far as known.
    pub fn end(&self) -> Option<CurveEnd> {
        curve_end(self.run, self.variant?)
    }

    /// Whether several experts act, each in a lane of their own.
    pub fn has_experts(&self) -> bool {
        self.steps.iter().any(|step| step.expert.is_some())
    }

    /// Whether calls are known of it, and not only pictures.
    pub fn has_calls(&self) -> bool {
        self.steps.iter().any(|step| step.category.is_some())
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct TimelineStep<'a> {
    /// From 0, the start state.
    pub number: u32,
    /// In which turn, from 1; 0 for the start state.
    pub turn: u32,
    /// The tool; `None` for the start state and in picture-only runs.
    pub tool: Option<&'a str>,
    /// Whose action it is, in a run of the design suite.
    pub expert: Option<Expert>,
    /// What is wrong with it as a step of the run's plan.
    pub plan_error: Option<&'a PlanError>,
    /// The kind of work; `None` where there was no call.
    pub category: Option<ToolCategory>,
    /// Whether the call failed.
    pub failed: bool,
    /// Whether it is the last step of its turn.
    pub ends_turn: bool,
    /// Whether its tool is one of the reference's; `None` where the task names none.
    pub is_reference: Option<bool>,
    /// What somebody wrote to it, or that it is starred.
    pub note: Option<&'a Note>,
    /// What people who label said of it; nothing while somebody labels blind.
    pub labels: Vec<&'a StepLabel>,
    /// Whether what is looked for is in it.
    pub is_found: bool,
    /// The score after the step; `None` while it is not computed.
    pub score: Option<&'a Score>,
    /// The score minus the one before, if both are known.
    pub delta: Option<f64>,
    /// By how much that is better: the change, or its opposite where less is better.
    pub gain: Option<f64>,
}

/// The selected run, step by step; `None` if no run is selected.
pub fn timeline(state: &State) -> Option<Timeline<'_>> {
    let run_id = state.selection.run?;
    let run = state.library.runs.get(&run_id)?;
    let loaded = run.loaded.as_deref();
    let variant = state.curve_variant();
    let mut steps = steps(run, variant, loaded);
    let reference = reference_tools(state);
    add_marks(state, run, &reference, &mut steps);
    let current_turn = steps.get(state.selection.step as usize).map_or(0, |step| step.turn);
    Some(Timeline {
        run_id,
        run,
        branch: branch_curve(state),
        current: state.selection.step,
        current_turn,
        turns: loaded.and_then(|run| run.turns.last()).map_or(0, |turn| turn.number),
        best: variant.and_then(|variant| best_step(run, variant)),
        variant,
        beside: beside(state, run),
        shows_changes: state.settings.shows_changes,
        range: state.selection.range,
        kept: kept_ranges(state),
        agreement: agreement(state, &reference, &steps),
        is_live: run.state == RunState::Live,
        is_without_truth: state.library.task(&run.task).is_some_and(|task| !task.is_measurable()),
        why_not_scored: why_not_scored(state),
        // What cannot be read is not on its way, and a spinner over it would turn for ever.
        is_loading: loaded.is_none() && !matches!(run.state, RunState::Unreadable(_)),
        steps,
    })
}

fn beside<'a>(state: &'a State, run: &'a LibraryRun) -> Vec<CurveBeside<'a>> {
    let curves = state.curves_beside().map(|variant| CurveBeside {
        variant,
        scores: run.curves.of(&variant.id),
        end: curve_end(run, variant),
    });
    curves.collect()
}

/// Why the steps of the selected run have no scores and will have none; `None` if they are scored, or
/// will be.
pub fn why_not_scored(state: &State) -> Option<&'static str> {
    let run = state.selected_run()?;
    if matches!(run.state, RunState::Unreadable(_)) {
        return Some("the run cannot be read");
    }
    // The query that scores may go by is in the run itself, and is not known before it is read.
    let loaded = run.loaded.as_ref()?;
    match state.library.task(&run.task) {
        Some(task) if task.is_measurable() => None,
        Some(_) => Some("the task has no ground truth"),
        None if Task::of_plan(loaded).is_some_and(|task| task.is_measurable()) => None,
        None => Some("the task set of this run is not open"),
    }
}

/// Steps that have a picture in the filmstrip: all of them, or [`FILMSTRIP_PICTURES`] spread
/// evenly, the start state and the last step among them.
pub fn filmstrip_steps(last_step: u32) -> impl Iterator<Item = u32> {
    let count = last_step.saturating_add(1).min(FILMSTRIP_PICTURES);
    let gaps = u64::from(count.saturating_sub(1).max(1));
    // In 64 bits: places times steps may be more than 32 hold.
    (0..u64::from(count)).map(move |at| (at * u64::from(last_step) / gaps) as u32)
}

fn steps<'a>(
    run: &'a LibraryRun,
    variant: Option<&'a VariantSpec>,
    loaded: Option<&'a Run>,
) -> Vec<TimelineStep<'a>> {
    // Found once: of a long run this is done ten thousand times a frame.
    let scores = variant.map_or(&[][..], |variant| run.curves.of(&variant.id));
    let start = TimelineStep {
        number: 0,
        turn: 0,
        tool: None,
        expert: None,
        plan_error: None,
        category: None,
        failed: false,
        ends_turn: true,
        is_reference: None,
        note: None,
        labels: Vec::new(),
        is_found: false,
        score: score(scores, 0),
        delta: None,
        gain: None,
    };
    let mut steps = vec![start];
    // Of a run that was not read the start is all that is known.
    let Some(loaded) = loaded else { return steps };
    // A turn ends where the next step is of another one, or there is none.
    let next_turns = loaded.steps.iter().skip(1).map(|step| Some(step.turn)).chain([None]);
    steps.extend(loaded.steps.iter().zip(next_turns).map(|(step, next)| TimelineStep {
        plan_error: loaded.plan.as_ref().and_then(|plan| plan.error_at(step.number)),
        ..timeline_step(scores, variant, step, next)
    }));
    steps
}

/// Marks the steps that somebody noted, and those in which something was found.
fn add_marks<'a>(
    state: &'a State,
    run: &LibraryRun,
    reference: &BTreeSet<&str>,
    steps: &mut [TimelineStep<'a>],
) {
    for (number, note) in state.notes.of(run).into_iter().flat_map(|notes| &notes.steps) {
        if let Some(step) = steps.get_mut(*number as usize) {
            step.note = Some(note);
        }
    }
    let said = state.annotate.said_of(&run.dir);
    for label in said.into_iter().flat_map(|said| &said.steps) {
        if let Some(step) = steps.get_mut(label.step as usize) {
            step.labels.push(label);
        }
    }
    // Without a reference nothing is a hit or beside it: then no step is marked at all.
    if !reference.is_empty() {
        for step in steps.iter_mut() {
            step.is_reference = step.tool.map(|tool| reference.contains(tool));
        }
    }
    for found in &state.find.found {
        if let Some(step) = steps.get_mut(found.step as usize) {
            step.is_found = true;
        }
    }
}

fn agreement(
    state: &State,
    reference: &BTreeSet<&str>,
    steps: &[TimelineStep<'_>],
) -> Option<ToolAgreement> {
    if reference.is_empty() || steps.iter().all(|step| step.tool.is_none()) {
        return None;
    }
    let meant = steps.iter().filter(|step| is_in_range(state, step.number));
    let used = meant.filter_map(|step| step.tool);
    Some(ToolAgreement::of(used, reference.iter().copied()))
}

fn timeline_step<'a>(
    scores: &'a [Option<Score>],
    variant: Option<&'a VariantSpec>,
    step: &'a Step,
    next_turn: Option<u32>,
) -> TimelineStep<'a> {
    let delta = delta(scores, step.number);
    TimelineStep {
        number: step.number,
        turn: step.turn,
        tool: step.call.as_ref().map(|call| call.name.as_str()),
        expert: step.call.as_ref().and_then(expert_of),
        plan_error: None,
        category: step.call.as_ref().map(|_| step.category),
        failed: step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some()),
        ends_turn: next_turn != Some(step.turn),
        is_reference: None,
        note: None,
        labels: Vec::new(),
        is_found: false,
        score: score(scores, step.number),
        delta,
        gain: variant.zip(delta).map(|(variant, delta)| gain(variant, delta)),
    }
}

/// Whose action a call is, if it says so.
fn expert_of(call: &ToolCall) -> Option<Expert> {
    Expert::from_name(call.arguments.get("expert")?.as_str()?)
}

fn score(scores: &[Option<Score>], step: u32) -> Option<&Score> {
    scores.get(step as usize)?.as_ref()
}
