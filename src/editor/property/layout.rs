//! Auto layout of a frame: its direction and alignment. Putting it on and off is arranging.

use super::number_kind::SizeLimit;
use crate::design::{
    AutoLayout, CounterAlign, Direction, Document, LayoutItem, Node, PrimaryAlign, Sizing,
};

/// A third of an extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Third {
    /// Left, or top.
    Start,
    /// The middle.
    Middle,
    /// Right, or bottom.
    End,
}

impl Third {
    /// From the start.
    pub const ALL: [Self; 3] = [Self::Start, Self::Middle, Self::End];

    /// Where the content of a frame with auto layout lies, across and down; `None` without.
    pub fn of_content(node: &Node) -> Option<[Self; 2]> {
        node.auto_layout.as_deref().map(alignment)
    }
}

/// Whether an extent of a node can be found so.
pub(super) fn can_size(document: &Document, node: &Node, sizing: Sizing) -> bool {
    match sizing {
        Sizing::Fixed => true,
        Sizing::Hug => {
            node.text().is_some() || (node.kind.can_lay_out() && node.auto_layout.is_some())
        }
        Sizing::Fill => document.is_placed(&node.id),
    }
}

/// Whether limits of its extents mean something for a node: a frame with auto layout, and what one places.
pub fn has_size_limits(document: &Document, node: &Node) -> bool {
    (node.kind.can_lay_out() && node.auto_layout.is_some()) || document.is_placed(&node.id)
}

/// A limit of an extent, if there is one.
pub(super) fn limit_of(item: &LayoutItem, limit: SizeLimit) -> Option<f64> {
    match limit {
        SizeLimit::MinWidth => item.min_width,
        SizeLimit::MaxWidth => item.max_width,
        SizeLimit::MinHeight => item.min_height,
        SizeLimit::MaxHeight => item.max_height,
    }
}

/// Sets a limit of an extent, or takes it away.
pub(super) fn set_limit(item: &mut LayoutItem, limit: SizeLimit, to: Option<f64>) {
    let there = match limit {
        SizeLimit::MinWidth => &mut item.min_width,
        SizeLimit::MaxWidth => &mut item.max_width,
        SizeLimit::MinHeight => &mut item.min_height,
        SizeLimit::MaxHeight => &mut item.max_height,
    };
    *there = to;
}

/// The layout along another axis; the content stays at the same edge or corner.
pub(super) fn turned(layout: &AutoLayout, direction: Direction) -> AutoLayout {
    if layout.direction == direction {
        return layout.clone();
    }
    let [across, down] = alignment(layout);
    let mut turned = AutoLayout {
        direction,
        wraps: false,
        // The same extent goes on hugging.
        primary_hugs: layout.counter_hugs,
        counter_hugs: layout.primary_hugs,
        ..layout.clone()
    };
    align(&mut turned, across, down);
    turned
}

/// Where the content of a frame lies, across and down.
fn alignment(layout: &AutoLayout) -> [Third; 2] {
    let primary = match layout.primary_align {
        PrimaryAlign::Min | PrimaryAlign::SpaceBetween => Third::Start,
        PrimaryAlign::Center => Third::Middle,
        PrimaryAlign::Max => Third::End,
    };
    let counter = match layout.counter_align {
        CounterAlign::Min | CounterAlign::Baseline => Third::Start,
        CounterAlign::Center => Third::Middle,
        CounterAlign::Max => Third::End,
    };
    match layout.direction {
        Direction::Horizontal => [primary, counter],
        Direction::Vertical => [counter, primary],
    }
}

/// Puts the content of a frame there; what is spread stays spread.
pub(super) fn align(layout: &mut AutoLayout, across: Third, down: Third) {
    let (primary, counter) = match layout.direction {
        Direction::Horizontal => (across, down),
        Direction::Vertical => (down, across),
    };
    if layout.primary_align != PrimaryAlign::SpaceBetween {
        layout.primary_align = match primary {
            Third::Start => PrimaryAlign::Min,
            Third::Middle => PrimaryAlign::Center,
            Third::End => PrimaryAlign::Max,
        };
    }
    layout.counter_align = match counter {
        Third::Start => CounterAlign::Min,
        Third::Middle => CounterAlign::Center,
        Third::End => CounterAlign::Max,
    };
}
