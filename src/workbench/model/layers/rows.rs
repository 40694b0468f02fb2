//! The nodes of two designs in one list.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{Point, Rect, Vector};
use crate::design::diff::{self, Change, NodeDiff, Pairing};
use crate::design::{Document, Node, NodeId};

use super::key::Comparison;

/// How the nodes of two designs were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedBy {
    /// The same id: two states of one document.
    Id,
    /// What they are and where: documents made apart.
    Content,
}

/// One node of a tree of layers.
#[derive(Clone, Debug)]
pub struct LayerRow {
    /// Its id, in the other design if [`Self::is_ghost`].
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Its Figma type.
    pub kind: String,
    /// How many rows it lies in.
    pub depth: u32,
    /// The row after the last one that lies in it.
    pub end: usize,
    /// Whether only the other design has it.
    pub is_ghost: bool,
    /// Whether it and all it lies in are visible.
    pub is_visible: bool,
    /// The node of the other design that is the same.
    pub partner: Option<NodeId>,
    /// How it differs from its partner.
    pub changes: Vec<Change>,
    /// The same in kinds, in order, each once.
    pub change_kinds: Vec<ChangeKind>,
    /// Its box from the corner of the screen, in canvas units; `None` for a node without one.
    pub screen_box: Option<Rect>,
    /// The box of its partner, from the corner of the other screen.
    pub partner_box: Option<Rect>,
    /// Which steps of the run made it.
    pub history: Option<NodeHistory>,
}

/// Which steps of a run made a node what it is; 0 is the start state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHistory {
    /// The step that made it.
    pub made: u32,
    /// The last step that changed it, children aside; the same as `made` if none did.
    pub changed: u32,
}

/// A kind of difference between a node and its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Has no partner: added since, or more than the ground truth has.
    Added,
    /// Only in the other design: removed since, or missing.
    Removed,
    /// Elsewhere.
    Moved,
    /// Of another size.
    Resized,
    /// Turned or flipped otherwise.
    Turned,
    /// Looking otherwise.
    Restyled,
    /// With other words.
    Rewritten,
    /// Of another type.
    Retyped,
    /// In another parent.
    Reparented,
    /// At another place among its siblings.
    Reordered,
    /// With another name.
    Renamed,
}

impl ChangeKind {
    /// All kinds, in order.
    pub const ALL: [Self; 11] = [
        Self::Added,
        Self::Removed,
        Self::Moved,
        Self::Resized,
        Self::Turned,
        Self::Restyled,
        Self::Rewritten,
        Self::Retyped,
        Self::Reparented,
        Self::Reordered,
        Self::Renamed,
    ];

    /// The kind of a change.
    pub fn of(change: &Change) -> Self {
        match change {
            Change::Added => Self::Added,
            Change::Removed => Self::Removed,
            Change::Moved { .. } => Self::Moved,
            Change::Resized { .. } => Self::Resized,
            Change::Turned { .. } => Self::Turned,
            Change::Restyled { .. } => Self::Restyled,
            Change::Rewritten { .. } => Self::Rewritten,
            Change::Retyped { .. } => Self::Retyped,
            Change::Reparented { .. } => Self::Reparented,
            Change::Reordered { .. } => Self::Reordered,
            Change::Renamed { .. } => Self::Renamed,
        }
    }

    /// One word for it. What has no partner is `added` or `removed` between two steps, `extra` or
    /// `missing` against the ground truth.
    pub fn word(self, against: Comparison) -> &'static str {
        let is_truth = against == Comparison::GroundTruth;
        match self {
            Self::Added if is_truth => "extra",
            Self::Removed if is_truth => "missing",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Resized => "resized",
            Self::Turned => "turned",
            Self::Restyled => "restyled",
            Self::Rewritten => "rewritten",
            Self::Retyped => "retyped",
            Self::Reparented => "re-parented",
            Self::Reordered => "reordered",
            Self::Renamed => "renamed",
        }
    }
}

