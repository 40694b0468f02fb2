//! Making a labelling project of runs.

use std::path::Path;

use crate::agent::batch::seen_from;
use crate::evaluate::{ItemRun, propose, run_content};
use crate::label::{LabelledRun, Proposals, WriterId};
use crate::store::labels::LabelFile;
use crate::workbench::protocol::ReportRun;
use crate::workbench::{Event, Progress};
use crate::worker::shared::job_border::JobError;
use crate::worker::shared::work::MakeLabelsOrder;

use super::context::ComputeContext;

/// Reads what is in every run, as items are known by it, and writes the project at the end. A run that cannot be
/// read fails it: a project without it would not say so.
pub(super) fn make_labels(
    cx: &ComputeContext<'_>,
    order: &MakeLabelsOrder,
) -> Result<(), JobError> {
    order.plan.check().map_err(JobError::failed)?;
    let home = order.path.parent().unwrap_or_else(|| Path::new("."));
    let mut found = Vec::with_capacity(order.runs.len());
    for (done, of) in (0u64..).zip(&order.runs) {
        cx.cancel.check()?;
        let message = format!("reading {}", of.manifest.task.id);
        let progress = Progress { done, total: order.runs.len() as u64, message };
        cx.shared.mailbox.send(Event::Progress(cx.job, progress));
        found.push(item_run(of, home)?);
    }
    let (mut items, _copies) = order.plan.items(&found).map_err(JobError::failed)?;
    if order.plan.queue.proposals != Proposals::Never {
        propose(&mut items, &order.plan.forms, home);
    }
    order.plan.ask_again(&mut items).map_err(JobError::failed)?;
    let mut project = order.plan.project(format!("{:016x}{:016x}", random()?, random()?));
    for dir in &mut project.task_sets {
        *dir = seen_from(home, Path::new(dir));
    }
    cx.cancel.check()?;
    let (forms, pictures) = (order.plan.all_forms(), order.plan.study_pictures());
    let of = (forms.as_slice(), items.as_slice());
    LabelFile::create_study(&order.path, &project, of, pictures, WriterId(random()?))
        .map_err(JobError::failed)?;
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
