//! Path data in and out.

use svgtypes::{SimplePathSegment, SimplifyingPathParser};

use super::model::{
    Anchor, Contour, ContourError, ContourPath, Contours, MOST_ANCHORS, SAME, Segment,
};
use crate::base::Point;
use crate::design::shape::{AnchorKind, FigmaPath, has_boundless_arc};

/// The contours of paths. A contour of one point, which draws nothing, is left out.
pub(super) fn read(paths: &[FigmaPath]) -> Result<Contours, ContourError> {
    let paths = paths.iter().map(|path| {
        let mut contours = read_path(&path.data)?;
        loosen(&mut contours, &path.anchor_kinds);
        Ok(ContourPath { contours, winding: path.winding })
    });
    let mut contours = Contours { paths: paths.collect::<Result<_, _>>()? };
    contours.paths.retain(|path| !path.contours.is_empty());
    Ok(contours)
}

/// Gives anchors the kinds that were kept for them, as far as their handles are still so.
fn loosen(contours: &mut [Contour], kinds: &[AnchorKind]) {
    if kinds.len() != contours.iter().map(|contour| contour.anchors.len()).sum::<usize>() {
        return;
    }
    let anchors = contours.iter_mut().flat_map(|contour| &mut contour.anchors);
    for (anchor, kind) in anchors.zip(kinds) {
        anchor.kind = anchor.kind.min(*kind);
    }
}

fn read_path(data: &str) -> Result<Vec<Contour>, ContourError> {
    if has_boundless_arc(data) {
        return Err(ContourError::TooFar);
    }
    let mut contours: Vec<Contour> = Vec::new();
    let mut count = 0;
    for segment in SimplifyingPathParser::from(data) {
        count += 1;
        if count > MOST_ANCHORS {
            return Err(ContourError::TooMany(count));
        }
        let segment = segment.map_err(|error| ContourError::Unreadable(error.to_string()))?;
        match segment {
            SimplePathSegment::MoveTo { x, y } => {
                contours.push(Contour::begun_at(Point::new(x, y)));
            }
            SimplePathSegment::LineTo { x, y } => {
                if let Some(contour) = contours.last_mut() {
                    contour.anchors.push(Anchor::corner(Point::new(x, y)));
                }
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                let (bend, to) = (Point::new(x1, y1), Point::new(x, y));
                let from = end_of(&contours);
                // The cubic that draws the same has its handles two thirds towards the one.
                let [leaving, arriving] = [from, to].map(|end| {
                    Point::new(end.x + (bend.x - end.x) / 1.5, end.y + (bend.y - end.y) / 1.5)
                });
                push_curve(&mut contours, leaving, arriving, to);
            }
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                push_curve(&mut contours, Point::new(x1, y1), Point::new(x2, y2), Point::new(x, y));
            }
            SimplePathSegment::ClosePath => {
                if let Some(contour) = contours.last_mut() {
                    close(contour);
                }
            }
        }
    }
    contours.retain(|contour| contour.anchors.len() > 1);
    for anchor in contours.iter_mut().flat_map(|contour| &mut contour.anchors) {
        *anchor = Anchor::with_handles(anchor.at, anchor.handle_in, anchor.handle_out);
    }
    Ok(contours)
}

fn end_of(contours: &[Contour]) -> Point {
    let last = contours.last().and_then(|contour| contour.anchors.last());
    last.map_or(Point::ZERO, |anchor| anchor.at)
}

fn push_curve(contours: &mut [Contour], leaving: Point, arriving: Point, to: Point) {
    let Some(contour) = contours.last_mut() else { return };
    if let Some(from) = contour.anchors.last_mut() {
        from.handle_out = Some(leaving);
    }
    let anchor = Anchor { handle_in: Some(arriving), ..Anchor::corner(to) };
    contour.anchors.push(anchor);
}

/// Joins the last anchor to the first; if they lie at one place they are one.
fn close(contour: &mut Contour) {
    contour.is_closed = true;
    let Some((first, last)) = contour.anchors.first().zip(contour.anchors.last()) else { return };
    let by = last.at.since(first.at);
    // A loop on one anchor needs both of its ends.
    if contour.anchors.len() < 3 || by.x.abs().max(by.y.abs()) > SAME {
        return;
    }
    let handle_in = last.handle_in;
    contour.anchors.pop();
    if let Some(first) = contour.anchors.first_mut() {
        first.handle_in = handle_in;
    }
}

/// The paths of contours that are moved so that `origin` is at (0, 0).
pub(super) fn write(contours: &Contours, origin: Point) -> Vec<FigmaPath> {
    let paths = contours.paths.iter().filter(|path| !path.contours.is_empty());
    let paths = paths.map(|path| {
        let mut data = String::new();
        for contour in &path.contours {
            write_contour(contour, origin, &mut data);
        }
        let anchor_kinds = looser_kinds(path, &data);
        FigmaPath { anchor_kinds, ..FigmaPath::new(data, path.winding) }
    });
    paths.collect()
}

/// The kinds of a path's anchors as they are read of its data again, if one of them is looser than its handles look;
/// else none.
fn looser_kinds(path: &ContourPath, data: &str) -> Vec<AnchorKind> {
    let read = read_path(data).unwrap_or_default();
    let told = read.iter().flat_map(|contour| &contour.anchors).map(|anchor| anchor.kind);
    let told: Vec<AnchorKind> = told.collect();
    let own = path.contours.iter().flat_map(|contour| &contour.anchors);
    let kinds: Vec<AnchorKind> =
        own.zip(&told).map(|(anchor, told)| anchor.kind.min(*told)).collect();
    let count = path.contours.iter().map(|contour| contour.anchors.len()).sum::<usize>();
    // Anchors that are read as one cannot be told apart.
    if count == told.len() && kinds != told { kinds } else { Vec::new() }
}

fn write_contour(contour: &Contour, origin: Point, data: &mut String) {
    let Some(first) = contour.anchors.first() else { return };
    data.push('M');
    push_point(first.at, origin, data);
    let count = contour.anchors.len();
    for (at, segment) in contour.segments().enumerate() {
        let Segment { from, leaving, arriving, to } = segment;
        let is_line = leaving == from && arriving == to;
        // `Z` draws the closing line itself, if it is straight.
        if is_line && at + 1 == count {
            continue;
        }
        if is_line {
            data.push('L');
        } else {
            data.push('C');
            push_point(leaving, origin, data);
            data.push(' ');
            push_point(arriving, origin, data);
            data.push(' ');
        }
        push_point(to, origin, data);
    }
    if contour.is_closed {
        data.push('Z');
    }
}

fn push_point(at: Point, origin: Point, data: &mut String) {
    let numbers = [at.x - origin.x, at.y - origin.y].map(|value| rounded(value).to_string());
    data.push_str(&numbers.join(" "));
}

/// To a ten-millionth, finer than anything that is told apart; no minus zero.
fn rounded(value: f64) -> f64 {
    (value * 1e7).round() / 1e7 + 0.0
}
