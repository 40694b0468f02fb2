//! One task for one agent.

use std::path::PathBuf;
use std::sync::Arc;

use crate::run::TaskRef;
use crate::task::Task;

use super::AgentConfig;

/// A task to run, and who is to do it.
#[derive(Clone, Debug)]
pub struct Order {
    /// Id of the task set.
    pub set: String,
    /// Where the set lies.
    pub set_dir: PathBuf,
    /// The task.
    pub task: Arc<Task>,
    /// Who does it.
    pub agent: Arc<AgentConfig>,
}

impl Order {
    /// Whether the set, the id, the category or the instruction holds this text, letters' case aside.
    pub fn matches(&self, filter: &str) -> bool {
        let task = &self.task;
        let texts =
            [Some(&self.set), Some(&task.id), task.category.as_ref(), Some(&task.instruction)];
        let filter = filter.to_lowercase();
        texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&filter))
    }

    /// Which task.
    pub fn task_ref(&self) -> TaskRef {
        TaskRef::new(&self.set, &self.task.id)
    }

    /// What people read: the task.
    pub fn task_name(&self) -> String {
        format!("{}/{}", self.set, self.task.id)
    }

    /// The same, and who does it.
    pub fn full_name(&self) -> String {
        format!("{} · {}", self.task_name(), self.agent.label())
    }
}
