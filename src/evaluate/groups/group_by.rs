//! What separates groups of runs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::run::{Manifest, TASKS_SETTING, slug};

/// What every path of a setting begins with.
const SETTINGS: &str = "settings.";
/// The setting that says of which experiment a run is.
const EXPERIMENT: &str = "experiment";
/// An object whose JSON is longer is told from others by its hash, as prompts are, and not taken apart.
const MOST_BYTES: usize = 1_500;
/// A longer text is told from others by its hash.
const MOST_LETTERS: usize = 80;
/// How deep settings are taken apart.
const MOST_DEEP: usize = 4;
/// Digits of a hash.
const DIGITS: usize = 8;

/// What a run belongs to a group by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// The agent's name: mostly a model's.
    Model,
    /// The agent's kind.
    Agent,
    /// How the agent worked.
    Mode,
    /// The experiment.
    Experiment,
    /// The folder that its batch was recorded in: [`folder_of`].
    Folder,
    /// A setting, by its path without `settings.`: [`setting_of`].
    Setting(String),
}

/// A word that names nothing that groups are made by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} separates no runs: use model, agent, mode, experiment, folder or a setting, such as settings.max_turns"
)]
pub struct GroupByError(String);

impl GroupBy {
    /// The group of a run in this folder; `None` if it says nothing of it.
    pub fn of(&self, manifest: &Manifest, dir: &Path) -> Option<String> {
        let text = match self {
            Self::Model => manifest.agent.name.clone(),
            Self::Agent => manifest.agent.kind.clone(),
            Self::Mode => manifest.mode.clone(),
            Self::Experiment => experiment_of(manifest)?.to_owned(),
            Self::Folder => folder_of(manifest, dir).display().to_string(),
            Self::Setting(path) => setting_of(manifest, path)?,
        };
        (!text.is_empty()).then_some(text)
    }
}

impl FromStr for GroupBy {
    type Err = GroupByError;

    fn from_str(text: &str) -> Result<Self, GroupByError> {
        Ok(match text {
            "model" => Self::Model,
            "agent" => Self::Agent,
            "mode" => Self::Mode,
            "experiment" => Self::Experiment,
            "folder" => Self::Folder,
            _ => match text.strip_prefix(SETTINGS).filter(|path| !path.is_empty()) {
                Some(path) => Self::Setting(path.to_owned()),
                None => return Err(GroupByError(text.to_owned())),
            },
        })
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model => "model",
            Self::Agent => "agent",
            Self::Mode => "mode",
            Self::Experiment => "experiment",
            Self::Folder => "folder",
            Self::Setting(path) => return write!(f, "{SETTINGS}{path}"),
        })
    }
}

/// The name of the experiment that a run is of.
pub fn experiment_of(manifest: &Manifest) -> Option<&str> {
    manifest.settings.get(EXPERIMENT)?.get("name")?.as_str()
}

/// The folder that the runs of a batch lie in: above the run, its task and its set, as far as folders are named after
/// these.
pub fn folder_of<'a>(manifest: &Manifest, dir: &'a Path) -> &'a Path {
    let mut folder = dir.parent().unwrap_or(dir);
    for name in [&manifest.task.id, &manifest.task.set] {
        if folder.file_name() == Some(OsStr::new(&slug(name))) {
            folder = folder.parent().unwrap_or(folder);
        }
    }
    folder
}

/// The setting at a path of names divided by dots, such as `model.temperature`, in words; of what is long, the first
/// digits of its BLAKE3 hash. `None` where there is none.
pub fn setting_of(manifest: &Manifest, path: &str) -> Option<String> {
    words_of(setting_value(manifest, path)?)
}

/// The number at such a path; `None` where there is none, or something else.
pub fn setting_number(manifest: &Manifest, path: &str) -> Option<f64> {
    number_of(setting_value(manifest, path)?)
}

fn number_of(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

fn setting_value<'a>(manifest: &'a Manifest, path: &str) -> Option<&'a Value> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let mut value = manifest.settings.get(name)?;
    for name in rest.into_iter().flat_map(|rest| rest.split('.')) {
        value = value.as_object().filter(|object| is_taken_apart(object))?.get(name)?;
    }
    Some(value)
}

/// The paths of all settings of a run that [`setting_of`] gives words for, where its tasks lay aside, each with what
/// [`setting_number`] gives.
pub fn setting_paths(manifest: &Manifest) -> BTreeMap<String, Option<f64>> {
    let mut paths = BTreeMap::new();
    for (name, value) in manifest.settings.iter().filter(|(name, _)| *name != TASKS_SETTING) {
        if is_path_name(name) {
            add_paths(name, value, MOST_DEEP, &mut paths);
        }
    }
    paths
}

