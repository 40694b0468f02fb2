//! An experiment: one file that says which models work in which ways on which tasks, and how often.
//!
//! Paths in the file are relative to it. Reading and checking is all that is done here; what is made of it
//! is in `cells`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::model_agent::Mode;
use crate::base::{JsonLimitError, Limits, parse_json, read_file_limited, replace_file};
use crate::environment::{Compat, FontSource};

/// What a file of this format says of itself.
pub const EXPERIMENT_FORMAT: &str = "pentimento/experiment";

/// The newest version of the format.
pub const EXPERIMENT_VERSION: u32 = 1;

/// The copy of the file beside the runs.
const COPY: &str = "experiment.json";
/// Most cells of an experiment.
const MOST_CELLS: usize = 10_000;
/// Most repeats: as many runs of one name as are looked at.
const MOST_REPEATS: u32 = 500;
const KNOWN_COMPATS: &str = "must be documented, canvas-2026-01 or graphicbench";
const KNOWN_FONTS: &str = "must be vendored or machine";
const NO_ROOM: &str = "a limit of 0 lets nothing happen";

/// The content of an experiment file.
///
/// ```json
/// {"format": "pentimento/experiment", "version": 1, "name": "temperature",
///  "tasks": "../sample_runs", "models": ["responses:gpt-4.1", "anthropic:MODEL"],
///  "modes": ["multi_turn", "single_turn"],
///  "settings": [{"name": "cold", "temperature": 0}, {"name": "warm", "temperature": 1}],
///  "repeats": 3, "budget": 20}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// `pentimento/experiment`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// What it is called; runs remember it.
    pub name: String,
    /// Task set, or a folder with task sets in it; or several of them.
    pub tasks: Places,
    /// Only these tasks of them, as `SET/TASK`; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Only tasks whose set, id, category or instruction holds this text (case does not matter).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Agents that need no model: `tracer`, `rules`, `exec:COMMAND`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// Models: names from the file of models, or KIND:MODEL or KIND:MODEL@ADDRESS.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The file of models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models_file: Option<PathBuf>,
    /// How models work, such as `multi_turn`; none: as `run` has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// Folders whose files replace prompts; `null` is the prompts that come with the program. None: those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<Option<PathBuf>>,
    /// What is varied beside that; none: nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Variation>,
    /// How often each cell works on each task, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub repeats: u32,
    /// Stop a run after so many turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Stop a run after so many seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<f64>,
    /// Stop a run after so many tokens, read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Stop a run after so many US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Stop when the answers of all runs have cost this many US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Whose behaviour the tools follow, where settings say nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<String>,
    /// Which fonts texts are set in, where settings say nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fonts: Option<String>,
    /// Where the pictures of design queries are looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PathBuf>,
    /// The folder the runs are recorded in, unless another is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
}

/// One place, or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Places {
    /// One.
    One(PathBuf),
    /// Several.
    Several(Vec<PathBuf>),
}

impl Places {
    /// All of them.
    pub fn as_slice(&self) -> &[PathBuf] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [PathBuf] {
        match self {
            Self::One(path) => std::slice::from_mut(path),
            Self::Several(paths) => paths,
        }
    }
}

/// Settings that differ from those of the file of models and of `run`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// What it is called in tables; no two are called the same.
    pub name: String,
    /// How free the choice of words is, 0 to 2; `null` says nothing of it. Of models only.
    #[serde(default, with = "said", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub temperature: Option<Option<f64>>,
    /// Most tokens of an answer. Of models only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_answer_tokens: Option<u32>,
    /// Whether one answer may hold several calls. Of models only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel_calls: Option<bool>,
    /// Merged into the requests' JSON. Of models only.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// Stop a run after so many turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Whose behaviour the tools follow: `documented`, `canvas-2026-01` or `graphicbench`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<String>,
    /// Which fonts texts are set in: `vendored` or `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fonts: Option<String>,
}

