//! Shadows and blurs, beside an independent renderer's.

use pentimento::base::{Affine, Point, Rect, Rgba};
use pentimento::design::{
    BlendMode, CornerRadii, Effect, EffectKind, EllipseArc, Node, NodeId, NodeKind, Shadow,
    StrokeAlign,
};
use pentimento::render::render_bounds;
use proptest::prelude::*;

use super::against_resvg::{assert_same, framed};
use super::sketch::{color, draw, filled, inter, messages, node, page, solid, stroked, text, within};

fn shadow(rgb: u32, offset: [f64; 2], radius: f64, spread: f64) -> Shadow {
    let offset = Point::new(offset[0], offset[1]);
    Shadow { color: color(rgb), offset, radius, spread, blend_mode: BlendMode::Normal }
}

fn drop(shadow: Shadow) -> Effect {
    let kind = EffectKind::DropShadow { shadow, show_behind_node: false };
    Effect { kind, visible: true }
}

fn inner(shadow: Shadow) -> Effect {
    Effect { kind: EffectKind::InnerShadow(shadow), visible: true }
}

fn with(mut node: Node, effects: impl IntoIterator<Item = Effect>) -> Node {
    node.effects = effects.into_iter().collect();
    node
}

fn card() -> Node {
    let mut card = filled(node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 40.0]), 0xFF_DD88);
    card.corner_radii = CornerRadii::uniform(8.0);
    card
}

/// A filter as Figma writes it into SVG, wide enough to cut nothing.
fn filter(steps: &str) -> String {
    format!(
        r#"<filter id="f" x="-200" y="-200" width="500" height="500" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">{steps}</filter>"#
    )
}

const CARD: &str = r##"<rect x="20" y="20" width="50" height="40" rx="8" fill="#FFDD88"/>"##;

