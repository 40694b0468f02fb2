//! The vector document: Figma's model, so that real files go in and out unchanged.
//!
//! - [`Node`] and what it is made of ([`NodeKind`], [`Paint`], [`TextStyle`] …);
//! - [`Document`]: the nodes by id, shared between snapshots;
//! - [`diff`]: what is different between two documents;
//! - [`edit`]: every change is an [`edit::Edit`] with an exact inverse;
//! - [`Contours`]: paths as people edit them, anchors with handles, of a node and back into it;
//! - [`gesture`]: what hands do: dragging, snapping, hitting, arranging, undoing;
//! - [`goal`]: a design to arrive at, and how far another is from it;
//! - [`hunk`]: changes of one field of one node, each to be taken or left;
//! - [`layout`]: auto layout, and what else follows from a change;
//! - [`patch`]: what changed between two documents, as JSON that gives exactly the same elsewhere;
//! - [`figma`]: Figma REST JSON in and out, lossless.
//!
//! Uses `base` only. Start with [`Document`]; the design in it is [`Document::main_frame`].
//!
//! What is not typed (component properties, export settings, GRID layout …) is in [`Node::source`]; it may be
//! changed there with [`edit::Transaction::update`], and is written as it stands.
//!
//! # Geometry
//!
//! A node has a [`Node::transform`] from its own space to that of its **parent node** (of whatever
//! kind, groups included; the page for a root) and a [`Node::size`] in its own space. Absolute boxes
//! are derived ([`Document::absolute_box`]) and never stored. A GROUP's transform and size follow
//! its children after every change ([`edit`]).

mod auto_layout;
mod child_list;
mod contour;
pub mod diff;
mod document;
pub mod edit;
mod effect;
mod envelope;
mod export_setting;
pub mod figma;
pub mod gesture;
pub mod goal;
pub mod hunk;
mod images;
pub mod layout;
mod measure;
mod node;
mod node_id;
mod origin;
mod paint;
pub mod patch;
mod picture_text;
mod shape;
mod shown_picture;
mod text;
mod text_edit;
mod text_range;

pub use auto_layout::{AutoLayout, CounterAlign, Direction, LayoutItem, PrimaryAlign, Sizing};
pub use child_list::{ChildIter, ChildList};
pub use contour::{
    Anchor, AnchorId, Contour, ContourError, ContourPath, Contours, FittedContours, HandleSide,
    LEAST_ROUNDED_TURN, Segment,
};
pub use document::{Document, DocumentError};
pub use effect::{Effect, EffectKind, Shadow};
pub use envelope::{Envelope, EnvelopeShape};
pub use export_setting::{ExportFileFormat, ExportSetting, ExportSize, ExportSizeError};
pub use images::Images;
pub use measure::{Measure, NarrowLetters, NoTexts, SquareLetters, TextExtent};
pub use node::{Constraints, MaskType, Node, NodeKind};
pub use node_id::NodeId;
pub use origin::Origin;
pub use paint::{
    BlendMode, ColorStop, Gradient, GradientKind, ImageFilters, ImagePaint, Paint, PaintKind,
    Stroke, StrokeAlign, StrokeCap, StrokeJoin,
};
pub use picture_text::{PictureTextError, picture_of_text, pictures_as_text, shown_pictures};
pub use shape::{
    AnchorKind, BooleanOp, CornerRadii, EllipseArc, FigmaPath, PathGeometry, Sides, WindingRule,
    has_boundless_arc,
};
pub use shown_picture::ShownPicture;
pub use text::{
    AutoResize, LineHeight, LineType, StyleOverride, TextAlign, TextCase, TextContent,
    TextDecoration, TextStyle, VerticalAlign,
};
pub use text_edit::TextEditError;
