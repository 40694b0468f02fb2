//! What an agent did, counted: how many turns and calls, with which tools, and what each of them
//! did to the scores.
//!
//! - [`Counts`] of turns, calls, failures and tools; [`ToolAgreement`] with the tools people named;
//! - [`PosDistribution`]: how many metrics an edit made better, over many cases;
//! - [`Curve`]: one metric over the turns, its best against its last;
//! - [`Attribution`]: which tool moved a metric how far.
//!
//! All are pure functions of plain slices, so that they serve recorded runs, imported ones and
//! tables alike; what cannot be computed says why.

mod attribution;
mod counts;
mod curve;
mod pos;

pub use attribution::{Attribution, Moved, ScoredStep};
pub use counts::{Counts, ToolAgreement, ToolCounts, ToolUse};
pub use curve::{Curve, CurvePoint};
pub use pos::{EditedScore, NoChange, Pos, PosDistribution, change};
