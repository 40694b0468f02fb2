//! What is too near to be another value. Figma's files have numbers of 32 bits, and many programs write colours with
//! six digits; what is typed into a field has neither, and nobody sees or draws a difference.

use std::collections::BTreeMap;

use crate::base::{Point, Rgba};
use crate::design::effect::{Effect, EffectKind, Shadow};
use crate::design::node::NodeKind;
use crate::design::paint::{Gradient, Paint, PaintKind};
use crate::design::shape::{CornerRadii, FigmaPath, Sides};
use crate::design::text::{LineHeight, StyleOverride};

/// How far two values of one meaning may be apart, in pixels or of a channel; two colours that 8 bits tell apart are
/// four times as far.
const TOLERANCE: f64 = 1e-3;

/// Whether two numbers mean the same.
pub(in crate::design) fn is_near(a: f64, b: f64) -> bool {
    // Also of infinities, whose difference is no number.
    a == b || (a - b).abs() <= TOLERANCE
}

fn are_near<const N: usize>(a: [f64; N], b: [f64; N]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| is_near(a, b))
}

pub(super) fn same_color(a: Rgba, b: Rgba) -> bool {
    are_near([a.r, a.g, a.b, a.a], [b.r, b.g, b.b, b.a])
}

fn same_point(a: Point, b: Point) -> bool {
    are_near([a.x, a.y], [b.x, b.y])
}

