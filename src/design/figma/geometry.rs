//! Where a node lies, from what Figma writes.
//!
//! Figma REST gives the axis-aligned `absoluteBoundingBox` on the page, `rotation` where it is not
//! 0, and with `geometry=paths` also `relativeTransform` and `size`. `rotation` is taken as the API
//! gives it: **radians, counter-clockwise on screen**, relative to the parent node.
//!
//! `relativeTransform` is relative to the nearest ancestor that is neither GROUP nor
//! BOOLEAN_OPERATION, the *container* (Figma plugin API, `LayoutMixin.relativeTransform`). Files
//! that mean the parent itself are told by their boxes.
//!
//! The box always decides where a node lies: it is there in every file, and it is what metrics
//! read. Rotation, flip and skew come from `relativeTransform`, else from `rotation`; the size from
//! `size`, else the box is solved for it.

use crate::base::{Affine, Point, Rect, Size};

use super::value::{
    ANY, EXTENT, Notes, Object, TOLERANCE, close, extent, number, point, present, rows,
};
use crate::design::node::NodeKind;
use crate::design::origin::Placement;

/// The spaces a node lies in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surroundings {
    /// From the parent node's space to the page.
    pub(super) page_from_parent: Affine,
    /// From the container's space to the page.
    pub(super) page_from_container: Affine,
}

impl Surroundings {
    /// The surroundings of the children of a node of this kind.
    pub(super) fn inside(self, kind: &NodeKind, page_from_node: Affine) -> Self {
        let passes_on = matches!(kind, NodeKind::Group | NodeKind::BooleanOperation(_));
        Self {
            page_from_parent: page_from_node,
            page_from_container: if passes_on { self.page_from_container } else { page_from_node },
        }
    }
}

/// The placement of a node by its source.
pub(super) fn recover(
    object: &Object,
    kind: &NodeKind,
    around: Surroundings,
    notes: &mut Notes,
) -> Placement {
    if kind.is_file_or_page() && !object.contains_key("absoluteBoundingBox") {
        return Placement::new(around.page_from_parent, Affine::IDENTITY, Size::default());
    }
    // In this order, as each step has what the ones before found: box, map, size, place.
    let bounds = read_box(object, notes);
    let base = read_transform(object, around, bounds, notes);
    let linear = match base {
        Some(base) => base.page_from_base.after(base.transform),
        None => around.page_from_parent.after(rotation(object, kind, bounds, notes)),
    };
    let size = read_size(object, notes)
        .or_else(|| bounds.map(|bounds| solve_size(bounds, linear, kind, notes)))
        .unwrap_or_default();
    let page_from_node = match (bounds, base) {
        // The box decides where it lies, even against `relativeTransform`.
        (Some(bounds), _) => moved_to(linear, size, bounds.origin()),
        (None, Some(_)) => linear,
        (None, None) => around.page_from_parent,
    };
    let transform = relative(around.page_from_parent, page_from_node);
    Placement {
        relative_to_parent: base.is_some_and(|base| base.is_parent),
        has_box: bounds.is_some(),
        ..Placement::new(page_from_node, transform, size)
    }
}

/// `transform` as a child of what `page_from_parent` belongs to. Plain subtraction where the parent
/// only moves, so that whole pixels stay whole.
pub(super) fn relative(page_from_parent: Affine, page_from_node: Affine) -> Affine {
    if page_from_parent.is_translation() {
        let (e, f) = (page_from_node.e - page_from_parent.e, page_from_node.f - page_from_parent.f);
        return Affine { e, f, ..page_from_node };
    }
    page_from_parent.inverse().unwrap_or_default().after(page_from_node)
}

fn read_box(object: &Object, notes: &mut Notes) -> Option<Rect> {
    let bounds = object.get("absoluteBoundingBox").and_then(|value| {
        let origin = point(value)?;
        let (width, height) = (extent(value.get("width")?)?, extent(value.get("height")?)?);
        Some(Rect::new(origin.x, origin.y, width, height))
    });
    if bounds.is_none() {
        notes.add("has no absoluteBoundingBox that can be read");
    }
    bounds
}

fn read_size(object: &Object, notes: &mut Notes) -> Option<Size> {
    let size = point(present(object, "size")?).map(|p| Size::new(p.x, p.y));
    // A negative size would flip the node, which transforms say.
    let size = size.filter(|size| size.width >= 0.0 && size.height >= 0.0);
    if size.is_none() {
        notes.add("size is not a pair of numbers of at least 0");
    }
    size
}

/// A `relativeTransform` with what it is relative to.
#[derive(Clone, Copy, Debug)]
struct Based {
    transform: Affine,
    page_from_base: Affine,
    is_parent: bool,
}

