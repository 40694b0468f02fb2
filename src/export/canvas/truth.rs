//! The benchmark's side: start and ground truth of the tasks.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::base::Pixels;
use crate::environment::{Environment, OpenEnvironment, PictureRequest};
use crate::evaluate::canvas::{CanvasError, ground_truth, start_of};
use crate::task::Task;

use super::cases::Case;
use super::earlier::TOOLS;
use super::files::{CanvasExportError, write};
use super::result::main_frame_json;

/// What the evaluator compares results with: files by their names in the folder.
pub(super) struct Truth {
    /// The benchmark's folder.
    folder: PathBuf,
    files: Vec<(String, Vec<u8>)>,
}

impl Truth {
    /// Reads and draws it.
    pub(super) fn of(
        case: &Case,
        task: &Task,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, CanvasExportError> {
        let document = task.load_ground_truth_document().map_err(CanvasError::from)?;
        let Some(document) = document else {
            let why = "the evaluator passes over tasks whose ground truth is a picture without a document";
            return Err(CanvasExportError::NotReadable(why.to_owned()));
        };
        let picture = ground_truth(task, open_environment)?;
        let meta = json!({ "instruction": task.instruction });
        let (id, document) = (&case.gt_id, as_read(document));
        let benchmarks = Path::new("benchmarks");
        let mut truth = match case.task {
            None => Self { folder: benchmarks.join("replication_gt"), files: Vec::new() },
            Some(kind) => {
                let folder = benchmarks.join("modification_gt").join(kind);
                Self { folder, files: Vec::new() }
            }
        };
        // A replication starts from an empty canvas: there is no base to compare with.
        if case.task.is_none() {
            truth.add_side(id, picture, &document)?;
            truth.add_json(format!("{id}-meta.json"), &meta);
            return Ok(truth);
        }
        truth.add_side(&format!("{id}-target"), picture, &document)?;
        let (start, start_picture) = start(task, open_environment)?;
        truth.add_side(&format!("{id}-base"), Some(start_picture), &start)?;
        truth.add_json(format!("{id}-target-meta.json"), &meta);
        Ok(truth)
    }

    fn add_side(
        &mut self,
        name: &str,
        picture: Option<Pixels>,
        document: &Value,
    ) -> Result<(), CanvasExportError> {
        self.add_json(format!("{name}.json"), document);
        if let Some(picture) = picture {
            self.files.push((format!("{name}.png"), picture.to_png()?));
        }
        Ok(())
    }

    fn add_json(&mut self, name: String, value: &Value) {
        self.files.push((name, format!("{value:#}").into_bytes()));
    }

    /// Writes it below this folder.
    pub(super) fn write(&self, dir: &Path) -> Result<(), CanvasExportError> {
        for (name, bytes) in &self.files {
            write(&dir.join(&self.folder).join(name), bytes)?;
        }
        Ok(())
    }
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
) -> Result<(Value, Pixels), CanvasExportError> {
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
    Ok((json, picture))
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
        let path = dir.join(TOOLS);
        let bytes = self
            .table()
            .map_err(|source| CanvasExportError::Write { path: path.clone(), source })?;
        write(&path, &bytes)
    }

    fn table(&self) -> std::io::Result<Vec<u8>> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["id", "tools"])?;
        for (id, tools) in &self.0 {
            table.write_record([id, tools])?;
        }
        table.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
