//! What people say of attempts: of the items that are one run each, what is asked with yes or no.

use std::collections::BTreeMap;

use super::findings::counting_answers;
use super::form::{Form, QuestionKind};
use super::item::{Item, ItemId, LabelledRun};
use super::ledger::Ledger;
use super::outcome::final_answers;

/// An item that is one run, with what the answers about it came to.
#[derive(Clone, Debug)]
pub struct JudgedRun<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its run.
    pub run: &'a LabelledRun,
    /// Whether it is yes, by the id of the question. A question that nobody answered, or on which people did not come
    /// to an answer, is not among them.
    pub answers: BTreeMap<String, bool>,
}

/// The runs about which any of the forms asks one of these questions with yes or no, in the order of their items' ids.
/// Practice and what was asked once more does not count.
pub fn judged_runs<'a>(
    forms: &[Form],
    items: &'a [Item],
    ledger: &Ledger,
    questions: &[&str],
) -> Vec<JudgedRun<'a>> {
    let mut judged: BTreeMap<&ItemId, JudgedRun<'a>> = BTreeMap::new();
    let asking = forms.iter().filter(|form| {
        let mut asked = form.questions.iter();
        asked.any(|it| {
            matches!(it.answer, QuestionKind::YesNo) && questions.contains(&it.id.as_str())
        })
    });
    for form in asking {
        for item in items.iter().filter(|item| item.counts()) {
            // A pair is no attempt of one model.
            if let [run] = item.runs.as_slice() {
                let new = JudgedRun { item, run, answers: BTreeMap::new() };
                judged.entry(&item.id).or_insert(new);
            }
        }
        for found in final_answers(form, &counting_answers(form, items, ledger), ledger) {
            // Where people did not come to an answer there is no verdict on the attempt.
            let is_yes = match found.value.as_deref() {
                Some("yes") => true,
                Some("no") => false,
                _ => continue,
            };
            let is_asked = questions.contains(&found.question.as_str());
            if let Some(run) = judged.get_mut(&found.item).filter(|_| is_asked) {
                run.answers.insert(found.question, is_yes);
            }
        }
    }
    judged.into_values().collect()
}
