//! `pentimento run`: agents on the tasks of a task set.
//!
//! Every run has a thread of its own while it lasts, `--jobs` of them at a time. They take tasks
//! from one list and tell what came of them over a bounded channel; this thread shows it. How an
//! order becomes a run is [`crate::agent::batch`]'s.
//!
//! - `contestant`: who acts; `order`: each task with each of them; `table`: what came of them;
//! - `estimate`: what it would cost (`--dry-run`); `replay`: a run from its record (`--replay`);
//!   `again`: a run with the settings of another (`--again`);
//! - `interrupt`: Ctrl-C.

mod again;
mod contestant;
mod estimate;
mod interrupt;
mod order;
mod replay;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender};

use crate::agent::batch::{
    BatchSettings, Budget, Contestant, How, Openers, Order, ReadyTasks, make,
};
use crate::agent::runner::{Observer, RunLimits};
use crate::agent::{PictureSource, by_kind};
use crate::environment::Compat;
use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::run::{Event, Manifest, Outcome, reader};
use crate::task::PictureFolder;

use super::arguments::RunArguments;
use super::output::{print, runs};
use super::progress::Progress;
use super::score::outcome_word;
use super::scoring::score_end;
use crate::cli::environments::{environments, fonts};

use contestant::contestants;
use interrupt::stop_on_interrupt;
use order::name;
use table::Done;

/// Messages that may wait to be shown.
const WAITING_MESSAGES: usize = 64;

/// What a run tells while it goes on.
enum Message {
    /// The run of this order is at this turn.
    Turn(usize, u32),
    /// The run of this order is over.
    Done(usize, Box<anyhow::Result<Done>>),
}

/// What all runs of a batch share.
struct Batch {
    settings: BatchSettings,
    jobs: usize,
    budget: Budget,
    tasks: ReadyTasks,
}

/// Does the command.
pub(super) fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    if let Some(run) = &arguments.replay {
        return replay::replay(run, arguments);
    }
    if let Some(run) = &arguments.again {
        let (order, settings) = again::again(run, arguments)?;
        let (budget, tasks) = (Budget::new(None, 0.0), ReadyTasks::default());
        let batch = Batch { settings, jobs: 1, budget, tasks };
        return run_batch(&[order], &batch);
    }
    let tasks = arguments.tasks.as_deref().context("say which tasks: --tasks PATH")?;
    let contestants = contestants(arguments)?;
    let orders = order::orders(tasks, arguments.filter.as_deref(), &contestants)?;
    ensure_compat(&orders, arguments.compat)?;
    if arguments.dry_run {
        return estimate::estimate(&orders, &picture_source(arguments)?, arguments);
    }
    let out = arguments.out.as_deref().context("say where runs go: --out DIR")?;
    ensure_prices(arguments, &contestants)?;
    let batch = Batch {
        settings: settings(arguments, out)?,
        jobs: arguments.jobs.get(),
        budget: Budget::new(arguments.budget, 0.0),
        tasks: ReadyTasks::default(),
    };
    run_batch(&orders, &batch)
}

fn run_batch(orders: &[Order], batch: &Batch) -> anyhow::Result<()> {
    let out = &batch.settings.out;
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    stop_on_interrupt(batch.budget.stop());
    let results = run_all(orders, batch)?;
    print(&table::table(orders, &results))?;
    conclude(orders, &results, batch)
}

fn settings(arguments: &RunArguments, out: &Path) -> anyhow::Result<BatchSettings> {
    Ok(BatchSettings {
        out: out.to_path_buf(),
        limits: RunLimits {
            max_turns: arguments.max_turns.get(),
            max_seconds: arguments.max_seconds,
            max_tokens: arguments.max_tokens,
            max_cost_usd: arguments.max_cost,
            ..RunLimits::default()
        },
        compat: arguments.compat,
        fonts: fonts(arguments.fonts),
        resume: arguments.resume,
        least_turns: arguments.least_turns,
        pictures: picture_source(arguments)?,
    })
}

/// Where it is said that the pictures of queries are.
fn picture_source(arguments: &RunArguments) -> anyhow::Result<PictureSource> {
    let folder = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    Ok(PictureSource::in_folder(folder))
}

