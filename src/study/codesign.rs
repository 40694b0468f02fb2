//! Measures of designing together, by the events of a task: what was suggested, taken, kept, and by whom.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::clock::TaskClock;
use super::event::{Happening, Hunk, Origin, Request, StudyEvent};

/// After so many milliseconds it is asked whether what was taken still stands.
const SURVIVAL_MS: [u64; 2] = [10_000, 60_000];
/// Who does nothing for longer before asking was stuck.
const IDLE_MS: u64 = 10_000;

/// What happened between a person and the assistant, as counts: those of several tasks add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoDesign {
    /// Suggestions by what became of them: offered, shown, accepted, partly, refused, ignored, stale, withdrawn. Taken
    /// or refused count those only that were shown.
    pub suggestions: [u32; 8],
    /// Hunks of suggestions that were shown.
    pub hunks_shown: u32,
    /// Hunks of these that were taken.
    pub hunks_taken: u32,
    /// Taken hunks that changed the document: what became of them is counted below.
    pub hunks_followed: u32,
    /// Milliseconds from a suggestion being shown to a decision, of each.
    pub decision_ms: Vec<u64>,
    /// Taken hunks whose field of a node a person changed later.
    pub edited_after: u32,
    /// Taken hunks that were taken back: by undo, or the old value by hand.
    pub undone: u32,
    /// Taken hunks that stood 10 and 60 seconds later, of how many that were followed for so long.
    pub survived: [(u32, u32); 2],
    /// Taken hunks that stood at the end.
    pub kept: u32,
    /// Fields that differ at the end from the start, by who made them so.
    pub initiative: Initiative,
    /// Changes by the person, and all.
    pub steps_by_person: (u32, u32),
    /// Milliseconds to the first change of the document, of tasks that have one.
    pub first_change_ms: Vec<u64>,
    /// Milliseconds to the first request.
    pub first_request_ms: Vec<u64>,
    /// Requests: for a step, why, another way.
    pub requests: [u32; 3],
    /// Requests after more than ten seconds in which the person did nothing.
    pub idle_requests: u32,
    /// Parts of suggestions that were wrong: taken, of those shown.
    pub wrong: (u32, u32),
    /// Parts that were right: refused, of those shown.
    pub right: (u32, u32),
    /// The distance from the ground truth over time, as its area in units times seconds, of each task that has one.
    pub distance_area: Vec<f64>,
    /// Tasks.
    pub tasks: u32,
}

/// How many fields that differ at the end were made so by whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Initiative {
    /// By the person.
    pub person: u32,
    /// By a suggestion, as it was.
    pub assistant: u32,
    /// By a suggestion, and changed by the person afterwards.
    pub edited: u32,
    /// By the assistant alone.
    pub alone: u32,
}

impl Initiative {
    /// The four as shares of all; `None` if nothing differs.
    pub fn shares(self) -> Option<[f64; 4]> {
        let counts = [self.person, self.assistant, self.edited, self.alone];
        let all: u32 = counts.iter().sum();
        (all > 0).then(|| counts.map(|count| f64::from(count) / f64::from(all)))
    }
}

/// A field of a node, through the task.
#[derive(Default)]
struct History<'a> {
    /// What stood there at the start.
    first: Option<&'a Value>,
    /// What stands there, since when, by whom.
    changes: Vec<(u64, &'a Value, Origin, bool)>,
}

/// A hunk that was taken.
struct Taken<'a> {
    hunk: &'a Hunk,
    /// When the document changed by it.
    at_ms: u64,
}

impl CoDesign {
    /// Of the events of one task; `None` where nothing that belongs to it was recorded: no change and no request.
    pub fn of(events: &[StudyEvent]) -> Option<Self> {
        let is_recorded = events
            .iter()
            .any(|event| matches!(event.what, Happening::Change { .. } | Happening::Ask { .. }));
        if !is_recorded {
            return None;
        }
        let times = TaskClock::active_at(events);
        let mut found = Self { tasks: 1, ..Self::default() };
        let timed: Vec<(&Happening, u64)> =
            events.iter().map(|event| &event.what).zip(times.iter().copied()).collect();
        let end_ms = times.last().copied().unwrap_or(0);
        found.count_suggestions(&timed);
        found.count_changes(&timed, end_ms);
        found.measure_distance(&timed, end_ms);
        Some(found)
    }

