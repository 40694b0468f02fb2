//! Combined shapes follow what they are combined of.
//!
//! The box of a BOOLEAN_OPERATION is that of the shape that results, which only the renderer knows
//! ([`Measure::combined_box`]).

use super::group::{Fit, fit_to};
use crate::design::document::Document;
use crate::design::measure::Measure;
use crate::design::node::{Node, NodeId, NodeKind};

/// Whether the difference of these two, as a combined shape or as part of one, may change the
/// shape.
pub(super) fn is_other_shape(was: Option<&Node>, now: Option<&Node>) -> bool {
    let (Some(was), Some(now)) = (was, now) else { return true };
    was.transform != now.transform
        || was.size != now.size
        || was.kind != now.kind
        || was.visible != now.visible
        || was.children != now.children
        || was.corner_radii != now.corner_radii
        || was.corner_smoothing != now.corner_smoothing
        || was.stroke != now.stroke
}

/// What must change so that the combined shape has the box of its result; `None` if nothing, or if
/// nothing results.
pub(super) fn fit(document: &Document, id: &NodeId, measure: &dyn Measure) -> Option<Fit> {
    let node = document.get(id)?;
    if !matches!(node.kind, NodeKind::BooleanOperation(_)) || node.children.is_empty() {
        return None;
    }
    let around = measure.combined_box(document, id).filter(|around| around.is_finite())?;
    fit_to(node, around)
}
