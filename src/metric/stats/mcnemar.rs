//! Who passes under one of two conditions only, on the same tasks or by the same people.

use super::distribution::{chi_squared_above, even_binomial_at_most};
use super::error::StatsError;
use super::paired_ranks::PassTable;

/// From so many pairs that differ, χ² may stand for the exact test.
const LEAST_FOR_CHI_SQUARED: u64 = 25;

/// McNemar's test in its three forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// Pairs in which only the first passes.
    pub only_first: u64,
    /// Pairs in which only the second does.
    pub only_second: u64,
    /// The exact two-sided p-value.
    pub p: f64,
    /// The mid-p value: the outcome itself counted half. Less strict, and still close to its level.
    pub mid_p: f64,
    /// χ² with Edwards' correction for continuity and its p-value; from 25 pairs that differ.
    pub chi_squared: Option<(f64, f64)>,
    /// How many times as often only the first passes; `None` where that has no limit.
    pub odds: Option<f64>,
    /// The least p-value that so many pairs could have given: above 0.05 (below six of them) they are too few.
    pub least_p: f64,
}

/// McNemar's test of two conditions on the same units.
///
/// # Errors
///
/// [`StatsError::AllTied`] where no pair differs.
///
/// Source: McNemar 1947; Edwards 1948; mid-p after Fagerland, Lydersen and Laake 2013. As statsmodels' `mcnemar`.
pub fn mcnemar(table: &PassTable) -> Result<McNemar, StatsError> {
    let (b, c) = (table.only_first, table.only_second);
    let p = table.mcnemar()?;
    let (trials, rarer) = (b + c, b.min(c));
    // The probability of the outcome itself is the step of the distribution there.
    let below = if rarer == 0 { 0.0 } else { even_binomial_at_most(rarer - 1, trials) };
    let own = even_binomial_at_most(rarer, trials) - below;
    // Where both are equal, the two tails share the outcome, and what is taken off is half of it only.
    let mid_p = if b == c { 1.0 - own / 2.0 } else { (2.0 * below + own).min(1.0) };
    let chi_squared = (trials >= LEAST_FOR_CHI_SQUARED).then(|| {
        let apart = b.abs_diff(c) as f64 - 1.0;
        // Equal counts are no further apart than chance has them.
        let value = apart.max(0.0).powi(2) / trials as f64;
        (value, chi_squared_above(value, 1))
    });
    Ok(McNemar {
        only_first: b,
        only_second: c,
        p,
        mid_p,
        chi_squared,
        odds: (c > 0).then(|| b as f64 / c as f64),
        least_p: (2.0 * even_binomial_at_most(0, trials)).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(only_first: u64, only_second: u64) -> McNemar {
        mcnemar(&PassTable { both: 3, only_first, only_second, neither: 2 }).unwrap()
    }

    #[test]
    fn small_tables_are_counted_by_hand() {
        let test = of(1, 5);
        // At most 1 of 6: 7 of 64 at either end; the outcome itself is 6 of 64.
        assert!((test.p - 14.0 / 64.0).abs() < 1e-12);
        assert!((test.mid_p - 8.0 / 64.0).abs() < 1e-12);
        assert_eq!((test.chi_squared, test.odds), (None, Some(0.2)));
        assert!((of(2, 2).p - 1.0).abs() < 1e-12);
        assert!((of(2, 2).mid_p - (1.0 - 6.0 / 32.0)).abs() < 1e-12);
    }

    #[test]
    fn fewer_than_six_can_say_nothing() {
        assert!(of(0, 5).least_p > 0.05 && of(0, 6).least_p < 0.05);
        assert_eq!(of(3, 0).odds, None);
        let none = PassTable { both: 3, only_first: 0, only_second: 0, neither: 2 };
        assert_eq!(mcnemar(&none), Err(StatsError::AllTied));
    }

    #[test]
    fn many_pairs_have_their_chi_squared() {
        let (value, p) = of(10, 25).chi_squared.unwrap();
        assert!((value - 14.0 * 14.0 / 35.0).abs() < 1e-12);
        assert!((p - 0.017_96).abs() < 1e-4, "{p}");
        assert_eq!(of(20, 20).chi_squared.map(|it| it.0), Some(0.0));
    }
}
