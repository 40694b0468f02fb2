//! How far a design is from another, which it should become.
//!
//! The distance is that of [`Goal`], as the assistant has it. The assistant knows from what happened which node stands
//! for which; here both documents are all there is, and they are paired anew.

use crate::design::Document;
use crate::design::diff::{Diff, diff, pair_by_id};
use crate::design::goal::{Goal, Names, SameNodes};
use crate::design::hunk::Field;

/// What is different of a design from the one that it was made from, for those who mend it.
pub(super) fn difference(now: &Document, truth: &Document) -> Diff {
    diff(now, truth, &pair_by_id(now, truth))
}

/// How far a design is from the one that it should become: 0 if and only if nothing is different that counts.
pub fn distance(now: &Document, truth: &Document, same: SameNodes) -> f64 {
    match Goal::new(truth.clone(), Names::Ignored) {
        Some(goal) => f64::from(goal.distance(now, &goal.pair_as(now, same))),
        // Nothing should be there.
        None => now.len() as f64 * f64::from(Field::Existence.weight()),
    }
}
