//! One question of a form.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text::FormText;

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What answers, tables and filters call it: letters, digits, `_` and `-`.
    pub id: String,
    /// What is asked.
    pub text: FormText,
    /// More about it, in Markdown.
    #[serde(default, skip_serializing_if = "FormText::is_empty")]
    pub help: FormText,
    /// What an answer is.
    pub answer: QuestionKind,
    /// Whether the form is not finished without it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Whether a step, a layer or a region may or must be shown for it.
    #[serde(default, skip_serializing_if = "Evidence::is_none")]
    pub evidence: Evidence,
    /// Asked only where an earlier question was answered so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
}

/// What an answer to a question is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum QuestionKind {
    /// Which of a pair, or that they are equal.
    Preference {
        /// Whether they may be said to be equal.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        tie: bool,
    },
    /// Yes or no.
    YesNo,
    /// One of several.
    Choice {
        /// Which.
        options: Vec<QuestionOption>,
        /// Whether their order means something, such as from easy to hard.
        #[serde(default, skip_serializing_if = "is_false")]
        ordered: bool,
    },
    /// Any of several.
    Choices {
        /// Which.
        options: Vec<QuestionOption>,
    },
    /// A whole number from the least to the most, such as a Likert scale from 1 to 5.
    Rating {
        /// The least.
        least: i32,
        /// The most.
        most: i32,
        /// What the least means.
        #[serde(default, skip_serializing_if = "FormText::is_empty")]
        least_text: FormText,
        /// What the most means.
        #[serde(default, skip_serializing_if = "FormText::is_empty")]
        most_text: FormText,
    },
    /// The candidates of the item, or these options, from best to worst.
    Ranking {
        /// What is ranked; empty: the candidates of the item.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<QuestionOption>,
        /// Whether some may share a place; else each has one of its own.
        #[serde(default, skip_serializing_if = "is_false")]
        ties: bool,
    },
    /// Words of one's own.
    Text,
    /// Any number of places with what is there: errors, with how bad they are.
    Marks {
        /// What may be there.
        options: Vec<QuestionOption>,
        /// The worst severity, from 1; 0: severity is not asked.
        #[serde(default, skip_serializing_if = "is_zero")]
        severities: u32,
    },
}

/// One of several answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionOption {
    /// What answers, tables and filters call it.
    pub id: String,
    /// What it is called.
    pub text: FormText,
    /// More about it.
    #[serde(default, skip_serializing_if = "FormText::is_empty")]
    pub help: FormText,
    /// The key that gives it, one character; none: a number by its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The heading it stands under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// Whether a place is shown for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// None is asked for.
    #[default]
    None,
    /// One may be shown.
    Optional,
    /// One must be.
    Required,
}

impl Evidence {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// What an earlier question must have been answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Which question.
    pub question: String,
    /// Any of these: options, `yes` or `no`, `first`, `tie` or `second`, numbers as text.
    pub is: Vec<String>,
}

/// How far the answers to a question are from each other: what coefficient of agreement is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Different is different.
    Nominal,
    /// They have an order.
    Ordinal,
    /// Sets, each option of which is a yes or no of its own: of marks, whether there is one of its kind.
    PerOption,
    /// Nothing of which one value could be compared: words, rankings.
    None,
}

impl QuestionKind {
    /// What it may be answered with, if that is named.
    pub fn options(&self) -> &[QuestionOption] {
        match self {
            Self::Choice { options, .. }
            | Self::Choices { options }
            | Self::Ranking { options, .. }
            | Self::Marks { options, .. } => options,
            Self::Preference { .. } | Self::YesNo | Self::Rating { .. } | Self::Text => &[],
        }
    }

    /// Whether it may be answered with the option of this id.
    pub fn has_option(&self, id: &str) -> bool {
        self.options().iter().any(|option| option.id == id)
    }

    /// How its answers are compared.
    pub fn scale(&self) -> Scale {
        match self {
            Self::Preference { .. } | Self::YesNo | Self::Choice { ordered: false, .. } => {
                Scale::Nominal
            }
            Self::Choice { ordered: true, .. } | Self::Rating { .. } => Scale::Ordinal,
            Self::Choices { .. } | Self::Marks { .. } => Scale::PerOption,
            Self::Ranking { .. } | Self::Text => Scale::None,
        }
    }

    /// The values a condition can ask for; none where answers are no single value.
    pub fn values(&self) -> Vec<String> {
        match self {
            Self::Preference { tie } => {
                let tie = tie.then_some("tie");
                ["first"].into_iter().chain(tie).chain(["second"]).map(str::to_owned).collect()
            }
            Self::YesNo => ["yes", "no"].map(str::to_owned).to_vec(),
            Self::Choice { options, .. } | Self::Choices { options } => {
                options.iter().map(|option| option.id.clone()).collect()
            }
            Self::Rating { least, most, .. } => (*least..=*most).map(|it| it.to_string()).collect(),
            Self::Ranking { .. } | Self::Text | Self::Marks { .. } => Vec::new(),
        }
    }
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_true(it: &bool) -> bool {
    *it
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(it: &bool) -> bool {
    !*it
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(it: &u32) -> bool {
    *it == 0
}
