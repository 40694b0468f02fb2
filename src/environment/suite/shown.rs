//! Where a document shows the pictures that the query hands out, also inside of what was saved as one
//! picture.

use super::document::{Content, Object, Source, SuiteDocument};
use crate::base::Rect;
use crate::design::{NodeId, ShownPicture};

/// Most layers looked at in documents inside each other: a file may be in another many times.
const MOST_LAYERS: usize = 10_000;

/// A picture in a part of something, as shares of its box.
struct PicturePart {
    name: String,
    place: Rect,
}

/// What a node shows that is an object as it is. A live document shows nothing itself: its layers are
/// nodes of their own.
pub(super) fn shown_by(object: &Object, node: &NodeId) -> Vec<ShownPicture> {
    match object.source {
        Source::Live(_) => Vec::new(),
        Source::Given(_) | Source::Flat(_) | Source::Qr(_) => {
            shown_in_picture(object, node, [0.0; 2])
        }
    }
}

/// What a node shows that is a picture of an object, and reaches beyond it by these shares of the
/// object's sides.
pub(super) fn shown_in_picture(
    object: &Object,
    node: &NodeId,
    [across, down]: [f64; 2],
) -> Vec<ShownPicture> {
    // The object itself is a part of its picture, which filters let grow on all sides.
    let (width, height) = (1.0 / (1.0 + 2.0 * across), 1.0 / (1.0 + 2.0 * down));
    let inner = Rect::new(across * width, down * height, width, height);
    let mut parts = Vec::new();
    match &object.source {
        Source::Given(given) => parts.push(PicturePart { name: given.name.clone(), place: inner }),
        Source::Live(saved) | Source::Flat(saved) => {
            let mut layers_left = MOST_LAYERS;
            gather(&saved.document, inner, &mut layers_left, &mut parts);
        }
        Source::Qr(_) => {}
    }
    let shown = parts.into_iter().map(|PicturePart { name, place }| ShownPicture {
        node: node.clone(),
        name,
        part: place,
    });
    shown.collect()
}

/// The pictures of a document that lies at `place`.
fn gather(
    document: &SuiteDocument,
    place: Rect,
    layers_left: &mut usize,
    found: &mut Vec<PicturePart>,
) {
    for layer in document.layers.iter().filter(|layer| layer.opacity > 0.0) {
        // A file in itself through others would double at each level.
        let Some(left) = layers_left.checked_sub(1) else { return };
        *layers_left = left;
        let Content::Object(object) = &layer.content else { continue };
        let bounds = layer.bounds();
        let share = Rect::new(
            bounds.x / document.size.width,
            bounds.y / document.size.height,
            bounds.width / document.size.width,
            bounds.height / document.size.height,
        );
        // A document cuts off what hangs over its edge.
        if share.intersection(ShownPicture::ALL).is_none() {
            continue;
        }
        let place = within(share, place);
        match &object.source {
            Source::Given(given) => found.push(PicturePart { name: given.name.clone(), place }),
            Source::Live(saved) | Source::Flat(saved) => {
                gather(&saved.document, place, layers_left, found);
            }
            Source::Qr(_) => {}
        }
    }
}

/// A part of a box that is itself a part.
fn within(part: Rect, of: Rect) -> Rect {
    Rect::new(
        of.x + part.x * of.width,
        of.y + part.y * of.height,
        part.width * of.width,
        part.height * of.height,
    )
}
