//! An independent renderer draws the same geometry.

use std::fmt::Write as _;

use pentimento::base::{Affine, Pixels, Point, Size};
use pentimento::design::{
    CornerRadii, EllipseArc, FigmaPath, GradientKind, Node, NodeKind, Paint, PathGeometry, Stroke,
    StrokeAlign, StrokeCap, StrokeJoin, WindingRule,
};
use proptest::prelude::*;
use resvg::{tiny_skia, usvg};

use super::picture::{difference, save_triptych};
use super::sketch::{draw, filled, gradient, node, page, solid, stroked, within};

pub(super) const SIDE: f64 = 96.0;

/// Draws SVG content of 96 × 96 on white.
pub(super) fn judge(content: &str) -> Pixels {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}"><rect width="100%" height="100%" fill="white"/>{content}</svg>"#
    );
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    let mut pixmap = tiny_skia::Pixmap::new(SIDE as u32, SIDE as u32).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(SIDE as u32, SIDE as u32, pixmap.take_demultiplied()).unwrap()
}

/// A white frame of 96 × 96 with these children.
pub(super) fn framed(children: impl IntoIterator<Item = Node>) -> Pixels {
    let mut frame = filled(node("frame", NodeKind::Frame, [0.0, 0.0, SIDE, SIDE]), 0xFF_FFFF);
    frame.clips_content = true;
    let nodes = std::iter::once(frame).chain(children.into_iter().map(within_frame));
    let rendered = draw(&page(nodes), "frame");
    assert_eq!(rendered.diagnostics, []);
    rendered.pixels
}

fn within_frame(node: Node) -> Node {
    if node.parent.is_some() { node } else { within("frame", node) }
}

/// Edges may be covered a sixteenth otherwise; nothing may be in another place.
pub(super) fn assert_same(name: &str, ours: &Pixels, svg: &str) {
    let theirs = judge(svg);
    let difference = difference(ours, &theirs);
    if difference.mean > 0.35 || difference.far > 0.004 || difference.largest > 96 {
        let report = save_triptych(name, &theirs, ours);
        panic!("{name}: {difference:?}, see {}\n{svg}", report.display());
    }
}

pub(super) fn svg_transform(map: Affine) -> String {
    format!("matrix({} {} {} {} {} {})", map.a, map.b, map.c, map.d, map.e, map.f)
}

#[test]
fn a_rounded_rectangle_has_the_corners_of_svg() {
    let mut shape = filled(node("a", NodeKind::Rectangle, [10.25, 8.5, 70.0, 40.0]), 0x33_66CC);
    shape.corner_radii = CornerRadii::uniform(12.0);
    let svg = r##"<rect x="10.25" y="8.5" width="70" height="40" rx="12" fill="#3366CC"/>"##;
    assert_same("rounded", &framed([shape]), svg);
}

#[test]
fn four_different_corners_are_four_arcs() {
    let mut shape = filled(node("a", NodeKind::Rectangle, [8.0, 8.0, 80.0, 60.0]), 0x33_66CC);
    shape.corner_radii =
        CornerRadii { top_left: 4.0, top_right: 30.0, bottom_right: 0.0, bottom_left: 16.0 };
    let svg = r##"<path transform="translate(8 8)" d="M4 0H50A30 30 0 0 1 80 30V60H16A16 16 0 0 1 0 44V4A4 4 0 0 1 4 0Z" fill="#3366CC"/>"##;
    assert_same("corners", &framed([shape]), svg);
}

#[test]
fn an_inside_stroke_is_a_centred_one_half_as_far_in() {
    let shape = node("a", NodeKind::Rectangle, [8.0, 8.0, 80.0, 60.0]);
    let mut shape = stroked(filled(shape, 0xFF_DD88), 0x88_2200, 6.0, StrokeAlign::Inside);
    shape.corner_radii = CornerRadii::uniform(14.0);
    let svg = r##"<rect x="8" y="8" width="80" height="60" rx="14" fill="#FFDD88"/><rect x="11" y="11" width="74" height="54" rx="11" fill="none" stroke="#882200" stroke-width="6"/>"##;
    assert_same("inside", &framed([shape]), svg);
}

#[test]
fn an_outside_stroke_keeps_sharp_corners_sharp() {
    let shape = node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 40.0]);
    let shape = stroked(filled(shape, 0xFF_DD88), 0x88_2200, 5.0, StrokeAlign::Outside);
    let svg = r##"<rect x="20" y="20" width="50" height="40" fill="#FFDD88"/><rect x="17.5" y="17.5" width="55" height="45" fill="none" stroke="#882200" stroke-width="5"/>"##;
    assert_same("outside", &framed([shape]), svg);
}

