//! A node of the document.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::{Affine, Size};

use super::auto_layout::{AutoLayout, LayoutItem};
use super::child_list::ChildList;
use super::effect::Effect;
use super::export_setting::ExportSetting;
use super::node_id::NodeId;
use super::origin::Origin;
use super::paint::{BlendMode, Paint, Stroke};
use super::shape::{BooleanOp, CornerRadii, EllipseArc, PathGeometry};
use super::text::TextContent;

/// One node: a frame, a shape, a text …
///
/// Every field has Figma's default where the file says nothing. What the file said in words this
/// program does not know stays in `source` and is written back.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Unique in the document.
    pub id: NodeId,
    /// What people call it.
    pub name: String,
    /// What it is, with what only that kind has.
    pub kind: NodeKind,
    /// The node it lies in; `None` for a child of the page.
    pub parent: Option<NodeId>,
    /// Children, bottom first.
    pub children: ChildList,
    /// Drawn or not, with its subtree.
    pub visible: bool,
    /// Whether hands leave it alone, with its subtree: it is seen, and neither hit nor moved.
    pub locked: bool,
    /// 0..=1, of the node with its subtree.
    pub opacity: f64,
    /// How it mixes with what is below.
    pub blend_mode: BlendMode,
    /// Whether it masks its later siblings.
    pub is_mask: bool,
    /// What of it masks, where it is a mask.
    pub mask_type: MaskType,
    /// From this node's space to its parent node's.
    pub transform: Affine,
    /// Extent in its own space.
    pub size: Size,
    /// Fills, bottom first.
    pub fills: Vec<Paint>,
    /// The outline.
    pub stroke: Stroke,
    /// Shadows and blurs, bottom first.
    pub effects: Vec<Effect>,
    /// Rounding of the four corners.
    pub corner_radii: CornerRadii,
    /// How far roundings run out into the edges, 0 (circular) ..= 1; 0.6 is that of iOS icons.
    pub corner_smoothing: f64,
    /// Whether children are cut at its edge.
    pub clips_content: bool,
    /// How it follows its parent's size.
    pub constraints: Constraints,
    /// How it places its children, where it has auto layout.
    pub auto_layout: Option<Box<AutoLayout>>,
    /// What it says of its own size and place in auto layout.
    pub layout_item: LayoutItem,
    /// What it is exported as, a file each.
    pub export_settings: Vec<ExportSetting>,
    /// The fields of the JSON object it came from (without `children`), as they stood there. Empty for a node made
    /// here, until someone puts a field that is not typed into it. Written back verbatim wherever the typed field still
    /// means the same.
    pub source: Arc<Map<String, Value>>,
    /// What else the file said of it; `None` for a node made here.
    pub origin: Option<Arc<Origin>>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A page of a file.
    Canvas,
    /// A box that can clip and lay out.
    Frame,
    /// Children that move together; its box follows them.
    Group,
    /// A box on the page that organises frames.
    Section,
    /// A rectangle.
    Rectangle,
    /// An ellipse, or a part of one.
    Ellipse(EllipseArc),
    /// A line from (0, 0) to (width, 0) in its own space; its height is 0.
    Line,
    /// Free form.
    Vector(PathGeometry),
    /// Text.
    Text(Box<TextContent>),
    /// A reusable node.
    Component,
    /// The variants of a component.
    ComponentSet,
    /// A use of a component.
    Instance,
    /// A regular polygon in the ellipse that fills the size, the first corner at the top.
    RegularPolygon {
        /// How many corners, at least 3.
        corners: u32,
    },
    /// A star in the ellipse that fills the size, the first tip at the top.
    Star {
        /// How many tips, at least 3.
        tips: u32,
        /// Distance of the notches from the middle, as a share of that of the tips, 0..=1.
        inner_ratio: f64,
    },
    /// Its children's shapes combined, the second with the first, the third with that, and so on.
    BooleanOperation(BooleanOp),
    /// A region to export.
    Slice,
    /// A type this program does not know, by its Figma name.
    Other(String),
}

/// What of a mask masks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaskType {
    /// How opaque it is.
    #[default]
    Alpha,
    /// Its form, whatever its paints are.
    Vector,
    /// How bright it is.
    Luminance,
}

/// How a node follows its parent's size, by Figma's names (`LEFT`, `SCALE` …).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// Across.
    pub horizontal: String,
    /// Down.
    pub vertical: String,
}

impl Default for Constraints {
    fn default() -> Self {
        Self { horizontal: "LEFT".to_owned(), vertical: "TOP".to_owned() }
    }
}

impl NodeKind {
    /// [`Self::Star`]'s `inner_ratio` of a star that does not say: Figma's own.
    pub const STAR_INNER_RATIO: f64 = 0.382;

