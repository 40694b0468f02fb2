//! `label report --metrics`: the scores of the pairs' runs against what people prefer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::people::share_json;
use crate::cli::output::note;
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{
    Cache, ScoreJob, ScoredBy, check_variants, last_step, note_problem, scorer,
};
use crate::cli::table::{Column, Table};
use crate::evaluate::{Wanted, open_item};
use crate::label::versus::{
    AgainstPeople, Disagreement, MetricScores, PairVerdict, PreferenceRegression,
};
use crate::label::{FinalAnswer, Form, Item, ItemKind, Project};
use crate::metric::stats::{LogisticFit, StatsError};
use crate::metric::{Direction, Registry, Score};
use crate::model::ModelSettings;
use crate::task::TaskFinder;

/// Disagreements that a table lists of each metric; JSON has all.
const LISTED: usize = 10;

/// The scores of every pair of a project, by all metrics that need no model, or some of them.
pub(super) struct PairScores {
    scores: Vec<MetricScores>,
    /// What the regression is of: what was asked for, else the first variant of each metric.
    columns: Vec<String>,
}

impl PairScores {
    /// The scores of each metric.
    pub(super) fn metrics(&self) -> impl Iterator<Item = &MetricScores> {
        self.scores.iter()
    }
}

/// Opens the runs of pairs and scores each once, at its end.
pub(super) fn score_pairs(
    file: &Path,
    project: &Project,
    items: &[Item],
    only: &[String],
) -> anyhow::Result<PairScores> {
    let scorer = scorer(Cache::Workspace, &ModelSettings::default());
    let built_in = Registry::built_in();
    let only: Vec<&str> = only.iter().map(String::as_str).collect();
    check_variants(&built_in, &only)?;
    let variants = built_in.variants().filter(|it| only.is_empty() || only.contains(&&*it.id));
    let variants: Vec<_> = variants.cloned().collect();
    let ids: Vec<&str> = variants.iter().map(|variant| &*variant.id).collect();
    // One variant a metric: those of one metric are too alike to stand in a regression together.
    let columns = if only.is_empty() {
        let metrics = built_in.metrics().iter();
        metrics.filter_map(|metric| metric.variants().first()).map(|it| it.id.to_string()).collect()
    } else {
        only.iter().map(|id| (*id).to_owned()).collect()
    };

    let home = file.parent().unwrap_or_else(|| Path::new(""));
    let mut tasks = TaskFinder::default();
    for set in &project.task_sets {
        if let Err(error) = tasks.search(&home.join(set)) {
            note(&format!("warning: {error}"));
        }
    }
    let pairs: Vec<&Item> =
        items.iter().filter(|it| it.counts() && it.kind == ItemKind::Pair).collect();
    let (mut jobs, mut places, mut problems) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for item in &pairs {
        let opened = open_item(item, home, &mut tasks);
        for (labelled, run) in item.runs.iter().zip(opened.runs) {
            // A run is in many pairs, and is scored once.
            if places.contains_key(&labelled.content) || problems.contains_key(&labelled.content) {
                continue;
            }
            match run {
                Ok(run) => {
                    let place = jobs.len();
                    places.insert(labelled.content.clone(), place);
                    let dir: PathBuf = home.join(&labelled.path);
                    jobs.push(ScoreJob::ended(
                        place,
                        dir,
                        run,
                        opened.task.as_ref().map(Arc::clone),
                    ));
                }
                Err(error) => {
                    problems.insert(labelled.content.clone(), error.to_string());
                }
            }
        }
    }
    for problem in problems.values() {
        note(&format!("warning: {problem}"));
    }
    let progress = SharedProgress::start(jobs.len(), "runs");
    let wanted = Wanted { variants: Some(&ids), map: None };
    let by = ScoredBy { scorer: &scorer, captions: None, wanted };
    let scored = by.score_all(
        jobs,
        |run| vec![last_step(run)],
        |scored| {
            progress.done(&scored.job.dir.display().to_string());
        },
    );
    note_problem(&scorer);
    let score = |content: &str, id: &str| -> Result<f64, String> {
        if let Some(problem) = problems.get(content) {
            return Err(problem.clone());
        }
        let of_run = places.get(content).and_then(|place| scored.get(*place));
        let last = of_run.and_then(|scored| scored.steps.first());
        let found = last.and_then(|(_, all)| all.iter().find(|it| it.variant.id == id));
        match found.map(|found| &found.measurement.score) {
            Some(Score::Value(value)) => Ok(*value),
            Some(Score::Missing(why)) => Err(why.to_string()),
            None => Err("it was not measured".to_owned()),
        }
    };
    let scores = variants.iter().map(|variant| MetricScores {
        metric: variant.id.to_string(),
        higher_is_better: variant.direction == Direction::HigherIsBetter,
        pairs: pairs
            .iter()
            .filter_map(|item| match item.runs.as_slice() {
                [a, b] => {
                    let scores = [&a.content, &b.content].map(|it| score(it, &variant.id));
                    Some((item.id.clone(), scores))
                }
                _ => None,
            })
            .collect(),
    });
    Ok(PairScores { scores: scores.collect(), columns })
}

/// The metrics against one form's first preference; `None` if it asks for none.
pub(super) fn against_people(
    form: &Form,
    finals: &[FinalAnswer],
    scores: &PairScores,
) -> Option<AgainstPeople> {
    AgainstPeople::of(form, finals, &scores.scores, &scores.columns)
}

