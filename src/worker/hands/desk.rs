//! A design in somebody's hands, as the run that it becomes.
//!
//! A step is a turn at once; those of a burst (nudging, typing, scrubbing) are one turn, when it is ended or no more has
//! come of it for a while. A turn is worked out on a canvas of its own: by the tools, where they lead to exactly what was
//! done, else by the one that makes any change. Then it is written, event by event; what cannot be written stays and is
//! tried again, and everything that comes meanwhile waits behind it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::beside::{self, Beside, VersionLine};
use crate::agent::assistant::recorded_calls;
use crate::agent::batch::seen_from;
use crate::agent::runner::StartRun;
use crate::base::{CancelToken, Pixels};
use crate::design::{Document, NodeId};
use crate::editor::{Author, BurstPart, EditStep};
use crate::environment::canvas::{APPLY_EDIT, CanvasSettings, apply_edit_call, category_of};
use crate::environment::{Environment, PictureRequest, ToolCall, ToolCategory, ToolOutcome};
use crate::run::recorder::{RecordError, Recorder};
use crate::run::{Event as RunEvent, Manifest, Outcome, Run, TASKS_SETTING, folder};
use crate::workbench::Event;
use crate::workbench::protocol::{DesignVersion, HandsNews, ListedRun};
use crate::worker::shared::{Shared, is_news};

/// Steps of a burst that follow one another as fast as this are one turn.
const BURST: Duration = Duration::from_secs(1);
/// Longest burst, so that nothing is kept from the disk for long.
const LONGEST_BURST: Duration = Duration::from_secs(5);
/// While more is coming, pictures are this far apart.
const PICTURE_EVERY: Duration = Duration::from_secs(2);
/// How soon what could not be written is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// What a desk begins with.
pub(super) struct HandStart {
    /// Its number.
    pub(super) number: u64,
    /// The canvas, with the design on it.
    pub(super) environment: Box<dyn Environment>,
    /// What it measures and draws with.
    pub(super) settings: CanvasSettings,
    /// What is known of the run beside its calls.
    pub(super) manifest: Manifest,
    /// The document the run begins with.
    pub(super) document: Option<Value>,
    /// Where its task set lies.
    pub(super) set_dir: Option<PathBuf>,
    /// Where its folder goes.
    pub(super) out_dir: PathBuf,
    /// What is recorded before anything that is done: the steps of the run that is taken over.
    pub(super) taken_over: Option<(Arc<Run>, u32)>,
    /// The run that is gone on with.
    pub(super) recorder: Option<Recorder>,
    /// How many turns and steps that has.
    pub(super) recorded: (u32, u32),
}

/// A desk while somebody works at it.
#[derive(Debug)]
pub(super) struct HandDesk {
    number: u64,
    environment: Box<dyn Environment>,
    settings: CanvasSettings,
    manifest: Manifest,
    document: Option<Value>,
    set_dir: Option<PathBuf>,
    out_dir: PathBuf,
    recorder: Option<Recorder>,
    burst: Option<Burst>,
    /// What is to be written, in order.
    unwritten: VecDeque<Unwritten>,
    /// The last turn and step that were worked out.
    turn: u32,
    step: u32,
    /// When the last turn was made, by the clock of the person.
    last_turn: Instant,
    last_picture: Option<Instant>,
    retry_at: Option<Instant>,
    /// Why it could not be written last time.
    failing: Option<String>,
    /// Why the last step could not be worked out.
    unmade: Option<String>,
    is_closing: bool,
    /// What the run says of how it came out; `None`: it is gone on with another time.
    outcome: Option<Outcome>,
    is_told: bool,
}

/// Steps that become one turn.
#[derive(Debug)]
struct Burst {
    first: Instant,
    last: Instant,
    /// Whether more of it may come.
    may_grow: bool,
    author: Author,
    label: String,
    nodes: Vec<NodeId>,
    /// The numbers of the first and the last.
    steps: (u64, u64),
    count: u32,
    after: Document,
}

/// Something that is to be written.
#[derive(Debug)]
enum Unwritten {
    Event(RunEvent),
    /// The canvas behind a turn.
    Picture(u32, Pixels),
    /// The steps up to this one are on disk now.
    Kept(u64),
    Beside(Beside),
    /// A version got a name.
    Version(VersionLine, Document),
}

