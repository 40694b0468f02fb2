//! The scorer of the moment: it changes when a person chooses other models.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::metric::Registry;
use crate::model::{ModelSettings, ModelsFileError};

use crate::evaluate::Scorer;

/// The scorer of the moment. Work under way goes on with the scorer that it began with.
#[derive(Debug)]
pub(super) struct Scorers {
    /// The metrics without models, as the worker was given them.
    plain: Registry,
    workspace: Option<PathBuf>,
    current: RwLock<Arc<Scorer>>,
}

impl Scorers {
    /// These metrics, and the workspace's file that keeps their scores.
    pub(super) fn new(plain: Registry, workspace: Option<PathBuf>) -> Self {
        let current = RwLock::new(Arc::new(Scorer::new(plain.clone(), workspace.clone())));
        Self { plain, workspace, current }
    }

    /// The scorer of the moment.
    pub(super) fn current(&self) -> Arc<Scorer> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on, metrics go by the models that this file names; without a file, there are those
    /// that need none. A file that cannot be used changes nothing.
    pub(super) fn use_models(&self, path: Option<&Path>) -> Result<Arc<Scorer>, ModelsFileError> {
        let workspace = self.workspace.clone();
        let scorer = Arc::new(match path {
            Some(path) => Scorer::of_models(&ModelSettings::open(path)?, workspace),
            None => Scorer::new(self.plain.clone(), workspace),
        });
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&scorer);
        Ok(scorer)
    }
}
