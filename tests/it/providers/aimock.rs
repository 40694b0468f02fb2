//! Judged by a server that is not ours: `@copilotkit/aimock`, which speaks all five APIs.
//!
//! `tests/run` puts it at `target/tools/aimock`; what it answers is in `tests/data/aimock.json`.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pentimento::agent::chat::{
    Answer, ChatError, ChatRequest, Message, Part, RetryCause, StopReason, ToolResult,
};
use pentimento::agent::model_agent::{AgentPrompts, Mode};
use pentimento::agent::models::{Ability, EndpointReport, ModelEntry, OpenedModel};
use pentimento::agent::providers::{Prices, Provider, ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, Variables};
use serde_json::{Value, json};

use crate::tools;

use super::asking::{Heard, arguments, ask, png, question, settings};

/// The server; killed when dropped.
struct Aimock {
    process: Child,
    address: String,
}

impl Aimock {
    /// `None`, with a note, where it is not there.
    fn start() -> Option<Self> {
        let program = tools::path("aimock/dist/cli.js")?;
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/aimock.json");
        let mut process = Command::new("node")
            .arg(program)
            .args(["-p", "0", "-f", fixtures, "--strict", "--validate-on-load"])
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("node starts: tests/run installs it");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.by_ref().find_map(|line| {
            let line = line.unwrap();
            Some(line.split_once("listening on ")?.1.trim().to_owned())
        });
        let address = address.expect("aimock says where it listens");
        // Its pipe must not fill up.
        std::thread::Builder::new()
            .name("aimock's output".to_owned())
            .spawn(move || lines.for_each(drop))
            .unwrap();
        Some(Self { process, address })
    }

    /// Settings that ask it, with a count of matches of their own.
    fn settings(&self, kind: ProviderKind, stream: bool) -> ProviderSettings {
        static TESTS: AtomicU32 = AtomicU32::new(0);
        let version = match kind {
            ProviderKind::Gemini => "/v1beta",
            ProviderKind::Bedrock => "",
            _ => "/v1",
        };
        let address = format!("{}{version}", self.address);
        let mut settings = ProviderSettings { stream, ..settings(kind, &address) };
        let test = TESTS.fetch_add(1, Ordering::Relaxed);
        settings.headers.insert("x-test-id".to_owned(), format!("test-{test}"));
        settings
    }

    /// What it writes in its journal of the last request.
    fn last_journal_entry(&self, test: &str) -> Value {
        use std::io::Write as _;
        let host = self.address.strip_prefix("http://").unwrap();
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        let path = format!("/__aimock/journal?testId={test}");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let begin = text.find("\r\n\r\n").unwrap();
        let body = &text[begin..];
        let json = &body[body.find('[').unwrap()..=body.rfind(']').unwrap()];
        let entries: Vec<Value> = serde_json::from_str(json).unwrap();
        entries.last().unwrap().clone()
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Every API, streamed and whole.
fn every_way() -> impl Iterator<Item = (ProviderKind, bool)> {
    ProviderKind::ALL.into_iter().flat_map(|kind| [(kind, true), (kind, false)])
}

fn answer(settings: ProviderSettings, request: &ChatRequest) -> (Answer, Heard) {
    let (kind, stream) = (settings.kind, settings.stream);
    let (answer, heard) = ask(&Provider::new(settings, &Variables::default()).unwrap(), request);
    (answer.unwrap_or_else(|error| panic!("{kind:?}, stream {stream}: {error}")), heard)
}

#[test]
fn words_and_usage_arrive_as_they_were_said() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let (answer, heard) = answer(aimock.settings(kind, stream), &question("plain"));
        let text = "A quiet grey frame with one button, centred.";
        assert_eq!(answer.message.text, text, "{kind:?} {stream}");
        assert_eq!(heard.text, text);
        assert_eq!(answer.stop, StopReason::End);
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output), (21, 9), "{kind:?} {stream}");
        assert_eq!(answer.attempts.len(), 1);
    }
}

#[test]
fn reasoning_and_the_limit_of_tokens_are_told_apart_from_words() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let (thought, heard) = answer(aimock.settings(kind, stream), &question("think"));
        assert_eq!(thought.message.text, "Four.", "{kind:?} {stream}");
        assert_eq!(thought.reasoning, "Two and two.", "{kind:?} {stream}");
        assert_eq!(heard.reasoning, "Two and two.", "{kind:?} {stream}");
        let (cut, _) = answer(aimock.settings(kind, stream), &question("limit"));
        assert_eq!(cut.message.text, "Half a sen");
        assert_eq!(cut.stop, StopReason::Length, "{kind:?} {stream}");
    }
}

