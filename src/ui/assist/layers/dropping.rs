//! Rows that are dragged: where they would go.

use crate::design::{Document, NodeId};
use crate::editor::TreeRow;

/// Where dragged layers would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DropPlace {
    /// What they would lie in.
    pub(super) parent: Option<NodeId>,
    /// How many of its children would stay below them.
    pub(super) index: usize,
    /// Where that is shown.
    pub(super) shown: DropMark,
}

/// Where a place is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DropMark {
    /// A line over the row of this number, as far in as so many levels.
    Line {
        /// The row that comes after.
        before: usize,
        /// How many layers they would lie in.
        depth: u32,
    },
    /// The row itself.
    Into(usize),
}

/// Where the pointer is over the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OverRow {
    /// The row.
    pub(super) row: usize,
    /// How far down in it, 0..1.
    pub(super) share: f32,
    /// How far in, in levels.
    pub(super) level: f32,
}

/// Where dragged layers go that are let go there; `None` where they cannot go.
pub(super) fn drop_at(
    document: &Document,
    rows: &[TreeRow],
    dragged: &[NodeId],
    over: OverRow,
) -> Option<DropPlace> {
    let row = rows.get(over.row)?;
    let node = document.get(&row.id)?;
    let holds = node.kind.is_container();
    let place = if holds && (0.25..0.75).contains(&over.share) {
        let index = node.children.len();
        DropPlace { parent: Some(row.id.clone()), index, shown: DropMark::Into(over.row) }
    } else if over.share < 0.5 {
        let shown = DropMark::Line { before: over.row, depth: row.depth };
        beside(document, &row.id, DropSide::Above, shown)?
    } else if row.folded == Some(false) {
        // Under an open layer is in front of all that lies in it.
        let shown = DropMark::Line { before: over.row + 1, depth: row.depth + 1 };
        DropPlace { parent: Some(row.id.clone()), index: node.children.len(), shown }
    } else {
        // Behind the last layer of another one, how far left the pointer is says behind which.
        let (mut id, mut depth) = (&row.id, row.depth);
        while (over.level.max(0.0) as u32) < depth
            && let Some(parent) = document.get(id).and_then(|node| node.parent.as_ref())
            && document.children_of(Some(parent)).first() == Some(id)
        {
            (id, depth) = (parent, depth - 1);
        }
        let shown = DropMark::Line { before: over.row + 1, depth };
        beside(document, id, DropSide::Below, shown)?
    };
    let is_inside = place.parent.as_ref().is_some_and(|parent| {
        dragged.contains(parent)
            || document.ancestors(parent).any(|around| dragged.contains(&around.id))
    });
    (!is_inside).then_some(place)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DropSide {
    Above,
    Below,
}

fn beside(document: &Document, id: &NodeId, side: DropSide, shown: DropMark) -> Option<DropPlace> {
    let parent = document.get(id)?.parent.clone();
    let at = document.children_of(parent.as_ref()).position(id)?;
    let index = if side == DropSide::Above { at + 1 } else { at };
    Some(DropPlace { parent, index, shown })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::design::{Node, NodeKind};
    use crate::editor::tree_rows;

    fn node(id: &str, kind: NodeKind, parent: Option<&str>) -> Node {
        Node { parent: parent.map(NodeId::from), ..Node::new(id.into(), id, kind) }
    }

    /// Rows: screen, card, title, label, ground, folded.
    fn tree() -> (Document, Vec<TreeRow>) {
        let document = Document::from_nodes([
            node("page", NodeKind::Canvas, None),
            node("screen", NodeKind::Frame, Some("page")),
            node("folded", NodeKind::Frame, Some("screen")),
            node("inner", NodeKind::Rectangle, Some("folded")),
            node("ground", NodeKind::Rectangle, Some("screen")),
            node("card", NodeKind::Frame, Some("screen")),
            node("label", NodeKind::Rectangle, Some("card")),
            node("title", NodeKind::Rectangle, Some("card")),
        ])
        .unwrap();
        let open: BTreeSet<NodeId> = ["screen", "card"].map(NodeId::from).into();
        let rows = tree_rows(&document, &open, "");
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["screen", "card", "title", "label", "ground", "folded"]);
        (document, rows)
    }

    fn at(
        dragged: &[&str],
        row: usize,
        share: f32,
        level: f32,
    ) -> Option<(String, usize, DropMark)> {
        let (document, rows) = tree();
        let dragged: Vec<NodeId> = dragged.iter().map(|id| NodeId::from(*id)).collect();
        let place = drop_at(&document, &rows, &dragged, OverRow { row, share, level })?;
        let parent = place.parent.map(|id| id.as_str().to_owned()).unwrap_or_default();
        Some((parent, place.index, place.shown))
    }

    #[test]
    fn over_the_middle_of_a_container_goes_into_it_and_over_its_edge_beside_it() {
        let into = |row| DropMark::Into(row);
        assert_eq!(at(&["ground"], 1, 0.5, 1.0), Some(("card".to_owned(), 2, into(1))));
        let line = DropMark::Line { before: 1, depth: 1 };
        assert_eq!(at(&["ground"], 1, 0.1, 1.0), Some(("screen".to_owned(), 3, line)));
        // A rectangle holds nothing: its halves are above and below it.
        let line = DropMark::Line { before: 4, depth: 1 };
        assert_eq!(at(&["title"], 4, 0.4, 1.0), Some(("screen".to_owned(), 2, line)));
        let line = DropMark::Line { before: 5, depth: 1 };
        assert_eq!(at(&["title"], 4, 0.6, 1.0), Some(("screen".to_owned(), 1, line)));
    }

    #[test]
    fn under_an_open_layer_is_in_front_of_what_lies_in_it() {
        let line = DropMark::Line { before: 2, depth: 2 };
        assert_eq!(at(&["ground"], 1, 0.9, 1.0), Some(("card".to_owned(), 2, line)));
        let line = DropMark::Line { before: 6, depth: 1 };
        assert_eq!(at(&["title"], 5, 0.9, 1.0), Some(("screen".to_owned(), 0, line)));
    }

    #[test]
    fn behind_the_last_of_a_layer_the_pointer_says_how_far_out() {
        let inside = DropMark::Line { before: 4, depth: 2 };
        assert_eq!(at(&["ground"], 3, 0.9, 2.5), Some(("card".to_owned(), 0, inside)));
        let outside = DropMark::Line { before: 4, depth: 1 };
        assert_eq!(at(&["ground"], 3, 0.9, 1.2), Some(("screen".to_owned(), 2, outside)));
    }

    #[test]
    fn nothing_goes_into_itself_or_beside_what_lies_in_it() {
        assert_eq!(at(&["card"], 1, 0.5, 1.0), None);
        assert_eq!(at(&["card"], 2, 0.1, 2.0), None);
        assert_eq!(at(&["screen", "ground"], 4, 0.1, 1.0), None);
        assert_eq!(at(&["card"], 9, 0.1, 1.0), None);
    }
}