    /// Adds those of another task.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.suggestions.iter_mut().zip(other.suggestions) {
            *sum += more;
        }
        for (sum, more) in self.requests.iter_mut().zip(other.requests) {
            *sum += more;
        }
        for (sum, more) in self.survived.iter_mut().zip(other.survived) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        for (sum, more) in [
            (&mut self.wrong, other.wrong),
            (&mut self.right, other.right),
            (&mut self.steps_by_person, other.steps_by_person),
        ] {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.idle_requests += other.idle_requests;
        self.hunks_shown += other.hunks_shown;
        self.hunks_taken += other.hunks_taken;
        self.hunks_followed += other.hunks_followed;
        self.edited_after += other.edited_after;
        self.undone += other.undone;
        self.kept += other.kept;
        self.initiative.person += other.initiative.person;
        self.initiative.assistant += other.initiative.assistant;
        self.initiative.edited += other.initiative.edited;
        self.initiative.alone += other.initiative.alone;
        self.decision_ms.extend(&other.decision_ms);
        self.first_change_ms.extend(&other.first_change_ms);
        self.first_request_ms.extend(&other.first_request_ms);
        self.distance_area.extend(&other.distance_area);
        self.tasks += other.tasks;
    }

    fn count_suggestions(&mut self, events: &[(&Happening, u64)]) {
        let mut offered: BTreeMap<u32, &[Hunk]> = BTreeMap::new();
        let mut shown: BTreeMap<u32, u64> = BTreeMap::new();
        let mut last_own: Option<u64> = None;
        for (what, at_ms) in events {
            let idle_ms = last_own.map_or(0, |last| at_ms.saturating_sub(last));
            if is_own(what) {
                last_own = Some(*at_ms);
            }
            match what {
                Happening::Ask { request } => {
                    self.idle_requests += u32::from(idle_ms > IDLE_MS);
                    if self.requests.iter().all(|count| *count == 0) {
                        self.first_request_ms.push(*at_ms);
                    }
                    self.requests[match request {
                        Request::Step => 0,
                        Request::Why => 1,
                        Request::AnotherWay => 2,
                    }] += 1;
                }
                Happening::SuggestionOffered { suggestion, hunks } => {
                    self.suggestions[0] += 1;
                    offered.insert(*suggestion, hunks);
                }
                Happening::SuggestionShown { suggestion } => {
                    // It may be scrolled out of view and back: it was shown once, at first.
                    if let Entry::Vacant(first) = shown.entry(*suggestion) {
                        first.insert(*at_ms);
                        self.suggestions[1] += 1;
                        let hunks = offered.get(suggestion).copied().unwrap_or_default();
                        self.hunks_shown += hunks.len() as u32;
                        self.wrong.1 += count(hunks, false);
                        self.right.1 += count(hunks, true);
                    }
                }
                _ => self.count_decision(what, *at_ms, &offered, &shown),
            }
        }
    }

    fn count_decision(
        &mut self,
        what: &Happening,
        at_ms: u64,
        offered: &BTreeMap<u32, &[Hunk]>,
        shown: &BTreeMap<u32, u64>,
    ) {
        let (place, suggestion): (usize, _) = match what {
            Happening::SuggestionAccepted { suggestion } => (2, suggestion),
            Happening::SuggestionPartly { suggestion, .. } => (3, suggestion),
            Happening::SuggestionRefused { suggestion } => (4, suggestion),
            Happening::SuggestionIgnored { suggestion } => (5, suggestion),
            Happening::SuggestionStale { suggestion } => (6, suggestion),
            Happening::SuggestionWithdrawn { suggestion } => (7, suggestion),
            _ => return,
        };
        // What nobody saw says nothing of what anybody thinks of it.
        let is_decision = (2..=4).contains(&place);
        let since = shown.get(suggestion);
        self.suggestions[place] += u32::from(since.is_some() || !is_decision);
        let Some(since) = since else { return };
        let hunks = offered.get(suggestion).copied().unwrap_or_default();
        if is_decision {
            self.decision_ms.push(at_ms.saturating_sub(*since));
        }
        let is_taken = |at: usize| match what {
            Happening::SuggestionAccepted { .. } => true,
            Happening::SuggestionPartly { taken, .. } => taken.contains(&(at as u32)),
            _ => false,
        };
        for (at, hunk) in hunks.iter().enumerate() {
            self.hunks_taken += u32::from(is_taken(at));
            self.wrong.0 += u32::from(is_taken(at) && hunk.right == Some(false));
            let is_refused = (3..=4).contains(&place) && !is_taken(at);
            self.right.0 += u32::from(is_refused && hunk.right == Some(true));
        }
    }

    fn count_changes(&mut self, events: &[(&Happening, u64)], end_ms: u64) {
        let mut fields: BTreeMap<(&str, &str), History<'_>> = BTreeMap::new();
        let mut offered: BTreeMap<u32, &[Hunk]> = BTreeMap::new();
        let mut taken: Vec<Taken<'_>> = Vec::new();
        let mut seen: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (what, at_ms) in events {
            match what {
                Happening::SuggestionOffered { suggestion, hunks } => {
                    offered.insert(*suggestion, hunks);
                }
                Happening::Change { node, field, from, to, origin, undo, .. } => {
                    if self.steps_by_person.1 == 0 {
                        self.first_change_ms.push(*at_ms);
                    }
                    self.steps_by_person.0 += u32::from(*origin == Origin::Person);
                    self.steps_by_person.1 += 1;
                    let history = fields.entry((node.as_str(), field.as_str())).or_default();
                    history.first.get_or_insert(from);
                    history.changes.push((*at_ms, to, *origin, *undo));
                    if let Origin::Suggestion { suggestion, hunk } = origin {
                        // One that was undone and done again is followed from the first time on.
                        let is_new = seen.insert((*suggestion, *hunk));
                        let hunks = offered.get(suggestion).copied().unwrap_or_default();
                        let hunk = hunks.get(*hunk as usize).filter(|_| is_new);
                        taken.extend(hunk.map(|hunk| Taken { hunk, at_ms: *at_ms }));
                    }
                }
                _ => {}
            }
        }
        for taken in &taken {
            let Some(history) = fields.get(&(taken.hunk.node.as_str(), taken.hunk.field.as_str()))
            else {
                continue;
            };
            self.hunks_followed += 1;
            self.count_taken(taken, history, end_ms);
        }
        for history in fields.values() {
            self.count_initiative(history);
        }
    }

    fn count_taken(&mut self, taken: &Taken<'_>, history: &History<'_>, end_ms: u64) {
        let own = history.changes.iter().position(|(at_ms, _, origin, _)| {
            *at_ms == taken.at_ms && matches!(origin, Origin::Suggestion { .. })
        });
        let later = history.changes.get(own.map_or(0, |at| at + 1)..).unwrap_or_default();
        let by_hand = later.iter().any(|(.., origin, _)| *origin == Origin::Person);
        self.edited_after += u32::from(by_hand);
        let is_back = later.iter().any(|(_, to, origin, undo)| {
            **to == taken.hunk.from && (*undo || *origin == Origin::Person)
        });
        self.undone += u32::from(is_back);
        for (sum, after_ms) in self.survived.iter_mut().zip(SURVIVAL_MS) {
            let until = taken.at_ms.saturating_add(after_ms);
            // Whatever was taken near the end was not followed for so long.
            if until <= end_ms {
                let last = later.iter().take_while(|(at_ms, ..)| *at_ms <= until).last();
                let stands = last.is_none_or(|(_, to, ..)| **to == taken.hunk.to);
                *sum = (sum.0 + u32::from(stands), sum.1 + 1);
            }
        }
        let stands = later.last().is_none_or(|(_, to, ..)| **to == taken.hunk.to);
        self.kept += u32::from(stands);
    }

    fn count_initiative(&mut self, history: &History<'_>) {
        let Some((_, last, origin, _)) = history.changes.last() else { return };
        // What is as it was at first is nobody's.
        if history.first == Some(*last) {
            return;
        }
        let was_suggested = history
            .changes
            .iter()
            .any(|(.., origin, _)| matches!(origin, Origin::Suggestion { .. }));
        match origin {
            Origin::Person if was_suggested => self.initiative.edited += 1,
            Origin::Person => self.initiative.person += 1,
            Origin::Suggestion { .. } => self.initiative.assistant += 1,
            Origin::Assistant => self.initiative.alone += 1,
        }
    }

    fn measure_distance(&mut self, events: &[(&Happening, u64)], end_ms: u64) {
        let start = events.iter().find_map(|(what, _)| match what {
            Happening::Begun { trial } => trial.distance,
            _ => None,
        });
        let Some(mut distance) = start else { return };
        let (mut area, mut from_ms) = (0.0, 0);
        for (what, at_ms) in events {
            if let Happening::Change { distance: Some(after), .. } = what {
                area += distance * at_ms.saturating_sub(from_ms) as f64 / 1_000.0;
                (distance, from_ms) = (*after, *at_ms);
            }
        }
        self.distance_area.push(area + distance * end_ms.saturating_sub(from_ms) as f64 / 1_000.0);
    }
}

