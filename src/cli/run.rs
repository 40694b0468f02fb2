//! `pentimento run`: an agent on the tasks of a task set.
//!
//! Every run has a thread of its own while it lasts, `--jobs` of them at a time. They take tasks
//! from one list and tell what came of them over a bounded channel; this thread shows it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender};
use serde_json::{Map, json};

use crate::agent::runner::{Attempt, COMPAT_SETTING, Observer, RunLimits, run_task};
use crate::agent::{AgentOptions, by_kind};
use crate::base::CancelToken;
use crate::environment::canvas::Compat;
use crate::environment::open_environment;
use crate::metric::Score;
use crate::run::{Event, Manifest, Outcome, TaskRef, folder, reader};
use crate::task::Task;
use crate::workbench::LIBRARY_VARIANT;

use super::arguments::RunArguments;
use super::collection::{TASKS_SETTING, open_noting, relative_path};
use super::output::{print, runs, score_text};
use super::progress::Progress;
use super::score::{mean_of, outcome_word};
use super::scoring::score_end;
use super::table::{Column, Side, Table};

/// Messages that may wait to be shown.
const WAITING_MESSAGES: usize = 64;

/// A task to run.
struct Order {
    set: String,
    set_dir: PathBuf,
    task: Arc<Task>,
}

/// What a run tells while it goes on.
enum Message {
    /// The run of this order is at this turn.
    Turn(usize, u32),
    /// The run of this order is over.
    Done(usize, Box<anyhow::Result<Done>>),
}

/// A run that is recorded to its end.
struct Done {
    dir: PathBuf,
    manifest: Manifest,
    score: Option<Score>,
}

/// Does the command.
pub(super) fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    let orders = orders(&arguments.tasks, arguments.filter.as_deref())?;
    // Asked for once before anything is recorded, so that a bad script is said once.
    by_kind(arguments.agent.kind(), &options(arguments))?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    let results = run_all(&orders, arguments)?;
    print(&table(&orders, &results))?;
    let failed = results.iter().filter(|result| !result.as_ref().is_some_and(went_well)).count();
    anyhow::ensure!(failed == 0, "{failed} of {} failed", runs(orders.len()));
    Ok(())
}

fn went_well(result: &anyhow::Result<Done>) -> bool {
    result.as_ref().is_ok_and(|done| !matches!(done.manifest.outcome, Outcome::Failed(_)))
}

fn options(arguments: &RunArguments) -> AgentOptions {
    AgentOptions {
        script: arguments.script.clone(),
        command: arguments.agent.command().map(str::to_owned),
        answer_timeout: Some(Duration::from_secs(u64::from(arguments.answer_timeout.get()))),
    }
}

/// The tasks at a path that the filter lets through, in the order of their sets.
fn orders(path: &Path, filter: Option<&str>) -> anyhow::Result<Vec<Order>> {
    let opened = open_noting(path)?;
    let mut orders = Vec::new();
    for (set, _) in opened.sets {
        let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
        orders.extend(set.tasks.into_iter().map(|task| Order {
            set: set.id.clone(),
            set_dir: dir.clone(),
            task: Arc::new(task),
        }));
    }
    anyhow::ensure!(!orders.is_empty(), "there is no task in {}", path.display());
    let all = orders.len();
    orders.retain(|order| filter.is_none_or(|filter| order.matches(filter)));
    let filter = filter.unwrap_or_default();
    anyhow::ensure!(
        !orders.is_empty(),
        "none of the {all} tasks has \"{filter}\" in its set, id, category or instruction"
    );
    Ok(orders)
}

impl Order {
    fn matches(&self, filter: &str) -> bool {
        let task = &self.task;
        let texts =
            [Some(&self.set), Some(&task.id), task.category.as_ref(), Some(&task.instruction)];
        let filter = filter.to_lowercase();
        texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&filter))
    }

    fn name(&self) -> String {
        format!("{}/{}", self.set, self.task.id)
    }
}

/// Runs every order; the results stand at the same places.
fn run_all(
    orders: &[Order],
    arguments: &RunArguments,
) -> anyhow::Result<Vec<Option<anyhow::Result<Done>>>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(WAITING_MESSAGES);
    std::thread::scope(|scope| {
        for number in 1..=arguments
            .jobs
            .min(NonZeroUsize::new(orders.len()).unwrap_or(NonZeroUsize::MIN))
            .get()
        {
            let (next, sender) = (&next, sender.clone());
            std::thread::Builder::new()
                .name(format!("run-{number}"))
                .spawn_scoped(scope, move || take_orders(orders, next, arguments, &sender))
                .context("cannot start a thread")?;
        }
        drop(sender);
        Ok(follow(orders, &receiver))
    })
}

/// Runs orders from the list until there is none.
fn take_orders(
    orders: &[Order],
    next: &AtomicUsize,
    arguments: &RunArguments,
    sender: &Sender<Message>,
) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(order) = orders.get(at) else { return };
        let mut observer = TurnObserver { at, sender };
        let result = run_one(order, arguments, &mut observer);
        if sender.send(Message::Done(at, Box::new(result))).is_err() {
            return;
        }
    }
}

/// Passes on at which turn a run is. It never waits: what does not fit is not shown.
struct TurnObserver<'a> {
    at: usize,
    sender: &'a Sender<Message>,
}

