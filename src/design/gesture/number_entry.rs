//! What is typed into the field of a number: arithmetic.

/// The longest text that is read.
const MOST_LETTERS: usize = 200;

/// A number as it was typed: `24`, `2*(8+4)`, `150%`, or `+10` behind what stood there.
///
/// `+ − × ÷ ^ ( )` and their signs on keyboards; `%` is of the old value. A text that begins with an
/// operator (but `-`, which is a sign), or that goes on with one behind what was shown, works on each
/// selected value: behind "Mixed" as well as behind a number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberEntry(Term);

/// Why a text is no number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberEntryError {
    /// Nothing was typed.
    #[error("type a number")]
    Empty,
    /// It cannot be read from there on.
    #[error("cannot read {0:?}")]
    Unreadable(String),
    /// It ends too early.
    #[error("something is missing at the end")]
    Unfinished,
    /// It leads to no number: a division by 0, a root of a negative number, beyond all numbers.
    #[error("that is no number")]
    NoNumber,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Number(f64),
    /// The value before.
    Old,
    /// So many per cent of the value before.
    Percent(Box<Self>),
    Negative(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

impl NumberEntry {
    /// Reads what stands in the field now; `shown` is what stood there before somebody typed.
    ///
    /// # Errors
    ///
    /// [`NumberEntryError`]; the field then goes back to what it showed.
    pub fn parse(text: &str, shown: &str) -> Result<Self, NumberEntryError> {
        let (text, shown) = (text.trim(), shown.trim());
        if text.is_empty() {
            return Err(NumberEntryError::Empty);
        }
        if text.chars().count() > MOST_LETTERS {
            return Err(NumberEntryError::Unreadable(text.chars().take(20).collect()));
        }
        // What was shown is the value itself, of each that is selected: only what follows counts.
        let behind = text.strip_prefix(shown).filter(|_| !shown.is_empty()).map(str::trim_start);
        let appended = behind.filter(|rest| rest.starts_with(is_operator));
        let leading = text.starts_with(|letter: char| is_operator(letter) && !is_minus(letter));
        let (rest, first) = match appended {
            Some(rest) => (rest, Some(Term::Old)),
            None if leading => (text, Some(Term::Old)),
            None => (text, None),
        };
        let letters: Vec<char> = rest.chars().filter(|letter| !letter.is_whitespace()).collect();
        let mut reader = ExpressionReader { letters: &letters, at: 0 };
        let term = reader.sum(first)?;
        if reader.at < letters.len() {
            return Err(reader.unreadable());
        }
        Ok(Self(term))
    }

    /// The value for one that had another before.
    ///
    /// # Errors
    ///
    /// [`NumberEntryError::NoNumber`].
    pub fn value(&self, old: f64) -> Result<f64, NumberEntryError> {
        let value = self.0.value(old);
        if value.is_finite() { Ok(value) } else { Err(NumberEntryError::NoNumber) }
    }

    /// Whether the value follows from the one before; else all become the same.
    pub fn refers_to_old(&self) -> bool {
        self.0.refers_to_old()
    }
}

impl Term {
    fn refers_to_old(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Old | Self::Percent(_) => true,
            Self::Negative(term) => term.refers_to_old(),
            Self::Binary(_, left, right) => left.refers_to_old() || right.refers_to_old(),
        }
    }

    fn value(&self, old: f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Old => old,
            Self::Percent(term) => old * term.value(old) / 100.0,
            Self::Negative(term) => -term.value(old),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(old), right.value(old));
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Over => left / right,
                    Operator::Power => left.powf(right),
                }
            }
        }
    }
}

fn is_minus(letter: char) -> bool {
    matches!(letter, '-' | '−' | '–')
}

fn is_operator(letter: char) -> bool {
    operator(letter).is_some()
}

fn operator(letter: char) -> Option<Operator> {
    match letter {
        '+' => Some(Operator::Plus),
        '*' | '×' | '·' => Some(Operator::Times),
        '/' | '÷' | ':' => Some(Operator::Over),
        '^' => Some(Operator::Power),
        letter if is_minus(letter) => Some(Operator::Minus),
        _ => None,
    }
}

/// Reads from left to right: sums of products of powers. Recursion is as deep as the text has letters,
/// which are few.
struct ExpressionReader<'t> {
    letters: &'t [char],
    at: usize,
}

