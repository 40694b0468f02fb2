//! Who stands for whom, and what explains a component score: who was taken for whom.

use std::collections::BTreeSet;

use crate::base::CancelToken;
use crate::design::NodeId;
use crate::metric::MissingScore;
use crate::metric::assignment::cheapest_pairs;

use super::block::Block;

/// The most costs that are weighed at once: 2,000 nodes against 2,000. Time grows faster still.
const MOST_COSTS: usize = 4_000_000;

/// The nodes of both designs.
#[derive(Clone, Copy, Debug)]
pub(super) struct BothDesigns<'a> {
    pub(super) truth: &'a [Block<'a>],
    pub(super) made: &'a [Block<'a>],
}

/// Which nodes of both sides may be paired with each other, by their places in [`BothDesigns`].
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) truth: Vec<usize>,
    pub(super) made: Vec<usize>,
    is_text: bool,
}

/// Two nodes, by their places in [`BothDesigns`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) truth: usize,
    pub(super) made: usize,
    pub(super) is_text: bool,
    /// 1 − what pairing them cost.
    pub(super) likeness: f64,
}

impl BothDesigns<'_> {
    /// The texts of both sides, and the rest.
    pub(super) fn split(self, is_text: impl Fn(&Block<'_>) -> bool) -> (Candidates, Candidates) {
        let mut texts = Candidates { is_text: true, ..Candidates::default() };
        let mut others = Candidates::default();
        for (at, block) in self.truth.iter().enumerate() {
            if is_text(block) { &mut texts } else { &mut others }.truth.push(at);
        }
        for (at, block) in self.made.iter().enumerate() {
            if is_text(block) { &mut texts } else { &mut others }.made.push(at);
        }
        (texts, others)
    }

    /// What explains the scores, from what each pair adds to position and colour, and from how
    /// alike two texts are.
    pub(super) fn components(
        self,
        pairs: &[Pair],
        likenesses: impl Fn(Pair) -> (f64, Option<f64>),
        text_likeness: impl Fn(&str, &str) -> f64,
    ) -> Components {
        let paired_truth = pairs.iter().map(|pair| pair.truth).collect();
        let paired_made = pairs.iter().map(|pair| pair.made).collect();
        let pairs = pairs.iter().map(|pair| {
            let (truth, made) = (&self.truth[pair.truth], &self.made[pair.made]);
            let (position, color) = likenesses(*pair);
            // Only of pairs made by their texts: a rectangle has none to compare.
            let texts = truth.characters().zip(made.characters()).filter(|_| pair.is_text);
            ComponentPair {
                ground_truth: truth.id(),
                generated: made.id(),
                is_text: pair.is_text,
                likeness: pair.likeness,
                position,
                color,
                text: texts.map(|(a, b)| text_likeness(a, b)),
            }
        });
        Components {
            pairs: pairs.collect(),
            missing: alone(self.truth, &paired_truth),
            extra: alone(self.made, &paired_made),
        }
    }
}

fn alone(blocks: &[Block<'_>], paired: &BTreeSet<usize>) -> Vec<NodeId> {
    let alone = blocks.iter().enumerate().filter(|(at, _)| !paired.contains(at));
    alone.map(|(_, block)| block.id()).collect()
}

/// The cheapest pairs among the candidates, as many as can be; `cost` is of two places in [`BothDesigns`].
pub(super) fn pair_up(
    candidates: &Candidates,
    cost: impl Fn(usize, usize) -> f64,
    cancel: &CancelToken,
) -> Result<Vec<Pair>, MissingScore> {
    let (rows, columns) = (candidates.truth.len(), candidates.made.len());
    // A made-up file of 100,000 nodes must not take the memory of the machine.
    if rows.saturating_mul(columns) > MOST_COSTS {
        let why = format!("{rows} × {columns} nodes are too many to pair");
        return Err(MissingScore::Undefined(why));
    }
    let mut costs = Vec::with_capacity(rows * columns);
    for &truth in &candidates.truth {
        cancel.check()?;
        // Row by row, as the solver reads them; its choice among equals depends on that order.
        costs.extend(candidates.made.iter().map(|&made| cost(truth, made)));
    }
    let pairs = cheapest_pairs(rows, columns, &costs).into_iter().map(|(row, column)| Pair {
        truth: candidates.truth[row],
        made: candidates.made[column],
        is_text: candidates.is_text,
        likeness: 1.0 - costs[row * columns + column],
    });
    Ok(pairs.collect())
}

/// The nodes of two designs, paired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// The pairs; texts first, each by its place in the ground truth.
    pub pairs: Vec<ComponentPair>,
    /// Nodes of the ground truth that nothing stands for.
    pub missing: Vec<NodeId>,
    /// Generated nodes that stand for nothing.
    pub extra: Vec<NodeId>,
}

/// A node of the ground truth with the generated one that stands for it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentPair {
    /// In the ground truth.
    pub ground_truth: NodeId,
    /// In the generated design.
    pub generated: NodeId,
    /// Whether both are texts, paired by text and place; else they were paired by their boxes.
    pub is_text: bool,
    /// What they were paired by: overlap of boxes, or how alike texts and places are; at most 1.
    pub likeness: f64,
    /// What the pair adds to the part of positions, at most 1.
    pub position: f64,
    /// What it adds to the part of colours, 0..=1; `None` if it has no colours to compare.
    pub color: Option<f64>,
    /// How alike the texts are, 0..=1; `None` if they are no texts.
    pub text: Option<f64>,
}

/// The four parts of one variant and the mean of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// How many of the nodes are there.
    pub block_match: f64,
    /// Whether the pairs are in their places.
    pub position: f64,
    /// Whether the pairs have their colours.
    pub color: f64,
    /// Whether the texts are there.
    pub text: f64,
}

impl Parts {
    /// The mean of the four.
    pub fn mean(self) -> f64 {
        (self.block_match + self.position + self.color + self.text) / 4.0
    }

    /// The mean, then each.
    pub(super) fn scores(self) -> [f64; 5] {
        [self.mean(), self.block_match, self.position, self.color, self.text]
    }
}
