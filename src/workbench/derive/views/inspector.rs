//! The selected step and its run.

use std::path::Path;

use crate::metric::VariantSpec;
use crate::run::{IMPORTED_KIND, Manifest, Run, RunOrigin, Step, Torn, Turn};
use crate::task::Task;
use crate::workbench::model::{
    Answering, JobId, LibraryRun, Pause, PictureKey, RunId, RunState, State, StepScore,
};

use super::timeline::why_not_scored;

/// The selected step and its run.
#[derive(Debug)]
pub struct Inspector<'a> {
    /// Which run.
    pub run_id: RunId,
    /// What `run.json` says.
    pub manifest: &'a Manifest,
    /// Its folder.
    pub dir: &'a Path,
    /// Where it stands.
    pub state: &'a RunState,
    /// The same in one word.
    pub word: &'static str,
    /// The job that makes it, or made it in this session.
    pub job: Option<JobId>,
    /// Whether it was paused.
    pub pause: Pause,
    /// Its task, if the set is open.
    pub task: Option<&'a Task>,
    /// The run, once it has been read.
    pub run: Option<&'a Run>,
    /// Which step is selected; 0 is the start state.
    pub step_number: u32,
    /// The step; `None` for the start state, or while the run is being read.
    pub step: Option<&'a Step>,
    /// The step's turn.
    pub turn: Option<&'a Turn>,
    /// The answer that the run waits for, at its last step.
    pub answering: Option<&'a Answering>,
    /// By which variant the score is.
    pub variant: Option<&'a VariantSpec>,
    /// The score after the step and its change, once known.
    pub score: Option<StepScore<'a>>,
    /// What could not be drawn in the step's picture.
    pub diagnostics: &'a [String],
    /// Notes and errors of the run itself.
    pub notes: &'a [String],
    /// What was lost, if the file was torn.
    pub torn: Option<&'a Torn>,
    /// Why the step has no score and will have none, if so.
    pub why_not_scored: Option<&'static str>,
    /// Where what is known of the run comes from.
    pub recording: Recording,
}

impl<'a> Inspector<'a> {
    /// Turns without a call between the selected step and the next: of an agent that ends with words,
    /// the last.
    pub fn closing_turns(&self) -> impl Iterator<Item = &'a Turn> + use<'a> {
        let step = self.step_number as usize;
        let turns = self.run.into_iter().flat_map(|run| &run.turns);
        turns.filter(move |turn| turn.step_count == 0 && turn.first_step == step)
    }
}

/// Where what is known of a run comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// The program, while the run was made.
    Run,
    /// Another program's file: what that did not hold is not known.
    Import,
    /// Pictures alone: no call, no words, no end.
    Pictures,
}

impl Recording {
    fn of(entry: &LibraryRun) -> Self {
        let origin = entry.loaded.as_ref().map(|run| &run.origin);
        if matches!(origin, Some(RunOrigin::Pictures { .. })) {
            Self::Pictures
        } else if entry.manifest.agent.kind == IMPORTED_KIND {
            Self::Import
        } else {
            Self::Run
        }
    }
}

/// The selected step and its run; `None` if no run is selected.
pub fn inspector(state: &State) -> Option<Inspector<'_>> {
    let run_id = state.selection.run?;
    let entry = state.library.runs.get(&run_id)?;
    let run = entry.loaded.as_deref();
    let step_number = state.selection.step;
    // The start state is no step of the run, and the first step comes after it.
    let step = run.zip(step_number.checked_sub(1)).and_then(|(run, at)| run.steps.get(at as usize));
    let picture = state.ready_picture(&PictureKey::Step(run_id, step_number));
    Some(Inspector {
        run_id,
        manifest: &entry.manifest,
        dir: &entry.dir,
        state: &entry.state,
        word: entry.word(),
        job: entry.job,
        pause: entry.pause,
        task: state.library.task(&entry.task),
        run,
        step_number,
        step,
        turn: run.zip(step).and_then(|(run, step)| turn_of(run, step)),
        // It will be the next step, and belongs behind the last one.
        answering: entry.answering.as_ref().filter(|_| step_number == entry.steps),
        variant: state.curve_variant(),
        score: state.step_score(run_id, step_number),
        diagnostics: picture.map_or(&[], |picture| &picture.diagnostics),
        notes: run.map_or(&[], |run| &run.notes),
        torn: run.and_then(|run| run.torn.as_ref()),
        why_not_scored: why_not_scored(state),
        recording: Recording::of(entry),
    })
}

fn turn_of<'a>(run: &'a Run, step: &Step) -> Option<&'a Turn> {
    run.turns.iter().find(|turn| turn.number == step.turn)
}
