//! Writes reference tools and plans into `taskset.json`.
//!
//! Into nothing else: published sets stay as they were published. A plan in a row of GraphicBench's training set
//! also says which pictures the task hands out, so that another one would make it another task.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::base::{JsonLimitError, parse_json, read_file_limited, replace_file};
use crate::environment::{EnvironmentKind, ToolCall};
use crate::metric::plan::{Stage, StageItem};
use crate::run::{CallSource, PlannedCall, Run};

use super::file::{FILE, FORMAT, VERSION};

/// Largest `taskset.json`, in bytes.
const SET_BYTES: u64 = 64 << 20;
/// Most backups beside it.
const BACKUPS: u32 = 9_999;

/// How a task is best done, as a run shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// By which tools, in the order they were first called.
    Tools(Vec<String>),
    /// By which steps of which experts: a JSON array of `{id, expert, skill, parameters}`, as published plans are.
    Plan(Value),
}

impl Reference {
    /// The tools of these calls, each once.
    pub fn tools_of<'a>(calls: impl IntoIterator<Item = &'a ToolCall>) -> Self {
        let mut tools: Vec<String> = Vec::new();
        for call in calls {
            if !tools.contains(&call.name) {
                tools.push(call.name.clone());
            }
        }
        Self::Tools(tools)
    }

    /// A step for each of these calls of the design suite, with what it is in words where that is known
    /// ([`words_of_call`]): who makes it is an argument of it.
    pub fn plan_of<'a>(calls: impl IntoIterator<Item = (&'a ToolCall, Option<&'a str>)>) -> Self {
        let steps = calls.into_iter().enumerate().map(|(at, (call, words))| {
            let mut parameters = call.arguments.as_object().cloned().unwrap_or_default();
            let mut step = Map::new();
            step.insert("id".to_owned(), json!(at + 1));
            // Taken out and not looked up: among the parameters it would be one of the action's.
            if let Some(expert) = parameters.shift_remove("expert") {
                step.insert("expert".to_owned(), expert);
            }
            if let Some(words) = words {
                step.insert("description".to_owned(), json!(words));
            }
            step.insert("skill".to_owned(), json!(call.name));
            step.insert("parameters".to_owned(), Value::Object(parameters));
            Value::Object(step)
        });
        Self::Plan(steps.collect())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Tools(tools) => tools.is_empty(),
            Self::Plan(plan) => plan.as_array().is_none_or(Vec::is_empty),
        }
    }

    /// What it is, in words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tools(_) => "reference tools",
            Self::Plan(_) => "reference plan",
        }
    }

    /// What is in it, in a line: the tools, or how many steps and by whom.
    pub fn summary(&self) -> String {
        match self {
            Self::Tools(tools) => tools.join(", "),
            Self::Plan(plan) => {
                let stage = Stage::read(plan.clone());
                let mut experts: Vec<&str> = Vec::new();
                for expert in stage.steps().filter_map(|(_, step)| step.expert.as_deref()) {
                    if !experts.contains(&expert) {
                        experts.push(expert);
                    }
                }
                let steps = stage.steps().count();
                let steps = format!("{steps} {}", if steps == 1 { "step" } else { "steps" });
                if experts.is_empty() {
                    steps
                } else {
                    format!("{steps} by {}", experts.join(", "))
                }
            }
        }
    }

    /// Whether a task of this environment can have one like it: experts carry plans out, and only the design suite
    /// has some.
    pub fn fits(&self, environment: &EnvironmentKind) -> bool {
        matches!(self, Self::Tools(_)) || *environment == EnvironmentKind::Suite
    }

    /// The field of a task that it stands in, and what stands there.
    fn field(&self) -> (&'static str, Value) {
        match self {
            Self::Tools(tools) => ("reference_tools", json!(tools)),
            Self::Plan(plan) => ("reference_plan", plan.clone()),
        }
    }
}

