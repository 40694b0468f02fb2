//! What the answers to a form come to, all together: what `label report` prints and *Annotate* shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::metric::stats::BootstrapPlan;

use super::agreement::{Answers, QuestionAgreement, QuestionAlpha, agreement, alphas_without};
use super::form::{Form, QuestionKind};
use super::item::{Item, ItemId};
use super::ledger::Ledger;
use super::outcome::{FinalAnswer, Provenance, final_answers};
use super::people::{PersonReport, people};
use super::preferences::{ModelPreferences, preferences};
use super::rankings::{RankingFindings, rankings};
use super::shares::{ModelShares, model_shares};

/// What the answers to one form come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// How far people agree, by question or option, in the form's order.
    pub agreement: Vec<QuestionAgreement>,
    /// Who answers how, by name.
    pub people: Vec<PersonReport>,
    /// α of each question, were a person left out: by person.
    pub without: BTreeMap<String, Vec<QuestionAlpha>>,
    /// What the answers about each item come to, by item, then in the form's order.
    pub finals: Vec<FinalAnswer>,
    /// Of each preference, which model is preferred.
    pub preferences: Vec<(String, ModelPreferences)>,
    /// What rankings come to, by question.
    pub rankings: Vec<RankingFindings>,
    /// How often each answer is the one that a model's items come to.
    pub shares: Vec<ModelShares>,
}

impl Findings {
    /// Of all answers to the form that stand.
    pub fn of(
        form: &Form,
        items: &[Item],
        ledger: &Ledger,
        plan: &BootstrapPlan,
        too_fast_secs: Option<f64>,
    ) -> Self {
        let answers = counting_answers(form, items, ledger);
        // Everything below is of one state of the ledger: agreement and what is settled belong together.
        let finals = final_answers(form, &answers, ledger);
        let asked = form.questions.iter();
        let asked = asked.filter(|it| matches!(it.answer, QuestionKind::Preference { .. }));
        Self {
            agreement: agreement(form, &answers, plan),
            people: people(form, items, ledger, too_fast_secs),
            without: alphas_without(form, &answers),
            preferences: asked
                .map(|it| (it.id.clone(), preferences(&it.id, items, &finals, plan)))
                .collect(),
            rankings: rankings(form, items, &answers, plan),
            shares: model_shares(form, items, &finals),
            finals,
        }
    }

    /// How many final answers came about so.
    pub fn count(&self, provenance: Provenance) -> usize {
        self.finals.iter().filter(|found| found.provenance == provenance).count()
    }
}

/// The answers to one form that stand, without practice and what was asked once more.
pub fn counting_answers<'a>(form: &Form, items: &'a [Item], ledger: &'a Ledger) -> Answers<'a> {
    let hash = form.hash();
    let counting = items.iter().filter(|item| item.counts());
    let counting: BTreeSet<&ItemId> = counting.map(|item| &item.id).collect();
    let mut answers = Answers::new();
    let keys = ledger.cell_keys().filter(|key| key.form == hash);
    for key in keys.filter(|key| counting.contains(&key.item)) {
        if let Some(answered) = ledger.answer(key) {
            let of_item: &mut BTreeMap<&str, _> = answers.entry(&key.item).or_default();
            of_item.insert(&key.person, &answered.answer);
        }
    }
    answers
}
