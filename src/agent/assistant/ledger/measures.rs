//! How people and the assistant worked together, in numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::event::{AssistAct, AssistEvent, Author, HunkValue, RequestKind};
use super::state::{Ledger, Record, SuggestionState};
use crate::design::NodeId;
use crate::design::hunk::Field;

/// The ages at which it is asked what is left of hunks, in seconds.
const AGES: [f64; 2] = [10.0, 60.0];
/// Who does nothing for longer before asking was stuck.
const IDLE_SECS: f64 = 10.0;

/// Measures over a [`Ledger`]. `None` wherever nothing was recorded that they could be of; shares are
/// within 0 and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// How many suggestions were shown.
    pub shown: usize,
    /// Shown suggestions that were taken, whole or in part.
    pub acceptance: Option<f64>,
    /// Hunks that were taken, of those of shown suggestions.
    pub hunk_acceptance: Option<f64>,
    /// Median time from showing a suggestion to taking or refusing it, in seconds.
    pub decision_secs: Option<f64>,
    /// Taken hunks that are as they were taken at the end.
    pub kept: Option<f64>,
    /// Taken hunks whose field the person changed later.
    pub edited_after: Option<f64>,
    /// Taken hunks whose field the person set back to what it was, by undo or by hand.
    pub undone: Option<f64>,
    /// Taken hunks that were as they were taken so long after; of those that were taken early enough.
    pub survival: Vec<Survival>,
    /// Who made what is different at the end.
    pub initiative: Option<Initiative>,
    /// Steps of the person, of all steps. What is changed at one time by one author is one step.
    pub person_steps: Option<f64>,
    /// From the beginning to the first change, in seconds.
    pub first_change_secs: Option<f64>,
    /// From the beginning to the first request, in seconds.
    pub first_request_secs: Option<f64>,
    /// Requests for the next step.
    pub next_requests: usize,
    /// Requests for a reason.
    pub why_requests: usize,
    /// Requests for another way.
    pub another_requests: usize,
    /// Requests after more than ten seconds in which the person did nothing.
    pub idle_requests: usize,
    /// Wrong suggestions that were taken, of those shown: reliance where none was due.
    pub over_reliance: Option<f64>,
    /// Right suggestions that were refused, of those shown.
    pub under_reliance: Option<f64>,
    /// The distance to the goal over time, in distance × seconds.
    pub distance_area: Option<f64>,
    /// Steps that were taken for each that was needed.
    pub step_ratio: Option<f64>,
}

/// What is left of taken hunks at an age.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Survival {
    /// Seconds after they were taken.
    pub age_secs: f64,
    /// How many are left; `None` if none became so old.
    pub share: Option<f64>,
}

/// Shares of the fields that are different at the end from the beginning, by who made them so; they sum
/// to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Initiative {
    /// The person alone.
    pub person: f64,
    /// A suggestion that was taken and left as it was.
    pub assistant: f64,
    /// A suggestion that was taken, and changed by the person.
    pub assistant_edited: f64,
    /// The assistant, told to go on alone.
    pub assistant_alone: f64,
}

/// A field of a node.
type Key<'a> = (&'a NodeId, Field);

/// A change of a field: its place among all events, with what it is.
type At<'a> = (usize, f64, Author, &'a HunkValue);

/// A hunk that was taken.
struct TakenHunk<'a> {
    /// The place of the event.
    event: usize,
    at: f64,
    hunk: &'a HunkValue,
}

