//! Gaps that differ from the others of their row or column, and edges that are nearly in line.

use super::flaw::{Flaw, FlawKind, moved, name, px};
use super::seen::{Screen, Seen};

use crate::base::{Axis, Rect};
use crate::design::hunk::Hunk;
use crate::design::{Document, NodeId};

/// What differs by less is the same, in pixels.
const SAME: f64 = 0.5;
/// Edges that are further apart are meant to be, in pixels.
const NEARLY: f64 = 4.0;
/// Gaps that differ by more are meant to, in pixels.
const UNEVEN: f64 = 8.0;
/// Siblings that are further apart have nothing to do with each other, in pixels.
const APART: f64 = 120.0;
/// More siblings than this are not compared each with each.
const MOST: usize = 200;

pub(super) fn find(screen: &Screen<'_>) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for family in families(screen) {
        let mut mended: Vec<&NodeId> = Vec::new();
        for axis in Axis::ALL {
            for (nodes, flaw) in uneven(screen.document, &family, axis) {
                mended.extend(nodes);
                flaws.push(flaw);
            }
        }
        for axis in Axis::ALL {
            let free = family.iter().filter(|item| !mended.contains(&&item.node.id));
            flaws.extend(free.filter_map(|item| nearly(screen.document, item, &family, axis)));
        }
    }
    flaws
}

/// Siblings that lie upright in a parent that does not place them itself, by parent, in paint order.
fn families<'a>(screen: &Screen<'a>) -> Vec<Vec<Seen<'a>>> {
    let mut families: Vec<(&Option<NodeId>, Vec<Seen<'a>>)> = Vec::new();
    for item in screen.items.iter().skip(1) {
        let is_upright = item.node.transform.b == 0.0 && item.node.transform.c == 0.0;
        if !is_upright || item.on_page.area() <= 0.0 || !shows_edges(item) {
            continue;
        }
        match families.iter_mut().find(|(parent, _)| **parent == item.node.parent) {
            Some((_, family)) => family.push(*item),
            None => families.push((&item.node.parent, vec![*item])),
        }
    }
    let families = families.into_iter().map(|(_, family)| family);
    families.filter(|family| (2..=MOST).contains(&family.len())).collect()
}

/// Whether the edges of an item are where its box has them: those of a mask are not painted, and those of what a mask
/// cuts are elsewhere.
fn shows_edges(item: &Seen<'_>) -> bool {
    let Some(uncut) = item.uncut().filter(|_| !item.node.is_mask) else { return false };
    !item.is_masked || uncut.area() >= 0.99 * item.on_page.area()
}

/// What people call start, middle and end of a box along an axis.
fn edge_names(axis: Axis) -> [&'static str; 3] {
    match axis {
        Axis::Horizontal => ["left edge", "horizontal center", "right edge"],
        Axis::Vertical => ["top edge", "vertical center", "bottom edge"],
    }
}

/// Where one box begins after the other ends; negative where they overlap.
fn gap(axis: Axis, one: Rect, other: Rect) -> f64 {
    let (one, other) = (axis.span(one), axis.span(other));
    (other.0 - one.1).max(one.0 - other.1)
}

/// A node whose edge is nearly in line with a sibling's above or below (beside) it, and with none exactly.
fn nearly(document: &Document, item: &Seen<'_>, family: &[Seen<'_>], axis: Axis) -> Option<Flaw> {
    let (own, names) = (axis.edges(item.on_page), edge_names(axis));
    let mut best: Option<(f64, &'static str, &Seen<'_>)> = None;
    for other in family.iter().filter(|other| other.node.id != item.node.id) {
        // Only what follows each other across the axis can be in line.
        let apart = gap(axis.across(), item.on_page, other.on_page);
        if !(0.0..=APART).contains(&apart) {
            continue;
        }
        for ((own, edge), name) in own.iter().zip(axis.edges(other.on_page)).zip(names) {
            let by = edge - own;
            if by.abs() < SAME {
                return None;
            }
            let is_near = (1.0..=NEARLY).contains(&by.abs());
            if is_near && best.is_none_or(|(least, ..)| by.abs() < least.abs()) {
                best = Some((by, name, other));
            }
        }
    }
    let (by, edge, other) = best?;
    // Of two that are off from each other, the one that is painted later is moved.
    let is_first = family.iter().find(|it| [&item.node.id, &other.node.id].contains(&&it.node.id));
    let is_other_in_line = family.iter().any(|third| {
        third.node.id != other.node.id
            && third.node.id != item.node.id
            && in_line(axis, third.on_page, other.on_page)
    });
    if !is_other_in_line && is_first.is_some_and(|first| first.node.id == item.node.id) {
        return None;
    }
    let hunk = moved(document, item.node, axis.vector(by))?;
    let (off, names) = (px(by.abs()), (name(item.node), name(other.node)));
    let found = format!("The {edge} of {} is {off} off that of {}.", names.0, names.1);
    Some(Flaw { kind: FlawKind::Alignment, node: item.node.id.clone(), found, hunks: vec![hunk] })
}

