//! A run with its scores.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::checks;
use crate::cli::output::ScoreJson;
use crate::cli::scoring::Scored;
use crate::evaluate::has_come_to_end;
use crate::metric::transformation::Verdict;
use crate::metric::{Measured, MissingScore, Score};
use crate::run::{Outcome, Run};

#[derive(Debug, Serialize)]
pub(super) struct RunJson<'a> {
    dir: &'a str,
    set: &'a str,
    task: &'a str,
    agent: &'a str,
    outcome: &'a Outcome,
    turns: usize,
    calls: usize,
    failures: usize,
    scores: Vec<ScoreJson>,
    /// The scores after every step, the start first; only with `--steps`.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Vec<ScoreJson>>>,
    /// What the checks of the task found; only if it has checks.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Value>,
}

/// A run with its scores, one for each variant.
pub(super) struct ScoredRun {
    pub(super) run: Arc<Run>,
    pub(super) shown_dir: String,
    /// Whether somebody is recording it now.
    pub(super) is_live: bool,
    /// Of its end.
    pub(super) scores: Vec<Measured>,
    /// Of every step, the start first, if those were asked for.
    pub(super) steps: Option<Vec<Vec<Measured>>>,
    /// What the checks of the task found, if it has any.
    pub(super) checks: Option<Result<Vec<Verdict>, String>>,
}

impl ScoredRun {
    pub(super) fn new(scored: Scored, with_steps: bool) -> Self {
        let Scored { job, steps, checks } = scored;
        let all: Vec<Vec<Measured>> = steps.into_iter().map(|(_, scores)| scores).collect();
        // The end is among the steps too: its scores stand for the run, with the others or alone.
        let scores = all.last().cloned().unwrap_or_default();
        Self {
            is_live: job.is_live,
            shown_dir: job.dir.display().to_string(),
            run: job.run,
            scores,
            steps: with_steps.then_some(all),
            checks,
        }
    }

    /// The score of the variant at this place, at the end.
    pub(super) fn score(&self, at: usize) -> Option<&Score> {
        self.scores.get(at).map(|measured| &measured.measurement.score)
    }

    pub(super) fn has_ended(&self) -> bool {
        has_come_to_end(&self.run.manifest)
    }

    pub(super) fn outcome_word(&self) -> &'static str {
        match self.run.manifest.outcome {
            // The file says `running` of both: only whether somebody records it now tells them apart.
            Outcome::Running if self.is_live => "running",
            Outcome::Running => "broken off",
            ref outcome => outcome.word(),
        }
    }

    pub(super) fn has_no_ground_truth(&self) -> bool {
        self.scores
            .iter()
            .any(|it| it.measurement.score == Score::Missing(MissingScore::NoGroundTruth))
    }

    pub(super) fn is_of_a_query(&self) -> bool {
        self.scores.iter().any(|it| {
            matches!(it.measurement.score, Score::Missing(MissingScore::NothingToCompare(_)))
        })
    }

    pub(super) fn failures(&self) -> usize {
        let outcomes = self.run.steps.iter().filter_map(|step| step.outcome.as_ref());
        outcomes.filter(|outcome| outcome.failure.is_some()).count()
    }

    pub(super) fn json(&self) -> RunJson<'_> {
        let manifest = &self.run.manifest;
        RunJson {
            dir: &self.shown_dir,
            set: &manifest.task.set,
            task: &manifest.task.id,
            agent: &manifest.agent.name,
            outcome: &manifest.outcome,
            turns: self.run.turns.len(),
            calls: self.run.steps.len(),
            failures: self.failures(),
            scores: self.scores.iter().map(ScoreJson::new).collect(),
            steps: self.steps.as_ref().map(|steps| {
                steps.iter().map(|scores| scores.iter().map(ScoreJson::new).collect()).collect()
            }),
            checks: self.checks.as_ref().map(|checks| match checks {
                Ok(verdicts) => json!(verdicts),
                // Not null: checks that could not be judged must not read as if there were none.
                Err(why) => json!({ "missing": why }),
            }),
        }
    }

    /// What the checks of its task found, a line each.
    pub(super) fn check_lines(&self) -> String {
        let dir = &self.shown_dir;
        match &self.checks {
            None => String::new(),
            Some(Ok(verdicts)) => {
                let lines: Vec<String> =
                    verdicts.iter().map(|it| format!("{dir}: {}", checks::line(it))).collect();
                lines.concat()
            }
            Some(Err(why)) => format!("{dir}: its checks say nothing: {why}\n"),
        }
    }
}
