//! Where pictures are made that a page needs before it can be drawn: layers with filters, and files
//! that are one picture; and given drawings at the size they are seen at. What was made is kept by its content, so that drawing a page again is fast.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::base::{Pixels, Point, Size};
use crate::environment::graphic::Graphic;
use crate::raster::filter::Filter;
use crate::render::{RenderContext, RenderError, RenderOptions, render_node};

use super::drawing::Drawing;
use super::json;
use super::layer::{Content, Layer};
use super::page::{PageBuilder, Paper, inside};
use super::saved::Saved;

/// Most pixels of a picture made here; what is larger is made at a smaller scale.
const MOST_PIXELS: f64 = 4_000_000.0;
/// Most pixels of all pictures kept: 240 MB.
const KEPT_PIXELS: u64 = 60_000_000;
/// The widest margin around a layer that is blurred, in points.
const MOST_MARGIN: f64 = 300.0;

/// Makes pictures and keeps them.
#[derive(Debug)]
pub(super) struct RasterCache {
    pub(super) render: RenderContext,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    pictures: BTreeMap<String, (u64, Arc<Pixels>)>,
    pixels: u64,
    clock: u64,
}

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
    pub(super) fn new(render: RenderContext) -> Self {
        Self { render, kept: Mutex::default() }
    }

    /// The layer as its filters leave it, not turned and fully opaque.
    pub(super) fn baked(&self, layer: &Layer) -> Result<Baked, RenderError> {
        let margin = margin(layer);
        let key = format!("filtered-{}", json::layer_key(layer));
        if let Some(pixels) = self.known(&key) {
            return Ok(Baked { key, pixels, margin });
        }
        let box_size = layer.place().size;
        let size = Size::new(
            (box_size.width + 2.0 * margin).max(1.0),
            (box_size.height + 2.0 * margin).max(1.0),
        );
        let mut alone = inside(layer, Point::new(size.width / 2.0, size.height / 2.0));
        match &mut alone.content {
            Content::Text(text) => text.place.angle = 0.0,
            Content::Drawing(drawing) => drawing.place.angle = 0.0,
            Content::Object(object) => object.place.angle = 0.0,
        }
        let options = options(size);
        let page = PageBuilder::new(self, options.scale).alone(&alone, size)?;
        let root = "0:0".into();
        let drawn = render_node(&self.render, &page.document, &root, options)?;
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
        let key = format!("flat-{}-{is_opaque}", saved.key());
        if let Some(pixels) = self.known(&key) {
            return Ok(pixels);
        }
        let options = options(saved.sheet.size);
        let page = PageBuilder::new(self, options.scale).page(&saved.sheet, "0", paper)?;
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
        let (width, height) = Graphic::pixels_for(size);
        let key = format!("{key}-{width}x{height}");
        if let Some(pixels) = self.known(&key) {
            return Ok((key, pixels));
        }
        let pixels = Arc::new(graphic.draw((width, height))?);
        self.keep(&key, &pixels);
        Ok((key, pixels))
    }

    fn known(&self, key: &str) -> Option<Arc<Pixels>> {
        let mut kept = self.kept.lock().ok()?;
        kept.clock += 1;
        let now = kept.clock;
        let (used, pixels) = kept.pictures.get_mut(key)?;
        *used = now;
        Some(Arc::clone(pixels))
    }

    fn keep(&self, key: &str, pixels: &Arc<Pixels>) {
        let Ok(mut kept) = self.kept.lock() else { return };
        kept.clock += 1;
        let now = kept.clock;
        if kept.pictures.insert(key.to_owned(), (now, Arc::clone(pixels))).is_none() {
            kept.pixels += area(pixels);
        }
        while kept.pixels > KEPT_PIXELS && kept.pictures.len() > 1 {
            let oldest = kept.pictures.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            let gone = kept.pictures.remove(&oldest).map_or(0, |(_, pixels)| area(&pixels));
            kept.pixels -= gone;
        }
    }
}

fn area(pixels: &Pixels) -> u64 {
    u64::from(pixels.width()) * u64::from(pixels.height())
}

/// At a pixel a point, or what keeps within [`MOST_PIXELS`].
fn options(size: Size) -> RenderOptions {
    let fits = (MOST_PIXELS / (size.width * size.height)).sqrt().min(1.0);
    let longest = size.width.max(size.height);
    let scale = fits.min(8192.0 / longest).max(0.01);
    RenderOptions { scale, ..RenderOptions::default() }
}

/// How far a layer's picture reaches beyond its box: its blur and its outline.
fn margin(layer: &Layer) -> f64 {
    let blurs = layer.filters.iter().map(|filter| match filter {
        Filter::Blur { amount } => 3.0 * f64::from((*amount).clamp(0, 100)),
        _ => 0.0,
    });
    let outline = match &layer.content {
        Content::Text(text) => text.stroke,
        Content::Drawing(Drawing { stroke, .. }) => *stroke,
        Content::Object(_) => None,
    };
    let outline = outline.map_or(0.0, |outline| outline.width);
    (blurs.sum::<f64>() + outline).ceil().min(MOST_MARGIN)
}
