//! Endpoints that behave and misbehave.

use pentimento::base::{CancelToken, Pixels};
use pentimento::model::captions::{Captioner as _, EndpointCaptioner};
use pentimento::model::endpoint::{
    AnswerCache, Asker, ChatEndpoint, ChatRequest, EndpointError, EndpointSettings,
};
use pentimento::model::prompts::PromptSet;
use serde_json::json;
use std::sync::Arc;

use super::server::{Server, response, says};

const KEY: &str = "sk-very-secret-0123";

fn ask_with(settings: EndpointSettings) -> Result<String, EndpointError> {
    let endpoint = ChatEndpoint::with_key_text(settings, KEY)?;
    endpoint.complete(ChatRequest { prompt: "What is this?", png: None }, &CancelToken::new())
}

fn ask(server: &Server) -> Result<String, EndpointError> {
    ask_with(server.settings())
}

/// The error of a server that answers this, which must not show the key.
fn error_of(answer: &str) -> EndpointError {
    let error = ask(&Server::answering(&[answer.to_owned()])).unwrap_err();
    for text in [error.to_string(), format!("{error:?}")] {
        assert!(!text.contains(KEY), "the key is in {text}");
    }
    error
}

#[test]
fn an_answer_comes_back_and_the_key_goes_in_the_header_alone() {
    let server = Server::answering(&[says("A login screen.")]);
    assert_eq!(ask(&server).unwrap(), "A login screen.");
    let asked = &server.asked()[0];
    assert!(asked.headers.contains(&format!("authorization: bearer {KEY}")));
    assert!(asked.headers.starts_with("post /v1/chat/completions "), "{}", asked.headers);
    assert_eq!(asked.body["model"], "maker/eye-1");
    assert!(!asked.body.to_string().contains(KEY));
}

#[test]
fn a_busy_or_broken_endpoint_is_asked_again() {
    let busy = response("429 Too Many Requests", "retry-after: 0\r\n", "");
    let broken = response("500 Internal Server Error", "", "oops");
    let server = Server::answering(&[busy, broken, says("yes")]);
    assert_eq!(ask(&server).unwrap(), "yes");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn an_endpoint_that_stays_busy_is_given_up_after_the_tries() {
    let server = Server::answering(&[response("503 Service Unavailable", "", "")]);
    let error = ask(&server).unwrap_err();
    assert!(matches!(error, EndpointError::Status { status: 503, .. }), "{error}");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn a_wrong_request_is_not_repeated_and_the_key_is_taken_out_of_what_is_said() {
    let body =
        json!({ "error": { "message": format!("Incorrect API key: {KEY}\nSee the docs.") } });
    let answer = response("401 Unauthorized", "", &body.to_string());
    let server = Server::answering(std::slice::from_ref(&answer));
    drop(ask(&server));
    assert_eq!(server.asked().len(), 1);
    let text = error_of(&answer).to_string();
    assert!(
        text.contains("401") && text.contains("Incorrect API key: [key] See the docs."),
        "{text}"
    );
}

#[test]
fn a_redirect_is_not_followed() {
    let error = error_of(&response("302 Found", "location: http://127.0.0.1:1/\r\n", ""));
    assert!(matches!(error, EndpointError::Status { status: 302, .. }), "{error}");
}

#[test]
fn what_is_no_answer_is_told_apart() {
    let completion = |choice: serde_json::Value| {
        response("200 OK", "", &json!({ "choices": [choice] }).to_string())
    };
    let cut = json!({ "message": { "content": "The" }, "finish_reason": "length" });
    assert!(matches!(error_of(&completion(cut)), EndpointError::Cut));
    let refusal = json!({ "message": { "content": null, "refusal": format!("No. {KEY}") } });
    assert!(matches!(error_of(&completion(refusal)), EndpointError::Refused(_)));
    let blank = json!({ "message": { "content": "\n" }, "finish_reason": "stop" });
    assert!(matches!(error_of(&completion(blank)), EndpointError::Empty));
    for body in ["", "<html>", "{", "[]", "{\"choices\": []}", "{\"error\": {\"message\": \"x\"}}"]
    {
        let error = error_of(&response("200 OK", "", body));
        assert!(matches!(error, EndpointError::Malformed { .. }), "{body}: {error}");
    }
}

#[test]
fn an_answer_that_breaks_off_is_asked_for_again() {
    let broken =
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 500\r\n\r\n{\"choi".to_owned();
    let server = Server::answering(&[broken.clone(), says("whole")]);
    assert_eq!(ask(&server).unwrap(), "whole");
    assert!(matches!(error_of(&broken), EndpointError::BrokenOff { .. }));
}

#[test]
fn an_endless_answer_is_not_read_to_its_end() {
    let error = error_of(&response("200 OK", "", &"x".repeat(5 << 20)));
    assert!(matches!(error, EndpointError::TooLarge { .. }), "{error}");
}

#[test]
fn nobody_at_the_address_is_said_without_the_address_leaking_what_follows_it() {
    let settings = EndpointSettings {
        base_url: "http://127.0.0.1:1/v1?token=hidden".to_owned(),
        attempts: 1,
        ..EndpointSettings::default()
    };
    let error = ask_with(settings).unwrap_err();
    assert!(matches!(error, EndpointError::Unreachable { .. }), "{error}");
    assert!(!format!("{error} {error:?}").contains("hidden"), "{error}");
}

#[test]
fn a_raised_token_ends_the_waiting() {
    let server =
        Server::answering(&[response("429 Too Many Requests", "retry-after: 100\r\n", "")]);
    let endpoint = ChatEndpoint::with_key_text(server.settings(), KEY).unwrap();
    let cancel = CancelToken::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while server.asked().is_empty() {
                std::thread::yield_now();
            }
            cancel.cancel();
        });
        let request = ChatRequest { prompt: "?", png: None };
        let error = endpoint.complete(request, &cancel).unwrap_err();
        assert!(matches!(error, EndpointError::Cancelled), "{error}");
    });
}

