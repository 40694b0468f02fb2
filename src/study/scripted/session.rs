//! One task of a scripted participant, from being shown to the check.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::behaviour::{Action, Behaviour, Situation};
use super::error::SimulationError;
use super::healing::{Field, HealingStep, healing_steps};
use super::keystrokes::{CLICK, Hands, LOOK, Operator, of_edit};
use super::mutation::{ChangedStart, slip};
use crate::base::{CancelToken, Pixels};
use crate::design::Document;
use crate::design::goal::SameNodes;
use crate::environment::{Environment, OpenEnvironment, PictureRequest, ToolCall, ToolCategory};
use crate::metric::transformation::Checks;
use crate::run::recorder::{Durability, RecordError, Recorder};
use crate::run::{Event, Manifest};
use crate::study::chance::Chance;
use crate::study::clock::Ending;
use crate::study::distance::{difference, distance};
use crate::study::event::{
    Happening, Hunk, Origin, ParticipantKind, PauseReason, Request, TrialFacts,
};
use crate::study::folder::trial_log;
use crate::study::log::{Moment, Safety, StudyLog};
use crate::study::manifest::{trial_manifest, trial_outcome};
use crate::study::plan::{Help, StudyTask};
use crate::study::success::{SuccessInput, check_success};

/// How long the assistant takes to answer, and until a suggestion counts as shown, in milliseconds.
const ANSWER_MS: u64 = 400;
const SHOWN_MS: u64 = 500;
/// How long it takes to look something up, in seconds.
const LOOK_UP_SECS: f64 = 20.0;
/// How long a pause is, in seconds.
const PAUSE_SECS: f64 = 25.0;
/// Levels of the assistant: what, where, the exact value, shown on the canvas, done if taken.
const MOST_LEVEL: u32 = 5;
/// More actions than anybody does in a day.
const MOST_ACTIONS: usize = 20_000;

/// What is to be done, and where it is recorded.
pub(super) struct TrialOrder<'a> {
    pub(super) dir: &'a Path,
    pub(super) facts: TrialFacts,
    pub(super) task: &'a StudyTask,
    pub(super) help: Help,
    pub(super) prepared: &'a ChangedStart,
    pub(super) checks: Option<&'a Checks>,
    /// What is asked after it.
    pub(super) questions: Vec<Happening>,
    /// Where the task set lies, as an absolute path.
    pub(super) tasks_setting: String,
    /// When it begins, by the wall's clock; and milliseconds of the participant's session until then.
    pub(super) begins: (Timestamp, u64),
}

/// Does the task; gives how many milliseconds the session is after it.
pub(super) fn run(
    order: &TrialOrder<'_>,
    behaviour: &mut dyn Behaviour,
    chance: &mut Chance,
    habits: &mut Chance,
    open_environment: &OpenEnvironment,
) -> Result<u64, SimulationError> {
    let environment = open_environment(&order.prepared.start)?;
    let recorder = Recorder::create_durable(
        order.dir,
        manifest(order),
        order.prepared.start.document.as_ref(),
        // Thousands of runs that can be made again from their seed: none of them is worth waiting for a disk.
        Durability::NoFsync,
    )?;
    let by = ParticipantKind::Scripted;
    let log = StudyLog::create(&trial_log(order.dir, by), by, Safety::NoFsync)?;
    let session = ScriptedSession {
        order,
        hands: Hands { slowness: behaviour.slowness() },
        environment,
        recorder,
        log,
        now_ms: order.begins.1,
        shown_ms: order.begins.1,
        paused_ms: 0,
        turn: 0,
        had_input: false,
        looks_in_vain: 0,
        suggestion: None,
        suggestions: 0,
        passed_over: 0,
        last: None,
    };
    session.go(behaviour, chance, habits)
}

fn manifest(order: &TrialOrder<'_>) -> Manifest {
    let (start, started) = (&order.prepared.start, wall(order.begins, order.begins.1));
    let tasks = order.tasks_setting.clone();
    trial_manifest(&order.facts, ParticipantKind::Scripted, start, tasks, &started)
}

