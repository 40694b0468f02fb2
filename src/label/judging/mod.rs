//! Models and rules as judges: what a model is asked, how its answer is read, and how far it says what people say.
//!
//! - [`questions_in_words`], [`answer_shape`]: a form as a model reads it;
//! - [`read_answer`]: its answer, held against the form;
//! - [`Verdicts`]: what one judge says of every item, be it a model, a rule or a metric;
//! - [`JudgeReport`]: how often it was asked and failed, whether it prefers a side, and how far it says what people
//!   say.
//!
//! Nothing here asks anybody: that is done where models are. Uses the files of `label` beside it and
//! `metric`'s statistics. Start with `verdicts`, then `report`.

mod reading;
mod report;
mod verdicts;
mod wording;

pub use reading::{JudgeAnswer, UnreadableAnswer, read_answer};
pub use report::{
    AgainstPeople, JudgeReport, JudgedQuestion, PositionBias, Undecided, judge_reports,
    judged_questions,
};
pub use verdicts::{Calls, JudgeKind, JudgeVerdict, Verdicts};
pub use wording::{answer_shape, questions_in_words};