fn in_line(axis: Axis, one: Rect, other: Rect) -> bool {
    let mut edges = axis.edges(one).into_iter().zip(axis.edges(other));
    edges.any(|(one, other)| (one - other).abs() < SAME)
}

/// Rows (columns) of three and more in which one gap differs from the others, with the nodes of each.
fn uneven<'a>(
    document: &Document,
    family: &[Seen<'a>],
    axis: Axis,
) -> Vec<(Vec<&'a NodeId>, Flaw)> {
    let mut flaws = Vec::new();
    for row in rows(family, axis) {
        let boxes = row.iter().map(|item| item.on_page);
        let gaps: Vec<f64> =
            boxes.clone().zip(boxes.skip(1)).map(|(one, next)| gap(axis, one, next)).collect();
        // Where no gap is the usual one, nothing is odd.
        let Some((usual, moves)) = evened(&gaps) else { continue };
        let hunks: Option<Vec<Hunk>> = moves
            .iter()
            .map(|(at, by)| moved(document, row.get(*at)?.node, axis.vector(*by)))
            .collect();
        let (Some(hunks), Some((first, _))) = (hunks, moves.first()) else { continue };
        let (Some(item), Some(before)) = (row.get(*first), row.get(first.wrapping_sub(1))) else {
            continue;
        };
        let gap = px(gaps.get(first.wrapping_sub(1)).copied().unwrap_or_default());
        let (names, usual) = ((name(before.node), name(item.node)), px(usual));
        let found = format!("The gap of {} and {} is {gap}, others are {usual}.", names.0, names.1);
        // All of the row: what is said of one of them is said of their spacing.
        let nodes = row.iter().map(|item| &item.node.id).collect();
        let node = item.node.id.clone();
        flaws.push((nodes, Flaw { kind: FlawKind::Gap, node, found, hunks }));
    }
    flaws
}

/// Siblings that follow each other along an axis and overlap across it, by where they begin.
fn rows<'a>(family: &[Seen<'a>], axis: Axis) -> Vec<Vec<Seen<'a>>> {
    let mut sorted: Vec<Seen<'a>> = family.to_vec();
    sorted.sort_by(|a, b| axis.span(a.on_page).0.total_cmp(&axis.span(b.on_page).0));
    let mut rows: Vec<Vec<Seen<'a>>> = Vec::new();
    for item in sorted {
        let row = rows.iter_mut().find(|row| {
            row.last().is_some_and(|last| {
                let apart = gap(axis, last.on_page, item.on_page);
                (0.0..=APART).contains(&apart) && is_beside(axis.across(), last, &item)
            })
        });
        match row {
            Some(row) => row.push(item),
            None => rows.push(vec![item]),
        }
    }
    rows.retain(|row| row.len() >= 3);
    rows
}

/// Whether two are of one kind and about as large across, and most of each is beside the other.
fn is_beside(across: Axis, one: &Seen<'_>, other: &Seen<'_>) -> bool {
    let (a, b) = (across.span(one.on_page), across.span(other.on_page));
    let common = a.1.min(b.1) - a.0.max(b.0);
    let (least, most) = ((a.1 - a.0).min(b.1 - b.0), (a.1 - a.0).max(b.1 - b.0));
    let is_same_kind = one.node.kind.type_name() == other.node.kind.type_name();
    is_same_kind && common >= 0.5 * most && least >= 0.5 * most
}

/// What makes gaps even: the usual gap, and which of those between move by how much. `None` where they are
/// even, or differ too much to be meant to be.
///
/// One that lies off between two others goes back between them; else all from the odd gap on move.
fn evened(gaps: &[f64]) -> Option<(f64, Vec<(usize, f64)>)> {
    let usual = usual(gaps)?;
    let off: Vec<(usize, f64)> = gaps
        .iter()
        .enumerate()
        .map(|(at, gap)| (at, usual - gap))
        .filter(|(_, by)| by.abs() >= 1.0)
        .collect();
    if off.iter().any(|(_, by)| by.abs() > UNEVEN) {
        return None;
    }
    match off.as_slice() {
        [(at, by)] => {
            // The node behind the gap, and all behind that.
            let following = (at + 1..=gaps.len()).map(|node| (node, *by));
            Some((usual, following.collect()))
        }
        [(at, by), (next, back)] if *next == at + 1 && (by + back).abs() < SAME => {
            Some((usual, vec![(at + 1, *by)]))
        }
        _ => None,
    }
}

/// The gap that most have; of two that differ, half of both.
fn usual(gaps: &[f64]) -> Option<f64> {
    if let [one, other] = gaps {
        return Some(f64::midpoint(*one, *other));
    }
    let counts = gaps
        .iter()
        .map(|gap| (gaps.iter().filter(|other| (*other - gap).abs() < SAME).count(), *gap));
    // The first of those that most have: the same design gives the same answer.
    let (count, gap) = counts.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    // With a node off between two others, two gaps are wrong.
    (count * 2 >= gaps.len() && count >= 2).then_some(gap)
}