/// What is not said and what is said to be `null` are two things.
mod said {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[expect(clippy::option_option, clippy::ref_option, reason = "null is a value of its own")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<Option<f64>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.flatten().serialize(to)
    }

    #[expect(clippy::option_option, reason = "null is a value of its own")]
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Option<f64>>, D::Error> {
        Option::deserialize(from).map(Some)
    }
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_one(repeats: &u32) -> bool {
    *repeats == 1
}

/// Why there is no experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read, or is no JSON of an experiment.
    #[error("not an experiment ({source}): {}", path.display())]
    File {
        /// The cause, with the line.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It says what cannot be.
    #[error("{fault}: {}", path.display())]
    Fault {
        /// What is wrong, and where.
        fault: Fault,
        /// Which file.
        path: PathBuf,
    },
    /// The folder holds the runs of another experiment.
    #[error("{why}: choose another folder than {}", path.display())]
    OtherExperiment {
        /// What is another.
        why: String,
        /// Which folder.
        path: PathBuf,
    },
    /// The copy beside the runs cannot be written.
    #[error("cannot keep the experiment ({source}): {}", path.display())]
    Write {
        /// The cause.
        source: std::io::Error,
        /// Which file.
        path: PathBuf,
    },
}

/// What an experiment says that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Fault {
    /// Where in the file, such as `models[2]`.
    pub place: String,
    /// What is wrong.
    pub why: String,
}

