//! Having things written down, and what becomes of that.

use std::sync::Arc;

use crate::label::form::QuestionKind;
use crate::label::{Act, Answered, CellKey, Event, ItemRole, ProposalTime, Shown, ShownProposal};
use crate::workbench::derive::views::{proposed, teaches};
use crate::workbench::model::{Annotate, NoticeLevel, NoticeSubject, Saving, State, WrittenFor};
use crate::workbench::protocol::{Dwell, Request};

use super::answering::clean;
use super::going::{self, cell_of, unit_state};
use super::sending::send;
use super::{opening, reading};

/// The qualification is answered once: who has passed or failed it has seen what comes of it.
const OVER: &str = "The qualification is over: its answers stay.";

/// Writes the answer down, if it is whole; else the keys get the first question that is missing.
pub(super) fn submit(state: &mut State, dwell: Dwell) -> Vec<Request> {
    let annotate = &mut state.annotate;
    let Some((labels, desk)) = annotate.at_desk() else { return Vec::new() };
    let labels = Arc::clone(labels);
    let asked = desk.unit().and_then(|unit| labels.item(unit).zip(labels.form(unit)));
    let Some((item, form)) = asked else { return Vec::new() };
    let Some(desk) = &mut annotate.desk else { return Vec::new() };
    if desk.saving == Saving::GoingOn {
        // Whoever presses again does not want to wait.
        going::go_on(state);
        return Vec::new();
    }
    if !desk.is_free() {
        return Vec::new();
    }
    // An answer that stands as it is needs no second event.
    if !desk.draft.is_touched && desk.progress.states.get(desk.at).is_some_and(|it| it.is_answered)
    {
        desk.saving = Saving::GoingOn;
        return Vec::new();
    }
    let is_over = is_over(annotate, annotate.desk.as_ref().map_or(0, |desk| desk.at));
    let Some(desk) = &mut annotate.desk else { return Vec::new() };
    if is_over {
        desk.draft.problem = Some(OVER.to_owned());
        return Vec::new();
    }
    if let Err(error) = desk.draft.answer.check(form, &item.candidates) {
        desk.draft.problem = Some(error.in_words(form, &desk.language));
        if let Some(missing) = desk.draft.answer.next_missing(form) {
            desk.draft.focus = Some(missing.id.clone());
            let is_words = missing.answer == QuestionKind::Text;
            desk.writing = is_words.then(|| missing.id.clone());
        }
        return Vec::new();
    }
    // A proposal that was seen is kept with the answer, as it may have swayed it.
    let proposal = proposed(annotate)
        .map(|(proposal, when)| ShownProposal { when, said: proposal.answer.clone() });
    let Some(desk) = &mut annotate.desk else { return Vec::new() };
    let turn = desk.unit().map(|unit| unit.turn.clone());
    // How it was shown, without which nobody could look for a side that is always preferred.
    let shown = turn.map(|turn| Shown {
        is_swapped: turn.is_swapped,
        candidates: turn.candidates,
        language: Some(desk.language.clone()),
        proposal,
    });
    let answered = Answered {
        answer: desk.draft.answer.clone(),
        shown,
        millis: Some(dwell.millis),
        views: dwell.views,
        changes: Some(desk.draft.changes),
    };
    write(state, WrittenFor::Leaving, Act::Answered(Box::new(answered)))
}

/// Whether a unit is of a qualification that all is answered of.
fn is_over(annotate: &Annotate, at: usize) -> bool {
    let Some((labels, desk)) = annotate.at_desk() else { return false };
    let item = desk.units.get(at).and_then(|unit| labels.item(unit));
    item.is_some_and(|item| item.role == ItemRole::Qualification)
        && desk.qualification.share().is_some()
        && desk.progress.states.get(at).is_some_and(|it| it.is_answered)
}

