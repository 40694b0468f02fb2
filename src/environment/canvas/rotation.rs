//! `rotate_node`.

use serde::Deserialize;
use serde_json::json;

use crate::base::{Affine, Point};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, NodeId, NodeKind};

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
    let turned = turned(&page.document, &id, arguments.angle)?;
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

/// Where the node lies on the page when turned.
fn turned(document: &Document, id: &NodeId, degrees: f64) -> Result<Affine, DocumentError> {
    let page_from_node = document.absolute_transform(id)?;
    // Groups turn with their children and are passed over, as in `relativeTransform`.
    let container = document
        .ancestors(id)
        .find(|node| !matches!(node.kind, NodeKind::Group | NodeKind::BooleanOperation(_)));
    let page_from_container = match container {
        Some(container) => document.absolute_transform(&container.id)?,
        None => Affine::IDENTITY,
    };
    let container_from_page =
        page_from_container.inverse().ok_or_else(|| DocumentError::Singular(id.clone()))?;
    let size = document.node(id)?.size;
    let middle = Point::new(size.width / 2.0, size.height / 2.0);
    // Turned in the container's space, then moved so that the middle is where it was.
    let linear = with_rotation(container_from_page.after(page_from_node), degrees);
    let turned = page_from_container.after(Affine { e: 0.0, f: 0.0, ..linear });
    let (stays, moved) = (page_from_node.apply(middle), turned.apply(middle));
    Ok(Affine { e: turned.e + stays.x - moved.x, f: turned.f + stays.y - moved.y, ..turned })
}

/// The linear part of `map` with its x axis at this angle (counter-clockwise), lengths, skew and
/// mirroring as they are.
fn with_rotation(map: Affine, degrees: f64) -> Affine {
    // Taken apart into length, skew and height (QR by hand) and put together at the new angle.
    let length = tidy(map.a.hypot(map.b));
    if length == 0.0 {
        return map;
    }
    let (ux, uy) = (map.a / length, map.b / length);
    let skew = tidy(map.c * ux + map.d * uy);
    let across = tidy(map.determinant() / length);
    let (sin, cos) = exact_sin_cos(degrees);
    // On screen y points down: counter-clockwise, the x axis goes to (cos, −sin).
    Affine {
        a: length * cos,
        b: -length * sin,
        c: skew * cos + across * sin,
        d: across * cos - skew * sin,
        ..map
    }
}

/// The number without the dust that turning leaves on 0 and ±1.
fn tidy(value: f64) -> f64 {
    const DUST: f64 = 1e-12;
    if (value - value.round()).abs() < DUST && value.abs() < 1.5 { value.round() } else { value }
}

/// Sine and cosine without the dust of π at quarter turns.
pub(super) fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_keeps_lengths_and_mirroring_and_leaves_no_dust() {
        let mirrored = Affine { a: -1.0, ..Affine::IDENTITY };
        for map in [Affine::IDENTITY, mirrored] {
            let there = with_rotation(map, 30.0);
            assert!((there.determinant() - map.determinant()).abs() < 1e-12);
            assert!((there.rotation_degrees() - 30.0).abs() < 1e-9);
            let back = with_rotation(there, 0.0);
            assert_eq!((back.a, back.b, back.c, back.d.abs()), (1.0, 0.0, 0.0, 1.0));
        }
    }

    #[test]
    fn angles_are_shown_within_a_half_turn() {
        assert_eq!([0.0, 180.0, 270.0, 360.0].map(in_half_turns), [0.0, 180.0, -90.0, 0.0]);
    }
}
