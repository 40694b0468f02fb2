//! Starting the threads, handing out requests, stopping.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::thread::{Builder, JoinHandle, available_parallelism};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use parking_lot::Mutex;

use crate::agent::{CpuPool, OpenAgent, by_kind};
use crate::base::{CancelToken, Variables};
use crate::environment::{Environments, FontSource, OpenEnvironment};
use crate::evaluate::ComparedTasks;
use crate::metric::Registry;
use crate::render::RenderContext;
use crate::workbench::protocol::{
    CopyNews, HandsNews, HandsOrder, LabelOrder, LaunchPlan, LaunchRun, StudyNews, StudyOrder,
};
use crate::workbench::{
    AskedInput, DerivedKey, Event, Inputs, JobId, JobOutcome, LabelNews, Request, RunId, Urgency,
};

use super::compute::asking::ask;
use super::compute::context::ComputeContext;
use super::compute::sessions::Sessions;
use super::compute::{compute_until_closed, derive_and_send};
use super::hands::keep_hands_until_closed;
use super::labelling::keep_labels_until_closed;
use super::launching::{Launch, enter, launch, notifying};
use super::noting::{NoteBox, keep_until_closed};
use super::opening::{DiskOrder, serve_disk_until_closed};
use super::reading::{ReadOrder, read_until_closed};
use super::shared::job_border::{end_job, run_job};
use super::shared::live::LiveRuns;
use super::shared::mailbox::Mailbox;
use super::shared::queue::Queue;
use super::shared::recently_used::RecentlyUsed;
use super::shared::scorers::Scorers;
use super::shared::work::{ComputeJob, ExportOrder, MakeLabelsOrder, ReportOrder};
use super::shared::{JobTable, Shared};
use super::study::{TimedOrder, keep_study_until_closed};

/// How long runs have, when the worker is dropped, to finish the call they are at.
pub const CLOSING_TIME: Duration = Duration::from_secs(2);

/// Most orders waiting for the disk or the reader.
const ORDERS: usize = 256;
/// Most things that somebody did by hand, or that happened in a study, and wait to be written: a step of the design may
/// be many, and none is done a second time.
const STEP_ORDERS: usize = 16_384;
/// Most drawing threads started of ourselves.
const DRAWING_THREADS: usize = 4;
/// How nice a thread is that gives way to the window: of a processor that both want the window has three parts of four.
#[cfg(target_os = "linux")]
const GIVES_WAY: i32 = 5;

/// What a worker needs to know.
pub struct WorkerConfig {
    /// Threads for pictures and scores beside the one of the stage, at least 1.
    pub drawing_threads: usize,
    /// Makes environments.
    pub open_environment: Box<OpenEnvironment>,
    /// What designs are drawn with that are written to files.
    pub render: RenderContext,
    /// What pages and figures for people are drawn with: no record, they may show letters in the fonts of this machine.
    pub page_render: RenderContext,
    /// Makes agents.
    pub open_agent: Box<OpenAgent>,
    /// Where agents' runs do their own work.
    pub cpu: CpuPool,
    /// What scores are measured by.
    pub registry: Registry,
    /// The workspace's file, which keeps scores; `None` keeps nothing.
    pub workspace: Option<PathBuf>,
    /// Where models have their keys.
    pub variables: Variables,
}

/// Why the worker cannot start.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The system gives no thread.
    #[error("the thread {name:?} cannot be started: {source}; close other programs and try again")]
    Thread {
        /// Which.
        name: String,
        /// The cause.
        source: std::io::Error,
    },
}

/// The background: takes requests, gives events.
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    /// `None` once the worker is being dropped, as `reader`.
    disk: Option<Sender<DiskOrder>>,
    reader: Option<Sender<ReadOrder>>,
    notes: Option<NoteBox>,
    labels: Option<Sender<LabelOrder>>,
    hands: Option<Sender<HandsOrder>>,
    study: Option<Sender<TimedOrder>>,
    /// Gives up what a study is being counted for now.
    counting: Mutex<CancelToken>,
    /// Of the computing threads.
    sessions: Vec<Sessions>,
    threads: Vec<JoinHandle<()>>,
    runs: Mutex<Vec<JoinHandle<()>>>,
    /// Launches with runs that have not begun.
    launches: Mutex<Vec<Weak<Launch>>>,
}

