//! Failures that may pass, and failures that will not.

use std::time::{Duration, Instant};

use pentimento::agent::chat::{ChatError, ChatModel as _, ExchangeEnd, RetryCause, StopReason};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, Variables};
use pentimento::model::wire::TimeLimit;
use serde_json::{Value, json};

use super::asking::{Heard, ask, question, settings};
use super::server::{Act, Server, cut_stream, response, stream, stream_head};
use super::streams;

fn provider(kind: ProviderKind, server: &Server) -> Provider {
    Provider::new(settings(kind, &server.address), &Variables::default()).unwrap()
}

fn ok(kind: ProviderKind) -> String {
    stream(&streams::of(kind))
}

#[test]
fn what_may_pass_is_tried_again_and_counted() {
    for kind in ProviderKind::ALL {
        for status in [
            "408 Request Timeout",
            "409 Conflict",
            "429 Too Many Requests",
            "500 Internal Server Error",
            "503 Unavailable",
            "529 Overloaded",
        ] {
            let error = json!({ "error": { "type": "overloaded_error", "message": "Slow down." } });
            let busy = response(status, "", &error.to_string());
            let server = Server::answering(&[busy.clone(), busy, ok(kind)]);
            let (answer, heard) = ask(&provider(kind, &server), &question("?"));
            let answer = answer.unwrap();
            assert_eq!(answer.message.text, "I draw it.", "{kind:?} {status}");
            let number: u16 = status[..3].parse().unwrap();
            let statuses: Vec<_> = answer.attempts.iter().map(|attempt| attempt.status).collect();
            assert_eq!(statuses, [Some(number), Some(number), Some(200)]);
            let message = "Slow down. (overloaded_error)".to_owned();
            let cause = RetryCause::Status { status: number, message };
            assert_eq!(answer.attempts[0].failure.as_ref(), Some(&cause));
            assert_eq!(answer.attempts[2].failure, None);
            assert_eq!(heard.waits.len(), 2);
            assert_eq!(heard.waits[0].0, cause);
            assert_eq!(heard.exchanges.len(), 3);
            assert_eq!(server.asked().len(), 3);
            // The same bytes every time.
            assert_eq!(server.asked()[0], server.asked()[2]);
        }
    }
}

#[test]
fn what_will_not_pass_is_asked_once() {
    for kind in ProviderKind::ALL {
        for status in [
            "400 Bad Request",
            "401 Unauthorized",
            "403 Forbidden",
            "404 Not Found",
            "307 Temporary Redirect",
            "413 Too Large",
            "422 Unprocessable",
        ] {
            let body = json!({ "error": { "message": "No such thing." } }).to_string();
            let no = response(status, "location: http://localhost:1/\r\n", &body);
            let server = Server::answering(&[no]);
            let (answer, heard) = ask(&provider(kind, &server), &question("?"));
            let error = answer.unwrap_err();
            let number: u16 = status[..3].parse().unwrap();
            assert!(
                matches!(&error, ChatError::Rejected { status, message, .. }
                    if *status == number && message == "No such thing."),
                "{error}"
            );
            assert_eq!((error.attempts().len(), heard.exchanges.len()), (1, 1));
            assert_eq!(server.asked().len(), 1, "{kind:?} {status}");
        }
    }
}

