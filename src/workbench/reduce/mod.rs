//! The two functions that change the state: [`handle`] for what a person asks, [`apply`] for what the
//! worker says.
//!
//! Both end with one [`reconcile`], which asks the worker for whatever the new state wants. Uses
//! everything else of the workbench.

mod apply;
mod handle;
mod reconcile;

pub use apply::{apply, apply_all};
pub use handle::handle;
pub use reconcile::READ_RUNS;
