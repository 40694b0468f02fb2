//! What is counted of how people and the assistant worked together.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{AssistAct, AssistEvent, Author, FieldName, HunkValue, RequestKind};
use super::ledger::{Ledger, Record, SuggestionState};
use crate::design::NodeId;

/// The ages at which it is asked what is left of hunks, in seconds.
pub(super) const AGES_SECS: [f64; 2] = [10.0, 60.0];
/// Who does nothing for longer before asking was stuck.
const IDLE_SECS: f64 = 10.0;
/// What one author changes within so little time is one step: less than the window takes for a frame, and more than
/// the lines of one step lie apart in the log of a study.
const STEP_SECS: f64 = 0.005;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Those of which something holds.
    pub part: u32,
    /// All.
    pub of: u32,
}

/// Suggestions by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    /// All that there were.
    pub offered: u32,
    /// Those that were in view.
    pub shown: u32,
    /// Of those shown, taken whole.
    pub accepted: u32,
    /// Of those shown, taken in part.
    pub partly: u32,
    /// Of those shown, refused.
    pub refused: u32,
    /// Replaced, or left when the task was over.
    pub ignored: u32,
    /// The document changed under them, and nobody decided.
    pub stale: u32,
    /// Taken back.
    pub withdrawn: u32,
}

/// Fields that differ at the end from the start, by who made them so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InitiativeCount {
    /// The person alone.
    pub person: u32,
    /// A suggestion that was taken and left as it was, or is so again.
    pub assistant: u32,
    /// A suggestion that was taken, and changed by the person.
    pub assistant_edited: u32,
    /// The assistant, told to go on alone.
    pub assistant_alone: u32,
}

/// Something of each author.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByAuthor<T> {
    /// The person's.
    pub person: T,
    /// The assistant's, as the person took what it suggested.
    pub assistant: T,
    /// The assistant's, told to go on alone.
    pub assistant_alone: T,
}

impl<T> ByAuthor<T> {
    /// That of one author.
    pub fn of_mut(&mut self, author: Author) -> &mut T {
        match author {
            Author::Person => &mut self.person,
            Author::Assistant => &mut self.assistant,
            Author::AssistantAlone => &mut self.assistant_alone,
        }
    }
}

/// What happened between people and the assistant, as counts: those of several tasks add up ([`Self::add`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoDesign {
    /// How many tasks.
    pub tasks: u32,
    /// Suggestions by what became of them.
    pub suggestions: StateCounts,
    /// Hunks of suggestions that were shown: those taken.
    pub hunks: Count,
    /// Seconds from a suggestion being shown to taking or refusing it, of each.
    pub decision_secs: Vec<f64>,
    /// Hunks that were carried out: those that are as they were taken at the end.
    pub kept: Count,
    /// The same: those whose field the person changed later.
    pub edited_after: Count,
    /// The same: those whose field the person set back to what it was, by undo or by hand.
    pub undone: Count,
    /// Hunks that were as they were taken after 10 and after 60 seconds, of those taken so long before the end.
    pub survived: [Count; 2],
    /// Who made what is different at the end.
    pub initiative: InitiativeCount,
    /// Steps: what one author changes in one go is one.
    pub steps: ByAuthor<u32>,
    /// Seconds from the beginning to the first change, of each task that has one.
    pub first_change_secs: Vec<f64>,
    /// Seconds from the beginning to the first request.
    pub first_request_secs: Vec<f64>,
    /// Requests for the next step.
    pub next_requests: u32,
    /// Requests for a reason.
    pub why_requests: u32,
    /// Requests for another way.
    pub another_requests: u32,
    /// Requests after more than ten seconds in which the person did nothing.
    pub idle_requests: u32,
    /// Wrong hunks that were shown: those taken.
    pub wrong_taken: Count,
    /// Right hunks that were shown: those left when somebody decided.
    pub right_left: Count,
    /// The distance from the goal over time, in distance × seconds, of each task of which it is known.
    pub distance_areas: Vec<f64>,
    /// By how much the distance fell with the changes of each, over these tasks; below 0 where it rose.
    pub nearer: ByAuthor<f64>,
    /// Steps that were taken, of the fewest that lead to the goal: of tasks of which those are known.
    pub steps_of_needed: Count,
}

/// A field of a node.
type Key<'a> = (&'a NodeId, &'a FieldName);

/// A change of a field: its place among all events, when, and what.
#[derive(Clone, Copy)]
struct FieldChange<'a> {
    event: usize,
    at: f64,
    author: Author,
    value: &'a HunkValue,
}

