//! What a change touched, and what has to be laid out again for it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sizing::{layout_of, placed_by};
use super::solver::Solver;
use super::text;
use crate::design::auto_layout::CounterAlign;
use crate::design::document::Document;
use crate::design::edit::{Edit, Transaction};
use crate::design::measure::Measure;
use crate::design::node::Node;
use crate::design::node_id::NodeId;
use crate::design::text::AutoResize;

/// How often one tree is laid out at most while a change settles. Each time but the first follows
/// from a group or a plain frame in between.
const TURNS: usize = 8;

impl Transaction<'_> {
    /// Ends the transaction as [`Self::commit`], after what follows from the changes was done: the
    /// size of texts that resize themselves, the boxes of groups and combined shapes, and auto layout.
    pub fn commit_with(mut self, measure: &dyn Measure) -> Edit {
        // Texts first: the box of a group, and the room in a frame, depend on what their letters take.
        for (id, was) in self.touched().clone() {
            settle_text(&mut self, &id, was.as_deref(), measure);
        }
        self.fit_boxes(measure);
        let stale = stale_frames(self.document(), self.touched());
        lay_out(&mut self, stale, measure);
        self.commit()
    }
}

/// Lays out every frame with auto layout in the subtree of a node, whether something in it was
/// changed or not. Texts count with the size they have, until their width changes.
pub fn lay_out_all(change: &mut Transaction<'_>, root: &NodeId, measure: &dyn Measure) {
    // All of them count as stale, so that none is passed over for being as it was.
    let frames = change.document().subtree(root).filter(|node| layout_of(node).is_some());
    let stale = frames.map(|node| node.id.clone()).collect();
    lay_out(change, stale, measure);
}

/// Fits a text if it is new here or what decides its size changed. A text from a file is measured
/// only then, as its font may not be there.
fn settle_text(
    change: &mut Transaction<'_>,
    id: &NodeId,
    was: Option<&Node>,
    measure: &dyn Measure,
) {
    text::reconcile(change, id, was);
    let Some(node) = change.document().get(id) else { return };
    let Some(now) = node.text() else { return };
    let fits = match was {
        None => node.origin.is_none(),
        Some(was) => {
            // Its own height is not asked after: it is what follows.
            let follows_width = now.style.auto_resize == AutoResize::Height;
            was.text().is_none_or(|was| text::differs(was, now))
                || was.layout_item != node.layout_item
                || (follows_width && was.size.width != node.size.width)
        }
    };
    if fits {
        text::fit(change, id, measure);
    }
}

/// The frames whose children have to be placed again, by the nodes that changed.
///
/// Nodes put in from a file are laid out already; those made here are not.
fn stale_frames(
    document: &Document,
    before: &BTreeMap<NodeId, Option<Arc<Node>>>,
) -> BTreeSet<NodeId> {
    let mut stale = BTreeSet::new();
    for (id, was) in before {
        let Some(now) = document.get(id) else { continue };
        let Some(was) = was else {
            // A frame that came with its file is laid out; of its parent the children changed as well.
            if layout_of(now).is_some() && now.origin.is_none() {
                stale.insert(id.clone());
            }
            continue;
        };
        if layout_of(now).is_some() && is_other_frame(was, now) {
            stale.insert(id.clone());
        }
        let parent = now.parent.as_ref().and_then(|parent| document.get(parent));
        if let Some(parent) = parent.filter(|parent| layout_of(parent).is_some())
            && is_other_item(was, now, parent)
        {
            stale.insert(parent.id.clone());
        }
    }
    stale
}

/// Whether a frame may place its children otherwise.
fn is_other_frame(was: &Node, now: &Node) -> bool {
    // The outline takes room only in a frame that says so.
    let counts_strokes = layout_of(now).is_some_and(|layout| layout.includes_strokes);
    was.auto_layout != now.auto_layout
        || was.children != now.children
        || was.size != now.size
        || was.layout_item != now.layout_item
        || (counts_strokes && was.stroke != now.stroke)
}

