//! What an ordinary run of an agent is to a study: an attempt at one of its tasks, judged as those of people are.

use std::path::Path;
use std::sync::Arc;

use super::trial::{PreparedTrial, TrialError};
use crate::base::CancelToken;
use crate::environment::OpenEnvironment;
use crate::run::replay::{Replay, ReplayError};
use crate::run::{BY_HAND_KIND, Manifest, Outcome, Run, WHAT_IF_KIND};
use crate::study::{
    AgentAttempt, LeftOutRun, PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND, StudyPlan,
};

/// Whose runs are no agent's own.
const NOT_ALONE: [&str; 4] =
    [PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND, BY_HAND_KIND, WHAT_IF_KIND];

/// Why a run of an agent cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum AgentRunError {
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
    pub fn left_out(&self) -> LeftOutRun {
        match self {
            Self::OtherStart => LeftOutRun::OtherStart,
            Self::NoDesign | Self::Replay(_) | Self::Trial(_) => LeftOutRun::NotChecked,
        }
    }
}

/// The place of the study's task that an agent's run is of, by its manifest.
///
/// # Errors
///
/// Why it is none of the study's.
pub fn task_of_agent_run(plan: &StudyPlan, manifest: &Manifest) -> Result<usize, LeftOutRun> {
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
///
/// # Errors
///
/// [`AgentRunError`].
pub fn judge_agent_run(
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
        let candidate = CandidateTask {
            set: "set".to_owned(),
            id: "card".to_owned(),
            difficulty: None,
            has_checks: false,
        };
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
