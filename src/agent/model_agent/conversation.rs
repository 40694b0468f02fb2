//! What was said so far.

use parking_lot::Mutex;
use std::sync::{Arc, Weak};

use serde_json::{Map, Value, json};

use crate::base::Pixels;
use crate::environment::page::RENDER_PAGE;
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};

use crate::agent::chat::{CallRequest, ChatTool, Message, Part, ToolResult};

/// The tools as a model sees them. Runs that are made at once share them: their schemas are large.
pub(super) fn tools_of(tools: &[ToolSpec]) -> Arc<[ChatTool]> {
    static SHARED: Mutex<Weak<[ChatTool]>> = Mutex::new(Weak::<[ChatTool; 0]>::new());
    let mut shared = SHARED.lock();
    if let Some(known) = shared.upgrade().filter(|known| are_same(known, tools)) {
        return known;
    }
    let new: Arc<[ChatTool]> = tools.iter().map(chat_tool).collect();
    *shared = Arc::downgrade(&new);
    new
}

fn are_same(known: &[ChatTool], tools: &[ToolSpec]) -> bool {
    let is_same = |(known, tool): (&ChatTool, &ToolSpec)| {
        known.name == tool.name
            && known.description == tool.description
            && known.schema == tool.schema
    };
    known.len() == tools.len() && known.iter().zip(tools).all(is_same)
}

fn chat_tool(spec: &ToolSpec) -> ChatTool {
    ChatTool {
        name: spec.name.to_owned(),
        description: spec.description.to_owned(),
        schema: spec.schema.clone(),
    }
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
    let result = |(at, call): (usize, &CallRequest)| match made.get(at) {
        Some((_, outcome)) => result_of(call, outcome),
        None => Ok(ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: "Not called: the turn ended before.".to_owned(),
            structured: None,
            picture: None,
            failed: true,
        }),
    };
    Ok(Message::ToolResults(asked.iter().enumerate().map(result).collect::<Result<_, String>>()?))
}

fn result_of(call: &CallRequest, outcome: &ToolOutcome) -> Result<ToolResult, String> {
    Ok(ToolResult {
        call_id: call.id.clone(),
        name: call.name.clone(),
        text: outcome.text.clone(),
        structured: outcome.structured.clone(),
        picture: outcome.image.as_ref().map(png_of).transpose()?,
        failed: outcome.is_error(),
    })
}

/// The calls with arguments that every provider takes back: an empty object for those that could not
/// be read.
pub(super) fn repeatable(mut calls: Vec<CallRequest>) -> Vec<CallRequest> {
    for call in &mut calls {
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
