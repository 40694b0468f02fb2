//! What is said in a conversation.

use std::sync::Arc;

use serde_json::{Map, Value};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// What the user says and shows.
    User(Vec<Part>),
    /// What the model answered.
    Assistant(AssistantMessage),
    /// What came of the calls of the answer before, in their order.
    ToolResults(Vec<ToolResult>),
}

/// A part of what the user says.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture, as PNG.
    Picture(Arc<[u8]>),
}

/// What the model said, with what its provider wants back unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssistantMessage {
    /// Its words.
    pub text: String,
    /// What it wants done, in order.
    pub calls: Vec<CallRequest>,
    /// What its provider wants back unchanged: reasoning items, thought signatures, thinking blocks.
    /// Sent back instead of `text` and `calls` where it is of the same API.
    pub provider_items: Option<ProviderItems>,
}

/// An answer in its provider's own form.
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderItems {
    /// Whose form it is: [`super::ModelIdentity::provider`].
    pub provider: String,
    /// The items.
    pub items: Value,
}

/// A call that a model asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRequest {
    /// What the result has to name. Made up where the provider gives none; unlike every other of the
    /// conversation then.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, or what came instead of an object.
    pub arguments: Result<Map<String, Value>, MalformedArguments>,
}

impl CallRequest {
    /// The arguments as they are written: JSON, or what came instead.
    pub fn arguments_text(&self) -> String {
        match &self.arguments {
            Ok(arguments) => serde_json::to_string(arguments).unwrap_or_default(),
            // As it came, so that the model sees what it wrote when it is told that it was wrong.
            Err(malformed) => malformed.raw.clone(),
        }
    }
}

/// Arguments that are no JSON object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arguments are not a JSON object: {why}")]
pub struct MalformedArguments {
    /// What came, as it came.
    pub raw: String,
    /// What is wrong with it.
    pub why: String,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The call's [`CallRequest::id`].
    pub call_id: String,
    /// The call's tool.
    pub name: String,
    /// What it says.
    pub text: String,
    /// The same for machines. Not sent: the models of all providers are to see the same.
    pub structured: Option<Value>,
    /// A picture, as PNG.
    pub picture: Option<Arc<[u8]>>,
    /// Whether the call failed.
    pub failed: bool,
}
