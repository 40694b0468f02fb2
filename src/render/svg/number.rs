//! Numbers in as few digits as mean the same, alone and in maps, and colours.

use crate::base::{Affine, Rgba};

/// Digits behind the point beyond which nothing is written.
const MOST_DECIMALS: usize = 12;

/// How many digits a coordinate has behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Precision {
    decimals: usize,
}

impl Precision {
    /// Enough to place something within a hundred-thousandth of a picture of this extent: three
    /// digits for a screen, four for an icon.
    pub(super) fn of_extent(extent: f64) -> Self {
        let magnitude = extent.clamp(1e-3, 1e9).log10().floor() as i32;
        Self { decimals: usize::try_from(5 - magnitude).unwrap_or(0).clamp(2, 8) }
    }

    /// A coordinate or length.
    pub(super) fn number(self, value: f64) -> String {
        fixed(value, self.decimals)
    }
}

/// A coefficient of a map or the like: six significant digits.
pub(super) fn coefficient(value: f64) -> String {
    let magnitude = value.abs().log10().floor();
    // Of 0 it is infinite, as of what is no number.
    let decimals = if magnitude.is_finite() { 5.0 - magnitude } else { 0.0 };
    fixed(value, decimals.clamp(0.0, MOST_DECIMALS as f64) as usize)
}

/// `matrix(…)`.
pub(super) fn matrix(map: Affine) -> String {
    let numbers = [map.a, map.b, map.c, map.d, map.e, map.f].map(coefficient);
    format!("matrix({})", numbers.join(" "))
}

/// A share of 0..=1: an opacity, or the place of a colour.
pub(super) fn share(value: f64) -> String {
    fixed(value, 4)
}

/// `#RRGGBB`, whatever the alpha.
pub(super) fn rgb(color: Rgba) -> String {
    color.with_alpha(1.0).to_hex()
}

/// `#RRGGBB`.
pub(super) fn hex([r, g, b]: [u8; 3]) -> String {
    rgb(Rgba::from_u8([r, g, b, 255]))
}

/// `value` with at most so many digits behind the point; 0 for what is no number.
fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    // What is a little below 0 is rounded to that.
    if text == "-0" { "0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_icon_has_finer_numbers_than_a_screen() {
        assert_eq!(Precision::of_extent(24.0).number(1.0 / 3.0), "0.3333");
        assert_eq!(Precision::of_extent(852.0).number(1.0 / 3.0), "0.333");
        assert_eq!(Precision::of_extent(1e7).number(1.0 / 3.0), "0.33");
    }

    #[test]
    fn whole_numbers_have_no_point_and_zero_no_sign() {
        let precision = Precision::of_extent(100.0);
        assert_eq!([1200.0, -0.0001, -7.50].map(|v| precision.number(v)), ["1200", "0", "-7.5"]);
    }

    #[test]
    fn what_is_no_number_is_nought() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!((coefficient(value), share(value)), ("0".to_owned(), "0".to_owned()));
        }
    }

    proptest! {
        #[test]
        fn a_coefficient_keeps_six_digits(value in -1e5..1e5f64) {
            let read: f64 = coefficient(value).parse().unwrap();
            prop_assert!((read - value).abs() <= value.abs() * 1e-5 + 1e-12);
        }

        #[test]
        fn no_number_has_an_exponent(value in any::<f64>()) {
            let text = coefficient(value);
            prop_assert!(text.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'.'), "{}", text);
        }
    }
}
