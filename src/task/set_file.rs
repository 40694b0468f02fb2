//! Reads `taskset.json`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::Value;

use crate::base::{Limits, Size, parse_json, read_file_limited};
use crate::environment::EnvironmentKind;
use crate::environment::suite::GivenPicture;
use crate::metric::plan::Stage;
use crate::metric::transformation::{Check, Checks};

use super::error::TaskError;
use super::file::{ArtifactEntry, FILE, FORMAT, GivenEntry, TaskEntry, TaskSetFile, VERSION};
use super::model::{Artifact, Task, TaskSet, actions_of};

/// Largest `taskset.json`, in bytes.
const SET_BYTES: u64 = 64 << 20;
/// Most tasks of a set.
const TASKS: usize = 100_000;
/// Most pictures that one task hands out.
const GIVEN: usize = 1_000;

/// Reads the task set in `dir`, with what was odd about it. A task that cannot be is left out.
pub(super) fn read(dir: &Path) -> Result<(TaskSet, Vec<String>), TaskError> {
    let path = dir.join(FILE);
    let file = parse(&path)?;
    let mut reader = TaskSetReader { dir, ids: BTreeSet::new(), warnings: Vec::new() };
    let count = file.tasks.len();
    let tasks = file.tasks.into_iter().take(TASKS).enumerate();
    let tasks = tasks.filter_map(|(at, task)| reader.task(at, task).map(Arc::new)).collect();
    if count > TASKS {
        reader.warnings.push(format!("Only the first {TASKS} of {count} tasks are read."));
    }
    let set = TaskSet { id: file.id, name: file.name, dir: dir.to_path_buf(), tasks };
    Ok((set, reader.warnings))
}

fn parse(path: &Path) -> Result<TaskSetFile, TaskError> {
    let bytes = read_file_limited(path, SET_BYTES).map_err(TaskError::json(path))?;
    let value: Value = parse_json(&bytes).map_err(TaskError::json(path))?;
    // Before its fields: of another format or a newer version these say nothing that helps.
    check_version(&value, path)?;
    let file = TaskSetFile::deserialize(value).map_err(|e| TaskError::json(path)(e.into()))?;
    if file.id.trim().is_empty() {
        let what = "the task set needs an id that is not empty".to_owned();
        return Err(TaskError::BadSet { what, path: path.to_path_buf() });
    }
    Ok(file)
}

fn check_version(value: &Value, path: &Path) -> Result<(), TaskError> {
    let path = path.to_path_buf();
    let format = &value["format"];
    if format != FORMAT {
        let found = if format.is_null() { "missing".to_owned() } else { format.to_string() };
        let found = found.chars().take(80).collect();
        return Err(TaskError::OtherFormat { found, path });
    }
    match value["version"].as_u64() {
        Some(found) if found > u64::from(VERSION) => Err(TaskError::Newer { found, path }),
        Some(1..) => Ok(()),
        _ => Err(TaskError::BadSet {
            what: format!("version must be a whole number from 1 to {VERSION}"),
            path,
        }),
    }
}

/// Turns entries into tasks and gathers what was odd.
struct TaskSetReader<'a> {
    dir: &'a Path,
    ids: BTreeSet<String>,
    warnings: Vec<String>,
}

