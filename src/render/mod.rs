//! A design document to pixels and to SVG, with what could not be drawn.
//!
//! Uses `design`, `raster` and `base`. Start with [`render_node`]; for SVG with [`svg::export_node`].
//!
//! Drawing has two passes. [`scene`] resolves the document once, in page space: shapes, laid out
//! text, the bounds of what every node paints, and the diagnostics. [`painter`] walks that scene in
//! device space and knows nothing of documents. What is outside the picture or a clip is skipped by
//! its bounds; layers and masks are made only where one paint after the other would look different.
//!
//! The same document gives the same bytes in the same [`RenderContext`], which brings the fonts and
//! keeps what can be computed again. Other fonts than the vendored ones are used only by choice, for
//! what the vendored ones cannot set, and a diagnostic says so; see [`text`].

mod arc;
mod around;
mod arrow;
mod blank_masks;
mod bounds;
mod clip;
mod combined;
mod complexity;
mod context;
mod coverage;
mod dashes;
mod diagnostic;
mod effect;
mod effect_painter;
mod far_path;
mod file_geometry;
mod flatten;
mod gradient;
mod image_sampler;
mod outline;
mod painted;
mod painter;
mod path_data;
mod picture;
mod pixel_grid;
mod polygon;
mod polygon_set;
mod repainter;
mod round_corners;
mod rounded_box;
mod scene;
mod shader;
mod shape;
mod smooth_corner;
mod stroke;
mod stroker;
mod surface;
pub mod svg;
mod text;
mod text_measurer;

use std::collections::BTreeMap;

use crate::base::{Pixels, PixelsError, Rect, Size};
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind, TextContent};

pub use context::RenderContext;
pub use diagnostic::Diagnostic;
pub use outline::outline;
pub use repainter::Repainter;
pub use text::{
    Coverage, Decoration, Face, FontSource, Fonts, Line, MAX_CHARACTERS, PlacedGlyph, Span,
    TextLayout, TextMeasure,
};
pub use text_measurer::TextMeasurer;

use combined::ShapeCache;
use pixel_grid::PixelGrid;
use scene::Scene;

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
///
/// What lies around the node (its ancestors, their opacity and clips) has no part in it, as when
/// Figma exports a node. A frame's picture begins exactly at the frame's corner; any other node's
/// at the page pixel that holds the corner of its render bounds.
pub fn render_node(
    context: &RenderContext,
    document: &Document,
    node: &NodeId,
    options: RenderOptions,
) -> Result<Rendered, RenderError> {
    let (scene, grid) =
        context.with_cache(|cache| scene_of_node(cache, document, node, options.scale))?;
    paint(scene, &grid, options)
}

/// Draws everything visible on the page, at the union of the roots' render bounds.
pub fn render_page(
    context: &RenderContext,
    document: &Document,
    options: RenderOptions,
) -> Result<Rendered, RenderError> {
    let (scene, grid) =
        context.with_cache(|cache| scene_of_page(cache, document, options.scale))?;
    paint(scene, &grid, options)
}

fn scene_of_node<'d>(
    cache: &ShapeCache,
    document: &'d Document,
    node: &NodeId,
    scale: f64,
) -> Result<(Scene<'d>, PixelGrid), RenderError> {
    check_scale(scale)?;
    let top = document.node(node)?;
    if !top.visible {
        return Err(RenderError::Empty(format!("{} ({}) is hidden", top.name, top.id)));
    }
    let scene = Scene::of_node(cache, document, top)?;
    let grid = if is_cut_at_its_box(top) {
        PixelGrid::at_box(document.absolute_box(node)?, scale)
    } else {
        scene.bounds().and_then(|bounds| PixelGrid::around(bounds, scale))
    };
    let nothing = || RenderError::Empty(format!("{} ({}) paints nothing", top.name, top.id));
    Ok((scene, grid.ok_or_else(nothing)?))
}

fn scene_of_page<'d>(
    cache: &ShapeCache,
    document: &'d Document,
    scale: f64,
) -> Result<(Scene<'d>, PixelGrid), RenderError> {
    check_scale(scale)?;
    let scene = Scene::of_page(cache, document);
    let grid = scene.bounds().and_then(|bounds| PixelGrid::around(bounds, scale));
    let nothing = || RenderError::Empty("the page has no visible node".to_owned());
    Ok((scene, grid.ok_or_else(nothing)?))
}

/// The box of what the node paints on the page: Figma's `absoluteRenderBounds` (strokes outside the
/// box, text beyond its box, cut by clipping ancestors). `None` if it paints nothing.
pub fn render_bounds(context: &RenderContext, document: &Document, node: &NodeId) -> Option<Rect> {
    context.with_cache(|cache| bounds::render_bounds(cache, document, node))
}

/// [`render_bounds`] of every node that paints something, from one pass over the page.
pub fn all_render_bounds(context: &RenderContext, document: &Document) -> BTreeMap<NodeId, Rect> {
    context.with_cache(|cache| bounds::all_render_bounds(cache, document))
}

/// Lays out `content` in a box of `size`.
///
/// Lines break at `size.width`, except in a text whose width follows it
/// ([`AutoResize::WidthAndHeight`](crate::design::AutoResize)), where only the text itself breaks
/// lines. Alignment is within `size`. A text to be truncated ends with an ellipsis where it would
/// leave the box.
pub fn layout_text(context: &RenderContext, content: &TextContent, size: Size) -> TextLayout {
    context.with_cache(|cache| text::layout::in_box(&cache.typesetter, content, size))
}

/// What `content` takes with lines broken at `width`, or only where the text says.
pub fn measure_text(
    context: &RenderContext,
    content: &TextContent,
    width: Option<f64>,
) -> TextMeasure {
    context.with_cache(|cache| text::measure(&cache.typesetter, content, width))
}

/// How `content` covers the pixels of a box of `size`, one pixel a unit: the shape of its glyphs,
/// whatever its fills. `None` if the box has no area or is larger than a picture may be.
pub fn text_coverage(
    context: &RenderContext,
    content: &TextContent,
    size: Size,
) -> Option<Coverage> {
    context.with_cache(|cache| text::glyph::coverage(&cache.typesetter, content, size))
}

fn check_scale(scale: f64) -> Result<(), RenderError> {
    if (0.01..=16.0).contains(&scale) { Ok(()) } else { Err(RenderError::Scale(scale)) }
}

/// Whether a picture of the node ends at the node's box even where it paints beyond.
fn is_cut_at_its_box(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
    )
}

fn paint(
    scene: Scene<'_>,
    grid: &PixelGrid,
    options: RenderOptions,
) -> Result<Rendered, RenderError> {
    let (width, height) = grid.size()?;
    let rgba = painter::paint(&scene, grid, (width, height), options.background)
        .ok_or(PixelsError::TooLarge { width, height })?;
    Ok(Rendered {
        pixels: Pixels::from_rgba(width, height, rgba)?,
        page_box: grid.page_box(),
        diagnostics: scene.into_diagnostics(),
    })
}
