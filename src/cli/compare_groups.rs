//! `pentimento compare --by`: two groups of runs, matched by their tasks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::evaluate::groups::{
    Difference, GroupBy, GroupComparison, GroupMetric, GroupSide, GroupedRun, MatchedSide,
    MatchedTask, TaskIdentityRef, match_tasks,
};
use crate::evaluate::{MadeBy, PrimaryMetric, Wanted};
use crate::run::TaskRef;
use crate::task::{Task, TaskContent};
use crate::workbench::views::Filter;
use crate::workbench::{Column as ExploreColumn, ColumnKind, Variants};

use super::collection::Collection;
use super::explored::{ExploredSources, absolute, passing_numbers};
use super::made_by::{command_words, made_by, print_result_json};
use super::output::{note, print, runs};
use super::progress::SharedProgress;
use super::scoring::{
    Cache, ScoreJob, ScoredBy, captions, check_variants, last_step, models, note_problem,
    read_runs, scorer,
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
    /// What they are compared by: a variant of a metric, which their ends are scored by, or a column of numbers of
    /// Explore, such as success, turns or cost; without it, the variant that stands for the first run.
    #[arg(long, value_name = "VARIANT|COLUMN", requires = "by")]
    metric: Option<String>,
    /// A run passes from this score on, or up to it where less is better; without it from 0.7 where 1 is the best
    /// there is, and of other metrics nothing is said of passing.
    #[arg(long, value_name = "SCORE", requires = "by", allow_negative_numbers = true, value_parser = score)]
    passes_from: Option<f64>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", requires = "by", allow_hyphen_values = true)]
    filter: Option<String>,
    /// The labelling project whose answers a filter or a column counts.
    #[arg(long, value_name = "FILE.labels", requires = "by")]
    labels: Option<PathBuf>,
    /// The models that learned metrics go by.
    #[arg(long, value_name = "FILE.json", requires = "by")]
    models: Option<PathBuf>,
    /// Captions that were made before. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json", requires = "by")]
    captions: Option<PathBuf>,
    /// Compute every score anew, and keep none.
    #[arg(long, requires = "by")]
    no_cache: bool,
    /// Write the rows, or with --by the tasks with the values of both groups, to this file, too; its ending says as
    /// what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    pub(super) table: Option<TablePath>,
}

fn score(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("must be a finite number, not {text:?}"))
}

/// Does the command.
pub(super) fn compare_groups(
    paths: &[PathBuf],
    tasks: &[PathBuf],
    by: &GroupBy,
    arguments: &GroupArguments,
    as_json: bool,
) -> anyhow::Result<()> {
    let (found, places, problems) = compared(paths, tasks, by, arguments)?;
    if let Some(file) = &arguments.table {
        let made_by = MadeBy {
            command: command_words(),
            choices: filter_choice(arguments),
            left_out: [problems.unreadable.clone(), problems.torn.clone()].concat(),
            ..MadeBy::default()
        };
        file.write(&found.to_table(made_by))?;
    }
    if as_json {
        return print_result_json(&to_json(&found, &places, &problems));
    }
    Ok(print(&format!("{}\n{}\n", to_text(&found, &places), made_by()))?)
}

fn filter_choice(arguments: &GroupArguments) -> Vec<(&'static str, String)> {
    let filter = arguments.filter.as_deref().map(str::trim).filter(|filter| !filter.is_empty());
    filter.into_iter().map(|filter| ("filter", filter.to_owned())).collect()
}

/// What is wrong with runs.
struct RunProblems {
    /// Why runs are in neither group.
    unreadable: Vec<String>,
    /// What is lost of runs that are, as their records are damaged.
    torn: Vec<String>,
}

