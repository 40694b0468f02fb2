//! What happens between a person and the assistant.

use serde::{Deserialize, Serialize};

use crate::design::NodeId;
use crate::design::hunk::Field;

/// Something that happened, as it is recorded: one a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssistEvent {
    /// When, in seconds since 1970 (UTC).
    pub at: f64,
    /// What.
    #[serde(flatten)]
    pub act: AssistAct,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AssistAct {
    /// The task is fully drawn.
    TaskBegan {
        /// The fewest steps that lead to the goal, if one is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least_steps: Option<u32>,
    },
    /// The person is there again, after a pause or elsewhere.
    Returned,
    /// The person asks for something.
    Request {
        /// For what.
        kind: RequestKind,
    },
    /// There is a suggestion; it need not be in sight yet.
    Offered {
        /// Its number.
        suggestion: u32,
        /// What it changes.
        hunks: Vec<HunkValue>,
        /// Whether it lowers the distance to the goal, if one is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_right: Option<bool>,
        /// The same of each hunk, where that is known one by one; else empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        are_right: Vec<Option<bool>>,
    },
    /// A suggestion has been in view for half a second.
    Shown {
        /// Which.
        suggestion: u32,
    },
    /// Hunks of a suggestion are taken.
    Taken {
        /// Which.
        suggestion: u32,
        /// Their places in it.
        hunks: Vec<usize>,
    },
    /// A suggestion is refused.
    Refused {
        /// Which.
        suggestion: u32,
    },
    /// A suggestion was replaced by another, or the task is over.
    Ignored {
        /// Which.
        suggestion: u32,
    },
    /// The document changed under a suggestion; some of it still holds.
    Stale {
        /// Which.
        suggestion: u32,
    },
    /// Nothing of a suggestion holds any more.
    Withdrawn {
        /// Which.
        suggestion: u32,
    },
    /// A field of the document changed. What is changed in one go has one time.
    Changed {
        /// By whom.
        author: Author,
        /// What, from which value to which.
        #[serde(flatten)]
        change: HunkValue,
    },
    /// How far the document is from the goal now.
    Distance {
        /// By [`Goal::distance`](crate::design::goal::Goal::distance).
        value: f64,
    },
    /// The task is over.
    TaskEnded,
}

/// What a person asks the assistant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// What is next.
    Next,
    /// Why that.
    Why,
    /// Another way.
    Another,
}

/// Who changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The person, by hand or by undo.
    Person,
    /// The assistant, as the person took what it suggested.
    Assistant,
    /// The assistant, told to go on alone.
    AssistantAlone,
}

/// What logs of studies call a node that comes or goes.
pub const NODE_FIELD: &str = "node";

/// The name of a field in a log: [`Field::label`], or what scripts and older logs call it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldName(String);

impl FieldName {
    /// A name as a log has it.
    pub fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// What people call it.
    pub fn label(&self) -> &str {
        &self.0
    }
}

impl From<Field> for FieldName {
    fn from(field: Field) -> Self {
        Self::new(field.label())
    }
}

/// A field of a node, with its value before and after, as people read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkValue {
    /// The node.
    pub node: NodeId,
    /// The field.
    pub field: FieldName,
    /// Before.
    pub from: String,
    /// After.
    pub to: String,
    /// By what the two values are told from others that read alike: long texts are cut, and of two shadows only their
    /// number is read. Absent where the words say all, and in logs of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<ValueMarks>,
    /// The nodes that came or went with this one, as they lay in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<NodeId>,
}

/// Marks of a value before and after: equal for equal values, and for no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueMarks {
    /// Before; empty where there was none.
    pub from: String,
    /// After; empty where there is none.
    pub to: String,
}

/// A value of a field as it can be compared: by its mark where both have one, else by its words.
#[derive(Clone, Copy, Debug)]
struct ValueRead<'a> {
    words: &'a str,
    mark: Option<&'a str>,
}

impl ValueRead<'_> {
    fn is_same(self, other: ValueRead<'_>) -> bool {
        match (self.mark, other.mark) {
            (Some(own), Some(other)) => own == other,
            _ => self.words == other.words,
        }
    }
}

impl HunkValue {
    fn before(&self) -> ValueRead<'_> {
        ValueRead { words: &self.from, mark: self.marks.as_ref().map(|marks| &*marks.from) }
    }

    fn after(&self) -> ValueRead<'_> {
        ValueRead { words: &self.to, mark: self.marks.as_ref().map(|marks| &*marks.to) }
    }

    /// Whether both lead to the same value.
    pub fn leads_to_same(&self, other: &Self) -> bool {
        self.after().is_same(other.after())
    }

    /// Whether it leads to what `other` began with.
    pub fn leads_back_of(&self, other: &Self) -> bool {
        self.after().is_same(other.before())
    }

    /// Whether it is the node itself that comes or goes.
    pub(super) fn is_existence(&self) -> bool {
        // Logs of studies have a word of their own for it.
        [Field::Existence.label(), NODE_FIELD].contains(&self.field.label())
    }
}
