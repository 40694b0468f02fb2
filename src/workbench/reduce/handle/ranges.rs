//! Ranges of steps that are kept.

use crate::workbench::model::{
    KeptRange, NoteSubject, RangeKey, RunId, State, StepRange, Workspace,
};
use crate::workbench::protocol::{RangeCommand, Request};

use super::select::{run_meant, select_run};

pub(super) fn ranges(state: &mut State, command: RangeCommand) -> Vec<Request> {
    match command {
        RangeCommand::Keep => return keep(state),
        RangeCommand::Choose(key) => choose(state, &key),
        RangeCommand::ChooseBy(by) => choose_by(state, by),
        // One that was forgotten meanwhile is not brought back by a letter that was still on its way.
        RangeCommand::Edit(key, kept) if state.notes.range(&key).is_some() => {
            return change(state, &key, Some(kept));
        }
        RangeCommand::Delete(key) => return change(state, &key, None),
        RangeCommand::Undo => return travel(state, true),
        RangeCommand::Redo => return travel(state, false),
        RangeCommand::Edit(..) => {}
    }
    Vec::new()
}

fn change(state: &mut State, key: &RangeKey, kept: Option<KeptRange>) -> Vec<Request> {
    state.notes.change_range(key, kept.clone());
    vec![Request::KeepRange { key: key.clone(), kept }]
}

/// Keeps the range that is marked; one that is kept already stays as it is.
fn keep(state: &mut State) -> Vec<Request> {
    let marked = state.selected_run().zip(state.selection.range);
    let Some((run, range)) = marked else { return Vec::new() };
    let key = RangeKey::of(run, range);
    if state.notes.range(&key).is_some() {
        return Vec::new();
    }
    let known: Vec<&str> = state
        .notes
        .of(run)
        .into_iter()
        .flat_map(|notes| notes.ranges.values())
        .map(|kept| kept.name.as_str())
        .collect();
    // One more number than there are ranges: one of them is free.
    let mut names = (1..=known.len() + 1).map(|number| format!("Range {number}"));
    let name = names.find(|name| !known.contains(&name.as_str())).unwrap_or_default();
    change(state, &key, Some(KeptRange { name, note: String::new() }))
}

fn travel(state: &mut State, is_back: bool) -> Vec<Request> {
    let Some(subject) = state.notes.travel(is_back) else { return Vec::new() };
    vec![match subject {
        NoteSubject::Range(key) => {
            let kept = state.notes.range(&key).cloned();
            Request::KeepRange { key, kept }
        }
        NoteSubject::Areas(task) => {
            let areas = state.notes.areas(&task).to_vec();
            Request::KeepAreas { task, areas }
        }
    }]
}

/// Marks a range in the run that it is of; nothing if that is not open.
fn choose(state: &mut State, key: &RangeKey) {
    let Some(run) = run_meant(state, |run| RangeKey::of(run, key.range) == *key) else { return };
    state.overlay = None;
    state.workspace = Workspace::Inspect;
    if state.selection.run != Some(run) {
        select_run(state, run);
    }
    mark(state, run, key.range);
}

fn mark(state: &mut State, run: RunId, range: StepRange) {
    // How long a run is that nobody read is a guess of the listing: then the range is what is known.
    let is_read = state.library.runs.get(&run).is_some_and(|run| run.loaded.is_some());
    let range = if is_read { range.within(state.first_step(), state.last_step()) } else { range };
    state.selection.range = Some(range);
    state.in_flight.to_last_of = None;
    if !range.contains(state.selection.step) {
        state.selection.step = range.first;
    }
}

fn choose_by(state: &mut State, by: i32) {
    let Some(run) = state.selection.run else { return };
    let notes = state.selected_run().and_then(|run| state.notes.of(run));
    let ranges: Vec<StepRange> =
        notes.into_iter().flat_map(|notes| notes.ranges.keys().copied()).collect();
    let Some(last) = ranges.len().checked_sub(1) else { return };
    let (marked, step) = (state.selection.range, state.selection.step);
    let at = marked.and_then(|marked| ranges.iter().position(|range| *range == marked));
    let to = match at {
        Some(at) => (at as i64 + i64::from(by)).rem_euclid(ranges.len() as i64) as usize,
        // From the selected step on, where none of them is marked.
        None if by > 0 => ranges.iter().position(|range| range.last >= step).unwrap_or(0),
        None => ranges.iter().rposition(|range| range.first <= step).unwrap_or(last),
    };
    if let Some(range) = ranges.get(to) {
        mark(state, run, *range);
    }
}
