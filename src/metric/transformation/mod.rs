//! Whether a picture was edited as the task asked: success functions over before and after.
//!
//! A task names its [`Check`]s in a file ([`Checks`]); [`Checks::judge`] gives a [`Verdict`] for each,
//! with the number that was measured. After PSBench, appendix C.1: there each task has a function
//! written for it; here the functions are a fixed set with parameters, so that a task is data.
//!
//! Like all metrics of pictures, checks look at RGB without alpha, but for the one of opacity.

mod check;
mod checks;
mod color;
mod geometry;
mod judge;

pub use check::{Axis, Bounds, Check, Region, Tint};
pub use checks::{Checks, ChecksError};
pub use judge::Verdict;
