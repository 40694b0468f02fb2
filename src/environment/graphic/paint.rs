//! SVG paints and outlines as those of the document.

use usvg::tiny_skia_path::{Path, PathSegment, Transform};

use crate::base::{Affine, Point, Rect, Rgba};
use crate::design::{
    BlendMode, ColorStop, Gradient, GradientKind, Paint, PaintKind, Stroke, StrokeAlign, StrokeCap,
    StrokeJoin,
};

use super::omitted::Omitted;
use super::spread::Run;

/// A single-precision number as the shortest decimal that means it: 0.1, not 0.10000000149.
pub(in crate::environment) fn tidy(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

pub(super) fn affine(t: Transform) -> Affine {
    let [a, b, c, d, e, f] = [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(tidy);
    Affine { a, b, c, d, e, f }
}

/// Path data in the space of a box whose left top corner is at `origin`.
pub(super) fn path_data(path: &Path, origin: Point) -> String {
    path.segments().map(|segment| segment_data(segment, origin)).collect()
}

fn segment_data(segment: PathSegment, origin: Point) -> String {
    let (letter, points) = match segment {
        PathSegment::MoveTo(p) => ("M", vec![p]),
        PathSegment::LineTo(p) => ("L", vec![p]),
        PathSegment::QuadTo(p, q) => ("Q", vec![p, q]),
        PathSegment::CubicTo(p, q, r) => ("C", vec![p, q, r]),
        PathSegment::Close => ("Z", Vec::new()),
    };
    let points = points
        .iter()
        .map(|p| format!("{} {}", round(tidy(p.x) - origin.x), round(tidy(p.y) - origin.y)));
    format!("{letter}{}", points.collect::<Vec<_>>().join(" "))
}

/// To a ten-thousandth of a pixel; no minus zero.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

/// Where a paint is used: from the paint's space to the SVG's, and the box of the shape there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaintSpace {
    /// From the shape's user space to the SVG's.
    pub(super) svg_from_user: Affine,
    /// The box of the shape in the SVG's space.
    pub(super) bounds: Rect,
}

/// The paint, or `None` (and a note) for a pattern.
pub(super) fn paint(
    paint: &usvg::Paint,
    opacity: f32,
    place: PaintSpace,
    omitted: &mut Omitted,
) -> Option<Paint> {
    let kind = match paint {
        usvg::Paint::Color(color) => PaintKind::Solid(rgba(*color, 1.0)),
        usvg::Paint::LinearGradient(gradient) => {
            let start = Point::new(f64::from(gradient.x1()), f64::from(gradient.y1()));
            let end = Point::new(f64::from(gradient.x2()), f64::from(gradient.y2()));
            let run = end.since(start);
            // A linear gradient of SVG has no width of its own: half its run, square to it, as Figma writes.
            let width = Point::new(start.x - run.y / 2.0, start.y + run.x / 2.0);
            let handles = [start, end, width];
            gradient_paint(GradientKind::Linear, handles, gradient, place, omitted)
        }
        usvg::Paint::RadialGradient(gradient) => {
            let center = Point::new(f64::from(gradient.cx()), f64::from(gradient.cy()));
            let radius = f64::from(gradient.r().get());
            let end = Point::new(center.x + radius, center.y);
            let width = Point::new(center.x, center.y + radius);
            // Figma's radial gradients have their first colour in the middle.
            if (gradient.fx(), gradient.fy()) != (gradient.cx(), gradient.cy()) {
                omitted.note("focal point of a gradient");
            }
            let handles = [center, end, width];
            gradient_paint(GradientKind::Radial, handles, gradient, place, omitted)
        }
        usvg::Paint::Pattern(_) => {
            omitted.note("pattern");
            return None;
        }
    };
    let opacity = tidy(opacity);
    Some(Paint { kind, visible: true, opacity, blend_mode: BlendMode::Normal })
}

/// A gradient with handles in the unit space of the shape's box; its last colour where the box has
/// no area and so no unit space.
fn gradient_paint(
    kind: GradientKind,
    handles: [Point; 3],
    gradient: &usvg::BaseGradient,
    place: PaintSpace,
    omitted: &mut Omitted,
) -> PaintKind {
    let stops = gradient.stops().iter().map(|stop| ColorStop {
        position: tidy(stop.offset().get()),
        color: rgba(stop.color(), stop.opacity().get()),
    });
    let stops: Vec<ColorStop> = stops.collect();
    let Rect { x, y, width, height } = place.bounds;
    // A level line with a gradient: SVG shows its last colour too.
    if width <= 0.0 || height <= 0.0 {
        return PaintKind::Solid(stops.last().map_or(Rgba::BLACK, |stop| stop.color));
    }
    let svg_from_gradient = place.svg_from_user.after(affine(gradient.transform()));
    // Kept, as a gradient that is not repeated is still nearer to what is meant than none.
    let as_it_is = Run { kind, handles, stops };
    let repeated = as_it_is.clone().spread(
        gradient.spread_method(),
        svg_from_gradient.inverse(),
        place.bounds,
    );
    if repeated.is_none() {
        omitted.note("repetition of a gradient");
    }
    let Run { handles, stops, .. } = repeated.unwrap_or(as_it_is);
    let handles = handles.map(|handle| {
        let p = svg_from_gradient.apply(handle);
        Point::new((p.x - x) / width, (p.y - y) / height)
    });
    // A run that overflows never leaves its first colour; no document may hold a place without a number.
    if !handles.iter().all(|handle| handle.x.is_finite() && handle.y.is_finite()) {
        omitted.note("gradient that is too long");
        return PaintKind::Solid(stops.first().map_or(Rgba::BLACK, |stop| stop.color));
    }
    PaintKind::Gradient(Gradient { kind, handles, stops })
}

fn rgba(color: usvg::Color, opacity: f32) -> Rgba {
    Rgba::from_u8([color.red, color.green, color.blue, 255]).with_alpha(tidy(opacity))
}

/// The outline; its width and dashes are scaled as the shape is, by the mean of both axes where they
/// differ (the outline's own geometry is exact either way).
pub(super) fn stroke(stroke: &usvg::Stroke, place: PaintSpace, omitted: &mut Omitted) -> Stroke {
    let scale = place.svg_from_user.determinant().abs().sqrt();
    let dashes = stroke.dasharray().unwrap_or_default();
    Stroke {
        paints: paint(stroke.paint(), stroke.opacity().get(), place, omitted).into_iter().collect(),
        weight: tidy(stroke.width().get()) * scale,
        align: StrokeAlign::Center,
        cap: match stroke.linecap() {
            usvg::LineCap::Butt => StrokeCap::None,
            usvg::LineCap::Round => StrokeCap::Round,
            usvg::LineCap::Square => StrokeCap::Square,
        },
        join: match stroke.linejoin() {
            // Figma's joins are three; a clipped miter is nearest to a whole one.
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => StrokeJoin::Miter,
            usvg::LineJoin::Round => StrokeJoin::Round,
            usvg::LineJoin::Bevel => StrokeJoin::Bevel,
        },
        dashes: dashes.iter().map(|dash| tidy(*dash) * scale).collect(),
        ..Stroke::default()
    }
}

pub(super) fn blend_mode(mode: usvg::BlendMode) -> BlendMode {
    match mode {
        usvg::BlendMode::Normal => BlendMode::PassThrough,
        usvg::BlendMode::Multiply => BlendMode::Multiply,
        usvg::BlendMode::Screen => BlendMode::Screen,
        usvg::BlendMode::Overlay => BlendMode::Overlay,
        usvg::BlendMode::Darken => BlendMode::Darken,
        usvg::BlendMode::Lighten => BlendMode::Lighten,
        usvg::BlendMode::ColorDodge => BlendMode::ColorDodge,
        usvg::BlendMode::ColorBurn => BlendMode::ColorBurn,
        usvg::BlendMode::HardLight => BlendMode::HardLight,
        usvg::BlendMode::SoftLight => BlendMode::SoftLight,
        usvg::BlendMode::Difference => BlendMode::Difference,
        usvg::BlendMode::Exclusion => BlendMode::Exclusion,
        usvg::BlendMode::Hue => BlendMode::Hue,
        usvg::BlendMode::Saturation => BlendMode::Saturation,
        usvg::BlendMode::Color => BlendMode::Color,
        usvg::BlendMode::Luminosity => BlendMode::Luminosity,
        // Figma's "plus lighter".
        usvg::BlendMode::PlusLighter => BlendMode::LinearDodge,
    }
}
