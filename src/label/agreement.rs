//! How far people agree, question by question.
//!
//! Every question is compared by the scale of its answers ([`Scale`]): α nominal for choices, yes or no and
//! preferences, α ordinal for ratings and ordered choices; of a question with several answers each option is
//! a yes or no of its own, and of marks, whether there is one of each kind, wherever. Words have no such figure, and
//! rankings one of their own ([`super::rankings`]).
//!
//! Source: Krippendorff, "Computing Krippendorff's alpha-reliability", 2011; intervals by bootstrap over
//! items (Efron 1979), resampled by patterns ([`super::patterns`]); Fleiss 1971; Cohen 1960 and 1968.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::metric::stats::{
    BootstrapPlan, Chance, DefinedInterval, Level, Ratings, StatsError, Weighting, cohen_kappa,
    fleiss_kappa, krippendorff_alpha, resample,
};

use super::answer::{Answer, AnswerValue};
use super::form::{Form, Question, Scale};
use super::item::ItemId;
use super::patterns::{Distance, JointPatterns, Patterns};

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
    /// The middle of α over resampled items, with how many of these were left out because everybody
    /// answered the same in them, or why there is none.
    pub interval: Result<DefinedInterval, StatsError>,
    /// Fleiss' κ, where every item that was answered has the same number of answers.
    pub fleiss: Result<f64, StatsError>,
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

/// Krippendorff's α of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionAlpha {
    /// Which question.
    pub question: String,
    /// Which of its options, where each is a yes or no of its own.
    pub option: Option<String>,
    /// The coefficient, or why it is undefined.
    pub alpha: Result<f64, StatsError>,
}

/// How far people agree on every question of a form that has such a figure.
pub fn agreement(
    form: &Form,
    answers: &Answers<'_>,
    plan: &BootstrapPlan,
) -> Vec<QuestionAgreement> {
    // Sorted once: a person's place in this list is what the tables know him by.
    let people = people_of(answers);
    let tables = tables(form, answers, &people);
    // α first and by itself: the intervals below are drawn only for tables where it is defined.
    let alphas: Vec<Result<f64, StatsError>> = tables.par_iter().map(Table::alpha).collect();
    let intervals = intervals(&tables, &alphas, plan);
    let found = tables.par_iter().zip(alphas).enumerate().map(|(at, (table, alpha))| {
        // Why α is undefined is also why there is no interval.
        let interval = alpha.clone().and_then(|_| {
            let interval = intervals.get(&at).cloned();
            // Every table with an α is in the map.
            interval.unwrap_or(Err(StatsError::UndefinedResample))
        });
        QuestionAgreement {
            question: table.question.to_owned(),
            option: table.option.map(str::to_owned),
            level: table.distance.level(),
            items: table.shared().count(),
            answers: table.rows.iter().map(Vec::len).sum(),
            raw: table.raw(),
            alpha,
            interval,
            fleiss: table.fleiss(),
            pairs: table.pairs(&people),
        }
    });
    found.collect()
}

/// α of every question of a form that has such a figure, were a person left out: by person.
pub fn alphas_without(form: &Form, answers: &Answers<'_>) -> BTreeMap<String, Vec<QuestionAlpha>> {
    let people = people_of(answers);
    let tables = tables(form, answers, &people);
    let without = people.par_iter().enumerate().map(|(who, person)| {
        let alphas = tables.iter().map(|table| QuestionAlpha {
            question: table.question.to_owned(),
            option: table.option.map(str::to_owned),
            alpha: table.alpha_without(who),
        });
        ((*person).to_owned(), alphas.collect())
    });
    without.collect()
}

/// Who answered anything, each once, in order.
fn people_of<'a>(answers: &Answers<'a>) -> Vec<&'a str> {
    let mut people: Vec<&str> = answers.values().flat_map(BTreeMap::keys).copied().collect();
    people.sort_unstable();
    people.dedup();
    people
}

fn tables<'a>(form: &'a Form, answers: &Answers<'_>, people: &[&str]) -> Vec<Table<'a>> {
    let mut asked: Vec<(&Question, Option<&str>, Distance)> = Vec::new();
    for question in &form.questions {
        match question.answer.scale() {
            Scale::None => {}
            Scale::Nominal => asked.push((question, None, Distance::Nominal)),
            Scale::Ordinal => asked.push((question, None, Distance::Ordinal)),
            Scale::PerOption => {
                let options = question.answer.options().iter();
                asked.extend(options.map(|it| (question, Some(it.id.as_str()), Distance::Nominal)));
            }
        }
    }
    let tables = asked
        .into_par_iter()
        .map(|(question, option, distance)| Table::of(answers, people, question, option, distance));
    tables.collect()
}

