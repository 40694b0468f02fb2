//! Writing a design, or a node of it, to a file.

use std::path::Path;

use serde_json::{Value, json};

use crate::design::{Document, NodeId, figma};
use crate::render::svg::{SvgOptions, export_node};
use crate::render::{RenderContext, RenderOptions, all_render_bounds, render_node};
use crate::workbench::protocol::ExportFormat;
use crate::worker::shared::job_border::{JobError, write_file};
use crate::worker::shared::work::ExportOrder;

use super::context::ComputeContext;
use super::layers::{RunAndTask, design_of};

/// Writes a node, or the screen, to a file.
pub(in crate::worker) fn export(
    cx: &mut ComputeContext<'_>,
    order: &ExportOrder,
) -> Result<(), JobError> {
    let of = RunAndTask { task: order.inputs.task.as_ref(), run: order.inputs.loaded() };
    let design = design_of(cx.shared, cx.sessions, &order.key, of, cx.cancel)?;
    let screen = design.main_frame().map(|frame| &frame.id);
    let Some(node) = order.node.as_ref().or(screen) else {
        return Err(JobError::failed("the design has no node"));
    };
    let render = &cx.shared.render;
    match order.format {
        ExportFormat::Png { scale } => {
            // The protocol promises this range, and nothing else holds a caller to it.
            let scale = f64::from(scale.clamp(1, 4));
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let drawn = render_node(render, &design, node, options).map_err(JobError::failed)?;
            drawn.pixels.save_png(&order.path).map_err(JobError::failed)
        }
        ExportFormat::Svg => {
            let exported = export_node(render, &design, node, SvgOptions::default());
            write_file(&order.path, exported.map_err(JobError::failed)?.svg.as_bytes())
        }
        ExportFormat::Json => {
            let json = file_json(render, &design, node, order.node.as_ref())?;
            write_json(&order.path, &json)
        }
    }
}

/// A whole design as runs keep it in `final.json`; a node as Figma's REST API answers for nodes.
fn file_json(
    render: &RenderContext,
    design: &Document,
    node: &NodeId,
    chosen: Option<&NodeId>,
) -> Result<Value, JobError> {
    // Figma's files say how far a node is drawn, which only whoever draws it knows.
    let drawn = all_render_bounds(render, design);
    let json = figma::node_to_json_with(design, node, &drawn).map_err(JobError::failed)?;
    let document = json!({ "document": json });
    Ok(match chosen {
        None => document,
        Some(id) => json!({ "nodes": { id.as_str(): document } }),
    })
}

fn write_json(path: &Path, json: &Value) -> Result<(), JobError> {
    write_file(path, &serde_json::to_vec_pretty(json).map_err(JobError::failed)?)
}
