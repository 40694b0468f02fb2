//! What a file of models and a folder of pictures hold, for the launch dialog.

use std::path::Path;

use crate::agent::models::ModelsFile;
use crate::base::CancelToken;
use crate::task::{PictureFolder, TaskError};
use crate::workbench::protocol::{ListedModel, PicturesListed};
use crate::worker::shared::job_border::JobError;

/// Which models there are in a file, by name.
pub(in crate::worker) fn list_models(path: &Path) -> Result<Vec<ListedModel>, JobError> {
    let file = ModelsFile::open(path).map_err(JobError::failed)?;
    let listed = file.models.into_iter().map(|(name, entry)| ListedModel {
        name,
        model: entry.provider.model,
        kind: entry.provider.kind,
        has_prices: entry.provider.prices.is_some(),
    });
    Ok(listed.collect())
}

/// How many pictures a folder holds.
pub(in crate::worker) fn list_pictures(
    path: &Path,
    cancel: &CancelToken,
) -> Result<PicturesListed, JobError> {
    match PictureFolder::open_unless(path, cancel) {
        Ok(folder) => Ok(PicturesListed { pictures: folder.len() }),
        Err(TaskError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => Err(JobError::failed(error)),
    }
}
