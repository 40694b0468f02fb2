//! `pentimento run`: agents on the tasks of a task set.
//!
//! Every run has a thread of its own while it lasts, `--jobs` of them at a time. They take tasks
//! from one list and tell what came of them over a bounded channel; this thread shows it.
//!
//! - `contestant`: who acts; `order`: each task with each of them;
//! - `earlier`: what a broken-off batch left (`--resume`); `budget`: what a batch may cost;
//! - `estimate`: what it would cost (`--dry-run`); `replay`: a run from its record (`--replay`).

mod budget;
mod contestant;
mod earlier;
mod estimate;
mod order;
mod replay;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender};
use serde_json::{Map, Value, json};

use crate::agent::models::Recorded;
use crate::agent::runner::{Attempt, COMPAT_SETTING, Observer, RunLimits, run_task};
use crate::environment::canvas::Compat;
use crate::environment::open_environment;
use crate::metric::Score;
use crate::run::{Event, Manifest, Outcome, folder, reader};
use crate::workbench::LIBRARY_VARIANT;

use super::arguments::RunArguments;
use super::collection::{TASKS_SETTING, relative_path};
use super::output::{print, runs, score_text};
use super::progress::Progress;
use super::score::{mean_of, outcome_word};
use super::scoring::score_end;
use super::table::{Column, Side, Table};

use budget::Budget;
use contestant::Contestant;
use earlier::Earlier;
use order::Order;

/// Messages that may wait to be shown.
const WAITING_MESSAGES: usize = 64;

/// What a run tells while it goes on.
enum Message {
    /// The run of this order is at this turn.
    Turn(usize, u32),
    /// The run of this order is over.
    Done(usize, Box<anyhow::Result<Done>>),
}

/// What came of an order.
struct Done {
    dir: PathBuf,
    manifest: Manifest,
    score: Option<Score>,
    how: How,
}

/// How a run came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It was made now.
    Made,
    /// It was made now, and this many answers were there already.
    Resumed(usize),
    /// It was there already.
    Found,
}

/// What all runs of a batch share.
struct Batch<'a> {
    arguments: &'a RunArguments,
    out: &'a Path,
    budget: Budget,
}

/// Does the command.
pub(super) fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    if let Some(run) = &arguments.replay {
        return replay::replay(run, arguments);
    }
    let tasks = arguments.tasks.as_deref().context("say which tasks: --tasks PATH")?;
    let contestants = Contestant::all(arguments)?;
    let orders = order::orders(tasks, arguments.filter.as_deref(), &contestants)?;
    if arguments.dry_run {
        return estimate::estimate(&orders, arguments);
    }
    let out = arguments.out.as_deref().context("say where runs go: --out DIR")?;
    ensure_prices(arguments, &contestants)?;
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    let batch = Batch { arguments, out, budget: Budget::new(arguments.budget, 0.0) };
    let results = run_all(&orders, &batch)?;
    print(&table(&orders, &results))?;
    conclude(&orders, &results, &batch)
}

/// A budget needs to know what answers cost.
fn ensure_prices(arguments: &RunArguments, contestants: &[Arc<Contestant>]) -> anyhow::Result<()> {
    if arguments.budget.is_none() {
        return Ok(());
    }
    let models = contestants.iter().filter_map(|contestant| contestant.model());
    for model in models {
        anyhow::ensure!(
            model.entry().provider.prices.is_some(),
            "--budget needs to know what {} costs: give it \"prices\" in the file of models",
            model.name()
        );
    }
    Ok(())
}

/// The last word: an error if not every order has a run that came to its end.
fn conclude(
    orders: &[Order],
    results: &[Option<anyhow::Result<Done>>],
    batch: &Batch<'_>,
) -> anyhow::Result<()> {
    let failed = results.iter().flatten().filter(|result| !went_well(result)).count();
    let waiting = results.iter().filter(|result| result.is_none()).count();
    if batch.budget.stop().is_cancelled() {
        anyhow::bail!(
            "the budget is spent (${:.2}): {waiting} of {} did not begin; give more and --resume",
            batch.budget.spent_usd(),
            runs(orders.len())
        );
    }
    anyhow::ensure!(failed + waiting == 0, "{} of {} failed", failed + waiting, runs(orders.len()));
    Ok(())
}

