//! What contours are.

use crate::base::{Affine, Limits, Point, Rect};
use crate::design::shape::{AnchorKind, WindingRule};

/// The most anchors of a shape.
pub(super) const MOST_ANCHORS: usize = 100_000;
/// Places and sizes that differ by no more are left as they are.
pub(super) const SAME: f64 = 1e-6;
/// How far from a straight line handles may lie, as the sine of the angle, so that they count as opposite: files have
/// six digits.
const STRAIGHT: f64 = 1e-3;

/// The paths of a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contours {
    /// Each is filled by its own rule.
    pub paths: Vec<ContourPath>,
}

/// Contours that are filled together.
#[derive(Clone, Debug, PartialEq)]
pub struct ContourPath {
    /// Its contours, in the order in which they are drawn.
    pub contours: Vec<Contour>,
    /// What counts as inside.
    pub winding: WindingRule,
}

/// One line from anchor to anchor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// Its anchors, at least two.
    pub anchors: Vec<Anchor>,
    /// Whether the last is joined to the first.
    pub is_closed: bool,
}

/// A point that a line runs through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Where it is.
    pub at: Point,
    /// What the line that comes in bends to; `None`: the anchor itself.
    pub handle_in: Option<Point>,
    /// What the line that goes out bends to; `None`: the anchor itself.
    pub handle_out: Option<Point>,
    /// How its handles belong together: as they look, or looser, which is kept beside the path data
    /// ([`FigmaPath::anchor_kinds`](crate::design::FigmaPath::anchor_kinds)).
    pub kind: AnchorKind,
}

/// Which anchor of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnchorId {
    /// Of which path.
    pub path: usize,
    /// Of which of its contours.
    pub contour: usize,
    /// Which of its anchors.
    pub anchor: usize,
}

/// Why a shape cannot be edited so. It is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContourError {
    /// No anchor at all.
    #[error("a path without points draws nothing")]
    Empty,
    /// A contour of one anchor.
    #[error("a path of one point draws nothing")]
    SinglePoint,
    /// A coordinate that is no number.
    #[error("a point of the path has a coordinate that is no number")]
    NotFinite,
    /// A coordinate too far away.
    #[error("a point of the path lies beyond ±{}", Limits::COORDINATE)]
    TooFar,
    /// More anchors than are edited.
    #[error("the path has {0} points, {MOST_ANCHORS} at most")]
    TooMany(usize),
    /// There is no such anchor.
    #[error("the path has no such point")]
    NoSuchAnchor,
    /// A share of a segment that is none.
    #[error("a place on a segment is more than 0 and less than 1")]
    NotOnSegment,
    /// The contour is closed.
    #[error("the path is closed already")]
    IsClosed,
    /// An end of an open contour.
    #[error("a path is not split at its end")]
    IsEnd,
    /// Not the ends of open contours.
    #[error("only ends of open paths are joined")]
    NotEnds,
    /// Path data that cannot be read.
    #[error("its path data cannot be read: {0}")]
    Unreadable(String),
    /// A vector of which only the outline of its stroke is known.
    #[error("the file has only the outline of its stroke, and no path that could be edited")]
    OnlyStroke,
    /// A kind of node without points.
    #[error("{0} has no points that could be edited")]
    NoPoints(String),
}

