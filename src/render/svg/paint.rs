//! Paints as what fills an element, gradients as paint servers.

use crate::base::{Affine, Point, Rgba, Size};
use crate::design::{ColorStop, Gradient, GradientKind, Images, Paint, PaintKind};
use crate::render::paint::gradient::box_from_gradient;
use crate::render::paint_facts::{PICTURE_PLACEHOLDER, picture_of, unit};

use super::definitions::Definitions;
use super::geometry::SvgPage;
use super::markup::{Attributes, Markup};
use super::number::{matrix, rgb, share};

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
        at: (&str, SvgPage),
        definitions: &mut Definitions,
    ) -> Option<Self> {
        let opacity = unit(paint.opacity);
        Some(match &paint.kind {
            PaintKind::Solid(color) => Self::color(*color, opacity),
            PaintKind::Image(image) if picture_of(image, images).is_some() => Self::Picture,
            PaintKind::Image(_) => Self::color(PICTURE_PLACEHOLDER, opacity),
            PaintKind::Gradient(given) => {
                let last = given.stops.last()?.color;
                // A line without length, or a single stop, is the colour of the last stop (SVG 1.1, 13.2.2).
                let map = box_from_gradient(given, size).filter(|map| map.inverse().is_some());
                let is_plain = map.is_none() || given.stops.len() == 1;
                match map.filter(|_| !is_plain) {
                    None => Self::color(last, opacity),
                    Some(_) if !has_server(given) => Self::Picture,
                    Some(map) => {
                        let map = space_from_node.after(map);
                        Self::Server { value: define(given, map, at, definitions), opacity }
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

/// Defines a linear or radial gradient; gives what refers to it.
fn define(
    gradient: &Gradient,
    sheet_from_gradient: Affine,
    (id, sheet): (&str, SvgPage),
    definitions: &mut Definitions,
) -> String {
    let is_linear = gradient.kind == GradientKind::Linear;
    let (tag, place) = if is_linear {
        ("linearGradient", linear(sheet_from_gradient, sheet))
    } else {
        ("radialGradient", radial(sheet_from_gradient, sheet))
    };
    let attributes = place.with("gradientUnits", "userSpaceOnUse");
    definitions.add(id, tag, &attributes, &stops(&gradient.stops))
}

/// The ends of the shortest line between the colours of the first and the last stop: lines of one
/// colour run along the width axis, whatever angle it has.
fn linear(map: Affine, sheet: SvgPage) -> Attributes {
    let start = map.apply(Point::ZERO);
    let width = map.c.hypot(map.d);
    // The normal of the lines of one colour; how deep the gradient is along it.
    let (nx, ny) = (map.d / width, -map.c / width);
    let depth = map.a * nx + map.b * ny;
    Attributes::default()
        .with("x1", sheet.number(start.x))
        .with("y1", sheet.number(start.y))
        .with("x2", sheet.number(start.x + nx * depth))
        .with("y2", sheet.number(start.y + ny * depth))
}

/// A circle, or the unit circle with a map where it is an ellipse.
fn radial(map: Affine, sheet: SvgPage) -> Attributes {
    let radius = map.a.hypot(map.b);
    let is_round = (map.c.hypot(map.d) - radius).abs() <= 1e-6 * radius
        && (map.a * map.c + map.b * map.d).abs() <= 1e-6 * radius * radius;
    let attributes = Attributes::default();
    if is_round {
        let circle = attributes.with("cx", sheet.number(map.e)).with("cy", sheet.number(map.f));
        return circle.with("r", sheet.number(radius));
    }
    let unit_circle = attributes.with("cx", 0).with("cy", 0).with("r", 1);
    unit_circle.with("gradientTransform", matrix(map))
}

/// The stops in rising order; of two at one place, the later one comes second.
fn stops(stops: &[ColorStop]) -> Markup {
    let mut sorted: Vec<_> = stops.iter().collect();
    // A stable sort: SVG too takes stops at one place in their order.
    sorted.sort_by(|a, b| unit(a.position).total_cmp(&unit(b.position)));
    let mut markup = Markup::default();
    for stop in sorted {
        let position = unit(stop.position);
        let opacity = (stop.color.a < 1.0).then(|| share(stop.color.a));
        let attributes = Attributes::default()
            .with_some("offset", (position > 0.0).then(|| share(position)))
            .with("stop-color", rgb(stop.color))
            .with_some("stop-opacity", opacity);
        markup.leaf("stop", &attributes);
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::svg::number::Precision;

    fn sheet() -> SvgPage {
        let size = Size::new(100.0, 100.0);
        SvgPage { size, precision: Precision::of_extent(100.0) }
    }

    #[test]
    fn a_skewed_linear_gradient_is_as_deep_as_its_lines_are_apart() {
        // From (0, 0) to (10, 0), the lines of one colour at 45°.
        let map = Affine { a: 10.0, b: 0.0, c: 1.0, d: 1.0, e: 0.0, f: 0.0 };
        assert_eq!(linear(map, sheet()).as_str(), r#" x1="0" y1="0" x2="5" y2="-5""#);
    }

    #[test]
    fn a_round_radial_gradient_needs_no_map() {
        let map = Affine { a: 0.0, b: 8.0, c: -8.0, d: 0.0, e: 3.0, f: 4.0 };
        assert_eq!(radial(map, sheet()).as_str(), r#" cx="3" cy="4" r="8""#);
    }

    #[test]
    fn an_oblong_radial_gradient_has_one() {
        let map = Affine { a: 4.0, b: 0.0, c: 0.0, d: 2.0, e: 3.0, f: 4.0 };
        let expected = r#" cx="0" cy="0" r="1" gradientTransform="matrix(4 0 0 2 3 4)""#;
        assert_eq!(radial(map, sheet()).as_str(), expected);
    }
}
