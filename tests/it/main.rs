//! The integration tests, in one binary: linking is the slow part.
//!
//! Every module is marked as a test, so that clippy lets its helpers unwrap too.

#[cfg(test)]
mod canvas;
#[cfg(test)]
mod design;
#[cfg(test)]
mod render;
#[cfg(test)]
mod shared;
