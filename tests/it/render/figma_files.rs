//! Real files, beside Figma's own pictures of them.

use std::path::Path;

use pentimento::base::{Pixels, parse_json, read_file_limited};
use pentimento::design::{Document, NodeKind, figma};
use pentimento::render::{RenderOptions, render_node};
use resvg::{tiny_skia, usvg};

use super::picture::difference;
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
    let tree =
        usvg::Tree::from_data(&std::fs::read(path).unwrap(), &usvg::Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(size.width(), size.height(), pixmap.take_demultiplied()).unwrap()
}

#[test]
fn components_look_as_figma_exports_them_but_for_their_font() {
    let Some(folder) = shared::path("data/figma") else { return };
    for name in ["button", "tag", "cookie-banner", "header"] {
        let document = load(&folder.join(format!("{name}.json")));
        let top = document
            .iter_depth_first()
            .find(|node| node.kind.is_container() && node.size.width > 0.0)
            .unwrap();
        let ours = render_node(&document, &top.id, RenderOptions::default()).unwrap().pixels;
        let theirs = exported(&folder.join(format!("{name}.svg")));
        let report = super::picture::save_triptych(&format!("figma-{name}"), &theirs, &ours);
        let difference = difference(&ours, &theirs);
        eprintln!("{name} {difference:?} {} {}", top.kind.type_name(), report.display());
    }
}
