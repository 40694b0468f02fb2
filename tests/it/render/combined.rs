//! Boolean operations, beside what an independent renderer composes of masks and clips.

use std::fmt::Write as _;

use pentimento::base::{Affine, Pixels, Rect};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    BooleanOp, CornerRadii, Document, EllipseArc, FigmaPath, Measure as _, Node, NodeId, NodeKind,
    PathGeometry, StrokeAlign, WindingRule,
};
use pentimento::render::{TextMeasurer, outline};
use proptest::prelude::*;

use super::against_resvg::{SIDE, assert_same, framed};
use super::picture::assert_golden;
use super::sketch::{context, draw, filled, inter, messages, node, page, stroked, text, within};

const OPS: [BooleanOp; 4] =
    [BooleanOp::Union, BooleanOp::Subtract, BooleanOp::Intersect, BooleanOp::Exclude];

/// A combination at the frame's origin, with these children.
fn combined(op: BooleanOp, children: impl IntoIterator<Item = Node>) -> Vec<Node> {
    combined_as("b", op, children)
}

fn combined_as(id: &str, op: BooleanOp, children: impl IntoIterator<Item = Node>) -> Vec<Node> {
    let whole = filled(node(id, NodeKind::BooleanOperation(op), [0.0, 0.0, SIDE, SIDE]), 0x33_66CC);
    let children = children.into_iter();
    let children =
        children.map(|child| if child.parent.is_some() { child } else { within(id, child) });
    std::iter::once(whole).chain(children).collect()
}

fn disc(id: &str, at: [f64; 4]) -> Node {
    node(id, NodeKind::Ellipse(EllipseArc::WHOLE), at)
}

fn square_and_disc() -> [Node; 2] {
    [node("r", NodeKind::Rectangle, [10.0, 10.0, 50.0, 50.0]), disc("e", [30.0, 30.0, 56.0, 56.0])]
}

