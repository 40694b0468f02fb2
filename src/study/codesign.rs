//! What happened between a person and the assistant in a task, read from the study's log.
//!
//! The log has its own lines, as much else happens in a task; here they become the events of
//! [`metric::codesign`](crate::metric::codesign), whose measures are the same wherever people and the assistant work
//! together. Times are those that somebody was at the task: what the clock does not count, nobody decided in.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::clock::TaskClock;
use super::event::{Happening, Origin, Request, StudyEvent};
use crate::metric::codesign::{
    AssistAct, AssistEvent, Author, FieldName, HunkValue, Ledger, RequestKind, SuggestionNumbers,
    ValueMarks,
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
        numbers: SuggestionNumbers::default(),
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
    /// A task that was gone on with after a crash numbers them from 1 again.
    numbers: SuggestionNumbers,
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
                let suggestion = self.numbers.offered(*suggestion, &self.ledger);
                self.hunks.insert(suggestion, hunks.len());
                AssistAct::Offered {
                    suggestion,
                    hunks: hunks
                        .iter()
                        .map(|hunk| hunk_value(&hunk.node, &hunk.field, [&hunk.from, &hunk.to]))
                        .collect(),
                    is_right: None,
                    are_right: hunks.iter().map(|hunk| hunk.right).collect(),
                }
            }
            Happening::SuggestionShown { suggestion } => {
                AssistAct::Shown { suggestion: self.numbers.of(*suggestion) }
            }
            Happening::SuggestionAccepted { suggestion } => {
                // A log says that all was taken and not what that was: it was said when it was offered.
                let suggestion = self.numbers.of(*suggestion);
                let all = self.hunks.get(&suggestion).copied().unwrap_or_default();
                return self.take(at, suggestion, (0..all).collect());
            }
            Happening::SuggestionPartly { suggestion, taken } => {
                let places = taken.iter().map(|place| *place as usize);
                return self.take(at, self.numbers.of(*suggestion), places.collect());
            }
            Happening::SuggestionRefused { suggestion } => {
                AssistAct::Refused { suggestion: self.numbers.of(*suggestion) }
            }
            Happening::SuggestionIgnored { suggestion } => {
                AssistAct::Ignored { suggestion: self.numbers.of(*suggestion) }
            }
            Happening::SuggestionStale { suggestion } => {
                AssistAct::Stale { suggestion: self.numbers.of(*suggestion) }
            }
            Happening::SuggestionWithdrawn { suggestion } => {
                AssistAct::Withdrawn { suggestion: self.numbers.of(*suggestion) }
            }
            Happening::Change { node, field, from, to, origin, undo, distance } => {
                let author = self.author(at, *origin, *undo);
                let change = hunk_value(node, field, [from, to]);
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
                let suggestion = self.numbers.of(suggestion);
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

/// The values before and after as a study's log has them: the words alone where these say all, else an object of the
/// `words`, the `mark` that tells them from others that read alike, and the nodes that came or went `with` it.
pub fn logged_values(value: &HunkValue) -> [Value; 2] {
    let marks = value.marks.as_ref().map(|marks| [&marks.from, &marks.to]);
    let [from_mark, to_mark] = marks.map_or([None; 2], |marks| marks.map(Some));
    [(&value.from, from_mark), (&value.to, to_mark)].map(|(words, mark)| {
        // Of a node that is not there, nothing lies in it.
        let with = if words.is_empty() { &[] } else { value.with.as_slice() };
        if mark.is_none() && with.is_empty() {
            return words.as_str().into();
        }
        let logged = LoggedValue {
            words: words.clone(),
            mark: mark.cloned(),
            with: with.iter().map(|node| node.as_str().to_owned()).collect(),
        };
        json!(logged)
    })
}

/// A value whose words do not say all.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoggedValue {
    words: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
}

fn hunk_value(node: &str, field: &str, values: [&Value; 2]) -> HunkValue {
    let [from, to] = values.map(logged_value);
    let is_marked = from.mark.is_some() || to.mark.is_some();
    let with = from.with.iter().chain(&to.with).map(|node| node.as_str().into());
    HunkValue {
        node: node.into(),
        field: FieldName::new(field),
        with: with.collect(),
        marks: is_marked.then(|| ValueMarks {
            from: from.mark.unwrap_or_default(),
            to: to.mark.unwrap_or_default(),
        }),
        from: from.words,
        to: to.words,
    }
}

