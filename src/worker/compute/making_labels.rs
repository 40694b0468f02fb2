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
pub(super) fn make_labels(
    cx: &ComputeContext<'_>,
    order: &MakeLabelsOrder,
) -> Result<(), JobError> {
    let failed = |error: &dyn std::fmt::Display| JobError::Failed(error.to_string());
    let home = order.path.parent().unwrap_or_else(|| Path::new("."));
    let plan = LabelPlan {
        task_sets: order.plan.task_sets.iter().map(|dir| seen_from(home, Path::new(dir))).collect(),
        study: order.study.read().map_err(|error| failed(&error))?,
        ..(*order.plan).clone()
    };
    plan.check().map_err(|error| failed(&error))?;
    let mut found = Vec::with_capacity(order.runs.len());
    for (done, of) in order.runs.iter().enumerate() {
        cx.cancel.check()?;
        let message = format!("reading {}", of.manifest.task.id);
        cx.shared.mailbox.tell(cx.job, done, order.runs.len(), message);
        found.push(item_run(of, home)?);
    }
    let open_environment = &*cx.shared.open_environment;
    let planned = plan.all_items(&found, home, open_environment).map_err(|error| failed(&error))?;
    let id = format!("{:016x}{:016x}", random()?, random()?);
    cx.cancel.check()?;
    plan.write(&order.path, &planned, (id, WriterId(random()?))).map_err(|error| failed(&error))?;
    Ok(())
}

fn item_run(of: &ReportRun, home: &Path) -> Result<ItemRun, JobError> {
    let content = run_content(&of.dir, &of.manifest).map_err(|error| {
        JobError::Failed(format!("{} cannot be read: {error}", of.dir.display()))
    })?;
    let run = LabelledRun {
        path: seen_from(home, &of.dir),
        content,
        model: of.manifest.agent.name.clone(),
    };
    // Runs of a set that is open twice have another id there: the run's own is the one in its file.
    let task_ref = of.manifest.task.clone();
    Ok(ItemRun { run, task_ref, task: of.task.clone(), steps: of.steps })
}

fn random() -> Result<u64, JobError> {
    getrandom::u64().map_err(JobError::failed)
}
