//! The agents there are, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How agents work that play a plan: the mode in their runs' manifests.
pub(super) const PLAYED_PLAN_MODE: &str = "plan";

/// A kind of agent of this program. Runs may say of other kinds: of MCP clients, of people, of imports.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// A model behind an API, turn by turn or all at once.
    Model,
    /// Draws what it sees in the picture, without a model.
    #[default]
    Tracer,
    /// Plays the calls of a script, or of a run, again.
    Scripted,
    /// Plans a design query by rules, without a model.
    Rules,
    /// Asks a program of somebody's own, over its stdin and stdout.
    Exec,
}

impl AgentKind {
    /// Every kind, in the order of lists.
    pub const ALL: [Self; 5] = [Self::Model, Self::Tracer, Self::Scripted, Self::Rules, Self::Exec];

    /// What runs and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tracer => "tracer",
            Self::Scripted => "scripted",
            Self::Rules => "rules",
            Self::Exec => "exec",
        }
    }

    /// The kind of this name; `None`: it is none of this program's.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How it works, for the run's manifest, unless the agent itself says otherwise.
    pub fn mode(self) -> &'static str {
        match self {
            Self::Model | Self::Tracer | Self::Exec => "multi_turn",
            Self::Scripted => "script",
            Self::Rules => PLAYED_PLAN_MODE,
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
