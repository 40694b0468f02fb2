//! A rectangle with rounded corners, and the rectangles in parallel to it.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use tiny_skia::{Path, PathBuilder};

use crate::base::{Affine, Rect, Size};
use crate::design::{CornerRadii, Node};

use super::boxes::bounds_of;
use super::ellipse::{Curve, KAPPA};
use super::smooth_corner::SmoothCorner;

/// Amounts at the four edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edges {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Edges {
    /// Every amount multiplied.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self {
            left: self.left * factor,
            top: self.top * factor,
            right: self.right * factor,
            bottom: self.bottom * factor,
        }
    }
}

/// A rectangle whose corners are quarters of ellipses, or smoother than that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoundedBox {
    pub(crate) rect: Rect,
    /// Half axes of the corners, clockwise from the top left.
    radii: [Size; 4],
    /// How far circular corners run out into the edges, 0..=1.
    smoothing: f64,
}

impl RoundedBox {
    /// A node's box with its corners as the node says.
    pub(crate) fn of(node: &Node) -> Self {
        let smoothing = if node.corner_smoothing.is_finite() { node.corner_smoothing } else { 0.0 };
        Self { smoothing: smoothing.clamp(0.0, 1.0), ..Self::of_node(node.size, node.corner_radii) }
    }

    /// A box with circular corners: each radius at most half of the shorter side, as Figma has it.
    pub(crate) fn of_node(size: Size, radii: CornerRadii) -> Self {
        let most = size.width.min(size.height) / 2.0;
        let radii = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
        let rect = Rect::new(0.0, 0.0, size.width, size.height);
        let radii = radii.map(|radius| {
            let radius = if radius.is_finite() { radius.clamp(0.0, most) } else { 0.0 };
            Size::new(radius, radius)
        });
        Self { rect, radii, smoothing: 0.0 }
    }

    pub(crate) fn is_sharp(&self) -> bool {
        self.radii.iter().all(|radius| radius.width == 0.0 || radius.height == 0.0)
    }

    /// Whether a corner is smoother than an arc.
    pub(crate) fn is_smooth(&self) -> bool {
        self.smoothing > 0.0 && !self.is_sharp()
    }

    /// How far from its tip any corner begins at most.
    pub(crate) fn longest_corner(&self) -> f64 {
        self.reaches().iter().map(|reach| reach.width.max(reach.height)).fold(0.0, f64::max)
    }

    /// The cross within an upright rounded box that no corner cuts.
    pub(crate) fn interior(&self, device_from_node: Affine) -> Option<[Rect; 2]> {
        if device_from_node.b != 0.0 || device_from_node.c != 0.0 {
            return None;
        }
        let (rect, radius) = (self.rect, self.longest_corner());
        let wide = Rect::new(rect.x, rect.y + radius, rect.width, rect.height - 2.0 * radius);
        let tall = Rect::new(rect.x + radius, rect.y, rect.width - 2.0 * radius, rect.height);
        Some([wide, tall].map(|part| bounds_of(device_from_node, part)))
    }

    /// How far from its tip each corner begins on either edge.
    fn reaches(&self) -> [Size; 4] {
        self.radii.map(|radius| match self.smooth(radius) {
            Some(corner) => Size::new(corner.reach(), corner.reach()),
            None => radius,
        })
    }

    /// The smooth corner of this radius, if it is not just a quarter of an ellipse.
    fn smooth(&self, radius: Size) -> Option<SmoothCorner> {
        let room = self.rect.width.min(self.rect.height) / 2.0;
        // A box that was grown by different amounts has elliptic corners; only circles are smoothed.
        let is_circular = radius.width == radius.height && radius.width > 0.0;
        (self.smoothing > 0.0 && is_circular)
            .then(|| SmoothCorner::new(radius.width, self.smoothing, room))
    }

    /// The parallel box that lies further out by `by` (further in where negative): a round corner
    /// keeps its centre, a sharp one stays sharp. `None` if nothing is left of it.
    pub(crate) fn grow(&self, by: Edges) -> Option<Self> {
        let rect = Rect::new(
            self.rect.x - by.left,
            self.rect.y - by.top,
            self.rect.width + by.left + by.right,
            self.rect.height + by.top + by.bottom,
        );
        let sides =
            [(by.left, by.top), (by.right, by.top), (by.right, by.bottom), (by.left, by.bottom)];
        let radii = std::array::from_fn(|corner| {
            let (radius, (dx, dy)) = (self.radii[corner], sides[corner]);
            let is_sharp = radius.width == 0.0 || radius.height == 0.0;
            let grown = Size::new((radius.width + dx).max(0.0), (radius.height + dy).max(0.0));
            // As CSS has it for the spread of shadows: a sharp corner is the edge of the shape,
            // not an arc of radius 0.
            if is_sharp { Size::default() } else { grown }
        });
        (rect.width > 0.0 && rect.height > 0.0).then_some(Self { rect, radii, ..*self })
    }

    /// The same box with its sharp corners rounded, as a round join leaves them.
    pub(crate) fn with_sharp_corners_rounded(mut self, radius: f64) -> Self {
        for corner in &mut self.radii {
            if corner.width == 0.0 || corner.height == 0.0 {
                *corner = Size::new(radius, radius);
            }
        }
        self
    }

