//! Writing a request.

use serde_json::{Map, Value, json};

use crate::agent::chat::{AssistantMessage, ChatRequest, ChatTool, Message, Part, ToolResult};

use super::schema::gemini_schema;
use crate::agent::providers::api::{add, base64_of, object, own_items};
use crate::agent::providers::draft::is_made_up;

/// The provider's name in items and identities.
pub(super) const NAME: &str = "gemini";

/// Where the picture of a result stands.
#[derive(Clone, Copy)]
enum PicturePlace {
    /// In the result itself, which models since Gemini 3 take.
    Result,
    /// In what the user says next: earlier models refuse it in the result, and refuse a turn of
    /// results with anything else in it.
    NextTurn,
}

pub(super) fn body(request: &ChatRequest) -> Map<String, Value> {
    let settings = &request.settings;
    let mut generation = object([("maxOutputTokens", json!(settings.max_tokens))]);
    if let Some(temperature) = settings.temperature {
        add(&mut generation, "temperature", json!(temperature));
    }
    let place = picture_place(&settings.model);
    let contents = request.messages.iter().flat_map(|message| contents_of(message, place));
    let mut body =
        object([("contents", contents.collect()), ("generationConfig", Value::Object(generation))]);
    if !request.system.is_empty() {
        let instruction = json!({ "parts": [{ "text": request.system }] });
        add(&mut body, "systemInstruction", instruction);
    }
    if !request.tools.is_empty() {
        let declarations: Vec<Value> = request.tools.iter().map(declaration).collect();
        add(&mut body, "tools", json!([{ "functionDeclarations": declarations }]));
    }
    body
}

/// By the number in the model's name; a name without one is of a later model.
fn picture_place(model: &str) -> PicturePlace {
    let number = model.split_once("gemini-").map(|(_, rest)| rest);
    let digits =
        number.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    match digits.and_then(|digits| digits.parse::<u32>().ok()) {
        Some(generation) if generation < 3 => PicturePlace::NextTurn,
        _ => PicturePlace::Result,
    }
}

fn declaration(tool: &ChatTool) -> Value {
    let mut fields = object([("name", json!(tool.name)), ("description", json!(tool.description))]);
    if let Some(schema) = gemini_schema(&tool.schema) {
        add(&mut fields, "parameters", schema);
    }
    Value::Object(fields)
}

fn contents_of(message: &Message, place: PicturePlace) -> Vec<Value> {
    let contents: Vec<(&str, Vec<Value>)> = match message {
        Message::User(parts) => vec![("user", parts.iter().map(part).collect())],
        Message::Assistant(message) => vec![("model", assistant(message))],
        Message::ToolResults(results) => {
            let answered = results.iter().map(|result| response(result, place)).collect();
            let shown = match place {
                PicturePlace::Result => Vec::new(),
                PicturePlace::NextTurn => results.iter().flat_map(shown).collect(),
            };
            vec![("user", answered), ("user", shown)]
        }
    };
    // A content without parts is refused, so a message of nothing is left out.
    let contents = contents.into_iter().filter(|(_, parts)| !parts.is_empty());
    contents.map(|(role, parts)| json!({ "role": role, "parts": parts })).collect()
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "text": text }),
        Part::Picture(png) => picture(png),
    }
}

fn picture(png: &[u8]) -> Value {
    json!({ "inlineData": { "mimeType": "image/png", "data": base64_of(png) } })
}

fn assistant(message: &AssistantMessage) -> Vec<Value> {
    if let Some(Value::Array(parts)) = own_items(message, NAME) {
        return parts.clone();
    }
    let text = (!message.text.is_empty()).then(|| json!({ "text": message.text }));
    let calls = message.calls.iter().map(|call| {
        let arguments = call.arguments.clone().unwrap_or_default();
        let mut fields = object([("name", json!(call.name)), ("args", json!(arguments))]);
        add_id(&mut fields, &call.id);
        json!({ "functionCall": fields })
    });
    text.into_iter().chain(calls).collect()
}

fn response(result: &ToolResult, place: PicturePlace) -> Value {
    // The two names that the documentation has for what a function gives back.
    let field = if result.failed { "error" } else { "output" };
    let mut fields = object([
        ("name", json!(result.name)),
        ("response", Value::Object(object([(field, json!(result.text))]))),
    ]);
    add_id(&mut fields, &result.call_id);
    if let (PicturePlace::Result, Some(png)) = (place, &result.picture) {
        add(&mut fields, "parts", json!([picture(png)]));
    }
    json!({ "functionResponse": fields })
}

fn shown(result: &ToolResult) -> Vec<Value> {
    let Some(png) = &result.picture else { return Vec::new() };
    let whose = format!("The picture that {} returned:", result.name);
    vec![json!({ "text": whose }), picture(png)]
}

/// The id of a call, if the provider gave one.
fn add_id(fields: &mut Map<String, Value>, id: &str) {
    if !is_made_up(id) {
        add(fields, "id", json!(id));
    }
}
