//! What all runs of a batch have in common.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::environment::canvas::Compat;

use super::super::runner::{COMPAT_SETTING, RunLimits};
use super::Contestant;

/// What all runs of a batch have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSettings {
    /// Where the run folders go: `out/<set>/<task>/<agent>-<NN>`.
    pub out: PathBuf,
    /// When each run is stopped.
    pub limits: RunLimits,
    /// Whose behaviour the tools follow.
    pub compat: Compat,
    /// Whether what an earlier batch with the same settings left in the folder is gone on with.
    pub resume: bool,
}

impl BatchSettings {
    /// Whose behaviour the tools follow, by its name; `None`: as documented.
    pub(super) fn compat_name(&self) -> Option<String> {
        (self.compat != Compat::default()).then(|| self.compat.name().to_owned())
    }

    /// What the manifest of a contestant's run remembers, wherever the tasks lie: enough to know how
    /// the run was made.
    pub fn told(&self, contestant: &Contestant) -> Map<String, Value> {
        let mut told = self.limits.settings();
        told.extend(self.compat_name().map(|name| (COMPAT_SETTING.to_owned(), json!(name))));
        told.extend(contestant.settings());
        told
    }
}
