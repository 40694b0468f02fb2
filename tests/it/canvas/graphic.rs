//! SVG to nodes.

use pentimento::base::{Pixels, Point, Rgba, Size};
use pentimento::design::{BlendMode, NodeKind, PaintKind, StrokeCap, WindingRule};
use pentimento::environment::{Environment as _, FailureClass, PictureRequest};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::render::picture::{difference, save_triptych};

fn graphic(canvas: &mut CanvasEnvironment, svg: &str) -> Value {
    let arguments = json!({"svg": svg, "name": "Icon", "x": 100, "y": 200});
    good(canvas, "create_graphic", arguments)
}

fn refused(svg: &str) -> String {
    let arguments = json!({"svg": svg, "name": "Icon", "x": 0, "y": 0});
    bad(&mut blank(), "create_graphic", arguments, FailureClass::BadArguments)
}

#[test]
fn an_icon_becomes_a_frame_of_vectors_where_it_was_asked_for() {
    let mut canvas = blank();
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="48" height="48">
        <path id="tick" d="M4 12 L10 18 L20 6" fill="none" stroke="#ff0000" stroke-width="2"
              stroke-linecap="round"/>
        <circle cx="12" cy="12" r="5" fill="#00ff00" fill-opacity="0.5" fill-rule="evenodd"/>
    </svg>"##;
    let reply = graphic(&mut canvas, svg);
    assert_eq!((&reply["width"], &reply["height"]), (&json!(48), &json!(48)));
    assert_eq!((&reply["shapes"], &reply["parentId"]), (&json!(2), &json!(main_id(&canvas))));
    let id = id_of(&reply);
    assert_near(box_of(&canvas, &id), 100.0, 200.0, 48.0, 48.0);
    let parts = children(&canvas, &id);
    let tick = node(&canvas, &parts[0]);
    assert_eq!(tick.name, "tick");
    assert_near(box_of(&canvas, &parts[0]), 108.0, 212.0, 32.0, 24.0);
    assert_eq!((tick.stroke.weight, tick.stroke.cap), (4.0, StrokeCap::Round));
    assert_eq!(tick.stroke.paints[0].solid_color(), Some(Rgba::new(1.0, 0.0, 0.0, 1.0)));
    let NodeKind::Vector(geometry) = &tick.kind else { panic!("{:?}", tick.kind) };
    assert!(geometry.fill.is_empty() && geometry.stroke.len() == 1);
    let disc = node(&canvas, &parts[1]);
    assert_near(box_of(&canvas, &parts[1]), 114.0, 214.0, 20.0, 20.0);
    assert_eq!(disc.fills[0].opacity, 0.5);
    let NodeKind::Vector(geometry) = &disc.kind else { panic!("{:?}", disc.kind) };
    assert_eq!(geometry.fill[0].winding, WindingRule::EvenOdd);
}

#[test]
fn path_data_is_in_the_space_of_the_node() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">
        <path d="M5 6 H15 V10.5 H5 Z"/></svg>"#;
    let id = id_of(&graphic(&mut canvas, svg));
    let part = node(&canvas, &children(&canvas, &id)[0]);
    let NodeKind::Vector(geometry) = &part.kind else { panic!("{:?}", part.kind) };
    assert_eq!(geometry.fill[0].data, "M0 0L10 0L10 4.5L0 4.5Z");
    assert_eq!((part.size.width, part.size.height), (10.0, 4.5));
    assert_eq!(part.fills[0].solid_color(), Some(Rgba::BLACK));
}

#[test]
fn groups_keep_their_name_opacity_and_mode() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">
        <g id="pair" opacity="0.5" style="mix-blend-mode:multiply" transform="translate(2 3)">
          <rect width="4" height="4"/><rect x="6" width="4" height="4" opacity="0.25"/></g></svg>"#;
    let id = id_of(&graphic(&mut canvas, svg));
    let group = children(&canvas, &id)[0].clone();
    let pair = node(&canvas, &group);
    assert_eq!((pair.kind.type_name(), pair.name.as_str()), ("GROUP", "pair"));
    assert_eq!((pair.opacity, pair.blend_mode), (0.5, BlendMode::Multiply));
    assert_near(box_of(&canvas, &group), 102.0, 203.0, 10.0, 4.0);
    let parts = children(&canvas, &group);
    assert_near(box_of(&canvas, &parts[1]), 108.0, 203.0, 4.0, 4.0);
    assert_eq!(node(&canvas, &parts[1]).opacity, 0.25);
}

