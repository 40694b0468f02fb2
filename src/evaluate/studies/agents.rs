//! What ordinary runs of agents are to a study: attempts at its tasks, judged as those of people are.

use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::material::StudyMaterial;
use super::trial::{PreparedTrial, TrialError};
use crate::base::{CancelToken, Cancelled};
use crate::environment::{OpenEnvironment, StartState};
use crate::evaluate::condition::{Condition, RowNames};
use crate::run::replay::{Replay, ReplayError};
use crate::run::{BY_HAND_KIND, Manifest, Outcome, Run, WHAT_IF_KIND, reader};
use crate::study::{
    AgentAttempt, Autonomous, LeftOutRun, PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND, StudyPlan,
};
use crate::task::{FoundRun, Task};

/// Whose runs are no agent's own.
const NOT_ALONE: [&str; 4] =
    [PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND, BY_HAND_KIND, WHAT_IF_KIND];

/// A run as a list knows it.
#[derive(Clone, Copy, Debug)]
pub struct AgentRun<'a> {
    /// Its folder.
    pub dir: &'a Path,
    /// What is known of it.
    pub manifest: &'a Manifest,
    /// Why it cannot be read, if so.
    pub unreadable: Option<&'a str>,
}

impl<'a> From<&'a FoundRun> for AgentRun<'a> {
    fn from(run: &'a FoundRun) -> Self {
        let unreadable = run.unreadable.as_deref();
        Self { dir: &run.dir, manifest: &run.manifest, unreadable }
    }
}

/// Runs told apart by what they are to a study, as far as their manifests say it.
#[derive(Clone, Debug, Default)]
pub struct AgentRuns<'a> {
    /// Those of agents alone at its tasks, each with the place of its task in the plan.
    pub of_study: Vec<(usize, AgentRun<'a>)>,
    /// How many others there are, and why they do not count.
    pub left_out: BTreeMap<LeftOutRun, usize>,
    /// Which of them cannot be read, and why.
    pub warnings: Vec<String>,
}

/// What judging takes from outside.
pub struct Judging<'a> {
    /// What the canvas of a task begins with where its study does not change it, or why that is not known.
    pub given_start: &'a (dyn Fn(&Task) -> Result<StartState, String> + Sync),
    /// Makes environments.
    pub open_environment: &'a OpenEnvironment,
    /// Hears of the folder of each run that is judged, on any thread.
    pub on_judged: &'a (dyn Fn(&Path) + Sync),
    /// Stops it.
    pub cancel: &'a CancelToken,
}

impl std::fmt::Debug for Judging<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judging").finish_non_exhaustive()
    }
}

