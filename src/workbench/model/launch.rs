//! The content of the launch dialog.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::agent::AgentKind;
use crate::agent::batch::LaunchOptions;
use crate::agent::model_agent::Mode;
use crate::agent::models::ModelChoice;
use crate::agent::providers::EnteredKey;
use crate::run::TaskRef;

use super::values::EndpointTestKey;

/// The launch dialog, and what is remembered of it for the next session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaunchDialog {
    /// Which tasks; chosen anew each time.
    #[serde(skip)]
    pub tasks: BTreeSet<TaskRef>,
    /// Which agent, by kind: `tracer`, `model`, `scripted` or `exec`.
    pub agent: AgentKind,
    /// The command of the `exec` agent.
    pub command: String,
    /// The models of the `model` agent: its name may be several, divided by commas; never its key.
    pub model: ModelChoice,
    /// What is crossed with the models, and repeated.
    pub experiment: ExperimentDraft,
    /// The key that was typed last to be kept in the system's keyring.
    #[serde(skip)]
    pub entered_key: Option<EnteredKey>,
    /// Tests of the models' endpoints, one a model at most.
    #[serde(skip)]
    pub tests: Vec<EndpointTestKey>,
    /// How many tests were begun.
    #[serde(skip)]
    pub tests_begun: u64,
    /// How many keys were entered.
    #[serde(skip)]
    pub keys_entered: u64,
    /// The script of the `scripted` agent.
    pub script: Option<PathBuf>,
    /// What the runs have in common.
    #[serde(flatten)]
    pub options: LaunchOptions,
}

/// What the launch dialog makes an experiment of: what is crossed with the models and the tasks, and how
/// often that is repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExperimentDraft {
    /// Whether it is one.
    pub is_on: bool,
    /// What it is called.
    pub name: String,
    /// How models work, in the order of [`Mode::ALL`]; at least one while it is on.
    pub modes: BTreeSet<Mode>,
    /// Temperatures as they are typed, divided by commas; empty: as the file of models has them.
    pub temperatures: String,
    /// The prompts that models work with.
    #[serde(flatten)]
    pub prompts: PromptsDraft,
    /// How often, at least 1.
    pub repeats: u32,
}

impl Default for ExperimentDraft {
    fn default() -> Self {
        Self {
            is_on: false,
            name: "experiment".to_owned(),
            modes: BTreeSet::new(),
            temperatures: String::new(),
            prompts: PromptsDraft::default(),
            repeats: 3,
        }
    }
}

/// The prompts that an experiment compares: those that come with the program, and folders of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptPrompts")]
pub struct PromptsDraft {
    /// Whether those that come with the program are among them.
    #[serde(rename = "with_own_prompts")]
    pub built_in: bool,
    /// The folders, in the order they were added; no path twice.
    #[serde(rename = "prompts")]
    pub folders: Vec<PromptFolder>,
    /// The path of the next one, as far as it is typed.
    #[serde(skip)]
    pub typed: String,
}

/// A folder of prompts in the list of those that an experiment may compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is compared.
    pub is_on: bool,
}

impl Default for PromptsDraft {
    fn default() -> Self {
        Self { built_in: true, folders: Vec::new(), typed: String::new() }
    }
}

impl PromptsDraft {
    /// Adds a folder, ticked; one that is listed already is ticked where it stands.
    pub fn add(&mut self, path: PathBuf) {
        match self.folders.iter_mut().find(|folder| folder.path == path) {
            Some(folder) => folder.is_on = true,
            None => self.folders.push(PromptFolder { path, is_on: true }),
        }
    }

