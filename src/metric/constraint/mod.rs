//! What a design query asks for, held against what was made.
//!
//! - [`Query`]: the components of a query, as GraphicBench publishes them.

mod query;

pub use query::{DesignType, Query, QueryImage, WantedSize, WantedText, WantedVisual};
