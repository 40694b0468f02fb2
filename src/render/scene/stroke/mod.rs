//! The area that a stroke covers.
//!
//! Start with [`areas`]; [`stroker`] follows a path with a weight, [`dashes`] and [`arrow`] heads.

mod arrow;
mod dashes;
mod stroker;

use std::sync::Arc;

use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::{Affine, Limits, Rect, Size};
use crate::design::{Node, Sides, Stroke, StrokeAlign, StrokeJoin};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::ellipse::{ellipse, push_ellipse};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::flatten;
use crate::render::geometry::rounded_box::{Edges, RoundedBox};
use crate::render::scene::shape::Shape;

use stroker::Stroker;

/// The area of a stroke, in the node's own space.
#[derive(Clone, Debug)]
pub(crate) struct StrokeArea {
    pub(crate) area: FilledPath,
    /// Where given, only this part of `area` is painted.
    pub(crate) kept: Option<KeptSide>,
}

/// One side of the edge of some areas.
#[derive(Clone, Debug)]
pub(crate) struct KeptSide {
    pub(crate) side: EdgeSide,
    pub(crate) of: Arc<Vec<FilledPath>>,
}

/// A side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeSide {
    Inside,
    Outside,
}

impl StrokeArea {
    fn whole(path: Path, rule: FillRule) -> Self {
        Self { area: FilledPath::new(path, rule), kept: None }
    }
}

/// The areas of the node's stroke. `pixels_per_unit` sets how finely curves are followed.
pub(crate) fn areas(
    node: &Node,
    shape: &Shape,
    pixels_per_unit: f64,
    diagnostics: &mut Diagnostics,
) -> Vec<StrokeArea> {
    let stroke = &node.stroke;
    let edges = edge_weights(node);
    let has_width = [edges.left, edges.top, edges.right, edges.bottom].iter().any(|w| *w > 0.0);
    if !has_width {
        return Vec::new();
    }
    let stroker = Stroker::new(stroke, pixels_per_unit);
    let areas = match shape {
        // Exact forms first: their parallels are rectangles and circles again, and no stroker has
        // to follow curves.
        Shape::Box(rounded) if is_band(stroke, rounded) => {
            band(rounded, stroke, edges).into_iter().collect()
        }
        // Each side has its own weight, which no path stroker takes.
        Shape::Box(rounded) if stroke.sides.is_some() => dashed_sides(rounded, edges, &stroker),
        Shape::Ellipse(size) if stroke.dashes.is_empty() && size.width == size.height => {
            ring(*size, stroke).into_iter().collect()
        }
        Shape::Line(size) => line(*size, &stroker),
        // The file's own outline of the stroke: Figma expanded it, with its dashes and ends.
        Shape::Free { fill, stroke: expanded } if !expanded.is_empty() => {
            let fill = Arc::new(fill.clone());
            expanded.iter().map(|area| aligned(area.clone(), stroke.align, &fill)).collect()
        }
        _ => along(&Arc::new(shape.areas()), &stroker),
    };
    stroker.report(node, diagnostics);
    areas
}

/// The areas of the stroke around the letters of a text.
pub(crate) fn around_text(
    node: &Node,
    outlines: &Arc<Vec<FilledPath>>,
    pixels_per_unit: f64,
    diagnostics: &mut Diagnostics,
) -> Vec<StrokeArea> {
    let stroker = Stroker::new(&node.stroke, pixels_per_unit);
    let areas = if stroker.weight > 0.0 { along(outlines, &stroker) } else { Vec::new() };
    stroker.report(node, diagnostics);
    areas
}

/// Strokes the outlines of `areas`. What is open has no inside: its stroke is centred, as Figma has
/// it.
fn along(areas: &Arc<Vec<FilledPath>>, stroker: &Stroker) -> Vec<StrokeArea> {
    let mut strokes = Vec::new();
    for FilledPath { path, .. } in areas.iter() {
        let (stroked, align) = match stroker.align {
            _ if is_open(path) => (stroker.open(path), StrokeAlign::Center),
            StrokeAlign::Center => (stroker.stroked(path, stroker.weight), StrokeAlign::Center),
            // Twice as heavy around the edge, of which one side is kept.
            align => (stroker.stroked(path, 2.0 * stroker.weight), align),
        };
        strokes.extend(stroked.map(|area| aligned(area, align, areas)));
    }
    strokes
}

