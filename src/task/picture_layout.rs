//! Task sets made of pictures: `{task}/target.png`, `{task}/base.png` for modifications, and a folder
//! of pictures a model beside them.
//!
//! The folder's name says what the tasks ask: `replication`, or `task-1`, `task-2`, `task-3` as
//! CANVAS numbers its modifications.

use std::path::Path;
use std::sync::Arc;

use crate::run::pictures::SET_PREFIX;

use super::artifact::canvas_size_of_file;
use super::instruction;
use super::listing::Listing;
use super::model::{Artifact, Task, TaskKind, TaskSet};

/// The picture to arrive at.
const TARGET: &str = "target.png";
/// The picture of the start state.
const BASE: &str = "base.png";

/// Whether a folder is a task of this layout.
pub(super) fn is_task(listing: &Listing) -> bool {
    listing.has_file(TARGET)
}

/// The set in `dir` of the tasks in these of its folders, with what was odd about it.
pub(super) fn read(dir: &Path, tasks: &[(String, &Listing)]) -> (TaskSet, Vec<String>) {
    let folder = dir.file_name().map_or_else(|| "pictures".into(), |name| name.to_string_lossy());
    let mut warnings = Vec::new();
    let tasks = tasks
        .iter()
        .map(|(id, listing)| task(&dir.join(id), id, kind_of(&folder), listing, &mut warnings))
        .map(Arc::new)
        .collect();
    let set = TaskSet {
        id: format!("{SET_PREFIX}{folder}"),
        name: name_of(&folder),
        dir: dir.to_path_buf(),
        tasks,
    };
    (set, warnings)
}

fn task(
    dir: &Path,
    id: &str,
    kind: Option<TaskKind>,
    listing: &Listing,
    warnings: &mut Vec<String>,
) -> Task {
    let base = listing.path_of(dir, BASE);
    // Where the folder does not say it, a start state means that something is to be changed.
    let guessed = if base.is_some() { TaskKind::AttributeUpdate } else { TaskKind::Replication };
    let kind = kind.unwrap_or(guessed);
    let target = dir.join(TARGET);
    // The base is exported at scale 1; the target's scale is not known.
    let canvas_size = canvas_size_of_file(base.as_ref().unwrap_or(&target))
        .map_err(|error| warnings.push(format!("The canvas size of {id} is not known: {error}.")))
        .ok();
    Task {
        start: base.map(|path| Artifact { document: None, picture: Some(path) }),
        ground_truth: Some(Artifact { document: None, picture: Some(target) }),
        canvas_size,
        ..Task::new(id, kind, instruction::for_pictures(kind, id))
    }
}

/// What a folder of tasks asks, if its name says so.
pub(super) fn kind_of(folder: &str) -> Option<TaskKind> {
    match folder {
        "replication" | "replication_gt" => Some(TaskKind::Replication),
        "task-1" => Some(TaskKind::AttributeUpdate),
        "task-2" => Some(TaskKind::ComponentInsertion),
        "task-3" => Some(TaskKind::ModeChange),
        _ => None,
    }
}

/// A name for people.
pub(super) fn name_of(folder: &str) -> String {
    match kind_of(folder) {
        Some(TaskKind::Replication) => "Replication".to_owned(),
        Some(TaskKind::AttributeUpdate) => "Task 1 · attribute update".to_owned(),
        Some(TaskKind::ComponentInsertion) => "Task 2 · component insertion".to_owned(),
        Some(TaskKind::ModeChange) => "Task 3 · mode change".to_owned(),
        Some(TaskKind::Composition) | None => folder.to_owned(),
    }
}
