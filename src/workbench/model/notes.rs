//! What people wrote to runs and steps, which they starred, and which ranges of steps they kept.

use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher};
use std::path::Path;

use crate::run::{Manifest, TaskRef};

use super::library::LibraryRun;
use super::selection::StepRange;

/// Most changes that can be taken back.
const MOST_CHANGES: usize = 100;

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

/// What somebody calls a range of steps that they kept, and what they wrote to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptRange {
    /// Its name; may be empty.
    pub name: String,
    /// What was written.
    pub note: String,
}

/// Which range of which run: of the same steps one is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RangeKey {
    /// Which run: [`NoteKey::run_id`].
    pub run: String,
    /// Its steps.
    pub range: StepRange,
}

/// An area of pictures of a task that differences leave out, in ten-thousandths of a picture's width: the same in all
/// of them, however large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IgnoredArea {
    /// Left and top.
    pub min: [u32; 2],
    /// Right and bottom; beyond those.
    pub max: [u32; 2],
}

/// What ranges and areas are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::workbench) enum NoteSubject {
    /// A range of a run.
    Range(RangeKey),
    /// The areas of a task, by the id that its set has in its file.
    Areas(TaskRef),
}

/// A range or the areas of a task that somebody changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NoteChange {
    Range { key: RangeKey, before: Option<KeptRange>, after: Option<KeptRange> },
    Areas { task: TaskRef, before: Vec<IgnoredArea>, after: Vec<IgnoredArea> },
}

/// The notes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// On the run as a whole.
    pub run: Note,
    /// On its steps; none is empty.
    pub steps: BTreeMap<u32, Note>,
    /// The ranges of its steps that were kept.
    pub ranges: BTreeMap<StepRange, KeptRange>,
}

/// All notes of the workspace, of runs that are open and of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    runs: BTreeMap<String, RunNotes>,
    /// Why notes are not kept, if they are not.
    pub problem: Option<String>,
    /// Areas that differences leave out, by task; none is empty.
    areas: BTreeMap<TaskRef, Vec<IgnoredArea>>,
    /// Changes of ranges and areas that can be taken back, the newest last.
    past: Vec<NoteChange>,
    /// Those that were, to be done again.
    future: Vec<NoteChange>,
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

impl NoteChange {
    /// Whether another change is of what this one wrote, as the next letter is.
    fn goes_on_with(&self, next: &Self) -> bool {
        match (self, next) {
            (
                Self::Range { key, before: Some(_), after: after @ Some(_) },
                Self::Range { key: next_key, before: next_before, after: Some(_) },
            ) => key == next_key && after == next_before,
            _ => false,
        }
    }

    fn subject(&self) -> NoteSubject {
        match self {
            Self::Range { key, .. } => NoteSubject::Range(key.clone()),
            Self::Areas { task, .. } => NoteSubject::Areas(task.clone()),
        }
    }
}

impl IgnoredArea {
    /// What the width of a picture is in its unit.
    pub const WIDTH: f32 = 10_000.0;
    /// Nothing lies further down: a picture so high is none.
    const MOST: f32 = 10_000_000.0;
    /// What is narrower or lower was a slip of the hand.
    const LEAST: u32 = 20;

    /// An area between two places, in widths of a picture; `None` if it is too small to be meant.
    pub fn between(one: [f32; 2], other: [f32; 2]) -> Option<Self> {
        let (one, other) = (Self::in_units(one), Self::in_units(other));
        let min = [one[0].min(other[0]), one[1].min(other[1])];
        let max = [one[0].max(other[0]), one[1].max(other[1])];
        let is_meant = (0..2).all(|axis| max[axis] >= min[axis] + Self::LEAST);
        is_meant.then_some(Self { min, max })
    }

    fn in_units([x, y]: [f32; 2]) -> [u32; 2] {
        // Beside the picture is its edge, and what is no number is zero.
        let [x, y] = [x, y].map(|at| (at * Self::WIDTH).round());
        [x.clamp(0.0, Self::WIDTH) as u32, y.clamp(0.0, Self::MOST) as u32]
    }
}

