//! The handles of what is selected.

use super::drop_target::{along, auto_layout_of, is_in_box, point_along};
use crate::base::{Affine, Point, Rect};
use crate::design::gesture::{Grip, Handle, handle_at};
use crate::design::{CornerRadii, Document, Node, NodeId, NodeKind, PrimaryAlign, Sides};

/// How near to a handle a pointer takes it, in points of the screen.
const REACH: f64 = 6.0;
/// How far inside a corner the dot of its radius lies at least, in points of the screen.
const INSET: f64 = 14.0;
/// Below this side, in points of the screen, there is no room for dots and bars inside.
const ROOM: f64 = 56.0;
/// Below this side, in points of the screen, there are corners only.
const SMALL: f64 = 20.0;

/// What a pointer can take hold of around what is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditGrip {
    /// Resizes.
    Resize(Handle),
    /// Turns, by the zone outside this corner.
    Turn(Handle),
    /// Rounds, by the dot inside this corner.
    Radius(Handle),
    /// Pulls an end of a line.
    LineEnd(LineEnd),
    /// Changes the space between this side and what auto layout places.
    Padding(Side),
    /// Changes the space between what auto layout places, by the gap of this place.
    Gap(usize),
}

/// An end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// Where it starts.
    Start,
    /// Where it ends.
    End,
}

/// A side of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Top.
    Top,
    /// Right.
    Right,
    /// Bottom.
    Bottom,
    /// Left.
    Left,
}

/// Where a handle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripSpot {
    /// Which.
    pub grip: EditGrip,
    /// On the page.
    pub at: Point,
    /// The number that it changes, where there is one.
    pub value: Option<f64>,
}

impl Side {
    /// All of them, clockwise from the top.
    pub const ALL: [Self; 4] = [Self::Top, Self::Right, Self::Bottom, Self::Left];

    /// The number of this side.
    pub fn extent(self, sides: Sides) -> f64 {
        match self {
            Self::Top => sides.top,
            Self::Right => sides.right,
            Self::Bottom => sides.bottom,
            Self::Left => sides.left,
        }
    }

    /// The side across from it.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Top => Self::Bottom,
            Self::Right => Self::Left,
            Self::Bottom => Self::Top,
            Self::Left => Self::Right,
        }
    }
}

/// The corners of a node's box on the page, clockwise from its own left top corner.
pub fn corners_of(document: &Document, id: &NodeId) -> Option<[Point; 4]> {
    let node = document.get(id).filter(|node| node.has_box())?;
    let page_from_node = document.absolute_transform(id).ok()?;
    let (width, height) = (node.size.width, node.size.height);
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    Some(corners.map(|(x, y)| page_from_node.apply(Point::new(x, y))))
}

/// The corners that handles are put at: of a single node its own, of several those of the box around all.
pub fn selection_corners(document: &Document, nodes: &[NodeId]) -> Option<[Point; 4]> {
    if let [only] = nodes {
        return corners_of(document, only);
    }
    let at = Rect::union_all(nodes.iter().filter_map(|id| document.absolute_box(id).ok()))?;
    Some(
        [(at.x, at.y), (at.right(), at.y), (at.right(), at.bottom()), (at.x, at.bottom())]
            .map(|(x, y)| Point::new(x, y)),
    )
}

/// Where the handles of what is selected are, but for the zones that turn; what is locked has none. `zoom` is in points
/// of the screen a unit of the page.
pub fn grips(document: &Document, nodes: &[NodeId], zoom: f64) -> Vec<GripSpot> {
    let corners = selection_corners(document, nodes).filter(|_| !is_any_locked(document, nodes));
    let Some(corners) = corners else { return Vec::new() };
    let only = match nodes {
        [only] => document.get(only),
        _ => None,
    };
    if let Some(line) = only.filter(|node| node.kind == NodeKind::Line) {
        let [start, end, ..] = corners;
        let value = Some(line.size.width);
        return vec![
            GripSpot { grip: EditGrip::LineEnd(LineEnd::Start), at: start, value },
            GripSpot { grip: EditGrip::LineEnd(LineEnd::End), at: end, value },
        ];
    }
    let spot = |grip, at| GripSpot { grip, at, value: None };
    let [left_top, right_top, right_bottom, left_bottom] = corners;
    let on_screen = [right_top, left_bottom].map(|end| {
        let side = end.since(left_top);
        side.x.hypot(side.y) * zoom
    });
    let mut spots: Vec<GripSpot> = Handle::CORNERS
        .iter()
        .zip(corners)
        .map(|(handle, at)| spot(EditGrip::Resize(*handle), at))
        .collect();
    if on_screen.iter().all(|side| *side >= SMALL) {
        let ends = [
            (left_top, right_top),
            (right_top, right_bottom),
            (right_bottom, left_bottom),
            (left_bottom, left_top),
        ];
        let sides = Handle::SIDES.iter().zip(ends);
        spots.extend(sides.map(|(handle, (a, b))| spot(EditGrip::Resize(*handle), middle(a, b))));
    }
    if let Some(node) = only.filter(|_| on_screen.iter().all(|side| *side >= ROOM)) {
        spots.extend(radius_spots(document, node, zoom));
        spots.extend(spacing_spots(document, node, zoom));
    }
    spots
}

