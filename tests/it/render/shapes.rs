//! Arcs, smooth and rounded corners, and strokes, beside an independent renderer.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use pentimento::base::Size;
use pentimento::design::{
    CornerRadii, EllipseArc, FigmaPath, Node, NodeKind, PathGeometry, Sides, StrokeAlign,
    StrokeCap, StrokeJoin, WindingRule,
};
use pentimento::render::outline;
use proptest::prelude::*;

use super::against_resvg::{assert_same, framed};
use super::picture::{assert_golden, save_triptych};
use super::sketch::{context, draw, filled, inter, messages, node, page, stroked, text, within};

fn arc(start: f64, end: f64, inner_ratio: f64) -> NodeKind {
    NodeKind::Ellipse(EllipseArc { start, end, inner_ratio })
}

fn open_vector(data: &str) -> NodeKind {
    let path = FigmaPath::new(data.to_owned(), WindingRule::NonZero);
    NodeKind::Vector(PathGeometry { fill: vec![path], stroke: Vec::new() })
}

#[test]
fn a_pie_is_an_svg_arc_with_lines_to_the_middle() {
    let shape = filled(node("a", arc(0.0, 1.5 * PI, 0.0), [8.0, 8.0, 80.0, 80.0]), 0x33_66CC);
    let svg = r##"<path d="M48 48L88 48A40 40 0 1 1 48 8Z" fill="#3366CC"/>"##;
    assert_same("pie", &framed([shape]), svg);
}

#[test]
fn a_negative_sweep_is_the_same_piece() {
    let shape = filled(node("a", arc(0.0, -FRAC_PI_2, 0.0), [8.0, 8.0, 80.0, 80.0]), 0x33_66CC);
    let svg = r##"<path d="M48 48L88 48A40 40 0 0 0 48 8Z" fill="#3366CC"/>"##;
    assert_same("pie-negative", &framed([shape]), svg);
}

#[test]
fn a_piece_of_an_oval_ring_has_two_arcs() {
    let shape =
        filled(node("a", arc(FRAC_PI_2, FRAC_PI_2 + PI, 0.5), [8.0, 18.0, 80.0, 60.0]), 0x33_66CC);
    let svg = r##"<path d="M48 78A40 30 0 0 1 48 18L48 33A20 15 0 0 0 48 63Z" fill="#3366CC"/>"##;
    assert_same("ring-piece", &framed([shape]), svg);
}

#[test]
fn a_full_turn_with_a_hole_is_a_ring() {
    let shape = filled(node("a", arc(1.0, 1.0 + TAU, 0.6), [8.0, 8.0, 80.0, 80.0]), 0x33_66CC);
    let svg =
        r##"<circle cx="48" cy="48" r="32" fill="none" stroke="#3366CC" stroke-width="16"/>"##;
    assert_same("ring", &framed([shape]), svg);
}

#[test]
fn the_corners_of_a_triangle_are_rounded() {
    let kind = NodeKind::RegularPolygon { corners: 4 };
    let mut shape = filled(node("a", kind, [8.0, 8.0, 80.0, 80.0]), 0x33_66CC);
    shape.corner_radii = CornerRadii::uniform(10.0);
    // A square on its tip, of side 40·√2.
    let svg = r##"<rect x="-28.284" y="-28.284" width="56.569" height="56.569" rx="10" transform="translate(48 48) rotate(45)" fill="#3366CC"/>"##;
    assert_same("round-square", &framed([shape]), svg);
}

#[test]
fn a_clip_follows_smooth_corners() {
    let frame = |smoothing: f64| {
        let mut clip = node("g", NodeKind::Frame, [8.0, 8.0, 80.0, 80.0]);
        clip.clips_content = true;
        clip.corner_radii = CornerRadii::uniform(20.0);
        clip.corner_smoothing = smoothing;
        let child = within("g", filled(node("a", NodeKind::Rectangle, [0.0, 0.0, 80.0, 80.0]), 0));
        framed([clip, child])
    };
    let mut shape = filled(node("b", NodeKind::Rectangle, [8.0, 8.0, 80.0, 80.0]), 0);
    shape.corner_radii = CornerRadii::uniform(20.0);
    shape.corner_smoothing = 1.0;
    assert_eq!(frame(1.0), framed([shape]));
    assert_ne!(frame(1.0), frame(0.0));
}

