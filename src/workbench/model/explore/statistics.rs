//! Statistics of what the table shows, which the worker makes: how two columns go together, and how two groups of
//! runs differ on the same tasks.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

pub use crate::evaluate::Relation;
pub use crate::evaluate::groups::Difference;
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
    /// How two groups differ.
    Difference,
}

/// Statistics of pairs.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistics {
    /// How two columns go together.
    Relation(Relation),
    /// How two groups differ.
    Difference(Difference),
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
