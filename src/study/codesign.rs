//! What happened between a person and the assistant in a task, read from the study's log.
//!
//! The log has its own lines, as much else happens in a task; here they become the events of
//! [`metric::codesign`](crate::metric::codesign), whose measures are the same wherever people and the assistant work
//! together. Times are those that somebody was at the task: what the clock does not count, nobody decided in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::clock::TaskClock;
use super::event::{Happening, Hunk, Origin, Request, StudyEvent};
use crate::metric::codesign::{
    AssistAct, AssistEvent, Author, FieldName, HunkValue, Ledger, RequestKind,
};

/// What happened with the assistant in a task, with times in seconds at the task; `None` where nothing that belongs to
/// it was recorded: no change and no request. What cannot have happened is left out, and the rest is kept.
pub fn suggestion_ledger(events: &[StudyEvent]) -> Option<Ledger> {
    let (mut is_recorded, mut says_distance, mut has_changed) = (false, false, false);
    let mut least_steps = None;
    for event in events {
        if let Happening::Begun { trial } = &event.what {
            least_steps = trial.least_steps;
        }
        if let Happening::Change { distance, .. } = &event.what {
            has_changed = true;
            says_distance |= distance.is_some();
        }
        is_recorded |= matches!(event.what, Happening::Change { .. } | Happening::Ask { .. });
    }
    if !is_recorded {
        return None;
    }
    let times = TaskClock::active_at(events);
    let mut reading = CodesignReader {
        ledger: Ledger::new(),
        hunks: BTreeMap::new(),
        taken: BTreeSet::new(),
        // Of large designs it is only known how far they are at first, and not that this stays so.
        knows_distance: says_distance || !has_changed,
    };
    let ends = [times.first(), times.last()].map(|at| secs(at.copied().unwrap_or_default()));
    reading.note(ends[0], AssistAct::TaskBegan { least_steps });
    for (event, at) in events.iter().zip(&times) {
        reading.take_in(secs(*at), &event.what);
    }
    reading.note(ends[1], AssistAct::TaskEnded);
    Some(reading.ledger)
}

fn secs(millis: u64) -> f64 {
    millis as f64 / 1_000.0
}

struct CodesignReader {
    ledger: Ledger,
    /// How many hunks each suggestion has.
    hunks: BTreeMap<u32, usize>,
    /// The hunks that are known to be taken.
    taken: BTreeSet<(u32, usize)>,
    knows_distance: bool,
}

impl CodesignReader {
    /// Enters what happened; what cannot have happened is not entered.
    fn note(&mut self, at: f64, act: AssistAct) {
        self.ledger.record(AssistEvent { at, act }).ok();
    }

    fn take_in(&mut self, at: f64, what: &Happening) {
        let act = match what {
            Happening::Begun { trial } => match trial.distance.filter(|_| self.knows_distance) {
                Some(value) => AssistAct::Distance { value },
                None => return,
            },
            // Who was away is no slower for it: what they do next is not measured from before.
            Happening::Resume | Happening::Back => AssistAct::Returned,
            Happening::Ask { request } => AssistAct::Request {
                kind: match request {
                    Request::Step => RequestKind::Next,
                    Request::Why => RequestKind::Why,
                    Request::AnotherWay => RequestKind::Another,
                },
            },
            Happening::SuggestionOffered { suggestion, hunks } => {
                self.hunks.entry(*suggestion).or_insert(hunks.len());
                AssistAct::Offered {
                    suggestion: *suggestion,
                    hunks: hunks.iter().map(hunk_value).collect(),
                    is_right: None,
                    are_right: hunks.iter().map(|hunk| hunk.right).collect(),
                }
            }
            Happening::SuggestionShown { suggestion } => {
                AssistAct::Shown { suggestion: *suggestion }
            }
            Happening::SuggestionAccepted { suggestion } => {
                // A log says that all was taken and not what that was: it was said when it was offered.
                let all = self.hunks.get(suggestion).copied().unwrap_or_default();
                return self.take(at, *suggestion, (0..all).collect());
            }
            Happening::SuggestionPartly { suggestion, taken } => {
                let places = taken.iter().map(|place| *place as usize);
                return self.take(at, *suggestion, places.collect());
            }
            Happening::SuggestionRefused { suggestion } => {
                AssistAct::Refused { suggestion: *suggestion }
            }
            Happening::SuggestionIgnored { suggestion } => {
                AssistAct::Ignored { suggestion: *suggestion }
            }
            Happening::SuggestionStale { suggestion } => {
                AssistAct::Stale { suggestion: *suggestion }
            }
            Happening::SuggestionWithdrawn { suggestion } => {
                AssistAct::Withdrawn { suggestion: *suggestion }
            }
            Happening::Change { node, field, from, to, origin, undo, distance } => {
                let author = self.author(at, *origin, *undo);
                let change = HunkValue {
                    node: node.as_str().into(),
                    field: FieldName::new(field),
                    from: words(from),
                    to: words(to),
                };
                self.note(at, AssistAct::Changed { author, change });
                match distance.filter(|_| self.knows_distance) {
                    Some(value) => AssistAct::Distance { value },
                    None => return,
                }
            }
            _ => return,
        };
        self.note(at, act);
    }

