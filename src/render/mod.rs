//! A design document to pixels and to SVG, with what could not be drawn.
//!
//! Uses `design`, `raster` and `base`. Start with [`render_node`]; for SVG with [`svg::export_node`].
//!
//! Drawing has two passes. [`scene`] resolves the document once, in page space: shapes, laid out
//! text, the bounds of what every node paints, and the diagnostics. `paint` walks that scene in
//! device space and knows nothing of documents, [`svg`] walks the same one. What is outside the
//! picture or a clip is skipped by its bounds; layers and masks are made only where one paint after
//! the other would look different.
//!
//! The folders stand in the order `geometry → text → scene → paint → svg`, and each uses those before
//! it only; [`diagnostic`] and [`paint_facts`] are below all of them, [`context`] is above `scene`.
//!
//! The same document gives the same bytes in the same [`RenderContext`], which brings the fonts and
//! keeps what can be computed again. Other fonts than the vendored ones are used only by choice, for
//! what the vendored ones cannot set, and a diagnostic says so; see [`text`].

mod context;
mod diagnostic;
mod geometry;
mod paint;
mod paint_facts;
mod scene;
pub mod svg;
mod text;

use std::collections::BTreeMap;

use crate::base::{Rect, Size};
use crate::design::{
    Document, DocumentError, Measure, NodeId, PathGeometry, TextContent, TextExtent,
};

pub use context::RenderContext;
pub use diagnostic::{Diagnostic, RenderError};
pub use paint::glyph::Coverage;
pub use paint::repainter::Repainter;
pub use paint::{RenderOptions, Rendered};
pub use text::font::face::Face;
pub use text::font::library::{FontFile, FontSource, Fonts};
pub use text::layout::TextMeasure;
pub use text::layout::spans::MAX_CHARACTERS;
pub use text::layout::text_layout::{Decoration, Fitting, Line, PlacedGlyph, Span, TextLayout};

use paint::{glyph, painter};
use scene::view::{PixelGrid, scene_of_area, scene_of_node, scene_of_page};
use scene::{Scene, combined, render_bounds};
use text::layout::{self, Substitute};

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

/// Draws everything visible in a part of the page, as [`render_page`] draws it there; where nothing lies nothing.
///
/// Errors: the part has no extent, or more pixels than a picture may have.
pub fn render_area(
    context: &RenderContext,
    document: &Document,
    area: Rect,
    options: RenderOptions,
) -> Result<Rendered, RenderError> {
    let (scene, grid) =
        context.with_cache(|cache| scene_of_area(cache, document, area, options.scale))?;
    paint(scene, &grid, options)
}

/// The box of what the node paints on the page: Figma's `absoluteRenderBounds` (strokes outside the
/// box, text beyond its box, cut by clipping ancestors). `None` if it paints nothing.
pub fn render_bounds(context: &RenderContext, document: &Document, node: &NodeId) -> Option<Rect> {
    context.with_cache(|cache| render_bounds::render_bounds(cache, document, node))
}

/// [`render_bounds`] of every node that paints something, from one pass over the page.
pub fn all_render_bounds(context: &RenderContext, document: &Document) -> BTreeMap<NodeId, Rect> {
    context.with_cache(|cache| render_bounds::all_render_bounds(cache, document))
}

/// Lays out `content` in a box of `size`.
///
/// Lines break at `size.width`, except in a text whose width follows it
/// ([`AutoResize::WidthAndHeight`](crate::design::AutoResize)), where only the text itself breaks
/// lines. Alignment is within `size`. A text to be truncated ends with an ellipsis where it would
/// leave the box.
pub fn layout_text(context: &RenderContext, content: &TextContent, size: Size) -> TextLayout {
    context.with_cache(|cache| layout::in_box(&cache.typesetter.shaper, content, size))
}

/// What `content` takes with lines broken at `width`, or only where the text says.
pub fn measure_text(
    context: &RenderContext,
    content: &TextContent,
    width: Option<f64>,
) -> TextMeasure {
    context.with_cache(|cache| layout::measure(&cache.typesetter.shaper, content, width))
}

/// How `content` covers the pixels of a box of `size`, one pixel a unit: the shape of its glyphs,
/// whatever its fills. `None` if the box has no area or is larger than a picture may be.
pub fn text_coverage(
    context: &RenderContext,
    content: &TextContent,
    size: Size,
) -> Option<Coverage> {
    context.with_cache(|cache| glyph::text_coverage(&cache.typesetter, content, size))
}

/// What the fills and the stroke of a node cover, in its own space: Figma's `fillGeometry` and
/// `strokeGeometry`.
///
/// Every kind has it whose form is its own: boxes, ellipses and their parts, polygons, vectors,
/// texts by the outlines of their letters, combinations by what they combine to. A GROUP or SLICE
/// covers nothing. Where a stroke lies inside or outside, only that side is in its outline. Paints do
/// not matter, but a stroke without weight has no outline.
///
/// Errors: the document has no such node, or it cannot be placed.
pub fn outline(
    context: &RenderContext,
    document: &Document,
    id: &NodeId,
) -> Result<PathGeometry, DocumentError> {
    context.with_cache(|cache| scene::outline::outline(cache, document, id))
}

/// Measures texts and shapes as they are drawn in a context.
#[derive(Clone, Copy, Debug)]
pub struct TextMeasurer<'c>(pub &'c RenderContext);

impl Measure for TextMeasurer<'_> {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let (size, lines) = self.0.with_cache(|cache| {
            let size = layout::measure(&cache.typesetter.shaper, content, width).size;
            // The box is what is asked for, so letters are not fitted to it.
            let shaper = &cache.typesetter.shaper;
            (size, layout::set(shaper, content, size, Substitute::TakesRoom).lines)
        });
        let baseline = lines.first().map_or(size.height, |line| line.baseline_y - line.top);
        TextExtent { size, baseline }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        let node = document.get(id)?;
        self.0.with_cache(|cache| combined::bounds(cache, document, node))
    }

    fn outline(&self, document: &Document, id: &NodeId) -> Option<PathGeometry> {
        outline(self.0, document, id).ok()
    }
}

fn paint(
    scene: Scene<'_>,
    grid: &PixelGrid,
    options: RenderOptions,
) -> Result<Rendered, RenderError> {
    Ok(Rendered {
        pixels: painter::paint(&scene, grid, options.background)?,
        page_box: grid.page_box(),
        diagnostics: scene.into_diagnostics(),
    })
}