/// What the plan that a run carried out says in words of the step that this call is of; `None` where it has none, or
/// the call is not that of the run any more.
pub fn words_of_call<'a>(run: &'a Run, planned: &PlannedCall) -> Option<&'a str> {
    let CallSource::Recorded(step) = planned.source else { return None };
    let at = (step as usize).checked_sub(1).filter(|_| !planned.is_edited)?;
    let workflow = &run.plan.as_ref()?.row.final_workflow;
    // Each item of a plan is a call of its run; one that was taken otherwise has another name.
    match workflow.items.get(at)? {
        StageItem::Step(step) if step.action.as_ref() == Some(&planned.call.name) => {
            step.description.as_deref()
        }
        StageItem::Step(_) | StageItem::Unreadable(_) => None,
    }
}

/// Why a reference could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The set is not in our format, which alone is written.
    #[error("references are written only into sets of this program's own format: there is no {FILE} in {}", .0.display())]
    OtherFormat(PathBuf),
    /// The file cannot be read.
    #[error("{source} in {}", path.display())]
    Json {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It says something that cannot be, or of a newer version.
    #[error("{what}: nothing was changed in {}", path.display())]
    BadSet {
        /// What cannot be.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot be written: {source}: {}", path.display())]
    Write {
        /// The cause.
        source: io::Error,
        /// Which file.
        path: PathBuf,
    },
}

/// Makes this the reference of a task, in the set that lies in a folder; everything else of the file stays, also what
/// this program does not know. The file as it was is kept beside it first; gives the path of that copy.
///
/// # Errors
///
/// [`ReferenceError`]; the file is then as it was.
pub fn write_reference(
    set_dir: &Path,
    task: &str,
    reference: &Reference,
) -> Result<PathBuf, ReferenceError> {
    let path = set_dir.join(FILE);
    if !path.is_file() {
        return Err(ReferenceError::OtherFormat(set_dir.to_path_buf()));
    }
    let json_error = |source| ReferenceError::Json { source, path: path.clone() };
    let bytes = read_file_limited(&path, SET_BYTES).map_err(json_error)?;
    let mut set: Value = parse_json(&bytes).map_err(json_error)?;
    let refused = |what: String| ReferenceError::BadSet { what, path: path.clone() };
    let is_known = set["format"] == FORMAT
        && set["version"].as_u64().is_some_and(|version| version <= u64::from(VERSION));
    if !is_known {
        return Err(refused(format!("it is not {FORMAT:?} of a version up to {VERSION}")));
    }
    // The first of that id, as readers take it.
    let tasks = set.get_mut("tasks").and_then(Value::as_array_mut);
    let entry = tasks.and_then(|tasks| tasks.iter_mut().find(|entry| entry["id"] == task));
    let Some(Value::Object(entry)) = entry else {
        return Err(refused(format!("it has no task {task:?}")));
    };
    let environment = entry.get("environment").and_then(Value::as_str).unwrap_or("canvas");
    if !reference.fits(&EnvironmentKind::from(environment)) {
        let what =
            format!("task {task:?} is of the {environment}, and only the design suite has plans");
        return Err(refused(what));
    }
    let (field, value) = reference.field();
    entry.insert(field.to_owned(), value);
    let text = serde_json::to_string_pretty(&set).map_err(|e| refused(e.to_string()))? + "\n";
    let backup = keep_copy(&path, &bytes)?;
    replace_file(&path, text.as_bytes())
        .map_err(|source| ReferenceError::Write { source, path: path.clone() })?;
    Ok(backup)
}

/// Writes the bytes beside the file under the first free name.
fn keep_copy(path: &Path, bytes: &[u8]) -> Result<PathBuf, ReferenceError> {
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 1..=BACKUPS {
        let backup = path.with_file_name(format!("{FILE}.before-{number}"));
        // Made and not looked for: of two that write at once, none takes the other's copy.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&backup) {
            Ok(mut file) => {
                let written = io::Write::write_all(&mut file, bytes).and_then(|()| file.sync_all());
                return match written {
                    Ok(()) => Ok(backup),
                    Err(source) => {
                        // Half a copy helps nobody.
                        std::fs::remove_file(&backup).ok();
                        Err(ReferenceError::Write { source, path: backup })
                    }
                };
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(source) => return Err(ReferenceError::Write { source, path: backup }),
        }
    }
    Err(ReferenceError::Write { source: last, path: path.to_path_buf() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tools_of_that_task_change_and_the_file_before_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let before = r#"{"format": "pentimento/taskset", "version": 1, "id": "s", "name": "S", "mine": 7,
            "tasks": [{"id": "a", "kind": "replication", "instruction": "x"}, 5, {"id": "b", "note": [1]}]}"#;
        std::fs::write(&path, before).unwrap();
        let tools = ["move_node".to_owned(), "set_opacity".to_owned()];
        let tools = Reference::Tools(tools.to_vec());
        let backup = write_reference(dir.path(), "b", &tools).unwrap();
        assert_eq!(std::fs::read_to_string(&backup).unwrap(), before);
        let after: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(after["tasks"][2]["reference_tools"], json!(["move_node", "set_opacity"]));
        assert_eq!((&after["mine"], &after["tasks"][1]), (&json!(7), &json!(5)));
        assert!(after["tasks"][0].get("reference_tools").is_none());
        assert_ne!(write_reference(dir.path(), "b", &tools).unwrap(), backup);
    }

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall { id: String::new(), name: name.to_owned(), arguments }
    }

    #[test]
    fn calls_become_steps_of_experts_that_are_read_as_they_were_made() {
        let calls = [
            call("CreateDocument", json!({"expert": "Photo Editor", "docType": "poster"})),
            call("CreateText", json!({"expert": "Vector Graphic Editor", "textString": "A"})),
            call("SaveDocument", json!({"expert": "Photo Editor"})),
        ];
        let words = [Some("Open a document."), None, None];
        let plan = Reference::plan_of(calls.iter().zip(words));
        assert_eq!(plan.summary(), "3 steps by Photo Editor, Vector Graphic Editor");
        let Reference::Plan(value) = &plan else { panic!("{plan:?}") };
        assert_eq!(value[0]["description"], "Open a document.");
        assert_eq!(
            value[1],
            json!({"id": 2, "expert": "Vector Graphic Editor", "skill": "CreateText",
                "parameters": {"textString": "A"}})
        );
        let stage = Stage::read(value.clone());
        let read = stage.steps().map(|(_, step)| {
            let mut arguments = step.parameters.clone().unwrap();
            arguments.insert("expert".to_owned(), json!(step.expert));
            call(step.action.as_deref().unwrap(), Value::Object(arguments))
        });
        assert_eq!(read.collect::<Vec<_>>(), calls);
    }

    #[test]
    fn a_plan_is_written_for_a_task_of_the_suite_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let before = r#"{"format": "pentimento/taskset", "version": 1, "id": "s", "name": "S", "tasks": [
            {"id": "a", "kind": "replication", "instruction": "x"},
            {"id": "b", "environment": "suite", "kind": "composition", "instruction": "y"}]}"#;
        std::fs::write(&path, before).unwrap();
        let made = call("CreateDocument", json!({"expert": "Photo Editor"}));
        let plan = Reference::plan_of([(&made, None)]);
        let error = write_reference(dir.path(), "a", &plan).unwrap_err().to_string();
        assert!(error.contains("only the design suite has plans"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        let backup = write_reference(dir.path(), "b", &plan).unwrap();
        assert_eq!(std::fs::read_to_string(&backup).unwrap(), before);
        let opened = crate::task::open(&path).unwrap();
        let tasks = &opened.sets[0].0.tasks;
        assert_eq!(tasks[0].reference_plan, None);
        let task = &tasks[1];
        assert_eq!(task.reference_plan.as_ref().unwrap().steps().count(), 1);
        assert_eq!(task.reference_tools, ["CreateDocument"], "its actions are its tools");
    }

    #[test]
    fn what_is_not_ours_or_has_no_such_task_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let tools = Reference::Tools(Vec::new());
        let none = write_reference(dir.path(), "a", &tools).unwrap_err().to_string();
        assert!(none.contains("own format"), "{none}");
        let path = dir.path().join(FILE);
        for (text, words) in [
            ("{", "taskset.json"),
            (r#"{"format": "other"}"#, "it is not"),
            (r#"{"format": "pentimento/taskset", "version": 99}"#, "it is not"),
            (r#"{"format": "pentimento/taskset", "version": 1, "tasks": []}"#, "no task \"a\""),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = write_reference(dir.path(), "a", &tools).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no copy is left");
        }
    }
}
