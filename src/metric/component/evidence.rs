//! What explains a component score: who was taken for whom.

use crate::design::NodeId;

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
