//! What is to be run: each task with each agent.

use std::path::Path;
use std::sync::Arc;

use crate::agent::batch::{Contestant, Order};
use crate::cli::collection::open_noting;

/// Every task that the filter lets through with every contestant: the sets and tasks in their order,
/// and of each task the contestants in theirs, so that all of them get on together.
pub(super) fn orders(
    path: &Path,
    filter: Option<&str>,
    contestants: &[Arc<Contestant>],
) -> anyhow::Result<Vec<Order>> {
    let opened = open_noting(path)?;
    let mut orders = Vec::new();
    for (set, _) in opened.sets {
        let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
        for task in set.tasks {
            let task = Arc::new(task);
            orders.extend(contestants.iter().map(|contestant| Order {
                set: set.id.clone(),
                set_dir: dir.clone(),
                task: Arc::clone(&task),
                contestant: Arc::clone(contestant),
            }));
        }
    }
    anyhow::ensure!(!orders.is_empty(), "there is no task in {}", path.display());
    let all = orders.len() / contestants.len().max(1);
    orders.retain(|order| filter.is_none_or(|filter| order.matches(filter)));
    let filter = filter.unwrap_or_default();
    anyhow::ensure!(
        !orders.is_empty(),
        "none of the {all} tasks has \"{filter}\" in its set, id, category or instruction"
    );
    Ok(orders)
}

/// What people read of an order: the task, and who does it if there are several.
pub(super) fn name(order: &Order, with_agent: bool) -> String {
    if with_agent { order.full_name() } else { order.task_name() }
}
