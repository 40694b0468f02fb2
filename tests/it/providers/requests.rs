//! What is sent: the same conversation to each API.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pentimento::agent::chat::{
    AssistantMessage, CallRequest, ChatRequest, ChatTool, MalformedArguments, Message, Part,
    ProviderItems, ToolResult,
};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::Size;
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use pentimento::environment::{Environment as _, ToolSpec};
use serde_json::{Map, Value, json};

use super::asking::{Canned, ask, png, question, sent, settings};
use super::streams;

/// Everything that a conversation may hold.
fn conversation() -> ChatRequest {
    let mut request = question("Copy this.");
    let Message::User(parts) = &mut request.messages[0] else { unreachable!() };
    parts.push(Part::Picture(png()));
    let arguments = json!({ "name": "Card" }).as_object().cloned().unwrap();
    let malformed = MalformedArguments { raw: "{\"name\":".to_owned(), why: "it ends".to_owned() };
    let call = |id: &str, arguments| CallRequest {
        id: id.to_owned(),
        name: "create_rectangle".to_owned(),
        arguments,
    };
    request.messages.push(Message::Assistant(AssistantMessage {
        text: "I draw.".to_owned(),
        calls: vec![call("call_a", Ok(arguments)), call("made_1_1", Err(malformed))],
        provider_items: None,
    }));
    let result = |id: &str, text: &str, failed: bool| ToolResult {
        call_id: id.to_owned(),
        name: "create_rectangle".to_owned(),
        text: text.to_owned(),
        structured: Some(json!({ "not": "sent" })),
        picture: (!failed).then(png),
        failed,
    };
    request.messages.push(Message::ToolResults(vec![
        result("call_a", "Created 1:2.", false),
        result("made_1_1", "No name.", true),
    ]));
    request.messages.push(Message::User(vec![Part::Text("Go on.".to_owned())]));
    request
}

fn body_of(settings: ProviderSettings, request: &ChatRequest) -> Value {
    let kind = settings.kind;
    let canned = std::sync::Arc::new(Canned::stream(&streams::of(kind), 1 << 20));
    let (answer, heard) = ask(&Provider::over(canned, settings, None).unwrap(), request);
    answer.unwrap();
    let body = sent(&heard.exchanges[0]);
    assert!(!body.to_string().contains("\"not\""), "{body}");
    body
}

fn body(kind: ProviderKind, request: &ChatRequest) -> Value {
    body_of(settings(kind, "http://canned/v1"), request)
}

fn base64() -> String {
    STANDARD.encode(png())
}

fn data_url() -> String {
    format!("data:image/png;base64,{}", base64())
}

fn schema() -> Value {
    question("?").tools[0].schema.clone()
}

#[test]
fn responses_are_asked_with_items_and_nothing_is_stored() {
    let image = json!({ "type": "input_image", "image_url": data_url(), "detail": "auto" });
    let call = |id: &str, arguments: &str| {
        json!({
            "type": "function_call", "call_id": id, "name": "create_rectangle", "arguments": arguments,
        })
    };
    let expected = json!({
        "model": "model-1",
        "input": [
            { "type": "message", "role": "user",
              "content": [{ "type": "input_text", "text": "Copy this." }, image] },
            { "type": "message", "role": "assistant", "content": "I draw." },
            call("call_a", "{\"name\":\"Card\"}"),
            call("made_1_1", "{\"name\":"),
            { "type": "function_call_output", "call_id": "call_a",
              "output": [{ "type": "input_text", "text": "Created 1:2." }, image] },
            { "type": "function_call_output", "call_id": "made_1_1", "output": "No name." },
            { "type": "message", "role": "user",
              "content": [{ "type": "input_text", "text": "Go on." }] },
        ],
        "max_output_tokens": 2048,
        "store": false,
        "stream": true,
        "instructions": "You draw.",
        "temperature": 0.0,
        "include": ["reasoning.encrypted_content"],
        "tools": [{ "type": "function", "name": "create_rectangle",
                    "description": "Draws a rectangle.", "parameters": schema(), "strict": false }],
    });
    assert_eq!(body(ProviderKind::Responses, &conversation()), expected);
}

#[test]
fn models_that_do_not_reason_are_not_asked_for_their_reasoning() {
    let mut request = question("?");
    for (model, asked) in
        [("gpt-4o", false), ("gpt-4.1-mini", false), ("gpt-5", true), ("o3", true)]
    {
        request.settings.model = model.to_owned();
        let include = body(ProviderKind::Responses, &request).get("include").is_some();
        assert_eq!(include, asked, "{model}");
    }
}