/// The wall's clock at a moment of the session.
fn wall((began, began_ms): (Timestamp, u64), now_ms: u64) -> String {
    let passed = i64::try_from(now_ms.saturating_sub(began_ms)).unwrap_or(i64::MAX);
    let at = began.checked_add(SignedDuration::from_millis(passed));
    at.unwrap_or(Timestamp::MAX).to_string()
}

/// A suggestion that nobody has decided of.
struct Suggestion {
    number: u32,
    level: u32,
    /// Its parts.
    steps: Vec<HealingStep>,
}

/// A change, and whose it is.
struct Edit<'a> {
    step: &'a HealingStep,
    origin: Origin,
    /// Whether it takes one back.
    undo: bool,
}

impl<'a> Edit<'a> {
    fn by_person(step: &'a HealingStep) -> Self {
        Self { step, origin: Origin::Person, undo: false }
    }
}

/// Somebody at a task.
struct ScriptedSession<'a> {
    order: &'a TrialOrder<'a>,
    hands: Hands,
    environment: Box<dyn Environment>,
    recorder: Recorder,
    log: StudyLog,
    /// The clock of the session.
    now_ms: u64,
    shown_ms: u64,
    /// How much of the time since then does not count.
    paused_ms: u64,
    turn: u32,
    had_input: bool,
    looks_in_vain: u32,
    suggestion: Option<Suggestion>,
    suggestions: u32,
    /// How many steps were refused: the assistant suggests others first.
    passed_over: usize,
    /// What was changed last, until it is taken back.
    last: Option<HealingStep>,
}

