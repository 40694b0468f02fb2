//! How people and an assistant design together: what became of suggestions, and the measures over that.
//!
//! [`AssistEvent`] is something that happened, [`Ledger`] all of it in order with what became of each suggestion,
//! [`CoDesign`] what is counted of it, which adds up over tasks, and [`Measures`] the shares and times that follow.
//! The assistant's panel, `pentimento assist --measures` and the results of a study all show these.
//!
//! Two files hold such events. `assist.jsonl` beside a run by hand is a line of [`AssistEvent`] each. `study.jsonl` of
//! a task in a study holds them among what else happened there; `study` reads them as events, with the time that
//! somebody was at the task in the place of the clock's.
//!
//! Four definitions that could be others:
//!
//! - What became of what was taken is counted of hunks that were *carried out*: a change of their field by the
//!   assistant follows. What only should have changed cannot be kept, edited or undone.
//! - Reliance is of hunks, as they are what is taken and left: wrong ones taken of those shown, right ones left, where
//!   somebody decided, of those shown. Where only of the whole suggestion is known whether it is right, its hunks are.
//! - What was of a node that is gone is nobody's: it is neither kept nor among what is different at the end, but the
//!   node's going is.
//! - A step is what one author changes in one go ([`CoDesign::steps`]), however many fields that are.
//!
//! Start with [`Ledger`].

mod counts;
mod event;
mod ledger;
mod measures;

#[cfg(test)]
mod tests;

pub use counts::{ByAuthor, CoDesign, Count, InitiativeCount, StateCounts};
pub use event::{
    AssistAct, AssistEvent, Author, FieldName, HunkValue, NODE_FIELD, RequestKind, ValueMarks,
};
pub use ledger::{DistancePoint, Ledger, LedgerError, SuggestionNumbers, SuggestionState};
pub use measures::{Initiative, MeasureUnit, Measures, NOT_RECORDED, Survival};