#[test]
fn joins_show_on_a_centred_stroke() {
    for (join, word) in
        [(StrokeJoin::Round, "round"), (StrokeJoin::Bevel, "bevel"), (StrokeJoin::Miter, "miter")]
    {
        let shape = node("a", NodeKind::Rectangle, [20.0, 20.0, 50.0, 40.0]);
        let mut shape = stroked(shape, 0x88_2200, 14.0, StrokeAlign::Center);
        shape.stroke.join = join;
        let svg = format!(
            r##"<rect x="20" y="20" width="50" height="40" fill="none" stroke="#882200" stroke-width="14" stroke-linejoin="{word}"/>"##
        );
        assert_same(&format!("join-{word}"), &framed([shape]), &svg);
    }
}

#[test]
fn an_ellipse_with_an_inside_stroke_is_cut_at_its_edge() {
    let shape = node("a", NodeKind::Ellipse(EllipseArc::WHOLE), [10.0, 20.0, 76.0, 44.0]);
    let shape = stroked(filled(shape, 0x99_DDAA), 0x11_4422, 7.0, StrokeAlign::Inside);
    let svg = r##"<defs><clipPath id="c"><ellipse cx="48" cy="42" rx="38" ry="22"/></clipPath></defs><ellipse cx="48" cy="42" rx="38" ry="22" fill="#99DDAA"/><g clip-path="url(#c)"><ellipse cx="48" cy="42" rx="38" ry="22" fill="none" stroke="#114422" stroke-width="14"/></g>"##;
    assert_same("ellipse", &framed([shape]), svg);
}

#[test]
fn dashes_follow_the_edge() {
    let shape = node("a", NodeKind::Rectangle, [12.0, 12.0, 70.0, 60.0]);
    let mut shape = stroked(shape, 0x22_2222, 4.0, StrokeAlign::Center);
    shape.stroke.dashes = vec![9.0, 5.0];
    shape.stroke.cap = StrokeCap::None;
    let svg = r##"<path d="M12 12H82V72H12Z" fill="none" stroke="#222222" stroke-width="4" stroke-dasharray="9 5"/>"##;
    assert_same("dashes", &framed([shape]), svg);
}

#[test]
fn a_line_lies_above_its_axis() {
    let mut line = stroked(
        node("a", NodeKind::Line, [10.0, 40.0, 70.0, 0.0]),
        0x22_2222,
        6.0,
        StrokeAlign::Center,
    );
    line.stroke.cap = StrokeCap::Round;
    let svg = r##"<path d="M10 37H80" stroke="#222222" stroke-width="6" stroke-linecap="round"/>"##;
    assert_same("line", &framed([line]), svg);
}

#[test]
fn a_gradient_runs_between_its_handles() {
    let mut shape = node("a", NodeKind::Rectangle, [8.0, 8.0, 80.0, 80.0]);
    let (from, to) = (Point::new(0.1, 0.2), Point::new(0.8, 0.9));
    shape.fills = vec![gradient(GradientKind::Linear, from, to, [0xFF_0000, 0x00_00FF])];
    let svg = r##"<defs><linearGradient id="g" gradientUnits="userSpaceOnUse" x1="16" y1="24" x2="72" y2="80"><stop stop-color="#FF0000"/><stop offset="1" stop-color="#0000FF"/></linearGradient></defs><rect x="8" y="8" width="80" height="80" fill="url(#g)"/>"##;
    assert_same("gradient", &framed([shape]), svg);
}

#[test]
fn a_radial_gradient_is_an_ellipse_in_an_oblong_box() {
    let mut shape = node("a", NodeKind::Rectangle, [8.0, 28.0, 80.0, 40.0]);
    let (from, to) = (Point::new(0.5, 0.5), Point::new(1.0, 0.5));
    shape.fills = vec![gradient(GradientKind::Radial, from, to, [0xFF_FF00, 0x00_4400])];
    let svg = r##"<defs><radialGradient id="g" cx="0.5" cy="0.5" r="0.5"><stop stop-color="#FFFF00"/><stop offset="1" stop-color="#004400"/></radialGradient></defs><rect x="8" y="28" width="80" height="40" fill="url(#g)"/>"##;
    assert_same("radial", &framed([shape]), svg);
}

