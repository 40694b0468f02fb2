//! Answers that go beyond what an answer may be.

use pentimento::agent::chat::{ChatError, ExchangeEnd, RetryCause};
use pentimento::agent::providers::{AnswerLimits, Provider, ProviderKind};
use pentimento::base::Variables;
use serde_json::json;

use super::asking::{Canned, ask, question, read_whole, settings};
use super::server::{Act, Server, stream_head};
use super::streams;

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// What comes of a stream that says the same for ever.
fn endless(kind: ProviderKind, begin: &str, again: &[u8]) -> ChatError {
    let acts = vec![
        Act::Send(stream_head().into()),
        Act::Send(chunk(begin.as_bytes())),
        Act::Repeat(chunk(again), std::time::Duration::ZERO),
    ];
    let server = Server::playing(vec![acts]);
    let provider = Provider::new(settings(kind, &server.address), &Variables::default()).unwrap();
    ask(&provider, &question("?")).0.unwrap_err()
}

#[test]
fn endless_streams_are_refused_and_not_asked_for_again() {
    let text = json!({ "choices": [{ "delta": { "content": "a".repeat(1 << 20) } }] });
    let again = streams::untyped(&[text]);
    let cases = [
        // One line, one event, comments, and words without end.
        ("data: ", vec![b'a'; 1 << 20]),
        ("data: a\n", b"data: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(20_000)),
        (": ping\n\n", b": ping\n\n".repeat(100_000)),
        ("\n", again.into_bytes()),
    ];
    for (begin, again) in cases {
        let error = endless(ProviderKind::ChatCompletions, begin, &again);
        assert!(
            matches!(&error, ChatError::TooMuch { attempts, .. } if attempts.len() == 1),
            "{begin}: {error}"
        );
    }
}

#[test]
fn a_whole_answer_over_the_limit_is_refused_once_and_kept_up_to_it() {
    let body = vec![b' '; AnswerLimits::BODY_BYTES + 1];
    let canned = Canned { body, at_a_time: 8 << 20, ..Canned::whole("") };
    let (answer, heard) = ask(&canned.provider(ProviderKind::ChatCompletions), &question("?"));
    let error = answer.unwrap_err();
    assert!(
        matches!(&error, ChatError::TooMuch { attempts, .. } if attempts.len() == 1),
        "{error}"
    );
    let [exchange] = heard.exchanges.as_slice() else {
        panic!("{} exchanges", heard.exchanges.len())
    };
    assert_eq!(exchange.end, ExchangeEnd::Abandoned);
    assert_eq!(exchange.answer.bytes(&mut |_| None).unwrap().len(), AnswerLimits::BODY_BYTES);
}

#[test]
fn the_endless_body_of_a_refusal_is_cut() {
    let head = "HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n";
    let acts = vec![
        Act::Send(head.into()),
        Act::Repeat(chunk(&[b'a'; 65_536]), std::time::Duration::ZERO),
    ];
    let server = Server::playing(vec![acts]);
    let provider =
        Provider::new(settings(ProviderKind::Gemini, &server.address), &Variables::default())
            .unwrap();
    let (answer, heard) = ask(&provider, &question("?"));
    assert!(matches!(answer.unwrap_err(), ChatError::Rejected { status: 400, .. }));
    let kept = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
    assert_eq!(kept.len(), AnswerLimits::REFUSAL_BYTES);
}

#[test]
fn more_calls_than_anyone_wants_are_refused() {
    let call = json!({ "function": { "name": "t", "arguments": "{}" } });
    let calls = vec![call; AnswerLimits::CALLS + 1];
    let body = json!({ "choices": [{ "message": { "tool_calls": calls } }] });
    let error = read_whole(ProviderKind::ChatCompletions, &body).unwrap_err();
    assert!(matches!(error, ChatError::TooMuch { .. }), "{error}");

    // A stream is refused before it has all come.
    let delta = json!({ "choices": [{ "delta": { "tool_calls": [{ "id": "", "name": "t" }] } }] });
    let again = streams::untyped(&[delta]).repeat(100);
    let error = endless(ProviderKind::ChatCompletions, "\n", again.as_bytes());
    assert!(error.to_string().contains("calls"), "{error}");
}

#[test]
fn towers_of_brackets_are_malformed() {
    for kind in ProviderKind::ALL {
        let tower = format!("{{\"a\":{}", "[".repeat(200_000));
        let (answer, _) = ask(&Canned::whole(&tower).provider(kind), &question("?"));
        let error = answer.unwrap_err();
        assert!(
            matches!(&error, ChatError::GaveUp { cause: RetryCause::Malformed { .. }, .. }),
            "{kind:?}: {error}"
        );
        let stream = format!("data: {tower}\n\n");
        let (answer, _) = ask(&Canned::stream(&stream, 4096).provider(kind), &question("?"));
        assert!(matches!(answer.unwrap_err(), ChatError::GaveUp { .. }));
    }
}

#[test]
fn deep_arguments_within_the_limit_are_read_and_sent_back() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(400), "]".repeat(400));
    let call = json!({ "id": "a", "function": { "name": "t", "arguments": deep } });
    let body = json!({ "choices": [{ "message": { "tool_calls": [call] } }] });
    let answer = read_whole(ProviderKind::ChatCompletions, &body).unwrap();
    assert_eq!(answer.message.calls[0].arguments_text(), deep);
}

#[test]
fn bytes_that_are_no_text_are_malformed_and_kept() {
    for kind in ProviderKind::ALL {
        let mut canned = Canned::stream("data: ", 3);
        canned.body.extend([0xff, 0xfe, b'\n', b'\n']);
        let body = canned.body.clone();
        let (answer, heard) = ask(&canned.provider(kind), &question("?"));
        let error = answer.unwrap_err();
        assert!(error.to_string().contains("not UTF-8"), "{kind:?}: {error}");
        let kept = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
        assert!(body.starts_with(&kept) && kept.contains(&0xff));
    }
}

#[test]
fn control_characters_of_a_provider_reach_no_terminal() {
    let body = json!({ "error": { "message": "\u{1b}[2J\r\n\u{7}No.".repeat(400) } }).to_string();
    let mut canned = Canned::whole(&body);
    canned.status = 400;
    let (answer, _) = ask(&canned.provider(ProviderKind::Responses), &question("?"));
    let text = answer.unwrap_err().to_string();
    assert!(!text.chars().any(char::is_control) && text.chars().count() < 500, "{text}");
}
