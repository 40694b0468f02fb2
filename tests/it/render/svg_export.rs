//! The SVG export, judged by an independent renderer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use pentimento::base::{CancelToken, Pixels, Point, Size, parse_json};
use pentimento::design::{
    BlendMode, Document, GradientKind, NodeId, NodeKind, StrokeAlign, TextDecoration, figma,
};
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use pentimento::environment::{Environment as _, ToolCall};
use pentimento::metric::{Score, ssim::SsimUniform7};
use pentimento::render::svg::{ExportedSvg, NodeIds, SvgOptions, TextForm, export_node};
use pentimento::render::{RenderOptions, render_node};
use proptest::prelude::*;
use resvg::{tiny_skia, usvg};

use super::hostile::any_node;
use super::picture::save_triptych;
use super::random_design::{ROOT, random_design};
use super::sketch::{context, filled, gradient, inter, node, page, solid, stroked, text, within};

const AS_TEXT: SvgOptions = SvgOptions { text: TextForm::Text, ids: NodeIds::Omitted };
const AS_OUTLINES: SvgOptions = SvgOptions { text: TextForm::Outlines, ids: NodeIds::Omitted };

static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    for file in ["InterVariable.ttf", "InterVariable-Italic.ttf"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts").join(file);
        fonts.load_font_data(std::fs::read(path).unwrap());
    }
    Arc::new(fonts)
});

/// How resvg draws the SVG at scale 1, on white.
fn judge(svg: &str) -> Pixels {
    judge_at(svg, 1)
}

/// The same at so many pixels a unit. The fonts' files are of the family `Inter Variable`.
pub(crate) fn judge_at(svg: &str, scale: u16) -> Pixels {
    let svg = svg.replace("Inter, sans-serif", "Inter Variable");
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "Inter Variable".to_owned(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&svg, &options).unwrap_or_else(|e| panic!("{e}\n{svg}"));
    let size = tree.size().to_int_size();
    let [width, height] = [size.width(), size.height()].map(|side| side * u32::from(scale));
    let mut pixmap = tiny_skia::Pixmap::new(width, height).unwrap();
    let larger = tiny_skia::Transform::from_scale(f32::from(scale), f32::from(scale));
    resvg::render(&tree, larger, &mut pixmap.as_mut());
    let rgba = pixmap.take_demultiplied();
    on_white(&Pixels::from_rgba(width, height, rgba).unwrap())
}

/// The picture over white: SSIM does not look at alpha.
pub(crate) fn on_white(picture: &Pixels) -> Pixels {
    let over = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let rgba = picture.rgba().chunks_exact(4).flat_map(|pixel| {
        [over(pixel[0], pixel[3]), over(pixel[1], pixel[3]), over(pixel[2], pixel[3]), 255]
    });
    Pixels::from_rgba(picture.width(), picture.height(), rgba.collect()).unwrap()
}

pub(crate) fn similarity(a: &Pixels, b: &Pixels) -> f64 {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()), "sizes differ");
    match SsimUniform7::score(a, b, &CancelToken::new()) {
        Score::Value(value) => value,
        Score::Missing(why) => panic!("no score: {why:?}"),
    }
}

fn draw(document: &Document, id: &NodeId) -> Pixels {
    on_white(&render_node(&context(), document, id, RenderOptions::default()).unwrap().pixels)
}

fn export(document: &Document, id: &NodeId, options: SvgOptions) -> ExportedSvg {
    export_node(&context(), document, id, options).unwrap()
}

/// The similarity of both pictures; leaves a picture and the SVG where it is below `least`.
fn compare(name: &str, document: &Document, id: &NodeId, options: SvgOptions, least: f64) -> f64 {
    let exported = export(document, id, options);
    let (ours, theirs) = (draw(document, id), judge(&exported.svg));
    let score = similarity(&ours, &theirs);
    if score < least {
        let report = save_triptych(name, &theirs, &ours);
        std::fs::write(report.with_extension("svg"), &exported.svg).unwrap();
    }
    score
}

