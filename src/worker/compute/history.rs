//! Which step of a run changed which node.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::{Document, Node, NodeId};
use crate::workbench::NodeHistory;

/// The steps that made and changed each node, up to some step. Grows with the steps asked for, so
/// that going on by one step costs one comparison.
#[derive(Debug, Default)]
pub(in crate::worker) struct History {
    /// The last step that is in, with the designs after it: one, or one a program by its place.
    last: Option<(u32, Vec<(usize, Document)>)>,
    /// By node: the steps that made or changed it, rising.
    steps: BTreeMap<NodeId, Vec<u32>>,
}

impl History {
    /// Takes in the steps up to this one; `designs_at` gives the designs after each, by the places of
    /// their programs.
    pub(in crate::worker) fn extend_to<E>(
        &mut self,
        step: u32,
        mut designs_at: impl FnMut(u32) -> Result<Vec<(usize, Document)>, E>,
    ) -> Result<(), E> {
        // From the start of the run, whichever step is asked for first: what made a node lies before.
        let first = self.last.as_ref().map_or(0, |(last, _)| last + 1);
        for next in first..=step {
            let designs = designs_at(next)?;
            self.take_in(next, designs);
        }
        Ok(())
    }

    fn take_in(&mut self, step: u32, designs: Vec<(usize, Document)>) {
        // The ids of two programs may be the same: each design is compared with its own program's.
        let before = self.last.take().map_or_else(Vec::new, |(_, before)| before);
        for (place, design) in &designs {
            let was = before.iter().find(|(of, _)| of == place).map(|(_, design)| design);
            self.compare(step, was, design);
        }
        self.last = Some((step, designs));
    }

    fn compare(&mut self, step: u32, before: Option<&Document>, design: &Document) {
        // Most steps look or fail, and leave the very same nodes.
        if before.is_some_and(|before| before.shares_nodes_with(design)) {
            return;
        }
        for node in design.iter_depth_first() {
            let was = before.and_then(|before| before.get(&node.id));
            if was.is_none_or(|was| !is_same_but_for_children(was, node)) {
                self.steps.entry(node.id.clone()).or_default().push(step);
            }
        }
    }

    /// What made a node what it is after a step; `None` if it is not known there.
    pub(in crate::worker) fn of(&self, id: &NodeId, step: u32) -> Option<NodeHistory> {
        let steps = self.steps.get(id)?;
        // What came after the step is known as well, to whoever goes back.
        let known = steps.get(..steps.partition_point(|at| *at <= step))?;
        Some(NodeHistory { made: *known.first()?, changed: *known.last()? })
    }
}

/// Whether two states of a node are the same but for what lies in it.
fn is_same_but_for_children(a: &Arc<Node>, b: &Arc<Node>) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    // By a copy and not field by field: a field that is new one day counts as well.
    Node { children: b.children.clone(), ..Node::clone(a) } == **b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::edit::Transaction;
    use crate::design::{Node, NodeKind};

    fn design(nodes: &[(&str, Option<&str>, f64)]) -> Document {
        let made = nodes.iter().map(|(id, parent, width)| {
            let mut node = Node::new(NodeId::from(*id), *id, NodeKind::Frame);
            node.parent = parent.map(NodeId::from);
            node.size = Size::new(*width, 10.0);
            node
        });
        Document::from_nodes(made).unwrap()
    }

    #[test]
    fn a_node_knows_who_made_it_and_who_changed_it_last() {
        let widths_of_b = [None, Some(5.0), Some(6.0), Some(6.0)];
        let mut history = History::default();
        let mut asked = Vec::new();
        for step in [2, 3] {
            let all = history.extend_to::<()>(step, |at| {
                asked.push(at);
                let mut nodes = vec![("a", None, 10.0)];
                nodes.extend(widths_of_b[at as usize].map(|width| ("b", Some("a"), width)));
                Ok(vec![(0, design(&nodes))])
            });
            all.unwrap();
        }
        assert_eq!(asked, [0, 1, 2, 3]);
        let (a, b) = (NodeId::from("a"), NodeId::from("b"));
        assert_eq!(history.of(&a, 3), Some(NodeHistory { made: 0, changed: 0 }));
        assert_eq!(history.of(&b, 3), Some(NodeHistory { made: 1, changed: 2 }));
        assert_eq!(history.of(&b, 1), Some(NodeHistory { made: 1, changed: 1 }));
        assert_eq!(history.of(&b, 0), None);
    }

    #[test]
    fn work_in_another_program_changes_no_node_of_the_first() {
        let mut history = History::default();
        let all = history.extend_to::<()>(2, |at| {
            let mut designs = vec![(0, design(&[("1:0", None, 10.0)]))];
            if at > 0 {
                designs.push((1, design(&[("2:0", None, 10.0)])));
            }
            Ok(designs)
        });
        all.unwrap();
        let (first, second) = (NodeId::from("1:0"), NodeId::from("2:0"));
        assert_eq!(history.of(&first, 2), Some(NodeHistory { made: 0, changed: 0 }));
        assert_eq!(history.of(&second, 2), Some(NodeHistory { made: 1, changed: 1 }));
    }

    #[test]
    fn a_step_without_a_change_shares_its_nodes() {
        let first = design(&[("a", None, 10.0)]);
        let mut second = first.clone();
        assert!(second.shares_nodes_with(&first));
        let mut change = Transaction::begin(&mut second);
        change.update(&NodeId::from("a"), |node| node.opacity = 0.5).unwrap();
        change.commit();
        assert!(!second.shares_nodes_with(&first));
    }
}