fn went_well(result: &anyhow::Result<Done>) -> bool {
    let ended =
        |outcome: &Outcome| matches!(outcome, Outcome::Completed | Outcome::LimitReached(_));
    result.as_ref().is_ok_and(|done| ended(&done.manifest.outcome))
}

/// Runs every order; the results stand at the same places. `None`: it did not begin.
fn run_all(
    orders: &[Order],
    batch: &Batch<'_>,
) -> anyhow::Result<Vec<Option<anyhow::Result<Done>>>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(WAITING_MESSAGES);
    std::thread::scope(|scope| {
        for number in 1..=batch.arguments.jobs.get().min(orders.len().max(1)) {
            let (next, sender) = (&next, sender.clone());
            std::thread::Builder::new()
                .name(format!("run-{number}"))
                .spawn_scoped(scope, move || take_orders(orders, next, batch, &sender))
                .context("cannot start a thread")?;
        }
        drop(sender);
        Ok(follow(orders, batch, &receiver))
    })
}

/// Runs orders from the list until there is none, or the budget is spent.
fn take_orders(orders: &[Order], next: &AtomicUsize, batch: &Batch<'_>, sender: &Sender<Message>) {
    while !batch.budget.stop().is_cancelled() {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(order) = orders.get(at) else { return };
        let mut observer = TurnObserver { at, sender, budget: &batch.budget };
        let result = run_order(order, batch, &mut observer);
        if sender.send(Message::Done(at, Box::new(result))).is_err() {
            return;
        }
    }
}

/// Passes on at which turn a run is, and counts what it costs. It never waits: what does not fit is
/// not shown.
struct TurnObserver<'a> {
    at: usize,
    sender: &'a Sender<Message>,
    budget: &'a Budget,
}

impl Observer for TurnObserver<'_> {
    fn started(&mut self, _manifest: &Manifest) {}

    fn recorded(&mut self, _manifest: &Manifest, event: &Event) {
        match event {
            Event::Turn { turn, .. } => {
                self.sender.try_send(Message::Turn(self.at, *turn)).ok();
            }
            Event::Usage { usage, .. } => self.budget.spend(usage.cost_usd.unwrap_or(0.0)),
            _ => {}
        }
    }
}

/// What there is of this order already, or a new run.
fn run_order(
    order: &Order,
    batch: &Batch<'_>,
    observer: &mut dyn Observer,
) -> anyhow::Result<Done> {
    if !batch.arguments.resume {
        return run_one(order, batch, None, observer).map(|(done, _)| done);
    }
    let (task, name) = (order.task_ref(), order.contestant.name());
    let told = settings(order, batch.arguments);
    let earlier = Earlier::find(batch.out, &task, name, &told);
    anyhow::ensure!(!earlier.is_live, "another process is at this run now");
    if let Some((dir, manifest)) = earlier.finished {
        batch.budget.spend(manifest.totals.cost_usd.unwrap_or(0.0));
        let score = final_score(&dir, order)?;
        return Ok(Done { dir, manifest, score, how: How::Found });
    }
    let answers = earlier.answers();
    let how = answers.as_ref().map_or(How::Made, |answers| How::Resumed(answers.len()));
    let (done, new) = run_one(order, batch, answers.as_ref(), observer)?;
    let dir = earlier.make_way(new, batch.out, &task, name);
    Ok(Done { dir, how, ..done })
}

