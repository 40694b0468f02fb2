//! `pentimento score`: the canvas at the end of runs against the ground truth.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use crate::base::{CancelToken, Pixels};
use crate::environment::open_environment;
use crate::metric::{
    Comparison, Measured, Measurement, MissingScore, Registry, Score, VariantSpec,
};
use crate::run::{Outcome, Run, reader};
use crate::task::Task;
use crate::worker::scoring::{RunCanvas, ground_truth};

use super::arguments::ScoreArguments;
use super::collection::Collection;
use super::output::{ScoreJson, note, print, print_json, runs, score_text};
use super::progress::Progress;
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
}

#[derive(Debug, Serialize)]
struct MeanJson {
    id: String,
    /// Over the runs that have a value; null if none has.
    value: Option<f64>,
    /// How many those are.
    runs: usize,
}

/// A run with the score of its end, one for each variant.
struct ScoredRun {
    run: Arc<Run>,
    shown_dir: String,
    scores: Vec<Measured>,
}

/// Does the command.
pub(super) fn score(arguments: &ScoreArguments) -> anyhow::Result<()> {
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let found = std::mem::take(&mut collection.runs);
    let mut progress = Progress::start(found.len(), "runs");
    let (mut scored, mut unreadable) = (Vec::new(), 0);
    for found in found {
        match reader::open(&found.dir) {
            Ok(run) => scored.push(score_found(run, &found.dir, &mut collection, &mut progress)),
            Err(error) => {
                unreadable += 1;
                progress.done(&format!("error: {error}"));
            }
        }
    }
    drop(progress);
    print_scores(&scored, arguments.json)?;
    anyhow::ensure!(unreadable == 0, "{unreadable} of the runs cannot be read");
    Ok(())
}

fn score_found(
    run: Run,
    dir: &Path,
    collection: &mut Collection,
    progress: &mut Progress,
) -> ScoredRun {
    let run = Arc::new(run);
    if let Some(torn) = &run.torn {
        progress.say(&format!("warning: {}: {}", dir.display(), torn.message));
    }
    let task = collection.task_of(dir, &run.manifest);
    let scores = score_end(&run, task, &CancelToken::new());
    let first =
        scores.first().map(|first| score_text(&first.measurement.score)).unwrap_or_default();
    progress.done(&format!("{}  {first}", dir.display()));
    ScoredRun { run, shown_dir: dir.display().to_string(), scores }
}

/// The scores of the canvas after the last step of a run, in the order of tables; without what
/// explains them, as the maps of many runs would not fit into memory.
pub(super) fn score_end(
    run: &Arc<Run>,
    task: Option<Arc<Task>>,
    cancel: &CancelToken,
) -> Vec<Measured> {
    let registry = Registry::built_in();
    match pictures(run, task, cancel) {
        Ok((truth, end)) => {
            let mut scores = registry.measure(&Comparison::of_pictures(&truth, &end), cancel);
            for measured in &mut scores {
                measured.measurement.evidence = None;
            }
            scores
        }
        Err(why) => {
            let missing = |variant: &VariantSpec| Measured {
                variant: variant.clone(),
                measurement: Measurement::missing(why.clone()),
            };
            registry.variants().map(missing).collect()
        }
    }
}

fn pictures(
    run: &Arc<Run>,
    task: Option<Arc<Task>>,
    cancel: &CancelToken,
) -> Result<(Pixels, Pixels), MissingScore> {
    let no_picture = |error: &dyn std::fmt::Display| MissingScore::NoPicture(error.to_string());
    let task = task.ok_or(MissingScore::NoGroundTruth)?;
    let truth = ground_truth(&task, &open_environment)
        .map_err(|error| no_picture(&error))?
        .ok_or(MissingScore::NoGroundTruth)?;
    let mut canvas = RunCanvas::open(Arc::clone(run), Some(task), &open_environment)
        .map_err(|error| no_picture(&error))?;
    let end =
        canvas.picture(run.steps.len() as u32, 1.0, cancel).map_err(|error| no_picture(&error))?;
    Ok((truth, end.pixels))
}

fn print_scores(scored: &[ScoredRun], json: bool) -> anyhow::Result<()> {
    if json {
        let runs = scored.iter().map(ScoredRun::json).collect();
        return print_json(&ScoresJson { runs, mean: means(scored) });
    }
    print(&text(scored))?;
    if scored.iter().any(|run| run.has_no_ground_truth()) {
        note("Where the tasks of a run cannot be found, say where they are: --tasks PATH");
    }
    Ok(())
}

fn means(scored: &[ScoredRun]) -> Vec<MeanJson> {
    let mean = |(at, variant): (usize, &VariantSpec)| {
        let value = |run: &ScoredRun| run.scores.get(at)?.measurement.score.value();
        let values: Vec<f64> = scored.iter().filter_map(value).collect();
        MeanJson { id: variant.id.to_string(), value: mean_of(&values), runs: values.len() }
    };
    Registry::built_in().variants().enumerate().map(mean).collect()
}

/// The mean; `None` of nothing.
pub(super) fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn text(scored: &[ScoredRun]) -> String {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut columns = vec![left("run"), left("task"), left("agent"), left("outcome")];
    columns.extend([right("turns"), right("calls"), right("failed")]);
    let registry = Registry::built_in();
    columns.extend(registry.variants().map(|variant| right(variant.label)));
    let mut table = Table::new(&columns);
    for run in scored {
        table.push(run.cells());
    }
    let lines: String = means(scored).iter().map(MeanJson::line).collect();
    table.to_text() + "\n" + &lines
}

impl MeanJson {
    fn line(&self) -> String {
        match self.value {
            Some(value) => format!("mean {} {value:.4} over {}\n", self.id, runs(self.runs)),
            None => format!("no run has a value of {}\n", self.id),
        }
    }
}

impl ScoredRun {
    fn has_no_ground_truth(&self) -> bool {
        let is_reason = |measured: &Measured| {
            measured.measurement.score == Score::Missing(MissingScore::NoGroundTruth)
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
        }
    }

    fn cells(&self) -> Vec<String> {
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
        cells.extend(self.scores.iter().map(|measured| score_text(&measured.measurement.score)));
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
