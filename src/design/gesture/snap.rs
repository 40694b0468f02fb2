//! What a moving box is drawn to: edges and middles of others, and equal gaps.

use std::collections::HashSet;

use crate::base::{Axis, Rect, Vector};
use crate::design::document::Document;
use crate::design::node::Node;
use crate::design::node_id::NodeId;

/// How near edges and middles draw, in points of the screen.
const EDGES: f64 = 5.0;
/// How near equal gaps draw, in points of the screen.
const GAPS: f64 = 8.0;
/// The most boxes that draw.
const MOST: usize = 100;
/// Edges that differ by no more are in line.
const SAME: f64 = 1e-6;

/// By how much a box is drawn, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapped {
    /// What is added to where the pointer has it.
    pub by: Vector,
    /// Lines along which the box is then in line with others.
    pub guides: Vec<Guide>,
    /// Gaps that are then equal.
    pub gaps: Vec<GapGuide>,
}

/// A line along edges or middles that are in line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide {
    /// Which coordinate is the same: of [`Axis::Horizontal`] the line stands upright.
    pub axis: Axis,
    /// That coordinate.
    pub at: f64,
    /// Where the line begins along the other axis, so that it spans all boxes that are in line.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// One of several equal gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapGuide {
    /// Along which axis.
    pub axis: Axis,
    /// Where the gap begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Where it is drawn along the other axis.
    pub at: f64,
}

/// The boxes that a selection may be drawn to: its siblings, its parent, and what lies beside its parent;
/// only what is on the screen, the nearest first, 100 at most.
pub fn snap_candidates(document: &Document, selection: &[NodeId], on_screen: Rect) -> Vec<Rect> {
    let Some(first) = selection.first().and_then(|id| document.get(id)) else { return Vec::new() };
    let own = selection.iter().filter_map(|id| document.absolute_box(id).ok());
    let Some(own) = Rect::union_all(own) else { return Vec::new() };
    let parent = first.parent.as_ref().and_then(|id| document.get(id));
    let siblings = document.children_of(first.parent.as_ref()).iter();
    let around = parent.into_iter().flat_map(|parent| {
        // Beside the parent, itself among them.
        document.children_of(parent.parent.as_ref()).iter().chain([&parent.id])
    });
    // What is seen already, and what is dragged itself.
    let mut seen: HashSet<&NodeId> = selection.iter().collect();
    let mut boxes: Vec<(f64, Rect)> = Vec::new();
    for id in siblings.chain(around) {
        if !seen.insert(id) {
            continue;
        }
        let Some(node) = document.get(id).filter(|node| is_seen(node)) else { continue };
        let Ok(bounds) = document.absolute_box(&node.id) else { continue };
        let (a, b) = (bounds.expand(SAME), on_screen);
        if a.intersection(b).is_some() {
            let by = bounds.center().since(own.center());
            boxes.push((by.x.hypot(by.y), bounds));
        }
    }
    boxes.sort_by(|a, b| a.0.total_cmp(&b.0));
    boxes.truncate(MOST);
    boxes.into_iter().map(|(_, bounds)| bounds).collect()
}

fn is_seen(node: &Node) -> bool {
    node.visible && node.has_box()
}

/// Draws a moving box to others: on each axis by itself, to what is nearest, edges and middles within 5
/// points of the screen, gaps within 8. `zoom` is in points of the screen a unit of the page.
pub fn snap_move(moving: Rect, others: &[Rect], zoom: f64) -> Snapped {
    let mut by = Vector::default();
    for axis in Axis::ALL {
        let edge = nearest_edge(axis, moving, others, EDGES / zoom);
        let gap = nearest_gap(axis, moving, others, GAPS / zoom);
        // Of two that are as near the edge is the plainer reason.
        let found = match (edge, gap) {
            (Some(edge), Some(gap)) if gap.abs() < edge.abs() => Some(gap),
            (edge, gap) => edge.or(gap),
        };
        let along = axis.vector(found.unwrap_or(0.0));
        by = Vector { x: by.x + along.x, y: by.y + along.y };
    }
    let moved = moving.translate(by);
    let guides = Axis::ALL.iter().flat_map(|axis| guides(*axis, moved, others)).collect();
    let gaps = Axis::ALL.iter().flat_map(|axis| gaps(*axis, moved, others)).collect();
    Snapped { by, guides, gaps }
}

fn nearest_edge(axis: Axis, moving: Rect, others: &[Rect], reach: f64) -> Option<f64> {
    let own = axis.edges(moving);
    let all = others.iter().flat_map(|other| axis.edges(*other));
    let offsets = all.flat_map(|edge| own.map(|own| edge - own));
    nearest(offsets, reach)
}

