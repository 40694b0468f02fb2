//! How far people agree, question by question.
//!
//! Every question is compared by the scale of its answers ([`Scale`]): α nominal for choices, yes or no and
//! preferences, α ordinal for ratings and ordered choices; of a question with several answers each option is
//! a yes or no of its own. Words, rankings and marks have no such figure.
//!
//! Source: Krippendorff, "Computing Krippendorff's alpha-reliability", 2011; intervals by bootstrap over
//! items (Efron 1979).

use std::collections::BTreeMap;

use crate::metric::stats::{
    BootstrapPlan, Interval, Level, Ratings, StatsError, Weighting, bootstrap, cohen_kappa,
    krippendorff_alpha,
};

use super::answer::{Answer, AnswerValue};
use super::form::{Form, QuestionKind, Scale};
use super::item::ItemId;

/// Answers of one form: of each item, by person.
pub type Answers<'a> = BTreeMap<&'a ItemId, BTreeMap<&'a str, &'a Answer>>;

/// How far people agree on one question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionAgreement {
    /// Which question.
    pub question: String,
    /// Which of its options, where each is a yes or no of its own.
    pub option: Option<String>,
    /// Which level of measurement α is of.
    pub level: Level,
    /// Items that two or more people answered.
    pub items: usize,
    /// Answers, on all items.
    pub answers: usize,
    /// The share of equal answers among all pairs of answers to one item, 0 to 1.
    pub raw: Result<f64, StatsError>,
    /// Krippendorff's α, at most 1, or why it is undefined.
    pub alpha: Result<f64, StatsError>,
    /// The middle of α over resampled items, or why there is none.
    pub interval: Result<Interval, StatsError>,
    /// Every two people who answered an item both, and Cohen's κ of theirs.
    pub pairs: Vec<PairAgreement>,
}

/// How far two people agree on one question.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAgreement {
    /// The two.
    pub people: [String; 2],
    /// Items both answered.
    pub items: usize,
    /// Cohen's κ, weighted by squares on an ordinal scale, or why it is undefined.
    pub kappa: Result<f64, StatsError>,
}

/// How far people agree on every question of a form that has such a figure.
pub fn agreement(
    form: &Form,
    answers: &Answers<'_>,
    plan: &BootstrapPlan,
) -> Vec<QuestionAgreement> {
    let people = people_of(answers);
    let mut found = Vec::new();
    for question in &form.questions {
        let asked = |option: Option<&str>, level: Level| {
            let table = Table { answers, people: &people, question: &question.id, option };
            table.agreement(&question.answer, level, plan)
        };
        match question.answer.scale() {
            Scale::None => {}
            Scale::Nominal => found.push(asked(None, Level::Nominal)),
            Scale::Ordinal => found.push(asked(None, Level::Ordinal)),
            Scale::PerOption => {
                let options = question.answer.options().iter();
                found.extend(options.map(|option| asked(Some(&option.id), Level::Nominal)));
            }
        }
    }
    found
}

fn people_of<'a>(answers: &Answers<'a>) -> Vec<&'a str> {
    let mut people: Vec<&str> = answers.values().flat_map(BTreeMap::keys).copied().collect();
    people.sort_unstable();
    people.dedup();
    people
}

/// The answers to one question, or of one option of it.
struct Table<'a> {
    answers: &'a Answers<'a>,
    people: &'a [&'a str],
    question: &'a str,
    option: Option<&'a str>,
}

