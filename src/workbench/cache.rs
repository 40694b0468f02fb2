//! Pictures and maps, bounded in bytes: what was wanted longest ago goes first.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::metric::ScalarMap;
use crate::metric::constraint::Findings;

use super::library::{RunId, RunState};
use super::outline::{Outline, OutlineKey};
use super::protocol::{MapKey, PictureKey, Request, StagePicture};
use super::query::CheckKey;
use super::state::{Fetched, State};

/// Most bytes of decoded pictures kept. What is on the stage stays even beyond it.
pub const PICTURE_CACHE_BYTES: usize = 256 << 20;
/// Most bytes of maps kept, the one on the stage aside.
pub const MAP_CACHE_BYTES: usize = 96 << 20;
/// Most outlines kept; most of their nodes are shared.
pub const OUTLINES: usize = 48;
/// Most checks kept.
const CHECKS: usize = 256;

/// Most runs kept whole, the one on the stage and live ones aside; of the others what the library
/// shows is kept.
pub const READ_RUNS: usize = 48;

/// Marks a run that was read as looked at now.
pub(super) fn touch_run(state: &mut State, run: RunId) {
    state.work.read.retain(|known| *known != run);
    state.work.read.push(run);
}

/// Lets go of runs that nobody has looked at for longest; they are read again when somebody does.
pub(super) fn evict_runs(state: &mut State) -> Vec<Request> {
    if let Some(run) = state.selection.run {
        touch_run(state, run);
    }
    let surplus = state.work.read.len().saturating_sub(READ_RUNS + 1);
    let oldest: Vec<RunId> = state.work.read.drain(..surplus).collect();
    let mut requests = Vec::new();
    for run in oldest {
        let Some(entry) = state.library.runs.get_mut(&run) else { continue };
        if entry.state != RunState::Live && entry.loaded.take().is_some() {
            requests.push(Request::Forget(run));
        }
    }
    requests
}

/// Marks pictures as wanted now.
pub(super) fn touch(state: &mut State, keys: &BTreeSet<PictureKey>) {
    state.work.clock += 1;
    for key in keys {
        state.work.last_wanted.insert(key.clone(), state.work.clock);
    }
}

/// Puts a picture in and lets old ones go.
pub(super) fn put_picture(state: &mut State, key: PictureKey, picture: StagePicture) {
    state.pictures.insert(key, Fetched::Ready(Arc::new(picture)));
    evict_pictures(state, PICTURE_CACHE_BYTES);
}

/// Puts a map in and lets old ones go.
pub(super) fn put_map(state: &mut State, key: MapKey, map: ScalarMap) {
    state.work.clock += 1;
    state.work.map_last_wanted.insert(key.clone(), state.work.clock);
    state.maps.insert(key, map);
    evict_maps(state, MAP_CACHE_BYTES);
}

/// Puts an outline in and lets old ones go.
pub(super) fn put_outline(state: &mut State, key: OutlineKey, outline: Arc<Outline>) {
    state.work.clock += 1;
    state.work.outline_last_wanted.insert(key.clone(), state.work.clock);
    state.outlines.insert(key, Fetched::Ready(outline));
    let wanted = super::wants::wanted_outlines(state);
    while state.outlines.len() > OUTLINES {
        let age = |key: &OutlineKey| state.work.outline_last_wanted.get(key).copied().unwrap_or(0);
        let others = state
            .outlines
            .iter()
            .filter(|(key, fetched)| !wanted.contains(key) && !matches!(fetched, Fetched::Pending));
        let oldest = others.map(|(key, _)| key).min_by_key(|key| (age(key), (*key).clone()));
        let Some(oldest) = oldest.cloned() else { break };
        state.outlines.remove(&oldest);
        state.work.outline_last_wanted.remove(&oldest);
    }
}

/// Puts a check in and lets others go: those of steps far from it first.
pub(super) fn put_check(state: &mut State, key: CheckKey, findings: Arc<Findings>) {
    state.checks.insert(key, Fetched::Ready(findings));
    let is_shown = |other: &CheckKey| Some(*other) == state.work.shown_check || *other == key;
    while state.checks.len() > CHECKS {
        let far = |other: &&CheckKey| (other.run != key.run, other.step.abs_diff(key.step));
        let others = state.checks.keys().filter(|other| !is_shown(other));
        let Some(farthest) = others.max_by_key(far).copied() else { break };
        state.checks.remove(&farthest);
    }
}

/// Forgets every picture, map, outline and check of a run.
pub(super) fn forget_run(state: &mut State, run: RunId) {
    let is_of_run = |key: &PictureKey| key.run() == Some(run);
    state.pictures.retain(|key, _| !is_of_run(key));
    state.work.last_wanted.retain(|key, _| !is_of_run(key));
    state.outlines.retain(|key, _| !is_of_run(&key.slot));
    state.work.outline_last_wanted.retain(|key, _| !is_of_run(&key.slot));
    state.checks.retain(|key, _| key.run != run);
    state.maps.retain(|key, _| key.run != run);
    state.work.map_last_wanted.retain(|key, _| key.run != run);
}

fn evict_pictures(state: &mut State, limit: usize) {
    let size = |fetched: &Fetched<StagePicture>| match fetched {
        Fetched::Ready(picture) => {
            let reduced: usize = picture.reduced.iter().map(|pixels| pixels.rgba().len()).sum();
            picture.pixels.rgba().len() + reduced
        }
        Fetched::Pending | Fetched::Failed(_) => 0,
    };
    let mut bytes: usize = state.pictures.values().map(size).sum();
    if bytes <= limit {
        return;
    }
    let wanted = super::wants::wanted_now(state);
    let age = |key: &PictureKey| state.work.last_wanted.get(key).copied().unwrap_or(0);
    let mut by_age: Vec<(u64, PictureKey, usize)> = state
        .pictures
        .iter()
        .map(|(key, fetched)| (age(key), key.clone(), size(fetched)))
        .filter(|(_, key, size)| *size > 0 && !wanted.contains(key))
        .collect();
    by_age.sort();
    for (_, key, size) in by_age {
        if bytes <= limit {
            break;
        }
        bytes -= size;
        state.pictures.remove(&key);
        state.work.last_wanted.remove(&key);
    }
}

fn evict_maps(state: &mut State, limit: usize) {
    let size = |map: &ScalarMap| map.values.len() * size_of::<f32>();
    let mut bytes: usize = state.maps.values().map(size).sum();
    let on_stage = state.heat_key();
    while bytes > limit {
        let age = |key: &MapKey| state.work.map_last_wanted.get(key).copied().unwrap_or(0);
        let candidates = state.maps.keys().filter(|key| Some(*key) != on_stage.as_ref());
        let oldest = candidates.min_by_key(|key| (age(key), *key)).cloned();
        let Some(oldest) = oldest else { break };
        state.work.map_last_wanted.remove(&oldest);
        bytes -= state.maps.remove(&oldest).map_or(0, |map| size(&map));
    }
}
