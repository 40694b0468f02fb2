//! The colour or gradient that fills a box best.

use crate::base::Rect;

use super::draft::{Fill, GradientDirection};
use super::picture::{Picture, Rgb, blend_towards, distance};

/// A colour is enough when the pixels stray from it by less than this (root mean square, levels).
const FLAT_LEVELS: f64 = 1.5;
/// A stop is left out when its neighbours already give its colour within this many levels.
const SAME_STOP_LEVELS: f32 = 1.6;
/// How many stops a gradient is first fitted with.
const STOPS: usize = 5;

/// Sums of the colours along an axis, in as many bins as a gradient may have stops.
#[derive(Clone, Copy, Default)]
struct Bin {
    sum: [f64; 3],
    squares: f64,
    position: f64,
    count: f64,
}

impl Bin {
    fn add(&mut self, colour: Rgb, position: f64) {
        for (sum, channel) in self.sum.iter_mut().zip(colour) {
            *sum += f64::from(channel);
            self.squares += f64::from(channel) * f64::from(channel);
        }
        self.position += position;
        self.count += 1.0;
    }

    fn merge(mut self, other: &Self) -> Self {
        for (sum, value) in self.sum.iter_mut().zip(other.sum) {
            *sum += value;
        }
        self.squares += other.squares;
        self.position += other.position;
        self.count += other.count;
        self
    }

    fn colour(&self) -> Rgb {
        self.sum.map(|v| (v / self.count.max(1.0)) as f32)
    }

    /// The sum of squared distances from the mean.
    fn scatter(&self) -> f64 {
        let n = self.count.max(1.0);
        (self.squares - self.sum.iter().map(|v| v * v / n).sum::<f64>()).max(0.0)
    }
}

/// Bins along an axis, more than the stops so that each covers little change.
const BINS: usize = 32;

/// The fill of `bounds` that is nearest to the given pixels of the picture.
pub(super) fn fit_fill(
    picture: &Picture,
    bounds: Rect,
    pixels: impl Iterator<Item = (usize, usize)>,
) -> Fill {
    let mut bins = [[Bin::default(); BINS]; 2];
    for (x, y) in pixels {
        let colour = picture.get(x, y);
        let across = (x as f64 + 0.5 - bounds.x) / bounds.width;
        let down = (y as f64 + 0.5 - bounds.y) / bounds.height;
        for (bins, t) in bins.iter_mut().zip([across, down]) {
            let t = t.clamp(0.0, 1.0);
            bins[((t * BINS as f64) as usize).min(BINS - 1)].add(colour, t);
        }
    }
    let all = bins[0].iter().fold(Bin::default(), Bin::merge);
    let [across, down] = bins.each_ref().map(|bins| bins.iter().map(Bin::scatter).sum::<f64>());
    let flat = (all.scatter() / (3.0 * all.count.max(1.0))).sqrt() < FLAT_LEVELS;
    // Scatter within the bins is what a gradient along that axis would leave unexplained. One that
    // explains less than a third of it is none: the box holds a picture or noise.
    if flat || across.min(down) > 0.7 * all.scatter() {
        return Fill::Solid(all.colour());
    }
    let (axis, bins) = if across <= down {
        (GradientDirection::Across, &bins[0])
    } else {
        (GradientDirection::Down, &bins[1])
    };
    match stops(bins) {
        stops if stops.len() >= 2 => Fill::Linear(axis, stops),
        _ => Fill::Solid(all.colour()),
    }
}

/// Stops through the bins' colours, the ends continued to 0 and 1.
fn stops(bins: &[Bin; BINS]) -> Vec<(f32, Rgb)> {
    let known: Vec<(f32, Rgb)> = bins
        .iter()
        .filter(|bin| bin.count > 0.0)
        .map(|bin| ((bin.position / bin.count) as f32, bin.colour()))
        .collect();
    let mut stops: Vec<(f32, Rgb)> = (0..STOPS)
        .map(|i| i as f32 / (STOPS - 1) as f32)
        .filter_map(|at| Some((at, colour_at(&known, at)?)))
        .collect();
    // From the left, each by its neighbours that are still there: a straight gradient ends with two
    // stops, whatever it began with.
    let mut i = 1;
    while i + 1 < stops.len() {
        let ((a, from), (at, colour), (b, to)) = (stops[i - 1], stops[i], stops[i + 1]);
        let between = blend_towards(from, to, (at - a) / (b - a));
        if distance(between, colour) < SAME_STOP_LEVELS {
            stops.remove(i);
        } else {
            i += 1;
        }
    }
    stops
}

/// The colour of a chain of known ones at `at`, continued in a straight line beyond its ends.
fn colour_at(known: &[(f32, Rgb)], at: f32) -> Option<Rgb> {
    // Clamped to a pair that there is: beyond the ends the last two go on.
    let next = known.partition_point(|(t, _)| *t < at).clamp(1, known.len().max(2) - 1);
    let (a, from) = *known.get(next - 1)?;
    let Some((b, to)) = known.get(next).copied() else { return Some(from) };
    Some(blend_towards(from, to, ((at - a) / (b - a).max(1e-3)).clamp(-1.0, 2.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::tracer::area::Area;

    fn fitted(colour: impl Fn(usize, usize) -> Rgb) -> Fill {
        let area = Area::new(0, 0, 60, 40);
        let picture = Picture::from_rgb(60, 40, area.pixels().map(|(x, y)| colour(x, y)).collect());
        fit_fill(&picture, Rect::new(0.0, 0.0, 60.0, 40.0), area.pixels())
    }

    #[test]
    fn one_colour_is_one_colour() {
        assert_eq!(fitted(|_, _| [12.0, 34.0, 56.0]), Fill::Solid([12.0, 34.0, 56.0]));
    }

    #[test]
    fn a_straight_gradient_has_two_stops_along_its_axis() {
        let Fill::Linear(axis, stops) = fitted(|_, y| [(y as f32 + 0.5) * 4.0, 100.0, 0.0]) else {
            panic!("a gradient")
        };
        assert_eq!((axis, stops.len()), (GradientDirection::Down, 2));
        assert!(stops[0].1[0] < 3.0 && (stops[1].1[0] - 160.0).abs() < 3.0, "{stops:?}");
    }
}
