//! The handles around a selection.

use crate::base::{Point, Vector};

/// How near to a handle a pointer takes it, in points of the screen.
const REACH: f64 = 6.0;
/// How far outside a corner a pointer turns, in points of the screen.
const TURN_REACH: f64 = 20.0;
/// A shape that is shorter than this on the screen shows its corners only, and its inside moves.
const SMALL: f64 = 20.0;

/// A handle of a box: which way it pulls, −1, 0 or 1 along each axis of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    /// −1 the left side, 1 the right.
    pub x: i8,
    /// −1 the top, 1 the bottom.
    pub y: i8,
}

/// What a pointer near a selection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grip {
    /// It resizes by this handle.
    Resize(Handle),
    /// It turns, by the corner next to it.
    Turn(Handle),
}

impl Handle {
    /// The corners, clockwise from the left top.
    pub const CORNERS: [Self; 4] =
        [Self { x: -1, y: -1 }, Self { x: 1, y: -1 }, Self { x: 1, y: 1 }, Self { x: -1, y: 1 }];
    /// The sides, clockwise from the top.
    pub const SIDES: [Self; 4] =
        [Self { x: 0, y: -1 }, Self { x: 1, y: 0 }, Self { x: 0, y: 1 }, Self { x: -1, y: 0 }];
}

/// What is gripped at a point of the page: a handle before the zones outside the corners. `corners` are
/// those of the selection's box on the page, clockwise from its own left top; `zoom` is in points of the
/// screen a unit of the page.
pub fn handle_at(corners: [Point; 4], pointer: Point, zoom: f64) -> Option<Grip> {
    let [left_top, right_top, right_bottom, left_bottom] = corners;
    let reach = REACH / zoom;
    let near =
        Handle::CORNERS.iter().zip(corners).find(|(_, at)| length(pointer.since(*at)) <= reach);
    if let Some((handle, _)) = near {
        return Some(Grip::Resize(*handle));
    }
    let (width, height) =
        (length(right_top.since(left_top)) * zoom, length(left_bottom.since(left_top)) * zoom);
    let sides = [
        (left_top, right_top),
        (right_top, right_bottom),
        (right_bottom, left_bottom),
        (left_bottom, left_top),
    ];
    // On a small one the whole of it would be sides.
    let is_small = width < SMALL || height < SMALL;
    let near = Handle::SIDES
        .iter()
        .zip(sides)
        .filter(|_| !is_small)
        .find(|(_, (from, to))| pointer.distance_to_line(*from, *to) <= reach);
    if let Some((handle, _)) = near {
        return Some(Grip::Resize(*handle));
    }
    let is_outside = !is_inside(corners, pointer);
    let mut corners = Handle::CORNERS.iter().zip(corners);
    let near = corners.find(|(_, at)| length(pointer.since(*at)) <= TURN_REACH / zoom);
    near.filter(|_| is_outside).map(|(handle, _)| Grip::Turn(*handle))
}

fn length(by: Vector) -> f64 {
    by.x.hypot(by.y)
}

/// Whether a point lies in a box that may be turned or mirrored: on the same side of all its sides.
pub(super) fn is_inside(corners: [Point; 4], p: Point) -> bool {
    let [a, b, c, d] = corners;
    let sides = [(a, b), (b, c), (c, d), (d, a)].map(|(from, to)| {
        let (along, off) = (to.since(from), p.since(from));
        along.x * off.y - along.y * off.x
    });
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: [Point; 4] = [
        Point::new(100.0, 100.0),
        Point::new(200.0, 100.0),
        Point::new(200.0, 160.0),
        Point::new(100.0, 160.0),
    ];

    #[test]
    fn handles_come_before_the_zones_that_turn() {
        let corner = Grip::Resize(Handle { x: 1, y: 1 });
        for (x, y, zoom, grip) in [
            (203.0, 163.0, 1.0, Some(corner)),
            (150.0, 104.0, 1.0, Some(Grip::Resize(Handle { x: 0, y: -1 }))),
            (97.0, 130.0, 1.0, Some(Grip::Resize(Handle { x: -1, y: 0 }))),
            (210.0, 170.0, 1.0, Some(Grip::Turn(Handle { x: 1, y: 1 }))),
            (150.0, 130.0, 1.0, None),
            // Outside a side there is nothing.
            (150.0, 180.0, 1.0, None),
            // Reaches are on the screen: magnified, three units are far.
            (203.0, 163.0, 4.0, Some(Grip::Turn(Handle { x: 1, y: 1 }))),
            (210.0, 170.0, 4.0, None),
        ] {
            assert_eq!(handle_at(BOX, Point::new(x, y), zoom), grip, "{x} {y} at {zoom}");
        }
    }

    #[test]
    fn a_small_box_has_corners_only_and_its_inside_moves() {
        // At a quarter of its size it is 25 by 15 points.
        assert_eq!(handle_at(BOX, Point::new(150.0, 118.0), 0.25), None);
        let corner = handle_at(BOX, Point::new(98.0, 98.0), 0.25);
        assert_eq!(corner, Some(Grip::Resize(Handle { x: -1, y: -1 })));
    }
}
