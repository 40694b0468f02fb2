//! Real files, beside Figma's own pictures of them.

use std::path::Path;
use std::sync::Arc;

use pentimento::base::{Pixels, parse_json, read_file_limited};
use pentimento::design::{Document, Node, NodeKind, figma};
use pentimento::render::{RenderOptions, render_node};
use resvg::{tiny_skia, usvg};

use super::picture::{difference, save_triptych};
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
            drawn +=
                usize::from(render_node(&document, &node.id, RenderOptions::default()).is_ok());
        }
    }
    assert!(drawn > 300, "{drawn} frames");
}

/// Figma's own export, drawn by resvg.
fn exported(path: &Path) -> Pixels {
    let svg = shadows_beyond_clips(&std::fs::read_to_string(path).unwrap());
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(size.width(), size.height(), pixmap.take_demultiplied()).unwrap()
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

/// What stays different: text is set in Inter here, and REST files lack the outlines of vectors.
#[test]
fn components_look_as_figma_exports_them_but_for_their_font() {
    let Some(folder) = shared::path("data/figma") else { return };
    for (name, far) in [("button", 0.09), ("cookie-banner", 0.06), ("header", 0.05)] {
        let document = load(&folder.join(format!("{name}.json")));
        let with_size = |node: &&Arc<Node>| node.kind.is_container() && node.size.width > 0.0;
        let top = document.iter_depth_first().find(with_size).unwrap();
        let ours = render_node(&document, &top.id, RenderOptions::default()).unwrap().pixels;
        let theirs = exported(&folder.join(format!("{name}.svg")));
        let difference = difference(&ours, &theirs);
        if difference.far > far {
            let report = save_triptych(&format!("figma-{name}"), &theirs, &ours);
            panic!("{name}: {difference:?}, see {}", report.display());
        }
    }
}
