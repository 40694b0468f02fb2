//! Elements that are there and that nobody sees.

use std::sync::Arc;

use super::flaw::{Flaw, FlawKind, moved, name};
use super::overflow::inside;
use super::seen::{Screen, Seen, shows};

use crate::base::Rect;
use crate::design::diff::StyleField;
use crate::design::hunk::{Field, Hunk, HunkChange};
use crate::design::{Node, NodeId, NodeKind};

/// How much of a corner's radius its round leaves of the box on a side: 1 − √½.
const ROUND: f64 = 0.3;

pub(super) fn find(screen: &Screen<'_>) -> Vec<Flaw> {
    let items = screen.items.iter().enumerate();
    let own = items.filter(|(_, item)| item.on_page.area() > 0.0 && has_look(item.node));
    own.filter_map(|(at, item)| {
        clear(screen, item).or_else(|| outside(screen, item)).or_else(|| covered(screen, at, item))
    })
    .collect()
}

/// Whether a node would be seen by itself, were it not for others.
fn has_look(node: &Node) -> bool {
    let is_blank = node.text().is_some_and(|text| text.characters.trim().is_empty());
    // What is in a combined shape is no layer of its own.
    let is_leaf = node.children.is_empty() || matches!(node.kind, NodeKind::BooleanOperation(_));
    let is_outlined = node.stroke.weight > 0.0 && node.stroke.paints.iter().any(shows);
    !is_blank && !node.is_mask && is_leaf && (node.fills.iter().any(shows) || is_outlined)
}

fn clear(screen: &Screen<'_>, item: &Seen<'_>) -> Option<Flaw> {
    if item.node.opacity > 0.0 {
        return None;
    }
    let like = Arc::new(Node { opacity: 1.0, ..Node::clone(item.node) });
    let opacity = Field::Style(StyleField::Opacity);
    let hunk = Hunk::set(screen.document, &item.node.id, opacity, &like)?;
    let found = format!("{} has an opacity of 0 %: nobody sees it.", name(item.node));
    Some(flaw(item, found, hunk))
}

fn outside(screen: &Screen<'_>, item: &Seen<'_>) -> Option<Flaw> {
    // What a mask leaves nothing of is cut off by no frame.
    let clip = item.clip.filter(|_| !item.is_masked && item.uncut().is_none())?;
    let hunk = moved(screen.document, item.node, inside(item.on_page, clip)?)?;
    let found = format!("{} lies outside its frame, which cuts it off.", name(item.node));
    Some(flaw(item, found, hunk))
}

fn covered(screen: &Screen<'_>, at: usize, item: &Seen<'_>) -> Option<Flaw> {
    let part = item.uncut()?;
    let above = screen.items.iter().skip(at + 1).filter(|above| above.color().is_some());
    let cover = above
        .filter(|above| !screen.is_inside(&above.node.id, &item.node.id))
        .find(|above| covers(above, part))?;
    let hunk = brought_before(screen, &item.node.id, &cover.node.id)?;
    let found = format!("{} is covered by {}: nobody sees it.", name(item.node), name(cover.node));
    Some(flaw(item, found, hunk))
}

fn flaw(item: &Seen<'_>, found: String, hunk: Hunk) -> Flaw {
    Flaw { kind: FlawKind::Hidden, node: item.node.id.clone(), found, hunks: vec![hunk] }
}

/// Whether nothing of a part of the page is seen through an item.
fn covers(item: &Seen<'_>, part: Rect) -> bool {
    let radii = item.node.corner_radii;
    let all = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
    let round = all.into_iter().fold(0.0, f64::max) * ROUND;
    let Some(own) = item.uncut().map(|own| own.expand(-round)) else { return false };
    own.x <= part.x
        && own.y <= part.y
        && own.right() >= part.right()
        && own.bottom() >= part.bottom()
}

/// The hunk that puts a node before another: where the two are not siblings, what holds the one before
/// what holds the other.
fn brought_before(screen: &Screen<'_>, node: &NodeId, cover: &NodeId) -> Option<Hunk> {
    let document = screen.document;
    let [own, others] = [node, cover].map(|id| {
        let up = document.ancestors(id).map(|node| node.id.clone());
        std::iter::once(id.clone()).chain(up).collect::<Vec<NodeId>>()
    });
    // The lowest parent of both, and what of it holds each.
    let lifted = own.iter().find_map(|id| {
        let parent = document.get(id)?.parent.clone();
        let other = others
            .iter()
            .find(|other| document.get(other).is_some_and(|other| other.parent == parent))?;
        Some((id, other, parent))
    });
    let (id, other, parent) = lifted?;
    let places_itself = parent.as_ref().and_then(|id| document.get(id)?.auto_layout.as_ref());
    if id == other || places_itself.is_some() {
        return None;
    }
    // Without the node itself, which is below, the other is one lower: this is above it.
    let index = document.children_of(parent.as_ref()).position(other)?;
    Hunk::new(document, id, HunkChange::Reorder { index })
}
