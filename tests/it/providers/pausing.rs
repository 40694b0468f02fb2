//! A model that is not to be asked for a while.

use std::time::{Duration, Instant};

use pentimento::agent::chat::{ChatError, ChatModel as _, NoListener};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, PauseChange, Variables};

use super::asking::{question, settings};
use super::server::{Server, response, stream};
use super::streams;

/// A server that is busy at first and then answers.
fn busy_then_well(kind: ProviderKind) -> Server {
    let busy = response("503 Service Unavailable", "retry-after-ms: 1\r\n", "{}");
    Server::answering(&[busy, stream(&streams::of(kind))])
}

fn provider(kind: ProviderKind, server: &Server) -> Provider {
    let settings = ProviderSettings {
        first_wait_secs: 0.01,
        longest_wait_secs: 60.0,
        ..settings(kind, &server.address)
    };
    Provider::new(settings, &Variables::default()).unwrap()
}

#[test]
fn a_paused_run_does_not_ask_again_after_a_failure_until_it_is_resumed() {
    let kind = ProviderKind::ChatCompletions;
    let server = busy_then_well(kind);
    let provider = provider(kind, &server);
    let (send, told) = crossbeam_channel::bounded(8);
    let token = CancelToken::notifying(move |change| send.send(change).unwrap());
    // As if it were paused while the first attempt is under way.
    let pausing = token.clone();
    let asked = || server.asked().len();
    let request = question("Hello");
    std::thread::scope(|scope| {
        let ask = std::thread::Builder::new();
        token.pause();
        let answer =
            ask.spawn_scoped(scope, || provider.answer(&request, &mut NoListener, &token)).unwrap();
        assert_eq!(told.recv_timeout(Duration::from_secs(20)), Ok(PauseChange::Begins));
        assert_eq!(asked(), 0, "not even once");
        pausing.resume();
        assert_eq!(told.recv_timeout(Duration::from_secs(20)), Ok(PauseChange::Ends));
        answer.join().unwrap().unwrap();
    });
    assert_eq!(asked(), 2);
}

#[test]
fn a_pause_during_a_wait_holds_the_next_attempt_back_and_a_stop_ends_it() {
    let kind = ProviderKind::ChatCompletions;
    let busy = response("503 Service Unavailable", "retry-after: 1\r\n", "{}");
    let server = Server::answering(&[busy]);
    let provider = provider(kind, &server);
    let (send, told) = crossbeam_channel::bounded(8);
    let token = CancelToken::notifying(move |change| send.send(change).unwrap());
    let controlling = token.clone();
    let request = question("Hello");
    std::thread::scope(|scope| {
        let ask = std::thread::Builder::new();
        let answer =
            ask.spawn_scoped(scope, || provider.answer(&request, &mut NoListener, &token)).unwrap();
        let began = Instant::now();
        while server.asked().is_empty() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
        }
        controlling.pause();
        assert_eq!(told.recv_timeout(Duration::from_secs(20)), Ok(PauseChange::Begins));
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(server.asked().len(), 1);
        controlling.cancel();
        let error = answer.join().unwrap().unwrap_err();
        assert!(matches!(error, ChatError::Cancelled { .. }), "{error}");
    });
}

#[test]
fn a_stop_wakes_who_waits_for_the_next_attempt() {
    let kind = ProviderKind::ChatCompletions;
    let busy = response("429 Too Many Requests", "retry-after: 60\r\n", "{}");
    let server = Server::answering(&[busy]);
    let provider = provider(kind, &server);
    let token = CancelToken::new();
    let controlling = token.clone();
    let request = question("Hello");
    std::thread::scope(|scope| {
        let ask = std::thread::Builder::new();
        let answer =
            ask.spawn_scoped(scope, || provider.answer(&request, &mut NoListener, &token)).unwrap();
        let began = Instant::now();
        while server.asked().is_empty() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
        }
        controlling.cancel();
        assert!(matches!(answer.join().unwrap(), Err(ChatError::Cancelled { .. })));
        assert!(began.elapsed() < Duration::from_secs(20), "it did not wait for the minute");
    });
}
