//! Marks: what the boxes do not explain.

use std::collections::BTreeSet;

use super::area::Area;
use super::mask::{ConnectedComponent, connected_parts};
use super::picture::{Picture, Rgb, distance, minus};
use super::segment::Segments;

/// A pixel is unexplained when it differs by more than this from what lies below, in levels.
const LEAST_DIFFERENCE: f32 = 14.0;
/// A mark has at least one pixel that differs by this.
const LEAST_PEAK: f32 = 22.0;
/// Large regions that differ from the draft by less are only shaded, such as a soft shadow.
const SHADING: f32 = 26.0;
/// A region this large is ground or a form of its own, never ink.
const LARGE_REGION: usize = 1500;

/// Most marks looked at: grouping them takes time that grows with the square.
const MOST_MARKS: usize = 1500;

/// A connected set of unexplained pixels.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Its pixels.
    pub(super) part: ConnectedComponent,
    /// How far the colour of its strongest pixels is from what lies below.
    pub(super) contrast: Rgb,
}

impl Mark {
    /// The box around it.
    pub(super) fn bounds(&self) -> Area {
        self.part.bounds
    }
}

/// Everything in `picture` that `below` does not show, the largest first.
/// `explained` are the labels of regions that are drawn already.
pub(super) fn find_marks(
    picture: &Picture,
    below: &Picture,
    segments: &Segments,
    explained: &BTreeSet<u32>,
) -> Vec<Mark> {
    let mut parts = connected_parts(picture.area(), |x, y| {
        let difference = distance(picture.get(x, y), below.get(x, y));
        if difference <= LEAST_DIFFERENCE {
            return false;
        }
        // What is drawn already is only drawn a little otherwise.
        let region = segments.region(x, y);
        !(explained.contains(&region.label) || region.count >= LARGE_REGION && difference < SHADING)
    });
    // The largest are kept; the sort is stable, and so is what follows.
    parts.sort_by_key(|part| std::cmp::Reverse(part.pixels.len()));
    parts.truncate(MOST_MARKS);
    parts.into_iter().filter_map(|part| as_mark(picture, below, part)).collect()
}

fn as_mark(picture: &Picture, below: &Picture, part: ConnectedComponent) -> Option<Mark> {
    let pairs = part.pixels.iter().map(|(x, y)| (picture.get(*x, *y), below.get(*x, *y)));
    let peak = pairs.clone().map(|(seen, below)| distance(seen, below)).fold(0.0, f32::max);
    if peak < LEAST_PEAK || is_rim(&part) && peak < 90.0 {
        return None;
    }
    // By the strongest pixels: those at the edges are mixtures with what lies below.
    let strong = pairs.filter(|(seen, below)| distance(*seen, *below) >= 0.8 * peak);
    let colour = super::picture::mean(strong.clone().map(|(seen, _)| seen))?;
    let ground = super::picture::mean(strong.map(|(_, below)| below))?;
    Some(Mark { contrast: minus(colour, ground), part })
}

/// Whether a part is but a pixel wide over a great length: the rim of a box that is a little off.
fn is_rim(part: &ConnectedComponent) -> bool {
    let b = part.bounds;
    let length = b.width().max(b.height());
    length >= 12 && part.pixels.len() <= length + length / 3
        || length >= 24 && part.pixels.len() * 12 < b.count()
}