/// Tables with equally many items: their places, and what they are counted by.
type TableGroup = (Vec<usize>, Vec<(Distance, Patterns)>);

/// The intervals of those tables whose α is defined, by their places.
///
/// Tables with equally many items share their resamples: to draw and count them costs more than all else.
fn intervals(
    tables: &[Table<'_>],
    alphas: &[Result<f64, StatsError>],
    plan: &BootstrapPlan,
) -> BTreeMap<usize, Result<DefinedInterval, StatsError>> {
    // The codes of a table are kept as patterns, of which there are few, so that a resample adds up counts.
    let mut by_items: BTreeMap<usize, TableGroup> = BTreeMap::new();
    for (at, (table, alpha)) in tables.iter().zip(alphas).enumerate() {
        if alpha.is_ok() {
            // Items that one person answered alone say nothing of agreement, and would change what is drawn.
            let rows: Vec<Vec<u32>> = table.shared().map(codes).collect();
            let patterns = Patterns::of(rows.iter().map(Vec::as_slice), table.labels.len());
            let (columns, group) = by_items.entry(rows.len()).or_default();
            columns.push(at);
            group.push((table.distance, patterns));
        }
    }
    let mut found = BTreeMap::new();
    for (items, (columns, group)) in by_items {
        let joint = JointPatterns::of(group);
        let drawn = resample(items, plan, |places| joint.alphas(places));
        // A column may be undefined in single resamples, where all drawn answers are equal: these are left out and
        // counted.
        for (column, at) in columns.iter().enumerate() {
            let interval = drawn.as_ref().map_err(Clone::clone).and_then(|drawn| {
                let values = drawn.iter().map(|of_group| of_group.get(column).copied().flatten());
                DefinedInterval::of(values, plan.confidence)
            });
            found.insert(*at, interval);
        }
    }
    found
}

/// The answers to one question, or of one option of it.
struct Table<'a> {
    question: &'a str,
    option: Option<&'a str>,
    distance: Distance,
    /// The labels as numbers, ascending; the code of one is its place here.
    labels: Vec<f64>,
    /// Of each item that was answered, by whom, ascending, and the code.
    rows: Vec<Vec<(usize, u32)>>,
}

impl<'a> Table<'a> {
    fn of(
        answers: &Answers<'_>,
        people: &[&str],
        question: &'a Question,
        option: Option<&'a str>,
        distance: Distance,
    ) -> Self {
        let mut numbers: Vec<Vec<(usize, i32)>> = Vec::with_capacity(answers.len());
        for of_item in answers.values() {
            // An answer to a question that was not asked, as it depends on another, has no number.
            let row = of_item.iter().filter_map(|(person, answer)| {
                let number = number(question, option, answer)?;
                Some((people.binary_search(person).ok()?, number))
            });
            numbers.push(row.collect());
        }
        // Fleiss asks for equally many answers of every item that was answered: an empty row is none of these.
        numbers.retain(|row| !row.is_empty());
        // The labels are what was answered and not what could be: α knows only values that occur.
        let mut labels: Vec<i32> = numbers.iter().flatten().map(|(_, number)| *number).collect();
        labels.sort_unstable();
        labels.dedup();
        // A number's code is its rank among them.
        let rows = numbers.iter().map(|row| {
            let codes = row
                .iter()
                .map(|(who, number)| (*who, labels.partition_point(|label| label < number) as u32));
            codes.collect()
        });
        Self {
            question: &question.id,
            option,
            distance,
            rows: rows.collect(),
            labels: labels.into_iter().map(f64::from).collect(),
        }
    }

    /// The items with two or more answers: another says nothing about agreement.
    fn shared(&self) -> impl Iterator<Item = &[(usize, u32)]> {
        self.rows.iter().map(Vec::as_slice).filter(|row| row.len() > 1)
    }

    /// α, were this person left out: by patterns, as it is asked of everybody.
    fn alpha_without(&self, who: usize) -> Result<f64, StatsError> {
        // All rows one after the other: a list of its own for each costs more than the figure.
        let mut codes: Vec<u32> = Vec::with_capacity(self.rows.len() * 4);
        let mut ends: Vec<usize> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let from = codes.len();
            codes.extend(row.iter().filter(|(person, _)| *person != who).map(|(_, code)| *code));
            // One answer alone says nothing about agreement.
            if codes.len() - from > 1 { ends.push(codes.len()) } else { codes.truncate(from) }
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let rows = starts.zip(&ends).map(|(start, end)| &codes[start..*end]);
        let patterns = Patterns::of(rows, self.labels.len());
        if patterns.len() == 0 {
            return Err(StatsError::NoOverlap);
        }
        patterns.alpha_of_all(self.distance).ok_or(StatsError::Unanimous)
    }