/// The rows of a design, what is painted last first, with what only the other design has where it
/// would be.
pub(in crate::workbench) fn rows(
    design: &Document,
    other: Option<&Document>,
    pairing: &Pairing,
    paired_by: Option<PairedBy>,
) -> Vec<LayerRow> {
    let nothing = Document::default();
    let before = other.unwrap_or(&nothing);
    // Without another design nothing is added and nothing moved: there is nothing to differ from.
    let found =
        if other.is_some() { diff::diff(before, design, pairing) } else { diff::Diff::default() };
    let mut listing = Listing {
        design,
        before,
        pairing,
        paired_by,
        changes: by_later_id(found.nodes),
        corners: [design, before].map(corner_of_screen),
        rows: Vec::with_capacity(design.len()),
    };
    let tops = merged(&top_nodes(design), &top_nodes(before), pairing);
    listing.list(&tops, Nesting { depth: 0, is_visible: true });
    listing.rows
}

fn by_later_id(nodes: Vec<NodeDiff>) -> BTreeMap<NodeId, Vec<Change>> {
    nodes.into_iter().filter_map(|node| Some((node.after?, node.changes))).collect()
}

/// The top nodes with a box, bottom first: below file and pages.
fn top_nodes(design: &Document) -> Vec<NodeId> {
    let (mut tops, mut stack): (Vec<NodeId>, Vec<NodeId>) =
        (Vec::new(), design.roots().iter().rev().cloned().collect());
    // Last in, first out: reversed, so that the order on the page stays.
    while let Some(id) = stack.pop() {
        match design.get(&id) {
            Some(node) if node.kind.is_file_or_page() => {
                stack.extend(node.children.iter().rev().cloned());
            }
            Some(_) => tops.push(id),
            None => {}
        }
    }
    tops
}

/// A node of either design.
#[derive(Clone, Debug, PartialEq)]
enum LayerItem {
    Own(NodeId),
    Ghost(NodeId),
}

/// The siblings of both designs, bottom first: a ghost stands right above the nearest sibling below
/// it that has a partner here.
fn merged(own: &[NodeId], others: &[NodeId], pairing: &Pairing) -> Vec<LayerItem> {
    let here: BTreeSet<&NodeId> = own.iter().collect();
    let mut ghosts: BTreeMap<Option<&NodeId>, Vec<&NodeId>> = BTreeMap::new();
    // What moved to another parent is no anchor here: it is listed where it is now.
    let mut below = None;
    for id in others {
        match pairing.after(id) {
            Some(partner) if here.contains(partner) => below = Some(partner),
            Some(_) => {}
            None => ghosts.entry(below).or_default().push(id),
        }
    }
    let mut items = Vec::with_capacity(own.len() + others.len());
    for anchor in std::iter::once(None).chain(own.iter().map(Some)) {
        items.extend(anchor.cloned().map(LayerItem::Own));
        let above = ghosts.remove(&anchor).unwrap_or_default();
        items.extend(above.into_iter().cloned().map(LayerItem::Ghost));
    }
    items
}

/// How rows lie in each other.
#[derive(Clone, Copy)]
struct Nesting {
    /// How many rows the next one lies in.
    depth: u32,
    /// Whether all of those are visible.
    is_visible: bool,
}

impl Nesting {
    /// What lies in this node, which lies here.
    fn below(self, node: &Node) -> Self {
        Self { depth: self.depth + 1, is_visible: self.is_visible && node.visible }
    }
}

struct Listing<'a> {
    design: &'a Document,
    before: &'a Document,
    pairing: &'a Pairing,
    paired_by: Option<PairedBy>,
    changes: BTreeMap<NodeId, Vec<Change>>,
    /// Where the screen lies on the page, of both designs.
    corners: [Vector; 2],
    rows: Vec<LayerRow>,
}

