//! Runs as demonstrations and preferences that models learn from: lines of JSON with messages and tool calls.
//!
//! A line is a chat in OpenAI's format (system, user, assistant with `tool_calls`, tool), with what it is of beside it;
//! `docs/assist.md` has the schema. Only what was recorded stands in it: the instruction of the task or else the brief,
//! what was thought, the calls and what the tools answered. Of a run that does not come out as it was recorded there is
//! no line.

use std::collections::BTreeSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::base::{CancelToken, Cancelled, Pixels, PixelsError};
use crate::design::Document;
use crate::environment::canvas::APPLY_EDIT;
use crate::environment::{
    DocumentInfo, DocumentPlace, Environment, EnvironmentKind, OpenEnvironment, PictureRequest,
    ToolCall,
};
use crate::run::replay::{Replay, ReplayError};
use crate::run::{BRIEF_SETTING, BY_HAND_KIND, Run, Step, Turn};
use crate::task::{Task, TaskError};

/// The format of a demonstration, in every line.
pub const DEMONSTRATION_FORMAT: &str = "pentimento/demonstration";
/// The format of a preference, in every line.
pub const PREFERENCE_FORMAT: &str = "pentimento/preference";
/// The version of both.
const VERSION: u32 = 1;
/// The tool that tells what is on the canvas.
const STRUCTURE_TOOL: &str = "get_page_structure";

const SYSTEM: &str = "You design in a program that you act in through tool calls only. Coordinates are pixels \
    of the page, from its left top corner. Make the calls that the task asks for, and stop when it is done.";
/// The same where the tools themselves say what is measured in what.
const SYSTEM_ELSEWHERE: &str = "You design in a program that you act in through tool calls only. Make the calls \
    that the task asks for, and stop when it is done.";
/// Longest document that stands in a line in words, in bytes.
const DOCUMENT_BYTES: usize = 1 << 16;

/// What a line is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemonstrationUnit {
    /// A run.
    #[default]
    Run,
    /// A turn, with what was on the canvas before it.
    Turn,
}

/// Whether pictures stand in the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemonstrationPictures {
    /// None.
    #[default]
    Without,
    /// What is to be arrived at, and of turns what the canvas looked like before, as data URLs.
    With,
}

/// How demonstrations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DemonstrationOptions {
    /// What a line is of.
    pub unit: DemonstrationUnit,
    /// Whether pictures stand in it.
    pub pictures: DemonstrationPictures,
}

/// Why a run is no demonstration.
#[derive(Debug, thiserror::Error)]
pub enum DemonstrationError {
    /// Nothing was called.
    #[error("no call was recorded")]
    NoCalls,
    /// It does not come out as it was recorded.
    #[error(
        "step {step} comes out differently than it was recorded: {replayed:?} and not {recorded:?}"
    )]
    Diverges {
        /// Which step.
        step: u32,
        /// What was told then.
        recorded: String,
        /// What would be told now.
        replayed: String,
    },
    /// It cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// What its task holds cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Picture(#[from] PixelsError),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The two runs do not begin alike.
    #[error("the run and the one it was taken over from differ before step {0}")]
    OtherBeginning(u32),
    /// The two runs are in other states where the person began.
    #[error("the run and the one it was taken over from are in two states after step {0}")]
    OtherState(u32),
    /// The two runs are of two tasks.
    #[error("the run and the one it was taken over from are of two tasks")]
    OtherTask,
}

/// A run with its task, to be made lines of.
#[derive(Clone, Debug)]
pub struct DemonstratedRun {
    /// The run.
    pub run: Arc<Run>,
    /// Its task, if that is known.
    pub task: Option<Arc<Task>>,
}

/// The lines of a run.
///
/// # Errors
///
/// [`DemonstrationError`]: of a run that is broken in any way there is no line at all.
pub fn demonstrations(
    of: &DemonstratedRun,
    options: DemonstrationOptions,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
) -> Result<Vec<Value>, DemonstrationError> {
    let mut chat = Chat::new(of, options, open_environment, cancel)?;
    let run = &*of.run;
    let mut lines = Vec::new();
    match options.unit {
        DemonstrationUnit::Run => {
            let mut messages = chat.opening(0)?;
            messages
                .extend(run.turns.iter().flat_map(|turn| messages_of(run, turn, (0, u32::MAX))));
            lines.push(chat.line(&messages, (1, last_step(run))));
        }
        DemonstrationUnit::Turn => {
            for turn in run.turns.iter().filter(|turn| turn.step_count > 0) {
                let mut steps = run.steps_of(turn).map(|step| step.number);
                let Some(first) = steps.next() else { continue };
                let last = steps.next_back().unwrap_or(first);
                let calls = messages_of(run, turn, (0, u32::MAX));
                // A turn without a call that could be read shows nobody what to do.
                if calls.is_empty() {
                    continue;
                }
                let mut messages = chat.opening(first - 1)?;
                messages.extend(calls);
                lines.push(chat.line(&messages, (first, last)));
            }
        }
    }
    Ok(lines)
}

