//! Agents' runs: some at once, each on a thread, each told of as it grows.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::Sender;

use crate::agent::batch::{
    AgentChoice, BatchSettings, Budget, Contestant, How, Made, Openers, Order, ReadyTasks, make,
};
use crate::agent::runner::Observer;
use crate::agent::{Growth, PictureSource};
use crate::base::{CancelToken, Cancelled, PauseChange};
use crate::run::builder::RunBuilder;
use crate::run::{Event as RunEvent, Manifest, Outcome, RunOrigin};
use crate::task::PictureFolder;
use crate::workbench::protocol::{LaunchPlan, LaunchRun, ListedRun};
use crate::workbench::{Event, JobId, JobOutcome, Progress, RunId};

use super::job::{JobError, end_job, run_job};
use super::launch_queue::LaunchQueue;
use super::live::{LiveRun, lock};
use super::reading::ReadOrder;
use super::shared::Shared;

/// Most runs at once in one launch, whatever is asked.
const MOST_AT_ONCE: u32 = 256;

/// Some runs that were launched together.
#[derive(Debug)]
pub(super) struct Launch {
    agents: Vec<Who>,
    settings: BatchSettings,
    budget: Budget,
    /// The folder with the pictures of design queries.
    picture_folder: Option<PathBuf>,
    /// What is in it, or what the run had that is made again; read by the first that begins.
    pictures: OnceLock<Result<PictureSource, String>>,
    tasks: ReadyTasks,
    at_once: u32,
    jobs: Vec<JobId>,
    pub(super) queue: LaunchQueue,
    /// So that it is said once.
    told_of_budget: OnceLock<()>,
}

/// Someone who acts, made ready by the first run that needs them: a key may have to be asked for.
#[derive(Debug)]
struct Who {
    choice: AgentChoice,
    opened: OnceLock<Result<Arc<Contestant>, String>>,
}

impl Launch {
    pub(super) fn new(runs: Vec<LaunchRun>, plan: LaunchPlan) -> Self {
        let LaunchPlan {
            agents,
            limits,
            at_once,
            out_dir,
            compat,
            fonts,
            pictures,
            budget_usd,
            resume,
        } = plan;
        let who = |choice| Who { choice, opened: OnceLock::new() };
        Self {
            agents: agents.into_iter().map(who).collect(),
            settings: BatchSettings {
                out: out_dir,
                limits,
                compat,
                fonts,
                resume,
                least_turns: None,
                pictures: PictureSource::Nowhere,
            },
            picture_folder: pictures,
            budget: Budget::new(budget_usd, 0.0),
            pictures: OnceLock::new(),
            tasks: ReadyTasks::default(),
            at_once,
            jobs: runs.iter().map(|run| run.job).collect(),
            queue: LaunchQueue::new(runs),
            told_of_budget: OnceLock::new(),
        }
    }

    fn contestant(&self, shared: &Shared, at: usize) -> Result<Arc<Contestant>, String> {
        let who = self.agents.get(at).ok_or("the launch does not say who acts")?;
        let open = || {
            let opened = who.choice.open(&*shared.open_agent).map_err(|error| error.to_string())?;
            if self.budget.most_usd().is_some() && opened.is_unpriced() {
                return Err(format!(
                    "a budget needs to know what {} costs: give it \"prices\" in the file of models",
                    opened.name()
                ));
            }
            Ok(Arc::new(opened))
        };
        who.opened.get_or_init(open).clone()
    }

    fn order(&self, shared: &Shared, run: &LaunchRun) -> Result<Order, String> {
        Ok(Order {
            set: run.task_ref.set.clone(),
            set_dir: run.set_dir.clone(),
            task: Arc::clone(&run.task),
            contestant: self.contestant(shared, run.agent)?,
        })
    }

    /// What all runs have in common, with the pictures.
    fn settings(&self) -> Result<BatchSettings, String> {
        let read = || {
            if let Some(folder) = &self.picture_folder {
                let folder = PictureFolder::open(folder).map_err(|error| error.to_string())?;
                return Ok(PictureSource::Folder(Arc::new(folder)));
            }
            let again = |who: &Who| match &who.choice {
                AgentChoice::Again { manifest, dir } => Some(PictureSource::of_run(dir, manifest)),
                _ => None,
            };
            let again = self.agents.iter().find_map(again);
            again.unwrap_or(Ok(PictureSource::Nowhere)).map_err(|error| error.to_string())
        };
        let pictures = self.pictures.get_or_init(read).clone()?;
        Ok(BatchSettings { pictures, ..self.settings.clone() })
    }

