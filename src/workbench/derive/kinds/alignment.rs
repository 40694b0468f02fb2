//! Runs beside each other: wanted while the inspector shows them, or the stage is locked by them.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{
    AlignmentKey, ConsensusKey, Inputs, InspectorTab, PictureKey, State, TraceKey, Urgency,
    Workspace,
};

use super::kind::{DerivedKind, inputs_of_slot};

impl DerivedKind for TraceKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = wanted_alignment(state);
        let runs = key.into_iter().flat_map(|key| key.runs);
        runs.map(|key| (key, Urgency::Timeline)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &PictureKey::Step(self.run, self.steps))
    }
}

impl DerivedKind for AlignmentKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        wanted_alignment(state).map(|key| (key, Urgency::Timeline)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_runs(state, &self.runs)
    }
}

impl DerivedKind for ConsensusKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_seen = state.shows_step() && state.inspector_tab() == InspectorTab::Runs;
        let key = state.consensus_key().filter(|_| is_seen);
        key.map(|key| (key, Urgency::Timeline)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_runs(state, &self.runs)
    }
}

/// What the runs are aligned by, and their task.
fn inputs_of_runs(state: &State, runs: &[TraceKey]) -> Option<Inputs> {
    let traces = runs.iter().map(|key| state.derived.traces.ready(key).cloned());
    let traces: Vec<Arc<_>> = traces.collect::<Option<_>>()?;
    let first = runs.first()?.run;
    let task = match first.as_of_item() {
        Some((item, _)) => state.derived.evidence.ready(&item)?.task.clone(),
        None => state.library.shared_task(&state.library.runs.get(&first)?.task).cloned(),
    };
    Some(Inputs { task, traces, ..Inputs::default() })
}

fn wanted_alignment(state: &State) -> Option<AlignmentKey> {
    if state.workspace == Workspace::Annotate
        && let Some(key) = views::gold_alignment_key(state)
    {
        return Some(key);
    }
    let is_seen = state.shows_step() && state.shows_alignment();
    state.alignment_key().filter(|_| is_seen)
}
