//! The outlines of nodes as path data.

use std::sync::Arc;

use tiny_skia::{FillRule, Path, PathSegment, Point};

use crate::design::{Document, DocumentError, FigmaPath, NodeId, PathGeometry, WindingRule};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::polygon_set::PolygonSet;

use super::combined::{self, ShapeCache};
use super::stroke::{self, EdgeSide, KeptSide, StrokeArea};

/// See [`outline`](crate::render::outline).
pub(crate) fn outline(
    cache: &ShapeCache,
    document: &Document,
    id: &NodeId,
) -> Result<PathGeometry, DocumentError> {
    let node = document.node(id)?;
    let scale = document.absolute_transform(id)?.determinant().abs().sqrt();
    // What cannot be told is said when the node is drawn.
    let mut unsaid = Diagnostics::default();
    let (areas, strokes) = if node.text().is_some() {
        let letters = cache.typesetter.outlines(node);
        // Shared by the strokes of all letters, which are kept to one side of it.
        let around = Arc::new(letters.clone());
        (letters, stroke::around_text(node, &around, scale * 4.0, &mut unsaid))
    } else {
        let shape = combined::shape_of(cache, document, node, scale, &mut unsaid);
        (shape.areas(), stroke::areas(node, &shape, scale * 4.0, &mut unsaid))
    };
    Ok(PathGeometry {
        fill: areas.iter().map(figma_path).collect(),
        stroke: strokes.iter().filter_map(|stroke| kept_part(stroke, scale)).collect(),
    })
}

/// The part of the stroke that is painted. Where it is too intricate to be worked out, all of it.
fn kept_part(stroke: &StrokeArea, scale: f64) -> Option<FigmaPath> {
    let Some(kept) = &stroke.kept else { return Some(figma_path(&stroke.area)) };
    match cut(&stroke.area, kept, 0.01 / scale.clamp(1e-4, 1e4)) {
        Some(region) => region.to_path().map(|path| path_with_rule(&path, FillRule::Winding)),
        None => Some(figma_path(&stroke.area)),
    }
}

fn cut(area: &FilledPath, kept: &KeptSide, tolerance: f64) -> Option<PolygonSet> {
    let area = PolygonSet::of_areas(std::slice::from_ref(area), tolerance).ok()?;
    let edge = PolygonSet::of_areas(&kept.of, tolerance).ok()?;
    match kept.side {
        // Too intricate a stroke is given whole: more than is painted, but not nothing.
        EdgeSide::Inside => area.within(&edge).ok(),
        EdgeSide::Outside => area.without(&edge).ok(),
    }
}

fn figma_path(area: &FilledPath) -> FigmaPath {
    path_with_rule(&area.path, area.rule)
}

fn path_with_rule(path: &Path, rule: FillRule) -> FigmaPath {
    let winding = match rule {
        FillRule::Winding => WindingRule::NonZero,
        FillRule::EvenOdd => WindingRule::EvenOdd,
    };
    FigmaPath::new(path_data(path), winding)
}

/// The path in absolute commands, as Figma writes it.
fn path_data(path: &Path) -> String {
    let mut data = String::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => put(&mut data, 'M', &[p]),
            PathSegment::LineTo(p) => put(&mut data, 'L', &[p]),
            PathSegment::QuadTo(a, p) => put(&mut data, 'Q', &[a, p]),
            PathSegment::CubicTo(a, b, p) => put(&mut data, 'C', &[a, b, p]),
            PathSegment::Close => data.push('Z'),
        }
    }
    data
}

fn put(data: &mut String, command: char, points: &[Point]) {
    data.push(command);
    for (index, point) in points.iter().enumerate() {
        // Figma writes no space after the letter of a command.
        let gap = if index == 0 { "" } else { " " };
        data.push_str(gap);
        data.push_str(&tidy(point.x).to_string());
        data.push(' ');
        data.push_str(&tidy(point.y).to_string());
    }
}

/// To a ten-thousandth of a pixel, finer than anything drawn; no minus zero.
fn tidy(coordinate: f32) -> f64 {
    (f64::from(coordinate) * 1e4).round() / 1e4 + 0.0
}