impl Observer for TurnObserver<'_> {
    fn started(&mut self, _manifest: &Manifest) {}

    fn recorded(&mut self, _manifest: &Manifest, event: &Event) {
        if let Event::Turn { turn, .. } = event {
            self.sender.try_send(Message::Turn(self.at, *turn)).ok();
        }
    }
}

fn run_one(
    order: &Order,
    arguments: &RunArguments,
    observer: &mut dyn Observer,
) -> anyhow::Result<Done> {
    let mut agent = by_kind(arguments.agent.kind(), &options(arguments))?;
    let task_ref = TaskRef { set: order.set.clone(), id: order.task.id.clone() };
    let dir = folder::claim(&arguments.out, &task_ref, &agent.identity().name)
        .with_context(|| format!("cannot make a folder in {}", arguments.out.display()))?;
    let cancel = CancelToken::new();
    let attempt = Attempt {
        set: &order.set,
        task: &order.task,
        limits: RunLimits { max_turns: arguments.max_turns.get(), ..RunLimits::default() },
        settings: settings(order, &dir, arguments),
        dir: &dir,
        open_environment: &open_environment,
    };
    let manifest = run_task(&attempt, &mut *agent, &cancel, observer)
        .inspect_err(|_| {
            // Succeeds only on an empty folder: what was recorded stays.
            std::fs::remove_dir(&dir).ok();
        })
        .with_context(|| format!("the run in {}", dir.display()))?;
    let run = Arc::new(reader::open(&dir)?);
    let scores = score_end(&run, &order.task, &[LIBRARY_VARIANT]);
    let score = scores.into_iter().next();
    let score = score.map(|measured| measured.measurement.score);
    Ok(Done { dir, manifest, score })
}

/// What the manifest remembers: enough to score the run later, and to know how it was made.
fn settings(order: &Order, dir: &Path, arguments: &RunArguments) -> Map<String, serde_json::Value> {
    let mut settings = Map::new();
    if let Some(tasks) = relative_path(dir, &order.set_dir) {
        settings.insert(TASKS_SETTING.to_owned(), json!(tasks.display().to_string()));
    }
    settings.insert("max_turns".to_owned(), json!(arguments.max_turns));
    if arguments.compat != Compat::default() {
        settings.insert(COMPAT_SETTING.to_owned(), json!(arguments.compat.name()));
    }
    if let Some(name) = arguments.script.as_deref().and_then(Path::file_name) {
        settings.insert("script".to_owned(), json!(name.to_string_lossy()));
    }
    if let Some(command) = arguments.agent.command() {
        settings.insert("command".to_owned(), json!(command));
        settings.insert("answer_timeout_secs".to_owned(), json!(arguments.answer_timeout));
    }
    settings
}

/// Shows what the runs tell until the last has ended.
fn follow(orders: &[Order], receiver: &Receiver<Message>) -> Vec<Option<anyhow::Result<Done>>> {
    let mut progress = Progress::start(orders.len(), "runs");
    let mut results: Vec<Option<anyhow::Result<Done>>> = orders.iter().map(|_| None).collect();
    for message in receiver {
        match message {
            Message::Turn(at, turn) => {
                let name = orders.get(at).map(Order::name).unwrap_or_default();
                progress.doing(format!("{name} turn {turn}"));
            }
            Message::Done(at, result) => {
                let name = orders.get(at).map(Order::name).unwrap_or_default();
                progress.done(&line(&name, &result));
                if let Some(place) = results.get_mut(at) {
                    *place = Some(*result);
                }
            }
        }
    }
    results
}

fn line(name: &str, result: &anyhow::Result<Done>) -> String {
    match result {
        Ok(done) => {
            let outcome = match &done.manifest.outcome {
                Outcome::Failed(why) => format!("failed: {why}"),
                Outcome::LimitReached(which) => format!("stopped at a limit: {which}"),
                outcome => outcome_word(outcome).to_owned(),
            };
            format!("{name}: {outcome}  {}", done.dir.display())
        }
        Err(error) => format!("{name}: error: {error:#}"),
    }
}

fn table(orders: &[Order], results: &[Option<anyhow::Result<Done>>]) -> String {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut table = Table::new(&[
        left("task"),
        left("outcome"),
        right("turns"),
        right("calls"),
        right("failed"),
        right("SSIM"),
    ]);
    for (order, result) in orders.iter().zip(results) {
        table.push(cells(order, result.as_ref()));
    }
    let done = results.iter().flatten().filter_map(|result| result.as_ref().ok());
    let values: Vec<f64> = done.filter_map(|done| done.score.as_ref()?.value()).collect();
    let mean = mean_of(&values).map_or_else(
        || "no run has an SSIM\n".to_owned(),
        |mean| format!("mean SSIM {mean:.4} over {}\n", runs(values.len())),
    );
    table.to_text() + "\n" + &mean
}

fn cells(order: &Order, result: Option<&anyhow::Result<Done>>) -> Vec<String> {
    let Some(Ok(Done { manifest, score, .. })) = result else {
        return vec![order.name(), "not recorded".to_owned()];
    };
    let totals = &manifest.totals;
    vec![
        order.name(),
        outcome_word(&manifest.outcome).to_owned(),
        totals.turns.to_string(),
        totals.calls.to_string(),
        totals.failures.to_string(),
        score.as_ref().map(score_text).unwrap_or_default(),
    ]
}
