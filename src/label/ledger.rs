//! All events of a project, and what they come to.
//!
//! Events are a set that only grows: joining two ledgers, in any order, twice or in parts, gives the same
//! ledger. What they come to is worked out for a *cell*, what one person did about one item by one form,
//! from the cell's events alone. What an item's answers come to in the end may be settled by an adjudicator:
//! that stands in a cell of the adjudicator's, and is no answer. Nor is what a model answered
//! ([`Ledger::judgements`]).

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Act, Answered, Event, EventId};
use super::form::FormHash;
use super::item::ItemId;
use super::judged::Judged;

/// The highest clock and number of an event: a higher one would leave none for what is done next.
const MOST_COUNTED: u64 = 1 << 53;

/// Whose events belong together: a person, an item, a form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellKey {
    /// About which item.
    pub item: ItemId,
    /// By which form.
    pub form: FormHash,
    /// Who.
    pub person: String,
}

/// What a person's events about an item come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LedgerCell {
    /// The event of the answer that stands.
    pub answer: Option<EventId>,
    /// Whether the item was put off since.
    pub is_skipped: bool,
    /// What is wrong with the item.
    pub flag: Option<String>,
    /// How often it was answered anew after it had been answered.
    pub revisions: u32,
}

/// What an adjudicator said the answer is in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settlement<'a> {
    /// The event that says so; its person is the adjudicator.
    pub event: &'a Event,
    /// The answer, as conditions write it.
    pub value: &'a str,
    /// Why.
    pub note: &'a str,
}

/// What was settled about an item, by question and, where each option is a yes or no of its own, option.
pub type Settlements<'a> = BTreeMap<(&'a str, Option<&'a str>), Settlement<'a>>;

/// What a model said of an item in one order, of what stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandingJudgement<'a> {
    /// The event that says so; its person is the judge.
    pub event: &'a Event,
    /// What came of asking.
    pub judged: &'a Judged,
}

/// Why an event is none of a ledger's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Two different events have one id.
    #[error("two different events are called {0:?}: one of the files was changed by hand")]
    Conflict(EventId),
    /// Events count from 1 to 2⁵³, as JSON's numbers do.
    #[error("the event {0:?} has no place in the order")]
    NoPlace(EventId),
}

/// All events of a project.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    events: BTreeMap<EventId, Event>,
    /// The events of each cell, in their order.
    cells: BTreeMap<CellKey, BTreeSet<(u64, EventId)>>,
    /// The events of each person, in their order.
    people: BTreeMap<String, BTreeSet<(u64, EventId)>>,
    /// The cells in which anything was ever settled.
    settled: BTreeSet<CellKey>,
    /// Who no longer takes part: nothing of theirs is kept, whenever it arrives.
    withdrawn: BTreeSet<String>,
    /// The cells in which a model was ever asked.
    judged: BTreeSet<CellKey>,
    clock: u64,
}

impl Ledger {
    /// Takes an event in; whether it was new.
    ///
    /// # Errors
    ///
    /// [`LedgerError`]; the ledger stays as it was.
    pub fn insert(&mut self, event: Event) -> Result<bool, LedgerError> {
        // Copies of a project have events in common: the same one again is no news, another one under its id is
        // damage.
        if let Some(known) = self.events.get(&event.id) {
            return if *known == event { Ok(false) } else { Err(LedgerError::Conflict(event.id)) };
        }
        // Before anything is changed: beyond the range there would be no number for the next event.
        let counts = [event.clock, event.id.sequence];
        if counts.iter().any(|count| !(1..=MOST_COUNTED).contains(count)) {
            return Err(LedgerError::NoPlace(event.id));
        }
        // Also for what is not kept: later events must come after it in every copy.
        self.clock = self.clock.max(event.clock);
        if self.has_withdrawn(&event.person) && event.act.is_personal() {
            return Ok(false);
        }
        // What they did before goes as well, whichever of the two came here first.
        if event.act == Act::Withdrawn && self.withdrawn.insert(event.person.clone()) {
            self.forget(&event.person);
        }
        self.cells.entry(CellKey::of(&event)).or_default().insert(event.order());
        if matches!(event.act, Act::Settled { .. }) {
            self.settled.insert(CellKey::of(&event));
        }
        if matches!(event.act, Act::Judged(_)) {
            self.judged.insert(CellKey::of(&event));
        }
        self.people.entry(event.person.clone()).or_default().insert(event.order());
        self.events.insert(event.id, event);
        Ok(true)
    }

