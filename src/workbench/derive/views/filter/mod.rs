//! The filter language of the library and of the table over all runs.
//!
//! Terms are divided by spaces and all of them have to hold; `or` divides alternatives, of which one has to:
//!
//! | term | holds if |
//! |---|---|
//! | `card`, `"credit card"` | the words are in the set's name, the task's id, category, instruction or tags, or the agent's name |
//! | `type:replication` | the task is of this kind: `replication`, `attribute`, `insertion`, `mode`, `modification` (the latter three), `composition` |
//! | `agent:`, `model:`, `mode:`, `set:`, `task:`, `category:`, `difficulty:`, `tag:` | the text is in that field; with `=` in place of `:`, it is all of it |
//! | `experiment:`, `folder:` | the same of the experiment's name and of the folder that the batch was recorded in |
//! | `settings.model.temperature=0.5` | the setting at this path is (`=`) or holds (`:`) that |
//! | `imported.result>=0.5`, `imported.grade=C` | what others scored the run before it was imported, by the record's own name: as a number, or as words |
//! | `tool:set_layout_mode` | a tool with this in its name was called |
//! | `error:any`, `error:none`, `error:unknown_node` | a call failed, none did, one did in this way |
//! | `state:failed` | the run stands there: `live`, `finished`, `cancelled`, `failed`, `interrupted`, `damaged` (it finished, and part of its record is lost), `imported` (nobody recorded how it ended), `unreadable` |
//! | `label:text_overflow`, `label:layout` | somebody who labelled chose or marked that, or something under that heading; only of the labelling project that is open, and of none while somebody labels it blind |
//! | `preferred>0.5`, `ndec<0.5`, `labels>=3` | the share of people who preferred the run (a tie counts half), of checks it passed, how many answers there are |
//! | `is:starred`, `is:noted` | the run or a step of it is starred, or has a note |
//! | `steps>=20`, `turns`, `calls`, `failures`, `tools`, `cost`, `seconds`, `tokens` | the number compares so, by `<`, `<=`, `>`, `>=` or `=`; a run without the number does not |
//! | `ssim<0.75`, `constraints<1` (design queries), `psnr/…>20` | the same of the score at the run's end, by a metric's name or a variant's id: of all there are, those that go by a model among them |
//! | `step:tool:create_text`, `step:error:any`, `step:work:layout`, `step:expert:photo`, `step:turn>5`, `step:step=1`, `step:change<-0.1` | there is a step like this; several are about one step. `change` is of the score that stands for the run, where its curve is known |
//! | `-term` | the term does not hold |
//!
//! A field takes several values with commas, any of which may hold: `state:failed,cancelled`.
//! Letters' case does not matter.

mod complete;
mod field;
mod names;
mod parse;
mod term;

use std::ops::Range;

pub(in crate::workbench) use complete::{KnownNames, MOST_WAYS, Typed, quoted, suggested, typed};
pub use field::FilterItem;
pub(in crate::workbench) use names::{FieldNames, WaySet};
pub use parse::FilterError;
pub use term::FilterTerm;

use crate::evaluate::VariantId;
use crate::metric::VariantSpec;
use crate::workbench::model::State;
use field::FilterField;
use term::{AskedNames, FilterNumber, StepTest, Test, holds_of_a_step};

/// What a filter says of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterAnswer {
    /// It passes.
    Passes,
    /// It does not, but may once more is known of it.
    Awaited,
    /// It does not.
    Fails,
}

/// Why nothing that is made of labels has an answer just now.
pub(in crate::workbench) const LABELS_ARE_HIDDEN: &str =
    "labels are hidden while somebody labels blind";

