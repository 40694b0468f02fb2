//! `pentimento metric skills`: how often skills succeed, what they cost, and whether a judge may be
//! believed.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::made_by::print_result_json;
use crate::cli::output::print;
use crate::cli::table::{Column, Table};
use crate::evaluate::data_table::{DataTable, DataTableError, text, within, yes_or_no};
use crate::metric::Score;
use crate::metric::skill::{
    Confusion, Ranking, RuntimeCost, hit_at_k, mean_cost, recall_at_k, success_at_k,
    unbiased_success_at_k,
};

use super::ndec;

/// Measure skills: success@k, cost, Hit@k, and a judge against people
///
/// TRIALS is CSV or JSON Lines, one trial or query a row. All columns may be left out.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct SkillsArguments {
    /// The trials.
    #[arg(value_name = "TRIALS")]
    trials: PathBuf,
    /// Up to how many trials or items.
    #[arg(long, value_name = "K", default_value = "3", value_parser = most_k)]
    k: NonZeroUsize,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Largest k of success@k and Hit@k.
const MOST_K: usize = 1000;

fn most_k(text: &str) -> Result<NonZeroUsize, String> {
    let k: NonZeroUsize = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if k.get() > MOST_K { Err(format!("must be at most {MOST_K}")) } else { Ok(k) }
}

const EXAMPLES: &str = "\
Columns:
  task, success           a trial of a task, in order: success@k as the paper counts it, and unbiased
  seconds, tokens         what it cost, of rows that have both
  predicted, correct      items divided by semicolons, the best first: Hit@k and recall@k
  judge, people           yes or no of both: precision, recall, F1 and accuracy of the judge

Examples:
  pentimento metric skills trials.csv
  pentimento metric skills trials.csv --k 5 --json | jq '.skills[\"success@5\"]'