/// Why nothing can be said of agents' runs.
#[derive(Debug, thiserror::Error)]
pub enum JudgeAgentsError {
    /// A task cannot be made ready as people had it.
    #[error("cannot make the task {task:?} ready: {why}")]
    NotReady {
        /// Its id.
        task: String,
        /// Why.
        why: String,
    },
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl<'a> AgentRuns<'a> {
    /// Tells runs apart by the plan of a study.
    pub fn of(plan: &StudyPlan, runs: impl IntoIterator<Item = AgentRun<'a>>) -> Self {
        let mut found = Self::default();
        for run in runs {
            let why = match (run.unreadable, task_of_agent_run(plan, run.manifest)) {
                (Some(why), _) => {
                    found.warnings.push(left_out_words(why, run.dir));
                    LeftOutRun::NotChecked
                }
                (None, Err(why)) => why,
                (None, Ok(task)) => {
                    found.of_study.push((task, run));
                    continue;
                }
            };
            *found.left_out.entry(why).or_default() += 1;
        }
        found
    }

    /// What they come to at the tasks of the study, with what is said of those that cannot be judged. `resamples` are
    /// those of an interval of times.
    ///
    /// # Errors
    ///
    /// [`JudgeAgentsError`].
    pub fn judge(
        self,
        material: &StudyMaterial,
        resamples: usize,
        judging: &Judging<'_>,
    ) -> Result<(Autonomous, Vec<String>), JudgeAgentsError> {
        let Self { of_study, mut left_out, mut warnings } = self;
        let mut prepared: BTreeMap<usize, PreparedTrial> = BTreeMap::new();
        for (task, _) in &of_study {
            judging.cancel.check()?;
            if let Entry::Vacant(place) = prepared.entry(*task) {
                place.insert(prepare(material, *task, judging)?);
            }
        }
        let judged = of_study.par_iter().map(|(task, run)| {
            judging.cancel.check()?;
            let judged = judge(material, *task, &prepared[task], run.dir, judging);
            (judging.on_judged)(run.dir);
            Ok::<_, Cancelled>(judged)
        });
        let judged: Vec<Result<AgentAttempt, (LeftOutRun, String)>> =
            judged.collect::<Result<_, Cancelled>>()?;
        let conditions: Vec<Condition> =
            of_study.iter().map(|(_, run)| Condition::of(run.manifest).0).collect();
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
                    warnings.push(left_out_words(&words, run.dir));
                    *left_out.entry(why).or_default() += 1;
                }
            }
        }
        Ok((Autonomous::of(&material.plan, attempts, left_out, resamples), warnings))
    }
}

fn left_out_words(why: &str, dir: &Path) -> String {
    format!("left out: {why}: {}", dir.display())
}

/// Makes a task ready, with what people begin it with.
fn prepare(
    material: &StudyMaterial,
    at: usize,
    judging: &Judging<'_>,
) -> Result<PreparedTrial, JudgeAgentsError> {
    let (plan, task) = (&*material.plan, &*material.tasks[at].task);
    let prepared = (judging.given_start)(task).and_then(|given| {
        let of_study = (plan, &plan.tasks[at]);
        let prepared = PreparedTrial::new(of_study, task, &given, judging.open_environment);
        prepared.map_err(|error| error.to_string())
    });
    prepared.map_err(|why| JudgeAgentsError::NotReady { task: task.id.clone(), why })
}

/// Judges the run in a folder, or says why it cannot be.
fn judge(
    material: &StudyMaterial,
    task: usize,
    prepared: &PreparedTrial,
    dir: &Path,
    judging: &Judging<'_>,
) -> Result<AgentAttempt, (LeftOutRun, String)> {
    let run = reader::open(dir).map_err(|why| (LeftOutRun::NotChecked, why.to_string()))?;
    let (run, plan) = (Arc::new(run), &material.plan);
    let judged = judge_agent_run(dir, &run, plan, task, prepared, judging.open_environment);
    judged.map_err(|why| (why.left_out(), why.to_string()))
}

