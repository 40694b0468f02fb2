//! What a value is made of, and how soon it is wanted.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::alignment::RunTrace;
use crate::metric::ScalarMap;
use crate::run::{Manifest, Run};
use crate::task::Task;
use crate::workbench::model::annotate::{ItemInput, LabelsInput};
use crate::workbench::model::explore::DigestInput;
use crate::workbench::model::heat_scale::HeatScale;
use crate::workbench::model::what_if::BranchInput;

use super::stage_pixels::StagePixels;

/// How soon a value is wanted; soonest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// On the stage now.
    Stage,
    /// On the stage in a moment, by a step forward or back.
    Ahead,
    /// In the table of scores now.
    Table,
    /// On the timeline now.
    Timeline,
    /// The rest of a curve.
    Curve,
    /// For the library.
    Library,
    /// For the lines in the library, which are worth looking at and nothing more.
    Sketch,
}

impl Urgency {
    /// All, soonest first.
    pub const ALL: [Self; 7] = [
        Self::Stage,
        Self::Ahead,
        Self::Table,
        Self::Timeline,
        Self::Curve,
        Self::Library,
        Self::Sketch,
    ];
}

/// What a value is made of.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The task it belongs to.
    pub task: Option<Arc<Task>>,
    /// The run it belongs to.
    pub run: Option<RunInput>,
    /// The item of a labelling project it belongs to.
    pub item: Option<Arc<ItemInput>>,
    /// The pictures it compares, the ground truth first.
    pub pictures: Option<[StagePixels; 2]>,
    /// The labelling project it is of.
    pub labels: Option<Arc<LabelsInput>>,
    /// The map it is of.
    pub map: Option<MapInput>,
    /// What the runs it compares are aligned by.
    pub traces: Vec<Arc<RunTrace>>,
    /// Runs whose events are to be read.
    pub unread: DigestInput,
    /// The other calls that are made of the run or the task.
    pub branch: Option<Arc<BranchInput>>,
}

/// A map and what its values mean.
#[derive(Clone, Debug)]
pub struct MapInput {
    /// The map.
    pub map: Arc<ScalarMap>,
    /// What its values mean.
    pub scale: HeatScale,
}

/// A run as a value is made of it.
#[derive(Clone, Debug)]
pub enum RunInput {
    /// All of it.
    Loaded(Arc<Run>),
    /// Still to be read.
    Unread {
        /// Its folder.
        dir: PathBuf,
        /// Its manifest, as listed.
        manifest: Box<Manifest>,
    },
}

impl Inputs {
    /// The run, where all of it is known.
    pub fn loaded(&self) -> Option<&Arc<Run>> {
        match &self.run {
            Some(RunInput::Loaded(run)) => Some(run),
            Some(RunInput::Unread { .. }) | None => None,
        }
    }
}
