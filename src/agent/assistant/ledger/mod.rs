//! What became of suggestions, from events as they are recorded, and the measures over them.
//!
//! Start with [`Ledger`].

mod event;
mod measures;
mod state;

#[cfg(test)]
mod tests;

pub use event::{AssistAct, AssistEvent, Author, HunkValue, RequestKind};
pub use measures::{Initiative, Measures, Survival};
pub use state::{Ledger, LedgerError, SuggestionState};
