//! Measurements: pure functions, one metric a file, the number and what explains it from one pass.
//!
//! A [`Metric`] measures a [`Comparison`] of a ground truth and what was generated. The [`Registry`]
//! lists all that can be computed here, each [`VariantSpec`] with its direction, range and source.
//! A metric whose input or model is missing says so in the [`Score`]; it never makes a number up.
//!
//! Uses `base`, `design` and `raster`; never `render`, never I/O. What a learned metric goes by is a
//! trait here and a backend in `model`.

mod comparison;
mod measurement;
pub mod plane;
mod registry;
pub mod resize;
mod score;
pub mod ssim;
pub mod stats;
mod variant;

pub use comparison::{Absence, Comparison, Side};
pub use measurement::{Evidence, Measurement, ScalarMap};
pub use registry::{Measured, Metric, Registry};
pub use score::{MissingScore, Score};
pub use variant::{Direction, Needs, VariantSpec};