fn nearest(offsets: impl Iterator<Item = f64>, reach: f64) -> Option<f64> {
    let near = offsets.filter(|by| by.abs() <= reach);
    // The first of those that are as near: the nearest box comes first.
    near.reduce(|best, by| if by.abs() < best.abs() { by } else { best })
}

/// To where the gap to a neighbour is that between two others, or both gaps beside it are the same.
fn nearest_gap(axis: Axis, moving: Rect, others: &[Rect], reach: f64) -> Option<f64> {
    let (start, end) = axis.span(moving);
    let row = in_row(axis, moving, others);
    let mut offsets = Vec::new();
    for (one, other) in pairs(axis, &row) {
        let ((_, one_end), (other_start, _)) = (axis.span(one), axis.span(other));
        let gap = other_start - one_end;
        // Before the first, behind the second, and in the middle between them.
        offsets.push(axis.span(other).1 + gap - start);
        offsets.push(axis.span(one).0 - gap - end);
        if gap >= end - start {
            offsets.push(f64::midpoint(one_end, other_start) - f64::midpoint(start, end));
        }
    }
    nearest(offsets.into_iter(), reach)
}

/// The boxes that lie beside the moving one.
fn in_row(axis: Axis, moving: Rect, others: &[Rect]) -> Vec<Rect> {
    let (top, bottom) = axis.across().span(moving);
    let beside = others.iter().filter(|other| {
        let (other_top, other_bottom) = axis.across().span(**other);
        other_top < bottom && top < other_bottom
    });
    beside.copied().collect()
}

/// Pairs of which the one ends before the other begins.
fn pairs(axis: Axis, row: &[Rect]) -> impl Iterator<Item = (Rect, Rect)> {
    let all = row.iter().flat_map(|one| row.iter().map(|other| (*one, *other)));
    all.filter(move |(one, other)| axis.span(*one).1 < axis.span(*other).0)
}

/// A line for each coordinate at which the box is in line with another.
fn guides(axis: Axis, moved: Rect, others: &[Rect]) -> Vec<Guide> {
    let mut guides: Vec<Guide> = Vec::new();
    for own in axis.edges(moved) {
        let in_line = others
            .iter()
            .filter(|other| axis.edges(**other).iter().any(|edge| (edge - own).abs() <= SAME));
        let Some(spanned) = in_line.copied().reduce(Rect::union) else { continue };
        let (from, to) = axis.across().span(spanned.union(moved));
        // A line without width has its three edges at one place.
        if guides.iter().all(|guide| (guide.at - own).abs() > SAME) {
            guides.push(Guide { axis, at: own, from, to });
        }
    }
    guides
}

