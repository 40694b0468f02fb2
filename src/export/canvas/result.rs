//! A run's side: its end, a snapshot for every turn with a call, and what was said.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::base::CancelToken;
use crate::environment::{Environment, FailureClass};
use crate::evaluate::RunCanvas;
use crate::run::{Run, Step, Turn};
use crate::task::Task;

use super::cases::Case;
use super::files::{CanvasExportError, write, write_json};

/// Writes the folder of a result. Gives for each snapshot the last step of its turn.
pub(super) fn write_result(
    dir: &Path,
    case: &Case,
    task: &Task,
    canvas: &mut RunCanvas,
    cancel: &CancelToken,
) -> Result<Vec<u32>, CanvasExportError> {
    let run = canvas.run().clone();
    let folder = dir.join(case.folder());
    let id = &case.case_id;
    let last = run.steps.len() as u32;
    let (picture, structure) = state(canvas, last, cancel)?;
    write(&folder.join(format!("{id}-canvas.png")), &picture)?;
    write_json(&folder.join(format!("{id}-json-structure.json")), &structure)?;
    write_json(&folder.join(format!("{id}-history.json")), &history(&run, task))?;
    let mut steps = Vec::new();
    // CANVAS snapshots turns that called a tool; a turn of words changed nothing.
    for turn in run.turns.iter().filter(|turn| turn.step_count > 0) {
        // A torn record may promise more steps than there are.
        let step = (turn.first_step + turn.step_count).min(run.steps.len()) as u32;
        let (picture, structure) = state(canvas, step, cancel)?;
        // Numbered by snapshots and not by turns: those of words alone would leave gaps.
        let number = steps.len();
        let name = format!("{id}-snapshot-{number}");
        let snapshots = folder.join("snapshots");
        let snapshot = json!({
            "case_id": id,
            "init": number == 0,
            "turn": number,
            "image_uri": format!("data:image/png;base64,{}", STANDARD.encode(&picture)),
            "structure": structure,
            "toolResults": results(&run, turn),
        });
        write_json(&snapshots.join(format!("{name}.json")), &snapshot)?;
        write_json(&snapshots.join(format!("{name}-structure.json")), &structure)?;
        write(&snapshots.join(format!("{name}.png")), &picture)?;
        steps.push(step);
    }
    Ok(steps)
}

/// The picture after a step as a PNG, and the main frame as JSON.
fn state(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<(Vec<u8>, Value), CanvasExportError> {
    let picture = canvas.picture(step, 1.0, cancel)?.pixels.to_png()?;
    let environment = canvas.environment_at(step, cancel)?;
    let Some(environment) = environment else {
        let why = "the evaluator passes over results without a document, and only pictures were recorded \
                   of this run";
        return Err(CanvasExportError::NotReadable(why.to_owned()));
    };
    if environment.design().is_none() {
        let why = "the evaluator passes over results without a document, and this run's is no vector design";
        return Err(CanvasExportError::NotReadable(why.to_owned()));
    }
    Ok((picture, main_frame_json(environment)))
}

/// The main frame as the published runner writes it: alone under `document`.
pub(super) fn main_frame_json(environment: &dyn Environment) -> Value {
    let document = environment.document_json();
    let frame = environment.main_frame().and_then(|id| node(&document, &id.to_string()).cloned());
    match frame {
        Some(frame) => json!({ "document": frame }),
        None if document.get("document").is_some() => document,
        None => json!({ "document": document }),
    }
}

/// The object of this id, wherever it lies.
fn node<'a>(value: &'a Value, id: &str) -> Option<&'a Value> {
    if value.get("id").and_then(Value::as_str) == Some(id) {
        return Some(value);
    }
    let below = value.get("children").and_then(Value::as_array);
    let inside = value.get("document").into_iter().chain(below.into_iter().flatten());
    inside.into_iter().find_map(|value| node(value, id))
}

/// What the tools of a turn gave back.
fn results(run: &Run, turn: &Turn) -> Vec<Value> {
    run.steps_of(turn).filter_map(result).collect()
}

fn result(step: &Step) -> Option<Value> {
    let call = step.call.as_ref()?;
    let outcome = step.outcome.as_ref();
    let failure = outcome.and_then(|outcome| outcome.failure.as_ref());
    let text = outcome.map_or("The call was not answered.", |outcome| outcome.text.as_str());
    let mut fields = Map::new();
    let id = call_id(step);
    fields.insert("id".to_owned(), json!(id));
    fields.insert("call_id".to_owned(), json!(id));
    // A result of a tool that there is not has no name, so that it counts as none of the tools used.
    if failure.is_none_or(|failure| failure.class != FailureClass::UnknownTool) {
        fields.insert("name".to_owned(), json!(call.name));
    }
    fields.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
    fields.insert("isError".to_owned(), json!(failure.is_some() || outcome.is_none()));
    if let Some(structured) = outcome.and_then(|outcome| outcome.structured.as_ref()) {
        fields.insert("structuredContent".to_owned(), structured.clone());
    }
    Some(Value::Object(fields))
}

/// The id of a call, which the record may lack.
fn call_id(step: &Step) -> String {
    let known = step.call.as_ref().map(|call| call.id.as_str()).filter(|id| !id.is_empty());
    known.map_or_else(|| format!("call_{}", step.number), str::to_owned)
}

/// What was asked and answered, as the published runner keeps it.
fn history(run: &Run, task: &Task) -> Value {
    let mut messages = vec![message(
        0,
        run,
        ("user", "user_request"),
        json!([{ "type": "text", "text": task.instruction }]),
        None,
    )];
    for turn in run.turns.iter() {
        let calls = run.steps_of(turn).filter_map(|step| {
            let call = step.call.as_ref()?;
            let id = call_id(step);
            Some(json!({ "id": id, "call_id": id, "name": call.name, "arguments": call.arguments }))
        });
        let calls: Vec<Value> = calls.collect();
        let said = json!([{ "type": "text", "text": turn.thought }]);
        // An answer and what came of its calls are two messages, numbered as they were sent.
        let number = messages.len();
        let asked = Some(("calls", Value::Array(calls)));
        messages.push(message(number, run, ("assistant", "agent_request"), said, asked));
        let given = Some(("results", Value::Array(results(run, turn))));
        let role = ("tool", "tool_response");
        messages.push(message(number + 1, run, role, json!([]), given));
    }
    Value::Array(messages)
}

fn message(
    number: usize,
    run: &Run,
    (role, kind): (&str, &str),
    content: Value,
    more: Option<(&str, Value)>,
) -> Value {
    let mut fields = Map::new();
    fields.insert("id".to_owned(), json!(format!("message_{number}")));
    // When each was said is not known: the run's own start stands for all.
    fields.insert("timestamp".to_owned(), json!(run.manifest.started));
    fields.insert("role".to_owned(), json!(role));
    fields.insert("type".to_owned(), json!(kind));
    fields.insert("content".to_owned(), content);
    if let Some((key, value)) = more {
        fields.insert(key.to_owned(), value);
    }
    Value::Object(fields)
}
