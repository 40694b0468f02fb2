//! Events: what the worker says becomes a change of the state, and maybe more work.

use std::sync::Arc;

use crate::workbench::model::{
    Derived, DerivedKey, DigestState, DigestsKey, JobId, NoticeLevel, Progress, State,
};
use crate::workbench::protocol::{Event, LabelNews, Request};
use crate::workbench::reduce::handle;
use crate::workbench::reduce::reconcile::reconcile;

mod ended;
mod opened;
mod runs;
mod scores;

/// Takes what the worker says into the state; events of jobs that no longer matter are dropped.
pub fn apply(state: &mut State, event: Event) -> Vec<Request> {
    apply_all(state, [event])
}

/// Takes all that the worker said into the state, in its order, and only then asks for what is wanted
/// now.
pub fn apply_all(state: &mut State, events: impl IntoIterator<Item = Event>) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    let mut is_news = false;
    for event in events {
        requests.extend(take_in(state, event));
        is_news = true;
    }
    // Without an event nothing changed, and nothing else can be wanted than before.
    if is_news {
        requests.extend(handle::hold_clock_while_covered(state));
        requests.extend(reconcile(state, false));
        requests.extend(handle::study_follows(state, &requests));
    }
    requests
}

fn take_in(state: &mut State, event: Event) -> Vec<Request> {
    match event {
        Event::Progress(job, progress) => move_on(state, job, progress),
        Event::JobEnded(job, outcome) => {
            let requests = handle::made(state, job, &outcome);
            ended::job_ended(state, job, outcome);
            return requests;
        }
        Event::Opened { job, sets, runs, warnings } if state.jobs.is_active(job) => {
            opened::opened(state, job, sets, runs);
            opened::notify_warnings(state, warnings);
        }
        Event::Imported { job, path, summary, left_out } if state.jobs.is_active(job) => {
            opened::imported(state, job, &path, summary, left_out);
        }
        Event::Found { runs } => opened::found(state, runs),
        Event::RunRead { run_id, run, live } => runs::run_read(state, run_id, run, live),
        Event::Answering { run_id, answering } => runs::answering(state, run_id, answering),
        Event::RunGrew { run_id, totals, steps } => runs::run_grew(state, run_id, totals, steps),
        Event::RunEnded { run_id, manifest } => runs::run_ended(state, run_id, *manifest),
        Event::RunMoved { run_id, dir, replaced } => {
            return runs::run_moved(state, run_id, dir, &replaced);
        }
        Event::RunPaused { job, is_paused } => runs::run_paused(state, job, is_paused),
        Event::RunDamaged { run_id } => runs::run_damaged(state, run_id),
        Event::RunLost { run_id, message } => runs::run_lost(state, run_id, message),
        Event::RunStarted { run_id, dir, manifest } => {
            runs::run_started(state, run_id, dir, *manifest);
        }
        Event::Derived { job, result } => derived(state, job, result),
        Event::Asked(scored) => scores::scored(state, scored),
        Event::ModelsUsed { job, result } if state.in_flight.models == Some(job) => {
            return scores::models_used(state, result);
        }
        Event::NotesRead { notes, ranges, areas } => {
            for (key, note) in notes {
                // What was written since the start is newer.
                if state.notes.note(&key).is_none() {
                    state.notes.put(key, note);
                }
            }
            for (key, kept) in ranges {
                if state.notes.range(&key).is_none() {
                    state.notes.put_range(&key, Some(kept));
                }
            }
            for (task, areas) in areas {
                if state.notes.areas(&task).is_empty() {
                    state.notes.put_areas(&task, areas);
                }
            }
        }
        Event::DrawingCopied(result) => handle::drawing_copied(state, result),
        Event::Labels(news) => match news {
            LabelNews::Opened { path, result } => handle::opened(state, path, result),
            LabelNews::Written { number, result } => handle::written(state, number, result),
            LabelNews::Withdrawn { person, result } => handle::withdrawn(state, &person, result),
            LabelNews::FormRead { path, result } => handle::form_read(state, path, result),
            LabelNews::Relocated(result) => return handle::relocated(state, result),
            LabelNews::Others(events) => handle::others(state, events),
            LabelNews::Held(held) => handle::held(state, held),
        },
        Event::Hands(news) => {
            let mut requests = handle::hands_news(state, news);
            requests.extend(handle::study_after_hands(state));
            return requests;
        }
        Event::Study(news) => return handle::study_news(state, news),
        Event::ReferenceWritten { order, backup } => {
            opened::reference_written(state, &order, &backup);
        }
        Event::NotesLost { message } => notes_lost(state, message),
        Event::NotesKept => notes_kept(state),
        Event::Warned { message } => state.notify(NoticeLevel::Warning, message),
        // Their job was cancelled or replaced in the meantime: they come too late.
        Event::Opened { .. } | Event::Imported { .. } | Event::ModelsUsed { .. } => {}
    }
    Vec::new()
}

