//! A run whose agent lives elsewhere and calls tools when it likes, as a client of the MCP server
//! does.
//!
//! Nobody says where one answer of such an agent ends and the next begins, so pauses do: a turn
//! begins with a call and ends when no further call has come for [`HostedTask::pause`] after the last
//! was answered. The calls that one model answer asks for come within milliseconds of each other;
//! before the next answer a model thinks for longer. A turn also ends after [`MOST_CALLS`] calls, so
//! that a crash never costs more than these. The seconds of a turn are counted from the end of the
//! last call before it, so that thinking is part of them.
//!
//! The run lives on a thread of its own and is recorded like any other. Once it is over (the disk is
//! full, too many calls), further calls are answered with the reason.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use serde_json::{Map, Value};

use crate::base::CancelToken;
use crate::environment::{OpenEnvironment, ToolCall, ToolOutcome};
use crate::run::recorder::{Durability, RecordError};
use crate::run::{AgentRef, Event, Manifest, Outcome, TaskRef};

use super::cpu_pool::CpuPool;
use super::error::RunTaskError;
use super::prepared_task::{PreparedTask, now};
use super::recording::{NoObserver, Recording};

/// Most calls in a turn.
pub const MOST_CALLS: usize = 100;
/// Most calls that may wait for the one that is made.
const WAITING_CALLS: usize = 256;

/// What a hosted run is an attempt at.
pub struct HostedTask {
    /// Which task.
    pub task: TaskRef,
    /// The same, read.
    pub prepared: PreparedTask,
    /// Makes the environment; [`open_environment`](crate::environment::open_environment) but in
    /// tests.
    pub open_environment: Box<OpenEnvironment>,
    /// How long a turn waits for another call.
    pub pause: Duration,
    /// The run ends at this many calls.
    pub max_calls: u32,
    /// What its runs share with others.
    pub cpu: CpuPool,
}

impl std::fmt::Debug for HostedTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostedTask").field("task", &self.task).finish_non_exhaustive()
    }
}

/// Where a hosted run is recorded, and what its manifest says.
#[derive(Clone, Debug)]
pub struct HostedPlace {
    /// The folder: new or empty.
    pub dir: PathBuf,
    /// Who calls.
    pub agent: AgentRef,
    /// The run's settings.
    pub settings: Map<String, Value>,
}

/// Why a call was not made: in words for the agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMade {
    /// The run has ended, or never began.
    #[error("the run is over, nothing can be drawn any more: {0}")]
    Over(String),
    /// Too many calls wait already.
    #[error("{WAITING_CALLS} calls wait already: wait for their answers first")]
    Busy,
}

/// Hears what came of a call, on the run's thread. It must not wait for anything.
pub type OutcomeCallback = Box<dyn FnOnce(Result<ToolOutcome, NotMade>) + Send>;

/// The thread of a run; its value is how the run ended, or why there is no whole record of it.
pub type HostedThread = JoinHandle<Result<Manifest, RunTaskError>>;

/// A call that waits.
type PendingCall = (ToolCall, OutcomeCallback);

/// A run that takes calls. Dropping it without [`HostedRun::end`] cancels the run.
pub struct HostedRun {
    /// Dropped when the run is to end.
    orders: Sender<PendingCall>,
    /// How it is to end.
    outcome: Arc<OnceLock<Outcome>>,
    thread: HostedThread,
}

impl std::fmt::Debug for HostedRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostedRun").field("waiting", &self.orders.len()).finish_non_exhaustive()
    }
}

impl HostedRun {
    /// Begins a run on a thread of its own. What keeps it from beginning is what its calls are
    /// answered.
    pub fn begin(task: Arc<HostedTask>, place: HostedPlace) -> io::Result<Self> {
        let (orders, received) = bounded(WAITING_CALLS);
        let outcome = Arc::new(OnceLock::new());
        let orders_and_end = Orders { received, outcome: Arc::clone(&outcome) };
        let thread = std::thread::Builder::new()
            .name("hosted-run".to_owned())
            .spawn(move || host(&task, place, &orders_and_end))?;
        Ok(Self { orders, outcome, thread })
    }

    /// Asks for a call; calls are made one after the other, in the order they are asked for.
    pub fn call(&self, call: ToolCall, answer: OutcomeCallback) {
        // Never waits: whoever serves the agent may serve others on the same thread.
        match self.orders.try_send((call, answer)) {
            Ok(()) => {}
            Err(TrySendError::Full((_, answer))) => answer(Err(NotMade::Busy)),
            Err(TrySendError::Disconnected((_, answer))) => {
                answer(Err(NotMade::Over("its thread is gone".to_owned())));
            }
        }
    }

    /// Ends the run after the calls that wait, without waiting for them; gives its thread.
    pub fn end(self, outcome: Outcome) -> HostedThread {
        // It is set here and nowhere else. Dropping the sender ends the loop, which reads it then.
        self.outcome.set(outcome).ok();
        self.thread
    }
}

/// What a run's thread is told.
struct Orders {
    received: Receiver<PendingCall>,
    outcome: Arc<OnceLock<Outcome>>,
}

impl Orders {
    /// How the run ends when there are no orders any more.
    fn ending(&self) -> Outcome {
        self.outcome.get().cloned().unwrap_or(Outcome::Cancelled)
    }
}