#[test]
fn a_drop_shadow_is_the_blurred_silhouette_below() {
    for radius in [0.0, 3.0, 8.0, 12.0, 20.0, 40.0] {
        let shape = with(card(), [drop(shadow(0x22_3366, [5.0, 7.0], radius, 0.0))]);
        let sigma = radius / 2.0;
        let svg = format!(
            r##"{}<g filter="url(#f)"><rect x="25" y="27" width="50" height="40" rx="8" fill="#223366"/></g>{CARD}"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_same(&format!("drop-{radius}"), &framed([shape]), &svg);
    }
}

#[test]
fn a_translucent_node_casts_a_whole_shadow_and_cuts_it_out() {
    let mut shape = with(card(), [drop(shadow(0x22_3366, [6.0, 6.0], 6.0, 0.0))]);
    shape.fills[0].opacity = 0.3;
    let steps = r##"<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hard"/><feOffset dx="6" dy="6"/><feGaussianBlur stdDeviation="3"/><feComposite in2="hard" operator="out"/><feColorMatrix type="matrix" values="0 0 0 0 0.13333 0 0 0 0 0.2 0 0 0 0 0.4 0 0 0 1 0" result="shadow"/><feBlend in="SourceGraphic" in2="shadow"/>"##;
    let svg = format!(
        r##"{}<g filter="url(#f)"><rect x="20" y="20" width="50" height="40" rx="8" fill="#FFDD88" fill-opacity="0.3"/></g>"##,
        filter(steps)
    );
    assert_same("drop-translucent", &framed([shape]), &svg);
}

#[test]
fn a_shadow_may_show_behind_a_translucent_node() {
    let kind = EffectKind::DropShadow {
        shadow: shadow(0x22_3366, [6.0, 6.0], 6.0, 0.0),
        show_behind_node: true,
    };
    let mut shape = with(card(), [Effect { kind, visible: true }]);
    shape.fills[0].opacity = 0.3;
    let svg = format!(
        r##"{}<g filter="url(#f)"><rect x="26" y="26" width="50" height="40" rx="8" fill="#223366"/></g><g opacity="0.3">{CARD}</g>"##,
        filter(r#"<feGaussianBlur stdDeviation="3"/>"#)
    );
    assert_same("drop-behind", &framed([shape]), &svg);
}

#[test]
fn spread_grows_the_shape_and_its_corners() {
    let shape = with(card(), [drop(shadow(0x22_3366, [0.0, 0.0], 0.0, 6.0))]);
    let svg =
        format!(r##"<rect x="14" y="14" width="62" height="52" rx="14" fill="#223366"/>{CARD}"##);
    assert_same("spread", &framed([shape]), &svg);
    let oval = node("a", NodeKind::Ellipse(EllipseArc::WHOLE), [20.0, 20.0, 50.0, 40.0]);
    let oval = stroked(filled(oval, 0xFF_DD88), 0x00_8800, 4.0, StrokeAlign::Outside);
    let oval = with(oval, [drop(shadow(0x22_3366, [0.0, 0.0], 0.0, 6.0))]);
    let svg = r##"<ellipse cx="45" cy="40" rx="35" ry="30" fill="#223366"/><ellipse cx="45" cy="40" rx="27" ry="22" fill="none" stroke="#008800" stroke-width="4"/><ellipse cx="45" cy="40" rx="25" ry="20" fill="#FFDD88"/>"##;
    assert_same("spread-oval", &framed([oval]), svg);
}

#[test]
fn spread_elsewhere_is_said_to_be_left_out() {
    let mut star = filled(
        node("a", NodeKind::RegularPolygon { corners: 5 }, [20.0, 20.0, 50.0, 40.0]),
        0xFF_DD88,
    );
    star = with(star, [drop(shadow(0x22_3366, [0.0, 9.0], 0.0, 6.0))]);
    let said = messages(&draw(&page([star]), "a"));
    assert!(said.len() == 1 && said[0].contains("spread"), "{said:?}");
}

#[test]
fn several_shadows_lie_one_on_another_in_order() {
    let shape = with(
        card(),
        [drop(shadow(0xFF_0000, [6.0, 6.0], 0.0, 0.0)), drop(shadow(0x00_00FF, [3.0, 3.0], 0.0, 0.0))],
    );
    let svg = format!(
        r##"<rect x="26" y="26" width="50" height="40" rx="8" fill="#FF0000"/><rect x="23" y="23" width="50" height="40" rx="8" fill="#0000FF"/>{CARD}"##
    );
    assert_same("several", &framed([shape]), &svg);
}

#[test]
fn a_frame_without_a_fill_casts_the_shadow_of_what_is_in_it() {
    let frame = node("g", NodeKind::Frame, [0.0, 0.0, 96.0, 96.0]);
    let frame = with(frame, [drop(shadow(0x22_3366, [5.0, 7.0], 8.0, 0.0))]);
    let svg = format!(
        r##"{}<g filter="url(#f)"><rect x="25" y="27" width="50" height="40" rx="8" fill="#223366"/></g>{CARD}"##,
        filter(r#"<feGaussianBlur stdDeviation="4"/>"#)
    );
    assert_same("shadow-of-content", &framed([frame, within("g", card())]), &svg);
}

#[test]
fn a_shadow_turns_with_its_node() {
    let turn = Affine::translate(48.0, 20.0).after(Affine::rotate(-0.6));
    let mut shape = filled(node("a", NodeKind::Rectangle, [0.0, 0.0, 40.0, 30.0]), 0xFF_DD88);
    shape.transform = turn;
    let shape = with(shape, [drop(shadow(0x22_3366, [8.0, 4.0], 0.0, 0.0))]);
    let map = format!("matrix({} {} {} {} {} {})", turn.a, turn.b, turn.c, turn.d, turn.e, turn.f);
    let svg = format!(
        r##"<g transform="{map}"><rect x="8" y="4" width="40" height="30" fill="#223366"/><rect width="40" height="30" fill="#FFDD88"/></g>"##
    );
    assert_same("turned", &framed([shape]), &svg);
}

#[test]
fn an_inner_shadow_lies_within_the_edge() {
    for (radius, spread) in [(0.0, 0.0), (8.0, 0.0), (30.0, 0.0), (6.0, 5.0)] {
        let shape = with(card(), [inner(shadow(0x22_3366, [4.0, 6.0], radius, spread))]);
        let sigma = radius / 2.0;
        // What casts it, cut out of a plane and seen through the card.
        let (x, y) = (24.0 + spread, 26.0 + spread);
        let (width, height) = (50.0 - 2.0 * spread, 40.0 - 2.0 * spread);
        let r = 8.0 - spread;
        let (right, bottom) = (x + width, y + height);
        let hole = format!(
            "M-300 -300H400V400H-300ZM{} {y}H{}A{r} {r} 0 0 1 {right} {}V{}A{r} {r} 0 0 1 {} {bottom}H{}A{r} {r} 0 0 1 {x} {}V{}A{r} {r} 0 0 1 {} {y}Z",
            x + r, right - r, y + r, bottom - r, right - r, x + r, bottom - r, y + r, x + r
        );
        let svg = format!(
            r##"<defs><clipPath id="c"><rect x="20" y="20" width="50" height="40" rx="8"/></clipPath>{}</defs>{CARD}<g clip-path="url(#c)"><path d="{hole}" fill-rule="evenodd" fill="#223366" filter="url(#f)"/></g>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_same(&format!("inner-{radius}-{spread}"), &framed([shape]), &svg);
    }
}

#[test]
fn children_and_strokes_lie_on_an_inner_shadow() {
    let mut frame = filled(node("g", NodeKind::Frame, [10.0, 10.0, 70.0, 70.0]), 0xFF_FFFF);
    frame = stroked(frame, 0x00_8800, 4.0, StrokeAlign::Inside);
    frame = with(frame, [inner(shadow(0xFF_0000, [20.0, 20.0], 0.0, 0.0))]);
    let child =
        within("g", filled(node("c", NodeKind::Rectangle, [8.0, 8.0, 30.0, 30.0]), 0x00_00FF));
    let svg = r##"<path d="M10 10H80V80H10Z" fill="white"/><path d="M10 10H80V30H30V80H10Z" fill="#FF0000"/><rect x="18" y="18" width="30" height="30" fill="#0000FF"/><rect x="12" y="12" width="66" height="66" fill="none" stroke="#008800" stroke-width="4"/>"##;
    assert_same("inner-order", &framed([frame, child]), svg);
}

#[test]
fn a_layer_blur_blurs_the_node_with_its_children_and_shadow() {
    for radius in [4.0, 10.0, 24.0] {
        let mut group = node("g", NodeKind::Group, [0.0, 0.0, 96.0, 96.0]);
        group.effects =
            vec![Effect { kind: EffectKind::LayerBlur { radius }, visible: true }];
        let shape = within("g", with(card(), [drop(shadow(0x22_3366, [8.0, 8.0], 0.0, 0.0))]));
        let dot = node("d", NodeKind::Ellipse(EllipseArc::WHOLE), [50.0, 40.0, 30.0, 30.0]);
        let dot = within("g", filled(dot, 0x00_88FF));
        let sigma = radius / 2.0;
        let svg = format!(
            r##"{}<g filter="url(#f)"><rect x="28" y="28" width="50" height="40" rx="8" fill="#223366"/>{CARD}<circle cx="65" cy="55" r="15" fill="#0088FF"/></g>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_same(&format!("layer-blur-{radius}"), &framed([group, shape, dot]), &svg);
    }
}

#[test]
fn a_background_blur_shows_through_the_node_only() {
    for radius in [6.0, 20.0] {
        let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 20.0]), 0xFF_0000);
        let mut glass = filled(node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 60.0]), 0xFF_FFFF);
        glass.fills[0].opacity = 0.25;
        glass.effects =
            vec![Effect { kind: EffectKind::BackgroundBlur { radius }, visible: true }];
        let sigma = radius / 2.0;
        let svg = format!(
            r##"<defs>{}<clipPath id="c"><rect x="20" y="20" width="50" height="60"/></clipPath></defs><rect y="40" width="96" height="20" fill="#FF0000"/><g clip-path="url(#c)"><g filter="url(#f)"><rect x="-200" y="-200" width="500" height="500" fill="white"/><rect x="-200" y="40" width="500" height="20" fill="#FF0000"/></g></g><rect x="20" y="20" width="50" height="60" fill="white" fill-opacity="0.25"/>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_same(&format!("background-{radius}"), &framed([back, glass]), &svg);
    }
}

#[test]
fn a_background_blur_sees_only_its_isolating_layer() {
    let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 20.0]), 0xFF_0000);
    let mut layer = node("l", NodeKind::Frame, [0.0, 0.0, 96.0, 96.0]);
    layer.blend_mode = BlendMode::Normal;
    let mut glass = filled(node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 60.0]), 0xFF_FFFF);
    glass.fills[0].opacity = 0.25;
    glass.effects = vec![Effect { kind: EffectKind::BackgroundBlur { radius: 20.0 }, visible: true }];
    let svg = r##"<rect y="40" width="96" height="20" fill="#FF0000"/><rect x="20" y="20" width="50" height="60" fill="white" fill-opacity="0.25"/>"##;
    assert_same("isolated", &framed([back, layer, within("l", glass)]), svg);
}

