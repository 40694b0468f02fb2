//! What endpoints are found to be able to do.

use std::sync::Arc;
use std::time::Duration;

use pentimento::agent::chat::TokenUsage;
use pentimento::agent::model_agent::{AgentPrompts, Mode};
use pentimento::agent::models::{
    Ability, EndpointReport, EndpointTestError, ModelEntry, OpenedModel,
};
use pentimento::agent::providers::{Prices, ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, Variables};
use serde_json::{Value, json};

use super::asking::settings;
use super::server::{Act, Server, response, stream, stream_head};
use super::streams::untyped;

const KIND: ProviderKind = ProviderKind::ChatCompletions;

fn says(delta: &Value) -> String {
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 10 } });
    stream(&untyped(&[
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": "stop" }] }),
        usage,
    ]))
}

fn calls(name: &str, arguments: &str) -> String {
    let function = json!({ "name": name, "arguments": arguments });
    says(
        &json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function", "function": function }] }),
    )
}

fn opened(server: &Server) -> OpenedModel {
    let prices = Prices { input: 2.0, output: 10.0, cached_input: None, cache_writes: None };
    let provider = ProviderSettings { prices: Some(prices), ..settings(KIND, &server.address) };
    let entry = ModelEntry { provider, ..ModelEntry::default() };
    OpenedModel::new(
        "m",
        entry,
        Mode::MultiTurn,
        Arc::new(AgentPrompts::built_in()),
        &Variables::default(),
    )
    .unwrap()
}

/// What is found of a server that gives these answers; the picture is red.
fn tested(answers: &[String]) -> (EndpointReport, Server) {
    let server = Server::answering(answers);
    let report = opened(&server).test(0, &CancelToken::new()).unwrap();
    (report, server)
}

#[test]
fn an_endpoint_that_can_do_everything_is_found_to() {
    let answers = [
        says(&json!({ "content": "Ready." })),
        says(&json!({ "content": "It is Red." })),
        calls("report_number", "{\"number\": 7}"),
    ];
    let (report, server) = tested(&answers);
    let [answers, pictures, tools] = [report.answers, report.sees_pictures, report.calls_tools];
    assert_eq!([answers, pictures, tools], [Ability::Yes, Ability::Yes, Ability::Yes]);
    assert_eq!(report.streams, Some(true));
    assert!(report.first_token_secs.is_some_and(|secs| (0.0..5.0).contains(&secs)));
    let usage = TokenUsage { input: 300, output: 30, ..TokenUsage::default() };
    assert_eq!(report.usage, Some(usage));
    assert!((report.cost_usd.unwrap() - (300.0 * 2.0 + 30.0 * 10.0) / 1e6).abs() < 1e-12);
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked[1].contains("data:image/png;base64,") && !asked[0].contains("image/png"));
    assert!(asked[2].contains("report_number") && !asked[1].contains("report_number"));
}

#[test]
fn what_an_endpoint_did_instead_is_said() {
    let plain =
        json!({ "choices": [{ "message": { "content": "Hm." }, "finish_reason": "stop" }] });
    let plain = response("200 OK", "content-type: application/json\r\n", &plain.to_string());
    let answers =
        [says(&json!({ "content": "Ready." })), says(&json!({ "content": "Red or blue." })), plain];
    let report = tested(&answers).0;
    let Ability::No(why) = report.sees_pictures else { panic!("{:?}", report.sees_pictures) };
    assert_eq!(why, "it said \"red or blue.\" of a picture that is red");
    let Ability::No(why) = report.calls_tools else { panic!("{:?}", report.calls_tools) };
    assert_eq!(why, "it made no call and said \"Hm.\"");
    // One answer came at once and without its tokens: neither is known of all.
    assert_eq!((report.streams, report.usage, report.cost_usd), (Some(false), None, None));

    let refused = response("400 No", "", r#"{"error":{"message":"No images."}}"#);
    let answers =
        [says(&json!({ "content": "a" })), refused, calls("report_number", "{\"number\": \"x\"}")];
    let report = tested(&answers).0;
    assert!(matches!(&report.sees_pictures, Ability::Failed(why) if why.contains("No images.")));
    assert!(
        matches!(&report.calls_tools, Ability::No(why) if why.contains("called the tool with"))
    );
    let other =
        [says(&json!({ "content": "" })), says(&json!({ "content": "" })), calls("draw", "{}")];
    let report = tested(&other).0;
    assert!(matches!(&report.answers, Ability::No(why) if why.contains("it said nothing")));
    assert!(matches!(&report.calls_tools, Ability::No(why) if why.contains("\"draw\"")));
}

#[test]
fn an_endpoint_that_refuses_is_not_asked_for_more() {
    let refusal = response("401 Unauthorized", "", r#"{"error":{"message":"Bad key."}}"#);
    let (report, server) = tested(&[refusal]);
    assert!(matches!(&report.answers, Ability::Failed(why) if why.contains("401: Bad key.")));
    assert_eq!(
        (&report.sees_pictures, &report.calls_tools),
        (&Ability::NotAsked, &Ability::NotAsked)
    );
    assert_eq!((report.streams, report.first_token_secs), (None, None));
    assert_eq!((report.usage, report.cost_usd), (None, None));
    assert_eq!(server.asked().len(), 1);
    // What may pass is tried once more and no oftener.
    let (report, server) = tested(&[response("503 Busy", "", "")]);
    assert!(matches!(report.answers, Ability::Failed(_)));
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_test_that_is_stopped_ends_at_once() {
    let server = Server::playing(vec![vec![Act::Send(stream_head().into()), Act::Hang]]);
    let (model, cancel) = (opened(&server), CancelToken::new());
    let raised = cancel.clone();
    let began = std::time::Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            raised.cancel();
        });
        let error = model.test(0, &cancel).unwrap_err();
        assert!(matches!(error, EndpointTestError::Cancelled(_)), "{error}");
    });
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn an_endpoint_that_never_answers_is_given_up_in_words() {
    let server = Server::playing(vec![vec![Act::Hang]]);
    let patience =
        ProviderSettings { idle_timeout_secs: 1, attempts: 9, ..settings(KIND, &server.address) };
    let entry = ModelEntry { provider: patience, ..ModelEntry::default() };
    let prompts = Arc::new(AgentPrompts::built_in());
    let model =
        OpenedModel::new("m", entry, Mode::MultiTurn, prompts, &Variables::default()).unwrap();
    let report = model.test(0, &CancelToken::new()).unwrap();
    assert!(
        matches!(&report.answers, Ability::Failed(why) if why.contains("nothing came for 1 s")),
        "{:?}",
        report.answers
    );
    assert_eq!(report.calls_tools, Ability::NotAsked);
    assert_eq!((report.streams, report.first_token_secs, report.usage), (None, None, None));
    assert!(report.total_secs >= 2.0, "twice a second: {}", report.total_secs);
    assert_eq!(server.asked().len(), 2);
}
