//! What lies under the pointer, and what a click on it selects.

use std::collections::HashSet;
use std::sync::Arc;

use super::handle::is_inside;
use super::outline::{is_in_area, is_near_outline};
use crate::base::{Point, Rect};
use crate::design::document::Document;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::paint::Paint;
use crate::design::shape::BooleanOp;

/// How hits are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitSettings {
    /// How near to an outline a pointer hits it, in units of the page: 5 points of the screen.
    pub tolerance: f64,
}

/// How deep a click goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// To what the entered container holds.
    Level,
    /// To the deepest node (Ctrl).
    Deepest,
}

impl HitSettings {
    /// Those for a zoom, in points of the screen a unit of the page.
    pub fn at_zoom(zoom: f64) -> Self {
        Self { tolerance: 5.0 / zoom }
    }
}

/// The nodes whose own paint is under a point of the page, the topmost first.
///
/// Hidden and locked nodes are never hit, nor what is cut off or masked there. A shape with a visible fill
/// is hit in its area, else near its outline; a text and a picture in their box; a combined shape where
/// its parts combine to something; a group through its children. The empty inside of a top frame with
/// children does not hit; that of other frames does, if it is filled.
pub fn hits(document: &Document, point: Point, settings: HitSettings) -> Vec<NodeId> {
    let mut found = Vec::new();
    hits_in(document, None, point, settings, &mut found);
    found
}

/// What a click selects: the node of the level that holds the topmost hit, or the hit itself.
///
/// `entered` is the container whose children are clicked on; `None`: those of the top frames.
pub fn hit(
    document: &Document,
    point: Point,
    entered: Option<&NodeId>,
    depth: Depth,
    settings: HitSettings,
) -> Option<NodeId> {
    let found = hits(document, point, settings);
    match depth {
        Depth::Deepest => found.into_iter().next(),
        Depth::Level => {
            // What lies in the entered container goes before what is beside it.
            let lifted: Vec<NodeId> =
                found.iter().filter_map(|id| child_at_level(document, id, entered)).collect();
            let inside = lifted
                .iter()
                .find(|id| document.get(id).is_some_and(|node| node.parent.as_ref() == entered));
            inside.or(lifted.first()).cloned()
        }
    }
}

/// The node that stands for a hit on a level: the child of the entered container on the way to it. Beside
/// that container, and where nothing is entered, the child of a top frame, or the top node itself.
pub fn child_at_level(
    document: &Document,
    hit: &NodeId,
    entered: Option<&NodeId>,
) -> Option<NodeId> {
    let node = document.get(hit)?;
    // From the hit up to the top of the page.
    let way: Vec<&Arc<Node>> =
        std::iter::once(node).chain(document.ancestors(hit)).filter(|it| it.has_box()).collect();
    if let Some(entered) = entered
        && let Some(at) = way.iter().position(|node| node.id == *entered)
    {
        // The container's own ground selects it.
        return way.get(at.saturating_sub(1)).map(|node| node.id.clone());
    }
    let top = way.last()?;
    let below = way.len().checked_sub(2).and_then(|at| way.get(at));
    let chosen = below.filter(|_| top.kind.is_some_frame()).unwrap_or(top);
    Some(chosen.id.clone())
}

/// What a double click selects: one level further in on the way from what is selected to the hit; `None`
/// if that is the deepest already.
pub fn enter(document: &Document, selected: &NodeId, hit: &NodeId) -> Option<NodeId> {
    let way = std::iter::once(hit.clone()).chain(document.ancestors(hit).map(|it| it.id.clone()));
    let mut further = None;
    for id in way {
        if id == *selected {
            return further;
        }
        further = Some(id);
    }
    None
}

