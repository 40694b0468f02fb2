//! Heads at the ends of open strokes.
//!
//! Sizes are multiples of the stroke's weight, read off Figma's own SVG exports of arrows of weight 1
//! (`M0 3L5 5.88675V0.113249L0 3Z…`): a triangle is equilateral and 5 high, a diamond measures
//! 2.887 from its middle, which lies on the end, a disc 2.667; the arms of an arrow of lines are 4.5
//! long at 45°, with round ends.

use std::f64::consts::FRAC_1_SQRT_2;

use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Stroke as SkiaStroke};

use crate::base::Rect;
use crate::design::StrokeCap;
use crate::render::geometry::ellipse::push_ellipse;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::flatten::Corner;

/// Half the side of the triangles, and the half diagonal of the diamond: 5·tan 30°.
const HALF_SIDE: f64 = 2.886_751_345_948_129;

/// A head at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Lines,
    Triangle,
    Diamond,
    Disc,
    /// A triangle that points inwards.
    Inward,
}

/// Where a head sits: at `end`, the path coming along `direction`, a unit vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadPlace {
    pub(crate) end: Corner,
    pub(crate) direction: Corner,
    pub(crate) weight: f64,
}

impl Head {
    /// The head of a cap that has one.
    pub(crate) fn of(cap: StrokeCap) -> Option<Self> {
        match cap {
            // These are ends of the line itself, which the rasteriser draws.
            StrokeCap::None | StrokeCap::Round | StrokeCap::Square => None,
            StrokeCap::LineArrow => Some(Self::Lines),
            StrokeCap::TriangleArrow => Some(Self::Triangle),
            StrokeCap::DiamondFilled => Some(Self::Diamond),
            StrokeCap::CircleFilled => Some(Self::Disc),
            StrokeCap::TriangleFilled => Some(Self::Inward),
        }
    }

    /// How far before the end the line itself stops, in weights, so that it does not show beside
    /// the head's tip.
    pub(crate) fn setback(self) -> f64 {
        match self {
            Self::Triangle | Self::Inward => 4.5,
            Self::Lines | Self::Diamond | Self::Disc => 0.0,
        }
    }

    /// What the head covers; `finest` sets how finely curves are followed.
    pub(crate) fn area(self, seat: HeadPlace, finest: f32) -> Option<FilledPath> {
        let path = match self {
            Self::Lines => return seat.lines(finest),
            // Weights along the line and across it, the tip of the line at the origin.
            Self::Triangle => seat.polygon(&[[0.0, 0.0], [-5.0, HALF_SIDE], [-5.0, -HALF_SIDE]]),
            Self::Diamond => seat.polygon(&[
                [HALF_SIDE, 0.0],
                [0.0, HALF_SIDE],
                [-HALF_SIDE, 0.0],
                [0.0, -HALF_SIDE],
            ]),
            Self::Disc => seat.disc(),
            Self::Inward => {
                // Its tip is cut as wide as the line that runs into it.
                seat.polygon(&[[0.0, HALF_SIDE], [-5.0, 0.5], [-5.0, -0.5], [0.0, -HALF_SIDE]])
            }
        };
        path.map(|path| FilledPath::new(path, FillRule::Winding))
    }
}

impl HeadPlace {
    /// A place by weights along the direction from the end, and across.
    fn place(&self, [along, across]: Corner) -> (f32, f32) {
        let [dx, dy] = self.direction;
        let (u, v) = (along * self.weight, across * self.weight);
        ((self.end[0] + dx * u - dy * v) as f32, (self.end[1] + dy * u + dx * v) as f32)
    }

    fn polygon(&self, corners: &[Corner]) -> Option<Path> {
        let mut path = self.chain(corners);
        path.close();
        path.finish()
    }

    fn chain(&self, corners: &[Corner]) -> PathBuilder {
        let mut path = PathBuilder::new();
        for (index, corner) in corners.iter().enumerate() {
            let (x, y) = self.place(*corner);
            if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path
    }

    fn disc(&self) -> Option<Path> {
        let radius = self.weight * 8.0 / 3.0;
        let mut path = PathBuilder::new();
        push_ellipse(Rect::new(self.end[0], self.end[1], 0.0, 0.0).expand(radius), &mut path);
        path.finish()
    }

    fn lines(&self, finest: f32) -> Option<FilledPath> {
        let back = 4.5 * FRAC_1_SQRT_2;
        let arms = self.chain(&[[-back, back], [0.0, 0.0], [-back, -back]]).finish()?;
        let pen = SkiaStroke {
            width: self.weight as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..SkiaStroke::default()
        };
        arms.stroke(&pen, finest).map(|path| FilledPath::new(path, FillRule::Winding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(head: Head) -> [f64; 4] {
        let seat = HeadPlace { end: [100.0, 4.0], direction: [1.0, 0.0], weight: 1.0 };
        let bounds = head.area(seat, 64.0).unwrap().bounds;
        [bounds.x, bounds.y, bounds.right(), bounds.bottom()]
    }

    fn assert_near(ours: [f64; 4], theirs: [f64; 4]) {
        let is_near = ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 0.01);
        assert!(is_near, "{ours:?}, not {theirs:?}");
    }

    #[test]
    fn heads_have_the_sizes_of_figmas_exports() {
        assert_near(bounds(Head::Triangle), [95.0, 1.113, 100.0, 6.887]);
        assert_near(bounds(Head::Diamond), [97.113, 1.113, 102.887, 6.887]);
        assert_near(bounds(Head::Disc), [97.333, 1.333, 102.667, 6.667]);
        assert_near(bounds(Head::Inward), [95.0, 1.113, 100.0, 6.887]);
        // M100.354 4.35355 … 96.4645 0.464466: arms of 4.5 with round ends.
        assert_near(bounds(Head::Lines), [96.318, 0.3181, 100.5, 7.682]);
    }
}