fn sample_designs() -> Vec<PathBuf> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let mut designs = Vec::new();
    for set in ["replication", "modification"] {
        for entry in std::fs::read_dir(samples.join(set)).unwrap() {
            let path = entry.unwrap().path();
            designs.extend((path.extension() == Some("json".as_ref())).then_some(path));
        }
    }
    designs.sort();
    assert!(designs.len() >= 16, "the sample designs are missing");
    designs
}

fn open(path: &Path) -> (Document, NodeId) {
    let json = parse_json(&std::fs::read(path).unwrap()).unwrap();
    let document = figma::from_json(json).unwrap().document;
    let id = document.main_frame().unwrap().id.clone();
    (document, id)
}

/// Every score below `least`, worst first, as words.
fn failures(mut scores: Vec<(String, f64)>, least: f64) -> Vec<String> {
    scores.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (name, score) in scores.iter().take(5) {
        println!("{score:.4} {name}");
    }
    let low = scores.into_iter().filter(|(_, score)| *score < least);
    low.map(|(name, score)| format!("{score:.4} {name}")).collect()
}

fn assert_samples_look_the_same(form: &str, options: SvgOptions) {
    const LEAST: f64 = 0.99;
    let scores = sample_designs().into_iter().map(|path| {
        let (document, id) = open(&path);
        let name = path.file_stem().unwrap().to_string_lossy();
        let score = compare(&format!("svg-{form}-{name}"), &document, &id, options, LEAST);
        (name.into_owned(), score)
    });
    let failures = failures(scores.collect(), LEAST);
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn resvg_draws_the_exported_samples_as_we_draw_them() {
    assert_samples_look_the_same("outlines", AS_OUTLINES);
}

#[test]
fn resvg_sets_the_text_of_the_exported_samples_as_we_do() {
    assert_samples_look_the_same("text", AS_TEXT);
}

#[test]
fn resvg_draws_random_designs_as_we_draw_them() {
    const LEAST: f64 = 0.99;
    let scores = (0..200).map(|seed| {
        let document = random_design(seed);
        let name = format!("svg-random-{seed}");
        let score = compare(&name, &document, &NodeId::new(ROOT), AS_OUTLINES, LEAST);
        (name, score)
    });
    let failures = failures(scores.collect(), LEAST);
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn an_exported_sample_comes_back_by_create_graphic() {
    const LEAST: f64 = 0.98;
    let scores = sample_designs().into_iter().map(|path| {
        let (document, id) = open(&path);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (ours, back) = (draw(&document, &id), round_trip(&document, &id));
        let score = similarity(&ours, &back);
        if score < LEAST {
            save_triptych(&format!("svg-back-{name}"), &ours, &back);
        }
        (name, score)
    });
    let failures = failures(scores.collect(), LEAST);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The node exported and drawn again by the tool that takes SVG.
fn round_trip(document: &Document, id: &NodeId) -> Pixels {
    let svg = export(document, id, AS_OUTLINES).svg;
    let start = Start::Blank(Size::new(100.0, 100.0));
    let mut canvas = CanvasEnvironment::new(start, CanvasSettings::default()).unwrap();
    let outcome = canvas.call(
        &ToolCall {
            id: "call".to_owned(),
            name: "create_graphic".to_owned(),
            arguments: serde_json::json!({"svg": svg, "name": "Back", "x": 0, "y": 0}),
        },
        &CancelToken::default(),
    );
    assert!(!outcome.is_error(), "{}", outcome.text);
    let made = outcome.structured.unwrap()["id"].as_str().unwrap().to_owned();
    draw(canvas.document(), &NodeId::new(made))
}

/// The lines of an export without the root element.
fn lines(document: &Document, id: &str, options: SvgOptions) -> Vec<String> {
    let svg = export(document, &NodeId::from(id), options).svg;
    let lines: Vec<_> = svg.lines().map(|line| line.trim().to_owned()).collect();
    lines[1..lines.len() - 1].to_vec()
}

#[test]
fn simple_shapes_are_simple_elements() {
    let mut frame = filled(node("f", NodeKind::Frame, [10.0, 20.0, 100.0, 60.0]), 0xFF_FFFF);
    frame.clips_content = true;
    let card = node("a", NodeKind::Rectangle, [8.0, 8.0, 40.0, 30.0]);
    let mut card = stroked(filled(card, 0x33_66CC), 0x11_2233, 2.0, StrokeAlign::Inside);
    card.corner_radii = pentimento::design::CornerRadii::uniform(6.0);
    let mut dot = node(
        "b",
        NodeKind::Ellipse(pentimento::design::EllipseArc::WHOLE),
        [60.0, 10.0, 20.0, 20.0],
    );
    dot = filled(dot, 0xFF_0000);
    dot.opacity = 0.5;
    let document = page([frame, within("f", card), within("f", dot)]);
    let expected = [
        r##"<rect width="100" height="60" fill="#FFFFFF"/>"##,
        r##"<rect x="8" y="8" width="40" height="30" rx="6" fill="#3366CC"/>"##,
        r##"<rect x="9" y="9" width="38" height="28" rx="5" fill="none" stroke-width="2" stroke="#112233"/>"##,
        r##"<ellipse cx="70" cy="20" rx="10" ry="10" fill="#FF0000" opacity="0.5"/>"##,
    ];
    assert_eq!(lines(&document, "f", AS_OUTLINES), expected);
}

#[test]
fn text_stays_text_line_by_line_and_style_by_style() {
    let mut style = inter(16.0, 600.0);
    style.decoration = TextDecoration::Underline;
    let mut label =
        filled(text("t", [0.0, 0.0, 160.0, 40.0], "One <two> &\nthree", style), 0x22_2222);
    let content = label.text_mut().unwrap();
    content.override_ids = vec![0, 0, 0, 0, 7, 7, 7, 7, 7];
    let own = pentimento::design::StyleOverride {
        font_weight: Some(400.0),
        fills: Some(vec![solid(0xFF_0000)]),
        ..Default::default()
    };
    content.overrides.insert(7, own);
    let frame = node("f", NodeKind::Frame, [0.0, 0.0, 160.0, 40.0]);
    let found = lines(&page([frame, within("f", label)]), "f", AS_TEXT);
    let expected = r##"<text xml:space="preserve" fill="#222222" font-family="Inter, sans-serif" font-size="16" font-weight="600" text-decoration="underline" style="font-variation-settings:'opsz' 14"><tspan x="0" y="15.5">One </tspan><tspan fill="#FF0000" font-weight="400">&lt;two&gt;</tspan><tspan> &amp;</tspan><tspan x="0" y="34.5">three</tspan></text>"##;
    let [line] = found.as_slice() else { panic!("{found:#?}") };
    let digits = |line: &str| line.replace(|c: char| c.is_ascii_digit() || c == '.', "0");
    let shape = |line: &str| digits(line).replace("000", "0").replace("00", "0");
    assert_eq!(shape(line), shape(expected));
}

#[test]
fn names_become_ids_when_asked_for() {
    let frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 20.0, 20.0]), 0xFF_FFFF);
    let mut twins = ["a", "b"]
        .map(|id| within("f", filled(node(id, NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0]), 0xFF)));
    for twin in &mut twins {
        "Card \"1\"".clone_into(&mut twin.name);
    }
    let document = page(std::iter::once(frame).chain(twins));
    let options = SvgOptions { ids: NodeIds::Names, ..AS_OUTLINES };
    let svg = export(&document, &NodeId::from("f"), options).svg;
    for id in [r#"id="f""#, r#"id="Card__1_""#, r#"id="Card__1__2""#] {
        assert!(svg.contains(id), "{id} is missing in {svg}");
    }
    assert!(!export(&document, &NodeId::from("f"), AS_OUTLINES).svg.contains("id="));
}

