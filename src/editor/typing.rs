//! Text in place.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;

/// What is done to a text in place.
#[derive(Clone, Debug, PartialEq)]
pub enum TypingAct {}

/// Does it.
pub(super) fn typing_act(
    _editor: &mut Editor,
    act: TypingAct,
    _context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {}
}
