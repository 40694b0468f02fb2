//! What answers to published questionnaires come to, exactly as published.
//!
//! The forms are data (`assets/forms`, and files of a study's own with the same ids of questions); here is only how
//! they are counted.

use crate::label::form::{Form, QuestionKind};
use crate::label::{Answer, AnswerValue};

/// The scales of NASA-TLX, by the ids of its questions.
pub const TLX_SCALES: [&str; 6] =
    ["mental", "physical", "temporal", "performance", "effort", "frustration"];
/// The factors of the Creativity Support Index; each has two statements, such as `immersion1` and `immersion2`.
pub const CSI_FACTORS: [&str; 6] =
    ["exploration", "expressiveness", "immersion", "enjoyment", "results", "collaboration"];
/// The built-in forms that weigh the scales of another, two of them at a time.
pub const PAIR_FORMS: [&str; 2] = ["nasa-tlx-pairs", "csi-pairs"];

/// Whether a form weighs the scales of another, so that its choices are no answers of their own.
pub fn is_of_pairs(form: &str) -> bool {
    PAIR_FORMS.contains(&form)
}
/// What 1 mark of NASA-TLX counts: 21 marks are 0 to 100.
const TLX_MARK: f64 = 5.0;
/// Comparisons of two of six things.
const PAIRS: u32 = 15;
/// Items of SUS, and how many of them may be left out.
const SUS_ITEMS: usize = 10;
const SUS_MAY_BE_LEFT_OUT: usize = 2;
/// What an item of SUS that was left out counts as.
const SUS_MIDDLE: i32 = 3;

/// Why answers have no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstrumentError {
    /// A question that the score needs is not answered.
    #[error("{0} is not answered")]
    Missing(String),
    /// An answer is on no scale of this instrument.
    #[error("{question}: {found} is not from {least} to {most}")]
    OffScale {
        /// Which question.
        question: String,
        /// What was answered.
        found: i32,
        /// The least.
        least: i32,
        /// The most.
        most: i32,
    },
    /// An answer is of another kind than the instrument's.
    #[error("{0} is answered with another kind of value")]
    WrongKind(String),
    /// Too many items were left out.
    #[error("{left_out} of {of} items are left out, at most {most} may be")]
    TooManyLeftOut {
        /// How many were.
        left_out: usize,
        /// How many there are.
        of: usize,
        /// How many may be.
        most: usize,
    },
    /// The form has a scale that the instrument does not know.
    #[error("the scale of {question} is from {least} to {most}, and {known} is known")]
    UnknownScale {
        /// Which question.
        question: String,
        /// The least.
        least: i32,
        /// The most.
        most: i32,
        /// What is.
        known: &'static str,
    },
    /// The form has not the instrument's questions.
    #[error("the form does not ask {0}")]
    NoQuestion(String),
    /// A statement that was to be filled in was not.
    #[error("{0} still stands in square brackets: fill in the statement from the publication")]
    NotFilledIn(String),
}

/// NASA-TLX, 0 (no load) to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskLoad {
    /// The six scales, in the order of [`TLX_SCALES`].
    pub scales: [f64; 6],
    /// Their mean.
    pub raw: f64,
    /// The mean by the weights of the person, if they were asked.
    pub weighted: Option<f64>,
}

/// The raw load, and the weighted one where the 15 comparisons were answered.
///
/// # Errors
///
/// [`InstrumentError`].
///
/// Source: Hart and Staveland 1988; raw: Byers, Bittner and Hill 1989.
pub fn task_load(
    ratings: &Answer,
    comparisons: Option<&Answer>,
) -> Result<TaskLoad, InstrumentError> {
    let mut scales = [0.0; 6];
    for (scale, id) in scales.iter_mut().zip(TLX_SCALES) {
        *scale = f64::from(rating(ratings, id, (0, 20))?) * TLX_MARK;
    }
    let raw = scales.iter().sum::<f64>() / 6.0;
    let weights = comparisons.map(|answer| picks(answer, &TLX_SCALES)).transpose()?;
    let weighted = weights.map(|weights| weighted_sum(&scales, &weights) / f64::from(PAIRS));
    Ok(TaskLoad { scales, raw, weighted })
}

