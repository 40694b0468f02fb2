//! The names that thousands of items have in a field, gone through once.

use std::collections::HashMap;

use super::field::{FilterField, FilterItem};
use super::parse::FIELDS;
use super::term::{AskedNames, StepTest, each_name_of_steps};

/// How many texts are known by where they lie: far more than there are tools.
const MET: usize = 1024;

/// Names by number, where thousands of items have the same few. Many of them are one and the same text, which is then
/// known by where it lies and is not read again.
#[derive(Debug)]
struct NumberedNames<'a> {
    /// Each once, in the order they were met.
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
    /// The texts that were met last, by some bits of where they lie, with their numbers: another with the same bits takes
    /// its place here and is found by its letters again.
    met: Box<[Option<(&'a str, usize)>]>,
}

impl Default for NumberedNames<'_> {
    fn default() -> Self {
        Self { names: Vec::new(), numbers: HashMap::new(), met: vec![None; MET].into() }
    }
}

impl<'a> NumberedNames<'a> {
    /// The number of a name; a new one of one that is new.
    fn number(&mut self, name: &'a str) -> usize {
        // Texts lie at multiples of eight bytes.
        let met = &mut self.met[(name.as_ptr().addr() >> 3) % MET];
        match met {
            Some((known, number)) if std::ptr::eq(*known, name) => *number,
            _ => {
                let number = *self.numbers.entry(name).or_insert_with(|| {
                    self.names.push(name);
                    self.names.len() - 1
                });
                *met = Some((name, number));
                number
            }
        }
    }
}

/// Of some ways to go on, a bit each.
pub(in crate::workbench) type WaySet = u16;

/// The names in a field of thousands of items, as they are while a filter is typed: each item is looked at once, and not
/// once for what there is in the field and again for how many have it.
#[derive(Debug)]
pub(in crate::workbench) struct FieldNames<'a> {
    pub(super) field: FilterField,
    /// Of which steps alone, if there is something that is asked of them: each negated or not.
    steps: Vec<(StepTest, bool)>,
    names: NumberedNames<'a>,
    /// By the number of a name how often it was met as a value that a filter may go on with.
    counts: Vec<usize>,
    /// What the term itself asks for, and by the number of a name whether it is that.
    asked: Option<(Vec<String>, Vec<bool>)>,
    /// The numbers of the names of one item after the other.
    of_items: Vec<usize>,
    /// Where in them each item's end, with whether all is known of it that is asked.
    ends: Vec<(usize, bool)>,
}