fn same_each<T>(a: &[T], b: &[T], same: fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Whether two shapes are drawn alike. How the handles of a path's anchors belong together is for whoever edits it: it is
/// not drawn.
pub(super) fn same_shape(a: &NodeKind, b: &NodeKind) -> bool {
    match (a, b) {
        (NodeKind::Vector(a), NodeKind::Vector(b)) => {
            same_each(&a.fill, &b.fill, same_path) && same_each(&a.stroke, &b.stroke, same_path)
        }
        (a, b) => a == b,
    }
}

fn same_path(a: &FigmaPath, b: &FigmaPath) -> bool {
    (&a.data, a.winding) == (&b.data, b.winding)
}

pub(super) fn same_paints(a: &[Paint], b: &[Paint]) -> bool {
    same_each(a, b, same_paint)
}

fn same_paint(a: &Paint, b: &Paint) -> bool {
    let same_kind = match (&a.kind, &b.kind) {
        (PaintKind::Solid(a), PaintKind::Solid(b)) => same_color(*a, *b),
        (PaintKind::Gradient(a), PaintKind::Gradient(b)) => same_gradient(a, b),
        (a, b) => a == b,
    };
    same_kind
        && (a.visible, a.blend_mode) == (b.visible, b.blend_mode)
        && is_near(a.opacity, b.opacity)
}

fn same_gradient(a: &Gradient, b: &Gradient) -> bool {
    a.kind == b.kind
        && same_each(&a.handles, &b.handles, |a, b| same_point(*a, *b))
        && same_each(&a.stops, &b.stops, |a, b| {
            is_near(a.position, b.position) && same_color(a.color, b.color)
        })
}

pub(super) fn same_effects(a: &[Effect], b: &[Effect]) -> bool {
    same_each(a, b, same_effect)
}

fn same_effect(a: &Effect, b: &Effect) -> bool {
    use EffectKind::{BackgroundBlur, DropShadow, InnerShadow, LayerBlur};
    let same_kind = match (&a.kind, &b.kind) {
        (
            DropShadow { shadow: a, show_behind_node: a_shows },
            DropShadow { shadow: b, show_behind_node: b_shows },
        ) => a_shows == b_shows && same_shadow(a, b),
        (InnerShadow(a), InnerShadow(b)) => same_shadow(a, b),
        (LayerBlur { radius: a }, LayerBlur { radius: b })
        | (BackgroundBlur { radius: a }, BackgroundBlur { radius: b }) => is_near(*a, *b),
        (a, b) => a == b,
    };
    same_kind && a.visible == b.visible
}

fn same_shadow(a: &Shadow, b: &Shadow) -> bool {
    same_color(a.color, b.color)
        && same_point(a.offset, b.offset)
        && are_near([a.radius, a.spread], [b.radius, b.spread])
        && a.blend_mode == b.blend_mode
}

pub(super) fn same_corners(a: CornerRadii, b: CornerRadii) -> bool {
    let all = |it: CornerRadii| [it.top_left, it.top_right, it.bottom_right, it.bottom_left];
    are_near(all(a), all(b))
}

pub(super) fn same_sides(a: Option<Sides>, b: Option<Sides>) -> bool {
    let all = |it: Sides| [it.top, it.right, it.bottom, it.left];
    match (a, b) {
        (Some(a), Some(b)) => are_near(all(a), all(b)),
        (a, b) => a == b,
    }
}

pub(super) fn same_line_height(a: LineHeight, b: LineHeight) -> bool {
    match (a, b) {
        (LineHeight::Pixels(a), LineHeight::Pixels(b))
        | (LineHeight::Percent(a), LineHeight::Percent(b)) => is_near(a, b),
        (a, b) => a == b,
    }
}

/// Whether styles of single characters mean the same. Their colours may be near; of the rest, what is written is looked
/// at.
pub(super) fn same_overrides(
    a: &BTreeMap<u32, StyleOverride>,
    b: &BTreeMap<u32, StyleOverride>,
) -> bool {
    let rest = |it: &StyleOverride| StyleOverride { fills: None, ..it.clone() };
    let mut pairs = a.iter().zip(b);
    a.len() == b.len()
        && pairs.all(|((a_key, a), (b_key, b))| {
            let same_fills = match (&a.fills, &b.fills) {
                (Some(a), Some(b)) => same_paints(a, b),
                (a, b) => a == b,
            };
            a_key == b_key && same_fills && rest(a) == rest(b)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::shape::{AnchorKind, PathGeometry, WindingRule};

    #[test]
    fn a_colour_of_six_digits_is_that_of_eight_bits_and_no_other() {
        for channel in 0..=255_u8 {
            let exact = Rgba::from_u8([channel, 0, 255 - channel, 255]);
            let written = |value: f64| (value * 1e6).round() / 1e6;
            let read = Rgba::new(written(exact.r), 0.0, written(exact.b), 1.0);
            // As Figma has it: 32 bits.
            let short = Rgba::new(f64::from(exact.r as f32), 0.0, f64::from(exact.b as f32), 1.0);
            assert!(same_color(exact, read) && same_color(exact, short), "{channel}");
            if channel < 255 {
                let next = Rgba::from_u8([channel + 1, 0, 255 - channel, 255]);
                assert!(!same_color(exact, next), "{channel}");
            }
        }
    }

    #[test]
    fn shapes_differ_by_what_is_drawn_and_not_by_how_anchors_are_edited() {
        let vector = |data: &str, anchor_kinds: Vec<AnchorKind>| {
            let path = FigmaPath::new(data.to_owned(), WindingRule::NonZero);
            let fill = vec![FigmaPath { anchor_kinds, ..path }];
            NodeKind::Vector(PathGeometry { fill, ..PathGeometry::default() })
        };
        let line = "M 0 0 L 10 0 L 10 10 Z";
        let (plain, loose) = (vector(line, Vec::new()), vector(line, vec![AnchorKind::Corner; 3]));
        assert!(plain != loose && same_shape(&plain, &loose));
        assert!(!same_shape(&plain, &vector("M 0 0 L 10 0 L 10 11 Z", Vec::new())));
        assert!(!same_shape(&plain, &NodeKind::Rectangle));
    }

    #[test]
    fn paints_differ_in_number_kind_order_and_each_of_their_parts() {
        let (blue, red) = (Rgba::from_u8([27, 77, 255, 255]), Rgba::from_u8([255, 0, 0, 255]));
        let near = Rgba::new(0.105_882, 0.301_961, 1.0, 1.0);
        let [blue, red, near] = [blue, red, near].map(Paint::solid);
        assert!(same_paints(&[blue.clone(), red.clone()], &[near.clone(), red.clone()]));
        let hidden = Paint { visible: false, ..blue.clone() };
        let faint = Paint { opacity: 0.99, ..blue.clone() };
        let other = Paint { kind: PaintKind::Other("VIDEO".to_owned()), ..blue.clone() };
        for others in [
            vec![],
            vec![red.clone(), near],
            vec![hidden, red.clone()],
            vec![faint, red.clone()],
            vec![other, red.clone()],
        ] {
            assert!(!same_paints(&[blue.clone(), red.clone()], &others), "{others:?}");
        }
    }
}
