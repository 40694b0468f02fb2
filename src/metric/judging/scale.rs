//! Reading a score from 1 to 5 out of an answer.

/// Smallest score of the scale.
const MIN: f64 = 1.0;
/// Largest score of the scale.
const MAX: f64 = 5.0;

/// Why an answer holds no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScaleError {
    /// There is no number in it that could be one.
    #[error("the answer holds no score")]
    NoNumber,
    /// Numbers, and none of them named as the score.
    #[error("the answer holds several numbers, none of them named as the score")]
    Ambiguous,
    /// The score is not on the scale.
    #[error("{0} is not on the scale from 1 to 5")]
    OffScale(f64),
}

/// The score that an answer holds, within 1..=5; halves and other fractions are taken as they are.
///
/// In this order: the answer is a number and nothing else (`4`, `**4**`, `4.`, `4/5`, `4 out of 5`);
/// the number after the last `score`, `rating` or `grade` (`Score: 4/5`); the only number there is.
pub fn parse_scale(answer: &str) -> Result<f64, ScaleError> {
    let numbers = numbers(answer);
    // A named score comes first: reasoning before it often counts other things.
    let named = after_label(answer).and_then(|at| numbers.iter().find(|number| number.at >= at));
    let number = match (named, &numbers[..]) {
        (Some(named), _) | (None, [named]) => named,
        (None, []) => return Err(ScaleError::NoNumber),
        (None, _) => return Err(ScaleError::Ambiguous),
    };
    if (MIN..=MAX).contains(&number.value) {
        Ok(number.value)
    } else {
        Err(ScaleError::OffScale(number.value))
    }
}

/// A number in a text.
struct NumberInText {
    /// Its first byte.
    at: usize,
    value: f64,
}

/// The numbers of a text, without those that say how long the scale is (`/5`, `out of 5`, `1 to 5`,
/// `1-5`).
fn numbers(text: &str) -> Vec<NumberInText> {
    let mut found: Vec<NumberInText> = Vec::new();
    let mut after_last = 0;
    for (at, digits) in runs_of_digits(text) {
        let between = &text[after_last..at];
        let value = digits.parse().unwrap_or(f64::NAN);
        after_last = at + digits.len();
        match gap(between) {
            // Nothing stands before the first number that could make it a part of a scale.
            _ if found.is_empty() => {
                found.push(NumberInText { at, value: signed(text, at, value) });
            }
            Gap::Of => {}
            // "from 1 to 5" names the scale, so the 1 before is no score either.
            Gap::Range => {
                found.pop();
            }
            Gap::Other => found.push(NumberInText { at, value: signed(text, at, value) }),
        }
    }
    found
}

/// What stands between two numbers.
enum Gap {
    /// `/` or `out of`: the second says how long the scale is.
    Of,
    /// `-` or `to`: both say how long the scale is.
    Range,
    /// Anything else.
    Other,
}

fn gap(between: &str) -> Gap {
    match between.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c)) {
        "/" | "out of" | "of" => Gap::Of,
        "-" | "–" | "to" => Gap::Range,
        _ => Gap::Other,
    }
}

/// Negative if a minus stands right before it that is no hyphen of a word.
fn signed(text: &str, at: usize, value: f64) -> f64 {
    let before = &text[..at];
    let negative = before
        .strip_suffix(['-', '−'])
        .is_some_and(|rest| rest.chars().next_back().is_none_or(|c| !c.is_alphanumeric()));
    if negative { -value } else { value }
}

/// Runs of digits with at most one point between digits, where they begin; not those within a word.
fn runs_of_digits(text: &str) -> Vec<(usize, &str)> {
    let mut runs = Vec::new();
    let mut rest = 0;
    while let Some(offset) = text[rest..].find(|c: char| c.is_ascii_digit()) {
        let start = rest + offset;
        let end = end_of_number(text, start);
        let in_word = text[..start].chars().next_back().is_some_and(char::is_alphabetic);
        if !in_word {
            runs.push((start, &text[start..end]));
        }
        rest = end;
    }
    runs
}

fn end_of_number(text: &str, start: usize) -> usize {
    let whole = end_of_digits(text, start);
    if !text[whole..].starts_with('.') {
        return whole;
    }
    // A point without a digit after it ends the sentence, not the number.
    let fraction = end_of_digits(text, whole + 1);
    if fraction > whole + 1 { fraction } else { whole }
}

fn end_of_digits(text: &str, from: usize) -> usize {
    from + text[from..].bytes().take_while(u8::is_ascii_digit).count()
}

/// Where the last word that names the score ends.
fn after_label(answer: &str) -> Option<usize> {
    let lower = answer.to_ascii_lowercase();
    ["score", "rating", "grade"]
        .into_iter()
        .filter_map(|label| lower.rfind(label).map(|at| at + label.len()))
        .max()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bare_number_is_the_score_however_it_is_dressed() {
        for answer in ["4", " 4\n", "**4**", "4.", "4/5", "4 / 5", "4 out of 5", "`4`", "Score: 4"]
        {
            assert_eq!(parse_scale(answer), Ok(4.0), "{answer}");
        }
        assert_eq!(parse_scale("3.5"), Ok(3.5));
    }

    #[test]
    fn the_number_named_as_the_score_wins_over_others() {
        let answer = "The 2 fields and 3 buttons are fine.\n\n**Score:** 4/5";
        assert_eq!(parse_scale(answer), Ok(4.0));
        assert_eq!(parse_scale("Rating (1-5): 2"), Ok(2.0));
        assert_eq!(parse_scale("On a scale from 1 to 5 I would say 3"), Ok(3.0));
    }

    #[test]
    fn an_answer_without_one_clear_score_says_why() {
        assert_eq!(parse_scale("I cannot help with that."), Err(ScaleError::NoNumber));
        assert_eq!(parse_scale(""), Err(ScaleError::NoNumber));
        assert_eq!(parse_scale("gpt4 says fine"), Err(ScaleError::NoNumber));
        assert_eq!(parse_scale("between 2, 3 and 4"), Err(ScaleError::Ambiguous));
    }

    #[test]
    fn a_number_off_the_scale_is_no_score() {
        for (answer, value) in [("0", 0.0), ("7", 7.0), ("-3", -3.0), ("85/100", 85.0)] {
            assert_eq!(parse_scale(answer), Err(ScaleError::OffScale(value)), "{answer}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_answered_a_score_is_on_the_scale(answer in "\\PC*") {
            if let Ok(score) = parse_scale(&answer) {
                prop_assert!((MIN..=MAX).contains(&score));
            }
        }

        #[test]
        fn every_score_is_read_back(score in 1u8..=5, before in "[a-z ,.]{0,20}") {
            prop_assert_eq!(parse_scale(&format!("{before} score: {score}")), Ok(f64::from(score)));
        }
    }
}
