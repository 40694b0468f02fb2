//! Boxes that follow what they hold: GROUPs, and combined shapes where someone can measure them.

use std::collections::BTreeSet;

use super::super::measure::Measure;
use super::super::node::{Node, NodeId, NodeKind};
use super::group::Fit;
use super::{Transaction, combined_box, group};

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

    fn refit(&mut self, id: &NodeId, fit: Fit) {
        for child in self.document().children_of(Some(id)).to_vec() {
            if self.document().get(&child).is_some_and(|child| child.has_box()) {
                self.settle_node(&child, |node| {
                    node.transform = fit.group_from_old.after(node.transform);
                });
            }
        }
        self.settle_node(id, |node| {
            node.transform = node.transform.after(fit.old_from_group);
            node.size = fit.size;
        });
    }
}
