//! What follows from the state, worked out anew whenever it is asked for.
//!
//! The `impl State` blocks here say what is looked at (which picture, which nodes, which variant);
//! [`kinds`] which values of the worker that takes; [`views`] what the window shows of it. Uses `model`
//! and `protocol`; changes nothing.

mod asking;
mod assist;
mod documents;
pub(in crate::workbench) mod explore;
mod export;
mod find;
pub(in crate::workbench) mod kinds;
mod nodes;
mod pixel_difference;
mod place;
mod run_curves;
mod session;
mod slots;
mod variants;
pub mod views;
mod windows;

pub use assist::EarlierDesign;
