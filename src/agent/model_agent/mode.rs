//! How a model works through a task.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a plan is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanWay {
    /// All at once, by a single planner, instead of stage by stage.
    pub direct: bool,
    /// The pictures that come with the query are shown, not only named.
    pub shows_pictures: bool,
}

/// How a model works through a task: the three conditions of CANVAS, Table 5, and planners.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It sees what came of its calls and goes on, until it makes none.
    #[default]
    MultiTurn,
    /// It makes all calls in one answer and sees nothing of what comes of them.
    SingleTurn,
    /// It has no tools and writes a page in HTML and CSS, in one answer.
    Code,
    /// It plans for a team of experts, stage by stage (GraphicBench; GraphicWeaver's agentic mode).
    Agentic,
    /// The same, and the pictures that come with the query are shown to it.
    AgenticVision,
    /// It plans for a team of experts, all at once (GraphicWeaver's direct mode).
    DirectPlan,
    /// The same, and the pictures that come with the query are shown to it.
    DirectPlanVision,
}

/// There is no mode of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no mode {0:?}; there are {known}", known = known())]
pub struct UnknownMode(String);

impl Mode {
    /// Every mode, in the order of lists.
    pub const ALL: [Self; 7] = [
        Self::MultiTurn,
        Self::SingleTurn,
        Self::Code,
        Self::Agentic,
        Self::AgenticVision,
        Self::DirectPlan,
        Self::DirectPlanVision,
    ];

    /// What a run's manifest calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MultiTurn => "multi_turn",
            Self::SingleTurn => "single_turn",
            Self::Code => "code",
            Self::Agentic => "agentic",
            Self::AgenticVision => "agentic_vision",
            Self::DirectPlan => "direct_plan",
            Self::DirectPlanVision => "direct_plan_vision",
        }
    }

    /// How it plans; `None` if it does not.
    pub fn plan_way(self) -> Option<PlanWay> {
        let (direct, shows_pictures) = match self {
            Self::MultiTurn | Self::SingleTurn | Self::Code => return None,
            Self::Agentic => (false, false),
            Self::AgenticVision => (false, true),
            Self::DirectPlan => (true, false),
            Self::DirectPlanVision => (true, true),
        };
        Some(PlanWay { direct, shows_pictures })
    }
}

fn known() -> String {
    Mode::ALL.map(Mode::name).join(", ")
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