fn run_one(
    order: &Order,
    batch: &Batch<'_>,
    recorded: Option<&Recorded>,
    observer: &mut dyn Observer,
) -> anyhow::Result<(Done, PathBuf)> {
    let arguments = batch.arguments;
    let mut agent = order.contestant.agent(recorded)?;
    let dir = folder::claim(batch.out, &order.task_ref(), order.contestant.name())
        .with_context(|| format!("cannot make a folder in {}", batch.out.display()))?;
    let mut told = settings(order, arguments);
    if let Some(tasks) = relative_path(&dir, &order.set_dir) {
        told.insert(TASKS_SETTING.to_owned(), json!(tasks.display().to_string()));
    }
    let attempt = Attempt {
        set: &order.set,
        task: &order.task,
        limits: limits(arguments),
        settings: told,
        dir: &dir,
        open_environment: &open_environment,
    };
    let manifest = run_task(&attempt, &mut *agent, batch.budget.stop(), observer)
        .inspect_err(|_| {
            // Succeeds only on an empty folder: what was recorded stays.
            std::fs::remove_dir(&dir).ok();
        })
        .with_context(|| format!("the run in {}", dir.display()))?;
    let score = final_score(&dir, order)?;
    Ok((Done { dir: dir.clone(), manifest, score, how: How::Made }, dir))
}

fn limits(arguments: &RunArguments) -> RunLimits {
    RunLimits {
        max_turns: arguments.max_turns.get(),
        max_seconds: arguments.max_seconds,
        max_tokens: arguments.max_tokens,
        max_cost_usd: arguments.max_cost,
        ..RunLimits::default()
    }
}

fn final_score(dir: &Path, order: &Order) -> anyhow::Result<Option<Score>> {
    let run = Arc::new(reader::open(dir)?);
    let scores = score_end(&run, &order.task, &[LIBRARY_VARIANT]);
    Ok(scores.into_iter().next().map(|measured| measured.measurement.score))
}

/// What the manifest remembers, wherever the tasks lie: enough to know how the run was made.
fn settings(order: &Order, arguments: &RunArguments) -> Map<String, Value> {
    let mut settings = Map::new();
    settings.insert("max_turns".to_owned(), json!(arguments.max_turns));
    let limits = [
        ("max_seconds", arguments.max_seconds.map(Value::from)),
        ("max_tokens", arguments.max_tokens.map(Value::from)),
        ("max_cost_usd", arguments.max_cost.map(Value::from)),
    ];
    let limits = limits.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), limit?)));
    settings.extend(limits);
    if arguments.compat != Compat::default() {
        settings.insert(COMPAT_SETTING.to_owned(), json!(arguments.compat.name()));
    }
    settings.extend(order.contestant.settings());
    settings
}

/// Shows what the runs tell until the last has ended.
fn follow(
    orders: &[Order],
    batch: &Batch<'_>,
    receiver: &Receiver<Message>,
) -> Vec<Option<anyhow::Result<Done>>> {
    let mut progress = Progress::start(orders.len(), "runs");
    let mut results: Vec<Option<anyhow::Result<Done>>> = orders.iter().map(|_| None).collect();
    let with_agent = has_several_agents(orders);
    let name_of =
        |at: usize| orders.get(at).map(|order| order.name(with_agent)).unwrap_or_default();
    let mut tokens = 0;
    for message in receiver {
        match message {
            Message::Turn(at, turn) => {
                progress.doing(format!("{} turn {turn}{}", name_of(at), spent(tokens, batch)));
            }
            Message::Done(at, result) => {
                progress.done(&line(&name_of(at), &result));
                let totals = result.as_ref().as_ref().ok().map(|done| &done.manifest.totals);
                tokens += totals.map_or(0, |totals| totals.input_tokens + totals.output_tokens);
                if let Some(place) = results.get_mut(at) {
                    *place = Some(*result);
                }
            }
        }
    }
    results
}

/// The tokens of the runs that are over and the cost of all so far, if models act.
fn spent(tokens: u64, batch: &Batch<'_>) -> String {
    let usd = batch.budget.spent_usd();
    let tokens = if tokens > 0 { format!(" · {tokens} tokens") } else { String::new() };
    let usd = if usd > 0.0 { format!(" · ${usd:.2}") } else { String::new() };
    tokens + &usd
}

