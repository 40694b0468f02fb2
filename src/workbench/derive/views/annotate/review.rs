//! What people answered, for whoever settles what they differ on.

use std::sync::Arc;

use crate::label::form::QuestionKind;
use crate::label::{Answered, CellKey, Preferred, Settlement};
use crate::workbench::model::{FindingsKey, Review, ReviewFindings, ReviewRow, State, Topic};

/// One person's answer about the item on the screen.
#[derive(Debug)]
pub struct GivenAnswer<'a> {
    /// Who.
    pub person: &'a str,
    /// The whole answer to the form.
    pub answered: &'a Answered,
}

/// Where the adjudicator is, if one sits there.
pub fn review(state: &State) -> Option<&Review> {
    state.annotate.desk.as_ref()?.review.as_ref()
}

/// What the answers come to; of a moment ago, while the newest is made.
pub fn findings(state: &State) -> Option<&Arc<ReviewFindings>> {
    let found = &state.derived.findings;
    let now = found.ready(&FindingsKey(state.annotate.ledger.len()));
    now.or_else(|| found.iter().filter_map(|(key, _)| found.ready(key)).last())
}

/// The topic that is looked at.
pub fn review_topic(state: &State) -> Option<Topic> {
    let review = review(state)?;
    state.annotate.labels.as_ref()?.topics().into_iter().nth(review.topic)
}

/// The items of the topic that are listed.
pub fn review_rows(state: &State) -> Vec<&ReviewRow> {
    let Some((review, found)) = review(state).zip(findings(state)) else { return Vec::new() };
    let rows = found.rows.get(review.topic).into_iter().flatten();
    rows.filter(|row| row.is_in(review.list)).collect()
}

/// The row of the item on the screen, listed or not.
pub fn review_row(state: &State) -> Option<&ReviewRow> {
    let (review, found) = review(state).zip(findings(state))?;
    let item = state.annotate.at_desk()?.1.unit()?.turn.index;
    found.rows.get(review.topic)?.iter().find(|row| row.item == item)
}

/// The unit of an item by the form of a topic.
pub fn review_unit(state: &State, topic: &Topic, item: usize) -> Option<usize> {
    let (labels, desk) = state.annotate.at_desk()?;
    let form = *labels.project.forms.get(topic.form)?;
    desk.unit_of((&labels.items.get(item)?.id, form))
}

/// What everybody answered about the item on the screen, by name.
pub fn given_answers(state: &State) -> Vec<GivenAnswer<'_>> {
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    let Some(unit) = desk.unit() else { return Vec::new() };
    let Some((item, form)) = labels.item(unit).zip(labels.project.forms.get(unit.form)) else {
        return Vec::new();
    };
    let ledger = &state.annotate.ledger;
    let given = ledger.people().filter_map(|person| {
        let key = CellKey::new(&item.id, *form, person);
        Some(GivenAnswer { person, answered: ledger.answer(&key)? })
    });
    given.collect()
}

/// What was settled of the topic about the item on the screen.
pub fn settlement(state: &State) -> Option<Settlement<'_>> {
    let topic = review_topic(state)?;
    let (labels, desk) = state.annotate.at_desk()?;
    let item = labels.item(desk.unit()?)?;
    let form = *labels.project.forms.get(topic.form)?;
    let settled = state.annotate.ledger.settled(&item.id, form);
    let found = settled.into_iter().find(|((question, option), _)| {
        *question == topic.question && *option == topic.option.as_deref()
    });
    found.map(|(_, settlement)| settlement)
}

/// The answers that a topic can be settled with: the value, and what people call it, as the pair stands.
pub fn settle_choices(state: &State) -> Vec<(String, String)> {
    let Some(topic) = review_topic(state) else { return Vec::new() };
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    let question = labels.forms.get(topic.form).and_then(|form| form.question(&topic.question));
    let Some(question) = question else { return Vec::new() };
    if topic.option.is_some() {
        return ["yes", "no"].map(|it| (it.to_owned(), value_words(state, it))).to_vec();
    }
    let mut values = question.answer.values();
    let is_swapped = desk.unit().is_some_and(|unit| unit.turn.is_swapped);
    // As the sides stand on the screen, so that the left button means the left picture.
    if is_swapped && matches!(question.answer, QuestionKind::Preference { .. }) {
        values.reverse();
    }
    let choices = values.into_iter().map(|value| {
        let words = value_words(state, &value);
        (value, words)
    });
    choices.collect()
}

/// What people call a value of the topic: `A` and `B` by the side they stand on now.
pub fn value_words(state: &State, value: &str) -> String {
    let Some(topic) = review_topic(state) else { return value.to_owned() };
    let Some((labels, desk)) = state.annotate.at_desk() else { return value.to_owned() };
    let question = labels.forms.get(topic.form).and_then(|form| form.question(&topic.question));
    let Some(question) = question else { return value.to_owned() };
    let is_swapped = desk.unit().is_some_and(|unit| unit.turn.is_swapped);
    match &question.answer {
        QuestionKind::Preference { .. } => {
            // Values are of the item; what somebody saw on the left may be its second.
            let [left, right] = if is_swapped { ["B", "A"] } else { ["A", "B"] };
            let words = match value {
                value if value == Preferred::First.name() => left,
                value if value == Preferred::Second.name() => right,
                _ => "Tie",
            };
            words.to_owned()
        }
        _ if value == "yes" => "Yes".to_owned(),
        _ if value == "no" => "No".to_owned(),
        kind => {
            let option = kind.options().iter().find(|option| option.id == value);
            option.map_or(value, |it| it.text.in_language(&desk.language)).to_owned()
        }
    }
}
