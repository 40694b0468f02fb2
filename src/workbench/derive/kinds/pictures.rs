//! Pictures: on the stage, around the step, in the filmstrip.

use std::iter::once;

use crate::workbench::derive::views::{self, filmstrip_steps};
use crate::workbench::model::{Inputs, PictureKey, State, Urgency, Workspace};

use super::evidence::wanted_pictures;
use super::explore::wanted_thumbnails;
use super::kind::{DerivedKind, inputs_of_slot};

/// How far around the selected step pictures are made ahead.
const PREFETCH_STEPS: u32 = 2;

impl DerivedKind for PictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let mut wanted = Vec::new();
        if state.workspace == Workspace::Annotate {
            wanted = wanted_pictures(state);
        }
        // Several windows may show all of them at once.
        if state.shows_step() {
            let now = stage_keys(state).into_iter().map(|key| (key, Urgency::Stage));
            let ahead = prefetch_keys(state).into_iter().map(|key| (key, Urgency::Ahead));
            let timeline = thumbnail_keys(state).map(|key| (key, Urgency::Timeline));
            wanted.extend(now.chain(ahead).chain(timeline));
        }
        if state.shows_explore() {
            wanted.extend(wanted_thumbnails(state));
        }
        let tasks = views::design_task_pictures(state).into_iter();
        wanted.extend(tasks.map(|key| (key, Urgency::Timeline)));
        wanted
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, self)
    }
}

fn stage_keys(state: &State) -> Vec<PictureKey> {
    // What is compared first: it changes with every step, and the ground truth never.
    let others = state.document_pictures_at(state.selection.step);
    let slots = slot_keys(state, state.selection.step);
    let branch = views::branch_picture_key(state);
    let compared = state.compared_slot().into_iter().chain(branch).chain(others);
    compared.chain(state.ground_truth_key()).chain(slots).collect()
}

/// What the slots show while the selected run is at this step.
fn slot_keys(state: &State, step: u32) -> impl Iterator<Item = PictureKey> {
    state.stage.slots.iter().filter_map(move |slot| state.slot_picture(slot, step))
}

fn prefetch_keys(state: &State) -> Vec<PictureKey> {
    let (Some(run), step) = (state.selection.run, state.selection.step) else { return Vec::new() };
    // Nearest first, and forward before back: that is how people mostly step.
    let last = state.last_step();
    (1..=PREFETCH_STEPS)
        .flat_map(|by| [step.checked_add(by), step.checked_sub(by)])
        .flatten()
        .filter(|step| *step <= last)
        .flat_map(|step| {
            let own = once(PictureKey::Step(run, step));
            own.chain(state.document_pictures_at(step)).chain(slot_keys(state, step))
        })
        .collect()
}

fn thumbnail_keys(state: &State) -> impl Iterator<Item = PictureKey> {
    // As many for a long run as for a short one: those that the filmstrip has room for.
    let steps = filmstrip_steps(state.last_step());
    steps.filter_map(|step| Some(PictureKey::Thumbnail(state.selection.run?, step)))
}