/// A hunk that was carried out, with what became of its field since.
struct Taken<'a> {
    own: FieldChange<'a>,
    later: &'a [FieldChange<'a>],
}

impl Count {
    fn add(&mut self, other: Self) {
        self.part = self.part.saturating_add(other.part);
        self.of = self.of.saturating_add(other.of);
    }

    fn count(&mut self, holds: bool) {
        self.add(Self { part: u32::from(holds), of: 1 });
    }

    /// The share; `None` of nothing.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.part) / f64::from(self.of))
    }
}

impl CoDesign {
    /// What is counted of a task.
    pub fn of(ledger: &Ledger) -> Self {
        let mut found = Self { tasks: 1, ..Self::default() };
        ledger.suggestions.values().for_each(|record| found.count_suggestion(record));
        let changes = changes(&ledger.events);
        let presence = Presence::of(&ledger.events);
        for taken in carried_out(ledger, &changes) {
            found.count_taken(&taken, ledger.end(), &presence);
        }
        for changes in changes.values() {
            found.count_initiative(changes, &presence);
        }
        found.count_steps(&ledger.events);
        found.count_requests(&ledger.events);
        found.measure_distance(ledger);
        found
    }

    /// Adds what is counted of other tasks.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.numbers().into_iter().zip(other.clone().numbers()) {
            *sum = sum.saturating_add(*more);
        }
        for (sum, more) in self.shares().into_iter().zip(other.clone().shares()) {
            sum.add(*more);
        }
        for (sum, more) in self.values().into_iter().zip(other.clone().values()) {
            sum.append(more);
        }
        self.nearer.person += other.nearer.person;
        self.nearer.assistant += other.nearer.assistant;
        self.nearer.assistant_alone += other.nearer.assistant_alone;
    }

    fn numbers(&mut self) -> [&mut u32; 20] {
        let (states, initiative) = (&mut self.suggestions, &mut self.initiative);
        [
            &mut self.tasks,
            &mut states.offered,
            &mut states.shown,
            &mut states.accepted,
            &mut states.partly,
            &mut states.refused,
            &mut states.ignored,
            &mut states.stale,
            &mut states.withdrawn,
            &mut initiative.person,
            &mut initiative.assistant,
            &mut initiative.assistant_edited,
            &mut initiative.assistant_alone,
            &mut self.steps.person,
            &mut self.steps.assistant,
            &mut self.steps.assistant_alone,
            &mut self.next_requests,
            &mut self.why_requests,
            &mut self.another_requests,
            &mut self.idle_requests,
        ]
    }

    fn shares(&mut self) -> [&mut Count; 9] {
        let [early, late] = &mut self.survived;
        [
            &mut self.hunks,
            &mut self.kept,
            &mut self.edited_after,
            &mut self.undone,
            early,
            late,
            &mut self.wrong_taken,
            &mut self.right_left,
            &mut self.steps_of_needed,
        ]
    }

    fn values(&mut self) -> [&mut Vec<f64>; 4] {
        [
            &mut self.decision_secs,
            &mut self.first_change_secs,
            &mut self.first_request_secs,
            &mut self.distance_areas,
        ]
    }

    fn count_suggestion(&mut self, record: &Record) {
        let states = &mut self.suggestions;
        states.offered += 1;
        let shown = record.shown_at.is_some();
        states.shown += u32::from(shown);
        // What nobody saw says nothing of what anybody thinks of it.
        match record.state {
            SuggestionState::Accepted => states.accepted += u32::from(shown),
            SuggestionState::Partly => states.partly += u32::from(shown),
            SuggestionState::Refused => states.refused += u32::from(shown),
            SuggestionState::Ignored => states.ignored += 1,
            SuggestionState::Stale => states.stale += 1,
            SuggestionState::Withdrawn => states.withdrawn += 1,
            SuggestionState::Offered | SuggestionState::Shown => {}
        }
        let Some(shown_at) = record.shown_at else { return };
        self.decision_secs.extend(record.decided_at.map(|at| secs_between(shown_at, at)));
        let is_decided = matches!(record.state, SuggestionState::Partly | SuggestionState::Refused);
        for (at, right) in record.right.iter().enumerate() {
            let is_taken = record.taken.contains(&at);
            self.hunks.count(is_taken);
            match right {
                Some(true) => self.right_left.count(is_decided && !is_taken),
                Some(false) => self.wrong_taken.count(is_taken),
                None => {}
            }
        }
    }

    fn count_taken(&mut self, taken: &Taken<'_>, end: f64, presence: &Presence<'_>) {
        let Taken { own, later } = taken;
        let by_person = later.iter().filter(|change| change.author == Author::Person);
        self.edited_after.count(by_person.clone().next().is_some());
        self.undone.count(by_person.clone().any(|change| change.value.leads_back_of(own.value)));
        self.kept.count(taken.is_left(f64::INFINITY, presence));
        for (sum, age_secs) in self.survived.iter_mut().zip(AGES_SECS) {
            // What was taken just before the end says nothing of what would have become of it.
            if secs_between(own.at, end) >= age_secs {
                sum.count(taken.is_left(age_secs, presence));
            }
        }
    }

    fn count_initiative(&mut self, changes: &[FieldChange<'_>], presence: &Presence<'_>) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        // What is again as it was is nobody's.
        if last.value.leads_back_of(first.value) {
            return;
        }
        // Of what is gone only that is different: that it is gone.
        if !last.value.is_existence() && !presence.is_there(&last.value.node, f64::INFINITY) {
            return;
        }
        let taken = changes.iter().rfind(|change| change.author == Author::Assistant);
        let count = match last.author {
            // Changed and changed back, it is as it was taken.
            Author::Person if taken.is_some_and(|taken| taken.value.leads_to_same(last.value)) => {
                &mut self.initiative.assistant
            }
            Author::Person if taken.is_some() => &mut self.initiative.assistant_edited,
            Author::Person => &mut self.initiative.person,
            Author::Assistant => &mut self.initiative.assistant,
            Author::AssistantAlone => &mut self.initiative.assistant_alone,
        };
        *count += 1;
    }

    fn count_steps(&mut self, events: &[AssistEvent]) {
        let mut last: Option<(f64, Author)> = None;
        let mut least = None;
        for AssistEvent { at, act } in events {
            match act {
                // Later ones are of work that is gone on with: they know of what is left only.
                AssistAct::TaskBegan { least_steps } => {
                    least.get_or_insert(*least_steps);
                }
                // What is taken is a step of its own, however soon it follows the one before; and how far the
                // document is is said behind a step.
                AssistAct::Taken { .. } | AssistAct::Distance { .. } => last = None,
                AssistAct::Changed { author, .. } => {
                    let goes_on = last.is_some_and(|(before, by)| {
                        by == *author && secs_between(before, *at) <= STEP_SECS
                    });
                    *self.steps.of_mut(*author) += u32::from(!goes_on);
                    last = Some((*at, *author));
                }
                _ => {}
            }
        }
        if let Some(least) = least.flatten().filter(|least| *least > 0) {
            let ByAuthor { person, assistant, assistant_alone } = self.steps;
            self.steps_of_needed = Count { part: person + assistant + assistant_alone, of: least };
        }
    }

    fn count_requests(&mut self, events: &[AssistEvent]) {
        let mut last_own: Option<f64> = None;
        let mut began: Option<f64> = None;
        for AssistEvent { at, act } in events {
            match act {
                AssistAct::TaskBegan { .. } => began = began.or(Some(*at)),
                AssistAct::Request { kind } => {
                    // Asked after a while of nothing: a sign of being stuck rather than of a plan.
                    let is_idle = last_own.is_some_and(|last| secs_between(last, *at) > IDLE_SECS);
                    self.idle_requests += u32::from(is_idle);
                    *match kind {
                        RequestKind::Next => &mut self.next_requests,
                        RequestKind::Why => &mut self.why_requests,
                        RequestKind::Another => &mut self.another_requests,
                    } += 1;
                    first(&mut self.first_request_secs, began, *at);
                }
                AssistAct::Changed { .. } => first(&mut self.first_change_secs, began, *at),
                _ => {}
            }
            if is_own(act) {
                last_own = Some(*at);
            }
        }
    }

    fn measure_distance(&mut self, ledger: &Ledger) {
        let points = ledger.distances();
        if points.is_empty() {
            return;
        }
        let ends = points.iter().skip(1).map(|point| point.at).chain([ledger.end()]);
        let areas = points.iter().zip(ends).map(|(point, end)| point.value * (end - point.at));
        self.distance_areas.push(areas.sum());
        for pair in points.windows(2) {
            // A change of distance that nobody made (the task itself) is nobody's.
            if let [before, after] = pair
                && let Some(author) = after.author
            {
                *self.nearer.of_mut(author) += before.value - after.value;
            }
        }
    }
}

