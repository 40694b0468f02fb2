//! Shadows and blurs, beside an independent renderer's.

use pentimento::base::{Affine, Pixels, Point, Rect, Rgba};
use pentimento::design::{
    BlendMode, CornerRadii, Effect, EffectKind, EllipseArc, GradientKind, Node, NodeId, NodeKind,
    Shadow, StrokeAlign,
};
use pentimento::render::render_bounds;
use proptest::prelude::*;

use super::against_resvg::{assert_same, framed, judge};
use super::picture::{assert_golden, difference, save_triptych};
use super::sketch::{
    color, context, draw, filled, gradient, inter, messages, node, page, solid, stroked, text,
    within,
};

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

/// As like as an exact Gaussian is to resvg's three boxes, which are a few hundredths wider.
fn assert_alike(name: &str, ours: &Pixels, svg: &str) {
    let theirs = judge(svg);
    let apart = difference(ours, &theirs);
    let is_same = apart.mean <= 0.9 && apart.far <= 0.002;
    let report = || save_triptych(name, &theirs, ours).display().to_string();
    assert!(is_same, "{name}: {apart:?}, see {}", report());
}

/// The share of a Gaussian of standard deviation 1 that lies below `x`, by Simpson's rule.
fn normal_distribution(x: f64) -> f64 {
    const STEPS: usize = 2000;
    let step = (x + 8.0) / STEPS as f64;
    let density = |at: f64| (-at * at / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let weight = |index: usize| if index % 2 == 1 { 4.0 } else { 2.0 };
    let inner: f64 =
        (1..STEPS).map(|index| weight(index) * density(-8.0 + step * index as f64)).sum();
    (density(-8.0) + inner + density(x)) * step / 3.0
}

#[test]
fn a_shadow_falls_off_as_the_normal_distribution_says() {
    for radius in [4.0, 8.0, 11.0, 13.0, 25.0, 60.0, 200.0] {
        // The upper edge lies at 48 and everything else far away.
        let wide = [-2000.0, 48.0, 4096.0, 4000.0];
        let mut shape = filled(node("a", NodeKind::Rectangle, wide), 0);
        shape.fills[0].opacity = 1e-9;
        let cast = drop(shadow(0, [0.0, 0.0], radius, 0.0));
        let ours = framed([with(shape, [cast])]);
        for y in 0..48 {
            let distance = f64::from(y) + 0.5 - 48.0;
            let expected = 255.0 * (1.0 - normal_distribution(distance / (radius / 2.0)));
            let got = f64::from(ours.get(48, y).unwrap()[0]);
            assert!((got - expected).abs() <= 2.5, "{radius} {y}: {got} is not {expected}");
        }
    }
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
        assert_alike(&format!("drop-{radius}"), &framed([shape]), &svg);
    }
}

#[test]
fn what_an_opaque_box_hides_of_its_shadow_makes_no_difference() {
    let boxes = [[12.0, 10.0, 70.0, 72.0], [10.3, 12.6, 70.5, 60.2], [-40.0, 20.5, 90.0, 200.0]];
    for (at, radius) in boxes.into_iter().flat_map(|at| [0.0, 3.0, 7.0, 9.0].map(|r| (at, r))) {
        for corner in [0.0, 6.5] {
            let shape = |id: &str| {
                let shape = filled(node(id, NodeKind::Rectangle, at), 0xFF_DD88);
                Node { corner_radii: CornerRadii::uniform(corner), ..shape }
            };
            let shadow = shadow(0x22_3366, [3.0, 5.0], radius, 0.0);
            let hiding = with(shape("a"), [drop(shadow)]);
            // Nothing but the shadow, all of it, and then the shape.
            let kind = EffectKind::DropShadow { shadow, show_behind_node: true };
            let mut below = with(shape("a"), [Effect { kind, visible: true }]);
            below.fills[0].opacity = 1e-9;
            let apart = difference(&framed([hiding]), &framed([below, shape("b")]));
            // A corner that is blurred in parts may be rounded otherwise.
            let most = u8::from(corner > 0.0 && radius > 0.0);
            assert!(apart.largest <= most, "{at:?} {radius} {corner}: {apart:?}");
        }
    }
}

#[test]
fn a_translucent_node_casts_a_whole_shadow_and_cuts_it_out() {
    let mut shape = with(card(), [drop(shadow(0x22_3366, [6.0, 6.0], 6.0, 0.0))]);
    shape.fills[0].opacity = 0.3;
    let steps = r#"<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hard"/><feOffset dx="6" dy="6"/><feGaussianBlur stdDeviation="3"/><feComposite in2="hard" operator="out"/><feColorMatrix type="matrix" values="0 0 0 0 0.13333 0 0 0 0 0.2 0 0 0 0 0.4 0 0 0 1 0" result="shadow"/><feBlend in="SourceGraphic" in2="shadow"/>"#;
    let svg = format!(
        r##"{}<g filter="url(#f)"><rect x="20" y="20" width="50" height="40" rx="8" fill="#FFDD88" fill-opacity="0.3"/></g>"##,
        filter(steps)
    );
    assert_alike("drop-translucent", &framed([shape]), &svg);
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
    assert_alike("drop-behind", &framed([shape]), &svg);
}