fn read_transform(
    object: &Object,
    around: Surroundings,
    bounds: Option<Rect>,
    notes: &mut Notes,
) -> Option<Based> {
    let transform = rows(present(object, "relativeTransform")?)
        .map(Affine::from_rows)
        .filter(|transform| transform.inverse().is_some_and(Affine::is_finite));
    let Some(transform) = transform else {
        notes.add("relativeTransform is not an invertible matrix of two rows of three numbers");
        return None;
    };
    let size = present(object, "size").and_then(point).map(|p| Size::new(p.x, p.y));
    // The container is what the API documents: the parent only where the box speaks for it.
    let is_parent = match (bounds, size) {
        (Some(bounds), Some(size)) => {
            let from_container = around.page_from_container.after(transform).bounds_of(size);
            let from_parent = around.page_from_parent.after(transform).bounds_of(size);
            !starts_at(from_container, bounds) && starts_at(from_parent, bounds)
        }
        _ => false,
    };
    let page_from_base =
        if is_parent { around.page_from_parent } else { around.page_from_container };
    Some(Based { transform, page_from_base, is_parent })
}

/// Whether two boxes start at the same place, to half a pixel.
fn starts_at(there: Rect, bounds: Rect) -> bool {
    (there.x - bounds.x).abs() < 0.5 && (there.y - bounds.y).abs() < 0.5
}

/// The rotation of a node without `relativeTransform`. A LINE has no height of its own, so the
/// shape of its box tells a slope that a file does not: from the left top to the right bottom.
fn rotation(object: &Object, kind: &NodeKind, bounds: Option<Rect>, notes: &mut Notes) -> Affine {
    if let Some(radians) = number(object, "rotation", ANY, notes).filter(|angle| *angle != 0.0) {
        return Affine::rotate(radians);
    }
    match bounds {
        Some(bounds) if *kind == NodeKind::Line && bounds.height > 0.0 => {
            if bounds.width > 0.0 {
                notes.add("is a sloping LINE of unknown direction; it is taken as falling");
            }
            // Downwards on screen is clockwise.
            Affine::rotate(-bounds.height.atan2(bounds.width))
        }
        _ => Affine::IDENTITY,
    }
}

/// The size of the rectangle whose image under `linear` has a box of this width and height.
///
/// `W = |a|·w + |c|·h` and `H = |b|·w + |d|·h`. Near 45° the two say the same, and a square is
/// taken; a LINE has no height.
fn solve_size(bounds: Rect, linear: Affine, kind: &NodeKind, notes: &mut Notes) -> Size {
    let (a, b, c, d) = (linear.a.abs(), linear.b.abs(), linear.c.abs(), linear.d.abs());
    if *kind == NodeKind::Line {
        // By the longer side of its box, which has more digits.
        let width = if a >= b { bounds.width / a } else { bounds.height / b };
        return Size::new(limited(width), 0.0);
    }
    if b == 0.0 && c == 0.0 {
        return Size::new(limited(bounds.width / a), limited(bounds.height / d));
    }
    let det = a * d - b * c;
    // The equations are nearly one: an error in the last digit of the box would be many pixels.
    if det.abs() < 1e-3 * (a * d + b * c) {
        notes.add("its size cannot be told from its box at this rotation; a square is taken");
        let side = limited((bounds.width + bounds.height) / (a + b + c + d));
        return Size::new(side, side);
    }
    let width = (d * bounds.width - c * bounds.height) / det;
    let height = (a * bounds.height - b * bounds.width) / det;
    Size::new(limited(width), limited(height))
}

fn limited(extent: f64) -> f64 {
    if extent.is_finite() { extent.clamp(EXTENT.0, EXTENT.1) } else { 0.0 }
}

/// The same map, moved so that the box around `size` starts at `origin`.
fn moved_to(linear: Affine, size: Size, origin: Point) -> Affine {
    let at_zero = Affine { e: 0.0, f: 0.0, ..linear };
    let bounds = at_zero.bounds_of(size);
    Affine { e: origin.x - bounds.x, f: origin.y - bounds.y, ..at_zero }
}

/// Whether two maps are the same but for rounding.
pub(super) fn same_map(a: Affine, b: Affine) -> bool {
    same_linear(a, b) && close(a.e, b.e) && close(a.f, b.f)
}

/// Whether two maps turn, scale and skew alike, but for rounding.
pub(super) fn same_linear(a: Affine, b: Affine) -> bool {
    // Finer than places: over ten thousand pixels it makes a ten-thousandth of one.
    let pairs = [(a.a, b.a), (a.b, b.b), (a.c, b.c), (a.d, b.d)];
    pairs.into_iter().all(|(a, b)| (a - b).abs() <= TOLERANCE * 1e-3)
}

/// Whether two sizes are the same but for rounding.
pub(super) fn same_size(a: Size, b: Size) -> bool {
    close(a.width, b.width) && close(a.height, b.height)
}
