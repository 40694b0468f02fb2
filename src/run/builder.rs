//! From events to a [`Run`].

use super::event::{Event, ImageRef};
use super::images;
use super::manifest::Manifest;
use super::model::{Run, RunOrigin, Step, StepOutcome, Turn};
use super::sequence::{Sequence, SequenceError};
use super::shared_vec::SharedVec;

/// Folds events into a [`Run`], turn by turn.
///
/// A turn shows up in the run when its [`Event::TurnEnd`] came, never before: what
/// [`RunBuilder::run`] gives is always made of whole turns. The reader uses it on files, and whoever
/// watches a run while it is recorded can use it on the events as they happen.
#[derive(Clone, Debug)]
pub struct RunBuilder {
    run: Run,
    sequence: Sequence,
    open: Option<OpenTurn>,
}

/// A turn that has not ended, with its steps.
#[derive(Clone, Debug)]
struct OpenTurn {
    turn: Turn,
    steps: Vec<Step>,
}

impl RunBuilder {
    /// A run without turns.
    pub fn new(manifest: Manifest, origin: RunOrigin) -> Self {
        let run = Run {
            manifest,
            origin,
            turns: SharedVec::default(),
            steps: SharedVec::default(),
            notes: Vec::new(),
            torn: None,
            plan: None,
        };
        Self { run, sequence: Sequence::default(), open: None }
    }

    /// The whole turns so far.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Whether a turn has begun that has not ended.
    pub fn turn_is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Ends the building; an open turn is dropped.
    pub fn into_run(self) -> Run {
        self.run
    }

    /// The manifest, to be kept as fresh as `run.json`.
    pub fn set_manifest(&mut self, manifest: Manifest) {
        self.run.manifest = manifest;
    }

    /// Where the run lies, if it was moved.
    pub fn set_origin(&mut self, origin: RunOrigin) {
        self.run.origin = origin;
    }

    /// Adds something worth knowing about the run, unless it is the last note already.
    pub fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.run.notes.last() != Some(&text) {
            self.run.notes.push(text);
        }
    }

    /// Takes the next event. On an error nothing changed.
    pub fn push(&mut self, event: Event) -> Result<(), SequenceError> {
        self.sequence.advance(&event)?;
        match event {
            // Steps of a turn that never ends must not be seen, so they are gathered beside the
            // run.
            Event::Turn { turn, .. } => self.open = Some(OpenTurn::new(turn, self.run.steps.len())),
            Event::Note { text } | Event::Error { text } => self.run.notes.push(text),
            Event::HumanAction { action, .. } => self.note(format!("A person took part: {action}")),
            Event::TurnEnd { seconds, .. } => self.end_turn(seconds),
            inside => self.push_inside(inside),
        }
        Ok(())
    }

    fn push_inside(&mut self, event: Event) {
        let Some(open) = &mut self.open else { return };
        match event {
            Event::Thought { text, .. } => open.add_thought(&text),
            Event::Usage { usage, .. } => open.turn.usage = Some(usage),
            Event::Observation { turn, image } => {
                open.turn.observation =
                    sound(image, &format!("after turn {turn}"), &mut self.run.notes);
            }
            Event::Call { turn, step, category, call } => {
                open.steps.push(Step {
                    number: step,
                    turn,
                    call: Some(call),
                    category,
                    outcome: None,
                });
            }
            Event::Outcome { step, text, structured, image, failure, latency_ms } => {
                // The outcome counts without its picture.
                let image = image.and_then(|image| {
                    sound(image, &format!("of step {step}"), &mut self.run.notes)
                });
                // From the end: outcomes come right after their calls.
                if let Some(step) = open.steps.iter_mut().rev().find(|it| it.number == step) {
                    let outcome = StepOutcome { text, structured, image, failure, latency_ms };
                    step.outcome = Some(outcome);
                }
            }
            Event::Turn { .. }
            | Event::Note { .. }
            | Event::Error { .. }
            | Event::HumanAction { .. }
            | Event::TurnEnd { .. } => {}
        }
    }

    fn end_turn(&mut self, seconds: f64) {
        let Some(OpenTurn { mut turn, steps }) = self.open.take() else { return };
        turn.step_count = steps.len();
        // Another program's record that says no time is written as 0.
        turn.seconds = (seconds > 0.0 || self.run.manifest.imported.is_none()).then_some(seconds);
        self.run.steps.extend(steps);
        self.run.turns.push(turn);
    }
}

impl OpenTurn {
    fn new(number: u32, first_step: usize) -> Self {
        let turn = Turn {
            number,
            thought: String::new(),
            first_step,
            step_count: 0,
            usage: None,
            seconds: None,
            observation: None,
        };
        Self { turn, steps: Vec::new() }
    }

    fn add_thought(&mut self, text: &str) {
        if !self.turn.thought.is_empty() {
            self.turn.thought.push('\n');
        }
        self.turn.thought.push_str(text);
    }
}

/// The reference if it may be followed; else a note that names the place.
fn sound(image: ImageRef, place: &str, notes: &mut Vec<String>) -> Option<ImageRef> {
    // The file may be anybody's, and its name could lead out of the folder.
    if let Err(error) = images::check(&image) {
        notes.push(format!("The picture {place} is not shown: {error}"));
        return None;
    }
    Some(image)
}
