//! Listing the nodes of a design beside those of another.
//!
//! [`make_layer_tree`] finds the two designs and pairs their nodes, by content once for each pair of
//! designs ([`RecentlyUsed`](crate::worker::shared::recently_used::RecentlyUsed));
//! [`History`](super::history::History) knows which step of a run changed which node.

use std::sync::Arc;

use crate::base::{CancelToken, FileStamp};
use crate::design::Document;
use crate::design::diff::{self, Pairing};
use crate::run::Run;
use crate::task::{Artifact, Task};
use crate::workbench::{Comparison, LayerTree, LayerTreeKey, PairedBy, PictureKey, RunId};

use crate::evaluate::canvas::{self, CanvasError, RunCanvas};
use crate::worker::shared::Shared;
use crate::worker::shared::recently_used::DesignFile;

use super::sessions::Sessions;

/// Why nodes cannot be listed.
#[derive(Debug, thiserror::Error)]
pub(in crate::worker) enum LayerTreeError {
    /// The design cannot be had.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// There is nothing to list.
    #[error("there is no document to list: {0}")]
    NoDocument(&'static str),
}

const NO_DESIGN: &str = "this environment does not work on a vector design";

/// The run and the task that a design belongs to, as far as they are known.
#[derive(Clone, Copy, Debug)]
pub(in crate::worker) struct RunAndTask<'a> {
    pub(in crate::worker) task: Option<&'a Arc<Task>>,
    pub(in crate::worker) run: Option<&'a Arc<Run>>,
}

/// Lists the nodes of a design, compared as the key says.
pub(in crate::worker) fn make_layer_tree(
    shared: &Shared,
    sessions: &mut Sessions,
    key: &LayerTreeKey,
    of: RunAndTask<'_>,
    cancel: &CancelToken,
) -> Result<LayerTree, LayerTreeError> {
    let design = design_of(shared, sessions, &key.slot, of, cancel)?;
    let other = match (key.against, &key.slot) {
        (Comparison::None, _) => None,
        (Comparison::Previous, PictureKey::Step(run, step)) if *step > 0 => {
            let before = PictureKey::Step(*run, step - 1);
            Some(design_of(shared, sessions, &before, of, cancel)?)
        }
        (Comparison::Previous, PictureKey::Document(run, step, program)) if *step > 0 => {
            let before = PictureKey::Document(*run, step - 1, *program);
            Some(design_of(shared, sessions, &before, of, cancel)?)
        }
        (Comparison::Previous, _) => {
            return Err(LayerTreeError::NoDocument("there is no step before the start"));
        }
        (Comparison::GroundTruth, _) => Some(truth_design(shared, of.task)?),
    };
    cancel.check().map_err(CanvasError::from)?;
    // Pairing by content is what takes time; whoever moved on meanwhile is heard before and after.
    let compared = match other {
        None => None,
        Some(other) => {
            let (pairing, by) = pair(shared, (&other, &design), key.against, of.task, cancel)?;
            Some((other, pairing, by))
        }
    };
    cancel.check().map_err(CanvasError::from)?;
    let mut layers = LayerTree::new(design, compared);
    if let (PictureKey::Step(id, step) | PictureKey::Document(id, step, _), Some(run)) =
        (&key.slot, of.run)
    {
        note_history(shared, sessions, &mut layers, (*id, *step), (run, of.task), cancel)?;
    }
    Ok(layers)
}

/// Two steps of a run are one document, and its ids pair its nodes. So are a task's start and its
/// ground truth, where the task begins with a design that was then changed; any other ground truth
/// was made apart.
fn pair(
    shared: &Shared,
    (other, design): (&Document, &Document),
    against: Comparison,
    task: Option<&Arc<Task>>,
    cancel: &CancelToken,
) -> Result<(Pairing, PairedBy), CanvasError> {
    let is_previous = against == Comparison::Previous;
    let start = task.and_then(|task| task.start.as_ref());
    if is_previous || start.is_some_and(|start| start.document.is_some()) {
        let pairing = diff::pair_by_id(other, design);
        // A start and a target that share few ids are two documents after all.
        if is_previous || pairing.len() > other.len().min(design.len()) / 2 {
            return Ok((pairing, PairedBy::Id));
        }
    }
    Ok((shared.pairings.pairing(other, design, cancel)?, PairedBy::Content))
}

