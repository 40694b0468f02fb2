//! The vector document: Figma's model, so that real files go in and out unchanged.
//!
//! - [`Node`] and what it is made of ([`NodeKind`], [`Paint`], [`TextStyle`] …);
//! - [`Document`]: the nodes by id, shared between snapshots;
//! - [`edit`]: every change is an [`edit::Edit`] with an exact inverse;
//! - [`figma`]: Figma REST JSON in and out, lossless.
//!
//! Uses `base` only. Start with [`Document`]; the design in it is [`Document::main_frame`].
//!
//! What is not typed (effects, auto layout, component properties …) is in [`Node::source`]; it may be
//! changed there with [`edit::Transaction::update`], and is written as it stands.
//!
//! # Geometry
//!
//! A node has a [`Node::transform`] from its own space to that of its **parent node** (of whatever
//! kind, groups included; the page for a root) and a [`Node::size`] in its own space. Absolute boxes
//! are derived ([`Document::absolute_box`]) and never stored. A GROUP's transform and size follow
//! its children after every change ([`edit`]).

mod document;
pub mod edit;
mod envelope;
pub mod figma;
mod node;
mod origin;
mod paint;
mod text;

pub use document::{Document, DocumentError};
pub use envelope::{Envelope, EnvelopeShape};
pub use node::{
    BlendMode, Constraints, CornerRadii, FigmaPath, Node, NodeId, NodeKind, PathGeometry,
    WindingRule,
};
pub use origin::Origin;
pub use paint::{
    ColorStop, Gradient, GradientKind, ImagePaint, Paint, PaintKind, Stroke, StrokeAlign,
    StrokeCap, StrokeJoin,
};
pub use text::{
    AutoResize, LineHeight, StyleOverride, TextAlign, TextContent, TextStyle, VerticalAlign,
};
