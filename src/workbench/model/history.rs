//! What was looked at, to go back to.

use crate::run::TaskRef;

use super::annotate::Workspace;
use super::ids::RunId;
use super::nodes::InspectorTab;

/// Most places that can be gone back to.
const MOST_PLACES: usize = 200;

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct VisitedPlace {
    /// In which room of the window.
    pub workspace: Workspace,
    /// Which task.
    pub task: Option<TaskRef>,
    /// Which run.
    pub run: Option<RunId>,
    /// At which step.
    pub step: u32,
    /// With what in the inspector.
    pub tab: InspectorTab,
}

/// What was looked at in this session, before and after what is looked at now.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<VisitedPlace>,
    future: Vec<VisitedPlace>,
}

impl VisitedPlace {
    /// Whether it differs from another by its step alone.
    pub(in crate::workbench) fn is_beside(&self, other: &Self) -> bool {
        // All of them named: a field that is new one day has to be compared as well.
        let Self { workspace, task, run, step: _, tab } = self;
        (workspace, task, run, tab) == (&other.workspace, &other.task, &other.run, &other.tab)
    }

    /// Whether there is anything to go back to: a window that has just opened shows nothing.
    fn is_empty(&self) -> bool {
        self.workspace == Workspace::Inspect && self.task.is_none() && self.run.is_none()
    }
}

impl History {
    /// What was looked at before, the latest last.
    pub fn past(&self) -> &[VisitedPlace] {
        &self.past
    }

    /// What was gone back from, the first to go forward to last.
    pub fn future(&self) -> &[VisitedPlace] {
        &self.future
    }

    /// Remembers a place that was left for another; what was gone back from is forgotten.
    pub(in crate::workbench) fn leave(&mut self, place: VisitedPlace) {
        self.future.clear();
        // Coming back to where one was is no other place.
        if place.is_empty() || self.past.last() == Some(&place) {
            return;
        }
        self.past.push(place);
        let surplus = self.past.len().saturating_sub(MOST_PLACES);
        self.past.drain(..surplus);
    }

    /// Goes one back (`true`) or forward from a place; gives where to.
    pub(in crate::workbench) fn step(
        &mut self,
        here: VisitedPlace,
        is_back: bool,
    ) -> Option<VisitedPlace> {
        let (from, to) = if is_back {
            (&mut self.past, &mut self.future)
        } else {
            (&mut self.future, &mut self.past)
        };
        let place = from.pop()?;
        to.push(here);
        Some(place)
    }

    /// Forgets places that are not there any more.
    pub(in crate::workbench) fn keep(&mut self, is_there: impl Fn(&VisitedPlace) -> bool) {
        self.past.retain(&is_there);
        self.future.retain(is_there);
    }
}