/// The System Usability Scale, 0 to 100. The mean of published studies is about 68.
///
/// # Errors
///
/// [`InstrumentError`].
///
/// Source: Brooke 1996.
pub fn usability(ratings: &Answer) -> Result<f64, InstrumentError> {
    let (mut sum, mut left_out) = (0, 0);
    for item in 1..=SUS_ITEMS {
        let id = format!("s{item}");
        let value = match rating(ratings, &id, (1, 5)) {
            Err(InstrumentError::Missing(_)) => {
                left_out += 1;
                SUS_MIDDLE
            }
            value => value?,
        };
        // Every other item is worded the other way round.
        sum += if item % 2 == 1 { value - 1 } else { 5 - value };
    }
    if left_out > SUS_MAY_BE_LEFT_OUT {
        let most = SUS_MAY_BE_LEFT_OUT;
        return Err(InstrumentError::TooManyLeftOut { left_out, of: SUS_ITEMS, most });
    }
    Ok(f64::from(sum) * 2.5)
}

/// The Creativity Support Index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreativitySupport {
    /// From 0, or from 10 where statements are rated from 1, to 100.
    pub index: f64,
    /// The least that the index can be: 10 where statements are rated from 1.
    pub least: f64,
    /// The two ratings of each factor added, in the order of [`CSI_FACTORS`].
    pub factors: [f64; 6],
    /// How often each was chosen of two.
    pub counts: [u32; 6],
}

/// The index: Σ (rating + rating) · count / 3 over the six factors.
///
/// `form` is the one that was answered: it says whether statements are rated from 0 or from 1 to 10. Collaboration
/// that does not apply counts 0.
///
/// # Errors
///
/// [`InstrumentError`]; [`InstrumentError::NotFilledIn`] for the form that comes with the program, which has no
/// statements.
///
/// Source: Cherry and Latulipe 2014.
pub fn creativity_support(
    form: &Form,
    ratings: &Answer,
    comparisons: &Answer,
) -> Result<CreativitySupport, InstrumentError> {
    let mut factors = [0.0; 6];
    let mut least_of_all = 10;
    for (sum, factor) in factors.iter_mut().zip(CSI_FACTORS) {
        for statement in 1..=2 {
            let id = format!("{factor}{statement}");
            let scale = csi_scale(form, &id)?;
            least_of_all = least_of_all.min(scale.0);
            match rating(ratings, &id, scale) {
                Err(InstrumentError::Missing(_)) if factor == "collaboration" => {}
                value => *sum += f64::from(value?),
            }
        }
    }
    let counts = picks(comparisons, &CSI_FACTORS)?;
    let index = weighted_sum(&factors, &counts) / 3.0;
    // Every rating at its least: Σ 2 · least · count / 3, of 15 counts.
    let least = 2.0 * f64::from(least_of_all) * f64::from(PAIRS) / 3.0;
    Ok(CreativitySupport { index, least, factors, counts })
}

fn csi_scale(form: &Form, id: &str) -> Result<(i32, i32), InstrumentError> {
    let question = form.question(id).ok_or_else(|| InstrumentError::NoQuestion(id.to_owned()))?;
    let QuestionKind::Rating { least, most, .. } = question.answer else {
        return Err(InstrumentError::WrongKind(id.to_owned()));
    };
    if is_open(question.text.in_language("en")) {
        return Err(InstrumentError::NotFilledIn(id.to_owned()));
    }
    // Both are in use; of any other the sum would be no score that could be compared with published ones.
    if !matches!((least, most), (0 | 1, 10)) {
        let (question, known) = (id.to_owned(), "0 or 1 to 10");
        return Err(InstrumentError::UnknownScale { question, least, most, known });
    }
    Ok((least, most))
}