/// The two groups, and what is wrong with runs.
fn compared(
    paths: &[PathBuf],
    tasks: &[PathBuf],
    by: &GroupBy,
    arguments: &GroupArguments,
) -> anyhow::Result<(GroupComparison<PathBuf>, SetPlaces, RunProblems)> {
    let column = arguments.metric.as_deref().map(column_of_numbers).transpose()?.flatten();
    if arguments.labels.is_some() {
        check_labels_count(column.as_ref(), arguments)?;
    }
    let numbers = numbers(paths, tasks, column.as_ref(), arguments)?;
    let (mut jobs, unreadable) = read_runs(&mut Collection::open(paths, tasks)?);
    for problem in &unreadable {
        note(&format!("warning: {problem}"));
    }
    if let Some(passing) = &numbers {
        jobs.retain(|job| absolute(&job.dir).is_ok_and(|dir| passing.contains_key(&dir)));
        anyhow::ensure!(!jobs.is_empty(), "the filter leaves no run");
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
    let torn: Vec<String> = jobs.iter().filter_map(ScoreJob::torn).collect();
    for torn in &torn {
        note(&format!("warning: {torn}"));
    }
    let (metric, measured) = match (column, numbers) {
        (Some(column), Some(numbers)) => {
            let measured = jobs.into_iter().map(|job| {
                let dir = absolute(&job.dir).unwrap_or_default();
                let value = numbers.get(&dir).copied().flatten();
                (job, value)
            });
            (column.group_metric(), measured.collect())
        }
        _ => scored(jobs, arguments)?,
    };
    let contents = shared_contents(&measured);
    // In the order of the jobs, which is theirs.
    let grouped = measured.iter().zip(sides).map(|((job, value), side)| {
        let task = &job.run.manifest.task;
        let place = job.set_place.as_deref();
        let content = place.and_then(|place| contents.get(task)?.get(place).copied());
        let task = TaskIdentityRef { set: &task.set, id: &task.id, content };
        // Where one that did not come to its end stands is no result.
        let value = value.filter(|_| job.has_ended());
        GroupedRun { task, side, run: job.dir.clone(), value }
    });
    let tasks = match_tasks(grouped);
    let both: Vec<(f64, f64)> = tasks.iter().filter_map(MatchedTask::both).collect();
    let found = GroupComparison {
        by: by.clone(),
        names,
        rule: metric.rule(arguments.passes_from),
        metric,
        tasks,
        difference: Ok(Difference::of(&both)),
    };
    let places = contents.values().flatten();
    let places = places.map(|(place, content)| (*content, place.to_path_buf()));
    Ok((found, places.collect(), RunProblems { unreadable, torn }))
}

/// Where tasks lie of which there are several of one id, by what they ask.
type SetPlaces = BTreeMap<TaskContent, PathBuf>;

/// What tasks ask that are in several sets of one id, by where the sets lie. Of others the ids tell whether two runs
/// are attempts at one.
fn shared_contents(
    measured: &[(ScoreJob, Option<f64>)],
) -> BTreeMap<&TaskRef, BTreeMap<&Path, TaskContent>> {
    let mut tasks: BTreeMap<&TaskRef, BTreeMap<&Path, &Task>> = BTreeMap::new();
    for (job, _) in measured {
        if let (Some(place), Some(task)) = (&job.set_place, &job.task) {
            tasks.entry(&job.run.manifest.task).or_default().insert(place, task);
        }
    }
    tasks.retain(|_, at| at.len() > 1);
    let contents = tasks.into_iter().map(|(id, at)| {
        // One whose files cannot be read has no score either.
        let known = at.into_iter().filter_map(|(place, task)| {
            let content = TaskContent::of(task).ok()?;
            Some((place, content))
        });
        (id, known.collect())
    });
    contents.collect()
}

/// The column of *Explore* that a word names; `None`: it is the id of a variant.
fn column_of_numbers(word: &str) -> anyhow::Result<Option<ExploreColumn>> {
    match ExploreColumn::from(word.to_owned()) {
        ExploreColumn::Score(_) => Ok(None),
        column @ ExploreColumn::Setting(_) => Ok(Some(column)),
        column => {
            anyhow::ensure!(
                column.kind() != ColumnKind::Text,
                "{word} is a column of words: runs are compared by numbers, such as turns, or by a score"
            );
            Ok(Some(column))
        }
    }
}

/// Refuses a labelling project of which nothing is counted.
fn check_labels_count(
    column: Option<&ExploreColumn>,
    arguments: &GroupArguments,
) -> anyhow::Result<()> {
    let scorer = scorer(Cache::None, &models(arguments.models.as_deref())?);
    let variants = Variants::of(scorer.registry());
    // What is wrong with a filter is said when it is read.
    let filter = Filter::parse(arguments.filter.as_deref().unwrap_or_default(), &variants).ok();
    let counts = column.is_some_and(ExploreColumn::is_about_labels)
        || filter.is_none_or(|filter| filter.asks_for_labels());
    anyhow::ensure!(
        counts,
        "nothing is counted of --labels: compare by --metric answers, preferred or ndec, or by a --filter such as \
         label:layout or preferred>0.5"
    );
    Ok(())
}

/// The runs that pass the filter, by their folders from the root, each with its number in the column that they are
/// compared by; `None` where neither is asked for. Runs beside the tasks may be among them.
fn numbers(
    paths: &[PathBuf],
    tasks: &[PathBuf],
    column: Option<&ExploreColumn>,
    arguments: &GroupArguments,
) -> anyhow::Result<Option<BTreeMap<PathBuf, Option<f64>>>> {
    if column.is_none() && arguments.filter.is_none() {
        return Ok(None);
    }
    let sources = ExploredSources {
        tasks,
        paths,
        labels: arguments.labels.as_deref(),
        models: arguments.models.as_deref(),
        captions: arguments.captions.as_deref(),
        cache: if arguments.no_cache { Cache::None } else { Cache::Workspace },
        ..ExploredSources::default()
    };
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let found = passing_numbers(&sources, filter, column.unwrap_or(&ExploreColumn::Task))?;
    Ok(Some(found.into_iter().collect()))
}

/// Runs, each with its value, if it has one.
type MeasuredRuns = Vec<(ScoreJob, Option<f64>)>;

/// The runs with the scores at their ends.
fn scored(
    jobs: Vec<ScoreJob>,
    arguments: &GroupArguments,
) -> anyhow::Result<(GroupMetric, MeasuredRuns)> {
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let models = models(arguments.models.as_deref())?;
    let scorer = scorer(cache, &models);
    let captions = captions(arguments.captions.as_deref(), &models)?;
    let default = jobs.first().map(|job| PrimaryMetric::of_run(&job.run.manifest).variant());
    let id = arguments.metric.as_deref().or(default).unwrap_or_default();
    let only = [id];
    check_variants(scorer.registry(), &only)?;
    let variant = scorer.registry().variant(id).cloned();
    let variant = variant.ok_or_else(|| anyhow::anyhow!("there is no variant {id:?}"))?;
    let progress = SharedProgress::start(jobs.len(), "runs");
    let wanted = Wanted { variants: Some(&only), map: None };
    let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted };
    let scored = by.score_all(
        jobs,
        |run| vec![last_step(run)],
        |scored| progress.done(&scored.job.dir.display().to_string()),
    );
    // The bar goes before anything is printed.
    drop(progress);
    note_problem(&scorer);
    let measured = scored.into_iter().map(|scored| {
        let end = scored.steps.last().and_then(|(_, scores)| scores.first());
        let value = end.and_then(|end| end.measurement.score.value_or_infinity());
        (scored.job, value)
    });
    Ok((GroupMetric::from(&variant), measured.collect()))
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

/// Where the set of a task lies, if there is another of its id.
fn place_of<'a>(task: &MatchedTask<PathBuf>, places: &'a SetPlaces) -> Option<&'a Path> {
    places.get(&task.task.content?).map(PathBuf::as_path)
}

