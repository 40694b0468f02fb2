//! Looking for words in the selected run.

use std::ops::Range;

use super::ids::RunId;
use super::notes::RunNotes;
use super::selection::StepRange;

/// Most places listed; a word of one letter is found everywhere.
pub(in crate::workbench) const MOST_FOUND: usize = 2_000;

/// What is looked for in the selected run, and where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Find {
    /// Whether the field is there.
    pub is_open: bool,
    /// What is looked for; letters' case does not matter.
    pub query: String,
    /// Where it is, by step; at most [`MOST_FOUND`].
    pub found: Vec<Found>,
    /// Which of them is shown.
    pub at: Option<usize>,
    /// What [`Self::found`] was made of.
    pub(in crate::workbench) of: Option<SearchedRun>,
}

/// What was looked through, and for what.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct SearchedRun {
    pub(in crate::workbench) run: RunId,
    pub(in crate::workbench) steps: usize,
    pub(in crate::workbench) turns: usize,
    pub(in crate::workbench) notes: Option<RunNotes>,
    pub(in crate::workbench) query: String,
    pub(in crate::workbench) range: Option<StepRange>,
}

/// A place in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// At which step it is shown, 0 the start state.
    pub step: u32,
    /// In what.
    pub place: FoundIn,
    /// The words around it, in one line.
    pub excerpt: String,
    /// What was looked for, in bytes of the excerpt.
    pub span: Range<usize>,
}

/// What a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundIn {
    /// What the agent said it was thinking.
    Thought,
    /// The name or the arguments of a call.
    Call,
    /// What came of a call.
    Outcome,
    /// Why a call failed.
    Failure,
    /// What somebody noted.
    Note,
    /// What somebody called a range of steps, or wrote to it.
    Range,
}

impl FoundIn {
    /// One word.
    pub fn label(self) -> &'static str {
        match self {
            Self::Thought => "Thought",
            Self::Call => "Call",
            Self::Outcome => "Outcome",
            Self::Failure => "Failure",
            Self::Note => "Note",
            Self::Range => "Range",
        }
    }
}
