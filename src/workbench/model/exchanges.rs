//! What a model was asked and what it answered, as it went over the wire: the list of a run, one exchange
//! of it, and what of it is looked at.

use std::ops::Range;

use crate::agent::chat::ExchangeHead;
use crate::run::exchanges::Located;

use super::ids::RunId;
use super::values::ResourceKey;

/// Which list of exchanges: that of a run when it had this many turns, so that one that goes on is listed
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeListKey {
    /// The run.
    pub run: RunId,
    /// How many turns it had.
    pub turns: usize,
    /// Whether it had ended.
    pub is_over: bool,
}

/// The exchanges of a run, in order, without headers and bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExchangeList {
    /// What each is, and where it stands in the run's file.
    pub exchanges: Vec<Located<ExchangeHead>>,
    /// How many lines of the file cannot be read.
    pub damaged: usize,
}

/// Which exchange: of a run, by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeKey {
    /// The run.
    pub run: RunId,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
}

impl ExchangeKey {
    /// The exchange of a list.
    pub fn of(run: RunId, listed: &Located<ExchangeHead>) -> Self {
        Self { run, start: listed.bytes.start, end: listed.bytes.end }
    }

    /// Its bytes in the file.
    pub fn bytes(&self) -> Range<u64> {
        self.start..self.end
    }
}

/// An exchange to be read by people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExchangeText {
    /// What was asked.
    pub request: BodyText,
    /// What came.
    pub answer: BodyText,
}

/// Headers and a body to be read by people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyText {
    /// Name and value; secrets were never recorded.
    pub headers: Vec<(String, String)>,
    /// The body as it went, pictures by name.
    pub raw: String,
    /// The same in lines, laid out; `None` where it is no JSON, or too much.
    pub formatted: Option<Vec<String>>,
    /// The same in lines, as it is.
    pub lines: Vec<String>,
}

/// A side of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExchangeSide {
    /// What was asked.
    #[default]
    Request,
    /// What came.
    Answer,
}

/// What the overlay of exchanges shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExchangesPanel {
    /// Which exchange, by its place in the list; `None`: the first of the turn on the stage.
    pub selected: Option<usize>,
    /// Which side of it.
    pub side: ExchangeSide,
    /// Whether bodies are shown as they went, and not laid out.
    pub is_raw: bool,
}

/// Most lists kept.
const LISTS: usize = 16;
/// Most bytes of texts kept.
const TEXT_BYTES: usize = 64 << 20;

impl ResourceKey for ExchangeListKey {
    type Value = ExchangeList;
    const BUDGET: usize = LISTS;

    fn cost(_: &ExchangeList) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

impl ResourceKey for ExchangeKey {
    type Value = ExchangeText;
    const BUDGET: usize = TEXT_BYTES;

    fn cost(text: &ExchangeText) -> usize {
        // Laid out it is about as long again, twice.
        [&text.request, &text.answer].map(|body| body.raw.len() * 3).into_iter().sum()
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}
