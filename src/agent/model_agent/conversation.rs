//! What was said so far.

use parking_lot::Mutex;
use std::sync::{Arc, Weak};

use serde_json::{Map, Value, json};

use crate::base::Pixels;
use crate::environment::page::RENDER_PAGE;
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};

use crate::agent::chat::{CallRequest, ChatTool, Message, Part, ToolResult};

/// The tools as a model sees them. Runs that are made at once share them: their schemas are large, and
/// hundreds of conversations hold them. The static cannot change an answer, as what is shared is
/// compared with the tools first; it lives no longer than the last run that has it.
pub(super) fn tools_of(tools: &[ToolSpec]) -> Arc<[ChatTool]> {
    static SHARED: Mutex<Weak<[ChatTool]>> = Mutex::new(Weak::<[ChatTool; 0]>::new());
    let mut shared = SHARED.lock();
    if let Some(known) = shared.upgrade().filter(|known| are_same(known, tools)) {
        return known;
    }
    let new: Arc<[ChatTool]> = tools
        .iter()
        .map(|spec| ChatTool {
            name: spec.name.to_owned(),
            description: spec.description.to_owned(),
            schema: spec.schema.clone(),
        })
        .collect();
    *shared = Arc::downgrade(&new);
    new
}

fn are_same(known: &[ChatTool], tools: &[ToolSpec]) -> bool {
    known.len() == tools.len()
        && known.iter().zip(tools).all(|(known, tool)| {
            known.name == tool.name
                && known.description == tool.description
                && known.schema == tool.schema
        })
}

/// Words, and a picture to look at if there is one.
pub(super) fn opening(words: String, picture: Option<&Pixels>) -> Result<Message, String> {
    let mut parts = vec![Part::Text(words)];
    parts.extend(picture.map(png_of).transpose()?.map(Part::Picture));
    Ok(Message::User(parts))
}

/// Words alone.
pub(super) fn words(words: String) -> Message {
    Message::User(vec![Part::Text(words)])
}

/// A call as a tool gets it. Arguments that are no object are passed on as the text they came as:
/// what is wrong with them is the call's outcome.
pub(super) fn tool_call(call: &CallRequest) -> ToolCall {
    let arguments = match &call.arguments {
        Ok(fields) => Value::Object(fields.clone()),
        // The tool refuses a text, and says what it should have been.
        Err(malformed) => Value::String(malformed.raw.clone()),
    };
    ToolCall { id: call.id.clone(), name: call.name.clone(), arguments }
}

/// The call that shows a page.
pub(super) fn page_call(html: &str) -> ToolCall {
    let arguments = json!({ "html": html });
    ToolCall { id: "page".to_owned(), name: RENDER_PAGE.to_owned(), arguments }
}

/// What came of the calls of an answer, in the order they were asked for. A call that was not made
/// has a result too, as providers insist on.
pub(super) fn results(
    asked: &[CallRequest],
    made: &[(ToolCall, ToolOutcome)],
) -> Result<Message, String> {
    let mut results = Vec::with_capacity(asked.len());
    for (at, call) in asked.iter().enumerate() {
        let mut result = ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: "Not called: the turn ended before.".to_owned(),
            structured: None,
            picture: None,
            failed: true,
        };
        // Calls are made in the order they were asked for, so those without an outcome come last.
        if let Some((_, outcome)) = made.get(at) {
            result.text.clone_from(&outcome.text);
            result.structured.clone_from(&outcome.structured);
            result.picture = outcome.image.as_ref().map(png_of).transpose()?;
            result.failed = outcome.is_error();
        }
        results.push(result);
    }
    Ok(Message::ToolResults(results))
}

/// The calls with arguments that every provider takes back: an empty object for those that could not
/// be read.
pub(super) fn repeatable(mut calls: Vec<CallRequest>) -> Vec<CallRequest> {
    for call in &mut calls {
        // Providers check the conversation they get back, and refuse all of it for one bad call.
        if call.arguments.is_err() {
            call.arguments = Ok(Map::new());
        }
    }
    calls
}

pub(in crate::agent) fn png_of(picture: &Pixels) -> Result<Arc<[u8]>, String> {
    let png = picture.to_png().map_err(|error| error.to_string())?;
    Ok(png.into())
}
