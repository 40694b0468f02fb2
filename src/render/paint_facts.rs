//! What is to be known of a document's paints before anything is painted: whether they show, and
//! what of them is drawn otherwise.

use crate::base::{Pixels, Rgba};
use crate::design::{BlendMode, ImageFilters, ImagePaint, Images, Node, Paint, PaintKind};

use super::diagnostic::Diagnostics;

/// What stands for a picture that is not at hand: the grey that the pictures of the published
/// CANVAS designs show in their place (the most frequent grey of its target pictures).
pub(crate) const PICTURE_PLACEHOLDER: Rgba =
    Rgba { r: 128.0 / 255.0, g: 128.0 / 255.0, b: 128.0 / 255.0, a: 1.0 };

/// `value` clamped into 0..=1; what is not a number counts as 1, the default of every opacity.
pub(crate) fn unit(value: f64) -> f64 {
    if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
}

/// Whether the mode is another than source over.
pub(crate) fn mixes(mode: BlendMode) -> bool {
    !matches!(mode, BlendMode::PassThrough | BlendMode::Normal)
}

/// Whether the paint changes anything at all.
pub(crate) fn is_seen(paint: &Paint) -> bool {
    let is_drawn = !matches!(paint.kind, PaintKind::Other(_));
    paint.visible && paint.opacity > 0.0 && is_drawn
}

/// Says what of `paints` is drawn otherwise.
pub(crate) fn report(
    node: &Node,
    paints: &[Paint],
    images: &Images,
    diagnostics: &mut Diagnostics,
) {
    for paint in paints.iter().filter(|paint| paint.visible) {
        if let Some(message) = limitation(paint, images) {
            diagnostics.add(&node.id, message);
        }
    }
}

/// What of the paint is drawn differently from what it says, for people.
fn limitation(paint: &Paint, images: &Images) -> Option<String> {
    match &paint.kind {
        // Before its filters: of a picture that is not there nothing else need be said.
        PaintKind::Image(image) if picture_of(image, images).is_none() => {
            let name = image.image_ref.as_deref().unwrap_or("without a name");
            // References come from files, which may hold anything of any length.
            let name: String = name.chars().take(80).collect();
            Some(format!("the picture {name} is not there: grey stands in its place"))
        }
        PaintKind::Image(image) if is_approximated(image.filters) => {
            let message = "temperature, tint, highlights and shadows of its picture are drawn \
                           approximately";
            Some(message.to_owned())
        }
        PaintKind::Other(kind) => Some(format!("a paint of type {kind} is not drawn")),
        PaintKind::Image(_) | PaintKind::Gradient(_) | PaintKind::Solid(_) => None,
    }
}

fn is_approximated(filters: ImageFilters) -> bool {
    let ImageFilters { temperature, tint, highlights, shadows, .. } = filters;
    [temperature, tint, highlights, shadows].iter().any(|value| *value != 0.0)
}

pub(crate) fn picture_of<'i>(image: &ImagePaint, images: &'i Images) -> Option<&'i Pixels> {
    images.get(image.image_ref.as_deref()?).map(AsRef::as_ref)
}
