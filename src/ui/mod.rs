//! The window: panels and widgets over an immutable state.
//!
//! Everything here draws from a [`ViewContext`] and can only send commands. Uses `workbench` and
//! the types it is made of, read-only; never `worker`, `store` or `agent`.

mod context;

pub use context::{CommandQueue, ViewContext};