impl std::fmt::Debug for WorkerConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorkerConfig")
            .field("drawing_threads", &self.drawing_threads)
            .finish_non_exhaustive()
    }
}

impl Default for WorkerConfig {
    fn default() -> Self {
        let environments = Environments::default();
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self {
            drawing_threads: cores.saturating_sub(1).clamp(1, DRAWING_THREADS),
            open_environment: Box::new(environments.opener()),
            render: environments.render(FontSource::Vendored).clone(),
            page_render: environments.render(FontSource::Machine).clone(),
            open_agent: Box::new(by_kind),
            cpu: CpuPool::of_processors(),
            registry: Registry::built_in(),
            workspace: None,
            variables: Variables::default(),
        }
    }
}

impl Worker {
    /// Starts the threads. `wake` is called after an event was put in the mailbox, from whatever
    /// thread did; it must not wait for anything.
    pub fn start(
        config: WorkerConfig,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, WorkerError> {
        let WorkerConfig {
            drawing_threads,
            open_environment,
            render,
            page_render,
            open_agent,
            cpu,
            registry,
            workspace,
            variables,
        } = config;
        let shared = Arc::new(Shared {
            mailbox: Mailbox::new(Box::new(wake)),
            jobs: JobTable::default(),
            compute_jobs: Queue::new(),
            picture_files: RecentlyUsed::default(),
            design_files: RecentlyUsed::default(),
            compared_tasks: ComparedTasks::default(),
            scorers: Scorers::new(registry, workspace.clone()),
            labelled_tasks: Mutex::default(),
            tool_names: Mutex::default(),
            bases: Mutex::default(),
            pairings: RecentlyUsed::default(),
            live: LiveRuns::default(),
            open_environment,
            render,
            page_render,
            open_agent,
            cpu,
            variables,
        });
        // Bounded: where too much is to be done already, an order is refused and not kept for later.
        let (disk, disk_orders) = bounded(ORDERS);
        let (reader, read_orders) = bounded(ORDERS);
        let (labels, label_orders) = bounded(ORDERS);
        let (hands, hands_orders) = bounded(STEP_ORDERS);
        let (study, study_orders) = bounded(STEP_ORDERS);
        let (notes, waiting_notes) = NoteBox::new();
        let mut worker = Self {
            shared,
            disk: Some(disk),
            reader: Some(reader),
            notes: Some(notes),
            labels: Some(labels),
            hands: Some(hands),
            study: Some(study),
            counting: Mutex::default(),
            sessions: Vec::new(),
            threads: Vec::new(),
            runs: Mutex::default(),
            launches: Mutex::default(),
        };
        worker.spawn("io", move |shared| serve_disk_until_closed(shared, &disk_orders))?;
        worker.spawn("reader", move |shared| read_until_closed(shared, &read_orders))?;
        worker.spawn("notes", move |shared| {
            keep_until_closed(shared, workspace, &waiting_notes);
        })?;
        worker.spawn("labels", move |shared| {
            keep_labels_until_closed(shared, &label_orders);
        })?;
        worker.spawn("hands", move |shared| keep_hands_until_closed(shared, &hands_orders))?;
        worker.spawn("study", move |shared| keep_study_until_closed(shared, &study_orders))?;
        worker.spawn_computing("stage", Urgency::Ahead)?;
        for number in 1..=drawing_threads.max(1) {
            worker.spawn_computing(&format!("drawing-{number}"), Urgency::Sketch)?;
        }
        Ok(worker)
    }

    fn spawn_computing(&mut self, name: &str, least: Urgency) -> Result<(), WorkerError> {
        let sessions = Sessions::default();
        self.sessions.push(Sessions::clone(&sessions));
        self.spawn(name, move |shared| {
            if least > Urgency::Ahead {
                give_way();
            }
            compute_until_closed(shared, sessions, least);
        })
    }

    fn spawn(
        &mut self,
        name: &str,
        work: impl FnOnce(&Shared) + Send + 'static,
    ) -> Result<(), WorkerError> {
        let shared = Arc::clone(&self.shared);
        match Builder::new().name(name.to_owned()).spawn(move || work(&shared)) {
            Ok(thread) => self.threads.push(thread),
            // The threads that run already end when the worker is dropped.
            Err(source) => return Err(WorkerError::Thread { name: name.to_owned(), source }),
        }
        Ok(())
    }

    /// Takes a request and returns at once. If there is too much to do already, its jobs end with
    /// that as the reason.
    pub fn send(&self, request: Request) {
        match request {
            Request::Open { job, paths, imports } => {
                self.send_disk(job, DiskOrder::Open { job, paths, imports });
            }
            Request::SavePicture { job, pixels, about, path } => {
                self.send_disk(job, DiskOrder::Save { job, pixels, about, path });
            }
            Request::SaveStage { job, shot, path } => {
                self.send_disk(job, DiskOrder::SaveStage { job, shot, path });
            }
            Request::MakeReference { job, order } => {
                self.send_disk(job, DiskOrder::MakeReference { job, order });
            }
            Request::SaveText { job, text, about, path } => {
                self.send_disk(job, DiskOrder::SaveText { job, text, about, path });
            }
            Request::SaveTable { job, table, path } => {
                self.send_disk(job, DiskOrder::SaveTable { job, table, path });
            }
            Request::LoadRun { job, run, dir, manifest } => {
                let order = ReadOrder::Load { job, run_id: run, dir, manifest };
                self.order(job, self.reader.as_ref(), order);
            }
            Request::UseModels { job, path, captions } => {
                self.send_disk(job, DiskOrder::Models { job, path, captions });
            }
            Request::Derive { job, key, inputs, .. } if key.is_read() => {
                self.send_disk(job, DiskOrder::Derive { job, key, inputs });
            }
            Request::Derive { job, key, inputs, .. } if key.is_asked() => {
                self.ask_aside(job, key, inputs);
            }
            Request::Derive { job, key, inputs, urgency } => {
                self.compute(job, urgency, ComputeJob::Derive { key, inputs });
            }
            Request::Export { job, key, node, format, inputs, path } => {
                let order = ExportOrder { key, node, format, inputs, path };
                self.compute(job, Urgency::Stage, ComputeJob::Export(order));
            }
            Request::ExportRuns { job, order } => {
                self.compute(job, Urgency::Curve, ComputeJob::ExportRuns(order));
            }
            Request::ExportLayers { job, order } => {
                self.compute(job, Urgency::Curve, ComputeJob::ExportLayers(order));
            }
            Request::SaveDrawing { job, svg, about, form, path } => {
                self.send_disk(job, DiskOrder::SaveDrawing { job, svg, about, form, path });
            }
            Request::CopyDrawing { job, svg } => {
                self.send_disk(job, DiskOrder::CopyDrawing { job, svg });
            }
            // Behind whatever somebody looks at: it may take minutes.
            Request::Report { job, runs, variant, command, path } => {
                let order = ReportOrder { runs, variant, command, path };
                self.compute(job, Urgency::Curve, ComputeJob::Report(order));
            }
            Request::ReadForm(path) => self.read_form(path),
            Request::MakeLabels { job, runs, plan, study, path } => {
                let order = MakeLabelsOrder { runs, plan, study, path };
                self.compute(job, Urgency::Curve, ComputeJob::MakeLabels(order));
            }
            Request::SaveBranch { job, order } => {
                self.compute(job, Urgency::Table, ComputeJob::SaveBranch(order));
            }
            Request::Ask { job, runs } => self.ask(job, runs),
            Request::Launch { runs, plan } => self.launch(runs, *plan),
            Request::KeepNote { key, note } => {
                if let Some(notes) = &self.notes {
                    notes.put(key, note);
                }
            }
            Request::KeepRange { key, kept } => {
                if let Some(notes) = &self.notes {
                    notes.put_range(key, kept);
                }
            }
            Request::KeepAreas { task, areas } => {
                if let Some(notes) = &self.notes {
                    notes.put_areas(task, areas);
                }
            }
            Request::Labels(order) => {
                // One at a time is under way: there is always room.
                if let Some(labels) = &self.labels {
                    labels.try_send(order).ok();
                }
            }
            Request::Hands(order) => self.send_hands(order),
            Request::Study(order) => self.send_study(order),
            Request::Watch(runs) => self.shared.live.watch(runs, &self.shared.mailbox),
            Request::Pause(job) => self.set_paused(job, true),
            Request::Resume(job) => self.set_paused(job, false),
            Request::Cancel(job) => self.cancel(job),
            Request::Forget(run) => self.forget(run),
        }
    }

    /// The oldest event nobody has taken yet.
    pub fn try_event(&self) -> Option<Event> {
        self.shared.mailbox.try_receive()
    }

    /// The same, waiting for one: for programs without a window.
    pub fn event_within(&self, time: Duration) -> Option<Event> {
        self.shared.mailbox.receive_within(time)
    }

    fn read_form(&self, path: PathBuf) {
        let Some(disk) = &self.disk else { return };
        let Err(refused) = disk.try_send(DiskOrder::ReadForm(path)) else { return };
        if let DiskOrder::ReadForm(path) = refused.into_inner() {
            let result = Err("too much is read at once: try again".to_owned());
            self.shared.mailbox.send(Event::Labels(LabelNews::FormRead { path, result }));
        }
    }

    /// What is done by hand is kept, or it is said that it is not.
    fn send_hands(&self, order: HandsOrder) {
        let Some(hands) = &self.hands else { return };
        let Err(refused) = hands.try_send(order) else { return };
        let why = "too much is done at once: wait a moment and try again".to_owned();
        let news = match refused.into_inner() {
            HandsOrder::Open(start) => HandsNews::Opened { desk: start.desk, result: Err(why) },
            HandsOrder::Record { desk, step } => {
                HandsNews::Recorded { desk, step: step.number, result: Err(why) }
            }
            HandsOrder::Copy(order) => {
                HandsNews::Copied(CopyNews { desk: order.desk, result: Err(why), left_out: 0 })
            }
            HandsOrder::ReadPicture { desk, path: _, at } => {
                HandsNews::PictureRead { desk, at, result: Err(why) }
            }
            HandsOrder::HandOver(desk) => HandsNews::HandedOver { desk, result: Err(why) },
            HandsOrder::Write(order) => HandsNews::Written { path: order.path, result: Err(why) },
            HandsOrder::Assist { .. }
            | HandsOrder::Offer { .. }
            | HandsOrder::Comments { .. }
            | HandsOrder::NameVersion { .. } => {
                self.shared.mailbox.send_now(Event::Warned { message: why });
                return;
            }
            // A burst is over by itself, too.
            HandsOrder::Close { .. } | HandsOrder::EndBurst(_) => return,
        };
        self.shared.mailbox.send_now(Event::Hands(news));
    }

    /// What happens in a study is kept, or it is said that it is not. It happens now, however long it waits.
    fn send_study(&self, order: StudyOrder) {
        let mut counting = self.counting.lock();
        // Of counts only the last is wanted; the others end where they are, and those that wait do not begin.
        if matches!(order, StudyOrder::Count(_) | StudyOrder::StopCounting | StudyOrder::Close) {
            std::mem::take(&mut *counting).cancel();
        }
        let order = TimedOrder { at: Instant::now(), order, counting: counting.clone() };
        let is_sent = self.study.as_ref().is_some_and(|study| study.try_send(order).is_ok());
        if !is_sent {
            let why = "too much happens in the study at once: what happened last is not kept";
            let news = StudyNews::Told(Err(why.to_owned()));
            self.shared.mailbox.send_now(Event::Study(news));
        }
    }

    fn send_disk(&self, job: JobId, order: DiskOrder) {
        self.order(job, self.disk.as_ref(), order);
    }

    fn order<T>(&self, job: JobId, thread: Option<&Sender<T>>, order: T) {
        self.shared.jobs.enter(job);
        let sent = thread.is_some_and(|thread| thread.try_send(order).is_ok());
        self.refuse_unless(sent, job);
    }

    fn compute(&self, job: JobId, urgency: Urgency, work: ComputeJob) {
        self.shared.jobs.enter(job);
        let sent = self.shared.compute_jobs.push(urgency, job, work).is_ok();
        self.refuse_unless(sent, job);
    }

    fn refuse_unless(&self, sent: bool, job: JobId) {
        if !sent {
            let why = "too much is asked for at once: wait for the other work and try again";
            end_job(&self.shared, job, JobOutcome::Failed(why.to_owned()));
        }
    }

    fn launch(&self, runs: Vec<LaunchRun>, plan: LaunchPlan) {
        // Before any thread hears of them: each has to end once, and a stop has to find it.
        enter(&self.shared, &runs);
        let Some(reader) = &self.reader else { return };
        let launched = Arc::new(Launch::new(runs, plan, self.shared.cpu.clone()));
        let mut launches = self.launches.lock();
        // Its threads hold a launch: one that nobody holds any more has no run left.
        launches.retain(|launch| launch.strong_count() > 0);
        launches.push(Arc::downgrade(&launched));
        drop(launches);
        let started = launch(&self.shared, reader, &launched);
        let mut handles = self.runs.lock();
        handles.retain(|thread| !thread.is_finished());
        handles.extend(started);
    }

    /// Makes a value in a thread of its own, as whoever is asked for it may take minutes.
    fn ask_aside(&self, job: JobId, key: DerivedKey, inputs: Inputs) {
        self.shared.jobs.enter(job);
        let shared = Arc::clone(&self.shared);
        let spawned = Builder::new().name("test".to_owned()).spawn(move || {
            run_job(&shared, job, |cancel| {
                let sessions = &mut Sessions::default();
                let mut cx = ComputeContext { shared: &shared, sessions, job, cancel };
                derive_and_send(&mut cx, key, &inputs)
            });
        });
        match spawned {
            // With the runs: closing gives it the same time to end.
            Ok(thread) => self.runs.lock().push(thread),
            Err(_no_thread) => self.refuse_unless(false, job),
        }
    }

    /// Asks about runs in threads of their own, as answers take long.
    fn ask(&self, job: JobId, runs: Vec<AskedInput>) {
        self.shared.jobs.enter_with(job, notifying(&self.shared, job));
        let shared = Arc::clone(&self.shared);
        let spawned = Builder::new().name("ask-1".to_owned()).spawn(move || {
            run_job(&shared, job, |cancel| ask(&shared, job, &runs, cancel));
        });
        match spawned {
            Ok(thread) => self.runs.lock().push(thread),
            Err(_no_thread) => self.refuse_unless(false, job),
        }
    }

    /// The launches with runs that have not ended.
    fn launches(&self) -> Vec<Arc<Launch>> {
        self.launches.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// Work that nobody has begun ends here, the rest where it is done.
    fn cancel(&self, job: JobId) {
        self.shared.jobs.cancel(job);
        let had_not_begun =
            self.launches().iter().any(|launch| launch.queue.remove(|run| run.job == job));
        if self.shared.compute_jobs.remove(job).is_some() || had_not_begun {
            end_job(&self.shared, job, JobOutcome::Cancelled);
        }
    }

    /// Pauses a run, or lets it go on. One that has not begun waits at once.
    fn set_paused(&self, job: JobId, is_paused: bool) {
        self.shared.jobs.set_paused(job, is_paused);
        let mut launches = self.launches().into_iter();
        if let Some(launch) = launches.find(|launch| launch.queue.holds(|run| run.job == job)) {
            // A run that has begun says itself when it waits; nobody speaks for one that has not.
            self.shared.mailbox.send_now(Event::RunPaused { job, is_paused });
            launch.queue.wake();
        }
    }

    fn forget(&self, run: RunId) {
        if let Some(reader) = &self.reader {
            // A run that is looked at in vain costs next to nothing.
            reader.try_send(ReadOrder::Forget(run)).ok();
        }
        for sessions in &self.sessions {
            sessions.forget(run);
        }
    }
}

/// Stops everything: see the promises of this module.
impl Drop for Worker {
    fn drop(&mut self) {
        let until = Instant::now() + CLOSING_TIME;
        // First, so that runs hear of it while the others are wound up.
        self.shared.jobs.cancel_all();
        for launch in self.launches() {
            launch.queue.wake();
        }
        // Before the threads are waited for: one that waits for room in it would never end.
        self.shared.mailbox.close();
        self.shared.compute_jobs.close();
        // The threads behind them end once nobody can send to them.
        self.disk = None;
        self.reader = None;
        self.notes = None;
        self.labels = None;
        self.hands = None;
        self.counting.lock().cancel();
        self.study = None;
        let mut threads = std::mem::take(&mut self.runs).into_inner();
        threads.append(&mut self.threads);
        for thread in threads {
            // One that does not end in time is left behind: what it recorded is on disk.
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            }
            if thread.is_finished() {
                // A panic at a job's border was told there; there is nobody left to tell.
                thread.join().ok();
            }
        }
    }
}

/// Leaves the processors to the window's thread where both want one: pictures and scores that nobody looks at yet can
/// wait, a letter that is typed cannot. Of other systems than Linux, niceness is the whole program's.
fn give_way() {
    #[cfg(target_os = "linux")]
    // Where the system refuses, the window is less smooth, and nothing else.
    let _niceness = rustix::process::nice(GIVES_WAY);
}
