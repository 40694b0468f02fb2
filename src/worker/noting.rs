//! The thread that keeps people's notes, the ranges of steps that they keep, and the areas that they leave out.
//!
//! It has the workspace's file to itself, so that a note does not wait behind the scores of thousands
//! of runs. What is typed on while it writes takes the place of what is not written yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use crate::run::TaskRef;
use crate::store::{Store, StoreError, StoredArea, StoredNote, StoredRange};
use crate::workbench::{Event, IgnoredArea, KeptRange, Note, NoteKey, RangeKey, StepRange};

use super::shared::Shared;

/// What is to be kept, by what it is on: the newest of each.
#[derive(Debug, Default)]
struct Waiting {
    notes: BTreeMap<NoteKey, Note>,
    ranges: BTreeMap<RangeKey, Option<KeptRange>>,
    areas: BTreeMap<TaskRef, Vec<IgnoredArea>>,
}

/// Where notes are left for the thread.
#[derive(Debug)]
pub(super) struct NoteBox {
    waiting: Arc<Mutex<Waiting>>,
    has_news: Sender<()>,
}

/// The thread's end of a [`NoteBox`].
#[derive(Debug)]
pub(super) struct WaitingNotes {
    waiting: Arc<Mutex<Waiting>>,
    news: Receiver<()>,
}

impl NoteBox {
    /// A box and the thread's end of it.
    pub(super) fn new() -> (Self, WaitingNotes) {
        let waiting = Arc::<Mutex<Waiting>>::default();
        let (has_news, news) = bounded(1);
        (Self { waiting: Arc::clone(&waiting), has_news }, WaitingNotes { waiting, news })
    }

    /// Leaves a note to be kept; never waits for the disk.
    pub(super) fn put(&self, key: NoteKey, note: Note) {
        self.waiting.lock().notes.insert(key, note);
        // A word that was not heard yet is for this note too.
        self.has_news.try_send(()).ok();
    }

    /// Leaves the areas of a task to be kept.
    pub(super) fn put_areas(&self, task: TaskRef, areas: Vec<IgnoredArea>) {
        self.waiting.lock().areas.insert(task, areas);
        self.has_news.try_send(()).ok();
    }

    /// Leaves a range to be kept, or to be forgotten.
    pub(super) fn put_range(&self, key: RangeKey, kept: Option<KeptRange>) {
        self.waiting.lock().ranges.insert(key, kept);
        self.has_news.try_send(()).ok();
    }
}

/// Tells all notes there are, then keeps those that come, to the last.
pub(super) fn keep_until_closed(shared: &Shared, workspace: Option<PathBuf>, notes: &WaitingNotes) {
    let Some(path) = workspace else {
        let message = "there is no workspace file".to_owned();
        shared.mailbox.send(Event::NotesLost { message });
        return;
    };
    let mut store = read_all(shared, &path);
    loop {
        let is_open = notes.news.recv().is_ok();
        let news = std::mem::take(&mut *notes.waiting.lock());
        let kept = keep(&mut store, &path, news);
        for error in kept {
            shared.mailbox.send(Event::NotesLost { message: error.to_string() });
        }
        if !is_open {
            return;
        }
    }
}

fn read_all(shared: &Shared, path: &Path) -> Option<Store> {
    let store = Store::open(path);
    match store.and_then(|store| Ok((read_notes(&store)?, store))) {
        Ok((read, store)) => {
            shared.mailbox.send(read);
            Some(store)
        }
        Err(error) => {
            shared.mailbox.send(Event::NotesLost { message: error.to_string() });
            None
        }
    }
}

/// All that people wrote, kept and left out, as it is told to the workbench.
///
/// # Errors
///
/// [`StoreError`] where the file cannot be read.
pub fn read_notes(store: &Store) -> Result<Event, StoreError> {
    let notes = store.notes()?.into_iter().map(|row| {
        let note = Note { is_starred: row.is_starred, text: row.text };
        (NoteKey { run: row.run, step: row.step }, note)
    });
    let ranges = store.ranges()?.into_iter().map(|row| {
        let range = StepRange { first: row.first, last: row.last };
        (RangeKey { run: row.run, range }, KeptRange { name: row.name, note: row.note })
    });
    let (notes, ranges) = (notes.collect(), ranges.collect());
    Ok(Event::NotesRead { notes, ranges, areas: by_task(store.areas()?).into_iter().collect() })
}

/// Writes what waits; gives what went wrong. After a failure the file is opened anew: a full disk may have room by
/// the next.
fn keep(store: &mut Option<Store>, path: &Path, news: Waiting) -> Vec<StoreError> {
    let mut errors = Vec::new();
    for (NoteKey { run, step }, note) in news.notes {
        let row = StoredNote { run, step, is_starred: note.is_starred, text: note.text };
        errors.extend(write(store, path, |store| store.put_note(&row)).err());
    }
    for (RangeKey { run, range: StepRange { first, last } }, kept) in news.ranges {
        let written = write(store, path, |store| match kept {
            None => store.forget_range(&run, first, last),
            Some(KeptRange { name, note }) => {
                store.put_range(&StoredRange { run, first, last, name, note })
            }
        });
        errors.extend(written.err());
    }
    for (TaskRef { set, id }, areas) in news.areas {
        let areas: Vec<[u32; 4]> = areas
            .iter()
            .map(|IgnoredArea { min: [left, top], max: [right, bottom] }| {
                [*left, *top, *right, *bottom]
            })
            .collect();
        errors.extend(write(store, path, |store| store.put_areas(&set, &id, &areas)).err());
    }
    errors
}

fn by_task(drawn: Vec<StoredArea>) -> BTreeMap<TaskRef, Vec<IgnoredArea>> {
    let mut areas: BTreeMap<TaskRef, Vec<IgnoredArea>> = BTreeMap::new();
    for StoredArea { task_set, task, min, max } in drawn {
        let task = TaskRef { set: task_set, id: task };
        areas.entry(task).or_default().push(IgnoredArea { min, max });
    }
    areas
}

fn write(
    store: &mut Option<Store>,
    path: &Path,
    put: impl FnOnce(&Store) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let open = match store.take() {
        Some(open) => open,
        None => Store::open(path)?,
    };
    put(&open)?;
    *store = Some(open);
    Ok(())
}
