//! Documents that mean harm, and pictures that cannot be.

use pentimento::base::{Affine, Limits, PixelsError, Size};
use pentimento::design::{
    BooleanOp, CornerRadii, Document, EllipseArc, FigmaPath, Node, NodeId, NodeKind, PathGeometry,
    StrokeAlign, WindingRule,
};
use pentimento::render::{RenderError, RenderOptions, render_node, render_page};
use proptest::prelude::*;

use super::sketch::{
    context, draw, draw_page, filled, inter, messages, node, page, stroked, text, within,
};

fn try_draw(document: &Document, id: &str, scale: f64) -> Result<(u32, u32), RenderError> {
    let options = RenderOptions { scale, ..RenderOptions::default() };
    let rendered = render_node(&context(), document, &NodeId::new(id), options)?;
    Ok((rendered.pixels.width(), rendered.pixels.height()))
}

#[test]
fn an_unknown_node_is_named() {
    let error = try_draw(&Document::default(), "9:9", 1.0).unwrap_err();
    assert_eq!(error.to_string(), "no node with id 9:9");
}

#[test]
fn nothing_to_draw_is_said() {
    let mut hidden = filled(node("h", NodeKind::Frame, [0.0, 0.0, 9.0, 9.0]), 0);
    hidden.visible = false;
    let document = page([hidden, node("e", NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0])]);
    for id in ["h", "e"] {
        assert!(matches!(try_draw(&document, id, 1.0), Err(RenderError::Empty(_))), "{id}");
    }
    let options = RenderOptions::default();
    assert!(matches!(render_page(&context(), &document, options), Err(RenderError::Empty(_))));
}

#[test]
fn scales_out_of_range_are_refused() {
    let document = page([filled(node("a", NodeKind::Frame, [0.0, 0.0, 9.0, 9.0]), 0)]);
    for scale in [0.0, -1.0, 0.001, 17.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(try_draw(&document, "a", scale), Err(RenderError::Scale(_))), "{scale}");
    }
    assert_eq!(try_draw(&document, "a", 0.01).unwrap(), (1, 1));
}

#[test]
fn a_picture_over_the_limit_is_refused_before_it_is_made() {
    let document = page([filled(node("a", NodeKind::Frame, [0.0, 0.0, 1e6, 1e6]), 0)]);
    let error = try_draw(&document, "a", 16.0).unwrap_err();
    assert!(matches!(error, RenderError::Pixels(PixelsError::TooLarge { .. })), "{error}");
}

#[test]
fn a_huge_shape_behind_a_small_frame_fills_it() {
    let frame = node("f", NodeKind::Frame, [0.0, 0.0, 20.0, 20.0]);
    let huge =
        within("f", filled(node("a", NodeKind::Rectangle, [-4e6, -4e6, 8e6, 8e6]), 0x00_FF00));
    let mut round =
        within("f", filled(node("b", NodeKind::Rectangle, [5.0, 5.0, 8e6, 8e6]), 0xFF_0000));
    round.corner_radii = CornerRadii::uniform(4.0);
    let rendered = draw(&page([frame, huge, round]), "f");
    assert_eq!(rendered.pixels.get(0, 0), Some([0, 255, 0, 255]));
    assert_eq!(rendered.pixels.get(19, 19), Some([255, 0, 0, 255]));
}

#[test]
fn a_collapsed_node_draws_nothing_and_harms_nobody() {
    let frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 20.0, 20.0]), 0xFF_FFFF);
    let mut flat = within(
        "f",
        stroked(node("a", NodeKind::Rectangle, [1.0, 1.0, 9.0, 9.0]), 0, 3.0, StrokeAlign::Inside),
    );
    flat.transform = Affine::scale(1e-30, 1.0);
    let empty = within(
        "f",
        stroked(
            node("b", NodeKind::Ellipse(EllipseArc::WHOLE), [1.0, 1.0, 0.0, 9.0]),
            0,
            3.0,
            StrokeAlign::Outside,
        ),
    );
    let rendered = draw(&page([frame, flat, empty]), "f");
    assert_eq!(rendered.pixels.get(15, 15), Some([255; 4]));
}

#[test]
fn path_data_that_is_none_is_reported() {
    let broken = FigmaPath::new("M0 0 L nonsense".to_owned(), WindingRule::NonZero);
    let geometry = PathGeometry { fill: vec![broken], stroke: Vec::new() };
    let vector =
        within("f", filled(node("v", NodeKind::Vector(geometry), [0.0, 0.0, 9.0, 9.0]), 0));
    let bare = NodeKind::Vector(PathGeometry::default());
    let bare = within("f", filled(node("w", bare, [0.0, 0.0, 9.0, 9.0]), 0));
    let frame = node("f", NodeKind::Frame, [0.0, 0.0, 9.0, 9.0]);
    let said = messages(&draw(&page([frame, vector, bare]), "f"));
    assert!(said[0].starts_with("v: its path data cannot be read"), "{said:?}");
    assert_eq!(said[1], "w: not drawn: no geometry in the file");
}