/// What a rectangle drawn over the page selects, in paint order: nodes of the level that it meets; frames
/// only if they lie in it as a whole. [`Depth::Deepest`] gives all that it meets, without what holds them.
/// Of nodes that a frame cuts off only what is left counts, and those that a mask leaves nothing of are not met;
/// masks count by the boxes around them.
pub fn marquee(
    document: &Document,
    area: Rect,
    entered: Option<&NodeId>,
    depth: Depth,
) -> Vec<NodeId> {
    let mut level = Vec::new();
    match (depth, entered) {
        (Depth::Deepest, _) => shown_in(document, None, Region::ALL, usize::MAX, &mut level),
        // The top layers, and what lies in them.
        (Depth::Level, None) => shown_in(document, None, Region::ALL, 2, &mut level),
        (Depth::Level, Some(entered)) => {
            if let Some(within) = left_in(document, entered) {
                shown_in(document, Some(entered), within, 1, &mut level);
            }
        }
    }
    let met = level.into_iter().filter(|shown| shown.meets(document, area));
    let met: Vec<NodeId> = met.map(|shown| shown.node.id.clone()).collect();
    match depth {
        // Who holds something that is selected would be moved twice.
        Depth::Deepest => {
            let around = met.iter().flat_map(|id| document.ancestors(id)).map(|node| &node.id);
            let around: HashSet<&NodeId> = around.collect();
            met.iter().filter(|id| !around.contains(id)).cloned().collect()
        }
        Depth::Level => {
            let all: HashSet<&NodeId> = met.iter().collect();
            let free = met
                .iter()
                .filter(|id| !document.ancestors(id).any(|around| all.contains(&around.id)));
            free.cloned().collect()
        }
    }
}

/// A part of the page, by its left top and its right bottom corner, which may lie at infinity.
#[derive(Clone, Copy, Debug)]
struct Region {
    least: Point,
    most: Point,
}

impl Region {
    const ALL: Self = Self {
        least: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        most: Point::new(f64::INFINITY, f64::INFINITY),
    };

    fn of(area: Rect) -> Self {
        Self { least: area.origin(), most: Point::new(area.right(), area.bottom()) }
    }

    /// What lies in both; where that is nothing, the corners are the other way round.
    fn and(self, other: Self) -> Self {
        let (a, b) = (self.least, other.least);
        let least = Point::new(a.x.max(b.x), a.y.max(b.y));
        let (a, b) = (self.most, other.most);
        Self { least, most: Point::new(a.x.min(b.x), a.y.min(b.y)) }
    }

    /// Whether nothing is left, where so much was there before: of a line there is no area to begin with.
    fn is_lost(self, before: Self) -> bool {
        let (left, was) = (self.most.since(self.least), before.most.since(before.least));
        let along = [(left.x, was.x), (left.y, was.y)];
        along.into_iter().any(|(left, was)| left < 0.0 || (left <= 0.0 && was > 0.0))
    }

    fn holds(self, other: Self) -> bool {
        other.least.x >= self.least.x
            && other.least.y >= self.least.y
            && other.most.x <= self.most.x
            && other.most.y <= self.most.y
    }

    fn corners(self) -> [Point; 4] {
        let Self { least, most } = self;
        [least, Point::new(most.x, least.y), most, Point::new(least.x, most.y)]
    }
}

/// A node that can be hit, with the part of the page in which it is not cut off.
#[derive(Clone, Copy, Debug)]
struct VisibleNode<'a> {
    node: &'a Arc<Node>,
    within: Region,
}

impl VisibleNode<'_> {
    fn meets(&self, document: &Document, area: Rect) -> bool {
        let Self { node, within } = *self;
        let Ok(page_from_node) = document.absolute_transform(&node.id) else { return false };
        let bounds = Region::of(page_from_node.bounds_of(node.size));
        let (seen, area) = (bounds.and(within), Region::of(area));
        if !node.has_box() || seen.is_lost(bounds) {
            return false;
        }
        let is_whole = area.holds(seen);
        if is_whole || node.kind.is_some_frame() {
            return is_whole;
        }
        let seen_area = area.and(within);
        if seen_area.is_lost(area) {
            return false;
        }
        // Of a turned box the box around it says too much: both ways round, no side may part them.
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let own = corners.map(|(x, y)| {
            page_from_node.apply(Point::new(x * node.size.width, y * node.size.height))
        });
        let theirs = seen_area.corners();
        !parts(own, theirs) && !parts(theirs, own)
    }
}