#[test]
fn a_clip_does_not_keep_a_blend_from_what_is_below() {
    let mut frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 60.0, 60.0]), 0xCC_7733);
    frame.clips_content = true;
    let mut inner = within("f", node("i", NodeKind::Frame, [10.0, 10.0, 30.0, 30.0]));
    inner.clips_content = true;
    inner.corner_radii = pentimento::design::CornerRadii::uniform(10.0);
    let mut front = filled(node("a", NodeKind::Rectangle, [-5.0, -5.0, 50.0, 50.0]), 0x33_99BB);
    front.blend_mode = BlendMode::Multiply;
    let document = page([frame, inner, within("i", front)]);
    assert!(compare("svg-clipped-blend", &document, &"f".into(), AS_OUTLINES, 0.999) >= 0.999);
    let found = lines(&document, "f", AS_OUTLINES);
    assert!(found[1].contains("mix-blend-mode:multiply") && found[1].contains("clip-path"));
}

#[test]
fn what_svg_has_no_form_for_is_said() {
    let mut frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 40.0, 40.0]), 0xFF_FFFF);
    frame.clips_content = true;
    let mut burnt = within("f", filled(node("a", NodeKind::Rectangle, [0.0, 0.0, 9.0, 9.0]), 0xFF));
    burnt.blend_mode = BlendMode::LinearBurn;
    let mut turned = within("f", node("b", NodeKind::Rectangle, [10.0, 10.0, 20.0, 20.0]));
    let (from, to) = (Point::new(0.5, 0.5), Point::new(1.0, 0.5));
    turned.fills = vec![gradient(GradientKind::Angular, from, to, [0xFF_0000, 0x00_00FF])];
    let exported = export(&page([frame, burnt, turned]), &NodeId::from("f"), AS_OUTLINES);
    let said: Vec<_> = exported.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "SVG has no blend mode LINEAR_BURN: exported as MULTIPLY",
            "SVG has no angular gradient: a picture of it is embedded",
        ]
    );
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    let id = NodeId::new(ROOT);
    for seed in 0..8 {
        let first = export(&random_design(seed), &id, AS_TEXT).svg;
        let elsewhere = move || export(&random_design(seed), &NodeId::new(ROOT), AS_TEXT).svg;
        assert_eq!(first, std::thread::Builder::new().spawn(elsewhere).unwrap().join().unwrap());
    }
}