/// The pair of a run that was taken over and the one that a person went on with: what the person did is preferred
/// to what the agent did from the same state. `None` where one of them did nothing from there, or both the same.
///
/// # Errors
///
/// [`DemonstrationError`], of either of the two.
pub fn preference(
    chosen: &DemonstratedRun,
    rejected: &DemonstratedRun,
    options: DemonstrationOptions,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
) -> Result<Option<Value>, DemonstrationError> {
    let Some(parent) = &chosen.run.manifest.parent else { return Ok(None) };
    let step = parent.step;
    if chosen.run.manifest.task != rejected.run.manifest.task {
        return Err(DemonstrationError::OtherTask);
    }
    for number in 1..=step {
        let calls = [&chosen.run, &rejected.run].map(|run| call_at(run, number));
        match calls {
            [Some(own), Some(its)]
                if (&own.name, &own.arguments) == (&its.name, &its.arguments) => {}
            _ => return Err(DemonstrationError::OtherBeginning(number)),
        }
    }
    // Both have to come out as they were recorded, or the pair is of other states than it says; and as equal calls
    // on two starts lead to two states, they have to be one.
    let mut other = Chat::new(rejected, options, open_environment, cancel)?;
    let mut chat = Chat::new(chosen, options, open_environment, cancel)?;
    let its_state = state_of(other.replay.environment_at(step, cancel)?);
    if state_of(chat.replay.environment_at(step, cancel)?) != its_state {
        return Err(DemonstrationError::OtherState(step));
    }
    let [own, its] = [chosen, rejected].map(|of| {
        let run = &*of.run;
        let turns = run.turns.iter();
        turns.flat_map(|turn| messages_of(run, turn, (step, u32::MAX))).collect::<Vec<_>>()
    });
    if own.is_empty() || its.is_empty() || own == its {
        return Ok(None);
    }
    let mut prompt = chat.opening(0)?;
    let run = &*chosen.run;
    prompt.extend(run.turns.iter().flat_map(|turn| messages_of(run, turn, (0, step))));
    Ok(Some(json!({
        "format": PREFERENCE_FORMAT,
        "version": VERSION,
        "chosen_run": facts(run),
        "rejected_run": facts(&rejected.run),
        "step": step,
        "tools": chat.tools_of(prompt.iter().chain(&own).chain(&its)),
        "prompt": prompt,
        "chosen": own,
        "rejected": its,
    })))
}

/// Whether a person went on with another run in this one.
pub fn is_taken_over(run: &Run) -> bool {
    run.manifest.agent.kind == BY_HAND_KIND && run.manifest.parent.is_some()
}

/// What the environment is, as far as two of one kind can be told apart: the design, or all of its documents where
/// that is not all.
fn state_of(environment: &dyn Environment) -> (Option<Document>, Option<Value>) {
    let design = environment.design();
    let is_all = design.is_some() && environment.documents().is_none();
    (design, (!is_all).then(|| environment.document_json()))
}

/// A run while lines are made of it.
struct Chat<'a> {
    of: &'a DemonstratedRun,
    options: DemonstrationOptions,
    cancel: &'a CancelToken,
    open_environment: &'a OpenEnvironment,
    replay: Replay,
}

/// As much of a text as an error shows.
fn beginning(text: &str) -> String {
    text.chars().take(120).collect()
}