    fn alpha(&self) -> Result<f64, StatsError> {
        let rows: Vec<Vec<Option<f64>>> = self.shared().map(|row| self.numbers(row)).collect();
        if rows.is_empty() {
            return Err(StatsError::NoOverlap);
        }
        krippendorff_alpha(&Ratings::from_numbers(&rows), self.distance.level())
            .map(|alpha| alpha.agreement.value)
    }

    fn fleiss(&self) -> Result<f64, StatsError> {
        let counts = self.rows.iter().map(Vec::len);
        let least = counts.clone().min().unwrap_or(0);
        let most = counts.max().unwrap_or(0);
        if most < 2 {
            return Err(StatsError::NoOverlap);
        }
        if least != most {
            return Err(StatsError::DifferentCounts { least, most });
        }
        let rows: Vec<Vec<Option<f64>>> = self.rows.iter().map(|row| self.numbers(row)).collect();
        fleiss_kappa(&Ratings::from_numbers(&rows), Chance::Fleiss)
            .map(|kappa| kappa.agreement.value)
    }

    fn numbers(&self, row: &[(usize, u32)]) -> Vec<Option<f64>> {
        row.iter().map(|(_, code)| self.labels.get(*code as usize).copied()).collect()
    }

    fn pairs(&self, people: &[&str]) -> Vec<PairAgreement> {
        let weighting = match self.distance {
            Distance::Nominal => Weighting::Plain,
            Distance::Ordinal => Weighting::Quadratic,
        };
        let mut codes: BTreeMap<(usize, usize), Vec<(u32, u32)>> = BTreeMap::new();
        for row in self.shared() {
            // A row is in the order of people, so that every two of them have one key.
            for (at, (left, a)) in row.iter().enumerate() {
                for (right, b) in &row[at + 1..] {
                    codes.entry((*left, *right)).or_default().push((*a, *b));
                }
            }
        }
        let pairs = codes.into_iter().map(|((left, right), codes)| PairAgreement {
            people: [people[left], people[right]].map(str::to_owned),
            items: codes.len(),
            kappa: cohen_kappa(&codes, weighting).map(|kappa| kappa.value),
        });
        pairs.collect()
    }

    /// The share of equal answers among all pairs of answers to one item.
    fn raw(&self) -> Result<f64, StatsError> {
        let (mut equal, mut all) = (0u64, 0u64);
        for row in self.shared() {
            for (at, (_, one)) in row.iter().enumerate() {
                let others = &row[at + 1..];
                all += others.len() as u64;
                equal += others.iter().filter(|(_, other)| other == one).count() as u64;
            }
        }
        if all == 0 { Err(StatsError::NoOverlap) } else { Ok(equal as f64 / all as f64) }
    }
}

fn codes(row: &[(usize, u32)]) -> Vec<u32> {
    row.iter().map(|(_, code)| *code).collect()
}

