//! What a suggestion would make of a design, to be drawn over it.

use serde::Serialize;

use super::suggestion::Suggestion;
use crate::base::{Point, Size};
use crate::design::{Document, DocumentError, Measure, NodeId};

/// A design as it would be, and what of it would be new.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// The design with the suggestion taken.
    pub after: Document,
    /// The nodes that would be added, removed or changed: those of the design as it would be in paint
    /// order, then those that would be gone.
    pub nodes: Vec<GhostNode>,
}

/// A node that would be another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GhostNode {
    /// Which.
    pub id: NodeId,
    /// What would become of it.
    pub change: GhostChange,
    /// The corners of its box before, in page coordinates, clockwise from its own left top corner;
    /// `None` of one that is added, and of one without a box.
    pub before: Option<[Point; 4]>,
    /// The same as it would be; `None` of one that is removed.
    pub after: Option<[Point; 4]>,
}

/// What would become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GhostChange {
    /// It would be there.
    Added,
    /// It would be gone.
    Removed,
    /// It would look otherwise, or lie elsewhere.
    Changed,
}

/// What the taken hunks of a suggestion would make of a design, which stays as it is.
///
/// # Errors
///
/// What the document refuses.
pub fn ghost(
    document: &Document,
    suggestion: &Suggestion,
    taken: &[usize],
    measure: &dyn Measure,
) -> Result<Ghost, DocumentError> {
    let after = suggestion.carried_out(document, taken, measure)?;
    let mut nodes = Vec::new();
    for node in after.iter_depth_first() {
        let was = document.get(&node.id);
        let before = was.and_then(|_| outline(document, &node.id));
        let now = outline(&after, &node.id);
        // What is only carried along by what it lies in does not count as changed itself.
        let is_same = was.is_some_and(|was| {
            let mut was = was.as_ref().clone();
            // Children that come or go are told by themselves.
            was.children.clone_from(&node.children);
            was == **node
        });
        if !is_same {
            let change = if was.is_some() { GhostChange::Changed } else { GhostChange::Added };
            nodes.push(GhostNode { id: node.id.clone(), change, before, after: now });
        }
    }
    for gone in document.iter_depth_first().filter(|node| after.get(&node.id).is_none()) {
        let before = outline(document, &gone.id);
        let change = GhostChange::Removed;
        nodes.push(GhostNode { id: gone.id.clone(), change, before, after: None });
    }
    Ok(Ghost { after, nodes })
}

/// The corners of a node's box on the page.
fn outline(document: &Document, id: &NodeId) -> Option<[Point; 4]> {
    let node = document.get(id).filter(|node| node.has_box())?;
    let page_from_node = document.absolute_transform(id).ok()?;
    let Size { width, height } = node.size;
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    Some(corners.map(|(x, y)| page_from_node.apply(Point::new(x, y))))
}
