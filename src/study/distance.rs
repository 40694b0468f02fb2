//! How far a design is from another: the open changes of their structural difference.

use crate::design::Document;
use crate::design::diff::{Change, Diff, diff, pair_by_content, pair_by_id};

/// A node too many or missing weighs so much.
const NODE: f64 = 3.0;
/// Place, size, words, the parent, the kind.
const CONTENT: f64 = 2.0;
/// A field of style, the order among siblings.
const STYLE: f64 = 1.0;

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

/// The distance of a difference: 0 if and only if nothing is different but names.
pub fn distance(diff: &Diff) -> f64 {
    diff.nodes.iter().flat_map(|node| &node.changes).map(weight).sum()
}

fn weight(change: &Change) -> f64 {
    match change {
        Change::Added | Change::Removed => NODE,
        Change::Moved { .. }
        | Change::Resized { .. }
        | Change::Turned { .. }
        | Change::Rewritten { .. }
        | Change::Retyped { .. }
        | Change::Reparented { .. } => CONTENT,
        Change::Restyled { fields } => STYLE * fields.len() as f64,
        Change::Reordered { .. } => STYLE,
        // Only asked for where a task is about names.
        Change::Renamed { .. } => 0.0,
    }
}
