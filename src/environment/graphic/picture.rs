//! Embedded pictures as rectangles filled with them.

use crate::base::{Affine, Pixels, Size};
use crate::design::{BlendMode, ImagePaint, Node, NodeId, NodeKind, Paint, PaintKind};

use super::paint::{self, tidy};

/// The picture with its name: the BLAKE3 hash of its bytes. `None` for what is no PNG or JPEG.
pub(super) fn decode(image: &usvg::Image) -> Option<(String, Pixels)> {
    let (usvg::ImageKind::PNG(bytes) | usvg::ImageKind::JPEG(bytes)) = image.kind() else {
        return None;
    };
    let name = blake3::hash(bytes).to_hex().to_string();
    Some((name, Pixels::decode(bytes).ok()?))
}

/// A RECTANGLE that shows the picture, in the space of the SVG. What the SVG scales is in the node's
/// size; only turns and skews stay in its transform.
pub(super) fn node(id: NodeId, image: &usvg::Image, name: &str) -> Node {
    let label = if image.id().is_empty() { "Image" } else { image.id() };
    let mut node = Node::new(id, label, NodeKind::Rectangle);
    let svg_from_image = paint::affine(image.abs_transform());
    let across = svg_from_image.a.hypot(svg_from_image.b);
    let down = svg_from_image.determinant().abs() / across;
    let is_flat = !(across > 0.0 && down > 0.0 && down.is_finite());
    let (across, down) = if is_flat { (1.0, 1.0) } else { (across, down) };
    let (width, height) = (tidy(image.size().width()), tidy(image.size().height()));
    node.size = Size::new(width * across, height * down);
    node.transform = svg_from_image.after(Affine::scale(1.0 / across, 1.0 / down));
    let picture = ImagePaint { image_ref: Some(name.to_owned()), ..ImagePaint::default() };
    node.fills = vec![Paint {
        kind: PaintKind::Image(picture),
        visible: true,
        opacity: 1.0,
        blend_mode: BlendMode::Normal,
    }];
    node
}
