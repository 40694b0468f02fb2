use super::*;
use crate::design::diff::StyleField;
use crate::design::hunk::Field;

const FILL: Field = Field::Style(StyleField::Fills);

fn value(node: &str, field: Field, from: &str, to: &str) -> HunkValue {
    HunkValue {
        node: node.into(),
        field: field.into(),
        from: from.to_owned(),
        to: to.to_owned(),
        marks: None,
        with: Vec::new(),
    }
}

fn changed(author: Author, change: HunkValue) -> AssistAct {
    AssistAct::Changed { author, change }
}

fn offered(suggestion: u32, hunks: &[HunkValue], is_right: Option<bool>) -> AssistAct {
    let are_right = Vec::new();
    AssistAct::Offered { suggestion, hunks: hunks.to_vec(), is_right, are_right }
}

fn ledger(events: Vec<(f64, AssistAct)>) -> Ledger {
    let mut ledger = Ledger::new();
    for (at, act) in events {
        ledger.record(AssistEvent { at, act }).unwrap();
    }
    ledger
}

/// A session of 200 seconds, worked out by hand below.
fn session() -> Ledger {
    use AssistAct::{
        Distance, Ignored, Refused, Request, Shown, Taken, TaskBegan, TaskEnded, Withdrawn,
    };
    let (person, assistant) = (Author::Person, Author::Assistant);
    let (red, wide) = (value("a", FILL, "white", "red"), value("a", Field::Size, "10", "20"));
    let (moved, text) = (value("b", Field::Place, "0", "8"), value("c", Field::Words, "x", "y"));
    ledger(vec![
        (100.0, TaskBegan { least_steps: Some(2) }),
        (100.0, Distance { value: 8.0 }),
        // Twenty seconds of nothing, then the first request.
        (120.0, Request { kind: RequestKind::Next }),
        (120.0, offered(1, &[red.clone(), wide.clone()], Some(true))),
        (121.0, Shown { suggestion: 1 }),
        (125.0, Taken { suggestion: 1, hunks: vec![0, 1] }),
        (125.0, changed(assistant, red)),
        (125.0, changed(assistant, wide)),
        (125.0, Distance { value: 5.0 }),
        (130.0, Request { kind: RequestKind::Why }),
        (130.0, offered(2, &[moved.clone(), text], Some(false))),
        (131.0, Shown { suggestion: 2 }),
        (139.0, Taken { suggestion: 2, hunks: vec![0] }),
        (139.0, changed(assistant, moved)),
        // Undone after eleven seconds, the width edited after 35.
        (150.0, changed(person, value("b", Field::Place, "8", "0"))),
        (160.0, changed(person, value("a", Field::Size, "20", "30"))),
        (170.0, offered(3, &[value("d", FILL, "1", "2")], Some(true))),
        (171.0, Shown { suggestion: 3 }),
        (172.0, Refused { suggestion: 3 }),
        (180.0, changed(person, value("e", FILL, "1", "2"))),
        (185.0, changed(Author::AssistantAlone, value("f", FILL, "1", "2"))),
        // Never in view.
        (186.0, offered(4, &[value("d", FILL, "1", "2")], None)),
        (190.0, offered(5, &[value("d", FILL, "1", "2")], Some(false))),
        (191.0, Shown { suggestion: 5 }),
        (195.0, Ignored { suggestion: 5 }),
        (196.0, Withdrawn { suggestion: 4 }),
        (200.0, TaskEnded),
    ])
}

#[test]
fn every_suggestion_ends_in_its_state() {
    let ledger = session();
    let states = [1, 2, 3, 4, 5, 6].map(|number| ledger.state(number));
    let expected = [
        Some(SuggestionState::Accepted),
        Some(SuggestionState::Partly),
        Some(SuggestionState::Refused),
        Some(SuggestionState::Withdrawn),
        Some(SuggestionState::Ignored),
        None,
    ];
    assert_eq!(states, expected);
    assert_eq!(ledger.next_number(), 6);
}

