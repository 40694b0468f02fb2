//! Why scripted participants cannot do a study.

use std::path::PathBuf;

use super::mutation::MutationError;
use crate::environment::{RenderError, StartError};
use crate::run::recorder::RecordError;
use crate::study::log::StudyLogError;
use crate::study::success::SuccessError;

/// Why scripted participants cannot do a study.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A task begins with what it gives.
    #[error(
        "scripted participants heal changes of the ground truth, and the task {0} begins with what it gives: say \
         \"start\": {{\"kind\": \"changed_truth\", \"changes\": 4}}"
    )]
    StartIsGiven(String),
    /// A start cannot be made.
    #[error("the start of the task {task} cannot be made: {source}")]
    Start {
        /// The cause.
        source: MutationError,
        /// Which task.
        task: String,
    },
    /// An environment cannot be opened.
    #[error(transparent)]
    Environment(#[from] StartError),
    /// The environment has no design.
    #[error("its environment has no vector design")]
    NoDesign,
    /// A picture that the task's checks need cannot be drawn.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// The check says nothing.
    #[error(transparent)]
    Success(#[from] SuccessError),
    /// A run cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A log cannot be written.
    #[error(transparent)]
    Log(#[from] StudyLogError),
    /// A folder cannot be made.
    #[error("{source}: {}", path.display())]
    Folder {
        /// The cause.
        source: std::io::Error,
        /// Which.
        path: PathBuf,
    },
}
