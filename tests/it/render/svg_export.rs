//! The SVG export, judged by an independent renderer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use pentimento::base::{CancelToken, Pixels, parse_json};
use pentimento::design::{Document, NodeId, figma};
use pentimento::metric::{Score, ssim::SsimUniform7};
use pentimento::render::svg::{ExportedSvg, NodeIds, SvgOptions, TextForm, export_node};
use pentimento::render::{RenderOptions, render_node};
use resvg::{tiny_skia, usvg};

use super::picture::save_triptych;
use super::random_design::{ROOT, random_design};

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

/// How resvg draws the SVG at scale 1, on white. The fonts' files are of the family `Inter Variable`.
fn judge(svg: &str) -> Pixels {
    let svg = svg.replace("Inter, sans-serif", "Inter Variable");
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "Inter Variable".to_owned(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&svg, &options).unwrap_or_else(|e| panic!("{e}\n{svg}"));
    let size = tree.size().to_int_size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let rgba = pixmap.take_demultiplied();
    on_white(&Pixels::from_rgba(size.width(), size.height(), rgba).unwrap())
}

/// The picture over white: SSIM does not look at alpha.
fn on_white(picture: &Pixels) -> Pixels {
    let over = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let rgba = picture.rgba().chunks_exact(4).flat_map(|pixel| {
        [over(pixel[0], pixel[3]), over(pixel[1], pixel[3]), over(pixel[2], pixel[3]), 255]
    });
    Pixels::from_rgba(picture.width(), picture.height(), rgba.collect()).unwrap()
}

fn similarity(a: &Pixels, b: &Pixels) -> f64 {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()), "sizes differ");
    match SsimUniform7::score(a, b, &CancelToken::new()) {
        Score::Value(value) => value,
        Score::Missing(why) => panic!("no score: {why:?}"),
    }
}

fn draw(document: &Document, id: &NodeId) -> Pixels {
    on_white(&render_node(document, id, RenderOptions::default()).unwrap().pixels)
}

fn export(document: &Document, id: &NodeId, options: SvgOptions) -> ExportedSvg {
    export_node(document, id, options).unwrap()
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
