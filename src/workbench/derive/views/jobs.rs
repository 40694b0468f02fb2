//! Background work, in short.

use crate::workbench::model::{Job, JobId, JobKind, JobOutcome, State};

/// The line in the top bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobsSummary {
    /// What is at work, such as `tracer on gid6-27`, or `5 of 8 runs`; empty when nothing is.
    pub label: String,
    /// Listed jobs that have not ended.
    pub active: usize,
    /// Jobs of the present batch that failed.
    pub failed: usize,
    /// How far the batch is, 0..=1; `None` when nothing is at work or it cannot be known.
    pub fraction: Option<f32>,
    /// The job to stop, if exactly one is at work.
    pub only: Option<JobId>,
}

/// Jobs for the list, without those that come and go by the dozen: what is at work first, then what
/// waits, each in the order in which it will be done; then what has ended, newest first.
pub fn listed_jobs(state: &State) -> impl Iterator<Item = (JobId, &Job)> {
    let listed = state.jobs.by_id.iter().filter(|(_, job)| job.is_listed());
    let mut jobs: Vec<(JobId, &Job)> = listed.map(|(id, job)| (*id, job)).collect();
    jobs.sort_by_key(|(id, job)| {
        if job.outcome.is_some() {
            (2, u64::MAX - id.0)
        } else {
            (u8::from(is_queued(state, job)), id.0)
        }
    });
    jobs.into_iter()
}

/// Whether a job is a run whose turn has not come.
pub fn is_queued(state: &State, job: &Job) -> bool {
    let is_there = job.run.is_some_and(|run| state.library.runs.contains_key(&run));
    job.kind == JobKind::Run && job.outcome.is_none() && !is_there
}

/// The line in the top bar: the present batch of runs if there is one, else other listed work.
pub fn jobs_summary(state: &State) -> JobsSummary {
    let active: Vec<(JobId, &Job)> =
        state.jobs.active().filter(|(_, job)| job.is_listed()).collect();
    let only = match active.as_slice() {
        [(id, _)] => Some(*id),
        _ => None,
    };
    let batch: Vec<&Job> = state.jobs.batch().collect();
    let failed =
        batch.iter().filter(|job| matches!(job.outcome, Some(JobOutcome::Failed(_)))).count();
    // A batch that is over does not hide what else is at work.
    let runs_active = batch.iter().any(|job| job.outcome.is_none());
    let shown = if runs_active { batch } else { active.iter().map(|(_, job)| *job).collect() };
    JobsSummary {
        label: label(&shown),
        active: active.len(),
        failed,
        fraction: fraction(&shown),
        only,
    }
}

fn label(jobs: &[&Job]) -> String {
    match jobs {
        [] => String::new(),
        [job] => job.label.clone(),
        jobs => {
            let ended = jobs.iter().filter(|job| job.outcome.is_some()).count();
            let runs = jobs.iter().all(|job| job.kind == JobKind::Run);
            format!("{ended} of {} {}", jobs.len(), if runs { "runs" } else { "jobs" })
        }
    }
}

fn fraction(jobs: &[&Job]) -> Option<f32> {
    let known: Vec<f32> = jobs
        .iter()
        .filter_map(|job| if job.outcome.is_some() { Some(1.0) } else { job.progress.fraction() })
        .collect();
    // Over all jobs: one that does not say how far it is counts as not begun.
    (!known.is_empty()).then(|| known.iter().sum::<f32>() / jobs.len() as f32)
}
