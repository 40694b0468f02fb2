//! Plays a list of tool calls.
//!
//! A script is a JSON file: a list of turns
//!
//! ```json
//! [
//!   { "thought": "A card", "calls": [
//!     { "name": "create_frame", "arguments": { "x": 16, "y": 96, "width": 361, "height": 120, "name": "Card" } }
//!   ] },
//!   { "calls": [
//!     { "name": "set_corner_radius", "arguments": { "nodeId": { "$ref": "1.1" }, "radius": 12 } }
//!   ] }
//! ]
//! ```
//!
//! or a list of calls, which is one turn; or a run: its folder or its `events.jsonl`, whose turns are
//! played again. `{ "$ref": "turn.call" }` stands for the `id` that call of an earlier turn answered.
//! Names of tools and arguments are passed on as they are: what is wrong with them is an outcome.

use std::path::Path;

use serde_json::Value;

use crate::base::CancelToken;
use crate::environment::{ToolCall, ToolOutcome};
use crate::run::AgentRef;

use super::error::ScriptError;
use super::script;
use super::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};

/// The agent.
#[derive(Clone, Debug)]
pub struct Scripted {
    turns: Vec<AgentTurn>,
    /// Turns played.
    played: usize,
    /// The ids that calls answered, by turn and call.
    ids: Vec<Vec<Option<String>>>,
}

impl Scripted {
    /// An agent that plays the script in a file or the calls of a run folder.
    pub fn open(path: &Path) -> Result<Self, ScriptError> {
        Ok(Self::new(script::read(path)?))
    }

    /// An agent that gives these answers.
    pub fn new(turns: Vec<AgentTurn>) -> Self {
        Self { turns, played: 0, ids: Vec::new() }
    }

    fn resolve(&self, mut call: ToolCall, number: usize) -> Result<ToolCall, ScriptError> {
        let failed =
            |message| ScriptError::Reference { turn: self.played + 1, call: number, message };
        resolve(&mut call.arguments, &|target| self.id_of(target)).map_err(failed)?;
        Ok(call)
    }

    fn id_of(&self, target: &str) -> Result<String, String> {
        let (turn, call) = target
            .split_once('.')
            .and_then(|(turn, call)| {
                Some((turn.parse::<usize>().ok()?, call.parse::<usize>().ok()?))
            })
            .ok_or_else(|| {
                format!("\"$ref\" must be \"turn.call\", such as \"1.2\", not {target:?}")
            })?;
        let answers = turn.checked_sub(1).and_then(|turn| self.ids.get(turn));
        let answer = answers.zip(call.checked_sub(1)).and_then(|(answers, call)| answers.get(call));
        match answer {
            Some(Some(id)) => Ok(id.clone()),
            Some(None) => Err(format!("\"$ref\" {target}: that call answered no id")),
            None => Err(format!("\"$ref\" {target}: there is no such call in an earlier turn")),
        }
    }
}

impl Agent for Scripted {
    fn identity(&self) -> AgentRef {
        let kind = AgentKind::Scripted.name().to_owned();
        AgentRef { name: kind.clone(), kind, version: None }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        cancel.check()?;
        if self.played > 0 {
            self.ids.push(view.last_turn.iter().map(|(_, outcome)| id_in(outcome)).collect());
        }
        let Some(turn) = self.turns.get(self.played).cloned() else {
            return Ok(AgentTurn::default());
        };
        let calls = turn.calls.into_iter().enumerate();
        let calls = calls.map(|(at, call)| self.resolve(call, at + 1)).collect::<Result<_, _>>()?;
        self.played += 1;
        Ok(AgentTurn { calls, ..turn })
    }
}

/// The id of the node that a call made or changed, as the tools answer it.
fn id_in(outcome: &ToolOutcome) -> Option<String> {
    outcome.structured.as_ref()?.get("id")?.as_str().map(str::to_owned)
}

/// Puts ids in the place of references, however deep.
fn resolve(
    value: &mut Value,
    id_of: &impl Fn(&str) -> Result<String, String>,
) -> Result<(), String> {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("$ref") => {
            let target = fields["$ref"].as_str().unwrap_or_default();
            *value = Value::String(id_of(target)?);
            Ok(())
        }
        Value::Object(fields) => fields.values_mut().try_for_each(|field| resolve(field, id_of)),
        Value::Array(items) => items.iter_mut().try_for_each(|item| resolve(item, id_of)),
        _ => Ok(()),
    }
}
