//! Writing runs as one HTML page.

use std::sync::Arc;

use crate::report::{Measuring, RunReport, page};
use crate::run::reader;
use crate::task::Task;
use crate::workbench::protocol::ReportRun;
use crate::worker::reading::as_listed;
use crate::worker::shared::job_border::{JobError, write_file};
use crate::worker::shared::work::ReportOrder;

use super::context::ComputeContext;
use super::exporting_runs::tell_left_out;

/// Gathers the runs one after another, as each holds its pictures, and writes the page at the end. Runs that cannot be
/// read are left out, which the page says and people are told.
pub(in crate::worker) fn report(
    cx: &mut ComputeContext<'_>,
    order: &ReportOrder,
) -> Result<(), JobError> {
    let by = cx.shared.scorers.current();
    let lead = by.scorer.registry().variant(&order.variant);
    let lead =
        lead.ok_or_else(|| JobError::Failed("the metric is not there any more".to_owned()))?;
    let open_environment = &*cx.shared.open_environment;
    let measuring = Measuring { scorer: &by.scorer, lead, others: Vec::new(), open_environment };
    let (mut reports, mut left_out) = (Vec::new(), Vec::new());
    for (done, of) in order.runs.iter().enumerate() {
        cx.cancel.check()?;
        let message = format!("{} of {}", of.manifest.agent.name, of.manifest.task.id);
        cx.shared.mailbox.tell(cx.job, done, order.runs.len(), message);
        match gather(cx, of, &measuring) {
            Ok(report) => reports.push(report),
            Err(JobError::Failed(why)) => left_out.push(why),
            Err(stopped) => return Err(stopped),
        }
    }
    // An older report is not replaced by an empty one.
    if reports.is_empty() {
        return Err(JobError::Failed(left_out.join("; ")));
    }
    write_file(&order.path, page(&reports, &order.command, &left_out).as_bytes())?;
    tell_left_out(cx, &left_out);
    Ok(())
}

fn gather(
    cx: &ComputeContext<'_>,
    of: &ReportRun,
    measuring: &Measuring<'_>,
) -> Result<RunReport, JobError> {
    let run = reader::open(&of.dir).map_err(|error| {
        JobError::Failed(format!("{} cannot be read: {error}", of.dir.display()))
    })?;
    let run = Arc::new(as_listed(run, &of.manifest));
    // As in the window: a run whose task set is not open has the query of its own plan.
    let task = of.task.clone().or_else(|| Task::of_plan(&run).map(Arc::new));
    Ok(RunReport::gather(run, task, &of.dir, measuring, cx.cancel)?)
}
