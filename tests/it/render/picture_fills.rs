//! Pictures as paint, beside an independent renderer's.

use std::sync::Arc;

use pentimento::base::{Affine, Pixels};
use pentimento::design::{
    Document, EllipseArc, ImageFilters, ImagePaint, Node, NodeKind, Paint, PaintKind,
};

use super::against_resvg::{judge, svg_transform};
use super::picture::{difference, save_triptych};
use super::sketch::{draw, filled, messages, node, page, solid, within};

/// 4 × 2 pixels: red, green, blue, white; black, cyan, magenta, yellow.
fn small() -> Pixels {
    let colors: [[u8; 3]; 8] = [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
        [255, 255, 255],
        [0, 0, 0],
        [0, 255, 255],
        [255, 0, 255],
        [255, 255, 0],
    ];
    let rgba = colors.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    Pixels::from_rgba(4, 2, rgba).unwrap()
}

/// Smooth colours, so that filters of different renderers agree.
fn smooth(width: u32, height: u32) -> Pixels {
    let rgba = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x * 255 / width, y * 255 / height)))
        .flat_map(|(u, v)| [u as u8, v as u8, 128, 255])
        .collect();
    Pixels::from_rgba(width, height, rgba).unwrap()
}

fn image(scale_mode: &str) -> ImagePaint {
    ImagePaint {
        image_ref: Some("p".to_owned()),
        scale_mode: scale_mode.to_owned(),
        ..ImagePaint::default()
    }
}

fn painted(kind: NodeKind, at: [f64; 4], image: ImagePaint) -> Node {
    let mut shape = node("a", kind, at);
    shape.fills = vec![Paint { kind: PaintKind::Image(image), ..solid(0) }];
    shape
}

fn document(shape: Node, picture: Pixels) -> Document {
    let frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 96.0, 96.0]), 0xFF_FFFF);
    let mut document = page([frame, within("f", shape)]);
    document.add_image("p", Arc::new(picture));
    document
}

fn shown(shape: Node, picture: Pixels) -> Pixels {
    let rendered = draw(&document(shape, picture), "f");
    assert_eq!(rendered.diagnostics, []);
    rendered.pixels
}

/// [`smooth`] as SVG, stretched to 1 × 1: ramps of two channels over each other.
const SMOOTH: &str = r##"<g style="isolation:isolate"><linearGradient id="r"><stop stop-color="#000080"/><stop offset="1" stop-color="#FF0080"/></linearGradient><linearGradient id="g" x2="0" y2="1"><stop stop-color="#000000"/><stop offset="1" stop-color="#00FF00"/></linearGradient><rect width="1" height="1" fill="url(#r)"/><rect width="1" height="1" fill="url(#g)" style="mix-blend-mode:screen"/></g>"##;

fn assert_same(name: &str, ours: &Pixels, svg: &str) {
    let theirs = judge(svg);
    let apart = difference(ours, &theirs);
    let is_same = apart.mean <= 1.0 && apart.far <= 0.01;
    let report = || save_triptych(name, &theirs, ours).display().to_string();
    assert!(is_same, "{name}: {apart:?}, see {}", report());
}

#[test]
fn fill_covers_and_fit_lies_within() {
    for (mode, map) in [
        ("FILL", "translate(-12 10) scale(100 50)"),
        ("FIT", "translate(8 20) scale(60 30)"),
        ("STRETCH", "translate(8 10) scale(60 50)"),
    ] {
        let shape = painted(NodeKind::Rectangle, [8.0, 10.0, 60.0, 50.0], image(mode));
        let svg = format!(
            r#"<defs><clipPath id="c"><rect x="8" y="10" width="60" height="50"/></clipPath></defs><g clip-path="url(#c)"><g transform="{map}">{SMOOTH}</g></g>"#
        );
        assert_same(&format!("image-{mode}"), &shown(shape, smooth(480, 240)), &svg);
    }
}

#[test]
fn a_picture_is_cut_at_the_shape_and_turns_with_it() {
    let turn = Affine::translate(30.0, 10.0).after(Affine::rotate(-0.5));
    let oval = NodeKind::Ellipse(EllipseArc::WHOLE);
    let mut shape = painted(oval, [0.0, 0.0, 50.0, 50.0], image("FILL"));
    shape.transform = turn;
    let svg = format!(
        r#"<defs><clipPath id="c"><circle cx="25" cy="25" r="25"/></clipPath></defs><g transform="{}"><g clip-path="url(#c)"><g transform="scale(50)">{SMOOTH}</g></g></g>"#,
        svg_transform(turn)
    );
    assert_same("image-turned", &shown(shape, smooth(200, 200)), &svg);
}

#[test]
fn tiles_begin_at_the_corner_and_repeat() {
    let mut tiles = image("TILE");
    tiles.scaling_factor = 4.0;
    let ours = shown(painted(NodeKind::Rectangle, [8.0, 8.0, 40.0, 40.0], tiles), small());
    for (x, y) in [(10, 10), (26, 10), (10, 18), (42, 26)] {
        assert_eq!(
            ours.get(x, y).map(|p| p[0] > 170 && p[1] < 80 && p[2] < 80),
            Some(true),
            "{x} {y}"
        );
    }
    assert_eq!(ours.get(50, 10), Some([255; 4]));
}

