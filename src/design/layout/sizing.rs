//! Who takes part in auto layout, and how each extent is found.

use std::sync::Arc;

use crate::design::auto_layout::{AutoLayout, Direction, Sizing};
use crate::design::document::{Document, DocumentError};
use crate::design::edit::Transaction;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::text::AutoResize;

/// The auto layout by which a node places its children; `None` for kinds that have none.
pub(super) fn layout_of(node: &Node) -> Option<&AutoLayout> {
    // The field may stand on a group of a file from elsewhere; there it means nothing.
    node.auto_layout.as_deref().filter(|_| node.kind.can_lay_out())
}

/// The children that a frame's auto layout places, in their order.
pub(super) fn flow<'d>(document: &'d Document, id: &NodeId) -> impl Iterator<Item = &'d Arc<Node>> {
    let children = document.children_of(Some(id)).iter();
    children.filter_map(|child| document.get(child)).filter(|child| child.flows())
}

/// The frame whose auto layout places this node.
pub(super) fn placed_by<'d>(document: &'d Document, node: &Node) -> Option<&'d Arc<Node>> {
    let parent = document.get(node.parent.as_ref()?)?;
    (layout_of(parent).is_some() && node.flows()).then_some(parent)
}

impl Document {
    /// How one extent of a node is found, whichever fields its file has: `layoutSizing…` (since
    /// 2023) if given, else `layoutGrow` and `layoutAlign`, else the sizing modes of a frame with
    /// auto layout, else how a text resizes itself.
    ///
    /// FILL where no auto layout places the node, and HUG of what is neither a text nor a frame with
    /// auto layout, mean nothing and are FIXED. So is an unknown node.
    pub fn sizing(&self, id: &NodeId, axis: Direction) -> Sizing {
        let Some(node) = self.get(id) else { return Sizing::Fixed };
        let parent = placed_by(self, node).and_then(|parent| layout_of(parent));
        // The words since 2023 win over the older ones, which Figma still writes beside them.
        match explicit(node, axis) {
            Some(Sizing::Fill) if parent.is_some() && can_fill(node, axis) => Sizing::Fill,
            Some(Sizing::Hug) if layout_of(node).is_some() || node.text().is_some() => Sizing::Hug,
            Some(_) => Sizing::Fixed,
            None if parent.is_some_and(|parent| fills(node, parent, axis))
                && can_fill(node, axis) =>
            {
                Sizing::Fill
            }
            None => own_sizing(node, axis),
        }
    }
}

fn explicit(node: &Node, axis: Direction) -> Option<Sizing> {
    match axis {
        Direction::Horizontal => node.layout_item.horizontal,
        Direction::Vertical => node.layout_item.vertical,
    }
}

/// What follows its children has no size of its own to give, nor has a LINE a height; what is turned
/// has no side along the axis.
fn can_fill(node: &Node, axis: Direction) -> bool {
    let has_extent = match node.kind {
        NodeKind::Group | NodeKind::BooleanOperation(_) => false,
        NodeKind::Line => axis == Direction::Horizontal,
        _ => true,
    };
    has_extent && is_upright(node)
}

/// Whether the node's sides run along its parent's.
pub(super) fn is_upright(node: &Node) -> bool {
    node.transform.b == 0.0 && node.transform.c == 0.0
}

/// Whether a node fills its parent by the fields of files before 2023.
fn fills(node: &Node, parent: &AutoLayout, axis: Direction) -> bool {
    if axis == parent.direction { node.layout_item.grows } else { node.layout_item.stretches }
}

/// How an extent is found by what the node itself is, in files before 2023.
fn own_sizing(node: &Node, axis: Direction) -> Sizing {
    // A text says it by how it resizes itself, and only where it is no frame as well.
    let hugs = match (layout_of(node), node.text()) {
        (Some(layout), _) if axis == layout.direction => layout.primary_hugs,
        (Some(layout), _) => layout.counter_hugs,
        (None, Some(text)) => match text.style.auto_resize {
            AutoResize::WidthAndHeight => true,
            AutoResize::Height => axis == Direction::Vertical,
            AutoResize::None | AutoResize::Truncate => false,
        },
        (None, None) => false,
    };
    if hugs { Sizing::Hug } else { Sizing::Fixed }
}

impl Transaction<'_> {
    /// States how one extent of a node is found, in every field that says so, and keeps frames from hugging what fills
    /// them: giving a child FILL makes a parent that hugs FIXED along that axis, and giving a frame HUG makes children
    /// that fill it FIXED. Source: developers.figma.com, `layoutSizingHorizontal`.
    ///
    /// It does not check that the sizing means something for this node ([`Document::sizing`]).
    pub fn set_sizing(
        &mut self,
        id: &NodeId,
        axis: Direction,
        sizing: Sizing,
    ) -> Result<(), DocumentError> {
        self.set_own_sizing(id, axis, sizing)?;
        match sizing {
            Sizing::Fixed => {}
            Sizing::Fill => {
                // It would hug what fills it: neither would have an extent of its own.
                let parent = self.document().node(id)?.parent.clone();
                if let Some(parent) = parent
                    && self.document().sizing(&parent, axis) == Sizing::Hug
                {
                    self.set_own_sizing(&parent, axis, Sizing::Fixed)?;
                }
            }
            Sizing::Hug => {
                // Children that fill it would have nothing to fill.
                for child in self.document().children_of(Some(id)).to_vec() {
                    if self.document().sizing(&child, axis) == Sizing::Fill {
                        self.set_own_sizing(&child, axis, Sizing::Fixed)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn set_own_sizing(
        &mut self,
        id: &NodeId,
        axis: Direction,
        sizing: Sizing,
    ) -> Result<(), DocumentError> {
        let node = self.document().node(id)?;
        let parent = node.parent.as_ref().and_then(|parent| self.document().get(parent));
        let layout = parent.and_then(|parent| parent.auto_layout.as_deref());
        let along = layout.filter(|_| !node.layout_item.is_absolute).map(|layout| layout.direction);
        self.update(id, |node| node.set_sizing(axis, sizing, along))
    }
}

impl Node {
    /// Whether the auto layout of what it lies in, if that has any, gives it a place: not if it is hidden, ABSOLUTE or
    /// has no box.
    pub fn flows(&self) -> bool {
        self.visible && !self.layout_item.is_absolute && self.has_box()
    }

    /// States how one extent is found, in every field that says so, as Figma writes them:
    /// `layoutSizing…`, the sizing mode of a frame with auto layout, and, for a child of one in
    /// which children follow each other along `parent`, `layoutGrow` or `layoutAlign`.
    ///
    /// It does not check that the sizing means something for this node ([`Document::sizing`]).
    pub fn set_sizing(&mut self, axis: Direction, sizing: Sizing, parent: Option<Direction>) {
        // Every field that says so is set, or a reader of older files would find two answers.
        let item = &mut self.layout_item;
        match axis {
            Direction::Horizontal => item.horizontal = Some(sizing),
            Direction::Vertical => item.vertical = Some(sizing),
        }
        if let Some(along) = parent {
            let fills = sizing == Sizing::Fill;
            if axis == along {
                item.grows = fills;
            } else {
                item.stretches = fills;
            }
        }
        if let Some(layout) = &mut self.auto_layout {
            let hugs = sizing == Sizing::Hug;
            if axis == layout.direction {
                layout.primary_hugs = hugs;
            } else {
                layout.counter_hugs = hugs;
            }
        }
    }
}
