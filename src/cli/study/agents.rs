//! `study report --agents`: what agents did alone at a study's tasks.

use std::path::{Path, PathBuf};

use crate::agent::PreparedTask;
use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::output::note;
use crate::cli::progress::SharedProgress;
use crate::environment::OpenEnvironment;
use crate::evaluate::studies::{AgentRun, AgentRuns, Judging, StudyMaterial};
use crate::study::Autonomous;

/// What the runs at these paths come to at the tasks of the study in a folder. What is left out is counted; of what
/// cannot be judged the reason is said on stderr.
pub(super) fn autonomous(
    dir: &Path,
    paths: &[PathBuf],
    resamples: usize,
) -> anyhow::Result<Autonomous> {
    let material = StudyMaterial::open(dir)?;
    let collection = Collection::open(paths, &[])?;
    let runs = AgentRuns::of(&material.plan, collection.runs.iter().map(AgentRun::from));
    let open_environment: &OpenEnvironment = &environments().opener();
    let progress = SharedProgress::start(runs.of_study.len(), "runs");
    let judging = Judging {
        given_start: &|task| {
            PreparedTask::given_start(task, open_environment).map_err(|error| error.to_string())
        },
        open_environment,
        on_judged: &|dir| progress.passed(&dir.display().to_string()),
        cancel: &CancelToken::new(),
    };
    let (found, warnings) = runs.judge(&material, resamples, &judging)?;
    drop(progress);
    for warning in warnings {
        note(&format!("warning: {warning}"));
    }
    Ok(found)
}
