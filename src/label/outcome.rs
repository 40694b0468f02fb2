//! What people's answers to a question about an item come to.

use std::collections::BTreeMap;

use crate::metric::stats::{Majority, majority_vote};

use super::agreement::Answers;
use super::answer::{Answer, AnswerError, AnswerValue};
use super::form::{Form, Scale};
use super::item::ItemId;
use super::ledger::{Ledger, Settlements};

/// How a final answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// One person answered.
    Single,
    /// All of several people answered the same.
    Unanimous,
    /// More than half did.
    Majority,
    /// An adjudicator settled it.
    Adjudicated,
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
            Self::Adjudicated => "adjudicated",
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
    /// Who settled it, and why, if somebody did.
    pub settled: Option<SettledBy>,
}

/// Who settled an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledBy {
    /// The adjudicator.
    pub person: String,
    /// Why; may be empty.
    pub note: String,
}

/// Whether an answer to a question can be settled so: `value` as conditions write it, `yes` or `no` of an
/// `option` where each is a yes or no of its own.
///
/// # Errors
///
/// [`AnswerError`], with what it should be.
pub fn check_settlement(
    form: &Form,
    question: &str,
    option: Option<&str>,
    value: &str,
) -> Result<(), AnswerError> {
    let Some(asked) = form.question(question) else {
        return Err(AnswerError::UnknownQuestion(question.to_owned()));
    };
    let kind = &asked.answer;
    // Values as conditions write them, so that one vocabulary serves answers, conditions and settlements.
    let values = match (kind.scale(), option) {
        (Scale::None, _) => Err("has no single value that could be settled".to_owned()),
        (Scale::PerOption, Some(option)) if kind.has_option(option) => {
            Ok(["yes", "no"].map(str::to_owned).to_vec())
        }
        (Scale::PerOption, _) => {
            let options: Vec<&str> = kind.options().iter().map(|it| it.id.as_str()).collect();
            Err(format!("each option is settled by itself: {}", options.join(", ")))
        }
        (Scale::Nominal | Scale::Ordinal, Some(_)) => {
            Err("is settled as a whole, without an option".to_owned())
        }
        (Scale::Nominal | Scale::Ordinal, None) => Ok(kind.values()),
    };
    let why = match values {
        Ok(values) if values.iter().any(|known| known == value) => return Ok(()),
        Ok(values) => format!("must be {}, not {value:?}", values.join(" or ")),
        Err(why) => why,
    };
    Err(AnswerError::Value { question: question.to_owned(), why })
}

/// What people's answers come to, for every question that has single values: by item, then question.
/// What an adjudicator settled comes before what most people say, also where nobody answered.
pub fn final_answers(form: &Form, answers: &Answers<'_>, ledger: &Ledger) -> Vec<FinalAnswer> {
    let mut settled = ledger.all_settled(form.hash());
    // Both: what nobody answered may still have been settled, and the other way round.
    let mut items: Vec<&ItemId> = answers.keys().copied().chain(settled.keys().copied()).collect();
    items.sort_unstable();
    items.dedup();
    let mut found = Vec::new();
    for item in items {
        let settled = settled.remove(item).unwrap_or_default();
        found.extend(final_answers_about(form, item, answers.get(item), &settled));
    }
    found
}

/// The same of one item: `people` answered about it, by name.
pub fn final_answers_about(
    form: &Form,
    item: &ItemId,
    people: Option<&BTreeMap<&str, &Answer>>,
    settled: &Settlements<'_>,
) -> Vec<FinalAnswer> {
    let mut found = Vec::new();
    for question in &form.questions {
        let answers = people.into_iter().flat_map(BTreeMap::values);
        let about = About { item, question: &question.id, settled };
        match question.answer.scale() {
            Scale::None => {}
            Scale::Nominal | Scale::Ordinal => {
                let values = answers.filter_map(|answer| answer.values.get(&question.id));
                let votes = values.flat_map(AnswerValue::words).collect();
                found.extend(about.come_to(None, votes));
            }
            Scale::PerOption => {
                // Whoever answered the question voted on every option of it, also on those he left out.
                for option in question.answer.options() {
                    let votes = answers.clone().filter_map(|answer| {
                        // `None` where the question was not answered: silence is no vote against.
                        let chosen = answer.has_option(question, &option.id)?;
                        Some(if chosen { "yes" } else { "no" }.to_owned())
                    });
                    found.extend(about.come_to(Some(&option.id), votes.collect()));
                }
            }
        }
    }
    found
}

/// What a final answer is about.
struct About<'a> {
    item: &'a ItemId,
    question: &'a str,
    settled: &'a Settlements<'a>,
}

