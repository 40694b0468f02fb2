//! The form that is asked of who takes part.

use crate::label::form::QuestionKind;
use crate::label::{Answer, AnswerValue, Form};
use crate::study::{DueForm, Happening};
use crate::workbench::model::{State, StudyDesk};
use crate::workbench::protocol::Request;

use super::parts::happens;

/// The desk with the form that is asked, unless it was handed in already.
fn asked(state: &mut State) -> Option<(&mut StudyDesk, DueForm, Form)> {
    let desk = state.assist.study.desk.as_deref_mut()?;
    let (due, form) = desk.asked()?;
    let form = form.clone();
    (!desk.sitting.as_ref()?.is_waiting).then_some((desk, due, form))
}

/// Answers a question; keys answer the next one then, unless it is answered in words or in several parts.
pub(super) fn answer(state: &mut State, question: &str, value: Option<AnswerValue>) {
    let Some((desk, _, form)) = asked(state) else { return };
    let Some(sitting) = &mut desk.sitting else { return };
    let draft = &mut sitting.draft;
    let kind = form.question(question).map(|question| &question.answer);
    // A mark on a long scale may be moved on.
    let is_line =
        matches!(kind, Some(QuestionKind::Rating { least, most, .. }) if most - least > 10);
    let goes_on = !is_line
        && !matches!(
            value,
            None | Some(AnswerValue::Text(_) | AnswerValue::Choices(_) | AnswerValue::Ranking(_))
        );
    let mut answer = draft.answer.clone();
    match value {
        Some(value) => answer.values.insert(question.to_owned(), value),
        None => answer.values.remove(question),
    };
    let answer = answer.without_unasked(&form);
    // What fits no question of the form is no answer, whoever sent it.
    if answer.check_values(&form, &[]).is_err() {
        return;
    }
    draft.answer = answer;
    draft.problem = None;
    let asked = draft.answer.asked(&form);
    let at = asked.iter().position(|it| it.id == question).unwrap_or(draft.focus);
    draft.focus = if goes_on { (at + 1).min(asked.len().saturating_sub(1)) } else { at };
}

/// Has keys answer another question.
pub(super) fn focus(state: &mut State, at: usize) {
    let Some((desk, _, form)) = asked(state) else { return };
    let Some(sitting) = &mut desk.sitting else { return };
    let last = sitting.draft.answer.asked(&form).len().saturating_sub(1);
    sitting.draft.focus = at.min(last);
}

/// Hands the form in, if it is whole; else says what is missing.
pub(super) fn send(state: &mut State) -> Vec<Request> {
    let Some((desk, due, form)) = asked(state) else { return Vec::new() };
    let Some(sitting) = &mut desk.sitting else { return Vec::new() };
    if let Err(why) = sitting.draft.answer.check(&form, &[]) {
        sitting.draft.problem = Some(why.in_words(&form, "en"));
        let missing = sitting.draft.answer.next_missing(&form).map(|it| &it.id);
        let asked = sitting.draft.answer.asked(&form);
        let at = asked.iter().position(|it| Some(&it.id) == missing);
        sitting.draft.focus = at.unwrap_or(sitting.draft.focus);
        return Vec::new();
    }
    let answer = sitting.draft.answer.clone();
    hand_in(desk, due, form, Some(answer))
}

/// Hands it in without an answer: nobody has to.
pub(super) fn skip(state: &mut State) -> Vec<Request> {
    let Some((desk, due, form)) = asked(state) else { return Vec::new() };
    hand_in(desk, due, form, None)
}

fn hand_in(desk: &mut StudyDesk, due: DueForm, form: Form, answer: Option<Answer>) -> Vec<Request> {
    let condition = due.condition.and_then(|at| desk.plan.conditions.get(at));
    let what = Happening::Answer {
        version: form.hash(),
        form: form.id,
        condition: condition.map(|condition| condition.id.clone()),
        answer,
    };
    if let Some(sitting) = &mut desk.sitting {
        sitting.is_waiting = true;
    }
    happens(due.position, what)
}
