//! A design document to pixels, with what could not be drawn.
//!
//! Uses `design`, `raster` and `base`. Start with [`render_node`].

use crate::base::{Pixels, PixelsError, Rect};
use crate::design::{Document, DocumentError, NodeId};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Pixels a unit, 0.01..=16.
    pub scale: f64,
    /// What lies under everything, RGBA; transparent by default.
    pub background: [u8; 4],
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { scale: 1.0, background: [0, 0, 0, 0] }
    }
}

/// A picture and what could not be drawn in it.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The picture.
    pub pixels: Pixels,
    /// The box on the page that the picture shows.
    pub page_box: Rect,
    /// What was left out or replaced, and why; in paint order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Something that could not be drawn as the document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Of which node.
    pub node: NodeId,
    /// What happened, for people.
    pub message: String,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {0}")]
    Empty(String),
    /// The document has no such node.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The picture would be too large.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The scale is out of range.
    #[error("scale must be within 0.01 and 16, not {0}")]
    Scale(f64),
}

/// Draws one node with its subtree, cut at its absolute box (a frame) or at its render bounds.
pub fn render_node(
    _document: &Document,
    node: &NodeId,
    _options: RenderOptions,
) -> Result<Rendered, RenderError> {
    Err(RenderError::Empty(node.to_string()))
}

/// Draws everything visible on the page, at the union of the roots' render bounds.
pub fn render_page(_document: &Document, _options: RenderOptions) -> Result<Rendered, RenderError> {
    Err(RenderError::Empty("the page has no visible node".to_owned()))
}

/// The box of what the node paints on the page: Figma's `absoluteRenderBounds` (strokes outside the
/// box, text beyond its box, cut by clipping ancestors). `None` if it paints nothing.
pub fn render_bounds(_document: &Document, _node: &NodeId) -> Option<Rect> {
    None
}
