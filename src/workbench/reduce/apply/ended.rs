//! Jobs that ended, and what that means where their result was awaited.

use crate::metric::{MissingScore, Score};
use crate::workbench::model::{
    DerivedKey, Job, JobId, JobKind, JobOutcome, NoticeLevel, NoticeSubject, Pause, RunId,
    RunState, ScoreKey, ScorePurpose, State,
};

pub(super) fn job_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    let Some(job) = state.jobs.by_id.get_mut(&id).filter(|job| job.outcome.is_none()) else {
        return;
    };
    let kind = job.kind;
    job.outcome = Some(outcome.clone());
    let job = job.clone();
    if !kind.is_listed() {
        state.jobs.by_id.remove(&id);
    }
    match kind {
        JobKind::Open => open_ended(state, id, &job, &outcome),
        JobKind::Load => load_ended(state, id, outcome),
        JobKind::Run => run_ended(state, id, &job, outcome),
        JobKind::Derive => derive_ended(state, id, &outcome),
        JobKind::Save => save_ended(state, id, &outcome),
        JobKind::Models => models_ended(state, id, outcome),
    }
}

fn open_ended(state: &mut State, id: JobId, job: &Job, outcome: &JobOutcome) {
    state.in_flight.opens.remove(&id);
    if let JobOutcome::Failed(why) = outcome {
        state.tell(NoticeLevel::Error, format!("{} failed: {why}", job.label));
    }
}

fn load_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    let of_job = |(run, job): (&RunId, &JobId)| (*job == id).then_some(*run);
    let Some(run) = state.in_flight.loads.iter().find_map(of_job) else { return };
    state.in_flight.loads.remove(&run);
    let Some(entry) = state.library.runs.get_mut(&run) else { return };
    let why = match outcome {
        JobOutcome::Failed(why) => why,
        JobOutcome::Cancelled => "reading was stopped: select the run again".to_owned(),
        JobOutcome::Done if entry.loaded.is_some() => return,
        JobOutcome::Done => "nothing could be read: select the run again".to_owned(),
    };
    entry.state = RunState::Unreadable(why);
}

fn run_ended(state: &mut State, id: JobId, job: &Job, outcome: JobOutcome) {
    let run = state.in_flight.launches.remove(&id);
    // It ended before it existed: nothing is left to wait for.
    if state.in_flight.show_when_started == run {
        state.in_flight.show_when_started = None;
    }
    let entry = run.and_then(|run| state.library.runs.get_mut(&run));
    if let Some(entry) = entry {
        entry.pause = Pause::No;
        // What its manifest said when it was read goes before what the job says of it.
        if matches!(entry.state, RunState::Live | RunState::Interrupted) {
            entry.state = match &outcome {
                JobOutcome::Done => RunState::Finished,
                JobOutcome::Cancelled => RunState::Cancelled,
                JobOutcome::Failed(why) => RunState::Failed(why.clone()),
            };
        }
        state.in_flight.finals_due.extend(run);
    }
    if let JobOutcome::Failed(why) = outcome {
        tell_failure(state, job, &why);
    }
}

/// One notice for all runs of a batch that failed for the same reason.
fn tell_failure(state: &mut State, job: &Job, why: &str) {
    let batch = state.jobs.by_id.range(JobId(state.jobs.batch_start)..);
    let fails_so = |(_, job): &(&JobId, &Job)| matches!(&job.outcome, Some(JobOutcome::Failed(other)) if other == why);
    let count = batch.filter(fails_so).count();
    let about =
        NoticeSubject::FailedRuns { batch: JobId(state.jobs.batch_start), why: why.to_owned() };
    let text = match count {
        0 | 1 => format!("{} failed: {why}", job.label),
        _ => format!("{count} runs failed: {why}"),
    };
    state.tell_about(about, NoticeLevel::Error, text);
}

/// A value that did not come gets the reason, so that it is not asked for again and again.
fn derive_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let Some(key) = state.derived.in_flight.remove(&id) else { return };
    let why = match outcome {
        _ if matches!(key, DerivedKey::Scores(_)) => None,
        JobOutcome::Cancelled => None,
        JobOutcome::Failed(why) => Some(why.clone()),
        JobOutcome::Done => Some("nothing came of it: select the run again".to_owned()),
    };
    match (key, why) {
        (DerivedKey::Scores(key), _) => score_ended(state, &key, outcome),
        (key, Some(why)) => state.derived.answer(key, Err(why)),
        (key, None) => state.derived.cancel(&key),
    }
}

/// Steps that were asked for and did not come get the reason.
fn score_ended(state: &mut State, key: &ScoreKey, outcome: &JobOutcome) {
    if matches!(key.purpose, ScorePurpose::Stage { .. }) {
        state.in_flight.step_scored = state.heat_key();
    }
    let Some(entry) = state.library.runs.get_mut(&key.run) else { return };
    if key.purpose == ScorePurpose::Last {
        entry.last_score.get_or_insert_with(|| missing(outcome));
        return;
    }
    for step in &key.steps {
        for variant in &key.variants {
            entry.curves.put_if_missing(variant, *step, missing(outcome));
        }
    }
}

fn missing(outcome: &JobOutcome) -> Score {
    Score::Missing(match outcome {
        JobOutcome::Cancelled => MissingScore::Cancelled,
        JobOutcome::Failed(why) => MissingScore::failed("scoring", why),
        JobOutcome::Done => MissingScore::failed("scoring", &"the score did not come"),
    })
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
    let Some(path) = state.in_flight.saves.remove(&id) else { return };
    match outcome {
        JobOutcome::Done => {
            state.tell(NoticeLevel::Info, format!("saved {}", path.display()));
        }
        JobOutcome::Failed(why) => {
            state.tell(NoticeLevel::Error, format!("saving failed: {why}"));
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
        let why = "no such host".to_owned();
        let open = state.jobs.start(JobKind::Open, "opening /sets");
        let runs = ["one", "two", "three"].map(|label| state.jobs.start(JobKind::Run, label));
        for job in [open].into_iter().chain(runs) {
            job_ended(&mut state, job, JobOutcome::Failed(why.clone()));
        }
        let told: Vec<&str> = state.notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(told, ["opening /sets failed: no such host", "3 runs failed: no such host"]);
    }
}
