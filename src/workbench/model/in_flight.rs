//! What is asked of the worker and not there yet, values that are derived aside.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::VariantId;
use crate::label::{FormHash, ItemId};
use crate::run::TaskRef;

use super::documents::Documents;
use super::ids::{JobId, RunId};
use super::launch::LaunchDialog;
use super::saved_session::{SavedLabels, SavedSession};
use super::unread::UnreadRuns;
use super::values::MapKey;

/// What is asked of the worker and not there yet, what was shown last, and what is left of the last session; derived
/// values have their own ([`Derivations`](super::Derivations)).
///
/// Only the workbench looks inside: [`handle`](crate::workbench::handle) and [`apply`](crate::workbench::apply) change it,
/// and the window sees what follows from it through [`views`](crate::workbench::views).
#[derive(Clone, Debug, Default)]
pub struct InFlight {
    /// Runs that were read and not let go, by when they were looked at, the last one last.
    pub(in crate::workbench) read: Vec<RunId>,
    /// Runs whose calls are still to be read.
    pub(in crate::workbench) unread: UnreadRuns,
    /// Runs being read.
    pub(in crate::workbench) loads: BTreeMap<RunId, JobId>,
    /// Runs whose last score is still to be asked for.
    pub(in crate::workbench) finals_due: BTreeSet<RunId>,
    /// By which variants the library was filtered when runs were last queued for that.
    pub(in crate::workbench) filtered_by: Vec<VariantId>,
    /// What the table over all runs asked for when runs were last queued for that.
    pub(in crate::workbench) explored_by: BTreeSet<VariantId>,
    /// Most runs that were due at once since none was: what the progress of scoring is counted by.
    pub(in crate::workbench) finals_most: usize,
    /// Runs whose rows are in sight: scored before the others.
    pub(in crate::workbench) in_sight: Vec<RunId>,
    /// The step whose score and map came last: not asked for again.
    pub(in crate::workbench) step_scored: Option<MapKey>,
    /// Paths being opened, and whether they are to be among the recent ones.
    pub(in crate::workbench) opens: BTreeMap<JobId, (Vec<PathBuf>, Recents)>,
    /// The jobs that open again what was open before: stopping one loses nothing.
    pub(in crate::workbench) reopening: BTreeSet<JobId>,
    /// What the last session looked at, until all that it had open is open again.
    pub(in crate::workbench) restore: Option<SavedSession>,
    /// Whether what that was waits with something that is missing: what is on the stage, if anything, nobody chose.
    pub(in crate::workbench) stands_in: bool,
    /// Files being written, as people are told of them.
    pub(in crate::workbench) saves: BTreeMap<JobId, SavingFile>,
    /// The models being set up.
    pub(in crate::workbench) models: Option<JobId>,
    /// The launched runs that the worker tells all of.
    pub(in crate::workbench) watched: Vec<RunId>,
    /// The labelling project that the last session had open, until it is open again.
    pub(in crate::workbench) labels_again: Option<SavedLabels>,
    /// The number that what is written next gets.
    pub(in crate::workbench) next_written: u64,
    /// What was last said to lie on the desk.
    pub(in crate::workbench) on_desk: Option<(ItemId, FormHash)>,
    /// Runs being made.
    pub(in crate::workbench) launches: BTreeMap<JobId, RunId>,
    /// Launches of this session, with those of their jobs that are not over.
    pub(in crate::workbench) batches: Vec<Batch>,
    /// The launched run that comes on the stage as soon as it exists.
    pub(in crate::workbench) show_when_started: Option<RunId>,
    /// The documents last shown, with their run.
    pub(in crate::workbench) shown_documents: Option<(RunId, Arc<Documents>)>,
    /// The run to go to the last step of, once it is read and the last step is known.
    pub(in crate::workbench) to_last_of: Option<RunId>,
    /// The number the next notice gets.
    pub(in crate::workbench) next_notice: u64,
    /// How often what is there was compared with what is wanted: once a command, and once a drain of
    /// events.
    pub(in crate::workbench) reconciled: u64,
}

/// Whether opening something makes it one of the recent paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workbench) enum Recents {
    /// Somebody asked for it.
    Remember,
    /// It comes with the program or was open before.
    Leave,
}

/// One launch.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct Batch {
    /// What the dialog said.
    pub(in crate::workbench) launch: LaunchDialog,
    /// Its jobs that are not over, with their tasks.
    pub(in crate::workbench) jobs: BTreeMap<JobId, TaskRef>,
}

impl InFlight {
    /// Whether the run is being made here.
    pub(in crate::workbench) fn is_launched(&self, run: RunId) -> bool {
        self.launches.values().any(|launched| *launched == run)
    }
}

/// A file being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::workbench) struct SavingFile {
    /// What people are told of it.
    pub(in crate::workbench) file: String,
    /// The folder it lies in, to be shown afterwards; `None`: there is nothing to show.
    pub(in crate::workbench) folder: Option<PathBuf>,
}
