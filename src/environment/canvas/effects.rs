//! Tools for shadows and blend modes.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::Point;
use crate::design::edit::Transaction;
use crate::design::{BlendMode, Effect, EffectKind, Node, NodeKind, Shadow};

use super::arguments::Color;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::{Reply, blend_mode, effects};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetShadow {
    node_id: String,
    shadow_color: Color,
    offset_x: f64,
    offset_y: f64,
    radius: f64,
    spread: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetBlendMode {
    node_id: String,
    blend_mode: BlendMode,
}

pub(super) fn set_drop_shadow(page: &mut Page, arguments: &SetShadow) -> Result<Reply, ToolError> {
    let shadow = arguments.shadow();
    set_effect(page, arguments, EffectKind::DropShadow { shadow, show_behind_node: false })
}

pub(super) fn set_inner_shadow(page: &mut Page, arguments: &SetShadow) -> Result<Reply, ToolError> {
    set_effect(page, arguments, EffectKind::InnerShadow(arguments.shadow()))
}

impl SetShadow {
    fn shadow(&self) -> Shadow {
        Shadow {
            color: self.shadow_color.rgba(),
            offset: Point::new(self.offset_x, self.offset_y),
            radius: self.radius,
            spread: self.spread.unwrap_or(0.0),
            blend_mode: BlendMode::Normal,
        }
    }
}

/// Puts an effect on top of a node's others, in place of all of its kind.
fn set_effect(
    page: &mut Page,
    arguments: &SetShadow,
    kind: EffectKind,
) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if !has_effects(&node.kind) {
        return Err(ToolError::wrong_type(node, "it has no effects"));
    }
    let id = node.id.clone();
    // Only the two kinds that the tools make come here.
    let what = match kind {
        EffectKind::InnerShadow(_) => "inner shadow",
        _ => "drop shadow",
    };
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        // One of each kind is what the tool can tell of; several come only from files.
        let same = std::mem::discriminant(&kind);
        node.effects.retain(|effect| std::mem::discriminant(&effect.kind) != same);
        node.effects.push(Effect { kind, visible: true });
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let node = page.node(id.as_str())?;
    let structured =
        json!({"id": id.as_str(), "name": node.name, "effects": effects(&node.effects)});
    let color = arguments.shadow_color.rgba().to_hex().to_lowercase();
    let text =
        format!("Gave \"{}\" the {what} {color}, blurred by {}", node.name, arguments.radius);
    Ok(Reply::new(text, structured))
}

pub(super) fn set_blend_mode(
    page: &mut Page,
    arguments: &SetBlendMode,
) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if !has_effects(&node.kind) {
        return Err(ToolError::wrong_type(node, "it has no blend mode"));
    }
    let (id, name, mode) = (node.id.clone(), node.name.clone(), arguments.blend_mode);
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| node.blend_mode = mode)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let word = blend_mode(mode);
    let shown = word.as_str().unwrap_or_default();
    let text = format!("\"{name}\" is now mixed with what is below it by {shown}");
    Ok(Reply::new(text, json!({"id": id.as_str(), "name": name, "blendMode": word})))
}

/// Whether Figma gives nodes of this kind effects, opacity and a blend mode.
pub(super) fn has_effects(kind: &NodeKind) -> bool {
    !kind.is_file_or_page() && !matches!(kind, NodeKind::Section | NodeKind::Slice)
}

/// The effects of a node and its blend mode, where they are not Figma's defaults.
pub(super) fn effect_fields(node: &Node) -> Vec<(String, Value)> {
    let mut fields = Vec::new();
    if !node.effects.is_empty() {
        fields.push(("effects".to_owned(), effects(&node.effects)));
    }
    // Which of the two is a matter of the kind of node, and tells nobody anything.
    if !matches!(node.blend_mode, BlendMode::PassThrough | BlendMode::Normal) {
        fields.push(("blendMode".to_owned(), blend_mode(node.blend_mode)));
    }
    fields
}
