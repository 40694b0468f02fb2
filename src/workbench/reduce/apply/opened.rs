//! Task sets and runs that were found.

use std::collections::HashSet;
use std::hash::Hash;
use std::iter::repeat;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::metric::plan::Stage;
use crate::run::TaskRef;
use crate::task::{Reference, TaskSet};
use crate::workbench::derive::views::run_order;
use crate::workbench::model::{
    Against, JobId, LibraryRun, LibrarySet, MOST_SLOTS, NoticeLevel, Recents, RunId, RunState,
    SavedSession, SavedSlot, Slot, State,
};
use crate::workbench::protocol::{ListedRun, ReferenceOrder};
use crate::workbench::reduce::handle::{select_run, unfold};

pub(super) fn opened(
    state: &mut State,
    job: JobId,
    sets: Vec<(Arc<TaskSet>, Vec<String>)>,
    runs: Vec<ListedRun>,
) {
    for (set, warnings) in sets {
        add_set(state, set, warnings);
    }
    add_new_runs(state, runs);
    // With the first that was found: all paths of the job were given at once.
    if let Some((paths, recents)) = state.in_flight.opens.remove(&job) {
        for path in &paths {
            if !state.library.opened.contains(path) {
                state.library.opened.push(path.clone());
            }
        }
        state.library.missing.retain(|path| !paths.contains(path));
        if recents == Recents::Remember {
            state.settings.remember_recent(paths);
        }
    }
    select_something(state);
}

/// What another program recorded is in the folder of runs now: that is what is opened again, not the record.
pub(super) fn imported(
    state: &mut State,
    job: JobId,
    path: &Path,
    summary: String,
    left_out: Vec<String>,
) {
    let runs = state.out_dir();
    if let Some((paths, _)) = state.in_flight.opens.get_mut(&job) {
        paths.retain(|opened| opened != path && *opened != runs);
        paths.push(runs);
    }
    state.notify(NoticeLevel::Info, summary);
    notify_warnings(state, left_out);
}

/// Runs that others began. Their numbers tell those apart that are known by another path.
pub(super) fn found(state: &mut State, runs: Vec<ListedRun>) {
    let known = state.library.runs.values().map(|run| &run.manifest.id);
    let is_new = are_new(known, runs.iter().map(|run| &run.manifest.id));
    let new = runs.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
    add_new_runs(state, new.map(|(run, _)| run).collect());
    select_something(state);
}

/// Which of these are neither known nor among those before them.
fn are_new<'a, T: Hash + Eq + 'a>(
    known: impl Iterator<Item = &'a T>,
    found: impl Iterator<Item = &'a T>,
) -> Vec<bool> {
    // A set, because thousands of runs may be found where thousands are known.
    let mut known: HashSet<&T> = known.collect();
    found.map(|item| known.insert(item)).collect()
}

/// Adds the runs whose folders are not known yet; a known one is kept, with its scores and what was
/// loaded.
fn add_new_runs(state: &mut State, runs: Vec<ListedRun>) {
    // By folder and not by number: a copy of a run beside it is a run of its own.
    let known = state.library.runs.values().map(|run| &run.dir);
    let is_new = are_new(known, runs.iter().map(|run| &run.dir));
    for (run, is_new) in runs.into_iter().zip(is_new) {
        if is_new {
            add_run(state, run);
        }
    }
}

/// One notice however many warnings there are: the first of them, and how many more.
pub(super) fn notify_warnings(state: &mut State, warnings: Vec<String>) {
    let mut warnings = warnings.into_iter();
    let Some(first) = warnings.next() else { return };
    let text = match warnings.len() {
        0 => first,
        more => format!("{first} (and {more} more)"),
    };
    state.notify(NoticeLevel::Warning, text);
}

