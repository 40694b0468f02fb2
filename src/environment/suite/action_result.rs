//! What an action did.

use serde_json::{Map, Value, json};

use crate::base::Rect;
use crate::environment::ToolOutcome;

/// What an action did, in words and for programs.
#[derive(Clone, Debug, Default)]
pub(super) struct ActionResult {
    text: String,
    warnings: Vec<String>,
    fields: Map<String, Value>,
}

impl ActionResult {
    /// This was done.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// With a field for programs.
    #[must_use]
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// With the box where a layer now lies.
    #[must_use]
    pub(super) fn with_box(self, bounds: Rect) -> Self {
        let Rect { x, y, width, height } = bounds;
        let [x, y, width, height] =
            [x, y, width, height].map(|value| (value * 100.0).round() / 100.0);
        self.with("box", json!({"x": x, "y": y, "width": width, "height": height}))
    }

    /// With something to mind, if there is.
    #[must_use]
    pub(super) fn with_warning(mut self, warning: impl Into<Option<String>>) -> Self {
        self.warnings.extend(warning.into());
        self
    }

    /// The outcome of the call.
    pub(super) fn into_outcome(mut self) -> ToolOutcome {
        let mut text = self.text;
        // In the text as well, as a model reads that and no fields.
        for warning in &self.warnings {
            text.push_str(". Note: ");
            text.push_str(warning);
        }
        if !self.warnings.is_empty() {
            self.fields.insert("warnings".to_owned(), json!(self.warnings));
        }
        ToolOutcome::success(text, Value::Object(self.fields))
    }
}
