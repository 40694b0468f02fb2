//! The runs on the stage beside each other.

use std::sync::Arc;

use crate::environment::ToolCall;
use crate::evaluate::alignment::{
    ArgumentDifference, Consensus, DivergenceKind, LastingDivergence, argument_differences,
};
use crate::workbench::model::{
    AlignedRuns, AlignmentKey, DerivedKey, Fetched, LibraryRun, Progress, RunId, SLOT_NAMES,
    ShownIn, Slot, State, TraceKey,
};

/// The runs of the selected task on the stage, the selected one first.
#[derive(Debug)]
pub struct RunsBeside<'a> {
    /// The runs.
    pub runs: Vec<RunBeside<'a>>,
    /// How they go together, once known.
    pub aligned: Option<&'a Arc<AlignedRuns>>,
    /// What of the ground truth they have, or why that cannot be told; `None` until it is known.
    pub consensus: Option<Result<&'a Consensus, &'a str>>,
    /// So many rows have passed at the step that is shown.
    pub rows_passed: usize,
    /// Which arguments are not the same where the runs diverge, if that is the difference.
    pub differing: Vec<ArgumentDifference>,
    /// Why they cannot be aligned, if so.
    pub problem: Option<String>,
    /// How far reading a run is, while one is being read.
    pub progress: Option<&'a Progress>,
}

/// A run beside others.
#[derive(Debug)]
pub struct RunBeside<'a> {
    /// Which run.
    pub id: RunId,
    /// Its place on the stage; `None` of the selected run.
    pub slot: Option<u8>,
    /// The run.
    pub run: &'a LibraryRun,
    /// The step it shows.
    pub step: u32,
}

impl RunBeside<'_> {
    /// What it is called beside others: as its picture on the stage.
    pub fn letter(&self) -> &'static str {
        let slot = self.slot.and_then(|at| SLOT_NAMES.get(usize::from(at)));
        slot.copied().unwrap_or("Run")
    }

    /// The call of a step, from 1, once the run is read.
    pub fn call(&self, step: u32) -> Option<&ToolCall> {
        let at = (step as usize).checked_sub(1)?;
        self.run.loaded.as_ref()?.steps.get(at)?.call.as_ref()
    }
}

/// The runs beside each other; `None` where there is only one.
pub fn runs_beside(state: &State) -> Option<RunsBeside<'_>> {
    let key = state.alignment_key()?;
    let runs: Vec<RunBeside<'_>> = key.runs.iter().filter_map(|it| beside(state, it.run)).collect();
    let aligned = state.aligned_runs();
    let divergence = aligned.and_then(|aligned| aligned.alignment.divergence.as_ref());
    let differing = divergence.map(|divergence| differing(&runs, divergence)).unwrap_or_default();
    Some(RunsBeside {
        rows_passed: rows_passed(state, aligned),
        consensus: consensus(state),
        differing,
        problem: problem(state, &key),
        progress: progress(state, &key),
        aligned,
        runs,
    })
}

fn beside(state: &State, id: RunId) -> Option<RunBeside<'_>> {
    let run = state.library.runs.get(&id)?;
    let of_run = |slot: &Slot| matches!(slot, Slot::Run { run, .. } if *run == id);
    let is_selected = state.selection.run == Some(id);
    let slot = state.stage.slots.iter().position(of_run).filter(|_| !is_selected);
    let pinned = slot.and_then(|at| match state.stage.slots.get(at) {
        Some(Slot::Run { pinned, .. }) => *pinned,
        _ => None,
    });
    let now = state.selection.step;
    let step = if is_selected { Some(now) } else { pinned.or_else(|| state.locked_step(id, now)) };
    Some(RunBeside { id, slot: slot.map(|at| at as u8), run, step: step.unwrap_or(0) })
}

/// While it is counted anew, what was known of the same runs before stays.
fn consensus(state: &State) -> Option<Result<&Consensus, &str>> {
    let (key, known) = (state.consensus_key()?, &state.derived.consensuses);
    match known.get(&key) {
        Some(Fetched::Ready(consensus)) => return Some(Ok(&**consensus)),
        Some(Fetched::Failed(why)) => return Some(Err(why.as_str())),
        Some(Fetched::Pending) | None => {}
    }
    let before = known.shown(ShownIn::Main);
    let before = before.filter(|before| TraceKey::are_of_same_runs(&before.runs, &key.runs))?;
    known.ready(before).map(|consensus| Ok(&**consensus))
}

fn rows_passed(state: &State, aligned: Option<&Arc<AlignedRuns>>) -> usize {
    let Some(aligned) = aligned else { return 0 };
    let (alignment, step) = (&aligned.alignment, state.selection.step);
    let asked = state.stage.rows_passed.map(|rows| rows as usize);
    // One that belongs to another step is over.
    let asked = asked.filter(|rows| alignment.step_after(0, *rows) == step);
    asked.unwrap_or_else(|| alignment.rows_until(0, step))
}

fn differing(runs: &[RunBeside<'_>], divergence: &LastingDivergence) -> Vec<ArgumentDifference> {
    if divergence.kind != DivergenceKind::Arguments {
        return Vec::new();
    }
    let calls = runs.iter().zip(&divergence.steps).map(|(run, step)| run.call((*step)?));
    let calls: Option<Vec<&ToolCall>> = calls.collect();
    calls.map(|calls| argument_differences(&calls)).unwrap_or_default()
}

fn problem(state: &State, key: &AlignmentKey) -> Option<String> {
    let of_run = key.runs.iter().find_map(|run| {
        let Some(Fetched::Failed(why)) = state.derived.traces.get(run) else { return None };
        let name = &state.library.runs.get(&run.run)?.manifest.agent.name;
        Some(format!("{name}: {why}"))
    });
    of_run.or_else(|| match state.derived.alignments.get(key) {
        Some(Fetched::Failed(why)) => Some(why.clone()),
        _ => None,
    })
}

fn progress<'a>(state: &'a State, key: &AlignmentKey) -> Option<&'a Progress> {
    let mut missing = key.runs.iter().filter(|run| state.derived.traces.ready(run).is_none());
    let traced: &TraceKey = missing.next()?;
    let mut jobs = state.derived.in_flight.iter();
    let job = jobs.find(|(_, it)| **it == DerivedKey::Trace(*traced))?.0;
    Some(&state.jobs.by_id.get(job)?.progress)
}
