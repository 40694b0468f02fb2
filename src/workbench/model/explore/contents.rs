//! What tasks ask whose sets have one id: read only where runs of such sets are matched.

use std::collections::BTreeMap;

use crate::evaluate::groups::TaskContent;
use crate::task::TaskSet;
use crate::workbench::model::values::ResourceKey;

/// What the tasks of a set ask, by the id that the set has in the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskContentsKey(pub String);

impl TaskContentsKey {
    /// That of a set.
    pub(in crate::workbench) fn of(set: &TaskSet) -> Self {
        Self(set.id.clone())
    }
}

/// What they ask, by their ids; those that cannot be read are not there.
pub type TaskContents = BTreeMap<String, TaskContent>;

impl ResourceKey for TaskContentsKey {
    type Value = TaskContents;
    // Sets: more are never open.
    const BUDGET: usize = 256;

    fn cost(_: &TaskContents) -> usize {
        1
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.0 == set
    }
}
