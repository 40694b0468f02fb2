//! How far a judge says what people say, and whether it prefers a side.
//!
//! Of a pair that was asked in both orders, what counts is what the judge says in both; where the two differ it
//! has no verdict, which is counted and is no tie. What people say is the final answer: that of more than half of
//! them, or of who settled it.

use std::collections::BTreeMap;

use super::verdicts::{Calls, JudgeKind, Verdicts, confidence_of, value_of};
use crate::label::form::{Form, Question, QuestionKind, Scale};
use crate::label::people::Share;
use crate::label::{FinalAnswer, ItemId};
use crate::metric::skill::Confusion;
use crate::metric::stats::{
    BootstrapPlan, Calibration, DefinedInterval, StatsError, Weighting, calibration, cohen_kappa,
    resample,
};

/// Bins of a reliability table.
const BINS: usize = 10;

/// What one judge comes to on one form.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeReport {
    /// What it is called.
    pub judge: String,
    /// What it is.
    pub kind: JudgeKind,
    /// More about it.
    pub about: String,
    /// Items it was asked about.
    pub items: usize,
    /// How often it was asked: a pair in both orders twice.
    pub asked: usize,
    /// How often it answered.
    pub answered: usize,
    /// How often it did not, by the reason.
    pub failed: BTreeMap<String, usize>,
    /// Tokens read and written.
    pub tokens: [u64; 2],
    /// What it cost in US dollars; `None`: no price is known, or nothing is asked of anybody.
    pub cost_usd: Option<f64>,
    /// Every question or option with single values, in the form's order.
    pub questions: Vec<JudgedQuestion>,
}

impl JudgeReport {
    /// The questions it says anything of, which of a metric is one alone.
    pub fn told(&self) -> impl Iterator<Item = &JudgedQuestion> {
        self.questions.iter().filter(|found| found.verdicts + found.differ_by_order > 0)
    }
}

/// What judges say anything of, question by question, each with whose it is.
pub fn judged_questions(
    judges: &[JudgeReport],
) -> impl Iterator<Item = (&JudgeReport, &JudgedQuestion)> {
    judges.iter().flat_map(|judge| judge.told().map(move |found| (judge, found)))
}

/// What one judge says of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedQuestion {
    /// Which question.
    pub question: String,
    /// Which of its options, where each is a yes or no of its own.
    pub option: Option<String>,
    /// Items of which it says something.
    pub verdicts: usize,
    /// Items of which it says one thing in one order and another in the other: no verdict.
    pub differ_by_order: usize,
    /// Of preferences: whether it prefers a side.
    pub position: Option<Result<PositionBias, Undecided>>,
    /// Against what people say, or why that is not known.
    pub against: Result<AgainstPeople, Undecided>,
}

impl JudgedQuestion {
    /// The question, with its option where each is one of its own.
    pub fn name(&self) -> String {
        match &self.option {
            Some(option) => format!("{}: {option}", self.question),
            None => self.question.clone(),
        }
    }
}

/// What a judge prefers when the same pair is shown in both orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionBias {
    /// Pairs with an answer in both.
    pub pairs: usize,
    /// The same of the two in both, or a tie in both.
    pub consistent: Share,
    /// The left one in both.
    pub left: Share,
    /// The right one in both.
    pub right: Share,
    /// A tie in one of the two.
    pub one_tie: Share,
}

/// A judge's verdicts against final answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstPeople {
    /// Items with both.
    pub items: usize,
    /// What may be said, in the form's order.
    pub labels: Vec<String>,
    /// How often the judge says the row's and people the column's.
    pub confusion: Vec<Vec<usize>>,
    /// Equal ones.
    pub equal: Share,
    /// Cohen's κ, weighted by squares on an ordinal scale, or why it is undefined.
    pub kappa: Result<f64, StatsError>,
    /// Its interval over resampled items, or why there is none.
    pub interval: Result<DefinedInterval, StatsError>,
    /// Of each label, as a yes against all others; of an option its `yes` alone.
    pub by_label: Vec<(String, Confusion)>,
    /// Whether it is right as often as it says, or why that is not known.
    pub calibration: Result<Calibration, Undecided>,
}

