//! Measurements: pure functions, one metric a file, the number and what explains it from one pass.
//!
//! A [`Metric`] measures a [`Comparison`] of a ground truth and what was generated. The [`Registry`]
//! lists all that can be computed here, each [`VariantSpec`] with its direction, range and source.
//! A metric whose input or model is missing says so in the [`Score`]; it never makes a number up.
//!
//! What is measured on other things than a comparison has types of its own: what an agent did
//! ([`behavior`]), its plans ([`plan`]), what became of an assistant's suggestions ([`codesign`]), checklists
//! ([`checklist`]), skills ([`skill`]) and what a design query asks for ([`constraint`]).
//!
//! Uses `base`, `design` and `raster`; never `render`, never I/O. What a learned metric goes by is a
//! trait here and a backend in `model`.

pub mod assignment;
pub mod behavior;
pub mod caption;
pub mod checklist;
pub mod codesign;
mod comparison;
pub mod component;
pub mod constraint;
pub mod fidelity;
pub mod judging;
mod lab;
mod loss_areas;
pub mod lpips;
mod measure;
mod measurement;
pub mod picture;
pub mod plan;
pub mod plane;
pub mod program;
mod registry;
pub mod resize;
mod resize_cache;
pub mod saliency;
mod score;
pub mod skill;
pub mod ssim;
pub mod stats;
mod step_memory;
pub mod transformation;

pub use comparison::{Absence, Comparison, Side};
pub use lab::{Lab, ciede2000};
pub use loss_areas::{LossArea, MOST_LOSS_AREAS, loss_areas};
pub use measure::{Direction, Measured, Metric, Needs, QuestionSize, VariantId, VariantSpec};
pub use measurement::{Evidence, JudgeAnswer, MapKind, Measurement, SaliencyMaps, ScalarMap};
pub use registry::Registry;
pub use resize_cache::ResizeCache;
pub use score::{MissingScore, Score};
pub use step_memory::StepMemory;
