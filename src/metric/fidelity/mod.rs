//! Whether the pictures that a task gave are in the design that was made.
//!
//! [`Fidelity`] is the metric. [`match_template`] finds one picture in another; its correlation is by
//! Fourier transform, yet exact: sums of products of 8-bit samples are whole numbers, and the
//! transform in double precision errs by much less than a half.

mod area;
mod matching;
mod metric;

pub use matching::{BestPlace, InputPlace, TemplateMatch, match_template};
pub use metric::Fidelity;