#[test]
fn group_opacity_is_laid_on_once() {
    let mut group = node("g", NodeKind::Group, [0.0, 0.0, SIDE, SIDE]);
    group.opacity = 0.5;
    let red =
        within("g", filled(node("a", NodeKind::Rectangle, [10.0, 10.0, 50.0, 50.0]), 0xFF_0000));
    let blue = within(
        "g",
        filled(
            node("b", NodeKind::Ellipse(EllipseArc::WHOLE), [30.0, 30.0, 50.0, 50.0]),
            0x00_00FF,
        ),
    );
    let svg = r##"<g opacity="0.5"><rect x="10" y="10" width="50" height="50" fill="#FF0000"/><circle cx="55" cy="55" r="25" fill="#0000FF"/></g>"##;
    assert_same("opacity", &framed([group, red, blue]), svg);
}

#[test]
fn a_frame_cuts_its_children_at_its_round_corners() {
    let mut clip = filled(node("g", NodeKind::Frame, [10.0, 10.0, 60.0, 60.0]), 0xEE_EEEE);
    clip.clips_content = true;
    clip.corner_radii = CornerRadii::uniform(20.0);
    let child =
        within("g", filled(node("a", NodeKind::Rectangle, [-5.0, 25.0, 80.0, 80.0]), 0x00_88FF));
    let svg = r##"<defs><clipPath id="c"><rect x="10" y="10" width="60" height="60" rx="20"/></clipPath></defs><g clip-path="url(#c)"><rect x="10" y="10" width="60" height="60" fill="#EEEEEE"/><rect x="5" y="35" width="80" height="80" fill="#0088FF"/></g>"##;
    assert_same("clip", &framed([clip, child]), svg);
}

#[test]
fn a_rotated_clip_within_a_clip_cuts_twice() {
    let mut outer = node("o", NodeKind::Frame, [16.0, 16.0, 64.0, 64.0]);
    outer.clips_content = true;
    let mut inner = within("o", node("i", NodeKind::Frame, [0.0, 0.0, 60.0, 30.0]));
    inner.clips_content = true;
    let turn = Affine::translate(10.0, 30.0).after(Affine::rotate(0.5));
    inner.transform = turn;
    let child = within(
        "i",
        filled(node("a", NodeKind::Rectangle, [-50.0, -50.0, 200.0, 200.0]), 0x00_88FF),
    );
    let svg = format!(
        r##"<defs><clipPath id="o"><rect x="16" y="16" width="64" height="64"/></clipPath><clipPath id="i"><rect transform="translate(16 16) {}" width="60" height="30"/></clipPath></defs><g clip-path="url(#o)"><g clip-path="url(#i)"><rect width="96" height="96" fill="#0088FF"/></g></g>"##,
        svg_transform(turn)
    );
    assert_same("clips", &framed([outer, inner, child]), &svg);
}

#[test]
fn blend_modes_mix_as_in_css() {
    use pentimento::design::BlendMode;
    for (mode, word) in [
        (BlendMode::Multiply, "multiply"),
        (BlendMode::Screen, "screen"),
        (BlendMode::Overlay, "overlay"),
        (BlendMode::Darken, "darken"),
        (BlendMode::ColorBurn, "color-burn"),
        (BlendMode::Difference, "difference"),
        (BlendMode::Luminosity, "luminosity"),
    ] {
        let back = filled(node("a", NodeKind::Rectangle, [10.0, 10.0, 50.0, 60.0]), 0xCC_7733);
        let mut front = filled(node("b", NodeKind::Rectangle, [30.0, 20.0, 50.0, 60.0]), 0x33_99BB);
        front.blend_mode = mode;
        let svg = format!(
            r##"<rect x="10" y="10" width="50" height="60" fill="#CC7733"/><rect x="30" y="20" width="50" height="60" fill="#3399BB" style="mix-blend-mode:{word}"/>"##
        );
        assert_same(&format!("blend-{word}"), &framed([back, front]), &svg);
    }
}