    /// Lets go of what a person did, but for what they decided of the study.
    fn forget(&mut self, person: &str) {
        self.cells.retain(|key, _| key.person != person);
        self.settled.retain(|key| key.person != person);
        self.judged.retain(|key| key.person != person);
        let order = self.people.remove(person).unwrap_or_default();
        for (place, id) in order {
            let Some(event) = self.events.get(&id) else { continue };
            if event.act.is_personal() {
                self.events.remove(&id);
            } else {
                self.cells.entry(CellKey::of(event)).or_default().insert((place, id));
                self.people.entry(person.to_owned()).or_default().insert((place, id));
            }
        }
    }

    /// Whether somebody no longer takes part.
    pub fn has_withdrawn(&self, person: &str) -> bool {
        self.withdrawn.contains(person)
    }

    /// What was done about the study itself or the persons, in its order.
    pub(super) fn of_study(&self) -> Vec<&Event> {
        // No item's id is less than that of none.
        let cells = self.cells.iter().take_while(|(key, _)| key.item.is_study());
        let order: BTreeSet<&(u64, EventId)> = cells.flat_map(|(_, order)| order).collect();
        order.into_iter().filter_map(|(_, id)| self.events.get(id)).collect()
    }

    /// The clock of what is done next.
    pub fn next_clock(&self) -> u64 {
        self.clock.saturating_add(1)
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing was done yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// An event.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(&id)
    }

    /// All events, in their order.
    pub fn in_order(&self) -> Vec<&Event> {
        let mut events: Vec<&Event> = self.events.values().collect();
        events.sort_unstable_by_key(|event| event.order());
        events
    }

    /// The cells of items with events, in the order of their keys.
    pub fn cell_keys(&self) -> impl Iterator<Item = &CellKey> {
        self.cells.keys().filter(|key| !key.item.is_study())
    }

    /// The events of a cell that stand, in their order: not taken back, and no taking back themselves.
    fn standing(&self, key: &CellKey) -> Vec<&Event> {
        let Some(order) = self.cells.get(key) else { return Vec::new() };
        let mut retracted: Vec<EventId> = Vec::new();
        let mut standing = Vec::new();
        // From the last one: whether a taking back stands is known before what it takes back is met. One
        // that names a later event, or one of another cell, takes nothing back.
        for (_, id) in order.iter().rev() {
            let Some(event) = self.events.get(id) else { continue };
            if retracted.contains(id) {
                continue;
            }
            match &event.act {
                Act::Retracted { event } => retracted.push(*event),
                _ => standing.push(event),
            }
        }
        standing.reverse();
        standing
    }

    /// What a cell's events come to.
    pub fn cell(&self, key: &CellKey) -> LedgerCell {
        let mut cell = LedgerCell::default();
        for event in self.standing(key) {
            match &event.act {
                Act::Answered(_) => {
                    cell.revisions += u32::from(cell.answer.is_some());
                    cell.answer = Some(event.id);
                    cell.is_skipped = false;
                }
                Act::Skipped => cell.is_skipped = true,
                Act::Flagged { reason } => cell.flag = Some(reason.clone()),
                Act::Unflagged => cell.flag = None,
                _ => {}
            }
        }
        cell
    }

