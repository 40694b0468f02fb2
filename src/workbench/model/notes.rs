//! What people wrote to runs and steps, and which they starred.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::Manifest;

use super::library::LibraryRun;

/// A note on a run or on one of its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Whether it is starred.
    pub is_starred: bool,
    /// What was written.
    pub text: String,
}

/// What a note is on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteKey {
    /// Which run: [`NoteKey::run_id`].
    pub run: String,
    /// Which step, 0 the start state; `None`: the run as a whole.
    pub step: Option<u32>,
}

/// The notes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// On the run as a whole.
    pub run: Note,
    /// On its steps; none is empty.
    pub steps: BTreeMap<u32, Note>,
}

/// All notes of the workspace, of runs that are open and of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    runs: BTreeMap<String, RunNotes>,
    /// Why notes are not kept, if they are not.
    pub problem: Option<String>,
}

impl Note {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        !self.is_starred && self.text.trim().is_empty()
    }
}

impl NoteKey {
    /// How notes know a run: by its id, which it keeps wherever its folder is moved; a folder of
    /// pictures has none of its own, and is known by its place.
    pub fn run_id(manifest: &Manifest, dir: &Path) -> String {
        if manifest.started.is_empty() {
            format!("folder:{}", dir.display())
        } else {
            manifest.id.clone()
        }
    }

    /// Of a step of a run, or of all of it.
    pub fn of(run: &LibraryRun, step: Option<u32>) -> Self {
        Self { run: Self::run_id(&run.manifest, &run.dir), step }
    }
}

impl RunNotes {
    /// Whether the run or one of its steps is starred.
    pub fn has_star(&self) -> bool {
        self.all().any(|note| note.is_starred)
    }

    /// Whether something was written to the run or to one of its steps.
    pub fn has_text(&self) -> bool {
        self.all().any(|note| !note.text.trim().is_empty())
    }

    fn all(&self) -> impl Iterator<Item = &Note> {
        std::iter::once(&self.run).chain(self.steps.values())
    }
}

impl Notes {
    /// Whether there is no note at all.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The notes of a run, if there are any.
    pub fn of(&self, run: &LibraryRun) -> Option<&RunNotes> {
        // Asked for every row in every frame: mostly there is no note at all.
        if self.runs.is_empty() {
            return None;
        }
        self.runs.get(&NoteKey::run_id(&run.manifest, &run.dir))
    }

    /// A note, if there is one.
    pub fn note(&self, key: &NoteKey) -> Option<&Note> {
        let run = self.runs.get(&key.run)?;
        match key.step {
            Some(step) => run.steps.get(&step),
            None => Some(&run.run).filter(|note| !note.is_empty()),
        }
    }

    /// Puts a note in the place of what was there; an empty one takes it away.
    pub(in crate::workbench) fn put(&mut self, key: NoteKey, note: Note) {
        let NoteKey { run: id, step } = key;
        let run = self.runs.entry(id.clone()).or_default();
        match step {
            Some(step) if note.is_empty() => {
                run.steps.remove(&step);
            }
            Some(step) => {
                run.steps.insert(step, note);
            }
            None => run.run = note,
        }
        if run.run.is_empty() && run.steps.is_empty() {
            self.runs.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_note_is_none() {
        let mut notes = Notes::default();
        let key = NoteKey { run: "a".into(), step: Some(3) };
        let note = Note { is_starred: true, text: String::new() };
        notes.put(key.clone(), note.clone());
        assert_eq!(notes.note(&key), Some(&note));
        assert_eq!(notes.note(&NoteKey { run: "a".into(), step: None }), None);
        notes.put(key, Note { is_starred: false, text: " \n".into() });
        assert_eq!(notes, Notes::default());
    }
}
