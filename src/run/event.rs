//! A line of `events.jsonl`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::environment::{ToolCall, ToolCategory, ToolFailure};

/// Something that happened in a run. Turns and steps count from 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A turn begins.
    Turn {
        /// Which.
        turn: u32,
        /// RFC 3339, UTC.
        at: String,
    },
    /// What the agent said it was thinking.
    Thought {
        /// In which turn.
        turn: u32,
        /// Its words.
        text: String,
    },
    /// The agent asks for a tool.
    Call {
        /// In which turn.
        turn: u32,
        /// Which step this makes.
        step: u32,
        /// The tool's kind of work.
        category: ToolCategory,
        /// What was asked.
        call: ToolCall,
    },
    /// What came of the call of that step.
    Outcome {
        /// Of which step.
        step: u32,
        /// What the agent was told.
        text: String,
        /// The same for programs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        structured: Option<Value>,
        /// A picture the agent was shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        image: Option<ImageRef>,
        /// Why it failed, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<ToolFailure>,
        /// How long the tool took.
        latency_ms: f64,
    },
    /// What the canvas looked like after a turn.
    Observation {
        /// After which turn.
        turn: u32,
        /// The picture.
        image: ImageRef,
    },
    /// What the turn cost.
    Usage {
        /// Of which turn.
        turn: u32,
        /// How much.
        usage: Usage,
    },
    /// Something worth knowing that is not an error.
    Note {
        /// In words.
        text: String,
    },
    /// Something that went wrong in the run itself, not in a tool.
    Error {
        /// In words.
        text: String,
    },
    /// A person took part.
    HumanAction {
        /// What they did.
        action: String,
        /// With what.
        #[serde(default)]
        detail: Value,
    },
    /// A turn is whole: everything of it is before this line.
    TurnEnd {
        /// Which.
        turn: u32,
        /// How long it took, thinking and tools.
        seconds: f64,
    },
}

impl Event {
    /// The kinds this version knows, as the field `event` names them.
    pub const KINDS: [&'static str; 10] = [
        "turn",
        "thought",
        "call",
        "outcome",
        "observation",
        "usage",
        "note",
        "error",
        "human_action",
        "turn_end",
    ];

    /// JSON Schema of a line of `events.jsonl`; kept in `assets/schema/event.schema.json`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

/// A picture in `images/`, by content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ImageRef {
    /// File name in `images/`: the first 32 hex digits of the BLAKE3 hash of the PNG, and `.png`.
    pub file: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Adds another. Once a cost is known, what has none counts as free.
    pub fn add(&mut self, other: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        if let Some(cost) = other.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or(0.0) + cost);
        }
    }
}