/// Whether a contour of the path ends elsewhere than it begins.
fn is_open(path: &Path) -> bool {
    // Only the ends are asked for, so any tolerance will do.
    let contours = flatten::contours(path, Affine::IDENTITY, f64::INFINITY);
    contours.iter().any(|it| !it.is_closed && it.corners.first() != it.corners.last())
}

fn aligned(area: FilledPath, align: StrokeAlign, edge_of: &Arc<Vec<FilledPath>>) -> StrokeArea {
    let side = match align {
        StrokeAlign::Center => None,
        StrokeAlign::Inside => Some(EdgeSide::Inside),
        StrokeAlign::Outside => Some(EdgeSide::Outside),
    };
    // Without an edge there is no side of it: the stroke is all there is.
    let side = side.filter(|_| !edge_of.is_empty());
    StrokeArea { area, kept: side.map(|side| KeptSide { side, of: Arc::clone(edge_of) }) }
}

/// Each side dashed on its own, from its first corner clockwise, as heavy as it is.
fn dashed_sides(rounded: &RoundedBox, weights: Edges, stroker: &Stroker) -> Vec<StrokeArea> {
    let doubled = if stroker.align == StrokeAlign::Center { 1.0 } else { 2.0 };
    let weights = [weights.top, weights.right, weights.bottom, weights.left];
    let sides = rounded.sides().into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    let areas = sides.filter_map(|(side, weight)| stroker.stroked(&side?, weight * doubled));
    // Sides meet at the corners: as one area nothing is painted twice there.
    let areas = stroker.merged(areas.collect());
    let edge = rounded.to_path().map(|path| FilledPath::new(path, FillRule::Winding));
    let edge = Arc::new(edge.into_iter().collect());
    areas.into_iter().map(|area| aligned(area, stroker.align, &edge)).collect()
}

/// Whether the stroke is what lies between two boxes.
fn is_band(stroke: &Stroke, rounded: &RoundedBox) -> bool {
    let has_outer_corners = stroke.align != StrokeAlign::Inside && rounded.is_sharp();
    // A parallel to a smooth corner is no smooth corner.
    let has_parallels = !rounded.is_smooth() || stroke.sides.is_some();
    let is_bevelled = has_outer_corners && stroke.join == StrokeJoin::Bevel;
    stroke.dashes.is_empty() && has_parallels && !is_bevelled
}

/// What lies between the boxes parallel to `rounded`.
fn band(rounded: &RoundedBox, stroke: &Stroke, weights: Edges) -> Option<StrokeArea> {
    let (out, within) = shares(stroke.align);
    let mut outer = rounded.grow(weights.times(out))?;
    // Further in, a round join shows nothing: only the outer corners are rounded by it.
    if stroke.join == StrokeJoin::Round && out > 0.0 {
        outer = outer.with_sharp_corners_rounded(stroke.weight * out);
    }
    let mut path = PathBuilder::new();
    outer.push_to(&mut path);
    // A stroke as heavy as half the box has no hole.
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
fn line(size: Size, stroker: &Stroker) -> Vec<StrokeArea> {
    // The rasteriser's stroke is centred, so the axis is moved by half the weight.
    let half = -stroker.weight / 2.0;
    let (from, to) = if size.width == 0.0 && size.height > 0.0 {
        ((half, 0.0), (half, size.height))
    } else {
        ((0.0, half), (size.width, half))
    };
    let mut path = PathBuilder::new();
    path.move_to(from.0 as f32, from.1 as f32);
    path.line_to(to.0 as f32, to.1 as f32);
    let area = path.finish().and_then(|path| stroker.open(&path));
    area.map(|area| StrokeArea { area, kept: None }).into_iter().collect()
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
    let sides = node.stroke.sides.unwrap_or(Sides::uniform(node.stroke.weight));
    // What is not a number is no weight: the comparison is written so that NaN fails it.
    let [left, top, right, bottom] = [sides.left, sides.top, sides.right, sides.bottom]
        .map(|weight| if weight > 0.0 { weight.min(Limits::COORDINATE) } else { 0.0 });
    Edges { left, top, right, bottom }
}
