//! `pentimento compare --by`: two groups of runs, matched by their tasks.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::evaluate::groups::{
    Difference, GroupBy, GroupSide, GroupedRun, MatchedTask, TaskIdentityRef, match_tasks,
};
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::evaluate::{MadeBy, PrimaryMetric, Wanted};
use crate::metric::stats::{BootstrapPlan, PMethod, PassTable, holm};
use crate::metric::{Direction, VariantSpec};

use super::collection::Collection;
use super::made_by::{command_words, made_by, print_result_json};
use super::output::{note, print, runs};
use super::progress::SharedProgress;
use super::scoring::{
    Cache, ScoredBy, check_variants, last_step, models, note_problem, read_runs, scorer,
};
use super::table::{Column, Table, one_line};
use super::table_file::{TABLE_FILE, TablePath};

/// Two groups of runs, matched by their tasks.
#[derive(Args, Debug)]
pub(super) struct GroupArguments {
    /// Hold two groups of runs against each other instead, matched by their tasks; in which group a run is:
    /// model, agent, mode, experiment, folder, or a setting such as settings.model.temperature.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["rows", "threshold"])]
    pub(super) by: Option<GroupBy>,
    /// The first group; without it, that with most runs.
    #[arg(long, value_name = "NAME", requires_all = ["by", "second"])]
    first: Option<String>,
    /// The second group.
    #[arg(long, value_name = "NAME", requires_all = ["by", "first"])]
    second: Option<String>,
    /// By which variant of a metric their ends are scored; without it, the one that stands for the first run.
    #[arg(long, value_name = "VARIANT", requires = "by")]
    metric: Option<String>,
    /// A run passes from this score on, or up to it where less is better; without it from 0.7 where 1 is the best
    /// there is, and of other metrics nothing is said of passing.
    #[arg(long, value_name = "SCORE", requires = "by", allow_negative_numbers = true, value_parser = score)]
    passes_from: Option<f64>,
    /// The models that learned metrics go by.
    #[arg(long, value_name = "FILE.json", requires = "by")]
    models: Option<PathBuf>,
    /// Compute every score anew, and keep none.
    #[arg(long, requires = "by")]
    no_cache: bool,
    /// Write the tasks with the values of both groups to this file, too; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, requires = "by", value_parser = TablePath::parse)]
    table: Option<TablePath>,
}

/// A run passes from this score on where nothing else is said.
const PASSES_FROM: f64 = 0.7;

fn score(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("must be a finite number, not {text:?}"))
}

/// Two groups, task by task.
struct Groups {
    by: GroupBy,
    names: [String; 2],
    /// How many runs each has.
    runs: [usize; 2],
    variant: VariantSpec,
    /// From which score on a run passes; `None`: nobody said, and the metric has no usual one.
    passes_from: Option<f64>,
    tasks: Vec<MatchedTask<PathBuf>>,
    difference: Difference,
    /// Why runs are in neither.
    unreadable: Vec<String>,
}

/// Does the command.
pub(super) fn compare_groups(
    paths: &[PathBuf],
    tasks: &[PathBuf],
    by: &GroupBy,
    arguments: &GroupArguments,
    as_json: bool,
) -> anyhow::Result<()> {
    let groups = Groups::of(paths, tasks, by, arguments)?;
    if let Some(file) = &arguments.table {
        file.write(&groups.to_table())?;
    }
    if as_json {
        return print_result_json(&groups.to_json());
    }
    Ok(print(&format!("{}\n{}\n", groups.to_text(), made_by()))?)
}

