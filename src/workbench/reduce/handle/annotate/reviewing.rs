//! Settling what people differ on.

use crate::label::{Act, CellKey, FormHash, ItemId, Qualification};
use crate::workbench::derive::views::{
    review_rows, review_topic, review_unit, settle_choices, settlement,
};
use crate::workbench::model::{Review, ReviewList, ReviewRow, State, WrittenFor};
use crate::workbench::protocol::{Request, ReviewCommand};

use super::answering::clean;
use super::going::{self, cell_of};
use super::sending::send;

/// Does what the command says, if an adjudicator sits there.
pub(super) fn review(state: &mut State, command: ReviewCommand) -> Vec<Request> {
    let topics = state.annotate.labels.as_ref().map_or(0, |labels| labels.topics().len());
    let Some(review) = review_mut(state) else { return Vec::new() };
    match command {
        ReviewCommand::Topic(topic) => {
            if topic < topics && topic != review.topic {
                review.topic = topic;
                review.note.clear();
                show_list(state);
            }
        }
        ReviewCommand::List(list) => {
            review.list = list;
            show_first(state);
        }
        ReviewCommand::Note(note) => review.note = clean(&note),
        ReviewCommand::Settle(value) => return settle(state, &value),
        ReviewCommand::Unsettle => return unsettle(state),
        ReviewCommand::LetOn(person) => return let_on(state, person),
        ReviewCommand::AskReveal(is_asked) => {
            // Nothing is kept from whoever looks at a project that is not blind, or not any more.
            state.annotate.asking_reveal = is_asked && state.annotate.is_blind();
        }
        ReviewCommand::Reveal => return reveal(state),
    }
    Vec::new()
}

fn review_mut(state: &mut State) -> Option<&mut Review> {
    state.annotate.desk.as_mut()?.review.as_mut()
}

/// The findings are there: the first of them have the first item shown, if nobody chose one yet.
pub(in crate::workbench::reduce) fn found(state: &mut State) {
    let Some(review) = review_mut(state).filter(|review| !review.is_begun) else { return };
    review.is_begun = true;
    show_list(state);
}

/// Lists what is to be settled of the topic; where nothing is, what people differ on, or else everything.
fn show_list(state: &mut State) {
    for list in [ReviewList::ToSettle, ReviewList::Differ, ReviewList::All] {
        if let Some(review) = review_mut(state) {
            review.list = list;
        }
        if !review_rows(state).is_empty() {
            break;
        }
    }
    show_first(state);
}

/// Shows the first item of the list; where none is listed, one by the topic's form stays on the screen.
fn show_first(state: &mut State) {
    let Some(topic) = review_topic(state) else { return };
    let first = review_rows(state).first().map(|row| row.item);
    let at = match first {
        Some(item) => review_unit(state, &topic, item),
        None => state.annotate.at_desk().and_then(|(_, desk)| {
            let is_same = desk.unit().is_some_and(|unit| unit.form == topic.form);
            if is_same {
                return Some(desk.at);
            }
            desk.units.iter().position(|unit| unit.form == topic.form)
        }),
    };
    if let Some(at) = at {
        going::go_to(state, at);
    }
}

/// To the row this many further, of those that are listed.
pub(super) fn go_by(state: &mut State, by: i32) {
    let Some(topic) = review_topic(state) else { return };
    let now = state.annotate.desk.as_ref().and_then(|desk| desk.unit());
    let now = now.map(|unit| unit.turn.index);
    let rows: Vec<usize> = review_rows(state).iter().map(|row: &&ReviewRow| row.item).collect();
    let at = rows.iter().position(|row| Some(*row) == now);
    let wanted = match at {
        Some(at) => at.saturating_add_signed(by as isize).min(rows.len().saturating_sub(1)),
        // What was settled is in the list no more.
        None => 0,
    };
    let unit = rows.get(wanted).and_then(|item| review_unit(state, &topic, *item));
    if let Some(unit) = unit {
        going::go_to(state, unit);
    }
}

fn settle(state: &mut State, value: &str) -> Vec<Request> {
    let is_choice = settle_choices(state).iter().any(|(choice, _)| choice == value);
    let Some(topic) = review_topic(state).filter(|_| is_choice) else { return Vec::new() };
    // The same again says nothing new.
    let Some(review) = review_mut(state) else { return Vec::new() };
    let note = std::mem::take(&mut review.note);
    if settlement(state).is_some_and(|known| known.value == value && known.note == note) {
        return Vec::new();
    }
    let (question, option) = (topic.question, topic.option);
    write(state, Act::Settled { question, option, value: value.to_owned(), note })
}

/// Takes one's own settlement back; what somebody else settled is settled anew.
fn unsettle(state: &mut State) -> Vec<Request> {
    let person = state.annotate.desk.as_ref().map(|desk| &desk.person);
    let event = settlement(state).map(|known| known.event);
    let mine = event.filter(|event| Some(&event.person) == person).map(|event| event.id);
    mine.map_or_else(Vec::new, |event| write(state, Act::Retracted { event }))
}

/// Lets somebody label who failed the qualification, or has not finished it.
fn let_on(state: &mut State, person: String) -> Vec<Request> {
    let Some((labels, _)) = state.annotate.at_desk() else { return Vec::new() };
    match labels.qualification(&person, &state.annotate.ledger) {
        Qualification::Open | Qualification::Failed(_) => decide(state, Act::LetOn { person }),
        _ => Vec::new(),
    }
}

fn reveal(state: &mut State) -> Vec<Request> {
    state.annotate.asking_reveal = false;
    if state.annotate.is_blind() { decide(state, Act::Revealed) } else { Vec::new() }
}

/// Has something written down that is decided of the study.
fn decide(state: &mut State, act: Act) -> Vec<Request> {
    send(state, WrittenFor::Staying, (ItemId::study(), FormHash::NONE), act)
}

fn write(state: &mut State, act: Act) -> Vec<Request> {
    let annotate = &state.annotate;
    let cell = annotate.at_desk().and_then(|(_, desk)| cell_of(annotate, desk, desk.at));
    let Some(CellKey { item, form, .. }) = cell else { return Vec::new() };
    send(state, WrittenFor::Staying, (item, form), act)
}
