//! The application without a window: state, commands, requests, events.
//!
//! The whole program turns in one circle:
//!
//! - the window draws from `&State` and can only send [`Command`]s;
//! - [`handle`] changes the state and *returns* the [`Request`]s for the worker;
//! - the worker answers with [`Event`]s, each carrying the id of its job;
//! - [`apply`] takes an event into the state (and may ask for more work).
//!
//! [`views`] derives what the window shows.
//!
//! No egui, no thread, no file here: everything is tested by calling these two functions. Uses the
//! types of everything below and the worker's protocol.
//!
//! | folder | holds | uses |
//! |---|---|---|
//! | `model` | [`State`] and all that is in it | – |
//! | `protocol` | commands, requests, events | model |
//! | `derive` | what follows from the state: [`views`], and what is wanted of the worker | model, protocol |
//! | `reduce` | [`handle`], [`apply`] and the one `reconcile` of both | all of them |

mod derive;
mod model;
pub mod protocol;
mod reduce;

pub use derive::{EarlierDesign, views};
pub use model::*;
pub use protocol::{
    AnnotateCommand, AreaCommand, AskCommand, AssistCommand, AssistantCommand, BriefCommand,
    CanvasCommand, ClipboardCommand, Command, Dwell, Event, EvidenceCommand, ExchangesCommand,
    ExperimentEdit, ExploreCommand, FilesCommand, FindCommand, LabelNews, LabelOrder, LaunchEdit,
    MarkEdit, NodesCommand, PlaybackCommand, QueryCommand, RangeCommand, Request, ReviewCommand,
    RunsCommand, RunsTarget, ScoresCommand, Selecting, StageCommand, StudyCommand, StudyNews,
    StudyOrder, UnsavedAct, VariantId, WhatIfCommand, WindowsCommand,
};
pub use reduce::{READ_RUNS, apply, apply_all, handle};
