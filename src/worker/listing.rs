//! What a file of models and a folder of pictures hold, for the launch dialog.

use std::path::PathBuf;

use crate::agent::models::ModelsFile;
use crate::base::{CancelToken, Cancelled};
use crate::task::{PictureFolder, TaskError};
use crate::workbench::protocol::{ListedModel, PicturesListed};
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

/// Tells how many pictures a folder holds; or why it cannot be read.
pub(super) fn list_pictures(
    shared: &Shared,
    job: JobId,
    path: PathBuf,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    let result = match PictureFolder::open_unless(&path, cancel) {
        Ok(folder) => Ok(PicturesListed { pictures: folder.len() }),
        Err(TaskError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => Err(error.to_string()),
    };
    shared.mailbox.send(Event::PicturesListed { job, path, result });
    Ok(())
}