impl About<'_> {
    /// `None` where nobody answered or settled anything.
    fn come_to(&self, option: Option<&str>, answers: Vec<String>) -> Option<FinalAnswer> {
        let mut votes: BTreeMap<String, usize> = BTreeMap::new();
        for answer in &answers {
            *votes.entry(answer.clone()).or_default() += 1;
        }
        let settled = self.settled.get(&(self.question, option));
        let (value, provenance) = match (settled, majority_vote(answers)) {
            (Some(settled), _) => (Some(settled.value.to_owned()), Provenance::Adjudicated),
            (None, Err(_)) => return None,
            (None, Ok(Majority::Winner { label, of: 1, .. })) => (Some(label), Provenance::Single),
            (None, Ok(Majority::Winner { label, votes, of })) if votes == of => {
                (Some(label), Provenance::Unanimous)
            }
            // More than half: the most frequent of many answers is no majority by that alone.
            (None, Ok(Majority::Winner { label, votes, of })) if 2 * votes > of => {
                (Some(label), Provenance::Majority)
            }
            (None, Ok(_)) => (None, Provenance::Unresolved),
        };
        let settled = settled.map(|settled| SettledBy {
            person: settled.event.person.clone(),
            note: settled.note.to_owned(),
        });
        let (question, option) = (self.question.to_owned(), option.map(str::to_owned));
        let item = self.item.clone();
        Some(FinalAnswer { item, question, option, value, provenance, votes, settled })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Act, Event, EventId, WriterId};

    fn of(answers: &[&str]) -> Option<(Option<String>, Provenance)> {
        let votes = answers.iter().map(|it| (*it).to_owned()).collect();
        let item = ItemId("a".into());
        let about = About { item: &item, question: "q", settled: &Settlements::new() };
        let found = about.come_to(None, votes)?;
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

    #[test]
    fn what_can_be_settled_is_a_value_of_the_question() {
        let check = |form: &str, question: &str, option: Option<&str>, value: &str| {
            check_settlement(builtin_form(form).unwrap(), question, option, value)
                .map_err(|error| error.to_string())
        };
        assert_eq!(check("pairwise-preference", "preference", None, "tie"), Ok(()));
        assert_eq!(check("likert", "rating", None, "5"), Ok(()));
        assert_eq!(check("plan-errors", "errors", Some("invalid_tool"), "no"), Ok(()));
        for (form, question, option, value, said) in [
            ("likert", "rating", None, "6", "must be 1 or 2 or 3 or 4 or 5, not \"6\""),
            ("likert", "taste", None, "6", "nothing called \"taste\""),
            ("likert", "reason", None, "so", "no single value"),
            ("likert", "rating", Some("a"), "3", "as a whole"),
            (
                "plan-errors",
                "errors",
                None,
                "yes",
                "each option is settled by itself: invalid_expert",
            ),
            ("plan-errors", "errors", Some("rust"), "yes", "each option is settled by itself"),
            ("plan-errors", "errors", Some("none"), "perhaps", "must be yes or no"),
        ] {
            let error = check(form, question, option, value).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }

    #[test]
    fn an_adjudicator_has_the_last_word_and_the_votes_stay() {
        let form = builtin_form("task-success").unwrap();
        let settle = |sequence: u64, item: &str, value: &str| Event {
            id: EventId { writer: WriterId(1), sequence },
            clock: sequence,
            at: String::new(),
            person: "lead".into(),
            item: ItemId(item.into()),
            form: form.hash(),
            act: Act::Settled {
                question: "success".into(),
                option: None,
                value: value.into(),
                note: "seen twice".into(),
            },
        };
        let mut ledger = Ledger::default();
        ledger.insert(settle(1, "a", "no")).unwrap();
        ledger.insert(settle(2, "b", "yes")).unwrap();
        let yes = Answer {
            values: [("success".to_owned(), AnswerValue::YesNo(true))].into(),
            ..Answer::default()
        };
        let item = ItemId("a".into());
        let answers = Answers::from([(&item, [("ada", &yes), ("bo", &yes)].into())]);
        let found = final_answers(form, &answers, &ledger);
        let said: Vec<_> = found
            .iter()
            .map(|it| (it.item.0.as_str(), it.value.as_deref(), it.provenance))
            .collect();
        let by = Provenance::Adjudicated;
        assert_eq!(said, [("a", Some("no"), by), ("b", Some("yes"), by)]);
        assert_eq!(found[0].votes, BTreeMap::from([("yes".to_owned(), 2)]));
        assert_eq!(found[0].settled.as_ref().unwrap().note, "seen twice");
        assert!(found[1].votes.is_empty(), "nobody answered, and it is settled all the same");
    }
}
