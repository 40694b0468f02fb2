//! Scoring runs, several at a time, each task read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use rayon::prelude::*;

use crate::base::{CancelToken, Cancelled};
use crate::environment::EnvironmentKind;
use crate::evaluate::{
    CheckError, ComparedTask, PictureIdentity, RunCanvas, RunCaptions, Scorer, Wanted,
    compared_step, has_come_to_end, judge_step,
};
use crate::metric::transformation::{Checks, Verdict};
use crate::metric::{Measured, MissingScore, Registry};
use crate::model::ModelSettings;
use crate::model::captions::PrecomputedCaptions;
use crate::run::{Run, TaskRef, reader};
use crate::task::{FoundRun, Task};

use super::collection::Collection;
use super::environments::{environments, variables, workspace};
use super::output::note;

/// Whether scores of before are used and new ones kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Cache {
    #[default]
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
        Cache::Workspace => workspace(),
        Cache::None => None,
    };
    Scorer::of_models(models, &variables(), workspace)
}

/// Variants that were asked for must be there.
pub(super) fn check_variants(registry: &Registry, only: &[&str]) -> anyhow::Result<()> {
    // Before any run is read: a slip of the pen should not cost minutes.
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
    /// Where the set of that task lies, through all links, if it was looked for and found.
    pub(super) set_place: Option<PathBuf>,
    /// Whether somebody is recording it now.
    pub(super) is_live: bool,
}

impl ScoreJob {
    /// A run that came to its end, the how-manieth of those that are scored.
    pub(super) fn ended(
        place: usize,
        dir: PathBuf,
        run: Arc<Run>,
        task: Option<Arc<Task>>,
    ) -> Self {
        Self { place, dir, run, task, set_place: None, is_live: false }
    }

    /// Whether it came to its end. One that did not is still going on, broke off or was stopped, and
    /// where it stands is no result.
    pub(super) fn has_ended(&self) -> bool {
        has_come_to_end(&self.run.manifest)
    }

    /// What of its record is lost, if it is damaged: it is scored where what is whole of it ends.
    pub(super) fn torn(&self) -> Option<String> {
        torn_words(&self.dir, &self.run)
    }
}

/// What of the record of a run in this folder is lost, if it is damaged.
pub(super) fn torn_words(dir: &Path, run: &Run) -> Option<String> {
    let torn = run.torn.as_ref()?;
    Some(format!("{}: {}", dir.display(), torn.message))
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
                // An imported plan without its set is still scored: its own rows say what was asked.
                let of_set = collection.find(&found.dir, &run.manifest);
                let (task, set_place) = of_set.map(|found| (found.task, found.place)).unzip();
                let task = task.or_else(|| Task::of_plan(&run).map(Arc::new));
                let (dir, is_live) = (found.dir, found.live);
                jobs.push(ScoreJob { place, dir, run: Arc::new(run), task, set_place, is_live });
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    (jobs, problems)
}

/// What runs are scored by.
#[derive(Clone, Copy)]
pub(super) struct ScoredBy<'a> {
    /// Who scores.
    pub(super) scorer: &'a Scorer,
    /// Captions that were made before; `None`: a captioner says what pictures show.
    pub(super) captions: Option<&'a PrecomputedCaptions>,
    /// Which scores are wanted.
    pub(super) wanted: Wanted<'a>,
}

