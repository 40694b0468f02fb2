//! A step in words: the control first, the values, and on what.

use std::sync::Arc;

use super::suggestion::control;
use super::values::{corner, kind, label, listed, number, quoted_within, value};
use crate::base::{Rect, Vector};
use crate::design::hunk::{Field, Hunk, HunkChange};
use crate::design::{Document, Node, NodeId};

/// Edges and gaps that differ by no more are the same.
const NEAR: f64 = 0.05;
/// Most words of a text that a step says to type: with a name and the control they are 25 at most.
const MOST_TYPED_WORDS: usize = 16;
/// Most letters of it.
const MOST_TYPED_LETTERS: usize = 120;
/// A neighbour further away than this is none.
const FAR: f64 = 200.0;

/// A step for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wording {
    /// The control by which it is done.
    pub(super) control: &'static str,
    /// What it does, in 25 words at most.
    pub(super) words: String,
}

impl Wording {
    /// Of hunks that belong together: `after` is the document with all of them carried out.
    pub(super) fn from_hunks(hunks: &[Hunk], before: &Document, after: &Document) -> Self {
        let Some(first) = hunks.first() else {
            return Self { control: "", words: String::new() };
        };
        let names = hunks.iter().filter_map(|hunk| hunk.was().map(|node| label(node)));
        let mut names: Vec<String> = names.collect();
        // Several fields of one node.
        names.dedup();
        let names = listed(&names);
        let control = control(first);
        let words = match &first.change {
            HunkChange::Insert { nodes, parent, .. } => match nodes.first() {
                // What it takes in is told, not where it lies: that follows from it.
                Some(node) if !names.is_empty() => format!("Group {names} as {}", label(node)),
                Some(node) => added(node, nodes.len() - 1, parent.as_ref(), after),
                None => String::new(),
            },
            HunkChange::Remove if hunks.iter().any(|hunk| hunk.was().is_none()) => {
                format!("Replace {names} by the whole goal")
            }
            HunkChange::Remove => format!("Delete {names}"),
            HunkChange::Reparent { parent, .. } => {
                let parent = container(parent.as_ref(), after);
                format!("Put {names} into {parent}{}", place_words(first, after))
            }
            HunkChange::Reorder { .. } => reordered(first, &names, after),
            HunkChange::Set { field: Field::Place, .. } if hunks.len() == 1 => {
                return moved(first, before, after);
            }
            HunkChange::Set { field, like } => set(hunks, *field, like, &names, after),
        };
        Self { control, words }
    }
}

fn container(id: Option<&NodeId>, document: &Document) -> String {
    let parent = id.and_then(|id| document.get(id));
    parent.map_or("the page".to_owned(), |parent| label(parent))
}

/// Where a node lies in its parent.
fn place_words(hunk: &Hunk, after: &Document) -> String {
    let Some(node) = after.get(&hunk.node) else { return String::new() };
    let at = corner(node);
    format!(" at X {}, Y {}", number(at.x), number(at.y))
}

fn added(node: &Node, inside: usize, parent: Option<&NodeId>, after: &Document) -> String {
    let now = after.get(&node.id).map_or(node, Arc::as_ref);
    let (corner, size) = (corner(now), value(Field::Size, now));
    let inside = if inside > 0 { format!(" with {inside} layers") } else { String::new() };
    format!(
        "Add {} {}{inside}, {size}, at X {}, Y {} in {}",
        kind(&node.kind),
        label(node),
        number(corner.x),
        number(corner.y),
        container(parent, after)
    )
}

fn reordered(hunk: &Hunk, names: &str, after: &Document) -> String {
    let Some(node) = after.get(&hunk.node) else { return String::new() };
    let siblings = after.children_of(node.parent.as_ref());
    let index = siblings.position(&node.id).unwrap_or_default();
    if index + 1 == siblings.len() {
        return format!("Bring {names} to the front");
    }
    match index.checked_sub(1).and_then(|below| after.get(siblings.get(below)?)) {
        Some(below) => format!("Put {names} in front of {}", label(below)),
        None => format!("Send {names} to the back"),
    }
}

fn set(hunks: &[Hunk], field: Field, like: &Node, names: &str, after: &Document) -> String {
    let Some(first) = hunks.first() else { return String::new() };
    let (Some(was), Some(now)) = (first.was(), after.get(&first.node)) else {
        return String::new();
    };
    let (control, is_one) = (control(first), hunks.len() == 1);
    let to = match field {
        // Each by its own way: the first stands for all of them.
        Field::Place => {
            let by = corner(now).since(corner(was));
            format!("Move by X {}, Y {}:", number(by.x), number(by.y))
        }
        Field::Size if is_one => sides(was, like),
        // Who is to type it must be told all of it, as far as a step has words for it.
        Field::Words if is_one => {
            let text = like.text().map(|text| text.characters.as_str()).unwrap_or_default();
            format!("{control} → {}", quoted_within(text, MOST_TYPED_WORDS, MOST_TYPED_LETTERS))
        }
        // What was is said where it tells something: of a colour it is in sight.
        Field::Rotation | Field::Style(_) if is_one && is_short(field, was) => {
            format!("{control} {} → {}", value(field, was), value(field, like))
        }
        _ => format!("{control} → {}", value(field, like)),
    };
    if field == Field::Place { format!("{to} {names}") } else { format!("{to} on {names}") }
}

