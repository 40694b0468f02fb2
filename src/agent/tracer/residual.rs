//! Marks: what the boxes do not explain.

use std::collections::BTreeSet;

use super::area::Area;
use super::mask::{Part, connected_parts};
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

/// A connected set of unexplained pixels.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Its pixels.
    pub(super) part: Part,
    /// The mean colour of its strongest pixels.
    pub(super) colour: Rgb,
    /// How far that is from what lies below, as a direction of colour.
    pub(super) contrast: Rgb,
}

impl Mark {
    /// The box around it.
    pub(super) fn bounds(&self) -> Area {
        self.part.bounds
    }
}

/// Everything in `picture` that `below` does not show, in the order of the first pixels.
/// `explained` are the labels of regions that are drawn already.
pub(super) fn find_marks(
    picture: &Picture,
    below: &Picture,
    segments: &Segments,
    explained: &BTreeSet<u32>,
) -> Vec<Mark> {
    let is_mark = |x: usize, y: usize| {
        let difference = distance(picture.get(x, y), below.get(x, y));
        if difference <= LEAST_DIFFERENCE {
            return false;
        }
        let region = segments.region(x, y);
        !(explained.contains(&region.label) || region.count >= LARGE_REGION && difference < SHADING)
    };
    let parts = connected_parts(picture.area(), is_mark);
    parts.into_iter().filter_map(|part| as_mark(picture, below, part)).collect()
}

fn as_mark(picture: &Picture, below: &Picture, part: Part) -> Option<Mark> {
    let difference = |(x, y): (usize, usize)| distance(picture.get(x, y), below.get(x, y));
    let peak = part.pixels.iter().map(|p| difference(*p)).fold(0.0, f32::max);
    if peak < LEAST_PEAK || is_rim(&part) && peak < 90.0 {
        return None;
    }
    let strong = part.pixels.iter().filter(|p| difference(**p) >= 0.8 * peak);
    let colour = super::picture::mean(strong.clone().map(|(x, y)| picture.get(*x, *y)))?;
    let ground = super::picture::mean(strong.map(|(x, y)| below.get(*x, *y)))?;
    Some(Mark { part, colour, contrast: minus(colour, ground) })
}

/// Whether a part is but a pixel wide over a great length: the rim of a box that is a little off.
fn is_rim(part: &Part) -> bool {
    let b = part.bounds;
    let length = b.width().max(b.height());
    length >= 12 && part.pixels.len() <= length + length / 3
        || length >= 24 && part.pixels.len() * 12 < b.count()
}
