//! A planner without a model: the components of a query, by rules.
//!
//! - [`RulePlanner`]: the agent;
//! - `layout` decides where everything goes: sizes by their words, places by the clauses of their
//!   positions, as `reading` reads them;
//! - `steps` writes that down as actions of two experts: the photo editor puts pictures on the
//!   background, the layout designer sets texts over them.
//!
//! It is a baseline: it follows the words of the components one by one, and knows nothing of taste. A text has the
//! colour that is asked for, also where it can hardly be read on what is under it: then its letters get a thin outline.
//! What no rule is for goes to the middle of the page, in a size of its class, and is a note.

mod layout;
mod planner;
mod reading;
mod steps;

pub use planner::RulePlanner;
