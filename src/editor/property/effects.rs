//! Shadows and blurs.

use super::common::Common;
use super::number_kind::EffectNumber;
use super::takers::{self, is_layer};
use crate::base::{Point, Rgba};
use crate::design::edit::Transaction;
use crate::design::{BlendMode, Document, DocumentError, Effect, EffectKind, NodeId, Shadow};
use crate::editor::error::EditorError;

/// The effects that these nodes have in common.
pub fn effects_of(document: &Document, nodes: &[NodeId]) -> Common<Vec<Effect>> {
    let nodes = nodes.iter().filter_map(|id| document.get(id));
    Common::of(nodes.filter(|node| is_layer(node)).map(|node| Common::Same(node.effects.clone())))
}

/// Those of the nodes that can have effects.
pub(super) fn takers(document: &Document, nodes: &[NodeId]) -> Result<Vec<NodeId>, EditorError> {
    let why = "nothing that is selected can have effects";
    takers::takers(document, nodes, is_layer, || why.to_owned())
}

/// Puts Figma's new shadow on top, or in place of all.
pub(super) fn add(
    change: &mut Transaction<'_>,
    id: &NodeId,
    replaces: bool,
) -> Result<(), DocumentError> {
    let shadow = Shadow {
        color: Rgba::BLACK.with_alpha(0.25),
        offset: Point::new(0.0, 4.0),
        radius: 4.0,
        spread: 0.0,
        blend_mode: BlendMode::Normal,
    };
    change.update(id, |node| {
        if replaces {
            node.effects.clear();
        }
        let kind = EffectKind::DropShadow { shadow, show_behind_node: false };
        node.effects.push(Effect { kind, visible: true });
    })
}

/// Takes the effect at a place away; there may be none.
pub(super) fn remove(
    change: &mut Transaction<'_>,
    id: &NodeId,
    at: usize,
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        if at < node.effects.len() {
            node.effects.remove(at);
        }
    })
}

/// Has another effect at a place; nodes that have none there stay.
pub(super) fn set(
    change: &mut Transaction<'_>,
    id: &NodeId,
    at: usize,
    effect: &Effect,
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        if let Some(there) = node.effects.get_mut(at) {
            there.clone_from(effect);
        }
    })
}

/// A number of an effect, if it has it.
pub(super) fn number(effect: &Effect, number: EffectNumber) -> Option<f64> {
    match (&effect.kind, number) {
        (EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow), number) => {
            Some(match number {
                EffectNumber::OffsetX => shadow.offset.x,
                EffectNumber::OffsetY => shadow.offset.y,
                EffectNumber::Blur => shadow.radius,
                EffectNumber::Spread => shadow.spread,
            })
        }
        (
            EffectKind::LayerBlur { radius } | EffectKind::BackgroundBlur { radius },
            EffectNumber::Blur,
        ) => Some(*radius),
        _ => None,
    }
}

/// Gives an effect a number, if it has it.
pub(super) fn set_number(effect: &mut Effect, number: EffectNumber, value: f64) {
    match (&mut effect.kind, number) {
        (EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow), number) => {
            *match number {
                EffectNumber::OffsetX => &mut shadow.offset.x,
                EffectNumber::OffsetY => &mut shadow.offset.y,
                EffectNumber::Blur => &mut shadow.radius,
                EffectNumber::Spread => &mut shadow.spread,
            } = value;
        }
        (
            EffectKind::LayerBlur { radius } | EffectKind::BackgroundBlur { radius },
            EffectNumber::Blur,
        ) => *radius = value,
        _ => {}
    }
}
