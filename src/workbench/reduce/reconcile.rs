//! What the selection needs and nobody has asked for yet.
//!
//! [`reconcile`] runs once after a command, and once after all events of a drain. It compares what is
//! there with what is wanted, so no place that changes the selection has to know what that takes;
//! asking twice asks once. What each kind of value wants stands with the kind (`derive::kinds`).

use std::sync::Arc;

use crate::workbench::derive::{kinds, views};
use crate::workbench::model::{
    DerivedKey, JobId, JobKind, LayerTreeKey, Overlay, PictureKey, RunId, RunState, ShownIn,
    SlotMapKey, State, Urgency,
};
use crate::workbench::protocol::Request;

use super::handle::{begin_shown, hold, refresh_assistant};

/// Most runs kept whole, the one on the stage and live ones aside; of the others what the library
/// shows is kept.
pub const READ_RUNS: usize = 48;

/// Requests for what is wanted and not there, and cancels for what is not wanted any more. `is_settled`: nothing that
/// follows from the table over all runs is put off.
pub(super) fn reconcile(state: &mut State, is_settled: bool) -> Vec<Request> {
    state.in_flight.reconciled += 1;
    keep_blind(state);
    state.in_flight.unread.refresh(&state.library.runs);
    state.refresh_found();
    state.refresh_explore(is_settled);
    begin_shown(state);
    kinds::queue_filtered_scores(state);
    // Before anything is wanted: statistics wait for as long as scores are due.
    kinds::drop_needless_last_scores(state);
    let mut requests = refresh_assistant(state);
    // All of it, known or not: what is wanted is neither cancelled nor let go.
    let mut wanted = kinds::wanted(state);
    // Of the least urgency, and so in order behind all others.
    for key in kinds::take_last_scores(state) {
        wanted.push((DerivedKey::Scores(key), Urgency::Library));
    }
    // Cancelled first, so that the worker has room for what is asked for after it.
    drop_unwanted(state, &wanted, &mut requests);
    drop_unwanted_loads(state, &mut requests);
    evict_runs(state, &mut requests);
    requests.extend(watch_shown(state));
    requests.extend(hold(state));
    for run in state.runs_on_stage() {
        requests.extend(load(state, run));
    }
    // Shown before evicted: what is on the stage is kept whatever it costs.
    remember_shown(state);
    let map = state.truth_heat_key();
    state.derived.evict(&wanted, map.as_ref());
    for (key, urgency) in wanted {
        if state.derived.want(&key) {
            requests.extend(derive(state, key, urgency));
        }
    }
    requests
}

/// Closes what would name who made what over a blind project: it may have been open when that came on the screen.
fn keep_blind(state: &mut State) {
    let names = state.overlay.is_some_and(Overlay::names_makers);
    if names && state.shows_blind_project() {
        state.overlay = None;
    }
}

/// Asks for a value; `None` while what it is made of is not there.
fn derive(state: &mut State, key: DerivedKey, urgency: Urgency) -> Option<Request> {
    let inputs = kinds::inputs_of(&key, state)?;
    let job = state.jobs.start(JobKind::Derive, kinds::job_label(&key));
    state.derived.asked(job, &key);
    Some(Request::Derive { job, key, inputs, urgency })
}

/// Cancels what is under way and not wanted any more.
fn drop_unwanted(state: &mut State, wanted: &[(DerivedKey, Urgency)], requests: &mut Vec<Request>) {
    let mut unwanted: Vec<JobId> = Vec::new();
    for (job, key) in &state.derived.in_flight {
        let matters = match key {
            // Some of their steps may have come, and then what is wanted now is another key.
            DerivedKey::Scores(key) => !kinds::is_stale(state, key),
            key => wanted.iter().any(|(wanted, _)| wanted == key) || is_shown(state, key),
        };
        if !matters {
            unwanted.push(*job);
        }
    }
    for job in unwanted {
        if let Some(key) = state.derived.in_flight.remove(&job) {
            state.derived.cancel(&key);
            requests.push(give_up(state, job));
        }
    }
}

/// Whether the picture is the one that stands in the run's pane while the next one is made.
fn is_shown(state: &State, key: &DerivedKey) -> bool {
    matches!(key, DerivedKey::Picture(key) if state.derived.pictures.shown(ShownIn::Main) == Some(key))
}

/// Whoever leafs through runs faster than they are read wants only the one he stops at.
fn drop_unwanted_loads(state: &mut State, requests: &mut Vec<Request>) {
    let on_stage = state.runs_on_stage();
    let unwanted: Vec<RunId> =
        state.in_flight.loads.keys().filter(|run| !on_stage.contains(run)).copied().collect();
    for run in unwanted {
        if let Some(job) = state.in_flight.loads.remove(&run) {
            requests.push(give_up(state, job));
        }
    }
}

