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
mod parse;
mod term;

use std::collections::HashMap;
use std::ops::Range;

pub(in crate::workbench) use complete::{KnownNames, quoted, suggested, typed};
pub use parse::FilterError;
pub use term::{FilterItem, FilterTerm};

use crate::evaluate::VariantId;
use crate::metric::VariantSpec;
use crate::workbench::model::State;
use term::{Field, Number, StepTest, Test, contains, holds_of_a_step};

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
        self.terms.iter().any(|term| matches!(term.test, Test::Number(Number::Score(_), ..)))
            || self.asks_for_calls()
    }

    /// Whether a term is about calls, for which the events have to be read.
    pub fn asks_for_calls(&self) -> bool {
        self.terms.iter().any(|term| match &term.test {
            Test::Field(field, _) | Test::Exact(field, _) => {
                matches!(field, Field::Tool | Field::Error)
            }
            Test::Step(_) | Test::Number(Number::Tools, ..) => true,
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
            Test::Number(Number::Score(variant), ..) => Some(variant),
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
        self.alternatives().any(|terms| all_hold(terms, item) && !awaits(terms, item))
    }

    /// The names that it asks for in a field, if that is all it asks.
    fn asked_names(&self) -> Option<(Field, &[String])> {
        match self.terms.as_slice() {
            [term] if !term.negated => term.test.asked_names(),
            _ => None,
        }
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

/// How many of these items each filter lets through; `None` where there is no filter.
pub(in crate::workbench) fn count_passing(
    filters: &[Option<Filter>],
    items: &[FilterItem<'_>],
) -> Vec<Option<usize>> {
    let asked: Vec<Option<(Field, &[String])>> =
        filters.iter().map(|filter| filter.as_ref()?.asked_names()).collect();
    // Ways to go on with a field are nearly all of it: thousands of items are gone through once, and not once for each.
    let field = asked.iter().flatten().map(|(field, _)| *field).next();
    let names: Vec<Option<&[String]>> = asked
        .iter()
        .map(|asked| asked.filter(|(of, _)| Some(*of) == field).map(|(_, names)| names))
        .collect();
    let together: Vec<&[String]> = names.iter().flatten().copied().collect();
    let mut counts =
        field.map(|field| count_by_names(field, &together, items)).unwrap_or_default().into_iter();
    let counted = filters.iter().zip(&names).map(|(filter, names)| match names {
        Some(_) => counts.next(),
        None => {
            filter.as_ref().map(|filter| items.iter().filter(|item| filter.matches(item)).count())
        }
    });
    counted.collect()
}

/// How many texts are known by where they lie: far more than there are tools.
const MET: usize = 1024;

/// What is known by name, where thousands of items have the same few names. Many of them are one and the same text, which
/// is then known by where it lies and is not read again.
#[derive(Debug)]
pub(in crate::workbench) struct ByName<'a, T> {
    known: Vec<T>,
    places: HashMap<&'a str, usize>,
    /// The texts that were met last, by some bits of where they lie, with their places: another with the same bits takes
    /// its place here and is found by its letters again.
    met: Box<[Option<(&'a str, usize)>]>,
}

impl<T> Default for ByName<'_, T> {
    fn default() -> Self {
        Self { known: Vec::new(), places: HashMap::new(), met: vec![None; MET].into() }
    }
}

impl<'a, T> ByName<'a, T> {
    /// What is known of a name; at first what is made.
    pub(in crate::workbench) fn entry(
        &mut self,
        name: &'a str,
        make: impl FnOnce() -> T,
    ) -> &mut T {
        // Texts lie at multiples of eight bytes.
        let met = &mut self.met[(name.as_ptr().addr() >> 3) % MET];
        let place = match met {
            Some((known, place)) if std::ptr::eq(*known, name) => *place,
            _ => {
                let place = *self.places.entry(name).or_insert_with(|| {
                    self.known.push(make());
                    self.known.len() - 1
                });
                *met = Some((name, place));
                place
            }
        };
        &mut self.known[place]
    }

    /// Whether something is known of a name, or of fewer names than that, so that one more may be.
    pub(in crate::workbench) fn has_room(&self, name: &str, most: usize) -> bool {
        self.known.len() < most || self.places.contains_key(name)
    }

    /// All that is known, each with its name.
    pub(in crate::workbench) fn into_known(self) -> impl Iterator<Item = (&'a str, T)> {
        let mut names: Vec<(&str, usize)> = self.places.into_iter().collect();
        names.sort_unstable_by_key(|(_, place)| *place);
        names.into_iter().map(|(name, _)| name).zip(self.known)
    }
}

/// How many items have one of each of these lists of names in a field.
fn count_by_names(field: Field, asked: &[&[String]], items: &[FilterItem<'_>]) -> Vec<usize> {
    let mut counts = vec![0; asked.len()];
    // By name the lists that ask for it: there are far fewer names than items.
    let mut asking: ByName<'_, Vec<usize>> = ByName::default();
    // By list the item that was counted last: several of its names may be asked for by one list.
    let mut counted = vec![None; asked.len()];
    for (item, at_item) in items.iter().zip(0_usize..) {
        for name in field.names_in(item) {
            let lists = asking.entry(name, || {
                let lists = asked.iter().enumerate();
                let lists = lists.filter(|(_, names)| names.iter().any(|it| contains(name, it)));
                lists.map(|(at, _)| at).collect()
            });
            for at in lists {
                if counted[*at].replace(at_item) != Some(at_item) {
                    counts[*at] += 1;
                }
            }
        }
    }
    counts
}

/// Whether terms hold that are joined: those about a step, of one and the same.
fn all_hold(terms: &[FilterTerm], item: &FilterItem<'_>) -> bool {
    let mut plain = terms.iter().filter(|term| term.step_test().is_none());
    if !plain.all(|term| term.test.holds(item) != term.negated) {
        return false;
    }
    let of_step = || terms.iter().filter_map(|term| Some((term.step_test()?, term.negated)));
    of_step().next().is_none() || holds_of_a_step(of_step(), item)
}

/// Whether something is not known that terms ask about, and all that is known of them holds.
fn awaits(terms: &[FilterTerm], item: &FilterItem<'_>) -> bool {
    if !terms.iter().any(|term| term.is_awaited(item)) {
        return false;
    }
    let mut known = terms.iter().filter(|term| !term.is_awaited(item));
    known.all(|term| term.test.holds(item) != term.negated)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn names_that_are_alike_are_one_wherever_they_lie() {
        // More texts than are known by where they lie, most of them several times, and each also as a part of a longer one.
        let own: Vec<Arc<str>> =
            (0..3 * MET).map(|at| format!("tool {}", at % 700).into()).collect();
        let mut counts: ByName<'_, usize> = ByName::default();
        let mut plain: HashMap<&str, usize> = HashMap::new();
        let mut made = 0;
        for at in 0..20 * MET {
            let name = &own[at * 7 % own.len()];
            for name in [&name[..], &name[..5]] {
                let is_new = !plain.contains_key(name);
                assert_eq!(is_new, !counts.has_room(name, 0), "{name}");
                *plain.entry(name).or_default() += 1;
                *counts.entry(name, || {
                    made += 1;
                    0
                }) += 1;
            }
        }
        assert_eq!(made, plain.len());
        let known: Vec<(&str, usize)> = counts.into_known().collect();
        assert_eq!(known.first().map(|it| it.0), Some(&own[0][..]), "in the order they were met");
        assert_eq!(known.len(), plain.len());
        assert_eq!(known.into_iter().collect::<HashMap<_, _>>(), plain);
    }
}
