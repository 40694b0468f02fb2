//! What the tree of layers lists.

use std::collections::BTreeSet;

use crate::design::{Document, Node, NodeId};

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// The layer.
    pub id: NodeId,
    /// How many layers it lies in.
    pub depth: u32,
    /// Whether what lies in it is not listed; `None` of a layer in which nothing lies.
    pub folded: Option<bool>,
    /// Whether its name is what was searched for; all are while nothing is.
    pub is_match: bool,
}

/// The rows of a design, the layer in front first. What lies in a layer is listed where that is `open`. With words in
/// `search`, the layers whose names have them, and what they lie in, open or not. Pages are no layers.
pub fn tree_rows(document: &Document, open: &BTreeSet<NodeId>, search: &str) -> Vec<TreeRow> {
    let search = search.trim().to_lowercase();
    let found = (!search.is_empty()).then(|| LayerMatches::by_name(document, &search));
    let mut rows = Vec::new();
    // The last of the stack is next: children lie on it in their own order, so that the front one comes first.
    let mut stack: Vec<(&NodeId, u32)> = document.roots().iter().map(|id| (id, 0)).collect();
    while let Some((id, depth)) = stack.pop() {
        let Some(node) = document.get(id) else { continue };
        if node.kind.is_file_or_page() {
            stack.extend(node.children.iter().map(|child| (child, depth)));
            continue;
        }
        if found.as_ref().is_some_and(|found| !found.listed.contains(id)) {
            continue;
        }
        let has_rows = node.children.iter().any(|child| match &found {
            Some(found) => found.listed.contains(child),
            None => true,
        });
        let is_open = found.is_some() || open.contains(id);
        rows.push(TreeRow {
            id: id.clone(),
            depth,
            folded: has_rows.then_some(!is_open),
            is_match: found.as_ref().is_none_or(|found| found.matches.contains(id)),
        });
        if is_open {
            stack.extend(node.children.iter().map(|child| (child, depth + 1)));
        }
    }
    rows
}

/// What is open before anybody opened or folded anything: the frames on the page.
pub fn open_at_first(document: &Document) -> BTreeSet<NodeId> {
    let is_page = |id: &NodeId| document.get(id).is_some_and(|node| node.kind.is_file_or_page());
    let nodes = document.iter_depth_first();
    let on_page = nodes
        .filter(|node| !node.kind.is_file_or_page() && node.parent.as_ref().is_none_or(is_page));
    on_page.map(|node| node.id.clone()).collect()
}

/// What was searched for.
#[derive(Debug, Default)]
struct LayerMatches<'d> {
    matches: BTreeSet<&'d NodeId>,
    /// Those and what they lie in.
    listed: BTreeSet<&'d NodeId>,
}

impl<'d> LayerMatches<'d> {
    fn by_name(document: &'d Document, search: &str) -> Self {
        let mut found = Self::default();
        for node in document.iter_depth_first() {
            if node.kind.is_file_or_page() || !has_in_name(node, search) {
                continue;
            }
            found.matches.insert(&node.id);
            found.listed.insert(&node.id);
            for around in document.ancestors(&node.id) {
                // What is around that one is listed already.
                if !found.listed.insert(&around.id) {
                    break;
                }
            }
        }
        found
    }
}

fn has_in_name(node: &Node, search: &str) -> bool {
    node.name.to_lowercase().contains(search)
}
