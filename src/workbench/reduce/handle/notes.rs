//! Notes and stars.

use crate::workbench::model::{Note, NoteKey, State};
use crate::workbench::protocol::Request;

/// Keeps a note on a run or a step.
pub(super) fn put(state: &mut State, key: NoteKey, note: Note) -> Vec<Request> {
    state.notes.put(key.clone(), note.clone());
    vec![Request::KeepNote { key, note }]
}

/// Stars what is not starred, and the other way round; the text stays.
pub(super) fn toggle_star(state: &mut State, key: NoteKey) -> Vec<Request> {
    let now = state.notes.note(&key).cloned().unwrap_or_default();
    put(state, key, Note { is_starred: !now.is_starred, ..now })
}
