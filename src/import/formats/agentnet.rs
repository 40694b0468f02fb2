//! AgentNet (OpenCUA) and AgentNetBench: JSON Lines, a task a line, with the picture that stood before each
//! action. So the picture after an action is that of the next one, and the first shows the start.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::base::{Limits, read_file_limited};
use crate::environment::EnvironmentKind;
use crate::import::conversation::paragraphs;
use crate::import::error::ImportError;
use crate::import::json::{self, items, text, words};
use crate::import::report::cut_name;
use crate::import::sink::{
    CallRecord, OutcomeRecord, RunEnd, RunHead, RunWriter, Sink, TurnRecord,
};
use crate::import::source::{Certainty, Source};
use crate::run::{ImageRef, Outcome, TaskRef};

use super::python_action::name_of_code;

/// Folders beside the file in which the pictures are looked for.
const PICTURE_FOLDERS: [&str; 4] = ["", "images", "screenshots", "../images"];

/// JSON or JSON Lines with a task and its steps.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    let is_task = outline.has("task_id") && outline.has("traj");
    let is_bench = outline.has("task_id")
        && outline.has("steps")
        && (outline.has("high_level_task_description") || outline.has("user_task_description"));
    (is_task || is_bench).then_some(Certainty::Certain)
}

/// Imports every task.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    json::each(source, sink, |task, place, sink| match task {
        Ok(task) => one(task, place, &source.path, sink),
        Err(why) => {
            sink.report.skip(place, why);
            Ok(())
        }
    })
}

/// Imports a task; what is wrong with it alone is left out.
fn one(task: &Value, place: &str, file: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    match import_task(task, place, file, sink) {
        Err(error) if !error.ends_import() => {
            sink.report.skip(place, error.to_string());
            Ok(())
        }
        other => other,
    }
}

/// A step, whichever of the two shapes it has.
struct TrajectoryStep<'a> {
    image: Option<&'a str>,
    thought: String,
    calls: Vec<(String, Value)>,
    /// What people or models said of it afterwards.
    remarks: Map<String, Value>,
}

fn import_task(
    task: &Value,
    place: &str,
    file: &Path,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let id = words(&task["task_id"]);
    if id.is_empty() {
        return Err(ImportError::content("a task without an id", place));
    }
    // The data set and the benchmark have the same steps under different names.
    let steps: Vec<TrajectoryStep<'_>> = match task.get("traj") {
        Some(_) => items(task, "traj").iter().map(TrajectoryStep::of_data).collect(),
        None => items(task, "steps").iter().map(TrajectoryStep::of_bench).collect(),
    };
    let set = if task.get("traj").is_some() { "agentnet" } else { "agentnet-bench" };
    let mut head =
        RunHead { environment: EnvironmentKind::from("desktop"), ..RunHead::new("", "", place) };
    head.task = TaskRef { set: set.to_owned(), id };
    let mut writer = sink.begin(head)?;
    about(task, &mut writer);
    // All pictures first: what an action led to is the picture of the next step, and may be shown here.
    let mut pictures = Vec::with_capacity(steps.len());
    for step in &steps {
        pictures.push(
            step.image.map(|image| find(image, file, &mut writer, place)).transpose()?.flatten(),
        );
    }
    writer.set_start_picture(pictures.first().cloned().flatten());
    let mut last = None;
    for (at, step) in steps.into_iter().enumerate() {
        // There is no picture after the last action.
        let after = pictures.get(at + 1).cloned().flatten();
        last = step.calls.last().map(|(name, arguments)| (name.clone(), words(&arguments["code"])));
        let count = step.calls.len();
        let calls = step.calls.into_iter().enumerate().map(|(number, (name, arguments))| {
            // A step may be several calls with one picture: what it shows is true only after the last of them.
            let is_last = number + 1 == count;
            let remarks = is_last && !step.remarks.is_empty();
            CallRecord {
                id: format!("{}-{}", at + 1, number + 1),
                name,
                arguments,
                outcome: Some(OutcomeRecord {
                    structured: remarks.then(|| Value::Object(step.remarks.clone())),
                    image: after.clone().filter(|_| is_last),
                    ..OutcomeRecord::default()
                }),
            }
        });
        let turn = TurnRecord {
            calls: calls.collect(),
            thought: step.thought,
            observation: after,
            ..TurnRecord::default()
        };
        writer.turn(turn)?;
    }
    // A task without steps is no run; the writer is dropped without being finished.
    if writer.is_empty() {
        sink.report.skip(place, "the task has no step");
        return Ok(());
    }
    // The action that ends a task says how.
    let ended = last.filter(|(name, _)| name.ends_with("terminate"));
    let outcome = ended.map(|(_, code)| (Outcome::Completed, code));
    sink.finish(writer, RunEnd { outcome, ..RunEnd::default() })
}