#[test]
fn an_open_vector_is_stroked_along_its_path() {
    for (cap, word) in
        [(StrokeCap::None, "butt"), (StrokeCap::Round, "round"), (StrokeCap::Square, "square")]
    {
        let vector = node("a", open_vector("M0 60L40 0L70 60"), [12.0, 18.0, 70.0, 60.0]);
        let mut vector = stroked(vector, 0x88_2200, 9.0, StrokeAlign::Inside);
        vector.stroke.cap = cap;
        let svg = format!(
            r##"<path d="M12 78L52 18L82 78" fill="none" stroke="#882200" stroke-width="9" stroke-linecap="{word}"/>"##
        );
        assert_same(&format!("open-{word}"), &framed([vector]), &svg);
    }
}

#[test]
fn a_corner_sharper_than_the_miter_angle_is_bevelled() {
    for angle in [10.0, 28.96, 80.0f64] {
        let limit = 1.0 / (angle.to_radians() / 2.0).sin();
        let vector = node("a", open_vector("M0 60L20 0L40 60"), [28.0, 28.0, 40.0, 60.0]);
        let mut vector = stroked(vector, 0x88_2200, 8.0, StrokeAlign::Center);
        vector.stroke.miter_angle = angle;
        let svg = format!(
            r##"<path d="M28 88L48 28L68 88" fill="none" stroke="#882200" stroke-width="8" stroke-miterlimit="{limit}"/>"##
        );
        assert_same(&format!("miter-{angle}"), &framed([vector]), &svg);
    }
}

#[test]
fn an_inside_stroke_of_a_star_is_cut_at_its_edge() {
    let kind = NodeKind::Star { tips: 5, inner_ratio: 0.5 };
    let mut shape =
        stroked(node("a", kind, [8.0, 8.0, 80.0, 80.0]), 0x11_4422, 5.0, StrokeAlign::Inside);
    shape.stroke.join = StrokeJoin::Round;
    let corner = |n: u32| {
        let radius = if n.is_multiple_of(2) { 40.0 } else { 20.0 };
        let (sin, cos) = (f64::from(n) * PI / 5.0).sin_cos();
        format!("{} {}", 48.0 + radius * sin, 48.0 - radius * cos)
    };
    let star = format!("M{}Z", (0..10).map(corner).collect::<Vec<_>>().join("L"));
    let svg = format!(
        r##"<defs><clipPath id="c"><path d="{star}"/></clipPath></defs><path d="{star}" fill="none" stroke="#114422" stroke-width="10" stroke-linejoin="round" clip-path="url(#c)"/>"##
    );
    assert_same("star-inside", &framed([shape]), &svg);
}

#[test]
fn dashes_take_their_caps() {
    let vector = node("a", open_vector("M0 0L76 0"), [10.0, 40.0, 76.0, 0.0]);
    let mut vector = stroked(vector, 0x22_2222, 6.0, StrokeAlign::Center);
    vector.stroke.dashes = vec![0.0, 12.0];
    vector.stroke.cap = StrokeCap::Round;
    let svg = r##"<path d="M10 40H86" fill="none" stroke="#222222" stroke-width="6" stroke-linecap="round" stroke-dasharray="0.001 12"/>"##;
    assert_same("dots", &framed([vector]), svg);
}

#[test]
fn each_side_is_as_heavy_as_it_says() {
    let shape = filled(node("a", NodeKind::Rectangle, [10.0, 10.0, 70.0, 60.0]), 0xFF_DD88);
    let mut shape = stroked(shape, 0x88_2200, 1.0, StrokeAlign::Inside);
    shape.stroke.sides = Some(Sides { top: 2.0, right: 0.0, bottom: 9.0, left: 5.0 });
    let svg = r##"<rect x="10" y="10" width="70" height="60" fill="#FFDD88"/><path d="M10 10H80V12H15V61H80V70H10Z" fill="#882200"/>"##;
    assert_same("sides", &framed([shape]), svg);
}

