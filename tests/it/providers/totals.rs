//! Every token that a provider told of is in the run's totals, whatever fails when.
//!
//! The judge reads `exchanges.jsonl` by itself: it knows the few fields of the two APIs that hold
//! tokens, and nothing of the program's readers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentimento::agent::RecordedExchange;
use pentimento::agent::batch::Budget;
use pentimento::agent::chat::ChatSettings;
use pentimento::agent::model_agent::{AgentPrompts, Mode, ModelAgent};
use pentimento::agent::providers::{Prices, Provider, ProviderKind, ProviderSettings};
use pentimento::agent::runner::{Observer, RunLimits};
use pentimento::base::{CancelToken, Cancelled};
use pentimento::model::wire::{AnswerListener, BodyEnd, Wire, WireError, WireHead, WireRequest};
use pentimento::run::{Event, Manifest, Outcome, ProviderTotals, exchanges, reader};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::asking::settings;
use crate::agent::run_in;

/// What becomes of a request, with the tokens that its answer tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    /// An answer with a call.
    Call(u64),
    /// A call whose arguments are no JSON.
    BadCall(u64),
    /// An answer that is cut off at the limit of tokens.
    Length(u64),
    /// An answer that says nothing.
    Empty(u64),
    /// The model will not.
    Refused(u64),
    /// An answer that cannot be read, though it tells its tokens.
    Malformed(u64),
    /// An answer that breaks off after it told tokens.
    Torn(u64),
    /// The run is stopped in the middle of an answer.
    Stopped(u64),
    /// The provider is out of order.
    Busy,
    /// The provider will not have the request.
    Rejected,
}

fn play() -> impl Strategy<Value = Play> {
    let tokens = 1..1000_u64;
    prop_oneof![
        6 => tokens.clone().prop_map(Play::Call),
        1 => tokens.clone().prop_map(Play::BadCall),
        1 => tokens.clone().prop_map(Play::Length),
        1 => tokens.clone().prop_map(Play::Empty),
        1 => tokens.clone().prop_map(Play::Refused),
        2 => tokens.clone().prop_map(Play::Malformed),
        2 => tokens.clone().prop_map(Play::Torn),
        1 => tokens.prop_map(Play::Stopped),
        2 => Just(Play::Busy),
        1 => Just(Play::Rejected),
    ]
}

/// Plays one after the other; the last from then on.
struct Plays {
    kind: ProviderKind,
    script: Vec<Play>,
    asked: Mutex<usize>,
}

impl Wire for Plays {
    fn post(
        &self,
        _request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        let play = {
            let mut asked = self.asked.lock().unwrap();
            *asked += 1;
            // Whatever the plays are, the run comes to an end.
            self.script.get(*asked - 1).copied().unwrap_or(Play::Rejected)
        };
        let status = match play {
            Play::Busy => 503,
            Play::Rejected => 400,
            _ => 200,
        };
        let body = match self.kind {
            ProviderKind::Anthropic => anthropic(play),
            _ => chat_completions(play),
        };
        let content_type = if status == 200 && self.kind == ProviderKind::Anthropic {
            "text/event-stream"
        } else {
            "application/json"
        };
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        listener.head(WireHead { status, headers });
        if listener.bytes(body.as_bytes()) == ControlFlow::Break(()) {
            return Ok(BodyEnd::Stopped);
        }
        match play {
            Play::Torn(_) => Err(WireError::BrokenOff { why: "gone".to_owned() }),
            Play::Stopped(_) => {
                cancel.cancel();
                Err(WireError::Cancelled)
            }
            _ => Ok(BodyEnd::Whole),
        }
    }

    fn wait(&self, _duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
        cancel.check()
    }
}

fn tokens_of(play: Play) -> u64 {
    match play {
        Play::Call(tokens)
        | Play::BadCall(tokens)
        | Play::Length(tokens)
        | Play::Empty(tokens)
        | Play::Refused(tokens)
        | Play::Malformed(tokens)
        | Play::Torn(tokens)
        | Play::Stopped(tokens) => tokens,
        Play::Busy | Play::Rejected => 0,
    }
}