/// Why something is not known of a judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// No pair has an answer in both orders.
    #[error("no pair has an answer in both orders")]
    OneOrder,
    /// No item has both.
    #[error("no item has a verdict of the judge and a final answer of people")]
    NoOverlap,
    /// Of options nobody says how sure they are.
    #[error("confidence is asked of questions with one value only")]
    NoConfidenceAsked,
    /// It is a rule or a metric.
    #[error("rules and metrics say no confidence")]
    Automatic,
    /// It never said how sure it was.
    #[error("it never said how sure it was of an item with a final answer")]
    NoneGiven,
    /// There is no such figure.
    #[error(transparent)]
    Stats(StatsError),
}

/// What each judge comes to on a form.
pub fn judge_reports(
    form: &Form,
    finals: &[FinalAnswer],
    judges: &[Verdicts],
    plan: &BootstrapPlan,
) -> Vec<JudgeReport> {
    let mut people: BTreeMap<(&str, Option<&str>), BTreeMap<&ItemId, &str>> = BTreeMap::new();
    for found in finals {
        if let Some(value) = found.value.as_deref() {
            let of_question = people.entry((&found.question, found.option.as_deref()));
            of_question.or_default().insert(&found.item, value);
        }
    }
    judges.iter().map(|verdicts| report(form, &people, verdicts, plan)).collect()
}

/// Final answers, by question and option.
type People<'a> = BTreeMap<(&'a str, Option<&'a str>), BTreeMap<&'a ItemId, &'a str>>;

fn report(
    form: &Form,
    people: &People<'_>,
    verdicts: &Verdicts,
    plan: &BootstrapPlan,
) -> JudgeReport {
    let (mut asked, mut answered) = (0, 0);
    let mut failed: BTreeMap<String, usize> = BTreeMap::new();
    // Two places an item, one for each order it was shown in; those never asked are empty and not failures.
    for call in verdicts.items.values().flatten().flatten() {
        asked += 1;
        match call {
            Ok(_) => answered += 1,
            Err(reason) => *failed.entry(reason.clone()).or_default() += 1,
        }
    }
    let none = BTreeMap::new();
    let mut questions = Vec::new();
    for question in &form.questions {
        // Options of a question with several answers are questions of yes and no.
        let options: Vec<Option<&str>> = match question.answer.scale() {
            Scale::None => continue,
            Scale::Nominal | Scale::Ordinal => vec![None],
            Scale::PerOption => {
                question.answer.options().iter().map(|option| Some(option.id.as_str())).collect()
            }
        };
        for option in options {
            // What people left open is no reason to leave the question out: the judge's own figures still hold.
            let of_people = people.get(&(question.id.as_str(), option)).unwrap_or(&none);
            questions.push(of_question(question, option, of_people, verdicts, plan));
        }
    }
    JudgeReport {
        judge: verdicts.judge.clone(),
        kind: verdicts.kind,
        about: verdicts.about.clone(),
        items: verdicts.items.len(),
        asked,
        answered,
        failed,
        tokens: verdicts.tokens,
        cost_usd: verdicts.cost_usd,
        questions,
    }
}

/// What a judge says of an item.
enum JudgeOpinion {
    Nothing,
    DiffersByOrder,
    Value(String),
}

fn said(calls: &Calls, question: &Question, option: Option<&str>) -> JudgeOpinion {
    let [given, swapped] = calls.each_ref().map(|it| value_of(it.as_ref(), question, option));
    match (given, swapped, calls) {
        (Some(one), Some(other), _) if one == other => JudgeOpinion::Value(one),
        (Some(_), Some(_), _) => JudgeOpinion::DiffersByOrder,
        // Half of what was asked is no verdict: a side may have decided.
        (Some(one), None, [_, None]) | (None, Some(one), [None, _]) => JudgeOpinion::Value(one),
        _ => JudgeOpinion::Nothing,
    }
}

