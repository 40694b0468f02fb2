//! What agents did alone, in ordinary runs of a study's tasks: rows beside those of people.
//!
//! The unit is the run. Models are rows of their own and never averaged, and nothing is tested between runs and
//! persons: runs of a model are no sample of models, and no person has several goes at a task.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::cells::{Cell, geometric_mean};
use super::counting::Unit;
use crate::metric::stats::{BootstrapPlan, bootstrap_mean, mean, wilson};
use crate::study::plan::StudyPlan;

/// What an agent's run came to, by the rule of its task.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentAttempt {
    /// Its folder.
    pub dir: PathBuf,
    /// The model; of an agent without one the agent. Where runs of one were made differently, with what tells them apart.
    pub model: String,
    /// The place of the task in the plan.
    pub task: usize,
    /// Whether the agent was done within the limit, and its design passes.
    pub success: bool,
    /// Seconds that the run took, by its manifest; at most the limit.
    pub seconds: f64,
    /// How it ended, in one word.
    pub ending: &'static str,
}

/// Why a run is no attempt of the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOutRun {
    /// Its task is not one of the study.
    OtherTask,
    /// A person made it, or it was made of another run.
    NotAlone,
    /// It was broken off, or somebody stopped it.
    Unfinished,
    /// How long it took was not recorded.
    NotTimed,
    /// It began with another design than people did.
    OtherStart,
    /// It cannot be read or replayed, or has no design that could be checked.
    NotChecked,
}

impl LeftOutRun {
    /// In words that follow a count of runs.
    pub fn words(self) -> &'static str {
        match self {
            Self::OtherTask => "of other tasks",
            Self::NotAlone => "by people or made of other runs",
            Self::Unfinished => "that did not end or were stopped",
            Self::NotTimed => "whose time nobody recorded",
            Self::OtherStart => "that began with another design than people did",
            Self::NotChecked => "without a design that can be checked",
        }
    }
}

/// A model whose runs are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentModel {
    /// Its name.
    pub name: String,
    /// How many runs of it.
    pub runs: usize,
}

/// What agents did alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Autonomous {
    /// The models, by their names.
    pub models: Vec<AgentModel>,
    /// Success and time: each level, then all levels, by model.
    pub cells: Vec<Cell>,
    /// The runs that are counted.
    pub attempts: Vec<AgentAttempt>,
    /// How many runs are left out, and why.
    pub left_out: BTreeMap<LeftOutRun, usize>,
}

impl Autonomous {
    /// Of runs at the tasks of a plan; `resamples` are those of an interval of times.
    pub fn of(
        plan: &StudyPlan,
        attempts: Vec<AgentAttempt>,
        left_out: BTreeMap<LeftOutRun, usize>,
        resamples: usize,
    ) -> Self {
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for attempt in &attempts {
            *runs.entry(&attempt.model).or_default() += 1;
        }
        let models =
            runs.into_iter().map(|(name, runs)| AgentModel { name: name.to_owned(), runs });
        let models: Vec<AgentModel> = models.collect();
        let bootstrap = BootstrapPlan { resamples, seed: plan.seed, ..BootstrapPlan::default() };
        let mut cells = Vec::new();
        for level in plan.levels().into_iter().map(Some).chain([None]) {
            let limits = plan.tasks.iter().filter(|it| level == Some(it.difficulty.as_str()));
            // The shortest of the plan; people's is the shortest of what was attempted.
            let limit = limits.map(|it| it.limit_secs).reduce(f64::min);
            for (at, model) in models.iter().enumerate() {
                let here = attempts.iter().filter(|it| {
                    it.model == model.name
                        && level.is_none_or(|level| plan.tasks[it.task].difficulty == level)
                });
                let here: Vec<&AgentAttempt> = here.collect();
                let condition = plan.conditions.len() + at;
                cells.push(cell(level, condition, limit, &here, &bootstrap));
            }
        }
        Self { models, cells, attempts, left_out }
    }

    /// Whether no runs were named.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty() && self.left_out.is_empty()
    }

    /// Of which runs it is and which are left out, a sentence each; none where no runs were named.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.models.is_empty() {
            let models = self.models.iter().map(|it| format!("{} of {}", runs(it.runs), it.name));
            remarks.push(format!(
                "Autonomous: agents alone, {}; the unit is the run, the interval of success Wilson's, and no test is made \
                 against people.",
                models.collect::<Vec<_>>().join(", ")
            ));
        }
        if !self.left_out.is_empty() {
            let left = self.left_out.iter().map(|(why, count)| format!("{count} {}", why.words()));
            let left = left.collect::<Vec<_>>().join(", ");
            remarks.push(format!("Left out of agents' runs: {left}."));
        }
        remarks
    }
}

fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// Of these runs of a model.
fn cell(
    level: Option<&str>,
    condition: usize,
    limit: Option<f64>,
    here: &[&AgentAttempt],
    bootstrap: &BootstrapPlan,
) -> Cell {
    let times = here.iter().filter(|it| it.success).map(|it| it.seconds);
    let times: Vec<f64> = times.collect();
    let share = wilson(times.len() as u64, here.len() as u64, 0.95);
    // Failures count with the whole limit: nobody is stopped before it, so that the area under Kaplan and Meier's curve
    // is this mean.
    let restricted = limit.map(|limit| {
        let each = here.iter().map(|it| if it.success { it.seconds.min(limit) } else { limit });
        each.collect::<Vec<f64>>()
    });
    Cell {
        level: level.map(str::to_owned),
        condition,
        unit: Unit::Run,
        tasks: here.iter().map(|it| it.task).collect::<BTreeSet<usize>>().len(),
        attempts: here.len(),
        successes: times.len(),
        individuals: Vec::new(),
        success: (!here.is_empty()).then(|| times.len() as f64 / here.len() as f64),
        success_interval: share.clone(),
        wilson: share,
        seconds: mean(&times).ok(),
        seconds_interval: bootstrap_mean(&times, bootstrap),
        geometric_seconds: geometric_mean(&times),
        restricted_seconds: restricted.as_ref().and_then(|each| mean(each).ok()),
        restricted_to: limit,
        restricted_interval: restricted.as_ref().map(|each| bootstrap_mean(each, bootstrap)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    fn plan() -> StudyPlan {
        let candidates = ["easy", "hard"].map(|level| CandidateTask {
            difficulty: Some(level.to_owned()),
            ..CandidateTask::of_set(level)
        });
        let places = vec!["tasks".to_owned()];
        Preset::Psbench.plan(&candidates, places, StartChoice::Given, 1).unwrap()
    }

    fn attempt(model: &str, task: usize, success: bool, seconds: f64) -> AgentAttempt {
        let (dir, model) = (PathBuf::from(model), model.to_owned());
        AgentAttempt { dir, model, task, success, seconds, ending: "completed" }
    }

    #[test]
    fn several_models_are_several_rows_with_the_run_as_the_unit() {
        let attempts = [
            attempt("small", 0, true, 40.0),
            attempt("large", 0, true, 10.0),
            attempt("large", 0, false, 300.0),
            attempt("large", 1, true, 90.0),
        ];
        let left = BTreeMap::from([(LeftOutRun::OtherTask, 2), (LeftOutRun::Unfinished, 1)]);
        let found = Autonomous::of(&plan(), attempts.to_vec(), left, 200);
        let runs: Vec<(&str, usize)> =
            found.models.iter().map(|it| (it.name.as_str(), it.runs)).collect();
        assert_eq!(runs, [("large", 3), ("small", 1)]);
        // Easy, hard, and all of them, each by both models.
        let places = found.cells.iter().map(|it| (it.level.as_deref(), it.condition, it.attempts));
        let places: Vec<(Option<&str>, usize, usize)> = places.collect();
        let (easy, hard) = (Some("easy"), Some("hard"));
        assert_eq!(places[..2], [(easy, 3, 2), (easy, 4, 1)]);
        assert_eq!(places[2..], [(hard, 3, 1), (hard, 4, 0), (None, 3, 3), (None, 4, 1)]);
        let large = &found.cells[4];
        assert_eq!((large.unit, large.units(), large.units_with_time()), (Unit::Run, 3, 2));
        assert_eq!(large.success_interval, wilson(2, 3, 0.95));
        assert_eq!((large.seconds, large.tasks), (Some(50.0), 2));
        // One success of 10 s, and one failure with the whole of 300.
        assert_eq!(found.cells[0].restricted_seconds, Some(155.0));
        assert_eq!(found.cells[3].success, None);
        let remarks = found.remarks();
        assert!(remarks[0].contains("3 runs of large, 1 run of small"), "{remarks:?}");
        let left = "2 of other tasks, 1 that did not end or were stopped";
        assert!(remarks[1].contains(left), "{remarks:?}");
        assert!(Autonomous::default().is_empty() && Autonomous::default().remarks().is_empty());
    }
}
