//! Amazon Bedrock: its binary messages, its exceptions, its signatures.

use std::sync::Arc;

use pentimento::agent::chat::{ChatError, ChatModel as _, ChatRequest, RetryCause, StopReason};
use pentimento::agent::providers::{
    AnswerLimits, Prices, Provider, ProviderKind, ProviderSettings, ReplayWire,
};
use pentimento::base::Variables;
use pentimento::model::wire::{ApiKey, HttpWire};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::asking::{Canned, Heard, ask, question, read_whole, settings};
use super::server::{Act, Server, response};
use super::streams::bedrock_events;

const KIND: ProviderKind = ProviderKind::Bedrock;
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const TOKEN: &str = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SA==";

/// A message with headers of text, written from the specification and not with our own reader's help.
fn message(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut names = Vec::new();
    for (name, value) in headers {
        names.push(u8::try_from(name.len()).unwrap());
        names.extend(name.bytes());
        names.push(7);
        names.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        names.extend(value.bytes());
    }
    raw_message(&names, payload)
}

fn raw_message(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let total = u32::try_from(16 + headers.len() + payload.len()).unwrap();
    let mut bytes = total.to_be_bytes().to_vec();
    bytes.extend(u32::try_from(headers.len()).unwrap().to_be_bytes());
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes.extend(headers);
    bytes.extend(payload);
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes
}

/// CRC-32 of IEEE 802.3, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