/// Told once, and beside every note until they are kept again.
fn notes_lost(state: &mut State, message: String) {
    let is_news = state.notes.problem.as_ref() != Some(&message);
    // Who has no workspace chose so, and finds it said where he would write.
    if is_news && !state.notes.is_empty() {
        state.notify(NoticeLevel::Error, format!("Notes are not kept: {message}."));
    }
    state.notes.problem = Some(message);
}

fn notes_kept(state: &mut State) {
    let was_lost = state.notes.problem.take().is_some();
    if was_lost && !state.notes.is_empty() {
        state.notify(NoticeLevel::Info, "Notes are kept again.");
    }
}

fn move_on(state: &mut State, job: JobId, progress: Progress) {
    if let Some(job) = state.jobs.by_id.get_mut(&job).filter(|job| job.outcome.is_none()) {
        job.progress = progress;
    }
}

/// A value is there, or cannot be had. Of a job that was given up, nothing is taken in.
fn derived(state: &mut State, job: JobId, result: Result<Derived, String>) {
    // Scores come step by step while their job goes on: only its end takes the key away.
    if let Ok(Derived::Scores(step)) = result {
        if let Some(DerivedKey::Scores(key)) = state.derived.in_flight.get(&job)
            && key.run == step.run
        {
            scores::scored(state, step);
        }
        return;
    }
    if let Some(key) = state.derived.in_flight.remove(&job) {
        let is_of_labels = matches!(key, DerivedKey::Findings(_));
        if let DerivedKey::Digests(block) = key {
            digests_read(state, block, result);
            return;
        }
        let dragged = match &key {
            DerivedKey::NodeDrag(key) => Some(key.clone()),
            _ => None,
        };
        state.derived.answer(key, result);
        if let Some(key) = dragged {
            handle::record_drag(state, &key);
        }
        if is_of_labels {
            handle::found(state);
        }
    }
}

/// What runs called goes to the runs; nothing of it is kept by its block, whose runs may change.
fn digests_read(state: &mut State, block: DigestsKey, result: Result<Derived, String>) {
    state.derived.digests.forget(|key, _| *key == block);
    match result {
        Ok(Derived::Digests(digests)) => {
            for (run, digest) in digests.iter() {
                let Some(entry) = state.library.runs.get_mut(run) else { continue };
                entry.digest = match digest {
                    Ok(digest) => DigestState::Read(Arc::clone(digest)),
                    Err(why) => DigestState::Failed(Arc::clone(why)),
                };
            }
        }
        // Without a word of it here, the same block would be asked for again and again.
        Ok(_) => fail_block(state, block, "the answer is of another kind: please report it"),
        Err(why) => fail_block(state, block, &why),
    }
}

fn fail_block(state: &mut State, block: DigestsKey, why: &str) {
    for (_, entry) in state.library.runs.range_mut(block.runs()) {
        if entry.digest == DigestState::NotRead {
            entry.digest = DigestState::Failed(why.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::model::{Note, NoteKey};

    #[test]
    fn that_notes_are_not_kept_is_said_until_they_are() {
        let mut state = State::default();
        let note = Note { is_starred: true, text: String::new() };
        state.notes.put(NoteKey { run: "a".to_owned(), step: None }, note);
        apply(&mut state, Event::NotesLost { message: "the disk is full".to_owned() });
        assert_eq!(state.notes.problem.as_deref(), Some("the disk is full"));
        apply(&mut state, Event::NotesKept);
        assert_eq!(state.notes.problem, None);
        let told: Vec<&str> = state.notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(told, ["Notes are not kept: the disk is full.", "Notes are kept again."]);
    }

    fn warned(number: u32) -> Event {
        Event::Warned { message: number.to_string() }
    }

    #[test]
    fn what_is_wanted_is_looked_for_once_a_drain_however_many_events_it_has() {
        let mut state = State::default();
        apply_all(&mut state, (0..500).map(warned));
        assert_eq!(state.in_flight.reconciled, 1);
        apply_all(&mut state, []);
        assert_eq!(state.in_flight.reconciled, 1, "without news nothing is looked for");
        apply(&mut state, warned(1));
        assert_eq!(state.in_flight.reconciled, 2);
    }
}
