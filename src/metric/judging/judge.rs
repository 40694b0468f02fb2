//! Who is asked, and what.

use std::fmt::Debug;

use crate::base::{CancelToken, Pixels};

use crate::metric::{MissingScore, QuestionSize};

/// A model that answers questions about pictures and plans.
pub trait Judge: Debug + Send + Sync {
    /// The name of the model, as it stands beside every number it gives: no slash.
    fn name(&self) -> &str;

    /// What it is beside its name, as [`Metric::fingerprint`](crate::metric::Metric::fingerprint) has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// What asking would send, for who wants to know what it costs; `None`: nothing, as the answer is kept.
    fn question_size(&self, question: &JudgeQuestion<'_>) -> Option<QuestionSize> {
        let bytes = question.values.iter().map(|value| value.len()).sum();
        Some(QuestionSize::new(bytes, question.picture))
    }

    /// Has a question asked anew the next time, as its answer cannot be read.
    fn set_aside(&self, _: &JudgeQuestion<'_>) {}

    /// The answer in words, as the judge gave it.
    ///
    /// # Errors
    ///
    /// [`MissingScore::NoJudgement`] if there is no answer, with the cause;
    /// [`MissingScore::Cancelled`] if it was stopped.
    fn answer(
        &self,
        question: &JudgeQuestion<'_>,
        cancel: &CancelToken,
    ) -> Result<String, MissingScore>;
}

/// What a judge is asked.
#[derive(Clone, Copy, Debug)]
pub struct JudgeQuestion<'a> {
    /// Which form: it decides the wording and how the answer is read.
    pub form: JudgeForm,
    /// The picture to look at, of forms that are about one.
    pub picture: Option<&'a Pixels>,
    /// Values of the form's [`JudgeForm::variables`], in their order.
    pub values: &'a [&'a str],
}

/// What a judge is asked about, as a text that is another for anything else.
pub(super) fn digest<'a>(asked: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in asked {
        // The length before the bytes: "ab" and "c" must not hash as "a" and "bc".
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// The forms that a judge can be asked to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JudgeForm {
    /// A question about a picture, to be answered with yes or no.
    Vqa,
    /// How well a plan does what was asked of the colours, 1 to 5.
    DesignColor,
    /// How well a plan does what was asked of the texts, 1 to 5.
    DesignText,
    /// How well a plan does what was asked of the images, 1 to 5.
    DesignImage,
    /// How uncommon the idea of a picture is, 1 to 5.
    Originality,
    /// How richly a picture expands on the instruction, 1 to 5.
    Elaboration,
    /// Whether a step of a plan contradicts its words, the components or another step.
    StepConsistency,
}

impl JudgeForm {
    /// All forms.
    pub const ALL: [Self; 7] = [
        Self::Vqa,
        Self::DesignColor,
        Self::DesignText,
        Self::DesignImage,
        Self::Originality,
        Self::Elaboration,
        Self::StepConsistency,
    ];

    /// The form's name: of the file with its wording, and in variants' ids.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vqa => "vqa",
            Self::DesignColor => "design_color",
            Self::DesignText => "design_text",
            Self::DesignImage => "design_image",
            Self::Originality => "originality",
            Self::Elaboration => "elaboration",
            Self::StepConsistency => "step_consistency",
        }
    }

    /// The variables that its wording has to mention.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Vqa => &["question"],
            Self::DesignColor => &["background_color", "text_elements", "plan"],
            Self::DesignText => &["text_elements", "plan"],
            Self::DesignImage => &["image_elements", "plan"],
            Self::Originality | Self::Elaboration => &["instruction"],
            Self::StepConsistency => &["query", "components", "steps", "step"],
        }
    }
}
