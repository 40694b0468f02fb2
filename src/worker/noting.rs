//! The thread that keeps people's notes, the ranges of steps that they keep, and the areas that they leave out.
//!
//! It has the workspace's file to itself, so that a note does not wait behind the scores of thousands
//! of runs. What is typed on while it writes takes the place of what is not written yet. What cannot be written,
//! or read at first, waits, and is tried again with the next note, every second, and when the window is closed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use crate::run::TaskRef;
use crate::store::{Store, StoreError, StoredArea, StoredNote, StoredRange};
use crate::workbench::{Event, IgnoredArea, KeptRange, Note, NoteKey, RangeKey, StepRange};

use super::shared::{Shared, is_news};

/// How soon what could not be written is tried again.
const RETRY: Duration = Duration::from_secs(1);

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

impl Waiting {
    fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.ranges.is_empty() && self.areas.is_empty()
    }
}

impl WaitingNotes {
    /// Waits for something to keep, or to try again; `false` once nobody can leave anything any more.
    fn wait(&self, is_read: bool) -> bool {
        // What could not be written, or read, has no word of its own left.
        if is_read && self.waiting.lock().is_empty() {
            self.news.recv().is_ok()
        } else {
            self.news.recv_timeout(RETRY) != Err(RecvTimeoutError::Disconnected)
        }
    }

    fn take(&self) -> Waiting {
        std::mem::take(&mut *self.waiting.lock())
    }

    /// Has what was not written wait again, but for what something newer waits in the place of.
    fn put_back(&self, left: Waiting) {
        let mut waiting = self.waiting.lock();
        for (key, note) in left.notes {
            waiting.notes.entry(key).or_insert(note);
        }
        for (key, kept) in left.ranges {
            waiting.ranges.entry(key).or_insert(kept);
        }
        for (task, areas) in left.areas {
            waiting.areas.entry(task).or_insert(areas);
        }
    }
}

/// The workspace's file in the thread's hands.
#[derive(Debug)]
struct Keeper {
    path: PathBuf,
    /// `None` until it is open, and after a failure: a full disk may have room by the next try.
    store: Option<Store>,
    /// Whether all that it holds was told.
    is_read: bool,
    /// Why notes are not kept, as it was told last; `None` while they are.
    told: Option<String>,
}

/// Tells all notes there are, then keeps those that come, to the last.
pub(super) fn keep_until_closed(shared: &Shared, workspace: Option<PathBuf>, notes: &WaitingNotes) {
    let Some(path) = workspace else {
        let message = "there is no workspace file".to_owned();
        shared.mailbox.send(Event::NotesLost { message });
        return;
    };
    let mut keeper = Keeper { path, store: None, is_read: false, told: None };
    let read = keeper.read(shared);
    keeper.tell(shared, read);
    loop {
        let is_open = notes.wait(keeper.is_read);
        // What was there before is seen before it can be written over.
        let read = keeper.read(shared);
        let (left, why) = keep(&mut keeper.store, &keeper.path, notes.take());
        notes.put_back(left);
        keeper.tell(shared, why.map_or(read, Err));
        if !is_open {
            return;
        }
    }
}

impl Keeper {
    /// Tells all that the file holds, unless that was done before.
    fn read(&mut self, shared: &Shared) -> Result<(), StoreError> {
        if self.is_read {
            return Ok(());
        }
        let store = match self.store.take() {
            Some(open) => open,
            None => Store::open(&self.path)?,
        };
        shared.mailbox.send(read_notes(&store)?);
        self.store = Some(store);
        self.is_read = true;
        Ok(())
    }

    /// Tells that notes are not kept, or are again: each once.
    fn tell(&mut self, shared: &Shared, done: Result<(), StoreError>) {
        match done.map_err(|error| error.to_string()) {
            Ok(()) if self.told.take().is_some() => shared.mailbox.send(Event::NotesKept),
            Err(message) if is_news(&mut self.told, &message) => {
                shared.mailbox.send(Event::NotesLost { message });
            }
            Ok(()) | Err(_) => {}
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

/// Writes what waits; gives what could not be written, and why not. After a failure the file is opened anew.
fn keep(store: &mut Option<Store>, path: &Path, news: Waiting) -> (Waiting, Option<StoreError>) {
    let (mut left, mut why) = (Waiting::default(), None);
    for (key, note) in news.notes {
        let (run, text) = (key.run.clone(), note.text.clone());
        let row = StoredNote { run, step: key.step, is_starred: note.is_starred, text };
        if let Err(error) = write(store, path, |store| store.put_note(&row)) {
            left.notes.insert(key, note);
            why.get_or_insert(error);
        }
    }
    for (key, kept) in news.ranges {
        let StepRange { first, last } = key.range;
        let written = write(store, path, |store| match kept.clone() {
            None => store.forget_range(&key.run, first, last),
            Some(KeptRange { name, note }) => {
                let run = key.run.clone();
                store.put_range(&StoredRange { run, first, last, name, note })
            }
        });
        if let Err(error) = written {
            left.ranges.insert(key, kept);
            why.get_or_insert(error);
        }
    }
    for (task, areas) in news.areas {
        let rows: Vec<[u32; 4]> = areas
            .iter()
            .map(|IgnoredArea { min: [left, top], max: [right, bottom] }| {
                [*left, *top, *right, *bottom]
            })
            .collect();
        if let Err(error) = write(store, path, |store| store.put_areas(&task.set, &task.id, &rows))
        {
            left.areas.insert(task, areas);
            why.get_or_insert(error);
        }
    }
    (left, why)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_waits_until_it_can_be_and_what_is_newer_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("workspace.sqlite");
        // A folder is no file to write to.
        std::fs::create_dir(&path).unwrap();
        let (notes, waiting) = NoteBox::new();
        let put = |run: &str, text: &str| {
            let note = Note { is_starred: false, text: text.to_owned() };
            notes.put(NoteKey { run: run.to_owned(), step: Some(1) }, note);
        };
        put("a", "The headi");
        put("b", "Cut off.");
        let range = RangeKey { run: "a".to_owned(), range: StepRange { first: 1, last: 2 } };
        notes.put_range(range, Some(KeptRange::default()));
        let task = TaskRef { set: "screens".to_owned(), id: "login".to_owned() };
        notes.put_areas(task, vec![IgnoredArea { min: [0, 0], max: [900, 900] }]);
        let mut store = None;
        let (left, why) = keep(&mut store, &path, waiting.take());
        assert!(why.is_some());
        put("a", "The heading");
        waiting.put_back(left);

        std::fs::remove_dir(&path).unwrap();
        let (left, why) = keep(&mut store, &path, waiting.take());
        assert!(left.is_empty() && why.is_none(), "{left:?} {why:?}");
        let store = Store::open(&path).unwrap();
        let mut texts: Vec<String> =
            store.notes().unwrap().into_iter().map(|row| row.text).collect();
        texts.sort();
        assert_eq!(texts, ["Cut off.", "The heading"]);
        assert_eq!((store.ranges().unwrap().len(), store.areas().unwrap().len()), (1, 1));
    }
}
