//! `pentimento run`: agents on the tasks of a task set.
//!
//! Every run has a thread of its own while it lasts, `--jobs` of them at a time. They tell what came of
//! their orders over a bounded channel; this thread shows it. How orders are worked off and become runs
//! is [`crate::agent::batch`]'s.
//!
//! - `plan`: each task with each agent, as the command line says; `table`: what came of them;
//! - `estimate`: what it would cost (`--dry-run`); `replay`: a run from its record (`--replay`);
//!   `again`: a run with the settings of another (`--again`); `continued`: runs that go on with one
//!   (`--continue`); `experiment`: what one file crosses
//!   (`--experiment`).

mod again;
mod continued;
mod estimate;
mod experiment;
mod plan;
mod planned;
mod replay;
mod table;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender};

use crate::agent::batch::{
    Batch, Budget, ExecutedRun, LaunchOptions, Openers, Order, OrderQueue, Provenance,
};
use crate::agent::runner::Observer;
use crate::agent::{CpuPool, by_kind};
use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::model::ModelSettings;
use crate::run::{Event, Manifest, Outcome, reader};

use super::arguments::RunArguments;
use super::interrupt::stop_on_interrupt;
use super::output::{print, runs};
use super::progress::Progress;
use super::scoring::{Cache, score_end, scorer};
use crate::cli::environments::environments;

use planned::{PlannedRun, alike};
use table::{FinishedRun, agents_of};

/// Messages that may wait to be shown.
const WAITING_MESSAGES: usize = 64;

/// What a run tells while it goes on.
enum RunUpdate {
    /// The run of this order is at this turn.
    Turn(usize, u32),
    /// The run of this order is over.
    Done(usize, Box<anyhow::Result<FinishedRun>>),
}

/// Does the command.
pub(super) fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    if let Some(run) = &arguments.replay {
        return replay::replay(run, arguments);
    }
    if let Some(run) = &arguments.again {
        let (order, settings) = again::again(run, arguments)?;
        return run_planned(alike(vec![order], settings));
    }
    if let Some(file) = &arguments.experiment {
        let runs = experiment::planned_runs(file, arguments)?;
        return if arguments.dry_run { estimate::estimate(&runs) } else { run_planned(runs) };
    }
    if let Some(continued) = &arguments.continued {
        let runs = continued::planned_runs(continued, arguments)?;
        return if arguments.dry_run { estimate::estimate(&runs) } else { run_planned(runs) };
    }
    let tasks = arguments.tasks.as_deref().context("say which tasks: --tasks PATH")?;
    let agents = plan::agent_configs(arguments)?;
    let orders = plan::orders(tasks, arguments.filter.as_deref(), &agents)?;
    // What costs nothing writes nothing, and needs no folder.
    let no_folder = Path::new("");
    let out = arguments.out.as_deref().or(arguments.dry_run.then_some(no_folder));
    let out = out.context("say where runs go: --out DIR")?;
    let runs = alike(orders, plan::settings(arguments, out)?);
    plan::ensure_compat(&runs)?;
    if arguments.dry_run {
        return estimate::estimate(&runs);
    }
    plan::ensure_prices(arguments.budget, &agents)?;
    run_planned(runs)
}

/// What is to be done.
struct Plan {
    runs: Vec<PlannedRun>,
    batch: Batch,
}

impl Plan {
    /// How many runs at once; all are told the same.
    fn at_once(&self) -> usize {
        self.runs.first().map_or(1, |run| run.settings.options.at_once as usize)
    }
}

/// Makes the runs, which all go into one folder and on one budget.
fn run_planned(runs: Vec<PlannedRun>) -> anyhow::Result<()> {
    let Some(first) = runs.first() else { return Ok(()) };
    let LaunchOptions { out_dir: out, budget_usd, .. } = &first.settings.options;
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    let batch = Batch::new(Budget::new(*budget_usd, 0.0), CpuPool::of_processors());
    // One token for all runs: Ctrl-C and a spent budget stop them the same way.
    stop_on_interrupt(batch.budget().stop(), "the turns under way are recorded");
    let plan = Arc::new(Plan { runs, batch });
    let results = run_all(&plan)?;
    print(&table::table(&plan.runs, &results))?;
    conclude(&results, plan.batch.budget())
}

/// The last word: an error if not every order has a run that came to its end.
fn conclude(
    results: &[Option<anyhow::Result<FinishedRun>>],
    budget: &Budget,
) -> anyhow::Result<()> {
    let failed = results.iter().flatten().filter(|result| !went_well(result)).count();
    let waiting = results.iter().filter(|result| result.is_none()).count();
    let orders = runs(results.len());
    // A budget that is spent has stopped the others too, so it is looked at first.
    if budget.is_spent() {
        anyhow::bail!(
            "the budget is spent (${:.2}): {waiting} of {orders} did not begin; give more and --resume",
            budget.spent_usd(),
        );
    }
    if budget.stop().is_stopping() {
        anyhow::bail!(
            "stopped: {} of {orders} came to no end; the same command with --resume goes on, and asks \
             nothing that was answered again",
            failed + waiting,
        );
    }
    anyhow::ensure!(failed + waiting == 0, "{} of {orders} failed", failed + waiting);
    Ok(())
}