fn about(task: &Value, writer: &mut RunWriter) {
    let said = [
        "instruction",
        "natural_language_task",
        "actual_task",
        "high_level_task_description",
        "user_task_description",
    ];
    if let Some(instruction) = said.iter().find_map(|name| text(task, name)) {
        writer.set_instruction(instruction);
    }
    writer.about(|record| {
        for name in ["task_completed", "alignment_score", "efficiency_score", "task_difficulty"] {
            if let Some(value) = task.get(name).filter(|it| !it.is_null()) {
                record.scores.insert(name.to_owned(), value.clone());
            }
        }
        for name in ["reason", "actual_task", "natural_language_task", "user_task_description"] {
            if let Some(value) = text(task, name) {
                record.facts.insert(name.to_owned(), json!(value));
            }
        }
    });
}

impl<'a> TrajectoryStep<'a> {
    fn of_data(step: &'a Value) -> Self {
        let value = &step["value"];
        let thought =
            ["observation", "thought", "action"].map(|name| text(value, name).unwrap_or_default());
        let mut remarks = Map::new();
        for name in ["last_step_correct", "last_step_redundant", "reflection"] {
            if let Some(said) = value.get(name).filter(|it| !it.is_null()) {
                remarks.insert(name.to_owned(), said.clone());
            }
        }
        let code = text(value, "code").unwrap_or_default();
        let call = (name_of_code(code), json!({ "code": code }));
        Self {
            image: text(step, "image"),
            thought: paragraphs(thought),
            calls: if code.is_empty() { Vec::new() } else { vec![call] },
            remarks,
        }
    }

    fn of_bench(step: &'a Value) -> Self {
        let inner = &step["inner_monologue"];
        let thought = ["observation", "thought", "low_level_instruction"];
        let thought = thought.map(|name| text(inner, name).unwrap_or_default());
        let mut remarks = Map::new();
        // What the benchmark says of a step beside its action is kept with the outcome, or it would be lost.
        for name in ["milestone", "ground_truth_actions"] {
            if let Some(said) = step.get(name).filter(|it| !it.is_null()) {
                remarks.insert(name.to_owned(), said.clone());
            }
        }
        let calls = match &step["action"] {
            Value::String(code) if !code.is_empty() => {
                vec![(name_of_code(code), json!({ "code": code }))]
            }
            Value::Object(fields) => {
                let name = fields.get("type").and_then(Value::as_str).unwrap_or("action");
                vec![(name.to_owned(), step["action"].clone())]
            }
            // The benchmark says what should be done, which is what its people did.
            _ => items(step, "ground_truth_actions")
                .iter()
                .map(|action| {
                    let name = text(action, "type").unwrap_or("action").to_owned();
                    (name, crate::import::conversation::arguments_of(action.get("params")))
                })
                .collect(),
        };
        Self { image: text(step, "image"), thought: paragraphs(thought), calls, remarks }
    }
}

/// The picture of this name beside the file.
fn find(
    image: &str,
    file: &Path,
    writer: &mut RunWriter,
    place: &str,
) -> Result<Option<ImageRef>, ImportError> {
    let shown = cut_name(image);
    // The name is from outside: only what stays below the folder is opened.
    let is_plain = !image.is_empty()
        && !image.contains('\\')
        && !image.starts_with('/')
        && !image.split('/').any(|part| part == ".." || part.is_empty());
    if !is_plain {
        writer.warn(format!("the picture's name {shown:?} leads out of the folder: {place}"));
        return Ok(None);
    }
    let dir = file.parent().unwrap_or(Path::new("."));
    // Releases differ in where pictures lie; the first folder that has it wins.
    let places: Vec<PathBuf> =
        PICTURE_FOLDERS.iter().map(|folder| dir.join(folder).join(image)).collect();
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        writer.warn(format!("the picture {shown:?} is missing: {place}"));
        return Ok(None);
    };
    match read_file_limited(path, Limits::IMAGE_BYTES) {
        Ok(bytes) => writer.picture(&bytes, &path.display().to_string()),
        Err(error) => {
            writer.warn(error.to_string());
            Ok(None)
        }
    }
}
