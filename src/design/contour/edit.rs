//! What is done to contours. What is refused has changed nothing.

use super::model::{Anchor, AnchorId, Contour, ContourError, Contours, SAME, check_point, kind_of};
use crate::base::{Point, Vector};
use crate::design::shape::AnchorKind;

/// One of the two handles of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleSide {
    /// Of the line that comes in.
    In,
    /// Of the line that goes out.
    Out,
}

impl HandleSide {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }
}

impl Anchor {
    /// One of its handles.
    pub fn handle(&self, side: HandleSide) -> Option<Point> {
        match side {
            HandleSide::In => self.handle_in,
            HandleSide::Out => self.handle_out,
        }
    }

    fn set_handle(&mut self, side: HandleSide, to: Option<Point>) {
        match side {
            HandleSide::In => self.handle_in = to,
            HandleSide::Out => self.handle_out = to,
        }
    }

    /// Moves a handle; the other one follows as the kind has it.
    pub fn pull(&mut self, side: HandleSide, to: Point) {
        self.set_handle(side, Some(to));
        let by = to.since(self.at);
        let length = by.x.hypot(by.y);
        let other = side.other();
        let opposite = match self.kind {
            AnchorKind::Corner => return,
            AnchorKind::Symmetric => length,
            // Only the way it points follows.
            AnchorKind::Smooth => match self.handle(other) {
                Some(handle) => {
                    let by = handle.since(self.at);
                    by.x.hypot(by.y)
                }
                None => return,
            },
        };
        if length > 0.0 {
            let share = opposite / length;
            let (x, y) = (self.at.x - by.x * share, self.at.y - by.y * share);
            self.set_handle(other, Some(Point::new(x, y)));
        }
    }

    /// The same with the way turned round.
    fn reversed(self) -> Self {
        Self { handle_in: self.handle_out, handle_out: self.handle_in, ..self }
    }
}

impl Contours {
    fn contour_mut(&mut self, id: AnchorId) -> Option<&mut Contour> {
        self.paths.get_mut(id.path)?.contours.get_mut(id.contour)
    }

    fn anchor_mut(&mut self, id: AnchorId) -> Result<&mut Anchor, ContourError> {
        let contour = self.contour_mut(id).ok_or(ContourError::NoSuchAnchor)?;
        contour.anchors.get_mut(id.anchor).ok_or(ContourError::NoSuchAnchor)
    }

    /// Puts an anchor on the line behind one, at a share of the way to the next; what is drawn stays the same. Gives
    /// the new one.
    ///
    /// # Errors
    ///
    /// Where there is no such line, and of a share that is not between 0 and 1.
    pub fn add(&mut self, behind: AnchorId, share: f64) -> Result<AnchorId, ContourError> {
        if !(share > 0.0 && share < 1.0) {
            return Err(ContourError::NotOnSegment);
        }
        let contour = self.contour_mut(behind).ok_or(ContourError::NoSuchAnchor)?;
        let segment = contour.segments().nth(behind.anchor).ok_or(ContourError::NoSuchAnchor)?;
        // A straight piece stays one: handles would make a curve of it at the first touch.
        let is_line = segment.leaving == segment.from && segment.arriving == segment.to;
        let at = behind.anchor + 1;
        if is_line {
            contour.anchors.insert(at, Anchor::corner(segment.at(share)));
            return Ok(AnchorId { anchor: at, ..behind });
        }
        let ([leaving, before], [after, arriving], middle) = segment.split(share);
        let next = at % contour.anchors.len();
        if let Some(from) = contour.anchors.get_mut(behind.anchor) {
            from.handle_out = Some(leaving).filter(|handle| *handle != from.at);
        }
        if let Some(to) = contour.anchors.get_mut(next) {
            to.handle_in = Some(arriving).filter(|handle| *handle != to.at);
        }
        contour.anchors.insert(at, Anchor::with_handles(middle, Some(before), Some(after)));
        // The new handles are of other lengths than before, so what was symmetric is only smooth now.
        for anchor in [behind.anchor, if next == 0 { 0 } else { next + 1 }] {
            if let Some(anchor) = contour.anchors.get_mut(anchor) {
                anchor.kind = loosened(anchor);
            }
        }
        Ok(AnchorId { anchor: at, ..behind })
    }

