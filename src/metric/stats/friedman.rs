//! The same people under several conditions, by the ranks of what each did.

use super::concordance::kendall_w;
use super::correlation::{PMethod, average_ranks};
use super::distribution::chi_squared_above;
use super::error::StatsError;
use super::permutation::permute_rows;

/// Below so many rows that differ between conditions, the p-value is by permutation.
const LEAST_ASYMPTOTIC: usize = 24;

/// Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// χ², corrected for ties.
    pub chi_squared: f64,
    /// Conditions less one.
    pub degrees: usize,
    /// The p-value: by exchanging the ranks of rows where fewer than 24 differ between conditions, else of χ².
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The p-value of χ², as SciPy has it.
    pub chi_squared_p: f64,
    /// The least p-value that these rows could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// Kendall's W, the effect: 0 if the conditions' ranks are alike, 1 if all rows have the same order.
    pub w: f64,
    /// The mean rank of each condition.
    pub mean_ranks: Vec<f64>,
    /// Rows.
    pub rows: usize,
}

/// Friedman's test of rows, a column a condition.
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two rows or conditions, [`StatsError::UnequalLengths`],
/// [`StatsError::NotFinite`], [`StatsError::AllTied`] where no row differs between conditions,
/// [`StatsError::TooManyConditions`] where it has to be permuted.
///
/// Source: Friedman 1937; as `scipy.stats.friedmanchisquare`.
pub fn friedman(rows: &[Vec<f64>], seed: u64) -> Result<Friedman, StatsError> {
    if rows.len() < 2 {
        return Err(StatsError::TooFew { what: "rows", found: rows.len(), needed: 2 });
    }
    let k = rows[0].len();
    if k < 2 {
        return Err(StatsError::TooFew { what: "conditions", found: k, needed: 2 });
    }
    let concordance = kendall_w(rows)?;
    // W is χ² in units of the most that it can be.
    let chi_squared = concordance.w * rows.len() as f64 * (k - 1) as f64;
    let ranks: Vec<Vec<f64>> = rows.iter().map(|row| average_ranks(row)).collect();
    let chi_squared_p = chi_squared_above(chi_squared, k - 1);
    // Rows without a difference add the same to every column: there could be any number of them.
    let mixed: Vec<Vec<f64>> =
        ranks.iter().filter(|row| row.iter().any(|rank| *rank != row[0])).cloned().collect();
    let (p, method, least_p) = if mixed.len() < LEAST_ASYMPTOTIC {
        let permuted = permute_rows(&mixed, seed)?;
        (permuted.p, permuted.method, permuted.least_p)
    } else {
        (chi_squared_p, PMethod::Asymptotic, 0.0)
    };
    let mean_ranks =
        (0..k).map(|at| ranks.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64);
    Ok(Friedman {
        chi_squared,
        degrees: k - 1,
        p,
        method,
        chi_squared_p,
        least_p,
        w: concordance.w,
        mean_ranks: mean_ranks.collect(),
        rows: rows.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_p_of_three_rows_of_three_is_one_in_thirty_six() {
        let rows = vec![vec![1.0, 2.0, 3.0]; 3];
        let test = friedman(&rows, 0).unwrap();
        // Six of 6³ arrangements have all rows alike.
        assert!((test.p - 1.0 / 36.0).abs() < 1e-12 && (test.least_p - test.p).abs() < 1e-12);
        assert_eq!((test.chi_squared, test.w), (6.0, 1.0));
        assert_eq!(test.mean_ranks, [1.0, 2.0, 3.0]);
        let two = friedman(&rows[..2], 0).unwrap();
        assert!(two.least_p > 0.05, "two rows cannot say anything");
    }

    #[test]
    fn rows_without_a_difference_do_not_make_enough_of_too_few() {
        let differ = vec![vec![1.0, 2.0, 3.0]; 2];
        let rows: Vec<Vec<f64>> = differ.iter().cloned().chain(vec![vec![1.0; 3]; 30]).collect();
        let (few, all) = (friedman(&differ, 0).unwrap(), friedman(&rows, 0).unwrap());
        assert_eq!((few.p, few.least_p, few.method), (all.p, all.least_p, all.method));
        assert!(all.least_p > 0.05);
    }

    #[test]
    fn every_undefined_case_says_why() {
        let few = StatsError::TooFew { what: "rows", found: 1, needed: 2 };
        assert_eq!(friedman(&[vec![1.0, 2.0]], 0), Err(few));
        assert_eq!(friedman(&[vec![1.0; 3], vec![2.0; 3]], 0), Err(StatsError::AllTied));
        let unequal = StatsError::UnequalLengths { left: 2, right: 3 };
        assert_eq!(friedman(&[vec![1.0, 2.0], vec![1.0, 2.0, 3.0]], 0), Err(unequal));
    }
}