#[test]
fn completions_are_asked_with_the_picture_of_a_result_shown_by_the_user() {
    let image = json!({ "type": "image_url", "image_url": { "url": data_url() } });
    let call = |id: &str, arguments: &str| {
        json!({
            "id": id, "type": "function",
            "function": { "name": "create_rectangle", "arguments": arguments },
        })
    };
    let expected = json!({
        "model": "model-1",
        "messages": [
            { "role": "system", "content": "You draw." },
            { "role": "user", "content": [{ "type": "text", "text": "Copy this." }, image] },
            { "role": "assistant", "content": "I draw.",
              "tool_calls": [call("call_a", "{\"name\":\"Card\"}"), call("made_1_1", "{\"name\":")] },
            { "role": "tool", "tool_call_id": "call_a", "content": "Created 1:2." },
            { "role": "tool", "tool_call_id": "made_1_1", "content": "No name." },
            { "role": "user", "content": [
                { "type": "text", "text": "The picture that create_rectangle returned (call_a):" },
                image,
                { "type": "text", "text": "Go on." },
            ] },
        ],
        "max_tokens": 2048,
        "stream": true,
        "stream_options": { "include_usage": true },
        "temperature": 0.0,
        "tools": [{ "type": "function", "function": {
            "name": "create_rectangle", "description": "Draws a rectangle.", "parameters": schema(),
        } }],
    });
    assert_eq!(body(ProviderKind::ChatCompletions, &conversation()), expected);
}

#[test]
fn openai_itself_is_told_the_limit_in_its_newer_word() {
    let mut own = settings(ProviderKind::ChatCompletions, "https://api.openai.com/v1");
    own.stream = true;
    let body = body_of(own, &question("?"));
    assert_eq!((&body["max_completion_tokens"], &body["max_tokens"]), (&json!(2048), &json!(null)));
    // A plain text is one where a server may know no parts.
    assert_eq!(body["messages"][1], json!({ "role": "user", "content": "?" }));
}

#[test]
fn messages_are_asked_with_roles_in_turn() {
    let image = json!({ "type": "image",
        "source": { "type": "base64", "media_type": "image/png", "data": base64() } });
    let expected = json!({
        "model": "model-1",
        "max_tokens": 2048,
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "Copy this." }, image] },
            { "role": "assistant", "content": [
                { "type": "text", "text": "I draw." },
                { "type": "tool_use", "id": "call_a", "name": "create_rectangle", "input": { "name": "Card" } },
                { "type": "tool_use", "id": "made_1_1", "name": "create_rectangle", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_a",
                  "content": [{ "type": "text", "text": "Created 1:2." }, image] },
                { "type": "tool_result", "tool_use_id": "made_1_1", "is_error": true,
                  "content": [{ "type": "text", "text": "No name." }] },
                { "type": "text", "text": "Go on." },
            ] },
        ],
        "stream": true,
        "system": "You draw.",
        "temperature": 0.0,
        "tools": [{ "name": "create_rectangle", "description": "Draws a rectangle.",
                    "input_schema": schema() }],
    });
    assert_eq!(body(ProviderKind::Anthropic, &conversation()), expected);
}

#[test]
fn an_empty_answer_leaves_no_empty_message_behind() {
    let mut request = question("Draw.");
    request.messages.push(Message::Assistant(AssistantMessage::default()));
    request.messages.push(Message::User(vec![Part::Text("Well?".to_owned())]));
    let anthropic = body(ProviderKind::Anthropic, &request);
    assert_eq!(anthropic["messages"].as_array().unwrap().len(), 1);
    assert_eq!(anthropic["messages"][0]["content"].as_array().unwrap().len(), 2);
    let gemini = body(ProviderKind::Gemini, &request);
    assert!(
        gemini["contents"]
            .as_array()
            .unwrap()
            .iter()
            .all(|content| content["parts"][0].is_object())
    );
}

#[test]
fn what_was_read_is_kept_at_the_provider_if_that_is_wanted() {
    let mut cached = settings(ProviderKind::Anthropic, "http://canned/v1");
    cached.cache_prompts = true;
    let body = body_of(cached, &conversation());
    assert_eq!(body["messages"][2]["content"][2]["cache_control"], json!({ "type": "ephemeral" }));
    assert_eq!(body.to_string().matches("cache_control").count(), 1);
}

fn gemini_expected(results: &[Value]) -> Value {
    let mut contents = vec![
        json!({ "role": "user", "parts": [{ "text": "Copy this." }, inline()] }),
        json!({ "role": "model", "parts": [
            { "text": "I draw." },
            { "functionCall": { "name": "create_rectangle", "args": { "name": "Card" }, "id": "call_a" } },
            { "functionCall": { "name": "create_rectangle", "args": {} } },
        ] }),
    ];
    contents.extend(results.iter().cloned());
    contents.push(json!({ "role": "user", "parts": [{ "text": "Go on." }] }));
    json!(contents)
}