impl State {
    /// Reads a filter of what is shown. While somebody labels blind a term about labels is an error, as which runs
    /// pass would tell what people said.
    pub(in crate::workbench) fn read_filter(&self, text: &str) -> Result<Filter, FilterError> {
        let filter = Filter::parse(text, &self.variants)?;
        let mut of_labels = filter.terms.iter().filter(|term| term.is_about_labels());
        let Some(term) = of_labels.next().filter(|_| self.annotate.hides_labels()) else {
            return Ok(filter);
        };
        let span = term.span.clone();
        let words = text.get(span.start..span.end).unwrap_or_default();
        Err(FilterError { message: format!("`{words}` has no answer: {LABELS_ARE_HIDDEN}"), span })
    }
}

/// A filter that was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<FilterTerm>,
    /// Where another alternative begins.
    starts: Vec<usize>,
}

impl Filter {
    /// Reads a filter that may ask for scores by these variants; the first thing that is wrong with it is the error.
    pub fn parse(text: &str, variants: &[VariantSpec]) -> Result<Self, FilterError> {
        let (terms, starts) = parse::read(text, variants)?;
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
        self.terms.iter().any(|term| matches!(term.test, Test::Number(FilterNumber::Score(_), ..)))
            || self.asks_for_calls()
    }

    /// Whether a term is about calls, for which the events have to be read.
    pub fn asks_for_calls(&self) -> bool {
        self.terms.iter().any(|term| match &term.test {
            Test::Field(field, _) | Test::Exact(field, _) => {
                matches!(field, FilterField::Tool | FilterField::Error)
            }
            Test::Step(_) | Test::Number(FilterNumber::Tools, ..) => true,
            Test::Words(_) | Test::Number(..) | Test::Named { .. } => false,
        })
    }

    /// Whether a term is about what steps changed, for which every step has to be scored.
    pub fn asks_for_changes(&self) -> bool {
        self.terms.iter().any(|term| {
            matches!(term.test, Test::Step(StepTest::Number(term::StepNumber::Change, ..)))
        })
    }

    /// Whether a term is about what people who label said.
    pub fn asks_for_labels(&self) -> bool {
        self.terms.iter().any(FilterTerm::is_about_labels)
    }

    /// The variants that it asks for scores by.
    pub fn variants(&self) -> impl Iterator<Item = &VariantId> {
        self.terms.iter().filter_map(|term| match &term.test {
            Test::Number(FilterNumber::Score(variant), ..) => Some(variant),
            _ => None,
        })
    }

    /// Whether the run passes, or may once more is known of it.
    pub fn answer(&self, item: &FilterItem<'_>) -> FilterAnswer {
        if self.matches(item) {
            FilterAnswer::Passes
        } else if self.alternatives().any(|terms| awaits(terms, item)) {
            FilterAnswer::Awaited
        } else {
            FilterAnswer::Fails
        }
    }

    /// Whether it passes. What is not known yet neither passes nor is passed over: the term does not hold, negated
    /// or not.
    pub fn matches(&self, item: &FilterItem<'_>) -> bool {
        self.alternatives().any(|terms| hold(terms.iter(), item) && !awaits(terms, item))
    }

    /// The names that it asks for in a field, if that is all it asks; `of_steps`: of some steps.
    fn asked_names(&self, of_steps: bool) -> Option<AskedNames<'_>> {
        match self.terms.as_slice() {
            [term] => term.asked_names(of_steps),
            _ => None,
        }
    }

    /// What it asks of a step, each negated or not. Of alternatives, of all of them.
    pub(in crate::workbench) fn step_tests(&self) -> impl Iterator<Item = (&StepTest, bool)> {
        self.terms.iter().filter_map(|term| Some((term.step_test()?, term.negated)))
    }

    /// Its terms about a run as a whole, where all that it asks of steps is that none is so; `None` where it asks
    /// anything else of a step, or nothing.
    pub(in crate::workbench) fn plain_part(&self) -> Option<Self> {
        let (steps, plain): (Vec<&FilterTerm>, Vec<&FilterTerm>) =
            self.terms.iter().partition(|term| term.step_test().is_some());
        let are_all_negated = !steps.is_empty() && steps.iter().all(|term| term.negated);
        let terms = plain.into_iter().cloned().collect();
        (are_all_negated && self.starts.is_empty()).then_some(Self { terms, starts: Vec::new() })
    }

    /// The names of which one has to be in a field where the filter lets through what this one does that stands before
    /// it; `None` where it is not that simple. `of_steps`: the names are of the steps that are as that one asks.
    pub(in crate::workbench) fn names_after(
        &self,
        before: &Self,
        of_steps: bool,
    ) -> Option<AskedNames<'_>> {
        let (last, rest) = self.terms.split_last()?;
        let is_joined = self.starts.is_empty() && rest == before.terms.as_slice();
        // Terms about steps are of one and the same.
        let is_alone =
            of_steps || last.step_test().is_none() || before.step_tests().next().is_none();
        last.asked_names(of_steps).filter(|asked| is_joined && is_alone && !asked.negated)
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

