//! What an agent did in a run, counted.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::evaluate::typed_table::TypedColumn;
use crate::metric::behavior::{Counts, ToolAgreement, ToolCounts};
use crate::metric::{MissingScore, Score};
use crate::run::{RunOrigin, behavior};

use crate::cli::scoring::ScoreJob;

const PICTURES: &str = "only pictures were recorded of this run, so its calls are not known";
const NO_TASK: &str = "its task cannot be found: say where it is with --tasks PATH";

/// What an agent did in a run.
pub(super) struct RunSummary {
    /// The run's folder, as it was given.
    pub(super) dir: String,
    set: String,
    task: String,
    agent: String,
    turns: usize,
    /// `None` of a run of pictures.
    counts: Option<Counts>,
    agreement: Result<ToolAgreement, MissingScore>,
}

/// A number of a run.
type SummaryNumber = fn(&RunSummary) -> Score;

/// What is averaged over runs, by its name in JSON.
pub(super) const NUMBERS: [(&str, SummaryNumber); 10] = [
    ("turns", |it| Score::Value(it.turns as f64)),
    ("turns_with_calls", |it| it.counted(|counts| count(counts.turns_with_calls))),
    ("calls", |it| it.counted(|counts| count(counts.calls))),
    ("failures", |it| it.counted(|counts| count(counts.failures))),
    ("tool_diversity", |it| it.counted(|counts| count(counts.tool_diversity()))),
    ("call_efficiency", |it| it.counted(Counts::call_efficiency)),
    ("call_success", |it| it.counted(Counts::call_success)),
    ("tool_precision", |it| it.agreed(|agreement| &agreement.precision)),
    ("tool_recall", |it| it.agreed(|agreement| &agreement.recall)),
    ("tool_hit_rate", |it| it.agreed(|agreement| &agreement.hit_rate)),
];

fn count(count: usize) -> Score {
    Score::Value(count as f64)
}

impl RunSummary {
    /// Counts a run.
    pub(super) fn of(job: &ScoreJob) -> Self {
        let manifest = &job.run.manifest;
        let is_pictures = matches!(job.run.origin, RunOrigin::Pictures { .. });
        // Snapshots stand for calls that nobody recorded: to count them would be wrong.
        let counts = (!is_pictures).then(|| Counts::of(&behavior::tool_uses(&job.run)));
        let agreement = match (&counts, &job.task) {
            (None, _) => Err(MissingScore::Undefined(PICTURES.to_owned())),
            (_, None) => Err(MissingScore::Undefined(NO_TASK.to_owned())),
            (Some(counts), Some(task)) => {
                let used = counts.by_tool.keys().map(String::as_str);
                Ok(ToolAgreement::of(used, task.reference_tools.iter().map(String::as_str)))
            }
        };
        Self {
            dir: job.dir.display().to_string(),
            set: manifest.task.set.clone(),
            task: manifest.task.id.clone(),
            agent: manifest.agent.name.clone(),
            turns: job.run.turns.len(),
            counts,
            agreement,
        }
    }

    fn counted(&self, number: impl Fn(&Counts) -> Score) -> Score {
        match &self.counts {
            Some(counts) => number(counts),
            None => Score::Missing(MissingScore::Undefined(PICTURES.to_owned())),
        }
    }

    fn agreed(&self, number: fn(&ToolAgreement) -> &Score) -> Score {
        match &self.agreement {
            Ok(agreement) => number(agreement).clone(),
            Err(why) => Score::Missing(why.clone()),
        }
    }

    /// Everything, by name.
    pub(super) fn json(&self) -> Value {
        let mut json = json!({
            "dir": self.dir, "set": self.set, "task": self.task, "agent": self.agent,
        });
        let Some(fields) = json.as_object_mut() else { return json };
        for (name, number) in NUMBERS {
            fields.insert(name.to_owned(), whole(&number(self)));
        }
        if let Ok(agreement) = &self.agreement {
            fields.insert("unused_tools".to_owned(), json!(agreement.unused));
            fields.insert("unexpected_tools".to_owned(), json!(agreement.unexpected));
        }
        if let Some(counts) = &self.counts {
            fields.insert("tools".to_owned(), counts_json(&counts.by_tool));
            fields.insert("categories".to_owned(), counts_json(&counts.by_category));
        }
        json
    }

