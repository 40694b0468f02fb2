//! The lines between Pentimento and a metric that is a program; `mod.rs` says how they follow each other.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The protocol's version, in every [`PairQuestion`].
pub const PROTOCOL: u32 = 1;

/// A line of the protocol, in either direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PairMessage {
    /// A line on the program's stdin.
    Question(PairQuestion),
    /// A line on the program's stdout.
    Answer(PairAnswer),
}

impl PairMessage {
    /// JSON Schema of a line; kept in `assets/schema/metric-protocol.schema.json`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

/// A line that the program reads: two pictures, to be answered with one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairQuestion {
    /// The protocol's version, 1.
    pub protocol: u32,
    /// The picture to arrive at.
    pub ground_truth: PairPicture,
    /// The picture that was made; it may be of another size.
    pub generated: PairPicture,
    /// What the task asked for, if it asked in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
}

/// A picture as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairPicture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// A PNG file, 8 bits a sample with alpha, in a folder that only this user can read; it may be removed as soon as
    /// the program has answered.
    pub path: PathBuf,
}

/// A line that the program writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairAnswer {
    /// The number; it is remembered.
    Value(f64),
    /// Why there is none for this pair, whenever it is asked: that is remembered, too.
    Missing(String),
    /// Why there is none this time: the pair is asked about again another time.
    Error(String),
}
