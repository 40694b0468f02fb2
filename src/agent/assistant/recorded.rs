//! What somebody did by hand, as tool calls.

use std::sync::Arc;

use super::playing::calls_of;
use crate::base::Rect;
use crate::design::diff::{NodeDiff, diff, pair_by_id};
use crate::design::hunk::{Field, Hunk, HunkChange};
use crate::design::{ChildList, Document, Node, NodeId};
use crate::environment::ToolCall;
use crate::environment::canvas::CanvasSettings;

/// The tool calls of the canvas that lead from a design, opened there, to what a gesture made of it; none
/// where no tools lead to exactly that, so that what is replayed is always the same document.
///
/// `acted_on` are the nodes that the gesture was about: what follows of others, such as the box of a group
/// around them, needs no call.
pub fn recorded_calls(
    before: &Document,
    after: &Document,
    acted_on: &[NodeId],
    settings: &CanvasSettings,
) -> Vec<ToolCall> {
    let own: Vec<Hunk> = acted_on.iter().flat_map(|id| placed(id, before, after)).collect();
    let calls = played(&own, before, after, settings);
    if calls.is_empty() { played(&all(before, after), before, after, settings) } else { calls }
}

fn played(
    hunks: &[Hunk],
    before: &Document,
    after: &Document,
    settings: &CanvasSettings,
) -> Vec<ToolCall> {
    if hunks.is_empty() { Vec::new() } else { calls_of(hunks, before, after, settings) }
}

/// How a node lies otherwise on the page, whatever became of what it lies in.
fn placed(id: &NodeId, before: &Document, after: &Document) -> Vec<Hunk> {
    let (Some(was), Some(now)) = (before.get(id), after.get(id)) else { return Vec::new() };
    let corners = [before, after].map(|document| document.absolute_box(id).ok().map(Rect::origin));
    let fields = [
        (Field::Rotation, !Field::Rotation.is_same(was, now)),
        (Field::Size, !Field::Size.is_same(was, now)),
        // Last, as the others may move it.
        (Field::Place, corners[0] != corners[1]),
    ];
    let changed = fields.into_iter().filter(|(_, is_other)| *is_other);
    changed.filter_map(|(field, _)| Hunk::set(before, id, field, now)).collect()
}

/// All that changed.
fn all(before: &Document, after: &Document) -> Vec<Hunk> {
    let differences = diff(before, after, &pair_by_id(before, after));
    let hunks = differences.nodes.iter().flat_map(|differing| hunks_of(differing, before, after));
    let mut hunks: Vec<Hunk> = hunks.collect();
    // New nodes first, as others may go into them; what is gone last, as others may come out of it.
    hunks.sort_by_key(|hunk| match hunk.change {
        HunkChange::Insert { .. } => 0,
        HunkChange::Reparent { .. } => 1,
        HunkChange::Set { .. } => 2,
        HunkChange::Remove => 3,
        HunkChange::Reorder { .. } => 4,
    });
    hunks
}

/// What changed of a node, field by field.
fn hunks_of(differing: &NodeDiff, before: &Document, after: &Document) -> Vec<Hunk> {
    let was = differing.before.as_ref();
    let now = differing.after.as_ref().and_then(|id| after.get(id));
    match (was, now) {
        (None, Some(now)) => {
            let alone = Node { children: ChildList::new(), ..Node::clone(now) };
            let index = index_of(now, after);
            Hunk::insert(vec![Arc::new(alone)], now.parent.clone(), index).into_iter().collect()
        }
        (Some(was), None) => {
            // What goes with its parent needs no call of its own.
            let parent = before.get(was).and_then(|node| node.parent.as_ref());
            let is_top = parent.is_none_or(|parent| after.get(parent).is_some());
            let hunk = Hunk::new(before, was, HunkChange::Remove);
            hunk.filter(|_| is_top).into_iter().collect()
        }
        (Some(was), Some(now)) => {
            let fields = differing.changes.iter().flat_map(Field::of_change);
            let changes = fields.map(|field| match field {
                Field::Parent => HunkChange::Reparent {
                    parent: now.parent.clone(),
                    index: index_of(now, after),
                    transform: now.transform,
                },
                Field::Order => HunkChange::Reorder { index: index_of(now, after) },
                field => HunkChange::Set { field, like: Arc::clone(now) },
            });
            changes.filter_map(|change| Hunk::new(before, was, change)).collect()
        }
        (None, None) => Vec::new(),
    }
}

/// The place of a node among its siblings, from the bottom.
fn index_of(node: &Node, document: &Document) -> usize {
    document.children_of(node.parent.as_ref()).position(&node.id).unwrap_or_default()
}
