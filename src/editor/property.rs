//! Numbers, colours and words of the panel at the side.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;

/// A property that is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyAct {}

/// Does it.
pub(super) fn property_act(
    _editor: &mut Editor,
    act: PropertyAct,
    _context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {}
}