#[test]
fn vector_geometry_is_filled_by_its_winding_rule() {
    let star = "M48 4L75 88L4 36H92L21 88Z";
    for (winding, word) in [(WindingRule::NonZero, "nonzero"), (WindingRule::EvenOdd, "evenodd")] {
        let fill = vec![FigmaPath::new(star.to_owned(), winding)];
        let geometry = PathGeometry { fill, stroke: Vec::new() };
        let shape = node("a", NodeKind::Vector(geometry), [0.0, 0.0, SIDE, SIDE]);
        let svg = format!(r##"<path d="{star}" fill="#AA0055" fill-rule="{word}"/>"##);
        assert_same(&format!("winding-{word}"), &framed([filled(shape, 0xAA_0055)]), &svg);
    }
}

#[test]
fn a_mask_shows_what_comes_after_it_where_it_paints() {
    let mut group = node("g", NodeKind::Frame, [0.0, 0.0, SIDE, SIDE]);
    group.clips_content = false;
    let mut mask = within(
        "g",
        filled(node("m", NodeKind::Ellipse(EllipseArc::WHOLE), [10.0, 10.0, 60.0, 60.0]), 0),
    );
    mask.is_mask = true;
    let shown =
        within("g", filled(node("a", NodeKind::Rectangle, [30.0, 0.0, 66.0, 96.0]), 0x00_88FF));
    let svg = r##"<defs><clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath></defs><rect x="30" width="66" height="96" fill="#0088FF" clip-path="url(#c)"/>"##;
    assert_same("mask", &framed([group, mask, shown]), svg);
}

#[derive(Clone, Debug)]
struct RandomShape {
    at: Point,
    size: Size,
    degrees: f64,
    radius: f64,
    is_ellipse: bool,
    rgb: u32,
    fill_opacity: f64,
    stroke: Option<(f64, u32)>,
    opacity: f64,
}

fn random_shape() -> impl Strategy<Value = RandomShape> {
    let place = (0.0..70.0f64, 0.0..70.0f64, 4.0..60.0f64, 4.0..60.0f64);
    let look = (0u32..0x100_0000, 0.1..=1.0f64, 0.2..=1.0f64);
    let stroke = prop::option::of((0.5..8.0f64, 0u32..0x100_0000));
    (place, -180.0..180.0f64, 0.0..20.0f64, any::<bool>(), look, stroke).prop_map(
        |(
            (x, y, width, height),
            degrees,
            radius,
            is_ellipse,
            (rgb, fill_opacity, opacity),
            stroke,
        )| {
            RandomShape {
                at: Point::new(x, y),
                size: Size::new(width, height),
                degrees,
                radius,
                is_ellipse,
                rgb,
                fill_opacity,
                stroke,
                opacity,
            }
        },
    )
}

impl RandomShape {
    fn transform(&self) -> Affine {
        Affine::translate(self.at.x, self.at.y).after(Affine::rotate(self.degrees.to_radians()))
    }

    fn node(&self, id: usize) -> Node {
        let kind = if self.is_ellipse {
            NodeKind::Ellipse(EllipseArc::WHOLE)
        } else {
            NodeKind::Rectangle
        };
        let mut shape =
            node(&format!("s{id}"), kind, [0.0, 0.0, self.size.width, self.size.height]);
        shape.transform = self.transform();
        shape.corner_radii = CornerRadii::uniform(self.radius);
        shape.opacity = self.opacity;
        shape.fills = vec![Paint { opacity: self.fill_opacity, ..solid(self.rgb) }];
        if let Some((weight, rgb)) = self.stroke {
            let paints = vec![solid(rgb)];
            shape.stroke =
                Stroke { paints, weight, align: StrokeAlign::Center, ..Stroke::default() };
        }
        shape
    }

    fn svg(&self) -> String {
        let Size { width, height } = self.size;
        let mut svg = String::new();
        if self.is_ellipse {
            let (rx, ry) = (width / 2.0, height / 2.0);
            write!(svg, r#"<ellipse cx="{rx}" cy="{ry}" rx="{rx}" ry="{ry}""#).unwrap();
        } else {
            let radius = self.radius.min(width.min(height) / 2.0);
            write!(svg, r#"<rect width="{width}" height="{height}" rx="{radius}""#).unwrap();
        }
        write!(
            svg,
            r##" transform="{}" fill="#{:06X}" fill-opacity="{}" opacity="{}""##,
            svg_transform(self.transform()),
            self.rgb,
            self.fill_opacity,
            self.opacity
        )
        .unwrap();
        if let Some((weight, rgb)) = self.stroke {
            write!(svg, r##" stroke="#{rgb:06X}" stroke-width="{weight}""##).unwrap();
        }
        svg.push_str("/>");
        svg
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_shapes_look_as_resvg_draws_them(shapes in prop::collection::vec(random_shape(), 1..5)) {
        let ours = framed(shapes.iter().enumerate().map(|(id, shape)| shape.node(id)));
        let svg: String = shapes.iter().map(RandomShape::svg).collect();
        let theirs = judge(&svg);
        let difference = difference(&ours, &theirs);
        prop_assert!(difference.mean < 0.5 && difference.far < 0.01, "{difference:?}\n{svg}");
    }
}
