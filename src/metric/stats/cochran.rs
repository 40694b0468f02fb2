//! Who passes under each of several conditions, on the same units.

use super::correlation::PMethod;
use super::distribution::chi_squared_above;
use super::error::StatsError;
use super::permutation::permute_rows;

/// Below so many rows that differ between conditions, the p-value is by permutation.
const LEAST_ASYMPTOTIC: usize = 24;

/// Cochran's Q test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CochranQ {
    /// Q.
    pub q: f64,
    /// Conditions less one.
    pub degrees: usize,
    /// The p-value: by exchanging the values of rows where fewer than 24 are mixed, else of χ².
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The p-value of χ², whatever the number of rows.
    pub chi_squared_p: f64,
    /// The least p-value that these rows could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// Rows that are neither all yes nor all no; the others say nothing.
    pub mixed_rows: usize,
    /// All rows.
    pub rows: usize,
}

/// Cochran's Q of rows of yes and no, a column a condition.
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two conditions or without rows, [`StatsError::UnequalLengths`],
/// [`StatsError::NoMixedRows`], [`StatsError::TooManyConditions`] where it has to be permuted.
///
/// Source: Cochran 1950; as statsmodels' `cochrans_q`.
pub fn cochran_q(rows: &[Vec<bool>], seed: u64) -> Result<CochranQ, StatsError> {
    let k = rows.first().map_or(0, Vec::len);
    if rows.is_empty() {
        return Err(StatsError::TooFew { what: "rows", found: 0, needed: 1 });
    }
    if k < 2 {
        return Err(StatsError::TooFew { what: "conditions", found: k, needed: 2 });
    }
    if let Some(other) = rows.iter().find(|row| row.len() != k) {
        return Err(StatsError::UnequalLengths { left: k, right: other.len() });
    }
    let numbers = rows
        .iter()
        .map(|row| row.iter().map(|yes| f64::from(u8::from(*yes))).collect::<Vec<f64>>());
    let mixed: Vec<Vec<f64>> = numbers.filter(|row| row.iter().any(|it| *it != row[0])).collect();
    if mixed.is_empty() {
        return Err(StatsError::NoMixedRows);
    }
    // Rows that are all yes add the same to every column and nothing to the divisor.
    let columns: Vec<f64> = (0..k).map(|at| mixed.iter().map(|row| row[at]).sum()).collect();
    let totals: Vec<f64> = mixed.iter().map(|row| row.iter().sum()).collect();
    let all: f64 = columns.iter().sum();
    let squares: f64 = columns.iter().map(|sum| sum * sum).sum();
    let of_rows: f64 = totals.iter().map(|total| total * total).sum();
    let k_real = k as f64;
    let q = (k_real - 1.0) * (k_real * squares - all * all) / (k_real * all - of_rows);
    let chi_squared_p = chi_squared_above(q, k - 1);
    let (p, method, least_p) = if mixed.len() < LEAST_ASYMPTOTIC {
        let permuted = permute_rows(&mixed, seed)?;
        (permuted.p, permuted.method, permuted.least_p)
    } else {
        (chi_squared_p, PMethod::Asymptotic, 0.0)
    };
    let (mixed_rows, rows) = (mixed.len(), rows.len());
    Ok(CochranQ { q, degrees: k - 1, p, method, chi_squared_p, least_p, mixed_rows, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::{PassTable, mcnemar};

    #[test]
    fn of_two_conditions_it_is_mcnemars_test() {
        let pairs = [(true, false), (true, false), (true, false), (false, true), (true, true)];
        let more = [(true, false), (true, false), (false, false)];
        let all: Vec<(bool, bool)> = pairs.into_iter().chain(more).collect();
        let rows: Vec<Vec<bool>> = all.iter().map(|(a, b)| vec![*a, *b]).collect();
        let q = cochran_q(&rows, 0).unwrap();
        let pair = mcnemar(&PassTable::of(all)).unwrap();
        assert!((q.q - 16.0 / 6.0).abs() < 1e-12);
        assert!((q.p - pair.p).abs() < 1e-12 && (q.least_p - pair.least_p).abs() < 1e-12);
        assert_eq!((q.mixed_rows, q.rows, q.method), (6, 8, PMethod::Exact));
    }

    #[test]
    fn every_undefined_case_says_why() {
        let too_few = |what, found, needed| StatsError::TooFew { what, found, needed };
        assert_eq!(cochran_q(&[], 0), Err(too_few("rows", 0, 1)));
        assert_eq!(cochran_q(&[vec![true]], 0), Err(too_few("conditions", 1, 2)));
        assert_eq!(cochran_q(&[vec![true; 3], vec![false; 3]], 0), Err(StatsError::NoMixedRows));
        let unequal = StatsError::UnequalLengths { left: 2, right: 3 };
        assert_eq!(cochran_q(&[vec![true; 2], vec![false; 3]], 0), Err(unequal));
    }
}
