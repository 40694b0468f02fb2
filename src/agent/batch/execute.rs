//! From an order to a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::base::{CancelToken, Cancelled};
use crate::environment::OpenEnvironment;
use crate::run::recorder::Durability;
use crate::run::{Event, Manifest, Outcome, TASKS_SETTING, TaskRef, folder};

use super::earlier::{Claim, Earlier, MOST_AGAIN, keep_in, short_before};
use super::settings::relative_path;
use super::{BatchSettings, Budget, Order};
use crate::agent::models::Recorded;
use crate::agent::runner::{Attempt, Observer, RunTaskError, run_prepared_task};
use crate::agent::{AgentError, CpuPool, Growth, OpenAgent, PreparedTask};

/// What came of an order.
#[derive(Clone, Debug)]
pub struct ExecutedRun {
    /// The run's folder.
    pub dir: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// How it came to be.
    pub provenance: Provenance,
    /// Folders of broken-off runs that it took the place of: they are in its own now.
    pub replaced: Vec<PathBuf>,
}

/// How a run came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// It was made now.
    New,
    /// It was made now, and this many answers were there already.
    Resumed(usize),
    /// It was there already.
    Found,
}

/// Why there is no run, or no whole record of it.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Another process is at it.
    #[error("another process is at this run now")]
    Live,
    /// It was stopped before it began.
    #[error("stopped before it began")]
    Cancelled(#[from] Cancelled),
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Its task cannot be prepared.
    #[error(transparent)]
    Task(RunTaskError),
    /// There can be no folder for it.
    #[error("cannot make a folder for the run: {why}: {}", path.display())]
    Folder {
        /// The cause.
        why: std::io::Error,
        /// Where it should be.
        path: PathBuf,
    },
    /// It could not begin, or not be recorded to its end.
    #[error("the run in {}: {why}", dir.display())]
    Run {
        /// The cause.
        why: RunTaskError,
        /// Its folder.
        dir: PathBuf,
    },
}

/// How agents and environments are made: in the program's own way but in tests.
#[derive(Clone, Copy)]
pub struct Openers<'a> {
    /// Makes agents.
    pub agent: &'a OpenAgent,
    /// Makes environments.
    pub environment: &'a OpenEnvironment,
}

impl std::fmt::Debug for Openers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Openers").finish_non_exhaustive()
    }
}

/// A batch while it is worked off: one budget, and the tasks that are worked on now, which several
/// runs share. What is held of a task goes with its last run.
#[derive(Debug)]
pub struct Batch {
    budget: Budget,
    cpu: CpuPool,
    /// By the task and what its runs are told, which changes what they begin with.
    tasks: Mutex<BTreeMap<(TaskRef, String), Weak<PreparedTask>>>,
}

impl Batch {
    /// A batch of which nothing is made yet, whose runs share these threads.
    pub fn new(budget: Budget, cpu: CpuPool) -> Self {
        Self { budget, cpu, tasks: Mutex::default() }
    }

    /// What it may cost, and has.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Makes the run of an order, or finds it, and counts what it costs: of a new run as it is recorded, before the
    /// observer hears of it. With [`LaunchOptions::resume`](super::LaunchOptions::resume) one that came to its end is
    /// found, and one that did not is made again with the answers it had.
    pub fn execute(
        &self,
        order: &Order,
        settings: &BatchSettings,
        openers: Openers<'_>,
        cancel: &CancelToken,
        observer: &mut dyn Observer,
    ) -> Result<ExecutedRun, ExecuteError> {
        // Counted here and not by those who look on, so that no batch can forget to.
        let mut counting = CountingObserver { budget: &self.budget, observer };
        let execution = Execution { batch: self, order, settings, openers, cancel };
        let run = execution.execute(&mut counting)?;
        // An earlier batch paid for it, but it is part of what this batch has cost.
        if run.provenance == Provenance::Found {
            self.budget.spend(run.manifest.totals.cost_usd.unwrap_or(0.0));
        }
        Ok(run)
    }

    /// The order's task, read if no other run has it.
    fn prepared_task(&self, execution: &Execution<'_>) -> Result<Arc<PreparedTask>, RunTaskError> {
        let Execution { order, settings, openers, .. } = *execution;
        let told = settings.options.run_settings();
        let key = (order.task_ref(), Value::Object(told.to_json()).to_string());
        // Locked while it is read, so that no other thread reads the same.
        let mut known = self.tasks.lock();
        if let Some(task) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(task);
        }
        let (task, pictures) = (&order.task, &settings.pictures);
        let task = PreparedTask::read(task, &told, pictures, openers.environment, &self.cpu)?;
        let task = Arc::new(task);
        known.insert(key, Arc::downgrade(&task));
        Ok(task)
    }
}

/// Counts what is recorded on the budget, and passes it on.
struct CountingObserver<'a> {
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
}

impl Observer for CountingObserver<'_> {
    fn placed(&mut self, dir: &Path) {
        self.observer.placed(dir);
    }

    fn started(&mut self, manifest: &Manifest) {
        self.observer.started(manifest);
    }

    fn recorded(&mut self, manifest: &Manifest, event: &Event) {
        if let Event::Usage { usage, .. } = event {
            self.budget.spend(usage.cost_usd.unwrap_or(0.0));
        }
        self.observer.recorded(manifest, event);
    }

    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        self.observer.growing(turn, growth);
    }
}

/// An order while it is executed.
struct Execution<'a> {
    batch: &'a Batch,
    order: &'a Order,
    settings: &'a BatchSettings,
    openers: Openers<'a>,
    cancel: &'a CancelToken,
}

