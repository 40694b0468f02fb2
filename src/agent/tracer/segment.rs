//! Regions of near-constant or smoothly changing colour.

use crate::base::{CancelToken, Cancelled};

use super::area::Area;
use super::picture::{Picture, Rgb, distance, minus};

/// Neighbours that differ by no more than this, in 8-bit levels, belong together: small enough
/// to stop at the softest border, large enough to follow a gradient.
const SMOOTH_LEVELS: f32 = 2.0;
/// Neighbours in a steeper gradient differ by no more than this …
const STEEP_LEVELS: f32 = 8.0;
/// … and as much as their own neighbours do, within this.
const STEADY_LEVELS: f32 = 1.6;

/// A connected set of pixels without a visible border inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Its number in [`Segments::labels`].
    pub(super) label: u32,
    /// How many pixels.
    pub(super) count: usize,
    /// The box around them.
    pub(super) bounds: Area,
    /// Their mean colour.
    pub(super) colour: Rgb,
}

/// A picture cut into regions.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    width: usize,
    /// The region of each pixel, row by row.
    labels: Vec<u32>,
    /// Every region; the label is the index.
    pub(super) regions: Vec<Region>,
}

impl Segments {
    /// Which region the pixel belongs to.
    pub(super) fn label(&self, x: usize, y: usize) -> u32 {
        self.labels[y * self.width + x]
    }

    /// The region of the pixel.
    pub(super) fn region(&self, x: usize, y: usize) -> &Region {
        &self.regions[self.label(x, y) as usize]
    }

    /// The region with the most pixels: what everything else lies on.
    pub(super) fn largest(&self) -> Option<&Region> {
        self.regions.iter().max_by_key(|r| (r.count, std::cmp::Reverse(r.label)))
    }
}

/// Cuts `picture` into regions, numbered in the order of their first pixel.
pub(super) fn segment(picture: &Picture, cancel: &CancelToken) -> Result<Segments, Cancelled> {
    let (width, height) = (picture.width(), picture.height());
    let mut sets = DisjointSets::new(width * height);
    for y in 0..height {
        cancel.check()?;
        for x in 0..width {
            let at = y * width + x;
            if x > 0 && is_smooth(picture, (x, y), (1, 0)) {
                sets.join(at, at - 1);
            }
            if y > 0 && is_smooth(picture, (x, y), (0, 1)) {
                sets.join(at, at - width);
            }
        }
    }
    Ok(collect(picture, &mut sets))
}

/// Whether there is no border between a pixel and the one a step before it.
fn is_smooth(picture: &Picture, (x, y): (usize, usize), (dx, dy): (isize, isize)) -> bool {
    let (x, y) = (x as isize, y as isize);
    let (here, last) = (picture.at(x, y), picture.at(x - dx, y - dy));
    let step = minus(here, last);
    let size = distance(step, [0.0; 3]);
    if size <= SMOOTH_LEVELS || size > STEEP_LEVELS {
        return size <= SMOOTH_LEVELS;
    }
    // A gradient goes on as it came; a soft border is steep for a pixel or two only.
    let next = picture.at(x + dx, y + dy);
    let before = picture.at(x - 2 * dx, y - 2 * dy);
    distance(step, minus(next, here)) <= STEADY_LEVELS
        && distance(step, minus(last, before)) <= STEADY_LEVELS
}

fn collect(picture: &Picture, sets: &mut DisjointSets) -> Segments {
    let width = picture.width();
    let mut number_of_root = vec![u32::MAX; width * picture.height()];
    let mut labels = Vec::with_capacity(number_of_root.len());
    let mut regions: Vec<Region> = Vec::new();
    let mut sums: Vec<[f64; 3]> = Vec::new();
    for (x, y) in picture.area().pixels() {
        // The root is the first pixel of its set in this order, so that numbers follow the first
        // pixels.
        let number = &mut number_of_root[sets.root(y * width + x)];
        if *number == u32::MAX {
            *number = regions.len() as u32;
            let bounds = Area::pixel(x, y);
            regions.push(Region { label: *number, count: 0, bounds, colour: [0.0; 3] });
            sums.push([0.0; 3]);
        }
        labels.push(*number);
        let region = &mut regions[*number as usize];
        region.count += 1;
        region.bounds = region.bounds.union(Area::pixel(x, y));
        for (sum, channel) in sums[*number as usize].iter_mut().zip(picture.get(x, y)) {
            *sum += f64::from(channel);
        }
    }
    for (region, sum) in regions.iter_mut().zip(sums) {
        region.colour = sum.map(|v| (v / region.count as f64) as f32);
    }
    Segments { width, labels, regions }
}

/// Union-find over pixel indices; the root is the smallest index, so numbering is stable.
struct DisjointSets(Vec<u32>);

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] as usize != at {
            // Path halving: every look makes the way shorter for those that follow.
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // Without ranks: the smallest index as the root costs a little and keeps the numbering.
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_is_one_region_and_a_step_makes_two() {
        assert_eq!(regions_of(|x| [x as f32 * 2.0; 3]), 1);
        assert_eq!(regions_of(|x| [if x < 10 { 0.0 } else { 40.0 }; 3]), 2);
    }

    /// How many regions there are in a picture of 20 columns of these colours.
    fn regions_of(colour: impl Fn(usize) -> Rgb) -> usize {
        let picture = Picture::from_rgb(20, 4, (0..80).map(|i| colour(i % 20)).collect());
        segment(&picture, &CancelToken::new()).unwrap().regions.len()
    }

    #[test]
    fn a_region_knows_its_box_and_colour() {
        let mut rgb = vec![[255.0; 3]; 100];
        for (x, y) in Area::new(2, 3, 5, 9).pixels() {
            rgb[y * 10 + x] = [10.0, 20.0, 30.0];
        }
        let picture = Picture::from_rgb(10, 10, rgb);
        let segments = segment(&picture, &CancelToken::new()).unwrap();
        let region = segments.region(3, 5);
        assert_eq!((region.bounds, region.count), (Area::new(2, 3, 5, 9), 18));
        assert_eq!(region.colour, [10.0, 20.0, 30.0]);
        assert_eq!(segments.largest().unwrap().label, 0);
    }
}