impl ScoredBy<'_> {
    /// Scores the steps of each run that `steps` names, and tells of each run when it is done. The
    /// order of the runs stays.
    pub(super) fn score_all(
        &self,
        jobs: Vec<ScoreJob>,
        steps: impl Fn(&Run) -> Vec<u32> + Sync,
        done: impl Fn(&Scored) + Sync,
    ) -> Vec<Scored> {
        // A task is read once for all its runs. Two of one name need not be one: sets of the same id may
        // lie in two folders, and a run without its set has what its own plan says.
        let mut by_task: BTreeMap<(TaskRef, Option<*const Task>), Vec<ScoreJob>> = BTreeMap::new();
        for job in jobs {
            let task = job.task.as_ref().map(Arc::as_ptr);
            by_task.entry((job.run.manifest.task.clone(), task)).or_default().push(job);
        }
        let groups: Vec<Vec<ScoreJob>> = by_task.into_values().collect();
        let scored = groups.into_par_iter().flat_map(|jobs| {
            let first = jobs.first();
            let task = first.and_then(|job| job.task.as_deref());
            let kind = first.map(|job| &job.run.manifest.environment);
            let task = compared_task(task, kind);
            let scored = jobs.into_par_iter().map(|job| {
                let steps = self.score_steps(&job, task.as_ref(), &steps(&job.run));
                let scored = Scored { checks: judge_end(&job), job, steps };
                done(&scored);
                scored
            });
            // Collected here, as it borrows the task, which goes with the group.
            scored.collect::<Vec<_>>()
        });
        let mut scored: Vec<Scored> = scored.collect();
        scored.sort_by_key(|scored| scored.job.place);
        scored
    }

    fn score_steps(
        &self,
        job: &ScoreJob,
        task: Result<&ComparedTask, &MissingScore>,
        steps: &[u32],
    ) -> Vec<(u32, Vec<Measured>)> {
        let task = match task {
            Ok(task) => task,
            Err(why) => return self.missing(steps, why),
        };
        let captions = self.captions.map(|captions| RunCaptions::new(captions, &job.run));
        // The caption of the ground truth is of a case, and cases are of runs: so the task is shared but
        // for that.
        let captioned = captions.as_ref().map(|captions| captions.task(task));
        let task = captioned.as_ref().unwrap_or(task);
        let canvas =
            RunCanvas::open(Arc::clone(&job.run), job.task.clone(), &environments().opener());
        let mut canvas = match canvas {
            Ok(canvas) => canvas,
            Err(error) => {
                return self.missing(steps, &MissingScore::failed("replaying the run", &error));
            }
        };
        let mut last = None;
        let scored = steps.iter().map(|step| {
            (*step, self.score_step(&mut canvas, task, captions.as_ref(), &mut last, *step))
        });
        scored.collect()
    }

    fn missing(&self, steps: &[u32], why: &MissingScore) -> Vec<(u32, Vec<Measured>)> {
        steps.iter().map(|step| (*step, self.scorer.all_missing(self.wanted, why))).collect()
    }

    /// Scores a step; one that left all as it was after the `last` has the same scores.
    fn score_step(
        &self,
        canvas: &mut RunCanvas,
        task: &ComparedTask,
        captions: Option<&RunCaptions<'_>>,
        last: &mut Option<(PictureIdentity, Vec<Measured>)>,
        step: u32,
    ) -> Vec<Measured> {
        let never = CancelToken::new();
        // Nobody raises the token.
        let stopped = |cancelled: Cancelled| {
            let why = MissingScore::failed("scoring", &cancelled);
            self.scorer.all_missing(self.wanted, &why)
        };
        let mut made = match compared_step(canvas, step, &never) {
            Ok(made) => made,
            Err(cancelled) => return stopped(cancelled),
        };
        if let Some(captions) = captions {
            captions.put(&mut made, step);
        }
        let identity = made.picture_identity();
        if let Some((known, scores)) = last
            && identity.as_ref() == Some(known)
        {
            return scores.clone();
        }
        let mut all = Vec::new();
        let scored =
            self.scorer.score(task, &made, self.wanted, &never, |of_metric| all.extend(of_metric));
        if let Err(cancelled) = scored {
            return stopped(cancelled);
        }
        *last = identity.map(|identity| (identity, all.clone()));
        all
    }
}

/// The captions that were made before: of --captions, or of the file that the models name. What is
/// odd in it is said on stderr.
pub(super) fn captions(
    path: Option<&Path>,
    models: &ModelSettings,
) -> anyhow::Result<Option<PrecomputedCaptions>> {
    let Some(path) = path.or(models.captions.as_deref()) else { return Ok(None) };
    let captions = PrecomputedCaptions::open(path)
        .with_context(|| format!("the captions cannot be read: {}", path.display()))?;
    for warning in &captions.warnings {
        note(&format!("warning: {}: {warning}", path.display()));
    }
    Ok(Some(captions))
}