/// A stream whose tokens are told at its beginning, and those written again at its end.
fn anthropic(play: Play) -> String {
    let tokens = tokens_of(play);
    if tokens == 0 {
        return json!({ "error": { "type": "api_error", "message": "no" } }).to_string();
    }
    let start = json!({ "type": "message_start", "message": { "content": [], "usage": {
        "input_tokens": tokens, "cache_read_input_tokens": 2, "output_tokens": 1 } } });
    let block =
        |block: Value| json!({ "type": "content_block_start", "index": 0, "content_block": block });
    let delta = |delta: Value| json!({ "type": "content_block_delta", "index": 0, "delta": delta });
    let stop = json!({ "type": "content_block_stop", "index": 0 });
    let text = |text: &str| {
        vec![
            block(json!({ "type": "text", "text": "" })),
            delta(json!({ "type": "text_delta", "text": text })),
            stop.clone(),
        ]
    };
    let call = |arguments: &str| {
        vec![
            block(json!({ "type": "tool_use", "id": "a", "name": "mark", "input": {} })),
            delta(json!({ "type": "input_json_delta", "partial_json": arguments })),
            stop.clone(),
        ]
    };
    let (said, why) = match play {
        Play::Call(_) => (call("{\"n\":1}"), "tool_use"),
        Play::BadCall(_) => (call("{\"n\":"), "tool_use"),
        Play::Length(_) => (text("So"), "max_tokens"),
        Play::Refused(_) => (text("No."), "refusal"),
        _ => (Vec::new(), "end_turn"),
    };
    let mut events = vec![start];
    events.extend(said);
    if !matches!(play, Play::Torn(_) | Play::Stopped(_) | Play::Malformed(_)) {
        events.push(json!({ "type": "message_delta", "delta": { "stop_reason": why },
            "usage": { "output_tokens": tokens / 2 + 1 } }));
        events.push(json!({ "type": "message_stop" }));
    }
    let mut stream = events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect::<Vec<_>>()
        .concat();
    if let Play::Malformed(_) = play {
        stream += "event: content_block_start\ndata: {\"type\":\n\n";
    }
    stream
}

/// An answer at once.
fn chat_completions(play: Play) -> String {
    let tokens = tokens_of(play);
    if tokens == 0 {
        return json!({ "error": { "message": "no" } }).to_string();
    }
    let usage = json!({ "prompt_tokens": tokens, "completion_tokens": tokens / 2 + 1 });
    let call = |arguments: &str| {
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "mark", "arguments": arguments } }
        ] })
    };
    let text = |text: &str| json!({ "role": "assistant", "content": text });
    let (message, why) = match play {
        Play::Call(_) => (call("{\"n\":1}"), "tool_calls"),
        Play::BadCall(_) => (call("{\"n\":"), "tool_calls"),
        Play::Length(_) => (text("So"), "length"),
        Play::Refused(_) => (text(""), "content_filter"),
        Play::Malformed(_) => (json!("a text"), "stop"),
        _ => (text(""), "stop"),
    };
    let choice = json!({ "index": 0, "message": message, "finish_reason": why });
    let mut body = json!({ "choices": [choice], "usage": usage }).to_string();
    if matches!(play, Play::Torn(_) | Play::Stopped(_)) {
        body.truncate(12);
    }
    body
}

/// Tokens read and written, as the bodies of the answers say.
fn tokens_on_the_wire(dir: &Path, kind: ProviderKind) -> (u64, u64) {
    let kept: Vec<RecordedExchange> = exchanges::read(dir).unwrap_or_default();
    let (mut read, mut written) = (0, 0);
    for line in kept {
        let body = line.exchange.answer.bytes(&mut |_| None).unwrap();
        let body = String::from_utf8(body).unwrap();
        if kind != ProviderKind::Anthropic {
            let usage = serde_json::from_str::<Value>(&body).unwrap_or_default()["usage"].clone();
            read += usage["prompt_tokens"].as_u64().unwrap_or(0);
            written += usage["completion_tokens"].as_u64().unwrap_or(0);
            continue;
        }
        let mut last = 0;
        for data in body.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let Ok(event) = serde_json::from_str::<Value>(data) else { continue };
            let began = &event["message"]["usage"];
            read += began["input_tokens"].as_u64().unwrap_or(0);
            read += began["cache_read_input_tokens"].as_u64().unwrap_or(0);
            let output = event["usage"]["output_tokens"].as_u64();
            last = output.or(began["output_tokens"].as_u64()).unwrap_or(last);
        }
        written += last;
    }
    (read, written)
}

/// Counts what a batch may cost.
struct Spending<'a>(&'a Budget);

impl Observer for Spending<'_> {
    fn started(&mut self, _manifest: &Manifest) {}
    fn recorded(&mut self, _manifest: &Manifest, event: &Event) {
        if let Event::Usage { usage, .. } = event {
            self.0.spend(usage.cost_usd.unwrap_or(0.0));
        }
    }
}