#[test]
fn gradients_have_their_handles_in_the_box_of_the_shape() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><defs>
        <linearGradient id="g" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="white"/><stop offset="1" stop-color="black" stop-opacity="0"/>
        </linearGradient></defs><rect x="5" y="5" width="10" height="4" fill="url(#g)"/></svg>"#;
    let id = id_of(&graphic(&mut canvas, svg));
    let part = node(&canvas, &children(&canvas, &id)[0]);
    let PaintKind::Gradient(gradient) = &part.fills[0].kind else { panic!("{:?}", part.fills) };
    let near = |p: Point, x: f64, y: f64| (p.x - x).abs() < 1e-6 && (p.y - y).abs() < 1e-6;
    assert!(near(gradient.handles[0], 0.0, 0.0), "{:?}", gradient.handles);
    assert!(near(gradient.handles[1], 0.0, 1.0), "{:?}", gradient.handles);
    assert_eq!(gradient.stops[1].color.a, 0.0);
}

#[test]
fn a_rectangular_clip_path_becomes_a_clipping_frame() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><defs>
        <clipPath id="c"><rect x="4" y="5" width="6" height="7"/></clipPath></defs>
        <g clip-path="url(#c)"><circle cx="8" cy="8" r="8"/></g></svg>"#;
    let reply = graphic(&mut canvas, svg);
    assert!(reply.get("omitted").is_none(), "{reply}");
    let clip = children(&canvas, &id_of(&reply))[0].clone();
    assert_eq!((node(&canvas, &clip).clips_content, node(&canvas, &clip).fills.len()), (true, 0));
    assert_near(box_of(&canvas, &clip), 104.0, 205.0, 6.0, 7.0);
    assert_near(box_of(&canvas, &children(&canvas, &clip)[0]), 100.0, 200.0, 16.0, 16.0);
}

#[test]
fn text_becomes_outlines_in_inter() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="20">
        <text x="2" y="15" font-family="Helvetica, sans-serif" font-size="16">Hi</text></svg>"#;
    let id = id_of(&graphic(&mut canvas, svg));
    let words = children(&canvas, &id)[0].clone();
    assert_eq!(node(&canvas, &words).name, "Hi");
    let at = box_of(&canvas, &words);
    assert!(at.x > 100.0 && at.width > 10.0 && at.width < 20.0 && at.height > 9.0, "{at:?}");
}

#[test]
fn what_is_left_out_is_named_and_nothing_is_read_from_outside() {
    let mut canvas = blank();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">
        <image href="/etc/passwd" width="9" height="9"/>
        <image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>
        <rect width="5" height="5"/></svg>"#;
    let reply = graphic(&mut canvas, svg);
    assert_eq!(reply["omitted"], json!(["picture (2×)"]));
    assert_eq!(reply["shapes"], json!(1));
}

#[test]
fn an_embedded_picture_becomes_a_rectangle_filled_with_it() {
    use base64::Engine as _;
    let png = Pixels::filled(4, 2, [200, 30, 60, 255]).unwrap().to_png().unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">
        <image id="Photo" href="data:image/png;base64,{data}" x="5" y="10" width="20" height="10"/></svg>"#
    );
    let mut canvas = blank();
    let reply = graphic(&mut canvas, &svg);
    assert_eq!((&reply["shapes"], reply.get("omitted")), (&json!(1), None));
    let photo = children(&canvas, &id_of(&reply))[0].clone();
    assert_near(box_of(&canvas, &photo), 105.0, 210.0, 20.0, 10.0);
    let drawn = canvas.picture(&PictureRequest::default()).unwrap();
    assert_eq!(drawn.pixels.get(115, 215), Some([200, 30, 60, 255]));
    assert_eq!(canvas.document().images().len(), 1);
}

