//! Task sets: our format, and loaders for the published layouts.
//!
//! - [`TaskSet`], [`Task`]: what the rest of the program works with;
//! - [`open`]: the one way in: task sets and runs at a path, whatever is there;
//! - [`TaskFinder`]: the task that a run is an attempt at, wherever its set lies;
//! - [`TaskSetFile`]: `taskset.json`, our format;
//! - [`QuestionFile`]: yes/no questions about pictures;
//! - [`Task::agent_input`], [`Task::load_start_document`] …: what a task holds, read when needed.
//!
//! Uses `environment`, `metric` (score types), `run` and `base`.
//!
//! # What is opened
//!
//! | layout | recognised by |
//! |---|---|
//! | ours | `taskset.json`; runs in `runs/` beside it |
//! | the published CANVAS dataset | `replication_gt/`, `*-target.png` with `*-base.png` |
//! | the published queries of GraphicBench | `*.jsonl` whose first line has a `user_query` with components or questions |
//! | pictures of runs | folders that hold `target.png`, with one folder of pictures a model |
//! | a run, a folder of pictures | `run.json`; pictures and nothing else |
//! | a folder of any of these | whatever is found below, to a bounded depth |

mod artifact;
mod canvas_layout;
mod content;
mod design_file;
mod error;
mod file;
mod finder;
mod given;
mod graphicbench;
mod input;
mod instruction;
mod listing;
mod literal;
mod model;
mod open;
mod picture_layout;
mod questions;
mod reference_tools;
mod reference_writing;
mod set_file;
mod svg_words;

pub use artifact::canvas_size_of_picture;
pub use content::TaskContent;
pub use error::TaskError;
pub use file::{ArtifactEntry, FILE, FORMAT, GivenEntry, TaskEntry, TaskSetFile, VERSION};
pub use finder::{FoundTask, SetOrigin, TaskFinder};
pub use given::{FoundBy, PictureFolder, given_pictures, resolve};
pub use graphicbench::reference_as_plan;
pub use input::AgentInput;
pub use literal::{Literal, LiteralError, Repair, read_literal};
pub use model::{Artifact, DesignBrief, Task, TaskKind, TaskSet};
pub use open::{FoundRun, Opened, open, runs_at};
pub use questions::{PictureQuestions, QuestionFile, QuestionsError};
pub use reference_writing::{Reference, ReferenceError, words_of_call, write_reference};