/// What lies in a container and can be hit, with what lies in that down to so many levels of layers, in paint order;
/// pages and files are none. What hides a node hides what is in it.
fn shown_in<'a>(
    document: &'a Document,
    parent: Option<&NodeId>,
    within: Region,
    levels: usize,
    found: &mut Vec<VisibleNode<'a>>,
) {
    // Each mask cuts what lies over it, up to the next.
    let mut masked = within;
    for node in document.children_of(parent).iter().filter_map(|id| document.get(id)) {
        let own = masked;
        if node.is_mask && node.visible {
            masked = within.and(region_of(document, node));
        }
        if !can_be_hit(node) {
            continue;
        }
        let is_layer = !node.kind.is_file_or_page();
        if is_layer {
            found.push(VisibleNode { node, within: own });
        }
        let levels = levels - usize::from(is_layer);
        if levels > 0 {
            let cut = if node.clips() { own.and(region_of(document, node)) } else { own };
            shown_in(document, Some(&node.id), cut, levels, found);
        }
    }
}

/// The part of the page in which what lies in a container is not cut off by it, by what it lies in, or by their masks;
/// `None` where one of them cannot be hit.
fn left_in(document: &Document, container: &NodeId) -> Option<Region> {
    let mut left = Region::ALL;
    for node in document.get(container).into_iter().chain(document.ancestors(container)) {
        if !can_be_hit(node) {
            return None;
        }
        if node.clips() {
            left = left.and(region_of(document, node));
        }
        let siblings = document.children_of(node.parent.as_ref()).iter();
        let below = siblings.take_while(|id| **id != node.id).filter_map(|id| document.get(id));
        if let Some(mask) = below.filter(|below| below.is_mask && below.visible).last() {
            left = left.and(region_of(document, mask));
        }
    }
    Some(left)
}

/// The box around a node; of one without a place, everything.
fn region_of(document: &Document, node: &Node) -> Region {
    document.absolute_box(&node.id).map_or(Region::ALL, Region::of)
}