#[test]
fn the_deepest_nesting_is_drawn() {
    let depth = Limits::NODE_DEPTH;
    let mut nodes = vec![node("0", NodeKind::Frame, [0.0, 0.0, 40.0, 40.0])];
    for level in 1..depth {
        let mut frame = node(&level.to_string(), NodeKind::Frame, [0.1, 0.1, 40.0, 40.0]);
        frame.opacity = 0.999;
        frame.clips_content = true;
        nodes.push(within(&(level - 1).to_string(), frame));
    }
    let last = nodes.last_mut().unwrap();
    *last = filled(last.clone(), 0xFF_0000);
    let pixel = draw(&page(nodes), "0").pixels.get(30, 30).unwrap();
    assert!(pixel[1] < 60 && pixel[0] > 250, "{pixel:?}");
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let frame = filled(node("f", NodeKind::Frame, [0.3, 0.0, 90.0, 40.0]), 0xFF_FFFF);
    let label = filled(
        text("t", [3.3, 2.7, 80.0, 30.0], "Determinism – ß 你", inter(13.0, 450.0)),
        0x22_4466,
    );
    let mut oval = stroked(
        node("o", NodeKind::Ellipse(EllipseArc::WHOLE), [20.0, 8.0, 60.0, 31.0]),
        0x88_0000,
        3.0,
        StrokeAlign::Inside,
    );
    oval.opacity = 0.4;
    let document = page([frame, within("f", label), within("f", oval)]);
    let first = draw(&document, "f").pixels;
    let elsewhere = std::thread::Builder::new()
        .spawn(move || draw(&document, "f").pixels)
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(first.rgba(), elsewhere.rgba());
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![-50.0..50.0f64, -1e7..1e7f64, Just(0.0), Just(1e-12), Just(1e7), Just(-1e7)]
}

pub(super) fn any_node() -> impl Strategy<Value = Node> {
    let numbers = prop::array::uniform12(any_number());
    let flags = (0usize..8, any::<bool>(), any::<bool>(), ".{0,12}");
    (numbers, flags).prop_map(|(n, (kind, clips, masks, words))| {
        let mut node = match kind {
            0 => text("n", [0.0; 4], &words, inter(n[10], n[11])),
            1 => node("n", NodeKind::Ellipse(EllipseArc::WHOLE), [0.0; 4]),
            2 => node("n", NodeKind::Line, [0.0; 4]),
            3 => node(
                "n",
                NodeKind::Star { tips: 5, inner_ratio: NodeKind::STAR_INNER_RATIO },
                [0.0; 4],
            ),
            4 => node("n", NodeKind::BooleanOperation(BooleanOp::Union), [0.0; 4]),
            5 => node("n", NodeKind::Other(words), [0.0; 4]),
            _ => node("n", NodeKind::Frame, [0.0; 4]),
        };
        node = stroked(filled(node, 0x80_FF00), 0xFF, n[0].abs(), StrokeAlign::Outside);
        node.transform = Affine { a: n[1], b: n[2], c: n[3], d: n[4], e: n[5], f: n[6] };
        node.size = Size::new(n[7].abs(), n[8].abs());
        node.corner_radii = CornerRadii::uniform(n[9].abs());
        node.stroke.dashes = if clips { vec![n[9].abs(), n[0].abs()] } else { Vec::new() };
        (node.clips_content, node.is_mask) = (clips, masks);
        node
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_numbers_make_it_panic(nodes in prop::collection::vec(any_node(), 1..6)) {
        let frame = node("f", NodeKind::Frame, [0.0, 0.0, 50.0, 50.0]);
        let children = nodes.into_iter().enumerate().map(|(index, mut child)| {
            child.id = NodeId::new(format!("n{index}"));
            within("f", child)
        });
        if let Ok(document) = Document::from_nodes(std::iter::once(frame).chain(children)) {
            draw(&document, "f");
        }
    }
}

#[test]
fn the_page_shows_every_root() {
    let document = page([
        filled(node("a", NodeKind::Rectangle, [-10.5, 0.0, 10.0, 10.0]), 0xFF_0000),
        filled(node("b", NodeKind::Rectangle, [10.0, 20.0, 10.0, 10.0]), 0x00_00FF),
    ]);
    let rendered = draw_page(&document);
    assert_eq!((rendered.pixels.width(), rendered.pixels.height()), (31, 30));
    assert_eq!(rendered.pixels.get(30, 29), Some([0, 0, 255, 255]));
    assert_eq!(rendered.page_box.x, -11.0);
}

#[test]
fn geometry_of_the_file_follows_a_later_size() {
    let mut polygon =
        filled(node("p", NodeKind::RegularPolygon { corners: 3 }, [0.0, 0.0, 40.0, 20.0]), 0);
    let source = serde_json::json!({
        "size": { "x": 10.0, "y": 10.0 },
        "fillGeometry": [{ "path": "M0 0H10V10H0Z", "windingRule": "NONZERO" }],
    });
    polygon.source = std::sync::Arc::new(source.as_object().unwrap().clone());
    let rendered = draw(&page([polygon]), "p");
    assert_eq!((rendered.pixels.width(), rendered.pixels.height()), (40, 20));
}
