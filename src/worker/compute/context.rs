//! Where a job computes.

use crate::base::CancelToken;
use crate::workbench::JobId;
use crate::worker::shared::Shared;

use super::sessions::Sessions;

/// Where a job computes: what all threads share, and what this one keeps.
pub(in crate::worker) struct ComputeContext<'a> {
    pub(in crate::worker) shared: &'a Shared,
    pub(in crate::worker) sessions: &'a mut Sessions,
    pub(in crate::worker) job: JobId,
    pub(in crate::worker) cancel: &'a CancelToken,
}
