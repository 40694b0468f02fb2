//! What became of each suggestion.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{AssistAct, AssistEvent, Author, HunkValue};

/// What became of a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionState {
    /// It is there and was not in view yet.
    Offered,
    /// It was in view, and nobody decided yet.
    Shown,
    /// All of it was taken.
    Accepted,
    /// Some of it was taken.
    Partly,
    /// It was refused.
    Refused,
    /// It was replaced before anybody decided, or the task was over.
    Ignored,
    /// The document changed under it; some of it can still be taken.
    Stale,
    /// Nothing of it can be taken any more.
    Withdrawn,
}

/// Why an event cannot have happened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LedgerError {
    /// There is no suggestion of this number.
    #[error("there is no suggestion {0}")]
    UnknownSuggestion(u32),
    /// There is one already.
    #[error("suggestion {0} was offered already")]
    OfferedTwice(u32),
    /// It was decided already.
    #[error("suggestion {suggestion} is {state:?} already")]
    Decided {
        /// Which.
        suggestion: u32,
        /// What became of it.
        state: SuggestionState,
    },
    /// It has not so many hunks, or nothing was taken.
    #[error("suggestion {suggestion} has no hunk {hunk}")]
    NoHunk {
        /// Which.
        suggestion: u32,
        /// The place asked for.
        hunk: usize,
    },
    /// A time that is not a number, or lies before the last one.
    #[error("an event at {at} s cannot follow one at {last} s")]
    Time {
        /// Its time.
        at: f64,
        /// That of the one before.
        last: f64,
    },
}

/// A suggestion, as far as it came.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    pub(super) hunks: Vec<HunkValue>,
    /// Whether each is right, as far as that is known.
    pub(super) right: Vec<Option<bool>>,
    pub(super) shown_at: Option<f64>,
    /// When it was taken first, or refused.
    pub(super) decided_at: Option<f64>,
    pub(super) taken: BTreeSet<usize>,
    pub(super) state: SuggestionState,
}

/// How far a document was from its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistancePoint {
    /// From when on, by the events' clock, in seconds.
    pub at: f64,
    /// How far.
    pub value: f64,
    /// Who changed it so; `None`: it was not changed.
    pub author: Option<Author>,
}

/// All that happened, in order, with what became of each suggestion.
///
/// Events that cannot have happened are refused one by one, so that a record with a slip keeps the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    pub(super) events: Vec<AssistEvent>,
    pub(super) suggestions: BTreeMap<u32, Record>,
}

/// The numbers of suggestions in a record that was gone on with: who goes on, after a crash or another day, may number
/// suggestions from 1 again, and these are others than those before.
#[derive(Clone, Debug, Default)]
pub struct SuggestionNumbers {
    own: BTreeMap<u32, u32>,
}

impl SuggestionNumbers {
    /// The number in the ledger of a suggestion that a record offers by this number.
    pub fn offered(&mut self, number: u32, ledger: &Ledger) -> u32 {
        let own = if ledger.state(number).is_some() { ledger.next_number() } else { number };
        self.own.insert(number, own);
        own
    }

    /// The number in the ledger of the suggestion that a record means by this one.
    pub fn of(&self, number: u32) -> u32 {
        self.own.get(&number).copied().unwrap_or(number)
    }

    /// What happened, with the ledger's numbers.
    pub fn renumbered(&mut self, mut act: AssistAct, ledger: &Ledger) -> AssistAct {
        match &mut act {
            AssistAct::Offered { suggestion, .. } => {
                *suggestion = self.offered(*suggestion, ledger);
            }
            AssistAct::Shown { suggestion }
            | AssistAct::Taken { suggestion, .. }
            | AssistAct::Refused { suggestion }
            | AssistAct::Ignored { suggestion }
            | AssistAct::Stale { suggestion }
            | AssistAct::Withdrawn { suggestion } => *suggestion = self.of(*suggestion),
            AssistAct::TaskBegan { .. }
            | AssistAct::Returned
            | AssistAct::Request { .. }
            | AssistAct::Changed { .. }
            | AssistAct::Distance { .. }
            | AssistAct::TaskEnded => {}
        }
        act
    }
}

