//! Corners that run out into their edges: Figma's corner smoothing.
//!
//! A corner of radius `r` and smoothing `ζ` begins `p = (1 + ζ)·r` from its tip. The middle is an arc
//! of `90°·(1 − ζ)`; a cubic on either side leads from the edge to it, with the curvature of the
//! arc at one end and none at the other. Where there is no room for `p`, the smoothing gives way and
//! the radius stays. Source: D. Furse, "Desperately seeking squircles", Figma's blog, 2018, figures
//! 11 and 12.

use std::f64::consts::FRAC_PI_4;

use tiny_skia::PathBuilder;

/// A smooth corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothCorner {
    radius: f64,
    smoothing: f64,
}

impl SmoothCorner {
    /// A corner of this radius, as smooth as `room` from its tip allows.
    pub(crate) fn new(radius: f64, smoothing: f64, room: f64) -> Self {
        Self { radius, smoothing: smoothing.min(room / radius - 1.0).max(0.0) }
    }

    /// How far from its tip it begins.
    pub(crate) fn reach(self) -> f64 {
        (1.0 + self.smoothing) * self.radius
    }

    /// Adds the corner from one edge to the other, where the path is at `from`.
    pub(crate) fn push_to(
        self,
        from: (f64, f64),
        tip: (f64, f64),
        to: (f64, f64),
        path: &mut PathBuilder,
    ) {
        let reach = self.reach();
        let along = ((tip.0 - from.0) / reach, (tip.1 - from.1) / reach);
        let across = ((to.0 - tip.0) / reach, (to.1 - tip.1) / reach);
        for cubic in self.cubics() {
            let [a, b, c] = cubic.map(|[u, v]| {
                let x = from.0 + along.0 * u + across.0 * v;
                let y = from.1 + along.1 * u + across.1 * v;
                (x as f32, y as f32)
            });
            path.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
        }
    }

    /// The three cubics, without their starts, by distances along the first edge and the second.
    fn cubics(self) -> [[[f64; 2]; 3]; 3] {
        let (radius, reach) = (self.radius, self.reach());
        let angle = FRAC_PI_4 * self.smoothing;
        let (sin, cos) = angle.sin_cos();
        let arc = [reach - radius + radius * sin, radius - radius * cos];
        // The corner is the same from either edge: mirrored in its diagonal.
        let arc_end = [reach - arc[1], reach - arc[0]];
        // The tangent of the arc's start meets the edge here.
        let meets = arc[0] - arc[1] * cos / sin.max(f64::MIN_POSITIVE);
        // Without smoothing the tangent is the edge itself and meets it everywhere.
        let meets = if sin > 0.0 { meets } else { arc[0] };
        let handle = 4.0 / 3.0 * ((FRAC_PI_4 - angle) / 2.0).tan() * radius;
        let third = meets / 3.0;
        [
            // Handles of 2 : 1 on the edge let the curvature begin at none (figure 12).
            [[2.0 * third, 0.0], [meets, 0.0], arc],
            [
                [arc[0] + handle * cos, arc[1] + handle * sin],
                [arc_end[0] - handle * sin, arc_end[1] - handle * cos],
                arc_end,
            ],
            [[reach, reach - meets], [reach, reach - 2.0 * third], [reach, reach]],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_gives_way_where_there_is_no_room() {
        assert_eq!(SmoothCorner::new(10.0, 1.0, 15.0).reach(), 15.0);
        assert_eq!(SmoothCorner::new(10.0, 0.6, 10.0).reach(), 10.0);
    }

    #[test]
    fn the_pieces_have_the_proportions_of_figure_11() {
        let corner = SmoothCorner::new(20.0, 0.6, 100.0);
        let [[a, ab, abc], _, _] = corner.cubics();
        let alpha = 27f64.to_radians();
        let c = 20.0 * (alpha / 2.0).tan() * alpha.cos();
        let d = c * alpha.tan();
        let arc = 18f64.to_radians().sin() * 20.0 * 2f64.sqrt();
        let b = (32.0 - arc - c - d) / 3.0;
        let expected = [[2.0 * b, 0.0], [3.0 * b, 0.0], [3.0 * b + c, d]];
        for (ours, theirs) in [a, ab, abc].iter().zip(expected) {
            assert!((ours[0] - theirs[0]).abs() < 1e-9 && (ours[1] - theirs[1]).abs() < 1e-9);
        }
    }
}
