//! Scripts: turns of tool calls in a JSON file, or in a run that was recorded.

use std::path::Path;

use serde_json::{Map, Value};

use crate::base::{Limits, parse_json, read_file_limited};
use crate::environment::ToolCall;
use crate::run::reader;
use crate::run::{Run, RunOrigin, folder};

use super::AgentTurn;
use super::error::ScriptError;

/// Reads a script; see [`super::scripted`] for what it may be.
pub(super) fn read(path: &Path) -> Result<Vec<AgentTurn>, ScriptError> {
    if path.is_dir() {
        return of_run(path);
    }
    if let (true, Some(dir)) = (path.ends_with(folder::EVENTS_FILE), path.parent()) {
        return of_run(if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    }
    let json = |source| ScriptError::Json { source, path: path.to_path_buf() };
    let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(json)?;
    let value: Value = parse_json(&bytes).map_err(json)?;
    parse(value).map_err(|Misshapen { place, message }| ScriptError::Shape {
        place,
        message,
        path: path.to_path_buf(),
    })
}

fn of_run(dir: &Path) -> Result<Vec<AgentTurn>, ScriptError> {
    let run = reader::open(dir)?;
    if matches!(run.origin, RunOrigin::Pictures { .. }) {
        return Err(ScriptError::NoCalls(dir.to_path_buf()));
    }
    Ok(run.turns.iter().map(|turn| again(&run, turn)).collect())
}

/// The answer as it was given, without what it cost then.
fn again(run: &Run, turn: &crate::run::Turn) -> AgentTurn {
    let steps = run.steps.iter().skip(turn.first_step).take(turn.step_count);
    AgentTurn {
        thought: turn.thought.clone(),
        calls: steps.filter_map(|step| step.call.clone()).collect(),
        ..AgentTurn::default()
    }
}

/// What is wrong with a script, and where.
#[derive(Debug, PartialEq, Eq)]
struct Misshapen {
    place: String,
    message: String,
}

fn parse(script: Value) -> Result<Vec<AgentTurn>, Misshapen> {
    let Value::Array(items) = script else {
        return Err(misshapen("the script", "must be a list of turns or a list of calls"));
    };
    let is_turn = |item: &Value| item.get("calls").is_some() || item.get("name").is_none();
    if items.iter().any(is_turn) {
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
            parse(json!([{ "name": "a" }, { "name": "b", "arguments": { "x": 1 } }])).unwrap();
        assert_eq!(turns.len(), 1);
        assert_eq!(turns[0].calls[1].arguments, json!({ "x": 1 }));
        assert_eq!(turns[0].calls[0].id, "call-1");
        assert_eq!(parse(json!([])).unwrap(), []);
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
            assert_eq!(parse(script.clone()).unwrap_err().place, place, "{script}");
        }
    }
}
