//! What the inspector's list of nodes shows and how.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::design::NodeId;

use super::outline::{Comparison, Mark, NodeRef};
use super::protocol::PictureKey;
use super::state::State;
use crate::run::{RunOrigin, TaskRef};

use super::library::RunId;

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
    pub folded: BTreeSet<(NodesScope, NodeId)>,
    /// Only nodes that differ.
    pub only_changed: bool,
    /// Only nodes that differ in this way.
    pub only_mark: Option<Mark>,
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
}

impl NodesScope {
    /// The scope of a slot.
    pub fn of(slot: &PictureKey) -> Self {
        match slot {
            PictureKey::Step(run, _)
            | PictureKey::Thumbnail(run, _)
            | PictureKey::Document(run, ..) => Self::Run(*run),
            PictureKey::Start(task) => Self::Start(task.clone()),
            PictureKey::GroundTruth(task) => Self::GroundTruth(task.clone()),
        }
    }
}

impl State {
    /// Whose nodes are listed: of the run, or of the start state without one; or of the ground
    /// truth, if that was chosen or there is nothing else.
    pub fn nodes_slot(&self) -> Option<PictureKey> {
        let task = self.selected_task();
        let truth = || {
            let has_truth = task.is_some_and(|task| task.ground_truth.is_some());
            self.selection.task.clone().filter(|_| has_truth).map(PictureKey::GroundTruth)
        };
        let is_blank =
            self.selection.run.is_none() && task.is_some_and(|task| task.start.is_none());
        let chosen = (self.nodes.of_ground_truth || is_blank).then(truth).flatten();
        chosen.or_else(|| self.run_slot())
    }

    /// What the listed nodes are compared with: what was chosen, if there is such a thing.
    pub fn nodes_comparison(&self) -> Comparison {
        let wanted = self.settings.comparison;
        if self.can_compare(wanted) { wanted } else { Comparison::None }
    }

    /// Whether the listed nodes can be compared so.
    pub fn can_compare(&self, against: Comparison) -> bool {
        let slot = self.nodes_slot();
        match (against, slot) {
            (Comparison::None, _) => true,
            (_, None | Some(PictureKey::GroundTruth(_))) => false,
            (Comparison::Previous, slot) => {
                matches!(slot, Some(PictureKey::Step(_, step) | PictureKey::Document(_, step, _)) if step > 0)
            }
            (Comparison::GroundTruth, _) => self.why_no_truth_document().is_none(),
        }
    }

    /// Why a design has no document that could be listed; `None` if it should have one.
    pub fn why_no_document(&self, slot: &PictureKey) -> Option<&'static str> {
        match slot {
            PictureKey::Document(_, _, program) => self.why_no_open_document(*program),
            PictureKey::Step(run, _) | PictureKey::Thumbnail(run, _) => {
                let run = self.library.runs.get(run)?.loaded.as_ref()?;
                match run.origin {
                    RunOrigin::Pictures { .. } => {
                        Some("Only pictures were recorded of this run, so its nodes are not known.")
                    }
                    RunOrigin::Recorded { .. } if run.is_shown_by_pictures() => {
                        Some("This run made a page in HTML; only what it looks like was recorded.")
                    }
                    RunOrigin::Recorded { .. } => None,
                }
            }
            PictureKey::Start(task) => {
                let start = self.library.task(task)?.start.as_ref()?;
                start
                    .document
                    .is_none()
                    .then_some("The start state is a picture without a document.")
            }
            PictureKey::GroundTruth(_) => self.why_no_truth_document(),
        }
    }

    /// Why the ground truth has no document.
    pub fn why_no_truth_document(&self) -> Option<&'static str> {
        let Some(task) = self.selected_task() else {
            return Some("The task set of this run is not open, so its ground truth is not known.");
        };
        match &task.ground_truth {
            None => Some("This task has no ground truth."),
            Some(truth) if truth.document.is_none() => {
                Some("The ground truth is a picture without a document.")
            }
            Some(_) => None,
        }
    }
}
