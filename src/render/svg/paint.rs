//! Paints as what fills an element.

use crate::base::{Affine, Rgba, Size};
use crate::design::{Gradient, GradientKind, Images, Paint, PaintKind};
use crate::render::paint::gradient::box_from_gradient;
use crate::render::paint_facts::{PICTURE_PLACEHOLDER, picture_of, unit};

use super::definitions::Definitions;
use super::geometry::Sheet;
use super::gradient;
use super::markup::Attributes;
use super::number::{rgb, share};

/// What SVG calls a paint.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fill {
    /// A colour or a reference, and how opaque it is.
    Server { value: String, opacity: f64 },
    /// Nothing that SVG has a word for: a picture of it is needed.
    Picture,
}

impl Fill {
    /// The form of `paint` on a node of `size`, which `space_from_node` maps to where it is used;
    /// `None` if it paints nothing. What is to be defined is called `id`.
    pub(super) fn of(
        paint: &Paint,
        (size, space_from_node): (Size, Affine),
        images: &Images,
        at: (&str, Sheet),
        definitions: &mut Definitions,
    ) -> Option<Self> {
        let opacity = unit(paint.opacity);
        Some(match &paint.kind {
            PaintKind::Solid(color) => Self::color(*color, opacity),
            PaintKind::Image(image) if picture_of(image, images).is_some() => Self::Picture,
            PaintKind::Image(_) => Self::color(PICTURE_PLACEHOLDER, opacity),
            PaintKind::Gradient(given) => {
                let last = given.stops.last()?.color;
                let map = box_from_gradient(given, size).filter(|map| map.inverse().is_some());
                let is_plain = map.is_none() || given.stops.len() == 1;
                match map.filter(|_| !is_plain) {
                    None => Self::color(last, opacity),
                    Some(_) if !has_server(given) => Self::Picture,
                    Some(map) => {
                        let map = space_from_node.after(map);
                        Self::Server {
                            value: gradient::define(given, map, at, definitions),
                            opacity,
                        }
                    }
                }
            }
            PaintKind::Other(_) => return None,
        })
    }

    /// What of `paint` is there at all, in one opaque colour: what casts a shadow.
    pub(super) fn silhouette_of(paint: &Paint, images: &Images, rgb: &str) -> Option<Self> {
        let is_there = match &paint.kind {
            PaintKind::Solid(color) => color.a > 0.0,
            PaintKind::Gradient(gradient) => gradient.stops.iter().any(|stop| stop.color.a > 0.0),
            PaintKind::Image(image) if picture_of(image, images).is_some() => {
                return Some(Self::Picture);
            }
            PaintKind::Image(_) => true,
            PaintKind::Other(_) => false,
        };
        is_there.then(|| Self::Server { value: rgb.to_owned(), opacity: 1.0 })
    }

    fn color(color: Rgba, opacity: f64) -> Self {
        Self::Server { value: rgb(color), opacity: color.a * opacity }
    }

    /// The attributes that fill (`fill`) or outline (`stroke`) an element with it.
    pub(super) fn attributes(&self, property: &str) -> Attributes {
        let Self::Server { value, opacity } = self else { return Attributes::default() };
        let opacity = (*opacity < 1.0).then(|| share(*opacity));
        Attributes::default()
            .with(property, value)
            .with_some(&format!("{property}-opacity"), opacity)
    }
}

/// Whether SVG has gradients of this form.
fn has_server(gradient: &Gradient) -> bool {
    matches!(gradient.kind, GradientKind::Linear | GradientKind::Radial)
}

/// What is to be said of a paint that becomes a picture, unless it is one.
pub(super) fn limitation(paint: &Paint) -> Option<&'static str> {
    Some(match &paint.kind {
        PaintKind::Gradient(gradient) if gradient.kind == GradientKind::Angular => {
            "SVG has no angular gradient: a picture of it is embedded"
        }
        PaintKind::Gradient(gradient) if gradient.kind == GradientKind::Diamond => {
            "SVG has no diamond gradient: a picture of it is embedded"
        }
        _ => return None,
    })
}
