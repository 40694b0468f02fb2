//! The area that a stroke covers.

use std::rc::Rc;

use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Stroke as SkiaStroke, StrokeDash};

use crate::base::{Limits, Rect, Size};
use crate::design::{Node, Sides, Stroke, StrokeAlign, StrokeCap, StrokeJoin};

use super::diagnostic::Diagnostics;
use super::rounded_box::{Edges, RoundedBox};
use super::shape::{FilledPath, Shape, ellipse, push_ellipse};

/// The area of a stroke, in the node's own space.
#[derive(Clone, Debug)]
pub(super) struct StrokeArea {
    pub(super) area: FilledPath,
    /// Where given, only this part of `area` is painted.
    pub(super) kept: Option<Kept>,
}

/// One side of the edge of some areas.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) side: Side,
    pub(super) of: Rc<Vec<FilledPath>>,
}

/// A side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    Outside,
}

impl StrokeArea {
    fn whole(path: Path, rule: FillRule) -> Self {
        Self { area: FilledPath::new(path, rule), kept: None }
    }
}

/// The areas of the node's stroke. `pixels_per_unit` sets how finely curves are followed.
pub(super) fn areas(
    node: &Node,
    shape: &Shape,
    pixels_per_unit: f64,
    diagnostics: &mut Diagnostics,
) -> Vec<StrokeArea> {
    let stroke = &node.stroke;
    report_limitations(node, diagnostics);
    let finest = pixels_per_unit.clamp(1e-3, 1e3) as f32;
    let edges = edge_weights(node);
    let has_width = [edges.left, edges.top, edges.right, edges.bottom].iter().any(|w| *w > 0.0);
    if !has_width {
        return Vec::new();
    }
    match shape {
        Shape::Box(rounded) if is_band(stroke, rounded) => {
            band(rounded, stroke, edges).into_iter().collect()
        }
        Shape::Ellipse(size) if stroke.dashes.is_empty() && size.width == size.height => {
            ring(*size, stroke).into_iter().collect()
        }
        Shape::Line(size) => line(*size, stroke, finest).into_iter().collect(),
        Shape::Free { fill, stroke: expanded } if !expanded.is_empty() => {
            let fill = Rc::new(fill.clone());
            expanded.iter().map(|area| aligned(area.clone(), stroke.align, &fill)).collect()
        }
        _ => along(&Rc::new(shape.areas()), stroke, finest),
    }
}

/// Strokes the outlines of `areas` as the node's stroke says.
pub(super) fn along(areas: &Rc<Vec<FilledPath>>, stroke: &Stroke, finest: f32) -> Vec<StrokeArea> {
    let doubled = if stroke.align == StrokeAlign::Center { 1.0 } else { 2.0 };
    let pen = pen(stroke, stroke.weight * doubled);
    areas
        .iter()
        .filter_map(|area| expand(&area.path, &pen, finest))
        .map(|path| aligned(FilledPath::new(path, FillRule::Winding), stroke.align, areas))
        .collect()
}

fn aligned(area: FilledPath, align: StrokeAlign, edge_of: &Rc<Vec<FilledPath>>) -> StrokeArea {
    let side = match align {
        StrokeAlign::Center => None,
        StrokeAlign::Inside => Some(Side::Inside),
        StrokeAlign::Outside => Some(Side::Outside),
    };
    let side = side.filter(|_| !edge_of.is_empty());
    StrokeArea { area, kept: side.map(|side| Kept { side, of: Rc::clone(edge_of) }) }
}

/// The outline of `path` as `pen` draws it; dashes that cannot be drawn leave it solid.
fn expand(path: &Path, pen: &SkiaStroke, finest: f32) -> Option<Path> {
    let dashed = pen.dash.as_ref().and_then(|dash| path.dash(dash, finest));
    dashed.as_ref().unwrap_or(path).stroke(pen, finest)
}

fn pen(stroke: &Stroke, width: f64) -> SkiaStroke {
    SkiaStroke {
        width: width.min(Limits::COORDINATE) as f32,
        miter_limit: 4.0,
        line_cap: match stroke.cap {
            StrokeCap::Round => LineCap::Round,
            StrokeCap::Square => LineCap::Square,
            _ => LineCap::Butt,
        },
        line_join: match stroke.join {
            StrokeJoin::Miter => LineJoin::Miter,
            StrokeJoin::Bevel => LineJoin::Bevel,
            StrokeJoin::Round => LineJoin::Round,
        },
        dash: dash(&stroke.dashes),
    }
}

