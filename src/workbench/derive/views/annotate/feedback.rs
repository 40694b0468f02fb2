//! What is told of an answer to an item to learn by.

use crate::label::people::{is_as_known, known_answer};
use crate::label::{Answer, CellKey, Form, ItemRole};
use crate::workbench::model::{Annotate, State};

/// What is told of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Feedback<'a> {
    /// Whether it says all that is known.
    pub is_right: bool,
    /// What is known.
    pub known: &'a Answer,
    /// What the form asks.
    pub form: &'a Form,
}

/// What is known of the item that is asked, if it is one to learn by.
pub(in crate::workbench) fn teaches(annotate: &Annotate) -> Option<(&Form, &Answer)> {
    let (item, form) = annotate.asked()?;
    let known = known_answer(form, item)?;
    (item.role == ItemRole::Practice).then_some((form, known))
}

/// What is told of the answer to the item on the screen: once it is on disk, and only of one to learn by.
pub fn feedback(state: &State) -> Option<Feedback<'_>> {
    let annotate = &state.annotate;
    let (form, known) = teaches(annotate)?;
    let (labels, desk) = annotate.at_desk()?;
    let unit = desk.unit().filter(|_| desk.review.is_none())?;
    let item = labels.item(unit)?;
    let key = CellKey::new(&item.id, labels.form_hash(unit)?, &desk.person);
    let answered = annotate.ledger.answer(&key)?;
    Some(Feedback { is_right: is_as_known(form, item, &answered.answer)?, known, form })
}
