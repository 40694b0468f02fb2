//! Programs of the user that are talked to line by line: how their commands are split, how they run, and what
//! goes wrong.
//!
//! Agents and metrics of one's own speak through this; what the lines mean is theirs. Start with [`LineProgram`].

mod error;
mod process;
mod words;

pub use error::{AskError, LineProgramError};
pub use process::{LineLimits, LineProgram};
pub use words::{CommandError, CommandWords};
