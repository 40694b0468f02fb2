//! Masks: by alpha, by form, by luminance.

use pentimento::base::Point;
use pentimento::design::{
    Effect, EffectKind, EllipseArc, GradientKind, MaskType, Node, NodeKind, Paint,
};

use super::against_resvg::{assert_same, framed};
use super::sketch::{filled, gradient, node, solid, within};

fn mask(mask_type: MaskType, paint: Option<Paint>) -> Node {
    let mut mask = node("m", NodeKind::Ellipse(EllipseArc::WHOLE), [10.0, 10.0, 60.0, 60.0]);
    mask.fills = paint.into_iter().collect();
    (mask.is_mask, mask.mask_type) = (true, mask_type);
    within("g", mask)
}

/// A mask and what it masks, in a group.
fn masked(mask: Node) -> [Node; 3] {
    let shown = filled(node("a", NodeKind::Rectangle, [30.0, 0.0, 66.0, 96.0]), 0x00_88FF);
    [node("g", NodeKind::Group, [0.0, 0.0, 96.0, 96.0]), mask, within("g", shown)]
}

const BLUE: &str = r##"<rect x="30" width="66" height="96" fill="#0088FF""##;

#[test]
fn an_alpha_mask_fades_by_its_opacity_and_not_by_its_colour() {
    let paint = Paint { opacity: 0.4, ..solid(0) };
    let svg = format!(
        r#"<defs><clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath></defs>{BLUE} opacity="0.4" clip-path="url(#c)"/>"#
    );
    assert_same("mask-alpha", &framed(masked(mask(MaskType::Alpha, Some(paint)))), &svg);
}

#[test]
fn a_luminance_mask_shows_where_it_is_bright() {
    let (from, to) = (Point::new(0.0, 0.5), Point::new(1.0, 0.5));
    let paint = gradient(GradientKind::Linear, from, to, [0x00_0000, 0xFF_CC44]);
    let svg = format!(
        r##"<defs><linearGradient id="l"><stop stop-color="black"/><stop offset="1" stop-color="#FFCC44"/></linearGradient><mask id="k" maskUnits="userSpaceOnUse" x="0" y="0" width="96" height="96"><circle cx="40" cy="40" r="30" fill="url(#l)"/></mask></defs>{BLUE} mask="url(#k)"/>"##
    );
    assert_same("mask-luminance", &framed(masked(mask(MaskType::Luminance, Some(paint)))), &svg);
}

#[test]
fn a_vector_mask_is_its_form_whatever_it_is_painted_with() {
    let svg = format!(
        r#"<defs><clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath></defs>{BLUE} clip-path="url(#c)"/>"#
    );
    let faint = Paint { opacity: 0.1, ..solid(0xFF_FFFF) };
    let hidden = Paint { visible: false, ..solid(0) };
    for (name, paint) in [("none", None), ("faint", Some(faint)), ("hidden", Some(hidden))] {
        let ours = framed(masked(mask(MaskType::Vector, paint)));
        assert_same(&format!("mask-vector-{name}"), &ours, &svg);
    }
}

#[test]
fn a_mask_that_paints_nothing_hides_all_and_a_hidden_one_nothing() {
    let nothing = framed(masked(mask(MaskType::Alpha, None)));
    assert_same("mask-empty", &nothing, "");
    let mut hidden = mask(MaskType::Alpha, Some(solid(0)));
    hidden.visible = false;
    assert_same("mask-hidden", &framed(masked(hidden)), &format!("{BLUE}/>"));
}

#[test]
fn a_blurred_mask_has_a_soft_edge() {
    let mut soft = mask(MaskType::Alpha, Some(solid(0)));
    soft.effects = vec![Effect { kind: EffectKind::LayerBlur { radius: 12.0 }, visible: true }];
    let svg = format!(
        r#"<defs><filter id="f" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="6"/></filter><mask id="k" maskUnits="userSpaceOnUse" x="-50" y="-50" width="200" height="200" style="mask-type:alpha"><circle cx="40" cy="40" r="30" filter="url(#f)"/></mask></defs>{BLUE} mask="url(#k)"/>"#
    );
    assert_same("mask-soft", &framed(masked(soft)), &svg);
}

#[test]
fn a_mask_in_a_masked_group_masks_too() {
    let outer = mask(MaskType::Alpha, Some(solid(0)));
    let [group, outer, _] = masked(outer);
    let within_it = within("g", node("h", NodeKind::Group, [0.0, 0.0, 96.0, 96.0]));
    let mut inner = filled(node("n", NodeKind::Rectangle, [0.0, 30.0, 96.0, 20.0]), 0);
    inner.is_mask = true;
    let shown = filled(node("a", NodeKind::Rectangle, [30.0, 0.0, 66.0, 96.0]), 0x00_88FF);
    let ours = framed([group, outer, within_it, within("h", inner), within("h", shown)]);
    let svg = r##"<defs><clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath></defs><rect x="30" y="30" width="66" height="20" fill="#0088FF" clip-path="url(#c)"/>"##;
    assert_same("mask-nested", &ours, svg);
}

#[test]
fn a_mask_ends_at_its_own_group() {
    let after = filled(node("z", NodeKind::Rectangle, [0.0, 80.0, 96.0, 10.0]), 0xFF_0000);
    let [group, mask, shown] = masked(mask(MaskType::Alpha, Some(solid(0))));
    let svg = format!(
        r##"<defs><clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath></defs>{BLUE} clip-path="url(#c)"/><rect y="80" width="96" height="10" fill="#FF0000"/>"##
    );
    assert_same("mask-scope", &framed([group, mask, shown, after]), &svg);
}
