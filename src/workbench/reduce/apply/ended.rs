//! Jobs that ended, and what that means where their result was awaited.

use crate::metric::{MissingScore, Score};
use crate::workbench::model::{
    DerivedKey, JobId, JobKind, JobOutcome, NoticeLevel, NoticeSubject, Pause, Recents, RunState,
    SavingFile, ScoreKey, ScorePurpose, State,
};

use super::opened::select_something;

pub(super) fn job_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    // One that was given up is not known any more, and what it still says is stale.
    let Some(job) = state.jobs.by_id.get(&id).filter(|job| job.outcome.is_none()) else { return };
    let kind = job.kind;
    if !kind.is_listed() {
        state.jobs.by_id.remove(&id);
    }
    match kind {
        JobKind::Load => return load_ended(state, id, outcome),
        JobKind::Derive => return derive_ended(state, id, outcome),
        JobKind::Models => return models_ended(state, id, outcome),
        JobKind::Open => open_ended(state, id, &outcome),
        JobKind::Ask => ask_ended(state, id, &outcome),
        JobKind::Run => run_ended(state, id, &outcome),
        JobKind::Save => save_ended(state, id, &outcome),
    }
    if let Some(job) = state.jobs.by_id.get_mut(&id) {
        job.outcome = Some(outcome);
    }
    // What the last session looked at is waited for until nothing is being opened any more.
    if kind == JobKind::Open {
        select_something(state);
    }
}

fn open_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    // Still there if nothing could be opened.
    let opens = state.in_flight.opens.remove(&id);
    state.in_flight.reopening.remove(&id);
    let (JobOutcome::Failed(why), Some(job)) = (outcome, state.jobs.by_id.get(&id)) else { return };
    let text = format!("{} failed: {why}", job.label);
    let Some((paths, Recents::Leave)) = opens else {
        return state.notify(NoticeLevel::Error, text);
    };
    // A disk that is not there today closes nothing.
    let missing = &mut state.library.missing;
    missing.retain(|known| !paths.contains(known));
    missing.extend_from_slice(&paths);
    state.notify_about(NoticeSubject::NotOpened { paths }, NoticeLevel::Error, text);
}

/// What was answered is there; only what kept the rest from being asked is left to tell.
fn ask_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    if let (JobOutcome::Failed(why), Some(job)) = (outcome, state.jobs.by_id.get(&id)) {
        let text = format!("{} failed: {why}", job.label);
        state.notify(NoticeLevel::Error, text);
    }
}

fn load_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    let load = state.in_flight.loads.extract_if(.., |_, job| *job == id).next();
    let Some((run, _)) = load else { return };
    let Some(entry) = state.library.runs.get_mut(&run) else { return };
    let why = match outcome {
        JobOutcome::Failed(why) => why,
        JobOutcome::Cancelled => "reading was stopped: select the run again".to_owned(),
        JobOutcome::Done if entry.loaded.is_some() => return,
        JobOutcome::Done => "nothing could be read: select the run again".to_owned(),
    };
    entry.state = RunState::Unreadable(why);
}

fn run_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let run = state.in_flight.launches.remove(&id);
    for batch in &mut state.in_flight.batches {
        batch.jobs.remove(&id);
    }
    state.in_flight.batches.retain(|batch| !batch.jobs.is_empty());
    // It ended before it existed: nothing is left to wait for.
    if state.in_flight.show_when_started == run {
        state.in_flight.show_when_started = None;
    }
    let entry = run.and_then(|run| state.library.runs.get_mut(&run));
    if let Some(entry) = entry {
        entry.pause = Pause::No;
        // What its manifest said when it was read goes before what the job says of it.
        if matches!(entry.state, RunState::Live | RunState::Interrupted) {
            entry.state = match outcome {
                JobOutcome::Done => RunState::Finished,
                JobOutcome::Cancelled => RunState::Cancelled,
                JobOutcome::Failed(why) => RunState::Failed(why.clone()),
            };
        }
        state.in_flight.finals_due.extend(run);
    }
    if let JobOutcome::Failed(why) = outcome {
        notify_failure(state, id, why);
    }
}