    /// Counts what an answer cost; when the budget is spent, nothing begins any more, and what is
    /// under way ends after the turn it is at.
    fn spend(&self, shared: &Shared, usd: f64) {
        self.budget.spend(usd);
        if !self.budget.is_spent() || self.told_of_budget.set(()).is_err() {
            return;
        }
        let waiting = self.queue.drain();
        let (most, spent) = (self.budget.most_usd().unwrap_or_default(), self.budget.spent_usd());
        let message = format!(
            "the budget of ${most:.2} is spent (${spent:.2}): {} did not begin and the others are \
             stopped; launch again with more, and go on with what is in the folder",
            waiting.len()
        );
        shared.mailbox.send_now(Event::Warned { message });
        for job in waiting {
            end_job(shared, job, JobOutcome::Cancelled);
        }
        for job in &self.jobs {
            shared.jobs.wind_down(*job);
        }
    }
}

/// Enters the jobs of a launch, each with a token that tells the window when its run is held.
pub(super) fn enter(shared: &Arc<Shared>, runs: &[LaunchRun]) {
    for run in runs {
        let (shared_again, job): (Weak<Shared>, JobId) = (Arc::downgrade(shared), run.job);
        let tell = move |hold| {
            if let Some(shared) = shared_again.upgrade() {
                let is_held = hold == PauseChange::Begins;
                shared.mailbox.send_now(Event::RunHeld { job, is_held });
            }
        };
        shared.jobs.enter_with(run.job, CancelToken::notifying(tell));
    }
}

/// Starts the threads of a launch. Every job is entered already; if no thread can be had, all end with
/// the reason.
pub(super) fn launch(
    shared: &Arc<Shared>,
    reader: &Sender<ReadOrder>,
    launch: &Arc<Launch>,
) -> Vec<JoinHandle<()>> {
    let threads = launch.at_once.clamp(1, MOST_AT_ONCE).min(launch.jobs.len() as u32);
    let mut handles = Vec::new();
    for number in 1..=threads {
        let (shared, launch, reader) = (Arc::clone(shared), Arc::clone(launch), reader.clone());
        let thread = std::thread::Builder::new().name(format!("run-{number}"));
        handles.extend(thread.spawn(move || work_off(&shared, &reader, &launch)).ok());
    }
    if handles.is_empty() {
        let why = "the system gives no more threads: close other programs and try again";
        for job in launch.queue.drain() {
            end_job(shared, job, JobOutcome::Failed(why.to_owned()));
        }
    }
    handles
}

/// Does one run after the other until none waits. A stopped job ends without beginning.
fn work_off(shared: &Shared, reader: &Sender<ReadOrder>, launch: &Launch) {
    while let Some(run) = launch.queue.next(&shared.jobs) {
        run_job(shared, run.job, |cancel| run_agent(shared, reader, launch, &run, cancel));
    }
}

fn run_agent(
    shared: &Shared,
    reader: &Sender<ReadOrder>,
    launch: &Launch,
    run: &LaunchRun,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let order = launch.order(shared, run).map_err(JobError::Failed)?;
    let settings = launch.settings().map_err(JobError::Failed)?;
    let openers = Openers {
        agent: &*shared.open_agent,
        environment: &*shared.open_environment,
        tasks: &launch.tasks,
    };
    let mut teller = Teller::new(shared, launch, run);
    let made = make(&order, &settings, openers, cancel, &mut teller);
    teller.finished(made.as_ref().ok(), reader);
    let made = made.map_err(JobError::failed)?;
    if made.how == How::Found {
        launch.spend(shared, made.manifest.totals.cost_usd.unwrap_or(0.0));
    }
    match made.manifest.outcome {
        Outcome::Cancelled => Err(Cancelled.into()),
        Outcome::Failed(why) => Err(JobError::Failed(why)),
        Outcome::Completed | Outcome::LimitReached(_) | Outcome::Running => Ok(()),
    }
}

/// Tells the window of a run as it is recorded, turn by turn, without waiting for anything.
struct Teller<'a> {
    shared: &'a Shared,
    launch: &'a Launch,
    job: JobId,
    run_id: RunId,
    dir: PathBuf,
    /// `None` until the run exists.
    run: Option<Arc<Mutex<LiveRun>>>,
}

impl<'a> Teller<'a> {
    fn new(shared: &'a Shared, launch: &'a Launch, run: &LaunchRun) -> Self {
        let LaunchRun { job, run_id, .. } = *run;
        Self { shared, launch, job, run_id, dir: PathBuf::new(), run: None }
    }

