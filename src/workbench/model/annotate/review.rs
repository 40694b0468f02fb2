//! How far people agree, and where an adjudicator is among what they do not agree on.

use std::sync::Arc;

use crate::label::form::Scale;
use crate::label::participants::Participants;
use crate::label::{Findings, Ledger, Provenance};
use crate::workbench::model::values::ResourceKey;

use super::open_labels::OpenLabels;

/// Which answers are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewList {
    /// Those that have no final answer.
    #[default]
    ToSettle,
    /// Those that people do not all agree on.
    Differ,
    /// All.
    All,
}

/// Where an adjudicator is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// Which topic, by its place among the project's.
    pub topic: usize,
    /// Which answers are listed.
    pub list: ReviewList,
    /// Why the next one is settled as it is.
    pub note: String,
    /// Whether the first findings have put an item on the screen.
    pub is_begun: bool,
}

/// What people agree on or do not: a question, or an option of it where each is a yes or no of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Of which form, by its place.
    pub form: usize,
    /// Which question.
    pub question: String,
    /// Which of its options.
    pub option: Option<String>,
}

/// The findings of a project, by how many events they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingsKey(pub usize);

/// What the answers of a project come to.
#[derive(Clone, Debug)]
pub struct ReviewFindings {
    /// By form.
    pub forms: Vec<Findings>,
    /// Of each topic what people answered, item by item: what is to be settled first, then what they agree
    /// on least.
    pub rows: Vec<Vec<ReviewRow>>,
    /// Who takes part.
    pub participants: Participants,
}

/// What people answered about one item.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewRow {
    /// Which item, by its place in the project.
    pub item: usize,
    /// The votes, the most first.
    pub votes: Vec<(String, usize)>,
    /// What they come to; `None`: that is to be settled.
    pub value: Option<String>,
    /// How.
    pub provenance: Provenance,
    /// The share of equal answers among all pairs of answers, 0 to 1; `None` of fewer than two.
    pub equal: Option<f64>,
}

/// A project with all that was done in it.
#[derive(Clone, Debug)]
pub struct LabelsInput {
    /// The project.
    pub labels: Arc<OpenLabels>,
    /// What was done.
    pub ledger: Arc<Ledger>,
}

impl ResourceKey for FindingsKey {
    type Value = ReviewFindings;
    // The last one stays on the screen while the next is made.
    const BUDGET: usize = 2;

    fn cost(_: &ReviewFindings) -> usize {
        1
    }
}

impl OpenLabels {
    /// What people can agree on, in the order of the forms.
    pub fn topics(&self) -> Vec<Topic> {
        let mut topics = Vec::new();
        for (form, asked) in self.forms.iter().enumerate() {
            for question in &asked.questions {
                let options: Vec<Option<String>> = match question.answer.scale() {
                    Scale::None => Vec::new(),
                    Scale::Nominal | Scale::Ordinal => vec![None],
                    Scale::PerOption => {
                        question.answer.options().iter().map(|it| Some(it.id.clone())).collect()
                    }
                };
                topics.extend(options.into_iter().map(|option| Topic {
                    form,
                    question: question.id.clone(),
                    option,
                }));
            }
        }
        topics
    }
}

impl ReviewRow {
    /// Whether it is in such a list.
    pub fn is_in(&self, list: ReviewList) -> bool {
        match list {
            ReviewList::ToSettle => self.provenance == Provenance::Unresolved,
            ReviewList::Differ => self.votes.len() > 1,
            ReviewList::All => true,
        }
    }
}
