//! Where an undo or a redo changed something.

use std::collections::HashSet;

use crate::base::Rect;
use crate::design::{Document, NodeId};

/// Where the last undo or redo changed something.
#[derive(Clone, Debug, PartialEq)]
pub struct Travelled {
    /// The number of that step.
    pub step: u64,
    /// The boxes of what it changed, on the page; of what is gone, where it was.
    pub boxes: Vec<Rect>,
    /// The page of the first of them, of a design with pages.
    pub page: Option<NodeId>,
}

impl Travelled {
    /// What a step between two designs changed. What only holds something else that it changed is not meant.
    pub(super) fn of(step: u64, nodes: &[NodeId], [before, after]: [&Document; 2]) -> Self {
        let mut around: HashSet<&NodeId> = HashSet::new();
        for document in [before, after] {
            around.extend(nodes.iter().flat_map(|id| document.ancestors(id)).map(|node| &node.id));
        }
        let meant = nodes.iter().filter(|id| !around.contains(id));
        let meant = meant.filter_map(|id| {
            let document = if after.get(id).is_some() { after } else { before };
            document.get(id).filter(|node| node.has_box())?;
            Some((document, id, document.absolute_box(id).ok()?))
        });
        let meant: Vec<(&Document, &NodeId, Rect)> = meant.collect();
        let first = meant.first().and_then(|(document, id, _)| document.page_of(id));
        let boxes = meant.iter().map(|(_, _, bounds)| *bounds).collect();
        Self { step, boxes, page: first.map(|page| page.id.clone()) }
    }
}