#[test]
fn the_measures_of_a_session_are_those_worked_out_by_hand() {
    let measures = Measures::of(&session());
    // Shown: 1, 2, 3 and 5. Hunks: 2 + 2 + 1 + 1, of which three were taken.
    assert_eq!((measures.shown, measures.acceptance), (4, Some(0.5)));
    assert_eq!(measures.hunk_acceptance, Some(0.5));
    // 4, 8 and 1 seconds.
    assert_eq!(measures.decision_secs, Some(4.0));
    // Of the three the fill is left, the width was edited, the place undone.
    assert_eq!(measures.kept, Some(1.0 / 3.0));
    assert_eq!((measures.edited_after, measures.undone), (Some(2.0 / 3.0), Some(1.0 / 3.0)));
    // All were left after ten seconds; all became sixty seconds old, one as it was.
    let left: Vec<_> = measures.survival.iter().map(|it| (it.age_secs, it.share)).collect();
    assert_eq!(left, [(10.0, Some(1.0)), (60.0, Some(1.0 / 3.0))]);
    // Different at the end: the fill of a (taken), its width (edited), the fills of e and f.
    let expected =
        Initiative { person: 0.25, assistant: 0.25, assistant_edited: 0.25, assistant_alone: 0.25 };
    assert_eq!(measures.initiative, Some(expected));
    // Steps: 125, 139, 150, 160, 180, 185; three are the person's; two would have been enough.
    assert_eq!((measures.person_steps, measures.step_ratio), (Some(0.5), Some(3.0)));
    assert_eq!(measures.assistant_steps, Some(1.0 / 3.0));
    assert_eq!(measures.assistant_alone_steps, Some(1.0 / 6.0));
    assert_eq!((measures.first_change_secs, measures.first_request_secs), (Some(25.0), Some(20.0)));
    let requests = (measures.next_requests, measures.why_requests, measures.another_requests);
    assert_eq!((requests, measures.idle_requests), ((1, 1, 0), 1));
    // Wrong and shown: both hunks of 2, of which one was taken, and that of 5. Right and shown: both of 1, which were
    // taken, and that of 3, which was refused.
    let third = Some(1.0 / 3.0);
    assert_eq!((measures.over_reliance, measures.under_reliance), (third, third));
    // 8 for 25 seconds, 5 for 75.
    assert_eq!(measures.distance_area, Some(8.0 * 25.0 + 5.0 * 75.0));
    assert_eq!((measures.assistant_nearer, measures.person_nearer), (Some(3.0), Some(0.0)));
}

#[test]
fn where_nothing_was_recorded_there_is_no_number() {
    let measures = Measures::of(&Ledger::new());
    let nothing = Measures { survival: measures.survival.clone(), ..Measures::default() };
    assert_eq!(measures, nothing);
    assert!(measures.survival.iter().all(|it| it.share.is_none()));
    // A suggestion that nobody decided is no refusal.
    let shown = ledger(vec![
        (1.0, offered(1, &[value("a", FILL, "1", "2")], None)),
        (2.0, AssistAct::Shown { suggestion: 1 }),
    ]);
    let measures = Measures::of(&shown);
    assert_eq!((measures.acceptance, measures.decision_secs), (Some(0.0), None));
    assert_eq!((measures.kept, measures.under_reliance), (None, None));
}

#[test]
fn what_was_taken_just_before_the_end_does_not_count_as_survived() {
    let taken = value("a", FILL, "1", "2");
    let measures = Measures::of(&ledger(vec![
        (0.0, offered(1, std::slice::from_ref(&taken), None)),
        (1.0, AssistAct::Taken { suggestion: 1, hunks: vec![0] }),
        (1.0, changed(Author::Assistant, taken)),
        (31.0, AssistAct::TaskEnded),
    ]));
    let left: Vec<_> = measures.survival.iter().map(|it| it.share).collect();
    assert_eq!(left, [Some(1.0), None]);
    assert_eq!(measures.kept, Some(1.0));
}

#[test]
fn what_was_stale_when_it_was_left_stays_so() {
    let hunks = [value("a", FILL, "1", "2")];
    let ledger = ledger(vec![
        (0.0, offered(1, &hunks, None)),
        (1.0, AssistAct::Stale { suggestion: 1 }),
        (2.0, AssistAct::Ignored { suggestion: 1 }),
        (2.0, offered(2, &hunks, None)),
        (3.0, AssistAct::Ignored { suggestion: 2 }),
        (4.0, AssistAct::TaskEnded),
    ]);
    let states = CoDesign::of(&ledger).suggestions;
    assert_eq!((states.stale, states.ignored), (1, 1));
}

