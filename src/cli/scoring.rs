//! Scoring runs, several at a time, each task read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{CancelToken, Cancelled};
use crate::environment::{PictureRequest, open_environment};
use crate::evaluate::{CanvasError, RunCanvas};
use crate::evaluate::{ComparedTask, Scorer, Wanted, compared_step};
use crate::metric::transformation::Verdict;
use crate::metric::{Measured, MissingScore, Registry};
use crate::model::ModelSettings;
use crate::run::{Run, TaskRef, reader};
use crate::store::default_workspace;
use crate::task::{FoundRun, Task};

use super::checks;
use super::collection::Collection;
use super::output::note;

/// Whether scores of before are used and new ones kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cache {
    Workspace,
    None,
}

/// The models that a file names; none without a file.
pub(super) fn models(path: Option<&Path>) -> anyhow::Result<ModelSettings> {
    Ok(path.map_or_else(|| Ok(ModelSettings::default()), ModelSettings::open)?)
}

/// The scorer of a command: the metrics that need no model, and those that go by one.
pub(super) fn scorer(cache: Cache, models: &ModelSettings) -> Scorer {
    let workspace = match cache {
        Cache::Workspace => default_workspace(),
        Cache::None => None,
    };
    Scorer::of_models(models, workspace)
}

/// Variants that were asked for must be there.
pub(super) fn check_variants(registry: &Registry, only: &[&str]) -> anyhow::Result<()> {
    for id in only {
        anyhow::ensure!(
            registry.variant(id).is_some(),
            "there is no variant {id:?}; there are {}",
            registry.variants().map(|variant| &*variant.id).collect::<Vec<_>>().join(", ")
        );
    }
    Ok(())
}

/// Says why scores are not kept, if they are not.
pub(super) fn note_problem(scorer: &Scorer) {
    if let Some(problem) = scorer.take_problem() {
        note(&format!("warning: {problem}"));
    }
}

/// A run with the task it is an attempt at, to be scored.
#[derive(Debug)]
pub(super) struct ScoreJob {
    /// Its place in what was asked for.
    place: usize,
    pub(super) dir: PathBuf,
    pub(super) run: Arc<Run>,
    /// Its task, if it can be found, or else what its own plan says of it.
    pub(super) task: Option<Arc<Task>>,
}

/// A run that was scored.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) job: ScoreJob,
    /// The steps that were asked for, each with its scores in the order of the registry.
    pub(super) steps: Vec<(u32, Vec<Measured>)>,
    /// What the checks of its task found at the end, or why they could not; `None` without checks.
    pub(super) checks: Option<Result<Vec<Verdict>, String>>,
}

