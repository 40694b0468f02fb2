//! Where the straight sides of a box are, between the pixels, and what lines them.

use crate::base::Rect;

use super::area::Area;
use super::draft::Stroke;
use super::picture::{Picture, Rgb, blend_towards, distance, dot, mean, minus};

/// How far outside a side its surroundings are sampled, in pixels.
const REACH: isize = 4;
/// Least contrast across a side, in levels, to place it between pixels.
const LEAST_CONTRAST: f32 = 4.0;
/// How far an outline must stand out from both its sides, in levels.
const LEAST_OUTLINE: f32 = 9.0;
/// Most places looked at along one side.
const SAMPLES: usize = 48;

/// One of the four sides of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoxEdge {
    Left,
    Top,
    Right,
    Bottom,
}

/// Where one looks across a side: pixel `out` steps beyond the last one inside, at `along`.
#[derive(Clone, Copy)]
struct Probe<'a> {
    picture: &'a Picture,
    core: Area,
    side: BoxEdge,
}

impl BoxEdge {
    const ALL: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];
}

impl Probe<'_> {
    fn at(&self, along: usize, out: isize) -> Rgb {
        let (along, core) = (along as isize, self.core);
        match self.side {
            BoxEdge::Left => self.picture.at(core.x0 as isize - out, along),
            BoxEdge::Right => self.picture.at(core.x1 as isize - 1 + out, along),
            BoxEdge::Top => self.picture.at(along, core.y0 as isize - out),
            BoxEdge::Bottom => self.picture.at(along, core.y1 as isize - 1 + out),
        }
    }

    /// Places along the side, its ends left out where corners may be round.
    fn places(&self) -> impl Iterator<Item = usize> {
        let core = self.core;
        let (from, to) = match self.side {
            BoxEdge::Left | BoxEdge::Right => (core.y0, core.y1),
            BoxEdge::Top | BoxEdge::Bottom => (core.x0, core.x1),
        };
        let margin = (to - from) / 4;
        let (from, to) = (from + margin, (to - margin).max(from + margin + 1));
        (from..to).step_by(((to - from) / SAMPLES).max(1))
    }

    fn at_picture_border(&self) -> bool {
        match self.side {
            BoxEdge::Left => self.core.x0 <= 1,
            BoxEdge::Top => self.core.y0 <= 1,
            BoxEdge::Right => self.core.x1 + 1 >= self.picture.width(),
            BoxEdge::Bottom => self.core.y1 + 1 >= self.picture.height(),
        }
    }

    /// How far the side is beyond the last pixel inside, by how much of the pixels across it has
    /// the inner colour; 0.5 where there is no contrast to tell.
    fn overshoot(&self) -> f32 {
        if self.at_picture_border() {
            return 1.0;
        }
        let mut found: Vec<f32> = self.places().filter_map(|at| self.overshoot_at(at)).collect();
        // The median: something that lies across the side misleads a few places only.
        found.sort_by(f32::total_cmp);
        found.get(found.len() / 2).copied().unwrap_or(0.5)
    }

    fn overshoot_at(&self, along: usize) -> Option<f32> {
        let (inside, outside) = (self.at(along, -2), self.at(along, REACH));
        let across = minus(inside, outside);
        if distance(inside, outside) < LEAST_CONTRAST {
            return None;
        }
        // Each pixel across has so much of the inner colour as the box covers of it. Clamped, for a
        // shadow or a line along the side is no mixture of the two.
        let shares = (-1..REACH)
            .map(|out| dot(minus(self.at(along, out), outside), across) / dot(across, across));
        let covered: f32 = shares.map(|share| share.clamp(-0.2, 1.2)).sum();
        Some((covered - 2.0).clamp(-0.5, REACH as f32 - 1.0))
    }

    /// The colour, weight and middle of a line along the side, if there is one.
    fn outline(&self) -> Option<(Rgb, f32, f32)> {
        if self.at_picture_border() {
            return None;
        }
        let mut found: Vec<_> = self.places().map(|at| self.outline_at(at)).collect();
        let seen = found.iter().filter(|f| f.is_some()).count();
        // A line runs along most of its side; a thing that stands there does not.
        if seen * 4 < found.len() * 3 {
            return None;
        }
        let mut found: Vec<_> = found.drain(..).flatten().collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found.get(found.len() / 2).copied()
    }

    fn outline_at(&self, along: usize) -> Option<(Rgb, f32, f32)> {
        let (inside, outside) = (self.at(along, -2), self.at(along, REACH));
        // A line is what no mixture of inside and outside explains: how far off each step is.
        let mut steps = Vec::with_capacity(REACH as usize);
        for out in 0..REACH {
            let colour = self.at(along, out);
            steps.push((out as f32, off_line(colour, inside, outside), colour));
        }
        let (_, most, colour) = *steps.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if most < LEAST_OUTLINE {
            return None;
        }
        let weight: f32 = steps.iter().map(|(_, off, _)| off / most).sum();
        let middle: f32 = steps.iter().map(|(out, off, _)| out * off / most).sum::<f32>() / weight;
        Some((colour, weight, middle))
    }
}