/// Why a run of an agent cannot be judged.
#[derive(Debug, thiserror::Error)]
enum AgentRunError {
    /// It begins with something else than people did.
    #[error("it begins with another design than people did")]
    OtherStart,
    /// Only its pictures are known.
    #[error("its design is not known, only its pictures are")]
    NoDesign,
    /// It cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The check says nothing.
    #[error(transparent)]
    Trial(#[from] TrialError),
}

impl AgentRunError {
    /// As what it is counted.
    fn left_out(&self) -> LeftOutRun {
        match self {
            Self::OtherStart => LeftOutRun::OtherStart,
            Self::NoDesign | Self::Replay(_) | Self::Trial(_) => LeftOutRun::NotChecked,
        }
    }
}

/// The place of the study's task that an agent's run is of, by its manifest, or why it is none of the study's.
fn task_of_agent_run(plan: &StudyPlan, manifest: &Manifest) -> Result<usize, LeftOutRun> {
    let task = plan.task(&manifest.task.set, &manifest.task.id).ok_or(LeftOutRun::OtherTask)?;
    if NOT_ALONE.contains(&manifest.agent.kind.as_str()) {
        return Err(LeftOutRun::NotAlone);
    }
    if manifest.recorded_seconds().is_none() && manifest.outcome == Outcome::Completed {
        return Err(LeftOutRun::NotTimed);
    }
    match manifest.outcome {
        Outcome::Running | Outcome::Cancelled => Err(LeftOutRun::Unfinished),
        Outcome::Completed | Outcome::LimitReached(_) | Outcome::Failed(_) => Ok(task),
    }
}

/// Holds the last design of an agent's run in its folder against the rule of its task, which was made ready as for people. As of
/// people, only what was done within the limit has succeeded: a run that met a limit or could not go on has not.
fn judge_agent_run(
    dir: &Path,
    run: &Arc<Run>,
    plan: &StudyPlan,
    task: usize,
    prepared: &PreparedTrial,
    open_environment: &OpenEnvironment,
) -> Result<AgentAttempt, AgentRunError> {
    if run.is_shown_by_pictures() {
        return Err(AgentRunError::NoDesign);
    }
    let cancel = CancelToken::default();
    let mut replay = Replay::new(Arc::clone(run), open_environment)?;
    // A study may begin with a changed truth, which an ordinary run of the same task does not.
    if replay.environment_at(0, &cancel)?.design().as_ref() != Some(&prepared.design) {
        return Err(AgentRunError::OtherStart);
    }
    let last = replay.environment_at(run.steps.len() as u32, &cancel)?.design();
    let last = last.ok_or(AgentRunError::NoDesign)?;
    let passes = prepared.check(&last, open_environment)?.success;
    let (manifest, limit_secs) = (&run.manifest, plan.tasks[task].limit_secs);
    let is_in_time =
        manifest.outcome == Outcome::Completed && manifest.totals.seconds <= limit_secs;
    Ok(AgentAttempt {
        dir: dir.to_path_buf(),
        model: manifest.agent.name.clone(),
        task,
        success: passes && is_in_time,
        seconds: manifest.totals.seconds.min(limit_secs),
        ending: manifest.outcome_word(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef, Totals};
    use crate::study::{CandidateTask, Preset, StartChoice};

    #[test]
    fn a_run_of_another_task_by_a_person_or_without_an_end_is_none_of_the_studys() {
        let candidate = CandidateTask::of_set("card");
        let places = vec!["tasks".to_owned()];
        let plan = Preset::Psbench.plan(&[candidate], places, StartChoice::Given, 1).unwrap();
        let manifest = |task: &str, kind: &str, outcome| {
            let agent = AgentRef { kind: kind.to_owned(), name: "name".to_owned(), version: None };
            let task = TaskRef::new("set", task);
            let manifest = Manifest::new(task, agent, "2026-01-01T09:00:00Z");
            let totals = Totals { seconds: 1.0, ..Totals::default() };
            Manifest { outcome, totals, ..manifest }
        };
        let untimed =
            Manifest { totals: Totals::default(), ..manifest("card", "model", Outcome::Completed) };
        assert_eq!(task_of_agent_run(&plan, &untimed), Err(LeftOutRun::NotTimed));
        let of = |manifest: Manifest| task_of_agent_run(&plan, &manifest);
        let (model, limit) = ("model", Outcome::LimitReached("10 turns".to_owned()));
        assert_eq!(of(manifest("card", model, Outcome::Completed)), Ok(0));
        assert_eq!(of(manifest("card", model, limit)), Ok(0));
        let other = of(manifest("other", model, Outcome::Completed));
        assert_eq!(other, Err(LeftOutRun::OtherTask));
        for kind in NOT_ALONE {
            let by_hand = of(manifest("card", kind, Outcome::Completed));
            assert_eq!(by_hand, Err(LeftOutRun::NotAlone), "{kind}");
        }
        for outcome in [Outcome::Running, Outcome::Cancelled] {
            assert_eq!(of(manifest("card", model, outcome)), Err(LeftOutRun::Unfinished));
        }
    }
}
