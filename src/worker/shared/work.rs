//! Work for the computing threads.

use std::path::PathBuf;

use crate::design::NodeId;
use crate::evaluate::{LabelPlan, StudySources};
use crate::workbench::protocol::{
    ExportFormat, LayersOrder, ReportRun, RunsOrder, SaveBranchOrder,
};
use crate::workbench::{DerivedKey, Inputs, PictureKey, VariantId};

/// Work for a computing thread.
#[expect(
    clippy::large_enum_variant,
    reason = "the large one is by far the most frequent, and would only be put behind a pointer"
)]
#[derive(Debug)]
pub(in crate::worker) enum ComputeJob {
    /// Make a value.
    Derive { key: DerivedKey, inputs: Inputs },
    /// Write a design to a file.
    Export(ExportOrder),
    /// Write runs as one page.
    Report(ReportOrder),
    /// Write runs as pictures, pages, animations or folders.
    ExportRuns(Box<RunsOrder>),
    /// Write layers of a design.
    ExportLayers(Box<LayersOrder>),
    /// Make a labelling project.
    MakeLabels(MakeLabelsOrder),
    /// Record a run with other calls.
    SaveBranch(Box<SaveBranchOrder>),
}

/// Of what a labelling project is made, and where.
#[derive(Debug)]
pub(in crate::worker) struct MakeLabelsOrder {
    pub(in crate::worker) runs: Vec<ReportRun>,
    pub(in crate::worker) plan: Box<LabelPlan>,
    pub(in crate::worker) study: Box<StudySources>,
    pub(in crate::worker) path: PathBuf,
}

/// What to report, by what, and where.
#[derive(Debug)]
pub(in crate::worker) struct ReportOrder {
    pub(in crate::worker) runs: Vec<ReportRun>,
    pub(in crate::worker) variant: VariantId,
    /// The command line that writes it without a window.
    pub(in crate::worker) command: String,
    pub(in crate::worker) path: PathBuf,
}

/// What to write, and of what it is made.
#[derive(Debug)]
pub(in crate::worker) struct ExportOrder {
    pub(in crate::worker) key: PictureKey,
    pub(in crate::worker) node: Option<NodeId>,
    pub(in crate::worker) format: ExportFormat,
    pub(in crate::worker) inputs: Inputs,
    pub(in crate::worker) path: PathBuf,
}