fn event(kind: &str, data: &Value) -> Vec<u8> {
    let headers =
        [(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")];
    message(&headers, data.to_string().as_bytes())
}

fn exception(kind: &str, message_text: &str) -> Vec<u8> {
    let headers = [(":exception-type", kind), (":message-type", "exception")];
    message(&headers, json!({ "message": message_text }).to_string().as_bytes())
}

fn events(events: &[(&str, Value)]) -> Vec<u8> {
    events.iter().flat_map(|(kind, data)| event(kind, data)).collect()
}

fn whole() -> Vec<u8> {
    events(&bedrock_events())
}

fn canned(body: Vec<u8>, at_a_time: usize) -> Canned {
    Canned {
        status: 200,
        content_type: "application/vnd.amazon.eventstream",
        body,
        at_a_time,
        asked: 0.into(),
    }
}

/// A stream of messages as a server sends it.
fn sent(body: &[u8]) -> Vec<Act> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\n\
                connection: close\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut bytes = head.as_bytes().to_vec();
    bytes.extend(format!("{:x}\r\n", body.len()).bytes());
    bytes.extend(body);
    bytes.extend(b"\r\n0\r\n\r\n");
    vec![Act::Send(bytes)]
}

fn refusal(status: &str, headers: &str, body: &str) -> Vec<Act> {
    vec![Act::Send(response(status, headers, body).into())]
}

fn signed(server: &Server, key: &str) -> Provider {
    let mut settings = settings(KIND, server.address.trim_end_matches("/v1"));
    settings.region = Some("eu-west-1".to_owned());
    let key = ApiKey::new(key, "a test").unwrap();
    Provider::over(Arc::new(HttpWire::new(http()).unwrap()), settings, key).unwrap()
}

/// A question to a model with a name as Bedrock gives them.
fn long_named() -> ChatRequest {
    let mut request = question("?");
    request.settings.model = "eu.maker.model-v1:0".to_owned();
    request
}

fn http() -> pentimento::model::wire::HttpSettings {
    let second = std::time::Duration::from_secs(5);
    pentimento::model::wire::HttpSettings {
        ca_file: None,
        connect_timeout: second,
        idle_timeout: second,
        whole_timeout: second,
        proxy: None,
    }
}

#[test]
fn messages_are_read_however_they_are_cut_into_pieces() {
    // The reference value of the sum, so that it is the right one on both sides.
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    for at_a_time in [1, 7, 64, 1 << 20] {
        let (answer, heard) = ask(&canned(whole(), at_a_time).provider(KIND), &question("?"));
        let answer = answer.unwrap();
        assert_eq!(answer.message.text, "I draw it.", "{at_a_time}");
        assert_eq!(answer.reasoning, "A card.");
        assert_eq!(answer.stop, StopReason::ToolCalls);
        assert_eq!(answer.message.calls.len(), 2);
        assert_eq!((heard.text.as_str(), heard.calls.len()), ("I draw it.", 2));
        let kept = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
        assert_eq!(kept, whole());
    }
    // Under another name as well.
    let mut unnamed = canned(whole(), 64);
    unnamed.content_type = "application/octet-stream";
    assert_eq!(ask(&unnamed.provider(KIND), &question("?")).0.unwrap().message.text, "I draw it.");
}

#[test]
fn a_stream_of_messages_cut_anywhere_is_the_whole_answer_or_none() {
    let stream = whole();
    let mut broken = 0;
    for end in 0..stream.len() {
        let (cut, heard) = ask(&canned(stream[..end].to_vec(), 64).provider(KIND), &question("?"));
        let kept = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
        assert_eq!(kept, &stream[..end], "what was torn is in the record too");
        match cut {
            Ok(answer) => assert_eq!(answer.message.text, "I draw it.", "at {end}"),
            Err(ChatError::GaveUp { cause: RetryCause::BrokenOff { .. }, attempts, .. }) => {
                assert_eq!(attempts.len(), 3);
                broken += 1;
            }
            Err(other) => panic!("at {end}: {other}"),
        }
    }
    // All but what it cost, which comes after the end.
    assert!(broken > stream.len() * 3 / 4, "{broken} of {}", stream.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_wrong_byte_never_makes_another_answer(
        at in any::<prop::sample::Index>(),
        flip in 1u8..=255,
    ) {
        let mut body = whole();
        let end = body.len();
        let at = at.index(end);
        body[at] ^= flip;
        let (answer, _) = ask(&canned(body, 33).provider(KIND), &question("?"));
        match answer {
            // What it cost is told after the end of the message, and may be lost by itself.
            Ok(answer) => prop_assert_eq!(answer.message.text, "I draw it."),
            Err(ChatError::GaveUp { .. } | ChatError::TooMuch { .. }) => {}
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn damage_is_named() {
    let good = event("messageStart", &json!({}));
    let mut prelude = good.clone();
    prelude[3] ^= 1;
    let mut payload = good.clone();
    let last = payload.len() - 5;
    payload[last] ^= 1;
    let torn_header = raw_message(&[200, b'a'], b"{}");
    let odd_header = raw_message(&[1, b'a', 77], b"{}");
    let no_text = message(&[(":event-type", "messageStart")], b"\xff");
    let cases = [
        (prelude, "beginning is wrong"),
        (payload, "the sum of a message is wrong"),
        (torn_header, "a header of a message is torn"),
        (odd_header, "of no known type"),
        (no_text, "not UTF-8"),
    ];
    for (body, words) in cases {
        let error = ask(&canned(body, 64).provider(KIND), &question("?")).0.unwrap_err();
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert!(matches!(error, ChatError::GaveUp { cause: RetryCause::Malformed { .. }, .. }));
    }
    // A message that says it is larger than any answer may be is not waited for.
    let length = u32::try_from(AnswerLimits::EVENT_BYTES).unwrap() + 17;
    let mut huge = [length.to_be_bytes(), [0; 4]].concat();
    huge.extend(crc32(&huge).to_be_bytes());
    let error = ask(&canned(huge, 64).provider(KIND), &question("?")).0.unwrap_err();
    assert!(matches!(error, ChatError::TooMuch { .. }), "{error}");
}

#[test]
fn headers_of_every_type_are_passed_over() {
    let mut headers = vec![1, b'a', 0, 1, b'b', 1, 1, b'c', 2, 9, 1, b'd', 3, 0, 9];
    headers.extend([1, b'e', 4, 0, 0, 0, 9, 1, b'f', 5, 0, 0, 0, 0, 0, 0, 0, 9]);
    headers.extend([1, b'g', 6, 0, 2, 7, 7, 1, b'h', 8, 0, 0, 0, 0, 0, 0, 0, 9, 1, b'i', 9]);
    headers.extend([0; 16]);
    headers.extend([11]);
    headers.extend(b":event-type\x07\x00\x0bmessageStop");
    let stop = raw_message(&headers, br#"{"stopReason":"end_turn"}"#);
    let delta = event("contentBlockDelta", &json!({ "delta": { "text": "Yes." } }));
    let answer = ask(&canned([delta, stop].concat(), 5).provider(KIND), &question("?")).0.unwrap();
    assert_eq!((answer.message.text.as_str(), answer.stop), ("Yes.", StopReason::End));
}

#[test]
fn exceptions_within_the_stream_pass_or_do_not() {
    let begin = events(&bedrock_events()[..6]);
    let passing = [
        exception("throttlingException", "Too many tokens."),
        exception("modelStreamErrorException", "Too many tokens."),
        exception("internalServerException", "Too many tokens."),
        exception("serviceUnavailableException", "Too many tokens."),
        message(
            &[
                (":message-type", "error"),
                (":error-code", "internalError"),
                (":error-message", "Too many tokens."),
            ],
            b"",
        ),
    ];
    for exception in passing {
        let server =
            Server::playing(vec![sent(&[begin.clone(), exception].concat()), sent(&whole())]);
        let (answer, heard) = ask(&signed(&server, "absk-a-key"), &question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.");
        assert_eq!(heard.text, "I draw it.", "what was heard before is void");
        let cause = heard.waits[0].0.to_string();
        assert!(cause.contains("Too many tokens."), "{cause}");
    }
    for kind in ["validationException", "accessDeniedException", "resourceNotFoundException"] {
        let server = Server::playing(vec![sent(&[begin.clone(), exception(kind, "No.")].concat())]);
        let error = ask(&signed(&server, "absk-a-key"), &question("?")).0.unwrap_err();
        assert!(matches!(&error, ChatError::Rejected { .. }), "{error}");
        assert!(error.to_string().contains(&format!("No. ({kind})")), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn throttling_is_waited_for_and_a_refusal_is_named_by_its_header() {
    let throttled = refusal(
        "429 Too Many Requests",
        "x-amzn-errortype: ThrottlingException:http://internal.amazon.com/\r\nretry-after: 0.2\r\n",
        r#"{"message":"Too many requests, please wait."}"#,
    );
    let server = Server::playing(vec![throttled, sent(&whole())]);
    let mut patient = settings(KIND, server.address.trim_end_matches("/v1"));
    patient.longest_wait_secs = 5.0;
    let (answer, heard) =
        ask(&Provider::new(patient, &Variables::default()).unwrap(), &question("?"));
    assert_eq!(answer.unwrap().attempts[0].status, Some(429));
    assert!((0.2..=0.221).contains(&heard.waits[0].1), "{:?}", heard.waits);
    let cause = heard.waits[0].0.to_string();
    assert!(cause.contains("please wait. (ThrottlingException)"), "{cause}");

    let expired = refusal(
        "403 Forbidden",
        "x-amzn-errortype: ExpiredTokenException\r\n",
        r#"{"Message":"The security token included in the request is expired"}"#,
    );
    let server = Server::playing(vec![expired]);
    let error = ask(&signed(&server, "AKID:secret-secret"), &question("?")).0.unwrap_err();
    assert!(error.to_string().contains("is expired (ExpiredTokenException)"), "{error}");
}

#[test]
fn every_try_is_signed_anew_and_no_secret_is_kept() {
    // The provider says the token and the secret wherever it can, in messages and in refusals.
    let echo =
        json!({ "message": format!("The Canonical String should have been {TOKEN} {SECRET}") });
    let mut said = bedrock_events();
    said[5].1["delta"]["text"] = json!(format!(" it, {TOKEN}."));
    let told = [
        refusal("500 No", &format!("x-amzn-requestid: {TOKEN}\r\n"), &echo.to_string()),
        sent(&events(&said)),
    ];
    let server = Server::playing(told.to_vec());
    let provider = signed(&server, &format!("AKIDEXAMPLE:{SECRET}:{TOKEN}"));
    let (answer, heard) = ask(&provider, &long_named());
    let answer = answer.unwrap();
    assert_eq!(answer.message.text, "I draw it, [key].");
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    for head in &asked {
        assert!(
            head.starts_with("POST /model/eu.maker.model-v1%3A0/converse-stream HTTP/1.1"),
            "{head}"
        );
        assert!(head.contains(&format!("x-amz-security-token: {TOKEN}")), "{head}");
        assert!(head.contains("authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), "{head}");
        assert!(
            head.contains("/eu-west-1/bedrock/aws4_request, SignedHeaders=content-type;host;"),
            "{head}"
        );
        assert_eq!(head.matches("x-amz-date: ").count(), 1);
        assert!(!head.contains(SECRET));
    }
    let everything = format!(
        "{provider:?} {answer:?} {heard:?} {}",
        serde_json::to_string(&heard.exchanges).unwrap()
    );
    for secret in [SECRET, TOKEN] {
        assert!(!everything.contains(secret), "{everything}");
    }
    let kept = heard.exchanges[1].answer.bytes(&mut |_| None).unwrap();
    assert!(!String::from_utf8_lossy(&kept).contains(TOKEN));

    // What was kept is whole messages still, and is played again without a key.
    let wire = ReplayWire::new(&heard.exchanges, &mut |_| None).unwrap();
    let replayed = Provider::over(Arc::new(wire), provider.settings().clone(), None).unwrap();
    let again = ask(&replayed, &long_named()).0.unwrap();
    assert_eq!(again.message, answer.message);
}

#[test]
fn a_signature_is_that_of_a_reference_for_the_request_as_it_was_sent() {
    let server = Server::playing(vec![sent(&whole())]);
    ask(&signed(&server, "AKID:secret-secret"), &long_named()).0.unwrap();
    let asked = server.asked().remove(0);
    let (head, body) = asked.split_once("\r\n\r\n").unwrap();
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap().trim().to_owned()
    };
    // Signed once more from what the server saw: the host and the type are what went over the wire.
    let [host, date] = ["host", "x-amz-date"].map(header);
    let request = pentimento::model::wire::WireRequest {
        url: format!("http://{host}/model/eu.maker.model-v1%3A0/converse-stream"),
        headers: vec![pentimento::model::wire::WireHeader::new(
            "content-type",
            &header("content-type"),
        )],
        body: body.as_bytes().to_vec(),
    };
    let at = jiff::fmt::strtime::parse("%Y%m%dT%H%M%SZ", &date).unwrap().to_datetime().unwrap();
    let at = at.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
    let scope =
        pentimento::model::wire::SigningScope { region: "eu-west-1", service: "bedrock", at };
    let key = ApiKey::new("AKID:secret-secret", "a test").unwrap().unwrap();
    let signature = key.signature(&request, scope).unwrap().pop().unwrap();
    let sent =
        pentimento::model::wire::WireHeader::secret("authorization", &header("authorization"));
    assert!(signature == sent, "{}", header("authorization"));
}

#[test]
fn the_cost_counts_what_was_cached_by_its_own_price() {
    let prices =
        Prices { input: 3.0, output: 15.0, cached_input: Some(0.3), cache_writes: Some(3.75) };
    let priced = ProviderSettings { prices: Some(prices), ..settings(KIND, "http://canned") };
    let provider = Provider::over(Arc::new(canned(whole(), 64)), priced, None).unwrap();
    let usage = ask(&provider, &question("?")).0.unwrap().usage.unwrap();
    let cost = provider.cost_usd(&usage).unwrap();
    assert!((cost - (15.0 * 3.0 + 100.0 * 0.3 + 5.0 * 3.75 + 30.0 * 15.0) / 1e6).abs() < 1e-15);
}

fn converse(stop: &str, content: &Value) -> Value {
    json!({
        "output": { "message": { "role": "assistant", "content": content } },
        "stopReason": stop,
        "usage": { "inputTokens": 3, "outputTokens": 4, "totalTokens": 7 },
    })
}

#[test]
fn whole_answers_stop_for_every_documented_reason() {
    let words = json!([{ "text": "No." }]);
    let cases = [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("guardrail_intervened", StopReason::Refused("No.".to_owned())),
        ("content_filtered", StopReason::Refused("No.".to_owned())),
        ("malformed_tool_use", StopReason::Other("malformed_tool_use".to_owned())),
    ];
    for (reason, expected) in cases {
        assert_eq!(read_whole(KIND, &converse(reason, &words)).unwrap().stop, expected);
    }
    let call = json!([
        { "reasoningContent": { "redactedContent": "b3BhcXVl" } },
        { "text": " " },
        { "toolUse": { "toolUseId": "a", "name": "t", "input": { "x": 1 } } },
    ]);
    let answer = read_whole(KIND, &converse("tool_use", &call)).unwrap();
    assert_eq!((answer.stop, answer.message.calls.len()), (StopReason::ToolCalls, 1));
    // What may not be seen goes back, a blank text does not.
    let items = answer.message.provider_items.unwrap().items;
    assert_eq!(items, json!([call[0], call[2]]));
}

#[test]
fn arguments_that_are_no_json_are_told_as_such_and_sent_back_as_none() {
    let mut said = bedrock_events();
    said[9].1["delta"]["toolUse"]["input"] = json!("\"Card\"");
    let answer = ask(&canned(events(&said), 64).provider(KIND), &question("?")).0.unwrap();
    let malformed = answer.message.calls[0].arguments.clone().unwrap_err();
    assert_eq!(malformed.raw, "{\"name\":\"Card\"");
    let items = answer.message.provider_items.unwrap().items;
    assert_eq!(items[2]["toolUse"]["input"], json!({}));
}

#[test]
fn a_raised_token_ends_a_stream_of_messages() {
    let mut acts = sent(&events(&bedrock_events()[..6]));
    let Act::Send(bytes) = &mut acts[0] else { unreachable!() };
    bytes.truncate(bytes.len() - 5);
    acts.push(Act::Hang);
    let server = Server::playing(vec![acts]);
    let provider = signed(&server, "AKID:secret-secret");
    let cancel = pentimento::base::CancelToken::new();
    let raised = cancel.clone();
    let mut heard = Heard::default();
    let error = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            raised.cancel();
        });
        provider.answer(&question("?"), &mut heard, &cancel).unwrap_err()
    });
    assert!(matches!(&error, ChatError::Cancelled { attempts } if attempts.len() == 1));
    assert_eq!(heard.text, "I draw it.");
}
