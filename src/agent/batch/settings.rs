//! What all runs of a batch have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::environment::Compat;
use crate::run::Manifest;
use crate::task::PictureFolder;

use super::super::runner::{COMPAT_SETTING, RunLimits};
use super::{Contestant, LeastTurns};

/// The setting that says how many turns a run must have that its agent ended by itself.
const LEAST_TURNS_SETTING: &str = "least_turns";

/// The setting that names the folder with the pictures of design queries.
pub const PICTURES_SETTING: &str = "pictures";

/// The folder that a run had the pictures of its query from, as it is now; `None` if it had none.
///
/// # Errors
///
/// The folder, and why it cannot be read any more.
pub fn pictures_of(manifest: &Manifest) -> Result<Option<PictureFolder>, String> {
    let dir = manifest.settings.get(PICTURES_SETTING).and_then(Value::as_str);
    let Some(dir) = dir else { return Ok(None) };
    let why =
        |error| format!("the run had its pictures from a folder that cannot be used: {error}");
    PictureFolder::open(Path::new(dir)).map(Some).map_err(why)
}

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
    /// How many turns a run must have that its agent ended by itself; `None`: it may end when it will.
    pub least_turns: Option<LeastTurns>,
    /// Where the pictures of design queries are looked for, if anywhere.
    pub pictures: Option<Arc<PictureFolder>>,
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
        if let Some(least) = self.least_turns {
            told.insert(LEAST_TURNS_SETTING.to_owned(), json!(least.to_string()));
        }
        if let Some(pictures) = &self.pictures {
            told.insert(PICTURES_SETTING.to_owned(), json!(pictures.dir().display().to_string()));
        }
        told.extend(contestant.settings());
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef};

    #[test]
    fn the_pictures_of_a_run_are_looked_for_where_they_were() {
        let dir = tempfile::tempdir().unwrap();
        let task = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { kind: "rules".to_owned(), name: "rules".to_owned(), version: None };
        let mut manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        assert_eq!(pictures_of(&manifest), Ok(None));
        std::fs::write(dir.path().join("moon.png"), "").unwrap();
        let folder = dir.path().display().to_string();
        manifest.settings.insert(PICTURES_SETTING.to_owned(), json!(folder));
        assert_eq!(pictures_of(&manifest).unwrap().map(|found| found.len()), Some(1));
        dir.close().unwrap();
        let why = pictures_of(&manifest).unwrap_err();
        assert!(why.contains("cannot be used") && why.contains(&folder), "{why}");
    }
}
