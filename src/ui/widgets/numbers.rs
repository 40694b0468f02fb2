//! Scores, counts, durations and times as people read them.

use crate::metric::Score;

/// As many decimals as a score of this size needs.
fn decimals(value: f64) -> usize {
    match value.abs() {
        // By what the value rounds to: 9.9996 is written with the digits of 10.
        size if size < 9.9995 => 3,
        size if size < 99.995 => 2,
        _ => 1,
    }
}

/// Decimals that all values of a metric are written with: those of one column can be compared.
fn decimals_of(range: (f64, f64)) -> usize {
    let is_small = range.0 >= -1.0 && range.1 <= 1.0;
    if is_small { 3 } else { 2 }
}

/// A value of a metric with this range, a true minus, never `-0.00`.
pub(crate) fn metric_words(range: (f64, f64), value: f64) -> String {
    signed(value, decimals_of(range))
}

/// A change of a metric with this range, with its sign.
pub(crate) fn metric_change_words(range: (f64, f64), change: f64) -> String {
    with_plus(change, metric_words(range, change))
}

/// A score: about four digits, a true minus, never `-0.000`; that of equal pictures may be infinite.
pub(crate) fn score_words(value: f64) -> String {
    if value.is_infinite() {
        return "infinite".to_owned();
    }
    signed(value, decimals(value))
}

/// A score that is a share, in whole percent; a dash where there is none.
pub(crate) fn share_words(score: &Score) -> String {
    match score {
        Score::Value(value) => format!("{:.0} %", value * 100.0),
        Score::Missing(_) => "–".to_owned(),
    }
}

fn signed(value: f64, digits: usize) -> String {
    // The sign is put before it by hand, as a value that rounds to zero has none.
    let words = format!("{:.digits$}", value.abs());
    if value < 0.0 && words.bytes().any(|c| (b'1'..=b'9').contains(&c)) {
        format!("−{words}")
    } else {
        words
    }
}

/// A change of a score with its sign.
pub(crate) fn change_words(change: f64) -> String {
    with_plus(change, score_words(change))
}

fn with_plus(change: f64, words: String) -> String {
    let is_rise = change > 0.0 && words.bytes().any(|c| (b'1'..=b'9').contains(&c));
    if is_rise { format!("+{words}") } else { words }
}

/// `1 run`, `2 runs`, `1,204 runs`.
pub(crate) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number as u64))
}

/// A number with its thousands divided.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 0.9995 {
        format!("{:.0} ms", (seconds * 1000.0).max(0.0))
    } else if seconds < 90.0 {
        format!("{seconds:.1} s")
    } else {
        // Rounded before it is divided, or there would be minutes with 60 seconds left over.
        let whole = seconds.round();
        format!("{:.0} min {:.0} s", (whole / 60.0).floor(), whole % 60.0)
    }
}

/// Seconds as a clock shows them: minutes and seconds.
pub(crate) fn clock_words(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The date and the time to the minute of `2026-11-26T03:00:00Z`.
pub(crate) fn minute_words(when: &str) -> String {
    when.get(..16).unwrap_or(when).replace('T', " ")
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
    fn values_of_one_metric_have_one_number_of_decimals() {
        let psnr = (0.0, f64::INFINITY);
        assert_eq!([1.808, 16.28].map(|value| metric_words(psnr, value)), ["1.81", "16.28"]);
        assert_eq!(metric_words((-1.0, 1.0), -0.0004), "0.000");
        assert_eq!(metric_change_words(psnr, 0.004), "0.00");
        assert_eq!(metric_change_words((0.0, 1.0), 0.0125), "+0.013");
    }

    #[test]
    fn a_large_score_has_no_more_digits_than_a_small_one() {
        let words = [0.5, 9.9996, 23.456, 99.996, 1234.56, -12.0].map(score_words);
        assert_eq!(words, ["0.500", "10.00", "23.46", "100.0", "1234.6", "−12.00"]);
    }

    #[test]
    fn counts_read_as_people_write_them() {
        assert_eq!(count(1, "run"), "1 run");
        assert_eq!(count(0, "run"), "0 runs");
        assert_eq!(count(1_204, "task"), "1,204 tasks");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn durations_read_as_people_say_them() {
        assert_eq!(duration(0.004), "4 ms");
        assert_eq!(duration(3.12), "3.1 s");
        assert_eq!(duration(754.0), "12 min 34 s");
        assert_eq!(duration(1_859.7), "31 min 0 s");
        assert_eq!(duration(0.9996), "1.0 s");
        assert_eq!(duration(-1.0), "0 ms");
        assert_eq!([0, 59, 60, 3_601].map(clock_words), ["0:00", "0:59", "1:00", "60:01"]);
    }

    #[test]
    fn times_end_with_the_minute_and_words_that_are_none_stay() {
        assert_eq!(minute_words("2026-11-26T03:04:05Z"), "2026-11-26 03:04");
        assert_eq!(minute_words("soon"), "soon");
    }
}
