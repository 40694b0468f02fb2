//! Blending, corners, paints and effects.

use super::properties::{PropertyList, PropertyValue, number, percent, words};
use crate::base::Rgba;
use crate::design::{
    BlendMode, CornerRadii, Effect, EffectKind, Gradient, GradientKind, MaskType, Node, Paint,
    PaintKind, Shadow, StrokeAlign, StrokeCap, StrokeJoin,
};

const LAYER: &str = "Layer";
const EFFECTS: &str = "Effects";

/// What holds of the layer as a whole.
pub(super) fn layer(list: &mut PropertyList, node: &Node) {
    // Only what somebody set: a list of defaults would hide the one that differs.
    if !node.visible {
        list.put(LAYER, "Visible", "no");
    }
    if node.opacity < 1.0 {
        list.put(LAYER, "Opacity", percent(node.opacity));
    }
    if !matches!(node.blend_mode, BlendMode::PassThrough | BlendMode::Normal) {
        list.put(LAYER, "Blend", blend_words(node.blend_mode));
    }
    if node.is_mask {
        let kind = match node.mask_type {
            MaskType::Alpha => "alpha",
            MaskType::Vector => "vector",
            MaskType::Luminance => "luminance",
        };
        list.put(LAYER, "Mask", kind);
    }
    if node.corner_radii != CornerRadii::default() {
        list.put(LAYER, "Corners", corners(node.corner_radii));
    }
    if node.corner_smoothing > 0.0 {
        list.put(LAYER, "Smoothing", percent(node.corner_smoothing));
    }
}

fn blend_words(mode: BlendMode) -> String {
    let name = serde_json::to_value(mode).unwrap_or_default();
    words(name.as_str().unwrap_or_default())
}

fn corners(radii: CornerRadii) -> String {
    let CornerRadii { top_left, top_right, bottom_right, bottom_left } = radii;
    match radii.as_uniform() {
        Some(radius) => number(radius),
        None => [top_left, top_right, bottom_right, bottom_left].map(number).join(" "),
    }
}

/// Fills and strokes, the one on top first.
pub(super) fn paints(list: &mut PropertyList, node: &Node) {
    list_paints(list, "Fill", &node.fills);
    let stroke = &node.stroke;
    // Without paint nothing is drawn, whatever its weight and side.
    if stroke.paints.is_empty() {
        return;
    }
    list_paints(list, "Stroke", &stroke.paints);
    let weight = match stroke.sides {
        Some(sides) => [sides.top, sides.right, sides.bottom, sides.left].map(number).join(" "),
        None => number(stroke.weight),
    };
    list.put("Stroke", "Weight", weight);
    let side = match stroke.align {
        StrokeAlign::Inside => "inside",
        StrokeAlign::Center => "center",
        StrokeAlign::Outside => "outside",
    };
    list.put("Stroke", "Side", side);
    // From here on only what differs from a plain stroke, as the list is long enough.
    if !stroke.dashes.is_empty() {
        let dashes: Vec<String> = stroke.dashes.iter().map(|dash| number(*dash)).collect();
        list.put("Stroke", "Dashes", dashes.join(" "));
    }
    if stroke.cap != StrokeCap::None {
        list.put("Stroke", "Ends", format!("{:?}", stroke.cap).to_lowercase());
    }
    if stroke.join != StrokeJoin::Miter {
        list.put("Stroke", "Joins", format!("{:?}", stroke.join).to_lowercase());
    }
}

fn list_paints(list: &mut PropertyList, group: &'static str, paints: &[Paint]) {
    for (number, paint) in (1..).zip(paints.iter().rev()) {
        let label = if paints.len() == 1 { group.to_owned() } else { format!("{group} {number}") };
        list.put(group, label, paint_value(paint));
    }
}