/// Whether a side of the one box parts it from the other.
fn parts(one: [Point; 4], other: [Point; 4]) -> bool {
    let [a, b, c, d] = one;
    [(a, b), (b, c)].into_iter().any(|(from, to)| {
        let along = to.since(from);
        // Across the side, as far as each box goes.
        let [own, theirs] = [[a, b, c, d], other].map(|corners| {
            let values = corners.map(|corner| along.x * corner.y - along.y * corner.x);
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            (least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        });
        own.1 < theirs.0 || theirs.1 < own.0
    })
}

fn hits_in(
    document: &Document,
    parent: Option<&NodeId>,
    point: Point,
    settings: HitSettings,
    found: &mut Vec<NodeId>,
) {
    // Each with the mask below it: it leaves of those above it only what it covers.
    let mut siblings: Vec<(&Arc<Node>, Option<&Arc<Node>>)> = Vec::new();
    let mut mask = None;
    for node in document.children_of(parent).iter().filter_map(|id| document.get(id)) {
        siblings.push((node, mask));
        if node.is_mask && node.visible {
            mask = Some(node);
        }
    }
    for (node, mask) in siblings.into_iter().rev().filter(|(node, _)| can_be_hit(node)) {
        let id = &node.id;
        if mask.is_some_and(|mask| !covers(document, mask, point, settings)) {
            continue;
        }
        let is_cut = node.clips() && !is_in_box(document, node, point);
        // Children are painted over what they lie in; those of a combined shape are no shapes of their own.
        if !is_cut && !matches!(node.kind, NodeKind::BooleanOperation(_)) {
            hits_in(document, Some(id), point, settings, found);
        }
        if is_hit_itself(document, node, point, settings) {
            found.push(id.clone());
        }
    }
}

/// Whether a node is shown and not locked.
pub fn can_be_hit(node: &Node) -> bool {
    node.visible && !node.locked
}

fn is_hit_itself(document: &Document, node: &Node, point: Point, settings: HitSettings) -> bool {
    if !node.has_box() || node.kind == NodeKind::Group || node.kind == NodeKind::Slice {
        return false;
    }
    let parent = node.parent.as_ref().and_then(|id| document.get(id));
    let is_top = parent.is_none_or(|parent| parent.kind.is_file_or_page());
    // A rectangle is drawn over the ground of a screen, not the screen moved.
    if is_top && node.kind.is_some_frame() && !node.children.is_empty() {
        return false;
    }
    covers(document, node, point, settings)
}

/// Whether a node's own shape is under a point of the page.
fn covers(document: &Document, node: &Node, point: Point, settings: HitSettings) -> bool {
    if matches!(node.kind, NodeKind::Group) {
        let children = node.children.iter().filter_map(|id| document.get(id));
        return children
            .filter(|child| can_be_hit(child))
            .any(|child| covers(document, child, point, settings));
    }
    if let NodeKind::BooleanOperation(op) = node.kind {
        return is_in_combined(document, node, op, point);
    }
    let Some(p) = in_node(document, node, point) else { return false };
    let is_box = node.text().is_some() || node.fills.iter().any(shows);
    if is_box && is_in_area(node, p) {
        return true;
    }
    let is_stroked = node.stroke.paints.iter().any(shows);
    let half = if is_stroked { node.stroke.weight / 2.0 } else { 0.0 };
    // With a fill only a stroke reaches beyond it; without any paint the outline is all there is.
    let has_outline = is_stroked || !is_box;
    has_outline && is_near_outline(node, p, half.max(settings.tolerance))
}

fn is_in_combined(document: &Document, node: &Node, op: BooleanOp, point: Point) -> bool {
    let children = node.children.iter().filter_map(|id| document.get(id));
    let inside: Vec<bool> = children
        .filter(|child| child.visible)
        .map(|child| match child.kind {
            NodeKind::BooleanOperation(op) => is_in_combined(document, child, op, point),
            // Parts count by their area, whatever paints they have of their own.
            _ => in_node(document, child, point).is_some_and(|p| is_in_area(child, p)),
        })
        .collect();
    match op {
        BooleanOp::Union => inside.contains(&true),
        BooleanOp::Intersect => !inside.is_empty() && !inside.contains(&false),
        BooleanOp::Subtract => {
            inside.first() == Some(&true) && !inside.iter().skip(1).any(|is_in| *is_in)
        }
        BooleanOp::Exclude => inside.iter().filter(|is_in| **is_in).count() % 2 == 1,
    }
}

/// A point of the page in a node's own space.
fn in_node(document: &Document, node: &Node, point: Point) -> Option<Point> {
    let page_from_node = document.absolute_transform(&node.id).ok()?;
    Some(page_from_node.inverse()?.apply(point))
}

fn is_in_box(document: &Document, node: &Node, point: Point) -> bool {
    let Ok(page_from_node) = document.absolute_transform(&node.id) else { return false };
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        .map(|(x, y)| page_from_node.apply(Point::new(x * node.size.width, y * node.size.height)));
    is_inside(corners, point)
}

/// Whether a paint is there to be hit, however opaque it is.
fn shows(paint: &Paint) -> bool {
    paint.visible
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rgba};
    use crate::design::edit::Transaction;
    use crate::design::node::node_in_box as node;

    const SETTINGS: HitSettings = HitSettings { tolerance: 5.0 };

    fn filled(id: &str, kind: NodeKind, parent: Option<&str>, at: [f64; 4]) -> Node {
        let fills = vec![Paint::solid(Rgba::BLACK)];
        Node { fills, ..node(id, kind, parent, at) }
    }

    /// A screen with a card that holds a group of two and a title.
    fn screen() -> Document {
        let mut screen = filled("screen", NodeKind::Frame, None, [100.0, 0.0, 300.0, 300.0]);
        screen.clips_content = true;
        Document::from_nodes([
            screen,
            filled("card", NodeKind::Frame, Some("screen"), [20.0, 20.0, 200.0, 200.0]),
            node("group", NodeKind::Group, Some("card"), [10.0, 10.0, 100.0, 40.0]),
            filled("a", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 40.0, 40.0]),
            filled("b", NodeKind::Rectangle, Some("group"), [60.0, 0.0, 40.0, 40.0]),
            node("ring", NodeKind::Rectangle, Some("card"), [10.0, 100.0, 80.0, 80.0]),
            filled("out", NodeKind::Rectangle, Some("screen"), [280.0, 100.0, 60.0, 40.0]),
        ])
        .unwrap()
    }

    fn edited(id: &str, how: impl FnOnce(&mut Node)) -> Document {
        let mut document = screen();
        let mut change = Transaction::begin(&mut document);
        change.update(&id.into(), how).unwrap();
        change.commit();
        document
    }

    fn at(document: &Document, x: f64, y: f64) -> Vec<String> {
        let found = hits(document, Point::new(x, y), SETTINGS);
        found.iter().map(ToString::to_string).collect()
    }

    fn clicked(entered: Option<&str>, depth: Depth, x: f64, y: f64) -> Option<String> {
        let entered = entered.map(NodeId::from);
        let point = Point::new(x, y);
        let found = hit(&screen(), point, entered.as_ref(), depth, SETTINGS);
        found.map(|id| id.to_string())
    }

    #[test]
    fn what_is_painted_last_is_hit_first_and_a_screens_ground_is_not() {
        let document = screen();
        assert_eq!(at(&document, 140.0, 40.0), ["a", "card"]);
        // Between the two of the group there is only the card.
        assert_eq!(at(&document, 180.0, 40.0), ["card"]);
        assert_eq!(at(&document, 350.0, 250.0), [""; 0]);
        // Without children the screen is hit as any shape.
        let empty = Document::from_nodes([filled("s", NodeKind::Frame, None, [0.0; 4])]).unwrap();
        assert_eq!(at(&empty, 0.0, 0.0), ["s"]);
    }

    #[test]
    fn hidden_locked_and_cut_off_nodes_are_not_hit() {
        assert_eq!(at(&edited("group", |it| it.visible = false), 140.0, 40.0), ["card"]);
        let locked = edited("a", |it| it.locked = true);
        assert_eq!(at(&locked, 140.0, 40.0), ["card"]);
        // The screen ends at 400, the shape at 440.
        assert_eq!(at(&screen(), 390.0, 120.0), ["out"]);
        assert_eq!(at(&screen(), 410.0, 120.0), [""; 0]);
        let open = edited("screen", |screen| screen.clips_content = false);
        assert_eq!(at(&open, 410.0, 120.0), ["out"]);
    }

    #[test]
    fn a_shape_without_a_fill_is_hit_by_its_outline() {
        assert_eq!(at(&screen(), 134.0, 160.0), ["ring", "card"]);
        assert_eq!(at(&screen(), 160.0, 160.0), ["card"], "not in its middle");
        let thick = edited("ring", |ring| {
            ring.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
            ring.stroke.weight = 30.0;
        });
        assert_eq!(at(&thick, 144.0, 160.0), ["ring", "card"]);
        // A fill that is seen through hits all the same.
        let clear = edited("ring", |ring| ring.fills = vec![Paint::solid(Rgba::TRANSPARENT)]);
        assert_eq!(at(&clear, 160.0, 160.0), ["ring", "card"]);
    }

    #[test]
    fn a_mask_leaves_only_what_it_covers() {
        let document = edited("a", |a| a.is_mask = true);
        assert_eq!(at(&document, 190.0, 40.0), ["card"], "b lies beside its mask");
    }

    #[test]
    fn a_click_selects_on_the_level_that_was_entered() {
        assert_eq!(clicked(None, Depth::Level, 140.0, 40.0).unwrap(), "card");
        assert_eq!(clicked(Some("card"), Depth::Level, 140.0, 40.0).unwrap(), "group");
        assert_eq!(clicked(Some("group"), Depth::Level, 140.0, 40.0).unwrap(), "a");
        assert_eq!(clicked(Some("group"), Depth::Level, 390.0, 120.0).unwrap(), "out");
        assert_eq!(clicked(None, Depth::Deepest, 140.0, 40.0).unwrap(), "a");
        assert_eq!(clicked(None, Depth::Level, 350.0, 250.0), None);
    }

    #[test]
    fn double_clicks_go_in_one_level_each() {
        let document = screen();
        let step = |from: &str| enter(&document, &from.into(), &"a".into());
        assert_eq!(step("card"), Some("group".into()));
        assert_eq!(step("group"), Some("a".into()));
        assert_eq!(step("a"), None);
    }

    #[test]
    fn a_marquee_meets_shapes_and_takes_frames_only_whole() {
        let document = screen();
        let ids = |area, entered: Option<&str>, depth| {
            let entered = entered.map(NodeId::from);
            let found = marquee(&document, area, entered.as_ref(), depth);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        // A corner of the card, and of the shape beside it.
        let corner = Rect::new(300.0, 110.0, 90.0, 20.0);
        assert_eq!(ids(corner, None, Depth::Level), ["out"]);
        assert_eq!(ids(Rect::new(110.0, 10.0, 220.0, 220.0), None, Depth::Level), ["card"]);
        let over_a = Rect::new(150.0, 20.0, 15.0, 20.0);
        assert_eq!(ids(over_a, Some("card"), Depth::Level), ["group"]);
        assert_eq!(ids(over_a, None, Depth::Deepest), ["a"]);
        // Around everything the screen comes, and not what it holds as well.
        let all = Rect::new(-10.0, -10.0, 600.0, 600.0);
        assert_eq!(ids(all, None, Depth::Level), ["screen"]);
        assert_eq!(ids(all, None, Depth::Deepest), ["a", "b", "ring", "out"]);
    }

    #[test]
    fn what_is_cut_off_or_masked_is_not_met() {
        let met = |document: &Document, area, entered: Option<&str>, depth| {
            let entered = entered.map(NodeId::from);
            let found = marquee(document, area, entered.as_ref(), depth);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        // The screen ends at 400, the shape at 440: beside the screen there is nothing to be seen of it.
        let beside = Rect::new(405.0, 90.0, 100.0, 100.0);
        let over_its_end = Rect::new(390.0, 90.0, 100.0, 100.0);
        for depth in [Depth::Level, Depth::Deepest] {
            assert_eq!(met(&screen(), beside, None, depth), [""; 0]);
            assert_eq!(met(&screen(), over_its_end, None, depth), ["out"]);
            let open = edited("screen", |screen| screen.clips_content = false);
            assert_eq!(met(&open, beside, None, depth), ["out"]);
        }
        assert_eq!(met(&screen(), beside, Some("screen"), Depth::Level), [""; 0]);
        // What is left of a frame counts as all of it.
        let cut = edited("card", |card| card.transform.e = 250.0);
        let over_end = Rect::new(340.0, 10.0, 80.0, 220.0);
        assert_eq!(met(&cut, over_end, None, Depth::Level), ["card", "out"]);
        // Nothing of b is left by its mask, and half of it by a wider one.
        let over_b = Rect::new(185.0, 20.0, 50.0, 60.0);
        let masked = edited("a", |a| a.is_mask = true);
        assert_eq!(met(&masked, over_b, Some("group"), Depth::Level), [""; 0]);
        let wide = edited("a", |a| (a.is_mask, a.size.width) = (true, 80.0));
        assert_eq!(met(&wide, over_b, Some("group"), Depth::Level), ["a", "b"]);
        let hidden = edited("a", |a| (a.is_mask, a.visible) = (true, false));
        assert_eq!(met(&hidden, over_b, Some("group"), Depth::Level), ["b"]);
    }

    #[test]
    fn a_turned_box_is_met_by_its_own_sides() {
        let turned =
            Affine::translate(100.0, 100.0).after(Affine::rotate(std::f64::consts::PI / 4.0));
        let mut bar = filled("bar", NodeKind::Rectangle, None, [0.0, 0.0, 200.0, 10.0]);
        bar.transform = turned;
        let document = Document::from_nodes([bar]).unwrap();
        // It goes up to the right: the box around it is large and mostly empty.
        let empty = Rect::new(105.0, -30.0, 30.0, 30.0);
        assert_eq!(marquee(&document, empty, None, Depth::Level), []);
        let on_it = Rect::new(160.0, 20.0, 30.0, 30.0);
        assert_eq!(marquee(&document, on_it, None, Depth::Level), [NodeId::from("bar")]);
    }
}
