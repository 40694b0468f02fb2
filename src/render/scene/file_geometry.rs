//! Outlines as a file has them, of nodes whose kind does not hold them.

use serde_json::Value;
use tiny_skia::{Path, Transform};

use crate::design::{FigmaPath, Node, NodeKind, StrokeAlign, WindingRule};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::path_data;

/// The node's `fillGeometry`, stretched as the node was since; empty where the file has none or it
/// was dropped because of a change.
pub(crate) fn fill(node: &Node, diagnostics: &mut Diagnostics) -> Vec<FilledPath> {
    read(node, &of_source(node, "fillGeometry"), stretch_since_file(node), diagnostics)
}

/// The node's `strokeGeometry`, likewise.
pub(crate) fn stroke(node: &Node, diagnostics: &mut Diagnostics) -> Vec<FilledPath> {
    read(node, &of_source(node, "strokeGeometry"), stretch_since_file(node), diagnostics)
}

/// The paths of a VECTOR: they are the document's own, and change with it.
pub(crate) fn own(
    node: &Node,
    paths: &[FigmaPath],
    diagnostics: &mut Diagnostics,
) -> Vec<FilledPath> {
    read(node, paths, (1.0, 1.0), diagnostics)
}

/// Whether corners and roundings of a polygon or star are those of its file, whose outline then
/// tells what the file has no fields for.
pub(crate) fn has_form_of_file(node: &Node) -> bool {
    // What a file leaves out has the value it was read with: Figma's defaults.
    let count = number(node, "pointCount");
    let is_same_form = match node.kind {
        NodeKind::RegularPolygon { corners } => count.unwrap_or(3.0) == f64::from(corners),
        NodeKind::Star { tips, inner_ratio } => {
            let said = number(node, "starInnerRadius").or(number(node, "innerRadius"));
            let ratio = said.unwrap_or(NodeKind::STAR_INNER_RATIO);
            count.unwrap_or(5.0) == f64::from(tips) && (ratio - inner_ratio).abs() < 1e-6
        }
        _ => true,
    };
    let radius = number(node, "cornerRadius").unwrap_or(0.0);
    is_same_form && node.corner_radii.as_uniform().is_none_or(|now| (now - radius).abs() < 1e-6)
}

/// Whether the stroke is drawn as the file says, so that the file's outline of it still holds.
pub(crate) fn has_stroke_of_file(node: &Node) -> bool {
    let (source, stroke) = (&node.source, &node.stroke);
    let weight = number(node, "strokeWeight");
    let align = match stroke.align {
        StrokeAlign::Inside => "INSIDE",
        StrokeAlign::Center => "CENTER",
        StrokeAlign::Outside => "OUTSIDE",
    };
    let said = source.get("strokeAlign").and_then(Value::as_str);
    let dashes = source.get("strokeDashes").and_then(Value::as_array);
    let dashes = dashes.map(|dashes| dashes.iter().filter_map(Value::as_f64));
    // What the file does not say cannot have changed.
    weight.is_none_or(|weight| weight == stroke.weight)
        && said.is_none_or(|said| said == align)
        && dashes.is_none_or(|dashes| dashes.eq(stroke.dashes.iter().copied()))
}

fn number(node: &Node, key: &str) -> Option<f64> {
    node.source.get(key).and_then(Value::as_f64)
}

fn read(
    node: &Node,
    paths: &[FigmaPath],
    stretch: (f64, f64),
    diagnostics: &mut Diagnostics,
) -> Vec<FilledPath> {
    paths.iter().filter_map(|path| read_path(node, path, stretch, diagnostics)).collect()
}

fn read_path(
    node: &Node,
    path: &FigmaPath,
    stretch: (f64, f64),
    diagnostics: &mut Diagnostics,
) -> Option<FilledPath> {
    match path_data::to_path(path) {
        Ok(read) => {
            let path_now = stretched(read?, stretch)?;
            Some(FilledPath::new(path_now, path_data::fill_rule(path.winding)))
        }
        Err(error) => {
            diagnostics.add(&node.id, error.to_string());
            None
        }
    }
}

/// `fillGeometry` or `strokeGeometry` in the node's source.
fn of_source(node: &Node, key: &str) -> Vec<FigmaPath> {
    let Some(Value::Array(paths)) = node.source.get(key) else { return Vec::new() };
    let paths = paths.iter().filter_map(|path| {
        let data = path.get("path")?.as_str()?.to_owned();
        let is_even_odd = path.get("windingRule").and_then(Value::as_str) == Some("EVENODD");
        let winding = if is_even_odd { WindingRule::EvenOdd } else { WindingRule::NonZero };
        Some(FigmaPath::new(data, winding))
    });
    paths.collect()
}

/// How much the node was stretched since its geometry was written to the file.
fn stretch_since_file(node: &Node) -> (f64, f64) {
    // A size of nothing says nothing of how much it grew.
    let [x, y] = [("x", node.size.width), ("y", node.size.height)].map(|(axis, now)| {
        let in_file = node.source.get("size").and_then(|size| size.get(axis)?.as_f64());
        in_file.filter(|extent| *extent > 0.0).map_or(1.0, |extent| now / extent)
    });
    (x, y)
}

/// The path stretched; `None` if nothing finite is left of it.
fn stretched(path: Path, (x, y): (f64, f64)) -> Option<Path> {
    if (x, y) == (1.0, 1.0) {
        Some(path)
    } else {
        path.transform(Transform::from_scale(x as f32, y as f32))
    }
}