fn paint_value(paint: &Paint) -> PropertyValue {
    let (text, colors) = match &paint.kind {
        PaintKind::Solid(color) => (color.with_alpha(1.0).to_hex(), vec![*color]),
        PaintKind::Gradient(gradient) => gradient_value(gradient),
        PaintKind::Image(image) => (format!("image, {}", words(&image.scale_mode)), Vec::new()),
        PaintKind::Other(kind) => (words(kind), Vec::new()),
    };
    // A solid colour has an alpha of its own beside the paint's opacity; people know one number.
    let alpha = match &paint.kind {
        PaintKind::Solid(color) => color.a * paint.opacity,
        _ => paint.opacity,
    };
    let mut parts = vec![text];
    if alpha < 1.0 {
        parts.push(percent(alpha));
    }
    if !matches!(paint.blend_mode, BlendMode::Normal | BlendMode::PassThrough) {
        parts.push(blend_words(paint.blend_mode));
    }
    if !paint.visible {
        parts.push("hidden".to_owned());
    }
    // As they are painted, so that the swatch looks like the layer.
    let colors = colors.into_iter().map(|color| color.with_alpha(color.a * paint.opacity));
    PropertyValue { text: parts.join(" · "), colors: colors.collect() }
}

fn gradient_value(gradient: &Gradient) -> (String, Vec<Rgba>) {
    let kind = match gradient.kind {
        GradientKind::Linear => "linear",
        GradientKind::Radial => "radial",
        GradientKind::Angular => "angular",
        GradientKind::Diamond => "diamond",
    };
    let colors: Vec<Rgba> = gradient.stops.iter().map(|stop| stop.color).collect();
    let ends: Vec<String> = colors.iter().map(|color| color.to_hex()).collect();
    let ends = match ends.as_slice() {
        [] => String::new(),
        [only] => format!(" {only}"),
        [first, .., last] => format!(" {first} – {last}"),
    };
    (format!("{kind}{ends}"), colors)
}

/// Shadows and blurs, the one on top first.
pub(super) fn effects(list: &mut PropertyList, node: &Node) {
    for (number, effect) in (1..).zip(node.effects.iter().rev()) {
        let (label, value) = effect_value(effect);
        let label = if node.effects.len() == 1 { label } else { format!("{number} {label}") };
        list.put(EFFECTS, label, value);
    }
}

fn effect_value(effect: &Effect) -> (String, PropertyValue) {
    let (label, mut value) = match &effect.kind {
        EffectKind::DropShadow { shadow, .. } => ("Drop shadow".to_owned(), shadow_value(shadow)),
        EffectKind::InnerShadow(shadow) => ("Inner shadow".to_owned(), shadow_value(shadow)),
        EffectKind::LayerBlur { radius } => ("Layer blur".to_owned(), number(*radius).into()),
        EffectKind::BackgroundBlur { radius } => {
            ("Background blur".to_owned(), number(*radius).into())
        }
        EffectKind::Other(kind) => ("Effect".to_owned(), words(kind).into()),
    };
    if !effect.visible {
        value.text.push_str(" · hidden");
    }
    (label, value)
}

fn shadow_value(shadow: &Shadow) -> PropertyValue {
    let Shadow { color, offset, radius, spread, .. } = shadow;
    let lengths = [offset.x, offset.y, *radius, *spread].map(number).join(" ");
    PropertyValue { text: format!("{lengths} · {}", color.to_hex()), colors: vec![*color] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{NodeId, NodeKind};

    #[test]
    fn a_translucent_fill_says_its_colour_and_its_opacity() {
        let paint = Paint::solid(Rgba::from_u8([255, 0, 0, 128]));
        let value = paint_value(&paint);
        assert_eq!(value.text, "#FF0000 · 50.2 %");
        assert_eq!(value.colors.len(), 1);
    }

    #[test]
    fn an_ordinary_layer_says_nothing_of_itself() {
        let mut list = PropertyList::default();
        layer(&mut list, &Node::new(NodeId::from("1:1"), "a", NodeKind::Rectangle));
        assert!(format!("{list:?}").contains("[]"));
    }
}
