//! Exporting layers of a design: a file for each of their export settings.

use std::collections::BTreeSet;

use crate::export::{layer_file, layer_file_name};
use crate::workbench::protocol::LayersOrder;
use crate::worker::shared::job_border::{JobError, write_file};

use super::context::ComputeContext;

/// Writes the layers of an order. What of them cannot be written is told at the end, and holds up no other.
pub(in crate::worker) fn export_layers(
    cx: &ComputeContext<'_>,
    order: &LayersOrder,
) -> Result<(), JobError> {
    let nodes = order.layers.iter().filter_map(|id| order.document.get(id));
    let files: Vec<_> = nodes
        .flat_map(|node| node.export_settings.iter().map(move |setting| (node, setting)))
        .collect();
    if files.is_empty() {
        return Err(JobError::failed("no layer has export settings"));
    }
    // Without regard to case: some file systems have none.
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut left_out: Vec<String> = Vec::new();
    for (done, (node, setting)) in files.iter().enumerate() {
        cx.cancel.check()?;
        let is_taken = |name: &str| {
            names.contains(&name.to_lowercase())
                || order.folder.join(name).symlink_metadata().is_ok()
        };
        let name = layer_file_name(&node.name, setting, is_taken);
        cx.shared.mailbox.tell(cx.job, done, files.len(), name.as_str());
        let made = layer_file(&order.render, &order.document, &node.id, setting);
        let written = made.map_err(|error| format!("{name}: {error}")).and_then(|bytes| {
            write_file(&order.folder.join(&name), &bytes).map_err(|error| error.to_string())
        });
        left_out.extend(written.err());
        names.insert(name.to_lowercase());
    }
    match left_out.as_slice() {
        [] => Ok(()),
        [why] => {
            Err(JobError::failed(format_args!("1 of {} files was not written: {why}", files.len())))
        }
        [why, others @ ..] => Err(JobError::failed(format_args!(
            "{} of {} files were not written: {why} (and {} more)",
            left_out.len(),
            files.len(),
            others.len()
        ))),
    }
}
