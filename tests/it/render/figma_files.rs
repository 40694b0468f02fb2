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
    let tree =
        usvg::Tree::from_data(&std::fs::read(path).unwrap(), &usvg::Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(size.width(), size.height(), pixmap.take_demultiplied()).unwrap()
}

/// What stays different: text is set in Inter here, and REST files have neither the outlines of
/// vectors nor do we draw effects yet.
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
