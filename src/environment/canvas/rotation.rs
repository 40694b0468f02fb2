//! `rotate_node`.

use serde::Deserialize;
use serde_json::json;

use crate::design::NodeKind;
use crate::design::edit::Transaction;
use crate::design::gesture::turned_to;

use super::creation::describe;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::{Reply, number};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RotateNode {
    node_id: String,
    angle: f64,
}

/// Turns a node to an angle about the middle of its box, which stays where it is on the page.
///
/// The angle is Figma's: absolute, in degrees, counter-clockwise, against the nearest frame (or
/// other box that is no group) the node lies in. The published plugin gives it to Figma as it is.
pub(super) fn rotate_node(page: &mut Page, arguments: &RotateNode) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if matches!(node.kind, NodeKind::Canvas | NodeKind::Section | NodeKind::Other(_)) {
        return Err(ToolError::wrong_type(node, "it cannot be turned"));
    }
    let id = node.id.clone();
    // From the angle it has now to the one asked for, not by that much.
    let turned = turned_to(&page.document, &id, arguments.angle)?;
    let mut change = Transaction::begin(&mut page.document);
    change.set_absolute_transform(&id, turned)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let mut reply = describe(page, &id)?;
    reply.insert("angle".to_owned(), number(arguments.angle));
    let rotation = in_half_turns(arguments.angle);
    reply.insert("rotation".to_owned(), number(rotation));
    let name = &page.node(id.as_str())?.name;
    let text = format!("Turned \"{name}\" to {} degrees counter-clockwise", arguments.angle);
    Ok(Reply::new(text, json!(reply)))
}

/// The angle as Figma shows it, within −180 and 180.
fn in_half_turns(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_shown_within_a_half_turn() {
        assert_eq!([0.0, 180.0, 270.0, 360.0].map(in_half_turns), [0.0, 180.0, -90.0, 0.0]);
    }
}
