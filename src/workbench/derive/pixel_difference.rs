//! What the difference of the run and what it is compared with lets pass and leaves out.

use crate::run::TaskRef;
use crate::workbench::model::{IgnoredArea, PixelDifferenceKey, StagePane, StageView, State};

use super::views::{PaneStatus, against_pane, pane, panes};

impl State {
    /// The selected task as areas are kept with it: by the id that its set has in its file.
    pub(in crate::workbench) fn areas_task(&self) -> Option<TaskRef> {
        let TaskRef { set, id } = self.selection.task.as_ref()?;
        let set = self.library.set(set).map_or(set, |entry| &entry.recorded_id);
        Some(TaskRef::new(set, id))
    }

    /// The areas that differences of the selected task leave out.
    pub fn ignored_areas(&self) -> &[IgnoredArea] {
        self.areas_task().map(|task| self.notes.areas(&task)).unwrap_or_default()
    }

    /// Whether the stage shows a difference of two pictures.
    pub fn shows_difference(&self) -> bool {
        self.shows_step()
            && self.stage.view == StageView::Difference
            && panes(self).contains(&StagePane::Overlaid)
    }

    /// Which pixels differ, where something is let pass or left out; `None` where the channels are told apart as they
    /// are, or a picture is on its way.
    pub fn pixel_difference_key(&self) -> Option<PixelDifferenceKey> {
        let ignored = self.ignored_areas();
        // Exact and of the whole picture, it is what the stage draws by itself.
        if !self.shows_difference() || (self.stage.tolerance.is_exact() && ignored.is_empty()) {
            return None;
        }
        let [run, against] = [pane(self, StagePane::Run), pane(self, against_pane(self))]
            // A picture of the step before still stands there while its own is drawn.
            .map(|pane| pane.key.filter(|_| pane.status == PaneStatus::Current));
        Some(PixelDifferenceKey {
            run: run?,
            against: against?,
            tolerance: self.stage.tolerance,
            ignored: ignored.to_vec(),
        })
    }
}
