//! Nodes under other ids.
//!
//! An environment numbers the nodes it makes as they come, so that leaving out a call that made one, or putting one
//! in, shifts the ids of everything made later, and the recorded calls would act on the wrong nodes. Reserving ids
//! would keep them as they were, but then the calls of a branch would not lead to the branch when its run is
//! replayed. So ids stay as the environment gives them, and the calls are translated:
//!
//! - the nodes that a recorded call made in the run are matched with those it makes in the branch: in paint
//!   order where there are as many, else by a longest common subsequence of their types and names;
//! - where a recorded call names a node ([`is_id_key`](crate::run::id_arguments::is_id_key)), the call that is made
//!   names its match;
//! - an id without a match is left as it is, so that the environment says what it says of unknown nodes; only
//!   where the branch has another node of that id it becomes `missing:ID`, which no node has;
//! - in arguments that a person wrote, ids are those of the run where there is a match, `+N` is the node of the
//!   N-th call that was put in, and every other id is the branch's own.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::{Document, NodeId};
use crate::environment::{ToolCall, ToolOutcome};
use crate::run::id_arguments::with_ids;
use crate::run::{CallSource, PlannedCall, inserted_number};

/// Most new nodes of one call that are matched by types and names: the table is of the square of this.
const MOST_MATCHED: usize = 1_000;

/// A node that a call made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadeNode {
    id: NodeId,
    kind: String,
    name: String,
}

impl MadeNode {
    fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }

    /// Its id where it was made.
    pub(super) fn id(&self) -> &NodeId {
        &self.id
    }

    /// What it was called then.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// The nodes of `after` that `before` has not, in paint order.
pub(super) fn made_nodes(before: &Document, after: &Document) -> Vec<MadeNode> {
    if before.shares_nodes_with(after) {
        return Vec::new();
    }
    let made = after.iter_depth_first().filter(|node| before.get(&node.id).is_none());
    made.map(|node| MadeNode {
        id: node.id.clone(),
        kind: node.kind.type_name().to_owned(),
        name: node.name.clone(),
    })
    .collect()
}

/// The node that an answer is about, as tools name it.
fn answered_id(outcome: &ToolOutcome) -> Option<&str> {
    outcome.structured.as_ref()?.get("id")?.as_str()
}

/// What the run's nodes are called in a branch. A copy shares what it can.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// From the run's ids to the branch's, of all nodes that calls made.
    matches: Arc<BTreeMap<NodeId, NodeId>>,
    /// The nodes of calls that were put in, by their numbers.
    inserted: Arc<BTreeMap<u32, String>>,
}

impl Names {
    /// The call as it is made in a branch that holds `design`, which begins with `start`.
    pub(super) fn translated(
        &self,
        planned: &PlannedCall,
        start: &Document,
        design: &Document,
    ) -> Arc<ToolCall> {
        let renamed = with_ids(&planned.call.arguments, &|id| {
            self.renamed(id, planned.is_edited, start, design)
        });
        match renamed {
            Some(arguments) => Arc::new(ToolCall { arguments, ..(*planned.call).clone() }),
            None => Arc::clone(&planned.call),
        }
    }

    /// What an id becomes; `None`: it stays.
    fn renamed(
        &self,
        id: &str,
        is_edited: bool,
        start: &Document,
        design: &Document,
    ) -> Option<String> {
        let node = NodeId::new(id);
        if let Some(matched) = self.matches.get(&node) {
            return (*matched != node).then(|| matched.to_string());
        }
        if is_edited {
            let node = self.inserted.get(&inserted_number(id)?);
            return Some(node.map_or_else(|| missing(id), String::clone));
        }
        // A node of the start is in both; any other that is here is not the one that was meant.
        let is_another = start.get(&node).is_none() && design.get(&node).is_some();
        is_another.then(|| missing(id))
    }

    /// The id that the run has for a node of the branch, of one that a recorded call made.
    pub(super) fn in_run(&self, node: &NodeId) -> Option<&NodeId> {
        self.matches.iter().find(|(_, branch)| *branch == node).map(|(run, _)| run)
    }

    /// Whether the run has a node of this id that a call made: in arguments that a person wrote it means that.
    pub(super) fn is_of_run(&self, id: &NodeId) -> bool {
        self.matches.contains_key(id)
    }

    /// Whether a call that was put in is named by this node.
    pub(super) fn is_inserted(&self, number: u32, id: &str) -> bool {
        self.inserted.get(&number).is_some_and(|made| made == id)
    }

    /// Takes in what a planned call made, `recorded` being what it made in the run.
    pub(super) fn learn(
        &mut self,
        planned: &PlannedCall,
        recorded: &[MadeNode],
        made: &[MadeNode],
        outcome: &ToolOutcome,
    ) {
        match planned.source {
            CallSource::Inserted(number) => {
                let answered = answered_id(outcome).map(str::to_owned);
                let node = answered.or_else(|| Some(made.first()?.id.to_string()));
                if let Some(node) = node {
                    Arc::make_mut(&mut self.inserted).insert(number, node);
                }
            }
            CallSource::Recorded(_) => {
                let pairs = matched(recorded, made);
                if !pairs.is_empty() {
                    Arc::make_mut(&mut self.matches).extend(pairs);
                }
            }
        }
    }
}

/// An id that no node has.
fn missing(id: &str) -> String {
    format!("missing:{id}")
}

/// Which new nodes of a call are the same in the run and in a branch.
fn matched(recorded: &[MadeNode], made: &[MadeNode]) -> Vec<(NodeId, NodeId)> {
    if recorded.len() == made.len() || recorded.len().max(made.len()) > MOST_MATCHED {
        let pairs = recorded.iter().zip(made);
        return pairs.map(|(a, b)| (a.id.clone(), b.id.clone())).collect();
    }
    // Lengths of longest common subsequences of what is left of both from each pair of places on.
    let (rows, columns) = (recorded.len(), made.len());
    // Behind the last of either nothing is left, which is 0.
    let mut lengths = vec![vec![0_u32; columns + 1]; rows + 1];
    for (row, left) in recorded.iter().enumerate().rev() {
        for (column, right) in made.iter().enumerate().rev() {
            lengths[row][column] = if left.is_like(right) {
                lengths[row + 1][column + 1] + 1
            } else {
                lengths[row + 1][column].max(lengths[row][column + 1])
            };
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while let (Some(left), Some(right)) = (recorded.get(row), made.get(column)) {
        if left.is_like(right) {
            pairs.push((left.id.clone(), right.id.clone()));
            (row, column) = (row + 1, column + 1);
        } else if lengths[row + 1][column] >= lengths[row][column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: &str, name: &str) -> MadeNode {
        MadeNode { id: NodeId::new(id), kind: "RECTANGLE".to_owned(), name: name.to_owned() }
    }

    #[test]
    fn a_copy_that_lacks_a_part_is_matched_by_names() {
        let recorded = [node("1:5", "Card"), node("1:6", "Icon"), node("1:7", "Title")];
        let made = [node("1:4", "Card"), node("1:5", "Title")];
        let pairs: Vec<(String, String)> =
            matched(&recorded, &made).iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(pairs, [("1:5".into(), "1:4".into()), ("1:7".into(), "1:5".into())]);
        assert!(matched(&recorded, &[]).is_empty());
        // As many: by their order, whatever they are called.
        assert_eq!(matched(&recorded[..1], &[node("1:9", "Other")]).len(), 1);
    }
}
