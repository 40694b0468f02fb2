//! A question with all that is needed to draw it.

use crate::label::form::{Question, QuestionOption};
use crate::label::{AnswerValue, Form};
use crate::workbench::views::AnswerKey;
use crate::workbench::{AnnotateCommand, Desk};

/// A question as it is shown.
pub(super) struct ShownQuestion<'a> {
    pub(super) form: &'a Form,
    pub(super) desk: &'a Desk,
    pub(super) question: &'a Question,
    /// Its place among what is asked, from 1.
    pub(super) number: usize,
    /// Whether keys answer it.
    pub(super) is_focused: bool,
    pub(super) keys: &'a [AnswerKey],
}

impl ShownQuestion<'_> {
    pub(super) fn value(&self) -> Option<&AnswerValue> {
        self.desk.draft.answer.values.get(&self.question.id)
    }

    /// The key that gives an option now.
    pub(super) fn key_of(&self, option: &str) -> Option<char> {
        let found = self
            .keys
            .iter()
            .find(|key| key.question == self.question.id && key.option.as_deref() == Some(option));
        found.map(|key| key.key)
    }

    /// The key that goes to the question now.
    pub(super) fn own_key(&self) -> Option<char> {
        let found = self.keys.iter().find(|key| {
            key.question == self.question.id
                && matches!(key.command, AnnotateCommand::Focus(_) | AnnotateCommand::Write(_))
        });
        found.map(|key| key.key)
    }

    pub(super) fn words<'b>(&self, option: &'b QuestionOption) -> &'b str {
        option.text.in_language(&self.desk.language)
    }
}
