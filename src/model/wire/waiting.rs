//! How long a server wants to be left alone.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;

use super::WireHead;

/// The longest wait that is understood: a day. What is longer is taken for this.
const LONGEST_SECS: f64 = 86_400.0;

/// How long the server wants to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a
/// date (RFC 9110 §10.2.3), which counts from the answer's own `date`: the server's clock may be
/// another than ours. At most a day; `None` if it says nothing that makes sense.
pub fn asked_wait(head: &WireHead, now: Timestamp) -> Option<Duration> {
    // Not of any standard, but what some providers send, and finer than whole seconds.
    let ms = head.header("retry-after-ms").and_then(|ms| ms.trim().parse::<f64>().ok());
    let seconds = ms.map(|ms| ms / 1000.0).or_else(|| {
        let text = head.header("retry-after")?.trim();
        text.parse::<f64>().ok().or_else(|| {
            let said = head.header("date").and_then(http_date).unwrap_or(now);
            Some(http_date(text)?.duration_since(said).as_secs_f64().max(0.0))
        })
    })?;
    // Neither below zero nor NaN, which a text can be parsed to.
    (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(LONGEST_SECS)))
}

/// An HTTP date in any of the three forms that everybody has to accept (RFC 9110 §5.6.7).
fn http_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    // A wrong day of the week is the server's slip: the date says enough.
    let date = rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text);
    let obsolete = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
    date.ok().or_else(|| {
        let parsed = obsolete.iter().find_map(|form| strtime::parse(form, text).ok())?;
        Some(parsed.to_datetime().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })
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
    fn a_date_may_have_any_form_of_http_and_counts_from_the_servers_own_clock() {
        for date in [
            "Sunday, 06-Nov-94 08:50:07 GMT",
            "Sun Nov  6 08:50:07 1994",
            "Mon, 06 Nov 1994 08:50:07 GMT",
        ] {
            assert_eq!(asked("retry-after", date), Some(30.0), "{date}");
        }
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let headers = [
            ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let waits = asked_wait(&WireHead { status: 503, headers }, now);
        assert_eq!(waits, Some(Duration::from_secs(10)));
    }

    #[test]
    fn nonsense_asks_for_nothing_and_the_far_future_for_a_day() {
        for value in ["", "soon", "-1", "NaN", "Sun, 99 Nov 1994"] {
            assert_eq!(asked("retry-after", value), None, "{value}");
        }
        assert_eq!(asked("retry-after", "1e300"), Some(LONGEST_SECS));
        assert_eq!(asked("retry-after", "inf"), Some(LONGEST_SECS));
    }
}
