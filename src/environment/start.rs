//! What an environment begins with, and how one is made of it by name.

use serde_json::Value;

use crate::base::Size;

use super::Environment;

/// Size of the main frame where neither the task nor a picture says one: the published fallback
/// (kixlab/canvas, `intializeMainScreenFrame`).
pub const FALLBACK_CANVAS: Size = Size::new(393.0, 852.0);

/// The state of an environment before the first call.
#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    /// Which environment, such as `canvas`.
    pub environment: String,
    /// The size of the main frame, in canvas units.
    pub canvas_size: Size,
    /// What the canvas holds, as Figma JSON; `None`: an empty frame.
    pub document: Option<Value>,
    /// Published faults to reproduce, if any; `None`: the tools do as documented.
    pub compat: Option<String>,
}

/// Why an environment cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// This program has no such environment.
    #[error("there is no environment named {0:?}; this version has \"canvas\"")]
    UnknownEnvironment(String),
    /// The environment refuses the document.
    #[error("the start document cannot be used: {0}")]
    Document(String),
}

/// Makes an environment of a start state. Tests give their own; the program gives
/// [`open_environment`].
pub type OpenEnvironment =
    dyn Fn(&StartState) -> Result<Box<dyn Environment>, StartError> + Send + Sync;

/// Makes the environment that `start` names.
pub fn open_environment(start: &StartState) -> Result<Box<dyn Environment>, StartError> {
    Err(StartError::UnknownEnvironment(start.environment.chars().take(80).collect()))
}