fn captioner(server: &Server, cache: Option<AnswerCache>) -> EndpointCaptioner {
    let endpoint = ChatEndpoint::with_key_text(server.settings(), KEY).unwrap();
    EndpointCaptioner::new(Arc::new(Asker::new(endpoint, cache)), &PromptSet::built_in())
}

#[test]
fn a_caption_is_asked_for_once_a_picture_and_kept_without_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says(&format!(" A Login Screen {KEY}\n"))]);
    let cache = AnswerCache::open(folder.path()).unwrap();
    let captioner = captioner(&server, Some(cache));
    let picture = Pixels::filled(2, 2, [1, 2, 3, 255]).unwrap();
    for _ in 0..2 {
        let caption = captioner.caption(&picture, &CancelToken::new()).unwrap();
        assert_eq!(caption, "a login screen [key]");
    }
    assert_eq!(server.asked().len(), 1, "the second answer is kept");
    let url = server.asked()[0].body["messages"][0]["content"][0]["image_url"]["url"].clone();
    assert!(url.as_str().unwrap().starts_with("data:image/png;base64,iVBOR"), "{url}");
    let other = Pixels::filled(2, 2, [3, 2, 1, 255]).unwrap();
    captioner.caption(&other, &CancelToken::new()).unwrap();
    assert_eq!(server.asked().len(), 2, "another picture is another question");
    for file in files_under(folder.path()) {
        assert!(!file.contains(KEY) && file.contains("maker/eye-1"), "{file}");
    }
}

#[test]
fn a_failure_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cut = json!({ "message": { "content": "The" }, "finish_reason": "length" });
    let cut = response("200 OK", "", &json!({ "choices": [cut] }).to_string());
    let server = Server::answering(&[cut, says("A map.")]);
    let captioner = captioner(&server, Some(AnswerCache::open(folder.path()).unwrap()));
    let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
    assert!(captioner.caption(&picture, &CancelToken::new()).is_err());
    assert!(files_under(folder.path()).is_empty());
    assert_eq!(captioner.caption(&picture, &CancelToken::new()).unwrap(), "a map.");
}

/// The text of every file below a folder.
fn files_under(folder: &std::path::Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(files_under(&path));
        } else {
            texts.push(std::fs::read_to_string(path).unwrap());
        }
    }
    texts
}
