//! The key goes to the provider and nowhere else.

use std::sync::Arc;

use pentimento::agent::providers::{KeySource, Provider, ProviderKind, ProviderSettings};
use pentimento::base::Variables;
use pentimento::model::wire::{ApiKey, HttpSettings, HttpWire};
use serde_json::json;

use super::asking::{ask, question, settings};
use super::server::{Server, cut_stream, response, stream};
use super::streams;

const KEY: &str = "sk-topsecret-0123456789";
const TOKEN: &str = "hunter2-hunter2-hunter2";

fn keyed(settings: ProviderSettings) -> Provider {
    let second = std::time::Duration::from_secs(5);
    let http = HttpSettings {
        ca_file: None,
        connect_timeout: second,
        idle_timeout: second,
        whole_timeout: second,
        proxy: None,
    };
    let wire = HttpWire::new(http).unwrap();
    Provider::over(Arc::new(wire), settings, ApiKey::new(KEY, "a test").unwrap()).unwrap()
}

#[test]
fn the_key_is_sent_in_a_header_of_the_api_and_in_nothing_that_is_kept() {
    let headers = [
        (ProviderKind::Responses, format!("authorization: Bearer {KEY}")),
        (ProviderKind::ChatCompletions, format!("authorization: Bearer {KEY}")),
        (ProviderKind::Anthropic, format!("x-api-key: {KEY}")),
        (ProviderKind::Gemini, format!("x-goog-api-key: {KEY}")),
        (ProviderKind::Bedrock, format!("authorization: Bearer {KEY}")),
    ];
    for (kind, header) in headers {
        // Everything that a provider can say holds the key: headers, errors, words, calls, and the
        // key in pieces.
        let mut whole = streams::of(kind).replace("I draw", &format!("{KEY} sk-topsec"));
        whole = whole.replace(" it.", "ret-0123456789.").replace("Card", KEY);
        let echo =
            json!({ "error": { "type": "overloaded", "message": format!("Bad key {KEY}") } });
        let answers = [
            response("500 No", &format!("x-request-id: {KEY}\r\n"), &echo.to_string()),
            response("503 No", "", &format!("<html>{KEY}</html>")),
            cut_stream(&whole[..whole.find("ret-0").unwrap() - 20]),
            stream(&whole),
            response("401 Unauthorized", "", &echo.to_string()),
        ];
        let server = Server::answering(&answers);
        let mut settings = settings(kind, &server.address);
        settings.attempts = 5;
        settings.headers.insert("X-Session-Token".to_owned(), TOKEN.to_owned());
        settings.headers.insert("X-Project".to_owned(), "study-1".to_owned());
        let provider = keyed(settings);
        let (answer, heard) = ask(&provider, &question("?"));
        let (refused, heard_too) = ask(&provider, &question("?"));
        let answer = answer.unwrap();
        let refused = refused.unwrap_err();

        let asked = server.asked();
        assert_eq!(asked.len(), 5);
        for head in &asked {
            assert!(head.contains(&header), "{head}");
            assert!(head.contains(&format!("x-session-token: {TOKEN}")), "{head}");
            assert_eq!(head.matches(KEY).count(), 1, "{head}");
        }
        let exchanges = serde_json::to_string(&(&heard.exchanges, &heard_too.exchanges)).unwrap();
        assert!(exchanges.contains("study-1") && exchanges.contains("[secret]"));
        let everything = format!(
            "{provider:?} {answer:?} {refused:?} {refused} {exchanges} {heard_too:?} {:?} {:?}",
            heard.calls, heard.waits,
        );
        for secret in [KEY, TOKEN] {
            assert!(!everything.contains(secret), "{kind:?}: {everything}");
        }
        assert!(answer.message.text.contains("[key]"), "{}", answer.message.text);
    }
}

#[test]
fn no_key_goes_to_an_address_that_did_not_ask_for_one() {
    let kind = ProviderKind::ChatCompletions;
    let server = Server::answering(&[stream(&streams::of(kind))]);
    ask(
        &Provider::new(settings(kind, &server.address), &Variables::default()).unwrap(),
        &question("?"),
    )
    .0
    .unwrap();
    let asked = server.asked().concat().to_lowercase();
    assert!(!asked.contains("authorization") && !asked.contains("api-key"), "{asked}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Server::answering(&[stream(&streams::of(ProviderKind::Responses))]);
    let location = format!("location: {}/responses\r\n", elsewhere.address);
    let server = Server::answering(&[response("307 Temporary Redirect", &location, "")]);
    let (answer, _) =
        ask(&keyed(settings(ProviderKind::Responses, &server.address)), &question("?"));
    assert!(answer.unwrap_err().to_string().contains("307"));
    assert_eq!(elsewhere.asked().len(), 0);
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let base = settings(ProviderKind::Gemini, "http://localhost:1");
    let wrong = [
        ProviderSettings { base_url: Some("ftp://host".to_owned()), ..base.clone() },
        ProviderSettings { base_url: Some(format!("https://me:{KEY}@host")), ..base.clone() },
        ProviderSettings { proxy: Some(format!("http://me:{KEY}@proxy:1")), ..base.clone() },
        ProviderSettings {
            key: Some(KeySource::Environment("PENTIMENTO_TEST_NO_SUCH_KEY".to_owned())),
            ..base.clone()
        },
    ];
    for settings in wrong {
        let error = Provider::new(settings, &Variables::default()).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
    }
}

#[test]
fn a_header_that_cannot_be_written_is_named_without_its_value() {
    let mut settings = settings(ProviderKind::Gemini, "http://localhost:1");
    settings.headers.insert("x-token".to_owned(), format!("{TOKEN}\r\nx: y"));
    let error = ask(&keyed(settings), &question("?")).0.unwrap_err().to_string();
    assert!(error.contains("x-token") && !error.contains(TOKEN), "{error}");
}

#[test]
fn a_proxy_is_asked_instead_of_the_host() {
    let kind = ProviderKind::Responses;
    let proxy = Server::answering(&[stream(&streams::of(kind))]);
    let mut settings = settings(kind, "http://provider.invalid/v1");
    settings.proxy = Some(proxy.address.trim_end_matches("/v1").to_owned());
    let (answer, _) = ask(&Provider::new(settings, &Variables::default()).unwrap(), &question("?"));
    assert_eq!(answer.unwrap().message.text, "I draw it.");
    let asked = proxy.asked().concat();
    assert!(asked.starts_with("POST http://provider.invalid/v1/responses "), "{asked}");
}