impl KeptRange {
    /// What it is called: its name, or else its steps.
    pub fn title(&self, range: StepRange) -> String {
        match self.name.trim() {
            "" => format!("Steps {} to {}", range.first, range.last),
            name => name.to_owned(),
        }
    }
}

impl RangeKey {
    /// A range of a run.
    pub fn of(run: &LibraryRun, range: StepRange) -> Self {
        Self { run: NoteKey::run_id(&run.manifest, &run.dir), range }
    }
}

impl RunNotes {
    /// Whether the run or one of its steps is starred.
    pub fn has_star(&self) -> bool {
        self.all().any(|note| note.is_starred)
    }

    /// Whether something was written to the run or to one of its steps, or a range of them was kept.
    pub fn has_text(&self) -> bool {
        !self.ranges.is_empty() || self.all().any(|note| !note.text.trim().is_empty())
    }

    fn all(&self) -> impl Iterator<Item = &Note> {
        std::iter::once(&self.run).chain(self.steps.values())
    }
}

impl Notes {
    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.areas.is_empty()
    }

    /// Hashes which runs have a star and which have words, as filters and cells ask for them.
    pub(in crate::workbench) fn hash_marks(&self, hasher: &mut impl Hasher) {
        for (run, notes) in &self.runs {
            (run, notes.has_star(), notes.has_text()).hash(hasher);
        }
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

    /// A kept range, if there is one of these steps.
    pub fn range(&self, key: &RangeKey) -> Option<&KeptRange> {
        self.runs.get(&key.run)?.ranges.get(&key.range)
    }

    /// Whether a change of ranges or areas can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether one that was taken back can be done again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Puts a range in the place of what was there; `None` forgets it.
    pub(in crate::workbench) fn put_range(&mut self, key: &RangeKey, kept: Option<KeptRange>) {
        let run = self.runs.entry(key.run.clone()).or_default();
        match kept {
            Some(kept) => drop(run.ranges.insert(key.range, kept)),
            None => drop(run.ranges.remove(&key.range)),
        }
        if *run == RunNotes::default() {
            self.runs.remove(&key.run);
        }
    }

    /// The areas that differences of a task leave out, in the order they were drawn.
    pub fn areas(&self, task: &TaskRef) -> &[IgnoredArea] {
        self.areas.get(task).map(Vec::as_slice).unwrap_or_default()
    }

    /// Puts areas in the place of those that a task had.
    pub(in crate::workbench) fn put_areas(&mut self, task: &TaskRef, areas: Vec<IgnoredArea>) {
        if areas.is_empty() {
            self.areas.remove(task);
        } else {
            self.areas.insert(task.clone(), areas);
        }
    }

    /// Changes a range in a way that can be taken back.
    pub(in crate::workbench) fn change_range(&mut self, key: &RangeKey, after: Option<KeptRange>) {
        let before = self.range(key).cloned();
        self.change(NoteChange::Range { key: key.clone(), before, after });
    }

    /// The same with the areas of a task.
    pub(in crate::workbench) fn change_areas(&mut self, task: &TaskRef, after: Vec<IgnoredArea>) {
        let before = self.areas(task).to_vec();
        self.change(NoteChange::Areas { task: task.clone(), before, after });
    }

    fn change(&mut self, change: NoteChange) {
        let is_none = match &change {
            NoteChange::Range { before, after, .. } => before == after,
            NoteChange::Areas { before, after, .. } => before == after,
        };
        if is_none {
            return;
        }
        self.carry_out(&change, false);
        self.future.clear();
        match (self.past.last_mut(), change) {
            // Letter by letter it is one change: back goes what was there before the first.
            (Some(last), change) if last.goes_on_with(&change) => {
                if let (NoteChange::Range { after, .. }, NoteChange::Range { after: now, .. }) =
                    (last, change)
                {
                    *after = now;
                }
            }
            (_, change) => self.past.push(change),
        }
        let surplus = self.past.len().saturating_sub(MOST_CHANGES);
        self.past.drain(..surplus);
    }

    fn carry_out(&mut self, change: &NoteChange, is_back: bool) {
        match change {
            NoteChange::Range { key, before, after } => {
                self.put_range(key, if is_back { before } else { after }.clone());
            }
            NoteChange::Areas { task, before, after } => {
                self.put_areas(task, if is_back { before } else { after }.clone());
            }
        }
    }

    /// Takes the last change back, or does again what was taken back last; gives what is another now.
    pub(in crate::workbench) fn travel(&mut self, is_back: bool) -> Option<NoteSubject> {
        let change = if is_back { self.past.pop() } else { self.future.pop() }?;
        self.carry_out(&change, is_back);
        let subject = change.subject();
        if is_back {
            self.future.push(change);
        } else {
            self.past.push(change);
        }
        Some(subject)
    }

    /// Puts a note in the place of what was there; an empty one takes it away.
    pub(in crate::workbench) fn put(&mut self, key: NoteKey, note: Note) {
        let NoteKey { run: id, step } = key;
        let mut run = self.runs.remove(&id).unwrap_or_default();
        match step {
            Some(step) if note.is_empty() => {
                run.steps.remove(&step);
            }
            Some(step) => {
                run.steps.insert(step, note);
            }
            None if note.is_empty() => run.run = Note::default(),
            None => run.run = note,
        }
        if run != RunNotes::default() {
            self.runs.insert(id, run);
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

    #[test]
    fn a_range_is_kept_renamed_letter_by_letter_forgotten_and_brought_back() {
        let mut notes = Notes::default();
        let range = StepRange { first: 3, last: 9 };
        let key = RangeKey { run: "a".into(), range };
        let named = |name: &str| Some(KeptRange { name: name.into(), note: String::new() });
        for name in ["Range 1", "L", "Lo", "Login"] {
            notes.change_range(&key, named(name));
        }
        notes.change_range(&key, None);
        assert_eq!(notes.range(&key), None);
        let mut seen = Vec::new();
        while notes.travel(true).is_some() {
            seen.push(notes.range(&key).map(|kept| kept.name.clone()));
        }
        assert_eq!(seen, [Some("Login".to_owned()), Some("Range 1".to_owned()), None]);
        assert!(notes.is_empty() && notes.can_redo());
        assert_eq!(notes.travel(false), Some(NoteSubject::Range(key.clone())));
        assert_eq!(notes.range(&key).cloned(), named("Range 1"));
        // Another change forgets what was taken back.
        notes.change_range(&key, named("Header"));
        assert!(!notes.can_redo());
        assert_eq!(named("Header").unwrap().title(range), "Header");
        assert_eq!(KeptRange::default().title(range), "Steps 3 to 9");
    }

    #[test]
    fn areas_are_drawn_taken_away_and_brought_back_beside_ranges() {
        let mut notes = Notes::default();
        let task = TaskRef { set: "screens".into(), id: "login".into() };
        let area = IgnoredArea::between([0.9, 0.5], [0.1, 2.0]).unwrap();
        assert_eq!((area.min, area.max), ([1_000, 5_000], [9_000, 20_000]));
        assert_eq!(IgnoredArea::between([0.5, 0.5], [0.501, 0.9]), None, "a slip of the hand");
        assert_eq!(IgnoredArea::between([f32::NAN, 0.0], [f32::NAN, 1.0]), None);
        notes.change_areas(&task, vec![area]);
        notes.change_areas(&task, vec![area]);
        notes.change_areas(&task, Vec::new());
        assert_eq!(notes.travel(true), Some(NoteSubject::Areas(task.clone())));
        assert_eq!(notes.areas(&task), [area]);
        assert!(notes.travel(true).is_some() && notes.travel(true).is_none());
        assert!(notes.areas(&task).is_empty() && notes.is_empty());
    }
}
