//! A recorded run made again: `--again`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::agent::batch::{AgentChoice, BatchSettings, LaunchOptions, Order, check_again, root_of};
use crate::agent::models::OpenedModels;
use crate::agent::runner::{RunSettings, StartRun};
use crate::agent::{PictureSource, by_kind};
use crate::cli::arguments::RunArguments;
use crate::cli::collection::Collection;
use crate::cli::environments::variables;
use crate::run::{Manifest, TaskRef, reader};
use crate::task::{PictureFolder, Task};

/// The task of a run with the agent, model and settings it had, for a new run beside it or in `--out`.
pub(super) fn again(
    dir: &Path,
    arguments: &RunArguments,
) -> anyhow::Result<(Order, BatchSettings)> {
    let manifest = reader::peek(dir)?.manifest;
    // Before the task is looked for, which may take a while: nothing of it helps such a run.
    if let Err(why) = check_again(&manifest) {
        anyhow::bail!("{why}: {}", dir.display());
    }
    let settings = settings_of(&manifest, dir, arguments)?;
    let manifest = Arc::new(manifest);
    let (set_dir, task) = find_task(dir, &manifest, arguments)?;
    let choice = AgentChoice::Again { manifest: Arc::clone(&manifest), dir: dir.to_path_buf() };
    let agent = Arc::new(choice.open(&by_kind, &OpenedModels::default(), &variables())?);
    let set = manifest.task.set.clone();
    Ok((Order { set, set_dir, task, agent }, settings))
}

fn settings_of(
    manifest: &Manifest,
    dir: &Path,
    arguments: &RunArguments,
) -> anyhow::Result<BatchSettings> {
    let dir = std::path::absolute(dir)?;
    let out = arguments.out.clone().or_else(|| root_of(manifest, &dir)).with_context(|| {
        format!(
            "say where the new run goes: --out DIR; the run does not lie in a batch's folder: {}",
            dir.display()
        )
    })?;
    // What was asked for then is asked for now, or not at all.
    let RunSettings { limits, compat, fonts, start_design, start_run } =
        RunSettings::from_json(&manifest.settings)?;
    // What it began with is in its own folder, wherever the run is by now that it went on with.
    let start_run = start_run.map(|_| StartRun::start_of(&dir, manifest));
    let compat = compat.unwrap_or_default();
    let options = LaunchOptions {
        limits,
        at_once: 1,
        out_dir: out,
        compat,
        fonts,
        start_design,
        start_run,
        ..LaunchOptions::default()
    };
    let pictures = pictures(&dir, manifest, arguments)?;
    Ok(BatchSettings { pictures, ..BatchSettings::new(options) })
}

/// Where the pictures of the query come from: where it is said, else from the run.
pub(super) fn pictures(
    dir: &Path,
    manifest: &Manifest,
    arguments: &RunArguments,
) -> anyhow::Result<PictureSource> {
    Ok(match &arguments.pictures {
        Some(folder) => PictureSource::Folder(Arc::new(PictureFolder::open(folder)?)),
        None => PictureSource::of_run(dir, manifest)?,
    })
}

/// The folder of the task's set, and the task.
pub(super) fn find_task(
    dir: &Path,
    manifest: &Manifest,
    arguments: &RunArguments,
) -> anyhow::Result<(PathBuf, Arc<Task>)> {
    let tasks: Vec<PathBuf> = arguments.tasks.iter().cloned().collect();
    let mut collection = Collection::open(&[dir.to_path_buf()], &tasks)?;
    let found = collection.find(dir, manifest).with_context(|| {
        let TaskRef { set, id } = &manifest.task;
        format!("the task {id} of {set} was not found: say where it is with --tasks")
    })?;
    Ok((found.set_dir, found.task))
}
