//! A judge that says what the test wrote down.

use std::sync::Mutex;

use crate::base::CancelToken;

use super::{Judge, JudgeForm, JudgeQuestion};
use crate::metric::MissingScore;

/// Answers in order, and remembers what it was asked.
#[derive(Debug)]
pub(super) struct Scripted {
    answers: Mutex<Vec<String>>,
    /// What it was asked: the form, and the values.
    pub(super) asked: Mutex<Vec<(JudgeForm, Vec<String>)>>,
}

impl Scripted {
    /// Instead of an answer: the judge fails.
    pub(super) const FAILURE: &str = "\0";

    pub(super) fn answering(answers: &[&str]) -> Self {
        let answers = answers.iter().rev().map(|&answer| answer.to_owned()).collect();
        Self { answers: Mutex::new(answers), asked: Mutex::default() }
    }
}

impl Judge for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn answer(
        &self,
        question: &JudgeQuestion<'_>,
        cancel: &CancelToken,
    ) -> Result<String, MissingScore> {
        if cancel.is_cancelled() {
            return Err(MissingScore::Cancelled);
        }
        let values = question.values.iter().map(|&value| value.to_owned()).collect();
        self.asked.lock().unwrap().push((question.form, values));
        match self.answers.lock().unwrap().pop().unwrap() {
            failure if failure == Self::FAILURE => {
                Err(MissingScore::NoJudgement("out of order".to_owned()))
            }
            answer => Ok(answer),
        }
    }
}
