//! What was painted where: a scene remembered after its document is gone, to be compared with the
//! next one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Affine, Rect};
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::render::scene::SceneNode;

/// A painted node with its subtree.
#[derive(Debug)]
pub(crate) struct Painted {
    node: Arc<Node>,
    page_from_node: Affine,
    /// The page box of every pixel it paints.
    reach: Option<Rect>,
    /// Whether it is painted on a layer of its own, whose pixels lie by its reach.
    is_layer: bool,
    /// Whether what is within shows elsewhere too, as its shadows and blurs do.
    has_effects: bool,
    /// The nodes that a combined shape is made of; none for other nodes.
    parts: Vec<Arc<Node>>,
    children: Vec<Self>,
}

/// What of a picture is no longer true.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Damage {
    /// The page box of it; `None` where nothing is seen of the change.
    pub(crate) area: Option<Rect>,
    /// Whether anything changed at all.
    is_changed: bool,
}

impl Damage {
    fn and(self, other: Self) -> Self {
        Self {
            area: Rect::union_all(self.area.into_iter().chain(other.area)),
            is_changed: self.is_changed || other.is_changed,
        }
    }

    /// All of these nodes.
    fn of<'p>(nodes: impl IntoIterator<Item = &'p Painted>) -> Self {
        let area = Rect::union_all(nodes.into_iter().filter_map(|node| node.reach));
        Self { area, is_changed: true }
    }
}

impl Painted {
    /// What is painted of `nodes`, of a scene of `document`.
    pub(crate) fn all(nodes: &[SceneNode<'_>], document: &Document) -> Vec<Self> {
        nodes.iter().map(|node| Self::of(node, document)).collect()
    }

    fn of(scene_node: &SceneNode<'_>, document: &Document) -> Self {
        let node = scene_node.node;
        let is_combined = matches!(node.kind, NodeKind::BooleanOperation(_));
        let parts = is_combined.then(|| document.subtree(&node.id).skip(1).cloned());
        Self {
            node: Arc::clone(node),
            page_from_node: scene_node.page_from_node,
            reach: scene_node.reach,
            is_layer: scene_node.needs_layer(),
            has_effects: scene_node.effects.is_some(),
            parts: parts.into_iter().flatten().collect(),
            children: Self::all(&scene_node.children, document),
        }
    }

    /// Where the picture of this node is no longer that of `now`.
    fn damage(&self, now: &Self) -> Damage {
        if !self.is_painted_like(now) {
            return Damage::of([self, now]);
        }
        let inside = damage(&self.children, &now.children);
        // The pixels of a layer lie by its corner, and rounding there may fall otherwise.
        let moves_layer = self.is_layer && self.reach != now.reach;
        // A change within shows wherever its shadow or blur does.
        let spreads = self.has_effects && inside.is_changed;
        if moves_layer || spreads { Damage::of([self, now]) } else { inside }
    }

    /// Whether the node itself, but for its children, is painted as it was.
    fn is_painted_like(&self, now: &Self) -> bool {
        self.page_from_node == now.page_from_node
            && self.is_layer == now.is_layer
            && self.has_effects == now.has_effects
            && self.parts.len() == now.parts.len()
            && self.parts.iter().zip(&now.parts).all(|(part, now)| Arc::ptr_eq(part, now))
            // Last, as it compares all fields.
            && is_same_but_for_children(&self.node, &now.node)
    }
}

/// Where the picture of the siblings `before` is no longer that of the siblings `now`.
pub(crate) fn damage(before: &[Painted], now: &[Painted]) -> Damage {
    if before.len() == now.len() && before.iter().zip(now).all(|(a, b)| a.node.id == b.node.id) {
        return damage_in_place(before, now);
    }
    // What a mask holds for depends on the order of all.
    if has_mask(before) || has_mask(now) {
        return Damage::of(before.iter().chain(now));
    }
    damage_of_listed(before, now)
}

/// Of the same nodes in the same order.
fn damage_in_place(before: &[Painted], now: &[Painted]) -> Damage {
    if before.iter().zip(now).any(|(before, now)| before.node.is_mask != now.node.is_mask) {
        return Damage::of(before.iter().chain(now));
    }
    let mut damage = Damage::default();
    for (before, now) in before.iter().zip(now) {
        // What a mask lets through lies on a layer of the mask's extent.
        let moves_layer = before.node.is_mask && before.reach != now.reach;
        damage =
            damage.and(if moves_layer { Damage::of([before, now]) } else { before.damage(now) });
    }
    damage
}

/// Of siblings without masks, some of which came, went or changed places.
fn damage_of_listed(before: &[Painted], now: &[Painted]) -> Damage {
    let (index_before, index_now) = (index_by_id(before), index_by_id(now));
    if index_before.len() != before.len() || index_now.len() != now.len() {
        return Damage::of(before.iter().chain(now)); // A node is listed twice.
    }
    let went = before.iter().filter(|node| !index_now.contains_key(&node.node.id));
    let came = now.iter().filter(|node| !index_before.contains_key(&node.node.id));
    let stayed = before.iter().filter(|node| index_now.contains_key(&node.node.id));
    let stays = now.iter().filter(|node| index_before.contains_key(&node.node.id));
    let mut moved = Damage::default();
    for (was, is) in stayed.zip(stays) {
        moved = moved.and(if was.node.id == is.node.id {
            was.damage(is)
        } else {
            // Both have another rank: they may lie over others now, or below them.
            let from = index_before.get(&is.node.id).and_then(|index| before.get(*index));
            let to = index_now.get(&was.node.id).and_then(|index| now.get(*index));
            Damage::of([was, is].into_iter().chain(from).chain(to))
        });
    }
    Damage::of(went.chain(came)).and(moved)
}

fn index_by_id(nodes: &[Painted]) -> BTreeMap<&NodeId, usize> {
    nodes.iter().enumerate().map(|(index, node)| (&node.node.id, index)).collect()
}

fn has_mask(nodes: &[Painted]) -> bool {
    nodes.iter().any(|node| node.node.is_mask)
}

fn is_same_but_for_children(before: &Arc<Node>, now: &Arc<Node>) -> bool {
    if Arc::ptr_eq(before, now) {
        return true;
    }
    let mut alike = Node::clone(before);
    alike.children.clone_from(&now.children);
    alike == **now
}