/// Everything, all disagreements too.
pub(super) fn against_json(against: &AgainstPeople) -> Value {
    let metrics = against.metrics.iter().map(|found| {
        let disagreements = found.disagreements.iter().map(|it| {
            json!({"item": it.item, "metric_prefers": it.metric_prefers.name(),
                    "difference": it.difference, "people_prefer": it.people.preferred.name(),
                    "votes": it.people.votes, "of": it.people.of})
        });
        json!({
            "variant": found.metric, "accuracy": share_json(found.accuracy),
            "undecided": found.undecided,
            "auc": found.auc.as_ref().ok(), "auc_reason": reason(&found.auc),
            "kendall_tau_b": found.tau_b.as_ref().ok(),
            "kendall_reason": reason(&found.tau_b),
            "missing": found.missing, "disagreements": disagreements.collect::<Vec<_>>(),
        })
    });
    let fit = &against.regression;
    // Fitted to one half and tried on the other: what it says of its own half proves nothing.
    let split = fit.split.as_ref().ok().map(|it| {
        json!({"accuracy": it.accuracy, "interval": [it.interval.low, it.interval.high],
                "fitted": it.fitted, "tested": it.tested, "correct": it.correct, "seed": 0})
    });
    json!({
        "question": against.question, "pairs": against.pairs, "ties": against.ties,
        "variants": metrics.collect::<Vec<_>>(),
        "regression": {
            "columns": fit.metrics, "pairs": fit.pairs, "left_out": fit.left_out,
            "without_intercept": fit_json(&fit.fit),
            "without_intercept_reason": reason(&fit.fit),
            "standardised_with_intercept": fit_json(&fit.standardised),
            "standardised_reason": reason(&fit.standardised),
            "split": split, "split_reason": reason(&fit.split),
        },
    })
}

/// A row a metric, the regression, and the largest disagreements.
pub(super) fn against_text(against: &AgainstPeople) -> String {
    let mut table = Table::new(&[
        Column::left("metric"),
        Column::right("pairs"),
        Column::right("accuracy"),
        Column::left("95 %"),
        Column::right("AUC"),
        Column::right("tau-b"),
        Column::left("without a score"),
    ]);
    for found in &against.metrics {
        let accuracy = found.accuracy.value();
        let missing = found.missing.iter().map(|(why, count)| format!("{count}: {why}"));
        let interval = found
            .accuracy
            .interval()
            .map_or_else(|_| "–".to_owned(), |it| format!("[{:.3}, {:.3}]", it.low, it.high));
        table.push(vec![
            found.metric.clone(),
            found.accuracy.of.to_string(),
            accuracy.map_or_else(|| "–".to_owned(), |it| format!("{it:.3}")),
            interval,
            three(&found.auc),
            three(&found.tau_b),
            missing.collect::<Vec<_>>().join("; "),
        ]);
    }
    let mut lines = vec![
        format!(
            "Metrics against {}: {} pairs with an answer, {} of them ties",
            against.question, against.pairs, against.ties
        ),
        table.to_text().trim_end().to_owned(),
        regression_text(&against.regression),
    ];
    for found in &against.metrics {
        let listed = found.disagreements.iter().take(LISTED);
        lines.extend(listed.map(|it| said(&found.metric, it)));
        // A metric that is mostly wrong would fill the terminal.
        if found.disagreements.len() > LISTED {
            let more = found.disagreements.len() - LISTED;
            lines.push(format!("{}: {more} more, in --json", found.metric));
        }
    }
    lines.join("\n") + "\n\n"
}

fn regression_text(found: &PreferenceRegression) -> String {
    let fit = match &found.standardised {
        Ok(fit) => fit,
        Err(why) => return format!("Logistic regression: {why}"),
    };
    let mut table = Table::new(&[
        Column::left("logistic regression"),
        Column::right("coefficient"),
        Column::right("std err"),
        Column::right("z"),
        Column::right("p"),
    ]);
    for term in &fit.terms {
        let numbers = [term.coefficient, term.standard_error, term.z, term.p];
        let mut row = vec![term.name.clone()];
        row.extend(numbers.map(|number| format!("{number:.4}")));
        table.push(row);
    }
    let split = match &found.split {
        Ok(it) => {
            format!("{:.3} on the other half ({} of {})", it.accuracy, it.correct, it.tested)
        }
        Err(why) => why.to_string(),
    };
    format!(
        "{}\nof {} pairs, {} left out, columns standardised; accuracy: {split}",
        table.to_text().trim_end(),
        found.pairs,
        found.left_out
    )
}

/// Such as: ssim/uniform7 says first by 0.2, 3 of 3 people say second.
fn said(metric: &str, it: &Disagreement) -> String {
    let PairVerdict { preferred, votes, of } = &it.people;
    let (by, item) = (it.metric_prefers.name(), &it.item.0);
    let people = preferred.name();
    format!(
        "{item}: {metric} says {by} by {:.3}, {votes} of {of} people say {people}",
        it.difference
    )
}

fn fit_json(fit: &Result<LogisticFit, StatsError>) -> Value {
    let Ok(fit) = fit else { return Value::Null };
    let terms = fit.terms.iter().map(|term| {
        json!({"term": term.name, "coefficient": term.coefficient,
            "standard_error": term.standard_error, "z": term.z, "p": term.p,
            "interval": [term.interval.low, term.interval.high]})
    });
    json!({"terms": terms.collect::<Vec<_>>(), "log_likelihood": fit.log_likelihood,
        "accuracy": fit.accuracy})
}

fn reason<T>(value: &Result<T, StatsError>) -> Option<String> {
    value.as_ref().err().map(ToString::to_string)
}

fn three(value: &Result<f64, StatsError>) -> String {
    value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.3}"))
}