impl Experiment {
    /// Reads and checks an experiment file; its paths are made those seen from here.
    ///
    /// # Errors
    ///
    /// [`ExperimentError`], which names the place.
    pub fn open(path: &Path) -> Result<Self, ExperimentError> {
        let file = |source| ExperimentError::File { source, path: path.to_path_buf() };
        let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(file)?;
        let mut experiment: Self = parse_json(&bytes).map_err(file)?;
        let path_buf = path.to_path_buf();
        experiment.check().map_err(|fault| ExperimentError::Fault { fault, path: path_buf })?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        experiment.resolve(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()));
        Ok(experiment)
    }

    /// Which behaviour of tools it says.
    pub fn compat(&self) -> Option<Compat> {
        Compat::from_name(self.compat.as_deref()?)
    }

    /// Which fonts it says.
    pub fn fonts(&self) -> Option<FontSource> {
        FontSource::from_name(self.fonts.as_deref()?)
    }

    /// The schema of the file, as it is in `assets/schema`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }

    /// What an earlier version of the file said otherwise that its runs were made with, if anything. More of
    /// everything may be said, and a larger budget.
    pub fn contradiction(&self, earlier: &Self) -> Option<String> {
        if self.name != earlier.name {
            return Some(format!(
                "the experiment there is {:?}, not {:?}",
                earlier.name, self.name
            ));
        }
        let limits = |it: &Self| (it.max_turns, it.max_seconds, it.max_tokens, it.max_cost);
        if limits(self) != limits(earlier) {
            return Some("its limits were others".to_owned());
        }
        if (self.compat(), self.fonts()) != (earlier.compat(), earlier.fonts()) {
            return Some("its tools behaved otherwise, or its fonts were others".to_owned());
        }
        let known = earlier.settings.iter().find_map(|before| {
            let now = self.settings.iter().find(|now| now.name == before.name)?;
            (now != before).then_some(&before.name)
        });
        known.map(|name| format!("its settings {name:?} were others: give these another name"))
    }

    /// Keeps a copy beside the runs, in the folder they go to. Another experiment's folder is left alone.
    ///
    /// # Errors
    ///
    /// [`ExperimentError`]: the folder cannot be written to, or another experiment's runs are in it.
    pub fn keep_copy(&self, folder: &Path) -> Result<(), ExperimentError> {
        let copy = folder.join(COPY);
        // With its paths as they are from anywhere: in another folder they would lead elsewhere.
        let mut kept = self.clone();
        kept.resolve(&std::path::absolute(".").unwrap_or_default());
        if copy.exists() {
            let earlier = Self::open(&copy)?;
            if let Some(why) = self.contradiction(&earlier) {
                return Err(ExperimentError::OtherExperiment { why, path: folder.to_path_buf() });
            }
            kept.also_only(&earlier);
        }
        let bytes = serde_json::to_vec_pretty(&kept).map_err(std::io::Error::from);
        let written = std::fs::create_dir_all(folder)
            .and(bytes)
            .and_then(|bytes| replace_file(&copy, &bytes));
        written.map_err(|source| ExperimentError::Write { source, path: copy })
    }

    /// What goes on with a part of the tasks is still of all of them.
    fn also_only(&mut self, earlier: &Self) {
        if self.only.is_empty() || earlier.only.is_empty() {
            self.only.clear();
            return;
        }
        let more = earlier.only.iter().filter(|task| !self.only.contains(task));
        self.only.extend(more.cloned().collect::<Vec<_>>());
        let (mut places, before) = (self.tasks.as_slice().to_vec(), earlier.tasks.as_slice());
        places
            .extend(before.iter().filter(|place| !self.tasks.as_slice().contains(place)).cloned());
        if places.len() > 1 {
            self.tasks = Places::Several(places);
        }
    }

    /// Whether everything it says can be.
    ///
    /// # Errors
    ///
    /// The first [`Fault`].
    pub fn check(&self) -> Result<(), Fault> {
        if self.format != EXPERIMENT_FORMAT {
            return Err(fault("format", format!("must be {EXPERIMENT_FORMAT:?}")));
        }
        if self.version != EXPERIMENT_VERSION {
            return Err(fault(
                "version",
                format!("{} is not known, only {EXPERIMENT_VERSION}", self.version),
            ));
        }
        if self.name.trim().is_empty() {
            return Err(fault("name", "say what the experiment is called"));
        }
        if self.tasks.as_slice().is_empty() {
            return Err(fault("tasks", "say which tasks"));
        }
        if self.agents.is_empty() && self.models.is_empty() {
            return Err(fault("models", "say who acts: models or agents"));
        }
        // An agent without a model has no mode: the crossing would make the same cell twice.
        if self.models.is_empty() && !(self.modes.is_empty() && self.prompts.is_empty()) {
            return Err(fault("modes", "modes and prompts are of models, and there are none"));
        }
        if !(1..=MOST_REPEATS).contains(&self.repeats) {
            return Err(fault("repeats", format!("must be from 1 to {MOST_REPEATS}")));
        }
        for (place, agent) in places("agents", &self.agents) {
            let is_known = matches!(agent.as_str(), "tracer" | "rules")
                || agent.strip_prefix("exec:").is_some_and(|command| !command.trim().is_empty());
            if !is_known {
                return Err(fault(
                    place,
                    format!("{agent:?} is none of tracer, rules, exec:COMMAND"),
                ));
            }
        }
        for (place, name) in places("modes", &self.modes) {
            if mode(name).is_none() {
                let known = Mode::ALL.map(Mode::name).join(", ");
                return Err(fault(place, format!("there is no mode {name:?}; there are {known}")));
            }
        }
        for (place, variation) in places("settings", &self.settings) {
            variation
                .check()
                .map_err(|wrong| fault(format!("{place}.{}", wrong.place), wrong.why))?;
        }
        // Twice the same is the same runs twice, which count as repeats and are none.
        no_duplicates("only", &self.only)?;
        no_duplicates("agents", &self.agents)?;
        no_duplicates("models", &self.models)?;
        no_duplicates("modes", &self.modes)?;
        // `prompts` and `./prompts/` are one folder.
        let folders: Vec<Option<PathBuf>> =
            self.prompts.iter().map(|folder| folder.as_deref().map(plain)).collect();
        no_duplicates("prompts", &folders)?;
        let names: Vec<&String> = self.settings.iter().map(|variation| &variation.name).collect();
        no_duplicates("settings", &names)?;
        for (name, amount) in [
            ("max_seconds", self.max_seconds),
            ("max_cost", self.max_cost),
            ("budget", self.budget),
        ] {
            if amount.is_some_and(|amount| !(amount.is_finite() && amount > 0.0)) {
                return Err(fault(name, "must be a number above 0"));
            }
        }
        if self.compat.is_some() && self.compat().is_none() {
            return Err(fault("compat", KNOWN_COMPATS));
        }
        if self.fonts.is_some() && self.fonts().is_none() {
            return Err(fault("fonts", KNOWN_FONTS));
        }
        if self.max_turns == Some(0) {
            return Err(fault("max_turns", NO_ROOM));
        }
        if self.max_tokens == Some(0) {
            return Err(fault("max_tokens", NO_ROOM));
        }
        // Checked products: a file of some kilobytes can cross more cells than a number holds.
        let sizes =
            [self.modes.len().max(1), self.prompts.len().max(1), self.settings.len().max(1)];
        let of_model = sizes.into_iter().try_fold(self.models.len(), usize::checked_mul);
        let of_agent = self.agents.len().checked_mul(self.settings.len().max(1));
        let cells = of_model.zip(of_agent).and_then(|(models, agents)| models.checked_add(agents));
        if cells.is_none_or(|cells| cells > MOST_CELLS) {
            return Err(fault("models", format!("more than {MOST_CELLS} cells are crossed")));
        }
        Ok(())
    }

    /// Makes the file's paths those seen from where the program stands.
    fn resolve(&mut self, folder: &Path) {
        let paths = self.prompts.iter_mut().flatten().chain(self.tasks.as_mut_slice());
        let others = [&mut self.models_file, &mut self.pictures, &mut self.out];
        for path in paths.chain(others.into_iter().flatten()) {
            *path = folder.join(&*path);
        }
    }
}

