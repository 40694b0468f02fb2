//! Runs known only by pictures: a folder of screenshots, one a turn.
//!
//! The folder may hold a `run.json` of the shape `{"task", "kind", "model", "turns"}` that says whose
//! pictures they are; without one the folder's name is all that is known.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::base::{PICTURE_ENDINGS, parse_json, read_file_limited};
use crate::environment::ToolCategory;

use super::error::RunError;
use super::folder::MANIFEST_FILE;
use super::manifest::{AgentRef, Manifest, Outcome, TaskRef, short_hash};
use super::model::{Run, RunOrigin, Step, Turn};
use super::natural_sort::natural_cmp;

/// Set id of runs whose folder does not say which task they belong to.
pub const UNKNOWN_SET: &str = "pictures";
/// What the ids of sets made of pictures begin with; the kind of task follows.
pub const SET_PREFIX: &str = "canvas-samples-";

/// Most pictures of a run.
const PICTURES: usize = 100_000;
/// Largest `run.json` beside pictures, in bytes.
const MANIFEST_BYTES: u64 = 1 << 20;

/// `run.json` beside pictures. Everything may be missing.
#[derive(Debug, Default, Deserialize)]
struct PictureManifest {
    task: Option<String>,
    kind: Option<String>,
    model: Option<String>,
    turns: Option<u64>,
}

/// What a list needs to know of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Peek {
    /// `run.json`, or what a folder of pictures amounts to.
    pub manifest: Manifest,
    /// Steps recorded up to the last whole turn; pictures, in a folder of pictures.
    pub steps: u32,
    /// Whether somebody is recording it now.
    pub live: bool,
}

/// Whether this is a `run.json` that goes with pictures.
pub(super) fn is_manifest(value: &Value) -> bool {
    // Ours always names its format; one with events in it is of something else.
    value.get("format").is_none()
        && (value["task"].is_string() || value["model"].is_string())
        && !value["events"].is_array()
}

/// The pictures directly in a folder, in the order people would put them: `9.png` before `10.png`.
/// Hidden files are left out.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(RunError::read(dir))?.take(PICTURES) {
        let path = entry.map_err(RunError::read(dir))?.path();
        if is_picture(&path) {
            files.push(path);
        }
    }
    files.sort_by(|a, b| natural_cmp(&name(a), &name(b)));
    Ok(files)
}

/// Whether the name is that of a picture's file ([`PICTURE_ENDINGS`]) that is not hidden.
pub fn is_picture(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|ending| PICTURE_ENDINGS.contains(&ending.as_str()))
        && !name(path).starts_with('.')
        && path.is_file()
}

/// Reads a folder of pictures as a run.
pub(super) fn open(dir: &Path) -> Result<Run, RunError> {
    let (manifest, files, notes) = read(dir)?;
    let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
    Ok(Run {
        manifest,
        origin: RunOrigin::Pictures { dir: dir.to_path_buf(), files },
        turns: (1..=count).map(turn).collect(),
        steps: (1..=count).map(step).collect(),
        notes,
        torn: None,
        plan: None,
    })
}

/// A run of which nothing is known but how many steps it has: its pictures are elsewhere.
pub fn anonymous(steps: u32) -> Run {
    let dir = PathBuf::new();
    Run {
        manifest: manifest(&dir, PictureManifest::default(), &[]),
        origin: RunOrigin::Pictures { dir, files: Vec::new() },
        turns: (1..=steps).map(turn).collect(),
        steps: (1..=steps).map(step).collect(),
        notes: Vec::new(),
        torn: None,
        plan: None,
    }
}

/// What a list needs to know of a folder of pictures.
pub(super) fn peek(dir: &Path) -> Result<Peek, RunError> {
    let (manifest, files, _) = read(dir)?;
    Ok(Peek { manifest, steps: u32::try_from(files.len()).unwrap_or(u32::MAX), live: false })
}

fn turn(number: u32) -> Turn {
    Turn {
        number,
        thought: String::new(),
        first_step: number as usize - 1,
        step_count: 1,
        usage: None,
        seconds: None,
        observation: None,
    }
}

fn step(number: u32) -> Step {
    Step { number, turn: number, call: None, category: ToolCategory::Other, outcome: None }
}

fn read(dir: &Path) -> Result<(Manifest, Vec<PathBuf>, Vec<String>), RunError> {
    let files = files(dir)?;
    if files.is_empty() {
        return Err(RunError::NotARun(dir.to_path_buf()));
    }
    let (known, mut notes) = match read_picture_manifest(dir) {
        Ok(known) => (known, Vec::new()),
        Err(note) => (PictureManifest::default(), vec![note]),
    };
    // Said and not mended: which of the two is right nobody can tell from here.
    if let Some(turns) = known.turns.filter(|turns| *turns != files.len() as u64) {
        notes.push(format!(
            "run.json counts {turns} turns, the folder holds {} pictures.",
            files.len()
        ));
    }
    Ok((manifest(dir, known, &files), files, notes))
}

fn read_picture_manifest(dir: &Path) -> Result<PictureManifest, String> {
    let path = dir.join(MANIFEST_FILE);
    if !path.exists() {
        return Ok(PictureManifest::default());
    }
    read_file_limited(&path, MANIFEST_BYTES)
        .and_then(|bytes| parse_json(&bytes))
        .map_err(|error| format!("{MANIFEST_FILE} beside the pictures is not used: {error}"))
}

fn manifest(dir: &Path, known: PictureManifest, files: &[PathBuf]) -> Manifest {
    let folder = dir.file_name().map_or_else(|| "pictures".into(), |n| n.to_string_lossy());
    let name = known.model.unwrap_or_else(|| folder.to_string());
    let task = TaskRef {
        set: known.kind.map_or(UNKNOWN_SET.into(), |kind| format!("{SET_PREFIX}{kind}")),
        id: known.task.unwrap_or_else(|| folder.into_owned()),
    };
    let agent = AgentRef { kind: "imported".to_owned(), name, version: None };
    let mut manifest = Manifest::new(task, agent, "");
    // The time is not known; what the pictures are called and how large they are tells runs apart
    // and stays the same wherever the folder is moved to.
    manifest.id = format!("{}-{}", manifest.id, short_hash(&[&fingerprint(files)]));
    "pictures".clone_into(&mut manifest.mode);
    // Nothing says how it ended; the pictures that there are were made to their end.
    manifest.outcome = Outcome::Completed;
    manifest.totals.turns = u32::try_from(files.len()).unwrap_or(u32::MAX);
    manifest
}

fn fingerprint(files: &[PathBuf]) -> String {
    let lines: Vec<String> = files
        .iter()
        .map(|path| {
            let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
            format!("{}:{bytes}\n", name(path))
        })
        .collect();
    lines.concat()
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
