//! Putting several nodes in order: in line, evenly spaced, in rows.

use super::place::{moved_on_page, topmost};
use crate::base::{Axis, Rect, Vector};
use crate::design::document::Document;
use crate::design::hunk::Hunk;
use crate::design::node_id::NodeId;

/// Where nodes are put in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlignTo {
    /// By their left edges.
    Left,
    /// By their middles, across.
    HorizontalCenter,
    /// By their right edges.
    Right,
    /// By their top edges.
    Top,
    /// By their middles, down.
    VerticalCenter,
    /// By their bottom edges.
    Bottom,
}

/// Puts nodes in line within the box around all of them; a single one within its parent, unless that is a page, which
/// has no edges. Nodes that auto layout places stay.
pub fn align(document: &Document, selection: &[NodeId], to: AlignTo) -> Vec<Hunk> {
    let boxes = boxes(document, selection);
    let around = match boxes.as_slice() {
        [(id, _)] => {
            let parent = document.get(id).and_then(|node| document.get(node.parent.as_ref()?));
            let parent = parent.filter(|parent| parent.has_box());
            parent.and_then(|parent| document.absolute_box(&parent.id).ok())
        }
        all => Rect::union_all(all.iter().map(|(_, own)| *own)),
    };
    let Some(around) = around else { return Vec::new() };
    let moves = boxes.iter().map(|(id, own)| {
        let (x, y) = match to {
            AlignTo::Left => (around.x - own.x, 0.0),
            AlignTo::HorizontalCenter => (around.center().x - own.center().x, 0.0),
            AlignTo::Right => (around.right() - own.right(), 0.0),
            AlignTo::Top => (0.0, around.y - own.y),
            AlignTo::VerticalCenter => (0.0, around.center().y - own.center().y),
            AlignTo::Bottom => (0.0, around.bottom() - own.bottom()),
        };
        (id, Vector { x, y })
    });
    moved(document, moves)
}

/// Spaces nodes evenly between the outermost two, which stay. Fewer than three are as they are.
pub fn distribute(document: &Document, selection: &[NodeId], axis: Axis) -> Vec<Hunk> {
    let mut boxes = boxes(document, selection);
    if boxes.len() < 3 {
        return Vec::new();
    }
    boxes.sort_by(|a, b| axis.span(a.1).0.total_cmp(&axis.span(b.1).0));
    let (Some(first), Some(last)) = (boxes.first(), boxes.last()) else { return Vec::new() };
    let start = axis.span(first.1).0;
    let room = axis.span(last.1).1 - start;
    let taken: f64 = boxes.iter().map(|(_, own)| axis.extent(*own)).sum();
    // Negative where they overlap: they then do so evenly.
    let gap = (room - taken) / (boxes.len() - 1) as f64;
    let mut at = start;
    let mut moves = Vec::new();
    for (id, own) in &boxes {
        moves.push((id, axis.vector(at - axis.span(*own).0)));
        at += axis.extent(*own) + gap;
    }
    // The last stays where it is, whatever sums of fractions say.
    moves.pop();
    moved(document, moves.into_iter())
}

