//! Agents' runs: some at once, each on a thread, each told of as it grows.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use serde_json::{Map, Value, json};

use crate::agent::models::{ModelChoice, OpenedModel};
use crate::agent::runner::{Attempt, COMPAT_SETTING, Observer, RunLimits, run_task};
use crate::agent::{Agent, AgentError, AgentOptions, Growth};
use crate::base::{CancelToken, Cancelled};
use crate::environment::canvas::Compat;
use crate::run::builder::RunBuilder;
use crate::run::{Event as RunEvent, Manifest, Outcome, RunOrigin, folder};
use crate::workbench::protocol::{Answering, LaunchRun};
use crate::workbench::{Event, JobId, JobOutcome, Progress, RunId};

use super::job::{JobError, end_job, run_job};
use super::reading::ReadOrder;
use super::shared::Shared;

/// Most runs at once in one launch, whatever is asked.
const MOST_AT_ONCE: u32 = 64;

/// Makes an agent of a kind; [`by_kind`](crate::agent::by_kind) but in tests.
pub type OpenAgent =
    dyn Fn(&str, &AgentOptions) -> Result<Box<dyn Agent>, AgentError> + Send + Sync;

/// What all runs of a launch have in common.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) agent: String,
    pub(super) script: Option<PathBuf>,
    pub(super) command: Option<String>,
    pub(super) model: Option<ModelChoice>,
    pub(super) opened: OnceLock<Result<OpenedModel, String>>,
    pub(super) max_turns: u32,
    pub(super) at_once: u32,
    pub(super) out_dir: PathBuf,
    pub(super) compat: Compat,
}

impl Launch {
    /// The model of this launch, made ready by the first run that needs it: its key may have to be
    /// asked for. `None` if no model acts.
    fn opened_model(&self) -> Result<Option<OpenedModel>, String> {
        let Some(choice) = &self.model else { return Ok(None) };
        let open = || choice.open().map_err(|error| error.to_string());
        self.opened.get_or_init(open).clone().map(Some)
    }
}

/// Starts the threads of a launch. Every job is entered already; those that no thread can be had for
/// end with the reason.
pub(super) fn launch(
    shared: &Arc<Shared>,
    reader: &Sender<ReadOrder>,
    runs: Vec<LaunchRun>,
    launch: Launch,
) -> Vec<JoinHandle<()>> {
    let (send, waiting) = bounded(runs.len());
    let threads = launch.at_once.clamp(1, MOST_AT_ONCE).min(runs.len() as u32);
    for run in runs {
        // There is room for each.
        send.try_send(run).ok();
    }
    drop(send);
    let launch = Arc::new(launch);
    let mut handles = Vec::new();
    for number in 1..=threads {
        let (shared, launch) = (Arc::clone(shared), Arc::clone(&launch));
        let (waiting, reader) = (waiting.clone(), reader.clone());
        let thread = std::thread::Builder::new().name(format!("run-{number}"));
        handles.extend(thread.spawn(move || work_off(&shared, &reader, &launch, &waiting)).ok());
    }
    if handles.is_empty() {
        let why = "the system gives no more threads: close other programs and try again";
        for run in waiting {
            end_job(shared, run.job, JobOutcome::Failed(why.to_owned()));
        }
    }
    handles
}