#[test]
fn what_is_taken_is_a_step_of_its_own_however_soon() {
    let mut events = vec![(0.0, AssistAct::TaskBegan { least_steps: Some(1) })];
    for (suggestion, node) in [(1, "a"), (2, "b")] {
        let hunks = [value(node, FILL, "1", "2"), value(node, Field::Size, "1", "2")];
        events.push((1.0, offered(suggestion, &hunks, None)));
        events.push((1.0, AssistAct::Taken { suggestion, hunks: vec![0, 1] }));
        events.extend(hunks.map(|hunk| (1.0, changed(Author::Assistant, hunk))));
    }
    assert_eq!(Measures::of(&ledger(events)).step_ratio, Some(2.0));
}

/// Who made the difference where "2" was taken for "1" and changed further.
fn initiative_after(later: &[(Author, &str, &str)]) -> InitiativeCount {
    let mut events = vec![
        (0.0, offered(1, &[value("a", FILL, "1", "2")], None)),
        (1.0, AssistAct::Taken { suggestion: 1, hunks: vec![0] }),
        (1.0, changed(Author::Assistant, value("a", FILL, "1", "2"))),
    ];
    let later = later.iter();
    events.extend(
        later.map(|(author, from, to)| (2.0, changed(*author, value("a", FILL, from, to)))),
    );
    CoDesign::of(&ledger(events)).initiative
}

#[test]
fn what_is_as_it_was_taken_in_the_end_is_the_assistants_whoever_brought_it_there() {
    let (person, assistant) = (Author::Person, Author::Assistant);
    let as_taken = InitiativeCount { assistant: 1, ..InitiativeCount::default() };
    let edited = InitiativeCount { assistant_edited: 1, ..InitiativeCount::default() };
    assert_eq!(initiative_after(&[]), as_taken);
    // Undone and done again, as it is told now and as it was told before.
    for again in [assistant, person] {
        assert_eq!(initiative_after(&[(person, "2", "1"), (again, "1", "2")]), as_taken);
    }
    assert_eq!(initiative_after(&[(person, "2", "3"), (person, "3", "2")]), as_taken);
    assert_eq!(initiative_after(&[(person, "2", "3")]), edited);
    let taken_twice = [(person, "2", "3"), (assistant, "3", "4"), (person, "4", "2")];
    assert_eq!(initiative_after(&taken_twice), edited);
    assert_eq!(initiative_after(&[(person, "2", "1")]), InitiativeCount::default());
}

#[test]
fn what_changed_nothing_is_neither_kept_nor_lost() {
    let hunks = [value("a", FILL, "1", "2"), value("b", FILL, "1", "2")];
    let measures = Measures::of(&ledger(vec![
        (0.0, offered(1, &hunks, None)),
        (1.0, AssistAct::Taken { suggestion: 1, hunks: vec![0, 1] }),
        (1.0, changed(Author::Assistant, hunks[0].clone())),
        // Another suggestion changes the other field later: that is not what became of the first.
        (2.0, offered(2, &hunks[1..], None)),
        (3.0, AssistAct::Taken { suggestion: 2, hunks: vec![0] }),
        (3.0, changed(Author::Assistant, hunks[1].clone())),
        (4.0, changed(Author::Person, value("b", FILL, "2", "1"))),
    ]));
    assert_eq!((measures.kept, measures.undone), (Some(0.5), Some(0.5)));
}

#[test]
fn each_hunk_may_be_right_or_wrong() {
    let hunks = ["a", "b", "c"].map(|node| value(node, FILL, "1", "2")).to_vec();
    let (is_right, are_right) = (None, vec![Some(true), Some(false), Some(true)]);
    let counted = CoDesign::of(&ledger(vec![
        (0.0, AssistAct::Offered { suggestion: 1, hunks, is_right, are_right }),
        (1.0, AssistAct::Shown { suggestion: 1 }),
        (2.0, AssistAct::Taken { suggestion: 1, hunks: vec![0, 1] }),
    ]));
    assert_eq!(counted.wrong_taken, Count { part: 1, of: 1 });
    assert_eq!(counted.right_left, Count { part: 1, of: 2 });
}

