//! The tasks to design by hand, as the start page lists them.

use crate::environment::EnvironmentKind;
use crate::run::TaskRef;
use crate::workbench::model::{LibrarySet, PictureKey, State, Workspace};

/// Most tasks that are listed: the library has all of them, and a filter.
const MOST: usize = 60;

/// The tasks of the set that is looked at.
#[derive(Clone, Debug)]
pub struct DesignTasks<'a> {
    /// Which set.
    pub set: &'a LibrarySet,
    /// The selected one first, whatever it is; the others are on the vector canvas.
    pub tasks: Vec<TaskRef>,
    /// How many more there are.
    pub more: usize,
}

/// The tasks of the set that the selected task is of, or else of the first; `None` without a set.
pub fn design_tasks(state: &State) -> Option<DesignTasks<'_>> {
    let library = &state.library;
    let selected = state.selection.task.as_ref().filter(|task| library.task(task).is_some());
    let set = selected.and_then(|task| library.set(&task.set)).or(library.sets.first())?;
    let first = selected.filter(|task| task.set == set.set.id);
    let designs = set.set.tasks.iter().filter(|task| task.environment == EnvironmentKind::Canvas);
    let of_set = designs.map(|task| TaskRef::new(&set.set.id, &task.id));
    // The selected first: the list is cut at its end.
    let others = of_set.filter(|task| Some(task) != first);
    let mut tasks: Vec<TaskRef> = first.cloned().into_iter().chain(others).collect();
    let more = tasks.len().saturating_sub(MOST);
    tasks.truncate(MOST);
    Some(DesignTasks { set, tasks, more })
}

/// What the start page shows of them while it is seen: what is to be arrived at.
pub(in crate::workbench) fn design_task_pictures(state: &State) -> Vec<PictureKey> {
    let assist = &state.assist;
    let is_seen = state.workspace == Workspace::Assist
        && assist.desk.is_none()
        && assist.study.desk.is_none();
    let listed = is_seen.then(|| design_tasks(state)).flatten();
    let tasks = listed.map(|it| it.tasks).unwrap_or_default();
    tasks.into_iter().map(PictureKey::GroundTruth).collect()
}
