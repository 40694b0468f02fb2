//! Runs in the formats of others: folders that published evaluators read, pictures and films for papers
//! and talks.
//!
//! - [`canvas`]: CANVAS's benchmark and result folders, which its published evaluator reads as they are;
//!
//! The counterpart of [`import`](crate::import). Uses `evaluate` and what stands above it.

pub mod canvas;
