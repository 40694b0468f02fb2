//! What all runs of a batch have in common.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::environment::{Compat, FontSource};

use super::{AgentConfig, EXPERIMENT_SETTING};
use crate::agent::runner::{RunLimits, RunSettings, StartDesign, StartRun};
use crate::agent::{PICTURES_SETTING, PictureSource};
use crate::run::{Manifest, Outcome};
use crate::task::TaskKind;

/// The setting that says how many turns a run must have that its agent ended by itself.
const LEAST_TURNS_SETTING: &str = "least_turns";

/// What the runs of a launch have in common, as a person chose it; the window remembers it for the next
/// session under these names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaunchOptions {
    /// When each run is stopped.
    #[serde(flatten)]
    pub limits: RunLimits,
    /// How many runs at once, at least 1.
    #[serde(rename = "jobs")]
    pub at_once: u32,
    /// Where the run folders go: `out_dir/<set>/<task>/<agent>-<NN>`; empty: wherever runs go by default.
    #[serde(deserialize_with = "null_as_empty")]
    pub out_dir: PathBuf,
    /// Whose behaviour the tools follow.
    #[serde(with = "compat_by_name")]
    pub compat: Compat,
    /// Which fonts texts are set in.
    pub fonts: FontSource,
    /// Where the pictures of design queries are looked for, if anywhere; a run that is made again has
    /// those it had.
    pub pictures: Option<PathBuf>,
    /// What all of them may cost together, in US dollars; `None`: whatever it takes.
    pub budget_usd: Option<f64>,
    /// The design that each of them begins with instead of its task's own start. Chosen anew each time.
    #[serde(skip)]
    pub start_design: Option<StartDesign>,
    /// The run that each of them goes on with. Chosen anew each time.
    #[serde(skip)]
    pub start_run: Option<StartRun>,
    /// Whether what an earlier launch with the same settings left in the folder is gone on with:
    /// finished runs are not made again, broken-off ones begin with the answers they had. Chosen anew
    /// each time.
    #[serde(skip)]
    pub resume: bool,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            limits: RunLimits::default(),
            at_once: 2,
            out_dir: PathBuf::new(),
            compat: Compat::default(),
            fonts: FontSource::default(),
            pictures: None,
            budget_usd: None,
            start_design: None,
            start_run: None,
            resume: false,
        }
    }
}

impl LaunchOptions {
    /// What each of the runs is told.
    pub fn run_settings(&self) -> RunSettings {
        // Manifests say only what is not documented behaviour.
        let compat = Some(self.compat).filter(|compat| *compat != Compat::default());
        RunSettings {
            limits: self.limits.clone(),
            compat,
            fonts: self.fonts,
            start_design: self.start_design.clone(),
            start_run: self.start_run.clone(),
        }
    }
}

/// Before there were options of a launch, no folder was written as null.
fn null_as_empty<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Options outlive versions: a behaviour that is not known (any more) is the documented one, and costs
/// nobody the other options.
mod compat_by_name {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::environment::Compat;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    pub(super) fn serialize<S: Serializer>(compat: &Compat, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(compat.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Compat, D::Error> {
        let name = String::deserialize(from)?;
        Ok(Compat::from_name(&name).unwrap_or_default())
    }
}

/// What all runs of a batch have in common, with everything looked up that was chosen by name.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSettings {
    /// What was chosen.
    pub options: LaunchOptions,
    /// How many turns a run must have that its agent ended by itself; `None`: it may end when it will.
    pub least_turns: Option<LeastTurns>,
    /// Where the pictures of design queries come from.
    pub pictures: PictureSource,
    /// Of which experiment and which of its repeats the runs are; `None`: of none.
    pub experiment: Option<Value>,
}

impl BatchSettings {
    /// These options, without pictures.
    pub fn new(options: LaunchOptions) -> Self {
        let pictures = PictureSource::Nowhere;
        Self { options, least_turns: None, pictures, experiment: None }
    }