/// A run of these plays: its manifest, what its budget says was spent, and what went over the wire.
fn run_of(kind: ProviderKind, plays: &[Play]) -> (Manifest, f64, (u64, u64), usize) {
    let dir = tempfile::tempdir().unwrap();
    // A dollar a token read, a thousand for one written: no sum of one is a sum of the other.
    let prices = Prices { input: 1e6, output: 1e9, cached_input: None, cache_writes: None };
    let settings = ProviderSettings {
        stream: kind == ProviderKind::Anthropic,
        prices: Some(prices),
        ..settings(kind, "http://plays/v1")
    };
    let wire = Plays { kind, script: plays.to_vec(), asked: Mutex::new(0) };
    let model = Arc::new(Provider::over(Arc::new(wire), settings, None).unwrap());
    let prompts = Arc::new(AgentPrompts::built_in());
    let mut agent = ModelAgent::new(model, ChatSettings::default(), Mode::MultiTurn, prompts);
    let budget = Budget::new(None, 0.0);
    let (cancel, limits) = (CancelToken::new(), RunLimits::default());
    let manifest = run_in(dir.path(), &mut agent, limits, &cancel, &mut Spending(&budget));
    let read_again = reader::open(dir.path()).unwrap();
    assert_eq!((&read_again.manifest, &read_again.torn), (&manifest, &None));
    let in_turns: u64 =
        read_again.turns.iter().filter_map(|turn| turn.usage).map(|u| u.input_tokens).sum();
    assert_eq!(in_turns, manifest.totals.input_tokens, "the turns hold what the totals do");
    let sent = exchanges::read::<Value>(dir.path()).unwrap_or_default().len();
    (manifest, budget.spent_usd(), tokens_on_the_wire(dir.path(), kind), sent)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_sum_over_recorded_exchanges_is_the_total_whatever_fails_when(
        plays in proptest::collection::vec(play(), 1..14),
        is_streamed in any::<bool>(),
    ) {
        let kind = if is_streamed { ProviderKind::Anthropic } else { ProviderKind::ChatCompletions };
        let (manifest, spent, (read, written), sent) = run_of(kind, &plays);
        let totals = &manifest.totals;
        prop_assert_eq!((totals.input_tokens, totals.output_tokens), (read, written), "{:?}", plays);
        let providers = totals.providers.as_ref().unwrap();
        let counted = &providers[kind.name()];
        prop_assert_eq!((counted.usage.input_tokens, counted.usage.output_tokens), (read, written));
        prop_assert_eq!((providers.len(), counted.attempts as usize), (1, sent));
        let usd = read as f64 + written as f64 * 1000.0;
        prop_assert!((spent - usd).abs() <= 1e-9 * usd, "{} is not {}", spent, usd);
        prop_assert!((totals.cost_usd.unwrap_or(0.0) - usd).abs() <= 1e-9 * usd);
    }
}

#[test]
fn what_was_answered_before_the_run_failed_counts() {
    for kind in [ProviderKind::Anthropic, ProviderKind::ChatCompletions] {
        let plays = [Play::Empty(100), Play::Rejected];
        let (manifest, ..) = run_of(kind, &plays);
        assert!(matches!(manifest.outcome, Outcome::Failed(_)), "{:?}", manifest.outcome);
        assert_eq!(manifest.totals.output_tokens, 51, "{kind:?}");
        assert_eq!(manifest.totals.turns, 1, "the turn that came to nothing is there to be seen");
    }
    let stopped = run_of(ProviderKind::Anthropic, &[Play::Length(10), Play::Stopped(20)]).0;
    assert_eq!((stopped.outcome, stopped.totals.input_tokens), (Outcome::Cancelled, 34));
}

#[test]
fn attempts_retries_refusals_malformed_answers_and_calls_and_length_stops_are_counted() {
    for kind in [ProviderKind::Anthropic, ProviderKind::ChatCompletions] {
        let plays = [
            Play::Busy,
            Play::Malformed(7),
            Play::Call(10),
            Play::BadCall(10),
            Play::Length(10),
            Play::Call(10),
            Play::Refused(10),
        ];
        let (manifest, ..) = run_of(kind, &plays);
        let counted = manifest.totals.all_providers().unwrap();
        let expected = ProviderTotals {
            attempts: 7,
            retries: 2,
            answers: 5,
            refusals: 1,
            malformed_answers: 1,
            malformed_calls: 1,
            length_stops: 1,
            usage: counted.usage,
        };
        assert_eq!(counted, expected, "{kind:?}");
        assert_eq!(
            counted.to_string(),
            "7 requests, 5 answers, 2 retries, 1 refusal, 1 malformed answer, 1 malformed call, \
             1 answer cut off at the limit of tokens"
        );
    }
}

#[test]
fn a_run_of_before_does_not_say_that_nothing_was_asked() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let runs = walk(&dir).into_iter().filter(|path| path.ends_with("run.json"));
    let manifests = runs.map(|run| reader::peek(run.parent().unwrap()).unwrap().manifest);
    let before: Vec<_> = manifests.filter(|manifest| manifest.version == 1).collect();
    assert!(!before.is_empty(), "some of the samples are of before");
    assert!(before.iter().all(|manifest| manifest.totals.all_providers().is_none()));
}

fn walk(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}