/// Whether the person did it, or begins or comes back with it. The first press is none, as it may be the request's own.
fn is_own(what: &Happening) -> bool {
    matches!(
        what,
        Happening::Shown
            | Happening::Resume
            | Happening::Back
            | Happening::Ask { .. }
            | Happening::SuggestionAccepted { .. }
            | Happening::SuggestionPartly { .. }
            | Happening::SuggestionRefused { .. }
            | Happening::Change { origin: Origin::Person, .. }
    )
}

fn count(hunks: &[Hunk], is_right: bool) -> u32 {
    hunks.iter().filter(|hunk| hunk.right == Some(is_right)).count() as u32
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::study::{ParticipantKind, Stamp, TrialFacts};

    fn events(all: Vec<(u64, Happening)>) -> Vec<StudyEvent> {
        let trial = TrialFacts {
            study: "s".to_owned(),
            participant: "P01".to_owned(),
            row: 0,
            block: 0,
            position: 0,
            condition: "assisted".to_owned(),
            set: "set".to_owned(),
            task: "task".to_owned(),
            difficulty: "easy".to_owned(),
            limit_secs: 300.0,
            distance: Some(4.0),
        };
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
        let told = CoDesign::of(&events(vec![
            (2_000, Happening::Ask { request: Request::Step }),
            (3_000, offered),
            (3_500, Happening::SuggestionShown { suggestion: 1 }),
            (6_500, Happening::SuggestionPartly { suggestion: 1, taken: vec![0, 1] }),
            (6_500, change("a", (0, 5), by(0), 2.0)),
            (6_500, change("b", (1, 9), by(1), 4.0)),
            (20_000, change("b", (9, 1), Origin::Person, 2.0)),
            (30_000, change("d", (0, 7), Origin::Person, 0.0)),
            (80_000, Happening::Done),
        ]))
        .unwrap();
        assert_eq!(told.suggestions, [1, 1, 0, 1, 0, 0, 0, 0]);
        assert_eq!((told.hunks_shown, told.hunks_taken), (3, 2));
        assert_eq!((told.decision_ms.as_slice(), told.requests), (&[3_000][..], [1, 0, 0]));
        // One wrong part of one was taken, one right part of two was not.
        assert_eq!((told.wrong, told.right), ((1, 1), (1, 2)));
        assert_eq!((told.edited_after, told.undone, told.kept), (1, 1, 1));
        assert_eq!(told.survived, [(2, 2), (1, 2)]);
        let expected = Initiative { person: 1, assistant: 1, edited: 0, alone: 0 };
        assert_eq!((told.initiative, told.steps_by_person), (expected, (2, 4)));
        assert_eq!(told.initiative.shares(), Some([0.5, 0.5, 0.0, 0.0]));
        assert_eq!((told.first_request_ms[0], told.first_change_ms[0]), (2_000, 6_500));
        // 4 · 6.5, 4 · 13.5 (after both parts), 2 · 10, 0 · 50.
        assert_eq!(told.distance_area, [26.0 + 54.0 + 20.0]);
        let mut twice = told.clone();
        twice.add(&told);
        assert_eq!((twice.tasks, twice.hunks_taken, twice.right), (2, 4, (2, 4)));
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
        let told = CoDesign::of(&events(unseen)).unwrap();
        assert_eq!((told.suggestions, told.hunks_taken), ([1, 0, 0, 0, 0, 0, 0, 0], 0));
        assert_eq!((told.hunks_followed, told.undone, told.kept), (1, 1, 1));
        // The decision took as long as from the first time that it was in view.
        let told = CoDesign::of(&events(vec![
            (1_000, offered),
            (1_500, Happening::SuggestionShown { suggestion: 1 }),
            (6_000, Happening::SuggestionShown { suggestion: 1 }),
            (7_000, Happening::SuggestionRefused { suggestion: 1 }),
            (8_000, change("d", (0, 7), Origin::Person, 4.0)),
            (18_000, Happening::Ask { request: Request::Step }),
            (28_001, Happening::Ask { request: Request::Why }),
            (29_000, Happening::Done),
        ]))
        .unwrap();
        assert_eq!((told.requests, told.idle_requests), ([1, 1, 0], 1));
        assert_eq!((told.suggestions[1], told.decision_ms.as_slice()), (1, &[5_500][..]));
    }

    #[test]
    fn what_was_not_recorded_is_not_counted_as_nothing() {
        assert_eq!(CoDesign::of(&events(vec![(5_000, Happening::Done)])), None);
    }
}
