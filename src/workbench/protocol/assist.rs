//! What somebody who designs by hand can do, and what is asked and heard of the thread that keeps it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::design::Document;
use crate::editor::{Act, EditStep};
use crate::render::RenderContext;
use crate::run::Run;
use crate::task::Task;
use crate::workbench::model::{AssistStart, StudyStart};

use super::study::StudyCommand;

/// Something that is done where people design.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistCommand {
    /// Begin with this.
    Open(AssistStart),
    /// Leave the design; what was done is kept.
    Close,
    /// Do something to the design.
    Act(Box<Act>),
    /// Draw so many pixels a unit of the page, 1..=4.
    Scale(u8),
    /// Take part in a study, lead one, or practise.
    Study(StudyCommand),
}

/// What the thread that keeps designs is asked.
#[derive(Clone, Debug)]
pub enum HandsOrder {
    /// Open a design.
    Open(Box<HandsStart>),
    /// Keep a step.
    Record {
        /// Of which desk.
        desk: u64,
        /// What was done.
        step: Box<EditStep>,
    },
    /// Nothing more comes of this desk.
    Close(u64),
}

/// What is opened, and where what is done goes.
#[derive(Clone, Debug)]
pub struct HandsStart {
    /// The number of the desk.
    pub desk: u64,
    /// What it begins with.
    pub start: AssistStart,
    /// The task, of a start that has one.
    pub task: Option<Arc<Task>>,
    /// Where its set lies, if it lies anywhere.
    pub set_dir: Option<PathBuf>,
    /// The run that is gone on with.
    pub run: Option<Arc<Run>>,
    /// The folder of runs.
    pub out_dir: PathBuf,
    /// What is begun with as a study or practice says, in the place of what the task says.
    pub study: Option<StudyStart>,
}

/// What that thread says.
#[derive(Clone, Debug)]
pub enum HandsNews {
    /// A design was opened, or not.
    Opened {
        /// For which desk.
        desk: u64,
        /// The design, or why not.
        result: Result<Box<OpenedDesign>, String>,
    },
    /// A step was kept, or not.
    Recorded {
        /// Of which desk.
        desk: u64,
        /// The step's number.
        step: u64,
        /// The run's folder, or why not.
        result: Result<PathBuf, String>,
    },
}

/// A design that was opened.
#[derive(Clone, Debug)]
pub struct OpenedDesign {
    /// What it is called.
    pub title: String,
    /// What is to be done, in words.
    pub instruction: Option<String>,
    /// What is to come of it, if that is known.
    pub goal: Option<Arc<Document>>,
    /// The design.
    pub document: Document,
    /// What it is measured and drawn with.
    pub render: RenderContext,
}
