//! The integration tests, in one binary: linking is the slow part.

mod design;
mod shared;
