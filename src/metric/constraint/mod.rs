//! What a design query asks for, held against what was made: no model, and no ground truth.
//!
//! - [`Query`]: the components of a query, as GraphicBench publishes them;
//! - [`check`]: each component against a [`Page`]: [`Findings`] of yes, no or can't say, with the node
//!   and the reason in words and numbers;
//! - [`read_brief`]: a query of what somebody describes in words;
//! - [`ColorName`], [`clauses`], [`wording`], [`TextClass`], [`contrast_ratio`]: the rules.
//!
//! Ours, a heuristic and not of the papers ([`heuristic`] is all that is fitted): they ask a vision model yes/no
//! questions instead. A rule answers only what it is for; for anything else it says that there is none.

mod check;
mod color_name;
mod contrast;
mod described;
mod finding;
mod heuristic;
mod metric;
mod page;
mod pairing;
mod place;
mod position;
mod question;
mod words;

pub use crate::graphictown::{DesignType, Query, QueryImage, WantedSize, WantedText, WantedVisual};
pub use check::check;
pub use color_name::{CHROMATIC, ColorName, EXTREME, NEUTRAL, NoColor, colors_in};
pub use contrast::{LARGE_POINTS, LEAST as LEAST_CONTRAST, contrast_on_picture, contrast_ratio};
pub use described::{LONGEST_BRIEF, read_brief};
pub use finding::{Aspect, Finding, Findings, Verdict};
pub use metric::Constraints;
pub use page::Page;
pub use position::{Clause, Parsed, Relation, Zone, clauses};
pub use question::{Asks, asks};
pub use words::{TextClass, Wording, name_words, picture_share, singular, wording};
