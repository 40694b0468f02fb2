//! What is labelled: runs, pairs of them, steps, tasks, queries with pictures, by identity and content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::form::{Form, ItemKind};
use crate::run::TaskRef;

/// What a project calls an item: the same in every copy of its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(pub String);

/// A run that people look at: found by what is in it, wherever it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledRun {
    /// Where it lay last, as seen from the project's file.
    pub path: String,
    /// The hash of what is in it, as hex: it is looked for by it once it has moved.
    pub content: String,
    /// Who made it. Never shown in a blind queue.
    pub model: String,
}

/// One thing to be labelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// Of which task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskRef>,
    /// Its runs: one, or the two of a pair, the item's first and second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<LabelledRun>,
    /// Which step of its run, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// What is ranked, by id: pictures of a query, which are in the project's file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Who made each candidate, in their order. Never shown in a blind queue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The words, if it is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What samples are drawn by, such as `type` and `difficulty`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub strata: BTreeMap<String, String>,
    /// Why it is among the items.
    #[serde(default, skip_serializing_if = "ItemRole::is_plain")]
    pub role: ItemRole,
    /// What the answer is, of practice and of known-answer items. It belongs to whichever of the project's
    /// forms it fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Answer>,
    /// What a program says of it, which is nobody's answer. It belongs to whichever of the project's forms it fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// Which item it asks about once more, so that it is seen whether people say the same again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<ItemId>,
}

/// What a program says of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Which program, as people call it.
    pub by: String,
    /// What it would answer; why stands in the note.
    pub answer: Answer,
}

/// Why an item is among the items of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemRole {
    /// It is what is asked about.
    #[default]
    Plain,
    /// To learn by: its answer is told.
    Practice,
    /// Its answer is known and not told: who fails it is not careful.
    KnownAnswer,
    /// Its answer is known, and decides with the others of its kind whether somebody labels.
    Qualification,
}

impl ItemId {
    /// In the place of an item: what is done is about the study itself, or about the person.
    pub fn study() -> Self {
        Self(String::new())
    }

    /// Whether it is [`Self::study`].
    pub fn is_study(&self) -> bool {
        self.0.is_empty()
    }
}

impl ItemRole {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// Whether everybody is asked it, before anything that counts.
    pub fn comes_first(self) -> bool {
        matches!(self, Self::Practice | Self::Qualification)
    }
}

impl Item {
    /// One of which nothing else is said: the others are made of it.
    pub fn bare(id: ItemId, kind: ItemKind) -> Self {
        Self {
            id,
            kind,
            task: None,
            runs: Vec::new(),
            step: None,
            candidates: Vec::new(),
            sources: Vec::new(),
            text: None,
            strata: BTreeMap::new(),
            role: ItemRole::Plain,
            known: None,
            proposal: None,
            repeats: None,
        }
    }

    /// Whether its answers are part of the results: practice is to learn by, the qualification says who
    /// labels, and what is asked once more would count twice.
    pub fn counts(&self) -> bool {
        !self.role.comes_first() && self.repeats.is_none()
    }

    /// What a program says of it by this form, if it says anything; it need not answer all of it.
    pub fn proposal_by(&self, form: &Form) -> Option<&Proposal> {
        let proposal = self.proposal.as_ref()?;
        let fits = proposal.answer.check_values(form, &self.candidates).is_ok();
        (fits && !proposal.answer.values.is_empty()).then_some(proposal)
    }

    /// The models of its two runs, if it is a pair.
    pub fn models(&self) -> Option<[&str; 2]> {
        match self.runs.as_slice() {
            [first, second] => Some([&first.model, &second.model]),
            _ => None,
        }
    }
}
