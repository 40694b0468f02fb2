//! Agents' runs: some at once, each on a thread, each told of as it grows.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::Sender;
use parking_lot::Mutex;

use crate::agent::batch::{
    AgentChoice, AgentConfig, Batch, BatchSettings, Budget, ExecutedRun, Experiment,
    ExperimentCell, LaunchOptions, Openers, Order, OrderQueue,
};
use crate::agent::models::OpenedModels;
use crate::agent::runner::Observer;
use crate::agent::{CpuPool, Growth, PictureSource};
use crate::base::{CancelToken, Cancelled, PauseChange};
use crate::run::builder::RunBuilder;
use crate::run::{Event as RunEvent, Manifest, Outcome, RunOrigin};
use crate::task::PictureFolder;
use crate::workbench::protocol::{LaunchPlan, LaunchRun, ListedRun};
use crate::workbench::{Event, JobId, JobOutcome, Progress, RunId};

use super::reading::ReadOrder;
use super::shared::Shared;
use super::shared::job_border::{JobError, end_job, run_job};
use super::shared::live::LiveRun;

/// Most runs at once in one launch, whatever is asked.
const MOST_AT_ONCE: u32 = 256;

/// Some runs that were launched together.
#[derive(Debug)]
pub(super) struct Launch {
    agents: Vec<LaunchedAgent>,
    options: LaunchOptions,
    batch: Batch,
    /// The options with what is in the folder of pictures, or with what the run had that is made again;
    /// read by the first that begins.
    settings: OnceLock<Result<BatchSettings, String>>,
    jobs: Vec<JobId>,
    /// Runs that have not begun.
    pub(super) queue: Arc<OrderQueue<LaunchRun>>,
    /// The experiment and its cells, as the agents are.
    experiment: Option<(Experiment, Vec<ExperimentCell>)>,
    /// Models that several cells share.
    models: OpenedModels,
    /// So that it is said once.
    told_of_budget: OnceLock<()>,
}

/// Someone who acts, made ready by the first run that needs them: a key may have to be asked for.
#[derive(Debug)]
struct LaunchedAgent {
    choice: AgentChoice,
    opened: OnceLock<Result<Arc<AgentConfig>, String>>,
}

impl Launch {
    pub(super) fn new(runs: Vec<LaunchRun>, plan: LaunchPlan, cpu: CpuPool) -> Self {
        let agents = plan.agents.into_iter();
        Self {
            agents: agents
                .map(|choice| LaunchedAgent { choice, opened: OnceLock::new() })
                .collect(),
            batch: Batch::new(Budget::new(plan.options.budget_usd, 0.0), cpu),
            options: plan.options,
            experiment: plan.experiment.map(|experiment| {
                let cells = experiment.cells();
                (*experiment, cells)
            }),
            models: OpenedModels::default(),
            settings: OnceLock::new(),
            jobs: runs.iter().map(|run| run.job).collect(),
            queue: Arc::new(OrderQueue::new(runs)),
            told_of_budget: OnceLock::new(),
        }
    }

    fn agent(&self, shared: &Shared, at: usize) -> Result<&Arc<AgentConfig>, JobError> {
        let Some(agent) = self.agents.get(at) else {
            return Err(JobError::failed("the launch does not say who acts"));
        };
        // The first run opens it for all: a key is asked for once, and refused once.
        let opened = agent.opened.get_or_init(|| {
            let config = agent.choice.open(&*shared.open_agent, &self.models, &shared.variables);
            let config = config.map_err(|error| error.to_string())?;
            if self.batch.budget().most_usd().is_some() && config.is_unpriced() {
                return Err(format!(
                    "a budget needs to know what {} costs: give it \"prices\" in the file of models",
                    config.name()
                ));
            }
            Ok(Arc::new(config))
        });
        opened.as_ref().map_err(JobError::failed)
    }

    fn order(&self, shared: &Shared, run: LaunchRun) -> Result<Order, JobError> {
        let LaunchRun { task_ref, set_dir, task, agent, .. } = run;
        let agent = Arc::clone(self.agent(shared, agent)?);
        Ok(Order { set: task_ref.set, set_dir, task, agent })
    }

    /// What a run of this agent and repeat is told: what all have in common, with the pictures, and of
    /// which experiment it is.
    fn settings(&self, agent: usize, repeat: u32) -> Result<BatchSettings, JobError> {
        let mut settings = self.shared_settings()?.clone();
        if let Some((experiment, cells)) = &self.experiment
            && let Some(cell) = cells.get(agent)
        {
            settings.experiment = Some(experiment.told(cell, repeat));
        }
        Ok(settings)
    }

    fn shared_settings(&self) -> Result<&BatchSettings, JobError> {
        let settings = self.settings.get_or_init(|| {
            if let Some((experiment, _)) = &self.experiment {
                experiment.keep_copy(&self.options.out_dir).map_err(|error| error.to_string())?;
            }
            let pictures = self.read_pictures()?;
            Ok(BatchSettings { pictures, ..BatchSettings::new(self.options.clone()) })
        });
        settings.as_ref().map_err(JobError::failed)
    }

