//! An environment that is acted on while everything is recorded: what every kind of run shares,
//! whoever decides on the calls.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::base::CancelToken;
use crate::environment::{
    Environment, FailureClass, PictureRequest, StartState, ToolCall, ToolCategory, ToolOutcome,
};
use crate::run::recorder::{Durability, RecordError, Recorder};
use crate::run::{Event, Manifest, Outcome, ProviderTotals, Usage};

use super::catch_panic::{Panicked, catch_panic};
use super::chat::{Exchange, ExchangeEnd, RecordedExchange};
use super::cpu_pool::{CpuPool, RunAtWork};
use super::interface::{AgentLog, Growth};
use super::prepared_task::now;

/// How often a tool that breaks down is tried (CANVAS, appendix, "Failure Handling").
const TRIES: u32 = 3;

/// So many runs may keep what they draw faster with: some five megabytes each.
const FEW_RUNS: usize = 16;

/// How much is kept of an answer that is larger than a line of a record may be, in bytes.
const KEPT_OF_TOO_LARGE: usize = 1 << 20;

/// Hears what is recorded, right after it is in the file. Must not wait for anything: the run waits
/// for it. It may be told on other threads than the one that began the run.
pub trait Observer: Send {
    /// Where the run is going to be; said by who chooses the folder, before the run exists.
    fn placed(&mut self, dir: &Path) {
        let _ = dir;
    }
    /// The run exists on disk.
    fn started(&mut self, manifest: &Manifest);
    /// An event was recorded; the manifest's totals include it.
    fn recorded(&mut self, manifest: &Manifest, event: &Event);
    /// The answer of this turn grows; it is not recorded yet.
    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        let _ = (turn, growth);
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn started(&mut self, _manifest: &Manifest) {}
    fn recorded(&mut self, _manifest: &Manifest, _event: &Event) {}
}

/// A run while it is recorded.
pub(super) struct Recording<'a> {
    environment: Box<dyn Environment>,
    recorder: Recorder,
    durability: Durability,
    observer: &'a mut dyn Observer,
    cpu: CpuPool,
    at_work: RunAtWork,
}

impl<'a> Recording<'a> {
    /// Begins a run in a new or empty folder, and tells the observer. A run that is kept loosely has no
    /// pictures of its turns: replay has them.
    pub(super) fn begin(
        environment: Box<dyn Environment>,
        dir: &Path,
        manifest: Manifest,
        start: &StartState,
        durability: Durability,
        cpu: &CpuPool,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, RecordError> {
        let start = start.document.as_ref();
        let recorder = Recorder::create_durable(dir, manifest, start, durability)?;
        observer.started(recorder.manifest());
        let (cpu, at_work) = (cpu.clone(), cpu.begin_run());
        Ok(Self { environment, recorder, durability, observer, cpu, at_work })
    }

    /// The manifest with fresh totals.
    pub(super) fn manifest(&self) -> &Manifest {
        self.recorder.manifest()
    }

    pub(super) fn record(&mut self, event: Event) -> Result<(), RecordError> {
        let event = self.recorder.record(event)?;
        self.observer.recorded(self.recorder.manifest(), &event);
        Ok(())
    }

    /// The environment to look at, and what an agent tells of while it answers.
    pub(super) fn asking(&mut self, turn: u32) -> (&dyn Environment, TurnLog<'_>) {
        let log = TurnLog {
            turn,
            recorder: &mut self.recorder,
            observer: &mut *self.observer,
            cpu: self.cpu.clone(),
            usage: None,
            failed: None,
        };
        (&*self.environment, log)
    }

    /// Whether calls wait for programs outside ([`Environment::calls_wait`]).
    pub(super) fn calls_wait(&self) -> bool {
        self.environment.calls_wait()
    }

    /// Makes and records one call; a tool that breaks down is tried [`TRIES`] times, and then the
    /// call has failed and changed nothing. `Err` inside: what it left could not be put right, and
    /// the environment must not be acted on any more.
    pub(super) fn make_call(
        &mut self,
        turn: u32,
        call: &ToolCall,
        cancel: &CancelToken,
    ) -> Result<Result<ToolOutcome, String>, RecordError> {
        // Steps are numbered through the run, whatever turn they are in.
        let step = self.manifest().totals.calls + 1;
        let category = self.category(&call.name);
        self.record(Event::Call { turn, step, category, call: call.clone() })?;
        let began = Instant::now();
        // The call is on disk before it is made: if it brings the program down, it is known which it was.
        let outcome = match self.tried(call, cancel) {
            Ok(outcome) => outcome,
            Err(panicked) => return Ok(Err(panicked.to_string())),
        };
        let latency_ms = began.elapsed().as_secs_f64() * 1e3;
        let image = outcome.image.as_ref().map(|image| self.recorder.keep_picture(image));
        self.record(Event::Outcome {
            step,
            text: outcome.text.clone(),
            structured: outcome.structured.clone(),
            image: image.transpose()?,
            failure: outcome.failure.clone(),
            latency_ms,
        })?;
        Ok(Ok(outcome))
    }

    fn tried(&mut self, call: &ToolCall, cancel: &CancelToken) -> Result<ToolOutcome, Panicked> {
        // Taken before the first try: a panic says nothing of what was changed until then.
        let before = catch_panic("looking at the canvas", || self.environment.snapshot())?;
        let mut message = String::new();
        for _ in 0..TRIES {
            match catch_panic(&call.name, || self.environment.call(call, cancel)) {
                Ok(outcome) => return Ok(outcome),
                Err(panicked) => message = panicked.to_string(),
            }
            // A tool that broke down may have done half of its work.
            catch_panic("putting the canvas back", || self.environment.restore(&before))?;
        }
        let message = format!("{message}. It was tried {TRIES} times; nothing was changed.");
        Ok(ToolOutcome::failure(&call.name, FailureClass::BrokeDown, message))
    }

    fn category(&self, tool: &str) -> ToolCategory {
        let spec = self.environment.tools().iter().find(|spec| spec.name == tool);
        spec.map_or(ToolCategory::Other, |spec| spec.category)
    }

    /// The agent is asked next, which may take minutes: where many runs are at work, the environment
    /// lets go of what it keeps only to be faster.
    pub(super) fn drop_caches_if_busy(&mut self) {
        if self.at_work.all() > FEW_RUNS {
            self.environment.drop_caches();
        }
    }

    /// Keeps a picture of the main frame; what cannot be drawn is a note.
    pub(super) fn observe(&mut self, turn: u32) -> Result<(), RecordError> {
        // An import by the thousand draws no pictures: replay has them.
        if self.durability == Durability::NoFsync {
            return Ok(());
        }
        let drawn = catch_panic("drawing", || self.environment.picture(&PictureRequest::default()));
        let picture = match drawn {
            Ok(Ok(picture)) => picture,
            Ok(Err(error)) => return self.no_picture(turn, &error.to_string()),
            Err(panicked) => return self.no_picture(turn, &panicked.to_string()),
        };
        let image = self.recorder.keep_picture(&picture.pixels)?;
        self.record(Event::Observation { turn, image })
    }

    fn no_picture(&mut self, turn: u32, why: &str) -> Result<(), RecordError> {
        self.record(Event::Note { text: format!("There is no picture after turn {turn}: {why}") })
    }

    /// A failure is an event too, so that it is read where it happened.
    pub(super) fn record_ending(&mut self, outcome: &Outcome) -> Result<(), RecordError> {
        match outcome {
            Outcome::Failed(text) => self.record(Event::Error { text: text.clone() }),
            _ => Ok(()),
        }
    }

    /// Ends the run with the document as it is now.
    pub(super) fn finish(self, outcome: Outcome) -> Result<Manifest, RecordError> {
        // A run whose canvas broke down keeps all else; replay makes the document again.
        let document =
            catch_panic("writing the document", || self.environment.document_json()).ok();
        self.recorder.finish(outcome, now(), document.as_ref())
    }
}

/// The log of one turn of a recorded run.
pub(super) struct TurnLog<'a> {
    turn: u32,
    recorder: &'a mut Recorder,
    observer: &'a mut dyn Observer,
    cpu: CpuPool,
    /// What the models that were asked in this turn cost so far, if any provider told.
    pub(super) usage: Option<Usage>,
    /// Why something could not be kept; the first of it. Then the answer must not be acted on.
    pub(super) failed: Option<RecordError>,
}

