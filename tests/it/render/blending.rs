//! Blend modes of nodes and paints, several fills and strokes, beside an independent renderer's.

use pentimento::design::{BlendMode, NodeKind, Paint, StrokeAlign};

use super::against_resvg::{assert_same, framed};
use super::sketch::{filled, node, solid, within};

const MODES: [(BlendMode, &str); 16] = [
    (BlendMode::Darken, "darken"),
    (BlendMode::Multiply, "multiply"),
    (BlendMode::ColorBurn, "color-burn"),
    (BlendMode::Lighten, "lighten"),
    (BlendMode::Screen, "screen"),
    (BlendMode::LinearDodge, "plus-lighter"),
    (BlendMode::ColorDodge, "color-dodge"),
    (BlendMode::Overlay, "overlay"),
    (BlendMode::SoftLight, "soft-light"),
    (BlendMode::HardLight, "hard-light"),
    (BlendMode::Difference, "difference"),
    (BlendMode::Exclusion, "exclusion"),
    (BlendMode::Hue, "hue"),
    (BlendMode::Saturation, "saturation"),
    (BlendMode::Color, "color"),
    (BlendMode::Luminosity, "luminosity"),
];

#[test]
fn every_mode_of_css_mixes_a_translucent_node_as_there() {
    for (mode, word) in MODES {
        let back = filled(node("a", NodeKind::Rectangle, [10.0, 10.0, 50.0, 60.0]), 0xCC_7733);
        let mut front = filled(node("b", NodeKind::Rectangle, [30.0, 20.0, 50.0, 60.0]), 0x33_99BB);
        front.blend_mode = mode;
        front.opacity = 0.7;
        let svg = format!(
            r##"<rect x="10" y="10" width="50" height="60" fill="#CC7733"/><rect x="30" y="20" width="50" height="60" fill="#3399BB" opacity="0.7" style="mix-blend-mode:{word}"/>"##
        );
        assert_same(&format!("mode-{word}"), &framed([back, front]), &svg);
    }
}

#[test]
fn every_mode_of_css_mixes_a_paint_with_those_below_it() {
    for (mode, word) in MODES {
        let mut shape = node("a", NodeKind::Rectangle, [10.0, 10.0, 70.0, 60.0]);
        let top = Paint { blend_mode: mode, opacity: 0.6, ..solid(0x33_99BB) };
        shape.fills = vec![solid(0xCC_7733), top];
        let svg = format!(
            r##"<rect x="10" y="10" width="70" height="60" fill="#CC7733"/><rect x="10" y="10" width="70" height="60" fill="#3399BB" fill-opacity="0.6" style="mix-blend-mode:{word}"/>"##
        );
        assert_same(&format!("paint-{word}"), &framed([shape]), &svg);
    }
}

#[test]
fn linear_burn_is_the_sum_minus_one() {
    let mut shape = filled(node("a", NodeKind::Rectangle, [0.0, 0.0, 96.0, 96.0]), 0xC8_6432);
    shape.fills.push(Paint { blend_mode: BlendMode::LinearBurn, ..solid(0x9B_9B9B) });
    assert_eq!(framed([shape]).get(48, 48), Some([100, 0, 0, 255]));
}

#[test]
fn several_fills_and_strokes_lie_one_on_another() {
    let mut shape = node("a", NodeKind::Rectangle, [15.0, 15.0, 60.0, 50.0]);
    shape.fills = vec![solid(0xFF_0000), Paint { opacity: 0.5, ..solid(0x00_00FF) }];
    shape.stroke.paints = vec![solid(0x00_0000), Paint { opacity: 0.25, ..solid(0xFF_FFFF) }];
    (shape.stroke.weight, shape.stroke.align) = (6.0, StrokeAlign::Center);
    let svg = r##"<rect x="15" y="15" width="60" height="50" fill="#FF0000"/><rect x="15" y="15" width="60" height="50" fill="#0000FF" fill-opacity="0.5"/><rect x="15" y="15" width="60" height="50" fill="none" stroke="black" stroke-width="6"/><rect x="15" y="15" width="60" height="50" fill="none" stroke="white" stroke-opacity="0.25" stroke-width="6"/>"##;
    assert_same("several-paints", &framed([shape]), svg);
}

#[test]
fn a_pass_through_group_does_not_isolate_and_a_normal_one_does() {
    for (mode, isolation) in [(BlendMode::PassThrough, "auto"), (BlendMode::Normal, "isolate")] {
        let back = filled(node("a", NodeKind::Rectangle, [10.0, 10.0, 50.0, 60.0]), 0xCC_7733);
        let mut group = node("g", NodeKind::Group, [0.0, 0.0, 96.0, 96.0]);
        group.blend_mode = mode;
        let mut front = filled(node("b", NodeKind::Rectangle, [30.0, 20.0, 50.0, 60.0]), 0x33_99BB);
        front.blend_mode = BlendMode::Multiply;
        let svg = format!(
            r##"<rect x="10" y="10" width="50" height="60" fill="#CC7733"/><g style="isolation:{isolation}"><rect x="30" y="20" width="50" height="60" fill="#3399BB" style="mix-blend-mode:multiply"/></g>"##
        );
        assert_same(isolation, &framed([back, group, within("g", front)]), &svg);
    }
}