    /// Takes anchors out. A contour of which one is left goes with it, and may be the last: nothing is drawn then.
    ///
    /// # Errors
    ///
    /// If one of them is not there.
    pub fn remove(&mut self, ids: &[AnchorId]) -> Result<(), ContourError> {
        if ids.iter().any(|id| self.anchor(*id).is_none()) {
            return Err(ContourError::NoSuchAnchor);
        }
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        // From behind, so that those before keep their numbers.
        for id in ids.iter().rev() {
            if let Some(contour) = self.contour_mut(*id) {
                contour.anchors.remove(id.anchor);
            }
        }
        for path in &mut self.paths {
            path.contours.retain(|contour| contour.anchors.len() > 1);
            for contour in &mut path.contours {
                // Two points enclose nothing unless the line bends.
                let is_flat = contour
                    .anchors
                    .iter()
                    .all(|anchor| anchor.handle_in.is_none() && anchor.handle_out.is_none());
                contour.is_closed &= contour.anchors.len() > 2 || !is_flat;
            }
        }
        self.paths.retain(|path| !path.contours.is_empty());
        Ok(())
    }

    /// Moves anchors with their handles.
    ///
    /// # Errors
    ///
    /// If one of them is not there, or would lie where no design has a place.
    pub fn move_anchors(&mut self, ids: &[AnchorId], by: Vector) -> Result<(), ContourError> {
        // All are looked at before one is moved, so that a refused move leaves the contour as it was.
        let moved = |at: Point| Point::new(at.x + by.x, at.y + by.y);
        for id in ids {
            let anchor = self.anchor(*id).ok_or(ContourError::NoSuchAnchor)?;
            anchor.points().map(moved).try_for_each(check_point)?;
        }
        for id in ids {
            let anchor = self.anchor_mut(*id)?;
            anchor.at = moved(anchor.at);
            anchor.handle_in = anchor.handle_in.map(moved);
            anchor.handle_out = anchor.handle_out.map(moved);
        }
        Ok(())
    }

    /// Moves a handle, and the other one as the kind of the anchor has it.
    ///
    /// # Errors
    ///
    /// If there is no such anchor, and of a place that no design has.
    pub fn move_handle(
        &mut self,
        id: AnchorId,
        side: HandleSide,
        to: Point,
    ) -> Result<(), ContourError> {
        check_point(to)?;
        let mut pulled = *self.anchor(id).ok_or(ContourError::NoSuchAnchor)?;
        pulled.pull(side, to);
        pulled.points().try_for_each(check_point)?;
        *self.anchor_mut(id)? = pulled;
        Ok(())
    }

    /// Gives an anchor another kind. Corners keep their handles; for the others what handles lack is made of where the
    /// neighbours lie.
    ///
    /// # Errors
    ///
    /// If there is no such anchor.
    pub fn set_kind(&mut self, id: AnchorId, kind: AnchorKind) -> Result<(), ContourError> {
        let anchor = *self.anchor(id).ok_or(ContourError::NoSuchAnchor)?;
        let mut changed = Anchor { kind, ..anchor };
        // A corner keeps its handles; the others are laid along one line, each as long as before.
        if kind != AnchorKind::Corner
            && let Some((way, [before, behind])) = self.way_through(id)
        {
            let lengths = [(anchor.handle_in, before), (anchor.handle_out, behind)].map(
                |(handle, to_neighbour)| match handle {
                    Some(handle) => length(handle.since(anchor.at)),
                    None => to_neighbour / 3.0,
                },
            );
            let [short, long] = match kind {
                AnchorKind::Symmetric => [f64::midpoint(lengths[0], lengths[1]); 2],
                _ => lengths,
            };
            let at = anchor.at;
            changed.handle_in = Some(Point::new(at.x - way.x * short, at.y - way.y * short));
            changed.handle_out = Some(Point::new(at.x + way.x * long, at.y + way.y * long));
        }
        changed.points().try_for_each(check_point)?;
        *self.anchor_mut(id)? = changed;
        Ok(())
    }

    /// Takes the handles of an anchor away: it is a corner.
    ///
    /// # Errors
    ///
    /// If there is no such anchor.
    pub fn retract(&mut self, id: AnchorId) -> Result<(), ContourError> {
        let anchor = self.anchor_mut(id)?;
        *anchor = Anchor::corner(anchor.at);
        Ok(())
    }

