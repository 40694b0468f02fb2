//! What every kind of derived value says of itself.

use std::sync::Arc;

use crate::task::Task;
use crate::workbench::model::{
    BranchInput, BranchKey, EvidenceKey, Inputs, ItemInput, LibraryRun, PictureKey, RunId,
    RunInput, State, Urgency, WhatIfSubject,
};

/// A kind of value: what of it a state wants, and what it is made of.
pub(super) trait DerivedKind: Sized {
    /// The keys that are wanted now, the most important first.
    fn wanted(state: &State) -> Vec<(Self, Urgency)>;

    /// What the value is made of; `None` while that is not there, or can never be.
    fn inputs(&self, state: &State) -> Option<Inputs>;
}

/// The task and the run that a design belongs to; `None` while the run is being read, or has no such
/// step.
pub(in crate::workbench) fn inputs_of_slot(state: &State, slot: &PictureKey) -> Option<Inputs> {
    if slot.is_labelled() {
        return inputs_of_item(state, slot);
    }
    match slot {
        PictureKey::ItemTruth(_) | PictureKey::Candidate(..) => None,
        PictureKey::File(_) => Some(Inputs::default()),
        PictureKey::Branch(branch, _) => inputs_of_branch(state, branch),
        PictureKey::Start(task) | PictureKey::GroundTruth(task) => {
            Some(Inputs { task: state.library.shared_task(task).cloned(), ..Inputs::default() })
        }
        PictureKey::Step(run, step)
        | PictureKey::Thumbnail(run, step)
        | PictureKey::Document(run, step, _) => {
            let entry = state.library.runs.get(run)?;
            // The selected run is being read whole where its steps are seen.
            let is_in_table = matches!(slot, PictureKey::Thumbnail(..)) && state.shows_explore();
            let comes = state.shows_step() && state.selection.run == Some(*run);
            if entry.loaded.is_none() && is_in_table && !comes {
                return Some(unread(state, entry));
            }
            let loaded = Arc::clone(entry.loaded.as_ref()?);
            let task = state.library.shared_task(&entry.task).cloned();
            let run = Some(RunInput::Loaded(loaded));
            (*step <= entry.steps).then_some(Inputs { task, run, ..Inputs::default() })
        }
    }
}

/// A run that is read for one picture of it: of those in a table nobody looks at more.
fn unread(state: &State, entry: &LibraryRun) -> Inputs {
    let task = state.library.shared_task(&entry.task).cloned();
    let (dir, manifest) = entry.on_disk();
    let run = Some(RunInput::Unread { dir, manifest });
    Inputs { task, run, ..Inputs::default() }
}

/// Two pictures that are held against each other, as they are shown; `None` while one of them is made.
pub(super) fn inputs_of_pictures(state: &State, keys: [&PictureKey; 2]) -> Option<Inputs> {
    let [one, other] = keys.map(|key| Some(state.ready_picture(key)?.pixels.clone()));
    Some(Inputs { pictures: Some([one?, other?]), ..Inputs::default() })
}

/// The run or the task with the calls; `None` while the run is being read, or of calls that are not those of now.
pub(super) fn inputs_of_branch(state: &State, key: &BranchKey) -> Option<Inputs> {
    // Of this edition only: what was edited since is asked for under another key.
    let edited = state.what_if.of(&key.subject).filter(|it| it.now.number == key.edition)?;
    let next_inserted = edited.next_inserted();
    let branch = Some(Arc::new(BranchInput { calls: edited.now.calls(), next_inserted }));
    match &key.subject {
        WhatIfSubject::Run(run) => {
            let entry = state.library.runs.get(run)?;
            let task = state.library.shared_task(&entry.task).cloned();
            let run = Some(RunInput::Loaded(Arc::clone(entry.loaded.as_ref()?)));
            Some(Inputs { task, run, branch, ..Inputs::default() })
        }
        WhatIfSubject::Task(task) => {
            let task = Some(Arc::clone(state.library.shared_task(task)?));
            Some(Inputs { task, branch, ..Inputs::default() })
        }
    }
}

/// What a picture of an item is made of; `None` while that is being read.
fn inputs_of_item(state: &State, picture: &PictureKey) -> Option<Inputs> {
    // Candidates are in the project's own file.
    if let PictureKey::Candidate(key, _) = picture {
        let item = Some(Arc::new(item_input(state, *key)?));
        return Some(Inputs { item, ..Inputs::default() });
    }
    let (key, run) = match picture {
        PictureKey::ItemTruth(key) => (*key, None),
        picture => {
            let (key, run) = picture.run()?.as_of_item()?;
            (key, Some(usize::from(run)))
        }
    };
    let evidence = state.derived.evidence.ready(&key)?;
    // The pictures of a packet are in its file.
    if let Some(input) = item_input(state, key).filter(ItemInput::is_packet) {
        return Some(Inputs { item: Some(Arc::new(input)), ..Inputs::default() });
    }
    let run = match run {
        Some(at) => Some(RunInput::Loaded(Arc::clone(evidence.runs.get(at)?.as_ref().ok()?))),
        None => None,
    };
    Some(Inputs { task: evidence.task.clone(), run, ..Inputs::default() })
}

/// What the evidence of an item is made of.
pub(super) fn item_input(state: &State, key: EvidenceKey) -> Option<ItemInput> {
    let labels = state.annotate.labels.as_ref()?;
    ItemInput::new(labels, usize::try_from(key.0).ok()?, state.annotate.is_blind())
}

/// The task and the run of a score; `None` if the run is not there or there is nothing to measure it by.
/// A run whose task set is not open has the query of its own plan.
pub(super) fn scorable(state: &State, run: RunId) -> Option<Inputs> {
    let entry = state.library.runs.get(&run)?;
    let run = Arc::clone(entry.loaded.as_ref()?);
    let known = state.library.shared_task(&entry.task).cloned();
    let task = known.or_else(|| Task::of_plan(&run).map(Arc::new))?;
    let run = Some(RunInput::Loaded(run));
    let inputs = Inputs { task: Some(Arc::clone(&task)), run, ..Inputs::default() };
    task.is_measurable().then_some(inputs)
}
