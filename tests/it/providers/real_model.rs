//! A real model, SmolLM2 135M behind llama.cpp, on this machine.
//!
//! Not part of the suite: `tests/README.md` has the one command that installs and runs it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use pentimento::agent::chat::{ChatRequest, StopReason};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::Variables;
use serde_json::{Value, json};

use super::asking::{ask, question, settings};

/// The server; killed when dropped.
struct Llama {
    process: Child,
    address: String,
}

impl Llama {
    fn start() -> Self {
        let root = env!("CARGO_MANIFEST_DIR");
        let mut process = Command::new(format!("{root}/target/tools/smollm/bin/python"))
            .arg(format!("{root}/tests/data/serve_smollm.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the model is installed: tests/README.md");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .find_map(|line| Some(line.unwrap().strip_prefix("listening on ")?.to_owned()));
        let address = address.expect("the server says where it listens");
        std::thread::Builder::new()
            .name("the model's output".to_owned())
            .spawn(move || lines.for_each(drop))
            .unwrap();
        Self { process, address }
    }

    fn settings(&self) -> ProviderSettings {
        ProviderSettings {
            idle_timeout_secs: 300,
            ..settings(ProviderKind::ChatCompletions, &format!("{}/v1", self.address))
        }
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn chat(text: &str, max_tokens: u32) -> ChatRequest {
    let mut request = question(text);
    // It knows no tools.
    request.tools = [].into();
    request.system = "You are a helpful assistant.".to_owned();
    request.settings.max_tokens = max_tokens;
    request
}

#[test]
#[ignore = "needs a model: tests/README.md has the command"]
fn a_real_model_chats_stops_at_its_limit_and_answers_in_json() {
    let llama = Llama::start();
    let provider = Provider::new(llama.settings(), &Variables::default()).unwrap();

    let (answer, heard) = ask(&provider, &chat("What is the capital of France?", 60));
    let answer = answer.unwrap();
    assert!(answer.message.text.contains("Paris"), "{}", answer.message.text);
    assert_eq!(answer.stop, StopReason::End);
    assert_eq!(heard.text, answer.message.text);
    let usage = answer.usage.unwrap();
    assert!(usage.input > 10 && usage.output > 1, "{usage:?}");
    let events = heard.exchanges[0].answer.bytes(&mut |_| None).unwrap();
    let events = String::from_utf8(events).unwrap().matches("data: ").count();
    assert!(events > 3, "it came in {events} events");

    let (cut, _) = ask(&provider, &chat("Tell me a long story about a painter.", 8));
    let cut = cut.unwrap();
    assert_eq!(cut.stop, StopReason::Length, "{}", cut.message.text);
    assert_eq!(cut.usage.unwrap().output, 8);

    let mut request = chat("Describe a red circle of radius 5 in JSON.", 80);
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["shape", "radius"],
        "properties": {
            "shape": { "enum": ["circle", "square"] },
            "radius": { "type": "integer", "minimum": 0, "maximum": 99 },
        },
    });
    let format =
        json!({ "type": "json_schema", "json_schema": { "name": "shape", "schema": schema } });
    request.settings.extra.insert("response_format".to_owned(), format);
    for stream in [true, false] {
        let provider =
            Provider::new(ProviderSettings { stream, ..llama.settings() }, &Variables::default())
                .unwrap();
        let answer = ask(&provider, &request).0.unwrap();
        let value: Value = serde_json::from_str(&answer.message.text).unwrap();
        assert!(jsonschema::is_valid(&schema, &value), "{value}");
    }
}