    /// The way the line runs through an anchor, as a unit vector, and how far its neighbours are. `None` where all lie
    /// at one place.
    fn way_through(&self, id: AnchorId) -> Option<(Vector, [f64; 2])> {
        let contour = self.contour(id)?;
        let anchor = contour.anchors.get(id.anchor)?;
        let count = contour.anchors.len();
        let neighbour = |at: Option<usize>| at.and_then(|at| contour.anchors.get(at));
        let before = neighbour(match id.anchor.checked_sub(1) {
            None => contour.is_closed.then(|| count.saturating_sub(1)),
            before => before,
        });
        let behind = neighbour(if id.anchor + 1 == count {
            contour.is_closed.then_some(0)
        } else {
            Some(id.anchor + 1)
        });
        let [to_before, to_behind] =
            [before, behind].map(|other| other.map(|other| other.at.since(anchor.at)));
        let by_handles = anchor.handle_in.or(anchor.handle_out).map(|_| {
            let [one, other] = [anchor.handle_in, anchor.handle_out].map(|handle| {
                handle.map_or(Vector::default(), |handle| unit(handle.since(anchor.at)))
            });
            Vector { x: other.x - one.x, y: other.y - one.y }
        });
        let by_neighbours = {
            let [one, other] = [to_before, to_behind].map(|by| by.map(unit).unwrap_or_default());
            Vector { x: other.x - one.x, y: other.y - one.y }
        };
        let way = by_handles.filter(|way| length(*way) > SAME).unwrap_or(by_neighbours);
        let distances = [to_before, to_behind].map(|by| by.map_or(0.0, length));
        let most = distances[0].max(distances[1]);
        // An end has one neighbour, which says how far on both sides.
        let distances = distances.map(|distance| if distance > 0.0 { distance } else { most });
        (length(way) > SAME).then(|| (unit(way), distances))
    }

    /// Joins the last anchor of an open contour to its first by a line.
    ///
    /// # Errors
    ///
    /// If there is no such contour, or it is closed.
    pub fn close(&mut self, id: AnchorId) -> Result<(), ContourError> {
        let contour = self.contour_mut(id).ok_or(ContourError::NoSuchAnchor)?;
        if contour.is_closed {
            return Err(ContourError::IsClosed);
        }
        contour.is_closed = true;
        Ok(())
    }

    /// Cuts a contour at an anchor, which is there twice then: a closed one is open, beginning and ending there; an
    /// open one is two. Gives the two ends, that of the line that comes in first.
    ///
    /// # Errors
    ///
    /// If there is no such anchor, and at the end of an open contour.
    pub fn split(&mut self, id: AnchorId) -> Result<[AnchorId; 2], ContourError> {
        let anchor = *self.anchor(id).ok_or(ContourError::NoSuchAnchor)?;
        let (ending, beginning) =
            (Anchor { handle_out: None, ..anchor }, Anchor { handle_in: None, ..anchor });
        let path = self.paths.get_mut(id.path).ok_or(ContourError::NoSuchAnchor)?;
        let contour = path.contours.get_mut(id.contour).ok_or(ContourError::NoSuchAnchor)?;
        if contour.is_closed {
            // Opened here: the contour now begins and ends in two anchors on the same spot.
            contour.anchors.rotate_left(id.anchor);
            if let Some(first) = contour.anchors.first_mut() {
                *first = beginning;
            }
            contour.anchors.push(ending);
            contour.is_closed = false;
            let last = contour.anchors.len() - 1;
            return Ok([AnchorId { anchor: last, ..id }, AnchorId { anchor: 0, ..id }]);
        }
        if id.anchor == 0 || id.anchor + 1 == contour.anchors.len() {
            return Err(ContourError::IsEnd);
        }
        let rest = contour.anchors.split_off(id.anchor + 1);
        if let Some(last) = contour.anchors.last_mut() {
            *last = ending;
        }
        let anchors = std::iter::once(beginning).chain(rest).collect();
        path.contours.insert(id.contour + 1, Contour { anchors, is_closed: false });
        Ok([id, AnchorId { contour: id.contour + 1, anchor: 0, ..id }])
    }