impl Variation {
    /// Which behaviour of tools it says.
    pub fn compat(&self) -> Option<Compat> {
        Compat::from_name(self.compat.as_deref()?)
    }

    /// Which fonts it says.
    pub fn fonts(&self) -> Option<FontSource> {
        FontSource::from_name(self.fonts.as_deref()?)
    }

    fn check(&self) -> Result<(), Fault> {
        if self.name.trim().is_empty() {
            return Err(fault("name", "say what these settings are called"));
        }
        if self.compat.is_some() && self.compat().is_none() {
            return Err(fault("compat", KNOWN_COMPATS));
        }
        if self.fonts.is_some() && self.fonts().is_none() {
            return Err(fault("fonts", KNOWN_FONTS));
        }
        let temperature = self.temperature.flatten();
        if temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)) {
            return Err(fault("temperature", "must be from 0 to 2"));
        }
        for (name, limit) in
            [("max_turns", self.max_turns), ("max_answer_tokens", self.max_answer_tokens)]
        {
            if limit == Some(0) {
                return Err(fault(name, NO_ROOM));
            }
        }
        Ok(())
    }
}

/// A path without what leads nowhere.
fn plain(path: &Path) -> PathBuf {
    let components = path.components();
    components.filter(|it| *it != std::path::Component::CurDir).collect()
}

pub(super) fn mode(name: &str) -> Option<Mode> {
    Mode::ALL.into_iter().find(|mode| mode.name() == name)
}

fn fault(place: impl Into<String>, why: impl Into<String>) -> Fault {
    Fault { place: place.into(), why: why.into() }
}

/// Entries of a list with their places in the file.
fn places<'a, T>(list: &'a str, all: &'a [T]) -> impl Iterator<Item = (String, &'a T)> {
    all.iter().enumerate().map(move |(at, it)| (format!("{list}[{at}]"), it))
}

