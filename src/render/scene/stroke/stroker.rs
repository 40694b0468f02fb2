//! What a stroke draws along a path.

use std::cell::Cell;

use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Stroke as SkiaStroke};

use crate::base::{Affine, Limits};
use crate::design::{Node, Stroke, StrokeAlign, StrokeCap, StrokeJoin};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::flatten::{self, Contour, Corner, mix, push_lines};
use crate::render::geometry::polygon_set::PolygonSet;

use super::arrow::{Head, HeadPlace};
use super::dashes::{DashError, Dashes};

/// A stroke as the rasteriser's path stroker takes it, with what that does not know.
#[derive(Clone, Debug)]
pub(crate) struct Stroker {
    /// At least 0.
    pub(crate) weight: f64,
    pub(crate) align: StrokeAlign,
    cap: LineCap,
    join: LineJoin,
    miter_limit: f32,
    dashes: Option<Dashes>,
    head: Option<Head>,
    /// Pixels a unit that curves are followed for.
    finest: f32,
    /// Why dashes were not drawn.
    failure: Cell<Option<DashError>>,
}

impl Stroker {
    pub(crate) fn new(stroke: &Stroke, pixels_per_unit: f64) -> Self {
        let weight = if stroke.weight > 0.0 { stroke.weight.min(Limits::COORDINATE) } else { 0.0 };
        let (dashes, failure) = match Dashes::new(&stroke.dashes) {
            Ok(dashes) => (dashes, None),
            Err(error) => (None, Some(error)),
        };
        Self {
            weight,
            align: stroke.align,
            cap: match stroke.cap {
                StrokeCap::Round => LineCap::Round,
                StrokeCap::Square => LineCap::Square,
                _ => LineCap::Butt,
            },
            join: match stroke.join {
                StrokeJoin::Miter => LineJoin::Miter,
                StrokeJoin::Bevel => LineJoin::Bevel,
                StrokeJoin::Round => LineJoin::Round,
            },
            miter_limit: miter_limit(stroke.miter_angle),
            dashes,
            head: Head::of(stroke.cap),
            finest: pixels_per_unit.clamp(1e-3, 1e3) as f32,
            failure: Cell::new(failure),
        }
    }

    /// Says what of the stroke could not be drawn so far.
    pub(crate) fn report(&self, node: &Node, diagnostics: &mut Diagnostics) {
        if let Some(failure) = self.failure.get() {
            diagnostics.add(&node.id, failure.to_string());
        }
    }

    /// The stroke along a path, `width` across, without heads.
    pub(crate) fn stroked(&self, path: &Path, width: f64) -> Option<FilledPath> {
        let pen = SkiaStroke {
            width: width.min(Limits::COORDINATE) as f32,
            miter_limit: self.miter_limit,
            line_cap: self.cap,
            line_join: self.join,
            dash: None,
        };
        let dashed = self.dashes.as_ref().map(|dashes| dashes.along(path, self.finest));
        let dashed = dashed.and_then(|dashed| match dashed {
            Ok(dashed) => Some(dashed),
            Err(error) => {
                // Said when all of the stroke is done: one stroke of many contours fails once.
                self.failure.set(Some(error));
                None
            }
        });
        let stroked = dashed.as_ref().unwrap_or(path).stroke(&pen, self.finest)?;
        Some(FilledPath::new(stroked, FillRule::Winding))
    }

    /// The centred stroke along a path that has ends, with a head at each.
    pub(crate) fn open(&self, path: &Path) -> Option<FilledPath> {
        let Some(head) = self.head.filter(|_| self.weight > 0.0) else {
            return self.stroked(path, self.weight);
        };
        let mut parts = Vec::new();
        for contour in flatten::contours(path, Affine::IDENTITY, self.tolerance()) {
            // A path may have closed contours beside open ones: only ends have heads.
            if contour.is_closed {
                parts.extend(chain(&contour).and_then(|line| self.stroked(&line, self.weight)));
            } else {
                self.push_with_heads(&contour.corners, head, &mut parts);
            }
        }
        self.merged(parts).pop()
    }

