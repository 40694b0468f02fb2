//! Pictures: on the stage, around the step, in the filmstrip.

use std::path::Path;
use std::sync::Arc;

use crate::base::Rect;
use crate::run::TaskRef;
use crate::workbench::model::documents::Documents;
use crate::workbench::model::ids::EvidenceKey;
use crate::workbench::model::ids::RunId;
use crate::workbench::model::what_if::{BranchKey, WhatIfSubject};

use super::resource::ResourceKey;
use super::stage_pixels::{Reduced, StagePixels};

/// Most bytes of decoded pictures kept. What is on the stage stays even beyond it.
pub const PICTURE_CACHE_BYTES: usize = 256 << 20;

/// A picture the stage or the timeline can show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PictureKey {
    /// A task's start state.
    Start(TaskRef),
    /// A task's ground truth.
    GroundTruth(TaskRef),
    /// The ground truth of an item of a labelling project.
    ItemTruth(EvidenceKey),
    /// A candidate of a query of a labelling project, by its place in the item.
    Candidate(EvidenceKey, u8),
    /// The canvas of a run after a step; 0 is the start state.
    Step(RunId, u32),
    /// A small picture of the same, at most 96 pixels a side, for the filmstrip.
    Thumbnail(RunId, u32),
    /// The document of one of a run's programs after a step; the program by its place among them.
    Document(RunId, u32, u8),
    /// A picture file.
    File(Arc<Path>),
    /// What a run with other calls looks like after so many of them.
    Branch(BranchKey, u32),
}

impl PictureKey {
    /// Whether it is of an item of a labelling project.
    pub(in crate::workbench) fn is_labelled(&self) -> bool {
        matches!(self, Self::ItemTruth(_) | Self::Candidate(..))
            || self.run().is_some_and(|run| run.as_of_item().is_some())
    }

    /// The run it belongs to, if it belongs to one.
    pub fn run(&self) -> Option<RunId> {
        match self {
            Self::Step(run, _) | Self::Thumbnail(run, _) | Self::Document(run, ..) => Some(*run),
            Self::Branch(branch, _) => match branch.subject {
                WhatIfSubject::Run(run) => Some(run),
                WhatIfSubject::Task(_) => None,
            },
            Self::Start(_)
            | Self::GroundTruth(_)
            | Self::ItemTruth(_)
            | Self::Candidate(..)
            | Self::File(_) => None,
        }
    }
}

/// A picture with what lies where in it.
#[derive(Clone, Debug)]
pub struct StagePicture {
    /// The picture.
    pub pixels: StagePixels,
    /// Of a large picture smaller ones, the largest first: the window shows it small, and has not to
    /// shrink it in a frame. All are smaller than the overview of one that is packed.
    pub reduced: Arc<[Reduced]>,
    /// Nodes in paint order with their boxes in pixels of the picture; empty where unknown.
    pub nodes: Arc<[NodeBox]>,
    /// What could not be drawn.
    pub diagnostics: Vec<String>,
    /// With the picture of a step ([`PictureKey::Step`]): the documents there are after it, where
    /// the run's environment has several.
    pub documents: Option<Arc<Documents>>,
}

/// A node of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeBox {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its Figma type.
    pub kind: String,
    /// Where, in pixels of the picture.
    pub pixel_box: Rect,
}

impl ResourceKey for PictureKey {
    type Value = StagePicture;
    const BUDGET: usize = PICTURE_CACHE_BYTES;

    fn cost(picture: &StagePicture) -> usize {
        // What else comes with a picture is small beside its pixels.
        let reduced: usize = picture.reduced.iter().map(|it| it.pixels.rgba().len()).sum();
        picture.pixels.bytes() + reduced
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run() == Some(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        match self {
            Self::Start(task) | Self::GroundTruth(task) => task.set == set,
            Self::Branch(branch, _) => branch.is_of_set(set),
            Self::Step(..)
            | Self::Thumbnail(..)
            | Self::Document(..)
            | Self::ItemTruth(_)
            | Self::Candidate(..)
            | Self::File(_) => false,
        }
    }
}
