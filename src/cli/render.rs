//! `pentimento render`: a design as PNG.

use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::base::{Limits, parse_json, read_file_limited};
use crate::design::{Document, NodeId, NodeKind, figma};
use crate::environment::{add_pictures, pictures_beside};
use crate::render::{RenderOptions, Rendered, render_node, render_page};

use super::arguments::RenderArguments;
use super::output::note;

/// Does the command.
pub(super) fn draw(arguments: &RenderArguments) -> anyhow::Result<()> {
    let shown = arguments.design.display();
    let document = open(&arguments.design).with_context(|| format!("cannot open {shown}"))?;
    let rendered = render(&document, arguments).with_context(|| format!("cannot draw {shown}"))?;
    for diagnostic in &rendered.diagnostics {
        note(&format!("warning: node {}: {}", diagnostic.node, diagnostic.message));
    }
    let out = &arguments.out;
    rendered.pixels.save_png(out).with_context(|| format!("cannot save {}", out.display()))
}

fn open(path: &Path) -> anyhow::Result<Document> {
    let json: Value = parse_json(&read_file_limited(path, Limits::JSON_BYTES)?)?;
    let mut loaded = figma::from_json(json)?;
    for warning in &loaded.warnings {
        note(&format!("warning: {warning}"));
    }
    let pictures = pictures_beside(path);
    for error in pictures.iter().flat_map(|folder| add_pictures(&mut loaded.document, folder)) {
        note(&format!("warning: {error}"));
    }
    Ok(loaded.document)
}

fn render(document: &Document, arguments: &RenderArguments) -> anyhow::Result<Rendered> {
    let options = RenderOptions { scale: arguments.scale, ..RenderOptions::default() };
    let chosen = arguments.node.as_deref().map(NodeId::from);
    Ok(match chosen.or_else(|| whole_design(document)) {
        Some(id) => render_node(document, &id, options)?,
        None => render_page(document, options)?,
    })
}

/// What to draw when no node is named: an exported node itself; of a file, its main frame; `None`,
/// all of it, where there is no frame.
fn whole_design(document: &Document) -> Option<NodeId> {
    if let Some(root) = document.exported_root() {
        return Some(root.id.clone());
    }
    let frame = document.main_frame().filter(|node| node.kind == NodeKind::Frame)?;
    let beside = document.page().map_or(0, |page| page.children.len().saturating_sub(1));
    if beside > 0 {
        note(&format!(
            "only the frame {} \"{}\" is drawn, not the {beside} nodes beside it; --node chooses another",
            frame.id, frame.name
        ));
    }
    Some(frame.id.clone())
}
