//! Runs: one agent's attempt at one task, in memory and on disk.
//!
//! - [`Manifest`] is `run.json`, [`Event`] a line of `events.jsonl`: the format;
//! - [`Recorder`](recorder::Recorder) writes them as they happen, durable at every turn;
//! - [`reader`] reads them back, torn files too, and [`follower`] while they grow; [`pictures`] reads folders of
//!   screenshots;
//! - [`Run`], [`Turn`], [`Step`]: what the rest of the program works with, folded from events by
//!   [`RunBuilder`](builder::RunBuilder);
//! - [`replay`] gives the environment's state at any step; [`CallEdit`]: what another run is made of its calls by;
//! - [`exchanges`] reads what a model was asked and answered; [`exchange_folder`] keeps what was asked outside
//!   of runs;
//! - [`behavior`] hands a run to the metrics of behaviour.
//!
//! Uses `environment`, `metric` (score types) and `base`.
//!
//! # A run folder
//!
//! ```text
//! run.json       what the run is, how it stands, its totals; replaced whole at every turn
//! start.json     the document at the start, if there was one
//! events.jsonl   what happened, one event a line, on disk at every turn's end
//! exchanges.jsonl what a model was asked and answered, each on disk before it is acted on
//! images/        pictures by content hash, each there before the line that names it
//! final.json     the document at the end
//! earlier/       broken-off runs that this one went on from, whole
//! run.lock       held locked by the process that records; gone when the run is over
//! ```
//!
//! The folder is a valid run from the moment `run.json` appears. A run whose outcome is
//! [`Outcome::Running`] and whose lock nobody holds ([`folder::is_live`]) was interrupted.

pub mod behavior;
pub mod builder;
mod call_edit;
mod error;
mod event;
pub mod event_log;
pub mod exchange_folder;
pub mod exchanges;
pub mod folder;
pub mod follower;
pub mod id_arguments;
pub mod images;
pub(crate) mod lines;
mod manifest;
mod model;
mod natural_sort;
pub mod pictures;
pub mod reader;
pub mod recorder;
pub mod replay;
mod sanitize;
mod sequence;
mod shared_vec;

pub use call_edit::{
    CallEdit, CallSource, EditError, MOST_EDITS, PlannedCall, edits_between, inserted_name,
    inserted_number, planned_calls, unchanged_steps,
};
pub use event::{Event, ImageRef, Usage};
pub(crate) use manifest::short_hash;
pub use manifest::{
    AgentRef, BRIEF_SETTING, BY_HAND_KIND, COMPAT_SETTING, EXPERIMENT_SETTING, FORMAT, GivenFile,
    IMPORTED_KIND, ImportRecord, MODE_SETTING, MODEL_SETTING, Manifest, Outcome, PROMPTS_SETTING,
    Parent, ProviderTotals, START_DESIGN_SETTING, START_RUN_SETTING, TASKS_SETTING, TaskRef,
    Totals, VERSION, WHAT_IF_KIND, slug,
};
pub use model::{Run, RunOrigin, RunPlan, Step, StepOutcome, Torn, Turn};
pub use natural_sort::natural_cmp;
pub use sequence::SequenceError;
pub use shared_vec::SharedVec;
