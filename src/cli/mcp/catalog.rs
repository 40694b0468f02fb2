//! The catalogue of a server, the same for every client: the task in the protocol's own types.

use std::sync::Arc;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolResult, ContentBlock, GetPromptResult, Implementation, Prompt, PromptMessage,
    ReadResourceResult, Resource, ResourceContents, Role, ServerCapabilities, ServerConfig, Tool,
};
use serde_json::{Map, Value, json};

use crate::agent::PreparedTask;
use crate::base::Pixels;
use crate::environment::{Environment, PictureRequest, ToolOutcome, ToolSpec};

/// The picture to arrive at.
const GROUND_TRUTH: &str = "pentimento://task/ground-truth.png";
/// The picture of the canvas before the first call.
const START: &str = "pentimento://task/start.png";
/// The name of the prompt.
pub(super) const PROMPT: &str = "task";
const PNG: &str = "image/png";

const HOW: &str = "\
This server is the canvas of one design task. Its prompt `task` says what is asked, with the picture \
to arrive at, which is a resource too. Every tool acts on the same document; coordinates are in the \
canvas's units, from the top left corner of the main frame for its children. Nothing is submitted: \
what the canvas shows when you disconnect is the result.";

/// A picture as a client gets it.
#[derive(Debug)]
struct PictureResource {
    resource: Resource,
    base64: String,
}

/// Everything that stays the same for every client.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) tools: Vec<Tool>,
    instruction: String,
    /// Where to draw, in words.
    place: String,
    pictures: Vec<PictureResource>,
}

impl Catalog {
    /// What is offered on a task whose environment is at its start.
    pub(super) fn new(
        instruction: &str,
        prepared: &PreparedTask,
        environment: &dyn Environment,
    ) -> anyhow::Result<Self> {
        let mut pictures = Vec::new();
        if let Some(picture) = &prepared.input.picture {
            let words = "The picture to arrive at, one pixel a unit of the canvas.";
            pictures.push(shown(GROUND_TRUTH, "ground-truth.png", words, picture)?);
        }
        // An empty canvas needs no picture: the words below say how large it is.
        if prepared.start.document.is_some() {
            let start = environment.picture(&PictureRequest::default());
            let start = start.context("the start of the task cannot be drawn")?;
            let words = "What the canvas shows before the first call.";
            pictures.push(shown(START, "start.png", words, &start.pixels)?);
        }
        let size = prepared.start.canvas_size;
        // Where the first call needs a parent, this is it: without its id a model would have to ask.
        let frame = environment.main_frame().map_or_else(String::new, |id| id.to_string());
        let place = format!(
            "The main frame has the id \"{frame}\" and is {} × {} units large.",
            size.width, size.height
        );
        let tools = environment.tools().iter().map(tool).collect();
        Ok(Self { tools, instruction: instruction.to_owned(), place, pictures })
    }

    /// Who this server is and what it can do.
    pub(super) fn server() -> ServerConfig {
        let able = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        let mut server = ServerConfig::new(able.build()).with_instructions(HOW);
        server.server_info = Implementation::new("pentimento", env!("CARGO_PKG_VERSION"));
        server
    }

    /// The pictures there are.
    pub(super) fn resources(&self) -> Vec<Resource> {
        self.pictures.iter().map(|shown| shown.resource.clone()).collect()
    }

    /// The bytes of a picture; `None`: there is no such resource.
    pub(super) fn read(&self, uri: &str) -> Option<ReadResourceResult> {
        let shown = self.pictures.iter().find(|shown| shown.resource.uri == uri)?;
        let contents = ResourceContents::blob(shown.base64.clone(), uri).with_mime_type(PNG);
        Some(ReadResourceResult::new(vec![contents]))
    }

    /// The one prompt there is.
    pub(super) fn prompts() -> Vec<Prompt> {
        let words = "What is to be drawn, with the picture to arrive at.";
        vec![Prompt::new(PROMPT, Some(words), None).with_title("The task")]
    }

    /// The instruction, where to draw, and the pictures.
    pub(super) fn prompt(&self) -> GetPromptResult {
        let mut messages = vec![PromptMessage::new_text(
            Role::User,
            format!("{}\n\n{}", self.instruction, self.place),
        )];
        for shown in &self.pictures {
            // Before each picture what it is: a client may show them without the names of resources.
            let words = shown.resource.description.clone().unwrap_or_default();
            messages.push(PromptMessage::new_text(Role::User, words));
            let image = ContentBlock::image(shown.base64.clone(), PNG);
            messages.push(PromptMessage::new(Role::User, image));
        }
        GetPromptResult::new(messages).with_description("What is to be drawn")
    }
}

fn shown(uri: &str, name: &str, words: &str, picture: &Pixels) -> anyhow::Result<PictureResource> {
    // Encoded once for all clients, not at every request.
    let png = picture.to_png().with_context(|| format!("{name} cannot be encoded"))?;
    let resource = Resource::new(uri, name)
        .with_description(words)
        .with_mime_type(PNG)
        .with_size(png.len() as u64);
    Ok(PictureResource { resource, base64: STANDARD.encode(png) })
}

fn tool(spec: &ToolSpec) -> Tool {
    let schema = spec.schema.as_object().cloned().unwrap_or_default();
    Tool::new(spec.name, spec.description, Arc::new(schema))
}

/// What a client gets of an outcome: the text, the picture if the tool makes one, and the same for
/// programs. Of a failure the last is its class and message.
pub(super) fn result_of(outcome: &ToolOutcome) -> CallToolResult {
    let mut content = vec![ContentBlock::text(outcome.text.clone())];
    if let Some(image) = &outcome.image {
        match image.to_png() {
            Ok(png) => content.push(ContentBlock::image(STANDARD.encode(png), PNG)),
            Err(error) => content.push(ContentBlock::text(format!("There is no picture: {error}"))),
        }
    }
    let mut result = if outcome.is_error() {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    // Programs tell failures apart by their class, which is in no text.
    let failure = outcome.failure.as_ref();
    let failure = failure.map(|failure| json!({ "failure": failure }));
    result.structured_content = outcome.structured.clone().or(failure).map(as_object);
    result
}

/// A value as structured content, which the protocol wants to be an object.
fn as_object(value: Value) -> Value {
    if value.is_object() { value } else { Value::Object(Map::from_iter([("value".into(), value)])) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::FailureClass;

    #[test]
    fn a_failure_is_a_result_that_says_so() {
        let outcome = ToolOutcome::failure("moving", FailureClass::UnknownNode, "no node 9:9");
        let result = serde_json::to_value(result_of(&outcome)).unwrap();
        assert_eq!(result["isError"], true);
        assert_eq!(result["content"][0]["text"], "Error (moving): no node 9:9");
        assert_eq!(result["structuredContent"]["failure"]["class"], "unknown_node");
    }

    #[test]
    fn structured_content_is_an_object_and_a_picture_is_content() {
        let picture = Pixels::filled(2, 1, [1, 2, 3, 255]).unwrap();
        let outcome = ToolOutcome::success("two", json!([1, 2])).with_image(picture.clone());
        let result = serde_json::to_value(result_of(&outcome)).unwrap();
        assert_eq!(result["isError"], false);
        assert_eq!(result["structuredContent"], json!({ "value": [1, 2] }));
        let png = STANDARD.decode(result["content"][1]["data"].as_str().unwrap()).unwrap();
        assert_eq!(png, picture.to_png().unwrap());
    }
}
