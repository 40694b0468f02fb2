//! Runs beside each other.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::evaluate::alignment::{self, Consensus, RunTrace, align};
use crate::run::Run;
use crate::task::Task;
use crate::workbench::{AlignedRuns, ConsensusKey, Inputs, LikeFirst, TraceKey};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

use super::context::ComputeContext;
use super::pictures::compared_task_of;

/// After so many steps it is told how far the run is.
const TOLD: usize = 16;

/// What a run is aligned by.
pub(super) fn trace(
    cx: &mut ComputeContext<'_>,
    key: TraceKey,
    (run, task): (&Arc<Run>, Option<&Arc<Task>>),
) -> Result<RunTrace, JobError> {
    let (shared, job, cancel) = (cx.shared, cx.job, cx.cancel);
    let total = run.steps.len();
    let passed = |done: usize| {
        if done.is_multiple_of(TOLD) {
            let message = format!("{done} of {total} steps");
            shared.mailbox.tell(job, done, total, message);
        }
    };
    let traced = cx
        .sessions
        .with(shared, key.run, run, task, |canvas| RunTrace::of(canvas, cancel, &passed));
    Ok(traced??)
}

/// Aligns runs.
pub(super) fn align_runs(inputs: &Inputs, cancel: &CancelToken) -> Result<AlignedRuns, JobError> {
    let traces: Vec<&RunTrace> = inputs.traces.iter().map(|trace| &**trace).collect();
    let alignment = align(&traces, cancel)?;
    let like_first = (0..traces.len()).map(|run| LikeFirst {
        calls: alignment.count_like_first(&traces, run, |likeness| likeness.call),
        effects: alignment.count_like_first(&traces, run, |likeness| likeness.effect),
        pictures: alignment.count_like_first(&traces, run, |likeness| likeness.picture),
    });
    let like_first = like_first.collect();
    Ok(AlignedRuns { alignment, like_first, traces: inputs.traces.clone() })
}

/// Holds what runs came to against the ground truth.
pub(super) fn consensus(
    shared: &Shared,
    key: &ConsensusKey,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<Consensus, JobError> {
    let Some(task) = &inputs.task else {
        return Err(JobError::failed("the task set of these runs is not open"));
    };
    let traces: Vec<&RunTrace> = inputs.traces.iter().map(|trace| &**trace).collect();
    let threshold = f32::from(key.threshold) / 100.0;
    match compared_task_of(shared, task).map_err(JobError::failed)? {
        Some(compared) => Ok(alignment::consensus(&traces, compared.truth(), threshold, cancel)?),
        None => Err(JobError::failed("the task has no ground truth")),
    }
}
