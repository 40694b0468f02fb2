//! How two groups differ on the same tasks.

use crate::evaluate::relation::resampling;
use crate::metric::stats::{
    Interval, SignedRank, StatsError, cohen_d_paired, paired_bootstrap, signed_rank_test,
};

/// How two groups of runs differ on the same tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Tasks of both.
    pub tasks: usize,
    /// The mean of first − second, and its percentile bootstrap interval.
    pub mean: Result<(f64, Interval), StatsError>,
    /// Wilcoxon's signed-rank test, with the rank-biserial correlation.
    pub signed_rank: Result<SignedRank, StatsError>,
    /// Cohen's d of the differences.
    pub cohen_d: Result<f64, StatsError>,
}

impl Difference {
    /// Of both groups' values at each task that both have one for.
    pub fn of(both: &[(f64, f64)]) -> Self {
        let (first, second): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
        Self {
            tasks: both.len(),
            mean: paired_bootstrap(&first, &second, &resampling(both.len()))
                .map(|found| (found.mean_difference, found.interval)),
            signed_rank: signed_rank_test(&first, &second),
            cohen_d: cohen_d_paired(&first, &second),
        }
    }
}