    /// Joins two ends of open contours: ends at one place become one anchor, others get a line between them. The ends
    /// of one contour close it.
    ///
    /// # Errors
    ///
    /// If one of them is no end of an open contour.
    pub fn join(&mut self, one: AnchorId, other: AnchorId) -> Result<(), ContourError> {
        let [a, b] = [self.end_at(one), self.end_at(other)];
        let (Some(a_is_first), Some(b_is_first)) = (a, b) else {
            return Err(ContourError::NotEnds);
        };
        if one == other {
            return Err(ContourError::NotEnds);
        }
        if (one.path, one.contour) == (other.path, other.contour) {
            let contour = self.contour_mut(one).ok_or(ContourError::NoSuchAnchor)?;
            close_at_ends(contour);
            return Ok(());
        }
        let mut tail = self.take_contour(other)?;
        // The line runs through the first and on through the other.
        if !b_is_first {
            tail.reverse();
        }
        let emptied = self.paths.get(other.path).is_some_and(|path| path.contours.is_empty());
        let is_behind = other.path == one.path && other.contour < one.contour;
        let one = AnchorId { contour: one.contour - usize::from(is_behind), ..one };
        let contour = self.contour_mut(one).ok_or(ContourError::NoSuchAnchor)?;
        if a_is_first {
            contour.reverse();
        }
        let mut rest = tail.anchors.into_iter();
        if let (Some(last), Some(first)) = (contour.anchors.last_mut(), rest.as_slice().first())
            && is_same_place(last.at, first.at)
        {
            *last = merged(*last, *first);
            rest.next();
        }
        contour.anchors.extend(rest);
        if emptied {
            self.paths.remove(other.path);
        }
        Ok(())
    }

    /// Whether an anchor is the first of an open contour, or the last; `None` if neither.
    fn end_at(&self, id: AnchorId) -> Option<bool> {
        let contour = self.contour(id).filter(|contour| !contour.is_closed)?;
        if id.anchor == 0 {
            return (!contour.anchors.is_empty()).then_some(true);
        }
        (id.anchor + 1 == contour.anchors.len()).then_some(false)
    }

    fn take_contour(&mut self, id: AnchorId) -> Result<Contour, ContourError> {
        let path = self.paths.get_mut(id.path).ok_or(ContourError::NoSuchAnchor)?;
        if id.contour >= path.contours.len() {
            return Err(ContourError::NoSuchAnchor);
        }
        Ok(path.contours.remove(id.contour))
    }
}

impl Contour {
    /// The same line the other way round.
    pub fn reverse(&mut self) {
        self.anchors.reverse();
        for anchor in &mut self.anchors {
            *anchor = anchor.reversed();
        }
    }
}

/// Closes an open contour; ends at one place become one anchor.
fn close_at_ends(contour: &mut Contour) {
    let ends = contour.anchors.first().copied().zip(contour.anchors.last().copied());
    if let Some((first, last)) = ends
        && contour.anchors.len() > 2
        && is_same_place(first.at, last.at)
    {
        contour.anchors.pop();
        if let Some(anchor) = contour.anchors.first_mut() {
            *anchor = merged(last, first);
        }
    }
    contour.is_closed = true;
}

/// The end of one line and the beginning of another at the same place as one anchor.
fn merged(ending: Anchor, beginning: Anchor) -> Anchor {
    let joined = Anchor::with_handles(ending.at, ending.handle_in, beginning.handle_out);
    // Two halves of one anchor are what that was.
    let kind = if ending.kind == beginning.kind { ending.kind } else { joined.kind };
    Anchor { kind, ..joined }
}

/// Its kind, if the handles still agree with it.
fn loosened(anchor: &Anchor) -> AnchorKind {
    match (anchor.kind, anchor.handle_in, anchor.handle_out) {
        (kind, Some(one), Some(other)) => kind.min(kind_of(anchor.at, one, other)),
        (kind, ..) => kind,
    }
}

fn is_same_place(a: Point, b: Point) -> bool {
    let by = a.since(b);
    by.x.abs().max(by.y.abs()) <= SAME
}

fn length(by: Vector) -> f64 {
    by.x.hypot(by.y)
}

fn unit(by: Vector) -> Vector {
    let length = length(by);
    if length > 0.0 { Vector { x: by.x / length, y: by.y / length } } else { Vector::default() }
}
