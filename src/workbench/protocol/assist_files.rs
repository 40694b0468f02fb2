//! What is done with files, versions and runs of designs.

use std::path::PathBuf;

use crate::design::{Document, NodeId};
use crate::render::RenderContext;
use crate::workbench::model::ExportFormat;

/// Something that is done with files, versions and runs of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesCommand {
    /// Write the design, or what is selected, to a file; as Figma JSON all of it, however much is selected.
    Write {
        /// As what.
        format: ExportFormat,
        /// Where.
        path: PathBuf,
    },
    /// Write what is selected, or the screen, into a folder, as the export settings of each layer say.
    ExportLayers(PathBuf),
    /// Ask for the name of a version, with this as far as it is typed; `None`: ask no more.
    AskName(Option<String>),
    /// Give the design as it is now a name.
    NameVersion(String),
    /// Look at a version, by its place; `None`: at the design.
    View(Option<usize>),
    /// Make the design what the version was that is looked at, as one step.
    Restore,
    /// Go on by hand with the run on the stage, behind the step that is shown.
    ContinueByHand,
    /// Give the design to an agent to go on with.
    HandBack,
}

/// A design that is to be written to a file of its own.
#[derive(Clone, Debug)]
pub struct WriteDesign {
    /// Where.
    pub path: PathBuf,
    /// As what.
    pub format: ExportFormat,
    /// The design.
    pub document: Document,
    /// Which node of it, or page; `None`: all of it.
    pub node: Option<NodeId>,
}

/// Layers that are to be written, each as its export settings say.
#[derive(Clone, Debug)]
pub struct LayersOrder {
    /// The design.
    pub document: Document,
    /// What it is drawn with.
    pub render: RenderContext,
    /// Which of its layers.
    pub layers: Vec<NodeId>,
    /// Where the files go. What is there is left as it is.
    pub folder: PathBuf,
}
