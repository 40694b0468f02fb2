//! What is looked at, to come back to it: in this session, or by a link.

use crate::workbench::model::{Link, LinkedHeat, SavedSlot, StagePane, State, VisitedPlace};

impl State {
    /// What is looked at now.
    pub fn place(&self) -> VisitedPlace {
        VisitedPlace {
            workspace: self.workspace,
            task: self.selection.task.clone(),
            run: self.selection.run,
            step: self.selection.step,
            tab: self.settings.inspector_tab,
        }
    }

    /// The link that opens the window at the selected run as it is looked at now; `None` without a run, or where
    /// its path is no text.
    pub fn link(&self) -> Option<Link> {
        let link = Link::to_run(&self.selected_run()?.dir)?;
        let (step, range) = (self.selection.step, self.selection.range);
        // A link opens runs alone: picture files stay with whoever has them.
        let (beside, against) =
            self.saved_slots(|slot| slot.is_text() && !matches!(slot, SavedSlot::File(_)));
        let others = beside.iter().any(|slot| matches!(slot, SavedSlot::Run { .. }));
        Some(Link {
            // A range is opened at its first step anyway.
            step: Some(step).filter(|step| range.is_none_or(|range| range.first != *step)),
            range,
            view: Some(self.stage.view),
            heat: self.linked_heat(),
            tab: Some(self.inspector_tab()),
            follow: Some(self.stage.lock).filter(|_| others),
            beside,
            against,
            ..link
        })
    }

    /// What the heat shows, where it is seen: also the one that everybody begins with, as whoever opens the link may
    /// have chosen another since.
    fn linked_heat(&self) -> Option<LinkedHeat> {
        let variant = self.heat_variant()?.id.to_string();
        let is_seen = self.stage.panes.contains(&StagePane::Heat) || self.stage.heat_opacity > 0.0;
        is_seen.then(|| LinkedHeat { variant, map: self.heat_map() })
    }
}
