//! Making a labelling project of runs.

use std::path::Path;

use crate::agent::batch::seen_from;
use crate::evaluate::{ItemRun, LabelPlan, run_content};
use crate::label::{LabelledRun, WriterId};
use crate::workbench::protocol::ReportRun;
use crate::worker::shared::job_border::JobError;
use crate::worker::shared::work::MakeLabelsOrder;

use super::context::ComputeContext;

/// Reads what is in every run, as items are known by it, and writes the project at the end. A run that cannot be
/// read fails it: a project without it would not say so.
pub(super) fn make_labels(cx: &ComputeContext<'_>, order: MakeLabelsOrder) -> Result<(), JobError> {
    let MakeLabelsOrder { runs, plan, study, path } = order;
    let home = path.parent().unwrap_or_else(|| Path::new("."));
    let plan = LabelPlan {
        task_sets: plan.task_sets.iter().map(|dir| seen_from(home, Path::new(dir))).collect(),
        study: study.read().map_err(JobError::failed)?,
        ..*plan
    };
    plan.check().map_err(JobError::failed)?;
    let total = runs.len();
    let mut found = Vec::with_capacity(total);
    for (done, of) in runs.into_iter().enumerate() {
        cx.cancel.check()?;
        let message = format!("reading {}", of.manifest.task.id);
        cx.shared.mailbox.tell(cx.job, done, total, message);
        found.push(item_run(of, home)?);
    }
    let open_environment = &*cx.shared.open_environment;
    let planned = plan.all_items(&found, home, open_environment).map_err(JobError::failed)?;
    let id = format!("{:016x}{:016x}", random()?, random()?);
    cx.cancel.check()?;
    plan.write(&path, &planned, (id, WriterId(random()?))).map_err(JobError::failed)?;
    Ok(())
}

fn item_run(of: ReportRun, home: &Path) -> Result<ItemRun, JobError> {
    let content = run_content(&of.dir, &of.manifest).map_err(|error| {
        JobError::Failed(format!("{} cannot be read: {error}", of.dir.display()))
    })?;
    let run =
        LabelledRun { path: seen_from(home, &of.dir), content, model: of.manifest.agent.name };
    // Runs of a set that is open twice have another id there: the run's own is the one in its file.
    Ok(ItemRun { run, task_ref: of.manifest.task, task: of.task, steps: of.steps })
}

fn random() -> Result<u64, JobError> {
    getrandom::u64().map_err(JobError::failed)
}