impl Ledger {
    /// A ledger in which nothing happened.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an event in.
    ///
    /// # Errors
    ///
    /// [`LedgerError`]; the ledger is as before then.
    pub fn record(&mut self, event: AssistEvent) -> Result<(), LedgerError> {
        let last = self.events.last().map_or(f64::NEG_INFINITY, |event| event.at);
        let at = event.at;
        // Measures are sums over time: one event out of order would make them negative.
        if !at.is_finite() || at < last {
            return Err(LedgerError::Time { at, last });
        }
        match &event.act {
            AssistAct::Offered { suggestion, hunks, is_right, are_right } => {
                if self.suggestions.contains_key(suggestion) {
                    return Err(LedgerError::OfferedTwice(*suggestion));
                }
                let right = (0..hunks.len()).map(|at| are_right.get(at).copied().flatten());
                let record = Record {
                    hunks: hunks.clone(),
                    right: right.map(|right| right.or(*is_right)).collect(),
                    shown_at: None,
                    decided_at: None,
                    taken: BTreeSet::new(),
                    state: SuggestionState::Offered,
                };
                self.suggestions.insert(*suggestion, record);
            }
            AssistAct::Shown { suggestion } => {
                let record = self.undecided(*suggestion)?;
                record.shown_at.get_or_insert(at);
                if record.state == SuggestionState::Offered {
                    record.state = SuggestionState::Shown;
                }
            }
            AssistAct::Taken { suggestion, hunks } => self.take(*suggestion, hunks, at)?,
            AssistAct::Refused { suggestion } => {
                let record = self.undecided(*suggestion)?;
                (record.state, record.decided_at) = (SuggestionState::Refused, Some(at));
            }
            AssistAct::Ignored { suggestion } => {
                let record = self.undecided(*suggestion)?;
                // That the document changed under it is why nobody decided.
                if record.state != SuggestionState::Stale {
                    record.state = SuggestionState::Ignored;
                }
            }
            AssistAct::Stale { suggestion } => {
                self.undecided(*suggestion)?.state = SuggestionState::Stale;
            }
            AssistAct::Withdrawn { suggestion } => {
                self.undecided(*suggestion)?.state = SuggestionState::Withdrawn;
            }
            AssistAct::TaskBegan { .. }
            | AssistAct::Returned
            | AssistAct::Request { .. }
            | AssistAct::Changed { .. }
            | AssistAct::Distance { .. }
            | AssistAct::TaskEnded => {}
        }
        self.events.push(event);
        Ok(())
    }

    /// What became of a suggestion; `None` if there is none of this number.
    pub fn state(&self, suggestion: u32) -> Option<SuggestionState> {
        self.suggestions.get(&suggestion).map(|record| record.state)
    }

    /// The number of the next suggestion.
    pub fn next_number(&self) -> u32 {
        self.suggestions.keys().next_back().map_or(1, |last| last.saturating_add(1))
    }

    /// Whether nothing happened yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How far the document was from the goal over time, as far as that was said: between two points it stays as it
    /// was, and the last is how far it is at the end.
    pub fn distances(&self) -> Vec<DistancePoint> {
        let mut points = Vec::new();
        let mut author = None;
        for event in &self.events {
            match &event.act {
                // Distances are measured behind a change, so each is of whoever changed last.
                AssistAct::Changed { author: by, .. } => author = Some(*by),
                AssistAct::Distance { value } => {
                    points.push(DistancePoint {
                        at: event.at,
                        value: *value,
                        author: author.take(),
                    });
                }
                _ => {}
            }
        }
        points
    }

    /// When the last thing happened; 0 if nothing did.
    pub(super) fn end(&self) -> f64 {
        self.events.last().map_or(0.0, |event| event.at)
    }

    fn take(&mut self, suggestion: u32, hunks: &[usize], at: f64) -> Result<(), LedgerError> {
        let record = self.known(suggestion)?;
        // What was taken in part can be taken further.
        if record.state != SuggestionState::Partly && is_decided(record.state) {
            return Err(LedgerError::Decided { suggestion, state: record.state });
        }
        let count = record.hunks.len();
        if let Some(hunk) = hunks.iter().copied().find(|hunk| *hunk >= count) {
            return Err(LedgerError::NoHunk { suggestion, hunk });
        }
        if hunks.is_empty() {
            return Err(LedgerError::NoHunk { suggestion, hunk: 0 });
        }
        record.taken.extend(hunks);
        record.decided_at.get_or_insert(at);
        let is_whole = record.taken.len() == count;
        record.state = if is_whole { SuggestionState::Accepted } else { SuggestionState::Partly };
        Ok(())
    }

    fn known(&mut self, suggestion: u32) -> Result<&mut Record, LedgerError> {
        self.suggestions.get_mut(&suggestion).ok_or(LedgerError::UnknownSuggestion(suggestion))
    }

    fn undecided(&mut self, suggestion: u32) -> Result<&mut Record, LedgerError> {
        let record = self.known(suggestion)?;
        if is_decided(record.state) {
            return Err(LedgerError::Decided { suggestion, state: record.state });
        }
        Ok(record)
    }
}

/// Whether nothing more can become of a suggestion, but that more of it is taken.
fn is_decided(state: SuggestionState) -> bool {
    match state {
        SuggestionState::Offered | SuggestionState::Shown | SuggestionState::Stale => false,
        SuggestionState::Accepted
        | SuggestionState::Partly
        | SuggestionState::Refused
        | SuggestionState::Ignored
        | SuggestionState::Withdrawn => true,
    }
}
