//! What is asked of the worker and not there yet, values that are derived aside.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::documents::Documents;
use super::jobs::JobId;
use super::library::RunId;
use super::protocol::MapKey;

/// What is asked of the worker and not there yet, and what was shown last; derived values have their
/// own ([`super::derived`]).
///
/// Only [`handle`](super::handle) and [`apply`](super::apply) look inside; the window sees the
/// effects through [`views`](super::views).
#[derive(Clone, Debug, Default)]
pub struct InFlight {
    /// Runs that were read and not let go, by when they were looked at, the last one last.
    pub(super) read: Vec<RunId>,
    /// Runs being read.
    pub(super) loads: BTreeMap<RunId, JobId>,
    /// Runs whose last score is still to be asked for.
    pub(super) finals_due: BTreeSet<RunId>,
    /// The step whose score and map came last: not asked for again.
    pub(super) step_scored: Option<MapKey>,
    /// Paths being opened.
    pub(super) opens: BTreeMap<JobId, Vec<PathBuf>>,
    /// Files being written.
    pub(super) saves: BTreeMap<JobId, PathBuf>,
    /// The models being set up.
    pub(super) models: Option<JobId>,
    /// The launched run that the worker tells all of.
    pub(super) watched: Option<RunId>,
    /// Runs being made.
    pub(super) launches: BTreeMap<JobId, RunId>,
    /// The launched run that comes on the stage as soon as it exists.
    pub(super) show_when_started: Option<RunId>,
    /// The documents last shown, with their run.
    pub(super) shown_documents: Option<(RunId, Arc<Documents>)>,
    /// The run to go to the last step of, once it is read and the last step is known.
    pub(super) to_last_of: Option<RunId>,
    /// The number the next notice gets.
    pub(super) next_notice: u64,
}
