//! Pictures that stay as they are until someone means to change them.

use pentimento::base::Point;
use pentimento::design::{
    CornerRadii, EllipseArc, GradientKind, Node, NodeKind, Paint, StrokeAlign, TextAlign, TextStyle,
};

use super::picture::assert_golden;
use super::sketch::{draw, filled, gradient, inter, node, page, solid, stroked, text, within};

fn label(id: &str, at: [f64; 4], words: &str, style: TextStyle, rgb: u32) -> Node {
    within("screen", filled(text(id, at, words, style), rgb))
}

fn rounded(mut node: Node, radius: f64) -> Node {
    node.corner_radii = CornerRadii::uniform(radius);
    within("screen", node)
}

fn sign_in_screen() -> Vec<Node> {
    let mut screen = filled(node("screen", NodeKind::Frame, [0.0, 0.0, 240.0, 320.0]), 0xFA_FAF7);
    screen.clips_content = true;
    let mut banner = node("banner", NodeKind::Rectangle, [0.0, 0.0, 240.0, 96.0]);
    let (from, to) = (Point::new(0.0, 0.0), Point::new(1.0, 1.0));
    banner.fills = vec![gradient(GradientKind::Linear, from, to, [0x5B_3DF5, 0x12_B5A6])];
    let mut moon = filled(
        node("moon", NodeKind::Ellipse(EllipseArc::WHOLE), [176.0, -24.0, 88.0, 88.0]),
        0xFF_FFFF,
    );
    moon.opacity = 0.2;
    let field = |id: &str, y: f64| {
        let field = filled(node(id, NodeKind::Rectangle, [20.0, y, 200.0, 40.0]), 0xFF_FFFF);
        rounded(stroked(field, 0xD0_D3DA, 1.0, StrokeAlign::Inside), 8.0)
    };
    let button = filled(node("button", NodeKind::Rectangle, [20.0, 252.0, 200.0, 44.0]), 0x5B_3DF5);
    let centred = TextStyle { align: TextAlign::Center, ..inter(14.0, 600.0) };
    vec![
        screen,
        within("screen", banner),
        within("screen", moon),
        label("title", [20.0, 44.0, 200.0, 34.0], "Welcome back", inter(26.0, 700.0), 0xFF_FFFF),
        label(
            "hint",
            [20.0, 108.0, 200.0, 30.0],
            "Sign in to see where your parcels are today.",
            inter(12.0, 400.0),
            0x5A_5F6B,
        ),
        field("mail", 148.0),
        label(
            "mail-text",
            [32.0, 160.0, 180.0, 16.0],
            "anna@example.org",
            inter(13.0, 400.0),
            0x1B_1D22,
        ),
        field("password", 196.0),
        label(
            "password-text",
            [32.0, 208.0, 180.0, 16.0],
            "••••••••",
            inter(13.0, 400.0),
            0x1B_1D22,
        ),
        rounded(button, 22.0),
        label("button-text", [20.0, 265.0, 200.0, 17.0], "Sign in", centred, 0xFF_FFFF),
    ]
}

#[test]
fn a_small_screen() {
    let rendered = draw(&page(sign_in_screen()), "screen");
    assert_eq!(rendered.diagnostics, []);
    assert_golden("sign_in", &rendered.pixels);
}

#[test]
fn sizes_and_weights_of_text() {
    let mut nodes =
        vec![filled(node("screen", NodeKind::Frame, [0.0, 0.0, 520.0, 220.0]), 0xFF_FFFF)];
    let mut y = 8.0;
    for (index, (size, weight, italic)) in [
        (9.0, 400.0, false),
        (11.0, 400.0, false),
        (12.0, 500.0, false),
        (14.0, 400.0, true),
        (16.0, 600.0, false),
        (20.0, 300.0, false),
        (28.0, 800.0, false),
    ]
    .into_iter()
    .enumerate()
    {
        let style = TextStyle { italic, ..inter(size, weight) };
        let words = "Sphinx of black quartz, judge 0123";
        nodes.push(label(
            &format!("t{index}"),
            [8.0, y, 504.0, size * 1.25],
            words,
            style,
            0x1B_1D22,
        ));
        y += size * 1.25 + 8.0;
    }
    assert_golden("text_sizes", &draw(&page(nodes), "screen").pixels);
}

#[test]
fn strokes_of_every_alignment() {
    let mut nodes =
        vec![filled(node("screen", NodeKind::Frame, [0.0, 0.0, 200.0, 150.0]), 0xFF_FFFF)];
    for (column, align) in
        [StrokeAlign::Inside, StrokeAlign::Center, StrokeAlign::Outside].into_iter().enumerate()
    {
        let x = 14.0 + 62.0 * column as f64;
        for (row, kind) in [
            NodeKind::Rectangle,
            NodeKind::Ellipse(EllipseArc::WHOLE),
            NodeKind::Star { tips: 5, inner_ratio: NodeKind::STAR_INNER_RATIO },
        ]
        .into_iter()
        .enumerate()
        {
            let at = [x, 12.0 + 46.0 * row as f64, 44.0, 30.0];
            let mut shape =
                stroked(node(&format!("{column}{row}"), kind, at), 0x1B_1D22, 5.0, align);
            shape.fills = vec![Paint { opacity: 0.6, ..solid(0xF5_A623) }];
            nodes.push(rounded(shape, 9.0));
        }
    }
    assert_golden("strokes", &draw(&page(nodes), "screen").pixels);
}
