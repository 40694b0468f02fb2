//! A branch as a run of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::base::CancelToken;
use crate::environment::{
    FONTS_SETTING, HANDS_SETTING, OpenEnvironment, PictureRequest, ToolCategory, ToolOutcome,
};
use crate::run::recorder::{RecordError, Recorder};
use crate::run::{
    AgentRef, BY_HAND_KIND, CallEdit, CallSource, Event, Manifest, Outcome, Parent, PlannedCall,
    Run, RunOrigin, TASKS_SETTING, WHAT_IF_KIND, unchanged_steps,
};

use super::base::{Base, WhatIfError};
use super::branch::Branch;
use super::step::BranchStep;

/// Why a branch could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum SaveBranchError {
    /// It could not be made.
    #[error(transparent)]
    WhatIf(#[from] WhatIfError),
    /// It could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// What is kept, and where.
#[derive(Clone, Copy, Debug)]
pub struct SaveBranch<'a> {
    /// The run's folder: new or empty.
    pub dir: &'a Path,
    /// What is known of it beside its calls ([`branch_manifest`]).
    pub manifest: &'a Manifest,
    /// The calls.
    pub calls: &'a [PlannedCall],
    /// For each call, a number that is the same for those of one turn; what is missing is a turn of its own.
    pub turns: &'a [u32],
    /// What was thought in a turn, by those numbers.
    pub thoughts: &'a BTreeMap<u32, String>,
    /// When it is, RFC 3339, UTC.
    pub now: &'a str,
}

/// The manifest of a run that is made of another by edits: of the same task, in the same environment, by an agent
/// that is not the parent's, so that no table takes it for an attempt of that one.
pub fn branch_manifest(parent: &Run, edits: Vec<CallEdit>, now: &str) -> Manifest {
    let agent = AgentRef {
        kind: WHAT_IF_KIND.to_owned(),
        name: format!("what-if {}", parent.manifest.agent.name),
        version: None,
    };
    child_manifest(parent, agent, parent.manifest.settings.clone(), edits, now)
}

/// The manifest of a run that a person went on with from another: of its settings only those of its environment,
/// and none of the agent's.
pub fn taken_over_manifest(parent: &Run, edits: Vec<CallEdit>, now: &str) -> Manifest {
    let mut settings = parent.manifest.settings.clone();
    settings.retain(|name, _| [FONTS_SETTING, HANDS_SETTING, TASKS_SETTING].contains(&&**name));
    child_manifest(parent, AgentRef::by_hand(), settings, edits, now)
}

/// The manifest of a run that an agent made of another by edits, with these settings.
pub fn child_manifest(
    parent: &Run,
    agent: AgentRef,
    mut settings: Map<String, Value>,
    edits: Vec<CallEdit>,
    now: &str,
) -> Manifest {
    let of = &parent.manifest;
    // The place of the tasks is said as seen from the run's folder, and this one lies elsewhere.
    if let (Some(tasks), RunOrigin::Recorded { dir }) =
        (settings.get(TASKS_SETTING).and_then(Value::as_str), &parent.origin)
    {
        let tasks = std::path::absolute(dir.join(tasks)).unwrap_or_else(|_| dir.join(tasks));
        settings.insert(TASKS_SETTING.to_owned(), Value::from(tasks.display().to_string()));
    }
    let step = unchanged_steps(&edits, u32::try_from(parent.steps.len()).unwrap_or(u32::MAX));
    Manifest {
        environment: of.environment.clone(),
        mode: agent.kind.clone(),
        compat: of.compat.clone(),
        canvas_size: of.canvas_size,
        given: of.given.clone(),
        parent: Some(Parent { run: of.id.clone(), step, edits }),
        settings,
        ..Manifest::new(of.task.clone(), agent, now)
    }
}

/// The turns of calls: those of the run, and of a call that was put in that of the one before it.
pub fn turns_of(base: &Base, calls: &[PlannedCall]) -> Vec<u32> {
    let mut turn = 0;
    let turns = calls.iter().map(|planned| {
        if let CallSource::Recorded(step) = planned.source {
            turn = base.call(step).map_or(turn, |call| call.turn);
        }
        turn
    });
    turns.collect()
}

/// The same where a person put the calls in: each of them is a turn of its own, as those of people are.
pub fn turns_by_hand(base: &Base, calls: &[PlannedCall]) -> Vec<u32> {
    let mut turns = turns_of(base, calls);
    let mut last = base.calls().iter().map(|call| call.turn).max().unwrap_or_default();
    for (turn, planned) in turns.iter_mut().zip(calls) {
        if matches!(planned.source, CallSource::Inserted(_)) {
            last = last.saturating_add(1);
            *turn = last;
        }
    }
    turns
}

