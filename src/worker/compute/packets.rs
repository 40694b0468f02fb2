//! The items of a packet: everything that is shown of them is in its file, as the candidates of every project are.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::base::Pixels;
use crate::label::{Item, WriterId};
use crate::run::pictures;
use crate::store::labels::{EvidenceSlot, LabelFile};
use crate::task::{Artifact, Task, TaskKind};
use crate::workbench::protocol::StagePicture;
use crate::workbench::{ItemEvidence, ItemInput, PictureKey};
use crate::worker::shared::job_border::JobError;

use super::pictures::{bare, shrunk};

/// What there are pictures of.
pub(super) fn evidence(input: &ItemInput) -> ItemEvidence {
    let item = input.item();
    let found =
        opened(input.file()).and_then(|file| file.pictured(&item.id).map_err(JobError::failed));
    match found {
        Ok((steps, has_truth)) => ItemEvidence {
            runs: runs_of(item, &steps),
            task: Some(Arc::new(task_of(item, has_truth))),
        },
        Err(error) => ItemEvidence {
            runs: item.runs.iter().map(|_| Err(error.to_string())).collect(),
            task: None,
        },
    }
}

fn runs_of(item: &Item, steps: &BTreeMap<u8, u32>) -> Vec<Result<Arc<crate::run::Run>, String>> {
    let runs = item.runs.iter().zip(0u8..).map(|(_, at)| {
        let last = steps.get(&at).ok_or_else(|| "its pictures are not in the packet".to_owned())?;
        Ok(Arc::new(pictures::anonymous(*last)))
    });
    runs.collect()
}

/// As much of the task as who labels sees: its words, and that there is a ground truth.
fn task_of(item: &Item, has_truth: bool) -> Task {
    let words = item.text.as_deref().unwrap_or_default();
    let mut task = Task::new(&*item.id.0, TaskKind::Replication, words);
    task.ground_truth = has_truth.then_some(Artifact { document: None, picture: None });
    task
}

/// A picture of an item, small if it is for the filmstrip.
pub(super) fn picture(input: &ItemInput, key: &PictureKey) -> Result<StagePicture, JobError> {
    let (slot, is_small) = match key {
        PictureKey::ItemTruth(_) => (EvidenceSlot::Truth, false),
        PictureKey::Candidate(_, place) => (EvidenceSlot::Candidate(*place), false),
        PictureKey::Step(run, step) => (slot(*run, *step)?, false),
        PictureKey::Thumbnail(run, step) => (slot(*run, *step)?, true),
        _ => return Err(JobError::Failed("there is no such picture in a packet".to_owned())),
    };
    let file = opened(input.file())?;
    let bytes = file.picture(&input.item().id, slot).map_err(JobError::failed)?;
    let bytes = bytes
        .ok_or_else(|| JobError::Failed("there is no picture of it in the file".to_owned()))?;
    // Whoever sent the packet, its pictures are checked like any other.
    let pixels = Pixels::decode(&bytes).map_err(JobError::failed)?;
    let pixels = if is_small { shrunk(pixels).map_err(JobError::failed)? } else { pixels };
    Ok(bare(pixels))
}

fn slot(run: crate::workbench::RunId, step: u32) -> Result<EvidenceSlot, JobError> {
    let (_, run) =
        run.as_of_item().ok_or_else(|| JobError::Failed("the picture is of no item".to_owned()))?;
    Ok(EvidenceSlot::Step { run, step })
}

fn opened(file: &Path) -> Result<LabelFile, JobError> {
    // It only reads.
    LabelFile::open(file, WriterId(0)).map_err(JobError::failed)
}
