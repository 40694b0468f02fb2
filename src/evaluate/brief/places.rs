//! Places and sizes of boxes: where a clause of a position asks, onto the page, as large as asked.

use super::sheet::{PlacedComponent, Sheet};
use crate::base::{Rect, Size};
use crate::design::hunk::{Hunk, HunkChange};
use crate::evaluate::flaws::inside;
use crate::graphictown::WantedSize;
use crate::metric::constraint::{Clause, Relation, clauses, picture_share};

/// Shares of the way between the least and the most that a size may be, the middle first.
const WITHIN: [f64; 3] = [0.5, 0.1, 0.9];
/// What is around another box is larger by this share of it on each side.
const AROUND: f64 = 0.15;

/// A component where a clause asks it to be: moved, or, of clauses that a box cannot meet by moving, with another box.
pub(super) fn moved_as_asked(
    sheet: &Sheet<'_>,
    component: &str,
    asked: &str,
    nth: usize,
) -> Vec<Vec<Hunk>> {
    let Some(part) = sheet.part(component) else { return Vec::new() };
    let all = clauses(asked);
    let Some(Ok(clause)) = all.get(nth) else { return Vec::new() };
    let others = all.iter().enumerate().filter(|(at, _)| *at != nth);
    let others = others.filter_map(|(_, clause)| clause.as_ref().ok());
    let wishes: Vec<&Clause> = std::iter::once(clause).chain(others).collect();
    let mut candidates = Vec::new();
    for spot in sheet.spots(part.place.size(), Some(part), &wishes) {
        let Some(hunk) = sheet.moved_to(part, spot) else { continue };
        match clause {
            Clause::Relation(relation @ (Relation::Over | Relation::Behind), _) => {
                let order = ordered(sheet, part, *relation == Relation::Over);
                // Where only the order is wrong, nothing moves.
                candidates.extend(order.clone().map(|order| vec![order]));
                candidates.push(vec![hunk.clone()]);
                candidates.extend(order.map(|order| vec![hunk, order]));
            }
            _ => candidates.push(vec![hunk]),
        }
    }
    candidates.extend(other_boxes(sheet, part, clause));
    candidates
}

/// Boxes that meet a clause which is about the size as well.
fn other_boxes(sheet: &Sheet<'_>, part: PlacedComponent<'_>, clause: &Clause) -> Vec<Vec<Hunk>> {
    // Letters are not stretched.
    if part.node.text().is_some() {
        return Vec::new();
    }
    let frame = sheet.frame;
    let boxes = match clause {
        Clause::Covers(share, _) => vec![Rect::new(
            frame.x + share.x * frame.width,
            frame.y + share.y * frame.height,
            share.width * frame.width,
            share.height * frame.height,
        )],
        Clause::Reaches([top, right, bottom, left]) => {
            let own = part.place;
            let x = if *left { frame.x } else { own.x };
            let y = if *top { frame.y } else { own.y };
            let end = if *right { frame.right() } else { own.right().max(x + 1.0) };
            let foot = if *bottom { frame.bottom() } else { own.bottom().max(y + 1.0) };
            vec![Rect::new(x, y, end - x, foot - y)]
        }
        Clause::Relation(Relation::Around, name) => {
            let others = sheet.named(name, Some(part)).into_iter();
            others.map(|other| other.expand(AROUND * other.width.max(other.height))).collect()
        }
        Clause::Relation(Relation::Inside, name) => {
            let others = sheet.named(name, Some(part)).into_iter();
            others.map(|other| fitted(part.place.size(), other)).collect()
        }
        Clause::Zone(_) | Clause::Relation(..) | Clause::Between(..) | Clause::Spread(_) => {
            Vec::new()
        }
    };
    with_order(sheet, part, boxes)
}