fn has_several_agents(orders: &[Order]) -> bool {
    let mut agents = orders.iter().map(|order| &order.contestant);
    let first = agents.next();
    first.is_some_and(|first| agents.any(|other| !Arc::ptr_eq(first, other)))
}

fn line(name: &str, result: &anyhow::Result<Done>) -> String {
    match result {
        Ok(done) => {
            let outcome = match &done.manifest.outcome {
                Outcome::Failed(why) => format!("failed: {why}"),
                Outcome::LimitReached(which) => format!("stopped at a limit: {which}"),
                outcome => outcome_word(outcome).to_owned(),
            };
            let how = match done.how {
                How::Made => String::new(),
                How::Resumed(answers) => format!(" (after {answers} answers of before)"),
                How::Found => " (was there)".to_owned(),
            };
            format!("{name}: {outcome}{how}  {}", done.dir.display())
        }
        Err(error) => format!("{name}: error: {error:#}"),
    }
}

fn table(orders: &[Order], results: &[Option<anyhow::Result<Done>>]) -> String {
    let with_model = orders.iter().any(|order| order.contestant.model().is_some());
    let mut table = Table::new(&columns(with_model));
    for (order, result) in orders.iter().zip(results) {
        table.push(cells(order, result.as_ref(), with_model));
    }
    table.to_text() + "\n" + &means(orders, results)
}

fn columns(with_model: bool) -> Vec<Column> {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut columns = vec![left("task")];
    if with_model {
        columns.push(left("model"));
    }
    columns.extend([left("outcome"), right("turns"), right("calls"), right("failed")]);
    if with_model {
        columns.extend([right("tokens"), right("cost")]);
    }
    columns.push(right("SSIM"));
    columns
}

fn cells(order: &Order, result: Option<&anyhow::Result<Done>>, with_model: bool) -> Vec<String> {
    let mut cells = vec![order.name(false)];
    if with_model {
        cells.push(order.contestant.name().to_owned());
    }
    let Some(Ok(Done { manifest, score, .. })) = result else {
        let what = if result.is_some() { "not recorded" } else { "not begun" };
        cells.push(what.to_owned());
        return cells;
    };
    let totals = &manifest.totals;
    cells.push(outcome_word(&manifest.outcome).to_owned());
    cells.extend([totals.turns, totals.calls, totals.failures].map(|count| count.to_string()));
    if with_model {
        cells.push((totals.input_tokens + totals.output_tokens).to_string());
        cells.push(totals.cost_usd.map(|usd| format!("${usd:.4}")).unwrap_or_default());
    }
    cells.push(score.as_ref().map(score_text).unwrap_or_default());
    cells
}

/// The mean of each agent.
fn means(orders: &[Order], results: &[Option<anyhow::Result<Done>>]) -> String {
    let mut agents: Vec<&Arc<Contestant>> = Vec::new();
    for order in orders {
        if !agents.iter().any(|known| Arc::ptr_eq(known, &order.contestant)) {
            agents.push(&order.contestant);
        }
    }
    let mean = |agent: &Arc<Contestant>| {
        let theirs =
            orders.iter().zip(results).filter(|(order, _)| Arc::ptr_eq(&order.contestant, agent));
        let done = theirs.filter_map(|(_, result)| result.as_ref()?.as_ref().ok());
        let values: Vec<f64> = done.filter_map(|done| done.score.as_ref()?.value()).collect();
        let who = if agents.len() > 1 { format!("{}: ", agent.name()) } else { String::new() };
        mean_of(&values).map_or_else(
            || format!("{who}no run has an SSIM\n"),
            |mean| format!("{who}mean SSIM {mean:.4} over {}\n", runs(values.len())),
        )
    };
    agents.iter().map(|agent| mean(agent)).collect()
}