/// What was thought in the turns of a run, by their numbers.
pub fn thoughts_of(run: &Run) -> BTreeMap<u32, String> {
    let thought = run.turns.iter().filter(|turn| !turn.thought.is_empty());
    thought.map(|turn| (turn.number, turn.thought.clone())).collect()
}

/// Makes the calls from the start and records them, with a picture after every turn.
///
/// # Errors
///
/// [`SaveBranchError`]; what was recorded until then is a run that was broken off.
pub fn save_branch(
    order: &SaveBranch<'_>,
    base: &Base,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
) -> Result<Manifest, SaveBranchError> {
    let mut branch = Branch::from_start(base, open_environment)?;
    let start = base.start().document.as_ref();
    let mut recorder = Recorder::create(order.dir, order.manifest.clone(), start)?;
    let tools = branch.environment().tools().iter();
    let tools = tools.map(|tool| (tool.name.to_owned(), tool.category)).collect();
    let mut saving = Saving { recorder: &mut recorder, tools, step: 0, turn: 0 };
    let mut thought_of = BTreeSet::new();
    let is_by_hand = order.manifest.agent.kind == BY_HAND_KIND;
    let (mut from, mut by_person) = (0, 0_u32);
    while from < order.calls.len() {
        let turn = order.turns.get(from);
        // Calls of one turn that still follow one another: a call that was moved is a turn of its own.
        let alike = order.turns.iter().skip(from).take_while(|it| Some(*it) == turn).count();
        let until = (from + alike.max(1)).min(order.calls.len());
        let began = Instant::now();
        saving.turn += 1;
        saving.record(Event::Turn { turn: saving.turn, at: order.now.to_owned() })?;
        // Once, should a call that was moved have parted the turn.
        let thought = turn.filter(|turn| thought_of.insert(**turn));
        if let Some(text) = thought.and_then(|turn| order.thoughts.get(turn)) {
            saving.record(Event::Thought { turn: saving.turn, text: text.clone() })?;
        }
        let of_turn = order.calls.get(from..until).unwrap_or_default();
        if let Some(edited) = of_turn.iter().find(|planned| is_by_hand && planned.is_edited) {
            by_person += 1;
            // As the steps of hands on the canvas are told of.
            let detail =
                json!({"by": "person", "label": edited.call.name, "step": by_person, "steps": 1});
            saving.record(Event::HumanAction { action: "edit".to_owned(), detail })?;
        }
        let mut failed = None;
        // All calls so far: a branch makes only those that it has not made.
        let calls = order.calls.get(..until).unwrap_or(order.calls);
        branch.run(calls, cancel, |step, outcome| {
            if failed.is_none() {
                // The first one is kept, as the run cannot be ended from here.
                failed = saving.step(step, outcome).err();
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        // A turn that cannot be drawn does not end a run that can be made.
        match branch.environment().picture(&PictureRequest::default()) {
            Ok(picture) => {
                let image = saving.recorder.keep_picture(&picture.pixels)?;
                saving.record(Event::Observation { turn: saving.turn, image })?;
            }
            Err(error) => {
                let text = format!("There is no picture after turn {}: {error}", saving.turn);
                saving.record(Event::Note { text })?;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        saving.record(Event::TurnEnd { turn: saving.turn, seconds })?;
        from = until;
    }
    let document = branch.environment().document_json();
    Ok(recorder.finish(Outcome::Completed, order.now, Some(&document))?)
}

/// A run while it is recorded.
struct Saving<'a> {
    recorder: &'a mut Recorder,
    tools: BTreeMap<String, ToolCategory>,
    step: u32,
    turn: u32,
}

impl Saving<'_> {
    fn record(&mut self, event: Event) -> Result<(), RecordError> {
        self.recorder.record(event).map(|_| ())
    }

    fn step(&mut self, made: &BranchStep, outcome: &ToolOutcome) -> Result<(), RecordError> {
        self.step += 1;
        let (step, turn, call) = (self.step, self.turn, (*made.call).clone());
        let category = self.tools.get(&call.name).copied().unwrap_or(ToolCategory::Other);
        self.record(Event::Call { turn, step, category, call })?;
        let image = outcome.image.as_ref().map(|image| self.recorder.keep_picture(image));
        self.record(Event::Outcome {
            step,
            text: outcome.text.clone(),
            structured: outcome.structured.clone(),
            image: image.transpose()?,
            failure: outcome.failure.clone(),
            latency_ms: made.latency_ms,
        })
    }
}
