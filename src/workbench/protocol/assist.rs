//! What somebody who designs by hand can do, and what is asked and heard of the thread that keeps it.

use std::path::PathBuf;
use std::sync::Arc;

use super::assist_files::{FilesCommand, WriteDesign};
use super::assistant::{AssistantCommand, AssistantNews};
use super::canvas::CanvasCommand;
use super::clipboard::{ClipboardCommand, CopyNews, CopyOrder};
use super::study::StudyCommand;
use crate::agent::assistant::AssistEvent;
use crate::agent::runner::StartRun;
use crate::base::Point;
use crate::design::Document;
use crate::editor::{Act, EditStep, PlacedPicture};
use crate::render::RenderContext;
use crate::run::{Manifest, Outcome, Run};
use crate::task::{DesignBrief, Task};
use crate::workbench::model::{
    AssistStart, BriefPlanner, BriefStart, CommentCommand, Comments, DesignGoal, DesignVersion,
    LookCommand, PagePart, PendingOffer, StudyStart,
};

/// Something that is done where people design.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistCommand {
    /// Begin with this.
    Open(AssistStart),
    /// Leave the design; what was done is kept.
    Close,
    /// Do something to the design.
    Act(Box<Act>),
    /// What is done with files, versions and runs.
    Files(FilesCommand),
    /// Draw so many pixels a unit of the page, 1..=4, of a large page this part.
    Draw(u8, Option<PagePart>),
    /// Copy or paste.
    Clipboard(ClipboardCommand),
    /// Do something to the canvas.
    Canvas(CanvasCommand),
    /// Look at the canvas in another way.
    Look(LookCommand),
    /// Say something about a node.
    Comment(CommentCommand),
    /// Put the pictures of files onto the page, the first around this place.
    PlacePictures(Vec<PathBuf>, Point),
    /// Ask something of the assistant.
    Assistant(AssistantCommand),
    /// Take part in a study, lead one, or practise.
    Study(StudyCommand),
    /// Have a brief planned, or take the plan's design over.
    Brief(BriefCommand),
}

/// What is done with a brief that somebody typed; [`AssistStart::Brief`] begins with an empty page for it.
#[derive(Clone, Debug, PartialEq)]
pub enum BriefCommand {
    /// Have it planned by a run in the background.
    Plan(BriefStart, BriefPlanner),
    /// Begin with the design of the plan that is ready.
    TakeOver,
    /// Put a plan away that is not being made any more; its run stays in the library.
    Discard,
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
    /// Keep the steps of the burst that went on at this desk: nothing more comes of it.
    EndBurst(u64),
    /// Give what is there now a name.
    NameVersion {
        /// Of which desk.
        desk: u64,
        /// Which.
        name: String,
    },
    /// Have all of it on disk, for an agent to go on with.
    HandOver(u64),
    /// Write a design to a file of its own.
    Write(Box<WriteDesign>),
    /// Nothing more comes of this desk.
    Close {
        /// Which.
        desk: u64,
        /// What its run says of how it came out; `None`: it is gone on with another time.
        outcome: Option<Outcome>,
    },
    /// Write layers as something that other programs read.
    Copy(Box<CopyOrder>),
    /// Read a picture that is to be placed.
    ReadPicture {
        /// For which desk.
        desk: u64,
        /// The file.
        path: PathBuf,
        /// Where it goes: its middle, on the page.
        at: Point,
    },
    /// Keep what was said about nodes, all of it.
    Comments {
        /// Of which desk.
        desk: u64,
        /// What was said.
        comments: Box<Comments>,
    },
    /// Keep what happened between the person and the assistant.
    Assist {
        /// Of which desk.
        desk: u64,
        /// What did, oldest first.
        events: Vec<AssistEvent>,
    },
    /// Keep the offer that nobody decided of yet in the place of the one before.
    Offer {
        /// Of which desk.
        desk: u64,
        /// The offer; `None`: there is none.
        offer: Option<Arc<PendingOffer>>,
    },
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
    /// That run's folder.
    pub run_dir: Option<PathBuf>,
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
    /// Layers were written as something that other programs read, or not.
    Copied(CopyNews),
    /// A step was kept, or not.
    Recorded {
        /// Of which desk.
        desk: u64,
        /// The step's number.
        step: u64,
        /// The run's folder, or why not.
        result: Result<PathBuf, String>,
    },
    /// A picture that is to be placed was read, or not.
    PictureRead {
        /// For which desk.
        desk: u64,
        /// Where it goes: its middle, on the page.
        at: Point,
        /// The picture, or why there is none.
        result: Result<PlacedPicture, String>,
    },
    /// Something is heard of a model in the assistant's place.
    Assistant(AssistantNews),
    /// A version got its name.
    Version {
        /// Of which desk.
        desk: u64,
        /// The version.
        version: DesignVersion,
    },
    /// A design is on disk for an agent to go on with, or not.
    HandedOver {
        /// Of which desk.
        desk: u64,
        /// Its run as it is now, or why not.
        result: Result<StartRun, String>,
    },
    /// A design was written to a file, or not.
    Written {
        /// Which.
        path: PathBuf,
        /// Why not.
        result: Result<(), String>,
    },
    /// A run by hand is over.
    Finished {
        /// Its folder.
        dir: PathBuf,
        /// What it says of itself now.
        manifest: Box<Manifest>,
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
    pub goal: Option<DesignGoal>,
    /// The brief that was typed for it.
    pub brief: Option<Arc<DesignBrief>>,
    /// The design.
    pub document: Document,
    /// The design of a plan that is put onto it.
    pub plan: Option<Document>,
    /// What it is measured and drawn with.
    pub render: RenderContext,
    /// The run's folder, of one that is gone on with where it is.
    pub kept: Option<PathBuf>,
    /// Versions of it that have names.
    pub versions: Vec<DesignVersion>,
    /// What was said about its nodes.
    pub comments: Comments,
    /// What the assistant offered when it was left, if nobody had decided of that.
    pub pending: Option<Box<PendingOffer>>,
}