impl TaskSetReader<'_> {
    fn task(&mut self, at: usize, value: Value) -> Option<Task> {
        let named = value.get("id").and_then(Value::as_str).map_or_else(
            || format!("Task {}", at + 1),
            |id| format!("Task {:?}", id.chars().take(80).collect::<String>()),
        );
        match TaskEntry::deserialize(value).map_err(|error| error.to_string()) {
            Ok(entry) => self.checked(entry, &named),
            Err(error) => self.left_out(&named, &error),
        }
    }

    fn checked(&mut self, entry: TaskEntry, named: &str) -> Option<Task> {
        if entry.id.trim().is_empty() {
            return self.left_out(named, "its id is empty");
        }
        if let Some(size) = entry.canvas_size.filter(|size| !is_possible(*size)) {
            let Size { width, height } = size;
            return self.left_out(named, &format!("canvas_size cannot be {width} × {height}"));
        }
        // After the other checks: the id of a task that is left out stays free.
        if !self.ids.insert(entry.id.clone()) {
            return self.left_out(named, "a task before it has the same id");
        }
        let reference_plan = self.plan(entry.reference_plan, &entry.environment, named);
        Some(Task {
            // What is missing here is a warning and no reason to leave the task out: it can still
            // be run.
            start: self.artifact(entry.start, named, "start"),
            ground_truth: self.artifact(entry.ground_truth, named, "ground truth"),
            checks: self.checks(entry.checks, named),
            given: self.given(entry.given, named),
            id: entry.id,
            environment: entry.environment,
            kind: entry.kind,
            instruction: entry.instruction,
            canvas_size: entry.canvas_size,
            reference_tools: if entry.reference_tools.is_empty() {
                actions_of(reference_plan.as_ref())
            } else {
                entry.reference_tools
            },
            reference_plan,
            category: entry.category,
            difficulty: entry.difficulty,
            tags: entry.tags,
            brief: None,
        })
    }

    fn checks(&mut self, value: Option<Value>, named: &str) -> Option<Checks> {
        let checks = Vec::<Check>::deserialize(value?)
            .map_err(|error| error.to_string())
            .and_then(|checks| Checks::new(checks).map_err(|error| error.to_string()));
        checks.map_err(|why| self.warnings.push(format!("{named} has no checks: {why}."))).ok()
    }

    /// The plan, where there are experts to carry it out.
    fn plan(
        &mut self,
        value: Option<Value>,
        environment: &EnvironmentKind,
        named: &str,
    ) -> Option<Stage> {
        let value = value?;
        if *environment != EnvironmentKind::Suite {
            let why = "only tasks of the design suite have one";
            self.warnings.push(format!("{named} has no reference plan: {why}."));
            return None;
        }
        let plan = Stage::read(value);
        if !plan.is_whole() {
            self.warnings.push(format!("{named}: its reference plan is not all steps."));
        }
        Some(plan)
    }

    /// The pictures that a task hands out; one whose file cannot be used stays, without it.
    fn given(&mut self, entries: Vec<GivenEntry>, named: &str) -> Vec<GivenPicture> {
        let mut pictures = Vec::new();
        for GivenEntry { name, aliases, file } in entries.into_iter().take(GIVEN) {
            let file = self.file(file, &format!("{named} has no file for its picture {name:?}"));
            pictures.push(GivenPicture { name, aliases, file, recorded: None });
        }
        pictures
    }

    /// A file of the set; what cannot be used is a warning that says what is missed by it.
    fn file(&mut self, path: Option<String>, missed: &str) -> Option<PathBuf> {
        let path = path?;
        inside(self.dir, &path)
            .map_err(|why| self.warnings.push(format!("{missed}: {path:?} {why}.")))
            .ok()
    }

    fn left_out(&mut self, named: &str, why: &str) -> Option<Task> {
        self.warnings.push(format!("{named} is left out: {why}."));
        None
    }

    fn artifact(
        &mut self,
        entry: Option<ArtifactEntry>,
        named: &str,
        what: &str,
    ) -> Option<Artifact> {
        let entry = entry?;
        let artifact = Artifact {
            document: self.file(entry.document, &format!("{named} has no {what} document")),
            picture: self.file(entry.picture, &format!("{named} has no {what} picture")),
        };
        (artifact != Artifact::default()).then_some(artifact)
    }
}

/// The path, if it stays in the folder and leads to a file; else why not.
fn inside(dir: &Path, relative: &str) -> Result<PathBuf, &'static str> {
    let is_plain = Path::new(relative)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // A backslash divides names on some systems and is part of one on others.
    if relative.contains('\\') || !is_plain {
        return Err("leads out of the task set's folder");
    }
    let path = dir.join(relative);
    let real = path.canonicalize().map_err(|_absent| "is not there")?;
    // A link inside the folder may still lead out of it: task sets are passed around, and one of
    // somebody else's must not make an agent see other files.
    let root = dir.canonicalize().map_err(|_absent| "is not there")?;
    if !real.starts_with(root) {
        return Err("leads out of the task set's folder");
    }
    if real.is_file() { Ok(path) } else { Err("is not a file") }
}

fn is_possible(size: Size) -> bool {
    [size.width, size.height]
        .iter()
        .all(|side| (1.0..=f64::from(Limits::IMAGE_SIDE)).contains(side))
}
