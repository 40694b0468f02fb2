//! Which nodes of a page are which components of a query.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::base::Rect;
use crate::design::ShownPicture;

use super::heuristic::{EMPTY, FURTHEST};
use super::page::{Items, Page, What};
use super::place::Placed;
use super::words::{Wording, name_words, wording};
use crate::graphictown::{Query, WantedVisual};

/// The components of a query on a page.
#[derive(Debug)]
pub(super) struct Pairing {
    /// For each text of the query the item that says it, and how it differs.
    pub(super) texts: Vec<Option<(usize, Wording)>>,
    /// For each visual the items that show it, each with where it does.
    pub(super) visuals: Vec<Vec<(usize, Rect)>>,
}

impl Pairing {
    pub(super) fn of(query: &Query, items: &Items<'_>, page: &Page<'_>) -> Self {
        let visuals = match page.shown {
            Some(shown) => told(query, items, page, shown),
            None => guessed(query, items),
        };
        Self { texts: texts(query, items), visuals }
    }

    /// Where a text of the query is.
    pub(super) fn text_place(&self, at: usize, items: &Items<'_>) -> Option<Placed> {
        let (item, _) = (*self.texts.get(at)?)?;
        let place = items.get(item)?.place;
        Some(Placed { boxes: vec![(item, place)] })
    }

    /// Where a visual of the query is.
    pub(super) fn visual_place(&self, at: usize) -> Option<Placed> {
        let boxes = self.visuals.get(at)?.clone();
        (!boxes.is_empty()).then_some(Placed { boxes })
    }
}

/// Each text with the nearest wording that no nearer text has taken.
fn texts(query: &Query, items: &Items<'_>) -> Vec<Option<(usize, Wording)>> {
    let mut candidates = Vec::new();
    for (at, wanted) in query.texts.iter().enumerate() {
        let Some(content) = &wanted.content else { continue };
        let length = content.chars().count() as f64;
        for (item, words) in items.texts() {
            let found = wording(content, words);
            // At least one edit is forgiven: 40 % of a text of two letters would be none.
            if found.edits() as f64 <= (length * FURTHEST).max(1.0) {
                candidates.push((found, at, item));
            }
        }
    }
    // The nearest first and not text by text, or a title would take the words of a tagline that
    // comes after it. Equals keep the order of the query, then of drawing.
    candidates.sort_by(|a, b| a.0.nearness(b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken = vec![None; query.texts.len()];
    let mut used = BTreeSet::new();
    for (found, at, item) in candidates {
        let Some(slot) = taken.get_mut(at).filter(|slot| slot.is_none()) else { continue };
        if used.insert(item) {
            *slot = Some((item, found));
        }
    }
    taken
}

/// Each visual with where the picture of its name is shown. A visual without a picture of its own may
/// be drawn: it has the items whose names share words with its own, those around pictures aside.
fn told(
    query: &Query,
    items: &Items<'_>,
    page: &Page<'_>,
    shown: &[ShownPicture],
) -> Vec<Vec<(usize, Rect)>> {
    let mut found = vec![Vec::new(); query.visuals.len()];
    let mut taken = BTreeSet::new();
    for it in shown {
        let Some((at, item)) = items.find(&it.node) else { continue };
        taken.insert(at);
        let around = page.document.ancestors(&it.node).filter_map(|node| items.find(&node.id));
        // A group around a picture shows nothing else, though its name may share words with another
        // visual.
        taken.extend(around.map(|(at, _)| at));
        let place = part_of(item.place, it.part);
        let visual = named(&it.name, &query.visuals).and_then(|visual| found.get_mut(visual));
        if let Some(visual) = visual.filter(|_| place.is_finite()) {
            visual.push((at, place));
        }
    }
    for (at, name) in seen(items).filter(|(at, _)| !taken.contains(at)) {
        let Some(visual) = nearest(name, &query.visuals) else { continue };
        // A visual that came with a picture is there only where that is shown, whatever layers are
        // called.
        let has_picture =
            query.visuals.get(visual).is_some_and(|it| query.image_of(&it.name).is_some());
        if let (false, Some(boxes), Some(item)) =
            (has_picture, found.get_mut(visual), items.get(at))
        {
            boxes.push((at, item.place));
        }
    }
    found
}

/// Each visual with the items whose names share the most words with its own; the last visual without
/// any has the last picture without one.
fn guessed(query: &Query, items: &Items<'_>) -> Vec<Vec<(usize, Rect)>> {
    let mut found = vec![Vec::new(); query.visuals.len()];
    let mut loose = Vec::new();
    for (at, name) in seen(items) {
        let Some(item) = items.get(at) else { continue };
        let visual = nearest(name, &query.visuals).and_then(|visual| found.get_mut(visual));
        match visual {
            Some(visual) => visual.push((at, item.place)),
            None if matches!(item.what, What::Picture) => loose.push((at, item.place)),
            None => {}
        }
    }
    let mut empty = found.iter_mut().filter(|found| found.is_empty());
    // Only where one of each is left can it be told which belongs to which.
    if let (Some(last), None, [picture]) = (empty.next(), empty.next(), loose.as_slice()) {
        last.push(*picture);
    }
    found
}

/// What may show a visual: all items but texts, with their names.
fn seen<'a>(items: &'a Items<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    let all = items.items.iter().enumerate();
    let no_text = all.filter(|(_, item)| !matches!(item.what, What::Text { .. }));
    no_text.map(|(at, item)| (at, item.node.name.as_str()))
}

/// The visual of a picture's name: the same letter by letter, or the same words.
fn named(picture: &str, visuals: &[WantedVisual]) -> Option<usize> {
    let words = name_words(picture);
    let same = visuals.iter().position(|visual| visual.name == picture);
    same.or_else(|| {
        visuals.iter().position(|visual| !words.is_empty() && name_words(&visual.name) == words)
    })
}

/// A part of a box, given as shares of it.
fn part_of(place: Rect, part: Rect) -> Rect {
    Rect {
        x: place.x + part.x * place.width,
        y: place.y + part.y * place.height,
        width: part.width * place.width,
        height: part.height * place.height,
    }
}

/// The visual that shares the most words with a layer's name.
fn nearest(layer: &str, visuals: &[WantedVisual]) -> Option<usize> {
    let words = telling(layer);
    let shared = visuals.iter().map(|visual| telling(&visual.name).intersection(&words).count());
    // `min_by_key` of the reverse takes the first of equals, `max_by_key` the last.
    let best = shared.enumerate().min_by_key(|(_, shared)| Reverse(*shared));
    best.filter(|(_, shared)| *shared > 0).map(|(at, _)| at)
}

/// The words of a name that say what it shows.
pub(super) fn telling(name: &str) -> BTreeSet<String> {
    let words: BTreeSet<String> = name_words(name).into_iter().collect();
    let telling: BTreeSet<String> =
        words.iter().filter(|word| !EMPTY.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { words } else { telling }
}
