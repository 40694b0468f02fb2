//! JSON Schemas of tool arguments: building them, and checking arguments against them.
//!
//! The tools use a small part of JSON Schema (objects without additional properties, arrays with a
//! length, numbers with a range, strings with an enumeration, booleans). [`build`] writes exactly
//! that part and [`check_arguments`] reads exactly that part, so that what a model is told and what
//! is enforced are one thing.

pub(crate) mod build;
mod check;

pub use check::{ArgumentError, check_arguments};
