//! Whether what was built looks as what was wanted.

use crate::base::{Affine, Rgba};
use crate::design::{
    BlendMode, Document, Effect, Gradient, LineHeight, Node, NodeKind, Paint, PaintKind, Stroke,
    TextContent,
};

/// Places nearer than this are the same.
const NEAR: f64 = 0.01;

/// Whether a node built by calls looks as the wanted one: children, name and layout apart.
pub(super) fn looks_alike(
    (built, in_canvas): (&Node, &Document),
    (wanted, in_design): (&Node, &Document),
) -> bool {
    same_layer(built, wanted)
        && same_form(built, wanted)
        // The box of a text may have been given room for its letters: see `calls::text`.
        && (wanted.text().is_some() || same_place((built, in_canvas), (wanted, in_design)))
        && same_text(built.text(), wanted.text())
}

fn same_layer(built: &Node, wanted: &Node) -> bool {
    near(built.opacity, wanted.opacity)
        && mixes_by(built) == mixes_by(wanted)
        && same_paints(&built.fills, &wanted.fills)
        && same_stroke(&built.stroke, &wanted.stroke)
        && same_effects(&built.effects, &wanted.effects)
}

/// Of a node without children, NORMAL and PASS_THROUGH look the same.
fn mixes_by(node: &Node) -> BlendMode {
    match node.blend_mode {
        BlendMode::Normal if !node.kind.is_container() => BlendMode::PassThrough,
        mode => mode,
    }
}

fn same_form(built: &Node, wanted: &Node) -> bool {
    let kinds = match (&built.kind, &wanted.kind) {
        // What texts say is compared field by field.
        (NodeKind::Text(_), NodeKind::Text(_)) => true,
        (NodeKind::Frame, kind) => kind.is_container(),
        (built, wanted) => built == wanted,
    };
    kinds
        && built.corner_radii == wanted.corner_radii
        && near(built.corner_smoothing, wanted.corner_smoothing)
}

fn same_place(
    (built, in_canvas): (&Node, &Document),
    (wanted, in_design): (&Node, &Document),
) -> bool {
    let places =
        (in_canvas.absolute_transform(&built.id), in_design.absolute_transform(&wanted.id));
    // On the page, as the two may lie in parents that were made differently.
    let (Ok(built_at), Ok(wanted_at)) = places else { return false };
    near(built.size.width, wanted.size.width)
        && near(built.size.height, wanted.size.height)
        && same_map(built_at, wanted_at)
}

fn same_map(a: Affine, b: Affine) -> bool {
    let pairs = a.to_rows().into_iter().flatten().zip(b.to_rows().into_iter().flatten());
    pairs.into_iter().all(|(a, b)| near(a, b))
}

fn same_paints(built: &[Paint], wanted: &[Paint]) -> bool {
    // What is not seen does not count, wherever it stands in the list.
    let mut wanted = wanted.iter().filter(|paint| is_seen(paint));
    let mut built = built.iter().filter(|paint| is_seen(paint));
    built.all(|a| wanted.next().is_some_and(|b| same_paint(a, b))) && wanted.next().is_none()
}

fn is_seen(paint: &Paint) -> bool {
    paint.visible && paint.opacity > 0.0
}

fn same_paint(a: &Paint, b: &Paint) -> bool {
    let modes = a.blend_mode == b.blend_mode;
    modes
        && match (&a.kind, &b.kind) {
            (PaintKind::Solid(_), PaintKind::Solid(_)) => {
                // With the opacity in the alpha: which of the two says it does not matter.
                let colors = a.solid_color().zip(b.solid_color());
                colors.is_some_and(|(a, b)| same_color(a, b))
            }
            (PaintKind::Gradient(one), PaintKind::Gradient(other)) => {
                near(a.opacity, b.opacity) && same_gradient(one, other)
            }
            _ => false,
        }
}

fn same_gradient(a: &Gradient, b: &Gradient) -> bool {
    let handles = a.handles.iter().zip(&b.handles);
    // The third handle says nothing of a gradient along a line.
    let counted = if a.kind == crate::design::GradientKind::Linear { 2 } else { 3 };
    a.kind == b.kind
        && handles.take(counted).all(|(a, b)| near(a.x, b.x) && near(a.y, b.y))
        && a.stops.len() == b.stops.len()
        && a.stops
            .iter()
            .zip(&b.stops)
            .all(|(a, b)| near(a.position, b.position) && same_color(a.color, b.color))
}

fn same_color(a: Rgba, b: Rgba) -> bool {
    // As pictures have them; JSON has been rounded on the way.
    a.to_u8() == b.to_u8()
}

fn same_stroke(built: &Stroke, wanted: &Stroke) -> bool {
    if is_nothing(wanted) {
        return is_nothing(built);
    }
    same_paints(&built.paints, &wanted.paints)
        && near(built.weight, wanted.weight)
        && built.sides == wanted.sides
        && (built.align, built.cap, built.join) == (wanted.align, wanted.cap, wanted.join)
        && built.dashes == wanted.dashes
}

fn is_nothing(stroke: &Stroke) -> bool {
    let has_width = stroke.weight > 0.0 || stroke.sides.is_some();
    !has_width || same_paints(&stroke.paints, &[])
}

fn same_effects(built: &[Effect], wanted: &[Effect]) -> bool {
    let built = built.iter().filter(|effect| effect.visible).map(|effect| &effect.kind);
    built.eq(wanted.iter().filter(|effect| effect.visible).map(|effect| &effect.kind))
}

fn same_text(built: Option<&TextContent>, wanted: Option<&TextContent>) -> bool {
    let (Some(built), Some(wanted)) = (built, wanted) else {
        return built.is_none() && wanted.is_none();
    };
    let (a, b) = (&built.style, &wanted.style);
    // No tool gives single letters a style, or lines a list.
    let styled = wanted.override_ids.iter().any(|key| wanted.overrides.contains_key(key));
    let lists = !wanted.line_types.is_empty() || !wanted.line_indents.is_empty();
    built.characters == wanted.characters
        && !styled
        && !lists
        && a.font_family == b.font_family
        && near(a.font_weight, b.font_weight)
        && a.italic == b.italic
        && near(a.font_size, b.font_size)
        && near(a.letter_spacing, b.letter_spacing)
        && same_line_height((a.line_height, a.font_size), (b.line_height, b.font_size))
        && (a.align, a.vertical_align) == (b.align, b.vertical_align)
        && (a.case, a.decoration) == (b.case, b.decoration)
        && a.opentype == b.opentype
        && near(a.paragraph_spacing, b.paragraph_spacing)
        && near(a.paragraph_indent, b.paragraph_indent)
        && !b.truncates
}

fn same_line_height((a, a_size): (LineHeight, f64), (b, b_size): (LineHeight, f64)) -> bool {
    match (line_pixels(a, a_size), line_pixels(b, b_size)) {
        (None, None) => true,
        (Some(a), Some(b)) => near(a, b),
        _ => false,
    }
}

fn line_pixels(height: LineHeight, font_size: f64) -> Option<f64> {
    match height {
        LineHeight::Auto => None,
        LineHeight::Pixels(pixels) => Some(pixels),
        LineHeight::Percent(percent) => Some(font_size * percent / 100.0),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= NEAR
}
