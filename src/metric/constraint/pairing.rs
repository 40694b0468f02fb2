//! Which nodes of a page are which components of a query.

use std::collections::{BTreeMap, BTreeSet};

use crate::design::NodeId;

use super::names::name_words;
use super::page::{Items, What};
use super::place::Placed;
use super::query::{Query, WantedVisual};
use super::words::{Wording, wording};

/// A text further from what was asked than this share of its length is another text.
const FURTHEST: f64 = 0.4;
/// Words that say of a layer or visual only that it is one.
const EMPTY: [&str; 18] = [
    "layer",
    "image",
    "img",
    "picture",
    "illustration",
    "icon",
    "object",
    "visual",
    "graphic",
    "drawing",
    "png",
    "jpg",
    "static",
    "silhouette",
    "design",
    "shape",
    "group",
    "the",
];

/// The components of a query on a page.
#[derive(Debug)]
pub(super) struct Pairing {
    /// For each text of the query the item that says it, and how it differs.
    pub(super) texts: Vec<Option<(usize, Wording)>>,
    /// For each visual the items that show it.
    pub(super) visuals: Vec<Vec<usize>>,
}

impl Pairing {
    pub(super) fn of(query: &Query, items: &Items<'_>, names: &BTreeMap<NodeId, String>) -> Self {
        Self { texts: texts(query, items), visuals: visuals(query, items, names) }
    }

    /// Where a text of the query is.
    pub(super) fn text_place(&self, at: usize, items: &Items<'_>) -> Option<Placed> {
        let (item, _) = (*self.texts.get(at)?)?;
        placed(&[item], items)
    }

    /// Where a visual of the query is.
    pub(super) fn visual_place(&self, at: usize, items: &Items<'_>) -> Option<Placed> {
        placed(self.visuals.get(at)?, items)
    }
}

fn placed(found: &[usize], items: &Items<'_>) -> Option<Placed> {
    let boxes: Vec<_> = found.iter().filter_map(|at| Some((*at, items.get(*at)?.place))).collect();
    (!boxes.is_empty()).then_some(Placed { boxes })
}

/// Each text with the nearest wording that no nearer text has taken.
fn texts(query: &Query, items: &Items<'_>) -> Vec<Option<(usize, Wording)>> {
    let mut candidates = Vec::new();
    for (at, wanted) in query.texts.iter().enumerate() {
        let Some(content) = &wanted.content else { continue };
        let length = content.chars().count() as f64;
        for (item, words) in items.texts() {
            let found = wording(content, words);
            if found.edits() as f64 <= (length * FURTHEST).max(1.0) {
                candidates.push((found, at, item));
            }
        }
    }
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

/// Each visual with the nodes said to show it, else with those whose names share the most words with
/// its own; the last visual without any has the last picture without one.
fn visuals(query: &Query, items: &Items<'_>, names: &BTreeMap<NodeId, String>) -> Vec<Vec<usize>> {
    let candidates: Vec<usize> = items
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| !matches!(item.what, What::Text { .. }))
        .map(|(at, _)| at)
        .collect();
    let mut of_item: BTreeMap<usize, usize> = BTreeMap::new();
    for &at in &candidates {
        let Some(item) = items.get(at) else { continue };
        let named = names.get(&item.node.id);
        let best = match named {
            Some(name) => query.visuals.iter().position(|visual| visual.name == *name),
            None => nearest(&item.node.name, &query.visuals),
        };
        if let Some(visual) = best {
            of_item.insert(at, visual);
        }
    }
    let mut found = vec![Vec::new(); query.visuals.len()];
    for (item, visual) in &of_item {
        if let Some(found) = found.get_mut(*visual) {
            found.push(*item);
        }
    }
    let is_loose = |at: &&usize| {
        !of_item.contains_key(at)
            && items.get(**at).is_some_and(|item| matches!(item.what, What::Picture))
    };
    let loose: Vec<usize> = candidates.iter().filter(is_loose).copied().collect();
    let mut empty = found.iter_mut().filter(|found| found.is_empty());
    if let (Some(last), None, [picture]) = (empty.next(), empty.next(), loose.as_slice()) {
        last.push(*picture);
    }
    found
}

/// The visual that shares the most words with a layer's name.
fn nearest(layer: &str, visuals: &[WantedVisual]) -> Option<usize> {
    let words = telling(layer);
    let shared = |visual: &WantedVisual| telling(&visual.name).intersection(&words).count();
    let best = visuals.iter().map(shared).max().filter(|shared| *shared > 0)?;
    visuals.iter().position(|visual| shared(visual) == best)
}

/// The words of a name that say what it shows.
pub(super) fn telling(name: &str) -> BTreeSet<String> {
    let words: BTreeSet<String> = name_words(name).into_iter().collect();
    let telling: BTreeSet<String> =
        words.iter().filter(|word| !EMPTY.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { words } else { telling }
}
