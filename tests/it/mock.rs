//! An environment small enough to see through: a list of marks.

use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels};
use pentimento::design::NodeId;
use pentimento::environment::{
    Environment, EnvironmentKind, FailureClass, Picture, PictureRequest, Snapshot, StartError,
    StartState, ToolCall, ToolCategory, ToolOutcome, ToolSpec,
};
use pentimento::render::RenderError;
use serde_json::{Value, json};

/// Marks on a canvas, and four tools: `mark` adds one, `look` shows them, `fail` fails, `crash`
/// panics.
#[derive(Debug)]
pub(crate) struct Marks {
    tools: Vec<ToolSpec>,
    marks: Arc<Vec<i64>>,
}

impl Marks {
    /// As the program makes environments; the start document is a list of marks.
    pub(crate) fn open(start: &StartState) -> Result<Box<dyn Environment>, StartError> {
        if ![EnvironmentKind::Canvas, EnvironmentKind::Page].contains(&start.environment) {
            return Err(StartError::UnknownEnvironment(start.environment.to_string()));
        }
        let numbers = start.document.iter().filter_map(|d| d["marks"].as_array()).flatten();
        let marks = Arc::new(numbers.filter_map(Value::as_i64).collect());
        let tools = [
            ("mark", ToolCategory::Creation),
            ("look", ToolCategory::Inspection),
            ("fail", ToolCategory::Style),
            ("crash", ToolCategory::Operation),
        ]
        .map(|(name, category)| ToolSpec {
            name,
            description: "",
            schema: json!({}),
            category,
        });
        Ok(Box::new(Self { tools: tools.to_vec(), marks }))
    }

    fn pixels(&self) -> Pixels {
        let last = self.marks.last().copied().unwrap_or_default() as u8;
        Pixels::filled(4, 3, [last, self.marks.len() as u8, 0, 255]).unwrap()
    }
}

impl Environment for Marks {
    fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }

    fn call(&mut self, call: &ToolCall, _cancel: &CancelToken) -> ToolOutcome {
        match call.name.as_str() {
            "mark" => {
                Arc::make_mut(&mut self.marks).push(call.arguments["n"].as_i64().unwrap_or(0));
                let id = format!("1:{}", self.marks.len());
                ToolOutcome::success(format!("mark {id}"), json!({ "id": id }))
            }
            "look" => ToolOutcome::success("look", json!({})).with_image(self.pixels()),
            "crash" => {
                // Half done, as a tool that breaks down may leave it.
                Arc::make_mut(&mut self.marks).push(-1);
                panic!("the tool has a hole")
            }
            other => ToolOutcome::failure(other, FailureClass::Refused, "no"),
        }
    }

    fn picture(&self, _request: &PictureRequest) -> Result<Picture, RenderError> {
        Ok(Picture { pixels: self.pixels(), diagnostics: Vec::new() })
    }

    fn main_frame(&self) -> Option<NodeId> {
        Some("1:1".into())
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::new(Arc::clone(&self.marks))
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.marks = Arc::clone(snapshot.get::<Arc<Vec<i64>>>().unwrap());
    }

    fn document_json(&self) -> Value {
        json!({ "document": { "id": "1:1" }, "marks": *self.marks })
    }
}