/// Each of the boxes, where the component is in the order of drawing and at the back.
fn with_order(sheet: &Sheet<'_>, part: PlacedComponent<'_>, boxes: Vec<Rect>) -> Vec<Vec<Hunk>> {
    let mut candidates = Vec::new();
    for place in boxes {
        let hunks = sheet.boxed(part, place);
        // Over a text it would cover it: what is large goes to the back.
        let behind = hunks.iter().cloned().chain(ordered(sheet, part, false)).collect();
        let covers = sheet
            .parts
            .iter()
            .any(|other| other.node.text().is_some() && place.intersection(other.place).is_some());
        candidates.extend(if covers { [behind, hunks] } else { [hunks, behind] });
    }
    candidates.retain(|hunks| !hunks.is_empty());
    candidates
}

/// The hunk that puts a component in front of all its siblings, or behind them.
fn ordered(sheet: &Sheet<'_>, part: PlacedComponent<'_>, in_front: bool) -> Option<Hunk> {
    let siblings = sheet.document.children_of(part.node.parent.as_ref());
    let last = siblings.len().checked_sub(1)?;
    let index = if in_front { last } else { 0 };
    let is_there = siblings.position(&part.node.id) == Some(index);
    let change = HunkChange::Reorder { index };
    (!is_there).then(|| Hunk::new(sheet.document, &part.node.id, change)).flatten()
}

/// The largest box of these proportions in the middle of another, no larger than it was.
fn fitted(size: Size, within: Rect) -> Rect {
    let shrink = (within.width / size.width.max(0.01)).min(within.height / size.height.max(0.01));
    let (width, height) = (size.width * shrink.min(1.0), size.height * shrink.min(1.0));
    let middle = within.center();
    Rect::new(middle.x - width / 2.0, middle.y - height / 2.0, width, height)
}

/// A component that lies on the page: moved, or made small enough.
pub(super) fn onto_page(sheet: &Sheet<'_>, component: &str) -> Vec<Vec<Hunk>> {
    let Some(part) = sheet.part(component) else { return Vec::new() };
    let mut candidates = Vec::new();
    if let Some(by) = inside(part.place, sheet.frame) {
        let corner = part.place.translate(by).origin();
        candidates.extend(sheet.moved_to(part, corner).map(|hunk| vec![hunk]));
    }
    for spot in sheet.spots(part.place.size(), Some(part), &[]) {
        candidates.extend(sheet.moved_to(part, spot).map(|hunk| vec![hunk]));
    }
    if part.node.text().is_none() {
        let cut = part.place.intersection(sheet.frame);
        let boxes = cut.into_iter().chain([fitted(part.place.size(), sheet.frame)]).collect();
        candidates.extend(with_order(sheet, part, boxes));
    }
    candidates
}

/// A visual that covers as much of the page as its size says: in its proportions about its middle, else in those of the
/// page.
pub(super) fn resized(sheet: &Sheet<'_>, component: &str) -> Vec<Vec<Hunk>> {
    let wanted = sheet.query.visuals.iter().find(|visual| visual.name == component);
    let share = match wanted.and_then(|wanted| wanted.size.as_ref()) {
        Some(WantedSize::Words(words)) => picture_share(words),
        Some(WantedSize::Points(_)) | None => None,
    };
    let Some((part, [least, most])) = sheet.part(component).zip(share) else { return Vec::new() };
    let (frame, own) = (sheet.frame, part.place);
    let now = own.area() / frame.area();
    // The nearest end first: what is too small grows by as little as is asked.
    let ends = if now < least { [least, most] } else { [most, least] };
    let shares = WITHIN.map(|way| ends[0] + (ends[1] - ends[0]) * way * 0.5);
    let middle = own.center();
    let mut boxes = Vec::new();
    for proportions in [own.size(), frame.size()] {
        for share in shares {
            let area = proportions.width * proportions.height;
            let scale = (share * frame.area() / area.max(0.01)).sqrt();
            let (width, height) = (proportions.width * scale, proportions.height * scale);
            let place = Rect::new(middle.x - width / 2.0, middle.y - height / 2.0, width, height);
            if let Some(by) = inside(place, frame) {
                boxes.push(place.translate(by));
            }
        }
    }
    boxes.push(frame);
    with_order(sheet, part, boxes)
}
