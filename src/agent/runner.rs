//! The loop: lets an agent act on a task's environment, and records everything.
//!
//! One turn is one answer: the agent thinks, its calls are made one after the other, a picture of the
//! main frame is kept, and the turn is forced to disk. The run ends when an answer has no calls, a
//! limit is met, somebody stops it, or something fails; whatever happens, the folder says so.
//!
//! A run that is paused ([`CancelToken::pause`]) finishes and records the turn it is at; the next one
//! begins when it is resumed. The time it waits counts for no limit and for no turn.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::base::CancelToken;
use crate::environment::suite::GivenPicture;
use crate::environment::{Environment, OpenEnvironment, ToolCall, ToolOutcome};
use crate::graphictown::Query;
use crate::run::recorder::{Durability, RecordError};
use crate::run::{Event, Manifest, Outcome, TaskRef, Usage};
use crate::task::{AgentInput, Task};

use super::catch_panic::catch_panic;
use super::chat::ChatError;
use super::cpu_pool::CpuPool;
use super::prepared_task::{PreparedTask, now};
use super::recording::Recording;

pub use super::error::RunTaskError;
pub use super::recording::{NoObserver, Observer};
pub use super::run_settings::{
    COMPAT_SETTING, RunLimits, RunSettings, START_DESIGN_SETTING, START_RUN_SETTING, StartDesign,
    StartRun,
};
use super::{Agent, AgentError, AgentTurn, AgentView, PictureSource};

/// What is to be run.
pub struct Attempt<'a> {
    /// Id of the task set.
    pub set: &'a str,
    /// The task.
    pub task: &'a Task,
    /// When to stop.
    pub limits: RunLimits,
    /// The run's settings, for the manifest; [`COMPAT_SETTING`] among them counts.
    pub settings: Map<String, Value>,
    /// The run's folder: new or empty.
    pub dir: &'a Path,
    /// Makes the environment; [`open_environment`](crate::environment::open_environment) but in
    /// tests.
    pub open_environment: &'a OpenEnvironment,
    /// Where the pictures of design queries come from.
    pub pictures: &'a PictureSource,
    /// How safely the run is kept while it is recorded.
    pub durability: Durability,
    /// Where its own work is done.
    pub cpu: &'a CpuPool,
}

impl std::fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("Attempt");
        fields.field("set", &self.set).field("task", &self.task.id).field("dir", &self.dir);
        fields.finish_non_exhaustive()
    }
}

