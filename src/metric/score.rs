//! Scores: a number of a named variant, or the reason why there is none.

use serde::{Deserialize, Serialize};

use crate::base::Cancelled;

/// What is undefined about an infinite score. In scores that are remembered and in files it is told by these very words,
/// which are not to be changed.
const INFINITE: &str = "the pictures are equal, their PSNR is infinite";

/// A value, or the reason why there is none. Never a made-up number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// A finite value.
    Value(f64),
    /// No value, and why.
    Missing(MissingScore),
}

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "reason", content = "detail")]
pub enum MissingScore {
    /// The task has no ground truth of the kind the metric needs.
    #[error("no ground truth")]
    NoGroundTruth,
    /// Tasks of this kind have no ground truth, and the metric compares with one.
    #[error("nothing to compare with: {0}")]
    NothingToCompare(String),
    /// There is no picture to compare.
    #[error("no picture: {0}")]
    NoPicture(String),
    /// Something that had to be done first failed.
    #[error("{what} failed: {why}")]
    Failed {
        /// What was done.
        what: String,
        /// What was wrong.
        why: String,
    },
    /// There is no design, only a picture or nothing, to compare.
    #[error("no design: {0}")]
    NoDesign(String),
    /// Nobody said what a picture shows.
    #[error("no caption: {0}")]
    NoCaption(String),
    /// There is none of the pictures that the task gave to be used.
    #[error("no given picture: {0}")]
    NoInputs(String),
    /// The model that the metric goes by is not there, or not what it should be.
    #[error("no model: {0}")]
    NoModel(String),
    /// The pictures are smaller than the metric's window.
    #[error("the picture is smaller than the {0} window")]
    TooSmall(String),
    /// The number is not defined on this, such as a ratio to nothing.
    #[error("undefined: {0}")]
    Undefined(String),
    /// The result is not a finite number.
    #[error("the result is not a finite number")]
    NotFinite,
    /// It was stopped. A reason on the way only: the parts of a metric, and those it asks (judges, captioners,
    /// programs), have one error for all that keeps them from a number, and hand up a raised token in it as far as
    /// [`Metric::measurements`](super::Metric::measurements). Beyond [`Metric::measure`](super::Metric::measure), which
    /// gives [`Cancelled`] in its place, no score has it: what was stopped is not scored yet, and is written to no file.
    #[error("stopped")]
    Cancelled,
    /// Nobody said what the task asks for.
    #[error("no instruction")]
    NoInstruction,
    /// The task is no design query.
    #[error("no design query")]
    NoQuery,
    /// The task has no questions about its result.
    #[error("no questions")]
    NoQuestions,
    /// There is no plan that could be judged.
    #[error("no plan: {0}")]
    NoPlan(String),
    /// The judge gave no answer, or none that can be read.
    #[error("no judgement: {0}")]
    NoJudgement(String),
    /// A model behind an endpoint would have to be asked, and nobody said that it is to be.
    #[error("not asked yet")]
    NotAsked,
}

impl Score {
    /// A score from a computed number: not finite is missing.
    pub fn from_number(value: f64) -> Self {
        // Adding zero makes −0, the sum of nothing, the 0 that people read.
        if value.is_finite() {
            Self::Value(value + 0.0)
        } else {
            Self::Missing(MissingScore::NotFinite)
        }
    }

    /// The value, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Missing(_) => None,
        }
    }

    /// The value, be it infinite: of equal pictures, whose score enters no mean but is no missing one either.
    pub fn value_or_infinity(&self) -> Option<f64> {
        match self {
            Self::Missing(why) if why.is_infinite() => Some(f64::INFINITY),
            score => score.value(),
        }
    }
}

impl From<Cancelled> for MissingScore {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl MissingScore {
    /// That there is no number as the pictures are equal, and their score, such as PSNR, is infinite.
    pub fn infinite() -> Self {
        Self::Undefined(INFINITE.to_owned())
    }

    /// Whether it is [`infinite`](Self::infinite): nothing is better, and no mean can have it.
    pub fn is_infinite(&self) -> bool {
        matches!(self, Self::Undefined(why) if why == INFINITE)
    }

    /// That something failed, and why.
    pub fn failed(what: &str, why: &impl ToString) -> Self {
        Self::Failed { what: what.to_owned(), why: why.to_string() }
    }

    /// The cause as one word for programs, as it stands in files.
    pub fn reason(&self) -> &'static str {
        match self {
            // In files already written: the same as serde's tags, and not to be changed.
            Self::NoGroundTruth => "no_ground_truth",
            Self::NothingToCompare(_) => "nothing_to_compare",
            Self::NoPicture(_) => "no_picture",
            Self::Failed { .. } => "failed",
            Self::NoDesign(_) => "no_design",
            Self::NoCaption(_) => "no_caption",
            Self::NoInputs(_) => "no_inputs",
            Self::NoModel(_) => "no_model",
            Self::TooSmall(_) => "too_small",
            Self::Undefined(_) => "undefined",
            Self::NotFinite => "not_finite",
            Self::Cancelled => "cancelled",
            Self::NoInstruction => "no_instruction",
            Self::NoQuery => "no_query",
            Self::NoQuestions => "no_questions",
            Self::NoPlan(_) => "no_plan",
            Self::NoJudgement(_) => "no_judgement",
            Self::NotAsked => "not_asked",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_nothing_has_no_sign() {
        let bits = Score::from_number(-0.0).value().map(f64::to_bits);
        assert_eq!(bits, Some(0.0_f64.to_bits()));
    }
}
