//! Runs as the folders that CANVAS's published evaluator reads (kixlab/canvas, `evaluation/eval_pipeline.py`).
//!
//! ```text
//! DIR/benchmarks/replication_gt/{id}.png  {id}.json  {id}-meta.json
//! DIR/benchmarks/modification_gt/{task-N}/{id}-base.png  {id}-base.json  {id}-target.png  {id}-target.json
//!                                         {id}-target-meta.json
//! DIR/benchmarks/modification_gt/human-tool-path.csv
//! DIR/results/replication_gen/{variant}/{case}/{case}-canvas.png  {case}-json-structure.json  {case}-history.json
//!                                              snapshots/{case}-snapshot-{turn}.png  ….json  …-structure.json
//! DIR/results/modification_gen/{task-N}/{case}/…
//! DIR/cases.json
//! ```
//!
//! The evaluator is called with `--base_dir DIR`. It tells task and model from the name of a case, by its
//! hyphens, so that ids and models that it would read otherwise get others, as do tasks whose id a task of
//! another set has already; `cases.json` says which. A snapshot is written for every turn with a call, as the
//! published runner does, so that what the evaluator says of a snapshot is what is said here of the last step of
//! its turn.
//!
//! Start with [`write_runs`].

mod cases;
mod earlier;
mod files;
mod result;
mod truth;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::evaluate::RunCanvas;

use super::run::{ExportContext, ExportRun};

use cases::Cases;
use earlier::{CASES_FILE, Unfinished};
use files::write;

pub use files::CanvasExportError;

/// The variant of replications unless another is named: a picture and no words, as in the paper.
pub const DEFAULT_VARIANT: &str = "image_only";

/// What was written, and what was not; `cases.json` holds it.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenCases {
    /// Which version of this program wrote it.
    pub pentimento: String,
    /// The command that writes it again.
    pub command: String,
    /// The cases.
    pub cases: Vec<WrittenCase>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOutRun>,
}

/// A run that was written.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenCase {
    /// The folder of its result, from the folder that was written to.
    pub folder: String,
    /// What the evaluator calls it.
    pub case_id: String,
    /// What the evaluator calls its task.
    pub gt_id: String,
    /// What the evaluator calls its model.
    pub model: String,
    /// What the evaluator is to be called with.
    pub evaluate: String,
    /// The run's folder.
    pub run: PathBuf,
    /// The task set of its task here: tasks of two sets may be called the same.
    pub set: String,
    /// The id of its task here.
    pub task: String,
    /// The name of its agent here.
    pub agent: String,
    /// By snapshot of the result: the last step of its turn.
    pub steps: Vec<u32>,
}

/// A run that was not written.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOutRun {
    /// Its folder.
    pub run: PathBuf,
    /// Why.
    pub why: String,
}

/// Writes runs and the ground truths of their tasks into `dir`, with `cases.json`, which says what is what
/// and what was left out. An earlier export there is replaced whole, once this one is written; where no run can be
/// written, it stays. Of the context, scores are not used.
///
/// # Errors
///
/// [`CanvasExportError::Foreign`] where files lie that no export wrote, [`CanvasExportError::Write`] where the folder
/// cannot be written to, [`CanvasExportError::Cancelled`]; what is wrong with a single run is in
/// [`WrittenCases::left_out`].
pub fn write_runs(
    dir: &Path,
    runs: &[ExportRun],
    variant: &str,
    command: &str,
    context: &ExportContext<'_>,
) -> Result<WrittenCases, CanvasExportError> {
    let unfinished = Unfinished::begin(dir)?;
    let written = write_all(&unfinished.path(), runs, variant, command, context)?;
    if !written.cases.is_empty() {
        unfinished.place()?;
    }
    Ok(written)
}

/// Writes all of it into a folder that is empty.
fn write_all(
    dir: &Path,
    runs: &[ExportRun],
    variant: &str,
    command: &str,
    context: &ExportContext<'_>,
) -> Result<WrittenCases, CanvasExportError> {
    let mut cases = Cases::new(variant);
    let mut written = WrittenCases {
        pentimento: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.to_owned(),
        cases: Vec::new(),
        left_out: Vec::new(),
    };
    let mut tools = truth::ToolPaths::default();
    for (done, one) in runs.iter().enumerate() {
        context.cancel.check()?;
        (context.progress)(done, runs.len(), &one.dir.display().to_string());
        match write_run(dir, one, &mut cases, &mut tools, context) {
            Ok(case) => written.cases.push(case),
            // A folder that cannot be written to will not take the next run either; all else is of this run alone.
            Err(error @ CanvasExportError::Write { .. }) => return Err(error),
            Err(error) => {
                context.cancel.check()?;
                let left_out = LeftOutRun { run: one.dir.clone(), why: error.to_string() };
                written.left_out.push(left_out);
            }
        }
    }
    // Last, as the paths name tools of all runs.
    tools.write(dir)?;
    let json = serde_json::to_vec_pretty(&written).map_err(std::io::Error::other);
    let path = dir.join(CASES_FILE);
    write(&path, &json.map_err(|source| CanvasExportError::Write { path: path.clone(), source })?)?;
    Ok(written)
}

fn write_run(
    dir: &Path,
    one: &ExportRun,
    cases: &mut Cases,
    tools: &mut truth::ToolPaths,
    context: &ExportContext<'_>,
) -> Result<WrittenCase, CanvasExportError> {
    let task = one.task.as_ref().ok_or_else(|| {
        let id = &one.manifest.task.id;
        CanvasExportError::NotReadable(format!("its task {id} was not found"))
    })?;
    let run = one.read()?;
    let case = cases.of(&run.manifest, task)?;
    let task_of = Some(Arc::clone(task));
    let open_environment = context.open_environment;
    let mut canvas = RunCanvas::open(Arc::clone(&run), task_of, open_environment)?;
    // All of the truth is read before anything is written, so that a run that is left out leaves nothing behind.
    let truth = truth::Truth::of(&case, task, open_environment)?;
    let steps = match result::write_result(dir, &case, task, &mut canvas, context.cancel) {
        Ok(steps) => steps,
        Err(error) => {
            // What cannot be taken away is in a folder that cases.json does not name.
            std::fs::remove_dir_all(dir.join(case.folder())).ok();
            return Err(error);
        }
    };
    truth.write(dir)?;
    tools.add(&case, task);
    Ok(WrittenCase {
        folder: case.folder(),
        evaluate: case.evaluate(),
        case_id: case.case_id,
        gt_id: case.gt_id,
        model: case.model,
        run: one.dir.clone(),
        set: run.manifest.task.set.clone(),
        task: task.id.clone(),
        agent: run.manifest.agent.name.clone(),
        steps,
    })
}