impl Taken<'_> {
    /// Whether its field is as it was carried out, so long after.
    fn is_left(&self, age_secs: f64, presence: &Presence<'_>) -> bool {
        let own = self.own.value;
        // With its node all that was changed of it is gone.
        if !own.is_existence() && !presence.is_there(&own.node, self.own.at + age_secs) {
            return false;
        }
        let later = self.later.iter();
        let until = later.take_while(|change| secs_between(self.own.at, change.at) <= age_secs);
        until.last().is_none_or(|change| change.value.leads_to_same(own))
    }
}

/// When nodes came and went.
struct Presence<'a>(BTreeMap<&'a NodeId, Vec<(f64, bool)>>);

impl<'a> Presence<'a> {
    fn of(events: &'a [AssistEvent]) -> Self {
        let mut presence: BTreeMap<&NodeId, Vec<(f64, bool)>> = BTreeMap::new();
        for AssistEvent { at, act } in events {
            let AssistAct::Changed { change, .. } = act else { continue };
            if !change.is_existence() {
                continue;
            }
            for node in change.with.iter().chain([&change.node]) {
                presence.entry(node).or_default().push((*at, !change.to.is_empty()));
            }
        }
        Self(presence)
    }

    /// Whether a node is there at a time: as it came or went last until then.
    fn is_there(&self, node: &NodeId, at: f64) -> bool {
        let known = self.0.get(node).into_iter().flatten();
        known.take_while(|(when, _)| secs_between(at, *when) <= 0.0).last().is_none_or(|it| it.1)
    }
}