impl Listing<'_> {
    /// Adds siblings with what lies in them. Goes down as deep as the designs, which is bounded.
    fn list(&mut self, items: &[LayerItem], nested: Nesting) {
        // Items are bottom first, as designs keep them; people read layers from the top.
        for item in items.iter().rev() {
            match item {
                LayerItem::Own(id) => self.list_own(id, nested),
                LayerItem::Ghost(id) => self.list_ghost(id, nested),
            }
        }
    }

    fn list_own(&mut self, id: &NodeId, nested: Nesting) {
        let Some(node) = self.design.get(id) else { return };
        let partner = self.pairing.before(id);
        let changes = self.changes.remove(id).unwrap_or_default();
        let [corner, other_corner] = self.corners;
        let row = LayerRow {
            partner_box: partner.and_then(|id| screen_box(self.before, id, other_corner)),
            change_kinds: self.change_kinds(&changes),
            changes,
            screen_box: screen_box(self.design, id, corner),
            partner: partner.cloned(),
            ..plain_row(node, nested)
        };
        let others = partner.map(|id| self.before.children_of(Some(id)).to_vec());
        let own = node.children.to_vec();
        let items = merged(&own, &others.unwrap_or_default(), self.pairing);
        self.push(row, &items, nested.below(node));
    }

    fn list_ghost(&mut self, id: &NodeId, nested: Nesting) {
        let Some(node) = self.before.get(id) else { return };
        let row = LayerRow {
            is_ghost: true,
            changes: vec![Change::Removed],
            change_kinds: vec![ChangeKind::Removed],
            screen_box: screen_box(self.before, id, self.corners[1]),
            ..plain_row(node, nested)
        };
        // What lay in it and has a partner stands where that is: only ghosts are listed below a ghost.
        let items = merged(&[], &node.children.to_vec(), self.pairing);
        self.push(row, &items, nested.below(node));
    }

    fn push(&mut self, row: LayerRow, items: &[LayerItem], nested: Nesting) {
        let at = self.rows.len();
        self.rows.push(row);
        self.list(items, nested);
        // Known only now that all that lies in it has its rows.
        let end = self.rows.len();
        if let Some(row) = self.rows.get_mut(at) {
            row.end = end;
        }
    }

    /// The kinds of difference. Names do not count between documents made apart: everybody names
    /// layers in their own way.
    fn change_kinds(&self, changes: &[Change]) -> Vec<ChangeKind> {
        let made_apart = self.paired_by == Some(PairedBy::Content);
        let found: BTreeSet<ChangeKind> = changes.iter().map(ChangeKind::of).collect();
        found.into_iter().filter(|kind| !(made_apart && *kind == ChangeKind::Renamed)).collect()
    }
}

fn plain_row(node: &Node, nested: Nesting) -> LayerRow {
    LayerRow {
        id: node.id.clone(),
        name: node.name.clone(),
        kind: node.kind.type_name().to_owned(),
        depth: nested.depth,
        end: 0,
        is_ghost: false,
        is_visible: nested.is_visible && node.visible,
        partner: None,
        changes: Vec::new(),
        change_kinds: Vec::new(),
        screen_box: None,
        partner_box: None,
        history: None,
    }
}

fn corner_of_screen(design: &Document) -> Vector {
    // Each from its own: where on the page a screen lies is chance, and no difference.
    let frame = design.main_frame().and_then(|frame| design.absolute_box(&frame.id).ok());
    Point::ZERO.since(frame.map(Rect::origin).unwrap_or_default())
}