/// Whether the value before fits into the words: numbers do.
fn is_short(field: Field, node: &Node) -> bool {
    let value = value(field, node);
    value.chars().count() <= 8 && value.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The sides that change.
fn sides(was: &Node, like: &Node) -> String {
    let pairs = [("W", was.size.width, like.size.width), ("H", was.size.height, like.size.height)];
    changed(&pairs)
}

/// The numbers that change, with their names.
fn changed(pairs: &[(&str, f64, f64)]) -> String {
    let differing = pairs.iter().filter(|(_, from, to)| (from - to).abs() > 1e-3);
    let words: Vec<String> = differing
        .map(|(name, from, to)| format!("{name} {} → {}", number(*from), number(*to)))
        .collect();
    words.join(", ")
}

/// A node that moves: by the edge that it then shares with another, or how far it then lies from its
/// nearest neighbour, and the values.
fn moved(hunk: &Hunk, before: &Document, after: &Document) -> Wording {
    let control = control(hunk);
    let (Some(was), Some(now)) = (before.get(&hunk.node), after.get(&hunk.node)) else {
        return Wording { control, words: String::new() };
    };
    let [page_was, page_now] = [(before, was), (after, now)]
        .map(|(document, node)| document.absolute_box(&node.id).unwrap_or_default());
    let (from, to) = (in_parent(was, page_was, before), in_parent(now, page_now, after));
    let values = changed(&[("X", from.x, to.x), ("Y", from.y, to.y)]);
    // In a group that followed, only the page tells that it moved.
    let values = if values.is_empty() {
        changed(&[("X", page_was.x, page_now.x), ("Y", page_was.y, page_now.y)])
    } else {
        values
    };
    let name = label(now);
    let moves = ((page_was.x - page_now.x).abs() > NEAR, (page_was.y - page_now.y).abs() > NEAR);
    if let Some((align, other)) = edge(now, page_now, moves, after) {
        let words = format!("{align} with {other}: {values} on {name}");
        return Wording { control: align, words };
    }
    let place = nearest(now, page_now, after).map(|place| format!(", {place}")).unwrap_or_default();
    Wording { control, words: format!("{values} on {name}{place}") }
}

/// How far the corner of a node's box is from that of its parent.
fn in_parent(node: &Node, on_page: Rect, document: &Document) -> Vector {
    let parent = node.parent.as_ref().and_then(|id| document.absolute_box(id).ok());
    on_page.origin().since(parent.unwrap_or_default().origin())
}

/// The edge or middle that a node shares with a sibling or its parent along the only axis it moved on.
fn edge(
    node: &Node,
    own: Rect,
    moves: (bool, bool),
    after: &Document,
) -> Option<(&'static str, String)> {
    let middle = own.center();
    let mut best: Option<(f64, &'static str, String)> = None;
    for other in others(node, after) {
        let theirs = after.absolute_box(&other.id).ok()?;
        // Along the axis it moves on alone: an edge it had before is nothing that this step brings.
        let pairs = match moves {
            (true, false) => [
                ("Align left", own.x, theirs.x),
                ("Align right", own.right(), theirs.right()),
                ("Align horizontal centers", middle.x, theirs.center().x),
            ],
            (false, true) => [
                ("Align top", own.y, theirs.y),
                ("Align bottom", own.bottom(), theirs.bottom()),
                ("Align vertical centers", middle.y, theirs.center().y),
            ],
            _ => return None,
        };
        let Some((how, ..)) = pairs.iter().find(|(_, a, b)| (a - b).abs() <= NEAR) else {
            continue;
        };
        // Of several the nearest one, which is what somebody sees.
        let by = middle.since(theirs.center());
        let far = by.x.hypot(by.y);
        if best.as_ref().is_none_or(|(nearest, ..)| far < *nearest) {
            best = Some((far, *how, label(other)));
        }
    }
    best.map(|(_, how, other)| (how, other))
}

/// How far a node lies from the nearest of its siblings.
fn nearest(node: &Node, own: Rect, after: &Document) -> Option<String> {
    let mut best: Option<(f64, &'static str, String)> = None;
    for other in others(node, after).filter(|other| Some(&other.id) != node.parent.as_ref()) {
        let theirs = after.absolute_box(&other.id).ok()?;
        let beside = own.y < theirs.bottom() && theirs.y < own.bottom();
        let above = own.x < theirs.right() && theirs.x < own.right();
        let gaps = [
            ("right of", own.x - theirs.right(), beside),
            ("left of", theirs.x - own.right(), beside),
            ("below", own.y - theirs.bottom(), above),
            ("above", theirs.y - own.bottom(), above),
        ];
        for (side, gap, is_so) in gaps {
            let counts = is_so && (0.0..=FAR).contains(&gap);
            if counts && best.as_ref().is_none_or(|(nearest, ..)| gap < *nearest) {
                best = Some((gap, side, label(other)));
            }
        }
    }
    best.map(|(gap, side, other)| format!("{} px {side} {other}", number(gap)))
}

/// The siblings of a node that show, and its parent.
fn others<'d>(node: &'d Node, document: &'d Document) -> impl Iterator<Item = &'d Arc<Node>> {
    let siblings = document.children_of(node.parent.as_ref()).iter();
    let siblings = siblings.filter(|id| **id != node.id).filter_map(|id| document.get(id));
    let parent = node.parent.as_ref().and_then(|id| document.get(id));
    siblings.chain(parent).filter(|other| other.visible && other.has_box())
}
