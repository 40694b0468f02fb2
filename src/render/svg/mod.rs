//! A design document to SVG.
//!
//! Start with [`export_node`]. The export walks the same resolved `Scene` as
//! the painter, so that both show the same; [`walk`] decides what becomes a group, a clip or a mask,
//! and the files beside it know one thing of SVG each.
//!
//! All geometry is written in the space of the picture, one unit a pixel: elements carry no
//! transforms (pictures and turned texts excepted), so that the space of a clip, a mask or a gradient
//! is always the same one. What is far outside is cut, as renderers count in limited numbers.
//!
//! What SVG has no form for is drawn as a picture in its place or by the nearest thing there is, and
//! the diagnostics say so.

mod definitions;
mod effect;
mod exporter;
mod geometry;
mod glyph;
mod ink;
mod layer;
mod markup;
mod number;
mod paint;
mod picture;
mod stroke;
mod text;
mod walk;

use crate::base::{Limits, PixelsError, Rect};
use crate::design::{Document, NodeId};

use crate::render::context::RenderContext;
use crate::render::diagnostic::{Diagnostic, RenderError};
use crate::render::scene::Scene;
use crate::render::scene::combined::ShapeCache;
use crate::render::scene::view::{PixelGrid, scene_of_node, scene_of_page};

pub use exporter::{NodeIds, SvgOptions, TextForm};

use exporter::Exporter;

/// An SVG document and what it shows otherwise than the design says.
#[derive(Clone, Debug)]
pub struct ExportedSvg {
    /// The document: well-formed XML, UTF-8, self-contained.
    pub svg: String,
    /// The box on the page that it shows.
    pub page_box: Rect,
    /// What was left out or replaced, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes one node with its subtree, cut as [`render_node`](super::render_node) cuts its picture: at
/// scale 1 both show the same pixels.
///
/// The same document and options give the same bytes.
pub fn export_node(
    context: &RenderContext,
    document: &Document,
    node: &NodeId,
    options: SvgOptions,
) -> Result<ExportedSvg, RenderError> {
    context.with_cache(|cache| {
        let (scene, grid) = scene_of_node(cache, document, node, 1.0)?;
        export(cache, scene, &grid, options)
    })
}

/// Writes everything visible on the page, cut as [`render_page`](super::render_page) cuts it.
pub fn export_page(
    context: &RenderContext,
    document: &Document,
    options: SvgOptions,
) -> Result<ExportedSvg, RenderError> {
    context.with_cache(|cache| {
        let (scene, grid) = scene_of_page(cache, document, 1.0)?;
        export(cache, scene, &grid, options)
    })
}

fn export(
    cache: &ShapeCache,
    scene: Scene<'_>,
    grid: &PixelGrid,
    options: SvgOptions,
) -> Result<ExportedSvg, RenderError> {
    let page_box = grid.page_box();
    let (width, height) = (page_box.width, page_box.height);
    if width.max(height) > Limits::COORDINATE {
        let (width, height) = (width as u32, height as u32);
        return Err(PixelsError::TooLarge { width, height }.into());
    }
    let (svg, own) =
        Exporter::new(&cache.typesetter, page_box, options, scene.images).export(&scene.roots);
    let mut diagnostics = scene.into_diagnostics();
    diagnostics.extend(own);
    Ok(ExportedSvg { svg, page_box, diagnostics })
}
