//! Place and angle as Figma's panel shows them: against the frame that a node lies in, whatever groups are between.

use std::sync::Arc;

use crate::base::{Affine, Point};
use crate::design::document::{Document, DocumentError};
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;

/// The nearest frame (or other box that is no group) that a node lies in. `None` of a root and of an unknown node.
///
/// Groups and combined shapes move with what is in them and are passed over, as in Figma's `relativeTransform`.
pub fn frame_around<'d>(document: &'d Document, id: &NodeId) -> Option<&'d Arc<Node>> {
    let mut around = document.ancestors(id);
    around.find(|node| !matches!(node.kind, NodeKind::Group | NodeKind::BooleanOperation(_)))
}

/// From the node's own space to that of [`frame_around`] it; to the page where there is none.
///
/// # Errors
///
/// A node that is not there, or a frame that is flat.
pub fn place_in_frame(document: &Document, id: &NodeId) -> Result<Affine, DocumentError> {
    let node = document.node(id)?;
    let frame = frame_around(document, id).map(|frame| &frame.id);
    // Without arithmetic where it lies in the frame itself, so that whole numbers stay whole.
    if node.parent.as_ref() == frame {
        return Ok(node.transform);
    }
    let page_from_node = document.absolute_transform(id)?;
    Ok(frame_from_page(document, id)?.after(page_from_node))
}

/// Where a node lies on the page when it is turned to this angle about the middle of its box, which stays.
///
/// The angle is Figma's: in degrees, counter-clockwise, against [`frame_around`] the node.
///
/// # Errors
///
/// A node that is not there, or a frame that is flat.
pub fn turned_to(document: &Document, id: &NodeId, degrees: f64) -> Result<Affine, DocumentError> {
    let page_from_node = document.absolute_transform(id)?;
    let page_from_frame = match frame_around(document, id) {
        Some(frame) => document.absolute_transform(&frame.id)?,
        None => Affine::IDENTITY,
    };
    let size = document.node(id)?.size;
    let middle = Point::new(size.width / 2.0, size.height / 2.0);
    // Turned in the frame's space, then moved so that the middle is where it was.
    let linear = frame_from_page(document, id)?.after(page_from_node).with_rotation(degrees);
    let turned = page_from_frame.after(Affine { e: 0.0, f: 0.0, ..linear });
    let (stays, moved) = (page_from_node.apply(middle), turned.apply(middle));
    Ok(Affine { e: turned.e + stays.x - moved.x, f: turned.f + stays.y - moved.y, ..turned })
}

fn frame_from_page(document: &Document, id: &NodeId) -> Result<Affine, DocumentError> {
    let Some(frame) = frame_around(document, id) else { return Ok(Affine::IDENTITY) };
    let page_from_frame = document.absolute_transform(&frame.id)?;
    page_from_frame.inverse().ok_or_else(|| DocumentError::Singular(id.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::node::node_in_box as node;

    #[test]
    fn a_place_is_told_against_the_frame_and_not_against_the_group() {
        let document = Document::from_nodes([
            node("screen", NodeKind::Frame, None, [10.0, 20.0, 400.0, 400.0]),
            node("group", NodeKind::Group, Some("screen"), [40.0, 40.0, 100.0, 40.0]),
            node("a", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 100.0, 40.0]),
        ])
        .unwrap();
        let place = place_in_frame(&document, &"a".into()).unwrap();
        assert_eq!((place.e, place.f), (40.0, 40.0));
        assert_eq!(frame_around(&document, &"a".into()).unwrap().id.as_str(), "screen");
    }

    #[test]
    fn turning_keeps_the_middle_lengths_and_mirroring_and_leaves_no_dust() {
        let mut tilted = node("a", NodeKind::Rectangle, Some("screen"), [30.0, 40.0, 120.0, 80.0]);
        tilted.transform.a = -1.0;
        let document = Document::from_nodes([
            node("screen", NodeKind::Frame, None, [10.0, 20.0, 400.0, 400.0]),
            tilted,
        ])
        .unwrap();
        let before = document.absolute_transform(&"a".into()).unwrap();
        let there = turned_to(&document, &"a".into(), 30.0).unwrap();
        assert!((there.determinant() - before.determinant()).abs() < 1e-12);
        assert!((there.rotation_degrees() - 30.0).abs() < 1e-9);
        let middle = Point::new(60.0, 40.0);
        let off = there.apply(middle).since(before.apply(middle));
        assert!(off.x.abs() < 1e-9 && off.y.abs() < 1e-9);
        let back = before.with_rotation(30.0).with_rotation(0.0);
        assert_eq!((back.a, back.b, back.c, back.d.abs()), (1.0, 0.0, 0.0, 1.0));
    }
}