impl Unwritten {
    /// Whether somebody did it: then there is a run.
    fn makes_run(&self) -> bool {
        matches!(self, Self::Kept(_) | Self::Version(..) | Self::Beside(Beside::Comments(_)))
    }
}

impl Burst {
    fn new(step: EditStep, now: Instant) -> Self {
        let EditStep { number, label, burst, author, nodes, after, .. } = step;
        let (may_grow, steps) = (burst != BurstPart::Alone, (number, number));
        Self { first: now, last: now, may_grow, author, label, nodes, steps, count: 1, after }
    }

    /// Whether a step is more of the same.
    fn takes(&self, step: &EditStep, now: Instant) -> bool {
        self.may_grow
            && step.burst == BurstPart::More
            && self.author == step.author
            && now.duration_since(self.last) < BURST
            && now.duration_since(self.first) < LONGEST_BURST
    }

    fn due(&self) -> Instant {
        // What is done is on disk before anything else is: only a burst waits for more of it.
        let wait = if self.may_grow { BURST } else { Duration::ZERO };
        (self.last + wait).min(self.first + LONGEST_BURST)
    }
}

impl HandDesk {
    pub(super) fn new(start: HandStart) -> Self {
        let (turn, step) = start.recorded;
        let mut desk = Self {
            number: start.number,
            environment: start.environment,
            settings: start.settings,
            manifest: start.manifest,
            document: start.document,
            set_dir: start.set_dir,
            out_dir: start.out_dir,
            recorder: start.recorder,
            burst: None,
            unwritten: VecDeque::new(),
            turn,
            step,
            last_turn: Instant::now(),
            last_picture: None,
            retry_at: None,
            failing: None,
            unmade: None,
            is_closing: false,
            outcome: None,
            is_told: false,
        };
        if let Some((run, step)) = start.taken_over {
            desk.take_over(&run, step);
        }
        desk
    }

    /// When there is something to do without being asked.
    pub(super) fn due(&self) -> Option<Instant> {
        let burst = self.burst.as_ref().map(Burst::due);
        let writing = self.retry_at.filter(|_| !self.unwritten.is_empty() || self.is_closing);
        burst.into_iter().chain(writing).min()
    }

    /// Takes in what was done.
    pub(super) fn take(&mut self, step: EditStep, now: Instant) {
        if let Some(burst) = &mut self.burst
            && burst.takes(&step, now)
        {
            burst.last = now;
            burst.count += 1;
            burst.steps.1 = step.number;
            burst.after = step.after;
            return;
        }
        let before = self.burst.replace(Burst::new(step, now));
        if let Some(burst) = before {
            self.make_turn(&burst, now, true);
        }
    }

    /// Nothing more comes of the burst.
    pub(super) fn end_burst(&mut self) {
        if let Some(burst) = &mut self.burst {
            burst.may_grow = false;
        }
    }

    /// Nothing more comes.
    pub(super) fn close(&mut self, outcome: Option<Outcome>) {
        self.is_closing = true;
        self.outcome = outcome;
    }

    /// Keeps something beside the run, once there is one.
    pub(super) fn keep_beside(&mut self, what: Beside) {
        self.unwritten.push_back(Unwritten::Beside(what));
    }

    /// The design as it is.
    pub(super) fn design(&self) -> Document {
        self.environment.design().unwrap_or_default()
    }

    /// Gives what is there now a name.
    pub(super) fn name_version(&mut self, name: String) {
        if let Some(burst) = self.burst.take() {
            self.make_turn(&burst, Instant::now(), false);
        }
        let at = jiff::Timestamp::now().to_string();
        let line = VersionLine { name, at, turn: self.turn, step: self.step };
        self.unwritten.push_back(Unwritten::Version(line, self.design()));
    }

    /// Has all of it on disk, for an agent to go on with the run as it is now.
    ///
    /// # Errors
    ///
    /// What keeps it from the disk.
    pub(super) fn hand_over(&mut self, shared: &Shared) -> Result<StartRun, String> {
        self.write_all(shared);
        let recorder = self.recorder.as_ref().filter(|_| self.unwritten.is_empty());
        let Some(recorder) = recorder else {
            let why = self.failing.as_deref().unwrap_or("nothing was done to the design yet");
            return Err(why.to_owned());
        };
        let (path, run) = (recorder.dir().to_path_buf(), recorder.manifest().id.clone());
        // Of a run that is gone on with where it is, nothing may have been told yet.
        self.tell_of_run(shared);
        Ok(StartRun { path, run, step: self.step })
    }

