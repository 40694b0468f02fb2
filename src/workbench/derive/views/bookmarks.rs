//! Every run and step with a star or a note, and every kept range of steps.

use crate::workbench::model::{KeptRange, Note, NoteKey, RangeKey, State};
use crate::workbench::protocol::{Command, RangeCommand};

/// Something that somebody starred, wrote to or kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark<'a> {
    /// What it is.
    pub of: Bookmarked<'a>,
    /// The task's id.
    pub task: &'a str,
    /// Whose run it is.
    pub agent: &'a str,
    /// Whether it is what is looked at.
    pub is_here: bool,
}

/// What a bookmark is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bookmarked<'a> {
    /// A run or a step with a star or a note.
    Note(NoteKey, &'a Note),
    /// A range of steps.
    Range(RangeKey, &'a KeptRange),
}

impl Bookmarked<'_> {
    /// What going there means.
    pub fn command(&self) -> Command {
        match self {
            Self::Note(key, _) => Command::GoToNote(key.clone()),
            Self::Range(key, _) => Command::Ranges(RangeCommand::Choose(key.clone())),
        }
    }
}

/// The bookmarks of all open runs: those of the selected run first, then in the order of tasks and runs; of each run
/// the run's own, then its steps, then its ranges.
pub fn bookmarks(state: &State) -> Vec<Bookmark<'_>> {
    let mut runs: Vec<_> = state.library.runs.iter().collect();
    // What is looked at first, then by task: a list that anybody can find something in.
    runs.sort_by_key(|&(id, run)| {
        (state.selection.run != Some(*id), &run.task.set, &run.task.id, *id)
    });
    let mut found = Vec::new();
    for (id, run) in runs {
        let Some(notes) = state.notes.of(run) else { continue };
        let is_selected = state.selection.run == Some(*id);
        let (task, agent) = (run.task.id.as_str(), run.manifest.agent.name.as_str());
        let own = (!notes.run.is_empty()).then_some((None, &notes.run));
        let steps = notes.steps.iter().map(|(step, note)| (Some(*step), note));
        found.extend(own.into_iter().chain(steps).map(|(step, note)| Bookmark {
            of: Bookmarked::Note(NoteKey::of(run, step), note),
            task,
            agent,
            is_here: is_selected && step == Some(state.selection.step),
        }));
        found.extend(notes.ranges.iter().map(|(range, kept)| Bookmark {
            of: Bookmarked::Range(RangeKey::of(run, *range), kept),
            task,
            agent,
            is_here: is_selected && state.selection.range == Some(*range),
        }));
    }
    found
}