/// Does one run after the other until none waits. A stopped job ends without beginning.
fn work_off(
    shared: &Shared,
    reader: &Sender<ReadOrder>,
    launch: &Launch,
    waiting: &Receiver<LaunchRun>,
) {
    for run in waiting {
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
    let options = AgentOptions {
        model: launch.opened_model().map_err(JobError::Failed)?,
        script: launch.script.clone(),
        command: launch.command.clone(),
        ..AgentOptions::default()
    };
    let mut agent = (shared.open_agent)(&launch.agent, &options).map_err(JobError::failed)?;
    let name = agent.identity().name;
    let dir = folder::claim(&launch.out_dir, &run.task_ref, &name).map_err(|error| {
        let place = launch.out_dir.display();
        JobError::Failed(format!("no folder for the run can be made: {error}: {place}"))
    })?;
    let attempt = Attempt {
        set: &run.task_ref.set,
        task: &run.task,
        limits: RunLimits { max_turns: launch.max_turns, ..RunLimits::default() },
        settings: settings(launch),
        dir: &dir,
        open_environment: &*shared.open_environment,
    };
    let mut teller = Teller::new(shared, run, &dir, launch.max_turns);
    let done = run_task(&attempt, &mut *agent, cancel, &mut teller);
    teller.finished(done.as_ref().ok(), reader);
    match done.map_err(JobError::failed)?.outcome {
        Outcome::Cancelled => Err(Cancelled.into()),
        Outcome::Failed(why) => Err(JobError::Failed(why)),
        Outcome::Completed | Outcome::LimitReached(_) | Outcome::Running => Ok(()),
    }
}

fn settings(launch: &Launch) -> Map<String, Value> {
    let mut settings = Map::new();
    settings.insert("max_turns".to_owned(), json!(launch.max_turns));
    if launch.compat != Compat::default() {
        settings.insert(COMPAT_SETTING.to_owned(), json!(launch.compat.name()));
    }
    if let Some(Ok(model)) = launch.opened.get() {
        settings.extend(model.settings());
    }
    if let Some(script) = &launch.script {
        settings.insert("script".to_owned(), json!(script.display().to_string()));
    }
    if let Some(command) = &launch.command {
        settings.insert("command".to_owned(), json!(command));
    }
    settings
}

/// Tells the window of a run as it is recorded, turn by turn, without waiting for anything.
struct Teller<'a> {
    shared: &'a Shared,
    job: JobId,
    run_id: RunId,
    dir: &'a Path,
    max_turns: u32,
    /// `None` until the run exists.
    builder: Option<RunBuilder>,
    growing: Growing,
}

impl<'a> Teller<'a> {
    fn new(shared: &'a Shared, run: &LaunchRun, dir: &'a Path, max_turns: u32) -> Self {
        let LaunchRun { job, run_id, .. } = *run;
        Self { shared, job, run_id, dir, max_turns, builder: None, growing: Growing::default() }
    }

    fn tell_run(&self, live: bool) {
        if let Some(builder) = &self.builder {
            let run = Arc::new(builder.run().clone());
            self.shared.mailbox.send_now(Event::RunRead { run_id: self.run_id, run, live });
        }
    }

    fn tell_progress(&self, manifest: &Manifest, turn: u32) {
        let calls = manifest.totals.calls;
        let progress = Progress {
            done: u64::from(turn.saturating_sub(1)),
            total: u64::from(self.max_turns),
            message: format!("turn {turn} · {calls} calls"),
        };
        self.shared.mailbox.send_now(Event::Progress(self.job, progress));
    }

    /// The last word on the run; from then on the reader looks after its folder.
    fn finished(&mut self, manifest: Option<&Manifest>, reader: &Sender<ReadOrder>) {
        let Some(builder) = &mut self.builder else { return };
        if let Some(manifest) = manifest {
            builder.set_manifest(manifest.clone());
        }
        let manifest = Box::new(builder.run().manifest.clone());
        self.tell_run(false);
        let order =
            ReadOrder::Follow { run_id: self.run_id, dir: self.dir.to_path_buf(), manifest };
        // Only noticing that the folder vanishes is lost if the reader has too much to do.
        reader.try_send(order).ok();
    }
}

/// An answer while it grows.
#[derive(Debug, Default)]
struct Growing {
    answering: Answering,
    told: Option<Instant>,
}

/// Longest text of an answer that is shown while it grows, in bytes.
const GROWING_BYTES: usize = 4000;
/// How often a growing answer is told of at most.
const TELL_EVERY: Duration = Duration::from_millis(80);