/// Adds a set, folded but for the first. One that is open is replaced; one of the same id from another
/// place stands beside it, under an id of its own.
fn add_set(state: &mut State, mut set: Arc<TaskSet>, warnings: Vec<String>) {
    let library = &mut state.library;
    let mut same_id = library.sets.iter_mut().filter(|old| old.recorded_id == set.id);
    if let Some(old) = same_id.find(|old| old.set.dir == set.dir) {
        // What was folded and what runs refer to goes by the id, and so stays.
        if old.set.id != set.id {
            let renamed = Arc::make_mut(&mut set);
            renamed.id.clone_from(&old.set.id);
            renamed.name.clone_from(&old.set.name);
        }
        old.set = set;
        old.warnings = warnings;
        return;
    }
    let mut entry = LibrarySet::new(set, warnings);
    let namesakes: Vec<&LibrarySet> =
        library.sets.iter().filter(|old| old.recorded_id == entry.recorded_id).collect();
    if let Some(first) = namesakes.first() {
        let (set, first) = (&entry.set, &first.set);
        // One more number than there are sets: one of them is free.
        let mut ids = (2..library.sets.len() + 3).map(|number| format!("{} ({number})", set.id));
        let id = ids.find(|id| library.sets.iter().all(|old| old.set.id != *id));
        let place = place_apart(&set.dir, &first.dir);
        let name = format!("{} — {}", set.name, place.display());
        let renamed = Arc::make_mut(&mut entry.set);
        (renamed.id, renamed.name) = (id.unwrap_or_default(), name);
    }
    let restored = state.in_flight.restore.as_ref();
    // A window with one set shows its tasks; with several, their names, so that all can be seen.
    let is_folded = match restored {
        Some(saved) => saved.folded_sets.contains(&entry.set.id),
        None => !library.sets.is_empty(),
    };
    if is_folded {
        library.folded.sets.insert(entry.set.id.clone());
    }
    let folded = entry.tasks().map(|(task, _)| task);
    let folded =
        folded.filter(|task| restored.is_none_or(|saved| !saved.unfolded_tasks.contains(task)));
    library.folded.tasks.extend(folded);
    library.sets.push(entry);
    // Runs that were there before their set, or that lie in this one's folder.
    if library.sets.len() > 1 {
        let tasks: Vec<TaskRef> =
            library.runs.values().map(|run| library.task_of(&run.manifest, &run.dir)).collect();
        for (run, task) in library.runs.values_mut().zip(tasks) {
            run.task = task;
        }
    }
}

/// The end of a path that tells it from another: from the last folder in which they differ.
fn place_apart(path: &Path, other: &Path) -> PathBuf {
    let mut place = PathBuf::new();
    let mut ends =
        path.components().rev().zip(other.components().rev().map(Some).chain(repeat(None)));
    for (own, its) in ends.by_ref() {
        place = if place.as_os_str().is_empty() {
            PathBuf::from(own.as_os_str())
        } else {
            Path::new(own.as_os_str()).join(place)
        };
        if Some(own) != its {
            break;
        }
    }
    place
}

fn add_run(state: &mut State, listed: ListedRun) {
    let run_state = match listed.unreadable {
        Some(why) => RunState::Unreadable(why),
        None => RunState::of(&listed.manifest, listed.live),
    };
    let id = RunId(state.library.next_run);
    state.library.next_run += 1;
    // One that is live has no last step yet, and one that cannot be read has none at all.
    if matches!(
        run_state,
        RunState::Finished | RunState::Cancelled | RunState::Failed(_) | RunState::Interrupted
    ) {
        state.in_flight.finals_due.insert(id);
    }
    let steps = listed.steps.unwrap_or(0);
    let task = state.library.task_of(&listed.manifest, &listed.dir);
    let run = LibraryRun::new(listed.manifest, listed.dir, run_state);
    let run = LibraryRun { task, steps, ..run };
    state.library.runs.insert(id, run);
}

/// Selects what the last session looked at, if it is there: its run at its step, or else, once all is
/// open, its task.
fn select_again(state: &mut State, saved: &SavedSession, is_opening: bool) -> bool {
    let mut runs = state.library.runs.iter();
    let run = runs.find(|(_, run)| Some(&run.dir) == saved.run.as_ref()).map(|(id, _)| *id);
    if let Some(run) = run {
        select_run(state, run);
        // A live run is looked at where it is now.
        if state.selected_run().is_some_and(|run| run.state != RunState::Live) {
            state.selection.range = saved.range;
            // Beyond all steps is the end, wherever that is once the run is read.
            if saved.step < u32::MAX {
                state.selection.step = saved.step;
                state.in_flight.to_last_of = None;
            }
        }
        return true;
    }
    let task = saved.task.as_ref().filter(|_| saved.run.is_none() || !is_opening);
    let Some(task) = task.filter(|task| state.library.task(task).is_some()) else { return false };
    unfold(state, task);
    state.selection.task.clone_from(&saved.task);
    true
}

