//! The tree of layers

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;

///  names, locks, eyes, dragging rows.:What is done in the tree of layers.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerAct {}

/// Does it.
pub(super) fn layers_act(
    _editor: &mut Editor,
    act: LayerAct,
    _context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {}
}
