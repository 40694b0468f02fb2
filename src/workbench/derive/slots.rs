//! Which pictures stand beside that of the run.

use std::sync::Arc;

use crate::workbench::derive::views::is_branch_edited;
use crate::workbench::model::{
    Against, AlignedRuns, AlignmentKey, ConsensusKey, Fetched, InspectorTab, MOST_SLOTS,
    PictureKey, RunId, SavedSlot, ShownIn, Slot, SlotLock, State, TraceKey,
};

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

    /// The slot that keeps the selected run at the selected step.
    pub fn slot_of_step(&self) -> Option<Slot> {
        Some(Slot::Run { run: self.selection.run?, pinned: Some(self.selection.step) })
    }

    /// What stands beside the run as it is found again later, and which of it the run is compared with; without what is
    /// left out, as runs are that were closed.
    pub(in crate::workbench) fn saved_slots(
        &self,
        is_kept: impl Fn(&SavedSlot) -> bool,
    ) -> (Vec<SavedSlot>, Option<u8>) {
        let (mut saved, mut against) = (Vec::new(), None);
        for (at, slot) in (0..).zip(&self.stage.slots) {
            let found = match slot {
                Slot::Run { run, pinned } => {
                    let entry = self.library.runs.get(run);
                    entry.map(|run| SavedSlot::Run { dir: run.dir.clone(), pinned: *pinned })
                }
                Slot::Start => Some(SavedSlot::Start),
                Slot::File(path) => Some(SavedSlot::File(path.to_path_buf())),
            };
            let Some(found) = found.filter(&is_kept) else { continue };
            if self.stage.against == Against::Slot(at) {
                against = u8::try_from(saved.len()).ok();
            }
            saved.push(found);
        }
        (saved, against)
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
            Slot::Start => self.start_slot(),
            Slot::File(path) => Some(PictureKey::File(Arc::clone(path))),
        }
    }

    /// The runs of the selected task on the stage, aligned; `None` where there is only one.
    pub fn alignment_key(&self) -> Option<AlignmentKey> {
        let task = &self.selected_run()?.task;
        let known = self.runs_on_stage().into_iter().filter_map(|run| {
            let entry = self.library.runs.get(&run)?;
            (entry.task == *task).then_some(TraceKey { run, steps: entry.steps })
        });
        let runs: Vec<TraceKey> = known.collect();
        (runs.len() > 1).then_some(AlignmentKey { runs })
    }

    /// What of the ground truth these runs have, by the threshold of the heat.
    pub fn consensus_key(&self) -> Option<ConsensusKey> {
        let AlignmentKey { runs } = self.alignment_key()?;
        let threshold = (self.stage.heat_threshold * 100.0).round() as u8;
        Some(ConsensusKey { runs, threshold })
    }

    /// Whether the window shows runs beside each other, or other runs follow by what goes together.
    pub fn shows_alignment(&self) -> bool {
        self.inspector_tab() == InspectorTab::Runs || self.stage.lock == SlotLock::Alignment
    }

    /// The runs on the stage, aligned, once that is known. Until it is known of all their steps, as of a run that is
    /// under way, what was known of the same runs before stands in; not where it cannot be known.
    pub fn aligned_runs(&self) -> Option<&Arc<AlignedRuns>> {
        let (key, known) = (self.alignment_key()?, &self.derived.alignments);
        match known.get(&key) {
            Some(Fetched::Ready(aligned)) => return Some(aligned),
            Some(Fetched::Failed(_)) => return None,
            Some(Fetched::Pending) | None => {}
        }
        let mut traces = key.runs.iter().map(|run| self.derived.traces.get(run));
        if traces.any(|trace| matches!(trace, Some(Fetched::Failed(_)))) {
            return None;
        }
        let before = known.shown(ShownIn::Main);
        known.ready(before.filter(|before| TraceKey::are_of_same_runs(&before.runs, &key.runs))?)
    }

    /// The step of another run that goes with `step` of the selected one, as far as both are aligned.
    fn aligned_step(&self, run: RunId, step: u32) -> Option<u32> {
        let key = self.alignment_key()?;
        let at = key.runs.iter().position(|it| it.run == run)?;
        let alignment = &self.aligned_runs()?.alignment;
        // Rows that only others have lie behind a step of the selected run; it stands still meanwhile.
        let passed = self.stage.rows_passed.map(|rows| rows as usize);
        match passed.filter(|rows| alignment.step_after(0, *rows) == step) {
            Some(rows) => Some(alignment.step_after(at, rows)),
            None => Some(alignment.step_with((0, step), at)),
        }
    }

    /// The step of another run that goes with a step of the selected one, by what the stage is locked by
    /// ([`SlotLock`]); its last one where none does.
    pub fn locked_step(&self, run: RunId, step: u32) -> Option<u32> {
        let other = self.library.runs.get(&run)?;
        let last = other.steps;
        Some(match self.stage.lock {
            SlotLock::Step => step.min(last),
            // Until it is known, as if they went together from the start.
            SlotLock::Alignment => self.aligned_step(run, step).unwrap_or(step).min(last),
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
