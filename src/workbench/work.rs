//! What is asked of the worker and not there yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::documents::Documents;
use super::jobs::JobId;
use super::library::RunId;
use super::outline::OutlineKey;
use super::protocol::{MapKey, PictureKey, VariantId};
use super::query::CheckKey;

/// What is asked of the worker and not there yet, and what was shown last.
///
/// Only [`handle`](super::handle) and [`apply`](super::apply) look inside; the window sees the
/// effects through [`views`](super::views).
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Pictures asked for, with the one job whose answer counts.
    pub(super) pictures: BTreeMap<PictureKey, JobId>,
    /// Outlines asked for, likewise.
    pub(super) outlines: BTreeMap<OutlineKey, JobId>,
    /// When each outline was last wanted, by the counter.
    pub(super) outline_last_wanted: BTreeMap<OutlineKey, u64>,
    /// The outline last shown; stays while the next one is made.
    pub(super) shown_outline: Option<OutlineKey>,
    /// The check asked for.
    pub(super) check: Option<(CheckKey, JobId)>,
    /// The check last shown; stays while the next one is made.
    pub(super) shown_check: Option<CheckKey>,
    /// Runs that were read and not let go, by when they were looked at, the last one last.
    pub(super) read: Vec<RunId>,
    /// Runs being read.
    pub(super) loads: BTreeMap<RunId, JobId>,
    /// The score and map of the step on the stage.
    pub(super) step_score: Option<ScoreWork>,
    /// The rest of the curve of the run on the stage.
    pub(super) curve: Option<ScoreWork>,
    /// The table of all variants.
    pub(super) table: Option<ScoreWork>,
    /// Last scores for the library.
    pub(super) finals: BTreeMap<JobId, RunId>,
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
    /// The reading of the launch dialog's file of models.
    pub(super) model_list: Option<JobId>,
    /// Reads the folder of pictures of the launch dialog.
    pub(super) picture_list: Option<JobId>,
    /// Runs being made.
    pub(super) launches: BTreeMap<JobId, RunId>,
    /// The launched run that comes on the stage as soon as it exists.
    pub(super) show_when_started: Option<RunId>,
    /// When each picture was last wanted, by a counter that only grows.
    pub(super) last_wanted: BTreeMap<PictureKey, u64>,
    /// The counter.
    pub(super) clock: u64,
    /// The picture last shown in the run's pane; stays while the next one loads.
    pub(super) shown_picture: Option<PictureKey>,
    /// The picture last shown of each program, by its place; stays likewise.
    pub(super) shown_programs: BTreeMap<u8, PictureKey>,
    /// The documents last shown, with their run.
    pub(super) shown_documents: Option<(RunId, Arc<Documents>)>,
    /// The map last shown in the heat pane.
    pub(super) shown_map: Option<MapKey>,
    /// When each map came or was last wanted, by the same counter.
    pub(super) map_last_wanted: BTreeMap<MapKey, u64>,
    /// The run to go to the last step of, once it is read and the last step is known.
    pub(super) to_last_of: Option<RunId>,
    /// The number the next notice gets.
    pub(super) next_notice: u64,
}

/// A scoring job under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScoreWork {
    /// The job.
    pub(super) job: JobId,
    /// Of which run.
    pub(super) run: RunId,
    /// Which steps were asked for.
    pub(super) steps: BTreeSet<u32>,
    /// By which variants.
    pub(super) variants: Vec<VariantId>,
}