    /// Figma's name of the type, such as `RECTANGLE`.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Canvas => "CANVAS",
            Self::Frame => "FRAME",
            Self::Group => "GROUP",
            Self::Section => "SECTION",
            Self::Rectangle => "RECTANGLE",
            Self::Ellipse(_) => "ELLIPSE",
            Self::Line => "LINE",
            Self::Vector(_) => "VECTOR",
            Self::Text(_) => "TEXT",
            Self::Component => "COMPONENT",
            Self::ComponentSet => "COMPONENT_SET",
            Self::Instance => "INSTANCE",
            Self::RegularPolygon { .. } => "REGULAR_POLYGON",
            Self::Star { .. } => "STAR",
            Self::BooleanOperation(_) => "BOOLEAN_OPERATION",
            Self::Slice => "SLICE",
            Self::Other(name) => name,
        }
    }

    /// Whether it is the file itself or one of its pages, which have no box.
    pub fn is_file_or_page(&self) -> bool {
        match self {
            Self::Canvas => true,
            Self::Other(name) => name == "DOCUMENT",
            _ => false,
        }
    }

    /// The kind of this Figma name, empty where the kind has more to it.
    pub(super) fn from_type_name(name: &str) -> Self {
        match name {
            "CANVAS" => Self::Canvas,
            "FRAME" => Self::Frame,
            "GROUP" => Self::Group,
            "SECTION" => Self::Section,
            "RECTANGLE" => Self::Rectangle,
            "ELLIPSE" => Self::Ellipse(EllipseArc::WHOLE),
            "LINE" => Self::Line,
            "VECTOR" => Self::Vector(PathGeometry::default()),
            "TEXT" => Self::Text(Box::default()),
            "COMPONENT" => Self::Component,
            "COMPONENT_SET" => Self::ComponentSet,
            "INSTANCE" => Self::Instance,
            // Files of the API have outlines and no count; Figma's own new polygon has three corners.
            "REGULAR_POLYGON" => Self::RegularPolygon { corners: 3 },
            "STAR" => Self::Star { tips: 5, inner_ratio: Self::STAR_INNER_RATIO },
            "BOOLEAN_OPERATION" => Self::BooleanOperation(BooleanOp::Union),
            "SLICE" => Self::Slice,
            _ => Self::Other(name.to_owned()),
        }
    }

    /// Whether it is some kind of frame: a box with a ground of its own, which holds others.
    pub fn is_some_frame(&self) -> bool {
        matches!(
            self,
            Self::Frame | Self::Section | Self::Component | Self::ComponentSet | Self::Instance
        )
    }

    /// Whether nodes of this kind can have auto layout; a SECTION has none in Figma.
    pub fn can_lay_out(&self) -> bool {
        matches!(self, Self::Frame | Self::Component | Self::ComponentSet | Self::Instance)
    }

    /// Whether the kind may have children.
    pub fn is_container(&self) -> bool {
        matches!(
            self,
            Self::Canvas
                | Self::Frame
                | Self::Group
                | Self::Section
                | Self::Component
                | Self::ComponentSet
                | Self::Instance
                | Self::BooleanOperation(_)
        )
    }
}

impl Node {
    /// Whether it cuts off what lies in it at its edge; a group only holds it.
    pub fn clips(&self) -> bool {
        self.clips_content && self.kind.is_container() && self.kind != NodeKind::Group
    }

    /// A visible node of this kind with Figma's defaults, no paint, no parent.
    pub fn new(id: NodeId, name: impl Into<String>, kind: NodeKind) -> Self {
        Self {
            id,
            name: name.into(),
            kind,
            parent: None,
            children: ChildList::new(),
            visible: true,
            locked: false,
            opacity: 1.0,
            blend_mode: BlendMode::PassThrough,
            is_mask: false,
            mask_type: MaskType::Alpha,
            transform: Affine::IDENTITY,
            size: Size::default(),
            fills: Vec::new(),
            stroke: Stroke::default(),
            effects: Vec::new(),
            corner_radii: CornerRadii::default(),
            corner_smoothing: 0.0,
            clips_content: false,
            constraints: Constraints::default(),
            auto_layout: None,
            layout_item: LayoutItem::default(),
            export_settings: Vec::new(),
            source: Arc::default(),
            origin: None,
        }
    }

    /// Whether the node has a place on the page: not for a file, a page, or a node whose
    /// `absoluteBoundingBox` is missing or null in the file it came from (until it is placed).
    pub fn has_box(&self) -> bool {
        // What was placed since it was read has a box, whatever its file lacked.
        match self.origin.as_deref().map(|origin| &origin.placement) {
            Some(read) if read.transform == self.transform && read.size == self.size => {
                read.has_box
            }
            _ => !self.kind.is_file_or_page(),
        }
    }

    /// The text, if the node is a TEXT.
    pub fn text(&self) -> Option<&TextContent> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text to change, if the node is a TEXT.
    pub fn text_mut(&mut self) -> Option<&mut TextContent> {
        match &mut self.kind {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A node named by its id, with its box in its parent: what tests make designs of.
#[cfg(test)]
pub(in crate::design) fn node_in_box(
    id: &str,
    kind: NodeKind,
    parent: Option<&str>,
    [x, y, width, height]: [f64; 4],
) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(width, height));
    node
}