impl Contours {
    /// Whether they can be drawn and held.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), ContourError> {
        let count = self.contours().map(|contour| contour.anchors.len()).sum();
        // Before all else: what follows looks at every anchor.
        if count > MOST_ANCHORS {
            return Err(ContourError::TooMany(count));
        }
        if count == 0 {
            return Err(ContourError::Empty);
        }
        for contour in self.contours() {
            if contour.anchors.len() < 2 {
                return Err(ContourError::SinglePoint);
            }
            let points = contour.anchors.iter().flat_map(Anchor::points);
            points.into_iter().try_for_each(check_point)?;
        }
        Ok(())
    }

    /// All contours, in the order in which they are drawn.
    pub fn contours(&self) -> impl Iterator<Item = &Contour> {
        self.paths.iter().flat_map(|path| &path.contours)
    }

    /// All anchors with where they are found.
    pub fn anchors(&self) -> impl Iterator<Item = (AnchorId, &Anchor)> {
        self.paths.iter().enumerate().flat_map(|(path, of)| {
            of.contours.iter().enumerate().flat_map(move |(contour, of)| {
                let anchors = of.anchors.iter().enumerate();
                anchors.map(move |(anchor, at)| (AnchorId { path, contour, anchor }, at))
            })
        })
    }

    /// The contour that an anchor is of.
    pub fn contour(&self, id: AnchorId) -> Option<&Contour> {
        self.paths.get(id.path)?.contours.get(id.contour)
    }

    /// An anchor.
    pub fn anchor(&self, id: AnchorId) -> Option<&Anchor> {
        self.contour(id)?.anchors.get(id.anchor)
    }

    /// The box around all that is drawn; `None` of nothing.
    pub fn bounds(&self) -> Option<Rect> {
        let curves = self.contours().flat_map(Contour::segments);
        Rect::union_all(curves.map(Segment::bounds))
    }

    /// Where on the paths it is nearest to a point: the anchor before, the share of the way to the next, and how far it
    /// is. `None` without any segment.
    pub fn nearest(&self, to: Point) -> Option<(AnchorId, f64, f64)> {
        let mut best: Option<(AnchorId, f64, f64)> = None;
        for (path, of) in self.paths.iter().enumerate() {
            for (contour, of) in of.contours.iter().enumerate() {
                for (anchor, segment) in of.segments().enumerate() {
                    let (t, distance) = segment.nearest(to);
                    if best.is_none_or(|(_, _, least)| distance < least) {
                        best = Some((AnchorId { path, contour, anchor }, t, distance));
                    }
                }
            }
        }
        best
    }

    /// The same with every point mapped.
    #[must_use]
    pub fn mapped(&self, map: Affine) -> Self {
        let mut mapped = self.clone();
        for path in &mut mapped.paths {
            for anchor in path.contours.iter_mut().flat_map(|contour| &mut contour.anchors) {
                anchor.at = map.apply(anchor.at);
                anchor.handle_in = anchor.handle_in.map(|handle| map.apply(handle));
                anchor.handle_out = anchor.handle_out.map(|handle| map.apply(handle));
            }
        }
        mapped
    }
}

impl Contour {
    /// A contour of one anchor to go on from.
    pub fn begun_at(at: Point) -> Self {
        Self { anchors: vec![Anchor::corner(at)], is_closed: false }
    }

    /// The lines from anchor to anchor, the closing one last.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        let ends = self.anchors.windows(2).filter_map(|ends| Some((ends.first()?, ends.get(1)?)));
        let closing = self.anchors.last().zip(self.anchors.first()).filter(|_| self.is_closed);
        ends.chain(closing).map(|(from, to)| Segment::between(from, to))
    }
}

impl Anchor {
    /// One without handles.
    pub fn corner(at: Point) -> Self {
        Self { at, handle_in: None, handle_out: None, kind: AnchorKind::Corner }
    }

    /// Whether a design can hold it.
    ///
    /// # Errors
    ///
    /// [`ContourError::NotFinite`], [`ContourError::TooFar`].
    pub fn check(&self) -> Result<(), ContourError> {
        self.points().try_for_each(check_point)
    }

    /// One with handles, of the kind that they are of. A handle at the anchor itself is none.
    pub fn with_handles(at: Point, handle_in: Option<Point>, handle_out: Option<Point>) -> Self {
        let handle_in = handle_in.filter(|handle| *handle != at);
        let handle_out = handle_out.filter(|handle| *handle != at);
        let kind = handle_in.zip(handle_out).map(|(one, other)| kind_of(at, one, other));
        Self { at, handle_in, handle_out, kind: kind.unwrap_or_default() }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        [Some(self.at), self.handle_in, self.handle_out].into_iter().flatten()
    }
}

/// What kind of anchor has these handles.
pub(super) fn kind_of(at: Point, handle_in: Point, handle_out: Point) -> AnchorKind {
    let (one, other) = (handle_in.since(at), handle_out.since(at));
    let lengths = (one.x.hypot(one.y), other.x.hypot(other.y));
    let across = (one.x * other.y - one.y * other.x).abs();
    let is_opposite = one.x * other.x + one.y * other.y < 0.0;
    if !is_opposite || across > STRAIGHT * lengths.0 * lengths.1 {
        return AnchorKind::Corner;
    }
    let is_as_long = (lengths.0 - lengths.1).abs() <= STRAIGHT * lengths.0.max(lengths.1);
    if is_as_long { AnchorKind::Symmetric } else { AnchorKind::Smooth }
}