/// What the tools do must be about the tools of every task.
fn ensure_compat(orders: &[Order], compat: Compat) -> anyhow::Result<()> {
    let others = orders.iter().filter(|order| !compat.fits(&order.task.environment));
    let others: Vec<&Order> = others.collect();
    let (Some(first), Some(of)) = (others.first(), compat.environment()) else { return Ok(()) };
    anyhow::bail!(
        "--compat {} is about the tools of the environment {of}; {} of {} runs are of others, such as {} \
         ({}): choose their tasks with --filter, or run them without it",
        compat.name(),
        others.len(),
        orders.len(),
        first.task.id,
        first.task.environment,
    )
}

/// A budget needs to know what answers cost.
fn ensure_prices(arguments: &RunArguments, contestants: &[Arc<Contestant>]) -> anyhow::Result<()> {
    if arguments.budget.is_none() {
        return Ok(());
    }
    for contestant in contestants {
        anyhow::ensure!(
            !contestant.is_unpriced(),
            "--budget needs to know what {} costs: give it \"prices\" in the file of models",
            contestant.name()
        );
    }
    Ok(())
}

/// The last word: an error if not every order has a run that came to its end.
fn conclude(
    orders: &[Order],
    results: &[Option<anyhow::Result<Done>>],
    batch: &Batch,
) -> anyhow::Result<()> {
    let failed = results.iter().flatten().filter(|result| !went_well(result)).count();
    let waiting = results.iter().filter(|result| result.is_none()).count();
    let budget = &batch.budget;
    if budget.is_spent() {
        anyhow::bail!(
            "the budget is spent (${:.2}): {waiting} of {} did not begin; give more and --resume",
            budget.spent_usd(),
            runs(orders.len())
        );
    }
    if budget.stop().is_ending() {
        anyhow::bail!(
            "stopped: {} of {} came to no end; the same command with --resume goes on, and asks \
             nothing that was answered again",
            failed + waiting,
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
fn run_all(orders: &[Order], batch: &Batch) -> anyhow::Result<Vec<Option<anyhow::Result<Done>>>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(WAITING_MESSAGES);
    std::thread::scope(|scope| {
        for number in 1..=batch.jobs.min(orders.len().max(1)) {
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
fn take_orders(orders: &[Order], next: &AtomicUsize, batch: &Batch, sender: &Sender<Message>) {
    while !batch.budget.stop().is_ending() {
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

/// What there is of this order already, or a new run; scored.
fn run_order(order: &Order, batch: &Batch, observer: &mut dyn Observer) -> anyhow::Result<Done> {
    let openers =
        Openers { agent: &by_kind, environment: &environments().opener(), tasks: &batch.tasks };
    let made = make(order, &batch.settings, openers, batch.budget.stop(), observer)?;
    if made.how == How::Found {
        batch.budget.spend(made.manifest.totals.cost_usd.unwrap_or(0.0));
    }
    let score = final_score(&made.dir, order)?;
    Ok(Done { dir: made.dir, manifest: made.manifest, score, how: made.how })
}

fn final_score(dir: &Path, order: &Order) -> anyhow::Result<Option<Score>> {
    let run = Arc::new(reader::open(dir)?);
    let scores = score_end(&run, &order.task, &[PrimaryMetric::of_task(&order.task).variant()]);
    Ok(scores.into_iter().next().map(|measured| measured.measurement.score))
}

/// Shows what the runs tell until the last has ended.
fn follow(
    orders: &[Order],
    batch: &Batch,
    receiver: &Receiver<Message>,
) -> Vec<Option<anyhow::Result<Done>>> {
    let mut progress = Progress::start(orders.len(), "runs");
    let mut results: Vec<Option<anyhow::Result<Done>>> = orders.iter().map(|_| None).collect();
    let with_agent = has_several_agents(orders);
    let name_of =
        |at: usize| orders.get(at).map(|order| name(order, with_agent)).unwrap_or_default();
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
fn spent(tokens: u64, batch: &Batch) -> String {
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