#[test]
fn an_account_without_money_is_not_asked_again() {
    let body =
        json!({ "error": { "code": "insufficient_quota", "message": "You exceeded your quota." } });
    let server = Server::answering(&[response("429 Too Many Requests", "", &body.to_string())]);
    let (answer, _) = ask(&provider(ProviderKind::Responses, &server), &question("?"));
    assert!(matches!(answer.unwrap_err(), ChatError::Rejected { status: 429, .. }));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_provider_that_says_how_long_to_wait_is_obeyed() {
    let kind = ProviderKind::Anthropic;
    let delay = json!([{ "error": { "code": 429, "message": "m", "details": [
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.3s" },
    ] } }]);
    let cases = [
        response("429 Too Many Requests", "retry-after-ms: 300\r\n", ""),
        response("429 Too Many Requests", "retry-after: 0.3\r\n", "{}"),
        response("429 Too Many Requests", "", &delay.to_string()),
    ];
    for busy in cases {
        let server = Server::answering(&[busy.clone(), ok(kind)]);
        let patient =
            ProviderSettings { longest_wait_secs: 5.0, ..settings(kind, &server.address) };
        let began = Instant::now();
        let (answer, heard) =
            ask(&Provider::new(patient, &Variables::default()).unwrap(), &question("?"));
        let answer = answer.unwrap();
        assert!(began.elapsed() >= Duration::from_millis(300), "{busy}");
        assert!((0.3..=0.331).contains(&heard.waits[0].1), "{busy}: {:?}", heard.waits);
        assert!(answer.attempts[0].waited_secs >= 0.3);
    }
}

#[test]
fn a_wait_that_is_too_long_is_cut() {
    let busy = response("429 Too Many Requests", "retry-after: 86400\r\n", "");
    let server = Server::answering(&[busy, ok(ProviderKind::Gemini)]);
    let (answer, heard) = ask(&provider(ProviderKind::Gemini, &server), &question("?"));
    answer.unwrap();
    assert!((heard.waits[0].1 - 0.05).abs() < 1e-9, "{:?}", heard.waits);
}

#[test]
fn waits_are_the_same_with_the_same_seed() {
    let waits = || {
        let server = Server::answering(&[response("500 No", "", "")]);
        let (answer, heard) = ask(&provider(ProviderKind::Gemini, &server), &question("?"));
        assert!(
            matches!(answer.unwrap_err(), ChatError::GaveUp { attempts, .. } if attempts.len() == 3)
        );
        heard.waits
    };
    let waited = waits();
    assert_eq!(waited.len(), 2);
    assert_eq!(waited, waits());
}

#[test]
fn a_cut_stream_is_asked_for_again_and_what_was_heard_of_it_is_void() {
    for kind in ProviderKind::ALL {
        let whole = streams::of(kind);
        let half = &whole[..whole.find("it.").unwrap() - 40];
        // Once with the connection torn, once with an end that comes too early.
        for cut in [cut_stream(half), stream(half)] {
            let server = Server::answering(&[cut, ok(kind)]);
            let (answer, heard) = ask(&provider(kind, &server), &question("?"));
            let answer = answer.unwrap();
            assert_eq!(answer.message.text, "I draw it.", "{kind:?}");
            assert_eq!(heard.text, "I draw it.", "{kind:?}");
            let failure = answer.attempts[0].failure.clone().unwrap();
            assert!(
                matches!(failure, RetryCause::BrokenOff { .. } | RetryCause::Malformed { .. }),
                "{kind:?}: {failure}"
            );
            let kept = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
            assert_eq!(String::from_utf8(kept).unwrap(), half, "{kind:?}");
        }
    }
}

#[test]
fn what_a_failed_attempt_cost_is_kept() {
    let kind = ProviderKind::Anthropic;
    let whole = streams::of(kind);
    let half = &whole[..whole.find("ping").unwrap() - 30];
    let server = Server::answering(&[cut_stream(half), ok(kind)]);
    let answer = ask(&provider(kind, &server), &question("?")).0.unwrap();
    assert_eq!(answer.attempts[0].usage.unwrap().input, 120);
    assert_eq!(answer.attempts[1].usage, answer.usage);
}

#[test]
fn a_connection_that_breaks_after_the_end_of_the_answer_breaks_nothing() {
    for kind in ProviderKind::ALL {
        let server = Server::answering(&[cut_stream(&streams::of(kind))]);
        let (answer, heard) = ask(&provider(kind, &server), &question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.", "{kind:?}");
        assert!(matches!(heard.exchanges[0].end, ExchangeEnd::BrokenOff { .. }), "{kind:?}");
    }
}

/// An error in the middle of a stream, as each API writes it.
fn error_event(kind: ProviderKind, code: &str) -> String {
    let error = json!({ "type": code, "code": code, "status": code, "message": "Oh." });
    match kind {
        ProviderKind::Responses => {
            let response = json!({ "status": "failed", "error": error, "output": [] });
            streams::typed(&[json!({ "type": "response.failed", "response": response })])
        }
        ProviderKind::Anthropic => streams::typed(&[json!({ "type": "error", "error": error })]),
        ProviderKind::ChatCompletions | ProviderKind::Gemini | ProviderKind::Bedrock => {
            streams::untyped(&[json!({ "error": error })])
        }
    }
}

#[test]
fn an_error_within_a_stream_is_tried_again_if_it_may_pass() {
    for kind in ProviderKind::ALL {
        let begin: String = streams::of(kind).split_inclusive("\n\n").take(2).collect();
        let passing = stream(&(begin.clone() + &error_event(kind, "overloaded_error")));
        let server = Server::answering(&[passing, ok(kind)]);
        let (answer, heard) = ask(&provider(kind, &server), &question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.", "{kind:?}");
        let cause = RetryCause::Failed { message: "Oh. (overloaded_error)".to_owned() };
        assert_eq!(heard.waits[0].0, cause, "{kind:?}");

        let lasting = stream(&(begin + &error_event(kind, "invalid_request_error")));
        let server = Server::answering(&[lasting]);
        let (answer, _) = ask(&provider(kind, &server), &question("?"));
        let error = answer.unwrap_err();
        assert!(matches!(error, ChatError::Rejected { .. }), "{kind:?}: {error}");
        assert_eq!(server.asked().len(), 1, "{kind:?}");
    }
}

#[test]
fn an_error_in_the_body_of_a_success_is_an_error() {
    for kind in ProviderKind::ALL {
        let body = json!({ "error": { "type": "server_error", "message": "Oh." } }).to_string();
        let busy = response("200 OK", "content-type: application/json\r\n", &body);
        let server = Server::answering(&[busy, ok(kind)]);
        let (answer, heard) = ask(&provider(kind, &server), &question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.", "{kind:?}");
        assert!(heard.waits[0].0.to_string().contains("Oh."), "{kind:?}: {:?}", heard.waits);
    }
}

#[test]
fn what_is_no_answer_of_the_api_is_malformed_and_said_to_be() {
    for kind in ProviderKind::ALL {
        for body in ["<html>Log in</html>", "{malformed json", "[]", "{}", "7", ""] {
            let odd = response("200 OK", "content-type: application/json\r\n", body);
            let server = Server::answering(&[odd]);
            let error = ask(&provider(kind, &server), &question("?")).0.unwrap_err();
            assert!(
                matches!(&error, ChatError::GaveUp { attempts, .. } if attempts.len() == 3),
                "{kind:?} {body}: {error}"
            );
        }
    }
}

#[test]
fn whole_answers_are_read_where_streams_are_not_wanted() {
    let body = streams::whole_response().to_string();
    let server =
        Server::answering(&[response("200 OK", "content-type: application/json\r\n", &body)]);
    let kind = ProviderKind::Responses;
    let unstreamed = ProviderSettings { stream: false, ..settings(kind, &server.address) };
    let (answer, heard) =
        ask(&Provider::new(unstreamed, &Variables::default()).unwrap(), &question("?"));
    assert_eq!(answer.unwrap().stop, StopReason::ToolCalls);
    assert_eq!((heard.text.as_str(), heard.calls.len()), ("I draw it.", 2));
    let sent: Value = super::asking::sent(&heard.exchanges[0]);
    assert_eq!(sent["stream"], false);
}

#[test]
fn nobody_there_is_said_after_all_tries() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let provider =
        Provider::new(settings(ProviderKind::Gemini, &address), &Variables::default()).unwrap();
    let (answer, heard) = ask(&provider, &question("?"));
    let error = answer.unwrap_err();
    assert!(matches!(&error, ChatError::GaveUp { cause: RetryCause::Unreachable { .. }, .. }));
    assert!(error.to_string().contains("127.0.0.1"), "{error}");
    assert_eq!(heard.exchanges[0].status, None);
    assert!(matches!(heard.exchanges[0].end, ExchangeEnd::Unreachable { .. }));
}

#[test]
fn an_end_alone_is_no_answer_and_is_asked_again() {
    let kind = ProviderKind::ChatCompletions;
    let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9}}\n\n";
    for body in ["data: [DONE]\n\n".to_owned(), format!("{usage}data: [DONE]\n\n")] {
        let server = Server::answering(&[stream(&body), ok(kind)]);
        let (answer, heard) = ask(&provider(kind, &server), &question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.");
        let why = heard.waits[0].0.to_string();
        assert_eq!(why, "the answer broke off: nothing came but its end", "{body}");
    }
}

#[test]
fn silence_ends_at_the_time_limit() {
    let kind = ProviderKind::ChatCompletions;
    let silent = vec![Act::Send(stream_head().into()), Act::Hang];
    let server = Server::playing(vec![silent, vec![Act::Send(ok(kind).into())]]);
    let impatient = ProviderSettings { idle_timeout_secs: 1, ..settings(kind, &server.address) };
    let (answer, heard) =
        ask(&Provider::new(impatient, &Variables::default()).unwrap(), &question("?"));
    assert_eq!(answer.unwrap().message.text, "I draw it.");
    assert_eq!(heard.waits[0].0, RetryCause::TimedOut { limit: TimeLimit::Idle, seconds: 1 });
    assert_eq!(
        heard.exchanges[0].end,
        ExchangeEnd::TimedOut { limit: TimeLimit::Idle, seconds: 1 }
    );
}

#[test]
fn keeping_alive_for_ever_ends_at_the_limit_of_the_whole() {
    let kind = ProviderKind::ChatCompletions;
    let ping = b"7\r\n: ping\n\r\n".to_vec();
    let alive = vec![Act::Send(stream_head().into()), Act::Repeat(ping, Duration::from_millis(20))];
    let server = Server::playing(vec![alive]);
    let short =
        ProviderSettings { answer_timeout_secs: 1, attempts: 1, ..settings(kind, &server.address) };
    let error =
        ask(&Provider::new(short, &Variables::default()).unwrap(), &question("?")).0.unwrap_err();
    assert!(
        matches!(
            &error,
            ChatError::GaveUp {
                cause: RetryCause::TimedOut { limit: TimeLimit::Whole, seconds: 1 },
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().ends_with("the answer was not whole after 1 s"), "{error}");
}

#[test]
fn a_raised_token_ends_an_answer_at_once_and_hangs_up() {
    let silent = vec![Act::Send(stream_head().into()), Act::Hang];
    let before_the_head = vec![Act::Hang];
    for play in [silent, before_the_head] {
        let server = Server::playing(vec![play]);
        let provider = provider(ProviderKind::Anthropic, &server);
        let cancel = CancelToken::new();
        let (raised, mut heard) = (cancel.clone(), Heard::default());
        let (stopped_at, error) = std::thread::scope(|scope| {
            let raiser = scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(300));
                raised.cancel();
                Instant::now()
            });
            let error = provider.answer(&question("?"), &mut heard, &cancel).unwrap_err();
            (raiser.join().unwrap(), error)
        });
        assert!(stopped_at.elapsed() < Duration::from_secs(1));
        assert!(matches!(&error, ChatError::Cancelled { attempts } if attempts.len() == 1));
        assert_eq!(heard.exchanges[0].end, ExchangeEnd::Abandoned);
        let waited = Instant::now();
        while server.hung_up().is_empty() {
            assert!(waited.elapsed() < Duration::from_secs(5), "the connection is still open");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_raised_token_ends_a_wait() {
    let busy = response("429 Too Many Requests", "retry-after: 3600\r\n", "");
    let server = Server::answering(&[busy]);
    let kind = ProviderKind::Gemini;
    let patient = ProviderSettings { longest_wait_secs: 3600.0, ..settings(kind, &server.address) };
    let provider = Provider::new(patient, &Variables::default()).unwrap();
    let cancel = CancelToken::new();
    let raised = cancel.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            raised.cancel();
        });
        let error = provider.answer(&question("?"), &mut Heard::default(), &cancel).unwrap_err();
        assert!(matches!(&error, ChatError::Cancelled { attempts } if attempts.len() == 1));
    });
}