/// Twice the same would be made twice and told apart by nothing.
fn no_duplicates<T: Ord>(list: &str, all: &[T]) -> Result<(), Fault> {
    let mut known = BTreeSet::new();
    match places(list, all).find(|(_, it)| !known.insert(*it)) {
        Some((place, _)) => Err(fault(place, "stands there twice")),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    pub(in crate::agent::batch) fn read(value: &Value) -> Result<Experiment, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("experiment.json");
        std::fs::write(&path, value.to_string()).unwrap();
        Experiment::open(&path).map_err(|error| error.to_string())
    }

    pub(in crate::agent::batch) fn example() -> Value {
        json!({
            "format": EXPERIMENT_FORMAT, "version": 1, "name": "warm", "tasks": "../tasks",
            "models": ["gemini:a", "gemini:b"], "agents": ["tracer"],
            "modes": ["multi_turn", "single_turn"], "prompts": [null, "terse"],
            "settings": [{"name": "cold", "temperature": 0.0}, {"name": "free", "temperature": null}],
            "repeats": 3,
        })
    }

    #[test]
    fn a_file_may_say_more_than_before_and_nothing_else() {
        let earlier = read(&example()).unwrap();
        let with = |name: &str, value: Value| {
            let mut changed = example();
            changed[name] = value;
            read(&changed).unwrap().contradiction(&earlier)
        };
        assert_eq!(with("repeats", json!(9)), None);
        assert_eq!(with("models", json!(["gemini:a", "gemini:c"])), None);
        assert_eq!(with("settings", json!([{"name": "new", "temperature": 2}])), None);
        assert!(with("name", json!("other")).unwrap().contains("not \"other\""));
        assert!(with("max_turns", json!(3)).unwrap().contains("limits"));
        let other = with("settings", json!([{"name": "cold", "temperature": 0.5}]));
        assert!(other.unwrap().contains("\"cold\" were others"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        for (name, value, place) in [
            ("format", json!("other"), "format: "),
            ("version", json!(2), "version: 2 is not known"),
            ("name", json!(" "), "name: "),
            ("models", json!(["gemini:a", "gemini:a"]), "models[1]: stands there twice"),
            ("modes", json!(["multi_turn", "dream"]), "modes[1]: there is no mode \"dream\""),
            ("agents", json!(["tracer", "exec:"]), "agents[1]: "),
            ("repeats", json!(0), "repeats: must be from 1"),
            ("repeats", json!(100_000), "repeats: must be from 1"),
            ("max_turns", json!(0), "max_turns: a limit of 0"),
            ("max_tokens", json!(0), "max_tokens: a limit of 0"),
            ("prompts", json!(["a/terse", "./a/terse"]), "prompts[1]: stands there twice"),
            (
                "settings",
                json!([{"name": "a", "max_answer_tokens": 0}]),
                "settings[0].max_answer_tokens: a limit",
            ),
            ("budget", json!(-1.0), "budget: must be a number above 0"),
            ("settings", json!([{"name": "a", "temperature": 9}]), "settings[0].temperature: "),
            ("settings", json!([{"name": "a"}, {"name": "a"}]), "settings[1]: stands there twice"),
            ("settings", json!([{"name": "a", "compat": "x"}]), "settings[0].compat: "),
            ("settings", json!([{"name": "a", "warmth": 1}]), "not an experiment"),
            ("color", json!("red"), "not an experiment"),
        ] {
            let mut odd = example();
            odd[name] = value;
            let error = read(&odd).unwrap_err();
            assert!(error.contains(place), "{name}: {error}");
        }
        let mut nobody = example();
        nobody["models"] = json!([]);
        assert!(read(&nobody).unwrap_err().contains("modes and prompts are of models"));
        let mut many = example();
        let names =
            |what: &str| (0..200).map(|at| format!("gemini:{what}{at}")).collect::<Vec<_>>();
        many["models"] = json!(names("m"));
        many["prompts"] = json!(names("p"));
        assert!(read(&many).unwrap_err().contains("more than 10000 cells"));
    }
}
