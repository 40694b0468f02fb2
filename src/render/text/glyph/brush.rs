//! What areas of a coloured glyph are filled with.

use skrifa::color::Extend;
use tiny_skia::{Point, SpreadMode, Transform};

use crate::base::Rgba;

/// A colour of a font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hue {
    Own(Rgba),
    /// That of the text, and how much of it.
    Text(f64),
}

/// What an area is filled with, in font units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Brush {
    Solid(Hue),
    Gradient {
        line: GradientLine,
        /// Places in 0..=1, in rising order.
        stops: Vec<(f32, Hue)>,
        extend: SpreadMode,
        /// From the space of the line.
        font_from_line: Transform,
    },
}

/// Where the stops of a gradient lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GradientLine {
    Linear {
        start: Point,
        end: Point,
    },
    /// From one circle to another.
    Radial {
        start: (Point, f32),
        end: (Point, f32),
    },
    /// Clockwise around a centre, in degrees.
    Sweep {
        center: Point,
        start: f32,
        end: f32,
    },
}

impl Hue {
    /// The colour in a text of colour `text`.
    pub(crate) fn in_text(self, text: Rgba) -> Rgba {
        match self {
            Self::Own(color) => color,
            Self::Text(share) => text.with_alpha(text.a * share),
        }
    }
}

impl Brush {
    pub(crate) fn gradient(
        line: GradientLine,
        stops: Vec<(f32, Hue)>,
        extend: Extend,
        font_from_line: Transform,
    ) -> Option<Self> {
        // A gradient of one stop is one colour wherever it lies.
        if let [(_, hue)] = stops.as_slice() {
            return Some(Self::Solid(*hue));
        }
        let (line, stops) = match line {
            GradientLine::Radial { start, end } => without_negative_radii(start, end, stops)?,
            other => (other, stops),
        };
        let extend = match extend {
            Extend::Repeat => SpreadMode::Repeat,
            Extend::Reflect => SpreadMode::Reflect,
            _ => SpreadMode::Pad,
        };
        Some(Self::Gradient { line, stops, extend, font_from_line })
    }
}

type Circle = (Point, f32);

/// The same line from and to circles that there are: it begins, or ends, where the radius is 0.
fn without_negative_radii(
    start: Circle,
    end: Circle,
    stops: Vec<(f32, Hue)>,
) -> Option<(GradientLine, Vec<(f32, Hue)>)> {
    if start.1 >= 0.0 && end.1 >= 0.0 {
        return Some((GradientLine::Radial { start, end }, stops));
    }
    // No circle on the whole way: nothing is filled.
    if start.1 <= 0.0 && end.1 <= 0.0 {
        return None;
    }
    // Where on the way from one circle to the other the radius is 0.
    let share = start.1 / (start.1 - end.1);
    let vanishing = (mix(start.0, end.0, share), 0.0);
    let (start, end, from, to) =
        if start.1 < 0.0 { (vanishing, end, share, 1.0) } else { (start, vanishing, 0.0, share) };
    let kept = stops.iter().filter(|(at, _)| (from..=to).contains(at));
    let mut cut: Vec<_> = kept.map(|(at, hue)| ((at - from) / (to - from), *hue)).collect();
    if from > 0.0 {
        // The colour where the circles begin, so that those inside keep their places.
        cut.insert(0, (0.0, hue_at(&stops, from)?));
    } else {
        cut.push((1.0, hue_at(&stops, to)?));
    }
    Some((GradientLine::Radial { start, end }, cut))
}

fn mix(a: Point, b: Point, share: f32) -> Point {
    Point::from_xy(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
}

/// The colour at a place between stops; beside the colour of the text, the nearer of both.
fn hue_at(stops: &[(f32, Hue)], at: f32) -> Option<Hue> {
    let after = stops.partition_point(|(place, _)| *place <= at);
    let before = after.checked_sub(1).and_then(|index| stops.get(index));
    match (before, stops.get(after)) {
        (Some((from, a)), Some((to, b))) => {
            let share = f64::from((at - from) / (to - from));
            Some(match (a, b) {
                (Hue::Own(a), Hue::Own(b)) => Hue::Own(a.mixed(*b, share)),
                (Hue::Text(a), Hue::Text(b)) => Hue::Text(a + (b - a) * share),
                // What the text's colour will be is not known here, so there is no mean of the two.
                _ if share < 0.5 => *a,
                _ => *b,
            })
        }
        (Some((_, hue)), None) | (None, Some((_, hue))) => Some(*hue),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Hue = Hue::Own(Rgba::BLACK);
    const WHITE: Hue = Hue::Own(Rgba { r: 1.0, g: 1.0, b: 1.0, a: 1.0 });

    fn radial(r0: f32, r1: f32) -> Option<Brush> {
        let line = GradientLine::Radial {
            start: (Point::zero(), r0),
            end: (Point::from_xy(10.0, 0.0), r1),
        };
        let stops = vec![(0.0, BLACK), (1.0, WHITE)];
        Brush::gradient(line, stops, Extend::Pad, Transform::identity())
    }

    #[test]
    fn a_circle_of_negative_radius_is_replaced_by_the_point_where_it_vanishes() {
        let Some(Brush::Gradient { line, stops, .. }) = radial(-5.0, 5.0) else { unreachable!() };
        let half = (Point::from_xy(5.0, 0.0), 0.0);
        assert_eq!(
            line,
            GradientLine::Radial { start: half, end: (Point::from_xy(10.0, 0.0), 5.0) }
        );
        let grey = Hue::Own(Rgba::new(0.5, 0.5, 0.5, 1.0));
        assert_eq!(stops, [(0.0, grey), (1.0, WHITE)]);
    }

    #[test]
    fn circles_that_are_nowhere_fill_nothing() {
        assert_eq!(radial(-1.0, -2.0), None);
    }

    #[test]
    fn a_gradient_of_one_stop_is_its_colour() {
        let line = GradientLine::Sweep { center: Point::zero(), start: 0.0, end: 360.0 };
        let brush = Brush::gradient(line, vec![(0.5, WHITE)], Extend::Pad, Transform::identity());
        assert_eq!(brush, Some(Brush::Solid(WHITE)));
    }
}
