//! Which pictures stand beside that of the run.

use std::sync::Arc;

use crate::workbench::derive::views::is_branch_edited;
use crate::workbench::model::{Against, MOST_SLOTS, PictureKey, RunId, Slot, SlotLock, State};

impl State {
    /// The runs whose pictures are on the stage, the selected one first.
    pub fn runs_on_stage(&self) -> Vec<RunId> {
        let mut runs: Vec<RunId> = self.selection.run.into_iter().collect();
        for slot in &self.stage.slots {
            if let Slot::Run { run, .. } = slot
                && !runs.contains(run)
            {
                runs.push(*run);
            }
        }
        runs
    }

    /// The next other run of the selected task that is not on the stage; `None` where there is none, or no
    /// room.
    pub fn next_run_to_compare(&self) -> Option<RunId> {
        if self.stage.slots.len() >= MOST_SLOTS || self.selection.run.is_none() {
            return None;
        }
        let shown = self.runs_on_stage();
        let others = self.library.runs_of(self.selection.task.as_ref()?);
        others.map(|(run, _)| run).find(|run| !shown.contains(run))
    }

    /// What the run is compared with next.
    pub fn next_against(&self) -> Against {
        let next = match self.stage.against {
            Against::GroundTruth if is_branch_edited(self) => return Against::Branch,
            Against::GroundTruth | Against::Branch => 0,
            Against::Slot(at) => at + 1,
        };
        if usize::from(next) < self.stage.slots.len() {
            Against::Slot(next)
        } else {
            Against::GroundTruth
        }
    }

    /// What a slot shows while the selected run is at `step`; `None` where there is nothing yet, as for a
    /// run that is being read.
    pub fn slot_picture(&self, slot: &Slot, step: u32) -> Option<PictureKey> {
        match slot {
            Slot::Run { run, pinned } => {
                let step = pinned.or_else(|| self.locked_step(*run, step))?;
                Some(PictureKey::Step(*run, step))
            }
            Slot::Start => self.selection.task.clone().map(PictureKey::Start),
            Slot::File(path) => Some(PictureKey::File(Arc::clone(path))),
        }
    }

    /// The step of another run that goes with a step of the selected one, by what the stage is locked by
    /// ([`SlotLock`]); its last one where none does.
    pub fn locked_step(&self, run: RunId, step: u32) -> Option<u32> {
        let other = self.library.runs.get(&run)?;
        let last = other.steps;
        Some(match self.stage.lock {
            SlotLock::Step => step.min(last),
            SlotLock::Progress => {
                let share = f64::from(step) / f64::from(self.last_step().max(1));
                // Both begin and end together, whatever lies between.
                (share * f64::from(last)).round() as u32
            }
            SlotLock::Turn => {
                let own = self.selected_run()?.loaded.as_ref()?;
                let other = other.loaded.as_ref()?;
                // After the last call of its turn the step stands for the whole turn.
                let turn = step.checked_sub(1).and_then(|at| own.steps.get(at as usize));
                let turn = turn.map_or(0, |step| step.turn);
                let before = other.steps.iter().filter(|step| step.turn <= turn).count();
                (before as u32).min(last)
            }
        })
    }
}