/// The design of a slot.
pub(in crate::worker) fn design_of(
    shared: &Shared,
    sessions: &mut Sessions,
    slot: &PictureKey,
    of: RunAndTask<'_>,
    cancel: &CancelToken,
) -> Result<Document, LayerTreeError> {
    match (slot, of.run) {
        (PictureKey::Step(id, step) | PictureKey::Thumbnail(id, step), Some(run)) => {
            sessions.with(shared, *id, run, of.task, |canvas| design_at(canvas, *step, cancel))?
        }
        (PictureKey::Document(id, step, program), Some(run)) => {
            sessions.with(shared, *id, run, of.task, |canvas| {
                document_at(canvas, *step, *program, cancel)
            })?
        }
        (PictureKey::Start(_), _) => {
            let task = of.task.ok_or(CanvasError::UnknownStart)?;
            task_design(shared, task, task.start.as_ref())
        }
        (PictureKey::GroundTruth(_) | PictureKey::ItemTruth(_), _) => truth_design(shared, of.task),
        // All of them by name, so that whoever adds a kind of picture decides here.
        (
            PictureKey::Step(..)
            | PictureKey::Thumbnail(..)
            | PictureKey::Document(..)
            | PictureKey::Branch(..)
            | PictureKey::Candidate(..)
            | PictureKey::File(_),
            _,
        ) => Err(CanvasError::UnknownStart.into()),
    }
}

fn design_at(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<Document, LayerTreeError> {
    let environment = canvas.environment_at(step, cancel)?;
    let environment =
        environment.ok_or(LayerTreeError::NoDocument("only pictures were recorded of this run"))?;
    environment.design().ok_or(LayerTreeError::NoDocument(NO_DESIGN))
}

/// All designs there are after a step, by the places of their programs.
fn designs_at(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<Vec<(usize, Document)>, LayerTreeError> {
    let environment = canvas.environment_at(step, cancel)?;
    let Some(documents) = environment.and_then(|environment| environment.documents()) else {
        return Ok(vec![(0, design_at(canvas, step, cancel)?)]);
    };
    // A program without a document has no design, and keeps its place all the same.
    let programs = documents.programs().iter().enumerate();
    Ok(programs.filter_map(|(at, name)| Some((at, documents.design_of(name)?))).collect())
}

/// The design of a program's document; empty before there is one, so that it can be compared with.
fn document_at(
    canvas: &mut RunCanvas,
    step: u32,
    program: u8,
    cancel: &CancelToken,
) -> Result<Document, LayerTreeError> {
    let environment = canvas.environment_at(step, cancel)?;
    let environment = environment.ok_or(LayerTreeError::NoDocument(NO_DESIGN))?;
    let no_program = LayerTreeError::NoDocument("there is no such program");
    let Some(documents) = environment.documents() else { return Err(no_program) };
    let name = documents.programs().get(usize::from(program)).ok_or(no_program)?;
    Ok(documents.design_of(name).unwrap_or_default())
}

fn truth_design(shared: &Shared, task: Option<&Arc<Task>>) -> Result<Document, LayerTreeError> {
    let task = task.ok_or(CanvasError::UnknownStart)?;
    let truth = task.ground_truth.as_ref();
    let truth = truth.filter(|truth| truth.document.is_some());
    let missing = LayerTreeError::NoDocument("the ground truth has no document");
    task_design(shared, task, Some(truth.ok_or(missing)?))
}

/// A task's design as its environment opens it, so that it lies on the page as a run's does.
fn task_design(
    shared: &Shared,
    task: &Task,
    artifact: Option<&Artifact>,
) -> Result<Document, LayerTreeError> {
    match artifact.and_then(|artifact| artifact.document.as_deref()) {
        Some(path) => {
            let file = DesignFile(FileStamp::of(path));
            shared.design_files.get_or_make(file, |_| open_design(shared, task, artifact))
        }
        // An empty canvas, or what a picture alone begins with: nothing was read that could be kept.
        None => open_design(shared, task, artifact),
    }
}

fn open_design(
    shared: &Shared,
    task: &Task,
    artifact: Option<&Artifact>,
) -> Result<Document, LayerTreeError> {
    let json = artifact.map(Artifact::load_document).transpose().map_err(CanvasError::from)?;
    let start = canvas::start_of(task, artifact, json.flatten());
    let environment = (shared.open_environment)(&start).map_err(CanvasError::from)?;
    environment.design().ok_or(LayerTreeError::NoDocument(NO_DESIGN))
}

fn note_history(
    shared: &Shared,
    sessions: &mut Sessions,
    layers: &mut LayerTree,
    (id, step): (RunId, u32),
    (run, task): (&Arc<Run>, Option<&Arc<Task>>),
    cancel: &CancelToken,
) -> Result<(), LayerTreeError> {
    sessions.with_history(shared, id, run, task, |canvas, history| {
        history.extend_to(step, |step| designs_at(canvas, step, cancel))?;
        // What only the other design has was made by no step of this one.
        for row in layers.rows.iter_mut().filter(|row| !row.is_ghost) {
            row.history = history.of(&row.id, step);
        }
        Ok(())
    })?
}
