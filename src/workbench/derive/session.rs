//! What is remembered of the session, and what is still under way in it.

use std::path::{Path, PathBuf};

use crate::workbench::model::{
    Job, JobKind, SavedLabels, SavedSession, SavedSlot, Stage, State, UnfinishedLaunch,
};

impl State {
    /// The session as it is to be remembered now.
    pub fn session_to_save(&self) -> SavedSession {
        // What is being made now will be unfinished if the program ends here.
        let mut unfinished: Vec<UnfinishedLaunch> = self.unfinished.clone();
        for batch in self.in_flight.batches.iter().filter(|batch| !batch.jobs.is_empty()) {
            unfinished.push(UnfinishedLaunch {
                launch: batch.launch.clone(),
                tasks: batch.jobs.values().cloned().collect(),
                runs: batch.jobs.len(),
            });
        }
        // Until all is open again that was, nothing is known better than by the file.
        let restoring = self.in_flight.restore.as_ref().filter(|_| self.is_opening());
        let mut shown = restoring.cloned().unwrap_or_else(|| self.shown_to_save());
        // What is being opened when the window is closed is opened the next time.
        let opening = self.in_flight.opens.values().flat_map(|(paths, _)| paths);
        for path in opening {
            let open = shown.open.get_or_insert_default();
            if !open.contains(path) {
                open.push(path.clone());
            }
        }
        // What stood beside the run may stand there already.
        let (slots, against) = if shown.slots.is_empty() {
            // Here already, as what it is compared with is told by its place among those that are kept.
            self.saved_slots(SavedSlot::is_text)
        } else {
            (std::mem::take(&mut shown.slots), shown.against)
        };
        SavedSession {
            slots,
            against,
            workspace: self.workspace,
            explore: self.explore.view.clone(),
            windows: self.windows.clone(),
            labels: self.labels_to_save(),
            design: self.design_to_save(),
            unfinished,
            ..shown
        }
        .without_odd_paths()
    }

    /// What is open and shown, without what is known while that is being opened.
    fn shown_to_save(&self) -> SavedSession {
        // Without a library there is none to come back to: at first, the samples come.
        let had_library = self.settings.session.open.is_some() || !self.library.opened.is_empty();
        let missing = &self.library.missing;
        let open = had_library.then(|| [self.open_paths(), missing.clone()].concat());
        let folded = &self.library.folded;
        let tasks = self.library.sets.iter().flat_map(|entry| entry.tasks().map(|(task, _)| task));
        let shown = SavedSession {
            open,
            task: self.selection.task.clone(),
            run: self.selected_run().map(|run| run.dir.clone()),
            step: self.selection.step,
            range: self.selection.range,
            filter: self.library.filter.clone(),
            arrangement: self.library.arrangement,
            folded_agents: folded.agents.clone(),
            folded_sets: folded.sets.clone(),
            unfolded_tasks: tasks.filter(|task| !folded.tasks.contains(task)).collect(),
            // A key that is held now is not held when the program starts again.
            stage: Some(Stage { hold_ground_truth: false, ..self.stage.clone() }),
            steps_per_second: Some(self.playback.steps_per_second),
            ..SavedSession::default()
        };
        // What was looked at waits with what is not there, while nobody chooses anything else.
        let waits = !missing.is_empty() && self.selection.task.is_none();
        if !waits && !self.in_flight.stands_in {
            return shown;
        }
        let SavedSession { task, run, step, range, mut unfolded_tasks, slots, against, .. } =
            self.settings.session.clone();
        unfolded_tasks.retain(|task| self.library.set(&task.set).is_none());
        unfolded_tasks.extend(shown.unfolded_tasks);
        SavedSession { task, run, step, range, unfolded_tasks, slots, against, ..shown }
    }

    /// The labelling project as it is to be remembered; until the last one is open again, that.
    fn labels_to_save(&self) -> Option<SavedLabels> {
        let again = self.in_flight.labels_again.as_ref().filter(|_| self.annotate.desk.is_none());
        let Some(labels) = &self.annotate.labels else { return again.cloned() };
        let alone = SavedLabels { path: labels.path.clone(), ..SavedLabels::default() };
        // Who settles what others answered sits down anew.
        let desk = self.annotate.desk.as_ref().filter(|desk| desk.review.is_none());
        let Some(desk) = desk else {
            let again = again.filter(|again| again.path == labels.path);
            return Some(again.cloned().unwrap_or(alone));
        };
        let unit = desk.unit();
        Some(SavedLabels {
            person: Some(desk.person.clone()),
            item: unit.and_then(|unit| labels.item(unit)).map(|item| item.id.0.clone()),
            form: unit.map_or(0, |unit| unit.form),
            draft: Some(&desk.draft).filter(|draft| draft.is_touched).cloned(),
            ..alone
        })
    }

    /// Whether something is being opened.
    pub(in crate::workbench) fn is_opening(&self) -> bool {
        self.jobs.active().any(|(_, job)| job.kind == JobKind::Open)
    }

    /// What closing the window would cut off, as the list of jobs has it; what was open before and is opened again is
    /// opened the next time, too.
    pub fn work_under_way(&self) -> impl Iterator<Item = &Job> {
        let jobs = self.jobs.active().filter(|(_, job)| job.is_listed());
        jobs.filter(move |(id, _)| !self.in_flight.reopening.contains(id)).map(|(_, job)| job)
    }

    /// Runs that are being made or wait to be, and those among them that wait.
    pub fn runs_under_way(&self) -> (usize, usize) {
        let runs = self.jobs.active_runs();
        let (mut all, mut waiting) = (0, 0);
        for (_, job) in runs {
            all += 1;
            let is_there = job.run.is_some_and(|run| self.library.runs.contains_key(&run));
            waiting += usize::from(!is_there);
        }
        (all - waiting, waiting)
    }

    /// Paths that were opened and of which something is still in the library.
    pub(in crate::workbench) fn open_paths(&self) -> Vec<PathBuf> {
        let sets = self.library.sets.iter().map(|entry| entry.set.dir.as_path());
        let runs = self.library.runs.values().map(|run| run.dir.as_path());
        let dirs: Vec<&Path> = sets.chain(runs).collect();
        let opened = self.library.opened.iter().filter(|path| {
            // A set is opened by its file, too; then its folder is above the path.
            dirs.iter().any(|dir| dir.starts_with(path) || path.parent() == Some(dir))
        });
        opened.cloned().collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;
    use crate::workbench::model::{Against, Settings, Slot};

    #[test]
    fn what_has_a_path_that_is_no_text_is_left_out_and_the_rest_is_written() {
        let mut state = State::default();
        let odd = Path::new(OsStr::from_bytes(b"/home/ada/r\xe9sult.png"));
        state.stage.slots = vec![Slot::File(odd.into()), Slot::Start];
        state.stage.against = Against::Slot(1);
        state.assist.again = Some(odd.into());
        let session = state.session_to_save();
        assert_eq!((&session.slots[..], session.against), (&[SavedSlot::Start][..], Some(0)));
        assert_eq!(session.design, None);
        let settings = Settings { session, ..Settings::default() };
        assert!(settings.to_json().is_ok());
    }
}