/// An answer as a number: its place on the scale, or of a name among the options.
fn number(question: &Question, option: Option<&str>, answer: &Answer) -> Option<i32> {
    if let Some(option) = option {
        return answer.has_option(question, option).map(i32::from);
    }
    match answer.values.get(&question.id)? {
        AnswerValue::YesNo(yes) => Some(i32::from(*yes)),
        AnswerValue::Preference(preferred) => Some(*preferred as i32),
        AnswerValue::Rating(number) => Some(*number),
        AnswerValue::Choice(id) => {
            let options = question.answer.options();
            i32::try_from(options.iter().position(|option| option.id == *id)?).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::form::builtin_form;

    /// Answers of `ada`, `bo` and `cy`, `None` where there is none.
    fn table(
        question: &str,
        rows: &[[Option<AnswerValue>; 3]],
    ) -> (Vec<ItemId>, Vec<Vec<Option<Answer>>>) {
        let items = (0..rows.len()).map(|at| ItemId(format!("item-{at:03}"))).collect();
        let rows = rows.iter().map(|row| {
            let answers = row.iter().map(|value| {
                let values = BTreeMap::from([(question.to_owned(), value.clone()?)]);
                Some(Answer { values, ..Answer::default() })
            });
            answers.collect()
        });
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
        assert_eq!(found.interval.map(|it| (it.left_out, it.resamples)), Ok((2, 200)));
        assert_eq!(found.fleiss, Err(StatsError::DifferentCounts { least: 1, most: 3 }));
        assert_eq!(found.pairs.len(), 3);
        assert_eq!((found.pairs[0].items, &found.pairs[0].people[1]), (4, &"bo".to_owned()));
    }

    #[test]
    fn alpha_without_somebody_is_that_of_the_others() {
        let rows = [
            [rating(1), rating(1), rating(2)],
            [rating(3), rating(3), None],
            [rating(5), rating(4), rating(5)],
            [rating(2), None, None],
        ];
        let form = builtin_form("likert").unwrap();
        let (items, all) = table("rating", &rows);
        let without = alphas_without(form, &answers(&items, &all));
        let only = rows.clone().map(|[a, b, _]| [a, b, None]);
        let (items, only) = table("rating", &only);
        let plan = BootstrapPlan { resamples: 1, ..BootstrapPlan::default() };
        let alone = agreement(form, &answers(&items, &only), &plan).swap_remove(0);
        let cy = without["cy"][0].alpha.clone().unwrap();
        assert!((cy - alone.alpha.unwrap()).abs() < 1e-12);
        let nobody = answers(&items, &only[3..]);
        assert_eq!(alphas_without(form, &nobody)["ada"][0].alpha, Err(StatsError::NoOverlap));
    }

    #[test]
    fn the_interval_lies_around_the_coefficient_and_narrows_with_items() {
        let row =
            |at: i32| [rating(1 + at % 5), rating(1 + (at + at % 3 / 2) % 5), rating(1 + at % 5)];
        let width = |items: i32| {
            let found = of("likert", "rating", &(0..items).map(row).collect::<Vec<_>>());
            let (alpha, interval) = (found.alpha.unwrap(), found.interval.unwrap().interval);
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
    fn resamples_in_which_all_say_the_same_are_left_out_if_they_are_few() {
        // One odd answer among 60: it is not drawn with probability (1 − 1/20)²⁰ ≈ 0.36, and with four
        // such items with (1 − 4/20)²⁰ ≈ 0.01.
        let of_odd = |odd: usize| {
            let rows: Vec<_> = (0..20)
                .map(|at| [true, true, at >= odd].map(|yes| Some(AnswerValue::YesNo(yes))))
                .collect();
            of("task-success", "success", &rows)
        };
        let many = of_odd(1).interval.unwrap_err().to_string();
        assert!(many.starts_with("it has no value for ") && many.ends_with(" of 200 resamples"));
        let few = of_odd(4);
        let interval = few.interval.unwrap();
        assert!((1..=10).contains(&interval.left_out), "{interval:?}");
        assert_eq!(interval.resamples, 200);
        // Fleiss' κ counts chance with, α without putting back.
        let (alpha, kappa) = (few.alpha.unwrap(), few.fleiss.unwrap());
        assert!(kappa < alpha && alpha - kappa < 0.02, "{alpha} {kappa}");
    }

    proptest! {
        /// The interval is that of the slow way: rows drawn anew, α of each.
        #[test]
        fn intervals_are_those_of_drawn_rows(
            cells in prop::collection::vec(prop::array::uniform3(prop::option::of(1..=5i32)), 8..40),
            seed in any::<u64>(),
        ) {
            let rows: Vec<_> =
                cells.iter().map(|row| row.map(|it| it.map(AnswerValue::Rating))).collect();
            let (items, table) = table("rating", &rows);
            let plan = BootstrapPlan { resamples: 50, seed, ..BootstrapPlan::default() };
            let form = builtin_form("likert").unwrap();
            let found = agreement(form, &answers(&items, &table), &plan).swap_remove(0);
            let numbers: Vec<Vec<Option<f64>>> = cells
                .iter()
                .filter(|row| row.iter().flatten().count() > 1)
                .map(|row| row.iter().map(|it| it.map(f64::from)).collect())
                .collect();
            let slow = crate::metric::stats::bootstrap(numbers.len(), &plan, |places| {
                let rows: Vec<_> = places.iter().map(|at| numbers[*at].clone()).collect();
                let alpha = krippendorff_alpha(&Ratings::from_numbers(&rows), Level::Ordinal);
                alpha.ok().map(|alpha| alpha.agreement.value)
            });
            if let (Ok(fast), Ok(slow)) = (&found.interval, &slow) {
                prop_assert_eq!(fast.left_out, 0);
                prop_assert!((fast.interval.low - slow.low).abs() < 1e-12, "{fast:?} {slow:?}");
                prop_assert!((fast.interval.high - slow.high).abs() < 1e-12, "{fast:?} {slow:?}");
            } else if slow.is_ok() {
                prop_assert!(false, "{:?} {slow:?}", found.interval);
            }
        }
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