JSON, with the program and the command: {\"skills\": {NUMBER: value or {\"missing\": \"why\"}}, \"counts\":
{NUMBER: {\"n\", \"left_out\"}}}";

const YES_OR_NO: &str = "yes or no";

/// A number by its name, and on what it rests.
#[derive(Debug)]
struct NamedScore {
    name: String,
    score: Score,
    /// Tasks, rows or queries that are in it.
    n: usize,
    /// Those that lack something.
    left_out: usize,
}

impl NamedScore {
    fn new(name: impl Into<String>, score: Score, n: usize, of: usize) -> Self {
        Self { name: name.into(), score, n, left_out: of - n }
    }
}

/// Does the command.
pub(super) fn measure(arguments: &SkillsArguments) -> anyhow::Result<()> {
    let numbers = numbers(&arguments.trials, arguments.k.get())?;
    if arguments.json {
        let values: Value =
            numbers.iter().map(|it| (it.name.clone(), ndec::score(&it.score))).collect();
        let counts: Value = numbers
            .into_iter()
            .map(|it| (it.name, json!({ "n": it.n, "left_out": it.left_out })))
            .collect();
        return print_result_json(&json!({ "skills": values, "counts": counts }));
    }
    // Words on both sides: a value that is missing is a sentence.
    let mut table = Table::new(&[
        Column::left("number"),
        Column::left("value"),
        Column::right("n"),
        Column::right("left out"),
    ]);
    for NamedScore { name, score, n, left_out } in numbers {
        let value = match score {
            Score::Value(value) => format!("{value:.4}"),
            Score::Missing(why) => format!("— ({why})"),
        };
        table.push(vec![name, value, n.to_string(), left_out.to_string()]);
    }
    Ok(print(&table.to_text())?)
}

fn numbers(path: &Path, most: usize) -> Result<Vec<NamedScore>, DataTableError> {
    let data = DataTable::open(path)?;
    let mut numbers = Vec::new();
    // What there are columns for: one table may hold trials, rankings and judgements.
    if data.find("success").is_some() {
        numbers.extend(of_success(&data, most)?);
    }
    numbers.extend(of_cost(&data)?);
    if data.find("predicted").is_some() {
        numbers.extend(of_rankings(&data, most)?);
    }
    if data.find("judge").is_some() {
        numbers.extend(of_judge(&data)?);
    }
    Ok(numbers)
}

/// success@1 to success@k: rows of one task are its trials, in their order.
fn of_success(data: &DataTable, most: usize) -> Result<Vec<NamedScore>, DataTableError> {
    let tasks = data.required("task", "a text", text)?;
    let outcomes = data.required("success", YES_OR_NO, yes_or_no)?;
    let mut trials: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for (task, success) in tasks.into_iter().zip(outcomes) {
        trials.entry(task).or_default().push(success);
    }
    let tasks: Vec<Vec<bool>> = trials.into_values().collect();
    let mut numbers = Vec::new();
    for k in 1..=most {
        // The paper counts the first k trials; the unbiased estimate is over every choice of k of them.
        let (first, unbiased) = (success_at_k(&tasks, k), unbiased_success_at_k(&tasks, k));
        for (name, score) in [("", first), (" (unbiased)", unbiased)] {
            numbers.push(NamedScore::new(
                format!("success@{k}{name}"),
                score,
                tasks.len(),
                tasks.len(),
            ));
        }
    }
    Ok(numbers)
}

fn of_cost(data: &DataTable) -> Result<Vec<NamedScore>, DataTableError> {
    let seconds = data.named("seconds", "a number from 0", within(0.0, f64::MAX))?;
    let tokens = data.named("tokens", "a whole number from 0", |cell| cell.parse::<u64>().ok())?;
    // Rows with one of the two are left out, so that both means are over the same trials.
    let costs = seconds.into_iter().zip(tokens).filter_map(|(response_secs, tokens)| {
        Some(RuntimeCost { response_secs: response_secs?, tokens: tokens? })
    });
    let costs: Vec<RuntimeCost> = costs.collect();
    let (seconds, tokens) = mean_cost(&costs);
    let named = [("response_secs", seconds), ("tokens", tokens)];
    Ok(named.map(|(name, score)| NamedScore::new(name, score, costs.len(), data.items())).into())
}

/// Hit@1 to Hit@k: items are divided by semicolons, the best first.
fn of_rankings(data: &DataTable, most: usize) -> Result<Vec<NamedScore>, DataTableError> {
    let predicted = data.named("predicted", "a text", text)?;
    let correct = data.required("correct", "a text", text)?;
    // An empty prediction is a query that was answered with nothing, and so is missed; it counts.
    let predicted: Vec<Vec<&str>> =
        predicted.iter().map(|cell| items(cell.as_deref().unwrap_or_default())).collect();
    let correct: Vec<Vec<&str>> = correct.iter().map(|cell| items(cell)).collect();
    let queries = predicted.iter().zip(&correct);
    let queries: Vec<Ranking<'_>> =
        queries.map(|(predicted, correct)| Ranking { predicted, correct }).collect();
    let answerable = correct.iter().filter(|items| !items.is_empty()).count();
    let mut numbers = Vec::new();
    for k in 1..=most {
        for (name, score) in [("hit", hit_at_k(&queries, k)), ("recall", recall_at_k(&queries, k))]
        {
            numbers.push(NamedScore::new(format!("{name}@{k}"), score, answerable, queries.len()));
        }
    }
    Ok(numbers)
}

fn items(cell: &str) -> Vec<&str> {
    cell.split(';').map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// A judge's yes and no against people's, over the rows that have both.
fn of_judge(data: &DataTable) -> Result<Vec<NamedScore>, DataTableError> {
    let judge = data.named("judge", YES_OR_NO, yes_or_no)?;
    let people = data.named("people", YES_OR_NO, yes_or_no)?;
    let both = judge.into_iter().zip(people).filter_map(|(judge, people)| Some((judge?, people?)));
    let both: Vec<(bool, bool)> = both.collect();
    let found = Confusion::of(both.iter().copied());
    let named = [
        ("judge_precision", found.precision()),
        ("judge_recall", found.recall()),
        ("judge_f1", found.f1()),
        ("judge_accuracy", found.accuracy()),
    ];
    Ok(named.map(|(name, score)| NamedScore::new(name, score, both.len(), data.items())).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BTreeMap<String, NamedScore>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("trials.csv");
        std::fs::write(&path, text).unwrap();
        let numbers = numbers(&path, 2).map_err(|error| error.to_string())?;
        Ok(numbers.into_iter().map(|it| (it.name.clone(), it)).collect())
    }

    #[test]
    fn trials_rankings_and_judgements_are_measured_from_one_table() {
        let numbers = read(
            "task,success,seconds,tokens,predicted,correct,judge,people\n\
             a,no,1,10,x; y,y,yes,yes\na,yes,3,30,y,y,yes,no\nb,no,,,z,q,no,no\n",
        )
        .unwrap();
        for (name, value) in [
            ("success@1", 0.0),
            ("success@2", 0.5),
            ("response_secs", 2.0),
            ("tokens", 20.0),
            ("hit@1", 1.0 / 3.0),
            ("hit@2", 2.0 / 3.0),
            ("judge_precision", 0.5),
            ("judge_recall", 1.0),
        ] {
            assert_eq!(numbers[name].score, Score::Value(value), "{name}");
        }
        assert!(numbers["success@2 (unbiased)"].score.value().is_none(), "b has one trial");
        // Two tasks of three trials, of which one cost nothing that is known.
        let counts = ["success@1", "tokens", "hit@2", "judge_recall"]
            .map(|name| (numbers[name].n, numbers[name].left_out));
        assert_eq!(counts, [(2, 0), (2, 1), (3, 0), (3, 0)]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = read("task,success\na,perhaps\n").unwrap_err();
        assert!(error.contains("line 2, column \"success\": \"perhaps\""), "{error}");
        assert!(read("success\nyes\n").unwrap_err().contains("no column \"task\""));
    }
}
