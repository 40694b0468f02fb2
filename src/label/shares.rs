//! How often each answer is the one that items come to, by model: error categories, success, usefulness.

use std::collections::BTreeMap;

use super::form::{Form, Question, Scale};
use super::item::{Item, ItemId};
use super::outcome::FinalAnswer;
use super::people::Share;

/// The answers that the items of one model come to, of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelShares {
    /// Which question.
    pub question: String,
    /// Which model.
    pub model: String,
    /// Each answer, in the form's order, with the items that come to it of those that come to any.
    pub categories: Vec<(String, Share)>,
    /// Items without such an answer: nobody answered, the question was not asked, or it is to be settled.
    pub open: usize,
}

/// The shares of every question with named answers, by model. Pairs have no model of their own.
pub fn model_shares(form: &Form, items: &[Item], finals: &[FinalAnswer]) -> Vec<ModelShares> {
    let mut by_model: BTreeMap<&str, Vec<&ItemId>> = BTreeMap::new();
    let asked = items.iter().filter(|item| item.counts() && item.kind == form.about);
    for item in asked {
        // A pair has two runs, and its answer is about neither of them alone.
        if let [run] = item.runs.as_slice() {
            by_model.entry(&run.model).or_default().push(&item.id);
        }
    }
    let mut by_item: BTreeMap<(&ItemId, &str, Option<&str>), Option<&str>> = BTreeMap::new();
    for found in finals {
        let key = (&found.item, found.question.as_str(), found.option.as_deref());
        by_item.insert(key, found.value.as_deref());
    }
    let mut shares = Vec::new();
    for question in &form.questions {
        for (model, items) in &by_model {
            let counted: Vec<Option<BTreeMap<String, bool>>> =
                items.iter().map(|item| come_to(question, &by_item, item)).collect();
            // Words have no categories.
            let Some(names) = categories(question) else { continue };
            let mut categories: Vec<(String, Share)> =
                names.into_iter().map(|name| (name, Share::default())).collect();
            for (name, share) in &mut categories {
                // Items whose answer is open are in no share, but counted below, so that a share never hides them.
                let said = counted.iter().flatten().filter_map(|item| item.get(name));
                for is_so in said {
                    share.hits += u64::from(*is_so);
                    share.of += 1;
                }
            }
            let open = counted.iter().filter(|item| item.is_none()).count();
            let (question, model) = (question.id.clone(), (*model).to_owned());
            shares.push(ModelShares { question, model, categories, open });
        }
    }
    shares
}

/// What a question may be answered with, if that is named.
fn categories(question: &Question) -> Option<Vec<String>> {
    let kind = &question.answer;
    match kind.scale() {
        Scale::Nominal | Scale::Ordinal => Some(kind.values()),
        Scale::PerOption => Some(options(question)),
        Scale::None => None,
    }
}

fn options(question: &Question) -> Vec<String> {
    question.answer.options().iter().map(|option| option.id.clone()).collect()
}

/// Of each category whether the item comes to it; `None` where that is open.
fn come_to(
    question: &Question,
    finals: &BTreeMap<(&ItemId, &str, Option<&str>), Option<&str>>,
    item: &ItemId,
) -> Option<BTreeMap<String, bool>> {
    let id = question.id.as_str();
    if question.answer.scale() == Scale::PerOption {
        let mut said: BTreeMap<String, bool> = BTreeMap::new();
        for option in options(question) {
            if let Some(Some(value)) = finals.get(&(item, id, Some(&option))) {
                let is_so = *value == "yes";
                said.insert(option, is_so);
            }
        }
        // What is open is in no share: an option without a majority is neither made nor left out.
        return (!said.is_empty()).then_some(said);
    }
    let value = (*finals.get(&(item, id, None))?)?;
    let each = categories(question)?.into_iter().map(|name| {
        let is_so = name == value;
        (name, is_so)
    });
    Some(each.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::label::agreement::Answers;
    use crate::label::form::builtin_form;
    use crate::label::{Answer, ItemKind, LabelledRun, Ledger, final_answers};

    fn item(id: &str, model: &str) -> Item {
        Item {
            runs: vec![LabelledRun {
                path: String::new(),
                content: String::new(),
                model: model.to_owned(),
            }],
            ..Item::bare(ItemId(id.to_owned()), ItemKind::Run)
        }
    }

    fn shares(
        form: &str,
        items: &[Item],
        rows: &[(usize, &str, serde_json::Value)],
    ) -> Vec<ModelShares> {
        let form = builtin_form(form).unwrap();
        let given: Vec<(usize, &str, Answer)> = rows
            .iter()
            .map(|(at, who, values)| {
                let values = serde_json::from_value(values.clone()).unwrap();
                (*at, *who, Answer::from_plain(form, &values).unwrap())
            })
            .collect();
        let mut answers = Answers::new();
        for (at, who, answer) in &given {
            let of_item: &mut BTreeMap<&str, &Answer> = answers.entry(&items[*at].id).or_default();
            of_item.insert(who, answer);
        }
        let finals = final_answers(form, &answers, &Ledger::default());
        model_shares(form, items, &finals)
    }

    #[test]
    fn what_is_open_is_in_no_share() {
        let items = [item("a", "m"), item("b", "m"), item("c", "n"), item("d", "m")];
        let found = shares(
            "psbench-errors",
            &items,
            &[
                (0, "ada", json!({"success": "yes"})),
                (1, "ada", json!({"success": "no", "cause": "planning"})),
                (1, "bo", json!({"success": "no", "cause": "execution"})),
            ],
        );
        let of = |question: &str, model: &str| {
            found.iter().find(|it| it.question == question && it.model == model).unwrap()
        };
        let success = of("success", "m");
        let half = Share { hits: 1, of: 2 };
        assert_eq!(success.categories, [("yes".to_owned(), half), ("no".to_owned(), half)]);
        assert_eq!((success.open, of("success", "n").open), (1, 1));
        assert!(of("success", "n").categories.iter().all(|(_, share)| share.value().is_none()));
        // Two causes, one vote each.
        assert_eq!((of("cause", "m").open, of("cause", "m").categories[0].1.of), (3, 0));
    }

    #[test]
    fn a_mark_counts_where_more_than_half_made_it() {
        let items = [item("a", "m"), item("b", "m")];
        let mark = |option: &str| json!({"option": option, "severity": 1});
        let with = |marks: Vec<serde_json::Value>| json!({"has_errors": "yes", "errors": marks});
        let found = shares(
            "canvas-errors",
            &items,
            &[
                (0, "ada", with(vec![mark("text_overlap"), mark("text_overlap"), mark("other")])),
                (0, "bo", with(vec![mark("text_overlap")])),
                (0, "cy", json!({"has_errors": "no"})),
                (1, "ada", json!({"has_errors": "no"})),
            ],
        );
        let errors = found.iter().find(|it| it.question == "errors").unwrap();
        let of = |name: &str| errors.categories.iter().find(|it| it.0 == name).unwrap().1;
        assert_eq!(of("text_overlap"), Share { hits: 1, of: 2 });
        assert_eq!((of("other"), errors.open), (Share { hits: 0, of: 2 }, 0));
    }
}