    /// What the manifest of an agent's run remembers, wherever the tasks lie: enough to know how the run
    /// was made.
    pub fn told(&self, agent: &AgentConfig) -> Map<String, Value> {
        let mut told = self.options.run_settings().to_json();
        if let Some(least) = self.least_turns {
            told.insert(LEAST_TURNS_SETTING.to_owned(), json!(least.to_string()));
        }
        if let Some(folder) = self.pictures.folder() {
            told.insert(PICTURES_SETTING.to_owned(), json!(folder));
        }
        if let Some(experiment) = &self.experiment {
            told.insert(EXPERIMENT_SETTING.to_owned(), experiment.clone());
        }
        // Last, as what the agent says of itself counts for its run.
        told.extend(agent.settings());
        told
    }
}

/// How many turns a run must have that its agent ended by itself; with fewer it is made again, up to
/// two times. The short ones stay, in the folder of the one that follows them.
///
/// The published CANVAS code makes such runs again until they are long enough, and keeps nothing of
/// the others (kixlab/canvas, `utils/config.ts`, `MINIMUM_TURN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastTurns {
    /// So many.
    Turns(u32),
    /// As CANVAS's code has it: three to build a screen, two to change one.
    Published,
}

impl LeastTurns {
    fn of(self, kind: TaskKind) -> u32 {
        match (self, kind) {
            (Self::Turns(turns), _) => turns,
            (Self::Published, TaskKind::Replication) => 3,
            (Self::Published, _) => 2,
        }
    }

    /// Whether the agent ended this run too soon.
    pub(super) fn is_short(self, manifest: &Manifest, kind: TaskKind) -> bool {
        manifest.outcome == Outcome::Completed && manifest.totals.turns < self.of(kind)
    }
}

impl fmt::Display for LeastTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(turns) => write!(f, "{turns}"),
            Self::Published => f.write_str("published"),
        }
    }
}

impl FromStr for LeastTurns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "published" {
            return Ok(Self::Published);
        }
        let turns = text.parse().ok().filter(|turns| *turns > 0);
        turns.map(Self::Turns).ok_or_else(|| "must be a number from 1, or published".to_owned())
    }
}

/// The way from one folder to another; `None` if one of them cannot be found or there is none, as
/// between two drives.
pub fn relative_path(from: &Path, to: &Path) -> Option<PathBuf> {
    let (from, to) = (from.canonicalize().ok()?, to.canonicalize().ok()?);
    // What has no common beginning lies on another drive.
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(shared)).collect())
}

/// A path as it is written into a file that lies in this folder: the way from there, or where it lies.
pub fn seen_from(folder: &Path, path: &Path) -> String {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let seen = relative_path(folder, path).unwrap_or_else(|| path.to_path_buf());
    seen.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef};

    #[test]
    fn a_relative_path_leads_from_one_folder_to_the_other() {
        let dir = tempfile::tempdir().unwrap();
        let (run, tasks) = (dir.path().join("runs/a/b"), dir.path().join("tasks"));
        std::fs::create_dir_all(&run).unwrap();
        std::fs::create_dir_all(&tasks).unwrap();
        let way = relative_path(&run, &tasks).unwrap();
        assert_eq!(way, Path::new("../../../tasks"));
        assert_eq!(run.join(way).canonicalize().unwrap(), tasks.canonicalize().unwrap());
        assert_eq!(relative_path(&run, &dir.path().join("missing")), None);
    }

    #[test]
    fn only_what_the_agent_ended_by_itself_is_too_short() {
        let agent = AgentRef { kind: "a".into(), name: "a".into(), version: None };
        let task = TaskRef { set: "s".into(), id: "t".into() };
        let mut manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        manifest.totals.turns = 2;
        let least: LeastTurns = "published".parse().unwrap();
        assert!(!least.is_short(&manifest, TaskKind::Replication), "it has not ended");
        manifest.outcome = Outcome::Completed;
        assert!(least.is_short(&manifest, TaskKind::Replication));
        assert!(!least.is_short(&manifest, TaskKind::ModeChange));
        assert!("4".parse::<LeastTurns>().unwrap().is_short(&manifest, TaskKind::ModeChange));
        assert!("0".parse::<LeastTurns>().is_err() && "few".parse::<LeastTurns>().is_err());
    }
}
