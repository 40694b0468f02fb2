//! Whose nodes are listed, and what they are compared with.

use crate::run::RunOrigin;
use crate::workbench::model::{Comparison, InspectorTab, PictureKey, State};

use super::views;

impl State {
    /// Whose nodes are listed: of the run, or of the start state without one; or of the ground
    /// truth, if that was chosen or there is nothing else.
    pub fn nodes_slot(&self) -> Option<PictureKey> {
        // An empty canvas has nothing to list, and whoever chose a task wants to see what is asked.
        let is_blank = self.selection.run.is_none()
            && self.selected_task().is_some_and(|task| task.start.is_none());
        let is_truth = self.nodes.of_ground_truth || is_blank;
        self.ground_truth_key().filter(|_| is_truth).or_else(|| self.run_slot())
    }

    /// The ground truth of the task on the stage, if its set is open and it has one.
    pub(in crate::workbench) fn ground_truth_key(&self) -> Option<PictureKey> {
        self.selected_task()?.ground_truth.as_ref()?;
        Some(PictureKey::GroundTruth(self.selection.task.clone()?))
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
            // It is what everything else is compared with.
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
            PictureKey::ItemTruth(_) | PictureKey::Candidate(..) => {
                Some("Nodes are not listed while people label.")
            }
            PictureKey::File(_) => Some("A picture file has no nodes."),
            PictureKey::Branch(..) => {
                Some("Nodes of a run with other calls are listed once it is recorded.")
            }
            PictureKey::Document(_, _, program) => self.why_no_open_document(*program),
            PictureKey::Step(run, _) | PictureKey::Thumbnail(run, _) => {
                // Not read yet: no reason is given, as it may well have nodes.
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

    /// The view that the inspector shows: the chosen one, or the step where that has nothing to show, as
    /// the plan of a run that was read and has none.
    pub fn inspector_tab(&self) -> InspectorTab {
        let chosen = self.settings.inspector_tab;
        let is_there = match chosen {
            InspectorTab::Step | InspectorTab::Nodes | InspectorTab::Scores => true,
            InspectorTab::Query => self.has_query(),
            InspectorTab::Runs => self.alignment_key().is_some(),
            InspectorTab::WhatIf => views::what_if_subject(self).is_some(),
            InspectorTab::Labels => self.has_labels(),
            InspectorTab::Plan => {
                let run = self.selected_run();
                // While a run is read, the tab does not jump to and fro.
                run.is_some_and(|run| run.loaded.as_ref().is_none_or(|run| run.plan.is_some()))
            }
        };
        if is_there { chosen } else { InspectorTab::Step }
    }

    /// Whether a labelling project is open that may say something of the run on the stage.
    pub fn has_labels(&self) -> bool {
        self.selection.run.is_some() && self.annotate.labels.is_some()
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