#[test]
fn calls_are_made_answered_with_a_picture_and_understood() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let mut request = question("draw");
        let Message::User(parts) = &mut request.messages[0] else { unreachable!() };
        parts.push(Part::Picture(png()));
        let settings = aimock.settings(kind, stream);
        let (first, heard) = answer(settings.clone(), &request);
        assert_eq!(first.message.text, "Two rectangles.", "{kind:?} {stream}");
        assert_eq!(first.stop, StopReason::ToolCalls);
        let expected = [json!({ "name": "Card \"é\" 😀", "width": 4.5 }), json!({})];
        assert_eq!(arguments(&first), expected, "{kind:?} {stream}");
        assert_eq!(heard.calls.len(), 2);
        // Gemini may give no ids; ours are made up then.
        let ids: Vec<String> = first.message.calls.iter().map(|call| call.id.clone()).collect();
        assert_ne!(ids[0], ids[1]);

        request.messages.push(Message::Assistant(first.message.clone()));
        let results = first.message.calls.iter().enumerate().map(|(index, call)| ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: format!("Created 1:{}", index + 2),
            structured: None,
            picture: Some(png()),
            failed: false,
        });
        request.messages.push(Message::ToolResults(results.collect()));
        let test = settings.headers["x-test-id"].clone();
        let (second, _) = answer(settings, &request);
        assert_eq!(second.message.text, "I see what was drawn.", "{kind:?} {stream}");
        assert_eq!(second.stop, StopReason::End);
        let seen = aimock.last_journal_entry(&test)["body"]["messages"].clone();
        let of_role = |role: &str| -> Vec<Value> {
            let messages = seen.as_array().unwrap().iter();
            messages.filter(|message| message["role"] == role).cloned().collect()
        };
        assert_eq!(of_role("system")[0]["content"], "You draw.", "{kind:?}: {seen}");
        // Of Responses it makes a message of each item.
        let assistant = of_role("assistant");
        let calls: Vec<&Value> = assistant
            .iter()
            .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten())
            .collect();
        let results = of_role("tool");
        assert_eq!((calls.len(), results.len()), (2, 2), "{kind:?}: {seen}");
        for (at, id) in ids.iter().enumerate() {
            let sent: Value =
                serde_json::from_str(calls[at]["function"]["arguments"].as_str().unwrap()).unwrap();
            assert_eq!(sent, expected[at], "{kind:?}: {seen}");
            let said = results[at]["content"].to_string();
            assert!(said.contains(&format!("Created 1:{}", at + 2)), "{kind:?}: {seen}");
            assert_eq!(calls[at]["id"], results[at]["tool_call_id"], "{kind:?}: {seen}");
            if kind != ProviderKind::Gemini {
                assert_eq!(calls[at]["id"], id.as_str(), "{kind:?}: {seen}");
            }
        }
    }
}

#[test]
fn failures_that_pass_are_waited_for() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let (late, heard) = answer(aimock.settings(kind, stream), &question("broken once"));
        assert_eq!(late.message.text, "Now.", "{kind:?} {stream}");
        assert_eq!(late.attempts[0].status, Some(500));
        assert!(heard.waits[0].0.to_string().contains("Oh."), "{:?}", heard.waits);
        let patient = ProviderSettings { longest_wait_secs: 5.0, ..aimock.settings(kind, stream) };
        let (late, heard) = answer(patient, &question("busy once"));
        assert_eq!((late.message.text.as_str(), late.attempts.len()), ("Now.", 2));
        assert_eq!(late.attempts[0].status, Some(429));
        assert!((1.0..=1.1).contains(&heard.waits[0].1), "{kind:?} {stream}: {:?}", heard.waits);
        let kept = &heard.exchanges[0].answer_headers;
        assert!(kept.iter().any(|(name, value)| name == "retry-after" && value == "1"), "{kept:?}");
    }
}

