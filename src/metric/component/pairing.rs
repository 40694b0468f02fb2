//! Who stands for whom.

use std::collections::BTreeSet;

use crate::base::{CancelToken, Cancelled};
use crate::design::NodeId;

use super::block::Block;
use super::{ComponentPair, Components};
use crate::metric::MissingScore;
use crate::metric::assignment::cheapest_pairs;

/// The most costs that are weighed at once: 2,000 nodes against 2,000. Time grows faster still.
const MOST_COSTS: usize = 4_000_000;

/// The nodes of both designs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<'a> {
    pub(super) truth: &'a [Block<'a>],
    pub(super) made: &'a [Block<'a>],
}

/// Which nodes of both sides may be paired with each other, by their places in [`Sides`].
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) truth: Vec<usize>,
    pub(super) made: Vec<usize>,
    is_text: bool,
}

/// Two nodes, by their places in [`Sides`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) truth: usize,
    pub(super) made: usize,
    pub(super) is_text: bool,
    /// 1 − what pairing them cost.
    pub(super) likeness: f64,
}

impl Sides<'_> {
    /// The texts of both sides, and the rest.
    pub(super) fn split(self, is_text: impl Fn(&Block<'_>) -> bool) -> (Candidates, Candidates) {
        let places = |blocks: &[Block<'_>], wanted: bool| {
            let fits = |(at, block): (usize, &Block<'_>)| (is_text(block) == wanted).then_some(at);
            blocks.iter().enumerate().filter_map(fits).collect::<Vec<_>>()
        };
        let of = |wanted| Candidates {
            truth: places(self.truth, wanted),
            made: places(self.made, wanted),
            is_text: wanted,
        };
        (of(true), of(false))
    }

    /// What explains the scores, from what each pair adds to position and colour, and from how
    /// alike two texts are.
    pub(super) fn components(
        self,
        pairs: &[Pair],
        likenesses: impl Fn(Pair) -> (f64, Option<f64>),
        text_likeness: impl Fn(&str, &str) -> f64,
    ) -> Components {
        let explain = |pair: &Pair| {
            let (truth, made) = (&self.truth[pair.truth], &self.made[pair.made]);
            let (position, color) = likenesses(*pair);
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
        };
        let paired_truth = pairs.iter().map(|pair| pair.truth).collect();
        let paired_made = pairs.iter().map(|pair| pair.made).collect();
        Components {
            pairs: pairs.iter().map(explain).collect(),
            missing: alone(self.truth, &paired_truth),
            extra: alone(self.made, &paired_made),
        }
    }
}

fn alone(blocks: &[Block<'_>], paired: &BTreeSet<usize>) -> Vec<NodeId> {
    let alone = blocks.iter().enumerate().filter(|(at, _)| !paired.contains(at));
    alone.map(|(_, block)| block.id()).collect()
}

/// The cheapest pairs among the candidates, as many as can be; `cost` is of two places in [`Sides`].
pub(super) fn pair_up(
    candidates: &Candidates,
    cost: impl Fn(usize, usize) -> f64,
    cancel: &CancelToken,
) -> Result<Vec<Pair>, MissingScore> {
    let (rows, columns) = (candidates.truth.len(), candidates.made.len());
    if rows.saturating_mul(columns) > MOST_COSTS {
        let why = format!("{rows} × {columns} nodes are too many to pair");
        return Err(MissingScore::Undefined(why));
    }
    let mut costs = Vec::with_capacity(rows * columns);
    for &truth in &candidates.truth {
        cancel.check().map_err(|Cancelled| MissingScore::Cancelled)?;
        costs.extend(candidates.made.iter().map(|&made| cost(truth, made)));
    }
    let pair = |(row, column): (usize, usize)| Pair {
        truth: candidates.truth[row],
        made: candidates.made[column],
        is_text: candidates.is_text,
        likeness: 1.0 - costs[row * columns + column],
    };
    Ok(cheapest_pairs(rows, columns, &costs).into_iter().map(pair).collect())
}
