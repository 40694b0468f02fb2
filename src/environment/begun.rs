//! A start with calls that come before a run's first: what a run begins with that goes on with another.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool::ToolCall;

/// The format's name, by which such a start is told from an environment's own.
const FORMAT: &str = "pentimento/start";
/// The format's version.
const VERSION: u64 = 1;

/// Why a start cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BegunStartError {
    /// A later version wrote it.
    #[error("the calls that the run begins with are of a format that this version does not know")]
    Version,
    /// It is not as it should be.
    #[error("the calls that the run begins with cannot be read: {0}")]
    Json(#[from] serde_json::Error),
}

/// A start of an environment's own, and the calls that were made on it before a run's first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BegunStart {
    /// What the environment's own start holds, as [`StartState::document`](super::StartState::document).
    pub document: Option<Value>,
    /// In order; empty where nothing was done yet.
    pub calls: Vec<BegunCall>,
}

/// A call that was made before a run's first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BegunCall {
    /// The call.
    pub call: ToolCall,
    /// What was told of it.
    pub text: String,
}

impl BegunStart {
    /// Reads the start of a run, with calls or without.
    ///
    /// # Errors
    ///
    /// [`BegunStartError`] of calls that cannot be read.
    pub fn from_document(document: Option<Value>) -> Result<Self, BegunStartError> {
        let mut value = match document {
            Some(value) if has_calls(&value) => value,
            document => return Ok(Self { document, calls: Vec::new() }),
        };
        if value["version"] != VERSION {
            return Err(BegunStartError::Version);
        }
        let calls = serde_json::from_value(value["calls"].take())?;
        let document = Some(value["document"].take()).filter(|own| !own.is_null());
        Ok(Self { document, calls })
    }

    /// The start of a run, as [`StartState::document`](super::StartState::document) holds it.
    #[must_use]
    pub fn into_document(self) -> Option<Value> {
        let Self { document, calls } = self;
        if calls.is_empty() {
            return document;
        }
        Some(json!({
            "format": FORMAT, "version": VERSION, "document": document, "calls": calls,
        }))
    }
}

/// Whether a start holds calls that come before a run's first.
pub(super) fn has_calls(document: &Value) -> bool {
    document.get("format").and_then(Value::as_str) == Some(FORMAT)
}

/// What the environment's own start holds, of a start with calls or without.
pub fn own_document(document: &Value) -> Option<&Value> {
    if has_calls(document) {
        document.get("document").filter(|own| !own.is_null())
    } else {
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u32) -> BegunCall {
        let call = ToolCall {
            id: format!("call-{number}"),
            name: "draw".to_owned(),
            arguments: json!({ "x": number }),
        };
        BegunCall { call, text: "Done.".to_owned() }
    }

    #[test]
    fn a_start_comes_back_with_its_calls() {
        for document in [None, Some(json!({ "document": { "type": "FRAME" } }))] {
            for calls in [vec![], vec![call(1), call(2)]] {
                let start = BegunStart { document: document.clone(), calls };
                let written = start.clone().into_document();
                assert_eq!(written.as_ref().and_then(own_document), document.as_ref());
                assert_eq!(BegunStart::from_document(written).unwrap(), start);
            }
        }
    }

    #[test]
    fn calls_that_cannot_be_read_are_an_error() {
        for (start, words) in [
            (json!({ "format": FORMAT, "version": 2, "calls": [] }), "does not know"),
            (json!({ "format": FORMAT, "version": 1 }), "cannot be read"),
            (json!({ "format": FORMAT, "version": 1, "calls": [{ "call": 1 }] }), "cannot be read"),
        ] {
            let error = BegunStart::from_document(Some(start)).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