    /// What a folder is called in the list: by its name, or by all of its path where another has the same name.
    pub fn name_of(&self, folder: &PromptFolder) -> String {
        let name = folder.path.file_name();
        let alike = self.folders.iter().filter(|other| other.path.file_name() == name).count();
        let name = name.filter(|_| alike < 2).unwrap_or(folder.path.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// As settings keep the prompts of an experiment.
#[derive(Deserialize)]
#[serde(default)]
struct KeptPrompts {
    with_own_prompts: bool,
    prompts: KeptFolders,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum KeptFolders {
    Several(Vec<PromptFolder>),
    /// Of before there could be several.
    One(Option<PathBuf>),
}

impl Default for KeptPrompts {
    fn default() -> Self {
        Self { with_own_prompts: true, prompts: KeptFolders::Several(Vec::new()) }
    }
}

impl From<KeptPrompts> for PromptsDraft {
    fn from(kept: KeptPrompts) -> Self {
        let (built_in, folders) = match kept.prompts {
            KeptFolders::Several(folders) => (kept.with_own_prompts, folders),
            KeptFolders::One(Some(path)) => {
                (kept.with_own_prompts, vec![PromptFolder { path, is_on: true }])
            }
            // Without a folder nobody was asked whether to compare it with them.
            KeptFolders::One(None) => (true, Vec::new()),
        };
        Self { built_in, folders, typed: String::new() }
    }
}

impl LaunchDialog {
    /// Whether it makes an experiment: what a script does, it does every time.
    pub fn is_experiment(&self) -> bool {
        self.experiment.is_on && self.agent != AgentKind::Scripted
    }

    /// Whether it makes an experiment of models, which may work with several sets of prompts.
    pub fn compares_prompts(&self) -> bool {
        self.is_experiment() && self.agent == AgentKind::Model
    }

    /// How models work: in one way, or in an experiment's ways.
    pub fn modes(&self) -> Vec<Mode> {
        if self.is_experiment() && !self.experiment.modes.is_empty() {
            return self.experiment.modes.iter().copied().collect();
        }
        vec![self.model.mode]
    }

    /// The names of the models, in the order they were named, each once.
    pub fn model_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        // As it is typed: with spaces, and with a comma at the end while the next name is on its way.
        for name in self.model.name.split(',').map(str::trim) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Who acts: as many as there are models, or one.
    pub fn agents(&self) -> usize {
        if self.agent == AgentKind::Model { self.model_names().len() } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn folders_of_prompts_are_kept_and_the_one_of_before_is_read_with_its_tick() {
        let read = |value| from_value::<ExperimentDraft>(value).unwrap().prompts;
        let mut prompts = PromptsDraft { built_in: false, ..PromptsDraft::default() };
        prompts.add("/p/terse".into());
        prompts.add("/p/long".into());
        prompts.folders[1].is_on = false;
        let draft = ExperimentDraft { prompts: prompts.clone(), ..ExperimentDraft::default() };
        let kept = to_value(&draft).unwrap();
        assert_eq!(kept["prompts"][0], json!({"path": "/p/terse", "is_on": true}));
        assert_eq!(from_value::<ExperimentDraft>(kept).unwrap(), draft);

        let one = |built_in| {
            let mut prompts = PromptsDraft { built_in, ..PromptsDraft::default() };
            prompts.add("/p/terse".into());
            prompts
        };
        assert_eq!(read(json!({"prompts": "/p/terse", "with_own_prompts": false})), one(false));
        assert_eq!(read(json!({"prompts": "/p/terse"})), one(true));
        let none = PromptsDraft::default();
        assert_eq!(read(json!({"prompts": null, "with_own_prompts": false})), none);
        assert_eq!(read(json!({"name": "cold", "repeats": 2})), none);
        // Of a version that keeps something else there.
        assert!(from_value::<ExperimentDraft>(json!({"prompts": [3]})).is_err());
    }

    #[test]
    fn a_folder_that_is_listed_is_ticked_and_two_of_one_name_are_told_apart_by_their_paths() {
        let mut prompts = PromptsDraft::default();
        for path in ["/a/terse", "/b/terse", "/a/long"] {
            prompts.add(path.into());
        }
        prompts.folders[0].is_on = false;
        prompts.add("/a/./terse/".into());
        assert_eq!(prompts.folders.len(), 3);
        assert!(prompts.folders[0].is_on);
        let names: Vec<String> =
            prompts.folders.iter().map(|folder| prompts.name_of(folder)).collect();
        assert_eq!(names, ["/a/terse", "/b/terse", "long"]);
    }
}
