//! The filter language of the library and of the table over all runs.
//!
//! Terms are divided by spaces and all of them have to hold; `or` divides alternatives, of which one has to:
//!
//! | term | holds if |
//! |---|---|
//! | `card`, `"credit card"` | the words are in the set's name, the task's id, category, instruction or tags, or the agent's name |
//! | `type:replication` | the task is of this kind: `replication`, `attribute`, `insertion`, `mode`, `modification` (the latter three), `composition` |
//! | `agent:`, `model:`, `mode:`, `set:`, `task:`, `category:`, `difficulty:`, `tag:` | the text is in that field; with `=` in place of `:`, it is all of it |
//! | `tool:set_layout_mode` | a tool with this in its name was called |
//! | `error:any`, `error:none`, `error:unknown_node` | a call failed, none did, one did in this way |
//! | `state:failed` | the run stands there: `live`, `finished`, `cancelled`, `failed`, `interrupted`, `unreadable` |
//! | `label:text_overflow`, `label:layout` | somebody who labelled chose or marked that, or something under that heading; only of the labelling project that is open |
//! | `preferred>0.5`, `ndec<0.5`, `labels>=3` | the share of people who preferred the run (a tie counts half), of checks it passed, how many answers there are |
//! | `is:starred`, `is:noted` | the run or a step of it is starred, or has a note |
//! | `steps>=20`, `turns`, `calls`, `failures`, `tools`, `cost`, `seconds`, `tokens` | the number compares so, by `<`, `<=`, `>`, `>=` or `=`; a run without the number does not |
//! | `ssim<0.75`, `constraints<1` (design queries), `psnr/…>20` | the same of the score at the run's end, by a metric's name or a variant's id |
//! | `step:tool:create_text`, `step:error:any`, `step:work:layout`, `step:expert:photo`, `step:turn>5`, `step:step=1`, `step:change<-0.1` | there is a step like this; several are about one step. `change` is of the score that stands for the run, where its curve is known |
//! | `-term` | the term does not hold |
//!
//! A field takes several values with commas, any of which may hold: `state:failed,cancelled`.
//! Letters' case does not matter.

mod complete;
mod parse;
mod term;

use std::ops::Range;

pub(in crate::workbench) use complete::{quoted, suggested, typed};
pub use parse::FilterError;
pub use term::{FilterItem, FilterTerm};

use crate::evaluate::VariantId;
use term::{Number, StepTest, Test, holds_of_a_step};

/// A filter that was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<FilterTerm>,
    /// Where another alternative begins.
    starts: Vec<usize>,
}

impl Filter {
    /// Reads a filter; the first thing that is wrong with it is the error.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let (terms, starts) = parse::read(text)?;
        Ok(Self { terms, starts })
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its terms, in order, of all alternatives.
    pub fn terms(&self) -> &[FilterTerm] {
        &self.terms
    }

    /// Whether a term is about something that takes time to be known: a score, or what is in the events.
    pub fn asks_for_score(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::Number(Number::Score(_), ..)))
            || self.asks_for_calls()
    }

    /// Whether a term is about calls, for which the events have to be read.
    pub fn asks_for_calls(&self) -> bool {
        self.terms.iter().any(|term| match &term.test {
            Test::Field(field, _) | Test::Exact(field, _) => {
                matches!(field, term::Field::Tool | term::Field::Error)
            }
            Test::Step(_) | Test::Number(Number::Tools, ..) => true,
            Test::Words(_) | Test::Number(..) | Test::Setting { .. } => false,
        })
    }

    /// The variants that it asks for scores by.
    pub fn variants(&self) -> impl Iterator<Item = &VariantId> {
        self.terms.iter().filter_map(|term| match &term.test {
            Test::Number(Number::Score(variant), ..) => Some(variant),
            _ => None,
        })
    }

    /// Whether the run does not pass because something is not known that may let it.
    pub fn awaits_score(&self, item: &FilterItem<'_>) -> bool {
        !self.passes_for_sure(item) && self.alternatives().any(|terms| awaits(terms, item))
    }

    /// Whether it passes. What is not known yet neither passes nor is passed over: the term does not hold, negated
    /// or not.
    pub fn matches(&self, item: &FilterItem<'_>) -> bool {
        self.passes_for_sure(item)
    }

    fn passes_for_sure(&self, item: &FilterItem<'_>) -> bool {
        self.alternatives().any(|terms| all_hold(terms, item) && !awaits(terms, item))
    }

    /// The terms of each alternative; of an empty filter one without terms.
    fn alternatives(&self) -> impl Iterator<Item = &[FilterTerm]> {
        let ends = self.starts.iter().copied().chain([self.terms.len()]);
        let starts = [0].into_iter().chain(self.starts.iter().copied());
        starts.zip(ends).map(|(start, end): (usize, usize)| {
            let range: Range<usize> = start..end;
            self.terms.get(range).unwrap_or_default()
        })
    }
}

/// Whether terms hold that are joined: those about a step, of one and the same.
fn all_hold(terms: &[FilterTerm], item: &FilterItem<'_>) -> bool {
    let mut plain = terms.iter().filter(|term| term.step_test().is_none());
    if !plain.all(|term| term.test.holds(item) != term.negated) {
        return false;
    }
    let of_step: Vec<(&StepTest, bool)> =
        terms.iter().filter_map(|term| Some((term.step_test()?, term.negated))).collect();
    of_step.is_empty() || holds_of_a_step(&of_step, item)
}

/// Whether something is not known that terms ask about, and all that is known of them holds.
fn awaits(terms: &[FilterTerm], item: &FilterItem<'_>) -> bool {
    if !terms.iter().any(|term| term.is_awaited(item)) {
        return false;
    }
    let mut known = terms.iter().filter(|term| !term.is_awaited(item));
    known.all(|term| term.test.holds(item) != term.negated)
}