/// Seconds from one moment to a later one, to the millisecond: logs know no more, and what is subtracted less.
fn secs_between(from: f64, to: f64) -> f64 {
    ((to - from) * 1e3).round() / 1e3
}

/// Takes note of when something happened first in this task.
fn first(found: &mut Vec<f64>, began: Option<f64>, at: f64) {
    if found.is_empty() {
        found.extend(began.map(|began| secs_between(began, at)));
    }
}

/// Whether the person did it, or begins or comes back with it: suggestions come by themselves.
fn is_own(act: &AssistAct) -> bool {
    match act {
        AssistAct::TaskBegan { .. }
        | AssistAct::Returned
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
    }
}

/// The changes of each field, in order.
fn changes(events: &[AssistEvent]) -> BTreeMap<Key<'_>, Vec<FieldChange<'_>>> {
    let mut changes: BTreeMap<Key<'_>, Vec<FieldChange<'_>>> = BTreeMap::new();
    for (event, AssistEvent { at, act }) in events.iter().enumerate() {
        if let AssistAct::Changed { author, change: value } = act {
            let change = FieldChange { event, at: *at, author: *author, value };
            changes.entry((&value.node, &value.field)).or_default().push(change);
        }
    }
    changes
}

/// The hunks that were taken, each once, of which a change of the document followed before more was taken.
fn carried_out<'a>(
    ledger: &'a Ledger,
    changes: &'a BTreeMap<Key<'a>, Vec<FieldChange<'a>>>,
) -> Vec<Taken<'a>> {
    let takings = ledger.events.iter().enumerate().filter_map(|(event, it)| match &it.act {
        AssistAct::Taken { suggestion, hunks } => Some((event, *suggestion, hunks)),
        _ => None,
    });
    let takings: Vec<(usize, u32, &Vec<usize>)> = takings.collect();
    let mut seen: BTreeSet<(u32, usize)> = BTreeSet::new();
    let mut taken = Vec::new();
    for (number, (event, suggestion, hunks)) in takings.iter().enumerate() {
        // Up to the next: the same field may be taken from two suggestions, and each counts its own.
        let until = takings.get(number + 1).map_or(usize::MAX, |(next, ..)| *next);
        for place in hunks.iter().filter(|place| seen.insert((*suggestion, **place))) {
            let record = ledger.suggestions.get(suggestion);
            let hunk = record.and_then(|record| record.hunks.get(*place));
            let of_field = hunk.and_then(|hunk| changes.get(&(&hunk.node, &hunk.field)));
            let Some(of_field) = of_field else { continue };
            let own = of_field.iter().position(|change| {
                (*event..until).contains(&change.event) && change.author != Author::Person
            });
            taken.extend(own.map(|own| Taken { own: of_field[own], later: &of_field[own + 1..] }));
        }
    }
    taken
}
