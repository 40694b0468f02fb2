//! Selecting tasks and runs.

use crate::run::TaskRef;
use crate::workbench::derive::views::run_order;
use crate::workbench::model::{LibraryRun, NodeSide, NoteKey, RunId, RunState, State, Workspace};

use super::library::unfold;
use super::slots;

/// Selects a task that is in the library; its ground truth and start state come on the stage.
pub(super) fn select_task(state: &mut State, task: TaskRef) {
    // A task whose set is not open is known by its runs alone.
    if state.library.task(&task).is_none() && state.library.runs_of(&task).next().is_none() {
        return;
    }
    state.in_flight.stands_in = false;
    deselect_node(state, &task, None);
    state.selection.run = None;
    state.selection.step = 0;
    state.selection.range = None;
    state.playback.playing = false;
    unfold(state, &task);
    slots::keep_those_of(state, &task);
    state.selection.task = Some(task);
}

/// Selects a run that is in the library, with its task.
///
/// The step stays if a run of the same task was selected and not at its end: so models are compared
/// at the same step. Otherwise, and always for a live run, the last step is selected.
pub(in crate::workbench) fn select_run(state: &mut State, run: RunId) {
    let Some(entry) = state.library.runs.get(&run) else { return };
    state.in_flight.stands_in = false;
    let (task, last) = (entry.task.clone(), entry.steps);
    let is_live = entry.state == RunState::Live;
    let is_loaded = entry.loaded.is_some();
    let keep = state.selection.run.is_some()
        && state.selection.task.as_ref() == Some(&task)
        && state.selection.step < state.last_step()
        && !is_live;
    if state.selection.run != Some(run) {
        deselect_node(state, &task, Some(run));
        // Programs are counted within one run.
        state.nodes.program = None;
        state.playback.playing = false;
        // Steps of one run are not those of another.
        state.selection.range = None;
        state.selection.step = if keep { state.selection.step.min(last) } else { last };
        // How long a run is that nobody read is a guess of the listing.
        state.in_flight.to_last_of = (!keep && !is_loaded).then_some(run);
    }
    state.selection.run = Some(run);
    unfold(state, &task);
    slots::keep_those_of(state, &task);
    state.selection.task = Some(task);
    try_again(state, run);
}

/// The run that is meant: of one and copies of it, the one that is looked at, or else the first.
pub(super) fn run_meant(state: &State, is_meant: impl Fn(&LibraryRun) -> bool) -> Option<RunId> {
    let selected = state.selected_run().filter(|run| is_meant(run));
    let selected = selected.and(state.selection.run);
    let mut runs = state.library.runs.iter();
    selected.or_else(|| runs.find(|(_, run)| is_meant(run)).map(|(id, _)| *id))
}

/// Selects the run that a note is on, at its step; nothing if no open run has it.
pub(super) fn go_to_note(state: &mut State, key: &NoteKey) {
    let Some(run) = run_meant(state, |run| NoteKey::of(run, key.step) == *key) else { return };
    state.overlay = None;
    state.workspace = Workspace::Inspect;
    select_run(state, run);
    if let Some(step) = key.step {
        state.selection.step = step.min(state.last_step());
        state.in_flight.to_last_of = None;
    }
}

/// An id means a node within one run, or within one task's ground truth.
fn deselect_node(state: &mut State, task: &TaskRef, run: Option<RunId>) {
    let same_task = state.selection.task.as_ref() == Some(task);
    let same_run = same_task && state.selection.run == run;
    state.nodes.selected.take_if(|node| match node.side {
        NodeSide::GroundTruth => !same_task,
        NodeSide::Canvas | NodeSide::Before => !same_run,
    });
    // An answer is selected with the node it is about.
    if state.nodes.selected.is_none() {
        state.query.selected = None;
    }
}

/// What failed before is asked for again when the person comes back to it.
fn try_again(state: &mut State, run: RunId) {
    // Of everything and not of this run alone: what failed is mostly one cause, such as a full disk.
    state.derived.forget_failed();
    if let Some(entry) = state.library.runs.get_mut(&run) {
        let is_unread = entry.loaded.is_none();
        if is_unread && matches!(entry.state, RunState::Unreadable(_)) {
            entry.state = RunState::of(&entry.manifest, false);
        }
    }
}

/// Selects the run this many rows further; without a selection, the first or last.
pub(super) fn select_run_by(state: &mut State, by: i32) {
    let order = run_order(state);
    let at = state.selection.run.and_then(|run| order.iter().position(|id| *id == run));
    if let Some(run) = moved(at, by, order.len()).and_then(|to| order.get(to)) {
        select_run(state, *run);
    }
}

/// The place this many further in a list of this length, as far as it goes; without a place, the first
/// or last. `None` in an empty list.
pub(super) fn moved(at: Option<usize>, by: i32, len: usize) -> Option<usize> {
    let last = len.checked_sub(1)?;
    Some(match at {
        Some(at) => at.saturating_add_signed(by as isize).min(last),
        // Whoever goes up from nowhere begins at the bottom.
        None if by < 0 => last,
        None => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest};
    use crate::workbench::protocol::Command;
    use crate::workbench::reduce::handle;

    /// One run, wherever its folder was copied to.
    fn copy_in(dir: &str) -> LibraryRun {
        let agent =
            AgentRef { kind: "tracer".to_owned(), name: "tracer".to_owned(), version: None };
        let task = TaskRef::new("screens", "login");
        let manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        LibraryRun { steps: 5, ..LibraryRun::new(manifest, dir.into(), RunState::Finished) }
    }

    #[test]
    fn a_note_leads_to_the_copy_of_its_run_that_is_looked_at() {
        let mut state = State::default();
        for (id, dir) in [(1, "/runs/a"), (2, "/copies/a")] {
            state.library.runs.insert(RunId(id), copy_in(dir));
        }
        let key = NoteKey::of(&state.library.runs[&RunId(2)], Some(3));
        for (looked_at, led_to) in [(Some(2), 2), (Some(1), 1), (None, 1)] {
            state.selection.run = looked_at.map(RunId);
            state.selection.step = 0;
            drop(handle(&mut state, Command::GoToNote(key.clone())));
            let found = (state.selection.run, state.selection.step);
            assert_eq!(found, (Some(RunId(led_to)), 3), "{looked_at:?}");
        }
    }
}
