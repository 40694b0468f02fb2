//! Every run and step with a star or a note.

use crate::workbench::model::{Note, NoteKey, State};

/// A run or a step that somebody starred or wrote to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark<'a> {
    /// What it is on.
    pub key: NoteKey,
    /// The task's id.
    pub task: &'a str,
    /// Whose run it is.
    pub agent: &'a str,
    /// The note.
    pub note: &'a Note,
    /// Whether it is what is looked at.
    pub is_here: bool,
}

/// The bookmarks of all open runs: those of the selected run first, then in the order of tasks and runs; of each run
/// the run's own, then its steps.
pub fn bookmarks(state: &State) -> Vec<Bookmark<'_>> {
    let mut runs: Vec<_> = state.library.runs.iter().collect();
    runs.sort_by_key(|&(id, run)| {
        (state.selection.run != Some(*id), &run.task.set, &run.task.id, *id)
    });
    let mut found = Vec::new();
    for (id, run) in runs {
        let Some(notes) = state.notes.of(run) else { continue };
        let own = (!notes.run.is_empty()).then_some((None, &notes.run));
        let steps = notes.steps.iter().map(|(step, note)| (Some(*step), note));
        found.extend(own.into_iter().chain(steps).map(|(step, note)| Bookmark {
            key: NoteKey::of(run, step),
            task: &run.task.id,
            agent: &run.manifest.agent.name,
            note,
            is_here: state.selection.run == Some(*id) && step == Some(state.selection.step),
        }));
    }
    found
}
