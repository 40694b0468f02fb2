//! The thread that keeps people's notes.
//!
//! It has the workspace's file to itself, so that a note does not wait behind the scores of thousands
//! of runs. What is typed on while it writes takes the place of what is not written yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use crate::store::{Store, StoredNote};
use crate::workbench::{Event, Note, NoteKey};

use super::shared::Shared;

/// Where notes are left for the thread.
#[derive(Debug)]
pub(super) struct NoteBox {
    waiting: Arc<Mutex<BTreeMap<NoteKey, Note>>>,
    has_news: Sender<()>,
}

/// The thread's end of a [`NoteBox`].
#[derive(Debug)]
pub(super) struct WaitingNotes {
    waiting: Arc<Mutex<BTreeMap<NoteKey, Note>>>,
    news: Receiver<()>,
}

impl NoteBox {
    /// A box and the thread's end of it.
    pub(super) fn new() -> (Self, WaitingNotes) {
        let waiting = Arc::<Mutex<BTreeMap<NoteKey, Note>>>::default();
        let (has_news, news) = bounded(1);
        (Self { waiting: Arc::clone(&waiting), has_news }, WaitingNotes { waiting, news })
    }

    /// Leaves a note to be kept; never waits for the disk.
    pub(super) fn put(&self, key: NoteKey, note: Note) {
        self.waiting.lock().insert(key, note);
        // A word that was not heard yet is for this note too.
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
        for (key, note) in news {
            if let Err(message) = keep(&mut store, &path, key, note) {
                shared.mailbox.send(Event::NotesLost { message });
            }
        }
        if !is_open {
            return;
        }
    }
}

fn read_all(shared: &Shared, path: &Path) -> Option<Store> {
    let store = Store::open(path);
    match store.and_then(|store| store.notes().map(|notes| (store, notes))) {
        Ok((store, rows)) => {
            let mut notes = Vec::with_capacity(rows.len());
            for row in rows {
                let note = Note { is_starred: row.is_starred, text: row.text };
                notes.push((NoteKey { run: row.run, step: row.step }, note));
            }
            shared.mailbox.send(Event::NotesRead { notes });
            Some(store)
        }
        Err(error) => {
            shared.mailbox.send(Event::NotesLost { message: error.to_string() });
            None
        }
    }
}

/// Writes a note. After a failure the file is opened anew: a full disk may have room by the next.
fn keep(store: &mut Option<Store>, path: &Path, key: NoteKey, note: Note) -> Result<(), String> {
    let open = match store.take() {
        Some(open) => open,
        None => Store::open(path).map_err(|error| error.to_string())?,
    };
    let NoteKey { run, step } = key;
    let row = StoredNote { run, step, is_starred: note.is_starred, text: note.text };
    open.put_note(&row).map_err(|error| error.to_string())?;
    *store = Some(open);
    Ok(())
}