#[test]
fn a_shadow_mixes_with_what_is_below() {
    let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 56.0]), 0xCC_7733);
    let cast = Shadow { blend_mode: BlendMode::Multiply, ..shadow(0x66_99CC, [10.0, 10.0], 0.0, 0.0) };
    let shape = with(card(), [drop(cast)]);
    let svg = format!(
        r##"<rect y="40" width="96" height="56" fill="#CC7733"/><rect x="30" y="30" width="50" height="40" rx="8" fill="#6699CC" style="mix-blend-mode:multiply"/>{CARD}"##
    );
    assert_same("shadow-multiply", &framed([back, shape]), &svg);
}

#[test]
fn opacity_fades_the_node_with_its_shadow() {
    let mut shape = with(card(), [drop(shadow(0x22_3366, [8.0, 8.0], 0.0, 0.0))]);
    shape.opacity = 0.5;
    let svg = format!(
        r##"<g opacity="0.5"><rect x="28" y="28" width="50" height="40" rx="8" fill="#223366"/>{CARD}</g>"##
    );
    assert_same("shadow-opacity", &framed([shape]), &svg);
}

#[test]
fn text_casts_the_shadow_of_its_letters() {
    let words = filled(text("t", [8.0, 20.0, 88.0, 40.0], "Ag", inter(32.0, 700.0)), 0);
    let shifted = filled(text("t", [18.0, 24.0, 88.0, 40.0], "Ag", inter(32.0, 700.0)), 0xFF_0000);
    let behind = draw(&page([frame(), within("f", shifted), within("f", words.clone())].map(with_id)), "f");
    let cast = with(words, [drop(shadow(0xFF_0000, [10.0, 4.0], 0.0, 0.0))]);
    let ours = draw(&page([frame(), within("f", cast)]), "f");
    let apart = super::picture::difference(&ours.pixels, &behind.pixels);
    assert!(apart.largest <= 2, "{apart:?}");
}

