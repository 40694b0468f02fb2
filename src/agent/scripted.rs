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

use serde_json::{Map, Value};

use crate::base::{CancelToken, Limits, parse_json, read_file_limited};
use crate::environment::ToolCall;
use crate::run::{AgentRef, Run, RunOrigin, Turn, folder, reader};

use super::error::ScriptError;
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
        Ok(Self::new(read_script(path)?))
    }

    /// An agent that gives these answers.
    pub fn new(turns: Vec<AgentTurn>) -> Self {
        Self { turns, played: 0, ids: Vec::new() }
    }

    fn resolve(&self, mut call: ToolCall, number: usize) -> Result<ToolCall, ScriptError> {
        match resolve(&mut call.arguments, &|target| self.id_of(target)) {
            Ok(()) => Ok(call),
            Err(message) => {
                Err(ScriptError::Reference { turn: self.played + 1, call: number, message })
            }
        }
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
        // Outcomes come with the next question: only then can calls refer to what they made.
        if self.played > 0 {
            // Of the node that a call made or changed, as the tools answer it.
            let ids = view.last_turn.iter().map(|(_, outcome)| {
                outcome.structured.as_ref()?.get("id")?.as_str().map(str::to_owned)
            });
            self.ids.push(ids.collect());
        }
        // After the last turn comes one without calls, which ends the run.
        let Some(turn) = self.turns.get(self.played).cloned() else {
            return Ok(AgentTurn::default());
        };
        let calls = turn.calls.into_iter().enumerate();
        let calls = calls.map(|(at, call)| self.resolve(call, at + 1)).collect::<Result<_, _>>()?;
        self.played += 1;
        Ok(AgentTurn { calls, ..turn })
    }
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

/// Reads a script; the module says what it may be.
///
/// # Errors
///
/// [`ScriptError`].
pub fn read_script(path: &Path) -> Result<Vec<AgentTurn>, ScriptError> {
    // A run is played from its calls, however it ended; what they cost then was paid once.
    if path.is_dir() {
        return script_of_run(path);
    }
    if let (true, Some(dir)) = (path.ends_with(folder::EVENTS_FILE), path.parent()) {
        return script_of_run(if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    }
    let value: Value = read_file_limited(path, Limits::JSON_BYTES)
        .and_then(|bytes| parse_json(&bytes))
        .map_err(|source| ScriptError::Json { source, path: path.to_path_buf() })?;
    parse_script(value).map_err(|Misshapen { place, message }| ScriptError::Shape {
        place,
        message,
        path: path.to_path_buf(),
    })
}

fn script_of_run(dir: &Path) -> Result<Vec<AgentTurn>, ScriptError> {
    let run = reader::open(dir)?;
    if matches!(run.origin, RunOrigin::Pictures { .. }) {
        return Err(ScriptError::NoCalls(dir.to_path_buf()));
    }
    Ok(run.turns.iter().map(|turn| again(&run, turn)).collect())
}

/// The answer as it was given, without what it cost then.
fn again(run: &Run, turn: &Turn) -> AgentTurn {
    AgentTurn {
        thought: turn.thought.clone(),
        calls: run.steps_of(turn).filter_map(|step| step.call.clone()).collect(),
        ..AgentTurn::default()
    }
}

/// What is wrong with a script, and where.
#[derive(Debug, PartialEq, Eq)]
struct Misshapen {
    place: String,
    message: String,
}

fn parse_script(script: Value) -> Result<Vec<AgentTurn>, Misshapen> {
    let Value::Array(items) = script else {
        return Err(misshapen("the script", "must be a list of turns or a list of calls"));
    };
    // What has neither calls nor a name is taken for a turn, whose shape says what is missing.
    if items.iter().any(|item| item.get("calls").is_some() || item.get("name").is_none()) {
        let turns = items.into_iter().enumerate();
        return turns.map(|(at, item)| turn(&format!("turn {}", at + 1), item)).collect();
    }
    if items.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![AgentTurn { calls: calls("the list", items)?, ..AgentTurn::default() }])
}

fn turn(place: &str, item: Value) -> Result<AgentTurn, Misshapen> {
    let Value::Object(mut fields) = item else {
        return Err(misshapen(place, "must be an object with \"calls\""));
    };
    // Taken out one by one, so that what is left is what nobody knows.
    let thought = match fields.remove("thought") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(thought)) => thought,
        Some(_) => return Err(misshapen(place, "\"thought\" must be text")),
    };
    let calls = match fields.remove("calls") {
        Some(Value::Array(items)) => calls(place, items)?,
        Some(_) => return Err(misshapen(place, "\"calls\" must be a list")),
        None => return Err(misshapen(place, "\"calls\" is missing")),
    };
    refuse_others(place, &fields, "\"thought\" and \"calls\"")?;
    Ok(AgentTurn { thought, calls, ..AgentTurn::default() })
}

fn calls(place: &str, items: Vec<Value>) -> Result<Vec<ToolCall>, Misshapen> {
    let items = items.into_iter().enumerate();
    items.map(|(at, item)| call(&format!("{place}, call {}", at + 1), at + 1, item)).collect()
}

fn call(place: &str, number: usize, item: Value) -> Result<ToolCall, Misshapen> {
    let Value::Object(mut fields) = item else {
        return Err(misshapen(place, "must be an object with \"name\" and \"arguments\""));
    };
    let Some(Value::String(name)) = fields.remove("name") else {
        return Err(misshapen(place, "\"name\" is missing or not text"));
    };
    let id = match fields.remove("id") {
        None | Some(Value::Null) => format!("call-{number}"),
        Some(Value::String(id)) => id,
        Some(_) => return Err(misshapen(place, "\"id\" must be text")),
    };
    let arguments = fields.remove("arguments").unwrap_or_else(|| Value::Object(Map::new()));
    refuse_others(place, &fields, "\"id\", \"name\" and \"arguments\"")?;
    Ok(ToolCall { id, name, arguments })
}

/// A misspelt field would be lost without a word.
fn refuse_others(place: &str, fields: &Map<String, Value>, known: &str) -> Result<(), Misshapen> {
    match fields.keys().next() {
        None => Ok(()),
        Some(key) => {
            let key: String = key.chars().take(40).collect();
            Err(misshapen(place, &format!("{key:?} is not known; there are {known}")))
        }
    }
}

fn misshapen(place: &str, message: &str) -> Misshapen {
    Misshapen { place: place.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_of_calls_is_one_turn() {
        let turns =
            parse_script(json!([{ "name": "a" }, { "name": "b", "arguments": { "x": 1 } }]))
                .unwrap();
        assert_eq!(turns.len(), 1);
        assert_eq!(turns[0].calls[1].arguments, json!({ "x": 1 }));
        assert_eq!(turns[0].calls[0].id, "call-1");
        assert_eq!(parse_script(json!([])).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let cases = [
            (json!({}), "the script"),
            (json!([{ "calls": [] }, 7]), "turn 2"),
            (json!([{ "calls": {} }]), "turn 1"),
            (json!([{ "calls": [{ "name": "a" }, { "nam": "b" }] }]), "turn 1, call 2"),
            (json!([{ "name": "a", "arguents": {} }]), "the list, call 1"),
            (json!([{ "calls": [], "thougth": "" }]), "turn 1"),
        ];
        for (script, place) in cases {
            assert_eq!(parse_script(script.clone()).unwrap_err().place, place, "{script}");
        }
    }
}