#[test]
fn sides_are_dashed_each_on_its_own() {
    let shape = node("a", NodeKind::Rectangle, [10.0, 10.0, 70.0, 60.0]);
    let mut shape = stroked(shape, 0x88_2200, 1.0, StrokeAlign::Inside);
    shape.stroke.sides = Some(Sides { top: 2.0, right: 0.0, bottom: 6.0, left: 0.0 });
    shape.stroke.dashes = vec![10.0, 5.0];
    let svg = r##"<path d="M10 11H80" stroke="#882200" stroke-width="2" stroke-dasharray="10 5"/><path d="M80 67H10" stroke="#882200" stroke-width="6" stroke-dasharray="10 5"/>"##;
    assert_same("sides-dashed", &framed([shape]), svg);
}

#[test]
fn heads_sit_at_both_ends_of_a_line() {
    let mut line = node("a", NodeKind::Line, [13.0, 42.0, 70.0, 0.0]);
    line = stroked(line, 0x22_2222, 4.0, StrokeAlign::Center);
    line.stroke.cap = StrokeCap::TriangleArrow;
    // Figma's export of weight 1, four times as large: M0 3L5 5.88675V0.113249L0 3Z.
    let svg = r##"<path transform="translate(13 28) scale(4)" fill="#222222" d="M0 3L5 5.88675V0.113249ZM17.5 3L12.5 0.113249V5.88675ZM4.5 2.5V3.5H13V2.5Z"/>"##;
    assert_same("arrows", &framed([line]), svg);
}

#[test]
fn a_stroke_thinner_than_a_pixel_covers_part_of_it() {
    let rect = node("a", NodeKind::Rectangle, [10.0, 10.0, 40.0, 40.0]);
    let rect = stroked(rect, 0, 0.25, StrokeAlign::Inside);
    let picture = framed([rect]);
    assert_eq!(picture.get(10, 30), Some([191, 191, 191, 255]));
    assert_eq!(picture.get(11, 30), Some([255; 4]));
}

#[test]
fn groups_and_slices_draw_nothing_of_their_own_and_sections_do() {
    let marked = |id: &str, kind: NodeKind| {
        let mut node = filled(node(id, kind, [4.0, 4.0, 20.0, 20.0]), 0xFF_0000);
        node = stroked(node, 0xFF_0000, 4.0, StrokeAlign::Outside);
        node
    };
    let white = framed([]);
    assert_eq!(framed([marked("a", NodeKind::Slice)]), white);
    assert_eq!(framed([marked("a", NodeKind::Group)]), white);
    assert_ne!(framed([marked("a", NodeKind::Section)]), white);
}

#[test]
fn dashes_without_end_are_drawn_solid_and_said() {
    let rect = node("a", NodeKind::Rectangle, [0.0, 0.0, 1e6, 1e6]);
    let mut rect = stroked(rect, 0, 2.0, StrokeAlign::Center);
    rect.stroke.dashes = vec![0.01, 0.01];
    let frame = node("f", NodeKind::Frame, [0.0, 0.0, 20.0, 20.0]);
    let said = messages(&draw(&page([frame, within("f", rect)]), "f"));
    assert_eq!(said, ["a: it would have more than 50000 dashes: the stroke is drawn solid"]);
}

