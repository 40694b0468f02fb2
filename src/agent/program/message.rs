//! The messages between Pentimento and an agent that is a program; `mod.rs` says how they follow
//! each other.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::Size;
use crate::environment::{ToolCategory, ToolFailure};
use crate::run::{TaskRef, Usage};

/// The protocol's version, in every [`ToProgram::Hello`].
pub const PROTOCOL: u32 = 1;

/// A line of the protocol, in either direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Message {
    /// A line on the program's stdin.
    ToProgram(ToProgram),
    /// A line on the program's stdout.
    FromProgram(FromProgram),
}

impl Message {
    /// JSON Schema of a line; kept in `assets/schema/agent-protocol.schema.json`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

/// A line that the program reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum ToProgram {
    /// The first: the task. The program answers with its first turn.
    Hello {
        /// The protocol's version, 1.
        protocol: u32,
        /// Which task.
        task: TaskRef,
        /// What is asked.
        instruction: String,
        /// Size of the main frame, in canvas units.
        canvas_size: Size,
        /// Id of the main frame.
        main_frame: String,
        /// The tools, in the order a model would see them.
        tools: Vec<ProgramTool>,
        /// The picture to arrive at, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground_truth: Option<ProgramPicture>,
    },
    /// What came of the calls of the last answer. The program answers with its next turn.
    Turn {
        /// The turn that is to be answered, from 2.
        turn: u32,
        /// One for each call, in order.
        outcomes: Vec<ProgramOutcome>,
    },
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramTool {
    /// Its name.
    pub name: String,
    /// What it does, for a model.
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
    /// The kind of work it does.
    pub category: ToolCategory,
}

/// A picture: a PNG file, or its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramPicture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// A PNG file in a folder that only this user can read; it is removed when the run ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// The PNG's bytes in base64, for programs that asked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramOutcome {
    /// The call's id, as the program gave it or as it was made for it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// For a model to read.
    pub text: String,
    /// The same for programs; absent for a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ToolFailure>,
    /// A picture, if the tool makes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<ProgramPicture>,
}

/// A line that the program writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "type", deny_unknown_fields)]
pub enum FromProgram {
    /// A turn. Without calls, the program is done.
    Answer {
        /// What it thinks, for people.
        #[serde(default)]
        thought: String,
        /// What it asks for, made in this order.
        #[serde(default)]
        calls: Vec<ProgramCall>,
        /// What the answer cost, if known.
        #[serde(default)]
        usage: Option<Usage>,
    },
    /// There is nothing more to do.
    Done {
        /// What it thinks, for people.
        #[serde(default)]
        thought: String,
        /// What coming to this cost, if known.
        #[serde(default)]
        usage: Option<Usage>,
    },
    /// It cannot go on: the run fails with this message.
    Error {
        /// What happened.
        message: String,
    },
    /// The program wants pictures in this form; it is sent the last message again, and all later ones
    /// so.
    Pictures {
        /// Which.
        form: PictureForm,
    },
}

/// How pictures are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PictureForm {
    /// As files.
    #[default]
    Path,
    /// In the message.
    Base64,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramCall {
    /// The program's own id of it, unique in its turn; absent: one is made.
    #[serde(default)]
    pub id: Option<String>,
    /// Which tool.
    pub name: String,
    /// With what.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}
