//! Runs and tasks to go to by name.

use std::borrow::Cow;

use crate::workbench::model::State;
use crate::workbench::protocol::Command;

/// Somewhere to go.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry<'a> {
    /// What it is.
    pub kind: PaletteKind,
    /// Its name.
    pub title: &'a str,
    /// Where it belongs, such as the task and the set.
    pub detail: Cow<'a, str>,
    /// What going there means.
    pub command: Command,
}

/// What a palette entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteKind {
    /// A task.
    Task,
    /// A run.
    Run,
}

/// Every task and every run, tasks first, in the library's order.
pub fn palette_entries(state: &State) -> Vec<PaletteEntry<'_>> {
    let mut entries = Vec::new();
    for entry in &state.library.sets {
        entries.extend(entry.tasks().map(|(task_ref, task)| PaletteEntry {
            kind: PaletteKind::Task,
            title: &task.id,
            detail: Cow::from(&entry.set.name),
            command: Command::SelectTask(task_ref),
        }));
    }
    for (id, run) in &state.library.runs {
        let task = &run.task;
        // The runs of a set that is not open are to be found too, by its bare id.
        let set = state.library.set(&task.set).map_or(&task.set, |entry| &entry.set.name);
        entries.push(PaletteEntry {
            kind: PaletteKind::Run,
            title: &run.manifest.agent.name,
            detail: Cow::from(format!("{} · {set}", task.id)),
            command: Command::SelectRun(*id),
        });
    }
    entries
}
