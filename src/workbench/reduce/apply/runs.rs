//! Runs that begin, grow, end and vanish.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::PrimaryMetric;
use crate::run::{Manifest, Run, Totals};
use crate::workbench::model::{
    Answering, DigestState, JobId, LibraryRun, NoticeLevel, Pause, RunId, RunState, State,
};
use crate::workbench::protocol::Request;
use crate::workbench::reduce::handle::{forget_run, select_run};
use crate::workbench::reduce::reconcile::touch_run;

/// A launched run exists: it gets its row, and the first of a launch comes on the stage.
pub(super) fn run_started(state: &mut State, run_id: RunId, dir: PathBuf, manifest: Manifest) {
    let mut launches = state.in_flight.launches.iter();
    // Of a launch that is over, nothing begins any more.
    let Some((&job, _)) = launches.find(|(_, launched)| **launched == run_id) else { return };
    let run_state = RunState::of(&manifest, true);
    let pause = state.jobs.by_id.get(&job).map_or(Pause::No, |job| job.pause);
    let mut batches = state.in_flight.batches.iter();
    let launched = batches.find_map(|batch| batch.jobs.get(&job).cloned());
    let task = launched.unwrap_or_else(|| state.library.task_of(&manifest, &dir));
    let run = LibraryRun::new(manifest, dir, run_state);
    let run = LibraryRun { job: Some(job), pause, task, ..run };
    state.library.runs.insert(run_id, run);
    if state.in_flight.show_when_started == Some(run_id) {
        state.in_flight.show_when_started = None;
        select_run(state, run_id);
    }
}

/// A run was read, or grew. At the newest step of a live run, the selection follows it.
pub(super) fn run_read(state: &mut State, run_id: RunId, run: Arc<Run>, live: bool) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    let before = entry.steps;
    let was_live = entry.state == RunState::Live;
    // Runs only grow. A shorter one, one with other calls, or one of another number, was put in its place on the
    // disk, and nothing that was made of the old one holds.
    let replaced = entry
        .loaded
        .as_ref()
        .is_some_and(|old| old.manifest.id != run.manifest.id || !has_calls_of(&run, old));
    // Whoever had it read again may find other calls in it, too, though as many.
    let is_changed_lost = state.what_if.forget_replaced(run_id, &run);
    take_in(entry, run, live);
    if is_changed_lost {
        let words = "A run was replaced on the disk and has other calls now: what was changed of them in What-if is gone.";
        state.notify(NoticeLevel::Warning, words);
    }
    // Else it were the first to be let go, before anybody saw it.
    touch_run(state, run_id);
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    let steps = entry.steps;
    let ended = was_live && entry.state != RunState::Live;
    if replaced {
        entry.curves.forget();
        entry.last_score = None;
        entry.last_scores.clear();
        state.derived.forget_run(run_id);
    }
    // The curve may have brought the last score already; then it is not asked for again.
    if ended || replaced {
        entry_again(state, run_id);
    }
    if state.selection.run == Some(run_id) {
        // Whoever looks at an earlier step stays there; only at the newest one does the view move on.
        let follows = was_live && state.playback.follow && state.selection.step >= before;
        let to_last = state.in_flight.to_last_of.take_if(|run| *run == run_id).is_some();
        if follows || to_last || state.selection.step > steps {
            state.selection.step = steps;
        }
        // A link may name steps that the run does not have.
        state.selection.range = state.selection.range.map(|range| range.within(0, steps));
    }
}

/// Whether a run has the calls of one that was read before, and maybe more behind them.
fn has_calls_of(run: &Run, before: &Run) -> bool {
    // What is shared need not be gone through: a run that grows does so every turn.
    run.steps.starts_with(&before.steps) || {
        let mut both = before.steps.iter().zip(run.steps.iter());
        before.steps.len() <= run.steps.len() && both.all(|(one, other)| one.call == other.call)
    }
}

/// A run is another now, or longer: its end is scored, and its calls are read, anew.
fn entry_again(state: &mut State, run_id: RunId) {
    if let Some(entry) = state.library.runs.get_mut(&run_id) {
        entry.digest = DigestState::NotRead;
    }
    state.in_flight.finals_due.insert(run_id);
}

