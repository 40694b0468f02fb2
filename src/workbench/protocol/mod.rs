//! What a person can ask for ([`Command`]), what the workbench asks of the worker ([`Request`]), and
//! what it hears ([`Event`]).
//!
//! Uses `model`, whose types are what is sent.

mod annotate;
mod asking;
mod assist;
mod assist_files;
mod assistant;
mod canvas;
mod clipboard;
mod command;
mod event;
mod explore;
mod request;
mod study;
mod what_if;
mod windows;

pub use annotate::{
    AnnotateCommand, Dwell, EvidenceCommand, LabelNews, LabelOrder, MarkEdit, ReviewCommand,
    UnsavedAct,
};
pub use asking::AskCommand;
pub use assist::{AssistCommand, BriefCommand, HandsNews, HandsOrder, HandsStart, OpenedDesign};
pub use assist_files::{FilesCommand, LayersOrder, WriteDesign};
pub use assistant::{AssistantCommand, AssistantNews};
pub use canvas::CanvasCommand;
pub use clipboard::{ClipboardCommand, CopyNews, CopyOrder};
pub use command::{
    AreaCommand, Command, ExchangesCommand, ExperimentEdit, FindCommand, LaunchEdit, NodesCommand,
    PlaybackCommand, QueryCommand, RangeCommand, RunsCommand, RunsTarget, ScoresCommand,
    StageCommand,
};
pub use event::{Event, ListedRun};
pub use explore::{ExploreCommand, Selecting};
pub use request::{ExportedRun, LaunchPlan, LaunchRun, ReportRun, Request, RunsOrder};
pub use study::{NewStudyEdit, OpenedStudy, StudyCommand, StudyNews, StudyOrder, StudyRecipe};
pub use what_if::{ReferenceOrder, SaveBranchOrder, WhatIfCommand};
pub use windows::WindowsCommand;

pub use super::model::{
    Answering, Browse, DesignVersion, ExportFormat, FolderEntry, KeyKept, ListedModel, MapKey,
    NodeBox, PathKind, PictureKey, PicturesListed, PromptsListed, Reduced, ReportScope,
    StagePicture, StagePixels, TiledPicture, with_extension,
};
pub use crate::evaluate::VariantId;