/// The runs of a collection that can be read, and what is wrong with the others.
pub(super) fn read_runs(collection: &mut Collection) -> (Vec<ScoreJob>, Vec<String>) {
    let found: Vec<FoundRun> = std::mem::take(&mut collection.runs);
    let read: Vec<_> = found.par_iter().map(|found| reader::open(&found.dir)).collect();
    let (mut jobs, mut problems) = (Vec::new(), Vec::new());
    for (place, (found, run)) in found.into_iter().zip(read).enumerate() {
        match run {
            Ok(mut run) => {
                // What a run of pictures is, its place among others says better than its own files.
                if matches!(run.origin, crate::run::RunOrigin::Pictures { .. }) {
                    run.manifest = found.manifest;
                }
                let task = collection.task_of(&found.dir, &run.manifest);
                let task = task.or_else(|| Task::of_plan(&run).map(Arc::new));
                jobs.push(ScoreJob { place, dir: found.dir, run: Arc::new(run), task });
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    (jobs, problems)
}

/// Scores the steps of each run that `steps` names, and tells of each run when it is done. The order
/// of the runs stays.
pub(super) fn score_all(
    scorer: &Scorer,
    jobs: Vec<ScoreJob>,
    steps: impl Fn(&Run) -> Vec<u32> + Sync,
    wanted: Wanted<'_>,
    done: impl Fn(&Scored) + Sync,
) -> Vec<Scored> {
    let mut by_task: BTreeMap<TaskRef, Vec<ScoreJob>> = BTreeMap::new();
    for job in jobs {
        by_task.entry(job.run.manifest.task.clone()).or_default().push(job);
    }
    let of_task = |jobs: Vec<ScoreJob>| {
        let first = jobs.first();
        let task = first.and_then(|job| job.task.clone());
        let kind = first.map(|job| job.run.manifest.environment.as_str());
        let task = compared_task(task.as_deref(), kind.unwrap_or_default());
        let score = |job: ScoreJob| {
            let steps = score_steps(scorer, &job, task.as_ref(), &steps(&job.run), wanted);
            let scored = Scored { checks: judge_end(&job), job, steps };
            done(&scored);
            scored
        };
        jobs.into_par_iter().map(score).collect::<Vec<_>>()
    };
    let groups: Vec<Vec<ScoreJob>> = by_task.into_values().collect();
    let mut scored: Vec<Scored> = groups.into_par_iter().flat_map(of_task).collect();
    scored.sort_by_key(|scored| scored.job.place);
    scored
}

/// What runs in an environment are compared with, or why they are not. Runs of the suite hold the
/// pictures that they were given, whether their queries are known or not.
fn compared_task(task: Option<&Task>, environment: &str) -> Result<ComparedTask, MissingScore> {
    let Some(task) = task else {
        let is_suite = environment == "suite";
        return is_suite.then(ComparedTask::unknown_query).ok_or(MissingScore::NoGroundTruth);
    };
    ComparedTask::load(task, &open_environment)
        .map_err(|error| MissingScore::NoPicture(error.to_string()))?
        .ok_or(MissingScore::NoGroundTruth)
}

fn score_steps(
    scorer: &Scorer,
    job: &ScoreJob,
    task: Result<&ComparedTask, &MissingScore>,
    steps: &[u32],
    wanted: Wanted<'_>,
) -> Vec<(u32, Vec<Measured>)> {
    let missing = |why: &MissingScore| {
        steps.iter().map(|step| (*step, scorer.all_missing(wanted, why))).collect()
    };
    let task = match task {
        Ok(task) => task,
        Err(why) => return missing(why),
    };
    let canvas = RunCanvas::open(Arc::clone(&job.run), job.task.clone(), &open_environment);
    match canvas {
        Ok(mut canvas) => steps
            .iter()
            .map(|step| (*step, score_step(scorer, &mut canvas, task, *step, wanted)))
            .collect(),
        Err(error) => missing(&MissingScore::NoPicture(error.to_string())),
    }
}

/// What the checks of a run's task say of its end beside its start.
fn judge_end(job: &ScoreJob) -> Option<Result<Vec<Verdict>, String>> {
    let of_task = job.task.as_ref()?.checks.as_ref()?;
    let judge = || {
        let (run, task) = (Arc::clone(&job.run), job.task.clone());
        let mut canvas = RunCanvas::open(run, task, &open_environment)?;
        let never = CancelToken::new();
        let scale = PictureRequest::default().scale;
        let before = canvas.picture(0, scale, &never)?.pixels;
        let after = canvas.picture(last_step(&job.run), scale, &never)?.pixels;
        Ok((before, after))
    };
    let pictures = judge().map_err(|error: CanvasError| error.to_string());
    Some(pictures.and_then(|(before, after)| {
        checks::judge(of_task, Some(&before), Some(&after), &CancelToken::new())
    }))
}

fn score_step(
    scorer: &Scorer,
    canvas: &mut RunCanvas,
    task: &ComparedTask,
    step: u32,
    wanted: Wanted<'_>,
) -> Vec<Measured> {
    let never = CancelToken::new();
    let mut all = Vec::new();
    let scored = compared_step(canvas, step, &never).and_then(|made| {
        scorer.score(task, &made, wanted, &never, |of_metric| all.extend(of_metric))
    });
    match scored {
        Ok(()) => all,
        // Nobody raises the token.
        Err(Cancelled) => scorer.all_missing(wanted, &MissingScore::Cancelled),
    }
}

/// The number of the last step of a run.
pub(super) fn last_step(run: &Run) -> u32 {
    u32::try_from(run.steps.len()).unwrap_or(u32::MAX)
}

/// One run after its last step, by some variants.
pub(super) fn score_end(run: &Arc<Run>, task: &Arc<Task>, variants: &[&str]) -> Vec<Measured> {
    let job = ScoreJob {
        place: 0,
        dir: PathBuf::new(),
        run: Arc::clone(run),
        task: Some(Arc::clone(task)),
    };
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let task = compared_task(Some(task), &run.manifest.environment);
    let wanted = Wanted { variants: Some(variants), map: None };
    let mut steps = score_steps(&scorer, &job, task.as_ref(), &[last_step(run)], wanted);
    steps.pop().map(|(_, measured)| measured).unwrap_or_default()
}
