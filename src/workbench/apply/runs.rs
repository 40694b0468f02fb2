//! Runs that begin, grow, end and vanish.

use std::path::PathBuf;
use std::sync::Arc;

use crate::run::{Manifest, Run};
use crate::workbench::cache;
use crate::workbench::curves::Curves;
use crate::workbench::handle::select_run;
use crate::workbench::library::{LibraryRun, RunId, RunState};
use crate::workbench::protocol::{Answering, LIBRARY_VARIANT};
use crate::workbench::state::{NoticeLevel, State};

/// A launched run exists: it gets its row, and the first of a launch comes on the stage.
pub(super) fn run_started(state: &mut State, run_id: RunId, dir: PathBuf, manifest: Manifest) {
    if !state.work.launches.values().any(|launched| *launched == run_id) {
        return;
    }
    let run = LibraryRun {
        state: RunState::of(&manifest, true),
        manifest,
        dir,
        loaded: None,
        steps: 0,
        answering: None,
        last_score: None,
        curves: Curves::default(),
    };
    state.library.runs.insert(run_id, run);
    if state.work.show_when_started == Some(run_id) {
        state.work.show_when_started = None;
        select_run(state, run_id);
    }
}

/// A run was read, or grew. At the newest step of a live run, the selection follows it.
pub(super) fn run_read(state: &mut State, run_id: RunId, run: Arc<Run>, live: bool) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    let before = entry.steps;
    let was_live = entry.state == RunState::Live;
    let replaced = entry
        .loaded
        .as_ref()
        .is_some_and(|old| old.manifest.id != run.manifest.id || old.steps.len() > run.steps.len());
    take_in(entry, run, live);
    let steps = entry.steps;
    let ended = was_live && entry.state != RunState::Live;
    if replaced {
        entry.curves.forget();
        entry.last_score = None;
        cache::forget_run(state, run_id);
    }
    if ended || replaced {
        state.work.finals_due.insert(run_id);
    }
    if state.selection.run == Some(run_id) {
        let follows = was_live && state.playback.follow && state.selection.step >= before;
        let to_last = state.work.to_last_of.take_if(|run| *run == run_id).is_some();
        if follows || to_last || state.selection.step > steps {
            state.selection.step = steps;
        }
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
    entry.steps = u32::try_from(steps).unwrap_or(u32::MAX - 1);
    entry.curves.resize(steps + 1);
    let is_whole = |answering: &mut Answering| !live || answering.turn as usize <= run.turns.len();
    entry.answering.take_if(is_whole);
    if let Some(score) = entry.curves.get(LIBRARY_VARIANT, entry.steps) {
        entry.last_score = Some(score.clone());
    }
    entry.loaded = Some(run);
}

/// The folder of a run is gone: that is told, and what was loaded stays.
pub(super) fn run_lost(state: &mut State, run_id: RunId, message: String) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    if matches!(entry.state, RunState::Unreadable(_)) {
        return;
    }
    entry.state = RunState::Unreadable(message.clone());
    state.tell(NoticeLevel::Warning, message);
}
