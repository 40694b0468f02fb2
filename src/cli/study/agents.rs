//! `study report --agents`: what agents did alone at a study's tasks.

use std::collections::btree_map::{BTreeMap, Entry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use rayon::prelude::*;

use crate::agent::runner::RunSettings;
use crate::agent::{PictureSource, PreparedTask};
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::output::note;
use crate::cli::progress::SharedProgress;
use crate::environment::OpenEnvironment;
use crate::evaluate::studies::{PreparedTrial, StudyMaterial, judge_agent_run, task_of_agent_run};
use crate::evaluate::{Condition, RowNames};
use crate::run::reader;
use crate::study::{AgentAttempt, Autonomous, LeftOutRun};

/// What the runs at these paths come to at the tasks of the study in a folder. What is left out is counted; of what
/// cannot be judged the reason is said on stderr.
pub(super) fn autonomous(
    dir: &Path,
    paths: &[PathBuf],
    resamples: usize,
) -> anyhow::Result<Autonomous> {
    let material = StudyMaterial::open(dir)?;
    let collection = Collection::open(paths, &[])?;
    let open_environment = &environments().opener();
    let mut left_out: BTreeMap<LeftOutRun, usize> = BTreeMap::new();
    let (mut prepared, mut of_study) = (BTreeMap::new(), Vec::new());
    for run in &collection.runs {
        if let Some(why) = &run.unreadable {
            note(&format!("warning: left out: {why}: {}", run.dir.display()));
            *left_out.entry(LeftOutRun::NotChecked).or_default() += 1;
            continue;
        }
        match task_of_agent_run(&material.plan, &run.manifest) {
            Ok(task) => {
                if let Entry::Vacant(place) = prepared.entry(task) {
                    let ready = prepare(&material, task, open_environment);
                    place.insert(ready.with_context(|| {
                        format!("cannot make the task {:?} ready", run.manifest.task.id)
                    })?);
                }
                of_study.push((task, run));
            }
            Err(why) => *left_out.entry(why).or_default() += 1,
        }
    }
    let progress = SharedProgress::start(of_study.len(), "runs");
    let judged = of_study.par_iter().map(|(task, run)| {
        let judged = judge(&material, *task, &prepared[task], &run.dir, open_environment);
        progress.passed(&run.dir.display().to_string());
        judged
    });
    let judged: Vec<Result<AgentAttempt, (LeftOutRun, String)>> = judged.collect();
    drop(progress);
    let conditions: Vec<Condition> =
        of_study.iter().map(|(_, run)| Condition::of(&run.manifest).0).collect();
    let agents = of_study.iter().map(|(_, run)| run.manifest.agent.name.as_str());
    // Nothing is averaged over runs that were made differently.
    let names = RowNames::of(agents.zip(&conditions));
    let mut attempts = Vec::new();
    for ((judged, (_, run)), condition) in judged.into_iter().zip(&of_study).zip(&conditions) {
        match judged {
            Ok(attempt) => {
                let model = names.name(&attempt.model, condition);
                attempts.push(AgentAttempt { model, ..attempt });
            }
            Err((why, words)) => {
                note(&format!("warning: left out: {words}: {}", run.dir.display()));
                *left_out.entry(why).or_default() += 1;
            }
        }
    }
    Ok(Autonomous::of(&material.plan, attempts, left_out, resamples))
}

/// Makes a task ready, with what people begin it with.
fn prepare(
    material: &StudyMaterial,
    at: usize,
    open_environment: &OpenEnvironment,
) -> anyhow::Result<PreparedTrial> {
    let (plan, task) = (&*material.plan, &material.tasks[at].task);
    let (settings, pictures) = (RunSettings::default(), PictureSource::default());
    let given = PreparedTask::new(task, &settings, &pictures, open_environment)?;
    let of_study = (plan, &plan.tasks[at]);
    Ok(PreparedTrial::new(of_study, task, &given.start, open_environment)?)
}

/// Judges the run in a folder, or says why it cannot be.
fn judge(
    material: &StudyMaterial,
    task: usize,
    prepared: &PreparedTrial,
    dir: &Path,
    open_environment: &OpenEnvironment,
) -> Result<AgentAttempt, (LeftOutRun, String)> {
    let run = reader::open(dir).map_err(|why| (LeftOutRun::NotChecked, why.to_string()))?;
    let run = Arc::new(run);
    let judged = judge_agent_run(dir, &run, &material.plan, task, prepared, open_environment);
    judged.map_err(|why| (why.left_out(), why.to_string()))
}
