//! How two groups differ on the same tasks.

use crate::metric::stats::{
    BootstrapPlan, Interval, SignedRank, StatsError, cohen_d_paired, paired_bootstrap,
    signed_rank_test,
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
    /// Of two groups' values at the same tasks, in one order.
    pub fn of(first: &[f64], second: &[f64], plan: &BootstrapPlan) -> Self {
        Self {
            tasks: first.len(),
            mean: paired_bootstrap(first, second, plan)
                .map(|found| (found.mean_difference, found.interval)),
            signed_rank: signed_rank_test(first, second),
            cohen_d: cohen_d_paired(first, second),
        }
    }
}