/// The mean of a group at a task, and of how many of its runs it is where some have no value.
fn mean_words(side: &MatchedSide<PathBuf>) -> String {
    let (measured, all) = (side.measured, side.runs.len());
    match side.mean() {
        None if side.infinite > 0 => "infinite".to_owned(),
        Some(_) if measured < all => format!("{} ({measured} of {all})", number(side.mean())),
        mean => number(mean),
    }
}

fn to_text(found: &GroupComparison<PathBuf>, places: &SetPlaces) -> String {
    let [first, second] = &found.names;
    let counts = GroupSide::BOTH.map(|side| runs(found.runs(side)));
    let mut text = format!(
        "{first} ({}) and {second} ({}) by {}, {} at their ends\n\n",
        counts[0], counts[1], found.by, found.metric.id,
    );
    let mut table = Table::new(&[
        Column::left("task"),
        Column::right(first),
        Column::right(second),
        Column::right("difference"),
    ]);
    for task in &found.tasks {
        let [a, b] = GroupSide::BOTH.map(|side| mean_words(task.side(side)));
        let difference = number(task.both().map(|(a, b)| a - b));
        let id = one_line(&task.task.id);
        let name = match place_of(task, places) {
            Some(place) => format!("{id} in {}", place.display()),
            None => id,
        };
        table.push(vec![name, a, b, difference]);
    }
    text.push_str(&table.to_text());
    text.push('\n');
    for line in found.findings() {
        text.extend([line.as_str(), "\n"]);
    }
    text
}

