//! What the inspector's list of nodes shows and how.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::design::NodeId;

use crate::run::TaskRef;

use super::ids::EvidenceKey;
use super::ids::RunId;
use super::layers::{ChangeKind, NodeRef};
use super::values::PictureKey;
use super::what_if::{BranchKey, WhatIfSubject};

/// A view of the inspector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InspectorTab {
    /// The selected step.
    #[default]
    Step,
    /// The nodes of the design.
    Nodes,
    /// The scores of the step by every variant.
    Scores,
    /// The plan that the run carried out, stage by stage.
    Plan,
    /// What of its query the design has, answer by answer.
    Query,
    /// The run with other calls, and what each of its calls brought.
    WhatIf,
    /// The runs on the stage beside each other, step by step.
    Runs,
    /// What people who label said of the run.
    Labels,
}

/// What the inspector's list of nodes shows and how. The comparison is in
/// [`Settings`](super::Settings), to be remembered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodesPanel {
    /// The selected node.
    pub selected: Option<NodeRef>,
    /// Lists the ground truth instead of the run.
    pub of_ground_truth: bool,
    /// Of documents side by side, the one that is listed, by its program's place; `None`: the one
    /// worked in last.
    pub program: Option<u8>,
    /// What is folded, by design.
    pub folded: BTreeMap<NodesScope, BTreeSet<NodeId>>,
    /// Only nodes that differ.
    pub only_changed: bool,
    /// Only nodes that differ in this way.
    pub only_change_kind: Option<ChangeKind>,
    /// Only nodes with this in their name, as typed.
    pub filter: String,
}

/// Designs whose nodes keep their ids: all steps of a run share what is folded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodesScope {
    /// All steps of a run.
    Run(RunId),
    /// A task's start state.
    Start(TaskRef),
    /// A task's ground truth.
    GroundTruth(TaskRef),
    /// The ground truth of an item of a labelling project.
    Item(EvidenceKey),
    /// A picture file, which has none.
    File(Arc<Path>),
}

impl NodesScope {
    /// The scope of a slot.
    pub fn of(slot: &PictureKey) -> Self {
        match slot {
            PictureKey::Step(run, _)
            | PictureKey::Thumbnail(run, _)
            | PictureKey::Document(run, ..)
            // Its nodes are listed nowhere; they are those of the run, as far as there are such.
            | PictureKey::Branch(BranchKey { subject: WhatIfSubject::Run(run), .. }, _) => {
                Self::Run(*run)
            }
            PictureKey::Start(task)
            | PictureKey::Branch(BranchKey { subject: WhatIfSubject::Task(task), .. }, _) => {
                Self::Start(task.clone())
            }
            PictureKey::ItemTruth(key) | PictureKey::Candidate(key, _) => Self::Item(*key),
            PictureKey::GroundTruth(task) => Self::GroundTruth(task.clone()),
            PictureKey::File(path) => Self::File(Arc::clone(path)),
        }
    }
}
