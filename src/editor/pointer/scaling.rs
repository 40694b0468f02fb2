//! Scaling nodes with all that has a length: strokes, letters, radii, effects, spaces.

use super::preview::changed;
use crate::base::{Affine, Point, Size};
use crate::design::edit::Transaction;
use crate::design::gesture::Dragged;
use crate::design::{
    CornerRadii, Document, DocumentError, EffectKind, LineHeight, Node, NodeId, NodeKind, Shadow,
    Sides,
};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// Scales nodes about a point of the page.
pub(super) fn scaled(
    start: &Document,
    nodes: &[NodeId],
    (factor, anchor): (f64, Point),
    context: &EditorContext<'_>,
) -> Result<Dragged, EditorError> {
    changed(start, context, |change| {
        for id in nodes {
            let at = start.absolute_transform(id)?;
            for node in start.subtree(id) {
                scale_node(change, node, factor, node.id != *id)?;
            }
            // The turn stays: only where its corner is goes away from the anchor, or to it.
            let (e, f) =
                (anchor.x + (at.e - anchor.x) * factor, anchor.y + (at.f - anchor.y) * factor);
            change.set_absolute_transform(id, Affine { e, f, ..at })?;
        }
        Ok(())
    })
}

/// Scales one node in its own space, and its place where it lies in another that is scaled.
fn scale_node(
    change: &mut Transaction<'_>,
    node: &Node,
    k: f64,
    is_inside: bool,
) -> Result<(), DocumentError> {
    let to = Size::new(node.size.width * k, node.size.height * k);
    // The path of a free form is scaled with its size.
    if matches!(node.kind, NodeKind::Vector(_)) {
        change.resize(&node.id, to)?;
    }
    change.update(&node.id, |node| {
        node.size = to;
        if is_inside {
            (node.transform.e, node.transform.f) = (node.transform.e * k, node.transform.f * k);
        }
        scale_look(node, k);
        scale_layout(node, k);
        scale_letters(node, k);
    })
}

fn scale_look(node: &mut Node, k: f64) {
    let radii = &mut node.corner_radii;
    *radii = CornerRadii {
        top_left: radii.top_left * k,
        top_right: radii.top_right * k,
        bottom_right: radii.bottom_right * k,
        bottom_left: radii.bottom_left * k,
    };
    node.stroke.weight *= k;
    node.stroke.sides = node.stroke.sides.map(|sides| times(sides, k));
    node.stroke.dashes.iter_mut().for_each(|dash| *dash *= k);
    for effect in &mut node.effects {
        match &mut effect.kind {
            EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) => {
                let Shadow { offset, radius, spread, .. } = shadow;
                *offset = Point::new(offset.x * k, offset.y * k);
                (*radius, *spread) = (*radius * k, *spread * k);
            }
            EffectKind::LayerBlur { radius } | EffectKind::BackgroundBlur { radius } => {
                *radius *= k;
            }
            EffectKind::Other(_) => {}
        }
    }
}

fn scale_layout(node: &mut Node, k: f64) {
    if let Some(layout) = &mut node.auto_layout {
        layout.padding = times(layout.padding, k);
        layout.item_spacing *= k;
        layout.line_spacing *= k;
    }
    let item = &mut node.layout_item;
    for limit in
        [&mut item.min_width, &mut item.max_width, &mut item.min_height, &mut item.max_height]
    {
        *limit = limit.map(|limit| limit * k);
    }
}

fn scale_letters(node: &mut Node, k: f64) {
    let Some(text) = node.text_mut() else { return };
    let style = &mut text.style;
    style.font_size *= k;
    style.letter_spacing *= k;
    style.paragraph_spacing *= k;
    style.paragraph_indent *= k;
    style.list_spacing *= k;
    style.line_height = line_height(style.line_height, k);
    for part in text.overrides.values_mut() {
        part.font_size = part.font_size.map(|size| size * k);
        part.letter_spacing = part.letter_spacing.map(|spacing| spacing * k);
        part.line_height = part.line_height.map(|height| line_height(height, k));
    }
}

fn line_height(height: LineHeight, k: f64) -> LineHeight {
    match height {
        LineHeight::Pixels(pixels) => LineHeight::Pixels(pixels * k),
        // Shares of the letters, which are scaled themselves.
        LineHeight::Auto | LineHeight::Percent(_) => height,
    }
}

fn times(sides: Sides, k: f64) -> Sides {
    Sides {
        top: sides.top * k,
        right: sides.right * k,
        bottom: sides.bottom * k,
        left: sides.left * k,
    }
}