fn inline() -> Value {
    json!({ "inlineData": { "mimeType": "image/png", "data": base64() } })
}

#[test]
fn gemini_is_asked_with_the_picture_in_the_result_or_after_it() {
    let failed = json!({ "functionResponse": { "name": "create_rectangle", "response": { "error": "No name." } } });
    let response = |parts: Option<Value>| {
        let mut response = json!({ "functionResponse": {
            "name": "create_rectangle", "response": { "output": "Created 1:2." }, "id": "call_a",
        } });
        if let Some(parts) = parts {
            response["functionResponse"]["parts"] = parts;
        }
        response
    };
    let mut request = conversation();
    request.settings.model = "gemini-3-pro".to_owned();
    let body_3 = body(ProviderKind::Gemini, &request);
    let nested = json!({ "role": "user", "parts": [response(Some(json!([inline()]))), failed] });
    assert_eq!(body_3["contents"], gemini_expected(&[nested]));

    request.settings.model = "gemini-2.5-flash".to_owned();
    let body_2 = body(ProviderKind::Gemini, &request);
    let text = json!({ "text": "The picture that create_rectangle returned:" });
    let after = [
        json!({ "role": "user", "parts": [response(None), failed] }),
        json!({ "role": "user", "parts": [text, inline()] }),
    ];
    assert_eq!(body_2["contents"], gemini_expected(&after));
    assert_eq!(body_2["systemInstruction"], json!({ "parts": [{ "text": "You draw." }] }));
    assert_eq!(body_2["generationConfig"], json!({ "maxOutputTokens": 2048, "temperature": 0.0 }));
    let declaration = &body_2["tools"][0]["functionDeclarations"][0];
    assert_eq!(
        declaration["parameters"],
        json!({
            "type": "object",
            "propertyOrdering": ["name", "width"],
            "required": ["name"],
            "properties": {
                "name": { "type": "string" },
                "width": { "minimum": 0, "type": "number", "description": "More than 0." },
            },
        })
    );
}

#[test]
fn bedrock_is_asked_with_blocks_and_its_settings_apart() {
    let image = json!({ "image": { "format": "png", "source": { "bytes": base64() } } });
    let call = |id: &str, input: Value| json!({ "toolUse": { "toolUseId": id, "name": "create_rectangle", "input": input } });
    let expected = json!({
        "messages": [
            { "role": "user", "content": [{ "text": "Copy this." }, image] },
            { "role": "assistant", "content": [
                { "text": "I draw." }, call("call_a", json!({ "name": "Card" })),
                call("made_1_1", json!({})),
            ] },
            { "role": "user", "content": [
                { "toolResult": { "toolUseId": "call_a",
                                  "content": [{ "text": "Created 1:2." }, image] } },
                { "toolResult": { "toolUseId": "made_1_1", "content": [{ "text": "No name." }],
                                  "status": "error" } },
                { "text": "Go on." },
            ] },
        ],
        "inferenceConfig": { "maxTokens": 2048, "temperature": 0.0 },
        "system": [{ "text": "You draw." }],
        "toolConfig": { "tools": [{ "toolSpec": {
            "name": "create_rectangle", "inputSchema": { "json": schema() },
            "description": "Draws a rectangle.",
        } }] },
    });
    assert_eq!(body(ProviderKind::Bedrock, &conversation()), expected);
    let mut cached = settings(ProviderKind::Bedrock, "http://canned/v1");
    cached.cache_prompts = true;
    let last = body_of(cached, &conversation())["messages"][2]["content"][3].clone();
    assert_eq!(last, json!({ "cachePoint": { "type": "default" } }));
}

#[test]
fn what_a_provider_gave_goes_back_unchanged_and_to_no_other() {
    for kind in ProviderKind::ALL {
        let (answer, _) = super::asking::read_stream(kind, &streams::of(kind));
        let mut message = answer.unwrap().message;
        let Some(items) = message.provider_items.clone() else {
            assert_eq!(kind, ProviderKind::ChatCompletions);
            continue;
        };
        let mut request = question("Draw.");
        request.messages.push(Message::Assistant(message.clone()));
        let own = body(kind, &request);
        match (kind, &items.items) {
            (ProviderKind::ChatCompletions, Value::Object(fields)) => {
                for (name, value) in fields {
                    assert_eq!(&own["messages"][2][name], value);
                }
            }
            (_, Value::Array(sent_back)) => {
                let text = own.to_string();
                for item in sent_back {
                    assert!(text.contains(&item.to_string()), "{kind:?}: {item} in {text}");
                }
            }
            other => panic!("{other:?}"),
        }
        message.provider_items =
            Some(ProviderItems { provider: "somebody".to_owned(), items: json!(["odd"]) });
        request.messages[1] = Message::Assistant(message);
        let foreign = body(kind, &request).to_string();
        assert!(!foreign.contains("odd") && foreign.contains("I draw it."), "{foreign}");
    }
}

