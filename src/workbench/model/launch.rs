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
    /// A folder of prompts.
    pub prompts: Option<PathBuf>,
    /// Whether the prompts that come with the program are compared with those of the folder.
    pub with_own_prompts: bool,
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
            prompts: None,
            with_own_prompts: true,
            repeats: 3,
        }
    }
}

impl LaunchDialog {
    /// Whether it makes an experiment: what a script does, it does every time.
    pub fn is_experiment(&self) -> bool {
        self.experiment.is_on && self.agent != AgentKind::Scripted
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