/// Whether a child may be placed otherwise by its parent.
fn is_other_item(was: &Node, now: &Node, parent: &Node) -> bool {
    // Whatever else changed of it (fills, names) leaves everyone where they are.
    let Some(layout) = layout_of(parent) else { return false };
    let stands_on_line = layout.counter_align == CounterAlign::Baseline;
    was.transform != now.transform
        || was.size != now.size
        || was.visible != now.visible
        || was.layout_item != now.layout_item
        || was.has_box() != now.has_box()
        || (layout.includes_strokes && was.stroke != now.stroke)
        || (stands_on_line && was.text() != now.text())
}

/// Lays out the trees of these frames, the innermost first, and what follows from that.
fn lay_out(change: &mut Transaction<'_>, stale: BTreeSet<NodeId>, measure: &dyn Measure) {
    let mut turns: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut trees = Trees::default();
    trees.add(change.document(), stale);
    // The innermost first, as what is around follows from it and is done once, not twice.
    while let Some((root, stale)) = trees.next() {
        let turn = turns.entry(root.clone()).or_default();
        *turn += 1;
        // Two trees that each change the other could go on for ever; the last state is as good as any.
        if *turn > TURNS {
            continue;
        }
        let was = change.document().get(&root).cloned();
        let resized = lay_out_tree(change, &root, stale, measure);
        // Plain frames in the tree pass their new size on by constraints, to trees further in and to texts.
        let (texts, frames): (Vec<_>, Vec<_>) = resized
            .into_iter()
            .partition(|id| change.document().get(id).is_some_and(|node| node.text().is_some()));
        trees.add(change.document(), frames);
        for id in texts {
            let was = change.touched().get(&id).cloned().flatten();
            text::reconcile(change, &id, was.as_deref());
            text::fit(change, &id, measure);
            let parent = refit_above(change, &id, measure);
            trees.add(change.document(), parent);
        }
        if change.document().get(&root) != was.as_ref() {
            // A group around it takes its box, and the frame around that has another child to place.
            let parent = refit_above(change, &root, measure);
            trees.add(change.document(), parent);
        }
    }
}

/// The stale frames by the top frame of their tree, the innermost tree first, then by id.
#[derive(Debug, Default)]
struct Trees(BTreeMap<(Reverse<usize>, NodeId), BTreeSet<NodeId>>);

impl Trees {
    fn add(&mut self, document: &Document, stale: impl IntoIterator<Item = NodeId>) {
        for id in stale {
            let Some(root) = chain(document, &id).last() else { continue };
            let depth = Reverse(document.depth(&root));
            self.0.entry((depth, root)).or_default().insert(id);
        }
    }

    fn next(&mut self) -> Option<(NodeId, BTreeSet<NodeId>)> {
        self.0.pop_first().map(|((_, root), stale)| (root, stale))
    }
}

/// Lays out one tree; gives the frames beyond it that got another size by it, and the texts there whose lines have to
/// follow another width.
fn lay_out_tree(
    change: &mut Transaction<'_>,
    root: &NodeId,
    stale: BTreeSet<NodeId>,
    measure: &dyn Measure,
) -> BTreeSet<NodeId> {
    // Every frame on the way up may change by a stale one further in.
    let involved = stale.iter().flat_map(|id| chain(change.document(), id)).collect();
    let mut solver = Solver::new(change, measure);
    (solver.stale, solver.involved) = (stale, involved);
    solver.solve(root);
    // Those of this tree were placed just now; the others have a tree of their own.
    let resized = std::mem::take(&mut solver.resized);
    let solved = std::mem::take(&mut solver.involved);
    resized.difference(&solved).cloned().collect()
}

/// A frame, the frame whose auto layout places it, and so on up.
fn chain(document: &Document, id: &NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(document.get(id), |node| placed_by(document, node))
        .map(|node| node.id.clone())
}

/// Fits the groups and combined shapes around a node that changed; gives the frame that has to place
/// the outermost of them again.
fn refit_above(change: &mut Transaction<'_>, id: &NodeId, measure: &dyn Measure) -> Option<NodeId> {
    let outermost = change.fit_around(id, measure)?;
    let document = change.document();
    Some(placed_by(document, document.get(&outermost)?)?.id.clone())
}