pub(super) fn skip(state: &mut State) -> Vec<Request> {
    // Who is asked about themselves may leave questions out that are optional, and no more.
    if let Some((labels, desk)) = state.annotate.at_desk()
        && desk.unit().is_some_and(|unit| labels.is_survey(unit))
    {
        return Vec::new();
    }
    write(state, WrittenFor::Leaving, Act::Skipped)
}

pub(super) fn flag(state: &mut State) -> Vec<Request> {
    let Some(desk) = &mut state.annotate.desk else { return Vec::new() };
    let Some(reason) = desk.flagging.as_deref().map(|reason| clean(reason.trim())) else {
        return Vec::new();
    };
    if reason.is_empty() || !desk.is_free() {
        return Vec::new();
    }
    desk.flagging = None;
    write(state, WrittenFor::Staying, Act::Flagged { reason })
}

pub(super) fn unflag(state: &mut State) -> Vec<Request> {
    write(state, WrittenFor::Staying, Act::Unflagged)
}

pub(super) fn undo(state: &mut State) -> Vec<Request> {
    take_back(state, true)
}

pub(super) fn redo(state: &mut State) -> Vec<Request> {
    take_back(state, false)
}

/// Takes the last thing back, or the last taking back.
fn take_back(state: &mut State, is_undo: bool) -> Vec<Request> {
    let annotate = &state.annotate;
    let Some((_, desk)) = annotate.at_desk() else { return Vec::new() };
    let target = if is_undo {
        annotate.ledger.undo_target(&desk.person)
    } else {
        annotate.ledger.redo_target(&desk.person)
    };
    // Of two who have one name, nobody takes back what was done in the other part.
    let settles = desk.review.is_some();
    let target = target.filter(|event| is_settlement(annotate, event) == settles);
    let Some(target) = target else {
        let words = if is_undo { "Nothing to undo" } else { "Nothing to redo" };
        return told(state, words.to_owned());
    };
    let (item, form, event) = (target.item.clone(), target.form, target.id);
    let at = desk.unit_of((&item, form)).unwrap_or(desk.at);
    if is_over(annotate, at) {
        return told(state, OVER.to_owned());
    }
    let purpose = if is_undo { WrittenFor::Undo(at) } else { WrittenFor::Redo(at) };
    send(state, purpose, (item, form), Act::Retracted { event })
}

/// Whether an event settles something, or takes such a one back.
fn is_settlement(annotate: &Annotate, event: &Event) -> bool {
    match &event.act {
        Act::Settled { .. } => true,
        Act::Retracted { event } => {
            annotate.ledger.event(*event).is_some_and(|event| is_settlement(annotate, event))
        }
        _ => false,
    }
}

fn told(state: &mut State, words: String) -> Vec<Request> {
    if let Some(desk) = &mut state.annotate.desk {
        desk.told = Some(words);
    }
    Vec::new()
}

fn write(state: &mut State, purpose: WrittenFor, act: Act) -> Vec<Request> {
    let annotate = &state.annotate;
    let Some((_, desk)) = annotate.at_desk() else { return Vec::new() };
    let Some(CellKey { item, form, .. }) = cell_of(annotate, desk, desk.at) else {
        return Vec::new();
    };
    send(state, purpose, (item, form), act)
}

/// Something is on disk; or is not, and is tried again.
pub(in crate::workbench::reduce) fn written(
    state: &mut State,
    number: u64,
    result: Result<Box<Event>, String>,
) {
    let writing = state.annotate.desk.as_ref().and_then(|desk| match &desk.saving {
        Saving::Writing(written) | Saving::Failing { written, .. } => Some(*written),
        Saving::Done | Saving::GoingOn => None,
    });
    // An answer to an earlier writing says nothing of the one that is on its way.
    let written = writing.filter(|written| written.number == number);
    match result {
        // What is on disk counts also where nobody waits for it any more.
        Ok(event) => {
            take_in(state, *event);
            if let Some(written) = written {
                saved(&mut state.annotate, written.purpose);
                state.notices.retain(|it| it.about != Some(NoticeSubject::Labelling));
            }
        }
        Err(why) => {
            let Some(written) = written else { return };
            let text = format!("The answer is not saved: {why}. It stays here and is tried again.");
            if let Some(desk) = &mut state.annotate.desk {
                desk.saving = Saving::Failing { written, why };
            }
            state.notify_about(NoticeSubject::Labelling, NoticeLevel::Error, text);
        }
    }
}