    /// Why numbers are missing, each reason once; `None` if none is.
    fn missing(&self) -> Option<String> {
        let missing = NUMBERS.into_iter().filter_map(|(_, number)| match number(self) {
            Score::Value(_) => None,
            Score::Missing(why) => Some(reason(&why)),
        });
        let mut reasons: Vec<String> = Vec::new();
        for why in missing {
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    /// A row of the table for people.
    pub(super) fn cells(&self) -> Vec<String> {
        // By name, so that a number which is added to the JSON does not shift the columns here.
        let mut cells = vec![self.dir.clone(), self.task.clone(), self.agent.clone()];
        for (name, number) in NUMBERS {
            match name {
                // Left to the JSON: a terminal is not wide enough for all ten.
                "turns_with_calls" | "call_success" => {}
                "turns" | "calls" | "failures" | "tool_diversity" => {
                    cells.push(score_cell(&number(self), 0));
                }
                _ => cells.push(score_cell(&number(self), 3)),
            }
        }
        cells
    }
}

/// Words of a run.
type SummaryText = fn(&RunSummary) -> &str;

/// Whose the numbers of a row are, by the names of the columns.
const WORDS: [(&str, SummaryText); 4] = [
    ("run", |it| &it.dir),
    ("set", |it| &it.set),
    ("task", |it| &it.task),
    ("agent", |it| &it.agent),
];

/// The columns of a table with a row for each of these runs, as often as it is there: whose it is.
pub(super) fn word_columns(runs: &[&RunSummary]) -> Vec<TypedColumn> {
    let columns = WORDS.into_iter().map(|(name, words)| {
        let values = runs.iter().map(|run| Some(words(run).to_owned()));
        TypedColumn::texts(name, values.collect())
    });
    columns.collect()
}

/// The columns of its numbers, and why some are missing.
pub(super) fn number_columns(runs: &[&RunSummary]) -> Vec<TypedColumn> {
    let numbers = NUMBERS.into_iter().map(|(name, number)| {
        let values = runs.iter().map(|run| number(run).value());
        TypedColumn::numbers(name, values.collect())
    });
    let mut columns: Vec<TypedColumn> = numbers.collect();
    let missing = runs.iter().map(|run| run.missing());
    columns.push(TypedColumn::texts("missing", missing.collect()));
    columns
}

/// A whole number without decimals, any other as it is.
fn whole(score: &Score) -> Value {
    match score {
        // Beyond that a float has no fraction any more, and an integer would pretend to digits.
        Score::Value(value) if value.fract() == 0.0 && value.abs() < 1e15 => json!(*value as i64),
        score => score_json(score),
    }
}

fn counts_json(counts: &BTreeMap<String, ToolCounts>) -> Value {
    let counts = counts
        .iter()
        .map(|(name, it)| (name.clone(), json!({ "calls": it.calls, "failures": it.failures })));
    counts.collect()
}

/// A number, or `{"missing": "why"}`.
pub(super) fn score_json(score: &Score) -> Value {
    match score {
        Score::Value(value) => json!(value),
        Score::Missing(why) => json!({ "missing": reason(why) }),
    }
}

/// A number with so many decimals, or a dash.
pub(super) fn score_cell(score: &Score, decimals: usize) -> String {
    score.value().map_or_else(|| "—".to_owned(), |value| format!("{value:.decimals$}"))
}

fn reason(why: &MissingScore) -> String {
    match why {
        MissingScore::Undefined(why) => why.clone(),
        why => why.to_string(),
    }
}
