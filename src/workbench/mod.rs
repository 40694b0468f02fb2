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

mod apply;
mod command;
mod curves;
mod derived;
mod documents;
mod handle;
mod in_flight;
mod jobs;
mod library;
mod nodes;
mod outline;
pub mod protocol;
mod query;
mod reconcile;
mod scores;
mod selection;
mod settings;
mod state;
pub mod views;

pub use apply::{apply, apply_all};
pub use command::{
    Browse, Command, FoldKey, LaunchEdit, NodesCommand, PlaybackCommand, QueryCommand, RunsCommand,
    RunsTarget, ScoresCommand, StageCommand,
};
pub use curves::Curves;
pub use derived::{
    Derivations, Derived, DerivedKey, Fetched, Inputs, MAP_CACHE_BYTES, ModelFileKey,
    PICTURE_CACHE_BYTES, PictureFolderKey, Resource, ResourceKey, RunInput, ScoreKey, ScorePurpose,
    ScoredStep, ShownIn, Urgency,
};
pub use documents::{DocumentChoice, Documents, OpenDocument, Program, SharedFile};
pub use handle::handle;
pub use in_flight::InFlight;
pub use jobs::{Job, JobId, JobKind, JobOutcome, Jobs, Pause, Progress};
pub use library::{Library, LibraryRun, LibrarySet, RunId, RunState};
pub use nodes::{InspectorTab, NodesPanel, NodesScope};
pub use outline::{
    Comparison, Mark, NodeHistory, NodeRef, NodeSide, Outline, OutlineKey, OutlineRow, PairedBy,
};
pub use protocol::{Event, MapKey, PictureKey, Request, VariantId};
pub use query::{CheckKey, FindingRef, QueryPanel};
pub use reconcile::READ_RUNS;
pub use scores::Variants;
pub use selection::{Playback, Selection};
pub use settings::{Settings, ThemeChoice};
pub use state::{LaunchDialog, Notice, NoticeLevel, Overlay, Stage, StagePane, State, StepScore};
