//! Boxes that follow what they hold: GROUPs, and combined shapes where someone can measure them.

use std::collections::BTreeSet;

use super::group::Fit;
use super::{Transaction, check, combined_box, group};
use crate::design::measure::Measure;
use crate::design::node::{Node, NodeId, NodeKind};

impl Transaction<'_> {
    /// Fits every GROUP and combined shape that was touched, or had something in it touched, the
    /// innermost first.
    pub(in crate::design) fn fit_boxes(&mut self, measure: &dyn Measure) {
        let document = self.document();
        let mut boxes = BTreeSet::new();
        for (id, was) in self.touched() {
            let Some(node) = document.get(id) else { continue };
            let reshaped = combined_box::is_other_shape(was.as_deref(), Some(node));
            for candidate in std::iter::once(node).chain(document.ancestors(id)) {
                let follows = match candidate.kind {
                    NodeKind::Group => true,
                    NodeKind::BooleanOperation(_) => reshaped,
                    _ => false,
                };
                if follows {
                    let depth = std::cmp::Reverse(document.depth(&candidate.id));
                    boxes.insert((depth, candidate.id.clone()));
                }
            }
        }
        for (_, id) in boxes {
            self.fit_box(&id, Some(measure));
        }
    }

    /// Fits the GROUPs and combined shapes right around a node, up to the first that is neither;
    /// gives the outermost, if there is one.
    pub(in crate::design) fn fit_around(
        &mut self,
        id: &NodeId,
        measure: &dyn Measure,
    ) -> Option<NodeId> {
        let follows = |node: &&std::sync::Arc<Node>| {
            matches!(node.kind, NodeKind::Group | NodeKind::BooleanOperation(_))
        };
        let around: Vec<NodeId> =
            self.document().ancestors(id).take_while(follows).map(|node| node.id.clone()).collect();
        for id in &around {
            self.fit_box(id, Some(measure));
        }
        around.last().cloned()
    }

    /// Fits one GROUP or, by `measure`, one combined shape; its children keep their place.
    pub(super) fn fit_box(&mut self, id: &NodeId, measure: Option<&dyn Measure>) {
        let fit = group::fit(self.document(), id).or_else(|| {
            measure.and_then(|measure| combined_box::fit(self.document(), id, measure))
        });
        if let Some(fit) = fit {
            self.refit(id, fit);
        }
    }

    /// A box that would be out of range stays as it is: its children lie too far apart.
    fn refit(&mut self, id: &NodeId, fit: Fit) {
        let moved = |child: &Node| Node {
            transform: fit.group_from_old.after(child.transform),
            ..child.clone()
        };
        let Some(group) = self.document().get(id) else { return };
        let refitted = Node {
            transform: group.transform.after(fit.old_from_group),
            size: fit.size,
            ..Node::clone(group)
        };
        let children = group.children.iter().filter_map(|child| self.document().get(child));
        let children: Vec<Node> =
            children.filter(|child| child.has_box()).map(|child| moved(child)).collect();
        let mut all = children.iter().chain([&refitted]);
        if all.any(|node| check::numbers(node).is_err()) {
            return;
        }
        for new in children.iter().chain([&refitted]) {
            self.settle_node(&new.id, |node| {
                (node.transform, node.size) = (new.transform, new.size);
            });
        }
    }
}