#[test]
fn spread_grows_the_shape_and_its_corners() {
    let shape = with(card(), [drop(shadow(0x22_3366, [0.0, 0.0], 0.0, 6.0))]);
    let svg =
        format!(r##"<rect x="14" y="14" width="62" height="52" rx="14" fill="#223366"/>{CARD}"##);
    assert_same("spread", &framed([shape]), &svg);
    let oval = node("a", NodeKind::Ellipse(EllipseArc::WHOLE), [20.0, 20.0, 50.0, 40.0]);
    let oval = with(filled(oval, 0xFF_DD88), [drop(shadow(0x22_3366, [0.0, 0.0], 0.0, 6.0))]);
    let svg = r##"<ellipse cx="45" cy="40" rx="31" ry="26" fill="#223366"/><ellipse cx="45" cy="40" rx="25" ry="20" fill="#FFDD88"/>"##;
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
        [
            drop(shadow(0xFF_0000, [6.0, 6.0], 0.0, 0.0)),
            drop(shadow(0x00_00FF, [3.0, 3.0], 0.0, 0.0)),
        ],
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
    assert_alike("shadow-of-content", &framed([frame, within("g", card())]), &svg);
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
            x + r,
            right - r,
            y + r,
            bottom - r,
            right - r,
            x + r,
            bottom - r,
            y + r,
            x + r
        );
        let svg = format!(
            r##"<defs><clipPath id="c"><rect x="20" y="20" width="50" height="40" rx="8"/></clipPath>{}</defs>{CARD}<g clip-path="url(#c)"><path d="{hole}" fill-rule="evenodd" fill="#223366" filter="url(#f)"/></g>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_alike(&format!("inner-{radius}-{spread}"), &framed([shape]), &svg);
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
        group.effects = vec![Effect { kind: EffectKind::LayerBlur { radius }, visible: true }];
        let shape = within("g", with(card(), [drop(shadow(0x22_3366, [8.0, 8.0], 0.0, 0.0))]));
        let dot = node("d", NodeKind::Ellipse(EllipseArc::WHOLE), [50.0, 40.0, 30.0, 30.0]);
        let dot = within("g", filled(dot, 0x00_88FF));
        let sigma = radius / 2.0;
        let svg = format!(
            r##"{}<g filter="url(#f)"><rect x="28" y="28" width="50" height="40" rx="8" fill="#223366"/>{CARD}<circle cx="65" cy="55" r="15" fill="#0088FF"/></g>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_alike(&format!("layer-blur-{radius}"), &framed([group, shape, dot]), &svg);
    }
}

#[test]
fn a_background_blur_shows_through_the_node_only() {
    for radius in [6.0, 20.0] {
        let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 20.0]), 0xFF_0000);
        let mut glass = filled(node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 60.0]), 0xFF_FFFF);
        glass.fills[0].opacity = 0.25;
        glass.effects = vec![Effect { kind: EffectKind::BackgroundBlur { radius }, visible: true }];
        let sigma = radius / 2.0;
        let svg = format!(
            r##"<defs>{}<clipPath id="c"><rect x="20" y="20" width="50" height="60"/></clipPath></defs><rect y="40" width="96" height="20" fill="#FF0000"/><g clip-path="url(#c)"><g filter="url(#f)"><rect x="-200" y="-200" width="500" height="500" fill="white"/><rect x="-200" y="40" width="500" height="20" fill="#FF0000"/></g></g><rect x="20" y="20" width="50" height="60" fill="white" fill-opacity="0.25"/>"##,
            filter(&format!(r#"<feGaussianBlur stdDeviation="{sigma}"/>"#))
        );
        assert_alike(&format!("background-{radius}"), &framed([back, glass]), &svg);
    }
}

#[test]
fn a_background_blur_sees_only_its_isolating_layer() {
    let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 20.0]), 0xFF_0000);
    let mut layer = node("l", NodeKind::Frame, [0.0, 0.0, 96.0, 96.0]);
    layer.blend_mode = BlendMode::Normal;
    let mut glass = filled(node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 60.0]), 0xFF_FFFF);
    glass.fills[0].opacity = 0.25;
    glass.effects =
        vec![Effect { kind: EffectKind::BackgroundBlur { radius: 20.0 }, visible: true }];
    let svg = r##"<rect y="40" width="96" height="20" fill="#FF0000"/><rect x="20" y="20" width="50" height="60" fill="white" fill-opacity="0.25"/>"##;
    assert_same("isolated", &framed([back, layer, within("l", glass)]), svg);
}

