//! What questionnaires say, by condition.

use std::collections::BTreeMap;

use super::occasions::{Occasion, occasions};
use crate::label::form::{Form, QuestionKind};
use crate::label::{Answer, AnswerValue};
use crate::metric::stats::{BootstrapPlan, Interval, StatsError, bootstrap_mean, mean};
use crate::study::folder::PersonRecord;
use crate::study::instruments::{
    CSI_FACTORS, TLX_SCALES, creativity_support, is_of_pairs, task_load, usability,
};
use crate::study::plan::StudyPlan;

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
        let asked = occasions(plan, forms, person);
        for it in &asked {
            // Comparisons are weights of what is asked with them, and no score of their own.
            if is_of_pairs(&it.asked.form) {
                continue;
            }
            gather(&mut all, &person.participant, it, it.weights(&asked), forms);
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

fn entry<'a>(all: &'a mut All, of: &Occasion, name: String) -> &'a mut Gathered {
    all.entry((name, of.condition.clone())).or_default()
}

fn gather(
    all: &mut All,
    participant: &str,
    of: &Occasion,
    weights: Option<&Answer>,
    forms: &[Form],
) {
    let id = of.asked.form.clone();
    // Who passed a form over is missing, and no zero.
    let Some(answer) = &of.asked.answer else {
        entry(all, of, id).unanswered += 1;
        return;
    };
    // By the version that was answered: the words of another may ask the other way round.
    let Some(form) = forms.iter().find(|form| form.hash() == of.asked.version) else {
        let why = format!("the version of {id} that was answered is not at hand");
        fault(entry(all, of, id), why);
        return;
    };
    match scores(form, answer, weights) {
        Ok(scores) => {
            for (name, value) in scores {
                let name = format!("{} {name}", form.id).trim_end().to_owned();
                let values = &mut entry(all, of, name).values;
                values.entry(participant.to_owned()).or_default().push(value);
            }
        }
        Err(why) => fault(entry(all, of, id), why),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;
    use crate::study::assignment::conditions_of;
    use crate::study::event::{Happening, ParticipantKind, Stamp, StudyEvent};
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    fn plan(preset: Preset) -> StudyPlan {
        let candidates = (0..12).map(|at| CandidateTask::of_set(&format!("task-{at}")));
        let candidates: Vec<CandidateTask> = candidates.collect();
        preset.plan(&candidates, Vec::new(), StartChoice::Given, 1).unwrap()
    }

    /// Somebody in a row who was asked these beside tasks: form, condition, answers.
    fn person(row: u32, asked: Vec<(&str, Option<&str>, Answer)>) -> PersonRecord {
        let participant = format!("P0{}", row + 1);
        let (study, name) = ("study".to_owned(), participant.clone());
        let answers = asked.into_iter().map(|(form, condition, answer)| Happening::Answer {
            form: form.to_owned(),
            version: builtin_form(form).unwrap().hash(),
            condition: condition.map(str::to_owned),
            answer: Some(answer),
        });
        let joined = Happening::Joined { study, participant: name, row };
        let events = [joined].into_iter().chain(answers).map(|what| {
            let wall = "2026-01-01T09:00:00Z".to_owned();
            let (by, at) = (ParticipantKind::Person, Stamp { wall, mono_ms: 0, process: 1 });
            StudyEvent { what, by, at }
        });
        let (by, events) = (ParticipantKind::Person, events.collect());
        PersonRecord { participant, by, events, trials: Vec::new() }
    }

    fn forms() -> Vec<Form> {
        let ids = ["nasa-tlx", "sus", "nasa-tlx-pairs"];
        ids.map(|id| builtin_form(id).unwrap().clone()).to_vec()
    }

    fn load(mental: i32, effort: i32) -> Answer {
        let ratings = TLX_SCALES.map(|scale| match scale {
            "mental" => (scale.to_owned(), AnswerValue::Rating(mental)),
            "effort" => (scale.to_owned(), AnswerValue::Rating(effort)),
            _ => (scale.to_owned(), AnswerValue::Rating(0)),
        });
        Answer { values: BTreeMap::from(ratings), ..Answer::default() }
    }

    /// Comparisons in which this scale is chosen wherever it stands, and else the first.
    fn all_for(scale: &str) -> Answer {
        let form = builtin_form("nasa-tlx-pairs").unwrap();
        let values = form.questions.iter().map(|question| {
            let (first, second) = question.id.split_once('-').unwrap();
            let chosen = if second == scale { second } else { first };
            (question.id.clone(), AnswerValue::Choice(chosen.to_owned()))
        });
        Answer { values: values.collect(), ..Answer::default() }
    }

    #[test]
    fn the_load_under_a_condition_has_the_weights_of_that_condition() {
        let plan = plan(Preset::Small);
        let asked = vec![
            ("nasa-tlx", Some("web"), load(20, 0)),
            ("nasa-tlx-pairs", Some("web"), all_for("mental")),
            ("nasa-tlx", Some("assisted"), load(0, 20)),
            ("nasa-tlx-pairs", Some("assisted"), all_for("effort")),
        ];
        let person = person(0, asked);
        let scores = score(&plan, &[&person], &forms(), 100);
        let weighted = |condition: &str| {
            let mut of = scores.iter().filter(|it| it.name == "nasa-tlx weighted");
            of.find(|it| it.condition.as_deref() == Some(condition)).unwrap().individuals[0].1
        };
        // The one scale that is not 0 has five of fifteen weights, under each condition.
        let [web, assisted] = ["web", "assisted"].map(weighted);
        assert!((web - 100.0 / 3.0).abs() < 1e-9, "{web}");
        assert!((assisted - 100.0 / 3.0).abs() < 1e-9, "{assisted}");
    }

    #[test]
    fn between_people_what_is_asked_after_the_study_is_of_the_condition_of_each() {
        let usable = |value| {
            let ratings = (1..=10).map(|item| (format!("s{item}"), AnswerValue::Rating(value)));
            Answer { values: ratings.collect(), ..Answer::default() }
        };
        let people = [0, 1, 2].map(|row| person(row, vec![("sus", None, usable(3))]));
        let people: Vec<&PersonRecord> = people.iter().collect();
        let between = plan(Preset::Psbench);
        let scores = score(&between, &people, &forms(), 100);
        assert_eq!(scores.len(), 3, "a row a condition");
        for row in 0..3 {
            let own = conditions_of(&between, row)[0];
            let of = scores.iter().find(|it| it.condition.as_deref() == Some(own)).unwrap();
            let who = people[row as usize].participant.clone();
            assert_eq!((of.name.as_str(), &of.individuals), ("sus", &vec![(who, 50.0)]));
        }
        // Within people they had all conditions by then.
        let scores = score(&plan(Preset::Small), &people, &forms(), 100);
        assert_eq!((scores.len(), &scores[0].condition), (1, &None));
        assert_eq!(scores[0].individuals.len(), 3);
    }
}