impl ExpressionReader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn unreadable(&self) -> NumberEntryError {
        match self.letters.get(self.at..) {
            None | Some([]) => NumberEntryError::Unfinished,
            Some(rest) => NumberEntryError::Unreadable(rest.iter().take(20).collect()),
        }
    }

    /// Takes the next operator, if it is one of these.
    fn take(&mut self, wanted: &[Operator]) -> Option<Operator> {
        let found = self.peek().and_then(operator).filter(|found| wanted.contains(found))?;
        self.at += 1;
        Some(found)
    }

    fn sum(&mut self, first: Option<Term>) -> Result<Term, NumberEntryError> {
        let mut left = self.product(first)?;
        while let Some(operator) = self.take(&[Operator::Plus, Operator::Minus]) {
            let right = self.product(None)?;
            left = Term::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn product(&mut self, first: Option<Term>) -> Result<Term, NumberEntryError> {
        let mut left = self.power(first)?;
        while let Some(operator) = self.take(&[Operator::Times, Operator::Over]) {
            let right = self.power(None)?;
            left = Term::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// A power binds to the right, and tighter than the sign before it: −2^2 is −4.
    fn power(&mut self, first: Option<Term>) -> Result<Term, NumberEntryError> {
        let base = match first {
            Some(first) => first,
            None if self.take(&[Operator::Minus]).is_some() => {
                return Ok(Term::Negative(Box::new(self.power(None)?)));
            }
            None => self.atom()?,
        };
        if self.take(&[Operator::Power]).is_none() {
            return Ok(base);
        }
        let exponent = self.power(None)?;
        Ok(Term::Binary(Operator::Power, Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<Term, NumberEntryError> {
        let term = if self.peek() == Some('(') {
            self.at += 1;
            let inner = self.sum(None)?;
            if self.peek() != Some(')') {
                return Err(self.unreadable());
            }
            self.at += 1;
            inner
        } else {
            self.number()?
        };
        if self.peek() == Some('%') {
            self.at += 1;
            return Ok(Term::Percent(Box::new(term)));
        }
        Ok(term)
    }

    fn number(&mut self) -> Result<Term, NumberEntryError> {
        let rest = self.letters.get(self.at..).unwrap_or_default();
        let digits = rest.iter().take_while(|it| it.is_ascii_digit() || ['.', ','].contains(*it));
        // A comma is a point, as half of the world types it.
        let text: String =
            digits.map(|letter| if *letter == ',' { '.' } else { *letter }).collect();
        let number: f64 = text.parse().map_err(|_not_one| self.unreadable())?;
        self.at += text.len();
        Ok(Term::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(text: &str, shown: &str, old: f64) -> Result<f64, NumberEntryError> {
        NumberEntry::parse(text, shown)?.value(old)
    }

    #[test]
    fn arithmetic_is_that_of_school() {
        for (text, value) in [
            ("24", 24.0),
            ("-8", -8.0),
            ("2+3*4", 14.0),
            ("(2+3)*4", 20.0),
            ("12/4/3", 1.0),
            ("10-4-3", 3.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("3×4÷2", 6.0),
            ("1,5*2", 3.0),
            (".5", 0.5),
            ("4 − 6", -2.0),
            ("50%", 40.0),
            ("50%+10", 50.0),
            ("(100+50)%", 120.0),
        ] {
            assert_eq!(typed(text, "80", 80.0), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_appended_works_on_each_value() {
        let values = [10.0, 20.0];
        for (text, shown, expected) in [
            ("Mixed+10", "Mixed", [20.0, 30.0]),
            ("Mixed - 4", "Mixed", [6.0, 16.0]),
            ("Mixed*2", "Mixed", [20.0, 40.0]),
            ("+10", "Mixed", [20.0, 30.0]),
            ("/2", "Mixed", [5.0, 10.0]),
            ("^2", "Mixed", [100.0, 400.0]),
            ("50%", "Mixed", [5.0, 10.0]),
            // A sign is no operator: all become the same.
            ("-10", "Mixed", [-10.0, -10.0]),
            ("24+10", "24", [20.0, 30.0]),
            // Another number than what was shown is meant as it stands.
            ("25+10", "24", [35.0, 35.0]),
            ("24", "24", [24.0, 24.0]),
        ] {
            let entry = NumberEntry::parse(text, shown).unwrap();
            let made = values.map(|old| entry.value(old).unwrap());
            assert_eq!(made, expected, "{text}");
            assert_eq!(entry.refers_to_old(), made[0] != made[1], "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_why() {
        use NumberEntryError::{Empty, NoNumber, Unfinished, Unreadable};
        for (text, error) in [
            ("", Empty),
            ("  ", Empty),
            ("2+", Unfinished),
            ("(2", Unfinished),
            ("2)", Unreadable(")".to_owned())),
            ("2px", Unreadable("px".to_owned())),
            ("1.2.3", Unreadable("1.2.3".to_owned())),
            ("1/0", NoNumber),
            ("10^999", NoNumber),
            ("(0-1)^.5", NoNumber),
        ] {
            assert_eq!(typed(text, "7", 7.0), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_finite_number_or_refused(text in "[0-9.,+*/^()% x−×-]{0,40}", old in -1e4..1e4f64) {
            if let Ok(value) = typed(&text, "1", old) {
                prop_assert!(value.is_finite());
            }
        }

        #[test]
        fn a_number_that_was_written_is_read_back(number in -1e6..1e6f64, old in -1e4..1e4f64) {
            prop_assert_eq!(typed(&number.to_string(), "", old), Ok(number));
        }

        #[test]
        fn sums_and_products_are_as_rust_has_them(a in 0..1000_u32, b in 0..1000_u32, c in 1..1000_u32) {
            let [x, y, z] = [a, b, c].map(f64::from);
            prop_assert_eq!(typed(&format!("{a}+{b}*{c}"), "", 0.0), Ok(x + y * z));
            prop_assert_eq!(typed(&format!("({a}-{b})/{c}"), "", 0.0), Ok((x - y) / z));
        }
    }
}
