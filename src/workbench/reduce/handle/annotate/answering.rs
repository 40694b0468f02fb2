//! Changing the answer that is being given.

use std::sync::Arc;

use crate::label::form::{QuestionKind, Scale};
use crate::label::{Answer, AnswerValue, Form, MOST_NOTE_CHARACTERS, Mark, Place};
use crate::workbench::model::{Desk, Draft, Pointing, Saving, State};
use crate::workbench::protocol::{AnnotateCommand, MarkEdit};

/// Changes the draft. While an answer is being written nothing is changed; in the pause after it, a change
/// has it stay.
pub(super) fn answer(state: &mut State, command: AnnotateCommand) {
    let Some((labels, desk)) = state.annotate.at_desk() else { return };
    let labels = Arc::clone(labels);
    let Some(form) = desk.unit().and_then(|unit| labels.form(unit)) else { return };
    let step = shown_step(state);
    let Some(desk) = &mut state.annotate.desk else { return };
    match desk.saving {
        Saving::Writing(_) => return,
        // What is on disk stays there; what is changed now is written anew.
        Saving::GoingOn => desk.saving = Saving::Done,
        Saving::Failing { .. } | Saving::Done => {}
    }
    desk.told = None;
    change(desk, form, step, command);
}

fn change(desk: &mut Desk, form: &Form, step: Option<Place>, command: AnnotateCommand) {
    let draft = &mut desk.draft;
    match command {
        AnnotateCommand::Answer { question, value } if form.question(&question).is_some() => {
            let was_answered = draft.answer.values.contains_key(&question);
            let is_single = form.question(&question).is_some_and(is_answered_at_once);
            let is_there = value.is_some();
            draft.put(form, &question, value);
            draft.focus = Some(question);
            // One key an answer: the next question is the keys' at once.
            if is_there && is_single && !was_answered {
                focus_next_open(draft, form);
            }
        }
        AnnotateCommand::Focus(question) => {
            draft.focus = Some(question).filter(|id| form.question(id).is_some());
        }
        AnnotateCommand::Write(question) => {
            if question.is_some() {
                draft.focus.clone_from(&question);
            }
            desk.writing = question;
        }
        AnnotateCommand::FocusBy(by) => focus_by(draft, form, by),
        AnnotateCommand::ToggleUnsure => {
            draft.answer.unsure = !draft.answer.unsure;
            draft.touch();
        }
        AnnotateCommand::Note(note) => {
            draft.answer.note = clean(&note);
            draft.touch();
        }
        AnnotateCommand::PointedAt(place) => {
            // One point ends the pointing, whatever comes of it.
            let Some(pointing) = desk.view.pointing.take() else { return };
            point(draft, form, &pointing, place);
        }
        AnnotateCommand::RemoveEvidence { question, at } => {
            // The list may have changed since it was drawn.
            if let Some(places) = draft.answer.evidence.get_mut(&question)
                && at < places.len()
            {
                places.remove(at);
                // No entry rather than an empty one, as in an answer that never had any.
                if places.is_empty() {
                    draft.answer.evidence.remove(&question);
                }
                draft.touch();
            }
        }
        AnnotateCommand::AddMark { question, option } => {
            add_mark(draft, form, question, option, step.unwrap_or_default());
        }
        AnnotateCommand::EditMark { question, at, edit } => edit_mark(draft, question, at, edit),
        _ => {}
    }
}

/// Whether one key answers it whole.
fn is_answered_at_once(question: &crate::label::form::Question) -> bool {
    matches!(question.answer.scale(), Scale::Nominal | Scale::Ordinal)
}

/// Has keys answer the next question that is not answered, if there is one behind this.
fn focus_next_open(draft: &mut Draft, form: &Form) {
    let asked = draft.answer.asked(form);
    let at = asked.iter().position(|question| Some(&question.id) == draft.focus.as_ref());
    let behind = asked.iter().skip(at.map_or(0, |at| at + 1));
    let mut open = behind.filter(|question| !draft.answer.values.contains_key(&question.id));
    if let Some(next) = open.find(|question| !question.optional) {
        draft.focus = Some(next.id.clone());
    }
}

fn focus_by(draft: &mut Draft, form: &Form, by: i32) {
    let asked = draft.answer.asked(form);
    let focused = draft.focused(form);
    let at = asked.iter().position(|question| focused.is_some_and(|it| it.id == question.id));
    let last = asked.len().saturating_sub(1);
    let next = at.unwrap_or(0).saturating_add_signed(by as isize).min(last);
    draft.focus = asked.get(next).map(|question| question.id.clone());
}

fn point(draft: &mut Draft, form: &Form, pointing: &Pointing, place: Place) {
    if form.question(question_of(pointing)).is_none() {
        return;
    }
    match pointing {
        Pointing::Evidence(question) => {
            draft.answer.evidence.entry(question.clone()).or_default().push(place);
        }
        Pointing::Mark(question, at) => {
            if let Some(mark) = marks(&mut draft.answer, question).and_then(|it| it.get_mut(*at)) {
                mark.place = place;
            }
        }
    }
    draft.touch();
}

fn marks<'a>(answer: &'a mut Answer, question: &str) -> Option<&'a mut Vec<Mark>> {
    match answer.values.get_mut(question) {
        Some(AnswerValue::Marks(marks)) => Some(marks),
        _ => None,
    }
}

fn add_mark(draft: &mut Draft, form: &Form, question: String, option: String, place: Place) {
    let kind = form.question(&question).map(|question| &question.answer);
    let Some(QuestionKind::Marks { severities, .. }) = kind else { return };
    let severity = (*severities > 0).then_some(1);
    let mark = Mark { option, place, severity, note: String::new() };
    let value = draft.answer.values.entry(question.clone());
    if let AnswerValue::Marks(marks) = value.or_insert_with(|| AnswerValue::Marks(Vec::new())) {
        marks.push(mark);
        draft.mark = Some((question.clone(), marks.len() - 1));
    }
    draft.focus = Some(question);
    draft.touch();
}

fn edit_mark(draft: &mut Draft, question: String, at: usize, edit: MarkEdit) {
    let Some(marks) = marks(&mut draft.answer, &question) else { return };
    let Some(mark) = marks.get_mut(at) else { return };
    match edit {
        MarkEdit::Severity(severity) => {
            draft.changes += u32::from(mark.severity != Some(severity));
            mark.severity = Some(severity);
        }
        MarkEdit::Note(note) => mark.note = clean(&note),
        MarkEdit::Select => {
            draft.mark = Some((question, at));
            return;
        }
        MarkEdit::Remove => {
            marks.remove(at);
            // A question without marks is as good as not answered.
            if marks.is_empty() {
                draft.answer.values.remove(&question);
            }
            draft.mark = None;
        }
    }
    draft.touch();
}

/// What was typed or pasted without control characters, as long as answers keep it.
pub(super) fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    kept.take(MOST_NOTE_CHARACTERS).collect()
}

/// The place a mark gets of itself: the step on the screen, of the first run.
fn shown_step(state: &State) -> Option<Place> {
    let step = crate::workbench::derive::views::evidence_step(state, 0)?;
    Some(Place { step: Some(step), ..Place::default() })
}

/// The question that is pointed for.
fn question_of(pointing: &Pointing) -> &str {
    match pointing {
        Pointing::Evidence(question) | Pointing::Mark(question, _) => question,
    }
}