fn dash(lengths: &[f64]) -> Option<StrokeDash> {
    let mut lengths: Vec<f32> = lengths.iter().map(|length| *length as f32).collect();
    if lengths.len() % 2 == 1 {
        lengths.extend_from_within(..);
    }
    StrokeDash::new(lengths, 0.0)
}

/// Whether the stroke is what lies between two boxes.
fn is_band(stroke: &Stroke, rounded: &RoundedBox) -> bool {
    let has_outer_corners = stroke.align != StrokeAlign::Inside && rounded.is_sharp();
    stroke.dashes.is_empty() && !(has_outer_corners && stroke.join == StrokeJoin::Bevel)
}

/// What lies between the boxes parallel to `rounded`.
fn band(rounded: &RoundedBox, stroke: &Stroke, weights: Edges) -> Option<StrokeArea> {
    let (out, within) = shares(stroke.align);
    let mut outer = rounded.grow(weights.times(out))?;
    if stroke.join == StrokeJoin::Round && out > 0.0 {
        outer = outer.with_sharp_corners_rounded(stroke.weight * out);
    }
    let mut path = PathBuilder::new();
    outer.push_to(&mut path);
    if let Some(inner) = rounded.grow(weights.times(-within)) {
        inner.push_to(&mut path);
    }
    Some(StrokeArea::whole(path.finish()?, FillRule::EvenOdd))
}

/// What lies between the circles parallel to the one that fills `size`.
fn ring(size: Size, stroke: &Stroke) -> Option<StrokeArea> {
    let (out, within) = shares(stroke.align);
    let circle = Rect::new(0.0, 0.0, size.width, size.height);
    let outer = circle.expand(stroke.weight * out);
    let inner = circle.expand(-stroke.weight * within);
    if inner.width <= 0.0 {
        return ellipse(outer).map(|path| StrokeArea::whole(path, FillRule::Winding));
    }
    let mut path = PathBuilder::new();
    push_ellipse(outer, &mut path);
    push_ellipse(inner, &mut path);
    Some(StrokeArea::whole(path.finish()?, FillRule::EvenOdd))
}

/// A LINE lies on one side of its axis, as Figma draws it: a 1 px line at y = 10 fills the pixels
/// from 9 to 10. (Its `absoluteRenderBounds` say so.)
fn line(size: Size, stroke: &Stroke, finest: f32) -> Option<StrokeArea> {
    let half = -stroke.weight / 2.0;
    let (from, to) = if size.width == 0.0 && size.height > 0.0 {
        ((half, 0.0), (half, size.height))
    } else {
        ((0.0, half), (size.width, half))
    };
    let mut path = PathBuilder::new();
    path.move_to(from.0 as f32, from.1 as f32);
    path.line_to(to.0 as f32, to.1 as f32);
    let path = expand(&path.finish()?, &pen(stroke, stroke.weight), finest)?;
    Some(StrokeArea::whole(path, FillRule::Winding))
}

/// How much of the weight lies outside and inside of the edge.
fn shares(align: StrokeAlign) -> (f64, f64) {
    match align {
        StrokeAlign::Inside => (0.0, 1.0),
        StrokeAlign::Center => (0.5, 0.5),
        StrokeAlign::Outside => (1.0, 0.0),
    }
}

/// The weight at each edge.
fn edge_weights(node: &Node) -> Edges {
    let clean = |weight: f64| if weight > 0.0 { weight.min(Limits::COORDINATE) } else { 0.0 };
    let sides = node.stroke.sides.unwrap_or(Sides::uniform(node.stroke.weight));
    Edges {
        left: clean(sides.left),
        top: clean(sides.top),
        right: clean(sides.right),
        bottom: clean(sides.bottom),
    }
}

fn report_limitations(node: &Node, diagnostics: &mut Diagnostics) {
    if !matches!(node.stroke.cap, StrokeCap::None | StrokeCap::Round | StrokeCap::Square) {
        diagnostics.add(&node.id, "the arrow head of its stroke is not drawn");
    }
    let is_drawable = node.stroke.dashes.is_empty() || dash(&node.stroke.dashes).is_some();
    if !is_drawable {
        diagnostics.add(&node.id, "its dashes are no lengths: the stroke is drawn solid");
    }
}