fn of_question(
    question: &Question,
    option: Option<&str>,
    people: &BTreeMap<&ItemId, &str>,
    verdicts: &Verdicts,
    plan: &BootstrapPlan,
) -> JudgedQuestion {
    // The order of the labels is that of the matrix, and on an ordinal scale it decides the weights.
    let labels = match option {
        Some(_) => ["yes", "no"].map(str::to_owned).to_vec(),
        None => question.answer.values(),
    };
    let place = |value: &str| labels.iter().position(|label| label == value);
    let (mut count, mut differ_by_order) = (0, 0);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut sure: Vec<(f64, bool)> = Vec::new();
    for (item, calls) in &verdicts.items {
        let value = match said(calls, question, option) {
            JudgeOpinion::Nothing => continue,
            JudgeOpinion::DiffersByOrder => {
                // A verdict that turns with the order says something of the position and nothing of the item.
                differ_by_order += 1;
                continue;
            }
            JudgeOpinion::Value(value) => value,
        };
        count += 1;
        let of_people = people.get(item).and_then(|value| place(value));
        // People have not answered, or what was answered is no label of this form any more.
        let (Some(judge), Some(of_people)) = (place(&value), of_people) else { continue };
        pairs.push((judge, of_people));
        // Each order has a confidence of its own: their mean, as one verdict is made of both.
        let given: Vec<f64> =
            calls.iter().filter_map(|call| confidence_of(call.as_ref(), question)).collect();
        if !given.is_empty() {
            let mean = given.iter().sum::<f64>() / given.len() as f64;
            sure.push((mean, judge == of_people));
        }
    }
    let is_preference = matches!(question.answer, QuestionKind::Preference { .. });
    let is_model = verdicts.kind == JudgeKind::Model;
    // Confidence means something only where a model gave it, and only of the question as a whole.
    let calibrated = match (is_model, option) {
        (false, _) => Err(Undecided::Automatic),
        (true, Some(_)) => Err(Undecided::NoConfidenceAsked),
        (true, None) if sure.is_empty() => Err(Undecided::NoneGiven),
        (true, None) => {
            let (confidences, right): (Vec<f64>, Vec<bool>) = sure.into_iter().unzip();
            calibration(&confidences, &right, BINS).map_err(Undecided::Stats)
        }
    };
    JudgedQuestion {
        question: question.id.clone(),
        option: option.map(str::to_owned),
        verdicts: count,
        differ_by_order,
        position: (is_preference && is_model).then(|| position(question, verdicts)),
        against: against(question, labels, &pairs, calibrated, plan),
    }
}

fn position(question: &Question, verdicts: &Verdicts) -> Result<PositionBias, Undecided> {
    let mut bias = PositionBias::default();
    for calls in verdicts.items.values() {
        let both = calls.each_ref().map(|call| value_of(call.as_ref(), question, None));
        let [Some(given), Some(swapped)] = both else { continue };
        bias.pairs += 1;
        // The item's first stood left in the one order and right in the other.
        let (given, swapped) = (given.as_str(), swapped.as_str());
        bias.consistent.count(given == swapped);
        bias.left.count((given, swapped) == ("first", "second"));
        bias.right.count((given, swapped) == ("second", "first"));
        bias.one_tie.count((given == "tie") != (swapped == "tie"));
    }
    if bias.pairs == 0 { Err(Undecided::OneOrder) } else { Ok(bias) }
}