impl Groups {
    fn of(
        paths: &[PathBuf],
        tasks: &[PathBuf],
        by: &GroupBy,
        arguments: &GroupArguments,
    ) -> anyhow::Result<Self> {
        let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
        let scorer = scorer(cache, &models(arguments.models.as_deref())?);
        let mut collection = Collection::open(paths, tasks)?;
        let (mut jobs, problems) = read_runs(&mut collection);
        for problem in &problems {
            note(&format!("warning: {problem}"));
        }
        let group_of: Vec<Option<String>> =
            jobs.iter().map(|job| by.of(&job.run.manifest, &job.dir)).collect();
        let names = chosen_names(&group_of, by, arguments)?;
        let mut sides = Vec::new();
        let mut groups = group_of.into_iter();
        // Before anything is scored: the runs of other groups cost nothing.
        jobs.retain(|_| {
            let group = groups.next().flatten();
            let place = names.iter().position(|name| Some(name) == group.as_ref());
            let side = place.map(|place| GroupSide::BOTH[place]);
            sides.extend(side);
            side.is_some()
        });
        let default = jobs.first().map(|job| PrimaryMetric::of_run(&job.run.manifest).variant());
        let id = arguments.metric.as_deref().or(default).unwrap_or_default();
        let only = [id];
        check_variants(scorer.registry(), &only)?;
        let variant = scorer.registry().variant(id).cloned();
        let variant = variant.ok_or_else(|| anyhow::anyhow!("there is no variant {id:?}"))?;
        let progress = SharedProgress::start(jobs.len(), "runs");
        let wanted = Wanted { variants: Some(&only), map: None };
        let scored = ScoredBy { scorer: &scorer, captions: None, wanted }.score_all(
            jobs,
            |run| vec![last_step(run)],
            |scored| progress.done(&scored.job.dir.display().to_string()),
        );
        // The bar goes before anything is printed.
        drop(progress);
        note_problem(&scorer);
        let counts = GroupSide::BOTH.map(|side| sides.iter().filter(|it| **it == side).count());
        // In the order of the jobs, which is theirs.
        let grouped = scored.iter().zip(sides).map(|(scored, side)| {
            let end = scored.steps.last().and_then(|(_, scores)| scores.first());
            let value = end.and_then(|end| end.measurement.score.value());
            let task = &scored.job.run.manifest.task;
            let task = TaskIdentityRef { set: &task.set, id: &task.id, content: None };
            // Where one that did not come to its end stands is no result.
            let value = value.filter(|_| scored.job.has_ended());
            GroupedRun { task, side, run: scored.job.dir.clone(), value }
        });
        let tasks = match_tasks(grouped);
        let (first, second): (Vec<f64>, Vec<f64>) =
            tasks.iter().filter_map(MatchedTask::both).unzip();
        Ok(Self {
            by: by.clone(),
            names,
            runs: counts,
            passes_from: arguments.passes_from.or_else(|| usual_threshold(&variant)),
            variant,
            difference: Difference::of(&first, &second, &BootstrapPlan::default()),
            tasks,
            unreadable: problems,
        })
    }

    fn passes(&self, value: f64, from: f64) -> bool {
        match self.variant.direction {
            Direction::HigherIsBetter => value >= from,
            Direction::LowerIsBetter => value <= from,
        }
    }

    /// At how many tasks which of the two passes, and from which score on that is.
    fn contingency(&self) -> Option<(PassTable, f64)> {
        let from = self.passes_from?;
        let both = self.tasks.iter().filter_map(MatchedTask::both);
        let passes = both.map(|(a, b)| (self.passes(a, from), self.passes(b, from)));
        Some((PassTable::of(passes), from))
    }

    /// McNemar's and Wilcoxon's p-values, each with what Holm's correction over those there are makes of it.
    fn p_values(&self) -> [Result<(f64, f64), String>; 2] {
        let mcnemar = match self.contingency() {
            Some((counts, _)) => counts.mcnemar().map_err(|why| why.to_string()),
            None => Err(format!(
                "nothing says from which score of {} on a run passes: --passes-from SCORE",
                self.variant.id
            )),
        };
        let wilcoxon = self.difference.signed_rank.as_ref();
        let found = [mcnemar, wilcoxon.map(|test| test.p).map_err(ToString::to_string)];
        let known: Vec<f64> = found.iter().flatten().copied().collect();
        let mut adjusted = holm(&known).into_iter();
        found.map(|p| p.map(|p| (p, adjusted.next().unwrap_or(p))))
    }

    /// The tasks at which only the other group has a value.
    fn missing(&self, side: GroupSide) -> Vec<String> {
        let lacking = self
            .tasks
            .iter()
            .filter(|task| task.side(side).measured == 0 && task.side(side.other()).measured > 0);
        lacking.map(|task| task.task.id.clone()).collect()
    }
}

/// The score from which on runs pass unless it is said: of metrics of which 1 is the best.
fn usual_threshold(variant: &VariantSpec) -> Option<f64> {
    let is_share = variant.direction == Direction::HigherIsBetter && variant.range.1 <= 1.0;
    is_share.then_some(PASSES_FROM)
}

