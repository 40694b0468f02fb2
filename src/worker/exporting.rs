//! Writing a design, or a node of it, to a file.

use std::path::Path;

use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::design::{Document, NodeId, figma};
use crate::render::svg::{SvgOptions, export_node};
use crate::render::{RenderOptions, all_render_bounds, render_node};
use crate::workbench::PictureKey;
use crate::workbench::protocol::ExportFormat;

use super::job::JobError;
use super::outline::{MadeOf, OutlineError, design_of};
use super::sessions::Sessions;
use super::shared::Shared;
use crate::evaluate::CanvasError;

/// What to write.
#[derive(Debug)]
pub(super) struct ExportOrder<'a> {
    pub(super) key: &'a PictureKey,
    pub(super) node: Option<&'a NodeId>,
    pub(super) format: ExportFormat,
    pub(super) path: &'a Path,
}

/// Writes a node, or the screen, to a file.
pub(super) fn export(
    shared: &Shared,
    sessions: &mut Sessions,
    order: &ExportOrder<'_>,
    of: MadeOf<'_>,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let design = match design_of(shared, sessions, order.key, of, cancel) {
        Err(OutlineError::Canvas(CanvasError::Cancelled(cancelled))) => {
            return Err(cancelled.into());
        }
        design => design.map_err(JobError::failed)?,
    };
    let screen = || design.main_frame().map(|frame| frame.id.clone());
    let nothing = || JobError::Failed("the design has no node".to_owned());
    let node = order.node.cloned().or_else(screen).ok_or_else(nothing)?;
    match order.format {
        ExportFormat::Png { scale } => {
            let scale = f64::from(scale.clamp(1, 4));
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let drawn = render_node(&design, &node, options).map_err(JobError::failed)?;
            drawn.pixels.save_png(order.path).map_err(JobError::failed)
        }
        ExportFormat::Svg => {
            let exported = export_node(&design, &node, SvgOptions::default());
            write_bytes(order.path, exported.map_err(JobError::failed)?.svg.as_bytes())
        }
        ExportFormat::Json => {
            let json = file_json(&design, &node, order.node)?;
            write_json(order.path, &json)
        }
    }
}

/// A whole design as runs keep it in `final.json`; a node as Figma's REST API answers for nodes.
fn file_json(design: &Document, node: &NodeId, chosen: Option<&NodeId>) -> Result<Value, JobError> {
    let drawn = all_render_bounds(design);
    let json = figma::node_to_json_with(design, node, &drawn).map_err(JobError::failed)?;
    let document = json!({ "document": json });
    Ok(match chosen {
        None => document,
        Some(id) => json!({ "nodes": { id.as_str(): document } }),
    })
}

fn write_json(path: &Path, json: &Value) -> Result<(), JobError> {
    write_bytes(path, &serde_json::to_vec_pretty(json).map_err(JobError::failed)?)
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    std::fs::write(path, bytes)
        .map_err(|error| JobError::Failed(format!("{} cannot be written: {error}", path.display())))
}