/// Whether a design can hold a point.
pub(super) fn check_point(point: Point) -> Result<(), ContourError> {
    if !point.is_finite() {
        return Err(ContourError::NotFinite);
    }
    if point.x.abs().max(point.y.abs()) > Limits::COORDINATE {
        return Err(ContourError::TooFar);
    }
    Ok(())
}

/// A cubic from anchor to anchor; a straight line has its handles at its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub from: Point,
    /// What it bends to first.
    pub leaving: Point,
    /// What it bends to last.
    pub arriving: Point,
    /// Where it ends.
    pub to: Point,
}

impl Segment {
    fn between(from: &Anchor, to: &Anchor) -> Self {
        Self {
            from: from.at,
            leaving: from.handle_out.unwrap_or(from.at),
            arriving: to.handle_in.unwrap_or(to.at),
            to: to.at,
        }
    }

    /// Where it is after a share of the way, 0..=1.
    pub fn at(self, t: f64) -> Point {
        let (_, _, middle) = self.split(t);
        middle
    }

    /// What is left and right of a share of the way: the two handles of each part around it, and the point itself.
    pub(super) fn split(self, t: f64) -> ([Point; 2], [Point; 2], Point) {
        let a = between(self.from, self.leaving, t);
        let b = between(self.leaving, self.arriving, t);
        let c = between(self.arriving, self.to, t);
        let (ab, bc) = (between(a, b, t), between(b, c, t));
        ([a, ab], [bc, c], between(ab, bc, t))
    }

    /// The box around it, by where it turns.
    fn bounds(self) -> Rect {
        let xs = [self.from.x, self.leaving.x, self.arriving.x, self.to.x];
        let ys = [self.from.y, self.leaving.y, self.arriving.y, self.to.y];
        let turns = turns(xs).into_iter().chain(turns(ys)).flatten();
        let points = turns.map(|t| self.at(t)).chain([self.to]);
        let mut bounds = Rect::from_corners(self.from, self.to);
        for point in points {
            bounds = bounds.union(Rect::new(point.x, point.y, 0.0, 0.0));
        }
        bounds
    }

    /// The nearest place beside a share of the way, by steps that are halved until they are finer than anything seen.
    fn refined(self, mut best: (f64, f64), mut step: f64, to: Point) -> (f64, f64) {
        while step > 1e-7 {
            for t in [best.0 - step, best.0 + step] {
                let t = t.clamp(0.0, 1.0);
                let distance = self.distance(t, to);
                if distance < best.1 {
                    best = (t, distance);
                }
            }
            step /= 2.0;
        }
        best
    }

    /// How far a point is from where it is after a share of the way.
    fn distance(self, t: f64, to: Point) -> f64 {
        let by = self.at(t).since(to);
        by.x.hypot(by.y)
    }

    /// The share of the way at which it is nearest to a point, and how far that is.
    fn nearest(self, to: Point) -> (f64, f64) {
        const STEPS: usize = 32;
        let step = 1.0 / STEPS as f64;
        let far: Vec<f64> = (0..=STEPS).map(|n| self.distance(n as f64 * step, to)).collect();
        let mut best = (0.0, f64::INFINITY);
        for (n, distance) in far.iter().enumerate() {
            let beside = [n.checked_sub(1), Some(n + 1)].into_iter().flatten();
            let mut beside = beside.filter_map(|at| far.get(at));
            // A curve may come near more than once: each time is looked at closely.
            if beside.all(|other| distance <= other) {
                let found = self.refined((n as f64 * step, *distance), step, to);
                if found.1 < best.1 {
                    best = found;
                }
            }
        }
        best
    }
}

pub(super) fn between(a: Point, b: Point, t: f64) -> Point {
    Point::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
}

/// Where within it a cubic along one axis turns: the roots of its derivative.
fn turns([p0, p1, p2, p3]: [f64; 4]) -> [Option<f64>; 2] {
    let (d0, d1, d2) = (p1 - p0, p2 - p1, p3 - p2);
    let (a, b, c) = (d0 - 2.0 * d1 + d2, 2.0 * (d1 - d0), d0);
    let root = (b * b - 4.0 * a * c).sqrt();
    // Without dividing by what is nearly nothing: the second root is by the product of the two.
    let q = -0.5 * (b + root.copysign(b));
    [q / a, c / q].map(|t| Some(t).filter(|t| *t > 0.0 && *t < 1.0))
}