/// The two groups that were asked for, or those with most runs.
fn chosen_names(
    group_of: &[Option<String>],
    by: &GroupBy,
    arguments: &GroupArguments,
) -> anyhow::Result<[String; 2]> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for group in group_of.iter().flatten() {
        match counts.iter_mut().find(|(name, _)| name == group) {
            Some((_, count)) => *count += 1,
            None => counts.push((group.as_str(), 1)),
        }
    }
    // Where none is named, the two with most runs; of equals by name, so that it is the same every time.
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let known: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} ({})", runs(*count))).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    if let (Some(first), Some(second)) = (&arguments.first, &arguments.second) {
        for name in [first, second] {
            let is_there = counts.iter().any(|(known, _)| known == name);
            anyhow::ensure!(is_there, "there is no group {name:?} by {by}; there are: {known}");
        }
        anyhow::ensure!(first != second, "the two groups are one: {first:?}");
        return Ok([first.clone(), second.clone()]);
    }
    match counts.as_slice() {
        [first, second, ..] => Ok([first.0.to_owned(), second.0.to_owned()]),
        _ => anyhow::bail!("two groups are needed, and by {by} there are: {known}"),
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

impl Groups {
    fn to_text(&self) -> String {
        let [first, second] = &self.names;
        let mut text = String::new();
        // Writing to a String cannot fail.
        writeln!(
            text,
            "{first} ({}) and {second} ({}) by {}, {} at their ends\n",
            runs(self.runs[0]),
            runs(self.runs[1]),
            self.by,
            self.variant.id,
        )
        .ok();
        let mut table = Table::new(&[
            Column::left("task"),
            Column::right(first),
            Column::right(second),
            Column::right("difference"),
        ]);
        for task in &self.tasks {
            let means = GroupSide::BOTH.map(|side| number(task.side(side).mean()));
            let [a, b] = means;
            let difference = number(task.both().map(|(a, b)| a - b));
            table.push(vec![one_line(&task.task.id), a, b, difference]);
        }
        text.push_str(&table.to_text());
        text.push('\n');
        self.write_tasks(&mut text);
        self.write_tests(&mut text);
        text
    }

    /// A row a task. What is found over all of them is said of the table, a line each.
    fn to_table(&self) -> TypedTable {
        let [first, second] = &self.names;
        let tasks = self.tasks.iter();
        let sets = tasks.clone().map(|task| Some(task.task.set.clone()));
        let ids = tasks.clone().map(|task| Some(task.task.id.clone()));
        let mut columns = vec![
            TypedColumn::texts("set", sets.collect()),
            TypedColumn::texts("task", ids.collect()),
        ];
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            let means = tasks.clone().map(|task| task.side(side).mean());
            columns.push(TypedColumn::numbers(format!("mean of {name}"), means.collect()));
            let runs = tasks.clone().map(|task| Some(task.side(side).measured as f64));
            columns.push(TypedColumn::numbers(format!("runs of {name}"), runs.collect()));
        }
        // Only where both have a score: a task that one of them lacks has no difference, and is listed with a gap.
        let differences = tasks.map(|task| task.both().map(|(first, second)| first - second));
        columns.push(TypedColumn::numbers("difference", differences.collect()));
        let made_by = MadeBy {
            command: command_words(),
            runs: format!("{} of {first}, {} of {second}", self.runs[0], self.runs[1]),
            choices: vec![("groups by", self.by.to_string())],
            variants: vec![self.variant.id.to_string()],
            left_out: self.unreadable.clone(),
        };
        // The tests as well: who reads the file later has not seen the terminal.
        let mut found = String::new();
        self.write_tasks(&mut found);
        self.write_tests(&mut found);
        let mut about = made_by.entries();
        about.extend(
            (1..)
                .zip(found.lines())
                .map(|(number, line)| (format!("finding {number}"), line.to_owned())),
        );
        TypedTable { columns, about }
    }

    fn write_tasks(&self, text: &mut String) {
        let both = self.tasks.iter().filter(|task| task.both().is_some()).count();
        writeln!(text, "{both} tasks of both").ok();
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            let missing = self.missing(side);
            if !missing.is_empty() {
                writeln!(text, "{name} is missing at {}: {}", missing.len(), missing.join(", "))
                    .ok();
            }
        }
        let repeats = self.repeats();
        if repeats.iter().any(|count| *count > 1) {
            writeln!(
                text,
                "several runs at a task count as their mean: up to {} of {}, {} of {}",
                repeats[0], self.names[0], repeats[1], self.names[1]
            )
            .ok();
        }
    }

    fn repeats(&self) -> [usize; 2] {
        GroupSide::BOTH
            .map(|side| self.tasks.iter().map(|task| task.side(side).measured).max().unwrap_or(0))
    }

    fn write_tests(&self, text: &mut String) {
        let [first, second] = &self.names;
        if let Some((counts, from)) = self.contingency() {
            let PassTable { both, only_first, only_second, neither } = counts;
            writeln!(
                text,
                "passing from {from}: both {both}, only {first} {only_first}, only {second} {only_second}, neither \
                 {neither}",
            )
            .ok();
        }
        // Both corrected together, as they are two questions about the same tasks.
        let [mcnemar, wilcoxon] = self.p_values();
        match mcnemar {
            Ok((p, holm)) => {
                writeln!(text, "McNemar, exact: p {}, Holm {}", p_text(p), p_text(holm)).ok()
            }
            Err(why) => writeln!(text, "McNemar: {why}").ok(),
        };
        match (wilcoxon, &self.difference.signed_rank) {
            (Ok((p, holm)), Ok(test)) => {
                let method = if test.method == PMethod::Exact { "exact" } else { "normal" };
                writeln!(
                    text,
                    "Wilcoxon, {method}: p {}, Holm {}, rank-biserial {:.3}, {} ties",
                    p_text(p),
                    p_text(holm),
                    test.rank_biserial,
                    test.ties
                )
                .ok()
            }
            (Err(why), _) => writeln!(text, "Wilcoxon: {why}").ok(),
            (_, Err(why)) => writeln!(text, "Wilcoxon: {why}").ok(),
        };
        match (&self.difference.mean, &self.difference.cohen_d) {
            (Ok((mean, interval)), d) => {
                let d = match d {
                    Ok(d) => format!(", Cohen's d {d:.3}"),
                    Err(why) => format!("; no Cohen's d: {why}"),
                };
                let (low, high) = (interval.low, interval.high);
                writeln!(
                    text,
                    "{first} - {second}: {mean:.3} [{low:.3}, {high:.3}] (95 %, bootstrap over tasks){d}"
                )
                .ok()
            }
            (Err(why), _) => writeln!(text, "{first} - {second}: {why}").ok(),
        };
    }

    fn to_json(&self) -> Value {
        let tasks = self.tasks.iter().map(|task| {
            let [first, second] = GroupSide::BOTH.map(|side| {
                let side = task.side(side);
                json!({"mean": side.mean(), "measured": side.measured, "runs": side.runs})
            });
            json!({
                "set": task.task.set,
                "task": task.task.id,
                "first": first,
                "second": second,
                "difference": task.both().map(|(first, second)| first - second),
            })
        });
        let tasks: Vec<Value> = tasks.collect();
        let counts = self.contingency().map(|(counts, _)| {
            json!({
                "both": counts.both,
                "only_first": counts.only_first,
                "only_second": counts.only_second,
                "neither": counts.neither,
            })
        });
        let p = self.p_values().map(|p| match p {
            Ok((p, holm)) => json!({"p": p, "holm": holm}),
            Err(why) => json!({"missing": why}),
        });
        let [mcnemar, mut wilcoxon] = p;
        if let Ok(test) = &self.difference.signed_rank {
            wilcoxon["rank_biserial"] = json!(test.rank_biserial);
            wilcoxon["ties"] = json!(test.ties);
        }
        let mean = match &self.difference.mean {
            Ok((mean, interval)) => {
                json!({"value": mean, "low": interval.low, "high": interval.high})
            }
            Err(why) => json!({"missing": why.to_string()}),
        };
        let cohen_d = match &self.difference.cohen_d {
            Ok(d) => json!(d),
            Err(why) => json!({"missing": why.to_string()}),
        };
        json!({
            "by": self.by.to_string(),
            "metric": self.variant.id,
            "groups": [
                {"name": self.names[0], "runs": self.runs[0]},
                {"name": self.names[1], "runs": self.runs[1]},
            ],
            "tasks": tasks,
            "missing": {
                "first": self.missing(GroupSide::First),
                "second": self.missing(GroupSide::Second),
            },
            "unreadable": self.unreadable,
            "passes_from": self.passes_from,
            "contingency": counts,
            "mcnemar": mcnemar,
            "wilcoxon": wilcoxon,
            "mean_difference": mean,
            "cohen_d": cohen_d,
        })
    }
}
