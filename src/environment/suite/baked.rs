//! Pictures that a page needs before it can be drawn: layers with filters, files that are one picture,
//! and given drawings at the size they are seen at.
//!
//! They are pages themselves, and so are built on [`page`](super::page), which asks for them by the
//! methods of its [`RasterCache`].

use std::sync::Arc;

use crate::base::{Pixels, Point, Size};
use crate::environment::graphic::Graphic;
use crate::raster::filter::Filter;
use crate::render::{RenderError, RenderOptions, render_node};

use super::document::{Content, Layer, Saved};
use super::drawing::DrawnShape;
use super::json::layer_key;
use super::page::{PageBuilder, Paper};
use super::raster_cache::RasterCache;

/// Most pixels of a picture made here; what is larger is made at a smaller scale.
const MOST_PIXELS: f64 = 4_000_000.0;
/// The widest margin around a layer that is blurred, in points.
const MOST_MARGIN: f64 = 300.0;

/// A layer as its filters leave it.
#[derive(Clone, Debug)]
pub(super) struct Baked {
    /// The name of the picture, by its content.
    pub(super) key: String,
    /// The picture.
    pub(super) pixels: Arc<Pixels>,
    /// How far it reaches beyond the layer's box on each side, in points.
    pub(super) margin: f64,
}

impl RasterCache {
    /// The layer as its filters leave it, not turned and fully opaque.
    pub(super) fn baked(&self, layer: &Layer) -> Result<Baked, RenderError> {
        let margin = margin(layer);
        let key = format!("filtered-{}", layer_key(layer));
        if let Some(pixels) = self.known(&key) {
            return Ok(Baked { key, pixels, margin });
        }
        let box_size = layer.place().size;
        let size = Size::new(
            (box_size.width + 2.0 * margin).max(1.0),
            (box_size.height + 2.0 * margin).max(1.0),
        );
        // Neither turned nor translucent: both are done to the picture, where the layer lies.
        let mut alone = layer.alone_at(Point::new(size.width / 2.0, size.height / 2.0));
        alone.place_mut().angle = 0.0;
        let options = options(size);
        let page = PageBuilder::new(self, options.scale).alone(&alone, size)?;
        let root = "0:0".into();
        let drawn = render_node(&self.render, &page.document, &root, options)?;
        // In the order they were put on, each on what the one before left.
        let filtered =
            layer.filters.iter().fold(drawn.pixels, |pixels, filter| filter.apply(&pixels));
        let pixels = Arc::new(filtered);
        self.keep(&key, &pixels);
        Ok(Baked { key, pixels, margin })
    }

    /// A saved document as one picture.
    pub(super) fn flat(&self, saved: &Saved) -> Result<Arc<Pixels>, RenderError> {
        // JPEG knows no transparency.
        let is_opaque = matches!(saved.format(), "jpg" | "jpeg");
        let paper = if is_opaque { Paper::White } else { Paper::None };
        // By content and paper: a PNG and a JPEG of one document are two pictures.
        let key = format!("flat-{}-{is_opaque}", saved.key());
        if let Some(pixels) = self.known(&key) {
            return Ok(pixels);
        }
        let options = options(saved.document.size);
        let page = PageBuilder::new(self, options.scale).page(&saved.document, "0", paper)?;
        let root = "0:0".into();
        let drawn = render_node(&self.render, &page.document, &root, options)?;
        let pixels = Arc::new(drawn.pixels);
        self.keep(&key, &pixels);
        Ok(pixels)
    }

    /// A given drawing for a place of this size on a page that is shown at so many pixels a point, with
    /// the name of the picture.
    pub(super) fn graphic(
        &self,
        key: &str,
        graphic: &Graphic,
        place: Size,
        scale: f64,
    ) -> Result<(String, Arc<Pixels>), RenderError> {
        let size = Size::new(place.width * scale, place.height * scale);
        // Whole pixels are part of the name: the same drawing at another size is another picture.
        let (width, height) = Graphic::pixels_for(size);
        let key = format!("{key}-{width}x{height}");
        if let Some(pixels) = self.known(&key) {
            return Ok((key, pixels));
        }
        let pixels = Arc::new(graphic.draw((width, height))?);
        self.keep(&key, &pixels);
        Ok((key, pixels))
    }
}

/// At a pixel a point, or what keeps within [`MOST_PIXELS`].
fn options(size: Size) -> RenderOptions {
    let fits = (MOST_PIXELS / (size.width * size.height)).sqrt().min(1.0);
    // A side is bounded as well, for layers that are very long and thin.
    let longest = size.width.max(size.height);
    let scale = fits.min(8192.0 / longest).max(0.01);
    RenderOptions { scale, ..RenderOptions::default() }
}

/// How far a layer's picture reaches beyond its box: its blur and its outline.
fn margin(layer: &Layer) -> f64 {
    let blurs = layer.filters.iter().map(|filter| match filter {
        // Beyond three standard deviations a blur is too faint to be seen.
        Filter::Blur { amount } => 3.0 * f64::from((*amount).clamp(0, 100)),
        _ => 0.0,
    });
    let outline = match &layer.content {
        Content::Text(text) => text.stroke,
        Content::Drawing(DrawnShape { stroke, .. }) => *stroke,
        Content::Object(_) => None,
    };
    let outline = outline.map_or(0.0, |outline| outline.width);
    (blurs.sum::<f64>() + outline).ceil().min(MOST_MARGIN)
}
