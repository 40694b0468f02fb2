//! Copy, cut, paste.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;

/// What is done with the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipboardAct {}

/// Does it.
pub(super) fn clipboard_act(
    _editor: &mut Editor,
    act: ClipboardAct,
    _context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {}
}
