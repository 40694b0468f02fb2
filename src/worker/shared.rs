//! What the threads share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::agent::OpenAgent;
use crate::base::CancelToken;
use crate::environment::OpenEnvironment;
use crate::evaluate::ComparedTasks;
use crate::render::RenderContext;
use crate::workbench::JobId;

use super::compute::ComputeJob;
use super::live::LiveRuns;
use super::mailbox::Mailbox;
use super::outline::{Pairings, TaskDesigns};
use super::picture_files::PictureFiles;
use super::queue::Queue;
use super::scorers::Scorers;

/// What the threads share.
pub(super) struct Shared {
    pub(super) mailbox: Mailbox,
    pub(super) jobs: JobTable,
    pub(super) compute_jobs: Queue<ComputeJob>,
    pub(super) picture_files: PictureFiles,
    pub(super) task_designs: TaskDesigns,
    pub(super) compared_tasks: ComparedTasks,
    pub(super) scorers: Scorers,
    pub(super) pairings: Pairings,
    pub(super) live: LiveRuns,
    pub(super) open_environment: Box<OpenEnvironment>,
    pub(super) render: RenderContext,
    pub(super) open_agent: Box<OpenAgent>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// The cancel tokens of jobs that have not ended.
#[derive(Debug, Default)]
pub(super) struct JobTable(Mutex<BTreeMap<JobId, CancelToken>>);

impl JobTable {
    /// Enters a job, before any thread hears of it, so that a cancel always finds it.
    pub(super) fn enter(&self, job: JobId) {
        self.lock().insert(job, CancelToken::new());
    }

    /// The same with a token of its own.
    pub(super) fn enter_with(&self, job: JobId, token: CancelToken) {
        self.lock().insert(job, token);
    }

    /// Pauses a job, or lets it go on; one that has ended does neither.
    pub(super) fn set_paused(&self, job: JobId, paused: bool) {
        let Some(token) = self.lock().get(&job).cloned() else { return };
        if paused { token.pause() } else { token.resume() }
    }

    /// The token of a job.
    pub(super) fn token(&self, job: JobId) -> CancelToken {
        self.lock().entry(job).or_default().clone()
    }

    /// Asks a job to stop; one that has ended has nothing to stop.
    pub(super) fn cancel(&self, job: JobId) {
        if let Some(token) = self.lock().get(&job) {
            token.cancel();
        }
    }

    /// Asks a run to stop when the turn it is at is recorded.
    pub(super) fn stop_after_turn(&self, job: JobId) {
        let token = self.lock().get(&job).cloned();
        if let Some(token) = token {
            token.stop_after_turn();
        }
    }

    /// Asks every job to stop.
    pub(super) fn cancel_all(&self) {
        self.lock().values().for_each(CancelToken::cancel);
    }

    /// The job has ended.
    pub(super) fn forget(&self, job: JobId) {
        self.lock().remove(&job);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<JobId, CancelToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
