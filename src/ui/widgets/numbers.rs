//! Scores as people read them.

/// As many decimals as a score of this size needs.
fn decimals(value: f64) -> usize {
    match value.abs() {
        size if size < 9.9995 => 3,
        size if size < 99.995 => 2,
        _ => 1,
    }
}

/// A score: about four digits, a true minus, never `-0.000`.
pub(crate) fn score_words(value: f64) -> String {
    let digits = decimals(value);
    let words = format!("{:.digits$}", value.abs());
    if value < 0.0 && words.bytes().any(|c| (b'1'..=b'9').contains(&c)) {
        format!("−{words}")
    } else {
        words
    }
}

/// A change of a score with its sign.
pub(crate) fn change_words(change: f64) -> String {
    let words = score_words(change);
    let is_rise = change > 0.0 && words.bytes().any(|c| (b'1'..=b'9').contains(&c));
    if is_rise { format!("+{words}") } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_written_with_a_true_minus_and_no_negative_zero() {
        assert_eq!(change_words(0.0123), "+0.012");
        assert_eq!(change_words(-0.0456), "−0.046");
        assert_eq!(change_words(-0.0001), "0.000");
        assert_eq!(change_words(0.0001), "0.000");
    }

    #[test]
    fn a_large_score_has_no_more_digits_than_a_small_one() {
        let words = [0.5, 9.9996, 23.456, 99.996, 1234.56, -12.0].map(score_words);
        assert_eq!(words, ["0.500", "10.00", "23.46", "100.0", "1234.6", "−12.00"]);
    }
}
