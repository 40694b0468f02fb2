//! Real files, beside Figma's own pictures of them.

use std::path::Path;
use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels, Rect, parse_json, read_file_limited};
use pentimento::design::{Document, Node, NodeKind, figma};
use pentimento::metric::ssim::SsimUniform7;
use pentimento::render::{RenderOptions, render_bounds, render_node};
use resvg::{tiny_skia, usvg};

use super::picture::save_triptych;
use super::sketch::context;
use crate::shared;

fn load(path: &Path) -> Document {
    let bytes = read_file_limited(path, 1 << 28).unwrap();
    figma::from_json(parse_json(&bytes).unwrap()).unwrap().document
}

#[test]
fn every_frame_of_every_file_is_drawn() {
    let Some(folder) = shared::path("data/figma") else { return };
    let mut drawn = 0;
    for name in ["button", "tag", "cookie-banner", "header", "figmagic-2022", "stroke"] {
        let document = load(&folder.join(format!("{name}.json")));
        for node in document.iter_depth_first().filter(|node| node.kind == NodeKind::Frame) {
            drawn += usize::from(
                render_node(&context(), &document, &node.id, RenderOptions::default()).is_ok(),
            );
        }
    }
    assert!(drawn > 300, "{drawn} frames");
}

/// Figma's own export, drawn by resvg.
fn exported(svg: &str) -> Pixels {
    let svg = shadows_beyond_clips(svg);
    let options = usvg::Options::default();
    let tree = usvg::Tree::from_str(&svg, &options);
    let tree = tree.or_else(|_| usvg::Tree::from_str(&closed(&svg), &options)).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(size.width(), size.height(), pixmap.take_demultiplied()).unwrap()
}

/// One of the files ends in the middle of a path: without it, and with its groups closed.
fn closed(svg: &str) -> String {
    let whole = svg.rfind('>').map_or(svg, |end| &svg[..=end]);
    let groups = whole.matches("<g ").count() - whole.matches("</g>").count();
    format!("{whole}{}</svg>", "</g>".repeat(groups))
}

/// Paints every text's box, and what its letters cover beyond it, in one grey; so too the variants
/// that a cut file lacks.
fn without_texts(pixels: &Pixels, document: &Document, svg: &str, page_box: Rect) -> Pixels {
    let (width, height) = (pixels.width(), pixels.height());
    let mut rgba = pixels.rgba().to_vec();
    let is_cut = !svg.trim_end().ends_with("</svg>");
    let is_lacking = |node: &Node| {
        is_cut && node.name.contains('=') && !svg.contains(&format!("id=\"{}\"", node.name))
    };
    let masked = |node: &&Arc<Node>| node.text().is_some() || is_lacking(node);
    for node in document.iter_depth_first().filter(masked) {
        let own = document.absolute_box(&node.id).unwrap();
        let own =
            render_bounds(&context(), document, &node.id).map_or(own, |drawn| drawn.union(own));
        let left = (own.x - page_box.x - 1.0).floor().max(0.0) as u32;
        let top = (own.y - page_box.y - 1.0).floor().max(0.0) as u32;
        let right = ((own.right() - page_box.x + 1.0).ceil().max(0.0) as u32).min(width);
        let bottom = ((own.bottom() - page_box.y + 1.0).ceil().max(0.0) as u32).min(height);
        for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
            let at = 4 * (y * width + x) as usize;
            rgba[at..at + 4].copy_from_slice(&[128, 128, 128, 255]);
        }
    }
    Pixels::from_rgba(width, height, rgba).unwrap()
}

/// The picture on white, as metrics see it.
fn on_white(pixels: &Pixels) -> Pixels {
    let blend = |pixel: &[u8]| {
        let alpha = u32::from(pixel[3]);
        let over = |c: u8| ((u32::from(c) * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        [over(pixel[0]), over(pixel[1]), over(pixel[2]), 255]
    };
    let rgba = pixels.rgba().chunks(4).flat_map(blend).collect();
    Pixels::from_rgba(pixels.width(), pixels.height(), rgba).unwrap()
}

/// Figma writes the clip of a frame and its drop shadow on one `<g>`; SVG clips after filtering, which
/// cuts the shadow away that Figma itself shows (the header's blue line, which is within its
/// `absoluteRenderBounds`). Takes such clips out.
fn shadows_beyond_clips(svg: &str) -> String {
    let tags = svg.split_inclusive('>').map(|tag| {
        let clip = tag.find(" clip-path=\"").filter(|_| tag.contains(" filter=\"url(#filter"));
        let Some(start) = clip.filter(|_| tag.contains("_d_")) else { return tag.to_owned() };
        let end = tag[start..].find(")\"").map_or(tag.len(), |at| start + at + 2);
        format!("{}{}", &tag[..start], &tag[end..])
    });
    tags.collect()
}

/// The kit's font is not free, so texts are masked in both pictures.
#[test]
fn components_look_as_figma_exports_them_but_for_their_font() {
    let Some(folder) = shared::path("data/figma") else { return };
    for name in ["button", "tag", "cookie-banner", "header"] {
        let document = load(&folder.join(format!("{name}.json")));
        let with_size = |node: &&Arc<Node>| node.kind.is_container() && node.size.width > 0.0;
        let top = document.iter_depth_first().find(with_size).unwrap();
        let ours = render_node(&context(), &document, &top.id, RenderOptions::default()).unwrap();
        let svg = std::fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap();
        let theirs = exported(&svg);
        let masked =
            |pixels: &Pixels| on_white(&without_texts(pixels, &document, &svg, ours.page_box));
        let (ours, theirs) = (masked(&ours.pixels), masked(&theirs));
        let score = SsimUniform7::score(&theirs, &ours, &CancelToken::default()).value().unwrap();
        println!("{name}: SSIM {score:.4} ({} x {})", ours.width(), ours.height());
        if score < 0.98 {
            let report = save_triptych(&format!("figma-{name}"), &theirs, &ours);
            panic!("{name}: {score}, see {}", report.display());
        }
    }
}

/// The kit's font is wider in some letters and narrower in others than the one that stands in for it,
/// so that letters lie apart; that their lines are those of the kit is what counts here.
#[test]
fn texts_in_a_font_that_is_missing_keep_to_their_boxes() {
    let Some(folder) = shared::path("data/figma") else { return };
    for name in ["button", "tag", "cookie-banner", "header"] {
        let document = load(&folder.join(format!("{name}.json")));
        let with_size = |node: &&Arc<Node>| node.kind.is_container() && node.size.width > 0.0;
        let top = document.iter_depth_first().find(with_size).unwrap();
        let ours = render_node(&context(), &document, &top.id, RenderOptions::default()).unwrap();
        let svg = std::fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap();
        let (theirs, ours) = (on_white(&exported(&svg)), on_white(&ours.pixels));
        let score = SsimUniform7::score(&theirs, &ours, &CancelToken::default()).value().unwrap();
        println!("{name}: SSIM {score:.4} with its texts");
        assert!(score >= 0.88, "{name}: {score}");
    }
}
