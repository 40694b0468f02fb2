//! What the items that people label are about: wanted of the one on the screen, and of the next one.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{
    DifferenceKey, EvidenceKey, Inputs, PictureKey, RunId, State, Urgency, Workspace,
};

use super::kind::{DerivedKind, inputs_of_pictures, item_input};

impl DerivedKind for EvidenceKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if state.workspace != Workspace::Annotate {
            return Vec::new();
        }
        let now = views::evidence_key(state).map(|key| (key, Urgency::Stage));
        let next = views::next_evidence_key(state).map(|key| (key, Urgency::Ahead));
        now.into_iter().chain(next).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        Some(Inputs { item: Some(Arc::new(item_input(state, *self)?)), ..Inputs::default() })
    }
}

/// Made of the two pictures as they are shown, so that a packet, which has nothing else, has it too.
impl DerivedKind for DifferenceKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if state.workspace != Workspace::Annotate || !views::shows_difference(state) {
            return Vec::new();
        }
        let panes = views::evidence_panes(state).into_iter();
        let keys = panes.filter_map(|shown| shown.difference_key());
        keys.map(|key| (key, Urgency::Stage)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let (item, _) = self.run.as_of_item()?;
        let (truth, run) = (PictureKey::ItemTruth(item), PictureKey::Step(self.run, self.step));
        inputs_of_pictures(state, [&truth, &run])
    }
}

/// The pictures of the evidence: what is on the screen, the steps around it, and the next item's.
pub(super) fn wanted_pictures(state: &State) -> Vec<(PictureKey, Urgency)> {
    let mut wanted = Vec::new();
    let now = views::evidence_key(state);
    for (key, urgency) in [
        (now, Urgency::Stage),
        // The next item's ahead of time, so that it is there once this one is answered.
        (views::next_evidence_key(state).filter(|next| Some(*next) != now), Urgency::Ahead),
    ] {
        let Some(key) = key else { continue };
        let item = item_input(state, key);
        let candidates = item.map_or(0, |input| input.item().candidates.len());
        let candidates = (0u8..).take(candidates).map(|place| PictureKey::Candidate(key, place));
        wanted.extend(candidates.map(|candidate| (candidate, urgency)));
        // What runs there are is known only when the evidence was read; candidates needed none of it.
        let Some(evidence) = state.derived.evidence.ready(&key) else { continue };
        if evidence.task.as_ref().is_some_and(|task| task.ground_truth.is_some()) {
            wanted.push((PictureKey::ItemTruth(key), urgency));
        }
        for (at, run) in (0u8..).zip(&evidence.runs) {
            let Ok(run) = run else { continue };
            let last = u32::try_from(run.steps.len()).unwrap_or(u32::MAX);
            let id = RunId::of_item(key, at);
            let is_now = urgency == Urgency::Stage;
            // Nobody has chosen a step of the item to come: it will open at its end.
            let step = if is_now { views::evidence_step(state, at) } else { None }.unwrap_or(last);
            wanted.push((PictureKey::Step(id, step), urgency));
            if is_now && views::has_evidence_steps(state) {
                let steps = views::filmstrip_steps(last);
                wanted.extend(steps.map(|at| (PictureKey::Thumbnail(id, at), Urgency::Timeline)));
            }
            // One step on and one back: that is where the next key leads.
            if is_now && step < last {
                wanted.push((PictureKey::Step(id, step + 1), Urgency::Ahead));
            }
            if is_now && step > 0 && views::has_evidence_steps(state) {
                wanted.push((PictureKey::Step(id, step - 1), Urgency::Ahead));
            }
        }
    }
    wanted
}