/// What was written is on disk: the desk moves on.
fn saved(annotate: &mut Annotate, purpose: WrittenFor) {
    let teaches = teaches(annotate).is_some();
    // What a program says is shown now, and can still make somebody change their mind.
    let is_shown_now = proposed(annotate).is_some_and(|(_, when)| when == ProposalTime::After);
    let at = match purpose {
        WrittenFor::Undo(at) | WrittenFor::Redo(at) => Some(at),
        WrittenFor::Leaving | WrittenFor::Staying | WrittenFor::Agreeing => None,
    };
    let Some(desk) = &mut annotate.desk else { return };
    desk.saving = Saving::Done;
    match purpose {
        WrittenFor::Leaving => {
            desk.draft.is_touched = false;
            desk.left.remove(&desk.at);
            let now = desk.progress.states.get(desk.at);
            let answered = now.filter(|it| it.is_answered && !it.is_skipped);
            let stays = answered.is_some_and(|it| teaches || (is_shown_now && it.revisions == 0));
            desk.saving = if stays { Saving::Done } else { Saving::GoingOn };
        }
        WrittenFor::Staying => {}
        WrittenFor::Agreeing => reading::agreed(annotate),
        WrittenFor::Undo(_) | WrittenFor::Redo(_) => {
            let Some(at) = at else { return };
            let moved = desk.at != at;
            // What stands there now is shown, not what was there before.
            desk.left.remove(&at);
            desk.draft.is_touched &= moved;
            going::place(annotate, at);
            let done = if matches!(purpose, WrittenFor::Undo(_)) { "Undone" } else { "Done again" };
            let words = format!("{done} at item {}", at + 1);
            if let Some(desk) = &mut annotate.desk {
                desk.told = Some(words);
            }
        }
    }
}

/// Others wrote this into the same file.
pub(in crate::workbench::reduce) fn others(state: &mut State, events: Vec<Event>) {
    for event in events {
        take_in(state, event);
    }
    if state.annotate.desk.is_none() {
        state.annotate.count_people();
    }
}

/// Takes an event in, and sees how far its unit is now.
fn take_in(state: &mut State, event: Event) {
    let annotate = &mut state.annotate;
    let (item, form) = (event.item.clone(), event.form);
    let is_mine = annotate.desk.as_ref().is_some_and(|desk| match &event.act {
        Act::LetOn { person } => desk.person == *person,
        _ => desk.person == event.person,
    });
    let is_reveal = event.act == Act::Revealed;
    let withdrawn = (event.act == Act::Withdrawn).then(|| event.person.clone());
    // A conflict is the file's, which was read by this program: the window goes by what it knows.
    if Arc::make_mut(&mut annotate.ledger).insert(event) != Ok(true) {
        return;
    }
    if let Some(person) = withdrawn {
        return opening::left(state, &person);
    }
    // What cannot be shown says where it lies from now on, to whoever reviews.
    if is_reveal {
        state.derived.evidence.forget(|_, _| true);
        return;
    }
    if let Some(labels) = &annotate.labels
        && let Some(at) = labels.place_of(&item)
    {
        annotate.by_run.recount(labels, &annotate.ledger, at);
    }
    if !is_mine {
        return;
    }
    opening::restage(annotate);
    let at = annotate.desk.as_ref().and_then(|desk| desk.unit_of((&item, form)));
    let Some(at) = at else { return };
    let now = unit_state(annotate, at);
    if let Some(desk) = &mut annotate.desk {
        desk.progress.set(at, now);
    }
}