    fn tell_run(&self, run: &LiveRun) {
        if self.shared.live.is_watched(self.run_id) {
            run.tell(self.run_id, &self.shared.mailbox);
        } else {
            run.tell_growth(self.run_id, &self.shared.mailbox);
        }
    }

    fn tell_progress(&self, manifest: &Manifest, turn: u32) {
        let calls = manifest.totals.calls;
        let progress = Progress {
            done: u64::from(turn.saturating_sub(1)),
            total: u64::from(self.launch.settings.limits.max_turns),
            message: format!("turn {turn} · {calls} calls"),
        };
        self.shared.mailbox.send_now(Event::Progress(self.job, progress));
    }

    /// The last word on the run; from then on the reader looks after its folder.
    fn finished(&mut self, made: Option<&Made>, reader: &Sender<ReadOrder>) {
        let Some(run) = self.run.take() else {
            if let Some(made) = made {
                self.tell_found(made);
            }
            return;
        };
        self.shared.live.leave(self.run_id);
        let mut run = lock(&run);
        if let Some(made) = made {
            run.builder.set_manifest(made.manifest.clone());
            run.builder.set_origin(RunOrigin::Recorded { dir: made.dir.clone() });
            self.tell_moved(made);
            self.dir.clone_from(&made.dir);
        }
        let manifest = Box::new(run.builder.run().manifest.clone());
        self.tell_end(&run, manifest.clone());
        let order = ReadOrder::Follow { run_id: self.run_id, dir: self.dir.clone(), manifest };
        // Only noticing that the folder vanishes is lost if the reader has too much to do.
        reader.try_send(order).ok();
    }

    fn tell_end(&self, run: &LiveRun, manifest: Box<Manifest>) {
        let (run_id, mailbox) = (self.run_id, &self.shared.mailbox);
        if self.shared.live.is_watched(run_id) {
            let run = Arc::new(run.builder.run().clone());
            mailbox.send_now(Event::RunRead { run_id, run, live: false });
        } else {
            run.tell_growth(run_id, mailbox);
            mailbox.send_now(Event::RunEnded { run_id, manifest });
        }
    }

    /// A resumed run takes the place of the broken-off ones.
    fn tell_moved(&self, made: &Made) {
        if made.dir != self.dir || !made.replaced.is_empty() {
            let (dir, replaced) = (made.dir.clone(), made.replaced.clone());
            self.shared.mailbox.send_now(Event::RunMoved { run_id: self.run_id, dir, replaced });
        }
    }

    /// A run that was there already comes into the library, if it is not in it.
    fn tell_found(&self, made: &Made) {
        let listed = ListedRun {
            dir: made.dir.clone(),
            manifest: made.manifest.clone(),
            steps: Some(made.manifest.totals.calls),
            live: false,
            unreadable: None,
        };
        self.shared.mailbox.send_now(Event::Found { runs: vec![listed] });
    }
}

impl Observer for Teller<'_> {
    fn placed(&mut self, dir: &Path) {
        self.dir = dir.to_path_buf();
    }

    fn started(&mut self, manifest: &Manifest) {
        let dir = self.dir.clone();
        let origin = RunOrigin::Recorded { dir: dir.clone() };
        let builder = RunBuilder::new(manifest.clone(), origin);
        let run = self.shared.live.enter(self.run_id, builder);
        let (run_id, manifest) = (self.run_id, Box::new(manifest.clone()));
        self.shared.mailbox.send_now(Event::RunStarted { run_id, dir, manifest });
        self.tell_run(&lock(&run));
        self.run = Some(run);
    }

    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        let Some(run) = &self.run else { return };
        let mut run = lock(run);
        if run.growing.take(turn, growth, Instant::now())
            && self.shared.live.is_watched(self.run_id)
        {
            let (run_id, answering) = (self.run_id, run.growing.answering());
            self.shared.mailbox.send_now(Event::Answering { run_id, answering });
        }
    }

    fn recorded(&mut self, manifest: &Manifest, event: &RunEvent) {
        let Some(run) = &self.run else { return };
        let mut run = lock(run);
        // The recorder keeps the same order, so no event is refused.
        run.builder.push(event.clone()).ok();
        match event {
            RunEvent::Turn { turn, .. } => self.tell_progress(manifest, *turn),
            RunEvent::TurnEnd { .. } => {
                run.builder.set_manifest(manifest.clone());
                self.tell_run(&run);
            }
            RunEvent::Usage { usage, .. } => {
                drop(run);
                self.launch.spend(self.shared, usage.cost_usd.unwrap_or(0.0));
            }
            _ => {}
        }
    }
}
