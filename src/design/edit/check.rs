//! What a document refuses.

use crate::base::Limits;
use crate::design::auto_layout::{AutoLayout, LayoutItem};
use crate::design::document::{Document, DocumentError};
use crate::design::effect::{EffectKind, Shadow};
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::shape::Sides;

/// The numbers that place and shape a node are finite and within [`Limits::COORDINATE`]; extents,
/// radii, weights, font sizes, paddings and limits of size are at least 0; the transform has an
/// inverse. A least size may be above the greatest: it wins.
pub fn numbers(node: &Node) -> Result<(), DocumentError> {
    for (what, value) in coordinates(node) {
        if !(-Limits::COORDINATE..=Limits::COORDINATE).contains(&value) {
            return Err(DocumentError::BadNumber { what, value });
        }
    }
    for (what, value) in extents(node) {
        in_range(what, value, 0.0, Limits::COORDINATE)?;
    }
    in_range("opacity", node.opacity, 0.0, 1.0)?;
    match node.transform.inverse() {
        // A determinant so small that its inverse overflows flattens the node as 0 does.
        Some(inverse) if inverse.is_finite() => Ok(()),
        _ => Err(DocumentError::Singular(node.id.clone())),
    }
}

fn coordinates(node: &Node) -> impl Iterator<Item = (&'static str, f64)> {
    let t = node.transform;
    let spacing = node.text().map(|text| ("letter spacing", text.style.letter_spacing));
    // Checked field by field, so that the message can name the one that is wrong.
    [("x", t.e), ("y", t.f)]
        .into_iter()
        .chain([t.a, t.b, t.c, t.d].map(|value| ("transform", value)))
        .chain(spacing)
        .chain(node.auto_layout.iter().flat_map(|layout| spacings(layout)))
        .chain(shadows(node).flat_map(|shadow| {
            let Shadow { offset, spread, .. } = shadow;
            [("shadow offset", offset.x), ("shadow offset", offset.y), ("shadow spread", *spread)]
        }))
}

fn spacings(layout: &AutoLayout) -> [(&'static str, f64); 2] {
    [("item spacing", layout.item_spacing), ("line spacing", layout.line_spacing)]
}

fn shadows(node: &Node) -> impl Iterator<Item = &Shadow> {
    node.effects.iter().filter_map(|effect| match &effect.kind {
        EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) => Some(shadow),
        EffectKind::LayerBlur { .. } | EffectKind::BackgroundBlur { .. } | EffectKind::Other(_) => {
            None
        }
    })
}

/// Radii of shadows and blurs.
fn blur_radii(node: &Node) -> impl Iterator<Item = (&'static str, f64)> {
    node.effects.iter().filter_map(|effect| match &effect.kind {
        EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) => {
            Some(("shadow radius", shadow.radius))
        }
        EffectKind::LayerBlur { radius } | EffectKind::BackgroundBlur { radius } => {
            Some(("blur radius", *radius))
        }
        EffectKind::Other(_) => None,
    })
}

fn sides_of(what: &'static str, sides: Sides) -> [(&'static str, f64); 4] {
    [sides.top, sides.right, sides.bottom, sides.left].map(|side| (what, side))
}

fn size_limits(item: &LayoutItem) -> impl Iterator<Item = (&'static str, f64)> {
    [
        ("least width", item.min_width),
        ("greatest width", item.max_width),
        ("least height", item.min_height),
        ("greatest height", item.max_height),
    ]
    .into_iter()
    .filter_map(|(what, limit)| Some((what, limit?)))
}

fn extents(node: &Node) -> impl Iterator<Item = (&'static str, f64)> {
    let radii = node.corner_radii;
    let font_size = node.text().map(|text| ("font size", text.style.font_size));
    [
        ("width", node.size.width),
        ("height", node.size.height),
        ("stroke weight", node.stroke.weight),
        ("corner radius", radii.top_left),
        ("corner radius", radii.top_right),
        ("corner radius", radii.bottom_right),
        ("corner radius", radii.bottom_left),
    ]
    .into_iter()
    .chain(font_size)
    .chain(
        node.auto_layout
            .iter()
            .map(|layout| layout.padding)
            .flat_map(|padding| sides_of("padding", padding)),
    )
    .chain(node.stroke.sides.into_iter().flat_map(|sides| sides_of("stroke weight", sides)))
    .chain(size_limits(&node.layout_item))
    .chain(blur_radii(node))
}

fn in_range(what: &'static str, value: f64, min: f64, max: f64) -> Result<(), DocumentError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(DocumentError::OutOfRange { what, value, min, max })
}

/// `parent` exists and may have children. Kinds this program does not know may if they do already.
pub(super) fn accepts_children(
    document: &Document,
    parent: Option<&NodeId>,
) -> Result<(), DocumentError> {
    let Some(parent) = parent else { return Ok(()) };
    let node = document.node(parent)?;
    // The file had children there, so that the kind, whatever it is, can have them.
    let unknown_but_has = matches!(node.kind, NodeKind::Other(_)) && !node.children.is_empty();
    let holds_pages = node.kind.is_file_or_page();
    if node.kind.is_container() || holds_pages || unknown_but_has {
        Ok(())
    } else {
        Err(not_a_container(node))
    }
}

pub(super) fn not_a_container(node: &Node) -> DocumentError {
    DocumentError::NotAContainer { id: node.id.clone(), kind: node.kind.type_name().to_owned() }
}

/// `parent` is not in the subtree of `id`.
pub(super) fn no_cycle(
    document: &Document,
    id: &NodeId,
    parent: Option<&NodeId>,
) -> Result<(), DocumentError> {
    let Some(parent) = parent else { return Ok(()) };
    // It would be reached from nowhere, and every walk upwards would be endless.
    if parent == id || document.ancestors(parent).any(|ancestor| ancestor.id == *id) {
        return Err(DocumentError::Cycle(id.clone()));
    }
    Ok(())
}

/// There may be this many nodes more.
pub(super) fn room_for(document: &Document, more: usize) -> Result<(), DocumentError> {
    let nodes = document.len().saturating_add(more);
    if nodes > Limits::NODES {
        return Err(DocumentError::TooLarge(format!("{nodes} nodes, {} at most", Limits::NODES)));
    }
    Ok(())
}

/// A subtree of this height fits below `parent`.
pub(super) fn depth(
    document: &Document,
    parent: Option<&NodeId>,
    height: usize,
) -> Result<(), DocumentError> {
    // Bounded, as drawing and laying out go down the tree by recursion.
    let depth = parent.map_or(0, |parent| document.depth(parent)).saturating_add(height);
    if depth > Limits::NODE_DEPTH {
        let limit = Limits::NODE_DEPTH;
        return Err(DocumentError::TooLarge(format!("{depth} levels, {limit} at most")));
    }
    Ok(())
}

/// Levels in the subtree of a node: 1 for a leaf.
pub(super) fn height(document: &Document, id: &NodeId) -> usize {
    // Depths are of the whole document; the height counts from the node.
    let above = document.depth(id);
    document.subtree(id).map(|node| document.depth(&node.id) - above + 1).max().unwrap_or(0)
}
