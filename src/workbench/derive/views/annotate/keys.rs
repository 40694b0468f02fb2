//! The keys that answer: of the question that has them, or of the questions themselves.

use crate::label::form::{DIFFERENCE_KEY, Question, QuestionKind, QuestionOption};
use crate::label::{AnswerValue, Form, Preferred, TIE};
use crate::workbench::model::State;
use crate::workbench::protocol::{AnnotateCommand, MarkEdit, ReviewCommand};

use super::ranking::{order_of, ranked_things, tied, toggled};
use super::review::{review_topic, settle_choices};

/// A key that answers, and what it does now.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerKey {
    /// A digit or a letter, in lower case.
    pub key: char,
    /// What it does.
    pub command: AnnotateCommand,
    /// The question it answers or goes to.
    pub question: String,
    /// The option it gives, where it gives one.
    pub option: Option<String>,
}

impl AnswerKey {
    fn new(
        key: char,
        question: &str,
        option: Option<&str>,
        command: impl FnOnce(String) -> AnnotateCommand,
    ) -> Self {
        let option = option.map(str::to_owned);
        Self { key, command: command(question.to_owned()), question: question.to_owned(), option }
    }
}

/// The keys there are now.
///
/// Digits answer the question that has the keys: its options by their place, a scale by its numbers, left,
/// equal and right of a pair. `y` and `n` answer yes and no; where there are several such questions, digits
/// go to them by their place. Of a mark that was just set, digits say how bad it is.
pub fn answer_keys(state: &State) -> Vec<AnswerKey> {
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    if desk.review.is_some() {
        return settle_keys(state);
    }
    if desk.reading.is_some() {
        return Vec::new();
    }
    let Some((unit, form)) = desk.unit().and_then(|unit| Some((unit, labels.form(unit)?))) else {
        return Vec::new();
    };
    let asked = desk.draft.answer.asked(form);
    let Some(focused) = desk.draft.focused(form) else { return Vec::new() };
    let value = desk.draft.answer.values.get(&focused.id);
    let mut keys = match focused.answer {
        QuestionKind::Ranking { ties, .. } => ranking_keys(state, focused, order_of(value), ties),
        _ => of_question(form, focused, value, unit.turn.is_swapped),
    };
    if let QuestionKind::Marks { severities, .. } = focused.answer
        && let Some((question, at)) = desk.draft.mark.as_ref().filter(|(it, _)| *it == focused.id)
    {
        // Digits end at nine.
        for severity in 1..=severities.min(9) {
            let Some(key) = char::from_digit(severity, 10) else { continue };
            let edit = MarkEdit::Severity(severity);
            keys.push(AnswerKey::new(key, question, None, |question| AnnotateCommand::EditMark {
                question,
                at: *at,
                edit,
            }));
        }
    }
    // Letters that options ask for, and digits that are free, go to questions that are not in the keys.
    if asked.len() > 1 && matches!(focused.answer, QuestionKind::YesNo) {
        for (key, question) in ('1'..='9').zip(asked.iter().copied()) {
            keys.push(AnswerKey::new(key, &question.id, None, AnnotateCommand::Focus));
        }
    }
    keys
}

/// The keys that settle: the answers by their place, `y` and `n` where it is yes or no.
fn settle_keys(state: &State) -> Vec<AnswerKey> {
    let Some(topic) = review_topic(state) else { return Vec::new() };
    let choices = settle_choices(state);
    let is_yes_no = choices.iter().all(|(value, _)| matches!(value.as_str(), "yes" | "no"));
    let keys = choices.into_iter().zip('1'..='9').map(|((value, _), digit)| {
        let key = if is_yes_no { value.chars().next().unwrap_or(digit) } else { digit };
        AnswerKey::new(key, &topic.question, Some(&value), |_| {
            AnnotateCommand::Review(ReviewCommand::Settle(value.clone()))
        })
    });
    keys.collect()
}

