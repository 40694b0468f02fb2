//! What people's answers to a question about an item come to.

use std::collections::BTreeMap;

use crate::metric::stats::{Majority, majority_vote};

use super::agreement::Answers;
use super::answer::AnswerValue;
use super::form::{Form, Scale};
use super::item::ItemId;

/// How a final answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// One person answered.
    Single,
    /// All of several people answered the same.
    Unanimous,
    /// More than half did.
    Majority,
    /// No answer has more than half of the votes: it is to be settled.
    Unresolved,
}

impl Provenance {
    /// As exports say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Unanimous => "unanimous",
            Self::Majority => "majority",
            Self::Unresolved => "unresolved",
        }
    }
}

/// What people's answers to one question about one item come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalAnswer {
    /// Which item.
    pub item: ItemId,
    /// Which question.
    pub question: String,
    /// Which of its options, where each is a yes or no of its own.
    pub option: Option<String>,
    /// The answer, as conditions and filters say it; `None`: it is to be settled.
    pub value: Option<String>,
    /// How it came about.
    pub provenance: Provenance,
    /// The votes of each answer.
    pub votes: BTreeMap<String, usize>,
}

/// What people's answers come to, for every question that has single values: by item, then question.
pub fn final_answers(form: &Form, answers: &Answers<'_>) -> Vec<FinalAnswer> {
    let mut found = Vec::new();
    for (item, people) in answers {
        for question in &form.questions {
            let values: Vec<&AnswerValue> =
                people.values().filter_map(|answer| answer.values.get(&question.id)).collect();
            let settle = |option: Option<&str>, votes: Vec<String>| {
                settled((*item).clone(), &question.id, option, votes)
            };
            match question.answer.scale() {
                Scale::None => {}
                Scale::Nominal | Scale::Ordinal => {
                    let votes = values.iter().flat_map(|value| value.words()).collect();
                    found.extend(settle(None, votes));
                }
                Scale::PerOption => {
                    for option in question.answer.options() {
                        let yes = |value: &&AnswerValue| value.words().contains(&option.id);
                        let vote = |value| if yes(value) { "yes" } else { "no" }.to_owned();
                        let votes = values.iter().map(vote).collect();
                        found.extend(settle(Some(&option.id), votes));
                    }
                }
            }
        }
    }
    found
}

/// `None` where nobody answered.
fn settled(
    item: ItemId,
    question: &str,
    option: Option<&str>,
    answers: Vec<String>,
) -> Option<FinalAnswer> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for answer in &answers {
        *votes.entry(answer.clone()).or_default() += 1;
    }
    let (value, provenance) = match majority_vote(answers).ok()? {
        Majority::Winner { label, of: 1, .. } => (Some(label), Provenance::Single),
        Majority::Winner { label, votes, of } if votes == of => {
            (Some(label), Provenance::Unanimous)
        }
        Majority::Winner { label, votes, of } if 2 * votes > of => {
            (Some(label), Provenance::Majority)
        }
        Majority::Winner { .. } | Majority::Tie { .. } => (None, Provenance::Unresolved),
    };
    let (question, option) = (question.to_owned(), option.map(str::to_owned));
    Some(FinalAnswer { item, question, option, value, provenance, votes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(answers: &[&str]) -> Option<(Option<String>, Provenance)> {
        let votes = answers.iter().map(|it| (*it).to_owned()).collect();
        let found = settled(ItemId("a".into()), "q", None, votes)?;
        assert_eq!(found.votes.values().sum::<usize>(), answers.len());
        Some((found.value, found.provenance))
    }

    #[test]
    fn an_answer_is_final_with_more_than_half_of_the_votes() {
        let a = || Some("a".to_owned());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["a"]), Some((a(), Provenance::Single)));
        assert_eq!(of(&["a", "a"]), Some((a(), Provenance::Unanimous)));
        assert_eq!(of(&["a", "b", "a"]), Some((a(), Provenance::Majority)));
        assert_eq!(of(&["a", "b"]), Some((None, Provenance::Unresolved)));
        // The most votes are no majority.
        assert_eq!(of(&["a", "a", "b", "c"]), Some((None, Provenance::Unresolved)));
    }
}
