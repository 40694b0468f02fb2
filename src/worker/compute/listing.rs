//! What files of models and folders of pictures and prompts hold, for the launch dialog.

use std::path::Path;
use std::sync::Arc;

use crate::agent::PictureSource;
use crate::agent::batch::{BatchSettings, Estimate, EstimateError, Order, estimate};
use crate::agent::model_agent::AgentPrompts;
use crate::agent::models::{
    EndpointReport, EndpointTestError, ModelChoice, ModelSetup, ModelsFile,
};
use crate::agent::providers::EnteredKey;
use crate::base::CancelToken;
use crate::task::{PictureFolder, TaskError};
use crate::workbench::protocol::{
    FolderEntry, KeyKept, ListedModel, PicturesListed, PromptsListed,
};
use crate::workbench::{EndpointTestKey, EstimateKey};
use crate::worker::shared::Shared;
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

/// Most names of a folder that are read.
const MOST_NAMES: usize = 5_000;

/// What a folder holds, by name; of a very large one some.
pub(in crate::worker) fn list_folder(path: &Path) -> Result<Vec<FolderEntry>, JobError> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(JobError::failed)?.take(MOST_NAMES) {
        // What cannot be looked at is passed over, as it could not be opened either; and a name that
        // is no Unicode could not be typed.
        let Ok(entry) = entry else { continue };
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Through links, as opening goes through them.
        entries.push(FolderEntry { name, is_folder: entry.path().is_dir() });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// What is known of a chosen model before it is asked.
pub(in crate::worker) fn check_model(
    shared: &Shared,
    choice: &ModelChoice,
) -> Result<ModelSetup, JobError> {
    choice.check(&shared.variables).map_err(JobError::failed)
}

/// Asks a model for a word, a picture and a call.
pub(in crate::worker) fn test_endpoint(
    shared: &Shared,
    key: &EndpointTestKey,
    cancel: &CancelToken,
) -> Result<EndpointReport, JobError> {
    let opened = key.choice.open(&shared.variables).map_err(JobError::failed)?;
    // Without chance, the number of the test: the colour that is asked about is another each time.
    let chance = getrandom::u64().unwrap_or(key.number);
    opened.test(chance, cancel).map_err(|error| match error {
        EndpointTestError::Cancelled(cancelled) => cancelled.into(),
        error => JobError::failed(error),
    })
}

/// What a launch would read, write and cost. Nothing is asked.
pub(in crate::worker) fn estimate_launch(
    shared: &Shared,
    key: &EstimateKey,
    cancel: &CancelToken,
) -> Result<Estimate, JobError> {
    let mut settings = BatchSettings::new(key.options.clone());
    if let Some(folder) = &key.options.pictures {
        let folder = PictureFolder::open_unless(folder, cancel).map_err(JobError::failed)?;
        settings.pictures = PictureSource::Folder(Arc::new(folder));
    }
    let mut orders = Vec::new();
    for choice in &key.agents {
        let Some(agent) = choice.unasked(&shared.variables).map_err(JobError::failed)? else {
            continue;
        };
        let agent = Arc::new(agent);
        orders.extend(key.tasks.iter().map(|(task_ref, set_dir, task)| Order {
            set: task_ref.set.clone(),
            set_dir: set_dir.clone(),
            task: Arc::clone(task),
            agent: Arc::clone(&agent),
        }));
    }
    let repeated = (0..key.repeats).flat_map(|_| orders.iter().map(|order| (order, &settings)));
    estimate(repeated, &*shared.open_environment, cancel).map_err(|error| match error {
        EstimateError::Cancelled(cancelled) => cancelled.into(),
        error @ EstimateError::Task { .. } => JobError::failed(error),
    })
}

/// Puts a key into the system's keyring.
pub(in crate::worker) fn keep_key(entered: &EnteredKey) -> Result<KeyKept, JobError> {
    entered.store().map_err(JobError::failed)?;
    Ok(KeyKept)
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

/// Where a folder of prompts lies, and how many it holds; every file is read as a run would.
pub(in crate::worker) fn list_prompts(path: &Path) -> Result<PromptsListed, JobError> {
    AgentPrompts::from_folder(path).map_err(JobError::failed)?;
    let place = path.canonicalize().map_err(JobError::failed)?;
    Ok(PromptsListed { place, prompts: AgentPrompts::count_in(path) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_prompts_is_one_whichever_way_leads_there_and_says_what_is_wrong_with_it() {
        let dir = tempfile::tempdir().unwrap();
        let terse = dir.path().join("terse");
        let why = |path: &Path| match list_prompts(path) {
            Err(JobError::Failed(why)) => why,
            other => panic!("{other:?}"),
        };
        assert!(why(&terse).contains("there is no folder of prompts"));
        std::fs::create_dir(&terse).unwrap();
        std::fs::write(terse.join("notes.md"), "Terse.").unwrap();
        assert!(why(&terse).contains("is called as a prompt is"));
        std::fs::write(terse.join("agent_agency.md"), "Be terse.").unwrap();
        let listed = list_prompts(&terse).unwrap();
        assert_eq!(listed.prompts, 1);
        assert_eq!(list_prompts(&terse.join("../terse")).unwrap(), listed);
        std::fs::write(terse.join("agent_go_on.md"), "{{secret}}").unwrap();
        assert!(why(&terse).contains("{{secret}}"));
    }
}
