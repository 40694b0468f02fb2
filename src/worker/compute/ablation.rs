//! A tool left out of a run, for what tools brought in many of them.

use crate::evaluate::what_if::{
    ABLATION_RESAMPLES, AblatedRun, Base, EndScores, Grouping, ablate_tools, groups_of,
    leave_one_out,
};
use crate::evaluate::{Condition, has_come_to_end};
use crate::metric::stats::BootstrapPlan;
use crate::run::reader;
use crate::workbench::{AblatedInput, Ablation};
use crate::worker::shared::job_border::JobError;

use super::context::ComputeContext;
use super::pictures::compared_task_of;

/// Makes a run once more without each of its tools, and scores its ends.
pub(super) fn leave_tools_out(
    cx: &ComputeContext<'_>,
    input: &AblatedInput,
    variant: &str,
) -> Result<AblatedRun, JobError> {
    let shared = cx.shared;
    let task = input.task.as_ref().ok_or_else(|| JobError::failed("its task set is not open"))?;
    let compared = compared_task_of(shared, task)?;
    let compared = compared.ok_or_else(|| JobError::failed("the task has no ground truth"))?;
    let run = reader::open(&input.dir).map_err(JobError::failed)?;
    // As in the tables: where it stands is no result, and what a tool brought to it is none either.
    if !has_come_to_end(&run.manifest) {
        return Err(JobError::failed("it did not come to its end"));
    }
    let open_environment = &*shared.open_environment;
    let base = Base::of_run(&run, open_environment, cx.cancel)?;
    let groups = groups_of(&base, Grouping::Tool);
    let by = shared.scorers.current();
    let variants = [variant];
    let scores = EndScores { scorer: &by.scorer, task: &compared, variants: &variants };
    let left_out = leave_one_out(&base, &groups, &scores, open_environment, cx.cancel, &|_, _| ())?;
    Ok(AblatedRun {
        condition: Condition::of(&run.manifest).0,
        task: run.manifest.task,
        agent: run.manifest.agent.name,
        variant: variant.to_owned(),
        left_out,
    })
}

/// What tools brought to these runs; the others say why they are none of them.
pub(super) fn ablation_of(runs: &[AblatedRun], left_out: Vec<String>) -> Ablation {
    let plan = BootstrapPlan { resamples: ABLATION_RESAMPLES, ..BootstrapPlan::default() };
    Ablation { effects: ablate_tools(runs, &plan), runs: runs.len(), left_out }
}
