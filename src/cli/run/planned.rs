//! A run to be made.

use std::sync::Arc;

use crate::agent::batch::{BatchSettings, Order};

/// A run to be made, and how.
pub(super) struct PlannedRun {
    pub(super) order: Order,
    pub(super) settings: Arc<BatchSettings>,
}

/// Runs that are all made in one way.
pub(super) fn alike(orders: Vec<Order>, settings: BatchSettings) -> Vec<PlannedRun> {
    let settings = Arc::new(settings);
    orders.into_iter().map(|order| PlannedRun { order, settings: Arc::clone(&settings) }).collect()
}
