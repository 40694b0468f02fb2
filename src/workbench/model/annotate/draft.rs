//! An answer that is being given.

use serde::{Deserialize, Serialize};

use crate::label::form::Question;
use crate::label::{Answer, AnswerValue, Form};

/// An answer that is being given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// What was answered so far.
    pub answer: Answer,
    /// The question that keys answer, by its id; `None`: the first that is asked.
    pub focus: Option<String>,
    /// How often an answer was changed to another one.
    pub changes: u32,
    /// Whether it differs from what is on disk.
    pub is_touched: bool,
    /// The mark that keys change: the question and its place among the question's marks.
    pub mark: Option<(String, usize)>,
    /// Why it could not be taken, once that was tried.
    #[serde(skip)]
    pub problem: Option<String>,
}

impl Draft {
    /// What was answered before, to be changed.
    pub(in crate::workbench) fn of(answer: Answer) -> Self {
        Self { answer, ..Self::default() }
    }

    /// The question that keys answer.
    pub fn focused<'a>(&self, form: &'a Form) -> Option<&'a Question> {
        let asked = self.answer.asked(form);
        let focused = asked.iter().find(|question| Some(&question.id) == self.focus.as_ref());
        focused.or(asked.first()).copied()
    }

    /// Answers a question, or takes the answer away.
    pub(in crate::workbench) fn put(
        &mut self,
        form: &Form,
        question: &str,
        value: Option<AnswerValue>,
    ) {
        let known = self.answer.values.get(question);
        if known == value.as_ref() {
            return;
        }
        // Words grow letter by letter: that is no change of mind.
        let is_words = matches!(known, Some(AnswerValue::Text(_)));
        self.changes += u32::from(known.is_some() && value.is_some() && !is_words);
        match value {
            Some(value) => self.answer.values.insert(question.to_owned(), value),
            None => self.answer.values.remove(question),
        };
        self.answer = std::mem::take(&mut self.answer).without_unasked(form);
        self.touch();
    }

    /// Something of it was changed.
    pub(in crate::workbench) fn touch(&mut self) {
        self.is_touched = true;
        self.problem = None;
    }
}
