//! Selecting.

use super::editing::Editor;
use super::selection::{SelectAct, Selection};
use crate::design::NodeId;
use crate::design::gesture::can_be_hit;

/// Selects.
pub(super) fn select(editor: &mut Editor, act: SelectAct) {
    let document = editor.document();
    let selected = editor.selection().nodes.clone();
    let parent_of = |id: &NodeId| document.get(id).and_then(|node| node.parent.clone());
    let siblings = |id: Option<&NodeId>| -> Vec<NodeId> {
        let parent = match id {
            Some(id) => parent_of(id),
            None => editor.ground(),
        };
        document.children_of(parent.as_ref()).iter().cloned().collect()
    };
    // Who goes by siblings passes over what a click could not select either.
    let is_open = |id: &NodeId| document.get(id).is_some_and(|node| can_be_hit(node));
    let nodes = match act {
        SelectAct::Only(nodes) => {
            let mut once: Vec<NodeId> = Vec::new();
            for id in nodes {
                if document.get(&id).is_some() && !once.contains(&id) {
                    once.push(id);
                }
            }
            once
        }
        SelectAct::Toggle(id) => {
            let mut nodes = selected;
            match nodes.iter().position(|it| *it == id) {
                Some(at) => drop(nodes.remove(at)),
                None => nodes.extend(document.get(&id).map(|_| id)),
            }
            nodes
        }
        SelectAct::Siblings => {
            let mut all = siblings(selected.last());
            all.retain(is_open);
            all
        }
        SelectAct::Inverse => {
            let mut all = siblings(selected.last());
            all.retain(|id| is_open(id) && !selected.contains(id));
            all
        }
        SelectAct::None => Vec::new(),
        SelectAct::Children => {
            let children = selected.iter().flat_map(|id| document.children_of(Some(id)).iter());
            let children: Vec<NodeId> = children.cloned().collect();
            if children.is_empty() { selected } else { children }
        }
        SelectAct::Parent => {
            let mut parents: Vec<NodeId> = Vec::new();
            for parent in selected.iter().filter_map(parent_of) {
                let is_page = document.get(&parent).is_some_and(|it| it.kind.is_file_or_page());
                if !is_page && !parents.contains(&parent) {
                    parents.push(parent);
                }
            }
            if parents.is_empty() { selected } else { parents }
        }
        SelectAct::SiblingBy(by) => {
            let mut all = siblings(selected.last());
            // From where it is, wherever that is.
            all.retain(|id| is_open(id) || Some(id) == selected.last());
            let at = selected.last().and_then(|id| all.iter().position(|it| it == id));
            let count = i64::try_from(all.len()).unwrap_or(i64::MAX);
            let next = match at.and_then(|at| i64::try_from(at).ok()) {
                Some(at) if count > 0 => (at + i64::from(by)).rem_euclid(count),
                _ => 0,
            };
            let next = usize::try_from(next).ok().and_then(|next| all.get(next));
            next.cloned().into_iter().collect()
        }
    };
    let selection = Selection::of_nodes(document, nodes);
    editor.set_selection(selection);
}
