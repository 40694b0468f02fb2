//! Scaling SVG path data.

use std::fmt::Write as _;

/// The path with every x times `kx` and every y times `ky`; `None` for data that is not a path, and
/// for a turned elliptic arc, which scaling would make another kind of arc.
pub(super) fn scale(data: &str, kx: f64, ky: f64) -> Option<String> {
    let mut scanner = Scanner { rest: data.as_bytes() };
    let mut out = String::with_capacity(data.len());
    let mut command = None;
    loop {
        scanner.skip_separators();
        let Some(&next) = scanner.rest.first() else { return Some(out) };
        if next.is_ascii_alphabetic() {
            scanner.rest = scanner.rest.get(1..)?;
            command = Some(next);
            out.push(char::from(next));
        }
        let command = command?;
        match command.to_ascii_uppercase() {
            b'Z' if next.is_ascii_alphabetic() => {}
            b'A' => arc(&mut scanner, &mut out, kx, ky)?,
            letter => {
                for factor in factors(letter, kx, ky)? {
                    put(&mut out, scanner.number()? * factor);
                }
            }
        }
    }
}

/// By what the numbers of a command are multiplied, in turn.
fn factors(command: u8, kx: f64, ky: f64) -> Option<Vec<f64>> {
    match command {
        b'M' | b'L' | b'T' => Some(vec![kx, ky]),
        b'H' => Some(vec![kx]),
        b'V' => Some(vec![ky]),
        b'S' | b'Q' => Some([kx, ky].repeat(2)),
        b'C' => Some([kx, ky].repeat(3)),
        _ => None,
    }
}

fn arc(scanner: &mut Scanner<'_>, out: &mut String, kx: f64, ky: f64) -> Option<()> {
    let (rx, ry, turn) = (scanner.number()?, scanner.number()?, scanner.number()?);
    if turn != 0.0 && kx != ky {
        return None;
    }
    let (large, sweep) = (scanner.flag()?, scanner.flag()?);
    let (x, y) = (scanner.number()?, scanner.number()?);
    for number in [rx * kx.abs(), ry * ky.abs(), turn, large, sweep, x * kx, y * ky] {
        put(out, number);
    }
    Some(())
}

fn put(out: &mut String, number: f64) {
    if !out.ends_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(' ');
    }
    // Four decimals are finer than any pixel, and Figma writes no more. Writing to a string cannot
    // fail.
    let rounded = (number * 1e4).round() / 1e4;
    if write!(out, "{rounded}").is_err() {
        out.push('0');
    }
}

struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn skip_separators(&mut self) {
        while let [b' ' | b',' | b'\t' | b'\r' | b'\n', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// A flag of an arc: one digit, which need not be separated from what follows.
    fn flag(&mut self) -> Option<f64> {
        self.skip_separators();
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        match first {
            b'0' => Some(0.0),
            b'1' => Some(1.0),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<f64> {
        self.skip_separators();
        let sign = self.run(|at, c| at == 0 && matches!(c, b'+' | b'-'));
        let whole = sign + self.run_from(sign, |_, c| c.is_ascii_digit());
        let point = whole + self.run_from(whole, |at, c| at == 0 && c == b'.');
        let digits = point + self.run_from(point, |_, c| point > whole && c.is_ascii_digit());
        let end = digits + self.exponent_at(digits);
        let (number, rest) = self.rest.split_at_checked(end)?;
        let number: f64 = std::str::from_utf8(number).ok()?.parse().ok()?;
        self.rest = rest;
        number.is_finite().then_some(number)
    }

    /// How long the exponent at `from` is; 0 if there is none.
    fn exponent_at(&self, from: usize) -> usize {
        let letter = self.run_from(from, |at, c| at == 0 && matches!(c, b'e' | b'E'));
        let sign = self.run_from(from + letter, |at, c| at == 0 && matches!(c, b'+' | b'-'));
        let digits = self.run_from(from + letter + sign, |_, c| c.is_ascii_digit());
        if letter == 1 && digits > 0 { letter + sign + digits } else { 0 }
    }

    fn run(&self, takes: impl Fn(usize, u8) -> bool) -> usize {
        self.run_from(0, takes)
    }

    /// How many bytes from `from` on are taken.
    fn run_from(&self, from: usize, takes: impl Fn(usize, u8) -> bool) -> usize {
        let bytes = self.rest.get(from..).unwrap_or_default();
        bytes.iter().enumerate().take_while(|(at, c)| takes(*at, **c)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_axis_is_scaled_by_its_own_factor() {
        assert_eq!(scale("M0 0L10 10H5V4Z", 2.0, 3.0).unwrap(), "M0 0L20 30H10V12Z");
        assert_eq!(scale("m1,1 2-3.5.5", 2.0, 2.0).unwrap(), "m2 2 4 -7 1");
    }

    #[test]
    fn arc_flags_may_touch_what_follows() {
        assert_eq!(scale("M0 0a5 5 0 0110 0", 2.0, 1.0).unwrap(), "M0 0a10 5 0 0 1 20 0");
        assert!(scale("M0 0A5 4 30 0 1 10 0", 2.0, 1.0).is_none());
    }

    #[test]
    fn what_is_no_path_is_left_to_the_caller() {
        for bad in ["10 10", "M", "M1", "Q1 2 3", "M0 0X", "M1e999 0", "Z1"] {
            assert!(scale(bad, 2.0, 2.0).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_scaled_or_refused(data in ".{0,60}", k in 0.01..100.0f64) {
            if let Some(scaled) = scale(&data, k, k) {
                prop_assert!(scale(&scaled, 1.0, 1.0).is_some());
            }
        }
    }
}
