//! A labelling project: what is asked of whom, and how.

use serde::{Deserialize, Serialize};

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