/// Puts nodes into rows, left to right and top to bottom in the order they lie in, with one gap between
/// them on each axis: the usual one there was. Rows stay rows: nodes that overlap down the page are one.
pub fn tidy_up(document: &Document, selection: &[NodeId]) -> Vec<Hunk> {
    let mut boxes = boxes(document, selection);
    if boxes.len() < 2 {
        return Vec::new();
    }
    boxes.sort_by(|a, b| a.1.center().y.total_cmp(&b.1.center().y));
    let mut rows: Vec<Vec<(NodeId, Rect)>> = Vec::new();
    for item in boxes {
        match rows.last_mut() {
            // Its middle is within the first of the row.
            Some(row) if row.first().is_some_and(|first| holds_middle(first.1, item.1)) => {
                row.push(item);
            }
            _ => rows.push(vec![item]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    }
    let all = rows.iter().flatten().map(|(_, own)| *own);
    let Some(around) = Rect::union_all(all) else { return Vec::new() };
    let across = usual(rows.iter().flat_map(|row| {
        row.windows(2).filter_map(|pair| Some(pair.get(1)?.1.x - pair.first()?.1.right()))
    }));
    let tops: Vec<(f64, f64)> = rows.iter().filter_map(|row| spans(row)).collect();
    let down = usual(tops.windows(2).filter_map(|pair| Some(pair.get(1)?.0 - pair.first()?.1)));
    let mut moves = Vec::new();
    let mut y = around.y;
    for row in &rows {
        let mut x = around.x;
        let height = row.iter().map(|(_, own)| own.height).fold(0.0, f64::max);
        for (id, own) in row {
            moves.push((id, Vector { x: x - own.x, y: y - own.y }));
            x += own.width + across;
        }
        y += height + down;
    }
    moved(document, moves.into_iter())
}

fn boxes(document: &Document, selection: &[NodeId]) -> Vec<(NodeId, Rect)> {
    let nodes = topmost(document, selection).into_iter();
    nodes.filter_map(|id| document.absolute_box(&id).ok().map(|own| (id, own))).collect()
}

fn moved<'a>(document: &Document, moves: impl Iterator<Item = (&'a NodeId, Vector)>) -> Vec<Hunk> {
    // What is in its place already is not touched, so that its numbers keep their digits.
    let moves = moves.filter(|(_, by)| by.x.hypot(by.y) > 1e-9);
    moves.filter_map(|(id, by)| moved_on_page(document, id, by)).collect()
}

fn holds_middle(row: Rect, own: Rect) -> bool {
    let middle = own.center().y;
    middle >= row.y && middle <= row.bottom()
}

/// Where a row begins and ends down the page.
fn spans(row: &[(NodeId, Rect)]) -> Option<(f64, f64)> {
    let around = Rect::union_all(row.iter().map(|(_, own)| *own))?;
    Some((around.y, around.bottom()))
}