    /// Does what is due; whether there is anything left to come.
    pub(super) fn work(&mut self, shared: &Shared, now: Instant, is_busy: bool) -> bool {
        if let Some(burst) = self.burst.take_if(|burst| self.is_closing || burst.due() <= now) {
            self.make_turn(&burst, now, is_busy);
        }
        if self.retry_at.is_some_and(|at| at > now) {
            return true;
        }
        self.retry_at = None;
        if !self.write(shared) {
            return !self.is_gone();
        }
        !(self.is_closing && self.finish(shared))
    }

    /// Whether nobody sits here any more and the run's folder was removed, as of who withdrew from a study.
    fn is_gone(&self) -> bool {
        let dir = self.recorder.as_ref().map(Recorder::dir);
        self.is_closing && dir.is_some_and(|dir| !dir.exists())
    }

    /// Writes what there is, once.
    pub(super) fn write_all(&mut self, shared: &Shared) {
        if let Some(burst) = self.burst.take() {
            self.make_turn(&burst, Instant::now(), false);
        }
        if self.write(shared) && self.is_closing {
            self.finish(shared);
        }
    }

    /// The calls of another run up to a step, turn by turn.
    fn take_over(&mut self, run: &Run, until: u32) {
        for turn in run.turns.iter() {
            let steps = run.steps_of(turn).take_while(|step| step.number <= until);
            let calls = steps.filter_map(|step| step.call.as_ref()).cloned().collect::<Vec<_>>();
            if calls.is_empty() {
                continue;
            }
            self.begin_turn();
            if !turn.thought.is_empty() {
                self.event(RunEvent::Thought { turn: self.turn, text: turn.thought.clone() });
            }
            let made = self.call_all(calls);
            self.push_calls(made);
            let seconds = turn.seconds.unwrap_or_default();
            self.event(RunEvent::TurnEnd { turn: self.turn, seconds });
        }
    }

    /// Works out what was done as a turn.
    fn make_turn(&mut self, burst: &Burst, now: Instant, is_busy: bool) {
        let before = self.design();
        if before == burst.after {
            // Done and taken back within the burst: nothing is different, and nobody waits any more.
            self.unwritten.push_back(Unwritten::Kept(burst.steps.1));
            return;
        }
        self.begin_turn();
        let action = match burst.author {
            Author::Person => "edit",
            Author::Assistant => "edit of the assistant",
            Author::AssistantAlone => "edit by the assistant alone",
        };
        let detail = json!({
            "by": burst.author, "label": burst.label, "step": burst.steps.1, "steps": burst.count,
        });
        self.event(RunEvent::HumanAction { action: action.to_owned(), detail });
        match self.calls_to(&before, burst) {
            Ok(made) => {
                self.push_calls(made);
                if self.design() != burst.after {
                    // Said in the run itself: whoever compares the two has to know.
                    let text =
                        format!("Step {} is not in this run to the last digit", burst.steps.1);
                    self.event(RunEvent::Note { text });
                }
            }
            Err(why) => {
                let text = format!("The step {} is not in this turn: {why}", burst.steps.1);
                self.event(RunEvent::Error { text: text.clone() });
                self.unmade = Some(text);
            }
        }
        let is_late = self.last_picture.is_none_or(|last| now - last >= PICTURE_EVERY);
        // While nothing can be written they would only fill the memory.
        if self.failing.is_none() && (!is_busy || is_late) {
            self.last_picture = Some(now);
            self.push_picture();
        }
        let seconds = burst.last.saturating_duration_since(self.last_turn).as_secs_f64();
        self.last_turn = burst.last;
        self.event(RunEvent::TurnEnd { turn: self.turn, seconds });
        self.unwritten.push_back(Unwritten::Kept(burst.steps.1));
    }

