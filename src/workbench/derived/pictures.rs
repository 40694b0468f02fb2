//! Pictures: on the stage, around the step, in the filmstrip.

use std::iter::once;

use super::{DerivedKind, Inputs, ResourceKey, Urgency, inputs_of_slot};
use crate::workbench::library::RunId;
use crate::workbench::protocol::{PictureKey, StagePicture};
use crate::workbench::state::State;
use crate::workbench::views::filmstrip_steps;

/// Most bytes of decoded pictures kept. What is on the stage stays even beyond it.
pub const PICTURE_CACHE_BYTES: usize = 256 << 20;

/// How far around the selected step pictures are made ahead.
const PREFETCH_STEPS: u32 = 2;

impl ResourceKey for PictureKey {
    type Value = StagePicture;
    const BUDGET: usize = PICTURE_CACHE_BYTES;

    fn cost(picture: &StagePicture) -> usize {
        let reduced: usize = picture.reduced.iter().map(|pixels| pixels.rgba().len()).sum();
        picture.pixels.rgba().len() + reduced
    }
}

impl DerivedKind for PictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let now = stage_keys(state).into_iter().map(|key| (key, Urgency::Stage));
        let ahead = prefetch_keys(state).into_iter().map(|key| (key, Urgency::Ahead));
        let timeline = thumbnail_keys(state).map(|key| (key, Urgency::Timeline));
        now.chain(ahead).chain(timeline).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, self)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run() == Some(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        match self {
            Self::Start(task) | Self::GroundTruth(task) => task.set == set,
            Self::Step(..) | Self::Thumbnail(..) | Self::Document(..) => false,
        }
    }
}

fn stage_keys(state: &State) -> Vec<PictureKey> {
    let has_truth = state.selected_task().is_some_and(|task| task.ground_truth.is_some());
    let truth = state.selection.task.clone().filter(|_| has_truth).map(PictureKey::GroundTruth);
    let others = state.document_pictures_at(state.selection.step);
    state.compared_slot().into_iter().chain(others).chain(truth).collect()
}

fn prefetch_keys(state: &State) -> Vec<PictureKey> {
    let (Some(run), step) = (state.selection.run, state.selection.step) else { return Vec::new() };
    let last = state.last_step();
    (1..=PREFETCH_STEPS)
        .flat_map(|by| [step.checked_add(by), step.checked_sub(by)])
        .flatten()
        .filter(|step| *step <= last)
        .flat_map(|step| once(PictureKey::Step(run, step)).chain(state.document_pictures_at(step)))
        .collect()
}

fn thumbnail_keys(state: &State) -> impl Iterator<Item = PictureKey> {
    let steps = state.selection.run.map(|run| (run, filmstrip_steps(state.last_step())));
    steps
        .into_iter()
        .flat_map(|(run, steps)| steps.map(move |step| PictureKey::Thumbnail(run, step)))
}