fn add_paths(path: &str, value: &Value, levels: usize, paths: &mut BTreeMap<String, Option<f64>>) {
    match value.as_object().filter(|object| is_taken_apart(object)) {
        Some(object) if levels > 0 => {
            for (name, value) in object {
                if is_path_name(name) {
                    add_paths(&format!("{path}.{name}"), value, levels - 1, paths);
                }
            }
        }
        Some(_) => {}
        None if value.is_null() => {}
        None => {
            paths.insert(path.to_owned(), number_of(value));
        }
    }
}

/// Whether a path can have this name in it: a dot would be taken for a level, a comma for the end of a column's id.
fn is_path_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ','])
}

fn is_taken_apart(object: &Map<String, Value>) -> bool {
    !object.is_empty() && serde_json::to_string(object).is_ok_and(|text| text.len() <= MOST_BYTES)
}

fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) if text.chars().count() <= MOST_LETTERS && !text.contains('\n') => {
            Some(text.clone())
        }
        Value::Object(object) if is_taken_apart(object) => None,
        value => {
            let mut text = String::new();
            write_sorted(value, &mut text);
            let digits = blake3::hash(text.as_bytes()).to_hex();
            Some(digits.chars().take(DIGITS).collect())
        }
    }
}

/// A value as JSON whose objects have their names in order, whatever the order they were written in.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(&String, &Value)> = object.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in entries {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_sorted(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for value in values {
                write_sorted(value, text);
                text.push(',');
            }
            text.push(']');
        }
        value => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::run::{AgentRef, TaskRef};

    fn manifest(settings: &Value) -> Manifest {
        let task = TaskRef { set: "screens".to_owned(), id: "login".to_owned() };
        let agent = AgentRef { kind: "model".to_owned(), name: "gpt".to_owned(), version: None };
        let manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        Manifest { settings: settings.as_object().unwrap().clone(), ..manifest }
    }

    #[test]
    fn settings_are_told_by_their_paths_and_long_ones_by_their_hash() {
        let prompts = json!({"user": "y".repeat(1_000), "system": "x".repeat(1_000)});
        let other = json!({"system": "x".repeat(1_000), "user": "y".repeat(1_000)});
        let run = manifest(&json!({
            "max_turns": 50, "tasks": "../..", "prompts": prompts, "none": null, "empty": {},
            "model": {"temperature": 0.5, "provider": {"kind": "openai"}, "stop": ["a", "b"]},
            "experiment": {"name": "warm", "repeat": 2}, "a.b": 1, "a,b": 1, "": 1,
        }));
        let numbers = setting_paths(&run);
        for (path, number) in &numbers {
            assert_eq!(setting_number(&run, path), *number, "{path}");
        }
        let paths: Vec<String> = numbers.into_keys().collect();
        let expected = [
            "empty",
            "experiment.name",
            "experiment.repeat",
            "max_turns",
            "model.provider.kind",
            "model.stop",
            "model.temperature",
            "prompts",
        ];
        assert_eq!(paths, expected);
        for path in &paths {
            assert!(setting_of(&run, path).is_some(), "{path}");
        }
        assert_eq!(setting_of(&run, "model.temperature").as_deref(), Some("0.5"));
        assert_eq!(setting_number(&run, "model.temperature"), Some(0.5));
        assert_eq!(setting_number(&run, "max_turns"), Some(50.0));
        for path in ["prompts", "model.provider.kind", "model.stop", "none", "nothing"] {
            assert_eq!(setting_number(&run, path), None, "{path}");
        }
        assert_eq!(setting_of(&run, "model"), None);
        assert_eq!(setting_of(&run, "prompts.user"), None, "it is one with its hash");
        let again = manifest(&json!({ "prompts": other }));
        assert_eq!(setting_of(&run, "prompts"), setting_of(&again, "prompts"));
        let others = manifest(&json!({ "prompts": {"system": "z".repeat(2_000)} }));
        assert_ne!(setting_of(&run, "prompts"), setting_of(&others, "prompts"));
        assert_eq!(GroupBy::Experiment.of(&run, Path::new("/a")).as_deref(), Some("warm"));
    }

    #[test]
    fn the_folder_of_a_batch_is_above_run_task_and_set() {
        let run = manifest(&json!({}));
        for (dir, folder) in [
            ("/out/warm/screens/login/gpt-01", "/out/warm"),
            ("/out/warm/login/gpt-01", "/out/warm"),
            ("/out/warm/gpt-01", "/out/warm"),
            ("gpt-01", ""),
        ] {
            assert_eq!(folder_of(&run, Path::new(dir)), Path::new(folder), "{dir}");
        }
        assert_eq!(GroupBy::Folder.of(&run, Path::new("gpt-01")), None);
    }

    #[test]
    fn what_separates_is_read_as_it_was_written() {
        for word in ["model", "agent", "mode", "experiment", "folder", "settings.model.stop"] {
            assert_eq!(word.parse::<GroupBy>().unwrap().to_string(), word);
        }
        for word in ["", "settings.", "ssim", "Model"] {
            assert!(word.parse::<GroupBy>().is_err(), "{word}");
        }
    }
}
