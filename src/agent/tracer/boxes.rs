//! Regions that are boxes, discs or thin lines, as pieces in paint order.

use crate::base::{CancelToken, Cancelled, Rect};

use super::area::Area;
use super::corners;
use super::draft::{Fill, Piece, Role, Shape};
use super::edges;
use super::fills::fit_fill;
use super::mask::Mask;
use super::picture::{Picture, distance};
use super::segment::{Region, Segments};

/// Most regions looked at: the largest.
const MOST_REGIONS: usize = 500;
/// Most boxes found.
const MOST_BOXES: usize = 200;
/// How often each pixel may be looked at, on average: regions of noise overlap without end.
const MOST_WORK: usize = 30;
/// Least pixels of a region that can be a box.
const LEAST_COUNT: usize = 24;
/// Least side of a box that is not a line.
const LEAST_SIDE: usize = 7;
/// A line is at most this thick …
const LINE_THICKNESS: usize = 4;
/// … and at least this many times as long.
const LINE_ASPECT: usize = 12;
/// Letters are no taller than this.
const TALLEST_LETTER: usize = 48;
/// How much of a region's form and its ideal must coincide.
const LEAST_OVERLAP: f64 = 0.93;
/// A fill that differs from what is below by less is not drawn, unless it has an outline.
const LEAST_CONTRAST: f32 = 1.5;

/// A region taken for a box.
#[derive(Clone, Debug)]
pub(super) struct BoxFound {
    /// Which region.
    pub(super) label: u32,
    /// Its sure inside.
    pub(super) core: Area,
    /// How it is drawn.
    pub(super) piece: Piece,
}

/// Every box of the picture, in paint order, the largest region's own colour left to the backdrop.
pub(super) fn find_boxes(
    picture: &Picture,
    segments: &Segments,
    cancel: &CancelToken,
) -> Result<Vec<BoxFound>, Cancelled> {
    let mut regions: Vec<&Region> =
        segments.regions.iter().filter(|r| r.count >= LEAST_COUNT && may_be_box(r)).collect();
    // The label decides between equals, so that the same picture always gives the same boxes.
    regions.sort_by_key(|r| (std::cmp::Reverse(r.count), r.label));
    regions.truncate(MOST_REGIONS);
    let (mut found, mut work) = (Vec::new(), 0);
    for region in regions {
        cancel.check()?;
        // A region costs its box and not its pixels: thin ones that wind through the whole picture
        // cost it all.
        work += region.bounds.count();
        if work > MOST_WORK * picture.area().count() || found.len() >= MOST_BOXES {
            break;
        }
        found.extend(box_of(picture, segments, region));
    }
    // After all were found: a letter is known by what stands beside it and is no box.
    let found = found.iter().filter(|f| !is_letter(segments, &found, f)).cloned().collect();
    Ok(in_paint_order(segments, found))
}

/// Whether a box is rather a letter: empty, small, and close beside something of its colour and
/// height that is no box.
fn is_letter(segments: &Segments, found: &[BoxFound], one: &BoxFound) -> bool {
    let core = one.core;
    if core.height() > TALLEST_LETTER || core.width() > 2 * core.height() {
        return false;
    }
    let own = &segments.regions[one.label as usize];
    segments.regions.iter().any(|other| {
        let (a, b) = (core.height() as f64, other.bounds.height() as f64);
        // Overlapping by half in height and no further apart than two thirds of it, as letters of a
        // word.
        let least = a.min(b) as isize;
        other.label != one.label
            && other.count >= 6
            && distance(other.colour, own.colour) < 40.0
            && (0.5..2.0).contains(&(a / b))
            && core.gap_y(other.bounds) * 2 < -least
            && (0..=least * 2 / 3).contains(&core.gap_x(other.bounds))
            && found.iter().all(|f| f.label != other.label)
    })
}

fn may_be_box(region: &Region) -> bool {
    let (w, h) = (region.bounds.width(), region.bounds.height());
    w.min(h) >= LEAST_SIDE || is_line(region.bounds)
}

fn is_line(bounds: Area) -> bool {
    let (w, h) = (bounds.width(), bounds.height());
    w.min(h) <= LINE_THICKNESS && w.max(h) >= LINE_ASPECT * w.min(h) && w.max(h) >= 24
}

