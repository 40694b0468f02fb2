//! Pearson's and Spearman's correlation, and the ranks of the latter.

use super::distribution::correlation_two_sided;
use super::error::{StatsError, check_pairs};
use super::linear::dot;

/// A correlation with its p-value.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// Within −1..=1; exactly 1 of a variable with itself.
    pub value: f64,
    /// The probability of a coefficient at least as far from 0 if the variables are independent,
    /// or why there is none.
    pub p: Result<f64, StatsError>,
    /// How the p-value was found.
    pub method: PMethod,
}

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PMethod {
    /// Student's t distribution with n − 2 degrees of freedom.
    StudentT,
    /// Every permutation counted.
    Exact,
    /// The normal or χ² distribution that it tends to.
    Asymptotic,
    /// Permutations drawn at random, by a seed.
    Permutation,
}

impl PMethod {
    /// The name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::StudentT => "student_t",
            Self::Exact => "exact",
            Self::Asymptotic => "asymptotic",
            Self::Permutation => "permutation",
        }
    }
}

/// Pearson's product-moment correlation of two variables.
///
/// The p-value is that of `scipy.stats.pearsonr`; of two points, it is 1. Neither unit nor origin
/// nor the size of numbers matters.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] of fewer than two,
/// [`StatsError::Constant`].
pub fn pearson(a: &[f64], b: &[f64]) -> Result<Correlation, StatsError> {
    let value = product_moment(a, b)?;
    // SciPy's choice: two points always lie on a line, so any coefficient is certain.
    let p = if a.len() == 2 { 1.0 } else { correlation_two_sided(value, a.len() - 2) };
    Ok(Correlation { value, p: Ok(p), method: PMethod::StudentT })
}

/// Spearman's rank correlation of two variables: Pearson's of their ranks, ties sharing the mean.
///
/// The p-value is that of `scipy.stats.spearmanr`; of two points there is none.
///
/// # Errors
///
/// As [`pearson`].
pub fn spearman(a: &[f64], b: &[f64]) -> Result<Correlation, StatsError> {
    check_pairs(a, b)?;
    let value = product_moment(&average_ranks(a), &average_ranks(b))?;
    let p = match a.len() - 2 {
        0 => Err(StatsError::NoDegreesOfFreedom { found: 2 }),
        degrees => Ok(correlation_two_sided(value, degrees)),
    };
    Ok(Correlation { value, p, method: PMethod::StudentT })
}

fn product_moment(a: &[f64], b: &[f64]) -> Result<f64, StatsError> {
    check_pairs(a, b)?;
    check_varies(a, b)?;
    let (a, b) = (centred(a), centred(b));
    // One root of the product, not a product of roots: exactly 1 of a variable with itself.
    Ok((dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).clamp(-1.0, 1.0))
}

/// Refuses variables with fewer than two values or without a difference.
pub(super) fn check_varies(a: &[f64], b: &[f64]) -> Result<(), StatsError> {
    if a.len() < 2 {
        return Err(StatsError::TooFew { what: "observations", found: a.len(), needed: 2 });
    }
    for (values, which) in [(a, "first"), (b, "second")] {
        // Asked of the values themselves: after centring, rounding could leave a spread of its own.
        if values.iter().all(|value| *value == values[0]) {
            return Err(StatsError::Constant { which });
        }
    }
    Ok(())
}

/// The deviations from the mean, in units of the largest: within −1..=1, whatever the size of the
/// numbers. Equal values stay equal.
pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    // A power of two takes no digits away.
    let exponent = largest(values).map_or(0, |largest| libm::frexp(largest).1);
    let mut scaled: Vec<f64> = values.iter().map(|value| libm::scalbn(*value, -exponent)).collect();
    // Within −1..=1 the sum cannot overflow, whatever the numbers were.
    let mean = scaled.iter().sum::<f64>() / values.len().max(1) as f64;
    for value in &mut scaled {
        *value -= mean;
    }
    if let Some(largest) = largest(&scaled) {
        for value in &mut scaled {
            *value /= largest;
        }
    }
    scaled
}

/// The largest absolute value, if it is not 0.
fn largest(values: &[f64]) -> Option<f64> {
    values.iter().map(|value| value.abs()).reduce(f64::max).filter(|largest| *largest > 0.0)
}

/// The rank of each value, from 1; equal values share the mean of their ranks. Values are finite.
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Adding 0 turns −0 into 0, which is the same value.
    order.sort_unstable_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for ties in order.chunk_by(|&a, &b| values[a] == values[b]) {
        // The mean of below + 1 ..= below + t, a half or a whole: ranks are exact.
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        for at in ties {
            ranks[*at] = rank;
        }
        below += ties.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn correlations_are_symmetric_and_in_range(
            pairs in prop::collection::vec((-50_i8..50, -50_i8..50), 2..40),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            for correlate in [pearson, spearman] {
                match (correlate(&a, &b), correlate(&b, &a)) {
                    (Ok(there), Ok(back)) => {
                        prop_assert_eq!(&there, &back);
                        prop_assert!((-1.0..=1.0).contains(&there.value));
                        prop_assert!(there.p.is_err() || (0.0..=1.0).contains(&there.p.unwrap()));
                        prop_assert_eq!(correlate(&a, &a).unwrap().value, 1.0);
                    }
                    (Err(StatsError::Constant { .. }), Err(StatsError::Constant { .. })) => {}
                    (there, back) => prop_assert!(false, "{there:?} and {back:?}"),
                }
            }
        }

        #[test]
        fn unit_and_origin_do_not_matter(
            values in prop::collection::vec(-1e3_f64..1e3, 3..30), turn in 1_usize..9,
        ) {
            let mut other = values.clone();
            other.rotate_left(turn % values.len());
            for unit in [1e-200, 0.3, 1e200] {
                let moved: Vec<f64> = values.iter().map(|value| unit * (value + 7.0)).collect();
                if let (Ok(plain), Ok(moved)) = (pearson(&values, &other), pearson(&moved, &other)) {
                    prop_assert!((plain.value - moved.value).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn the_largest_numbers_correlate() {
        let r = pearson(&[-f64::MAX, 0.0, f64::MAX], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(r.value, 1.0);
        let tiny = f64::from_bits(1);
        assert!(pearson(&[0.0, tiny, 2.0 * tiny], &[1.0, 2.0, 4.0]).unwrap().value > 0.9);
    }

    #[test]
    fn every_undefined_case_says_why() {
        for correlate in [pearson, spearman] {
            let cases: [(&[f64], &[f64], StatsError); 5] = [
                (&[1.0; 3], &[1.0, 2.0, 3.0], StatsError::Constant { which: "first" }),
                (&[1.0, 2.0], &[4.0; 2], StatsError::Constant { which: "second" }),
                (&[1.0], &[], StatsError::UnequalLengths { left: 1, right: 0 }),
                (&[1.0, f64::NAN], &[1.0; 2], StatsError::NotFinite { at: 1 }),
                (&[1.0], &[1.0], StatsError::TooFew { what: "observations", found: 1, needed: 2 }),
            ];
            for (a, b, error) in cases {
                assert_eq!(correlate(a, b), Err(error));
            }
        }
        let two = spearman(&[1.0, 2.0], &[4.0, 3.0]).unwrap();
        assert_eq!((two.value, two.p), (-1.0, Err(StatsError::NoDegreesOfFreedom { found: 2 })));
        assert_eq!(pearson(&[1.0, 2.0], &[4.0, 3.0]).unwrap().p, Ok(1.0));
    }

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(average_ranks(&[10.0, -3.0, 10.0, 7.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(average_ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert!(average_ranks(&[]).is_empty());
    }
}