impl<'a> Chat<'a> {
    /// Replays the run to its end, which has to come out as it was recorded.
    fn new(
        of: &'a DemonstratedRun,
        options: DemonstrationOptions,
        open_environment: &'a OpenEnvironment,
        cancel: &'a CancelToken,
    ) -> Result<Self, DemonstrationError> {
        let last = last_step(&of.run);
        if !of.run.steps.iter().any(|step| step.call.is_some()) {
            return Err(DemonstrationError::NoCalls);
        }
        let mut replay = Replay::new(Arc::clone(&of.run), open_environment)?;
        replay.environment_at(last, cancel)?;
        // A model would learn calls that do not lead where the run went.
        if let Some(first) = replay.divergences().next() {
            return Err(DemonstrationError::Diverges {
                step: first.step,
                recorded: beginning(&first.recorded),
                replayed: beginning(&first.replayed),
            });
        }
        Ok(Self { of, options, cancel, open_environment, replay })
    }

    /// What stands before the calls from a step on: who acts, what is to be done, what is there.
    fn opening(&mut self, step: u32) -> Result<Vec<Value>, DemonstrationError> {
        let mut words = self.instruction();
        if let Some(structure) = self.structure(step)? {
            words = format!("{words}\n\nWhat is on the canvas now:\n{structure}");
        } else if let Some(there) = self.documents(step)? {
            words = format!("{words}\n\nWhat is there now:\n{there}");
        }
        let mut parts = vec![json!({"type": "text", "text": words})];
        if self.options.pictures == DemonstrationPictures::With {
            let task = self.of.task.as_deref();
            let goal = task.map(Task::agent_input).transpose()?;
            if let Some(picture) = goal.and_then(|input| input.picture) {
                parts.push(image(&picture)?);
            }
            if self.options.unit == DemonstrationUnit::Turn {
                let cancel = self.cancel;
                let drawn = self.replay.picture_at(step, &PictureRequest::default(), cancel)?;
                parts.push(image(&drawn.pixels)?);
            }
        }
        let content = match parts.as_slice() {
            // Without a picture it is plain words, which every reader of the format takes.
            [_] => Value::from(words),
            _ => Value::Array(parts),
        };
        let is_canvas = self.of.run.manifest.environment == EnvironmentKind::Canvas;
        let system = if is_canvas { SYSTEM } else { SYSTEM_ELSEWHERE };
        Ok(vec![
            json!({"role": "system", "content": system}),
            json!({"role": "user", "content": content}),
        ])
    }

    fn instruction(&self) -> String {
        let imported = self.of.run.manifest.imported.as_ref();
        let recorded = imported.and_then(|imported| imported.instruction.clone());
        let of_task = self.of.task.as_ref().map(|task| task.instruction.clone());
        // What is made for a brief and no task has it as its instruction.
        let brief = self.of.run.manifest.settings.get(BRIEF_SETTING).and_then(Value::as_str);
        let known = [recorded, of_task, brief.map(str::to_owned)].into_iter().flatten();
        let mut said = known.filter(|words| !words.trim().is_empty());
        said.next().unwrap_or_else(|| "No instruction was recorded.".to_owned())
    }

    /// What the canvas holds, in its own tool's words; `None` where there is no such tool.
    fn structure(&mut self, step: u32) -> Result<Option<String>, DemonstrationError> {
        let state = self.replay.environment_at(step, self.cancel)?;
        if !state.tools().iter().any(|tool| tool.name == STRUCTURE_TOOL) {
            return Ok(None);
        }
        // On a canvas of its own: what looks changes nothing, but the replay is not ours to call.
        let snapshot = state.snapshot();
        let start = crate::run::replay::start_state(&self.of.run)?;
        let mut canvas = (self.open_environment)(&start).map_err(ReplayError::from)?;
        canvas.restore(&snapshot);
        let call = ToolCall {
            id: "look".to_owned(),
            name: STRUCTURE_TOOL.to_owned(),
            arguments: json!({}),
        };
        let outcome = canvas.call(&call, self.cancel);
        Ok(outcome.failure.is_none().then_some(outcome.text))
    }

    /// What there is where no tool tells it: the documents by name, or the only one as it is; `None` of one that
    /// is too long to be read.
    fn documents(&mut self, step: u32) -> Result<Option<String>, DemonstrationError> {
        let state = self.replay.environment_at(step, self.cancel)?;
        let Some(documents) = state.documents() else {
            // Whole or not at all: half a document is no document.
            let text = state.document_json().to_string();
            return Ok((text.len() <= DOCUMENT_BYTES).then_some(text));
        };
        let listed = documents.list();
        if listed.is_empty() {
            return Ok(Some("no document is open, and there is no file".to_owned()));
        }
        let lines = listed.iter().map(|document| {
            let DocumentInfo { program, name, size, place, .. } = document;
            let place = match place {
                DocumentPlace::Open { is_saved: true, .. } => "open, saved",
                DocumentPlace::Open { is_saved: false, .. } => "open, not saved",
                DocumentPlace::File => "file",
            };
            format!("{program}: {name}, {} × {}, {place}", size.width, size.height)
        });
        Ok(Some(lines.collect::<Vec<_>>().join("\n")))
    }