fn strokes_of_every_kind() -> Vec<Node> {
    let white = filled(node("screen", NodeKind::Frame, [0.0, 0.0, 420.0, 330.0]), 0xFF_FFFF);
    let mut nodes = vec![white];
    let caps = [
        StrokeCap::Round,
        StrokeCap::Square,
        StrokeCap::LineArrow,
        StrokeCap::TriangleArrow,
        StrokeCap::DiamondFilled,
        StrokeCap::CircleFilled,
        StrokeCap::TriangleFilled,
    ];
    for (row, cap) in caps.into_iter().enumerate() {
        let y = 20.0 + 26.0 * row as f64;
        let line = node(&format!("l{row}"), NodeKind::Line, [20.0, y, 80.0, 0.0]);
        let curve = open_vector("M0 10C20 -12 60 30 80 6");
        let curve = node(&format!("v{row}"), curve, [130.0, y - 8.0, 80.0, 14.0]);
        for mut shape in [line, curve] {
            shape = stroked(shape, 0x1B_1D22, 3.0, StrokeAlign::Center);
            shape.stroke.cap = cap;
            nodes.push(shape);
        }
    }
    let kinds = [
        NodeKind::Rectangle,
        NodeKind::RegularPolygon { corners: 5 },
        NodeKind::Star { tips: 5, inner_ratio: 0.5 },
        arc(-0.6, 4.0, 0.4),
    ];
    for (row, kind) in kinds.into_iter().enumerate() {
        for (column, align) in
            [StrokeAlign::Inside, StrokeAlign::Center, StrokeAlign::Outside].into_iter().enumerate()
        {
            let at = [240.0 + 60.0 * column as f64, 14.0 + 56.0 * row as f64, 44.0, 40.0];
            let mut shape = node(&format!("k{row}{column}"), kind.clone(), at);
            shape = stroked(filled(shape, 0xF5_D9A0), 0x1B_1D22, 4.0, align);
            shape.corner_radii = CornerRadii::uniform(8.0);
            shape.corner_smoothing = 0.6;
            if column == 2 {
                shape.stroke.dashes = vec![6.0, 3.0];
            }
            nodes.push(shape);
        }
    }
    let mut sides = node("sides", NodeKind::Rectangle, [20.0, 220.0, 80.0, 60.0]);
    sides = stroked(filled(sides, 0xF5_D9A0), 0x1B_1D22, 4.0, StrokeAlign::Inside);
    sides.stroke.sides = Some(Sides { top: 8.0, right: 2.0, bottom: 0.0, left: 4.0 });
    sides.corner_radii = CornerRadii::uniform(20.0);
    let mut dashed = sides.clone();
    (dashed.id, dashed.transform.e) = ("dashed".into(), 130.0);
    dashed.stroke.dashes = vec![6.0, 3.0];
    nodes.extend([sides, dashed]);
    let words = text("words", [240.0, 250.0, 170.0, 60.0], "Outline", inter(44.0, 700.0));
    nodes.push(stroked(words, 0x5B_3DF5, 1.5, StrokeAlign::Outside));
    let root = nodes[0].clone();
    std::iter::once(root).chain(nodes.into_iter().skip(1).map(|n| within("screen", n))).collect()
}

#[test]
fn strokes_of_every_kind_with_heads_dashes_and_sides() {
    let rendered = draw(&page(strokes_of_every_kind()), "screen");
    assert_eq!(rendered.diagnostics, []);
    assert_golden("stroke_kinds", &rendered.pixels);
}

/// Smoothing from none to full, at radii with and without room for it.
#[test]
fn corners_from_round_to_smooth() {
    let mut nodes =
        vec![filled(node("screen", NodeKind::Frame, [0.0, 0.0, 340.0, 170.0]), 0xFF_FFFF)];
    for (row, radius) in [16.0, 30.0].into_iter().enumerate() {
        for (column, smoothing) in [0.0, 0.3, 0.6, 1.0].into_iter().enumerate() {
            let at = [12.0 + 82.0 * column as f64, 12.0 + 80.0 * row as f64, 70.0, 66.0];
            let mut shape =
                filled(node(&format!("{row}{column}"), NodeKind::Rectangle, at), 0x33_66CC);
            shape.corner_radii = CornerRadii::uniform(radius);
            shape.corner_smoothing = smoothing;
            nodes.push(within("screen", shape));
        }
    }
    assert_golden("smooth_corners", &draw(&page(nodes), "screen").pixels);
}