/// The handle of what is selected at a point of the page: those that resize before those inside, the zones that turn
/// last.
pub(super) fn grip_at(
    document: &Document,
    nodes: &[NodeId],
    point: Point,
    zoom: f64,
) -> Option<EditGrip> {
    let corners = selection_corners(document, nodes).filter(|_| !is_any_locked(document, nodes))?;
    let spots = grips(document, nodes, zoom);
    let has_ends = spots.iter().any(|spot| matches!(spot.grip, EditGrip::LineEnd(_)));
    let [left_top, right_top, _, left_bottom] = corners;
    let is_small = [right_top, left_bottom].iter().any(|end| {
        let side = end.since(left_top);
        side.x.hypot(side.y) * zoom < SMALL
    });
    // The inside of a small one moves it, however near its corners are.
    if !has_ends && is_small && is_inside(document, nodes, point) {
        return None;
    }
    let outer = if has_ends { None } else { handle_at(corners, point, zoom) };
    if let Some(Grip::Resize(handle)) = outer {
        return Some(EditGrip::Resize(handle));
    }
    let near = spots.iter().find(|spot| {
        let off = point.since(spot.at);
        off.x.hypot(off.y) * zoom <= REACH
    });
    let turns = match outer {
        Some(Grip::Turn(handle)) => Some(EditGrip::Turn(handle)),
        _ => None,
    };
    near.map(|spot| spot.grip).or(turns)
}

fn is_any_locked(document: &Document, nodes: &[NodeId]) -> bool {
    nodes.iter().any(|id| document.is_locked(id))
}

fn is_inside(document: &Document, nodes: &[NodeId], point: Point) -> bool {
    nodes.iter().filter_map(|id| document.get(id)).any(|node| is_in_box(document, node, point))
}

fn middle(a: Point, b: Point) -> Point {
    Point::new(f64::midpoint(a.x, b.x), f64::midpoint(a.y, b.y))
}

/// Whether a node's corners can be rounded.
pub(super) fn has_corners(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Rectangle | NodeKind::Frame | NodeKind::Component | NodeKind::Instance
    )
}

/// The radius of a corner.
pub(super) fn radius_at(radii: CornerRadii, corner: Handle) -> f64 {
    match (corner.x > 0, corner.y > 0) {
        (false, false) => radii.top_left,
        (true, false) => radii.top_right,
        (true, true) => radii.bottom_right,
        (false, true) => radii.bottom_left,
    }
}

fn radius_spots(document: &Document, node: &Node, zoom: f64) -> Vec<GripSpot> {
    let Ok(page_from_node) = document.absolute_transform(&node.id) else { return Vec::new() };
    if !has_corners(node) {
        return Vec::new();
    }
    let (width, height) = (node.size.width, node.size.height);
    let most = width.min(height) / 2.0;
    let spots = Handle::CORNERS.iter().map(|corner| {
        let radius = radius_at(node.corner_radii, *corner);
        let inset = radius.max(INSET / zoom).min(most);
        let x = if corner.x < 0 { inset } else { width - inset };
        let y = if corner.y < 0 { inset } else { height - inset };
        let at = page_from_node.apply(Point::new(x, y));
        GripSpot { grip: EditGrip::Radius(*corner), at, value: Some(radius) }
    });
    spots.collect()
}

fn spacing_spots(document: &Document, node: &Node, zoom: f64) -> Vec<GripSpot> {
    let Some(layout) = auto_layout_of(node) else { return Vec::new() };
    let Ok(page_from_node) = document.absolute_transform(&node.id) else { return Vec::new() };
    let (width, height) = (node.size.width, node.size.height);
    let mut spots: Vec<GripSpot> = Vec::new();
    for side in Side::ALL {
        let padding = side.extent(layout.padding);
        // Beside the handle of the side, however narrow the space is.
        let inset = (padding / 2.0).max(INSET / zoom);
        let at = match side {
            Side::Top => Point::new(width / 2.0, inset),
            Side::Right => Point::new(width - inset, height / 2.0),
            Side::Bottom => Point::new(width / 2.0, height - inset),
            Side::Left => Point::new(inset, height / 2.0),
        };
        let at = page_from_node.apply(at);
        spots.push(GripSpot { grip: EditGrip::Padding(side), at, value: Some(padding) });
    }
    // Spread over the frame there is no gap to be set.
    if layout.primary_align == PrimaryAlign::SpaceBetween {
        return spots;
    }
    let children = node.children.iter().filter_map(|id| document.get(id));
    let boxes: Vec<_> = children
        .filter(|child| child.flows())
        .map(|child| along(layout.direction, child.transform.bounds_of(child.size)))
        .collect();
    for (at, pair) in boxes.windows(2).enumerate() {
        let [(one, across), (other, other_across)] = pair else { continue };
        // In the next line of a frame that wraps it is no gap of this kind.
        if other.0 < one.0 {
            continue;
        }
        let cross = f64::midpoint(
            f64::midpoint(across.0, across.1),
            f64::midpoint(other_across.0, other_across.1),
        );
        let place = point_along(layout.direction, f64::midpoint(one.1, other.0), cross);
        spots.push(GripSpot {
            grip: EditGrip::Gap(at),
            at: page_from_node.apply(place),
            value: Some(layout.item_spacing),
        });
    }
    spots
}

/// A point of the page in a node's own space.
pub(super) fn in_node(document: &Document, id: &NodeId, point: Point) -> Option<Point> {
    let node_from_page: Affine = document.absolute_transform(id).ok()?.inverse()?;
    Some(node_from_page.apply(point))
}