impl Growing {
    /// Takes more in; whether it is time to tell.
    fn take(&mut self, turn: u32, growth: &Growth<'_>, now: Instant) -> bool {
        let answering = &mut self.answering;
        if answering.turn != turn || *growth == Growth::Asked {
            *answering = Answering { turn, ..Answering::default() };
        }
        answering.waiting = None;
        match growth {
            Growth::Asked => {}
            Growth::Text(text) | Growth::Reasoning(text) => answering.text.push_str(text),
            Growth::Call { name, .. } => {
                answering.text.push_str("\n→ ");
                answering.text.push_str(name);
            }
            Growth::Waiting { why, secs } => {
                answering.text.clear();
                answering.waiting = Some(format!("{why}; asked again in {secs:.0} s"));
            }
        }
        keep_the_end(&mut answering.text);
        let is_rare = matches!(growth, Growth::Asked | Growth::Waiting { .. });
        let is_due = self.told.is_none_or(|told| now.duration_since(told) >= TELL_EVERY);
        if is_rare || is_due {
            self.told = Some(now);
        }
        is_rare || is_due
    }
}

/// Cuts a long text at its beginning.
fn keep_the_end(text: &mut String) {
    if text.len() > GROWING_BYTES {
        let from = text.len() - GROWING_BYTES / 2;
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text.replace_range(..from, "…");
    }
}

impl Observer for Teller<'_> {
    fn started(&mut self, manifest: &Manifest) {
        let dir = self.dir.to_path_buf();
        let origin = RunOrigin::Recorded { dir: dir.clone() };
        self.builder = Some(RunBuilder::new(manifest.clone(), origin));
        let (run_id, manifest) = (self.run_id, Box::new(manifest.clone()));
        self.shared.mailbox.send_now(Event::RunStarted { run_id, dir, manifest });
        self.tell_run(true);
    }

    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        if self.growing.take(turn, growth, Instant::now()) {
            let (run_id, answering) = (self.run_id, self.growing.answering.clone());
            self.shared.mailbox.send_now(Event::Answering { run_id, answering });
        }
    }

    fn recorded(&mut self, manifest: &Manifest, event: &RunEvent) {
        let Some(builder) = &mut self.builder else { return };
        // The recorder keeps the same order, so no event is refused.
        builder.push(event.clone()).ok();
        match event {
            RunEvent::Turn { turn, .. } => self.tell_progress(manifest, *turn),
            RunEvent::TurnEnd { .. } => {
                builder.set_manifest(manifest.clone());
                self.tell_run(true);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_answer_is_told_of_now_and_then_and_never_long() {
        let (mut growing, start) = (Growing::default(), Instant::now());
        assert!(growing.take(1, &Growth::Asked, start));
        assert!(!growing.take(1, &Growth::Text("One "), start + TELL_EVERY / 2));
        assert!(growing.take(1, &Growth::Text("two"), start + TELL_EVERY));
        assert_eq!(growing.answering.text, "One two");
        let call = Growth::Call { name: "create_text", arguments: "{}" };
        growing.take(1, &call, start);
        assert_eq!(growing.answering.text, "One two\n→ create_text");
        growing.take(1, &Growth::Text(&"ä".repeat(GROWING_BYTES)), start);
        assert!(growing.answering.text.len() < GROWING_BYTES);
        assert!(growing.answering.text.starts_with('…'));
    }

    #[test]
    fn what_came_is_void_when_it_is_asked_again() {
        let (mut growing, now) = (Growing::default(), Instant::now());
        growing.take(3, &Growth::Text("I begin"), now);
        assert!(growing.take(3, &Growth::Waiting { why: "status 429", secs: 2.0 }, now));
        assert_eq!(growing.answering.waiting.as_deref(), Some("status 429; asked again in 2 s"));
        assert_eq!(growing.answering.text, "");
        growing.take(3, &Growth::Text("Again"), now);
        let answering = Answering { turn: 3, text: "Again".to_owned(), waiting: None };
        assert_eq!(growing.answering, answering);
    }
}