fn frame() -> Node {
    filled(node("f", NodeKind::Frame, [0.0, 0.0, 96.0, 96.0]), 0xFF_FFFF)
}

fn with_id(mut node: Node) -> Node {
    let at = format!("{}-{}", node.id, node.transform.e);
    if node.parent.is_some() {
        node.id = NodeId::new(at);
    }
    node
}

#[test]
fn hidden_and_unknown_effects_are_not_drawn_and_the_unknown_is_said() {
    let mut hidden = drop(shadow(0xFF_0000, [9.0, 9.0], 0.0, 0.0));
    hidden.visible = false;
    let noise = Effect { kind: EffectKind::Other("NOISE".to_owned()), visible: true };
    let shape = with(card(), [hidden, noise]);
    let rendered = draw(&page([frame(), within("f", shape)]), "f");
    assert_eq!(rendered.pixels.get(75, 65), Some([255; 4]));
    assert_eq!(messages(&rendered), ["a: its effect of type NOISE is not drawn"]);
}

#[test]
fn render_bounds_reach_one_radius_beyond_the_shadow() {
    // Two of figmagic's real rectangles, and a header's frame.
    for (effects, [left, top, right, bottom]) in [
        (
            vec![
                drop(shadow(0, [0.0, 4.0], 20.0, 0.0)),
                drop(shadow(0, [0.0, 4.0], 4.0, 0.0)),
            ],
            [20.0, 16.0, 20.0, 24.0],
        ),
        (vec![drop(shadow(0, [3.0, 3.0], 3.0, 0.0))], [0.0, 0.0, 6.0, 6.0]),
        (vec![drop(shadow(0, [0.0, 10.0], 0.0, 0.0))], [0.0, 0.0, 0.0, 10.0]),
        (vec![inner(shadow(0, [0.0, 4.0], 4.0, 0.0))], [0.0; 4]),
        (vec![Effect { kind: EffectKind::LayerBlur { radius: 5.0 }, visible: true }], [5.0; 4]),
    ] {
        let shape = with(card(), effects);
        let expected =
            Rect::new(20.0 - left, 20.0 - top, 50.0 + left + right, 40.0 + top + bottom);
        assert_eq!(render_bounds(&page([shape]), &"a".into()), Some(expected));
    }
}