fn of_question(
    form: &Form,
    question: &Question,
    value: Option<&AnswerValue>,
    is_swapped: bool,
) -> Vec<AnswerKey> {
    let id = &question.id;
    match &question.answer {
        QuestionKind::Preference { tie } => {
            // Keys go by what stands where, answers by which run it is.
            let (left, right) = sides(is_swapped);
            let tie = tie.then_some(('2', Preferred::Tie));
            let keys = [('1', left)].into_iter().chain(tie).chain([('3', right)]);
            keys.map(|(key, preferred)| {
                answer(id, key, AnswerValue::Preference(preferred), preferred.name())
            })
            .collect()
        }
        QuestionKind::YesNo => vec![
            answer(id, 'y', AnswerValue::YesNo(true), "yes"),
            answer(id, 'n', AnswerValue::YesNo(false), "no"),
        ],
        QuestionKind::Rating { least, most, .. } => (*least..=*most)
            // A number of two digits, or below zero, has no key.
            .filter_map(|number| {
                let key = char::from_digit(u32::try_from(number).ok()?, 10)?;
                Some(answer(id, key, AnswerValue::Rating(number), &number.to_string()))
            })
            .collect(),
        QuestionKind::Choice { options, .. } => keyed(form, options)
            .map(|(key, option)| answer(id, key, AnswerValue::Choice(option.to_owned()), option))
            .collect(),
        QuestionKind::Choices { options } => keyed(form, options)
            .map(|(key, option)| {
                let mut chosen = match value {
                    Some(AnswerValue::Choices(chosen)) => chosen.clone(),
                    _ => std::collections::BTreeSet::new(),
                };
                // The command carries the whole set: the same key once more takes the option out of it.
                if !chosen.remove(option) {
                    chosen.insert(option.to_owned());
                }
                answer(id, key, AnswerValue::Choices(chosen), option)
            })
            .collect(),
        // What candidates there are, their item says.
        QuestionKind::Ranking { .. } => Vec::new(),
        QuestionKind::Marks { options, .. } => keyed_by_letter(form, options)
            .map(|(key, option)| {
                AnswerKey::new(key, id, Some(option), |question| AnnotateCommand::AddMark {
                    question,
                    option: option.to_owned(),
                })
            })
            .collect(),
        QuestionKind::Text => {
            vec![AnswerKey::new(WRITE, id, None, |id| AnnotateCommand::Write(Some(id)))]
        }
    }
}

/// The keys of what is ranked: pressed in the order of the ranking; pressed again, something leaves it.
fn ranking_keys(
    state: &State,
    question: &Question,
    order: &[String],
    has_ties: bool,
) -> Vec<AnswerKey> {
    let own = question.answer.options().iter().map(own_key).chain(std::iter::repeat(None));
    let free = ('1'..='9').chain(FREE_LETTERS.chars().filter(|key| !(has_ties && *key == TIES)));
    let ranked = |order: Vec<String>| {
        let value = (!order.is_empty()).then_some(AnswerValue::Ranking(order));
        move |question| AnnotateCommand::Answer { question, value }
    };
    let things = ranked_things(state, question);
    let keys = things.iter().zip(own.zip(free)).map(|(thing, (own, free))| {
        let command = ranked(toggled(order, &thing.id));
        AnswerKey::new(own.unwrap_or(free), &question.id, Some(&thing.id), command)
    });
    let mut keys: Vec<AnswerKey> = keys.collect();
    // The last can be tied only with one before it.
    if has_ties && order.len() + usize::from(order.iter().any(|it| it.contains(TIE))) > 1 {
        keys.push(AnswerKey::new(TIES, &question.id, None, ranked(tied(order))));
    }
    keys
}

fn answer(question: &str, key: char, value: AnswerValue, option: &str) -> AnswerKey {
    AnswerKey::new(key, question, Some(option), |question| AnnotateCommand::Answer {
        question,
        value: Some(value),
    })
}

/// What stands left and right.
fn sides(is_swapped: bool) -> (Preferred, Preferred) {
    if is_swapped {
        (Preferred::Second, Preferred::First)
    } else {
        (Preferred::First, Preferred::Second)
    }
}

/// Options with their keys: their own, or digits by their place, then letters that nothing else has.
fn keyed<'a>(form: &Form, options: &'a [QuestionOption]) -> impl Iterator<Item = (char, &'a str)> {
    let free = ('1'..='9').chain(free_letters(form));
    with_keys(options, free)
}

/// The same without digits, which say how bad a mark is.
fn keyed_by_letter<'a>(
    form: &Form,
    options: &'a [QuestionOption],
) -> impl Iterator<Item = (char, &'a str)> {
    with_keys(options, free_letters(form))
}

fn with_keys(
    options: &[QuestionOption],
    free: impl Iterator<Item = char>,
) -> impl Iterator<Item = (char, &str)> {
    let keyed = options.iter().zip(free);
    keyed.map(|(option, free)| (own_key(option).unwrap_or(free), option.id.as_str()))
}

/// Letters that no command has while this form is asked.
fn free_letters(form: &Form) -> impl Iterator<Item = char> + use<> {
    let has_difference = form.evidence.difference;
    FREE_LETTERS.chars().filter(move |key| !(has_difference && *key == DIFFERENCE_KEY))
}

/// The key that ties the last one of a ranking with the one before it, or divides the two.
const TIES: char = 'j';

/// The key that puts the cursor into words.
const WRITE: char = 't';

/// Letters that no command of this room has, but for [`DIFFERENCE_KEY`] where a form has no such command.
const FREE_LETTERS: &str = "qweasztxbopijlm";

fn own_key(option: &QuestionOption) -> Option<char> {
    let mut letters = option.key.as_deref()?.chars();
    letters.next().map(|key| key.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::ROOM_KEYS;

    #[test]
    fn letters_that_are_free_are_those_of_no_command_and_of_no_answer() {
        for key in FREE_LETTERS.chars() {
            let command = ROOM_KEYS.iter().find(|(known, _)| *known == key);
            assert!(key == DIFFERENCE_KEY || command.is_none(), "{key} is the key of {command:?}");
            assert!(!['y', 'n'].contains(&key), "{key}");
        }
    }
}
