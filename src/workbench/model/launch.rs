//! The content of the launch dialog.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::agent::AgentKind;
use crate::agent::batch::LaunchOptions;
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

impl LaunchDialog {
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