fn any_length() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..50.0f64, 0.0..1e7f64, Just(0.0), Just(1e7), Just(1e-9)]
}

fn any_effect() -> impl Strategy<Value = Effect> {
    let numbers = (any_length(), -1.0..=1.0f64, any_length(), any_length(), any_length());
    (numbers, 0usize..5, any::<bool>()).prop_map(|((radius, sign, x, y, spread), kind, behind)| {
        let shadow = Shadow {
            color: Rgba::new(0.2, 0.4, 0.6, 0.8),
            offset: Point::new(x * sign, y * sign),
            radius,
            spread: spread * sign,
            blend_mode: if behind { BlendMode::Normal } else { BlendMode::LinearBurn },
        };
        let kind = match kind {
            0 => EffectKind::DropShadow { shadow, show_behind_node: behind },
            1 => EffectKind::InnerShadow(shadow),
            2 => EffectKind::LayerBlur { radius },
            3 => EffectKind::BackgroundBlur { radius },
            _ => EffectKind::Other("GLASS".to_owned()),
        };
        Effect { kind, visible: true }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_numbers_of_effects_make_it_panic_or_run_away(
        outer in prop::collection::vec(any_effect(), 0..4),
        within_it in prop::collection::vec(any_effect(), 0..4),
        opacity in 0.2..=1.0f64,
        kind in 0usize..3,
    ) {
        let mut group = with(node("g", NodeKind::Frame, [5.0, 5.0, 60.0, 60.0]), outer);
        group.fills = vec![solid(0x11_2233)];
        group.fills[0].opacity = opacity;
        (group.opacity, group.clips_content) = (opacity, kind == 0);
        let shape = match kind {
            0 => filled(text("a", [4.0, 4.0, 50.0, 20.0], "Gauss", inter(14.0, 400.0)), 0),
            1 => node("a", NodeKind::Ellipse(EllipseArc::WHOLE), [4.0, 4.0, 1e-6, 9.0]),
            _ => card(),
        };
        let shape = within("g", with(filled(shape, 0xAA_0000), within_it));
        draw(&page([frame(), within("f", group), shape]), "f");
    }
}