#[test]
fn one_provider_serves_a_hundred_conversations_at_once() {
    let Some(aimock) = Aimock::start() else { return };
    for kind in ProviderKind::ALL {
        let provider = Provider::new(aimock.settings(kind, true), &Variables::default()).unwrap();
        let answers = std::thread::scope(|scope| {
            let asking = |_| scope.spawn(|| ask(&provider, &question("plain")).0);
            let asked: Vec<_> = (0..100).map(asking).collect();
            asked.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        for answer in answers {
            let answer = answer.unwrap();
            assert_eq!(answer.message.text, "A quiet grey frame with one button, centred.");
        }
    }
}

#[test]
fn a_stream_that_it_cuts_is_asked_for_again() {
    let Some(aimock) = Aimock::start() else { return };
    for kind in ProviderKind::ALL {
        let (whole, heard) = answer(aimock.settings(kind, true), &question("cut once"));
        assert_eq!(whole.message.text, "This one is whole.", "{kind:?}");
        assert_eq!(whole.attempts.len(), 2, "{kind:?}");
        assert!(matches!(heard.waits[0].0, RetryCause::BrokenOff { .. }), "{:?}", heard.waits);
        assert_eq!(heard.text, "This one is whole.");
        let came = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
        let begins = if kind == ProviderKind::Bedrock { "contentBlockDelta" } else { "data: " };
        assert!(String::from_utf8_lossy(&came).contains(begins), "{kind:?}");
    }
}

#[test]
fn a_request_that_it_refuses_is_not_repeated() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let provider = Provider::new(aimock.settings(kind, stream), &Variables::default()).unwrap();
        let error = ask(&provider, &question("wrong")).0.unwrap_err();
        assert!(
            matches!(&error, ChatError::Rejected { status: 400, message, attempts, .. }
                if message.contains("No such parameter.") && attempts.len() == 1),
            "{kind:?} {stream}: {error}"
        );
    }
}

#[test]
fn each_of_its_kinds_of_chaos_is_given_up_after_all_tries() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        for chaos in ["drop", "malformed", "disconnect", "ratelimit"] {
            let mut settings = aimock.settings(kind, stream);
            settings.headers.insert(format!("x-aimock-chaos-{chaos}"), "1".to_owned());
            let (answer, heard) =
                ask(&Provider::new(settings, &Variables::default()).unwrap(), &question("plain"));
            let error = answer.unwrap_err();
            let ChatError::GaveUp { cause, attempts, .. } = &error else {
                panic!("{kind:?} {stream} {chaos}: {error}");
            };
            assert_eq!((attempts.len(), heard.exchanges.len()), (3, 3));
            let as_expected = match chaos {
                "drop" => matches!(cause, RetryCause::Status { status: 500, .. }),
                "ratelimit" => matches!(cause, RetryCause::Status { status: 429, .. }),
                "malformed" => matches!(cause, RetryCause::Malformed { .. }),
                _ => matches!(cause, RetryCause::BrokenOff { .. }),
            };
            assert!(as_expected, "{kind:?} {stream} {chaos}: {cause:?}");
        }
    }
}

/// What is found of a model that is asked here about a picture that is red or, by chance 2, blue.
fn tested(settings: ProviderSettings, model: &str, chance: u64) -> EndpointReport {
    let prices = Prices { input: 2.0, output: 10.0, cached_input: None, cache_writes: None };
    let provider = ProviderSettings { model: model.to_owned(), prices: Some(prices), ..settings };
    let entry = ModelEntry { provider, ..ModelEntry::default() };
    let prompts = Arc::new(AgentPrompts::built_in());
    let opened =
        OpenedModel::new("m", entry, Mode::MultiTurn, prompts, &Variables::default()).unwrap();
    opened.test(chance, &CancelToken::new()).unwrap()
}

#[test]
fn a_test_finds_what_it_can_do_by_every_api() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let report = tested(aimock.settings(kind, stream), "does-all", 0);
        assert_eq!(report.answers, Ability::Yes, "{kind:?} {stream}");
        assert_eq!(report.sees_pictures, Ability::Yes, "{kind:?} {stream}");
        assert_eq!(report.calls_tools, Ability::Yes, "{kind:?} {stream}");
        assert_eq!(report.streams, Some(stream), "{kind:?}");
        let usage = report.usage.unwrap();
        assert_eq!((usage.input, usage.output), (300, 30), "{kind:?} {stream}");
        assert!((report.cost_usd.unwrap() - 900e-6).abs() < 1e-12, "{kind:?} {stream}");
        assert!(report.first_token_secs.unwrap() <= report.total_secs, "{kind:?} {stream}");
    }
}

#[test]
fn a_test_finds_what_it_cannot_do_by_every_api() {
    let Some(aimock) = Aimock::start() else { return };
    for (kind, stream) in every_way() {
        let report = tested(aimock.settings(kind, stream), "refuses-pictures", 0);
        let why = "No pictures here.";
        assert!(
            matches!(&report.sees_pictures, Ability::Failed(it) if it.contains(why)),
            "{kind:?} {stream}: {:?}",
            report.sees_pictures
        );
        assert_eq!(report.calls_tools, Ability::Yes, "{kind:?} {stream}");
        // It says red of every picture.
        let report = tested(aimock.settings(kind, stream), "calls-nothing", 2);
        let why = "it said \"red.\" of a picture that is blue".to_owned();
        assert_eq!(report.sees_pictures, Ability::No(why), "{kind:?} {stream}");
        let why = "it made no call and said \"Seven.\"".to_owned();
        assert_eq!(report.calls_tools, Ability::No(why), "{kind:?} {stream}");
    }
}