    /// A line with a head at each end, which points away from where the line then stops.
    fn push_with_heads(&self, corners: &[Corner], head: Head, parts: &mut Vec<FilledPath>) {
        let shortened = shortened(corners, head.setback() * self.weight);
        let (first, last) = (corners.first(), corners.last());
        // Where the line was not shortened, or nothing is left of it, the next corner that is
        // another one says where it comes from.
        let stops = [shortened.first(), shortened.last()]
            .map(|stop| stop.filter(|stop| Some(*stop) != first && Some(*stop) != last));
        let after_first = stops[0].or_else(|| corners.iter().find(|it| Some(*it) != first));
        let before_last = stops[1].or_else(|| corners.iter().rev().find(|it| Some(*it) != last));
        for (end, from) in [(first, after_first), (last, before_last)] {
            let (Some(end), Some(from)) = (end, from) else { continue };
            let Some(direction) = direction(*from, *end) else { continue };
            let seat = HeadPlace { end: *end, direction, weight: self.weight };
            parts.extend(head.area(seat, self.finest));
        }
        let line = Contour { corners: shortened, is_closed: false };
        parts.extend(chain(&line).and_then(|line| self.stroked(&line, self.weight)));
    }

    /// The parts as one area, so that nothing is painted twice; one over another where that is too
    /// much to work out.
    pub(crate) fn merged(&self, parts: Vec<FilledPath>) -> Vec<FilledPath> {
        if parts.len() < 2 {
            return parts;
        }
        match PolygonSet::of_areas(&parts, self.tolerance()) {
            Ok(region) => {
                let path = region.to_path();
                path.map(|path| FilledPath::new(path, FillRule::Winding)).into_iter().collect()
            }
            // Not said: the parts cover the same area, and only where paints are see-through does
            // it show.
            Err(_) => parts,
        }
    }

    /// How far merged outlines may lie from their curves.
    fn tolerance(&self) -> f64 {
        0.1 / f64::from(self.finest)
    }
}

/// How far, in weights, a pointed corner of this angle in degrees reaches: 1 / sin(angle / 2).
fn miter_limit(degrees: f64) -> f32 {
    let degrees = if degrees.is_finite() { degrees } else { Stroke::MITER_ANGLE };
    let half = (degrees.clamp(0.0, 180.0) / 2.0).to_radians();
    (1.0 / half.sin()).clamp(1.0, 1e4) as f32
}

/// The unit vector from one point to another; `None` if they are one.
fn direction(from: Corner, to: Corner) -> Option<Corner> {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let length = x.hypot(y);
    (length > 0.0).then(|| [x / length, y / length])
}

/// The chain without `setback` at either end; nothing if it is no longer than that.
fn shortened(corners: &[Corner], setback: f64) -> Vec<Corner> {
    let mut corners = corners.to_vec();
    if setback > 0.0 {
        // The end, then the start as the end of the reversed chain, which is then the right way
        // around again.
        for _ in 0..2 {
            cut_end(&mut corners, setback);
            corners.reverse();
        }
    }
    corners
}

fn cut_end(corners: &mut Vec<Corner>, mut length: f64) {
    while let Some(end) = corners.pop() {
        let Some(before) = corners.last() else { return };
        let span = (end[0] - before[0]).hypot(end[1] - before[1]);
        if span > length {
            let at = mix(end, *before, length / span);
            corners.push(at);
            return;
        }
        length -= span;
    }
}

fn chain(contour: &Contour) -> Option<Path> {
    let mut path = PathBuilder::new();
    push_lines(&contour.corners, &mut path);
    if contour.is_closed {
        path.close();
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figmas_angle_is_a_miter_limit_of_four() {
        assert!((miter_limit(Stroke::MITER_ANGLE) - 4.0).abs() < 1e-3);
        assert_eq!(miter_limit(180.0), 1.0);
        assert_eq!(miter_limit(f64::NAN), miter_limit(Stroke::MITER_ANGLE));
        assert!(miter_limit(0.0).is_finite());
    }

    #[test]
    fn a_chain_is_shortened_at_both_ends() {
        let corners = [[0.0, 0.0], [4.0, 0.0], [10.0, 0.0]];
        assert_eq!(shortened(&corners, 3.0), [[3.0, 0.0], [4.0, 0.0], [7.0, 0.0]]);
        assert!(shortened(&corners, 6.0).is_empty());
    }
}