/// One notice for all runs of a batch that failed for the same reason.
fn notify_failure(state: &mut State, id: JobId, why: &str) {
    let Some(job) = state.jobs.by_id.get(&id) else { return };
    // Runs only: a file that could not be written for the same reason has a notice of its own.
    let runs = state.jobs.batch();
    let before =
        runs.filter(|job| matches!(&job.outcome, Some(JobOutcome::Failed(other)) if other == why));
    let text = match before.count() {
        0 => format!("{} failed: {why}", job.label),
        count => format!("{} runs failed: {why}", count + 1),
    };
    let batch = JobId(state.jobs.batch_start);
    let about = NoticeSubject::FailedRuns { batch, why: why.to_owned() };
    state.notify_about(about, NoticeLevel::Error, text);
}

/// A value that did not come gets the reason, so that it is not asked for again and again.
fn derive_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    // Its answer took the key with it, scores aside.
    let Some(key) = state.derived.in_flight.remove(&id) else { return };
    let why = match (&key, outcome) {
        (DerivedKey::Scores(key), outcome) => return score_ended(state, key, &outcome),
        (_, JobOutcome::Cancelled) => return state.derived.cancel(&key),
        (_, JobOutcome::Failed(why)) => why,
        (_, JobOutcome::Done) => "nothing came of it: select the run again".to_owned(),
    };
    state.derived.answer(key, Err(why));
}

/// Steps that were asked for and did not come get the reason. What was stopped is not scored yet, as any other value.
fn score_ended(state: &mut State, key: &ScoreKey, outcome: &JobOutcome) {
    let why = match outcome {
        JobOutcome::Cancelled => {
            // What the stage shows is wanted by itself; the library's are due by a queue, which this one has left.
            if key.purpose == ScorePurpose::Last {
                state.in_flight.finals_due.insert(key.run);
            }
            return;
        }
        JobOutcome::Failed(why) => why.as_str(),
        JobOutcome::Done => "the score did not come",
    };
    let missing = Score::Missing(MissingScore::failed("scoring", &why));
    // Whatever came: a map that cannot be had is not asked for again and again.
    if matches!(key.purpose, ScorePurpose::Stage { .. }) {
        state.in_flight.step_scored = state.truth_heat_key();
    }
    let Some(entry) = state.library.runs.get_mut(&key.run) else { return };
    if key.purpose == ScorePurpose::Last {
        entry.last_score.get_or_insert(missing);
        return;
    }
    for step in &key.steps {
        for variant in &key.variants {
            entry.curves.put_if_missing(variant, *step, missing.clone());
        }
    }
}

/// What it brought was told before; only what kept it from coming is left to tell.
fn models_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    if state.in_flight.models.take_if(|job| *job == id).is_none() {
        return;
    }
    if let JobOutcome::Failed(why) = outcome {
        state.models_problem = Some(why);
    }
}

fn save_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let Some(SavingFile { file, folder }) = state.in_flight.saves.remove(&id) else { return };
    match outcome {
        JobOutcome::Done => {
            let text = format!("saved {file}");
            match folder {
                Some(folder) => {
                    let about = NoticeSubject::Saved { file, folder };
                    state.notify_about(about, NoticeLevel::Info, text);
                }
                None => state.notify(NoticeLevel::Info, text),
            }
        }
        JobOutcome::Failed(why) => {
            state.notify(NoticeLevel::Error, format!("saving failed: {why}"));
        }
        JobOutcome::Cancelled => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_fail_for_one_reason_are_one_notice_and_other_failures_their_own() {
        let mut state = State::default();
        let open = state.jobs.start(JobKind::Open, "opening /sets");
        let runs = ["one", "two", "three"].map(|label| state.jobs.start(JobKind::Run, label));
        // Begun while the runs are at work, and so among their numbers.
        let save = state.jobs.start(JobKind::Save, "saving a.png");
        let saving = SavingFile { file: "a.png".to_owned(), folder: None };
        state.in_flight.saves.insert(save, saving);
        let other = state.jobs.start(JobKind::Run, "four");
        for job in [open, runs[0], save, runs[1], runs[2]] {
            job_ended(&mut state, job, JobOutcome::Failed("the disk is full".to_owned()));
        }
        job_ended(&mut state, other, JobOutcome::Failed("no such host".to_owned()));
        let told: Vec<&str> = state.notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(
            told,
            [
                "opening /sets failed: the disk is full",
                "saving failed: the disk is full",
                "3 runs failed: the disk is full",
                "four failed: no such host",
            ]
        );
    }
}