/// Begins, hosts and ends a run; whatever happens, every call is answered.
fn host(task: &HostedTask, place: HostedPlace, orders: &Orders) -> Result<Manifest, RunTaskError> {
    let mut observer = NoObserver;
    let ended = begin(task, place, &mut observer).and_then(|recording| {
        let turns = HostedLoop { task, recording, open: None, begun: 0, last_call: Instant::now() };
        turns.host(orders)
    });
    // Calls may still wait, or come before the server hears of the end: each is told why.
    let why = match &ended {
        Ok(manifest) => why_over(&manifest.outcome),
        Err(error) => error.to_string(),
    };
    // Until nobody can send any more; there are some only if the run could not go on.
    for (_, answer) in &orders.received {
        answer(Err(NotMade::Over(why.clone())));
    }
    ended
}

fn begin<'a>(
    task: &HostedTask,
    place: HostedPlace,
    observer: &'a mut NoObserver,
) -> Result<Recording<'a>, RunTaskError> {
    let environment = task.prepared.open(&*task.open_environment)?;
    let manifest = task.prepared.manifest(task.task.clone(), place.agent, place.settings);
    let (start, durability) = (&task.prepared.start, Durability::EveryTurn);
    let dir = &place.dir;
    Ok(Recording::begin(environment, dir, manifest, start, durability, &task.cpu, observer)?)
}

fn why_over(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Running | Outcome::Completed => "it was completed".to_owned(),
        Outcome::LimitReached(limit) => format!("its limit is {limit}"),
        Outcome::Cancelled => "it was stopped".to_owned(),
        Outcome::Failed(why) => why.clone(),
    }
}

/// A turn that may get more calls.
struct OpenTurn {
    began: Instant,
    calls: usize,
}

struct HostedLoop<'a> {
    task: &'a HostedTask,
    recording: Recording<'a>,
    open: Option<OpenTurn>,
    /// Turns begun.
    begun: u32,
    /// When the last call was answered, or the run began.
    last_call: Instant,
}

impl HostedLoop<'_> {
    fn host(mut self, orders: &Orders) -> Result<Manifest, RunTaskError> {
        let outcome = match self.make_calls(orders) {
            Ok(outcome) => outcome,
            Err(error) => {
                // If even this cannot be written, the folder shows an interrupted run.
                self.recording.finish(Outcome::Failed(error.to_string())).ok();
                return Err(error.into());
            }
        };
        Ok(self.recording.finish(outcome)?)
    }

    fn make_calls(&mut self, orders: &Orders) -> Result<Outcome, RecordError> {
        let outcome = loop {
            let Some((call, answer)) = self.next(&orders.received)? else { break orders.ending() };
            if let Some(outcome) = self.take_call(&call, answer)? {
                break outcome;
            }
        };
        self.end_turn()?;
        self.recording.record_ending(&outcome)?;
        Ok(outcome)
    }

    /// The next call; while none comes, the open turn ends. `None`: there will be none any more.
    fn next(&mut self, orders: &Receiver<PendingCall>) -> Result<Option<PendingCall>, RecordError> {
        if self.open.is_some() {
            // A turn that is over is on disk before its agent may have thought of the next.
            match orders.recv_timeout(self.task.pause) {
                Ok(order) => return Ok(Some(order)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.end_turn()?,
            }
        }
        Ok(orders.recv().ok())
    }

    /// Makes a call and answers it; gives how the run has to end, if it has to.
    fn take_call(
        &mut self,
        call: &ToolCall,
        answer: OutcomeCallback,
    ) -> Result<Option<Outcome>, RecordError> {
        // Before the call, so that the record holds no call beyond the limit.
        if self.recording.manifest().totals.calls >= self.task.max_calls {
            let outcome = Outcome::LimitReached(format!("{} calls", self.task.max_calls));
            answer(Err(NotMade::Over(why_over(&outcome))));
            return Ok(Some(outcome));
        }
        match self.make_call(call) {
            // Answered before a full turn is closed, which draws a picture and syncs.
            Ok(Ok(outcome)) => {
                answer(Ok(outcome));
                self.close_a_full_turn()?;
                Ok(None)
            }
            Ok(Err(broke_down)) => {
                answer(Err(NotMade::Over(broke_down.clone())));
                Ok(Some(Outcome::Failed(broke_down)))
            }
            Err(error) => {
                answer(Err(NotMade::Over(error.to_string())));
                Err(error)
            }
        }
    }

    fn make_call(&mut self, call: &ToolCall) -> Result<Result<ToolOutcome, String>, RecordError> {
        // The thinking before the first call belongs to its turn: it began when the last call ended.
        if self.open.is_none() {
            self.begun += 1;
            self.recording.record(Event::Turn { turn: self.begun, at: now() })?;
            self.open = Some(OpenTurn { began: self.last_call, calls: 0 });
        }
        // Nobody can cancel such a run: its client ends it between two calls.
        let made = self.recording.make_call(self.begun, call, &CancelToken::default());
        self.last_call = Instant::now();
        if let Some(open) = &mut self.open {
            open.calls += 1;
        }
        made
    }

    fn close_a_full_turn(&mut self) -> Result<(), RecordError> {
        match &self.open {
            Some(open) if open.calls >= MOST_CALLS => self.end_turn(),
            _ => Ok(()),
        }
    }

    fn end_turn(&mut self) -> Result<(), RecordError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        self.recording.observe(self.begun)?;
        let seconds = self.last_call.duration_since(open.began).as_secs_f64();
        self.recording.record(Event::TurnEnd { turn: self.begun, seconds })
    }
}