impl TurnLog<'_> {
    fn keep(&mut self, exchange: &Exchange) -> Result<(), RecordError> {
        // Pictures are sent again with every request of a conversation; each is kept once, by its hash.
        let (request, mut pictures) = exchange.request.without_pictures();
        let (answer, more) = exchange.answer.without_pictures();
        pictures.extend(more);
        let pictures = pictures.into_iter().map(|picture| (picture.file, picture.png));
        let pictures: Vec<(String, Vec<u8>)> = pictures.collect();
        let exchange = Exchange { request, answer, ..exchange.clone() };
        let mut line = RecordedExchange { turn: self.turn, exchange };
        // Pictures come before the line that names them: a torn record never names what is not there.
        match self.recorder.keep_exchange(&line, &pictures) {
            Err(RecordError::TooLarge { .. }) => {}
            kept => return kept,
        }
        // What was asked and how it ended is kept of it all the same.
        let bytes = line.exchange.answer.shorten(KEPT_OF_TOO_LARGE);
        line.exchange.end = ExchangeEnd::Abandoned;
        self.note(format!(
            "the answer is too large to be kept: of its {bytes} bytes the record holds the first \
             {KEPT_OF_TOO_LARGE}"
        ));
        self.recorder.keep_exchange(&line, &pictures)
    }

    fn record(&mut self, event: Event) -> Result<(), RecordError> {
        let event = self.recorder.record(event)?;
        self.observer.recorded(self.recorder.manifest(), &event);
        Ok(())
    }

    fn note_failure(&mut self, done: Result<(), RecordError>) {
        if let Err(error) = done {
            self.failed.get_or_insert(error);
        }
    }
}

impl AgentLog for TurnLog<'_> {
    fn exchange(&mut self, exchange: &Exchange) {
        // Taking pictures out of a body of megabytes takes a processor.
        let kept = self.cpu.clone().run(|| self.keep(exchange));
        self.note_failure(kept);
    }

    fn cpu(&self) -> CpuPool {
        self.cpu.clone()
    }

    fn count(&mut self, provider: &str, counts: &ProviderTotals) {
        self.recorder.count_provider(provider, counts);
        if counts.usage != Usage::default() {
            self.usage.get_or_insert_default().add(&counts.usage);
        }
    }

    fn note(&mut self, text: String) {
        let text = format!("Turn {}: {text}", self.turn);
        let recorded = self.record(Event::Note { text });
        self.note_failure(recorded);
    }

    fn plan(&mut self, plan: &Value) {
        let kept = self.recorder.keep_plan(plan);
        self.note_failure(kept);
    }

    fn growing(&mut self, growth: &Growth<'_>) {
        self.observer.growing(self.turn, growth);
    }
}