    /// Makes the calls that lead to what was done, on the canvas.
    fn calls_to(&mut self, before: &Document, burst: &Burst) -> Result<Vec<MadeCall>, String> {
        let start = self.environment.snapshot();
        let calls = recorded_calls(before, &burst.after, &burst.nodes, &self.settings);
        if !calls.is_empty() {
            let made = self.call_all(calls);
            // Exactly that, as what is done next is done to the very same design; and by no call that was refused, which
            // nobody made.
            let is_done = !made.iter().any(|made| made.outcome.is_error());
            if is_done && self.environment.design().as_ref() == Some(&burst.after) {
                return Ok(made);
            }
            self.environment.restore(&start);
        }
        let call = apply_edit_call(before, &burst.after, "edit".to_owned());
        let call = call.map_err(|error| error.to_string())?;
        let mut made = self.call_all(vec![call]);
        let failure = made.iter_mut().find_map(|made| made.outcome.failure.take());
        let Some(failure) = failure else { return Ok(made) };
        self.environment.restore(&start);
        Err(failure.message)
    }

    fn call_all(&mut self, calls: Vec<ToolCall>) -> Vec<MadeCall> {
        let mut made = Vec::with_capacity(calls.len());
        for call in calls {
            let began = Instant::now();
            // Never stopped in the middle, which would leave a canvas of no step.
            let outcome = self.environment.call(&call, &CancelToken::default());
            let latency_ms = began.elapsed().as_secs_f64() * 1000.0;
            made.push(MadeCall { call, outcome, latency_ms });
        }
        made
    }

    fn begin_turn(&mut self) {
        self.turn += 1;
        let at = jiff::Timestamp::now().to_string();
        self.event(RunEvent::Turn { turn: self.turn, at });
    }

    fn push_calls(&mut self, made: Vec<MadeCall>) {
        for MadeCall { call, outcome, latency_ms } in made {
            self.step += 1;
            let (turn, step) = (self.turn, self.step);
            let category = category_of(&call.name).unwrap_or(ToolCategory::Other);
            // The change itself is in its arguments, and nobody reads it twice.
            let structured = outcome.structured.filter(|_| call.name != APPLY_EDIT);
            self.event(RunEvent::Call { turn, step, category, call });
            let ToolOutcome { text, failure, .. } = outcome;
            self.event(RunEvent::Outcome {
                step,
                text,
                structured,
                image: None,
                failure,
                latency_ms,
            });
        }
    }

    fn push_picture(&mut self) {
        match self.environment.picture(&PictureRequest::default()) {
            Ok(picture) => {
                self.unwritten.push_back(Unwritten::Picture(self.turn, picture.pixels));
            }
            // A turn that cannot be drawn does not end a run that can be made.
            Err(error) => {
                let text = format!("There is no picture after turn {}: {error}", self.turn);
                self.event(RunEvent::Note { text });
            }
        }
    }

    fn event(&mut self, event: RunEvent) {
        self.unwritten.push_back(Unwritten::Event(event));
    }

    /// Writes until nothing is left, or something cannot be written; whether nothing is left.
    fn write(&mut self, shared: &Shared) -> bool {
        // What was taken over and what was offered wait for it: looking at a design makes none.
        if self.recorder.is_none() && !self.unwritten.iter().any(Unwritten::makes_run) {
            return true;
        }
        if let Err(error) = self.begin() {
            self.fail(shared, error);
            return false;
        }
        while let Some(next) = self.unwritten.front() {
            let Some(recorder) = &mut self.recorder else { return false };
            if let Err(error) = write_one(recorder, next) {
                self.fail(shared, error);
                return false;
            }
            self.failing = None;
            match self.unwritten.pop_front() {
                Some(Unwritten::Kept(step)) => self.tell(shared, step),
                Some(Unwritten::Beside(Beside::Comments(_))) => self.tell_of_first(shared),
                Some(Unwritten::Version(line, document)) => {
                    self.tell_of_first(shared);
                    let VersionLine { name, at, .. } = line;
                    let version = DesignVersion { name, at, document };
                    let news = HandsNews::Version { desk: self.number, version };
                    shared.mailbox.send(Event::Hands(news));
                }
                _ => {}
            }
        }
        true
    }

    /// Begins the run, unless it has begun.
    fn begin(&mut self) -> Result<(), String> {
        if self.recorder.is_some() {
            return Ok(());
        }
        let Manifest { task, agent, .. } = &self.manifest;
        let dir = folder::claim(&self.out_dir, task, &agent.name)
            .map_err(|error| format!("{} cannot be written to: {error}", self.out_dir.display()))?;
        let mut manifest = self.manifest.clone();
        if let Some(tasks) = self.set_dir.as_deref() {
            // As seen from the run, so that both can be moved together.
            manifest.settings.insert(TASKS_SETTING.to_owned(), json!(seen_from(&dir, tasks)));
        }
        match Recorder::create(&dir, manifest, self.document.as_ref()) {
            Ok(recorder) => self.recorder = Some(recorder),
            Err(error) => {
                folder::unclaim(&dir);
                return Err(error.to_string());
            }
        }
        Ok(())
    }

