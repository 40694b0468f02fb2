//! What is to be run: each task with each agent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::collection::open_noting;
use crate::run::TaskRef;
use crate::task::Task;

use super::contestant::Contestant;

/// A task to run, and who is to do it.
#[derive(Clone)]
pub(super) struct Order {
    pub(super) set: String,
    pub(super) set_dir: PathBuf,
    pub(super) task: Arc<Task>,
    pub(super) contestant: Arc<Contestant>,
}

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

impl Order {
    fn matches(&self, filter: &str) -> bool {
        let task = &self.task;
        let texts =
            [Some(&self.set), Some(&task.id), task.category.as_ref(), Some(&task.instruction)];
        let filter = filter.to_lowercase();
        texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&filter))
    }

    pub(super) fn task_ref(&self) -> TaskRef {
        TaskRef { set: self.set.clone(), id: self.task.id.clone() }
    }

    /// What people read: the task, and if `with_agent` who does it.
    pub(super) fn name(&self, with_agent: bool) -> String {
        let task = format!("{}/{}", self.set, self.task.id);
        if with_agent { format!("{task} · {}", self.contestant.name()) } else { task }
    }
}
