//! When a run counts as a success.

use std::fmt;
use std::str::FromStr;

use super::run_summary::{Columns, RunSummary};
use crate::metric::Registry;

/// When a run counts as a success: a score at its end on one side of a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Success {
    /// A metric or a variant, such as `ssim`.
    pub(super) metric: String,
    is_at_least: bool,
    threshold: f64,
}

impl FromStr for Success {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "must be METRIC>=NUMBER or METRIC<=NUMBER, such as ssim>=0.9";
        let (metric, number, is_at_least) = match (text.split_once(">="), text.split_once("<=")) {
            (Some((metric, number)), None) => (metric, number, true),
            (None, Some((metric, number))) => (metric, number, false),
            _ => return Err(FORM.to_owned()),
        };
        let threshold = number.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let metric = metric.trim().to_owned();
        match threshold {
            Some(threshold) if !metric.is_empty() => Ok(Self { metric, is_at_least, threshold }),
            _ => Err(FORM.to_owned()),
        }
    }
}

impl fmt::Display for Success {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_at_least { "≥" } else { "≤" };
        write!(f, "{} {sign} {}", self.metric, self.threshold)
    }
}

impl Success {
    /// The column that it is about; `None` if there is none among these.
    pub(super) fn column(&self, columns: &Columns) -> Option<usize> {
        columns.iter().position(|column| {
            column.variant.as_ref().is_some_and(|variant| {
                variant.id == self.metric.as_str() || variant.metric() == self.metric
            })
        })
    }

    /// Whether a run succeeded. One that failed did not, and one without a score did not show that it did.
    pub(super) fn of(&self, run: &RunSummary, column: usize) -> bool {
        let score = run.last(column).ok().filter(|_| !run.has_failed);
        score.is_some_and(|score| {
            if self.is_at_least { score >= self.threshold } else { score <= self.threshold }
        })
    }

    /// Whether there is such a metric or variant at all.
    pub(super) fn is_known(&self, registry: &Registry) -> bool {
        let mut variants = registry.variants();
        variants.any(|it| it.id == self.metric.as_str() || it.metric() == self.metric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_is_read_and_what_is_none_refused() {
        let success: Success = " ssim >= 0.9".parse().unwrap();
        assert_eq!(success.to_string(), "ssim ≥ 0.9");
        assert_eq!("lpips/alex<=0.2".parse::<Success>().unwrap().to_string(), "lpips/alex ≤ 0.2");
        for odd in ["ssim", "ssim>0.9", ">=0.9", "ssim>=", "ssim>=NaN", "a>=1<=2"] {
            assert!(odd.parse::<Success>().is_err(), "{odd}");
        }
    }
}
