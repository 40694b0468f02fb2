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

mod command;
mod jobs;
mod library;
pub mod protocol;
mod selection;
mod settings;
mod state;
pub mod views;
mod work;

pub use command::{Browse, Command, FoldKey, LaunchEdit, PlaybackCommand, StageCommand};
pub use jobs::{Job, JobId, JobKind, JobOutcome, Jobs, Progress};
pub use library::{Library, LibraryRun, LibrarySet, RunId, RunState};
pub use protocol::{Event, PictureKey, Request};
pub use selection::{Playback, Selection};
pub use settings::{Settings, ThemeChoice};
pub use state::{
    Fetched, LaunchDialog, Notice, NoticeLevel, Overlay, Stage, StagePane, State, StepScore,
};
pub use work::Work;

/// Does what the command says and gives the work it takes.
pub fn handle(_state: &mut State, _command: Command) -> Vec<Request> {
    Vec::new()
}

/// Takes what the worker says into the state; events of jobs that no longer matter are dropped.
pub fn apply(_state: &mut State, _event: Event) -> Vec<Request> {
    Vec::new()
}