#[test]
fn svg_that_cannot_be_used_is_refused_with_the_reason() {
    for (svg, reason) in [
        ("", "valid XML"),
        ("<svg", "valid XML"),
        ("<html/>", "<svg>"),
        (r#"<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>"#, ""),
        (r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#, "no shape"),
        (r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="9"/>"#, "viewBox"),
        (r#"<svg xmlns="http://www.w3.org/2000/svg" width="1e30" height="9"/>"#, ""),
    ] {
        let outcome = call(
            &mut blank(),
            "create_graphic",
            json!({"svg": svg, "name": "Icon", "x": 0, "y": 0}),
        );
        if !reason.is_empty() {
            assert!(outcome.is_error() && outcome.text.contains(reason), "{svg}: {}", outcome.text);
        }
    }
}

#[test]
fn svg_made_to_hurt_is_refused() {
    let open = "<g>".repeat(5_000);
    let close = "</g>".repeat(5_000);
    let deep = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{open}<rect width='1' height='1'/>{close}</svg>"
    );
    assert!(refused(&deep).contains("nest"));
    let many = "<rect width='1' height='1'/>".repeat(60_000);
    let many = format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{many}</svg>");
    assert!(refused(&many).contains("elements"));
    let level = |level: u32| {
        let uses = format!("<use href='#a{}'/>", level - 1).repeat(10);
        format!("<g id='a{level}'>{uses}</g>")
    };
    let laughs: String = std::iter::once("<rect id='a0' width='1' height='1'/>".to_owned())
        .chain((1..12).map(level))
        .collect();
    let laughs =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{laughs}</svg>");
    assert!(refused(&laughs).contains("elements"));
    let entities = "<!DOCTYPE s [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>
        <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&b;</text></svg>";
    call(&mut blank(), "create_graphic", json!({"svg": entities, "name": "", "x": 0, "y": 0}));
    let long = format!("<svg>{}</svg>", " ".repeat(5 << 20));
    assert!(refused(&long).contains("limit"));
    let itself =
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'
        width='9' height='9'><g id='g'><use xlink:href='#g'/></g></svg>";
    refused(itself);
}

/// SVGs of 96 × 96 with what icons and illustrations use.
const DRAWINGS: [&str; 8] = [
    // Arcs, holes, strokes with caps, joins and dashes; a viewBox that scales.
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96">
        <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12z"
              fill="#3366cc" fill-rule="evenodd"/>
        <path d="M4 20L12 9L20 20" fill="none" stroke="#cc3333" stroke-width="2"
              stroke-linecap="round" stroke-linejoin="round"/>
        <path d="M2 2H22" stroke="black" stroke-dasharray="3 1.5"/></svg>"##,
    // Nested transforms, unequal scale on a stroke, skew.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96">
        <g transform="translate(48 48) rotate(30)"><rect x="-30" y="-12" width="60" height="24" rx="6"
           fill="#88cc88" stroke="#225522" stroke-width="3"/>
        <g transform="scale(2 .5) skewX(20)"><circle r="12" fill="none" stroke="#222" stroke-width="4"/>
        </g></g></svg>"##,
    // Gradients in both unit systems, turned ones, translucent stops.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><defs>
        <linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f00"/>
          <stop offset="0.5" stop-color="#ff0"/><stop offset="1" stop-color="#00f"/></linearGradient>
        <linearGradient id="b" gradientUnits="userSpaceOnUse" x1="50" y1="50" x2="90" y2="60"
          gradientTransform="rotate(20 70 55)"><stop offset="0" stop-color="#000"/>
          <stop offset="1" stop-color="#0a0" stop-opacity="0"/></linearGradient></defs>
        <rect x="4" y="4" width="40" height="40" fill="url(#a)"/>
        <rect x="50" y="50" width="40" height="40" fill="url(#b)"/></svg>"##,
    // Opacity of groups against opacity of fills, and a clip.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><defs>
        <clipPath id="c"><rect x="20" y="50" width="60" height="30"/></clipPath></defs>
        <g opacity="0.5"><rect x="5" y="5" width="40" height="30" fill="#e00"/>
          <rect x="25" y="15" width="40" height="30" fill="#00e"/></g>
        <g clip-path="url(#c)"><circle cx="40" cy="60" r="30" fill="#fa0"/>
          <circle cx="70" cy="70" r="20" fill="#07c" fill-opacity=".5"/></g></svg>"##,
    // `use`, `symbol`, styles by class, shapes of every kind.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><style>.k{fill:#444}</style>
        <symbol id="s" viewBox="0 0 10 10"><polygon class="k" points="5,0 10,10 0,10"/></symbol>
        <use href="#s" x="4" y="4" width="30" height="30"/>
        <use href="#s" x="44" y="10" width="20" height="40"/>
        <ellipse cx="30" cy="70" rx="20" ry="12" fill="teal"/>
        <polyline points="60,60 70,90 80,60 90,90" fill="none" stroke="navy" stroke-width="2"/>
        <line x1="5" y1="90" x2="50" y2="86" stroke="#a0a" stroke-width="3"/></svg>"##,
    // A blend mode.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96">
        <circle cx="36" cy="48" r="28" fill="#f4d03f"/>
        <circle cx="60" cy="48" r="28" fill="#5dade2" style="mix-blend-mode:multiply"/></svg>"##,
    // Gradients that are mirrored and repeated, along a line and around a point.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><defs>
        <linearGradient id="a" gradientUnits="userSpaceOnUse" x1="20" y1="20" x2="34" y2="27"
          spreadMethod="reflect"><stop offset="0" stop-color="#f00"/><stop offset=".6" stop-color="#ff0"/>
          <stop offset="1" stop-color="#00f"/></linearGradient>
        <radialGradient id="b" gradientUnits="userSpaceOnUse" cx="60" cy="66" r="12"
          spreadMethod="reflect" gradientTransform="rotate(10) scale(1 .8)">
          <stop offset="0" stop-color="#0a0"/><stop offset="1" stop-color="#fff"/></radialGradient></defs>
        <rect x="4" y="4" width="88" height="40" fill="url(#a)"/>
        <ellipse cx="50" cy="70" rx="40" ry="22" fill="url(#b)"/></svg>"##,
    // Elements cut by the edge of the drawing.
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96">
        <circle cx="90" cy="90" r="40" fill="#c0f"/><path d="M-10 10H20V-5" fill="none"
        stroke="#0c6" stroke-width="6"/></svg>"##,
];

#[test]
fn drawings_look_as_resvg_draws_them() {
    use resvg::{tiny_skia, usvg};
    for (number, svg) in DRAWINGS.iter().enumerate() {
        let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
        let mut expected = tiny_skia::Pixmap::new(96, 96).unwrap();
        expected.fill(tiny_skia::Color::WHITE);
        resvg::render(&tree, tiny_skia::Transform::identity(), &mut expected.as_mut());
        let expected = Pixels::from_rgba(96, 96, expected.data().to_vec()).unwrap();

        let start = Start::Blank(Size::new(96.0, 96.0));
        let mut canvas = CanvasEnvironment::new(start, CanvasSettings::default()).unwrap();
        let arguments = json!({"svg": svg, "name": "Drawing", "x": 0, "y": 0});
        let reply = good(&mut canvas, "create_graphic", arguments);
        assert!(reply.get("omitted").is_none(), "{number}: {reply}");
        let actual = canvas.picture(&PictureRequest::default()).unwrap();
        assert!(actual.diagnostics.is_empty(), "{number}: {:?}", actual.diagnostics);
        let off = difference(&expected, &actual.pixels);
        let report = || save_triptych(&format!("svg-{number}"), &expected, &actual.pixels);
        assert!(off.mean < 0.6 && off.far < 0.004, "{number}: {off:?}, see {}", report().display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_markup_is_drawn_or_refused(
        shapes in prop::collection::vec(
            "<(rect|path|circle|g|use|text|line) (width|height|d|r|href|transform|fill|stroke|x2)='[MLHVCZmz0-9.,# e-]{0,24}'/>",
            0..6,
        ),
        cut in 0usize..400,
    ) {
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='M1 1H9V9Z'/>{}</svg>",
            shapes.concat()
        );
        let cut: String = svg.chars().take(cut.max(60)).collect();
        for svg in [svg, cut] {
            let arguments = json!({"svg": svg, "name": "Icon", "x": -3.5, "y": 7});
            let mut canvas = blank();
            let outcome = call(&mut canvas, "create_graphic", arguments);
            prop_assert_eq!(outcome.is_error(), canvas.document().len() == 1, "{}", outcome.text);
        }
    }
}