/// How far a colour is from every mixture of two others, in levels.
fn off_line(colour: Rgb, a: Rgb, b: Rgb) -> f32 {
    let along = minus(b, a);
    let t = match dot(along, along) {
        length if length > 1.0 => (dot(minus(colour, a), along) / length).clamp(0.0, 1.0),
        _ => 0.0,
    };
    distance(colour, blend_towards(a, b, t))
}

/// The box whose sure inside is `core`, its sides placed between the pixels.
pub(super) fn exact_box(picture: &Picture, core: Area) -> Rect {
    let [left, top, right, bottom] =
        BoxEdge::ALL.map(|side| f64::from(Probe { picture, core, side }.overshoot()));
    let x0 = (core.x0 as f64 - left).max(0.0);
    let y0 = (core.y0 as f64 - top).max(0.0);
    let x1 = (core.x1 as f64 + right).min(picture.width() as f64);
    let y1 = (core.y1 as f64 + bottom).min(picture.height() as f64);
    Rect::new(round(x0), round(y0), round((x1 - x0).max(0.5)), round((y1 - y0).max(0.5)))
}

/// To a twentieth of a pixel: finer is noise.
fn round(v: f64) -> f64 {
    (v * 20.0).round() / 20.0
}

/// The outline around `core` with the box it is the border of, if at least three sides show one.
pub(super) fn outline(picture: &Picture, core: Area) -> Option<(Stroke, Rect)> {
    let found = BoxEdge::ALL.map(|side| Probe { picture, core, side }.outline());
    let seen: Vec<_> = found.iter().flatten().copied().collect();
    if seen.len() < 3 || seen.iter().any(|s| distance(s.0, seen[0].0) > 60.0) {
        return None;
    }
    let weight = seen.iter().map(|s| s.1).sum::<f32>() / seen.len() as f32;
    let middle = seen.iter().map(|s| s.2).sum::<f32>() / seen.len() as f32;
    // A line thinner than a pixel is drawn a pixel wide and fainter, which looks the same.
    let drawn = weight.max(1.0);
    let peak = mean(seen.iter().map(|s| s.0))?;
    let inside = picture.at(usize::midpoint(core.x0, core.x1) as isize, core.y0 as isize + 1);
    let stroke =
        Stroke { colour: blend_towards(inside, peak, (weight / drawn).min(1.0)), weight: drawn };
    // The middle of pixel `out` is `out − 0.5` beyond the border of the sure inside.
    let out = f64::from(middle - 0.5 + drawn / 2.0);
    let [x, y, width, height] = [core.x0, core.y0, core.width(), core.height()].map(|v| v as f64);
    let rect = Rect::new(x, y, width, height).expand(out);
    Some((stroke, Rect::new(round(rect.x), round(rect.y), round(rect.width), round(rect.height))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::tracer::draft::{Fill, Piece, Role, Shape};
    use crate::agent::tracer::draw;

    fn drawn(bounds: Rect, stroke: Option<Stroke>) -> Picture {
        let piece = Piece {
            bounds,
            shape: Shape::Box([0.0; 4]),
            fill: Fill::Solid([30.0, 90.0, 200.0]),
            stroke,
            role: Role::Block,
        };
        draw::draw_all([250.0; 3], [&piece], Area::new(0, 0, 80, 60))
    }

    #[test]
    fn sides_are_found_between_the_pixels() {
        let bounds = Rect::new(10.3, 12.75, 50.5, 30.1);
        let found = exact_box(&drawn(bounds, None), Area::new(11, 13, 60, 42));
        for (a, b) in [
            (found.x, bounds.x),
            (found.y, bounds.y),
            (found.right(), bounds.right()),
            (found.bottom(), bounds.bottom()),
        ] {
            assert!((a - b).abs() < 0.15, "{found:?}");
        }
        assert_eq!(outline(&drawn(bounds, None), Area::new(11, 13, 60, 42)), None);
    }

    #[test]
    fn an_outline_is_seen_with_its_colour_and_weight() {
        let stroke = Stroke { colour: [220.0, 20.0, 20.0], weight: 2.0 };
        let bounds = Rect::new(10.0, 12.0, 50.0, 30.0);
        let (found, at) = outline(&drawn(bounds, Some(stroke)), Area::new(12, 14, 58, 40)).unwrap();
        assert!((found.weight - 2.0).abs() < 0.3 && distance(found.colour, stroke.colour) < 20.0);
        assert!((at.x - 10.0).abs() < 0.3 && (at.bottom() - 42.0).abs() < 0.3, "{at:?}");
    }
}
