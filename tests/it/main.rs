//! The integration tests, in one binary: linking is the slow part.

mod render;
mod shared;