    fn line(&self, messages: &[Value], (first, last): (u32, u32)) -> Value {
        json!({
            "format": DEMONSTRATION_FORMAT,
            "version": VERSION,
            "run": facts(&self.of.run),
            "steps": [first, last],
            "tools": self.tools_of(messages.iter()),
            "messages": messages,
        })
    }

    /// The tools that are called in these messages, as a model is told of them.
    fn tools_of<'m>(&self, messages: impl Iterator<Item = &'m Value>) -> Vec<Value> {
        let calls = messages.filter_map(|message| message.get("tool_calls")?.as_array());
        let names = calls.flatten().filter_map(|call| call["function"]["name"].as_str());
        let names: BTreeSet<&str> = names.collect();
        let known = self.replay.environment().tools().iter();
        let mut tools: Vec<Value> = known
            .filter(|tool| names.contains(tool.name))
            .map(|tool| function(tool.name, tool.description, &tool.schema))
            .collect();
        if names.contains(APPLY_EDIT) {
            let words = "Changes, adds and removes nodes of the design as its arguments say. Only people's \
                own work is recorded by it.";
            tools.push(function(APPLY_EDIT, words, &json!({"type": "object"})));
        }
        tools
    }
}

fn function(name: &str, description: &str, parameters: &Value) -> Value {
    let function = json!({"name": name, "description": description, "parameters": parameters});
    json!({"type": "function", "function": function})
}

/// The messages of a turn's calls behind one step and up to another; none where there are none.
fn messages_of(run: &Run, turn: &Turn, (after, until): (u32, u32)) -> Vec<Value> {
    let steps = run.steps_of(turn).filter(|step| step.number > after && step.number <= until);
    let steps: Vec<(&Step, &ToolCall)> =
        steps.filter_map(|step| Some((step, step.call.as_ref()?))).collect();
    if steps.is_empty() {
        return Vec::new();
    }
    let calls: Vec<Value> = steps.iter().map(|(step, call)| tool_call(step, call)).collect();
    // What was thought belongs to the whole of its turn.
    let is_whole = run.steps_of(turn).next().is_some_and(|step| step.number > after);
    let thought = Some(turn.thought.as_str()).filter(|text| is_whole && !text.is_empty());
    let mut assistant = Map::new();
    assistant.insert("role".to_owned(), Value::from("assistant"));
    assistant.insert("content".to_owned(), thought.map_or(Value::Null, Value::from));
    assistant.insert("tool_calls".to_owned(), Value::Array(calls));
    let results = steps.iter().map(|(step, _)| {
        let outcome = step.outcome.as_ref();
        let text = outcome.map_or("", |outcome| outcome.text.as_str());
        json!({"role": "tool", "tool_call_id": call_id(step), "content": text})
    });
    std::iter::once(Value::Object(assistant)).chain(results).collect()
}

fn tool_call(step: &Step, call: &ToolCall) -> Value {
    json!({
        "id": call_id(step),
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments.to_string()},
    })
}

/// Unique in a run, which the ids of an agent are only in a turn.
fn call_id(step: &Step) -> String {
    format!("call_{}", step.number)
}

fn call_at(run: &Run, number: u32) -> Option<&ToolCall> {
    run.steps.get((number as usize).checked_sub(1)?)?.call.as_ref()
}

fn last_step(run: &Run) -> u32 {
    u32::try_from(run.steps.len()).unwrap_or(u32::MAX)
}

fn facts(run: &Run) -> Value {
    let manifest = &run.manifest;
    json!({
        "id": manifest.id,
        "task": manifest.task,
        "agent": manifest.agent,
        "environment": manifest.environment.to_string(),
        "outcome": manifest.outcome_word(),
        "parent": manifest.parent.as_ref().map(|parent| json!({"run": parent.run, "step": parent.step})),
    })
}

fn image(picture: &Pixels) -> Result<Value, PixelsError> {
    let url = format!("data:image/png;base64,{}", STANDARD.encode(picture.to_png()?));
    Ok(json!({"type": "image_url", "image_url": {"url": url}}))
}