/// What runs in an environment are compared with, or why they are not: [`ComparedTask::of_run`].
pub(super) fn compared_task(
    task: Option<&Task>,
    environment: Option<&EnvironmentKind>,
) -> Result<ComparedTask, MissingScore> {
    ComparedTask::of_run(task, environment, &environments().opener())
}

/// What the checks of a run's task say of its end beside its start.
fn judge_end(job: &ScoreJob) -> Option<Result<Vec<Verdict>, String>> {
    let of_task = job.task.as_ref()?.checks.as_ref()?;
    Some(judge_last_step(job, of_task).map_err(|error| error.to_string()))
}

fn judge_last_step(job: &ScoreJob, checks: &Checks) -> Result<Vec<Verdict>, CheckError> {
    let (run, task) = (Arc::clone(&job.run), job.task.clone());
    let mut canvas = RunCanvas::open(run, task, &environments().opener())?;
    judge_step(&mut canvas, checks, last_step(&job.run), &CancelToken::new())
}

/// The number of the last step of a run.
pub(super) fn last_step(run: &Run) -> u32 {
    u32::try_from(run.steps.len()).unwrap_or(u32::MAX)
}

/// One run after its last step, by some variants.
pub(super) fn score_end(
    scorer: &Scorer,
    run: &Arc<Run>,
    task: &Arc<Task>,
    variants: &[&str],
) -> Vec<Measured> {
    let job = ScoreJob::ended(0, PathBuf::new(), Arc::clone(run), Some(Arc::clone(task)));
    let task = compared_task(Some(task), Some(&run.manifest.environment));
    let wanted = Wanted { variants: Some(variants), map: None };
    let by = ScoredBy { scorer, captions: None, wanted };
    let mut steps = by.score_steps(&job, task.as_ref(), &[last_step(run)]);
    steps.pop().map(|(_, measured)| measured).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;
    use crate::evaluate::PrimaryMetric;
    use crate::task::{Artifact, TaskKind};

    /// A task of one name whose ground truth is a picture of this grey.
    fn task(dir: &Path, grey: u8) -> Arc<Task> {
        let picture = dir.join(format!("{grey}.png"));
        Pixels::filled(64, 64, [grey, grey, grey, 255]).unwrap().save_png(&picture).unwrap();
        let truth = Artifact { document: None, picture: Some(picture) };
        let task = Task::new("quiz-progress", TaskKind::Replication, "");
        Arc::new(Task { ground_truth: Some(truth), ..task })
    }

    #[test]
    fn two_runs_at_tasks_of_one_name_are_each_scored_by_their_own() {
        let dir = tempfile::tempdir().unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sample_runs/runs/own-samples/quiz-progress/scripted-01");
        let run = Arc::new(reader::open(&shipped).unwrap());
        let tasks = [task(dir.path(), 0), task(dir.path(), 255)];
        let jobs = tasks.iter().enumerate().map(|(place, task)| ScoreJob {
            place,
            dir: PathBuf::new(),
            run: Arc::clone(&run),
            task: Some(Arc::clone(task)),
            set_place: None,
            is_live: false,
        });
        let variants = [PrimaryMetric::Similarity.variant()];
        let wanted = Wanted { variants: Some(&variants), map: None };
        let scorer = scorer(Cache::None, &ModelSettings::default());
        let by = ScoredBy { scorer: &scorer, captions: None, wanted };
        let scored = by.score_all(jobs.collect(), |run| vec![last_step(run)], |_| {});
        let found = scored.iter().map(|scored| scored.steps[0].1[0].measurement.score.value());
        let found: Vec<Option<f64>> = found.collect();
        let alone = tasks
            .map(|task| score_end(&scorer, &run, &task, &variants)[0].measurement.score.value());
        assert_eq!(found, alone);
        assert!(alone[0].is_some() && alone[0] != alone[1], "{alone:?}");
    }
}
