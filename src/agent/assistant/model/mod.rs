//! A model in the assistant's place: it sees the goal, the design, what was done and what became of its earlier
//! suggestions, and answers with one step as tool calls of the canvas.
//!
//! - [`ModelQuestion`]: what it is told; [`ask`] asks it, again once if its answer cannot be used;
//! - `answer` reads what it said: words, why, nodes, calls;
//! - `trying` makes the calls on a copy of the canvas, and hunks of what they changed: the design itself is never
//!   touched, whatever the model says.
//!
//! Uses `agent::chat`, `agent::models` and the canvas of `environment`. Start with [`ask`].

mod answer;
mod asking;
mod question;
mod trying;

#[cfg(test)]
mod tests;

pub use asking::{ModelAnswer, ModelAskError, ask, ask_chat};
pub use question::{ModelQuestion, ShownDesign};
