//! What is read of runs for the table: a block of them at a time.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::RunDigest;
use crate::workbench::model::ids::RunId;
use crate::workbench::model::values::ResourceKey;

/// Runs read in one job.
const BLOCK: u32 = 32;

/// A block of runs whose events are read, by its place: runs by their numbers, so many to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DigestsKey(pub u32);

/// What was read of a block, or why it could not be.
pub type Digests = Vec<(RunId, Result<Arc<RunDigest>, Arc<str>>)>;

/// What is known of a run's calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DigestState {
    /// Its events are still to be read.
    #[default]
    NotRead,
    /// They were.
    Read(Arc<RunDigest>),
    /// They cannot be.
    Failed(Arc<str>),
}

impl DigestState {
    /// What was read.
    pub fn read(&self) -> Option<&Arc<RunDigest>> {
        match self {
            Self::Read(digest) => Some(digest),
            Self::NotRead | Self::Failed(_) => None,
        }
    }
}

/// Where a run of a block lies.
pub type DigestInput = Vec<(RunId, PathBuf)>;

impl DigestsKey {
    /// The block of a run.
    pub fn of(run: RunId) -> Self {
        Self(run.0 / BLOCK)
    }

    /// The numbers of the runs in it.
    pub fn runs(self) -> std::ops::Range<RunId> {
        let first = self.0.saturating_mul(BLOCK);
        RunId(first)..RunId(first.saturating_add(BLOCK))
    }
}

impl ResourceKey for DigestsKey {
    type Value = Digests;
    // What was read lies with the runs: nothing is kept here.
    const BUDGET: usize = 8;

    fn cost(_: &Digests) -> usize {
        1
    }
}
