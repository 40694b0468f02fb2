//! What a model is asked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Message;

/// One request to a model: the whole conversation so far.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRequest {
    /// Who the model is to be; empty for none.
    pub system: String,
    /// What was said, oldest first.
    pub messages: Vec<Message>,
    /// The tools it may call, in the order it sees them.
    pub tools: Arc<[ChatTool]>,
    /// How it is to answer.
    pub settings: ChatSettings,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatTool {
    /// What calls name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub schema: Value,
}

/// How a model is to answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatSettings {
    /// The model's name, as its provider knows it.
    pub model: String,
    /// How free the choice of words is, 0 to 2; `None` says nothing of it, which models that know no
    /// temperature need.
    pub temperature: Option<f64>,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// Whether one answer may hold several calls. Gemini cannot be told.
    pub parallel_calls: bool,
    /// Merged into the request's JSON: objects into objects, `null` takes a field out, anything else
    /// replaces it.
    pub extra: Map<String, Value>,
}

impl Default for ChatSettings {
    /// Temperature 0 and 2,048 tokens, as in CANVAS's experiments.
    fn default() -> Self {
        Self {
            model: String::new(),
            temperature: Some(0.0),
            max_tokens: 2048,
            parallel_calls: true,
            extra: Map::new(),
        }
    }
}
