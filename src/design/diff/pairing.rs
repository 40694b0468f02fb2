//! Which node of one document is which of the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Rect, Rgba, Vector};

use super::super::document::Document;
use super::super::node::{Node, NodeId};
use super::super::paint::Paint;

/// Pairs of nodes of an earlier and a later document; each node is in one pair at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    after: BTreeMap<NodeId, NodeId>,
    before: BTreeMap<NodeId, NodeId>,
    /// Whether the documents were made apart, so that where the screen lies on its page says nothing.
    pub(super) made_apart: bool,
}

impl Pairing {
    /// The later node of an earlier one.
    pub fn after(&self, before: &NodeId) -> Option<&NodeId> {
        self.after.get(before)
    }

    /// The earlier node of a later one.
    pub fn before(&self, after: &NodeId) -> Option<&NodeId> {
        self.before.get(after)
    }

    /// The pairs, by the earlier id.
    pub fn iter(&self) -> impl Iterator<Item = (&NodeId, &NodeId)> {
        self.after.iter()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    fn has(&self, before: &NodeId, after: &NodeId) -> bool {
        self.after.contains_key(before) || self.before.contains_key(after)
    }

    fn insert(&mut self, before: &NodeId, after: &NodeId) {
        if !self.has(before, after) {
            self.after.insert(before.clone(), after.clone());
            self.before.insert(after.clone(), before.clone());
        }
    }
}

/// Pairs nodes of the same id: for two states of one document.
pub fn pair_by_id(before: &Document, after: &Document) -> Pairing {
    let mut pairing = Pairing::default();
    for node in before.iter_depth_first().filter(|node| after.get(&node.id).is_some()) {
        pairing.insert(&node.id, &node.id);
    }
    pairing
}

/// The least likeness of a pair.
const LEAST_LIKENESS: f64 = 0.45;

/// Where more pairs than this would have to be weighed, only nodes at the same place are.
const MOST_CANDIDATES: usize = 4_000_000;

/// Pairs nodes by what they are: for documents made independently of each other.
///
/// The screens ([`Document::main_frame`]) are a pair. Then, texts with texts and others with others,
/// the likest first: kind, place and extent on the screen, words, name and fills count. A pair is at
/// least 0.45 alike, of 1. Ties are broken by paint order, so that the answer is always the same.
pub fn pair_by_content(before: &Document, after: &Document) -> Pairing {
    let mut pairing = Pairing { made_apart: true, ..Pairing::default() };
    if let (Some(was), Some(now)) = (before.main_frame(), after.main_frame()) {
        pairing.insert(&was.id, &now.id);
    }
    let (was, now) = (traits_of(before), traits_of(after));
    for (_, a, b) in likest_first(&was, &now) {
        pairing.insert(&was[a].node.id, &now[b].node.id);
    }
    pairing
}

/// What is weighed of a node.
struct Traits<'a> {
    node: &'a Arc<Node>,
    /// Its box, from the corner of the screen.
    on_screen: Rect,
    color: Option<Rgba>,
}

fn traits_of(document: &Document) -> Vec<Traits<'_>> {
    let screen = document.main_frame().and_then(|frame| document.absolute_box(&frame.id).ok());
    let corner = screen.map(Rect::origin).unwrap_or_default();
    let by = Vector { x: -corner.x, y: -corner.y };
    let traits = |node| {
        let node: &Arc<Node> = node;
        let on_page = document.absolute_box(&node.id).unwrap_or_default();
        let fill = node.fills.iter().rev().find(|paint| paint.visible);
        let color = fill.and_then(Paint::solid_color);
        Traits { node, on_screen: on_page.translate(by), color }
    };
    document.iter_depth_first().filter(|node| node.has_box()).map(traits).collect()
}

/// Candidates, the likest first, by position in both lists.
fn likest_first(was: &[Traits<'_>], now: &[Traits<'_>]) -> Vec<(u64, usize, usize)> {
    let by_cell = by_cell(now);
    let is_huge = was.len().saturating_mul(now.len()) > MOST_CANDIDATES;
    let everything: Vec<usize> = (0..now.len()).collect();
    let mut candidates = Vec::new();
    for (a, earlier) in was.iter().enumerate() {
        let at_its_place = || by_cell.get(&cell(earlier.on_screen)).map_or(&[][..], Vec::as_slice);
        let weighed = if is_huge { at_its_place() } else { &everything };
        for b in weighed {
            let likeness = likeness(earlier, &now[*b]);
            if likeness >= LEAST_LIKENESS {
                // Rising order of what is missing to full likeness.
                candidates.push((((1.0 - likeness) * 1e9) as u64, a, *b));
            }
        }
    }
    candidates.sort_unstable();
    candidates
}

/// Where a box begins, in whole pixels.
fn cell(bounds: Rect) -> (i64, i64) {
    (bounds.x.round() as i64, bounds.y.round() as i64)
}

fn by_cell(traits: &[Traits<'_>]) -> BTreeMap<(i64, i64), Vec<usize>> {
    let mut cells: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, traits) in traits.iter().enumerate() {
        cells.entry(cell(traits.on_screen)).or_default().push(at);
    }
    cells
}

/// 0..=1.
fn likeness(a: &Traits<'_>, b: &Traits<'_>) -> f64 {
    let name = if a.node.name == b.node.name { 1.0 } else { 0.0 };
    let place = overlap(a.on_screen, b.on_screen);
    match (a.node.text(), b.node.text()) {
        (Some(one), Some(other)) => {
            let words = words_in_common(&one.characters, &other.characters);
            0.5 * words + 0.3 * nearness(a.on_screen, b.on_screen) + 0.1 * place + 0.1 * name
        }
        (None, None) => {
            let kind = f64::from(a.node.kind.type_name() == b.node.kind.type_name());
            let color = closeness(a.color, b.color);
            let inside = f64::from(a.node.children.is_empty() == b.node.children.is_empty());
            0.55 * place + 0.15 * kind + 0.1 * color + 0.1 * name + 0.1 * inside
        }
        _ => 0.0,
    }
}

/// Intersection over union; 1 for two boxes without area at the same place.
fn overlap(a: Rect, b: Rect) -> f64 {
    // A line has no area: a pixel around it does.
    let (a, b) = (a.expand(0.5), b.expand(0.5));
    let common = a.intersection(b).map_or(0.0, Rect::area);
    let union = a.area() + b.area() - common;
    if union > 0.0 { common / union } else { 0.0 }
}

/// 1 for the same middle, 0 from 200 px on.
fn nearness(a: Rect, b: Rect) -> f64 {
    const FAR: f64 = 200.0;
    let by = a.center().since(b.center());
    (1.0 - by.x.hypot(by.y) / FAR).max(0.0)
}

fn closeness(a: Option<Rgba>, b: Option<Rgba>) -> f64 {
    match (a, b) {
        (None, None) => 1.0,
        (Some(a), Some(b)) => {
            let by = [a.r - b.r, a.g - b.g, a.b - b.b, a.a - b.a];
            1.0 - by.iter().map(|channel| channel.abs()).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// Shares of the words of both that they have in common (Dice), whatever their case.
fn words_in_common(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let words = |text: &str| -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for word in text.split_whitespace() {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
        counts
    };
    let (a, b) = (words(a), words(b));
    let common: usize =
        a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum();
    let total = a.values().chain(b.values()).sum::<usize>();
    if total == 0 { 0.0 } else { 2.0 * common as f64 / total as f64 }
}