    /// What was settled about an item by a form and was not taken back; of several about one question, or
    /// one option of it, the last, whoever said it.
    pub fn settled(&self, item: &ItemId, form: FormHash) -> Settlements<'_> {
        let first = CellKey::new(item, form, "");
        let keys = self.settled.range(first..);
        self.settlements(keys.take_while(|key| key.item == *item && key.form == form))
    }

    /// The items about which anything was settled by a form and was not taken back, with [`Self::settled`].
    pub fn all_settled(&self, form: FormHash) -> BTreeMap<&ItemId, Settlements<'_>> {
        let keys: Vec<&CellKey> = self.settled.iter().filter(|key| key.form == form).collect();
        let items = keys.chunk_by(|a, b| a.item == b.item).filter_map(|of_item| {
            Some((&of_item.first()?.item, self.settlements(of_item.iter().copied())))
        });
        items.filter(|(_, settled)| !settled.is_empty()).collect()
    }

    fn settlements<'a>(&'a self, keys: impl Iterator<Item = &'a CellKey>) -> Settlements<'a> {
        let mut events: Vec<&Event> = keys.flat_map(|key| self.standing(key)).collect();
        events.sort_unstable_by_key(|event| event.order());
        let mut settled = Settlements::new();
        for event in events {
            if let Act::Settled { question, option, value, note } = &event.act {
                let key = (question.as_str(), option.as_deref());
                settled.insert(key, Settlement { event, value, note });
            }
        }
        settled
    }

    /// What models said by a form and was not taken back: by item, judge and order of what was shown, the
    /// last.
    pub fn judgements(&self, form: FormHash) -> Vec<StandingJudgement<'_>> {
        let mut found = Vec::new();
        for key in self.judged.iter().filter(|key| key.form == form) {
            let mut orders: [Option<StandingJudgement<'_>>; 2] = [None, None];
            for event in self.standing(key) {
                if let Act::Judged(judged) = &event.act {
                    orders[usize::from(judged.is_swapped)] =
                        Some(StandingJudgement { event, judged });
                }
            }
            found.extend(orders.into_iter().flatten());
        }
        found
    }

    /// Everybody who is a model, by name: whoever was ever asked as one.
    pub fn judges(&self) -> BTreeSet<&str> {
        self.judged.iter().map(|key| key.person.as_str()).collect()
    }

    /// The same without what these people did, as if they had never been there.
    #[must_use]
    pub fn without(&self, people: &BTreeSet<&str>) -> Self {
        let mut others = Self::default();
        for event in self.events.values().filter(|event| !people.contains(event.person.as_str())) {
            // Each was taken in before, so none is refused.
            others.insert(event.clone()).ok();
        }
        others
    }

    /// Everybody who did anything, by name.
    pub fn people(&self) -> impl Iterator<Item = &str> {
        self.people.keys().map(String::as_str)
    }

    /// The answer that stands in a cell.
    pub fn answer(&self, key: &CellKey) -> Option<&Answered> {
        match &self.event(self.cell(key).answer?)?.act {
            Act::Answered(answered) => Some(answered),
            _ => None,
        }
    }

    /// The answers about an item by a form that stand, with who gave them, in the order of their names.
    pub fn answers_about(
        &self,
        item: &ItemId,
        form: FormHash,
    ) -> impl Iterator<Item = (&str, &Answered)> {
        let keys = self.cells.range(CellKey::new(item, form, "")..).map(|(key, _)| key);
        let of_item = keys.take_while(move |key| key.item == *item && key.form == form);
        of_item.filter_map(|key| Some((key.person.as_str(), self.answer(key)?)))
    }

    /// What a person did, the last first.
    pub fn backwards(&self, person: &str) -> impl Iterator<Item = &Event> {
        let order = self.people.get(person).into_iter().flat_map(|order| order.iter().rev());
        order.filter_map(|(_, id)| self.events.get(id))
    }

    /// What undo takes back: the last that a person did and that stands.
    pub fn undo_target(&self, person: &str) -> Option<&Event> {
        let mut retracted: BTreeSet<EventId> = BTreeSet::new();
        for event in self.backwards(person) {
            match &event.act {
                _ if retracted.contains(&event.id) => {}
                // What was agreed to or decided of the study stays.
                Act::Consented { .. } | Act::Withdrawn | Act::LetOn { .. } | Act::Revealed => {}
                Act::Retracted { event: target } => {
                    // One of another cell takes nothing back.
                    let cell = CellKey::of(event);
                    if self.event(*target).is_some_and(|target| CellKey::of(target) == cell) {
                        retracted.insert(*target);
                    }
                }
                _ => return Some(event),
            }
        }
        None
    }

    /// What redo brings back: the last taking back by a person, if nothing was done since but taking back.
    pub fn redo_target(&self, person: &str) -> Option<&Event> {
        // A taking back of a taking back is a redo: the two are done with.
        let mut done_with: BTreeSet<EventId> = BTreeSet::new();
        for event in self.backwards(person) {
            let target = match &event.act {
                Act::Retracted { event: target } => target,
                act if act.can_be_taken_back() => return None,
                _ => continue,
            };
            let is_redo =
                self.event(*target).is_some_and(|it| matches!(it.act, Act::Retracted { .. }));
            if is_redo {
                done_with.insert(*target);
            } else if !done_with.contains(&event.id) {
                return Some(event);
            }
        }
        None
    }
}

impl CellKey {
    /// The cell of somebody's answer to a form about an item.
    pub fn new(item: &ItemId, form: FormHash, person: &str) -> Self {
        Self { item: item.clone(), form, person: person.to_owned() }
    }

    /// The cell an event is of.
    pub fn of(event: &Event) -> Self {
        Self::new(&event.item, event.form, &event.person)
    }
}

#[cfg(test)]
mod tests;
