//! The benchmark's side: start and ground truth of the tasks.

use std::path::Path;

use serde_json::{Value, json};

use crate::base::Pixels;
use crate::environment::{Environment, OpenEnvironment, PictureRequest};
use crate::evaluate::canvas::{CanvasError, ground_truth, start_of};
use crate::task::Task;

use super::cases::Case;
use super::files::{CanvasExportError, write, write_json};
use super::result::main_frame_json;

/// Writes what the evaluator compares results with.
pub(super) fn write_truth(
    dir: &Path,
    case: &Case,
    task: &Task,
    open_environment: &OpenEnvironment,
) -> Result<(), CanvasExportError> {
    let document = task.load_ground_truth_document().map_err(CanvasError::from)?;
    let Some(document) = document else {
        let why =
            "the evaluator passes over tasks whose ground truth is a picture without a document";
        return Err(CanvasExportError::NotReadable(why.to_owned()));
    };
    let picture = ground_truth(task, open_environment)?;
    let meta = json!({ "instruction": task.instruction });
    let id = &case.gt_id;
    let Some(kind) = case.task else {
        let folder = dir.join("benchmarks/replication_gt");
        write_side(&folder, id, picture, &as_read(document))?;
        return write_json(&folder.join(format!("{id}-meta.json")), &meta);
    };
    let folder = dir.join("benchmarks/modification_gt").join(kind);
    write_side(&folder, &format!("{id}-target"), picture, &as_read(document))?;
    let (start, start_picture) = start(task, open_environment)?;
    write_side(&folder, &format!("{id}-base"), start_picture, &start)?;
    write_json(&folder.join(format!("{id}-target-meta.json")), &meta)
}

/// A document as the evaluator takes it: as it is where it has an envelope, else in one.
fn as_read(document: Value) -> Value {
    if document.get("document").is_some() || document.get("nodes").is_some() {
        document
    } else {
        json!({ "document": document })
    }
}

/// What the task begins with: its own document, or what the environment makes of nothing.
fn start(
    task: &Task,
    open_environment: &OpenEnvironment,
) -> Result<(Value, Option<Pixels>), CanvasExportError> {
    let json = task.load_start_document().map_err(CanvasError::from)?;
    let picture = task.load_start_picture().map_err(CanvasError::from)?;
    let of = start_of(task, task.start.as_ref(), json.clone());
    let environment: Box<dyn Environment> = open_environment(&of).map_err(CanvasError::from)?;
    let picture = if let Some(picture) = picture {
        picture
    } else {
        environment.picture(&PictureRequest::default()).map_err(CanvasError::from)?.pixels
    };
    let json = json.map_or_else(|| main_frame_json(&*environment), as_read);
    Ok((json, Some(picture)))
}

fn write_side(
    folder: &Path,
    name: &str,
    picture: Option<Pixels>,
    document: &Value,
) -> Result<(), CanvasExportError> {
    write_json(&folder.join(format!("{name}.json")), document)?;
    if let Some(picture) = picture {
        write(&folder.join(format!("{name}.png")), &picture.to_png()?)?;
    }
    Ok(())
}

/// The tools that people used, as `human-tool-path.csv` holds them.
#[derive(Debug, Default)]
pub(super) struct ToolPaths(Vec<(String, String)>);

impl ToolPaths {
    pub(super) fn add(&mut self, case: &Case, task: &Task) {
        let is_known = self.0.iter().any(|(id, _)| *id == case.gt_id);
        if case.task.is_some() && !task.reference_tools.is_empty() && !is_known {
            self.0.push((case.gt_id.clone(), task.reference_tools.join(",")));
        }
    }

    /// Writes the file, also without a row: the evaluator reads it whatever there is.
    pub(super) fn write(&self, dir: &Path) -> Result<(), CanvasExportError> {
        let mut table = csv::Writer::from_writer(Vec::new());
        let path = dir.join("benchmarks/modification_gt/human-tool-path.csv");
        let failed = |source: csv::Error| CanvasExportError::Write {
            path: path.clone(),
            source: std::io::Error::other(source),
        };
        table.write_record(["id", "tools"]).map_err(failed)?;
        for (id, tools) in &self.0 {
            table.write_record([id, tools]).map_err(failed)?;
        }
        let bytes = table.into_inner().map_err(csv::IntoInnerError::into_error);
        let bytes =
            bytes.map_err(|source| CanvasExportError::Write { path: path.clone(), source })?;
        write(&path, &bytes)
    }
}
