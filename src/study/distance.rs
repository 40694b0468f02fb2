//! How far a design is from another: the open changes of their structural difference.

use crate::design::Document;
use crate::design::diff::{Diff, diff, pair_by_content, pair_by_id};
use crate::design::hunk::Field;

/// Whether nodes of the same id are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameNodes {
    /// One design was made from the other.
    ById,
    /// They were made apart: what is alike is the same.
    ByContent,
}

/// What is different of a design from the one that it should become.
pub fn difference(now: &Document, truth: &Document, same: SameNodes) -> Diff {
    let pairing = match same {
        SameNodes::ById => pair_by_id(now, truth),
        SameNodes::ByContent => pair_by_content(now, truth),
    };
    diff(now, truth, &pairing)
}

/// The distance of a difference, by the weights of its fields: 0 if and only if nothing is different but names.
pub fn distance(diff: &Diff) -> f64 {
    let fields = diff.nodes.iter().flat_map(|node| &node.changes).flat_map(Field::of_change);
    // Names are only asked for where a task is about them.
    f64::from(fields.filter(|field| *field != Field::Name).map(Field::weight).sum::<u32>())
}