fn box_of(picture: &Picture, segments: &Segments, region: &Region) -> Option<BoxFound> {
    let core = region.bounds;
    let own = Mask::of(core, |x, y| segments.label(x, y) == region.label);
    let filled = own.filled();
    // Mostly holes is a frame or a ring, and much less than its box is no box: neither is looked at
    // pixel by pixel.
    if own.count() * 5 < filled.count() * 2 || filled.count() * 3 < core.count() {
        return None;
    }
    let shape = corners::shape_of(&filled, LEAST_OVERLAP, |x, y| {
        // Hidden below something that reaches beyond the box: no evidence for or against it.
        let other = segments.region(x, y);
        filled.has(x, y)
            || other.bounds.holds(core)
            || core.holds(other.bounds)
            || other.count < LEAST_COUNT
    })?;
    Some(as_piece(picture, segments, region, shape))
}

fn as_piece(picture: &Picture, segments: &Segments, region: &Region, shape: Shape) -> BoxFound {
    let core = region.bounds;
    // The sure inside ends before an outline; with one the box is the outline's outer border.
    let outline = edges::outline(picture, core);
    let bounds = outline.map_or_else(|| edges::exact_box(picture, core), |(_, bounds)| bounds);
    // Corners that are parallel have radii that grow with the distance.
    let grown = ((bounds.width - core.width() as f64) / 2.0).max(0.0) as f32;
    let shape = match shape {
        Shape::Box(radii) => Shape::Box(radii.map(|r| if r > 0.0 { r + grown } else { 0.0 })),
        other => other,
    };
    let pixels = core.pixels().filter(|(x, y)| segments.label(*x, *y) == region.label);
    let fill = fit_fill(picture, bounds, pixels);
    let stroke = outline.map(|(stroke, _)| stroke);
    let role = role_of(picture, bounds, &shape);
    BoxFound { label: region.label, core, piece: Piece { bounds, shape, fill, stroke, role } }
}

fn role_of(picture: &Picture, bounds: Rect, shape: &Shape) -> Role {
    let (w, h) = (picture.width() as f64, picture.height() as f64);
    if is_line(Area::new(0, 0, bounds.width.round() as usize, bounds.height.round() as usize)) {
        Role::Divider
    } else if *shape == Shape::Ellipse {
        Role::Disc
    } else if bounds.width > 0.95 * w || bounds.height > 0.95 * h {
        Role::Region
    } else {
        Role::Block
    }
}

/// Sorts so that what covers comes after what it covers.
fn in_paint_order(segments: &Segments, mut found: Vec<BoxFound>) -> Vec<BoxFound> {
    found.sort_by_key(|f| (std::cmp::Reverse(f.core.count()), f.label));
    let mut ordered: Vec<BoxFound> = Vec::with_capacity(found.len());
    for next in found {
        // A smaller box lies above every larger one, unless the larger one shows in what they share.
        let at = ordered
            .iter()
            .position(|placed| covers(segments, placed, &next))
            .unwrap_or(ordered.len());
        ordered.insert(at, next);
    }
    ordered
}

/// Whether `above` shows more than `below` where the two boxes overlap.
fn covers(segments: &Segments, above: &BoxFound, below: &BoxFound) -> bool {
    let common = above.core.intersection(below.core);
    if common.count() == 0 || above.core.holds(below.core) || below.core.holds(above.core) {
        return false;
    }
    let (mut of_above, mut of_below) = (0, 0);
    for (x, y) in common.pixels() {
        let label = segments.label(x, y);
        of_above += usize::from(label == above.label);
        of_below += usize::from(label == below.label);
    }
    of_above > of_below
}

/// Leaves out the boxes that would not be seen: no outline, and the colour that is there already.
pub(super) fn visible(boxes: Vec<BoxFound>, backdrop: super::picture::Rgb) -> Vec<BoxFound> {
    let mut kept: Vec<BoxFound> = Vec::new();
    for next in boxes {
        // The last one that holds it is the nearest below, as boxes come in paint order.
        let below = kept.iter().rev().find(|k| k.core.holds(next.core));
        let below = below.map_or(&Fill::Solid(backdrop), |k| &k.piece.fill).clone();
        // Where it lies across a border, it hides that border even in the colour below.
        let overlaps = kept
            .iter()
            .any(|k| k.core.intersection(next.core).count() > 0 && !k.core.holds(next.core));
        let plain = matches!((&below, &next.piece.fill), (Fill::Solid(a), Fill::Solid(b)) if distance(*a, *b) < LEAST_CONTRAST);
        if !plain || overlaps || next.piece.stroke.is_some() {
            kept.push(next);
        }
    }
    kept
}