/// The middle one of gaps, in whole units, none of them below nothing; 0 of none.
fn usual(gaps: impl Iterator<Item = f64>) -> f64 {
    let mut gaps: Vec<f64> = gaps.map(|gap| gap.round().max(0.0)).collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Size};
    use crate::design::edit::{Edit, Transaction};
    use crate::design::hunk::{Consequences, apply_hunks};
    use crate::design::measure::NoTexts;
    use crate::design::node::{Node, NodeKind};
    use proptest::prelude::*;

    /// Boxes in a frame that is turned a quarter or not, so that the page's axes are not always its own.
    fn page(boxes: &[[f64; 4]], is_turned: bool) -> (Document, Vec<NodeId>) {
        let mut frame = Node::new("frame".into(), "frame", NodeKind::Frame);
        frame.size = Size::new(500.0, 500.0);
        let quarter = Affine { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 0.0, f: 0.0 };
        frame.transform = if is_turned { quarter } else { Affine::translate(30.0, 70.0) };
        let mut document = Document::from_nodes([frame]).unwrap();
        let mut change = Transaction::begin(&mut document);
        let mut ids = Vec::new();
        for [x, y, width, height] in boxes.iter().copied() {
            let id = change.new_id();
            let mut node = Node::new(id.clone(), "node", NodeKind::Rectangle);
            node.size = Size::new(width, height);
            change.insert(node, Some(&"frame".into()), None).unwrap();
            change.set_absolute_transform(&id, Affine::translate(x, y)).unwrap();
            ids.push(id);
        }
        change.commit();
        (document, ids)
    }

    fn after(document: &Document, hunks: &[Hunk]) -> Document {
        let mut document = document.clone();
        let before = document.clone();
        let edit = carried_out(&mut document, hunks);
        let mut undone = document.clone();
        edit.inverse().apply(&mut undone);
        assert_eq!(undone, before, "undone exactly");
        document
    }

    fn carried_out(document: &mut Document, hunks: &[Hunk]) -> Edit {
        apply_hunks(document, hunks, Consequences::Settle, &NoTexts).unwrap()
    }

    fn places(document: &Document, ids: &[NodeId]) -> Vec<(f64, f64)> {
        let boxes = ids.iter().map(|id| document.absolute_box(id).unwrap());
        boxes.map(|at| ((at.x * 1e6).round() / 1e6, (at.y * 1e6).round() / 1e6)).collect()
    }

    #[test]
    fn edges_and_middles_come_in_line() {
        for is_turned in [false, true] {
            let (document, ids) =
                page(&[[0.0, 0.0, 20.0, 20.0], [50.0, 40.0, 40.0, 10.0]], is_turned);
            for (to, expected) in [
                (AlignTo::Left, [(0.0, 0.0), (0.0, 40.0)]),
                (AlignTo::Right, [(70.0, 0.0), (50.0, 40.0)]),
                (AlignTo::HorizontalCenter, [(35.0, 0.0), (25.0, 40.0)]),
                (AlignTo::Top, [(0.0, 0.0), (50.0, 0.0)]),
                (AlignTo::Bottom, [(0.0, 30.0), (50.0, 40.0)]),
                (AlignTo::VerticalCenter, [(0.0, 15.0), (50.0, 20.0)]),
            ] {
                let hunks = align(&document, &ids, to);
                assert_eq!(places(&after(&document, &hunks), &ids), expected, "{to:?}");
            }
        }
    }

    #[test]
    fn a_single_node_is_put_in_line_with_its_parent() {
        let (document, ids) = page(&[[40.0, 90.0, 20.0, 20.0]], false);
        let hunks = align(&document, &ids, AlignTo::Right);
        assert_eq!(places(&after(&document, &hunks), &ids), [(510.0, 90.0)]);
    }

    #[test]
    fn rows_are_tidied_with_the_usual_gap() {
        let (document, ids) = page(
            &[
                [0.0, 3.0, 20.0, 20.0],
                [28.0, 0.0, 20.0, 20.0],
                [60.0, 5.0, 20.0, 20.0],
                [2.0, 31.0, 20.0, 20.0],
            ],
            false,
        );
        let tidy = after(&document, &tidy_up(&document, &ids));
        let expected = [(0.0, 0.0), (32.0, 0.0), (64.0, 0.0), (0.0, 26.0)];
        assert_eq!(places(&tidy, &ids), expected);
        assert_eq!(tidy_up(&tidy, &ids), [], "what is tidy stays");
    }

    proptest! {
        #[test]
        fn distributed_nodes_have_one_gap_and_keep_their_ends(
            boxes in prop::collection::vec((0..300_i32, 0..300_i32, 1..60_i32), 3..8), is_turned: bool,
        ) {
            let boxes: Vec<[f64; 4]> = boxes
                .into_iter()
                .map(|(x, y, side)| [x, y, side, side].map(f64::from))
                .collect();
            let (document, ids) = page(&boxes, is_turned);
            let hunks = distribute(&document, &ids, Axis::Horizontal);
            let spaced = after(&document, &hunks);
            let mut in_order: Vec<&NodeId> = ids.iter().collect();
            let left = |document: &Document, id: &NodeId| document.absolute_box(id).unwrap().x;
            in_order.sort_by(|a, b| left(&document, a).total_cmp(&left(&document, b)));
            // Where they overlap, others may reach beyond the two at the ends.
            for end in [in_order[0], in_order[ids.len() - 1]] {
                prop_assert!((left(&document, end) - left(&spaced, end)).abs() < 1e-6);
            }
        }

        #[test]
        fn gaps_between_distributed_nodes_are_equal(
            widths in prop::collection::vec(1..40_i32, 3..8), offs in prop::collection::vec(0..20_i32, 8),
        ) {
            // In a row that does not overlap, so that the order is plain.
            let mut x = 0;
            let boxes: Vec<[f64; 4]> = widths.iter().zip(&offs).map(|(width, off)| {
                x += off + 1;
                let at = [x, 0, *width, 10].map(f64::from);
                x += width;
                at
            }).collect();
            let (document, ids) = page(&boxes, false);
            let spaced = after(&document, &distribute(&document, &ids, Axis::Horizontal));
            let own: Vec<Rect> = ids.iter().map(|id| spaced.absolute_box(id).unwrap()).collect();
            let gaps: Vec<f64> = own.windows(2).map(|pair| pair[1].x - pair[0].right()).collect();
            prop_assert!(gaps.iter().all(|gap| (gap - gaps[0]).abs() < 1e-6), "{gaps:?}");
        }
    }
}