impl Execution<'_> {
    fn execute(&self, observer: &mut dyn Observer) -> Result<ExecutedRun, ExecuteError> {
        let Self { order, settings, cancel, .. } = *self;
        // Held until the run has its last place: nobody sees it while folders are moved.
        let _claim = if settings.options.resume {
            let claim = Claim::take(
                &settings.options.out_dir,
                &order.task_ref(),
                order.agent.name(),
                &settings.told(&order.agent),
                cancel,
            )?;
            Some(claim.ok_or(ExecuteError::Live)?)
        } else {
            None
        };
        let mut run = self.find_or_make(observer)?;
        for _ in 0..MOST_AGAIN {
            if !self.is_to_be_made_again(&run) {
                break;
            }
            // What was broken off while a short run was made again is gone on with.
            let next = if settings.options.resume {
                self.go_on(&self.earlier(), observer)?
            } else {
                self.make(None, observer)?
            };
            run = take_over(next, run);
        }
        Ok(run)
    }

    fn find_or_make(&self, observer: &mut dyn Observer) -> Result<ExecutedRun, ExecuteError> {
        if !self.settings.options.resume {
            return self.make(None, observer);
        }
        let mut earlier = self.earlier();
        let Some((dir, manifest)) = earlier.finished.take() else {
            return self.go_on(&earlier, observer);
        };
        let (provenance, replaced) = (Provenance::Found, Vec::new());
        Ok(ExecutedRun { dir, manifest, provenance, replaced })
    }

    /// Whether the agent ended the run too soon, and it was not made again often enough yet.
    fn is_to_be_made_again(&self, run: &ExecutedRun) -> bool {
        let Some(least) = self.settings.least_turns else { return false };
        // The folders are counted too, not the rounds alone: an earlier process may have made some.
        !self.cancel.is_cancelled()
            && least.is_short(&run.manifest, self.order.task.kind)
            && short_before(&run.dir) < MOST_AGAIN
    }

    fn earlier(&self) -> Earlier {
        let Self { order, settings, .. } = *self;
        let told = settings.told(&order.agent);
        Earlier::find(&settings.options.out_dir, &order.task_ref(), order.agent.name(), &told)
    }

    /// Makes a run with the answers of the broken-off ones.
    fn go_on(
        &self,
        earlier: &Earlier,
        observer: &mut dyn Observer,
    ) -> Result<ExecutedRun, ExecuteError> {
        if earlier.is_live {
            return Err(ExecuteError::Live);
        }
        let answers = earlier.answers();
        let provenance = match &answers {
            Some(answers) => Provenance::Resumed(answers.len()),
            None => Provenance::New,
        };
        let run = self.make(answers, observer)?;
        let (dir, replaced) =
            earlier.make_way(run.dir, &run.manifest, &self.settings.options.out_dir);
        Ok(ExecutedRun { dir, provenance, replaced, ..run })
    }

    /// Makes a new run; `recorded` are answers that are given again before anything is asked.
    fn make(
        &self,
        recorded: Option<Recorded>,
        observer: &mut dyn Observer,
    ) -> Result<ExecutedRun, ExecuteError> {
        let Self { batch, order, settings, openers, cancel } = *self;
        let mut agent = order.agent.agent(recorded, openers.agent)?;
        // Before there is a folder, so that whoever is killed while the task is read leaves none.
        let task = batch.prepared_task(self).map_err(ExecuteError::Task)?;
        let dir = folder::claim(&settings.options.out_dir, &order.task_ref(), order.agent.name())
            .map_err(|why| ExecuteError::Folder {
            why,
            path: settings.options.out_dir.clone(),
        })?;
        let mut told = settings.told(&order.agent);
        // Not part of what two runs are compared by: folders may be moved between them.
        if let Some(tasks) = relative_path(&dir, &order.set_dir) {
            told.insert(TASKS_SETTING.to_owned(), json!(tasks.display().to_string()));
        }
        observer.placed(&dir);
        let attempt = Attempt {
            set: &order.set,
            task: &order.task,
            limits: settings.options.limits.clone(),
            settings: told,
            dir: &dir,
            open_environment: openers.environment,
            pictures: &settings.pictures,
            durability: Durability::EveryTurn,
            cpu: &batch.cpu,
        };
        match run_prepared_task(&attempt, &task, &mut *agent, cancel, observer) {
            Ok(manifest) => {
                let (provenance, replaced) = (Provenance::New, Vec::new());
                Ok(ExecutedRun { dir, manifest, provenance, replaced })
            }
            Err(why) => {
                // Succeeds only on an empty folder: what was recorded stays.
                std::fs::remove_dir(&dir).ok();
                Err(ExecuteError::Run { why, dir })
            }
        }
    }
}

/// Puts a run that was too short into the one that follows it, which gets its place.
fn take_over(next: ExecutedRun, short: ExecutedRun) -> ExecutedRun {
    // One that was stopped may have got less far than the short one: both stay where they are.
    if next.manifest.outcome == Outcome::Cancelled || keep_in(&next.dir, &short.dir).is_err() {
        return next;
    }
    let dir = match std::fs::rename(&next.dir, &short.dir) {
        Ok(()) => short.dir.clone(),
        Err(_) => next.dir,
    };
    let replaced = short.replaced.into_iter().chain([short.dir]).collect();
    ExecutedRun { dir, provenance: short.provenance, replaced, ..next }
}