#[test]
fn the_deepest_nesting_is_read() {
    let depth = pentimento::base::Limits::NODE_DEPTH;
    let mut nodes = vec![node("0", NodeKind::Frame, [0.0, 0.0, 40.0, 40.0])];
    for level in 1..depth {
        let mut frame = node(&level.to_string(), NodeKind::Frame, [0.1, 0.1, 40.0, 40.0]);
        frame.opacity = 0.999;
        frame.clips_content = true;
        nodes.push(within(&(level - 1).to_string(), frame));
    }
    let last = nodes.last_mut().unwrap();
    *last = filled(last.clone(), 0xFF_0000);
    let picture = judge(&export(&page(nodes), &NodeId::from("0"), AS_OUTLINES).svg);
    assert!(picture.get(30, 30).unwrap()[1] < 60);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_numbers_make_an_svg_that_cannot_be_read(
        nodes in prop::collection::vec(any_node(), 1..6),
        as_text in any::<bool>(),
    ) {
        let frame = node("f", NodeKind::Frame, [0.0, 0.0, 50.0, 50.0]);
        let children = nodes.into_iter().enumerate().map(|(index, mut child)| {
            child.id = NodeId::new(format!("n{index}"));
            within("f", child)
        });
        if let Ok(document) = Document::from_nodes(std::iter::once(frame).chain(children)) {
            let options = if as_text { AS_TEXT } else { AS_OUTLINES };
            let svg = export(&document, &NodeId::from("f"), options).svg;
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            judge(&svg);
        }
    }
}