impl Table<'_> {
    fn agreement(
        &self,
        kind: &QuestionKind,
        level: Level,
        plan: &BootstrapPlan,
    ) -> QuestionAgreement {
        let rows: Vec<Vec<Option<f64>>> = self
            .answers
            .values()
            .map(|of_item| {
                let cell = |person: &&str| self.code(kind, of_item.get(*person)?);
                self.people.iter().map(cell).collect()
            })
            .collect();
        // An item that nobody or one person answered says nothing about agreement.
        let answered = |row: &[Option<f64>]| row.iter().flatten().count();
        let answers = rows.iter().map(|row| answered(row)).sum();
        let shared: Vec<Vec<Option<f64>>> =
            rows.into_iter().filter(|row| answered(row) > 1).collect();
        let alpha_of = |rows: &[Vec<Option<f64>>]| {
            krippendorff_alpha(&Ratings::from_numbers(rows), level)
                .map(|alpha| alpha.agreement.value)
        };
        let alpha = if answers == 0 { Err(StatsError::NoOverlap) } else { alpha_of(&shared) };
        let interval = alpha.clone().and_then(|_| {
            bootstrap(shared.len(), plan, |places| {
                let rows: Vec<Vec<Option<f64>>> =
                    places.iter().map(|place| shared[*place].clone()).collect();
                alpha_of(&rows).ok()
            })
        });
        QuestionAgreement {
            question: self.question.to_owned(),
            option: self.option.map(str::to_owned),
            level,
            items: shared.len(),
            answers,
            raw: raw_agreement(&shared),
            alpha,
            interval,
            pairs: self.pairs(&shared, level),
        }
    }

    /// An answer as a number: its place on the scale, or of a name among the options.
    fn code(&self, kind: &QuestionKind, answer: &Answer) -> Option<f64> {
        let place = |id: &String| kind.options().iter().position(|option| option.id == *id);
        let code = match (answer.values.get(self.question)?, self.option) {
            (AnswerValue::Choices(chosen), Some(option)) => i32::from(chosen.contains(option)),
            (AnswerValue::YesNo(yes), None) => i32::from(*yes),
            (AnswerValue::Preference(preferred), None) => *preferred as i32,
            (AnswerValue::Rating(number), None) => *number,
            (AnswerValue::Choice(id), None) => i32::try_from(place(id)?).ok()?,
            _ => return None,
        };
        Some(f64::from(code))
    }

    fn pairs(&self, rows: &[Vec<Option<f64>>], level: Level) -> Vec<PairAgreement> {
        let ratings = Ratings::from_numbers(rows);
        let weighting = match level {
            Level::Nominal => Weighting::Plain,
            Level::Ordinal | Level::Interval | Level::Ratio => Weighting::Quadratic,
        };
        let mut pairs = Vec::new();
        for left in 0..self.people.len() {
            for right in left + 1..self.people.len() {
                let codes = ratings.pairs(left, right);
                if codes.is_empty() {
                    continue;
                }
                let kappa = cohen_kappa(&codes, weighting).map(|kappa| kappa.value);
                let people = [self.people[left], self.people[right]].map(str::to_owned);
                pairs.push(PairAgreement { people, items: codes.len(), kappa });
            }
        }
        pairs
    }
}

