//! What is edited in place: a text, a path that is being drawn, the points of a path.

use std::ops::Range;

use crate::base::Point;
use crate::design::gesture::{BurstKey, BurstKind};
use crate::design::hunk::Field;
use crate::design::{AnchorId, Contour, NodeId};

/// How near to the first anchor a press closes the path, in points of the screen.
const CLOSES: f64 = 8.0;
/// What is edited in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum InPlace {
    /// Nothing.
    #[default]
    Nothing,
    /// The words of a text.
    Text(TypedText),
    /// A path that the pen is at.
    Pen(PenPath),
    /// The points of a path.
    Points(PointEditing),
}

impl InPlace {
    /// The node whose words are typed.
    pub fn typed(&self) -> Option<&NodeId> {
        match self {
            Self::Text(typed) => Some(&typed.node),
            Self::Nothing | Self::Pen(_) | Self::Points(_) => None,
        }
    }

    /// The node that is edited, if it is one of the design.
    pub(super) fn node(&self) -> Option<&NodeId> {
        match self {
            Self::Text(typed) => Some(&typed.node),
            Self::Points(points) => Some(&points.node),
            Self::Nothing | Self::Pen(_) => None,
        }
    }
}

/// The text that is typed into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedText {
    /// Which.
    pub node: NodeId,
    /// Whether it was made to be typed into: it is named by what it says, and goes if that is nothing.
    pub is_new: bool,
    /// Which of its characters are selected; none: where the cursor stands, if that is known.
    pub selected: Range<usize>,
}

impl TypedText {
    /// A text that is typed into from now on.
    pub(super) fn new(node: NodeId, is_new: bool) -> Self {
        Self { node, is_new, selected: 0..0 }
    }
}

/// A path that the pen is at, on the page. It is in the design when it is ended.
#[derive(Clone, Debug, PartialEq)]
pub struct PenPath {
    /// What was set so far.
    pub contour: Contour,
    /// What it goes into when it is ended.
    pub(super) parent: Option<NodeId>,
}

impl PenPath {
    /// The same before its last anchor was set; `None` of the first.
    pub(super) fn without_last(&self) -> Option<Self> {
        let mut path = self.clone();
        path.contour.anchors.pop();
        (!path.contour.anchors.is_empty()).then_some(path)
    }

    /// Whether a press there closes it.
    pub fn closes_at(&self, at: Point, zoom: f64) -> bool {
        let first = self.contour.anchors.first().filter(|_| self.contour.anchors.len() > 1);
        first.is_some_and(|first| {
            let by = at.since(first.at);
            by.x.hypot(by.y) * zoom <= CLOSES
        })
    }
}

/// The path whose points are edited.
#[derive(Clone, Debug, PartialEq)]
pub struct PointEditing {
    /// Of which node.
    pub node: NodeId,
    /// The anchors that are selected, each once.
    pub selected: Vec<AnchorId>,
}

/// What makes typing one step.
pub(super) fn typing_burst(id: &NodeId) -> BurstKey {
    BurstKey { kind: BurstKind::Typing, nodes: vec![id.clone()], field: Field::Words }
}
