//! What the selection needs and nobody has asked for yet.
//!
//! [`reconcile`] runs once after a command, and once after all events of a drain. It compares what is
//! there with what is wanted, so no place that changes the selection has to know what that takes;
//! asking twice asks once. What each kind of value wants stands with the kind ([`super::derived`]).

use std::collections::BTreeSet;

use super::derived::{self, DerivedKey, ShownIn, Urgency};
use super::jobs::{JobId, JobKind};
use super::library::{RunId, RunState};
use super::outline::OutlineKey;
use super::protocol::{PictureKey, Request};
use super::state::State;

/// Most runs kept whole, the one on the stage and live ones aside; of the others what the library
/// shows is kept.
pub const READ_RUNS: usize = 48;

/// Requests for what is wanted and not there, and cancels for what is not wanted any more.
pub(super) fn reconcile(state: &mut State) -> Vec<Request> {
    let mut requests = Vec::new();
    let wanted = derived::wanted(state);
    let keys: BTreeSet<DerivedKey> = wanted.iter().map(|(key, _)| key.clone()).collect();
    drop_unwanted(state, &keys, &mut requests);
    drop_unwanted_loads(state, &mut requests);
    evict_runs(state, &mut requests);
    requests.extend(watch_selected(state));
    requests.extend(load_selected(state));
    let mut wanted = wanted.into_iter().peekable();
    for urgency in Urgency::ALL {
        while let Some((key, _)) = wanted.next_if(|(_, of)| *of == urgency) {
            if state.derived.want(&key) {
                requests.extend(derive(state, key, urgency));
            }
        }
        while let Some(key) = derived::next_scores(state, urgency) {
            let Some(request) = derive(state, DerivedKey::Scores(key), urgency) else { break };
            requests.push(request);
        }
    }
    remember_shown(state);
    let map = state.heat_key();
    state.derived.evict(&keys, map.as_ref());
    requests
}

/// Asks for a value; `None` while what it is made of is not there.
fn derive(state: &mut State, key: DerivedKey, urgency: Urgency) -> Option<Request> {
    let inputs = key.inputs(state)?;
    let job = state.jobs.start(JobKind::Derive, "");
    state.derived.asked(job, key.clone());
    Some(Request::Derive { job, key, inputs, urgency })
}

/// Cancels what is under way and not wanted any more.
fn drop_unwanted(state: &mut State, wanted: &BTreeSet<DerivedKey>, requests: &mut Vec<Request>) {
    let is_unwanted = |key: &DerivedKey| match key {
        DerivedKey::Scores(key) => derived::is_stale(state, key),
        key => !wanted.contains(key) && !is_shown(state, key),
    };
    let in_flight = state.derived.in_flight.iter();
    let unwanted: Vec<JobId> =
        in_flight.filter(|(_, key)| is_unwanted(key)).map(|(job, _)| *job).collect();
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
    let selected = state.selection.run;
    let unwanted: Vec<RunId> =
        state.in_flight.loads.keys().filter(|run| Some(**run) != selected).copied().collect();
    for run in unwanted {
        if let Some(job) = state.in_flight.loads.remove(&run) {
            requests.push(give_up(state, job));
        }
    }
}

/// Stops a job whose result does not matter any more; whatever it still says is stale from here on.
pub(super) fn give_up(state: &mut State, job: JobId) -> Request {
    state.jobs.by_id.remove(&job);
    Request::Cancel(job)
}

/// Marks a run that was read as looked at now.
pub(super) fn touch_run(state: &mut State, run: RunId) {
    state.in_flight.read.retain(|known| *known != run);
    state.in_flight.read.push(run);
}

/// Lets go of runs that nobody has looked at for longest; they are read again when somebody does.
fn evict_runs(state: &mut State, requests: &mut Vec<Request>) {
    if let Some(run) = state.selection.run {
        touch_run(state, run);
    }
    let surplus = state.in_flight.read.len().saturating_sub(READ_RUNS + 1);
    let oldest: Vec<RunId> = state.in_flight.read.drain(..surplus).collect();
    for run in oldest {
        let Some(entry) = state.library.runs.get_mut(&run) else { continue };
        if entry.state != RunState::Live && entry.loaded.take().is_some() {
            requests.push(Request::Forget(run));
        }
    }
}

/// All of a launched run is told only while it is on the stage.
fn watch_selected(state: &mut State) -> Option<Request> {
    let is_launched =
        |run: &RunId| state.in_flight.launches.values().any(|launched| launched == run);
    let wanted = state.selection.run.filter(is_launched);
    if wanted == state.in_flight.watched {
        return None;
    }
    state.in_flight.watched = wanted;
    Some(Request::Watch(wanted))
}

fn load_selected(state: &mut State) -> Option<Request> {
    let run_id = state.selection.run?;
    let entry = state.library.runs.get(&run_id)?;
    let comes_by_itself = state.in_flight.launches.values().any(|launched| *launched == run_id);
    let is_asked = state.in_flight.loads.contains_key(&run_id) || comes_by_itself;
    if entry.loaded.is_some() || is_asked || matches!(entry.state, RunState::Unreadable(_)) {
        return None;
    }
    let (dir, manifest) = (entry.dir.clone(), Box::new(entry.manifest.clone()));
    let job = state.jobs.start(JobKind::Load, format!("reading {}", dir.display()));
    state.in_flight.loads.insert(run_id, job);
    Some(Request::LoadRun { job, run: run_id, dir, manifest })
}

/// Remembers what is on the stage, to show it on while the next thing is made.
fn remember_shown(state: &mut State) {
    if let Some(key) = state.check_key() {
        state.derived.checks.show(ShownIn::Main, key);
    }
    if let Some(slot) = state.nodes_slot() {
        let key = OutlineKey { slot, against: state.nodes_comparison() };
        state.derived.outlines.show(ShownIn::Main, key);
    }
    if let Some(key) = state.run_picture_key() {
        state.derived.pictures.show(ShownIn::Main, key);
    }
    for program in state.programs_side_by_side() {
        if let Some(key) = state.document_picture(program) {
            state.derived.pictures.show(ShownIn::Program(program), key);
        }
    }
    if let Some(run) = state.selection.run {
        let now = state.derived.pictures.ready(&PictureKey::Step(run, state.selection.step));
        if let Some(documents) = now.and_then(|picture| picture.documents.clone()) {
            state.in_flight.shown_documents = Some((run, documents));
        }
    }
    if let Some(key) = state.heat_key() {
        state.derived.maps.show(ShownIn::Main, key);
    }
}
