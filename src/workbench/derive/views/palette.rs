//! Runs and tasks to go to by name.

use crate::run::TaskRef;
use crate::workbench::model::State;
use crate::workbench::protocol::Command;

/// Somewhere to go.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry {
    /// What it is.
    pub kind: PaletteKind,
    /// Its name.
    pub title: String,
    /// Where it belongs, such as the task and the set.
    pub detail: String,
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
pub fn palette_entries(state: &State) -> Vec<PaletteEntry> {
    let tasks = state.library.sets.iter().flat_map(|entry| {
        entry.set.tasks.iter().map(|task| PaletteEntry {
            kind: PaletteKind::Task,
            title: task.id.clone(),
            detail: entry.set.name.clone(),
            command: Command::SelectTask(TaskRef {
                set: entry.set.id.clone(),
                id: task.id.clone(),
            }),
        })
    });
    let runs = state.library.runs.iter().map(|(id, run)| PaletteEntry {
        kind: PaletteKind::Run,
        title: run.manifest.agent.name.clone(),
        detail: format!("{} · {}", run.manifest.task.id, set_name(state, &run.manifest.task)),
        command: Command::SelectRun(*id),
    });
    tasks.chain(runs).collect()
}

fn set_name<'a>(state: &'a State, task: &'a TaskRef) -> &'a str {
    state.library.set(&task.set).map_or(&task.set, |entry| &entry.set.name)
}