/// Puts beside the run what stood there in the last session, once all of it is open, or all that will be.
fn put_beside_again(state: &mut State, saved: &mut SavedSession, is_opening: bool) {
    let run = state.selected_run().map(|run| &run.dir);
    let is_again =
        run == saved.run.as_ref() && (run.is_some() || state.selection.task == saved.task);
    if saved.slots.is_empty() || !is_again {
        return;
    }
    let runs = &state.library.runs;
    let slots = saved.slots.iter().map(|slot| match slot {
        SavedSlot::Run { dir, pinned } => {
            let run = runs.iter().find(|(_, run)| run.dir == *dir)?;
            Some(Slot::Run { run: *run.0, pinned: *pinned })
        }
        SavedSlot::Start => Some(Slot::Start),
        SavedSlot::File(path) => Some(Slot::File(Arc::from(path.as_path()))),
    });
    let slots: Vec<Option<Slot>> = slots.take(MOST_SLOTS).collect();
    let is_whole = slots.iter().all(Option::is_some);
    if !is_whole && is_opening {
        return;
    }
    // Whoever put something there meanwhile wants that.
    if state.stage.slots.is_empty() {
        state.stage.slots = slots.into_iter().flatten().collect();
        let places = state.stage.slots.len();
        let against = saved.against.filter(|at| is_whole && usize::from(*at) < places);
        state.stage.against = against.map_or(Against::GroundTruth, Against::Slot);
    }
    saved.slots.clear();
}

/// The task has the reference that its file says by now, without reading the whole set anew.
pub(super) fn reference_written(state: &mut State, order: &ReferenceOrder, backup: &Path) {
    let entry = state.library.sets.iter_mut().find(|entry| entry.set.id == order.task.set);
    let tasks = entry.map(|entry| &mut Arc::make_mut(&mut entry.set).tasks);
    let task = tasks.and_then(|tasks| tasks.iter_mut().find(|task| task.id == order.task.id));
    if let Some(task) = task.map(Arc::make_mut) {
        match &order.reference {
            Reference::Tools(tools) => task.reference_tools.clone_from(tools),
            Reference::Plan(plan) => task.set_reference_plan(Stage::read(plan.clone())),
        }
        // The set is changed where it lies, by which the table tells whether it is another.
        state.explore.table.made_of.sets = 0;
    }
    let (what, task) = (order.reference.name(), &order.task.id);
    let is = if matches!(order.reference, Reference::Tools(_)) { "are" } else { "is" };
    let text = format!(
        "The {what} of {task} {is} now {}. The file as it was: {}",
        order.reference.summary(),
        backup.display()
    );
    state.notify(NoticeLevel::Info, text);
}

/// A window that opens something shows something: what the last session looked at, or else the first
/// run, or the first task.
pub(super) fn select_something(state: &mut State) {
    let is_opening = state.is_opening();
    let mut restored = state.in_flight.restore.take();
    // Never away from what somebody looks at.
    let is_free = state.selection.task.is_none();
    let is_again =
        is_free && restored.as_ref().is_some_and(|saved| select_again(state, saved, is_opening));
    if let Some(saved) = &mut restored {
        put_beside_again(state, saved, is_opening);
    }
    // The run may lie in what is still to be opened.
    let is_awaited = is_opening && restored.is_some();
    // Or in what is missing; its task may be there all the same.
    let waits = !state.library.missing.is_empty()
        && restored.as_ref().is_some_and(|saved| {
            let lacks_run = saved.run.is_some() && state.selection.run.is_none();
            if is_again { lacks_run } else { saved.run.is_some() || saved.task.is_some() }
        });
    state.in_flight.restore = restored.filter(|_| is_opening);
    if is_again {
        state.in_flight.stands_in = waits;
    }
    if !is_free || is_again || is_awaited {
        return;
    }
    let stands_in = state.in_flight.stands_in || waits;
    if let Some(run) = run_order(state).first() {
        select_run(state, *run);
    } else if let Some((task, _)) = state.library.sets.iter().find_map(|it| it.tasks().next()) {
        unfold(state, &task);
        state.selection.task = Some(task);
    }
    // After the selection, which is somebody's wherever else something is selected.
    state.in_flight.stands_in = stands_in;
}
