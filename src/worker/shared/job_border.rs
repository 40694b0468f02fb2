//! The border of a job: whatever happens inside, it ends once.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::base::{CancelToken, Cancelled, replace_file};
use crate::workbench::{Event, JobId, JobOutcome};
use crate::worker::shared::Shared;

/// Replaces a file, and says which where that fails.
pub(in crate::worker) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    replace_file(path, bytes)
        .map_err(|error| JobError::Failed(format!("{} cannot be written: {error}", path.display())))
}

/// Why a job did not do what it should.
#[derive(Debug, thiserror::Error)]
pub(in crate::worker) enum JobError {
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// It could not go on: for people.
    #[error("{0}")]
    Failed(String),
}

impl JobError {
    /// Any error, in its own words.
    pub(in crate::worker) fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// What it is made of is not there any more.
    pub(in crate::worker) fn not_read() -> Self {
        Self::Failed("the run is not read: select it again".to_owned())
    }
}

/// Does the work of a job and ends the job, once: with what the work gives, with `Cancelled` if that
/// was asked for before it began, or with what it panicked with.
pub(in crate::worker) fn run_job(
    shared: &Shared,
    job: JobId,
    work: impl FnOnce(&CancelToken) -> Result<(), JobError>,
) {
    let token = shared.jobs.token(job);
    // What the work shares with others is behind locks that recover, or is thrown away with it.
    let done = catch_unwind(AssertUnwindSafe(|| {
        token.check()?;
        work(&token)
    }));
    let outcome = match done {
        Ok(Ok(())) => JobOutcome::Done,
        Ok(Err(JobError::Cancelled(_))) => JobOutcome::Cancelled,
        Ok(Err(JobError::Failed(why))) => JobOutcome::Failed(why),
        Err(panic) => JobOutcome::Failed(panic_text(&*panic)),
    };
    end_job(shared, job, outcome);
}

/// Ends a job. The end of a run must not wait for the window, and there is one a job.
pub(in crate::worker) fn end_job(shared: &Shared, job: JobId, outcome: JobOutcome) {
    shared.jobs.forget(job);
    shared.mailbox.send_now(Event::JobEnded(job, outcome));
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("this is a fault of the program, please report it: {text}")
}
