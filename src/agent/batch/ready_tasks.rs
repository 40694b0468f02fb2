//! Tasks that several runs work on at once, read once.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use crate::environment::OpenEnvironment;
use crate::run::TaskRef;

use super::{BatchSettings, Order};
use crate::agent::ReadyTask;
use crate::agent::cpu_pool::run_on_pool;
use crate::agent::runner::RunTaskError;

/// The tasks of one batch that are worked on now. What is held of a task goes with its last run.
#[derive(Debug, Default)]
pub struct ReadyTasks(Mutex<BTreeMap<TaskRef, Weak<ReadyTask>>>);

impl ReadyTasks {
    /// The order's task, read if no other run has it.
    pub(super) fn get(
        &self,
        order: &Order,
        settings: &BatchSettings,
        open_environment: &OpenEnvironment,
    ) -> Result<Arc<ReadyTask>, RunTaskError> {
        let key = order.task_ref();
        // Held while it is read, so that no other thread reads the same.
        let mut known = self.0.lock();
        if let Some(ready) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(ready);
        }
        let compat = settings.compat_name();
        let pictures = &settings.pictures;
        let (task, fonts) = (&order.task, settings.fonts);
        let ready =
            run_on_pool(|| ReadyTask::new(task, compat, fonts, pictures, open_environment))?;
        let ready = Arc::new(ready);
        known.insert(key, Arc::downgrade(&ready));
        Ok(ready)
    }
}
