//! What events come to, against the plain and slow way.

use proptest::prelude::*;

use super::*;
use crate::label::form::builtin_form;
use crate::label::{Answer, AnswerValue, ProposalTime, Shown, ShownProposal, WriterId, text_hash};

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
fn slow(all: &[Event], key: &CellKey) -> LedgerCell {
    let mut mine: Vec<&Event> =
        all.iter().filter(|event| CellKey::of(event) == *key && stands(all, event)).collect();
    mine.sort_by_key(|event| event.order());
    let answers: Vec<&&Event> =
        mine.iter().filter(|event| matches!(event.act, Act::Answered(_))).collect();
    let last = answers.last().map(|event| event.order());
    let skip = mine.iter().rev().find(|event| event.act == Act::Skipped).map(|it| it.order());
    let flag = mine.iter().rev().find_map(|event| match &event.act {
        Act::Flagged { reason } => Some(Some(reason.clone())),
        Act::Unflagged => Some(None),
        _ => None,
    });
    LedgerCell {
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

/// What is left of all that arrived: nothing personal of who withdrew, whenever that was.
fn kept(arrived: &[Event]) -> Vec<Event> {
    let kept = arrived.iter().filter(|event| {
        let mut same_person = arrived.iter().filter(|other| other.person == event.person);
        !event.act.is_personal() || same_person.all(|other| other.act != Act::Withdrawn)
    });
    kept.cloned().collect()
}

/// Anything that may stand in a file: also taking back what is not there, is later, or is somebody
/// else's.
fn events() -> impl Strategy<Value = Vec<Event>> {
    let act = prop_oneof![
        3 => (1..=5).prop_map(answered),
        1 => Just(Act::Skipped),
        1 => "[a-c]".prop_map(|reason| Act::Flagged { reason }),
        1 => Just(Act::Unflagged),
        1 => Just(Act::Revealed),
        1 => "[a-c]".prop_map(|text| Act::Consented { text: text_hash(&text) }),
        1 => "[a-c]".prop_map(|person| Act::LetOn { person }),
        1 => prop::bool::weighted(0.2).prop_map(|is| if is { Act::Withdrawn } else { Act::Skipped }),
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
            let is_of_study = !act.can_be_taken_back() && !matches!(act, Act::Retracted { .. });
            let item = if is_of_study { String::new() } else { item };
            event(id(writer, *sequence), clock, &person, &item, act)
        });
        numbered.collect()
    })
}

proptest! {
    #[test]
    fn cells_are_those_of_the_plain_model_in_any_order_of_arrival(
        arrived in events(), order in any::<prop::sample::Index>(), twice in any::<bool>(),
    ) {
        let mut ledger = Ledger::default();
        let all = kept(&arrived);
        let mut arriving = arrived.clone();
        if !arriving.is_empty() {
            let middle = order.index(arriving.len());
            arriving.rotate_left(middle);
            arriving.reverse();
        }
        if twice {
            arriving.extend(arrived.iter().take(arrived.len() / 2).cloned());
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
                    && event.act.can_be_taken_back()
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
        let revealed = all.iter().filter(|event| event.act == Act::Revealed);
        let first = revealed.min_by_key(|event| event.order());
        prop_assert_eq!(ledger.revealed(), first);
        for person in ["ada", "bo"] {
            let has = |act: &Act| all.iter().any(|it| it.person == person && it.act == *act);
            prop_assert_eq!(ledger.has_withdrawn(person), has(&Act::Withdrawn));
            for text in ["a", "b"] {
                let agreed = Act::Consented { text: text_hash(text) };
                prop_assert_eq!(ledger.has_consented(person, text), has(&agreed));
            }
        }
        for whom in ["a", "b", "c"] {
            let lets = Act::LetOn { person: whom.to_owned() };
            prop_assert_eq!(ledger.is_let_on(whom), all.iter().any(|it| it.act == lets));
        }
        let highest = arrived.iter().map(|event| event.clock).max().unwrap_or(0);
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
            // What is agreed to or decided in between is not undone, and is in nobody's way.
            act(&mut ledger, "", Act::Consented { text: text_hash("a text") });
            states.push(state(&ledger));
        }
        let undone = undone.min(acts.len());
        for back in 1..=undone {
            let target = ledger.undo_target("ada").unwrap().clone();
            act(&mut ledger, &target.item.0, Act::Retracted { event: target.id });
            act(&mut ledger, "", Act::Revealed);
            prop_assert_eq!(&state(&ledger), &states[acts.len() - back]);
        }
        for forth in (0..undone).rev() {
            let target = ledger.redo_target("ada").unwrap().clone();
            act(&mut ledger, &target.item.0, Act::Retracted { event: target.id });
            prop_assert_eq!(&state(&ledger), &states[acts.len() - forth]);
        }
        prop_assert!(ledger.has_consented("ada", "a text"), "it was never undone");
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
    let said = Answer { note: "so it says".to_owned(), ..Answer::default() };
    let proposal = Some(ShownProposal { when: ProposalTime::After, said });
    let shown = Shown { is_swapped: true, candidates: vec![2, 0, 1], language: None, proposal };
    let Act::Answered(mut answered) = answered(4) else { unreachable!() };
    answered.shown = Some(shown);
    for act in [
        Act::Answered(answered),
        Act::Skipped,
        settling("4", Some("a")),
        Act::Flagged { reason: "torn\u{200b}".to_owned() },
        Act::Retracted { event: id(u64::MAX, 7) },
        Act::Consented { text: text_hash("a text") },
        Act::Withdrawn,
        Act::LetOn { person: "ada".to_owned() },
        Act::Revealed,
    ] {
        let event = event(id(u64::MAX, 1), 3, "ada", "x", act);
        let text = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
    }
}

#[test]
fn who_withdrew_leaves_nothing_behind_but_that_and_what_they_decided_of_the_study() {
    let mut ledger = Ledger::default();
    let first = event(id(1, 1), 1, "ada", "x", answered(1));
    ledger.insert(first.clone()).unwrap();
    ledger.insert(event(id(1, 2), 2, "ada", "x", settling("4", None))).unwrap();
    ledger.insert(event(id(1, 3), 3, "ada", "", Act::Revealed)).unwrap();
    ledger.insert(event(id(1, 4), 4, "bo", "x", answered(2))).unwrap();
    ledger.insert(event(id(2, 1), 5, "ada", "", Act::Withdrawn)).unwrap();
    assert_eq!(ledger.insert(first), Ok(false), "an older copy does not bring it back");
    assert_eq!(ledger.insert(event(id(3, 1), 9, "ada", "y", Act::Skipped)), Ok(false));
    let left: Vec<EventId> = ledger.in_order().iter().map(|event| event.id).collect();
    assert_eq!(left, [id(1, 3), id(1, 4), id(2, 1)]);
    assert!(ledger.all_settled(builtin_form("likert").unwrap().hash()).is_empty());
    assert_eq!(ledger.cell_keys().map(|key| key.person.as_str()).collect::<Vec<_>>(), ["bo"]);
    assert_eq!(ledger.undo_target("ada"), None);
    assert_eq!(ledger.withdrawals().len(), 1);
    assert_eq!(ledger.next_clock(), 10);
}
