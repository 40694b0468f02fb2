//! What every test asks, and what it hears.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentimento::agent::chat::{
    Answer, Attempt, ChatError, ChatListener, ChatModel as _, ChatRequest, ChatSettings, ChatTool,
    Exchange, Message, Part, RetryCause,
};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, Cancelled, Pixels};
use pentimento::model::wire::{AnswerListener, BodyEnd, Wire, WireError, WireHead, WireRequest};
use serde_json::{Value, json};

/// Settings that ask this address, and try again at once.
pub(super) fn settings(kind: ProviderKind, address: &str) -> ProviderSettings {
    ProviderSettings {
        kind,
        base_url: Some(address.to_owned()),
        model: "model-1".to_owned(),
        idle_timeout_secs: 5,
        attempts: 3,
        first_wait_secs: 0.002,
        longest_wait_secs: 0.05,
        wait_seed: Some(1),
        ..ProviderSettings::default()
    }
}

/// A question with a tool.
pub(super) fn question(text: &str) -> ChatRequest {
    ChatRequest {
        system: "You draw.".to_owned(),
        messages: vec![Message::User(vec![Part::Text(text.to_owned())])],
        tools: [rectangle_tool()].into(),
        settings: ChatSettings { model: "model-1".to_owned(), ..ChatSettings::default() },
    }
}

fn rectangle_tool() -> ChatTool {
    ChatTool {
        name: "create_rectangle".to_owned(),
        description: "Draws a rectangle.".to_owned(),
        schema: json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "required": ["name"],
            "properties": {
                "name": { "type": "string" },
                "width": { "type": "number", "exclusiveMinimum": 0 },
            },
        }),
    }
}

/// A small picture as PNG.
pub(super) fn png() -> Arc<[u8]> {
    Pixels::filled(3, 2, [200, 40, 40, 255]).unwrap().to_png().unwrap().into()
}

/// What a listener heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) calls: Vec<(String, String)>,
    pub(super) exchanges: Vec<Exchange>,
    pub(super) waits: Vec<(RetryCause, f64)>,
}

impl ChatListener for Heard {
    fn text(&mut self, delta: &str) {
        self.text.push_str(delta);
    }

    fn reasoning(&mut self, delta: &str) {
        self.reasoning.push_str(delta);
    }

    fn call(&mut self, name: &str, arguments: &str) {
        self.calls.push((name.to_owned(), arguments.to_owned()));
    }

    fn exchange(&mut self, exchange: &Exchange, _attempt: &Attempt) {
        self.exchanges.push(exchange.clone());
    }

    fn waiting(&mut self, why: &RetryCause, secs: f64) {
        self.text.clear();
        self.reasoning.clear();
        self.calls.clear();
        self.waits.push((why.clone(), secs));
    }
}

/// Asks, and what came of it.
pub(super) fn ask(
    provider: &Provider,
    request: &ChatRequest,
) -> (Result<Answer, ChatError>, Heard) {
    let mut heard = Heard::default();
    let answer = provider.answer(request, &mut heard, &CancelToken::new());
    (answer, heard)
}

/// The JSON that was sent in an exchange.
pub(super) fn sent(exchange: &Exchange) -> Value {
    serde_json::from_slice(&exchange.request.bytes(&mut |_| None).unwrap()).unwrap()
}

/// A wire that gives the same answer to everything, so many bytes at a time.
#[derive(Debug)]
pub(super) struct Canned {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
    pub(super) at_a_time: usize,
    /// How many requests there were.
    pub(super) asked: Mutex<usize>,
}

impl Canned {
    pub(super) fn stream(body: &str, at_a_time: usize) -> Self {
        let body = body.as_bytes().to_vec();
        Self { status: 200, content_type: "text/event-stream", body, at_a_time, asked: 0.into() }
    }

    pub(super) fn whole(body: &str) -> Self {
        let body = body.as_bytes().to_vec();
        Self {
            status: 200,
            content_type: "application/json",
            body,
            at_a_time: 1 << 20,
            asked: 0.into(),
        }
    }

    pub(super) fn provider(self, kind: ProviderKind) -> Provider {
        Provider::over(Arc::new(self), settings(kind, "http://canned/v1"), None).unwrap()
    }
}

impl Wire for Canned {
    fn post(
        &self,
        _request: &WireRequest,
        listener: &mut dyn AnswerListener,
        _cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        *self.asked.lock().unwrap() += 1;
        let headers = vec![("content-type".to_owned(), self.content_type.to_owned())];
        listener.head(WireHead { status: self.status, headers });
        for chunk in self.body.chunks(self.at_a_time) {
            if listener.bytes(chunk) == ControlFlow::Break(()) {
                return Ok(BodyEnd::Stopped);
            }
        }
        Ok(BodyEnd::Whole)
    }

    fn wait(&self, _duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
        cancel.check()
    }
}

/// Reads a stream as this API's, at once and in small pieces, which has to give the same.
pub(super) fn read_stream(kind: ProviderKind, body: &str) -> (Result<Answer, ChatError>, Heard) {
    let read = |at_a_time| ask(&Canned::stream(body, at_a_time).provider(kind), &question("?"));
    let (whole, heard) = read(1 << 20);
    for at_a_time in [1, 7] {
        let (pieces, pieces_heard) = read(at_a_time);
        let messages = [&whole, &pieces].map(|answer| answer.as_ref().ok().map(|a| &a.message));
        assert_eq!(messages[0], messages[1], "in pieces of {at_a_time}");
        assert_eq!(heard.text, pieces_heard.text);
        assert_eq!(heard.calls, pieces_heard.calls);
    }
    (whole, heard)
}

/// Reads a whole answer as this API's.
pub(super) fn read_whole(kind: ProviderKind, body: &Value) -> Result<Answer, ChatError> {
    ask(&Canned::whole(&body.to_string()).provider(kind), &question("?")).0
}

/// The arguments of an answer's calls.
pub(super) fn arguments(answer: &Answer) -> Vec<Value> {
    let calls = answer.message.calls.iter();
    calls.map(|call| Value::Object(call.arguments.clone().unwrap())).collect()
}
