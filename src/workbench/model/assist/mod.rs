//! Where people design by hand, with an assistant at the side.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{Rect, Size};
use crate::design::Document;
use crate::editor::Editor;
use crate::render::RenderContext;
use crate::run::TaskRef;

mod study;
mod suggestions;

pub use study::{
    AnswerDraft, NewStudy, OpenedTask, PracticeCheck, PracticeDesk, Sitting, StudyDesk,
    StudyFindings, StudyRoom, StudyStart, TrialDesk, TrialPhase, TrialPlace,
};
pub use suggestions::SuggestionLog;

use super::ids::RunId;
use super::values::{DesignInput, DesignPictureKey};

/// What the room shows.
#[derive(Clone, Debug, Default)]
pub struct Assist {
    /// The design that is worked on.
    pub desk: Option<Box<AssistDesk>>,
    /// What is being opened.
    pub opening: Option<AssistStart>,
    /// Why the last one could not be opened.
    pub problem: Option<String>,
    /// How many were opened.
    pub(in crate::workbench) desks: u64,
    /// Studies, and practice.
    pub study: StudyRoom,
}

/// What somebody begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistStart {
    /// A task.
    Task(TaskRef),
    /// An empty frame.
    Blank(Size),
    /// A run, behind this step.
    Run(RunId, u32),
    /// A design in a file.
    File(PathBuf),
}

/// A design that is worked on.
#[derive(Clone, Debug)]
pub struct AssistDesk {
    /// Its number in this session: the next one that is opened has another.
    pub number: u64,
    /// What it is called.
    pub title: String,
    /// What it began with.
    pub start: AssistStart,
    /// What is to be done, in words.
    pub instruction: Option<String>,
    /// What is to come of it, if that is known.
    pub goal: Option<Arc<Document>>,
    /// The design, its history and what is selected.
    pub editor: Editor,
    /// What it is measured and drawn with.
    pub render: RenderContext,
    /// How many pixels of the picture a unit of the page has, 1..=4.
    pub scale: u8,
    /// Whether it is kept on disk.
    pub recording: Recording,
}

/// Whether what is done is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Recording {
    /// Nothing was to be kept so far.
    #[default]
    Empty,
    /// All steps up to this one are in this folder.
    Kept {
        /// The last step that is.
        step: u64,
        /// The run's folder.
        dir: PathBuf,
    },
    /// It is not, for this reason.
    Failing(String),
}

impl AssistDesk {
    /// The box of the screen on its page: what the picture shows.
    pub fn screen(&self) -> Rect {
        let document = self.editor.shown();
        let frame = document.main_frame().and_then(|frame| document.absolute_box(&frame.id).ok());
        frame.unwrap_or_default()
    }

    /// Which picture shows it as it is.
    pub fn picture_key(&self) -> DesignPictureKey {
        let revision = self.editor.revision();
        DesignPictureKey { desk: self.number, revision, scale: self.scale }
    }

    /// What that is made of.
    pub(in crate::workbench) fn picture_input(&self) -> DesignInput {
        DesignInput { document: self.editor.shown().clone(), render: self.render.clone() }
    }
}
