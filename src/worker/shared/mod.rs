//! What the threads share, and the border of their jobs.
//!
//! Begin with [`Shared`]. Nothing here computes: it is queues, the mailbox and what is kept between jobs,
//! each behind a lock of its own.

pub(in crate::worker) mod job_border;
pub(in crate::worker) mod labelled_tasks;
pub(in crate::worker) mod live;
pub(in crate::worker) mod mailbox;
pub(in crate::worker) mod queue;
pub(in crate::worker) mod recently_used;
pub(in crate::worker) mod scorers;
pub(in crate::worker) mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::agent::{CpuPool, OpenAgent};
use crate::base::{CancelToken, Variables};
use crate::environment::OpenEnvironment;
use crate::evaluate::what_if::Base;
use crate::evaluate::{ComparedTasks, ToolNames};
use crate::export::missing_letters_words;
use crate::render::RenderContext;
use crate::run::Run;
use crate::workbench::{Event, JobId};

use labelled_tasks::LabelledTasks;
use live::LiveRuns;
use mailbox::Mailbox;
use queue::Queue;
use recently_used::{DesignFile, DesignPair, PictureFile, RecentlyUsed};
use scorers::Scorers;
use work::ComputeJob;

/// What the threads share.
pub(in crate::worker) struct Shared {
    pub(in crate::worker) mailbox: Mailbox,
    pub(in crate::worker) jobs: JobTable,
    pub(in crate::worker) compute_jobs: Queue<ComputeJob>,
    pub(in crate::worker) picture_files: RecentlyUsed<PictureFile>,
    pub(in crate::worker) design_files: RecentlyUsed<DesignFile>,
    pub(in crate::worker) compared_tasks: ComparedTasks,
    pub(in crate::worker) tool_names: Mutex<ToolNames>,
    pub(in crate::worker) scorers: Scorers,
    pub(in crate::worker) pairings: RecentlyUsed<DesignPair>,
    pub(in crate::worker) labelled_tasks: Mutex<LabelledTasks>,
    /// Runs that were made once more, the last used at the end.
    pub(in crate::worker) bases: Mutex<Vec<(Arc<Run>, Arc<Base>)>>,
    pub(in crate::worker) live: LiveRuns,
    pub(in crate::worker) open_environment: Box<OpenEnvironment>,
    pub(in crate::worker) render: RenderContext,
    /// What pages and figures for people are drawn with.
    pub(in crate::worker) page_render: RenderContext,
    pub(in crate::worker) open_agent: Box<OpenAgent>,
    /// Where all runs do their own work.
    pub(in crate::worker) cpu: CpuPool,
    /// Where models have their keys.
    pub(in crate::worker) variables: Variables,
}

impl Shared {
    /// Warns of letters in what is written that no font has, if there are any.
    pub(in crate::worker) fn warn_of_missing(&self, letters: &[char]) {
        if let Some(message) = missing_letters_words(letters) {
            self.mailbox.send(Event::Warned { message });
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// Whether it is news why something fails, which is then kept as what was told last.
pub(in crate::worker) fn is_news(told: &mut Option<String>, why: &str) -> bool {
    let is_news = told.as_deref() != Some(why);
    if is_news {
        *told = Some(why.to_owned());
    }
    is_news
}

/// The cancel tokens of jobs that have not ended.
#[derive(Debug, Default)]
pub(in crate::worker) struct JobTable(Mutex<BTreeMap<JobId, CancelToken>>);

impl JobTable {
    /// Enters a job, before any thread hears of it, so that a cancel always finds it.
    pub(in crate::worker) fn enter(&self, job: JobId) {
        self.enter_with(job, CancelToken::new());
    }

    /// The same with a token of its own.
    pub(in crate::worker) fn enter_with(&self, job: JobId, token: CancelToken) {
        self.0.lock().insert(job, token);
    }

    /// Pauses a job, or lets it go on; one that has ended does neither.
    pub(in crate::worker) fn set_paused(&self, job: JobId, paused: bool) {
        let Some(token) = self.known(job) else { return };
        if paused { token.pause() } else { token.resume() }
    }

    /// The token of a job.
    pub(in crate::worker) fn token(&self, job: JobId) -> CancelToken {
        // One that has ended has no token: its work goes on under one that nobody raises.
        self.known(job).unwrap_or_default()
    }

    /// Asks a job to stop; one that has ended has nothing to stop.
    pub(in crate::worker) fn cancel(&self, job: JobId) {
        if let Some(token) = self.known(job) {
            token.cancel();
        }
    }

    /// Asks a run to stop when the turn it is at is recorded.
    pub(in crate::worker) fn stop_after_turn(&self, job: JobId) {
        if let Some(token) = self.known(job) {
            token.stop_after_turn();
        }
    }

    /// Asks every job to stop.
    pub(in crate::worker) fn cancel_all(&self) {
        self.0.lock().values().for_each(CancelToken::cancel);
    }

    /// The job has ended.
    pub(in crate::worker) fn forget(&self, job: JobId) {
        self.0.lock().remove(&job);
    }

    /// The token of a job that has not ended. It is raised outside the table's lock, which is held for
    /// a look-up only.
    fn known(&self, job: JobId) -> Option<CancelToken> {
        self.0.lock().get(&job).cloned()
    }
}