/// The gaps beside the box that are equal to one another, or to that between two others.
fn gaps(axis: Axis, moved: Rect, others: &[Rect]) -> Vec<GapGuide> {
    let row = in_row(axis, moved, others);
    let (start, end) = axis.span(moved);
    let before = row.iter().map(|other| axis.span(*other).1).filter(|edge| *edge <= start);
    let behind = row.iter().map(|other| axis.span(*other).0).filter(|edge| *edge >= end);
    let before = before.reduce(f64::max).map(|edge| (edge, start));
    let behind = behind.reduce(f64::min).map(|edge| (end, edge));
    let own: Vec<(f64, f64)> = before.into_iter().chain(behind).collect();
    let theirs = pairs(axis, &row).map(|(one, other)| (axis.span(one).1, axis.span(other).0));
    // One that the box itself lies in is not there any more.
    let theirs: Vec<(f64, f64)> =
        theirs.filter(|(from, to)| *to <= start + SAME || *from >= end - SAME).collect();
    let at = axis.across().edges(moved)[1];
    let mut gaps: Vec<GapGuide> = Vec::new();
    for gap in &own {
        let same = own
            .iter()
            .chain(&theirs)
            .filter(|other| *other != gap && ((other.1 - other.0) - (gap.1 - gap.0)).abs() <= SAME);
        let same: Vec<&(f64, f64)> = same.collect();
        if same.is_empty() {
            continue;
        }
        for (from, to) in std::iter::once(gap).chain(same) {
            let guide = GapGuide { axis, from: *from, to: *to, at };
            if !gaps.contains(&guide) {
                gaps.push(guide);
            }
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::node::{NodeKind, node_in_box};
    use proptest::prelude::*;

    fn rect() -> impl Strategy<Value = Rect> {
        (-400..400_i32, -400..400_i32, 1..200_i32, 1..200_i32).prop_map(|(x, y, w, h)| {
            Rect::new(f64::from(x), f64::from(y), f64::from(w), f64::from(h))
        })
    }

    #[test]
    fn the_nearest_edge_wins_and_axes_are_apart() {
        let others = [Rect::new(100.0, 100.0, 50.0, 50.0), Rect::new(0.0, 300.0, 98.0, 20.0)];
        // Its left edge is 3 from one and 1 from the right edge of the other.
        let snapped = snap_move(Rect::new(97.0, 260.0, 30.0, 30.0), &others, 1.0);
        assert_eq!(snapped.by, Vector { x: 1.0, y: 0.0 });
        let [guide] = snapped.guides.as_slice() else { panic!("{:?}", snapped.guides) };
        assert_eq!((guide.axis, guide.at), (Axis::Horizontal, 98.0));
        assert_eq!((guide.from, guide.to), (260.0, 320.0), "it spans both boxes");
        // Magnified, the same places are further apart on the screen.
        let snapped = snap_move(Rect::new(97.0, 260.0, 30.0, 30.0), &others, 8.0);
        assert_eq!(snapped.by, Vector::default());
    }

    #[test]
    fn gaps_become_equal_between_and_behind_others() {
        let row = [Rect::new(0.0, 0.0, 40.0, 40.0), Rect::new(160.0, 0.0, 40.0, 40.0)];
        // In the middle there would be forty on both sides.
        let between = snap_move(Rect::new(86.0, 11.0, 40.0, 17.0), &row, 1.0);
        assert_eq!(between.by.x, -6.0);
        let gaps: Vec<_> = between.gaps.iter().map(|gap| (gap.from, gap.to)).collect();
        assert_eq!(gaps, [(40.0, 80.0), (120.0, 160.0)]);
        let close = [Rect::new(0.0, 0.0, 40.0, 40.0), Rect::new(60.0, 0.0, 40.0, 40.0)];
        let behind = snap_move(Rect::new(127.0, 11.0, 33.0, 17.0), &close, 1.0);
        assert_eq!(behind.by.x, -7.0);
        assert_eq!(behind.gaps.len(), 2);
    }

    #[test]
    fn only_what_is_on_the_screen_draws_and_no_more_than_a_hundred() {
        let mut nodes =
            vec![node_in_box("screen", NodeKind::Frame, None, [0.0, 0.0, 5000.0, 5000.0])];
        for n in 0..150 {
            let at = [f64::from(n) * 12.0, 0.0, 10.0, 10.0];
            nodes.push(node_in_box(&format!("n{n}"), NodeKind::Frame, Some("screen"), at));
        }
        let document = Document::from_nodes(nodes).unwrap();
        let all = Rect::new(0.0, 0.0, 5000.0, 5000.0);
        let found = snap_candidates(&document, &["n0".into()], all);
        assert_eq!(found.len(), 100);
        assert_eq!(found[0].x, 12.0, "the nearest first");
        let near = snap_candidates(&document, &["n0".into()], Rect::new(0.0, 0.0, 50.0, 50.0));
        // Four siblings and the parent.
        assert_eq!(near.len(), 5);
    }

    proptest! {
        #[test]
        fn it_never_draws_further_than_it_reaches(
            moving in rect(), others in prop::collection::vec(rect(), 0..8), zoom in 0.1..8.0f64,
        ) {
            let Snapped { by, .. } = snap_move(moving, &others, zoom);
            prop_assert!(by.x.abs() <= GAPS / zoom && by.y.abs() <= GAPS / zoom);
        }

        /// By trying all edges of all boxes.
        #[test]
        fn no_edge_is_nearer_than_the_one_that_draws(
            moving in rect(), others in prop::collection::vec(rect(), 0..8),
        ) {
            let found = nearest_edge(Axis::Vertical, moving, &others, EDGES);
            let mut slow: Option<f64> = None;
            for other in &others {
                for theirs in [other.y, other.y + other.height / 2.0, other.y + other.height] {
                    for own in [moving.y, moving.y + moving.height / 2.0, moving.y + moving.height] {
                        let by = (theirs - own).abs();
                        if by <= EDGES && slow.is_none_or(|least| by < least) {
                            slow = Some(by);
                        }
                    }
                }
            }
            prop_assert_eq!(found.map(f64::abs), slow);
        }

        #[test]
        fn what_was_drawn_stays(moving in rect(), others in prop::collection::vec(rect(), 0..8)) {
            let once = snap_move(moving, &others, 1.0).by;
            let again = snap_move(moving.translate(once), &others, 1.0).by;
            // Either it is in line and stays, or there is nothing near.
            let drawn = nearest_edge(Axis::Horizontal, moving, &others, EDGES) == Some(once.x);
            prop_assert!(!drawn || again.x == 0.0);
        }
    }
}
