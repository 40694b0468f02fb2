//! What items of labelling projects are about.

use std::path::Path;

use crate::evaluate::open_item;
use crate::workbench::{ItemEvidence, ItemInput};
use crate::worker::shared::Shared;

use super::packets;

/// Opens the runs of an item and finds its task.
pub(super) fn open_evidence(shared: &Shared, input: &ItemInput) -> ItemEvidence {
    if input.is_packet() {
        return packets::evidence(input);
    }
    let home = input.file().parent().unwrap_or_else(|| Path::new(""));
    let mut kept = shared.labelled_tasks.lock();
    let opened = open_item(input.item(), home, kept.of(input, home));
    let runs = opened.runs.into_iter().map(|run| {
        run.map_err(|error| {
            // Where it lay names who made it.
            if input.is_blind { error.without_place().to_owned() } else { error.to_string() }
        })
    });
    ItemEvidence { runs: runs.collect(), task: opened.task }
}
