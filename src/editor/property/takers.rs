//! Which of the nodes that are selected can have a property.

use crate::design::{Document, Node, NodeId};
use crate::editor::error::EditorError;

/// Whether something is a layer, and neither a file nor a page: all layers have effects and can be exported.
pub(super) fn is_layer(node: &Node) -> bool {
    !node.kind.is_file_or_page()
}

/// Those of the nodes that can have it; where none can, `why` says so.
pub(super) fn takers(
    document: &Document,
    nodes: &[NodeId],
    takes: impl Fn(&Node) -> bool,
    why: impl FnOnce() -> String,
) -> Result<Vec<NodeId>, EditorError> {
    let can = |id: &&NodeId| document.get(id).is_some_and(|node| takes(node));
    let takers: Vec<NodeId> = nodes.iter().filter(can).cloned().collect();
    if takers.is_empty() {
        return Err(EditorError::NotPossible(why()));
    }
    Ok(takers)
}