fn screen_box(design: &Document, id: &NodeId, to_screen: Vector) -> Option<Rect> {
    design.get(id).filter(|node| node.has_box())?;
    Some(design.absolute_box(id).ok()?.translate(to_screen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::NodeKind;
    use crate::design::diff::{pair_by_content, pair_by_id};
    use proptest::prelude::*;

    fn document(nodes: &[(&str, Option<&str>, f64)]) -> Document {
        let made = nodes.iter().map(|(id, parent, x)| {
            let mut node = Node::new(NodeId::from(*id), *id, NodeKind::Frame);
            node.parent = parent.map(NodeId::from);
            node.transform = crate::base::Affine::translate(*x, 0.0);
            node.size = Size::new(10.0, 10.0);
            node
        });
        Document::from_nodes(made).unwrap()
    }

    fn by_id(before: &Document, after: &Document) -> Vec<LayerRow> {
        rows(after, Some(before), &pair_by_id(before, after), Some(PairedBy::Id))
    }

    fn shape(rows: &[LayerRow]) -> Vec<String> {
        let mut shape = Vec::new();
        for row in rows {
            let ghost = if row.is_ghost { "~" } else { "" };
            shape.push(format!("{}{ghost}{}", " ".repeat(row.depth as usize), row.name));
        }
        shape
    }

    /// A node for each of these, with its parent among those before it and where it lies.
    fn nested(spec: &[(usize, f64)]) -> Document {
        let names: Vec<String> = (0..=spec.len()).map(|at| format!("1:{at}")).collect();
        let mut nodes = vec![(names[0].as_str(), None, 0.0)];
        for (at, (parent, x)) in spec.iter().enumerate() {
            nodes.push((names[at + 1].as_str(), Some(names[*parent.min(&at)].as_str()), *x));
        }
        document(&nodes)
    }

    #[test]
    fn layers_are_listed_from_the_top_with_parents_before_children() {
        let design = document(&[("f", None, 0.0), ("a", Some("f"), 0.0), ("b", Some("f"), 0.0)]);
        let listed = rows(&design, None, &Pairing::default(), None);
        assert_eq!(shape(&listed), ["f", " b", " a"]);
        assert_eq!(listed.iter().map(|row| row.end).collect::<Vec<_>>(), [3, 2, 3]);
    }

    #[test]
    fn what_was_removed_stands_where_it_was() {
        let before = document(&[
            ("f", None, 0.0),
            ("a", Some("f"), 0.0),
            ("b", Some("f"), 0.0),
            ("in b", Some("b"), 0.0),
            ("c", Some("f"), 0.0),
        ]);
        let after = document(&[("f", None, 0.0), ("a", Some("f"), 5.0), ("c", Some("f"), 0.0)]);
        let listed = by_id(&before, &after);
        assert_eq!(shape(&listed), ["f", " c", " ~b", "  ~in b", " a"]);
        let moved = listed.iter().find(|row| row.name == "a").unwrap();
        assert_eq!(moved.change_kinds, [ChangeKind::Moved]);
        assert_eq!(moved.partner_box.unwrap().x, 0.0);
        assert_eq!(moved.screen_box.unwrap().x, 5.0);
    }

    #[test]
    fn what_moved_out_of_something_removed_is_listed_once() {
        let before = document(&[("f", None, 0.0), ("g", Some("f"), 0.0), ("a", Some("g"), 0.0)]);
        let after = document(&[("f", None, 0.0), ("a", Some("f"), 0.0)]);
        let listed = by_id(&before, &after);
        assert_eq!(shape(&listed), ["f", " a", " ~g"]);
        assert_eq!(listed[1].change_kinds, [ChangeKind::Reparented]);
    }

    #[test]
    fn names_do_not_count_between_documents_made_apart() {
        let before = document(&[("f", None, 0.0), ("a", Some("f"), 0.0)]);
        let after = document(&[("screen", None, 0.0), ("rect", Some("screen"), 0.0)]);
        let pairing = pair_by_content(&before, &after);
        let listed = rows(&after, Some(&before), &pairing, Some(PairedBy::Content));
        assert!(listed.iter().all(|row| row.partner.is_some() && row.change_kinds.is_empty()));
        assert!(
            listed.iter().all(|row| !row.changes.is_empty()),
            "the names are told all the same"
        );
    }

    proptest! {
        #[test]
        fn every_node_of_both_designs_is_in_one_row(
            was in prop::collection::vec((0usize..6, 0.0f64..50.0), 0..14),
            is in prop::collection::vec((0usize..6, 0.0f64..50.0), 0..14),
        ) {
            let (before, after) = (nested(&was), nested(&is));
            let listed = by_id(&before, &after);
            let own = listed.iter().filter(|row| !row.is_ghost).count();
            let ghosts = listed.iter().filter(|row| row.is_ghost).count();
            prop_assert_eq!(own, after.len());
            prop_assert_eq!(ghosts + listed.iter().filter(|row| row.partner.is_some()).count(), before.len());
            for (at, row) in listed.iter().enumerate() {
                prop_assert!(row.end > at && row.end <= listed.len());
                prop_assert!(listed[at + 1..row.end].iter().all(|below| below.depth > row.depth));
            }
        }
    }
}
