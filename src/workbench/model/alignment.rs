//! The runs on the stage beside each other, step by step.

use std::sync::Arc;

use crate::evaluate::alignment::{Alignment, Consensus, RunTrace};

use super::ids::RunId;
use super::values::ResourceKey;

/// How much of what runs are aligned by is kept, in bytes.
const TRACES: usize = 128 << 20;
/// Most alignments kept: they are small.
const KEPT: usize = 32;

/// What a run is aligned by: that of its first so many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceKey {
    /// Of which run.
    pub run: RunId,
    /// How many steps it had: one that is under way gets more.
    pub steps: u32,
}

/// Runs of one task, aligned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlignmentKey {
    /// Which, the selected one first.
    pub runs: Vec<TraceKey>,
}

/// What of the ground truth runs of one task have; by itself, as the runs go together whatever counts as missed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConsensusKey {
    /// Which, the selected one first.
    pub runs: Vec<TraceKey>,
    /// From which difference on a place of the picture is missed, in hundredths.
    pub threshold: u8,
}

/// Runs of one task beside each other.
#[derive(Clone, Debug)]
pub struct AlignedRuns {
    /// Which steps go together.
    pub alignment: Alignment,
    /// By run: how much of it goes together with the first one.
    pub like_first: Vec<LikeFirst>,
    /// What the runs are aligned by, in their order.
    pub traces: Vec<Arc<RunTrace>>,
}

/// How many steps of a run stand beside one of the first run …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LikeFirst {
    /// … and are the same call.
    pub calls: usize,
    /// … and change the same.
    pub effects: usize,
    /// … after which both canvases look the same.
    pub pictures: usize,
}

impl ResourceKey for TraceKey {
    type Value = RunTrace;
    const BUDGET: usize = TRACES;

    fn cost(trace: &RunTrace) -> usize {
        trace.bytes()
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

impl ResourceKey for AlignmentKey {
    type Value = AlignedRuns;
    const BUDGET: usize = KEPT;

    fn cost(_: &AlignedRuns) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.runs.iter().any(|key| key.run == run)
    }
}

impl ResourceKey for ConsensusKey {
    type Value = Consensus;
    const BUDGET: usize = KEPT;

    fn cost(_: &Consensus) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.runs.iter().any(|key| key.run == run)
    }
}

impl TraceKey {
    /// Whether these are the same runs in the same order, whatever steps they had.
    pub fn are_of_same_runs(one: &[Self], other: &[Self]) -> bool {
        one.iter().map(|key| key.run).eq(other.iter().map(|key| key.run))
    }
}

impl AlignedRuns {
    /// The traces, as the alignment takes them.
    pub fn traces(&self) -> Vec<&RunTrace> {
        self.traces.iter().map(|trace| &**trace).collect()
    }
}
