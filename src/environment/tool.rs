//! Tools: what a model is told, what it asks, what it gets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::Pixels;

/// A tool as a model is told of it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Its name, unique in the environment.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// JSON Schema of its arguments: an object with `additionalProperties: false`.
    pub schema: Value,
    /// What kind of work it does; colours the timeline.
    pub category: ToolCategory,
}

/// The kinds of work a tool does, as CANVAS groups them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ToolCategory {
    /// Of the link to the design tool.
    Connection,
    /// Makes nodes.
    Creation,
    /// Looks.
    Inspection,
    /// Auto layout.
    Layout,
    /// Moves, groups, deletes …
    Operation,
    /// Colours, corners, strokes, effects.
    Style,
    /// Words and letters.
    Text,
    /// Of a tool this program does not know.
    Other,
}

/// A tool call as an agent makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The agent's own id of the call; unique in its turn.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// With what: a JSON object, unchecked.
    pub arguments: Value,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutcome {
    /// For the model to read.
    pub text: String,
    /// The same for programs, in the published shape; `None` for a failure.
    pub structured: Option<Value>,
    /// A picture, if the tool makes one.
    pub image: Option<Pixels>,
    /// Why it failed, if it did.
    pub failure: Option<ToolFailure>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolFailure {
    /// The kind of failure.
    pub class: FailureClass,
    /// What happened, to what, and what to do.
    pub message: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// No tool of this name.
    UnknownTool,
    /// Arguments missing, extra, of the wrong type or out of range.
    BadArguments,
    /// A node id that does not exist.
    UnknownNode,
    /// The node cannot take what was asked.
    WrongNodeType,
    /// The picture could not be drawn.
    Render,
    /// Anything else that the document refused.
    Refused,
    /// No expert of this name (suite).
    UnknownExpert,
    /// Another expert's tool (suite).
    NotOfExpert,
    /// A parameter is not there (suite).
    MissingParameter,
    /// A parameter that the tool does not take (suite).
    ExtraParameter,
    /// A value of the wrong type (suite).
    IllTypedParameter,
    /// A value out of its range, or none of its choices (suite).
    OutOfRange,
    /// The program has no open document (suite).
    NoDocument,
    /// The document has no layer of this name (suite).
    UnknownLayer,
    /// A file that is neither given nor saved (suite).
    UnknownFile,
    /// A format that the program does not write (suite).
    WrongFormat,
    /// Nothing of the layer would be on the page (suite).
    OffPage,
    /// More than a document, a text or a folder holds (suite).
    TooLarge,
    /// The tool broke down each time it was tried: a fault of this program. Nothing was changed.
    BrokeDown,
}

impl FailureClass {
    /// Every class.
    pub const ALL: [Self; 19] = [
        Self::UnknownTool,
        Self::BadArguments,
        Self::UnknownNode,
        Self::WrongNodeType,
        Self::Render,
        Self::Refused,
        Self::UnknownExpert,
        Self::NotOfExpert,
        Self::MissingParameter,
        Self::ExtraParameter,
        Self::IllTypedParameter,
        Self::OutOfRange,
        Self::NoDocument,
        Self::UnknownLayer,
        Self::UnknownFile,
        Self::WrongFormat,
        Self::OffPage,
        Self::TooLarge,
        Self::BrokeDown,
    ];

    /// Its name in files, filters and tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::BadArguments => "bad_arguments",
            Self::UnknownNode => "unknown_node",
            Self::WrongNodeType => "wrong_node_type",
            Self::Render => "render",
            Self::Refused => "refused",
            Self::UnknownExpert => "unknown_expert",
            Self::NotOfExpert => "not_of_expert",
            Self::MissingParameter => "missing_parameter",
            Self::ExtraParameter => "extra_parameter",
            Self::IllTypedParameter => "ill_typed_parameter",
            Self::OutOfRange => "out_of_range",
            Self::NoDocument => "no_document",
            Self::UnknownLayer => "unknown_layer",
            Self::UnknownFile => "unknown_file",
            Self::WrongFormat => "wrong_format",
            Self::OffPage => "off_page",
            Self::TooLarge => "too_large",
            Self::BrokeDown => "broke_down",
        }
    }
}

impl ToolOutcome {
    /// A success with its text and its structured form.
    pub fn success(text: impl Into<String>, structured: Value) -> Self {
        Self { text: text.into(), structured: Some(structured), image: None, failure: None }
    }

    /// A failure in the published wording: `Error (<context>): <message>`.
    pub fn failure(context: &str, class: FailureClass, message: impl Into<String>) -> Self {
        // The published servers answer so, and prompts were written for it.
        let message = message.into();
        Self {
            text: format!("Error ({context}): {message}"),
            structured: None,
            image: None,
            failure: Some(ToolFailure { class, message }),
        }
    }

    /// The outcome with a picture.
    #[must_use]
    pub fn with_image(self, image: Pixels) -> Self {
        Self { image: Some(image), ..self }
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.failure.is_some()
    }
}

impl ToolCategory {
    /// Every category, in the order of legends.
    pub const ALL: [Self; 8] = [
        Self::Creation,
        Self::Inspection,
        Self::Layout,
        Self::Operation,
        Self::Style,
        Self::Text,
        Self::Connection,
        Self::Other,
    ];

    /// One word for legends.
    pub fn label(self) -> &'static str {
        match self {
            Self::Connection => "connect",
            Self::Creation => "create",
            Self::Inspection => "inspect",
            Self::Layout => "layout",
            Self::Operation => "operation",
            Self::Style => "style",
            Self::Text => "text",
            Self::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_failure_has_one_name_in_files_and_words() {
        for class in FailureClass::ALL {
            assert_eq!(serde_json::to_value(class).unwrap(), class.word());
        }
    }
}
