//! Jobs that ended, and what that means where their result was awaited.

use crate::metric::{MissingScore, Score};
use crate::workbench::jobs::{Job, JobId, JobKind, JobOutcome, Pause};
use crate::workbench::library::{RunId, RunState};
use crate::workbench::outline::OutlineKey;
use crate::workbench::protocol::PictureKey;
use crate::workbench::state::{Fetched, NoticeLevel, State};
use crate::workbench::work::ScoreWork;

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
        JobKind::Score => score_ended(state, id, &outcome),
        JobKind::Picture => picture_ended(state, id, &outcome),
        JobKind::Outline => outline_ended(state, id, &outcome),
        JobKind::Check => check_ended(state, id, &outcome),
        JobKind::Save => save_ended(state, id, &outcome),
        JobKind::Models => models_ended(state, id, outcome),
        JobKind::List => list_ended(state, id, outcome),
    }
}

fn open_ended(state: &mut State, id: JobId, job: &Job, outcome: &JobOutcome) {
    state.work.opens.remove(&id);
    if let JobOutcome::Failed(why) = outcome {
        state.tell(NoticeLevel::Error, format!("{} failed: {why}", job.label));
    }
}

fn load_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    let of_job = |(run, job): (&RunId, &JobId)| (*job == id).then_some(*run);
    let Some(run) = state.work.loads.iter().find_map(of_job) else { return };
    state.work.loads.remove(&run);
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
    let run = state.work.launches.remove(&id);
    if state.work.show_when_started == run {
        state.work.show_when_started = None;
    }
    let entry = run.and_then(|run| state.library.runs.get_mut(&run));
    if let Some(entry) = entry {
        entry.pause = Pause::No;
        if matches!(entry.state, RunState::Live | RunState::Interrupted) {
            entry.state = match &outcome {
                JobOutcome::Done => RunState::Finished,
                JobOutcome::Cancelled => RunState::Cancelled,
                JobOutcome::Failed(why) => RunState::Failed(why.clone()),
            };
        }
        state.work.finals_due.extend(run);
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
    let words = format!("failed: {why}");
    if count < 2 {
        return state.tell(NoticeLevel::Error, format!("{} {words}", job.label));
    }
    state.notices.retain(|notice| !notice.text.ends_with(&words));
    state.tell(NoticeLevel::Error, format!("{count} runs {words}"));
}

/// Steps that were asked for and did not come get the reason, so that they are not asked for again
/// and again.
fn score_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    if let Some(run) = state.work.finals.remove(&id) {
        if let Some(entry) = state.library.runs.get_mut(&run) {
            entry.last_score.get_or_insert_with(|| missing(outcome));
        }
        return;
    }
    let is_job = |work: &mut ScoreWork| work.job == id;
    if let Some(work) = state.work.step_score.take_if(is_job) {
        state.work.step_scored = state.heat_key();
        give_reason(state, &work, outcome);
    } else if let Some(work) = state.work.curve.take_if(is_job) {
        give_reason(state, &work, outcome);
    } else if let Some(work) = state.work.table.take_if(is_job) {
        give_reason(state, &work, outcome);
    }
}

fn give_reason(state: &mut State, work: &ScoreWork, outcome: &JobOutcome) {
    let Some(entry) = state.library.runs.get_mut(&work.run) else { return };
    for step in &work.steps {
        for variant in &work.variants {
            entry.curves.put_if_missing(variant, *step, missing(outcome));
        }
    }
}

fn missing(outcome: &JobOutcome) -> Score {
    Score::Missing(match outcome {
        JobOutcome::Cancelled => MissingScore::Cancelled,
        JobOutcome::Failed(why) => MissingScore::NoPicture(why.clone()),
        JobOutcome::Done => MissingScore::NoPicture("the score did not come".to_owned()),
    })
}

fn picture_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let of_job = |(key, job): (&PictureKey, &JobId)| (*job == id).then(|| key.clone());
    let Some(key) = state.work.pictures.iter().find_map(of_job) else { return };
    state.work.pictures.remove(&key);
    match outcome {
        JobOutcome::Failed(why) => {
            state.pictures.insert(key, Fetched::Failed(why.clone()));
        }
        JobOutcome::Done => {
            let why = "the picture did not come: select the run again".to_owned();
            state.pictures.insert(key, Fetched::Failed(why));
        }
        JobOutcome::Cancelled => {
            state.pictures.remove(&key);
        }
    }
}

fn outline_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let of_job = |(key, job): (&OutlineKey, &JobId)| (*job == id).then(|| key.clone());
    let Some(key) = state.work.outlines.iter().find_map(of_job) else { return };
    state.work.outlines.remove(&key);
    let why = match outcome {
        JobOutcome::Failed(why) => why.clone(),
        JobOutcome::Done => "the nodes did not come: select the run again".to_owned(),
        JobOutcome::Cancelled => {
            state.outlines.remove(&key);
            return;
        }
    };
    state.outlines.insert(key, Fetched::Failed(why));
}

fn check_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let Some((key, _)) = state.work.check.take_if(|(_, job)| *job == id) else { return };
    let why = match outcome {
        JobOutcome::Failed(why) => why.clone(),
        JobOutcome::Done => "the answers did not come: select the run again".to_owned(),
        JobOutcome::Cancelled => {
            state.checks.remove(&key);
            return;
        }
    };
    state.checks.insert(key, Fetched::Failed(why));
}

/// What it brought was told before; only what kept it from coming is left to tell.
fn models_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    if state.work.models.take_if(|job| *job == id).is_none() {
        return;
    }
    if let JobOutcome::Failed(why) = outcome {
        state.models_problem = Some(why);
    }
}

/// What the file or folder holds was told before; only what kept it from being read is left to tell.
fn list_ended(state: &mut State, id: JobId, outcome: JobOutcome) {
    let JobOutcome::Failed(why) = outcome else {
        state.work.model_list.take_if(|job| *job == id);
        state.work.picture_list.take_if(|job| *job == id);
        return;
    };
    if state.work.model_list.take_if(|job| *job == id).is_some()
        && let Some(models) = &mut state.launch_models
    {
        models.listed = Some(Err(why));
    } else if state.work.picture_list.take_if(|job| *job == id).is_some()
        && let Some(pictures) = &mut state.launch_pictures
    {
        pictures.listed = Some(Err(why));
    }
}

fn save_ended(state: &mut State, id: JobId, outcome: &JobOutcome) {
    let Some(path) = state.work.saves.remove(&id) else { return };
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