/// White shows, black hides.
fn svg_combined(op: BooleanOp, a: &str, b: &str) -> String {
    let all = |inner: &str| format!(r#"<rect width="96" height="96" fill="black"/>{inner}"#);
    let mask = match op {
        BooleanOp::Union => all(&format!(r#"<g fill="white">{a}{b}</g>"#)),
        BooleanOp::Subtract => all(&format!(r#"<g fill="white">{a}</g><g fill="black">{b}</g>"#)),
        BooleanOp::Intersect => {
            let clip = format!(r#"<clipPath id="c">{b}</clipPath>"#);
            all(&format!(r#"{clip}<g fill="white" clip-path="url(#c)">{a}</g>"#))
        }
        BooleanOp::Exclude => {
            let clip = format!(r#"<clipPath id="c">{b}</clipPath>"#);
            all(&format!(
                r#"{clip}<g fill="white">{a}{b}</g><g fill="black" clip-path="url(#c)">{a}</g>"#
            ))
        }
    };
    format!(
        r##"<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="96" height="96">{mask}</mask><rect width="96" height="96" fill="#3366CC" mask="url(#m)"/>"##
    )
}

#[test]
fn a_square_and_a_disc_combine_as_masks_and_clips_do() {
    let (square, disc) =
        (r#"<rect x="10" y="10" width="50" height="50"/>"#, r#"<circle cx="58" cy="58" r="28"/>"#);
    for op in OPS {
        let ours = framed(combined(op, square_and_disc()));
        assert_same(&format!("combined-{op:?}"), &ours, &svg_combined(op, square, disc));
    }
}

#[test]
fn rotated_children_lie_where_they_lie() {
    let turn = Affine::translate(20.0, 50.0).after(Affine::rotate(0.6));
    for op in OPS {
        let mut children = square_and_disc();
        children[0].transform = turn;
        let square = format!(
            r#"<rect width="50" height="50" transform="{}"/>"#,
            super::against_resvg::svg_transform(turn)
        );
        let svg = svg_combined(op, &square, r#"<circle cx="58" cy="58" r="28"/>"#);
        assert_same(&format!("combined-turned-{op:?}"), &framed(combined(op, children)), &svg);
    }
}

#[test]
fn holes_of_vectors_stay_holes_by_their_own_rule() {
    let star = "M48 4L75 88L4 36H92L21 88Z";
    for (winding, word) in [(WindingRule::NonZero, "nonzero"), (WindingRule::EvenOdd, "evenodd")] {
        let fill = vec![FigmaPath::new(star.to_owned(), winding)];
        let star_node = NodeKind::Vector(PathGeometry { fill, stroke: Vec::new() });
        let children =
            [node("v", star_node, [0.0, 0.0, SIDE, SIDE]), disc("e", [60.0, 60.0, 30.0, 30.0])];
        let star = format!(r#"<path d="{star}" fill-rule="{word}"/>"#);
        let svg = svg_combined(BooleanOp::Union, &star, r#"<circle cx="75" cy="75" r="15"/>"#);
        assert_same(
            &format!("combined-{word}"),
            &framed(combined(BooleanOp::Union, children)),
            &svg,
        );
    }
}

#[test]
fn a_combination_may_be_part_of_another() {
    let ring = combined_as(
        "ring",
        BooleanOp::Subtract,
        [disc("o", [8.0, 8.0, 80.0, 80.0]), disc("i", [28.0, 28.0, 40.0, 40.0])],
    );
    let bar = node("bar", NodeKind::Rectangle, [0.0, 40.0, 96.0, 16.0]);
    let nodes = combined(BooleanOp::Intersect, ring.into_iter().chain([bar]));
    let svg = r##"<path d="M0 40H96V56H0Z" fill="none"/><clipPath id="c"><rect y="40" width="96" height="16"/></clipPath><circle cx="48" cy="48" r="30" fill="none" stroke="#3366CC" stroke-width="20" clip-path="url(#c)"/>"##;
    assert_same("combined-nested", &framed(nodes), svg);
}

#[test]
fn hidden_children_count_for_nothing_and_strokes_neither() {
    let [square, mut hidden] = square_and_disc();
    hidden.visible = false;
    let square = stroked(square, 0, 20.0, StrokeAlign::Outside);
    let svg = r##"<rect x="10" y="10" width="50" height="50" fill="#3366CC"/>"##;
    let ours = framed(combined(BooleanOp::Union, [square, hidden]));
    assert_same("combined-hidden", &ours, svg);
}

#[test]
fn groups_count_as_what_is_in_them() {
    let group = node("g", NodeKind::Group, [0.0, 0.0, SIDE, SIDE]);
    let [square, disc] = square_and_disc();
    let cut = node("x", NodeKind::Rectangle, [0.0, 40.0, SIDE, 10.0]);
    let nodes = [group, within("g", square), within("g", disc), cut];
    let whole = r#"<rect x="10" y="10" width="50" height="50"/><circle cx="58" cy="58" r="28"/>"#;
    let svg = svg_combined(BooleanOp::Subtract, whole, r#"<rect y="40" width="96" height="10"/>"#);
    assert_same("combined-group", &framed(combined(BooleanOp::Subtract, nodes)), &svg);
}

#[test]
fn letters_are_cut_out_of_a_box() {
    let plate = node("p", NodeKind::Rectangle, [4.0, 20.0, 88.0, 50.0]);
    let words = text("t", [10.0, 26.0, 80.0, 40.0], "Rg", inter(40.0, 800.0));
    let ours = framed(combined(BooleanOp::Subtract, [plate, words.clone()]));
    let plate = filled(node("p", NodeKind::Rectangle, [4.0, 20.0, 88.0, 50.0]), 0x33_66CC);
    let painted = framed([plate, filled(words, 0xFF_FFFF)]);
    let difference = super::picture::difference(&ours, &painted);
    assert!(difference.mean < 0.2 && difference.largest < 40, "{difference:?}");
}

#[test]
fn a_radius_rounds_the_corners_of_the_result() {
    let mut nodes = combined(
        BooleanOp::Union,
        [
            node("v", NodeKind::Rectangle, [8.0, 8.0, 30.0, 80.0]),
            node("h", NodeKind::Rectangle, [8.0, 58.0, 80.0, 30.0]),
        ],
    );
    nodes[0].corner_radii = CornerRadii::uniform(8.0);
    let svg = r##"<path fill="#3366CC" d="M16 8H30A8 8 0 0 1 38 16V50A8 8 0 0 0 46 58H80A8 8 0 0 1 88 66V80A8 8 0 0 1 80 88H16A8 8 0 0 1 8 80V16A8 8 0 0 1 16 8Z"/>"##;
    assert_same("combined-round", &framed(nodes), svg);
}

#[test]
fn the_stroke_follows_the_outer_edge_alone() {
    let mut nodes = combined(BooleanOp::Union, square_and_disc());
    nodes[0].fills.clear();
    nodes[0] = stroked(nodes[0].clone(), 0, 4.0, StrokeAlign::Inside);
    let picture = framed(nodes);
    assert_eq!(picture.get(45, 58), Some([255; 4]), "an edge within is stroked");
    assert_eq!(picture.get(11, 30), Some([0, 0, 0, 255]));
}

#[test]
fn its_box_is_that_of_the_result() {
    let context = context();
    let ruler = TextMeasurer(&context);
    let box_of = |op| {
        let [square, disc] = square_and_disc();
        ruler.combined_box(&page(combined(op, [square, disc])), &"b".into())
    };
    assert_eq!(box_of(BooleanOp::Union), Some(Rect::new(10.0, 10.0, 76.0, 76.0)));
    assert_eq!(box_of(BooleanOp::Subtract), Some(Rect::new(10.0, 10.0, 50.0, 50.0)));
    assert_eq!(box_of(BooleanOp::Intersect), Some(Rect::new(30.0, 30.0, 30.0, 30.0)));
    assert_eq!(ruler.combined_box(&page(combined(BooleanOp::Union, [])), &"b".into()), None);
}

#[test]
fn too_intricate_shapes_are_said_and_not_drawn() {
    let mut data = String::from("M0 0");
    for n in 0..6_000u32 {
        let (x, y) = (n % 2 * 90, n.wrapping_mul(2_654_435_761) >> 25);
        write!(data, "L{x} {y}").unwrap();
    }
    let fill = vec![FigmaPath::new(data, WindingRule::EvenOdd)];
    let thicket = NodeKind::Vector(PathGeometry { fill, stroke: Vec::new() });
    let nodes = combined(BooleanOp::Union, [node("v", thicket, [0.0, 0.0, 90.0, 90.0])]);
    let frame = node("f", NodeKind::Frame, [0.0, 0.0, SIDE, SIDE]);
    let nodes = nodes.into_iter().map(|n| if n.parent.is_some() { n } else { within("f", n) });
    let said = messages(&draw(&page(std::iter::once(frame).chain(nodes)), "f"));
    assert_eq!(said, ["v: not drawn: its shapes have too many edges, or cross too often"]);
}

/// A combination whose file says that it is a square of 8.
fn with_outline_of_file() -> Document {
    let mut nodes = combined(BooleanOp::Union, square_and_disc());
    let source = serde_json::json!({
        "size": { "x": SIDE, "y": SIDE },
        "fillGeometry": [{ "path": "M0 0H8V8H0Z", "windingRule": "NONZERO" }],
    });
    nodes[0].source = std::sync::Arc::new(source.as_object().unwrap().clone());
    page(nodes)
}

fn fill_box(document: &Document) -> Rect {
    TextMeasurer(&context()).combined_box(document, &"b".into()).unwrap()
}

#[test]
fn the_outline_of_the_file_holds_until_a_shape_below_changes() {
    let mut document = with_outline_of_file();
    assert_eq!(fill_box(&document), Rect::new(0.0, 0.0, 8.0, 8.0));
    let mut recolour = Transaction::begin(&mut document);
    recolour.update(&"r".into(), |node| node.name = "other".to_owned()).unwrap();
    recolour.update(&"b".into(), |node| node.opacity = 0.5).unwrap();
    recolour.commit();
    assert_eq!(fill_box(&document), Rect::new(0.0, 0.0, 8.0, 8.0));

    let mut shift = Transaction::begin(&mut document);
    shift.update(&"r".into(), |node| node.transform.e -= 5.0).unwrap();
    let edit = shift.commit();
    assert_eq!(fill_box(&document).x, 5.0);
    edit.inverse().apply(&mut document);
    assert_eq!(fill_box(&document), Rect::new(0.0, 0.0, 8.0, 8.0));
}

#[test]
fn every_change_of_what_is_combined_drops_the_outline_of_the_file() {
    type Change = fn(&mut Transaction<'_>);
    let changes: [(&str, Change); 5] = [
        ("removed", |t| t.remove(&"e".into()).unwrap()),
        ("added", |t| {
            t.insert(node("n", NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0]), Some(&"b".into()), None)
                .unwrap();
        }),
        ("moved out", |t| t.reparent(&"e".into(), None, None).unwrap()),
        ("hidden", |t| t.update(&"e".into(), |node| node.visible = false).unwrap()),
        ("combined otherwise", |t| {
            t.update(&"b".into(), |node| {
                node.kind = NodeKind::BooleanOperation(BooleanOp::Intersect);
            })
            .unwrap();
        }),
    ];
    for (name, change) in changes {
        let mut document = with_outline_of_file();
        let mut transaction = Transaction::begin(&mut document);
        change(&mut transaction);
        transaction.commit();
        assert_ne!(fill_box(&document), Rect::new(0.0, 0.0, 8.0, 8.0), "{name}");
    }
}

#[test]
fn combinations_of_every_kind() {
    let mut nodes =
        vec![filled(node("screen", NodeKind::Frame, [0.0, 0.0, 400.0, 196.0]), 0xFF_FFFF)];
    for (column, op) in OPS.into_iter().enumerate() {
        let x = 8.0 + 98.0 * column as f64;
        for (row, children) in [
            square_and_disc().to_vec(),
            vec![
                disc("d", [0.0, 8.0, 84.0, 70.0]),
                text("t", [6.0, 18.0, 90.0, 60.0], "&a", inter(52.0, 700.0)),
            ],
        ]
        .into_iter()
        .enumerate()
        {
            let id = format!("{column}{row}");
            let mut combination = combined_as(&id, op, children);
            combination[0].transform = Affine::translate(x, 4.0 + 94.0 * row as f64);
            combination[0] = stroked(combination[0].clone(), 0x1B_1D22, 2.0, StrokeAlign::Inside);
            for child in &mut combination[1..] {
                child.id = NodeId::new(format!("{id}{}", child.id));
            }
            combination[0].parent = Some("screen".into());
            nodes.extend(combination);
        }
    }
    let rendered = draw(&page(nodes), "screen");
    assert_eq!(rendered.diagnostics, []);
    assert_golden("combined", &rendered.pixels);
}

/// The share of the picture that is covered, in pixels.
fn covered(picture: &Pixels) -> f64 {
    picture.rgba().chunks(4).map(|pixel| f64::from(255 - pixel[0]) / 204.0).sum()
}

fn any_shape(id: &'static str) -> impl Strategy<Value = Node> {
    let place = (0.0..60.0f64, 0.0..60.0f64, 0.0..60.0f64, 0.0..60.0f64);
    let whole = prop_oneof![Just(0.0), 0.0..0.9f64];
    (place, 0usize..5, -180.0..180.0f64, whole).prop_map(
        move |((x, y, w, h), kind, turn, inner)| {
            let kind = match kind {
                0 => NodeKind::Rectangle,
                1 => NodeKind::Ellipse(EllipseArc { inner_ratio: inner, ..EllipseArc::WHOLE }),
                2 => NodeKind::Ellipse(EllipseArc {
                    start: 0.0,
                    end: turn / 30.0,
                    inner_ratio: inner,
                }),
                3 => NodeKind::Star { tips: 5, inner_ratio: inner },
                _ => NodeKind::RegularPolygon { corners: 3 },
            };
            let mut shape = node(id, kind, [x, y, w, h]);
            if turn > 0.0 {
                shape.transform = Affine::translate(x, y).after(Affine::rotate(turn.to_radians()));
            }
            shape.corner_radii = CornerRadii::uniform(inner * 10.0);
            shape
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn areas_of_pictures_obey_inclusion_and_exclusion(a in any_shape("x"), b in any_shape("y")) {
        let of = |op, parts: &[&Node]| {
            covered(&framed(combined(op, parts.iter().map(|part| (*part).clone()))))
        };
        let alone = |shape: &Node| of(BooleanOp::Union, &[shape]);
        let union = of(BooleanOp::Union, &[&a, &b]);
        let common = of(BooleanOp::Intersect, &[&a, &b]);
        // Rounding of a few hundred partly covered pixels.
        let is_close = |x: f64, y: f64| (x - y).abs() < 3.0;
        prop_assert!(is_close(union + common, alone(&a) + alone(&b)));
        prop_assert!(is_close(of(BooleanOp::Exclude, &[&a, &b]), union - common));
        prop_assert!(is_close(of(BooleanOp::Subtract, &[&a, &b]), alone(&a) - common));
        let again = Node { id: "z".into(), ..a.clone() };
        prop_assert!(is_close(of(BooleanOp::Union, &[&a, &again]), alone(&a)));
        prop_assert_eq!(of(BooleanOp::Subtract, &[&a, &again]), 0.0);
    }

    #[test]
    fn outlines_of_combinations_can_be_read_back(a in any_shape("x"), b in any_shape("y"), op in 0usize..4) {
        let nodes = combined(OPS[op], [a, b]);
        let geometry = outline(&context(), &page(nodes.clone()), &"b".into()).unwrap();
        let is_nothing = geometry.fill.is_empty();
        let vector = Node {
            kind: NodeKind::Vector(geometry), fills: nodes[0].fills.clone(), ..nodes[0].clone()
        };
        let painted = covered(&framed(nodes));
        prop_assert!(!is_nothing || painted == 0.0);
        if !is_nothing {
            prop_assert!((covered(&framed([vector])) - painted).abs() < 1.0);
        }
    }
}