fn to_json(found: &GroupComparison<PathBuf>, places: &SetPlaces, problems: &RunProblems) -> Value {
    let tasks = found.tasks.iter().map(|task| {
        let [first, second] = GroupSide::BOTH.map(|side| {
            let side = task.side(side);
            json!({
                "mean": side.mean(),
                "measured": side.measured,
                "infinite": side.infinite,
                "runs": side.runs,
            })
        });
        json!({
            "set": task.task.set,
            "task": task.task.id,
            "place": place_of(task, places).map(|place| place.display().to_string()),
            "first": first,
            "second": second,
            "difference": task.both().map(|(first, second)| first - second),
        })
    });
    let tasks: Vec<Value> = tasks.collect();
    let counts = found.contingency().map(|counts| {
        json!({
            "both": counts.both,
            "only_first": counts.only_first,
            "only_second": counts.only_second,
            "neither": counts.neither,
        })
    });
    let [mcnemar, wilcoxon] = found.p_values().map(|p| match p {
        Ok((p, holm)) => json!({"p": p, "holm": holm}),
        Err(why) => json!({"missing": why}),
    });
    let [first, second] = &found.names;
    let mut json = json!({
        "by": found.by.to_string(),
        "metric": found.metric.id,
        "groups": [
            {"name": first, "runs": found.runs(GroupSide::First)},
            {"name": second, "runs": found.runs(GroupSide::Second)},
        ],
        "tasks": tasks,
        "missing": {
            "first": found.missing(GroupSide::First),
            "second": found.missing(GroupSide::Second),
        },
        "infinite": {
            "first": found.infinite(GroupSide::First),
            "second": found.infinite(GroupSide::Second),
        },
        "unreadable": problems.unreadable,
        "torn": problems.torn,
        "passes_from": found.rule.map(|rule| rule.from),
        "contingency": counts,
        "mcnemar": mcnemar,
        "wilcoxon": wilcoxon,
    });
    if let Ok(difference) = &found.difference {
        put_difference(&mut json, difference);
    }
    json
}

fn put_difference(json: &mut Value, difference: &Difference) {
    if let Ok(test) = &difference.signed_rank {
        json["wilcoxon"]["rank_biserial"] = json!(test.rank_biserial);
        json["wilcoxon"]["ties"] = json!(test.ties);
    }
    json["mean_difference"] = match &difference.mean {
        Ok((mean, interval)) => {
            json!({"value": mean, "low": interval.low, "high": interval.high})
        }
        Err(why) => json!({"missing": why.to_string()}),
    };
    json["cohen_d"] = match &difference.cohen_d {
        Ok(d) => json!(d),
        Err(why) => json!({"missing": why.to_string()}),
    };
}