    /// Tells that steps are on disk.
    fn tell(&mut self, shared: &Shared, step: u64) {
        let Some(dir) = self.tell_of_run(shared) else { return };
        // A step that could not be worked out is not on disk, though its turn is.
        let result = self.unmade.take().map_or(Ok(dir), Err);
        let news = HandsNews::Recorded { desk: self.number, step, result };
        shared.mailbox.send(Event::Hands(news));
    }

    /// Tells where a run is that began with something else than a step.
    fn tell_of_first(&mut self, shared: &Shared) {
        let is_first = !self.is_told;
        if let Some(dir) = self.tell_of_run(shared).filter(|_| is_first) {
            let news = HandsNews::Recorded { desk: self.number, step: 0, result: Ok(dir) };
            shared.mailbox.send(Event::Hands(news));
        }
    }

    /// Tells of the run when it is first; gives its folder.
    fn tell_of_run(&mut self, shared: &Shared) -> Option<PathBuf> {
        let recorder = self.recorder.as_ref()?;
        let dir = recorder.dir().to_path_buf();
        if !std::mem::replace(&mut self.is_told, true) {
            let manifest = recorder.manifest().clone();
            let steps = Some(manifest.totals.calls);
            let run = ListedRun { dir: dir.clone(), manifest, steps, live: true, unreadable: None };
            shared.mailbox.send(Event::Found { runs: vec![run] });
        }
        Some(dir)
    }

    /// Tells why something cannot be written, once, and tries again later.
    fn fail(&mut self, shared: &Shared, why: String) {
        if self.is_gone() {
            return;
        }
        self.retry_at = Some(Instant::now() + RETRY);
        if !is_news(&mut self.failing, &why) {
            return;
        }
        let kept = self.unwritten.iter().find_map(|it| match it {
            Unwritten::Kept(step) => Some(*step),
            _ => None,
        });
        let (desk, step) = (self.number, kept.unwrap_or_default());
        let news = HandsNews::Recorded { desk, step, result: Err(why) };
        shared.mailbox.send(Event::Hands(news));
    }

    /// Ends the run; whether it is over, or there was none.
    fn finish(&mut self, shared: &Shared) -> bool {
        let Some(outcome) = self.outcome.clone() else { return true };
        let Some(recorder) = self.recorder.take() else { return true };
        let dir = recorder.dir().to_path_buf();
        let document = self.environment.document_json();
        let now = jiff::Timestamp::now().to_string();
        match recorder.finish(outcome, now, Some(&document)) {
            Ok(manifest) => {
                let manifest = Box::new(manifest);
                shared.mailbox.send(Event::Hands(HandsNews::Finished { dir, manifest }));
                true
            }
            Err(error) => {
                // All turns are on disk: it is a run that was broken off, which ends when it can.
                self.recorder = Recorder::resume(&dir).ok();
                let is_lost = self.recorder.is_none();
                self.fail(shared, error.to_string());
                is_lost
            }
        }
    }
}

/// A call with what came of it.
struct MadeCall {
    call: ToolCall,
    outcome: ToolOutcome,
    latency_ms: f64,
}

fn write_one(recorder: &mut Recorder, next: &Unwritten) -> Result<(), String> {
    match next {
        Unwritten::Event(event) => {
            recorder.record(event.clone()).map_err(|error| error.to_string())?;
        }
        Unwritten::Picture(turn, pixels) => {
            let turn = *turn;
            let event = match recorder.keep_picture(pixels) {
                Ok(image) => RunEvent::Observation { turn, image },
                // It never will be encoded; a disk that is full may be emptied.
                Err(RecordError::Picture(error)) => RunEvent::Note {
                    text: format!("There is no picture after turn {turn}: {error}"),
                },
                Err(error) => return Err(error.to_string()),
            };
            recorder.record(event).map_err(|error| error.to_string())?;
        }
        Unwritten::Kept(_) => {}
        Unwritten::Beside(what) => {
            beside::keep(recorder.dir(), what).map_err(|error| error.to_string())?;
        }
        Unwritten::Version(line, _) => {
            beside::keep_version(recorder.dir(), line).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
