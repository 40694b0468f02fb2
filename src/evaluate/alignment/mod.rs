//! Two to six runs of one task beside each other: which steps go together, where the runs diverge for good,
//! and what of the ground truth all of them have, or none.
//!
//! - [`RunTrace`]: what is kept of a run to align it: for every step what was asked, what came of it in the
//!   document and what the canvas looks like, each as a fingerprint that knows no ids;
//! - [`align`]: puts the steps of all runs into rows ([`Alignment`]);
//! - [`LastingDivergence`]: the first lasting divergence, which is where the canvases stop being the same for good;
//! - [`Consensus`]: the nodes and the areas of the ground truth that all runs have, and that none has.
//!
//! Start reading at [`align`].

mod arguments;
mod consensus;
mod divergence;
mod features;
mod fingerprint;
mod longest;
mod row;
mod rows;
mod trace;

#[cfg(test)]
mod tests;

pub use arguments::{ArgumentDifference, argument_differences};
pub use consensus::{Consensus, ConsensusNode, MissedByAll, consensus};
pub use divergence::{DivergenceKind, LastingDivergence};
pub use fingerprint::Fingerprint;
pub use row::AlignedRow;
pub use rows::{Alignment, MOST_RUNS, align};
pub use trace::{Likeness, RunEnd, RunTrace, StateTrace, StepTrace};
