//! `taskset.json`: task sets of ours on disk.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::Size;
use crate::environment::EnvironmentKind;
use crate::metric::transformation::Check;

use super::model::TaskKind;

/// The format's name, in every file.
pub const FORMAT: &str = "pentimento/taskset";
/// The version this program writes; it reads this and every older one.
pub const VERSION: u32 = 1;
/// The file's name.
pub const FILE: &str = "taskset.json";

/// The whole of `taskset.json`. Paths in it are relative to its folder, with `/`, and never lead
/// out of it. Fields that are not known are left alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSetFile {
    /// Always [`FORMAT`].
    pub format: String,
    /// The format's version, from 1.
    pub version: u32,
    /// Unique among sets; what runs refer to.
    pub id: String,
    /// For people.
    pub name: String,
    /// In order. A value that is not a task is left out with a warning, and the others stay.
    #[schemars(with = "Vec<TaskEntry>")]
    pub tasks: Vec<Value>,
}

/// A task in `taskset.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskEntry {
    /// Unique in its set.
    pub id: String,
    /// Which environment; `canvas` if absent.
    #[serde(default)]
    #[schemars(with = "String")]
    pub environment: EnvironmentKind,
    /// What is asked.
    pub kind: TaskKind,
    /// The words the agent gets.
    pub instruction: String,
    /// What the canvas holds at first; absent: an empty frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<ArtifactEntry>,
    /// What it should become.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground_truth: Option<ArtifactEntry>,
    /// The size of the main frame, in canvas units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canvas_size: Option<Size>,
    /// The UI category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// `easy`, `medium`, `hard` or other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// Free words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Tools a person used for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reference_tools: Vec<String>,
    /// How a person would do it, step by step, in the design suite: `expert`, `skill`, `parameters` and, in words,
    /// `description` of each. Without `reference_tools`, these are its actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Value>>")]
    pub reference_plan: Option<Value>,
    /// What must be true of the picture at the end, beside that of the start. Checks that cannot be
    /// used are left out with a warning, and the task stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Check>>")]
    pub checks: Option<Value>,
    /// The pictures it hands out, for an environment that imports pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<GivenEntry>,
}

/// A picture that a task in `taskset.json` hands out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenEntry {
    /// What the task calls it.
    pub name: String,
    /// Its other names: a title, an address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// PNG or JPEG; absent: there is none, and a placeholder is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A state of a design in `taskset.json`: its document, its picture, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactEntry {
    /// Figma JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// PNG or JPEG.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

impl TaskSetFile {
    /// JSON Schema of `taskset.json`; kept in `assets/schema/taskset.schema.json`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}