impl ScriptedSession<'_> {
    fn go(
        mut self,
        behaviour: &mut dyn Behaviour,
        chance: &mut Chance,
        habits: &mut Chance,
    ) -> Result<u64, SimulationError> {
        let before = self.order.checks.map(|_| self.picture()).transpose()?;
        self.happens(Happening::Begun { trial: self.order.facts.clone() })?;
        self.happens(Happening::Shown)?;
        let limit_ms = (self.order.task.limit_secs * 1_000.0) as u64;
        let mut end = Happening::Timeout;
        let (mut steps, mut seen) = (self.steps()?, self.turn);
        for _ in 0..MOST_ACTIONS {
            // Looking changes nothing: what is open is asked again after a change only.
            if seen != self.turn {
                (steps, seen) = (self.steps()?, self.turn);
            }
            let situation = Situation {
                help: self.order.help,
                is_alike: steps.is_empty(),
                level: self.suggestion.as_ref().map_or(0, |it| it.level),
                parts: self.suggestion.as_ref().map_or(0, |it| it.steps.len()),
                can_undo: self.last.is_some(),
                looks_in_vain: self.looks_in_vain,
                active_secs: self.active_ms() as f64 / 1_000.0,
                limit_secs: self.order.task.limit_secs,
            };
            let acted = if let Some(action) = behaviour.besides(&situation, habits) {
                self.act(action, &steps, habits, limit_ms)?
            } else {
                let action = behaviour.next(&situation, chance);
                self.act(action, &steps, chance, limit_ms)?
            };
            if let Some(ending) = acted {
                end = ending;
                break;
            }
        }
        self.end(end, before.as_ref())
    }

    /// Does what they do; what ends the task, if that does.
    fn act(
        &mut self,
        action: Action,
        steps: &[HealingStep],
        chance: &mut Chance,
        limit_ms: u64,
    ) -> Result<Option<Happening>, SimulationError> {
        // Which of the open steps they found.
        let found = steps.get(chance.below(steps.len()));
        let operators = self.operators(action, found);
        let mut seconds = self.hands.seconds(&operators, chance);
        if action == Action::LookUp {
            seconds += chance.log_normal(LOOK_UP_SECS, 0.4);
        }
        let took_ms = (seconds * 1_000.0) as u64;
        // The time is up in the middle of it: it does not come about.
        if self.active_ms().saturating_add(took_ms) >= limit_ms {
            // An answer of the assistant may have come a moment after it.
            let end_ms = self.shown_ms.saturating_add(self.paused_ms).saturating_add(limit_ms);
            self.now_ms = self.now_ms.max(end_ms);
            return Ok(Some(Happening::Timeout));
        }
        if action == Action::LookUp {
            self.happens(Happening::Leaving)?;
        }
        self.now_ms += took_ms;
        match action {
            Action::Look => {
                self.looks_in_vain += 1;
                self.happens(Happening::Alive)?;
            }
            Action::LookUp => self.happens(Happening::Back)?,
            Action::Ask => self.ask(steps)?,
            Action::AnotherWay => self.ask_for_another(steps)?,
            Action::Why => self.ask_why()?,
            Action::Take => self.take(usize::MAX, seconds)?,
            Action::TakePart => self.take(1, seconds)?,
            Action::DoByHand => self.do_by_hand(seconds)?,
            Action::Refuse => self.refuse()?,
            Action::Edit => {
                if let Some(step) = found {
                    self.change(&Edit::by_person(step), seconds)?;
                }
            }
            Action::Slip => {
                if let Some(step) = found.and_then(|step| slip(step, chance)) {
                    self.change(&Edit::by_person(&step), seconds)?;
                }
            }
            Action::Undo => self.undo(seconds)?,
            Action::Pause => self.pause(chance)?,
            Action::GiveUp => return Ok(Some(Happening::GiveUp)),
            Action::Done => return Ok(Some(Happening::Done)),
        }
        Ok(None)
    }

    /// What an action takes of the hands.
    fn operators(&self, action: Action, found: Option<&HealingStep>) -> Vec<Operator> {
        let offered = self.suggestion.as_ref();
        let is_only_told = offered.is_some_and(|it| it.level < MOST_LEVEL);
        let parts = offered.map(|it| it.steps.as_slice()).unwrap_or_default();
        match action {
            Action::Look => LOOK.to_vec(),
            Action::Edit | Action::Slip => found.map(of_edit).unwrap_or_default(),
            // Whoever was only told what to do still has to do it.
            Action::Take if is_only_told => parts.iter().flat_map(of_edit).collect(),
            Action::TakePart if is_only_told => parts.first().map(of_edit).unwrap_or_default(),
            Action::DoByHand => parts.iter().flat_map(of_edit).collect(),
            _ => CLICK.to_vec(),
        }
    }

    fn ask(&mut self, steps: &[HealingStep]) -> Result<(), SimulationError> {
        self.input()?;
        self.happens(Happening::Ask { request: Request::Step })?;
        let level = match self.suggestion.take() {
            Some(old) => {
                // More of the same step takes the place of what was said of it.
                self.happens(Happening::SuggestionIgnored { suggestion: old.number })?;
                old.level + 1
            }
            None => 1,
        };
        let step = steps.get(self.passed_over % steps.len().max(1)).cloned();
        self.offer(step.into_iter().collect(), level)
    }

    /// Another step comes first, and with it, where there is one, a second that does not depend on where anything is.
    fn ask_for_another(&mut self, steps: &[HealingStep]) -> Result<(), SimulationError> {
        self.input()?;
        self.happens(Happening::Ask { request: Request::AnotherWay })?;
        let mut level = 1;
        if let Some(old) = self.suggestion.take() {
            self.happens(Happening::SuggestionIgnored { suggestion: old.number })?;
            level = old.level;
        }
        self.passed_over += 1;
        let first = steps.get(self.passed_over % steps.len().max(1));
        let second = steps.iter().find(|step| {
            first.is_some_and(|first| first.node != step.node)
                && !matches!(step.field, Field::Place | Field::Size)
        });
        self.offer(first.into_iter().chain(second).cloned().collect(), level)
    }

    fn ask_why(&mut self) -> Result<(), SimulationError> {
        self.input()?;
        self.happens(Happening::Ask { request: Request::Why })?;
        self.now_ms += ANSWER_MS;
        Ok(())
    }

    /// The assistant suggests steps, if there are any.
    fn offer(&mut self, steps: Vec<HealingStep>, level: u32) -> Result<(), SimulationError> {
        if steps.is_empty() {
            return Ok(());
        }
        self.suggestions += 1;
        let number = self.suggestions;
        let hunks = steps.iter().map(|step| Hunk {
            node: step.node.as_str().to_owned(),
            field: step.field.name().to_owned(),
            from: step.from.clone(),
            to: step.to.clone(),
            right: Some(true),
        });
        let hunks = hunks.collect();
        self.now_ms += ANSWER_MS;
        self.happens(Happening::SuggestionOffered { suggestion: number, hunks })?;
        self.now_ms += SHOWN_MS;
        self.happens(Happening::SuggestionShown { suggestion: number })?;
        self.suggestion = Some(Suggestion { number, level: level.min(MOST_LEVEL), steps });
        Ok(())
    }

    /// Takes so many parts of what is suggested, or all that it has.
    fn take(&mut self, most: usize, seconds: f64) -> Result<(), SimulationError> {
        let Some(taken) = self.suggestion.take() else { return Ok(()) };
        self.input()?;
        let suggestion = taken.number;
        let hunks: Vec<u32> = (0..).take(taken.steps.len().min(most)).collect();
        let share = seconds / hunks.len().max(1) as f64;
        self.happens(if hunks.len() < taken.steps.len() {
            Happening::SuggestionPartly { suggestion, taken: hunks.clone() }
        } else {
            Happening::SuggestionAccepted { suggestion }
        })?;
        for (step, hunk) in taken.steps.iter().zip(hunks) {
            let origin = Origin::Suggestion { suggestion, hunk };
            self.change(&Edit { step, origin, undo: false }, share)?;
        }
        Ok(())
    }

    /// Does what is suggested without taking it: nothing of it is left to be taken.
    fn do_by_hand(&mut self, seconds: f64) -> Result<(), SimulationError> {
        let Some(done) = self.suggestion.take() else { return Ok(()) };
        let share = seconds / done.steps.len().max(1) as f64;
        for step in &done.steps {
            self.change(&Edit::by_person(step), share)?;
        }
        self.happens(Happening::SuggestionWithdrawn { suggestion: done.number })
    }

    fn undo(&mut self, seconds: f64) -> Result<(), SimulationError> {
        let Some(HealingStep { node, field, from, to }) = self.last.take() else { return Ok(()) };
        let back = HealingStep { node, field, from: to, to: from };
        self.change(&Edit { undo: true, ..Edit::by_person(&back) }, seconds)
    }

    fn pause(&mut self, chance: &mut Chance) -> Result<(), SimulationError> {
        let lasts_ms = (chance.log_normal(PAUSE_SECS, 0.5) * 1_000.0) as u64;
        self.happens(Happening::Pause { reason: PauseReason::Button })?;
        self.now_ms += lasts_ms;
        self.paused_ms += lasts_ms;
        self.happens(Happening::Resume)
    }

    fn refuse(&mut self) -> Result<(), SimulationError> {
        let Some(refused) = self.suggestion.take() else { return Ok(()) };
        self.input()?;
        self.passed_over += 1;
        self.happens(Happening::SuggestionRefused { suggestion: refused.number })
    }

    /// Makes the call, as a turn of the run and as an event of the study.
    fn change(&mut self, edit: &Edit<'_>, seconds: f64) -> Result<(), SimulationError> {
        let Edit { step, origin, undo } = *edit;
        self.input()?;
        self.looks_in_vain = 0;
        self.turn += 1;
        let (turn, number) = (self.turn, self.turn);
        let (name, arguments) = step.call();
        let call = ToolCall { id: format!("step-{number}"), name: name.to_owned(), arguments };
        let tool = self.environment.tools().iter().find(|tool| tool.name == name);
        let category = tool.map_or(ToolCategory::Other, |tool| tool.category);
        // A turn of its own, as of what a person does: the two are read by the same code.
        self.record(Event::Turn { turn, at: wall(self.order.begins, self.now_ms) })?;
        let detail =
            json!({"call": call.name, "node": step.node.as_str(), "field": step.field.name()});
        self.record(Event::HumanAction { action: "scripted edit".to_owned(), detail })?;
        self.record(Event::Call { turn, step: number, category, call: call.clone() })?;
        let outcome = self.environment.call(&call, &CancelToken::default());
        let is_changed = !outcome.is_error();
        self.record(Event::Outcome {
            step: number,
            text: outcome.text,
            structured: outcome.structured,
            image: None,
            failure: outcome.failure,
            latency_ms: 0.0,
        })?;
        self.record(Event::TurnEnd { turn, seconds })?;
        if !is_changed {
            return Ok(());
        }
        self.last = Some(step.clone()).filter(|_| !undo);
        let now = self.design()?;
        self.happens(Happening::Change {
            node: step.node.as_str().to_owned(),
            field: step.field.name().to_owned(),
            from: step.from.clone(),
            to: step.to.clone(),
            origin,
            undo,
            distance: Some(distance(&now, &self.order.prepared.truth, SameNodes::ById)),
        })
    }

    fn end(mut self, end: Happening, before: Option<&Pixels>) -> Result<u64, SimulationError> {
        let ending = match end {
            Happening::Done => Ending::Done,
            Happening::GiveUp => Ending::GaveUp,
            _ => Ending::TimedOut,
        };
        let outcome = trial_outcome(ending, self.order.task.limit_secs);
        self.happens(end)?;
        // What was offered and not decided of is ignored, as where a person ends a task.
        if let Some(left) = self.suggestion.take() {
            self.happens(Happening::SuggestionIgnored { suggestion: left.number })?;
        }
        let now = self.design()?;
        let after = before.map(|_| self.picture()).transpose()?;
        let pictures = before.zip(after.as_ref()).map(|(before, after)| [before, after]);
        let input = SuccessInput {
            now: &now,
            truth: &self.order.prepared.truth,
            same: SameNodes::ById,
            checks: self.order.checks.zip(pictures),
        };
        // By the design as it is now: what a script believes to have done does not count.
        let found = check_success(self.order.task.success, &input, &CancelToken::default())?;
        self.happens(Happening::Checked { success: found.success, value: found.value })?;
        let order = self.order;
        for question in &order.questions {
            self.happens(question.clone())?;
        }
        let finished = wall(self.order.begins, self.now_ms);
        let document = self.environment.document_json();
        self.recorder.finish(outcome, finished, Some(&document))?;
        Ok(self.now_ms)
    }

    /// The first press of a button or key.
    fn input(&mut self) -> Result<(), SimulationError> {
        if std::mem::replace(&mut self.had_input, true) {
            return Ok(());
        }
        self.happens(Happening::FirstInput)
    }

    fn happens(&mut self, what: Happening) -> Result<(), SimulationError> {
        let wall = wall(self.order.begins, self.now_ms);
        self.log.append(Moment { wall, mono_ms: self.now_ms }, what)?;
        Ok(())
    }

    fn record(&mut self, event: Event) -> Result<(), RecordError> {
        self.recorder.record(event).map(|_| ())
    }

    fn active_ms(&self) -> u64 {
        self.now_ms.saturating_sub(self.shown_ms).saturating_sub(self.paused_ms)
    }

    /// What is still to be done.
    fn steps(&self) -> Result<Vec<HealingStep>, SimulationError> {
        let (now, truth) = (self.design()?, &self.order.prepared.truth);
        Ok(healing_steps(&now, truth, &difference(&now, truth)))
    }

    fn design(&self) -> Result<Document, SimulationError> {
        self.environment.design().ok_or(SimulationError::NoDesign)
    }

    fn picture(&self) -> Result<Pixels, SimulationError> {
        Ok(self.environment.picture(&PictureRequest::default())?.pixels)
    }
}
