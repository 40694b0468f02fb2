//! Auto layout of a frame: on, off, its direction and alignment.

use crate::base::Rect;
use crate::design::edit::Transaction;
use crate::design::{
    AutoLayout, CounterAlign, Direction, Document, DocumentError, Node, NodeId, NodeKind,
    PrimaryAlign, Sides, Sizing,
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

/// Whether nodes of this kind can have auto layout.
pub(super) fn can_lay_out(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Frame | NodeKind::Component | NodeKind::ComponentSet | NodeKind::Instance
    )
}

/// Whether an extent of a node can be found so.
pub(super) fn can_size(document: &Document, node: &Node, sizing: Sizing) -> bool {
    match sizing {
        Sizing::Fixed => true,
        Sizing::Hug => {
            node.text().is_some() || (can_lay_out(&node.kind) && node.auto_layout.is_some())
        }
        Sizing::Fill => super::geometry::is_placed(document, node),
    }
}

/// Has a frame place its children along this axis, as they lie; one that has auto layout gets another direction, and
/// its content stays at the same edge or corner.
pub(super) fn lay_out(
    change: &mut Transaction<'_>,
    id: &NodeId,
    direction: Direction,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    if let Some(layout) = &node.auto_layout {
        let turned = turned(layout, direction);
        return change.update(id, |node| node.auto_layout = Some(Box::new(turned)));
    }
    let layout = inferred(change.document(), node, direction);
    change.update(id, |node| node.auto_layout = Some(Box::new(layout)))?;
    // The frame keeps its size: nothing is to jump.
    for axis in [Direction::Horizontal, Direction::Vertical] {
        if change.document().sizing(id, axis) == Sizing::Hug {
            change.set_sizing(id, axis, Sizing::Fixed)?;
        }
    }
    Ok(())
}

/// Takes auto layout away; children stay where they are, and what hugged them keeps its size.
pub(super) fn take_off(change: &mut Transaction<'_>, id: &NodeId) -> Result<(), DocumentError> {
    change.update(id, |node| {
        node.auto_layout = None;
        let item = &mut node.layout_item;
        for sizing in [&mut item.horizontal, &mut item.vertical] {
            if *sizing == Some(Sizing::Hug) {
                *sizing = Some(Sizing::Fixed);
            }
        }
    })
}

fn turned(layout: &AutoLayout, direction: Direction) -> AutoLayout {
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

/// Auto layout with the padding and the gap that the children have as they lie.
fn inferred(document: &Document, node: &Node, direction: Direction) -> AutoLayout {
    let mut layout = AutoLayout::new(direction);
    let children = node.children.iter().filter_map(|id| document.get(id));
    let boxes: Vec<Rect> = children
        .filter(|child| child.visible && child.has_box())
        .map(|child| child.transform.bounds_of(child.size))
        .collect();
    let Some(around) = Rect::union_all(boxes.iter().copied()) else { return layout };
    layout.padding = Sides {
        top: around.y.round().max(0.0),
        left: around.x.round().max(0.0),
        right: (node.size.width - around.right()).round().max(0.0),
        bottom: (node.size.height - around.bottom()).round().max(0.0),
    };
    let gaps: Vec<f64> = boxes
        .iter()
        .zip(boxes.iter().skip(1))
        .map(|(one, next)| match direction {
            Direction::Horizontal => next.x - one.right(),
            Direction::Vertical => next.y - one.bottom(),
        })
        .collect();
    if !gaps.is_empty() {
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        layout.item_spacing = mean.round().max(0.0);
    }
    layout
}
