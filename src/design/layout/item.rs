//! One child as its parent's auto layout sees it, along one axis.

use std::sync::Arc;

use super::axis::Bounds;
use super::sizing::{is_upright, layout_of};
use super::strokes;
use crate::design::auto_layout::{AutoLayout, Direction, Sizing};
use crate::design::document::Document;
use crate::design::node::Node;
use crate::design::node_id::NodeId;

/// One child along one axis.
#[derive(Clone, Debug)]
pub(super) struct SolverItem {
    pub(super) id: NodeId,
    /// How its extent is found.
    pub(super) sizing: Sizing,
    /// Within which its extent has to be.
    pub(super) bounds: Bounds,
    /// The room its stroke takes before and after it.
    pub(super) around: (f64, f64),
    /// Whether it is a frame with auto layout, whose content asks for an extent.
    pub(super) has_content: bool,
    /// Its own extent, along its own axis.
    pub(super) extent: f64,
    /// The extent of its box along the parent's axis: another one if it is turned.
    pub(super) boxed: f64,
}

impl SolverItem {
    /// The child as it is.
    pub(super) fn of(
        document: &Document,
        node: &Arc<Node>,
        parent: &AutoLayout,
        axis: Direction,
    ) -> Self {
        // Figma says `box-sizing: border-box`: see `strokes`.
        let around =
            if parent.includes_strokes { axis.sides(strokes::outside(node)) } else { (0.0, 0.0) };
        let extent = axis.extent(node.size);
        // Of an upright child the two are one number, free of the rounding of its box.
        let boxed = if is_upright(node) {
            extent
        } else {
            axis.extent(node.transform.bounds_of(node.size).size())
        };
        Self {
            id: node.id.clone(),
            sizing: document.sizing(&node.id, axis),
            bounds: axis.bounds(&node.layout_item),
            around,
            has_content: layout_of(node).is_some(),
            extent,
            boxed,
        }
    }

    /// What it takes of its line.
    pub(super) fn outer(&self) -> f64 {
        self.boxed + self.around.0 + self.around.1
    }

    /// What it takes at least: where lines break, what fills counts as narrow as it may be.
    pub(super) fn least(&self) -> f64 {
        match self.sizing {
            Sizing::Fill => self.bounds.least + self.around.0 + self.around.1,
            Sizing::Fixed | Sizing::Hug => self.outer(),
        }
    }

    /// Whether it has an extent across its line only because the line has one.
    pub(super) fn follows_line(&self) -> bool {
        self.fills() && !self.has_content
    }

    /// Gives it an extent that is that of its box too.
    pub(super) fn fill(&mut self, extent: f64) {
        let extent = self.bounds.clamp(extent);
        (self.extent, self.boxed) = (extent, extent);
    }

    pub(super) fn fills(&self) -> bool {
        self.sizing == Sizing::Fill
    }
}