/// Runs the agent on the task. How it ended is the manifest's [`Outcome`], failures of the agent and
/// of tools included; an error is given only when there is no run or its record is not whole.
pub fn run_task(
    attempt: &Attempt<'_>,
    agent: &mut dyn Agent,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Manifest, RunTaskError> {
    let settings = RunSettings::from_json(&attempt.settings)?;
    let Attempt { task, pictures, open_environment, cpu, .. } = *attempt;
    let prepared = PreparedTask::read(task, &settings, pictures, open_environment, cpu)?;
    run_prepared_task(attempt, &prepared, agent, cancel, observer)
}

/// The same on a task that was read already, with the settings of the attempt: several runs may share
/// one.
pub fn run_prepared_task(
    attempt: &Attempt<'_>,
    prepared: &PreparedTask,
    agent: &mut dyn Agent,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Manifest, RunTaskError> {
    // A model that writes a page does so whatever the task's own environment is.
    let elsewhere = agent.environment().map(|environment| prepared.in_environment(environment));
    let elsewhere = elsewhere.transpose()?;
    let prepared = elsewhere.as_ref().unwrap_or(prepared);
    let open = || prepared.open(attempt.open_environment);
    // Calls that it begins with may wait for a program outside, which on a shared thread all others would do too.
    let environment = if prepared.continued.is_some() { open() } else { attempt.cpu.run(open) }?;
    let task = TaskRef::new(attempt.set, &attempt.task.id);
    // What the kind says of how it works, unless the agent itself knows better.
    let mut manifest = prepared.manifest(task, agent.identity(), attempt.settings.clone());
    if let Some(mode) = agent.mode() {
        mode.clone_into(&mut manifest.mode);
    }
    let main_frame = main_frame(&*environment);
    let instruction = prepared.instruction(attempt.task);
    let (start, durability) = (&prepared.start, attempt.durability);
    let recording = Recording::begin(
        environment,
        attempt.dir,
        manifest,
        start,
        durability,
        attempt.cpu,
        observer,
    )?;
    let mut turns = RunLoop {
        main_frame,
        input: &prepared.input,
        instruction: &instruction,
        query: attempt.task.brief.as_deref().map(|brief| &brief.query),
        limits: &attempt.limits,
        cpu: attempt.cpu,
        input_pictures: &prepared.input_pictures,
        recording,
        cancel,
        // One token may serve many runs: what it was paused before this one is none of its time.
        began: Instant::now(),
        paused_before: cancel.paused_for(),
    };
    match turns.run(agent) {
        Ok(outcome) => Ok(attempt.cpu.run(|| turns.recording.finish(outcome))?),
        Err(error) => {
            // If even this cannot be written, the folder shows an interrupted run.
            turns.recording.finish(Outcome::Failed(error.to_string())).ok();
            Err(error.into())
        }
    }
}

/// The main frame's id; empty if there is none.
pub(super) fn main_frame(environment: &dyn Environment) -> String {
    environment.main_frame().map_or_else(String::new, |id| id.to_string())
}

/// A call with what came of it.
type Answered = (ToolCall, ToolOutcome);

/// What ends a run in the middle of a turn.
enum RunStop {
    Ended(Outcome),
    Unrecorded(RecordError),
}

impl<E: Into<RecordError>> From<E> for RunStop {
    fn from(error: E) -> Self {
        Self::Unrecorded(error.into())
    }
}

impl RunStop {
    /// This, unless it only ends the run and what belongs to the end could not be recorded.
    fn or_unrecorded(self, recorded: Result<(), RecordError>) -> Self {
        match (self, recorded) {
            (Self::Ended(_), Err(error)) => Self::Unrecorded(error),
            (stop, _) => stop,
        }
    }
}

/// A run while it happens.
struct RunLoop<'a> {
    recording: Recording<'a>,
    main_frame: String,
    input: &'a AgentInput,
    instruction: &'a str,
    query: Option<&'a Query>,
    input_pictures: &'a [GivenPicture],
    limits: &'a RunLimits,
    cpu: &'a CpuPool,
    cancel: &'a CancelToken,
    began: Instant,
    /// How long the token had been paused before the run.
    paused_before: Duration,
}

impl RunLoop<'_> {
    fn run(&mut self, agent: &mut dyn Agent) -> Result<Outcome, RecordError> {
        let mut last_turn = Vec::new();
        for turn in 1.. {
            match self.turn(turn, agent, &last_turn) {
                Ok(answered) => last_turn = answered,
                // Even a failure ends a run in good order; only a record that cannot be written does not.
                Err(RunStop::Ended(outcome)) => {
                    self.recording.record_ending(&outcome)?;
                    return Ok(outcome);
                }
                Err(RunStop::Unrecorded(error)) => return Err(error),
            }
        }
        Ok(Outcome::Completed)
    }

    fn turn(
        &mut self,
        turn: u32,
        agent: &mut dyn Agent,
        last_turn: &[Answered],
    ) -> Result<Vec<Answered>, RunStop> {
        // Limits first: a run that may not go on does not wait for being resumed.
        self.check_limits(turn)?;
        self.wait_while_paused()?;
        let (at, began) = (now(), self.seconds());
        let (answer, spent) = self.ask(turn, agent, last_turn);
        let mut answer = match answer {
            Ok(answer) => answer,
            Err(stop) => {
                // An answer that never came may have been paid for all the same, in attempts at it
                // and in those before it that were of no use.
                if let Some(usage) = spent {
                    let recorded = self.record_lost_turn(turn, at, began, usage);
                    return Err(stop.or_unrecorded(recorded));
                }
                return Err(stop);
            }
        };
        // What the agent says it cost comes on top of what was counted while it was asked.
        if let Some(spent) = spent {
            answer.usage.get_or_insert_default().add(&spent);
        }
        // ReAct: who makes no call has finished, unless this is one of several answers to one question.
        let is_done = answer.calls.is_empty() && !answer.goes_on;
        let ends = answer.ends.clone().or(is_done.then_some(Outcome::Completed));
        // Nothing was said, done or paid for: there is no turn to record.
        if answer == AgentTurn::default() {
            return Err(RunStop::Ended(Outcome::Completed));
        }
        self.recording.record(Event::Turn { turn, at })?;
        if !answer.thought.is_empty() {
            self.recording.record(Event::Thought { turn, text: answer.thought })?;
        }
        if let Some(usage) = answer.usage {
            self.recording.record(Event::Usage { turn, usage })?;
        }
        // Usage stands before the calls, so that a call that brings the program down was paid for all
        // the same.
        let (answered, stopped) = if self.recording.calls_wait() {
            // On the run's own thread: on a shared one all other runs would wait too.
            self.make_calls(turn, answer.calls)?
        } else {
            self.cpu.run(|| self.make_calls(turn, answer.calls))?
        };
        self.recording
            .record(Event::TurnEnd { turn, seconds: (self.seconds() - began).max(0.0) })?;
        // What stopped the calls says more than how the agent meant to end.
        match stopped.or(ends) {
            Some(outcome) => Err(RunStop::Ended(outcome)),
            None => Ok(answered),
        }
    }

    /// Records a turn of which nothing is known but what it cost.
    fn record_lost_turn(
        &mut self,
        turn: u32,
        at: String,
        began: f64,
        usage: Usage,
    ) -> Result<(), RecordError> {
        self.recording.record(Event::Turn { turn, at })?;
        self.recording.record(Event::Usage { turn, usage })?;
        let seconds = (self.seconds() - began).max(0.0);
        self.recording.record(Event::TurnEnd { turn, seconds })
    }

    /// Waits while the run is paused.
    fn wait_while_paused(&self) -> Result<(), RunStop> {
        self.cancel.wait_while_paused().map_err(|_stopped| RunStop::Ended(Outcome::Cancelled))
    }

    /// For how long it has been at work, without the time in which it was paused.
    fn seconds(&self) -> f64 {
        let paused = self.cancel.paused_for().saturating_sub(self.paused_before);
        self.began.elapsed().saturating_sub(paused).as_secs_f64()
    }

    fn check_limits(&self, turn: u32) -> Result<(), RunStop> {
        if turn > self.limits.max_turns {
            let limit = format!("{} turns", self.limits.max_turns);
            return Err(RunStop::Ended(Outcome::LimitReached(limit)));
        }
        let ends = self.stopped().or_else(|| self.spent());
        ends.map_or(Ok(()), |outcome| Err(RunStop::Ended(outcome)))
    }

    /// Whether the run has cost all that it may.
    fn spent(&self) -> Option<Outcome> {
        let totals = &self.recording.manifest().totals;
        // Tokens first: they are known of every provider, costs only of those with prices.
        let tokens = totals.input_tokens.saturating_add(totals.output_tokens);
        let tokens = self.limits.max_tokens.filter(|most| tokens >= *most);
        let cost = self.limits.max_cost_usd.zip(totals.cost_usd);
        let cost = cost.filter(|(most, cost)| cost >= most).map(|(most, _)| format!("${most}"));
        let limit = tokens.map(|most| format!("{most} tokens")).or(cost);
        limit.map(Outcome::LimitReached)
    }

    /// Whether the run has to end before the next call, and how.
    fn stopped(&self) -> Option<Outcome> {
        let RunLimits { max_calls, max_seconds, .. } = *self.limits;
        if self.cancel.is_cancelled() {
            return Some(Outcome::Cancelled);
        }
        // Looked at between calls, as a call that was begun is finished.
        if let Some(seconds) = max_seconds.filter(|s| self.seconds() >= *s) {
            return Some(Outcome::LimitReached(format!("{seconds} seconds")));
        }
        (self.recording.manifest().totals.calls >= max_calls)
            .then(|| Outcome::LimitReached(format!("{max_calls} calls")))
    }

    /// The agent's answer, or how the run ends without one; and what the models cost that were asked
    /// for it, whichever of both it is.
    fn ask(
        &mut self,
        turn: u32,
        agent: &mut dyn Agent,
        last_turn: &[Answered],
    ) -> (Result<AgentTurn, RunStop>, Option<Usage>) {
        // Cloned, as the log borrows the recording while the agent answers.
        let task = self.recording.manifest().task.clone();
        let (environment, mut log) = self.recording.asking(turn);
        let view = AgentView {
            task: &task,
            turn,
            instruction: self.instruction,
            ground_truth: self.input.picture.as_ref(),
            canvas_size: self.input.canvas_size,
            query: self.query,
            input_pictures: self.input_pictures,
            main_frame: &self.main_frame,
            tools: environment.tools(),
            last_turn,
        };
        let answer = catch_panic("the agent", || agent.next_turn(&view, &mut log, self.cancel));
        let (failed, spent) = (log.failed, log.usage);
        // An exchange that could not be kept must not be acted on, or the record would not lead to the
        // document.
        if let Some(error) = failed {
            return (Err(RunStop::Unrecorded(error)), spent);
        }
        let ended = match answer {
            Ok(Ok(answer)) => return (Ok(answer), spent),
            Ok(Err(AgentError::Cancelled(_) | AgentError::Chat(ChatError::Cancelled { .. }))) => {
                Outcome::Cancelled
            }
            Ok(Err(error)) => Outcome::Failed(error.to_string()),
            Err(panicked) => Outcome::Failed(panicked.to_string()),
        };
        (Err(RunStop::Ended(ended)), spent)
    }

    /// Makes the calls until one of them has to be the last, and keeps a picture of what came of them.
    fn make_calls(
        &mut self,
        turn: u32,
        calls: Vec<ToolCall>,
    ) -> Result<(Vec<Answered>, Option<Outcome>), RunStop> {
        let had_calls = !calls.is_empty();
        let (mut answered, mut stopped) = (Vec::with_capacity(calls.len()), None);
        for call in calls {
            // The call before it may have taken the last of the time, or somebody stopped the run meanwhile.
            if let Some(outcome) = self.stopped() {
                stopped = Some(outcome);
                break;
            }
            match self.recording.make_call(turn, &call, self.cancel)? {
                Ok(outcome) => answered.push((call, outcome)),
                Err(broke_down) => {
                    stopped = Some(Outcome::Failed(broke_down));
                    break;
                }
            }
        }
        // A turn without calls shows what the one before showed.
        if had_calls {
            self.recording.observe(turn)?;
            self.recording.drop_caches_if_busy();
        }
        Ok((answered, stopped))
    }
}