/// A launched run that is not on the stage has one turn more. What was loaded of it is old, and will
/// come anew when it is looked at.
pub(super) fn run_grew(state: &mut State, run_id: RunId, totals: Totals, steps: u32) {
    let is_on_stage = state.runs_on_stage().contains(&run_id);
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    entry.manifest.totals = totals;
    if is_on_stage {
        // It was told before it came there; all of it is on its way.
        return;
    }
    // Kept for its row only: a part of a run that grows would be taken for all of it.
    entry.steps = steps;
    entry.loaded = None;
    entry.answering = None;
    entry.curves.resize(steps as usize + 1);
}

/// A launched run that is not on the stage has ended; it is read when somebody looks at it.
pub(super) fn run_ended(state: &mut State, run_id: RunId, manifest: Manifest) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    entry.state = RunState::of(&manifest, false);
    entry.manifest = manifest;
    entry.pause = Pause::No;
    entry.loaded = None;
    entry.answering = None;
    entry_again(state, run_id);
    if state.selection.run == Some(run_id) {
        // It was selected just when it ended: it is read from its folder, and its end is shown.
        state.in_flight.to_last_of = Some(run_id);
    }
}

/// A resumed run lies where a broken-off one lay, which is in it now and no run of its own any more.
/// Gives the runs to forget.
pub(super) fn run_moved(
    state: &mut State,
    run_id: RunId,
    dir: PathBuf,
    replaced: &[PathBuf],
) -> Vec<Request> {
    let mut gone: Vec<RunId> = Vec::new();
    for (id, run) in &state.library.runs {
        // Found by their folders: a run that was read before the resumption has another number.
        if *id != run_id && (replaced.contains(&run.dir) || run.dir == dir) {
            gone.push(*id);
        }
    }
    if let Some(entry) = state.library.runs.get_mut(&run_id) {
        entry.dir = dir;
    }
    // Before the others go, so that whoever looked at one keeps his step.
    if state.selection.run.is_some_and(|run| gone.contains(&run)) {
        select_run(state, run_id);
    }
    gone.into_iter().map(|run| forget_run(state, run)).collect()
}

/// A paused run waits from now on, or goes on.
pub(super) fn run_paused(state: &mut State, job: JobId, is_paused: bool) {
    let Some(job) = state.jobs.by_id.get_mut(&job).filter(|job| job.outcome.is_none()) else {
        return;
    };
    job.pause = match (is_paused, job.pause) {
        (true, _) => Pause::Waits,
        // Paused again before it went on: it is about to wait.
        (false, Pause::Asked) => Pause::Asked,
        (false, _) => Pause::No,
    };
    let (run, pause) = (job.run, job.pause);
    if let Some(entry) = run.and_then(|run| state.library.runs.get_mut(&run)) {
        entry.pause = pause;
    }
}

/// The answer that a live run waits for has grown. One of a turn that is whole comes too late.
pub(super) fn answering(state: &mut State, run_id: RunId, answering: Answering) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    let turns = entry.loaded.as_ref().map_or(0, |run| run.turns.len());
    if entry.state == RunState::Live && answering.turn as usize > turns {
        entry.answering = Some(answering);
    }
}

fn take_in(entry: &mut LibraryRun, run: Arc<Run>, live: bool) {
    let steps = run.steps.len();
    entry.manifest.clone_from(&run.manifest);
    entry.state = RunState::of(&run.manifest, live);
    if !live {
        entry.pause = Pause::No;
    }
    entry.steps = u32::try_from(steps).unwrap_or(u32::MAX - 1);
    entry.curves.resize(steps + 1);
    // Its turn is whole, or will never be.
    entry.answering.take_if(|it| !live || it.turn as usize <= run.turns.len());
    // The curve may have the step already: a run that was let go and is read again.
    if let Some(score) =
        entry.curves.get(PrimaryMetric::of_run(&entry.manifest).variant(), entry.steps)
    {
        entry.last_score = Some(score.clone());
    }
    entry.is_torn = run.torn.is_some();
    entry.loaded = Some(run);
}

/// Whoever read a run that is not loaded found that part of it is lost.
pub(super) fn run_damaged(state: &mut State, run_id: RunId) {
    if let Some(entry) = state.library.runs.get_mut(&run_id) {
        entry.is_torn = true;
    }
}

/// The folder of a run is gone: that is told, and what was loaded stays.
pub(super) fn run_lost(state: &mut State, run_id: RunId, message: String) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    // It was said already, by the listing or at an earlier look.
    if matches!(entry.state, RunState::Unreadable(_)) {
        return;
    }
    entry.state = RunState::Unreadable(message.clone());
    state.notify(NoticeLevel::Warning, message);
}
