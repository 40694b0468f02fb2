//! Checking arguments against a tool's JSON Schema.

use serde_json::Value;

/// One thing wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ArgumentError {
    /// Where, such as `fillColor.r`; `arguments` for the whole.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Checks `arguments` against `schema`, of the subset of JSON Schema that the tools use; returns
/// every error, in the order of the schema. Empty: the arguments are good.
pub fn check_arguments(_schema: &Value, _arguments: &Value) -> Vec<ArgumentError> {
    Vec::new()
}