    /// Adds the outline, clockwise on screen from the end of the top left corner.
    pub(crate) fn push_to(&self, path: &mut PathBuilder) {
        let Rect { x, y, .. } = self.rect;
        let (right, bottom) = (self.rect.right(), self.rect.bottom());
        let [tl, tr, br, bl] = self.reaches();
        let mut pen = RoundedPath { path, rounded: self };
        pen.move_to(x + tl.width, y);
        pen.line_to(right - tr.width, y);
        pen.corner(1, (right - tr.width, y), (right, y), (right, y + tr.height));
        pen.line_to(right, bottom - br.height);
        pen.corner(2, (right, bottom - br.height), (right, bottom), (right - br.width, bottom));
        pen.line_to(x + bl.width, bottom);
        pen.corner(3, (x + bl.width, bottom), (x, bottom), (x, bottom - bl.height));
        pen.line_to(x, y + tl.height);
        pen.corner(0, (x, y + tl.height), (x, y), (x + tl.width, y));
        path.close();
    }

    /// The four sides, clockwise from the top, each from the middle of one corner to that of the
    /// next; `None` for one without length. Smooth corners are taken as arcs.
    pub(crate) fn sides(&self) -> [Option<Path>; 4] {
        let Rect { x, y, .. } = self.rect;
        let (right, bottom) = (self.rect.right(), self.rect.bottom());
        let halves = self.radii.map(|radius| [radius.width, radius.height]);
        let [tl, tr, br, bl] = halves;
        let centers = [
            [x + tl[0], y + tl[1]],
            [right - tr[0], y + tr[1]],
            [right - br[0], bottom - br[1]],
            [x + bl[0], bottom - bl[1]],
        ];
        std::array::from_fn(|side| {
            let mut path = PathBuilder::new();
            // The direction of the side's outer normal, clockwise from the right.
            let normal = FRAC_PI_2 * (side as f64 - 1.0);
            let [first, second] = [side, (side + 1) % 4]
                .map(|corner| Curve { center: centers[corner], half: halves[corner] });
            first.begin(normal - FRAC_PI_4, 1.0, &mut path);
            first.sweep(normal - FRAC_PI_4, normal, 1.0, &mut path);
            second.line(normal, 1.0, &mut path);
            second.sweep(normal, normal + FRAC_PI_4, 1.0, &mut path);
            path.finish()
        })
    }

    pub(crate) fn to_path(self) -> Option<Path> {
        let mut path = PathBuilder::new();
        self.push_to(&mut path);
        path.finish()
    }
}

/// Draws in `f64`, stores in `f32`.
struct RoundedPath<'p, 'b> {
    path: &'p mut PathBuilder,
    rounded: &'b RoundedBox,
}

impl RoundedPath<'_, '_> {
    fn move_to(&mut self, x: f64, y: f64) {
        self.path.move_to(x as f32, y as f32);
    }

    fn line_to(&mut self, x: f64, y: f64) {
        self.path.line_to(x as f32, y as f32);
    }

    /// The corner of this number between two sides that meet at `tip`.
    fn corner(&mut self, number: usize, from: (f64, f64), tip: (f64, f64), to: (f64, f64)) {
        if from == to {
            return;
        }
        if let Some(corner) = self.rounded.smooth(self.rounded.radii[number]) {
            return corner.push_to(from, tip, to, self.path);
        }
        let [first, second] = [from, to].map(|end| {
            ((end.0 + (tip.0 - end.0) * KAPPA) as f32, (end.1 + (tip.1 - end.1) * KAPPA) as f32)
        });
        self.path.cubic_to(first.0, first.1, second.0, second.1, to.0 as f32, to.1 as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_are_at_most_half_of_the_shorter_side() {
        let pill = RoundedBox::of_node(Size::new(100.0, 20.0), CornerRadii::uniform(999.0));
        assert_eq!(pill.longest_corner(), 10.0);
    }

    #[test]
    fn a_parallel_box_keeps_the_centres_of_its_corners() {
        let outer = RoundedBox::of_node(Size::new(40.0, 40.0), CornerRadii::uniform(10.0));
        let inner = outer.grow(Edges { left: -4.0, top: -4.0, right: -4.0, bottom: -4.0 }).unwrap();
        assert_eq!(inner.rect, Rect::new(4.0, 4.0, 32.0, 32.0));
        assert_eq!(inner.longest_corner(), 6.0);
    }

    #[test]
    fn a_box_shrunk_beyond_its_middle_is_gone() {
        let outer = RoundedBox::of_node(Size::new(40.0, 8.0), CornerRadii::default());
        assert_eq!(outer.grow(Edges { left: -4.0, top: -4.0, right: -4.0, bottom: -4.0 }), None);
    }

    #[test]
    fn a_sharp_corner_stays_sharp_when_the_box_grows() {
        let outer = RoundedBox::of_node(Size::new(40.0, 8.0), CornerRadii::default());
        assert!(
            outer.grow(Edges { left: 4.0, top: 4.0, right: 4.0, bottom: 4.0 }).unwrap().is_sharp()
        );
    }

    #[test]
    fn a_smooth_corner_begins_further_out_and_stays_within_its_box() {
        let mut node = Node::new("a".into(), "a", crate::design::NodeKind::Rectangle);
        node.size = Size::new(100.0, 80.0);
        node.corner_radii = CornerRadii::uniform(20.0);
        node.corner_smoothing = 0.6;
        let rounded = RoundedBox::of(&node);
        assert!((rounded.longest_corner() - 32.0).abs() < 1e-9);
        let bounds = rounded.to_path().unwrap().compute_tight_bounds().unwrap();
        assert_eq!((bounds.left(), bounds.right(), bounds.bottom()), (0.0, 100.0, 80.0));
    }
}
