//! Paints of the document to what the rasteriser fills with.

use crate::design::{Paint, PaintKind};
use crate::render::paint_facts::{PICTURE_PLACEHOLDER, picture_of, unit};

use super::gradient;
use super::picture::PicturePaint;
use super::source::{PaintContext, Source};

impl Source {
    /// What `paint` fills with; `None` if that is nothing. `opacity` is multiplied with its own.
    pub(crate) fn of(paint: &Paint, place: PaintContext<'_>, opacity: f64) -> Option<Self> {
        let opacity = unit(paint.opacity) * unit(opacity);
        match &paint.kind {
            PaintKind::Solid(color) => Some(Self::solid(*color, opacity)),
            PaintKind::Image(image) => match picture_of(image, place.images) {
                Some(picture) => {
                    PicturePaint { image, picture, place, opacity }.texture().map(Self::Texture)
                }
                None => Some(Self::solid(PICTURE_PLACEHOLDER, opacity)),
            },
            PaintKind::Gradient(gradient) => gradient::source(gradient, place, opacity),
            PaintKind::Other(_) => None,
        }
    }

    /// What of `paint` is there at all, opaque: what casts a shadow.
    pub(crate) fn silhouette_of(paint: &Paint, place: PaintContext<'_>) -> Option<Self> {
        let is_there = match &paint.kind {
            PaintKind::Solid(color) => color.a > 0.0,
            PaintKind::Gradient(gradient) => gradient.stops.iter().any(|stop| stop.color.a > 0.0),
            PaintKind::Image(_) => {
                return Self::of(&Paint { opacity: 1.0, ..paint.clone() }, place, 1.0);
            }
            PaintKind::Other(_) => false,
        };
        is_there.then_some(Self::OPAQUE)
    }
}
