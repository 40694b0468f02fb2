//! A study for one person: the tasks that they do, with all that these need, in one file.

use std::collections::BTreeMap;
use std::path::Path;

use super::material::StudyMaterial;
use crate::base::{JsonLimitError, Limits, read_file_limited, replace_file};
use crate::label::form::builtin_form;
use crate::study::{
    Packet, PacketContent, PacketError, PacketFile, PacketHead, STUDY_FILE, StudyPlan, gather,
    keep_packed, participant_of,
};
use crate::task::{Artifact, ArtifactEntry, FILE, FORMAT, Task, TaskEntry, TaskSetFile, VERSION};

/// Where a packet has its task sets and forms.
const TASKS: &str = "tasks";
const FORMS: &str = "forms";

/// Why a study cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackStudyError {
    /// The packet cannot be made or written.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// It cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A file of a task cannot be read, or is larger than a packet may be.
    #[error(transparent)]
    File(#[from] JsonLimitError),
    /// The packet cannot be written.
    #[error("{source}: {}", path.display())]
    Io {
        /// The cause.
        source: std::io::Error,
        /// Which.
        path: std::path::PathBuf,
    },
}

/// Packs what the person in a row does into a file, and writes down that it was handed out. `id` is hex digits that
/// nobody can guess. Gives who it is for.
///
/// # Errors
///
/// [`PackStudyError`].
pub fn pack_study(
    dir: &Path,
    material: &StudyMaterial,
    (row, id): (u32, String),
    path: &Path,
) -> Result<String, PackStudyError> {
    let mut files = BTreeMap::new();
    let mut plan = StudyPlan { task_sets: Vec::new(), ..StudyPlan::clone(&material.plan) };
    // One set of the packet for each of the study's, with its id: answers name it.
    let mut ids: Vec<&str> = Vec::new();
    for task in &material.plan.tasks {
        if !ids.contains(&task.set.as_str()) {
            ids.push(&task.set);
        }
    }
    for (at, set) in ids.into_iter().enumerate() {
        let folder = format!("{TASKS}/{at}");
        let of_set = material.plan.tasks.iter().zip(&material.tasks);
        let of_set = of_set.filter(|(wanted, _)| wanted.set == set);
        let mut tasks = Vec::new();
        for (number, (_, task)) in of_set.enumerate() {
            let entry = packed_task(&task.task, &folder, number, &mut files)?;
            tasks.push(serde_json::to_value(entry)?);
        }
        let file = TaskSetFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: set.to_owned(),
            name: set.to_owned(),
            tasks,
        };
        files.insert(format!("{folder}/{FILE}"), PacketFile::Text(serde_json::to_string(&file)?));
        plan.task_sets.push(folder);
    }
    for (at, (instrument, form)) in
        plan.instruments.iter_mut().zip(material.forms.iter()).enumerate()
    {
        if builtin_form(&instrument.form).is_none() {
            let name = format!("{FORMS}/{at}.json");
            files.insert(name.clone(), PacketFile::Text(serde_json::to_string(form)?));
            instrument.form = name;
        }
    }
    files.insert(STUDY_FILE.to_owned(), PacketFile::Text(serde_json::to_string_pretty(&plan)?));
    let participant = participant_of(row);
    let head = PacketHead { packet: id, study: plan.id, participant, row };
    let packet = Packet::new(head, PacketContent::Tasks, files);
    // Nobody's row is taken by a packet that cannot be; and no packet is about whose answers could not come back.
    let json = packet.to_json()?;
    keep_packed(dir, &packet.head)?;
    let written = replace_file(path, &json);
    written.map_err(|source| PackStudyError::Io { source, path: path.to_path_buf() })?;
    Ok(packet.head.participant)
}

/// A task with its files, below a folder of the packet.
fn packed_task(
    task: &Task,
    folder: &str,
    number: usize,
    files: &mut BTreeMap<String, PacketFile>,
) -> Result<TaskEntry, PackStudyError> {
    let mut packed = |artifact: Option<&Artifact>, what: &str| {
        let place = format!("{number}/{what}");
        artifact.map(|it| packed_artifact(it, folder, &place, files)).transpose()
    };
    Ok(TaskEntry {
        start: packed(task.start.as_ref(), "start")?,
        ground_truth: packed(task.ground_truth.as_ref(), "truth")?,
        id: task.id.clone(),
        environment: task.environment.clone(),
        kind: task.kind,
        instruction: task.instruction.clone(),
        canvas_size: task.canvas_size,
        category: task.category.clone(),
        difficulty: task.difficulty.clone(),
        tags: task.tags.clone(),
        reference_tools: Vec::new(),
        reference_plan: None,
        checks: task
            .checks
            .as_ref()
            .map(|checks| serde_json::to_value(&checks.checks))
            .transpose()?,
        // Of the canvas, which imports none.
        given: Vec::new(),
    })
}

fn packed_artifact(
    artifact: &Artifact,
    folder: &str,
    place: &str,
    files: &mut BTreeMap<String, PacketFile>,
) -> Result<ArtifactEntry, PackStudyError> {
    let mut entry = ArtifactEntry::default();
    if let Some(document) = &artifact.document {
        let name = format!("{place}/design.json");
        files.insert(format!("{folder}/{name}"), read(document)?);
        entry.document = Some(name);
    }
    if let Some(picture) = &artifact.picture {
        let extension = picture.extension().map(|it| it.to_string_lossy().into_owned());
        // Under names of the packet's own: those of the task set may lead out of its folder, or say who made it.
        let name = format!("{place}/picture.{}", extension.as_deref().unwrap_or("png"));
        files.insert(format!("{folder}/{name}"), read(picture)?);
        entry.picture = Some(name);
    }
    if let Some(pictures) = artifact.pictures_folder() {
        let name = pictures.file_name().map(|it| it.to_string_lossy().into_owned());
        let below = format!("{folder}/{place}/{}", name.unwrap_or_default());
        gather(&pictures, &below, files)?;
    }
    Ok(entry)
}

fn read(path: &Path) -> Result<PacketFile, PackStudyError> {
    Ok(PacketFile::of(read_file_limited(path, Limits::JSON_BYTES)?))
}
