//! What somebody did: answers are never changed, only followed by others.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::answer::Answer;
use super::form::FormHash;
use super::item::ItemId;
use super::judged::Judged;

/// Who wrote something down: drawn at random each time a project's file is opened, so that copies made by
/// hand are told apart too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriterId(pub u64);

/// What tells an event from every other one in all copies of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventId {
    /// By which writer.
    pub writer: WriterId,
    /// The how-manieth there, from 1.
    pub sequence: u64,
}

/// Something that was done.
///
/// Events of several copies are put into one order by [`Self::clock`], which counts on from the highest
/// that the copy had seen (Lamport 1978, "Time, clocks, and the ordering of events in a distributed
/// system"): what somebody did after seeing something comes after it, whatever clocks on walls say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Which.
    pub id: EventId,
    /// Its place in the order, from 1.
    pub clock: u64,
    /// When, by the machine's clock, as RFC 3339. Told, never counted with.
    pub at: String,
    /// Who.
    pub person: String,
    /// About which item; [`ItemId::study`] of what is about the study itself or the person.
    pub item: ItemId,
    /// By which form; [`FormHash::NONE`] where none is filled in.
    pub form: FormHash,
    /// What.
    pub act: Act,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// The form was answered, or answered anew.
    Answered(Box<Answered>),
    /// The item was put off.
    Skipped,
    /// Something is wrong with the item.
    Flagged {
        /// What.
        reason: String,
    },
    /// Nothing is, after all.
    Unflagged,
    /// What the answer to a question about the item is in the end, said by an adjudicator, who is the
    /// event's person: beside what people answered, which stays.
    Settled {
        /// Which question.
        question: String,
        /// Which of its options, where each is a yes or no of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        option: Option<String>,
        /// The answer, as conditions write it.
        value: String,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// The person agreed to the text about consent.
    Consented {
        /// Which text: [`text_hash`](super::text_hash).
        text: String,
    },
    /// The person no longer takes part, and all that they did is gone: from every copy that hears of this.
    Withdrawn,
    /// Whoever leads the study, who is the event's person, lets somebody label who failed the qualification.
    LetOn {
        /// Whom.
        person: String,
    },
    /// Whoever leads the study, who is the event's person, looks at who made what from now on.
    Revealed,
    /// A model was asked the form: its answer, which is no person's, or why there is none.
    Judged(Box<Judged>),
    /// What was done before is taken back: undo. Of what was a taking back itself: redo.
    Retracted {
        /// What is taken back.
        event: EventId,
    },
}

/// An answer, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// What was answered.
    pub answer: Answer,
    /// What was shown where; `None`: that was not recorded, as of answers from a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// How long the item was on the screen, in milliseconds; `None`: that was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
    /// How long each view of it was, in milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub views: BTreeMap<String, u64>,
    /// How often an answer was changed before the form was done; `None`: that was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<u32>,
}

/// What was shown where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Whether the item's second was on the left.
    #[serde(default)]
    pub is_swapped: bool,
    /// The places of candidates, in the order they were shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<u32>,
    /// In which language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What a program said of the item, and when that was shown; `None`: nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ShownProposal>,
}

/// What a program said of an item that somebody answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownProposal {
    /// Before the answer; or once it was given, where the first answer that stands in the item's events was
    /// given without it, and a later one after it was seen.
    pub when: ProposalTime,
    /// What it said.
    pub said: Answer,
}

/// When a proposal was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalTime {
    /// Before the answer.
    Before,
    /// After it.
    After,
}

impl Act {
    /// Whether undo takes it back: it is about an item, or answers the questions about the person.
    pub fn can_be_taken_back(&self) -> bool {
        match self {
            Self::Answered(_)
            | Self::Skipped
            | Self::Flagged { .. }
            | Self::Unflagged
            | Self::Settled { .. }
            | Self::Judged(_) => true,
            Self::Consented { .. }
            | Self::Withdrawn
            | Self::LetOn { .. }
            | Self::Revealed
            | Self::Retracted { .. } => false,
        }
    }

    /// Whether it goes with its person, once they withdraw: what was decided of the study stays.
    pub fn is_personal(&self) -> bool {
        !matches!(self, Self::Withdrawn | Self::LetOn { .. } | Self::Revealed)
    }
}

impl Event {
    /// Its place among all events.
    pub fn order(&self) -> (u64, EventId) {
        (self.clock, self.id)
    }
}

impl fmt::Debug for WriterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WriterId({:016x})", self.0)
    }
}

// Sixteen hex digits: JSON's numbers do not hold them all.
impl Serialize for WriterId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for WriterId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let id = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
        id.map(Self).ok_or_else(|| serde::de::Error::custom("a writer is named by 16 hex digits"))
    }
}
