//! How long a server wants to be left alone, and waiting for it.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use crate::base::{CancelToken, Cancelled};

use super::WireHead;

/// How often a wait looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(20);
/// The longest wait that is understood: a day. What is longer is taken for this.
const LONGEST_SECS: f64 = 86_400.0;

/// How long the server wants to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a
/// date (RFC 9110 §10.2.3). At most a day; `None` if it says nothing that makes sense.
pub fn asked_wait(head: &WireHead, now: Timestamp) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let ms = head.header("retry-after-ms").and_then(number).map(|ms| ms / 1000.0);
    let seconds = ms.or_else(|| {
        let text = head.header("retry-after")?;
        number(text).or_else(|| seconds_until(text, now))
    })?;
    (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(LONGEST_SECS)))
}

/// Seconds until an HTTP date; 0 if it is past.
fn seconds_until(date: &str, now: Timestamp) -> Option<f64> {
    let date = rfc2822::DateTimeParser::new().parse_timestamp(date.trim()).ok()?;
    Some(date.duration_since(now).as_secs_f64().max(0.0))
}

/// Sleeps, and wakes within 20 ms of a raised token.
pub fn wait(duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
    let begin = Instant::now();
    loop {
        cancel.check()?;
        let Some(left) = duration.checked_sub(begin.elapsed()) else { return Ok(()) };
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(LOOK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &str, value: &str) -> Option<f64> {
        let headers = vec![(name.to_owned(), value.to_owned())];
        let now: Timestamp = "1994-11-06T08:49:37Z".parse().unwrap();
        asked_wait(&WireHead { status: 429, headers }, now).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        assert_eq!(asked("retry-after", " 7 "), Some(7.0));
        assert_eq!(asked("retry-after", "0.25"), Some(0.25));
        assert_eq!(asked("retry-after-ms", "1500"), Some(1.5));
        assert_eq!(asked("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"), Some(30.0));
        assert_eq!(asked("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"), Some(0.0));
    }

    #[test]
    fn nonsense_asks_for_nothing_and_the_far_future_for_a_day() {
        for value in ["", "soon", "-1", "NaN", "Sun, 99 Nov 1994"] {
            assert_eq!(asked("retry-after", value), None, "{value}");
        }
        assert_eq!(asked("retry-after", "1e300"), Some(LONGEST_SECS));
        assert_eq!(asked("retry-after", "inf"), Some(LONGEST_SECS));
    }

    #[test]
    fn a_raised_token_ends_a_wait() {
        let cancel = CancelToken::new();
        cancel.cancel();
        assert_eq!(wait(Duration::from_hours(1), &cancel), Err(Cancelled));
    }
}