#[test]
fn a_shadow_mixes_with_what_is_below() {
    let back = filled(node("b", NodeKind::Rectangle, [0.0, 40.0, 96.0, 56.0]), 0xCC_7733);
    let cast =
        Shadow { blend_mode: BlendMode::Multiply, ..shadow(0x66_99CC, [10.0, 10.0], 0.0, 0.0) };
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
    let behind =
        draw(&page([frame(), within("f", shifted), within("f", words.clone())].map(with_id)), "f");
    let cast = with(words, [drop(shadow(0xFF_0000, [10.0, 4.0], 0.0, 0.0))]);
    let ours = draw(&page([frame(), within("f", cast)]), "f");
    let apart = difference(&ours.pixels, &behind.pixels);
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
            vec![drop(shadow(0, [0.0, 4.0], 20.0, 0.0)), drop(shadow(0, [0.0, 4.0], 4.0, 0.0))],
            [20.0, 16.0, 20.0, 24.0],
        ),
        (vec![drop(shadow(0, [3.0, 3.0], 3.0, 0.0))], [0.0, 0.0, 6.0, 6.0]),
        (vec![drop(shadow(0, [0.0, 10.0], 0.0, 0.0))], [0.0, 0.0, 0.0, 10.0]),
        (vec![inner(shadow(0, [0.0, 4.0], 4.0, 0.0))], [0.0; 4]),
        (vec![Effect { kind: EffectKind::LayerBlur { radius: 5.0 }, visible: true }], [5.0; 4]),
    ] {
        let shape = with(card(), effects);
        let expected = Rect::new(20.0 - left, 20.0 - top, 50.0 + left + right, 40.0 + top + bottom);
        assert_eq!(render_bounds(&context(), &page([shape]), &"a".into()), Some(expected));
    }
}

#[test]
fn a_screen_of_glass_and_shadows() {
    let mut screen = node("s", NodeKind::Frame, [0.0, 0.0, 240.0, 180.0]);
    screen.clips_content = true;
    let (from, to) = (Point::new(0.0, 0.0), Point::new(1.0, 1.0));
    screen.fills = vec![gradient(GradientKind::Linear, from, to, [0xDD_E7FF, 0xFF_E3EE])];
    let on = |node: Node| within("s", node);
    let mut gem = node("gem", NodeKind::Rectangle, [14.0, 14.0, 60.0, 60.0]);
    let (from, to) = (Point::new(0.5, 0.5), Point::new(1.0, 0.5));
    gem.fills = vec![gradient(GradientKind::Diamond, from, to, [0xFF_FFFF, 0x5B_3DF5])];
    gem.corner_radii = CornerRadii::uniform(12.0);
    let gem = with(gem, [drop(translucent(0x1B_1060, 0.4, [0.0, 6.0], 12.0, -2.0))]);
    let mut dial = node("dial", NodeKind::Ellipse(EllipseArc::WHOLE), [90.0, 14.0, 60.0, 60.0]);
    dial.fills = vec![gradient(GradientKind::Angular, from, to, [0x12_B5A6, 0xF5_A623])];
    let dial = with(dial, [inner(translucent(0, 0.5, [0.0, 4.0], 8.0, 0.0))]);
    let mut blurred =
        filled(node("blur", NodeKind::Rectangle, [170.0, 20.0, 50.0, 50.0]), 0xF5_3D6B);
    blurred.effects = vec![Effect { kind: EffectKind::LayerBlur { radius: 10.0 }, visible: true }];
    let words =
        filled(text("t", [16.0, 96.0, 200.0, 40.0], "Glass", inter(34.0, 800.0)), 0x5B_3DF5);
    let words = with(words, [drop(translucent(0, 0.35, [2.0, 3.0], 4.0, 0.0))]);
    let mut glass =
        filled(node("glass", NodeKind::Rectangle, [60.0, 50.0, 120.0, 80.0]), 0xFF_FFFF);
    glass.fills[0].opacity = 0.3;
    glass.corner_radii = CornerRadii::uniform(16.0);
    glass = with(
        glass,
        [
            drop(translucent(0, 0.3, [0.0, 8.0], 20.0, 0.0)),
            Effect { kind: EffectKind::BackgroundBlur { radius: 14.0 }, visible: true },
            inner(translucent(0xFF_FFFF, 0.9, [1.0, 1.0], 1.0, 0.0)),
        ],
    );
    let all = [screen, on(gem), on(dial), on(blurred), on(words), on(glass)];
    let rendered = draw(&page(all), "s");
    assert_eq!(rendered.diagnostics, []);
    assert_golden("effects", &rendered.pixels);
}

fn translucent(rgb: u32, alpha: f64, offset: [f64; 2], radius: f64, spread: f64) -> Shadow {
    Shadow { color: color(rgb).with_alpha(alpha), ..shadow(rgb, offset, radius, spread) }
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