/// The share of equal answers among all pairs of answers to one item.
fn raw_agreement(rows: &[Vec<Option<f64>>]) -> Result<f64, StatsError> {
    let (mut equal, mut all) = (0u64, 0u64);
    for row in rows {
        let cells: Vec<f64> = row.iter().flatten().copied().collect();
        for (at, one) in cells.iter().enumerate() {
            all += (cells.len() - at - 1) as u64;
            equal += cells[at + 1..].iter().filter(|other| *other == one).count() as u64;
        }
    }
    if all == 0 { Err(StatsError::NoOverlap) } else { Ok(equal as f64 / all as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;

    /// Answers of `ada`, `bo` and `cy`, `None` where there is none.
    fn table(
        question: &str,
        rows: &[[Option<AnswerValue>; 3]],
    ) -> (Vec<ItemId>, Vec<Vec<Option<Answer>>>) {
        let items = (0..rows.len()).map(|at| ItemId(format!("item-{at:03}"))).collect();
        let answer = |value: &AnswerValue| Answer {
            values: BTreeMap::from([(question.to_owned(), value.clone())]),
            ..Answer::default()
        };
        let rows = rows.iter().map(|row| row.iter().map(|it| it.as_ref().map(answer)).collect());
        (items, rows.collect())
    }

    fn answers<'a>(items: &'a [ItemId], rows: &'a [Vec<Option<Answer>>]) -> Answers<'a> {
        let people = ["ada", "bo", "cy"];
        items
            .iter()
            .zip(rows)
            .map(|(item, row)| {
                let row = people.into_iter().zip(row);
                (
                    item,
                    row.filter_map(|(person, answer)| Some((person, answer.as_ref()?))).collect(),
                )
            })
            .collect()
    }

    fn of(form: &str, question: &str, rows: &[[Option<AnswerValue>; 3]]) -> QuestionAgreement {
        let (items, rows) = table(question, rows);
        let plan = BootstrapPlan { resamples: 200, ..BootstrapPlan::default() };
        let found = agreement(builtin_form(form).unwrap(), &answers(&items, &rows), &plan);
        found.into_iter().find(|it| it.question == question).unwrap()
    }

    #[expect(clippy::unnecessary_wraps, reason = "a cell of the table")]
    fn rating(number: i32) -> Option<AnswerValue> {
        Some(AnswerValue::Rating(number))
    }

    #[test]
    fn agreement_is_that_of_the_table_of_the_answers() {
        let rows = [
            [rating(1), rating(1), rating(2)],
            [rating(3), rating(3), None],
            [rating(5), rating(4), rating(5)],
            [rating(2), None, None],
            [rating(4), rating(4), rating(4)],
        ];
        let found = of("likert", "rating", &rows);
        assert_eq!((found.items, found.answers, found.level), (4, 12, Level::Ordinal));
        let numbers = [
            vec![Some(1.0), Some(1.0), Some(2.0)],
            vec![Some(3.0), Some(3.0), None],
            vec![Some(5.0), Some(4.0), Some(5.0)],
            vec![Some(4.0), Some(4.0), Some(4.0)],
        ];
        let alpha = krippendorff_alpha(&Ratings::from_numbers(&numbers), Level::Ordinal).unwrap();
        assert_eq!(found.alpha, Ok(alpha.agreement.value));
        // 6 of 10 pairs: 1 of 3, 1 of 1, 1 of 3, 3 of 3.
        assert_eq!(found.raw, Ok(0.6));
        // Of four items a resample may be one four times, of which no α is defined.
        assert_eq!(found.interval, Err(StatsError::UndefinedResample));
        assert_eq!(found.pairs.len(), 3);
        assert_eq!((found.pairs[0].items, &found.pairs[0].people[1]), (4, &"bo".to_owned()));
    }

    #[test]
    fn the_interval_lies_around_the_coefficient_and_narrows_with_items() {
        let row =
            |at: i32| [rating(1 + at % 5), rating(1 + (at + at % 3 / 2) % 5), rating(1 + at % 5)];
        let width = |items: i32| {
            let found = of("likert", "rating", &(0..items).map(row).collect::<Vec<_>>());
            let (alpha, interval) = (found.alpha.unwrap(), found.interval.unwrap());
            assert!(interval.low <= alpha && alpha <= interval.high, "{alpha} {interval:?}");
            interval.high - interval.low
        };
        let (few, many) = (width(30), width(300));
        assert!(many < few / 2.0, "{few} {many}");
    }

    #[test]
    fn what_is_undefined_says_why() {
        let yes = || Some(AnswerValue::YesNo(true));
        let all_yes = of("task-success", "success", &[[yes(), yes(), None], [yes(), yes(), yes()]]);
        assert_eq!((all_yes.raw, all_yes.alpha), (Ok(1.0), Err(StatsError::Unanimous)));
        let alone = of("task-success", "success", &[[yes(), None, None]]);
        assert!(alone.alpha.is_err() && alone.raw.is_err() && alone.pairs.is_empty());
        let nobody = of("task-success", "success", &[]);
        assert_eq!(nobody.alpha, Err(StatsError::NoOverlap));
    }

    #[test]
    fn each_option_of_several_is_a_yes_or_no_of_its_own() {
        let chosen = |ids: &[&str]| {
            Some(AnswerValue::Choices(ids.iter().map(|id| (*id).to_owned()).collect()))
        };
        let (items, rows) = table(
            "shortcomings",
            &[
                [chosen(&["quality"]), chosen(&["quality", "unnatural"]), None],
                [chosen(&["none"]), chosen(&["none"]), None],
            ],
        );
        let form = builtin_form("image-edit-shortcomings").unwrap();
        let plan = BootstrapPlan { resamples: 50, ..BootstrapPlan::default() };
        let found = agreement(form, &answers(&items, &rows), &plan);
        let raw = |option: &str| {
            found.iter().find(|it| it.option.as_deref() == Some(option)).unwrap().raw.clone()
        };
        assert_eq!((raw("quality"), raw("unnatural")), (Ok(1.0), Ok(0.5)));
        assert_eq!(found.len(), 5, "one an option");
    }
}
