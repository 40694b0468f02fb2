//! The task sets that were found for the items of a labelling project.

use std::path::{Path, PathBuf};

use crate::task::TaskFinder;
use crate::workbench::ItemInput;

/// The task sets that were found for the items of a project, kept from item to item.
#[derive(Debug, Default)]
pub(in crate::worker) struct LabelledTasks {
    project: PathBuf,
    tasks: TaskFinder,
}

impl LabelledTasks {
    /// Where tasks of the project of this item are found; those of another project are forgotten.
    pub(in crate::worker) fn of(&mut self, input: &ItemInput, home: &Path) -> &mut TaskFinder {
        if self.project != input.file() {
            *self = Self { project: input.file().to_path_buf(), tasks: TaskFinder::default() };
            for set in input.task_sets() {
                // One that is gone is not found: the item says so where its ground truth would be.
                self.tasks.search(&home.join(set)).ok();
            }
        }
        &mut self.tasks
    }
}
