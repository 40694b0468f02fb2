//! Where letters stand.

use std::sync::Arc;

use super::sizing::{flow, is_upright, layout_of};
use crate::design::auto_layout::{AutoLayout, CounterAlign, Direction};
use crate::design::document::Document;
use crate::design::measure::Measure;
use crate::design::node::Node;
use crate::design::text::{AutoResize, TextContent, VerticalAlign};

/// Whether a frame puts its children's baselines on one line.
pub(super) fn aligns(layout: &AutoLayout) -> bool {
    layout.direction == Direction::Horizontal && layout.counter_align == CounterAlign::Baseline
}

/// How far below the top of a child's box its baseline lies: for a text that of its first line, for
/// a frame with auto layout that of its first child. `None` for all else, and for what is turned:
/// that stands on its lower edge.
///
/// That a frame has the baseline of the text within is not documented, but so it is in Figma's
/// files: in GOV.UK's cookie banner a button (a text of 25 px below 8 px of padding) and a link (a
/// text of 19 px in two frames, below 4 px) of one font stand 7 px apart, as their baselines say;
/// by their lower edges it would be 15 px.
pub(super) fn below_top(
    document: &Document,
    node: &Arc<Node>,
    measure: &dyn Measure,
) -> Option<f64> {
    is_upright(node).then(|| within(document, node, measure)).flatten()
}

/// The baseline in the node's own space; `None` where there is no text.
fn within(document: &Document, node: &Arc<Node>, measure: &dyn Measure) -> Option<f64> {
    if let Some(text) = node.text() {
        return Some(of_text(text, node, measure));
    }
    layout_of(node)?;
    // Only the first child counts, also where it has no text: then the frame stands on its edge.
    let first = flow(document, &node.id).next()?;
    let inside = is_upright(first).then(|| within(document, first, measure)).flatten()?;
    Some(first.transform.bounds_of(first.size).y + inside)
}

fn of_text(text: &TextContent, node: &Node, measure: &dyn Measure) -> f64 {
    let wraps = text.style.auto_resize != AutoResize::WidthAndHeight;
    // Measured as it is drawn: a text that makes its own width breaks only where it says.
    let taken = measure.text(text, wraps.then_some(node.size.width));
    let spare = node.size.height - taken.size.height;
    let top = match text.style.vertical_align {
        VerticalAlign::Top => 0.0,
        VerticalAlign::Center => spare / 2.0,
        VerticalAlign::Bottom => spare,
    };
    top + taken.baseline
}