/// Whether a form is still to be filled in: a question of it stands in square brackets.
pub fn is_to_be_filled_in(form: &Form) -> bool {
    form.questions.iter().any(|question| is_open(question.text.in_language("en")))
}

fn is_open(words: &str) -> bool {
    words.trim_start().starts_with('[')
}

fn rating(answer: &Answer, id: &str, (least, most): (i32, i32)) -> Result<i32, InstrumentError> {
    match answer.values.get(id) {
        None => Err(InstrumentError::Missing(id.to_owned())),
        Some(AnswerValue::Rating(value)) if (least..=most).contains(value) => Ok(*value),
        Some(AnswerValue::Rating(found)) => {
            Err(InstrumentError::OffScale { question: id.to_owned(), found: *found, least, most })
        }
        Some(_) => Err(InstrumentError::WrongKind(id.to_owned())),
    }
}

/// How often each of six was chosen in the 15 comparisons.
fn picks(answer: &Answer, names: &[&str; 6]) -> Result<[u32; 6], InstrumentError> {
    let mut counts = [0; 6];
    for (at, first) in names.iter().enumerate() {
        for (other, second) in names.iter().enumerate().skip(at + 1) {
            let id = format!("{first}-{second}");
            match answer.values.get(&id) {
                None => return Err(InstrumentError::Missing(id)),
                Some(AnswerValue::Choice(chosen)) if chosen == first => counts[at] += 1,
                Some(AnswerValue::Choice(chosen)) if chosen == second => counts[other] += 1,
                Some(_) => return Err(InstrumentError::WrongKind(id)),
            }
        }
    }
    Ok(counts)
}

