//! What all runs of a batch have in common.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::environment::{Compat, FONTS_SETTING, FontSource};

use super::{Contestant, LeastTurns};
use crate::agent::runner::{COMPAT_SETTING, RunLimits};
use crate::agent::{PICTURES_SETTING, PictureSource};

/// The setting that says how many turns a run must have that its agent ended by itself.
const LEAST_TURNS_SETTING: &str = "least_turns";

/// What all runs of a batch have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSettings {
    /// Where the run folders go: `out/<set>/<task>/<agent>-<NN>`.
    pub out: PathBuf,
    /// When each run is stopped.
    pub limits: RunLimits,
    /// Whose behaviour the tools follow.
    pub compat: Compat,
    /// Which fonts texts are set in.
    pub fonts: FontSource,
    /// Whether what an earlier batch with the same settings left in the folder is gone on with.
    pub resume: bool,
    /// How many turns a run must have that its agent ended by itself; `None`: it may end when it will.
    pub least_turns: Option<LeastTurns>,
    /// Where the pictures of design queries come from.
    pub pictures: PictureSource,
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
        told.insert(FONTS_SETTING.to_owned(), json!(self.fonts.name()));
        if let Some(least) = self.least_turns {
            told.insert(LEAST_TURNS_SETTING.to_owned(), json!(least.to_string()));
        }
        if let Some(folder) = self.pictures.folder() {
            told.insert(PICTURES_SETTING.to_owned(), json!(folder));
        }
        told.extend(contestant.settings());
        told
    }
}
