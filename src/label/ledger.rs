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
pub struct Cell {
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
        if let Some(known) = self.events.get(&event.id) {
            return if *known == event { Ok(false) } else { Err(LedgerError::Conflict(event.id)) };
        }
        let counts = [event.clock, event.id.sequence];
        if counts.iter().any(|count| !(1..=MOST_COUNTED).contains(count)) {
            return Err(LedgerError::NoPlace(event.id));
        }
        self.clock = self.clock.max(event.clock);
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

    /// The cells with events, in the order of their keys.
    pub fn cell_keys(&self) -> impl Iterator<Item = &CellKey> {
        self.cells.keys()
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
    pub fn cell(&self, key: &CellKey) -> Cell {
        let mut cell = Cell::default();
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
                Act::Settled { .. } | Act::Judged(_) | Act::Retracted { .. } => {}
            }
        }
        cell
    }

    /// What was settled about an item by a form and was not taken back; of several about one question, or
    /// one option of it, the last, whoever said it.
    pub fn settled(&self, item: &ItemId, form: FormHash) -> Settlements<'_> {
        let first = CellKey { item: item.clone(), form, person: String::new() };
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
            let Act::Retracted { event: target } = &event.act else { return None };
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
    /// The cell an event is of.
    pub fn of(event: &Event) -> Self {
        let (item, person) = (event.item.clone(), event.person.clone());
        Self { item, form: event.form, person }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Answer, AnswerValue, Shown, WriterId};

    fn answered(rating: i32) -> Act {
        let values = [("rating".to_owned(), AnswerValue::Rating(rating))].into();
        Act::Answered(Box::new(Answered {
            answer: Answer { values, ..Answer::default() },
            shown: None,
            millis: Some(1_000),
            views: BTreeMap::new(),
            changes: Some(0),
        }))
    }

    fn id(writer: u64, sequence: u64) -> EventId {
        EventId { writer: WriterId(writer), sequence }
    }

    fn event(id: EventId, clock: u64, person: &str, item: &str, act: Act) -> Event {
        Event {
            id,
            clock,
            at: "2026-01-01T00:00:00Z".to_owned(),
            person: person.to_owned(),
            item: ItemId(item.to_owned()),
            form: builtin_form("likert").unwrap().hash(),
            act,
        }
    }

    /// Whether an event stands, as the words say it: no later event of its cell that stands takes it back.
    fn stands(all: &[Event], event: &Event) -> bool {
        !all.iter().any(|other| {
            CellKey::of(other) == CellKey::of(event)
                && other.order() > event.order()
                && other.act == Act::Retracted { event: event.id }
                && stands(all, other)
        })
    }

    /// What a cell's events come to, worked out the slow way.
    fn slow(all: &[Event], key: &CellKey) -> Cell {
        let mut mine: Vec<&Event> =
            all.iter().filter(|event| CellKey::of(event) == *key && stands(all, event)).collect();
        mine.sort_by_key(|event| event.order());
        let is_answer = |event: &&&Event| matches!(event.act, Act::Answered(_));
        let answers: Vec<&&Event> = mine.iter().filter(is_answer).collect();
        let last = answers.last().map(|event| event.order());
        let skip = mine.iter().rev().find(|event| event.act == Act::Skipped).map(|it| it.order());
        let flag = mine.iter().rev().find_map(|event| match &event.act {
            Act::Flagged { reason } => Some(Some(reason.clone())),
            Act::Unflagged => Some(None),
            _ => None,
        });
        Cell {
            answer: answers.last().map(|event| event.id),
            is_skipped: skip > last,
            flag: flag.flatten(),
            revisions: (answers.len() as u32).saturating_sub(1),
        }
    }

    fn settling(value: &str, option: Option<&str>) -> Act {
        Act::Settled {
            question: "rating".to_owned(),
            option: option.map(str::to_owned),
            value: value.to_owned(),
            note: String::new(),
        }
    }

    /// What is settled about an item, worked out the slow way: by option, the value of the last event.
    fn slow_settled(all: &[Event], item: &str) -> BTreeMap<Option<String>, String> {
        let mut mine: Vec<&Event> =
            all.iter().filter(|event| event.item.0 == item && stands(all, event)).collect();
        mine.sort_by_key(|event| event.order());
        let settled = mine.into_iter().filter_map(|event| match &event.act {
            Act::Settled { option, value, .. } => Some((option.clone(), value.clone())),
            _ => None,
        });
        settled.collect()
    }

    /// Anything that may stand in a file: also taking back what is not there, is later, or is somebody
    /// else's.
    fn events() -> impl Strategy<Value = Vec<Event>> {
        let act = prop_oneof![
            3 => (1..=5).prop_map(answered),
            1 => Just(Act::Skipped),
            1 => "[a-c]".prop_map(|reason| Act::Flagged { reason }),
            1 => Just(Act::Unflagged),
            2 => ("[1-5]", prop::option::of("[ab]"))
                .prop_map(|(value, option)| settling(&value, option.as_deref())),
            4 => (0u64..3, 1u64..14).prop_map(|(r, s)| Act::Retracted { event: id(r, s) }),
        ];
        let one = (0u64..3, 1u64..10, prop_oneof!["ada", "bo"], prop_oneof!["x", "y"], act);
        prop::collection::vec(one, 0..40).prop_map(|drawn| {
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            let numbered = drawn.into_iter().map(|(writer, clock, person, item, act)| {
                let sequence = counts.entry(writer).or_insert(0);
                *sequence += 1;
                event(id(writer, *sequence), clock, &person, &item, act)
            });
            numbered.collect()
        })
    }

    proptest! {
        #[test]
        fn cells_are_those_of_the_plain_model_in_any_order_of_arrival(
            all in events(), order in any::<prop::sample::Index>(), twice in any::<bool>(),
        ) {
            let mut ledger = Ledger::default();
            let mut arriving = all.clone();
            if !arriving.is_empty() {
                let middle = order.index(arriving.len());
                arriving.rotate_left(middle);
                arriving.reverse();
            }
            if twice {
                arriving.extend(all.iter().take(all.len() / 2).cloned());
            }
            for event in arriving {
                ledger.insert(event).unwrap();
            }
            prop_assert_eq!(ledger.len(), all.len());
            let keys: Vec<CellKey> = ledger.cell_keys().cloned().collect();
            for key in keys {
                prop_assert_eq!(ledger.cell(&key), slow(&all, &key));
            }
            for person in ["ada", "bo"] {
                let mine = all.iter().filter(|event| {
                    event.person == person
                        && !matches!(event.act, Act::Retracted { .. })
                        && stands(&all, event)
                });
                let last = mine.max_by_key(|event| event.order());
                prop_assert_eq!(ledger.undo_target(person), last);
            }
            let form = builtin_form("likert").unwrap().hash();
            let everything = ledger.all_settled(form);
            for item in ["x", "y"] {
                let settled = ledger.settled(&ItemId(item.to_owned()), form);
                let plain = settled.iter();
                let plain = plain.map(|((_, option), it)| (option.map(str::to_owned), it.value.to_owned()));
                prop_assert_eq!(plain.collect::<BTreeMap<_, _>>(), slow_settled(&all, item));
                let here = everything.get(&ItemId(item.to_owned()));
                prop_assert_eq!(here.cloned().unwrap_or_default(), settled);
            }
            let mut alone = Ledger::default();
            for event in all.iter().filter(|event| event.person == "bo") {
                alone.insert(event.clone()).unwrap();
            }
            let without = ledger.without(&BTreeSet::from(["ada"]));
            prop_assert_eq!(without.in_order(), alone.in_order());
            let highest = all.iter().map(|event| event.clock).max().unwrap_or(0);
            prop_assert_eq!(ledger.next_clock(), highest + 1);
        }

        #[test]
        fn undo_and_redo_go_back_and_forth_over_all_that_a_person_did(
            acts in prop::collection::vec((1..=5i32, prop_oneof!["x", "y", "z"]), 1..12),
            undone in 0usize..12,
        ) {
            let mut ledger = Ledger::default();
            let act = |ledger: &mut Ledger, item: &str, act: Act| {
                let clock = ledger.next_clock();
                ledger.insert(event(id(1, clock), clock, "ada", item, act)).unwrap();
            };
            let state = |ledger: &Ledger| -> Vec<Option<Answered>> {
                let keys: Vec<CellKey> = ledger.cell_keys().cloned().collect();
                keys.iter().map(|key| ledger.answer(key).cloned()).collect()
            };
            for item in ["x", "y", "z"] {
                act(&mut ledger, item, Act::Unflagged);
            }
            let mut states = vec![state(&ledger)];
            for (rating, item) in &acts {
                act(&mut ledger, item, answered(*rating));
                states.push(state(&ledger));
            }
            let undone = undone.min(acts.len());
            for back in 1..=undone {
                let target = ledger.undo_target("ada").unwrap().clone();
                act(&mut ledger, &target.item.0, Act::Retracted { event: target.id });
                prop_assert_eq!(&state(&ledger), &states[acts.len() - back]);
            }
            for forth in (0..undone).rev() {
                let target = ledger.redo_target("ada").unwrap().clone();
                act(&mut ledger, &target.item.0, Act::Retracted { event: target.id });
                prop_assert_eq!(&state(&ledger), &states[acts.len() - forth]);
            }
            prop_assert!(ledger.redo_target("ada").is_none(), "nothing is left to bring back");
            prop_assert!(ledger.undo_target("bo").is_none());
        }
    }

    #[test]
    fn a_new_act_after_undo_leaves_nothing_to_redo() {
        let mut ledger = Ledger::default();
        ledger.insert(event(id(1, 1), 1, "ada", "x", answered(1))).unwrap();
        let back = Act::Retracted { event: id(1, 1) };
        ledger.insert(event(id(1, 2), 2, "ada", "x", back)).unwrap();
        assert_eq!(ledger.redo_target("ada").unwrap().id, id(1, 2));
        ledger.insert(event(id(1, 3), 3, "ada", "y", answered(2))).unwrap();
        assert!(ledger.redo_target("ada").is_none());
    }

    #[test]
    fn what_was_settled_is_no_answer_and_goes_with_undo() {
        let mut ledger = Ledger::default();
        let act = |ledger: &mut Ledger, person: &str, act: Act| {
            let clock = ledger.next_clock();
            ledger.insert(event(id(1, clock), clock, person, "x", act)).unwrap();
        };
        let value = |ledger: &Ledger| {
            let form = builtin_form("likert").unwrap().hash();
            let settled = ledger.settled(&ItemId("x".to_owned()), form);
            settled.get(&("rating", None)).map(|it| (it.value.to_owned(), it.event.person.clone()))
        };
        act(&mut ledger, "ada", answered(2));
        act(&mut ledger, "lead", settling("4", None));
        act(&mut ledger, "other", settling("5", None));
        assert_eq!(value(&ledger), Some(("5".to_owned(), "other".to_owned())));
        let keys: Vec<CellKey> = ledger.cell_keys().cloned().collect();
        let answers = keys.iter().filter(|key| ledger.cell(key).answer.is_some());
        assert_eq!(answers.count(), 1, "what was settled is no answer");
        let target = ledger.undo_target("other").unwrap().id;
        act(&mut ledger, "other", Act::Retracted { event: target });
        assert_eq!(value(&ledger), Some(("4".to_owned(), "lead".to_owned())));
        let target = ledger.redo_target("other").unwrap().id;
        act(&mut ledger, "other", Act::Retracted { event: target });
        assert_eq!(value(&ledger), Some(("5".to_owned(), "other".to_owned())));
        // Nobody takes back what somebody else settled.
        act(&mut ledger, "ada", Act::Retracted { event: id(1, 3) });
        assert_eq!(value(&ledger).unwrap().0, "5");
    }

    #[test]
    fn what_was_changed_by_hand_is_refused_and_changes_nothing() {
        let mut ledger = Ledger::default();
        let first = event(id(1, 1), 1, "ada", "x", answered(1));
        assert_eq!(ledger.insert(first.clone()), Ok(true));
        assert_eq!(ledger.insert(first), Ok(false));
        let forged = event(id(1, 1), 1, "ada", "x", answered(5));
        assert_eq!(ledger.insert(forged), Err(LedgerError::Conflict(id(1, 1))));
        let nowhere = event(id(1, 2), 0, "ada", "x", answered(5));
        assert_eq!(ledger.insert(nowhere), Err(LedgerError::NoPlace(id(1, 2))));
        let last = event(id(1, 2), u64::MAX, "ada", "x", answered(5));
        assert_eq!(ledger.insert(last), Err(LedgerError::NoPlace(id(1, 2))));
        assert_eq!(ledger.len(), 1);
    }

    #[test]
    fn events_are_read_as_they_were_written() {
        let shown = Shown { is_swapped: true, candidates: vec![2, 0, 1], language: None };
        let Act::Answered(mut answered) = answered(4) else { unreachable!() };
        answered.shown = Some(shown);
        for act in [
            Act::Answered(answered),
            Act::Skipped,
            settling("4", Some("a")),
            Act::Flagged { reason: "torn\u{200b}".to_owned() },
            Act::Retracted { event: id(u64::MAX, 7) },
        ] {
            let event = event(id(u64::MAX, 1), 3, "ada", "x", act);
            let text = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }
}
