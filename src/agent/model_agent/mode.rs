//! How a model works through a task.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a model works through a task; the three conditions of CANVAS, Table 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It sees what came of its calls and goes on, until it makes none.
    #[default]
    MultiTurn,
    /// It makes all calls in one answer and sees nothing of what comes of them.
    SingleTurn,
    /// It has no tools and writes a page in HTML and CSS, in one answer.
    Code,
}

/// There is no mode of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no mode {0:?}; there are multi_turn, single_turn and code")]
pub struct UnknownMode(String);

impl Mode {
    /// Every mode, in the order of lists.
    pub const ALL: [Self; 3] = [Self::MultiTurn, Self::SingleTurn, Self::Code];

    /// What a run's manifest calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MultiTurn => "multi_turn",
            Self::SingleTurn => "single_turn",
            Self::Code => "code",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == name);
        found.ok_or_else(|| UnknownMode(name.chars().take(40).collect()))
    }
}