impl Measures {
    /// The measures of what happened.
    pub fn of(ledger: &Ledger) -> Self {
        let taken = taken(ledger);
        let changes = changes(&ledger.events);
        let shown: Vec<&Record> =
            ledger.suggestions.values().filter(|record| record.shown_at.is_some()).collect();
        let (steps, person_steps) = steps(&ledger.events);
        let least = ledger.events.iter().find_map(|event| match event.act {
            AssistAct::TaskBegan { least_steps } => least_steps,
            _ => None,
        });
        Self {
            shown: shown.len(),
            acceptance: share(&shown, |record| is_taken(record)),
            hunk_acceptance: ratio(
                shown.iter().map(|record| record.taken.len()).sum(),
                shown.iter().map(|record| record.hunks.len()).sum(),
            ),
            decision_secs: median(
                shown.iter().filter_map(|record| Some(record.decided_at? - record.shown_at?)),
            ),
            kept: share(&taken, |hunk| is_left(hunk, &changes, f64::INFINITY)),
            edited_after: share(&taken, |hunk| later(hunk, &changes).any(is_by_person)),
            undone: share(&taken, |hunk| {
                let mut later = later(hunk, &changes);
                later.any(|change| is_by_person(change) && change.3.to == hunk.hunk.from)
            }),
            survival: survival(ledger, &taken, &changes),
            initiative: initiative(&changes),
            person_steps: ratio(person_steps, steps),
            first_change_secs: first(&ledger.events, |act| {
                matches!(act, AssistAct::Changed { .. })
            }),
            first_request_secs: first(&ledger.events, |act| {
                matches!(act, AssistAct::Request { .. })
            }),
            next_requests: requests(&ledger.events, RequestKind::Next),
            why_requests: requests(&ledger.events, RequestKind::Why),
            another_requests: requests(&ledger.events, RequestKind::Another),
            idle_requests: idle_requests(&ledger.events),
            over_reliance: reliance(&shown, false, is_taken),
            under_reliance: reliance(&shown, true, |it| it.state == SuggestionState::Refused),
            distance_area: distance_area(&ledger.events),
            step_ratio: least
                .filter(|least| *least > 0)
                .map(|least| steps as f64 / f64::from(least)),
        }
    }
}

fn is_taken(record: &Record) -> bool {
    matches!(record.state, SuggestionState::Accepted | SuggestionState::Partly)
}

/// Of suggestions that are right, or wrong, how many this holds of.
fn reliance(shown: &[&Record], is_right: bool, holds: fn(&Record) -> bool) -> Option<f64> {
    let counted: Vec<&Record> =
        shown.iter().copied().filter(|record| record.is_right == Some(is_right)).collect();
    share(&counted, |record| holds(record))
}

/// The share of which something holds; `None` of nothing.
fn share<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Option<f64> {
    ratio(all.iter().filter(|one| holds(one)).count(), all.len())
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    // Halfway between the two in the middle.
    Some(f64::midpoint(*values.get(middle.checked_sub(1)?)?, upper))
}

/// The hunks that were taken, each once, with when.
fn taken(ledger: &Ledger) -> Vec<TakenHunk<'_>> {
    let mut taken = Vec::new();
    let mut seen: BTreeSet<(u32, usize)> = BTreeSet::new();
    for (event, AssistEvent { at, act }) in ledger.events.iter().enumerate() {
        let AssistAct::Taken { suggestion, hunks } = act else { continue };
        let Some(record) = ledger.suggestions.get(suggestion) else { continue };
        for place in hunks {
            if seen.insert((*suggestion, *place)) {
                let hunk = record.hunks.get(*place);
                taken.extend(hunk.map(|hunk| TakenHunk { event, at: *at, hunk }));
            }
        }
    }
    taken
}

/// The changes of each field, in order.
fn changes(events: &[AssistEvent]) -> BTreeMap<Key<'_>, Vec<At<'_>>> {
    let mut changes: BTreeMap<Key<'_>, Vec<At<'_>>> = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        if let AssistAct::Changed { author, change } = &event.act {
            let key = (&change.node, change.field);
            changes.entry(key).or_default().push((place, event.at, *author, change));
        }
    }
    changes
}

/// What became of the field after a hunk was taken, what carried it out among it.
fn later<'a>(
    hunk: &TakenHunk<'a>,
    changes: &'a BTreeMap<Key<'a>, Vec<At<'a>>>,
) -> impl Iterator<Item = &'a At<'a>> {
    let event = hunk.event;
    let all = changes.get(&(&hunk.hunk.node, hunk.hunk.field));
    all.into_iter().flatten().filter(move |change| change.0 > event)
}

fn is_by_person(change: &At<'_>) -> bool {
    change.2 == Author::Person
}

/// Whether the field is as it was taken, so long after.
fn is_left(hunk: &TakenHunk<'_>, changes: &BTreeMap<Key<'_>, Vec<At<'_>>>, age_secs: f64) -> bool {
    let until = later(hunk, changes).take_while(|change| change.1 - hunk.at <= age_secs);
    // What carried it out says the same value.
    until.last().is_none_or(|change| change.3.to == hunk.hunk.to)
}

