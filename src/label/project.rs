//! A labelling project: what is asked of whom, and how.

use serde::{Deserialize, Serialize};

use super::event::ProposalTime;
use super::form::FormHash;
use super::queue::Sides;

/// What a project says of itself; its forms, items and events stand beside it in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// What tells it from every other project, in all copies: drawn at random when it is made.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The forms that are asked of every item, in order.
    pub forms: Vec<FormHash>,
    /// How to label, in Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub guidelines: String,
    /// Where the runs' task sets lie as seen from the project's file, if not where the runs say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_sets: Vec<String>,
    /// Who labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<String>,
    /// How items are asked.
    #[serde(default)]
    pub queue: QueueSettings,
    /// What comes before the first item.
    #[serde(default, skip_serializing_if = "StudySettings::is_empty")]
    pub study: StudySettings,
    /// What it is of, if it is what one person labels elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet: Option<Packet>,
}

/// What a packet says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// The id of the project it is of.
    pub of: String,
    /// For whom.
    pub person: String,
}

/// What comes before the first item: a text to agree to, examples, questions about the person, a qualification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudySettings {
    /// What is agreed to before anything is answered, in Markdown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub consent: String,
    /// Good and bad examples, in Markdown; its pictures are in the project's file, each named as its hash.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub examples: String,
    /// What each person is asked about themselves, once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_survey: Option<FormHash>,
    /// The share of the qualification that has to be answered as is known; `None`: all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_mark: Option<PassMark>,
}

impl StudySettings {
    /// Whether nothing comes before the first item.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A share of answers that is enough, above 0 and at most 1, in thousandths: compared without rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct PassMark(u16);

/// Why a number is no [`PassMark`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is no pass mark: a share above 0 and at most 1, such as 0.8")]
pub struct NoPassMark(f64);

impl PassMark {
    /// All of it.
    pub const ALL: Self = Self(1000);

    /// Whether so many of so many are enough.
    pub fn is_reached(self, hits: u64, of: u64) -> bool {
        u128::from(hits) * 1000 >= u128::from(self.0) * u128::from(of)
    }

    /// The share, above 0 and at most 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl TryFrom<f64> for PassMark {
    type Error = NoPassMark;

    fn try_from(share: f64) -> Result<Self, NoPassMark> {
        let thousandths = (share * 1000.0).round();
        let is_share = (1.0..=1000.0).contains(&thousandths);
        if is_share { Ok(Self(thousandths as u16)) } else { Err(NoPassMark(share)) }
    }
}

impl From<PassMark> for f64 {
    fn from(mark: PassMark) -> Self {
        mark.share()
    }
}

/// How a project's items are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueueSettings {
    /// How many people label each item, at least 1.
    pub labels_per_item: u32,
    /// What stands on which side.
    pub sides: Sides,
    /// When a machine's proposal is shown.
    pub proposals: Proposals,
    /// Whether names, scores and costs are kept from who labels.
    pub is_blind: bool,
}

/// When a machine's proposal is shown to who labels. One that is seen first is an anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposals {
    /// Before the answer.
    Before,
    /// After it, where it can still be changed.
    #[default]
    After,
    /// Not at all.
    Never,
}

impl Proposals {
    /// When one is shown, if it is.
    pub fn time(self) -> Option<ProposalTime> {
        match self {
            Self::Before => Some(ProposalTime::Before),
            Self::After => Some(ProposalTime::After),
            Self::Never => None,
        }
    }
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            labels_per_item: 3,
            sides: Sides::default(),
            proposals: Proposals::default(),
            is_blind: true,
        }
    }
}