fn weighted_sum(values: &[f64; 6], weights: &[u32; 6]) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| value * f64::from(*weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::{FormText, builtin_form};

    fn ratings(values: impl IntoIterator<Item = (String, i32)>) -> Answer {
        let values = values.into_iter().map(|(id, value)| (id, AnswerValue::Rating(value)));
        Answer { values: values.collect(), ..Answer::default() }
    }

    /// Chooses the earlier one of the list, always.
    fn earlier(names: &[&str; 6]) -> Answer {
        let pairs = names
            .iter()
            .enumerate()
            .flat_map(|(at, first)| names.iter().skip(at + 1).map(move |second| (*first, *second)));
        let values = pairs.map(|(first, second)| {
            (format!("{first}-{second}"), AnswerValue::Choice(first.to_owned()))
        });
        Answer { values: values.collect(), ..Answer::default() }
    }

    #[test]
    fn the_load_is_counted_by_hand() {
        let marks = [12, 2, 10, 4, 16, 0];
        let answer = ratings(TLX_SCALES.iter().zip(marks).map(|(id, it)| ((*id).to_owned(), it)));
        let load = task_load(&answer, Some(&earlier(&TLX_SCALES))).unwrap();
        assert_eq!(load.scales, [60.0, 10.0, 50.0, 20.0, 80.0, 0.0]);
        assert!((load.raw - 220.0 / 6.0).abs() < 1e-12);
        // Weights 5, 4, 3, 2, 1, 0.
        assert_eq!(load.weighted, Some((300.0 + 40.0 + 150.0 + 40.0 + 80.0) / 15.0));
        assert_eq!(task_load(&answer, None).unwrap().weighted, None);
        let high = ratings(TLX_SCALES.iter().map(|id| ((*id).to_owned(), 20)));
        assert_eq!(task_load(&high, None).unwrap().raw, 100.0);
        let off = ratings(TLX_SCALES.iter().map(|id| ((*id).to_owned(), 21)));
        assert!(matches!(task_load(&off, None), Err(InstrumentError::OffScale { found: 21, .. })));
        let missing = InstrumentError::Missing("mental".to_owned());
        assert_eq!(task_load(&Answer::default(), None), Err(missing));
    }

    #[test]
    fn usability_turns_every_other_item_round() {
        let best = (1..=10).map(|item| (format!("s{item}"), if item % 2 == 1 { 5 } else { 1 }));
        assert_eq!(usability(&ratings(best)), Ok(100.0));
        let same = (1..=10).map(|item| (format!("s{item}"), 4));
        assert_eq!(usability(&ratings(same)), Ok(50.0));
        // The published example of Brooke: 22 points, 55.
        let example = [5, 4, 2, 1, 2, 3, 2, 4, 5, 2].into_iter().enumerate();
        let example = example.map(|(at, value)| (format!("s{}", at + 1), value));
        assert_eq!(usability(&ratings(example)), Ok(55.0));
    }

    #[test]
    fn two_items_of_usability_may_be_left_out_and_three_may_not() {
        let of = |count: i32| usability(&ratings((1..=count).map(|item| (format!("s{item}"), 5))));
        // Four odd items 4 each, four even ones 0, two in the middle 2 each.
        assert_eq!(of(8), Ok((16.0 + 4.0) * 2.5));
        let many = InstrumentError::TooManyLeftOut { left_out: 3, of: 10, most: 2 };
        assert_eq!(of(7), Err(many));
    }

    fn filled_in(least: i32) -> Form {
        let mut form = builtin_form("csi").unwrap().clone();
        for question in &mut form.questions {
            question.text = FormText::Plain("A statement.".to_owned());
            if let QuestionKind::Rating { least: low, .. } = &mut question.answer {
                *low = least;
            }
        }
        form
    }

    fn all(value: i32, with_collaboration: bool) -> Answer {
        let factors = CSI_FACTORS.iter().filter(|it| with_collaboration || **it != "collaboration");
        ratings(factors.flat_map(|it| [1, 2].map(|at| (format!("{it}{at}"), value))))
    }

    #[test]
    fn creativity_support_is_counted_by_hand() {
        let pairs = earlier(&CSI_FACTORS);
        let of = |value, is_whole| {
            creativity_support(&filled_in(0), &all(value, is_whole), &pairs).unwrap()
        };
        assert_eq!((of(10, true).index, of(0, true).index), (100.0, 0.0));
        assert_eq!(of(10, true).counts, [5, 4, 3, 2, 1, 0]);
        // Collaboration, chosen never here, counts nothing anyway.
        assert_eq!((of(7, false).index, of(7, false).factors[5]), (70.0, 0.0));
        let from_one = creativity_support(&filled_in(1), &all(1, true), &pairs).unwrap();
        assert_eq!((from_one.index, from_one.least), (10.0, 10.0));
        let missing = creativity_support(&filled_in(0), &Answer::default(), &pairs);
        assert_eq!(missing, Err(InstrumentError::Missing("exploration1".to_owned())));
    }

    #[test]
    fn the_shipped_form_has_no_statements_and_says_so() {
        let form = builtin_form("csi").unwrap();
        assert!(is_to_be_filled_in(form) && !is_to_be_filled_in(&filled_in(0)));
        let found = creativity_support(form, &all(5, true), &earlier(&CSI_FACTORS));
        assert_eq!(found, Err(InstrumentError::NotFilledIn("exploration1".to_owned())));
    }

    #[test]
    fn the_shipped_forms_ask_what_is_counted() {
        for (id, names) in [("nasa-tlx-pairs", TLX_SCALES), ("csi-pairs", CSI_FACTORS)] {
            let form = builtin_form(id).unwrap();
            assert_eq!(form.questions.len(), 15, "{id}");
            assert_eq!(earlier(&names).check(form, &[]), Ok(()));
        }
        let tlx = ratings(TLX_SCALES.iter().map(|id| ((*id).to_owned(), 20)));
        assert_eq!(tlx.check(builtin_form("nasa-tlx").unwrap(), &[]), Ok(()));
        let sus = ratings((1..=10).map(|item| (format!("s{item}"), 1)));
        assert_eq!(sus.check(builtin_form("sus").unwrap(), &[]), Ok(()));
    }
}
