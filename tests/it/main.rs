//! The integration tests, in one binary: linking is the slow part.

mod shared;
mod window;