    fn read_pictures(&self) -> Result<PictureSource, String> {
        if let Some(folder) = &self.options.pictures {
            let folder = PictureFolder::open(folder).map_err(|error| error.to_string())?;
            return Ok(PictureSource::Folder(Arc::new(folder)));
        }
        // One run is made again at a time, so that its pictures are those of all runs of the launch.
        for agent in &self.agents {
            if let AgentChoice::Again { manifest, dir } = &agent.choice {
                return PictureSource::of_run(dir, manifest).map_err(|error| error.to_string());
            }
        }
        Ok(PictureSource::Nowhere)
    }

    /// When the budget is spent, nothing begins any more, and what is under way ends after the turn it
    /// is at.
    fn heed_budget(&self, shared: &Shared) {
        let budget = self.batch.budget();
        // Several runs may notice at once: one of them says it and ends the others.
        if !budget.is_spent() || self.told_of_budget.set(()).is_err() {
            return;
        }
        let waiting = self.queue.drain();
        let (most, spent) = (budget.most_usd().unwrap_or_default(), budget.spent_usd());
        let message = format!(
            "the budget of ${most:.2} is spent (${spent:.2}): {} did not begin and the others are \
             stopped; launch again with more, and go on with what is in the folder",
            waiting.len()
        );
        shared.mailbox.send_now(Event::Warned { message });
        for run in waiting {
            end_job(shared, run.job, JobOutcome::Cancelled);
        }
        for job in &self.jobs {
            shared.jobs.stop_after_turn(*job);
        }
    }
}

/// Enters the jobs of a launch, each with a token that tells the window when its run waits.
pub(super) fn enter(shared: &Arc<Shared>, runs: &[LaunchRun]) {
    for run in runs {
        shared.jobs.enter_with(run.job, notifying(shared, run.job));
    }
}

/// A token that tells the window when a job waits and when it goes on.
pub(super) fn notifying(shared: &Arc<Shared>, job: JobId) -> CancelToken {
    // Weak, as the token is kept in what is shared.
    let weak: Weak<Shared> = Arc::downgrade(shared);
    CancelToken::notifying(move |change| {
        if let Some(shared) = weak.upgrade() {
            let is_paused = change == PauseChange::Begins;
            shared.mailbox.send_now(Event::RunPaused { job, is_paused });
        }
    })
}

/// Starts the threads of a launch. Every job is entered already; if no thread can be had, all end with
/// the reason.
pub(super) fn launch(
    shared: &Arc<Shared>,
    reader: &Sender<ReadOrder>,
    launch: &Arc<Launch>,
) -> Vec<JoinHandle<()>> {
    let at_once = launch.options.at_once.clamp(1, MOST_AT_ONCE);
    // A thread that finds no run would end at once.
    let threads = (at_once as usize).min(launch.jobs.len());
    let jobs = Arc::clone(shared);
    let (shared_by_runs, launched, reader) =
        (Arc::clone(shared), Arc::clone(launch), Sender::clone(reader));
    let started = launch.queue.work_off(
        threads,
        // A paused run is passed over, so that those behind it begin; a stopped one ends below.
        move |run| {
            let token = jobs.jobs.token(run.job);
            token.is_cancelled() || !token.is_paused()
        },
        // A stopped job ends without beginning.
        move |run| {
            run_job(&shared_by_runs, run.job, |cancel| {
                run_agent(&shared_by_runs, &reader, &launched, run, cancel)
            });
        },
    );
    started.unwrap_or_else(|_no_thread| {
        let why = "the system gives no more threads: close other programs and try again";
        for run in launch.queue.drain() {
            end_job(shared, run.job, JobOutcome::Failed(why.to_owned()));
        }
        Vec::new()
    })
}

fn run_agent(
    shared: &Shared,
    reader: &Sender<ReadOrder>,
    launch: &Launch,
    run: LaunchRun,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let (job, run_id) = (run.job, run.run_id);
    let settings = launch.settings(run.agent, run.repeat)?;
    let order = launch.order(shared, run)?;
    let openers = Openers { agent: &*shared.open_agent, environment: &*shared.open_environment };
    let mut reporter = Reporter { shared, launch, job, run_id, dir: PathBuf::new(), run: None };
    let executed = launch.batch.execute(&order, &settings, openers, cancel, &mut reporter);
    let result = match executed.as_ref().map(|run| &run.manifest.outcome) {
        Err(error) => Err(JobError::failed(error)),
        Ok(Outcome::Failed(why)) => Err(JobError::failed(why)),
        Ok(Outcome::Cancelled) => Err(Cancelled.into()),
        Ok(Outcome::Completed | Outcome::LimitReached(_) | Outcome::Running) => Ok(()),
    };
    reporter.finished(executed.ok(), reader);
    // What was there already may have cost all that there is.
    launch.heed_budget(shared);
    result
}

