//! The offline assistant: which step a designer could take next, without a model.
//!
//! - [`Guide`]: the way to a design that is known, a step at a time, which always ends there;
//! - [`mend`]: a step against what is amiss whatever the goal is (`evaluate` finds that);
//! - [`Suggestion`]: a step in words, as hunks that are taken or left one by one, and as tool calls;
//! - [`recorded_calls`]: what a gesture did, as tool calls that are replayed to the same document;
//! - [`model`]: a model in the assistant's place, which is asked and whose calls are tried on a copy;
//! - [`ghost`]: what it would make of the design, to be drawn over it.
//!
//! What became of suggestions is [`Ledger`] of [`metric::codesign`](crate::metric::codesign), what differs from a goal
//! and how far that is [`design::goal`](crate::design::goal). `steps` says what could be done about it and in which
//! order, `words`, `values` and `calls` how a step is told and which tools do the same; `playing` tries the calls out.
//!
//! Uses `design`, `metric` and the canvas of `environment`; [`model`] alone uses other parts of `agent`. Start with
//! [`Guide`].

mod calls;
mod describing;
mod ghost;
mod guide;
pub mod model;
mod playing;
mod recorded;
mod saved;
mod steps;
mod suggestion;
mod values;
mod words;

pub use describing::{AssistContext, mend};
pub use ghost::{Ghost, GhostChange, GhostNode, ghost};
pub use guide::Guide;
pub use recorded::recorded_calls;
pub use suggestion::{Freshness, Level, Reason, Stage, Suggestion, changed_values};

pub use crate::design::goal::Names;
pub use crate::metric::codesign::{
    AssistAct, AssistEvent, Author, HunkValue, Ledger, LedgerError, Measures, RequestKind,
    SuggestionState,
};
