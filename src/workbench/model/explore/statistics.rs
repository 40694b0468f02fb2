//! Statistics of what the table shows, which the worker makes: how two columns go together, and how two models
//! differ on the same tasks.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use crate::metric::stats::{Correlation, Interval, SignedRank, StatsError};
use crate::workbench::model::values::ResourceKey;

/// Numbers that statistics are made of, told from others by a hash of all of them.
#[derive(Clone, Debug)]
pub struct StatisticsKey {
    /// What of them.
    pub of: StatisticsOf,
    /// The hash.
    pub revision: u64,
    /// The pairs.
    pub pairs: Arc<[(f64, f64)]>,
}

/// Which statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatisticsOf {
    /// How two columns go together.
    Relation,
    /// How two models differ.
    Difference,
}

/// Statistics of pairs.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistics {
    /// How two columns go together.
    Relation(Relation),
    /// How two models differ.
    Difference(Difference),
}

/// How two columns go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// How many runs have both.
    pub runs: usize,
    /// Spearman's ρ.
    pub spearman: Coefficient,
    /// Kendall's τ-b.
    pub kendall: Coefficient,
    /// Pearson's r.
    pub pearson: Coefficient,
    /// Resamples of each interval.
    pub resamples: usize,
}

/// A correlation and its percentile bootstrap interval, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    /// The coefficient with its p-value.
    pub of_all: Result<Correlation, StatsError>,
    /// From where to where it may be (95 %).
    pub interval: Result<Interval, StatsError>,
}

/// How two models differ on the same tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Tasks of both.
    pub tasks: usize,
    /// The mean of first − second, and its percentile bootstrap interval (95 %).
    pub mean: Result<(f64, Interval), StatsError>,
    /// Wilcoxon's signed-rank test, with the rank-biserial correlation.
    pub signed_rank: Result<SignedRank, StatsError>,
    /// Cohen's d of the differences.
    pub cohen_d: Result<f64, StatsError>,
}

impl StatisticsKey {
    /// Statistics of these pairs.
    pub fn new(of: StatisticsOf, pairs: Vec<(f64, f64)>) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        for (a, b) in &pairs {
            (a.to_bits(), b.to_bits()).hash(&mut hasher);
        }
        pairs.len().hash(&mut hasher);
        Self { of, revision: hasher.finish(), pairs: pairs.into() }
    }

    fn parts(&self) -> (StatisticsOf, u64, usize) {
        (self.of, self.revision, self.pairs.len())
    }
}

impl PartialEq for StatisticsKey {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for StatisticsKey {}

impl PartialOrd for StatisticsKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for StatisticsKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl ResourceKey for StatisticsKey {
    type Value = Statistics;
    // Whoever goes back to a filter or an axis finds it again.
    const BUDGET: usize = 64;

    fn cost(_: &Statistics) -> usize {
        1
    }
}
