//! What a file of models holds, for the launch dialog.

use std::path::PathBuf;

use crate::agent::models::ModelsFile;
use crate::workbench::protocol::ListedModel;
use crate::workbench::{Event, JobId};

use super::shared::Shared;

/// Tells which models there are in a file, by name; or what is wrong with it.
pub(super) fn list_models(shared: &Shared, job: JobId, path: PathBuf) {
    let result = ModelsFile::open(&path).map_err(|error| error.to_string()).map(|file| {
        let listed = file.models.into_iter().map(|(name, entry)| ListedModel {
            name,
            model: entry.provider.model,
            kind: entry.provider.kind,
            has_prices: entry.provider.prices.is_some(),
        });
        listed.collect()
    });
    shared.mailbox.send(Event::ModelsListed { job, path, result });
}
