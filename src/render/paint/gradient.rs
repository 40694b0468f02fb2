//! Gradients: along a line, around and out from a centre.
//!
//! Colours are interpolated before they are multiplied by their alpha, as SVG and Figma do. Stops
//! are taken in rising order; of two at one place the later one comes second. Beyond the first and
//! last stop their colours go on, but around a centre the last runs into the first, as in Figma.

use tiny_skia::{
    GradientStop, LinearGradient, Point, RadialGradient, Shader, SpreadMode, SweepGradient,
    Transform,
};

use crate::base::{Affine, Rgba, Size};
use crate::design::{Gradient, GradientKind};
use crate::render::paint_facts::unit;

use super::color::{premultiplied, skia_color};
use super::source::{PaintContext, Source};
use super::surface::Surface;

/// What the gradient fills with; `None` if it has no stop. Its last colour if its handles span
/// nothing.
pub(crate) fn source(gradient: &Gradient, place: PaintContext<'_>, opacity: f64) -> Option<Source> {
    let last = gradient.stops.last()?.color;
    let ramp = Ramp::of(gradient);
    let drawn = box_from_gradient(gradient, place.size).and_then(|node_from_gradient| {
        // The rasteriser has no such shader.
        if gradient.kind == GradientKind::Diamond {
            return diamond(&ramp, place, node_from_gradient, opacity).map(Source::Texture);
        }
        let stops = ramp.skia_stops(opacity);
        shader(gradient.kind, stops, skia_transform(node_from_gradient)?).map(Source::Shader)
    });
    drawn.or_else(|| Some(Source::solid(last, opacity)))
}

fn shader(
    kind: GradientKind,
    stops: Vec<GradientStop>,
    node_from_gradient: Transform,
) -> Option<Shader<'static>> {
    let (center, map) = (Point::zero(), node_from_gradient);
    match kind {
        GradientKind::Linear => {
            LinearGradient::new(center, Point::from_xy(1.0, 0.0), stops, SpreadMode::Pad, map)
        }
        GradientKind::Radial | GradientKind::Diamond => {
            RadialGradient::new(center, 0.0, center, 1.0, stops, SpreadMode::Pad, map)
        }
        GradientKind::Angular => {
            SweepGradient::new(center, 0.0, 360.0, stops, SpreadMode::Pad, map)
        }
    }
}

/// The colour at |x| + |y| in the gradient's own space, pixel by pixel.
fn diamond(
    ramp: &Ramp,
    place: PaintContext<'_>,
    node_from_gradient: Affine,
    opacity: f64,
) -> Option<Surface> {
    let gradient_from_device = place.device_from_node.after(node_from_gradient).inverse()?;
    let mut texture = Surface::over(place.visible, 0)?;
    texture.paint_pixels(|center| {
        let at = gradient_from_device.apply(center);
        let color = ramp.at(at.x.abs() + at.y.abs());
        premultiplied(color.with_alpha(color.a * opacity))
    });
    Some(texture)
}

/// From the gradient's own space (its first handle at the origin, the second at (1, 0), the third
/// at (0, 1)) to the node's box. `None` if the first two coincide or a number is not finite.
pub(crate) fn box_from_gradient(gradient: &Gradient, size: Size) -> Option<Affine> {
    let [start, end, width_end] = gradient
        .handles
        .map(|handle| crate::base::Point::new(handle.x * size.width, handle.y * size.height));
    let along = end.since(start);
    let mut across = width_end.since(start);
    let length = along.x.hypot(along.y);
    let area = along.x * across.y - along.y * across.x;
    let is_flat = area.is_nan() || area.abs() <= 1e-9 * length * length;
    // The third handle lies on the line of the first two: across is taken at a right angle.
    if is_flat {
        (across.x, across.y) = (-along.y, along.x);
    }
    let map = Affine { a: along.x, b: along.y, c: across.x, d: across.y, e: start.x, f: start.y };
    (length > 0.0 && map.is_finite()).then_some(map)
}