fn went_well(result: &anyhow::Result<FinishedRun>) -> bool {
    // A limit was asked for: a run that meets it has done what it should.
    result.as_ref().is_ok_and(|done| {
        matches!(done.manifest.outcome, Outcome::Completed | Outcome::LimitReached(_))
    })
}

/// Runs every order; the results stand at the same places. `None`: it did not begin.
fn run_all(plan: &Arc<Plan>) -> anyhow::Result<Vec<Option<anyhow::Result<FinishedRun>>>> {
    let (sender, receiver) = crossbeam_channel::bounded(WAITING_MESSAGES);
    let queue = Arc::new(OrderQueue::new(0..plan.runs.len()));
    let worked_on = Arc::clone(plan);
    let threads = queue.work_off(
        plan.at_once().min(plan.runs.len()),
        |_at| true,
        move |at| {
            // Stopped, or nothing is left to spend: what has not begun never does.
            if worked_on.batch.budget().stop().is_stopping() {
                return;
            }
            let Some(run) = worked_on.runs.get(at) else { return };
            let result = make_run(run, &worked_on, &mut TurnObserver { at, sender: &sender });
            // Waits for its turn: unlike a turn's message, this one must not be lost.
            sender.send(RunUpdate::Done(at, Box::new(result))).ok();
        },
    );
    let threads = threads.context("cannot start a thread")?;
    // Ends when the last thread has dropped its sender.
    let results = follow(plan, &receiver);
    for thread in threads {
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
    Ok(results)
}

/// Passes on at which turn a run is. It never waits: what does not fit is not shown.
struct TurnObserver<'a> {
    at: usize,
    sender: &'a Sender<RunUpdate>,
}

impl Observer for TurnObserver<'_> {
    fn started(&mut self, _manifest: &Manifest) {}

    fn recorded(&mut self, _manifest: &Manifest, event: &Event) {
        if let Event::Turn { turn, .. } = event {
            self.sender.try_send(RunUpdate::Turn(self.at, *turn)).ok();
        }
    }
}

/// What there is of this order already, or a new run; scored.
fn make_run(
    run: &PlannedRun,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> anyhow::Result<FinishedRun> {
    let PlannedRun { order, settings } = run;
    let openers = Openers { agent: &by_kind, environment: &environments().opener() };
    let stop = plan.batch.budget().stop();
    let executed = plan.batch.execute(order, settings, openers, stop, observer)?;
    // On the run's own thread, while others go on.
    let score = final_score(&executed.dir, order)?;
    let ExecutedRun { dir, manifest, provenance, .. } = executed;
    Ok(FinishedRun { dir, manifest, score, provenance })
}

fn final_score(dir: &Path, order: &Order) -> anyhow::Result<Option<Score>> {
    let run = Arc::new(reader::open(dir)?);
    // None of them needs a model.
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let variants = [PrimaryMetric::of_task(&order.task).variant()];
    let scores = score_end(&scorer, &run, &order.task, &variants);
    Ok(scores.into_iter().next().map(|measured| measured.measurement.score))
}

/// Shows what the runs tell until the last has ended.
fn follow(plan: &Plan, receiver: &Receiver<RunUpdate>) -> Vec<Option<anyhow::Result<FinishedRun>>> {
    let mut progress = Progress::start(plan.runs.len(), "runs");
    let mut results: Vec<Option<anyhow::Result<FinishedRun>>> =
        plan.runs.iter().map(|_| None).collect();
    let mut names: Vec<String> = plan.runs.iter().map(|run| run.order.task_name()).collect();
    // With a single agent the name of the task says which run it is.
    if agents_of(&plan.runs).len() > 1 {
        names = plan.runs.iter().map(|run| run.order.full_name()).collect();
    }
    let mut tokens = 0;
    for message in receiver {
        match message {
            RunUpdate::Turn(at, turn) => {
                let spent = spent(tokens, plan.batch.budget());
                progress.doing(format!("{} turn {turn}{spent}", names[at]));
            }
            RunUpdate::Done(at, result) => {
                progress.done(&line(&names[at], &result));
                if let Ok(done) = &*result {
                    let totals = &done.manifest.totals;
                    tokens += totals.input_tokens + totals.output_tokens;
                }
                results[at] = Some(*result);
            }
        }
    }
    results
}

/// The tokens of the runs that are over and the cost of all so far, if models act.
fn spent(tokens: u64, budget: &Budget) -> String {
    let usd = budget.spent_usd();
    let tokens = if tokens > 0 { format!(" · {tokens} tokens") } else { String::new() };
    let usd = if usd > 0.0 { format!(" · ${usd:.2}") } else { String::new() };
    tokens + &usd
}

fn line(name: &str, result: &anyhow::Result<FinishedRun>) -> String {
    match result {
        Ok(done) => {
            let outcome = match &done.manifest.outcome {
                Outcome::Failed(why) => format!("failed: {why}"),
                Outcome::LimitReached(which) => format!("stopped at a limit: {which}"),
                outcome => outcome.word().to_owned(),
            };
            let provenance = match done.provenance {
                Provenance::New => String::new(),
                Provenance::Resumed(answers) => format!(" (after {answers} answers of before)"),
                Provenance::Found => " (was there)".to_owned(),
            };
            format!("{name}: {outcome}{provenance}  {}", done.dir.display())
        }
        Err(error) => format!("{name}: error: {error:#}"),
    }
}