/// Stops a job whose result does not matter any more; whatever it still says is stale from here on.
pub(super) fn give_up(state: &mut State, job: JobId) -> Request {
    // Forgotten here, so that an answer on its way finds no job and is dropped.
    state.jobs.by_id.remove(&job);
    Request::Cancel(job)
}

/// Marks a run that was read as looked at now.
pub(super) fn touch_run(state: &mut State, run: RunId) {
    // The last is the one looked at last.
    state.in_flight.read.retain(|known| *known != run);
    state.in_flight.read.push(run);
}

/// Lets go of runs that nobody has looked at for longest; they are read again when somebody does.
fn evict_runs(state: &mut State, requests: &mut Vec<Request>) {
    let on_stage = state.runs_on_stage();
    for run in &on_stage {
        touch_run(state, *run);
    }
    // More than are kept: those on the stage are among them and never go.
    let surplus = state.in_flight.read.len().saturating_sub(READ_RUNS + on_stage.len());
    let oldest: Vec<RunId> = state.in_flight.read.drain(..surplus).collect();
    for run in oldest {
        let Some(entry) = state.library.runs.get_mut(&run) else { continue };
        // A live run is told whole with its next turn: it would be here again at once.
        if entry.state != RunState::Live && entry.loaded.take().is_some() {
            requests.push(Request::Forget(run));
        }
    }
}

/// All of a launched run is told only while it is on the stage.
fn watch_shown(state: &mut State) -> Option<Request> {
    let mut wanted = state.runs_on_stage();
    wanted.retain(|run| state.in_flight.is_launched(*run));
    // Asked only when it changes: to watch a run means to be told all of it at once.
    if wanted == state.in_flight.watched {
        return None;
    }
    state.in_flight.watched.clone_from(&wanted);
    Some(Request::Watch(wanted))
}

fn load(state: &mut State, run_id: RunId) -> Option<Request> {
    let entry = state.library.runs.get(&run_id)?;
    // What is made here is told turn by turn, and its folder need not be read.
    let is_asked =
        state.in_flight.loads.contains_key(&run_id) || state.in_flight.is_launched(run_id);
    if entry.loaded.is_some() || is_asked || matches!(entry.state, RunState::Unreadable(_)) {
        return None;
    }
    let (dir, manifest) = entry.on_disk();
    let job = state.jobs.start(JobKind::Load, format!("reading {}", dir.display()));
    state.in_flight.loads.insert(run_id, job);
    Some(Request::LoadRun { job, run: run_id, dir, manifest })
}

/// Remembers what is on the stage, to show it on while the next thing is made.
fn remember_shown(state: &mut State) {
    if let Some(key) = state.check_key() {
        state.derived.checks.show(ShownIn::Main, key);
    }
    if let Some(key) = state.edit_check_key() {
        state.derived.edit_checks.show(ShownIn::Main, key);
    }
    if let Some(slot) = state.nodes_slot() {
        let key = LayerTreeKey { slot, against: state.nodes_comparison() };
        state.derived.layer_trees.show(ShownIn::Main, key);
    }
    if let Some(key) = state.run_picture_key() {
        state.derived.pictures.show(ShownIn::Main, key);
    }
    if let Some(key) = views::branch_picture_key(state) {
        state.derived.pictures.show(ShownIn::Branch, key);
    }
    // Each in its own pane, so that one that is drawn anew does not take the place of another.
    for program in state.programs_side_by_side() {
        if let Some(key) = state.document_picture(program) {
            state.derived.pictures.show(ShownIn::Program(program), key);
        }
    }
    for (at, slot) in (0..).zip(&state.stage.slots) {
        if let Some(key) = state.slot_picture(slot, state.selection.step) {
            state.derived.pictures.show(ShownIn::Slot(at), key);
        }
    }
    if let Some(run) = state.selection.run {
        // Kept beyond its picture: the programs stay listed while the next step is drawn.
        let now = state.derived.pictures.ready(&PictureKey::Step(run, state.selection.step));
        if let Some(documents) = now.and_then(|picture| picture.documents.as_ref()) {
            state.in_flight.shown_documents = Some((run, Arc::clone(documents)));
        }
    }
    if let Some(key) = state.alignment_key() {
        state.derived.alignments.show(ShownIn::Main, key);
    }
    if let Some(key) = state.consensus_key() {
        state.derived.consensuses.show(ShownIn::Main, key);
    }
    if let Some(key) = state.truth_heat_key() {
        state.derived.maps.show(ShownIn::Main, key);
    }
    if let Some(key) = state.heat_key().and_then(SlotMapKey::of) {
        state.derived.slot_maps.show(ShownIn::Main, key);
    }
    if let Some(key) = state.explore_figures_key() {
        state.derived.paper_figures.show(ShownIn::Main, key);
    }
}
