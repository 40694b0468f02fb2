//! Task sets and runs that were found.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::run::TaskRef;
use crate::task::TaskSet;
use crate::workbench::derive::views::run_order;
use crate::workbench::model::{
    Curves, FoldKey, JobId, LibraryRun, LibrarySet, NoticeLevel, Pause, RunId, RunState, State,
};
use crate::workbench::protocol::ListedRun;
use crate::workbench::reduce::handle::{select_run, unfold};

/// How many opened paths are remembered.
const RECENT: usize = 10;

pub(super) fn opened(
    state: &mut State,
    job: JobId,
    sets: Vec<(Arc<TaskSet>, Vec<String>)>,
    runs: Vec<ListedRun>,
) {
    for (set, warnings) in sets {
        add_set(state, &set, warnings);
    }
    add_new_runs(state, runs);
    if let Some(paths) = state.in_flight.opens.get(&job).cloned() {
        remember(&mut state.settings.recent, paths);
    }
    select_something(state);
}

/// Runs that others began. Their numbers tell those apart that are known by another path.
pub(super) fn found(state: &mut State, mut runs: Vec<ListedRun>) {
    let known = state.library.runs.values().map(|run| run.manifest.id.clone());
    let mut known: HashSet<String> = known.collect();
    runs.retain(|run| known.insert(run.manifest.id.clone()));
    add_new_runs(state, runs);
    select_something(state);
}

/// Adds the runs whose folders are not known yet; a known one is kept, with its scores and what was
/// loaded.
fn add_new_runs(state: &mut State, runs: Vec<ListedRun>) {
    // By folder and not by number: a copy of a run beside it is a run of its own.
    let known = state.library.runs.values().map(|run| run.dir.clone());
    let mut known: HashSet<PathBuf> = known.collect();
    for run in runs {
        if known.insert(run.dir.clone()) {
            add_run(state, run);
        }
    }
}

/// One notice however many warnings there are: the first of them, and how many more.
pub(super) fn tell_warnings(state: &mut State, warnings: &[String]) {
    let text = match warnings {
        [] => return,
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    };
    state.tell(NoticeLevel::Warning, text);
}

/// Adds a set, folded but for the first; a set of the same id is replaced, and if it lay elsewhere,
/// that is told.
fn add_set(state: &mut State, set: &Arc<TaskSet>, warnings: Vec<String>) {
    let is_first = state.library.sets.is_empty();
    let entry = LibrarySet { set: Arc::clone(set), warnings };
    if let Some(old) = state.library.sets.iter_mut().find(|old| old.set.id == set.id) {
        let moved = old.set.dir != set.dir;
        let text = format!(
            "the task set {} is open from another place: {} replaces {}",
            set.id,
            set.dir.display(),
            old.set.dir.display()
        );
        *old = entry;
        if moved {
            state.tell(NoticeLevel::Warning, text);
        }
        return;
    }
    state.library.sets.push(entry);
    let tasks = set.tasks.iter();
    let folded = tasks.map(|task| TaskRef { set: set.id.clone(), id: task.id.clone() });
    state.library.folded.extend(folded.map(FoldKey::Task));
    // A window with one set shows its tasks; with several, their names, so that all can be seen.
    if !is_first {
        state.library.folded.insert(FoldKey::Set(set.id.clone()));
    }
}

fn add_run(state: &mut State, listed: ListedRun) {
    let run_state = match listed.unreadable {
        Some(why) => RunState::Unreadable(why),
        None => RunState::of(&listed.manifest, listed.live),
    };
    let id = RunId(state.library.next_run);
    state.library.next_run += 1;
    if matches!(
        run_state,
        RunState::Finished | RunState::Cancelled | RunState::Failed(_) | RunState::Interrupted
    ) {
        state.in_flight.finals_due.insert(id);
    }
    let run = LibraryRun {
        manifest: listed.manifest,
        dir: listed.dir,
        loaded: None,
        steps: listed.steps.unwrap_or(0),
        state: run_state,
        job: None,
        pause: Pause::No,
        answering: None,
        last_score: None,
        curves: Curves::default(),
    };
    state.library.runs.insert(id, run);
}

fn remember(recent: &mut Vec<PathBuf>, paths: Vec<PathBuf>) {
    for path in paths.into_iter().rev() {
        recent.retain(|old| *old != path);
        recent.insert(0, path);
    }
    recent.truncate(RECENT);
}

/// A window that opens something shows something: the first run, or else the first task.
fn select_something(state: &mut State) {
    // Never away from what somebody looks at.
    if state.selection.task.is_some() {
        return;
    }
    if let Some(run) = run_order(state).first() {
        select_run(state, *run);
        return;
    }
    let first = state.library.sets.iter().find_map(|entry| {
        let task = entry.set.tasks.first()?;
        Some(TaskRef { set: entry.set.id.clone(), id: task.id.clone() })
    });
    if let Some(task) = first {
        unfold(state, &task);
        state.selection.task = Some(task);
    }
}