/// A value of the log as one of the ledger: the same for the same.
fn logged_value(value: &Value) -> LoggedValue {
    let only = |words: String| LoggedValue { words, ..LoggedValue::default() };
    match value {
        Value::Null => only(String::new()),
        Value::String(words) => only(words.clone()),
        other => LoggedValue::deserialize(other).unwrap_or_else(|_| only(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metric::codesign::{CoDesign, Count, InitiativeCount, StateCounts};
    use crate::study::event::Hunk;
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
    fn suggestions_that_are_numbered_anew_after_a_crash_are_others() {
        let again = Happening::SuggestionOffered {
            suggestion: 1,
            hunks: vec![hunk("b", 0, 5, false), hunk("c", 0, 5, false)],
        };
        let told = counted(vec![
            (
                1_000,
                Happening::SuggestionOffered { suggestion: 1, hunks: vec![hunk("a", 0, 5, true)] },
            ),
            (2_000, Happening::SuggestionShown { suggestion: 1 }),
            (3_000, Happening::SuggestionAccepted { suggestion: 1 }),
            (3_000, change("a", (0, 5), Origin::Suggestion { suggestion: 1, hunk: 0 }, 2.0)),
            (9_000, again.clone()),
            (9_500, Happening::SuggestionShown { suggestion: 1 }),
            (12_000, Happening::SuggestionRefused { suggestion: 1 }),
            // A third time, and a part of it is taken.
            (13_000, again),
            (13_500, Happening::SuggestionShown { suggestion: 1 }),
            (14_000, change("c", (0, 5), Origin::Suggestion { suggestion: 1, hunk: 1 }, 2.0)),
            (15_000, Happening::Done),
        ]);
        let states = StateCounts {
            offered: 3,
            shown: 3,
            accepted: 1,
            refused: 1,
            partly: 1,
            ..StateCounts::default()
        };
        assert_eq!((told.suggestions, told.hunks), (states, Count { part: 2, of: 5 }));
        assert_eq!(
            (told.wrong_taken, told.kept),
            (Count { part: 1, of: 4 }, Count { part: 2, of: 2 })
        );
    }

    #[test]
    fn values_that_read_alike_are_told_apart_in_the_log() {
        let value = |from: &str, to: &str| HunkValue {
            node: "1:2".into(),
            field: FieldName::new("text"),
            from: "\"Sign up for free…\"".to_owned(),
            to: "\"Sign up for free…\"".to_owned(),
            marks: Some(ValueMarks { from: from.to_owned(), to: to.to_owned() }),
            with: Vec::new(),
        };
        let taken = value("today", "now");
        let [from, to] = logged_values(&taken);
        assert_eq!(hunk_value("1:2", "text", [&from, &to]), taken);
        let hunk =
            Hunk { node: "1:2".to_owned(), field: "text".to_owned(), from, to, right: Some(true) };
        let typed = |value: &HunkValue, origin| {
            let [from, to] = logged_values(value);
            let (node, field) = ("1:2".to_owned(), "text".to_owned());
            Happening::Change { node, field, from, to, origin, undo: false, distance: None }
        };
        let by = Origin::Suggestion { suggestion: 1, hunk: 0 };
        let first = vec![
            (1_000, Happening::SuggestionOffered { suggestion: 1, hunks: vec![hunk] }),
            (2_000, Happening::SuggestionShown { suggestion: 1 }),
            (3_000, Happening::SuggestionAccepted { suggestion: 1 }),
            (3_000, typed(&taken, by)),
        ];
        let of = |later: Option<HunkValue>| {
            let mut all = first.clone();
            all.extend(later.map(|value| (30_000, typed(&value, Origin::Person))));
            all.push((40_000, Happening::Done));
            let told = counted(all);
            (told.kept.part, told.undone.part, told.initiative)
        };
        let initiative = InitiativeCount::default();
        let assistant = InitiativeCount { assistant: 1, ..initiative };
        let edited = InitiativeCount { assistant_edited: 1, ..initiative };
        assert_eq!(of(None), (1, 0, assistant));
        assert_eq!(of(Some(value("now", "tomorrow"))), (0, 0, edited));
        assert_eq!(of(Some(value("now", "today"))), (0, 1, initiative));
        // Logs of before say words alone.
        let old = json!("\"Sign up for free…\"");
        assert!(hunk_value("1:2", "text", [&old, &old]).leads_to_same(&taken));
    }

    #[test]
    fn what_was_of_a_node_that_is_gone_is_nobodys() {
        let existence = |from: &str, to: &str, with: &[&str]| {
            let value = HunkValue {
                node: "f".into(),
                field: FieldName::new("node"),
                from: from.to_owned(),
                to: to.to_owned(),
                marks: None,
                with: with.iter().map(|node| (*node).into()).collect(),
            };
            let [from, to] = logged_values(&value);
            let (node, field) = ("f".to_owned(), "node".to_owned());
            let origin = Origin::Person;
            Happening::Change { node, field, from, to, origin, undo: false, distance: None }
        };
        let by = Origin::Suggestion { suggestion: 1, hunk: 0 };
        let begun = vec![
            (
                1_000,
                Happening::SuggestionOffered { suggestion: 1, hunks: vec![hunk("a", 0, 5, true)] },
            ),
            (2_000, Happening::SuggestionShown { suggestion: 1 }),
            (3_000, Happening::SuggestionAccepted { suggestion: 1 }),
            (3_000, change("a", (0, 5), by, 2.0)),
            (4_000, change("x", (0, 5), Origin::Person, 2.0)),
        ];
        let of = |later: &[(u64, Happening)]| {
            let mut all = begun.clone();
            all.extend_from_slice(later);
            all.push((80_000, Happening::Done));
            let told = counted(all);
            (told.kept.part, told.survived.map(|count| count.part), told.initiative)
        };
        // The frame that both lie in is deleted: what is different is that it is gone.
        let gone = (20_000, existence("\"f\"", "", &["a", "x"]));
        let expected = InitiativeCount { person: 1, ..InitiativeCount::default() };
        assert_eq!(of(std::slice::from_ref(&gone)), (0, [1, 0], expected));
        // And back by undo: as if nothing had been.
        let back = (30_000, existence("", "\"f\"", &["a", "x"]));
        let expected = InitiativeCount { assistant: 1, person: 1, ..InitiativeCount::default() };
        assert_eq!(of(&[gone, back]), (1, [1, 1], expected));
        // Drawn and deleted again, it is nobody's.
        let drawn = (20_000, existence("", "\"f\"", &["x"]));
        let gone = (30_000, existence("\"f\"", "", &["x"]));
        let expected = InitiativeCount { assistant: 1, ..InitiativeCount::default() };
        assert_eq!(of(&[drawn, gone]), (1, [1, 1], expected));
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