#[test]
fn whoever_changed_the_design_brought_it_nearer() {
    let change = |author, to| changed(author, value("a", FILL, "1", to));
    let ledger = ledger(vec![
        (0.0, AssistAct::Distance { value: 4.0 }),
        (1.0, change(Author::Person, "2")),
        (1.0, AssistAct::Distance { value: 5.0 }),
        (2.0, change(Author::AssistantAlone, "3")),
        (2.0, AssistAct::Distance { value: 1.0 }),
        (4.0, AssistAct::TaskEnded),
    ]);
    let authors: Vec<_> = ledger.distances().iter().map(|point| point.author).collect();
    assert_eq!(authors, [None, Some(Author::Person), Some(Author::AssistantAlone)]);
    let measures = Measures::of(&ledger);
    assert_eq!((measures.person_nearer, measures.assistant_nearer), (Some(-1.0), Some(0.0)));
    assert_eq!(measures.assistant_alone_nearer, Some(4.0));
    assert_eq!(measures.distance_area, Some(4.0 + 5.0 + 2.0));
}

#[test]
fn what_is_counted_of_two_tasks_adds_up() {
    let once = CoDesign::of(&session());
    let mut twice = once.clone();
    twice.add(&once);
    assert_eq!((twice.tasks, twice.suggestions.shown, twice.kept.of), (2, 8, 6));
    assert_eq!((twice.steps.person, twice.nearer.assistant), (6, 6.0));
    let (one, both) = (once.measures(), twice.measures());
    assert_eq!((both.shown, both.next_requests), (2 * one.shown, 2 * one.next_requests));
    // Shares and times are the same of twice the same.
    let same = Measures {
        shown: one.shown,
        next_requests: one.next_requests,
        why_requests: one.why_requests,
        idle_requests: one.idle_requests,
        ..both
    };
    assert_eq!(same, one);
}

#[test]
fn logs_of_before_are_read() {
    let line = r#"{"at":1,"act":"offered","suggestion":1,"hunks":[],"is_right":true}"#;
    let AssistAct::Offered { is_right, are_right, .. } =
        serde_json::from_str::<AssistEvent>(line).unwrap().act
    else {
        panic!("{line}")
    };
    assert_eq!((is_right, are_right.len()), (Some(true), 0));
    let line = r#"{"at":1,"act":"distance","value":8}"#;
    let expected = AssistEvent { at: 1.0, act: AssistAct::Distance { value: 8.0 } };
    assert_eq!(serde_json::from_str::<AssistEvent>(line).unwrap(), expected);
}

#[test]
fn what_cannot_have_happened_is_refused_and_leaves_the_ledger_as_it_was() {
    let before = session();
    let mut after = before.clone();
    let cases = [
        (200.0, AssistAct::Refused { suggestion: 9 }, LedgerError::UnknownSuggestion(9)),
        (200.0, offered(1, &[], None), LedgerError::OfferedTwice(1)),
        (
            200.0,
            AssistAct::Taken { suggestion: 3, hunks: vec![0] },
            LedgerError::Decided { suggestion: 3, state: SuggestionState::Refused },
        ),
        (
            200.0,
            AssistAct::Taken { suggestion: 2, hunks: vec![2] },
            LedgerError::NoHunk { suggestion: 2, hunk: 2 },
        ),
        (199.0, AssistAct::TaskEnded, LedgerError::Time { at: 199.0, last: 200.0 }),
    ];
    for (at, act, expected) in cases {
        assert_eq!(after.record(AssistEvent { at, act }), Err(expected));
        assert_eq!(after, before);
    }
    // The rest of what was taken in part can be taken.
    let rest = AssistAct::Taken { suggestion: 2, hunks: vec![1] };
    after.record(AssistEvent { at: 200.0, act: rest }).unwrap();
    assert_eq!(after.state(2), Some(SuggestionState::Accepted));
}

#[test]
fn events_are_read_back_as_they_were_written() {
    for event in session().events {
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<AssistEvent>(&line).unwrap(), event, "{line}");
    }
}