/// Whether a filter takes in runs of scripts that stand for people in studies, which are in no table and no figure
/// unless it names them. Also of one that is half typed.
pub fn shows_scripts(filter: &str) -> bool {
    filter.contains("scripted")
}

/// A way to go on with a filter.
#[derive(Debug)]
pub(in crate::workbench) struct Way {
    /// The term, as it is written.
    pub(in crate::workbench) text: String,
    /// What it says, if it is a whole one already.
    pub(in crate::workbench) term: Option<Filter>,
    /// What it says together with what stands before, where it does not hold by itself: terms about a step are of one
    /// and the same.
    pub(in crate::workbench) joined: Option<Filter>,
}

impl Way {
    /// What lets a run through, of those that what stands before lets through.
    pub(in crate::workbench) fn filter(&self) -> Option<&Filter> {
        self.joined.as_ref().or(self.term.as_ref())
    }
}

/// Of each of these items which ways to go on let it through, a bit each. `names` are those of the items.
pub(in crate::workbench) fn ways_of_items<'i, 'a: 'i>(
    ways: &[Way],
    items: impl Iterator<Item = &'i FilterItem<'a>>,
    names: &FieldNames<'_>,
) -> Vec<WaySet> {
    // Ways to go on with a field are nearly all of it.
    let (mut together, mut others) = (Vec::new(), Vec::new());
    for (at, way) in ways.iter().enumerate() {
        let Some(filter) = way.filter() else { continue };
        let bit: WaySet = 1 << at;
        let of_term = way.term.as_ref().filter(|_| way.joined.is_none() || names.are_of_steps());
        let asked = of_term.and_then(|term| term.asked_names(names.are_of_steps()));
        match asked.filter(|asked| asked.field == names.field) {
            Some(asked) => together.push((bit, asked)),
            None => others.push((bit, filter)),
        }
    }
    let mut ways = names.ways(&together);
    if !others.is_empty() {
        for (ways, item) in ways.iter_mut().zip(items) {
            let passed = others.iter().filter(|(_, filter)| filter.matches(item));
            *ways |= passed.fold(0, |set, (bit, _)| set | bit);
        }
    }
    ways
}

/// Whether terms hold that are joined: those about a step, of one and the same.
fn hold<'t>(terms: impl Iterator<Item = &'t FilterTerm> + Clone, item: &FilterItem<'_>) -> bool {
    let mut plain = terms.clone().filter(|term| term.step_test().is_none());
    if !plain.all(|term| term.test.holds(item) != term.negated) {
        return false;
    }
    let of_step = terms.filter_map(|term| Some((term.step_test()?, term.negated)));
    of_step.clone().next().is_none() || holds_of_a_step(of_step, item)
}

/// Whether something is not known that terms ask about, and all that is known of them holds.
fn awaits(terms: &[FilterTerm], item: &FilterItem<'_>) -> bool {
    let is_known = |term: &&FilterTerm| !term.is_awaited(item);
    !terms.iter().all(|term| is_known(&term)) && hold(terms.iter().filter(is_known), item)
}
