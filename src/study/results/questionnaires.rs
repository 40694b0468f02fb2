//! What questionnaires say, by condition.

use std::collections::BTreeMap;

use crate::label::form::{Form, QuestionKind};
use crate::label::{Answer, AnswerValue};
use crate::metric::stats::{BootstrapPlan, Interval, StatsError, bootstrap_mean, mean};
use crate::study::folder::PersonRecord;
use crate::study::instruments::{
    CSI_FACTORS, TLX_SCALES, creativity_support, is_of_pairs, task_load, usability,
};
use crate::study::plan::StudyPlan;
use crate::study::trial::AskedForm;

/// A score of a questionnaire under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionnaireScore {
    /// What is scored, such as `nasa-tlx raw`.
    pub name: String,
    /// The id of the condition; `None`: of the study as a whole.
    pub condition: Option<String>,
    /// Each person's: of several answers their mean.
    pub individuals: Vec<(String, f64)>,
    /// The mean over persons.
    pub mean: Result<f64, StatsError>,
    /// Its interval.
    pub interval: Result<Interval, StatsError>,
    /// How often it was asked without an answer.
    pub unanswered: usize,
    /// Why answers have no score, each reason once.
    pub faults: Vec<String>,
}

#[derive(Default)]
struct Gathered {
    values: BTreeMap<String, Vec<f64>>,
    unanswered: usize,
    faults: Vec<String>,
}

/// Every score that there is of these people.
pub(super) fn score(
    plan: &StudyPlan,
    people: &[&PersonRecord],
    forms: &[Form],
    resamples: usize,
) -> Vec<QuestionnaireScore> {
    let mut all = All::new();
    for person in people {
        let of_person = AskedForm::of(&person.events);
        let of_trials = person.trials.iter().flat_map(|(_, trial)| {
            trial.asked.iter().map(|asked| AskedForm {
                // A form after a task is about its condition.
                condition: Some(trial.facts.condition.clone()),
                ..asked.clone()
            })
        });
        let asked: Vec<AskedForm> = of_person.iter().cloned().chain(of_trials).collect();
        for it in &asked {
            // Comparisons are weights of what is asked with them, and no score of their own.
            if is_of_pairs(&it.form) {
                continue;
            }
            gather(&mut all, &person.participant, it, &of_person, forms);
        }
    }
    let bootstrap = BootstrapPlan { resamples, seed: plan.seed, ..BootstrapPlan::default() };
    let scores = all.into_iter().map(|((name, condition), gathered)| {
        let individuals = gathered.values.into_iter().map(|(person, values)| {
            let of_person = values.iter().sum::<f64>() / values.len() as f64;
            (person, of_person)
        });
        let individuals: Vec<(String, f64)> = individuals.collect();
        let values: Vec<f64> = individuals.iter().map(|(_, value)| *value).collect();
        QuestionnaireScore {
            name,
            condition,
            mean: mean(&values),
            interval: bootstrap_mean(&values, &bootstrap),
            individuals,
            unanswered: gathered.unanswered,
            faults: gathered.faults,
        }
    });
    scores.collect()
}

/// Scores, by name and condition.
type All = BTreeMap<(String, Option<String>), Gathered>;

fn entry<'a>(all: &'a mut All, asked: &AskedForm, name: String) -> &'a mut Gathered {
    all.entry((name, asked.condition.clone())).or_default()
}

fn gather(
    all: &mut All,
    participant: &str,
    asked: &AskedForm,
    of_person: &[AskedForm],
    forms: &[Form],
) {
    let id = asked.form.clone();
    // Who passed a form over is missing, and no zero.
    let Some(answer) = &asked.answer else {
        entry(all, asked, id).unanswered += 1;
        return;
    };
    // By the version that was answered: the words of another may ask the other way round.
    let Some(form) = forms.iter().find(|form| form.hash() == asked.version) else {
        let why = format!("the version of {id} that was answered is not at hand");
        fault(entry(all, asked, id), why);
        return;
    };
    // The weights of a scale are a form of their own, which is asked beside it.
    let of_pairs = format!("{id}-pairs");
    let pairs = of_person.iter().find(|it| it.form == of_pairs);
    match scores(form, answer, pairs.and_then(|it| it.answer.as_ref())) {
        Ok(scores) => {
            for (name, value) in scores {
                let name = format!("{} {name}", form.id).trim_end().to_owned();
                let values = &mut entry(all, asked, name).values;
                values.entry(participant.to_owned()).or_default().push(value);
            }
        }
        Err(why) => fault(entry(all, asked, id), why),
    }
}

fn fault(gathered: &mut Gathered, why: String) {
    if !gathered.faults.contains(&why) {
        gathered.faults.push(why);
    }
}

/// The scores of an answer, by name.
fn scores(
    form: &Form,
    answer: &Answer,
    pairs: Option<&Answer>,
) -> Result<Vec<(String, f64)>, String> {
    match form.id.as_str() {
        "nasa-tlx" => {
            let load = task_load(answer, pairs).map_err(|why| why.to_string())?;
            let scales = TLX_SCALES.iter().zip(load.scales);
            let scales = scales.map(|(name, value)| ((*name).to_owned(), value));
            let whole = [("raw".to_owned(), load.raw)];
            let weighted = load.weighted.map(|value| ("weighted".to_owned(), value));
            Ok(whole.into_iter().chain(weighted).chain(scales).collect())
        }
        "sus" => {
            let value = usability(answer).map_err(|why| why.to_string())?;
            Ok(vec![(String::new(), value)])
        }
        "csi" => {
            let pairs = pairs.ok_or("csi-pairs is not answered")?;
            let found = creativity_support(form, answer, pairs).map_err(|why| why.to_string())?;
            let factors = CSI_FACTORS.iter().zip(found.factors);
            let factors = factors.map(|(name, value)| ((*name).to_owned(), value));
            let from = if found.least > 0.0 { "index (from 10)" } else { "index" };
            Ok([(from.to_owned(), found.index)].into_iter().chain(factors).collect())
        }
        // Of other forms each scale stands for itself; what is no number is in `answers`.
        _ => {
            let ratings = form.questions.iter().filter_map(|question| {
                let is_rating = matches!(question.answer, QuestionKind::Rating { .. });
                match answer.values.get(&question.id) {
                    Some(AnswerValue::Rating(value)) if is_rating => {
                        Some((question.id.clone(), f64::from(*value)))
                    }
                    _ => None,
                }
            });
            Ok(ratings.collect())
        }
    }
}