    /// Whose a change is. Of what is taken later of a suggestion only the change says so.
    fn author(&mut self, at: f64, origin: Origin, undo: bool) -> Author {
        // Only people take back.
        if undo {
            return Author::Person;
        }
        match origin {
            Origin::Person => Author::Person,
            Origin::Assistant => Author::AssistantAlone,
            Origin::Suggestion { suggestion, hunk } => {
                if !self.taken.contains(&(suggestion, hunk as usize)) {
                    self.take(at, suggestion, vec![hunk as usize]);
                }
                Author::Assistant
            }
        }
    }

    fn take(&mut self, at: f64, suggestion: u32, mut hunks: Vec<usize>) {
        let count = self.hunks.get(&suggestion).copied().unwrap_or_default();
        hunks.retain(|place| *place < count);
        self.taken.extend(hunks.iter().map(|place| (suggestion, *place)));
        self.note(at, AssistAct::Taken { suggestion, hunks });
    }
}

fn hunk_value(hunk: &Hunk) -> HunkValue {
    HunkValue {
        node: hunk.node.as_str().into(),
        field: FieldName::new(&hunk.field),
        from: words(&hunk.from),
        to: words(&hunk.to),
    }
}

/// A value of the log as one of the ledger: the same for the same.
fn words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(words) => words.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metric::codesign::{CoDesign, Count, InitiativeCount, StateCounts};
    use crate::study::{ParticipantKind, Stamp, TrialFacts};

    fn counted(all: Vec<(u64, Happening)>) -> CoDesign {
        CoDesign::of(&suggestion_ledger(&events(all)).unwrap())
    }

    fn events(all: Vec<(u64, Happening)>) -> Vec<StudyEvent> {
        let trial = TrialFacts::of_some_task(Some(4.0));
        let head = [(0, Happening::Begun { trial }), (0, Happening::Shown)];
        let all = head.into_iter().chain(all).map(|(mono_ms, what)| StudyEvent {
            what,
            by: ParticipantKind::Person,
            at: Stamp { wall: "2026-01-01T00:00:00Z".to_owned(), mono_ms, process: 1 },
        });
        all.collect()
    }

    fn hunk(node: &str, from: i32, to: i32, right: bool) -> Hunk {
        let (from, to) = (json!(from), json!(to));
        Hunk { node: node.to_owned(), field: "x".to_owned(), from, to, right: Some(right) }
    }

    fn change(node: &str, (from, to): (i32, i32), origin: Origin, distance: f64) -> Happening {
        Happening::Change {
            node: node.to_owned(),
            field: "x".to_owned(),
            from: json!(from),
            to: json!(to),
            origin,
            undo: false,
            distance: Some(distance),
        }
    }

    #[test]
    fn everything_is_counted_by_hand() {
        let by = |hunk| Origin::Suggestion { suggestion: 1, hunk };
        let offered = Happening::SuggestionOffered {
            suggestion: 1,
            hunks: vec![hunk("a", 0, 5, true), hunk("b", 1, 9, false), hunk("c", 2, 3, true)],
        };
        let told = counted(vec![
            (2_000, Happening::Ask { request: Request::Step }),
            (3_000, offered),
            (3_500, Happening::SuggestionShown { suggestion: 1 }),
            (6_500, Happening::SuggestionPartly { suggestion: 1, taken: vec![0, 1] }),
            (6_500, change("a", (0, 5), by(0), 2.0)),
            (6_500, change("b", (1, 9), by(1), 4.0)),
            (20_000, change("b", (9, 1), Origin::Person, 2.0)),
            (30_000, change("d", (0, 7), Origin::Person, 0.0)),
            (80_000, Happening::Done),
        ]);
        let states = StateCounts { offered: 1, shown: 1, partly: 1, ..StateCounts::default() };
        assert_eq!((told.suggestions, told.hunks), (states, Count { part: 2, of: 3 }));
        assert_eq!((told.decision_secs.as_slice(), told.next_requests), (&[3.0][..], 1));
        // One wrong part of one was taken, one right part of two was not.
        assert_eq!(told.wrong_taken, Count { part: 1, of: 1 });
        assert_eq!(told.right_left, Count { part: 1, of: 2 });
        let one = Count { part: 1, of: 2 };
        assert_eq!((told.edited_after, told.undone, told.kept), (one, one, one));
        assert_eq!(told.survived, [Count { part: 2, of: 2 }, one]);
        let expected = InitiativeCount { person: 1, assistant: 1, ..InitiativeCount::default() };
        assert_eq!((told.initiative, told.steps.person, told.steps.assistant), (expected, 2, 2));
        assert_eq!((told.first_request_secs[0], told.first_change_secs[0]), (2.0, 6.5));
        // 4 · 6.5, 4 · 13.5 (after both parts), 2 · 10, 0 · 50.
        assert_eq!(told.distance_areas, [26.0 + 54.0 + 20.0]);
        let mut twice = told.clone();
        twice.add(&told);
        assert_eq!((twice.tasks, twice.hunks.part, twice.right_left.of), (2, 4, 4));
    }

    #[test]
    fn what_was_taken_unseen_or_twice_leaves_shares_within_one() {
        let by = Origin::Suggestion { suggestion: 1, hunk: 0 };
        let offered = Happening::SuggestionOffered {
            suggestion: 1,
            hunks: vec![hunk("a", 0, 5, true), hunk("b", 0, 5, true)],
        };
        let unseen = vec![
            (1_000, offered.clone()),
            (1_200, Happening::SuggestionAccepted { suggestion: 1 }),
            (1_200, change("a", (0, 5), by, 2.0)),
            (2_000, change("a", (5, 0), Origin::Person, 4.0)),
            (3_000, change("a", (0, 5), by, 2.0)),
            (4_000, Happening::Done),
        ];
        let told = counted(unseen);
        let states = StateCounts { offered: 1, ..StateCounts::default() };
        assert_eq!((told.suggestions, told.hunks), (states, Count::default()));
        let one = Count { part: 1, of: 1 };
        assert_eq!((told.undone, told.kept), (one, one));
        // The decision took as long as from the first time that it was in view.
        let told = counted(vec![
            (1_000, offered),
            (1_500, Happening::SuggestionShown { suggestion: 1 }),
            (6_000, Happening::SuggestionShown { suggestion: 1 }),
            (7_000, Happening::SuggestionRefused { suggestion: 1 }),
            (8_000, change("d", (0, 7), Origin::Person, 4.0)),
            (18_000, Happening::Ask { request: Request::Step }),
            (28_001, Happening::Ask { request: Request::Why }),
            (29_000, Happening::Done),
        ]);
        let requests = (told.next_requests, told.why_requests, told.another_requests);
        assert_eq!((requests, told.idle_requests), ((1, 1, 0), 1));
        assert_eq!((told.suggestions.shown, told.decision_secs.as_slice()), (1, &[5.5][..]));
    }

    #[test]
    fn what_was_not_recorded_is_not_counted_as_nothing() {
        assert_eq!(suggestion_ledger(&events(vec![(5_000, Happening::Done)])), None);
    }

    #[test]
    fn what_is_taken_later_of_a_suggestion_is_seen_by_whose_the_change_is() {
        let by = |hunk| Origin::Suggestion { suggestion: 1, hunk };
        let hunks = vec![hunk("a", 0, 5, true), hunk("b", 0, 5, true)];
        let told = counted(vec![
            (1_000, Happening::SuggestionOffered { suggestion: 1, hunks }),
            (2_000, Happening::SuggestionShown { suggestion: 1 }),
            (3_000, Happening::SuggestionPartly { suggestion: 1, taken: vec![0] }),
            (3_000, change("a", (0, 5), by(0), 2.0)),
            (9_000, change("b", (0, 5), by(1), 0.0)),
            (9_500, Happening::Done),
        ]);
        assert_eq!((told.suggestions.accepted, told.suggestions.partly), (1, 0));
        assert_eq!((told.hunks.part, told.kept), (2, Count { part: 2, of: 2 }));
        assert_eq!(told.right_left, Count { part: 0, of: 2 });
    }

    #[test]
    fn steps_are_held_against_the_plan_that_the_task_began_with() {
        let alone = |node| change(node, (0, 5), Origin::Person, 2.0);
        let mut all = events(vec![
            (1_000, alone("a")),
            (2_000, alone("b")),
            (3_000, alone("c")),
            (4_000, Happening::Done),
        ]);
        let unknown = CoDesign::of(&suggestion_ledger(&all).unwrap());
        assert_eq!(unknown.steps_of_needed, Count::default());
        let mut trial = TrialFacts::of_some_task(Some(4.0));
        trial.least_steps = Some(2);
        all[0].what = Happening::Begun { trial };
        let told = CoDesign::of(&suggestion_ledger(&all).unwrap());
        assert_eq!(told.steps_of_needed, Count { part: 3, of: 2 });
    }

    #[test]
    fn how_far_a_large_design_is_is_only_known_at_first() {
        let mut moved = change("a", (0, 5), Origin::Person, 0.0);
        if let Happening::Change { distance, .. } = &mut moved {
            *distance = None;
        }
        let told = counted(vec![(2_000, moved), (9_000, Happening::Done)]);
        assert!(told.distance_areas.is_empty(), "{told:?}");
    }

    #[test]
    fn a_pause_is_no_idleness() {
        use crate::study::PauseReason;
        let told = counted(vec![
            (6_000, Happening::Pause { reason: PauseReason::Button }),
            (60_000, Happening::Resume),
            (68_000, Happening::Ask { request: Request::Step }),
            (69_000, Happening::Done),
        ]);
        // Fourteen seconds at the task, eight since they came back.
        assert_eq!((told.first_request_secs[0], told.idle_requests), (14.0, 0));
    }
}