fn against(
    question: &Question,
    labels: Vec<String>,
    pairs: &[(usize, usize)],
    calibration: Result<Calibration, Undecided>,
    plan: &BootstrapPlan,
) -> Result<AgainstPeople, Undecided> {
    if pairs.is_empty() {
        return Err(Undecided::NoOverlap);
    }
    // Rows are the judge's, columns people's.
    let mut confusion = vec![vec![0; labels.len()]; labels.len()];
    for (judge, people) in pairs {
        confusion[*judge][*people] += 1;
    }
    // Cohen 1968: on a scale, to be two steps off weighs four times as much as one.
    let weighting = match question.answer.scale() {
        Scale::Ordinal => Weighting::Quadratic,
        Scale::Nominal | Scale::PerOption | Scale::None => Weighting::Plain,
    };
    let codes: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
    let kappa = cohen_kappa(&codes, weighting).map(|found| found.value);
    // By items, as everywhere: each has one pair of codes here.
    let interval = kappa.clone().and_then(|_| {
        let drawn = resample(codes.len(), plan, |places| {
            let drawn: Vec<(u32, u32)> = places.iter().map(|place| codes[*place]).collect();
            // A resample in which all is one label has no κ; `DefinedInterval` says how many there were.
            cohen_kappa(&drawn, weighting).ok().map(|found| found.value)
        })?;
        DefinedInterval::of(drawn, plan.confidence)
    });
    // Of an option no is what is left.
    let is_option = question.answer.scale() == Scale::PerOption;
    let by_label = labels.iter().enumerate().take(if is_option { 1 } else { labels.len() });
    let by_label = by_label.map(|(at, label)| {
        (
            label.clone(),
            Confusion::of(pairs.iter().map(|(judge, people)| (*judge == at, *people == at))),
        )
    });
    Ok(AgainstPeople {
        items: pairs.len(),
        by_label: by_label.collect(),
        confusion,
        equal: Share {
            hits: pairs.iter().filter(|(judge, people)| judge == people).count() as u64,
            of: pairs.len() as u64,
        },
        kappa,
        interval,
        calibration,
        labels,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Answer, AnswerValue, Preferred, Provenance};

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 200, confidence: 0.95, seed: 1 };
    const PREFERRED: [Preferred; 3] = [Preferred::First, Preferred::Tie, Preferred::Second];

    #[expect(clippy::unnecessary_wraps, reason = "as verdicts are")]
    fn call(preferred: usize, sure: Option<f64>) -> crate::label::judging::JudgeVerdict {
        let value = AnswerValue::Preference(PREFERRED[preferred]);
        let values = BTreeMap::from([("preference".to_owned(), value)]);
        let sure = sure.map(|sure| ("preference".to_owned(), sure));
        Ok((Answer { values, ..Answer::default() }, sure.into_iter().collect()))
    }

    fn item(at: usize) -> ItemId {
        ItemId(format!("item-{at:03}"))
    }

    fn final_answer(at: usize, preferred: usize) -> FinalAnswer {
        FinalAnswer {
            item: item(at),
            question: "preference".to_owned(),
            option: None,
            value: Some(PREFERRED[preferred].name().to_owned()),
            provenance: Provenance::Majority,
            votes: BTreeMap::new(),
            settled: None,
        }
    }

    fn reported(calls: Vec<Calls>, finals: &[FinalAnswer]) -> JudgeReport {
        let mut verdicts = Verdicts::new("judge", JudgeKind::Model, "m");
        verdicts.items = calls.into_iter().enumerate().map(|(at, it)| (item(at), it)).collect();
        let form = builtin_form("pairwise-preference").unwrap();
        judge_reports(form, finals, &[verdicts], &PLAN).remove(0)
    }

    #[test]
    fn orders_failures_and_what_people_say_are_told_apart() {
        let failed = || Some(Err("it refused".to_owned()));
        let calls: Vec<Calls> = vec![
            [Some(call(0, Some(0.9))), Some(call(0, Some(0.7)))],
            [Some(call(0, None)), Some(call(2, None))],
            [Some(call(2, None)), Some(call(0, None))],
            [Some(call(1, None)), Some(call(0, None))],
            [Some(call(0, None)), failed()],
            [Some(call(2, Some(0.6))), None],
            [failed(), failed()],
        ];
        let finals: Vec<FinalAnswer> = (0..7).map(|at| final_answer(at, 0)).collect();
        let found = reported(calls, &finals);
        assert_eq!((found.items, found.asked, found.answered), (7, 13, 10));
        assert_eq!(found.failed["it refused"], 3);
        let question = &found.questions[0];
        // Half of what was asked is no verdict; one that was asked once is.
        assert_eq!((question.verdicts, question.differ_by_order), (2, 3));
        let share = |hits| Share { hits, of: 4 };
        let bias = question.position.clone().unwrap().unwrap();
        let expected = PositionBias {
            pairs: 4,
            consistent: share(1),
            left: share(1),
            right: share(1),
            one_tie: share(1),
        };
        assert_eq!(bias, expected);
        let against = question.against.clone().unwrap();
        assert_eq!(against.confusion, [[1, 0, 0], [0, 0, 0], [1, 0, 0]]);
        let calibration = against.calibration.unwrap();
        // 0.8 and right, 0.6 and wrong.
        assert!((calibration.error - (0.5 * 0.2 + 0.5 * 0.6)).abs() < 1e-12, "{calibration:?}");
        assert_eq!(found.questions[1].against, Err(Undecided::NoOverlap));
    }

    #[test]
    fn why_there_is_no_calibration_is_said() {
        let finals = [final_answer(0, 0)];
        let calls: Calls = [Some(call(0, None)), None];
        let found = reported(vec![calls.clone()], &finals);
        let against = found.questions[0].against.clone().unwrap();
        assert_eq!(against.calibration, Err(Undecided::NoneGiven));
        assert_eq!(against.kappa, Err(StatsError::Unanimous));
        let mut rules = Verdicts::new("rules", JudgeKind::Rules, "");
        rules.items.insert(item(0), calls);
        let form = builtin_form("pairwise-preference").unwrap();
        let found = judge_reports(form, &finals, &[rules], &PLAN).remove(0);
        assert!(found.questions[0].position.is_none(), "rules see no sides");
        let against = found.questions[0].against.clone().unwrap();
        assert_eq!(against.calibration, Err(Undecided::Automatic));
    }

    proptest! {
        /// Counts are those of looking at every item by itself.
        #[test]
        fn figures_are_those_of_counting_one_by_one(
            drawn in prop::collection::vec((0_usize..3, 0_usize..3, 0_usize..3, any::<bool>()), 1..40),
        ) {
            let calls = drawn.iter().map(|(given, swapped, _, both)| {
                [Some(call(*given, None)), both.then(|| call(*swapped, None))]
            });
            let finals: Vec<FinalAnswer> =
                drawn.iter().enumerate().map(|(at, it)| final_answer(at, it.2)).collect();
            let found = reported(calls.collect(), &finals);
            let question = &found.questions[0];
            let said: Vec<(usize, usize)> = drawn
                .iter()
                .filter(|(given, swapped, _, both)| !both || given == swapped)
                .map(|(given, _, people, _)| (*given, *people))
                .collect();
            prop_assert_eq!(question.verdicts, said.len());
            prop_assert_eq!(question.differ_by_order, drawn.len() - said.len());
            let Ok(against) = &question.against else {
                prop_assert!(said.is_empty());
                return Ok(());
            };
            for (judge, preferred) in PREFERRED.iter().enumerate() {
                for people in 0..3 {
                    let count = said.iter().filter(|it| **it == (judge, people)).count();
                    prop_assert_eq!(against.confusion[judge][people], count);
                }
                let (label, counts) = &against.by_label[judge];
                prop_assert_eq!(label.as_str(), preferred.name());
                let right = said.iter().filter(|it| **it == (judge, judge)).count();
                let all = said.iter().filter(|it| it.0 == judge).count();
                let expected = (all > 0).then(|| right as f64 / all as f64);
                prop_assert_eq!(counts.precision().value(), expected);
            }
            let codes: Vec<(u32, u32)> =
                said.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
            let kappa = cohen_kappa(&codes, Weighting::Plain).map(|it| it.value);
            prop_assert_eq!(&against.kappa, &kappa);
            if let Ok(interval) = &against.interval {
                prop_assert!(interval.interval.low <= interval.interval.high);
            }
        }
    }
}