#[test]
fn a_crop_shows_the_part_that_its_transform_says() {
    let mut crop = image("STRETCH");
    // The right half of the picture.
    crop.transform = Some(Affine::from_rows([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]));
    let ours = shown(painted(NodeKind::Rectangle, [8.0, 8.0, 80.0, 80.0], crop), small());
    for ((x, y), color) in [
        ((28, 26), [0, 0, 255, 255]),
        ((68, 26), [255, 255, 255, 255]),
        ((28, 69), [255, 0, 255, 255]),
        ((68, 69), [255, 255, 0, 255]),
    ] {
        let got = ours.get(x, y).unwrap();
        assert!(
            got.iter().zip(color).all(|(a, b): (&u8, u8)| a.abs_diff(b) < 12),
            "{x} {y}: {got:?}"
        );
    }
}

#[test]
fn beyond_a_cropped_picture_is_nothing() {
    let mut crop = image("CROP");
    crop.transform = Some(Affine::from_rows([[2.0, 0.0, -0.5], [0.0, 2.0, -0.5]]));
    let ours = shown(painted(NodeKind::Rectangle, [8.0, 8.0, 80.0, 80.0], crop), small());
    assert_eq!(ours.get(12, 48), Some([255; 4]));
    assert_eq!(ours.get(31, 31), Some([255, 0, 0, 255]));
}

#[test]
fn quarter_turns_go_clockwise() {
    for (degrees, corner) in [
        (0.0, [255, 0, 0, 255]),
        (90.0, [0, 0, 0, 255]),
        (180.0, [255, 255, 0, 255]),
        (270.0, [255, 255, 255, 255]),
    ] {
        let mut turned = image("STRETCH");
        turned.rotation = degrees;
        let ours = shown(painted(NodeKind::Rectangle, [0.0, 0.0, 96.0, 96.0], turned), small());
        assert_eq!(ours.get(2, 2), Some(corner), "{degrees}");
    }
}

#[test]
fn a_fine_pattern_in_a_small_avatar_becomes_its_mean() {
    let rgba = (0..1000u32 * 1000)
        .flat_map(|i| {
            if (i % 1000 + i / 1000) % 2 == 0 { [255, 255, 255, 255] } else { [0, 0, 0, 255] }
        })
        .collect();
    let checkers = Pixels::from_rgba(1000, 1000, rgba).unwrap();
    for side in [40.0, 37.3, 90.0] {
        let shape = painted(NodeKind::Rectangle, [0.0, 0.0, side, side], image("FILL"));
        let ours = shown(shape, checkers.clone());
        for (x, y) in [(3, 3), (17, 21), (30, 5)] {
            let gray = ours.get(x, y).unwrap()[0];
            assert!(gray.abs_diff(128) <= 12, "{side}: {gray}");
        }
    }
}

#[test]
fn translucent_pixels_weigh_by_their_alpha() {
    let rgba = [[255, 0, 0, 255], [0, 255, 0, 0]].concat();
    let picture = Pixels::from_rgba(2, 1, rgba).unwrap();
    let ours = shown(painted(NodeKind::Rectangle, [0.0, 0.0, 1.0, 1.0], image("STRETCH")), picture);
    let [r, g, b, _] = ours.get(0, 0).unwrap();
    assert!(r == 255 && g.abs_diff(127) <= 1 && g == b, "{r} {g} {b}");
}

#[test]
fn filters_correct_the_colours() {
    let gray = Pixels::filled(4, 4, [100, 100, 100, 255]).unwrap();
    let red = Pixels::filled(4, 4, [200, 50, 50, 255]).unwrap();
    let filtered = |filters: ImageFilters, picture: &Pixels| {
        let image = ImagePaint { filters, ..image("FILL") };
        let document =
            document(painted(NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0], image), picture.clone());
        draw(&document, "f").pixels.get(4, 4).unwrap()
    };
    let filters = ImageFilters::default();
    assert_eq!(filtered(ImageFilters { exposure: 1.0, ..filters }, &gray), [200, 200, 200, 255]);
    assert_eq!(filtered(ImageFilters { contrast: -1.0, ..filters }, &red), [128, 128, 128, 255]);
    let [r, g, b, _] = filtered(ImageFilters { saturation: -1.0, ..filters }, &red);
    assert!(r == g && g == b && r.abs_diff(82) <= 1, "{r}");
    let [r, _, b, _] = filtered(ImageFilters { temperature: 1.0, ..filters }, &gray);
    assert!(r > 100 && b < 100);
}

#[test]
fn approximated_filters_are_said() {
    let filters = ImageFilters { tint: 0.5, ..ImageFilters::default() };
    let image = ImagePaint { filters, ..image("FILL") };
    let shape = painted(NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0], image);
    let said = messages(&draw(&document(shape, small()), "f"));
    assert!(said.len() == 1 && said[0].contains("approximately"), "{said:?}");
}

#[test]
fn a_missing_picture_is_the_grey_of_the_published_designs_and_said() {
    let shape = painted(NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0], ImagePaint::default());
    let rendered = draw(&document(shape, small()), "f");
    assert_eq!(rendered.pixels.get(4, 4), Some([128, 128, 128, 255]));
    assert_eq!(rendered.diagnostics.len(), 1);
}

#[test]
fn numbers_that_mean_harm_do_none() {
    for mode in ["FILL", "FIT", "TILE", "STRETCH", "CROP", "WHATEVER"] {
        for factor in [0.0, -1.0, 1e-9, 1e9, f64::NAN] {
            for transform in [None, Some(Affine::scale(1e9, 1e-9)), Some(Affine::scale(0.0, 0.0))] {
                let mut image = image(mode);
                (image.scaling_factor, image.transform, image.rotation) =
                    (factor, transform, factor);
                let shape = painted(NodeKind::Rectangle, [-1e6, -1e6, 2e6, 2e6], image);
                draw(&document(shape, small()), "f");
            }
        }
    }
}
