//! `copy_style`.

use serde::Deserialize;
use serde_json::json;

use crate::design::edit::Transaction;
use crate::design::{CornerRadii, Node};

use super::effects::has_effects;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::Reply;
use super::style::{fill_all, has_corners, has_fills, has_four_corners, has_outline};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CopyStyle {
    source_node_id: String,
    target_node_id: String,
    properties: Option<Vec<Property>>,
}

/// What can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Property {
    Fills,
    /// The paints of the outline; its weight stays, as in the published plugin.
    Strokes,
    Effects,
    CornerRadius,
    Opacity,
}

impl Property {
    const ALL: [Self; 5] =
        [Self::Fills, Self::Strokes, Self::Effects, Self::CornerRadius, Self::Opacity];

    fn word(self) -> &'static str {
        match self {
            Self::Fills => "fills",
            Self::Strokes => "strokes",
            Self::Effects => "effects",
            Self::CornerRadius => "cornerRadius",
            Self::Opacity => "opacity",
        }
    }

    /// Whether a node has such a property.
    fn is_of(self, node: &Node) -> bool {
        match self {
            Self::Fills => has_fills(&node.kind),
            Self::Strokes => has_outline(&node.kind),
            Self::CornerRadius => has_corners(&node.kind),
            Self::Effects | Self::Opacity => has_effects(&node.kind),
        }
    }

    fn copy(self, from: &Node, to: &mut Node) {
        match self {
            Self::Fills => fill_all(to, &from.fills),
            Self::Strokes => to.stroke.paints.clone_from(&from.stroke.paints),
            Self::Effects => to.effects.clone_from(&from.effects),
            Self::CornerRadius => copy_corners(from, to),
            Self::Opacity => to.opacity = from.opacity,
        }
    }
}

/// All four radii where both nodes have four; else the one there is.
fn copy_corners(from: &Node, to: &mut Node) {
    let radii = from.corner_radii;
    to.corner_radii =
        if has_four_corners(&to.kind) { radii } else { CornerRadii::uniform(radii.top_left) };
}

pub(super) fn copy_style(page: &mut Page, arguments: &CopyStyle) -> Result<Reply, ToolError> {
    let source = page.document.node(&page.node(&arguments.source_node_id)?.id)?.clone();
    let target = page.node(&arguments.target_node_id)?;
    let asked = arguments.properties.as_deref().unwrap_or(&Property::ALL);
    let asked: Vec<Property> =
        Property::ALL.into_iter().filter(|property| asked.contains(property)).collect();
    // An empty list is not the same as none: nothing would be copied, and success be said.
    if asked.is_empty() {
        let message = "properties: is empty; name at least one, or leave it out for all";
        return Err(ToolError::BadArguments(message.to_owned()));
    }
    // What one of the two cannot have is skipped and said, as long as something is left to copy.
    let (copied, skipped): (Vec<_>, Vec<_>) =
        asked.into_iter().partition(|property| property.is_of(&source) && property.is_of(target));
    if copied.is_empty() {
        let why = format!("it and the {} have none of these in common", source.kind.type_name());
        return Err(ToolError::wrong_type(target, &why));
    }
    let id = target.id.clone();
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| copied.iter().for_each(|property| property.copy(&source, node)))?;
    page.last_edit = Some(settle(change, &page.settings.render));
    Ok(reply(&source, page.node(id.as_str())?, &copied, &skipped))
}

fn reply(source: &Node, target: &Node, copied: &[Property], skipped: &[Property]) -> Reply {
    let [copied, skipped] = [copied, skipped]
        .map(|list| list.iter().map(|property| property.word()).collect::<Vec<_>>());
    let mut text =
        format!("Copied {} from \"{}\" to \"{}\"", copied.join(", "), source.name, target.name);
    if !skipped.is_empty() {
        text = format!("{text}; not {}, which not both have", skipped.join(", "));
    }
    // Both lists, as the published answer has only what worked.
    let structured = json!({
        "sourceNodeId": source.id.as_str(), "targetNodeId": target.id.as_str(),
        "id": target.id.as_str(), "name": target.name,
        "copiedProperties": copied, "skippedProperties": skipped,
    });
    Reply::new(text, structured)
}