fn survival(
    ledger: &Ledger,
    taken: &[TakenHunk<'_>],
    changes: &BTreeMap<Key<'_>, Vec<At<'_>>>,
) -> Vec<Survival> {
    let end = ledger.events.last().map_or(0.0, |event| event.at);
    let survival = AGES.iter().map(|age_secs| {
        // Who was taken just before the end says nothing of what would have become of it.
        let old = taken.iter().filter(|hunk| end - hunk.at >= *age_secs);
        let old: Vec<&TakenHunk<'_>> = old.collect();
        let share = share(&old, |hunk| is_left(hunk, changes, *age_secs));
        Survival { age_secs: *age_secs, share }
    });
    survival.collect()
}

fn initiative(changes: &BTreeMap<Key<'_>, Vec<At<'_>>>) -> Option<Initiative> {
    let mut counts = [0_usize; 4];
    for changes in changes.values() {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { continue };
        // What is again as it was is nobody's.
        if first.3.from == last.3.to {
            continue;
        }
        let had_help = changes.iter().any(|change| change.2 == Author::Assistant);
        let of = match last.2 {
            Author::Person if had_help => 2,
            Author::Person => 0,
            Author::Assistant => 1,
            Author::AssistantAlone => 3,
        };
        counts[of] += 1;
    }
    let all: usize = counts.iter().sum();
    let [person, assistant, assistant_edited, assistant_alone] =
        counts.map(|count| ratio(count, all));
    Some(Initiative {
        person: person?,
        assistant: assistant?,
        assistant_edited: assistant_edited?,
        assistant_alone: assistant_alone?,
    })
}

/// How many steps there were, and how many of them were the person's.
fn steps(events: &[AssistEvent]) -> (usize, usize) {
    let (mut all, mut own) = (0, 0);
    let mut last: Option<(f64, Author)> = None;
    for event in events {
        let AssistAct::Changed { author, .. } = event.act else {
            // What is taken is a step of its own, however soon it follows the one before.
            if matches!(event.act, AssistAct::Taken { .. }) {
                last = None;
            }
            continue;
        };
        if last != Some((event.at, author)) {
            all += 1;
            own += usize::from(author == Author::Person);
        }
        last = Some((event.at, author));
    }
    (all, own)
}

fn began(events: &[AssistEvent]) -> Option<f64> {
    let began = events.iter().find(|event| matches!(event.act, AssistAct::TaskBegan { .. }));
    began.map(|event| event.at)
}

/// From the beginning to the first event of which something holds, in seconds.
fn first(events: &[AssistEvent], holds: fn(&AssistAct) -> bool) -> Option<f64> {
    let began = began(events)?;
    let found = events.iter().find(|event| event.at >= began && holds(&event.act))?;
    Some(found.at - began)
}

fn requests(events: &[AssistEvent], wanted: RequestKind) -> usize {
    let requests = events.iter().filter(|event| match event.act {
        AssistAct::Request { kind } => kind == wanted,
        _ => false,
    });
    requests.count()
}

fn idle_requests(events: &[AssistEvent]) -> usize {
    let mut last: Option<f64> = None;
    let mut idle = 0;
    for event in events {
        let is_request = matches!(event.act, AssistAct::Request { .. });
        if is_request && last.is_some_and(|last| event.at - last > IDLE_SECS) {
            idle += 1;
        }
        // Only what the person does: suggestions come by themselves.
        let is_own = match event.act {
            AssistAct::TaskBegan { .. }
            | AssistAct::Request { .. }
            | AssistAct::Taken { .. }
            | AssistAct::Refused { .. }
            | AssistAct::Changed { author: Author::Person, .. } => true,
            AssistAct::Offered { .. }
            | AssistAct::Shown { .. }
            | AssistAct::Ignored { .. }
            | AssistAct::Stale { .. }
            | AssistAct::Withdrawn { .. }
            | AssistAct::Changed { .. }
            | AssistAct::Distance { .. }
            | AssistAct::TaskEnded => false,
        };
        if is_own {
            last = Some(event.at);
        }
    }
    idle
}

/// The area below the distance, which stays as it is until it is another.
fn distance_area(events: &[AssistEvent]) -> Option<f64> {
    let end = events.last()?.at;
    let distances = events.iter().filter_map(|event| match event.act {
        AssistAct::Distance { value } => Some((event.at, f64::from(value))),
        _ => None,
    });
    let distances: Vec<(f64, f64)> = distances.collect();
    let next = distances.iter().skip(1).map(|(at, _)| *at).chain([end]);
    let areas = distances.iter().zip(next).map(|((at, value), until)| value * (until - at));
    (!distances.is_empty()).then(|| areas.sum())
}
