//! `pentimento score`: the canvas of runs against the ground truth, at the end or at every step.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};

use crate::evaluate::Wanted;
use crate::metric::transformation::Verdict;
use crate::metric::{Measured, MissingScore, Score, VariantSpec};
use crate::run::{Outcome, Run};

use super::arguments::ScoreArguments;
use super::checks;
use super::collection::Collection;
use super::output::{ScoreJson, note, print, print_json, runs, score_text};
use super::progress::Progress;
use super::scoring::{
    Cache, ScoreJob, Scored, check_variants, last_step, models, note_problem, read_runs, score_all,
    scorer,
};
use super::table::{Column, Side, Table};

/// The JSON that `--json` prints.
#[derive(Debug, Serialize)]
struct ScoresJson {
    runs: Vec<RunJson>,
    mean: Vec<MeanJson>,
}

#[derive(Debug, Serialize)]
struct RunJson {
    dir: String,
    set: String,
    task: String,
    agent: String,
    outcome: Outcome,
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

#[derive(Debug, Serialize)]
struct MeanJson {
    id: String,
    /// Over the runs that have a value; null if none has.
    value: Option<f64>,
    /// How many those are.
    runs: usize,
    /// Why the first of the others has none; only if none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A run with its scores, one for each variant.
struct ScoredRun {
    run: Arc<Run>,
    shown_dir: String,
    /// Of its end.
    scores: Vec<Measured>,
    /// Of every step, the start first, if those were asked for.
    steps: Option<Vec<Vec<Measured>>>,
    /// What the checks of the task found, if it has any.
    checks: Option<Result<Vec<Verdict>, String>>,
}

/// Does the command.
pub(super) fn score(arguments: &ScoreArguments) -> anyhow::Result<()> {
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let scorer = scorer(cache, &models(arguments.models.as_deref())?);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let progress = Mutex::new(Progress::start(collection.runs.len(), "runs"));
    let say = |line: &str| progress.lock().unwrap_or_else(PoisonError::into_inner).done(line);
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        say(&format!("error: {problem}"));
    }
    note_torn(&jobs);
    let steps = |run: &Run| {
        let last = last_step(run);
        let first = if arguments.steps { 0 } else { last };
        (first..=last).collect()
    };
    let variants = (!only.is_empty()).then_some(only.as_slice());
    let wanted = Wanted { variants, map: None };
    let scored = score_all(&scorer, jobs, steps, wanted, |scored| say(&done_words(scored)));
    drop(progress);
    note_problem(&scorer);
    let runs: Vec<ScoredRun> =
        scored.into_iter().map(|scored| ScoredRun::new(scored, arguments.steps)).collect();
    let variants: Vec<&VariantSpec> = scorer
        .registry()
        .variants()
        .filter(|variant| only.is_empty() || only.contains(&&*variant.id))
        .collect();
    print_scores(&runs, &variants, arguments.json)?;
    anyhow::ensure!(problems.is_empty(), "{} of the runs cannot be read", problems.len());
    Ok(())
}

fn note_torn(jobs: &[ScoreJob]) {
    for job in jobs {
        if let Some(torn) = &job.run.torn {
            note(&format!("warning: {}: {}", job.dir.display(), torn.message));
        }
    }
}

/// A run and the first of its scores at the end that has a value, or why the first has none.
fn done_words(scored: &Scored) -> String {
    let scores = scored.steps.last().map_or(&[][..], |(_, scores)| scores);
    let has_value = |measured: &&Measured| measured.measurement.score.value().is_some();
    let last = scores.iter().find(has_value).or(scores.first());
    let score = last.map(|first| score_text(&first.measurement.score)).unwrap_or_default();
    format!("{}  {score}", scored.job.dir.display())
}

fn print_scores(scored: &[ScoredRun], variants: &[&VariantSpec], json: bool) -> anyhow::Result<()> {
    if json {
        let runs = scored.iter().map(ScoredRun::json).collect();
        return print_json(&ScoresJson { runs, mean: means(scored, variants) });
    }
    print(&text(scored, variants))?;
    if scored.iter().any(ScoredRun::is_of_a_query) {
        note(&without_truth(variants));
    }
    if scored.iter().any(ScoredRun::has_no_ground_truth) {
        note("Where the tasks of a run cannot be found, say where they are: --tasks PATH");
    }
    Ok(())
}

/// What there is to know of runs that no ground truth is for.
fn without_truth(variants: &[&VariantSpec]) -> String {
    let compares = |variant: &&&VariantSpec| variant.needs.is_ground_truth();
    let ids = |of: Vec<&&VariantSpec>| of.iter().map(|it| &*it.id).collect::<Vec<_>>().join(", ");
    let (compare, answer): (Vec<_>, Vec<_>) = variants.iter().partition(compares);
    let answer = if answer.is_empty() {
        String::new()
    } else {
        format!(" Those that need none: {}.", ids(answer))
    };
    format!(
        "A design query has no ground truth, and {} of these metrics compare with one.{answer} What a \
         query asks for is checked by `pentimento metric constraints RUN`, and its questions are asked by \
         `pentimento metric vqa`",
        compare.len()
    )
}

fn means(scored: &[ScoredRun], variants: &[&VariantSpec]) -> Vec<MeanJson> {
    let mean = |(at, variant): (usize, &&VariantSpec)| {
        let value = |run: &ScoredRun| run.scores.get(at)?.measurement.score.value();
        let values: Vec<f64> = scored.iter().filter_map(value).collect();
        let value = mean_of(&values);
        let why = |run: &ScoredRun| match &run.scores.get(at)?.measurement.score {
            Score::Missing(why) => Some(why.to_string()),
            Score::Value(_) => None,
        };
        let message = scored.iter().find_map(why).filter(|_| value.is_none());
        MeanJson { id: variant.id.to_string(), value, runs: values.len(), message }
    };
    variants.iter().enumerate().map(mean).collect()
}

/// The mean; `None` of nothing.
pub(super) fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Most columns of scores in a table on a terminal; more are lines below it.
const COLUMNS: usize = 4;

/// The places of the variants that have columns: those first of which some run has a value.
fn columns(scored: &[ScoredRun], variants: usize) -> Vec<usize> {
    let has_value = |at: &usize| {
        let value = |run: &ScoredRun| run.scores.get(*at)?.measurement.score.value();
        scored.iter().find_map(value).is_some()
    };
    let (with, without): (Vec<_>, Vec<_>) = (0..variants).partition(has_value);
    with.into_iter().chain(without).take(COLUMNS).collect()
}

/// What the columns of variants are called: by the metric, and by the variant too where a metric has
/// several columns.
fn headings(shown: &[usize], variants: &[&VariantSpec]) -> Vec<String> {
    let shown: Vec<&&VariantSpec> = shown.iter().filter_map(|at| variants.get(*at)).collect();
    let heading = |variant: &&&VariantSpec| {
        let is_alone = shown.iter().filter(|other| other.label == variant.label).count() == 1;
        let (label, own) = (variant.label, &variant.variant_label);
        if is_alone { label.to_owned() } else { format!("{label} ({own})") }
    };
    shown.iter().map(heading).collect()
}

fn text(scored: &[ScoredRun], variants: &[&VariantSpec]) -> String {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut columns = vec![left("run"), left("task"), left("agent"), left("outcome")];
    columns.extend([right("turns"), right("calls"), right("failed")]);
    let shown = self::columns(scored, variants.len());
    let headings = headings(&shown, variants);
    columns.extend(headings.iter().map(|heading| right(heading)));
    let mut table = Table::new(&columns);
    for run in scored {
        table.push(run.cells(&shown));
    }
    let lines = mean_lines(&means(scored, variants));
    let checks: String = scored.iter().map(ScoredRun::check_lines).collect();
    table.to_text() + "\n" + &lines + &checks
}

/// A line a variant; neighbours that no run has, for the same reason, share one.
fn mean_lines(means: &[MeanJson]) -> String {
    let is_same = |a: &MeanJson, b: &MeanJson| {
        a.value.is_none() && b.value.is_none() && a.message == b.message
    };
    let line = |group: &[MeanJson]| {
        group.first().map(|first| first.line_of(&names_of(group))).unwrap_or_default()
    };
    means.chunk_by(is_same).map(line).collect()
}

/// What is in a group: several variants of a metric as one name.
fn names_of(group: &[MeanJson]) -> String {
    let by_metric = group.chunk_by(|a, b| metric_of(&a.id) == metric_of(&b.id));
    let name = |of_metric: &[MeanJson]| match of_metric {
        [one] => one.id.clone(),
        many => many.first().map(|it| format!("{}/…", metric_of(&it.id))).unwrap_or_default(),
    };
    by_metric.map(name).collect::<Vec<_>>().join(", ")
}

/// `ssim` of `ssim/uniform7`.
fn metric_of(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

impl MeanJson {
    fn line_of(&self, name: &str) -> String {
        match self.value {
            Some(value) => format!("mean {name} {value:.4} over {}\n", runs(self.runs)),
            None => match &self.message {
                Some(why) => format!("no run has a value of {name} ({why})\n"),
                None => format!("no run has a value of {name}\n"),
            },
        }
    }
}

impl ScoredRun {
    fn new(scored: Scored, with_steps: bool) -> Self {
        let Scored { job, steps, checks } = scored;
        let all: Vec<Vec<Measured>> = steps.into_iter().map(|(_, scores)| scores).collect();
        let scores = all.last().cloned().unwrap_or_default();
        let shown_dir = job.dir.display().to_string();
        Self { run: job.run, shown_dir, scores, steps: with_steps.then_some(all), checks }
    }

    fn has_no_ground_truth(&self) -> bool {
        let is_reason = |measured: &Measured| {
            measured.measurement.score == Score::Missing(MissingScore::NoGroundTruth)
        };
        self.scores.iter().any(is_reason)
    }

    fn is_of_a_query(&self) -> bool {
        let is_reason = |measured: &Measured| {
            let score = &measured.measurement.score;
            matches!(score, Score::Missing(MissingScore::NothingToCompare(_)))
        };
        self.scores.iter().any(is_reason)
    }

    fn failures(&self) -> usize {
        let failed = |step: &&crate::run::Step| {
            step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some())
        };
        self.run.steps.iter().filter(failed).count()
    }

    fn json(&self) -> RunJson {
        let manifest = &self.run.manifest;
        RunJson {
            dir: self.shown_dir.clone(),
            set: manifest.task.set.clone(),
            task: manifest.task.id.clone(),
            agent: manifest.agent.name.clone(),
            outcome: manifest.outcome.clone(),
            turns: self.run.turns.len(),
            calls: self.run.steps.len(),
            failures: self.failures(),
            scores: self.scores.iter().map(ScoreJson::new).collect(),
            steps: self.steps.as_ref().map(|steps| {
                steps.iter().map(|scores| scores.iter().map(ScoreJson::new).collect()).collect()
            }),
            checks: self.checks.as_ref().map(|checks| match checks {
                Ok(verdicts) => json!(verdicts),
                Err(why) => json!({ "missing": why }),
            }),
        }
    }

    /// What the checks of its task found, a line each.
    fn check_lines(&self) -> String {
        let line = |words: &str| format!("{}: {words}", self.shown_dir);
        match &self.checks {
            None => String::new(),
            Some(Ok(verdicts)) => verdicts.iter().map(|it| line(&checks::line(it))).collect(),
            Some(Err(why)) => line(&format!("its checks say nothing: {why}\n")),
        }
    }

    fn cells(&self, shown: &[usize]) -> Vec<String> {
        let manifest = &self.run.manifest;
        let mut cells = vec![
            self.shown_dir.clone(),
            manifest.task.id.clone(),
            manifest.agent.name.clone(),
            outcome_word(&manifest.outcome).to_owned(),
            self.run.turns.len().to_string(),
            self.run.steps.len().to_string(),
            self.failures().to_string(),
        ];
        let shown = shown.iter().filter_map(|at| self.scores.get(*at));
        cells.extend(shown.map(|measured| score_text(&measured.measurement.score)));
        cells
    }
}

/// How a run ended, in one word.
pub(super) fn outcome_word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Running => "unfinished",
        Outcome::Completed => "completed",
        Outcome::LimitReached(_) => "limit",
        Outcome::Cancelled => "cancelled",
        Outcome::Failed(_) => "failed",
    }
}