/// Tells the window of a run as it is recorded, turn by turn, without waiting for anything.
struct Reporter<'a> {
    shared: &'a Shared,
    launch: &'a Launch,
    job: JobId,
    run_id: RunId,
    dir: PathBuf,
    /// `None` until the run exists.
    run: Option<Arc<Mutex<LiveRun>>>,
}

impl Reporter<'_> {
    fn report_run(&self, run: &LiveRun) {
        if self.shared.live.is_watched(self.run_id) {
            run.emit(self.run_id, &self.shared.mailbox);
        } else {
            run.emit_growth(self.run_id, &self.shared.mailbox);
        }
    }

    fn report_progress(&self, manifest: &Manifest, turn: u32) {
        let calls = manifest.totals.calls;
        let progress = Progress {
            // The turn that begins is not done.
            done: u64::from(turn.saturating_sub(1)),
            total: u64::from(self.launch.options.limits.max_turns),
            message: format!("turn {turn} · {calls} calls"),
        };
        self.shared.mailbox.send_now(Event::Progress(self.job, progress));
    }

    /// The last word on the run; from then on the reader looks after its folder.
    fn finished(&mut self, executed: Option<ExecutedRun>, reader: &Sender<ReadOrder>) {
        let Some(run) = self.run.take() else {
            // Nothing was recorded: it was there already, or could not begin.
            if let Some(executed) = executed {
                self.report_found(executed);
            }
            return;
        };
        // From here on the folder is read like anybody else's.
        self.shared.live.leave(self.run_id);
        let mut run = run.lock();
        let mut dir = std::mem::take(&mut self.dir);
        if let Some(executed) = executed {
            let is_moved = executed.dir != dir || !executed.replaced.is_empty();
            run.builder.set_manifest(executed.manifest);
            dir = executed.dir;
            // A resumed run takes the place of the broken-off ones.
            if is_moved {
                run.builder.set_origin(RunOrigin::Recorded { dir: dir.clone() });
                let (run_id, dir, replaced) = (self.run_id, dir.clone(), executed.replaced);
                self.shared.mailbox.send_now(Event::RunMoved { run_id, dir, replaced });
            }
        }
        self.report_end(&run);
        let order = ReadOrder::Follow { run_id: self.run_id, dir };
        // Only noticing that the folder vanishes is lost if the reader has too much to do.
        reader.try_send(order).ok();
    }

    fn report_end(&self, run: &LiveRun) {
        let (run_id, mailbox) = (self.run_id, &self.shared.mailbox);
        // A run is told whole only to who looks at it; all others get its sums.
        if self.shared.live.is_watched(run_id) {
            mailbox.send_now(Event::RunRead { run_id, run: run.snapshot(), live: false });
        } else {
            run.emit_growth(run_id, mailbox);
            let manifest = Box::new(run.builder.run().manifest.clone());
            mailbox.send_now(Event::RunEnded { run_id, manifest });
        }
    }

    /// A run that was there already comes into the library, if it is not in it.
    fn report_found(&self, executed: ExecutedRun) {
        let ExecutedRun { dir, manifest, .. } = executed;
        let steps = Some(manifest.totals.calls);
        let listed = ListedRun { dir, manifest, steps, live: false, unreadable: None };
        self.shared.mailbox.send_now(Event::Found { runs: vec![listed] });
    }
}

impl Observer for Reporter<'_> {
    fn placed(&mut self, dir: &Path) {
        self.dir = dir.to_path_buf();
    }

    fn started(&mut self, manifest: &Manifest) {
        let origin = RunOrigin::Recorded { dir: self.dir.clone() };
        let builder = RunBuilder::new(manifest.clone(), origin);
        let run = self.shared.live.enter(self.run_id, builder);
        let (run_id, dir) = (self.run_id, self.dir.clone());
        let manifest = Box::new(manifest.clone());
        self.shared.mailbox.send_now(Event::RunStarted { run_id, dir, manifest });
        self.report_run(&run.lock());
        self.run = Some(run);
    }

    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        let Some(run) = &self.run else { return };
        let mut run = run.lock();
        if run.growing.take(turn, growth, Instant::now())
            && self.shared.live.is_watched(self.run_id)
        {
            let (run_id, answering) = (self.run_id, run.growing.answering());
            self.shared.mailbox.send_now(Event::Answering { run_id, answering });
        }
    }

    fn recorded(&mut self, manifest: &Manifest, event: &RunEvent) {
        let Some(run) = &self.run else { return };
        let mut run = run.lock();
        // The recorder keeps the same order, so no event is refused.
        run.builder.push(event.clone()).ok();
        match event {
            RunEvent::Turn { turn, .. } => self.report_progress(manifest, *turn),
            RunEvent::TurnEnd { .. } => {
                run.builder.set_manifest(manifest.clone());
                self.report_run(&run);
            }
            RunEvent::Usage { .. } => {
                // Stopping the others takes their locks one after the other: not under this one.
                drop(run);
                self.launch.heed_budget(self.shared);
            }
            _ => {}
        }
    }
}