impl<'a> FieldNames<'a> {
    /// Of no item yet, in the field of the term that is being typed; `None` if it names none. Of a term about a step
    /// the names are those of the steps that are as `before` asks, each negated or not.
    pub(in crate::workbench) fn of_term<'t>(
        term: &str,
        before: impl Iterator<Item = (&'t StepTest, bool)>,
    ) -> Option<Self> {
        let (field, names) = (typed_field(term)?, NumberedNames::default());
        let is_of_step = term.starts_with("step:");
        let steps = before.filter(|_| is_of_step);
        let steps = steps.map(|(test, negated)| (test.clone(), negated)).collect();
        let (counts, of_items, ends) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { field, steps, names, counts, asked: None, of_items, ends })
    }

    /// Whether they are of some steps alone.
    pub(in crate::workbench) fn are_of_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Whether what runs have in it may become known or another, while they stay as they are otherwise.
    pub(in crate::workbench) fn may_grow(&self) -> bool {
        matches!(self.field, FilterField::Label)
    }

    /// Whether it is known of an item what it has.
    pub(in crate::workbench) fn is_known(&self, item: &FilterItem<'_>) -> bool {
        !self.field.is_awaited(item)
    }

    /// Says of each item whether it has one of these, too.
    pub(in crate::workbench) fn ask(&mut self, asked: AskedNames<'_>) {
        if asked.field == self.field {
            self.asked = Some((asked.names.to_vec(), Vec::new()));
        }
    }

    /// Adds those of an item; gives whether it has one that is asked for, if some are, and that is known.
    pub(in crate::workbench) fn add(&mut self, item: &FilterItem<'a>) -> Option<bool> {
        let (field, start) = (self.field, self.of_items.len());
        if self.steps.is_empty() {
            field.each_name(item, |name, is_value| self.add_name(name, is_value));
        } else {
            let steps = std::mem::take(&mut self.steps);
            each_name_of_steps(field, &steps, item, |name| self.add_name(name, true));
            self.steps = steps;
        }
        let is_known = !field.is_awaited(item);
        self.ends.push((self.of_items.len(), is_known));
        let (_, are_asked) = self.asked.as_ref().filter(|_| is_known)?;
        Some(self.of_items[start..].iter().any(|number| are_asked[*number]))
    }

    /// Adds one of the item that is being added.
    pub(super) fn add_name(&mut self, name: &'a str, is_value: bool) {
        let number = self.names.number(name);
        if number == self.counts.len() {
            self.counts.push(0);
            if let Some((asked, are_asked)) = &mut self.asked {
                are_asked.push(asked.iter().any(|asked| self.field.fits(name, asked)));
            }
        }
        self.counts[number] += usize::from(is_value);
        self.of_items.push(number);
    }

    /// What there is in the field, the most frequent first; of at most so many that were met first, as every item may
    /// have a name of its own.
    pub(super) fn values(&self, most: usize) -> Vec<&'a str> {
        let met = self.names.names.iter().copied().zip(self.counts.iter().copied());
        let met = met.filter(|(name, count)| !name.is_empty() && *count > 0);
        let mut values: Vec<(&str, usize)> = met.take(most).collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| crate::run::natural_cmp(a.0, b.0)));
        values.into_iter().map(|(value, _)| value).collect()
    }

    /// Of each item which of these lists of names it has one of, or none of it where that is asked; each list with the
    /// bit that says so.
    pub(super) fn ways(&self, asked: &[(WaySet, AskedNames<'_>)]) -> Vec<WaySet> {
        // By name the lists that ask for it: there are far fewer names than items.
        let asking: Vec<WaySet> = self
            .names
            .names
            .iter()
            .map(|name| {
                let lists = asked.iter();
                let lists =
                    lists.filter(|(_, list)| list.names.iter().any(|it| self.field.fits(name, it)));
                lists.fold(0, |set, (bit, _)| set | bit)
            })
            .collect();
        let negated = asked.iter().filter(|(_, list)| list.negated);
        let negated = negated.fold(0, |set, (bit, _)| set | bit);
        let mut start = 0;
        let ways = self.ends.iter().map(|(end, is_known)| {
            let numbers = self.of_items.get(start..*end).unwrap_or_default();
            start = *end;
            let found = numbers.iter().fold(0, |set, number| set | asking[*number]);
            // Of what is not known yet neither is said.
            if *is_known { found ^ negated } else { 0 }
        });
        ways.collect()
    }
}

/// The field whose values a term goes on with, if it names one.
fn typed_field(term: &str) -> Option<FilterField> {
    let body = term.strip_prefix('-').unwrap_or(term);
    let of_step = body.strip_prefix("step:");
    let (name, _) = of_step.unwrap_or(body).split_once(':')?;
    let (_, field, _) = FIELDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
    let is_of_step = matches!(field, FilterField::Tool | FilterField::Error);
    (of_step.is_none() || is_of_step).then_some(*field)
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
        let mut numbered = NumberedNames::default();
        let mut plain: Vec<&str> = Vec::new();
        for at in 0..20 * MET {
            let name = &own[at * 7 % own.len()];
            for name in [&name[..], &name[..5]] {
                let known = plain.iter().position(|known| *known == name);
                assert_eq!(numbered.number(name), known.unwrap_or(plain.len()), "{name}");
                if known.is_none() {
                    plain.push(name);
                }
            }
        }
        assert_eq!(numbered.names, plain);
    }
}
