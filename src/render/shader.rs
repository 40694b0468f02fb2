//! Paints of the document to shaders of the rasteriser.

use tiny_skia::{
    BlendMode as SkiaBlend, Color, GradientStop, LinearGradient, Point, RadialGradient, Shader,
    SpreadMode, SweepGradient, Transform,
};

use crate::base::{Affine, Rgba, Size};
use crate::design::{BlendMode, Gradient, GradientKind, Paint, PaintKind};

/// What stands for a picture that is not at hand.
pub(super) const PICTURE_PLACEHOLDER: Rgba = Rgba { r: 0.8, g: 0.8, b: 0.8, a: 1.0 };

/// Whether the paint changes anything at all.
pub(super) fn is_seen(paint: &Paint) -> bool {
    let is_drawn = !matches!(paint.kind, PaintKind::Other(_));
    paint.visible && paint.opacity > 0.0 && is_drawn
}

/// What of the paint is drawn differently from what it says, for people.
pub(super) fn limitation(paint: &Paint) -> Option<String> {
    match &paint.kind {
        PaintKind::Image(_) => Some("a picture is not drawn: grey stands in its place".to_owned()),
        PaintKind::Other(kind) => Some(format!("a paint of type {kind} is not drawn")),
        PaintKind::Gradient(gradient) if gradient.kind == GradientKind::Diamond => {
            Some("a diamond gradient is drawn as a radial one".to_owned())
        }
        PaintKind::Gradient(_) | PaintKind::Solid(_) => None,
    }
}

/// The shader of `paint` over a box of `size` at the origin; `None` if it paints nothing.
pub(super) fn shader(paint: &Paint, size: Size, opacity: f64) -> Option<Shader<'static>> {
    let opacity = unit(paint.opacity) * unit(opacity);
    match &paint.kind {
        PaintKind::Solid(color) => Some(Shader::SolidColor(skia_color(*color, opacity))),
        PaintKind::Image(_) => Some(Shader::SolidColor(skia_color(PICTURE_PLACEHOLDER, opacity))),
        PaintKind::Gradient(gradient) => gradient_shader(gradient, size, opacity),
        PaintKind::Other(_) => None,
    }
}

fn gradient_shader(gradient: &Gradient, size: Size, opacity: f64) -> Option<Shader<'static>> {
    let last = gradient.stops.last()?.color;
    let stops = sorted_stops(gradient, opacity);
    let drawn = box_from_gradient(gradient, size).and_then(|map| match gradient.kind {
        GradientKind::Linear => {
            let (from, to) = (Point::zero(), Point::from_xy(1.0, 0.0));
            LinearGradient::new(from, to, stops, SpreadMode::Pad, map)
        }
        GradientKind::Radial | GradientKind::Diamond => {
            let center = Point::zero();
            RadialGradient::new(center, 0.0, center, 1.0, stops, SpreadMode::Pad, map)
        }
        GradientKind::Angular => {
            SweepGradient::new(Point::zero(), 0.0, 360.0, stops, SpreadMode::Pad, map)
        }
    });
    drawn.or(Some(Shader::SolidColor(skia_color(last, opacity))))
}

/// From the gradient's own space (its first handle at the origin, the second at (1, 0), the third
/// at (0, 1)) to the node's box. `None` if the first two coincide or a number is not finite.
fn box_from_gradient(gradient: &Gradient, size: Size) -> Option<Transform> {
    let [start, end, width_end] = gradient
        .handles
        .map(|handle| crate::base::Point::new(handle.x * size.width, handle.y * size.height));
    let along = end.since(start);
    let mut across = width_end.since(start);
    let length = along.x.hypot(along.y);
    let area = along.x * across.y - along.y * across.x;
    if area.abs() <= 1e-9 * length * length {
        (across.x, across.y) = (-along.y, along.x);
    }
    let map = Affine { a: along.x, b: along.y, c: across.x, d: across.y, e: start.x, f: start.y };
    let [a, b, c, d, e, f] = [map.a, map.b, map.c, map.d, map.e, map.f].map(|v| v as f32);
    let transform = Transform::from_row(a, b, c, d, e, f);
    (length > 0.0 && transform.is_finite()).then_some(transform)
}

/// The stops in rising order; of two at one place, the later one comes second, as in SVG.
fn sorted_stops(gradient: &Gradient, opacity: f64) -> Vec<GradientStop> {
    let mut stops: Vec<_> = gradient.stops.iter().collect();
    stops.sort_by(|a, b| unit(a.position).total_cmp(&unit(b.position)));
    stops
        .into_iter()
        .map(|stop| GradientStop::new(unit(stop.position) as f32, skia_color(stop.color, opacity)))
        .collect()
}

fn skia_color(color: Rgba, opacity: f64) -> Color {
    let color = Rgba::new(color.r, color.g, color.b, color.a * opacity);
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(|channel| channel as f32);
    Color::from_rgba(r, g, b, a).unwrap_or(Color::TRANSPARENT)
}

/// `value` clamped into 0..=1; what is not a number counts as 1, the default of every opacity.
pub(super) fn unit(value: f64) -> f64 {
    if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
}

/// The rasteriser's blend mode, and whether it is the same.
pub(super) fn blend_mode(mode: BlendMode) -> (SkiaBlend, Fidelity) {
    use Fidelity::{Exact, Nearest};
    match mode {
        BlendMode::PassThrough | BlendMode::Normal => (SkiaBlend::SourceOver, Exact),
        BlendMode::Darken => (SkiaBlend::Darken, Exact),
        BlendMode::Multiply => (SkiaBlend::Multiply, Exact),
        BlendMode::LinearBurn => (SkiaBlend::Multiply, Nearest),
        BlendMode::ColorBurn => (SkiaBlend::ColorBurn, Exact),
        BlendMode::Lighten => (SkiaBlend::Lighten, Exact),
        BlendMode::Screen => (SkiaBlend::Screen, Exact),
        BlendMode::LinearDodge => (SkiaBlend::Plus, Exact),
        BlendMode::ColorDodge => (SkiaBlend::ColorDodge, Exact),
        BlendMode::Overlay => (SkiaBlend::Overlay, Exact),
        BlendMode::SoftLight => (SkiaBlend::SoftLight, Exact),
        BlendMode::HardLight => (SkiaBlend::HardLight, Exact),
        BlendMode::Difference => (SkiaBlend::Difference, Exact),
        BlendMode::Exclusion => (SkiaBlend::Exclusion, Exact),
        BlendMode::Hue => (SkiaBlend::Hue, Exact),
        BlendMode::Saturation => (SkiaBlend::Saturation, Exact),
        BlendMode::Color => (SkiaBlend::Color, Exact),
        BlendMode::Luminosity => (SkiaBlend::Luminosity, Exact),
    }
}

/// Whether something is drawn as it is, or as the nearest thing there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fidelity {
    Exact,
    Nearest,
}