/// The picture of a node and that of a VECTOR of its outlines are the same, but for edges that are
/// curves in one and short lines in the other.
fn assert_outline_draws_alike(mut shape: Node) {
    shape.id = "a".into();
    let document = page([shape.clone()]);
    let geometry = outline(&context(), &document, &shape.id).unwrap();
    let mut vector = Node { kind: NodeKind::Vector(geometry), ..shape.clone() };
    vector.stroke.align = StrokeAlign::Center;
    let name = format!("{} {:?}", shape.kind.type_name(), shape.stroke.align);
    let (ours, theirs) = (framed([shape]), framed([vector]));
    let difference = super::picture::difference(&ours, &theirs);
    if difference.mean > 0.6 || difference.far > 0.012 {
        let report = save_triptych(&format!("outline-{name}"), &ours, &theirs);
        panic!("{name}: {difference:?}, see {}", report.display());
    }
}

#[test]
fn outlines_say_what_is_drawn() {
    let at = [14.0, 14.0, 66.0, 58.0];
    for align in [StrokeAlign::Inside, StrokeAlign::Center, StrokeAlign::Outside] {
        for kind in [
            NodeKind::Rectangle,
            NodeKind::Ellipse(EllipseArc::WHOLE),
            arc(0.3, 5.0, 0.5),
            NodeKind::Star { tips: 6, inner_ratio: 0.6 },
        ] {
            let mut shape = stroked(filled(node("a", kind, at), 0x33_66CC), 0x22_2222, 6.0, align);
            shape.corner_radii = CornerRadii::uniform(7.0);
            shape.corner_smoothing = 0.6;
            assert_outline_draws_alike(shape);
        }
    }
    let words = filled(text("a", at, "Ag8", inter(40.0, 600.0)), 0x33_66CC);
    assert_outline_draws_alike(stroked(words, 0x22_2222, 2.0, StrokeAlign::Outside));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_stroke_makes_it_panic(
        kind in 0usize..6,
        size in [0.0..100.0f64, 0.0..100.0f64],
        numbers in prop::array::uniform6(prop_oneof![-9.0..60.0f64, Just(0.0), Just(1e7), Just(1e-9)]),
        flags in (0usize..8, 0usize..3, 0usize..3, any::<bool>()),
    ) {
        let kind = match kind {
            0 => NodeKind::Line,
            1 => open_vector("M0 0L30 3Q5 5 40 40M5 5L5 5M7 7Z"),
            2 => arc(numbers[0], numbers[1], numbers[2]),
            3 => NodeKind::Star { tips: 4, inner_ratio: 0.1 },
            4 => NodeKind::RegularPolygon { corners: 3 },
            _ => NodeKind::Rectangle,
        };
        let mut shape = filled(node("a", kind, [0.0; 4]), 0x33_66CC);
        shape.size = Size::new(size[0], size[1]);
        let aligns = [StrokeAlign::Inside, StrokeAlign::Center, StrokeAlign::Outside];
        let joins = [StrokeJoin::Miter, StrokeJoin::Bevel, StrokeJoin::Round];
        let caps = [
            StrokeCap::None, StrokeCap::Round, StrokeCap::Square, StrokeCap::LineArrow,
            StrokeCap::TriangleArrow, StrokeCap::DiamondFilled, StrokeCap::CircleFilled,
            StrokeCap::TriangleFilled,
        ];
        shape = stroked(shape, 0, numbers[3].abs(), aligns[flags.1]);
        (shape.stroke.join, shape.stroke.cap) = (joins[flags.2], caps[flags.0]);
        shape.stroke.miter_angle = numbers[5];
        shape.corner_radii = CornerRadii::uniform(numbers[4].abs());
        shape.corner_smoothing = 0.5;
        if flags.3 {
            shape.stroke.dashes = vec![numbers[4].abs(), numbers[5].abs()];
            shape.stroke.sides = Some(Sides { left: 0.0, ..Sides::uniform(numbers[3].abs()) });
        }
        let frame = node("f", NodeKind::Frame, [0.0, 0.0, 60.0, 60.0]);
        let document = page([frame, within("f", shape)]);
        draw(&document, "f");
        prop_assert!(outline(&context(), &document, &"a".into()).is_ok());
    }
}