#[test]
fn settings_reach_the_body_and_extra_has_the_last_word() {
    for kind in ProviderKind::ALL {
        let mut request = question("?");
        request.settings.temperature = None;
        request.settings.parallel_calls = false;
        request.settings.extra =
            json!({ "top_k": 3, "system": null, "tools": [] }).as_object().cloned().unwrap();
        let body = body(kind, &request);
        assert_eq!((&body["top_k"], &body["tools"]), (&json!(3), &json!([])), "{kind:?}");
        assert!(!body.to_string().contains("temperature"), "{kind:?}");
        assert_eq!(body.get("system"), None);
        let parallel = match kind {
            ProviderKind::Anthropic => body["tool_choice"]["disable_parallel_tool_use"] == true,
            // They have no word for it.
            ProviderKind::Gemini | ProviderKind::Bedrock => true,
            _ => body["parallel_tool_calls"] == false,
        };
        assert!(parallel, "{kind:?}: {body}");
    }
}

#[test]
fn addresses_are_those_of_the_apis() {
    let cases = [
        (ProviderKind::Responses, true, "http://canned/v1/responses"),
        (ProviderKind::ChatCompletions, true, "http://canned/v1/chat/completions"),
        (ProviderKind::Anthropic, true, "http://canned/v1/messages"),
        (
            ProviderKind::Gemini,
            true,
            "http://canned/v1/models/model-1:streamGenerateContent?alt=sse",
        ),
        (ProviderKind::Gemini, false, "http://canned/v1/models/model-1:generateContent"),
        (ProviderKind::Bedrock, true, "http://canned/v1/model/model-1/converse-stream"),
        (ProviderKind::Bedrock, false, "http://canned/v1/model/model-1/converse"),
    ];
    for (kind, stream, url) in cases {
        let mut settings = settings(kind, "http://canned/v1");
        settings.stream = stream;
        let canned = std::sync::Arc::new(Canned::stream(&streams::of(kind), 1 << 20));
        let (_, heard) = ask(&Provider::over(canned, settings, None).unwrap(), &question("?"));
        assert_eq!(heard.exchanges[0].url, url);
    }
}

/// The fields of a schema that Gemini documents.
const GEMINI_FIELDS: [&str; 23] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
    "maximum",
    "",
];

fn foreign_fields(schema: &Value, at: &str, found: &mut Vec<String>) {
    for (name, value) in schema.as_object().unwrap() {
        if !GEMINI_FIELDS.contains(&name.as_str()) {
            found.push(format!("{at}/{name}"));
        }
        match (name.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (property, schema) in properties {
                    foreign_fields(schema, &format!("{at}/{property}"), found);
                }
            }
            ("items", items) => foreign_fields(items, &format!("{at}/items"), found),
            ("anyOf", Value::Array(either)) => {
                for schema in either {
                    foreign_fields(schema, &format!("{at}/anyOf"), found);
                }
            }
            ("type", kind) if !kind.is_string() => found.push(format!("{at}/type of {kind}")),
            ("enum", Value::Array(choices)) if !choices.iter().all(Value::is_string) => {
                found.push(format!("{at}/enum of {value}"));
            }
            _ => {}
        }
    }
}

#[test]
fn the_canvas_tools_reach_gemini_in_words_that_it_knows() {
    let start = Start::Blank(Size::new(393.0, 852.0));
    let environment = CanvasEnvironment::new(start, CanvasSettings::default()).unwrap();
    let mut request = question("?");
    let tool = |spec: &ToolSpec| ChatTool {
        name: spec.name.to_owned(),
        description: spec.description.to_owned(),
        schema: spec.schema.clone(),
    };
    request.tools = environment.tools().iter().map(tool).collect();
    assert_eq!(request.tools.len(), 50);
    let body = body(ProviderKind::Gemini, &request);
    let declarations = body["tools"][0]["functionDeclarations"].as_array().unwrap();
    let mut found = Vec::new();
    for (declaration, tool) in declarations.iter().zip(request.tools.iter()) {
        let properties = tool.schema["properties"].as_object().map_or(0, Map::len);
        match declaration.get("parameters") {
            Some(schema) => {
                assert_eq!(schema["properties"].as_object().unwrap().len(), properties);
                foreign_fields(schema, &tool.name, &mut found);
            }
            None => assert_eq!(properties, 0, "{}", tool.name),
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