fn skia_transform(map: Affine) -> Option<Transform> {
    let [a, b, c, d, e, f] = [map.a, map.b, map.c, map.d, map.e, map.f].map(|v| v as f32);
    let transform = Transform::from_row(a, b, c, d, e, f);
    transform.is_finite().then_some(transform)
}

/// Colours by place, in rising order; at least one.
#[derive(Debug)]
struct Ramp(Vec<(f64, Rgba)>);

impl Ramp {
    fn of(gradient: &Gradient) -> Self {
        let mut stops: Vec<_> =
            gradient.stops.iter().map(|stop| (unit(stop.position), stop.color)).collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ramp = Self(stops);
        if gradient.kind == GradientKind::Angular {
            ramp.close();
        }
        ramp
    }

    /// Makes the last colour run into the first where neither stands at the seam.
    fn close(&mut self) {
        let (Some(first), Some(last)) = (self.0.first().copied(), self.0.last().copied()) else {
            return;
        };
        let gap = first.0 + 1.0 - last.0;
        if gap <= 0.0 || (first.0 == 0.0 && last.0 == 1.0) {
            return;
        }
        // The colour where the circle closes, on the way from the last stop to the first.
        let at_seam = last.1.mixed(first.1, (1.0 - last.0) / gap);
        if first.0 > 0.0 {
            self.0.insert(0, (0.0, at_seam));
        }
        if last.0 < 1.0 {
            self.0.push((1.0, at_seam));
        }
    }

    fn at(&self, place: f64) -> Rgba {
        let after = self.0.partition_point(|(position, _)| *position <= place);
        match (after.checked_sub(1).and_then(|before| self.0.get(before)), self.0.get(after)) {
            (Some((from, a)), Some((to, b))) => a.mixed(*b, (place - from) / (to - from)),
            (Some((_, color)), None) | (None, Some((_, color))) => *color,
            (None, None) => Rgba::TRANSPARENT,
        }
    }

    fn skia_stops(&self, opacity: f64) -> Vec<GradientStop> {
        let stops = self.0.iter();
        stops
            .map(|(at, color)| GradientStop::new(*at as f32, skia_color(*color, opacity)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::ColorStop;

    fn ramp(kind: GradientKind, stops: &[(f64, f64)]) -> Ramp {
        let stop = |(position, gray): &(f64, f64)| ColorStop {
            position: *position,
            color: Rgba::new(*gray, *gray, *gray, 1.0),
        };
        let handles = [crate::base::Point::ZERO; 3];
        Ramp::of(&Gradient { kind, handles, stops: stops.iter().map(stop).collect() })
    }

    #[test]
    fn colours_go_on_beyond_the_first_and_last_stop() {
        let ramp = ramp(GradientKind::Diamond, &[(0.75, 1.0), (0.25, 0.0)]);
        let grays = [-1.0, 0.0, 0.5, 0.75, 9.0].map(|place| ramp.at(place).r);
        assert_eq!(grays, [0.0, 0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn of_two_stops_at_one_place_the_later_begins_there() {
        let ramp = ramp(GradientKind::Diamond, &[(0.0, 0.0), (0.5, 0.2), (0.5, 0.9), (1.0, 1.0)]);
        assert_eq!(ramp.at(0.5).r, 0.9);
        assert!((ramp.at(0.5 - 1e-9).r - 0.2).abs() < 1e-6);
    }

    #[test]
    fn around_a_centre_the_last_colour_runs_into_the_first() {
        let ramp = ramp(GradientKind::Angular, &[(0.25, 0.0), (0.75, 1.0)]);
        assert_eq!((ramp.at(0.0).r, ramp.at(0.5).r, ramp.at(1.0).r), (0.5, 0.5, 0.5));
    }

    #[test]
    fn around_a_centre_stops_at_the_seam_leave_it_sharp() {
        let ramp = ramp(GradientKind::Angular, &[(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(ramp.0.len(), 2);
    }
}
