//! Runs as demonstrations and preferences.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::base::CancelToken;
use pentimento::environment::{ToolCall, open_environment};
use pentimento::export::{
    DEMONSTRATION_FORMAT, DemonstratedRun, DemonstrationError, DemonstrationOptions,
    DemonstrationPictures, DemonstrationUnit, PREFERENCE_FORMAT, demonstrations, preference,
};
use pentimento::run::folder::EVENTS_FILE;
use pentimento::run::replay::start_state;
use pentimento::run::{BRIEF_SETTING, Run, reader};
use serde_json::{Value, json};

use super::{SAMPLES, replayed, session, taken_over};
use crate::cli::{assert_fails, program, stderr};
use crate::files::copy_folder;

/// What `docs/assist.md` says a line is.
fn described() -> jsonschema::Validator {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/assist.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let mut blocks = docs.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let schema = blocks.find(|block| block.contains(DEMONSTRATION_FORMAT)).unwrap();
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

fn demonstrated(dir: &Path) -> DemonstratedRun {
    DemonstratedRun { run: Arc::new(reader::open(dir).unwrap()), task: None }
}

fn lines(of: &DemonstratedRun, options: DemonstrationOptions) -> Vec<Value> {
    demonstrations(of, options, &open_environment, &CancelToken::default()).unwrap()
}

/// The calls in a list of messages, each answered by a message of its own.
fn calls(messages: &Value) -> Vec<ToolCall> {
    let messages = messages.as_array().unwrap();
    let mut calls = Vec::new();
    for message in messages {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let id = call["id"].as_str().unwrap();
            let answers = messages.iter().filter(|it| it["tool_call_id"] == id);
            assert_eq!((answers.count(), &call["type"]), (1, &Value::from("function")));
            let arguments = call["function"]["arguments"].as_str().unwrap();
            calls.push(ToolCall {
                id: id.to_owned(),
                name: call["function"]["name"].as_str().unwrap().to_owned(),
                arguments: serde_json::from_str(arguments).unwrap(),
            });
        }
    }
    calls
}

#[test]
fn the_calls_of_a_demonstration_lead_to_the_runs_last_design() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    let (run_dir, parent_dir) = taken_over(&mut session, "recipe-tip/scripted-01", 1);
    let described = described();
    assert!(!described.is_valid(&json!({"format": DEMONSTRATION_FORMAT})), "it can say no");
    for dir in [&run_dir, &parent_dir] {
        let of = demonstrated(dir);
        let [line] = &lines(&of, DemonstrationOptions::default())[..] else { panic!("one line") };
        assert!(described.is_valid(line), "{line}");
        assert_eq!(line["format"], DEMONSTRATION_FORMAT);
        let mut canvas = open_environment(&start_state(&of.run).unwrap()).unwrap();
        for call in calls(&line["messages"]) {
            canvas.call(&call, &CancelToken::default());
        }
        assert_eq!(canvas.design().unwrap(), replayed(dir).1);
        let roles = |at: usize| line["messages"][at]["role"].as_str().unwrap();
        assert_eq!((roles(0), roles(1), roles(2)), ("system", "user", "assistant"));
        assert!(line["messages"][1]["content"].as_str().unwrap().contains("on the canvas now"));

        let unit = DemonstrationUnit::Turn;
        let turns = lines(&of, DemonstrationOptions { unit, ..DemonstrationOptions::default() });
        assert_eq!(turns.len(), of.run.turns.iter().filter(|turn| turn.step_count > 0).count());
        let of_turns: usize = turns.iter().map(|turn| calls(&turn["messages"]).len()).sum();
        assert_eq!(of_turns, of.run.steps.len());
        let pictures = DemonstrationPictures::With;
        let pictured = lines(&of, DemonstrationOptions { unit, pictures });
        assert!(turns.iter().chain(&pictured).all(|line| described.is_valid(line)));
        let url = pictured[0]["messages"][1]["content"][1]["image_url"]["url"].as_str().unwrap();
        assert!(url.starts_with("data:image/png;base64,"));
    }
}

#[test]
fn what_was_made_for_a_brief_has_it_as_its_instruction() {
    let run_dir = Path::new(SAMPLES).join("runs/own-samples/chat-dark/scripted-01");
    let asked_of = |brief: Option<&str>| {
        let mut run = reader::open(&run_dir).unwrap();
        let setting = brief.map(|words| (BRIEF_SETTING.to_owned(), json!(words)));
        run.manifest.settings.extend(setting);
        let of = DemonstratedRun { run: Arc::new(run), task: None };
        let [line] = &lines(&of, DemonstrationOptions::default())[..] else { panic!("one line") };
        line["messages"][1]["content"].as_str().unwrap().to_owned()
    };
    let brief = "A poster for a night of blues";
    assert!(asked_of(Some(brief)).starts_with(&format!("{brief}\n\n")));
    for none in [None, Some("  ")] {
        assert!(asked_of(none).starts_with("No instruction was recorded."), "{none:?}");
    }
}

#[test]
fn what_a_person_did_is_preferred_to_what_the_agent_did_from_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    let (run_dir, parent_dir) = taken_over(&mut session, "recipe-tip/scripted-01", 1);
    let (own, its) = (demonstrated(&run_dir), demonstrated(&parent_dir));
    let options = DemonstrationOptions::default();
    let cancel = CancelToken::default();
    let pair = preference(&own, &its, options, &open_environment, &cancel).unwrap().unwrap();
    assert_eq!((&pair["format"], &pair["step"]), (&PREFERENCE_FORMAT.into(), &1.into()));
    assert_eq!(calls(&pair["prompt"]).len(), 1);
    assert_eq!(calls(&pair["chosen"]).len(), own.run.steps.len() - 1);
    assert_eq!(calls(&pair["rejected"]).len(), its.run.steps.len() - 1);
    // Who did just what the agent did prefers nothing.
    let mut same = Run::clone(&its.run);
    same.manifest.parent.clone_from(&own.run.manifest.parent);
    let same = DemonstratedRun { run: Arc::new(same), task: None };
    let pair = preference(&same, &its, options, &open_environment, &cancel).unwrap();
    assert!(pair.is_none());
    // A run that says it is of another is not taken at its word.
    let other = demonstrated(&Path::new(SAMPLES).join("runs/own-samples/chat-dark/scripted-01"));
    let error = preference(&own, &other, options, &open_environment, &cancel).unwrap_err();
    assert!(matches!(error, DemonstrationError::OtherTask), "{error}");
    let begun = dir.path().join("begun");
    copy_folder(&parent_dir, &begun);
    let events = std::fs::read_to_string(begun.join(EVENTS_FILE)).unwrap();
    let events = events.replacen("get_page_structure", "get_selection_info", 1);
    std::fs::write(begun.join(EVENTS_FILE), events).unwrap();
    let error = preference(&own, &demonstrated(&begun), options, &open_environment, &cancel);
    assert!(matches!(error, Err(DemonstrationError::OtherBeginning(1))), "{error:?}");
}

#[test]
fn the_command_writes_lines_and_leaves_out_what_is_broken() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(&dir.path().join("runs"));
    let (run_dir, parent_dir) = taken_over(&mut session, "recipe-tip/scripted-01", 1);
    drop(session);
    let (out, pairs) = (dir.path().join("demos.jsonl"), dir.path().join("pairs.jsonl"));
    let run = |runs: &[&PathBuf]| {
        let mut command = program();
        command.args(["export", "demonstrations"]).args(runs);
        command.arg("--out").arg(&out).arg("--preferences").arg(&pairs);
        command.output().unwrap()
    };
    let output = run(&[&run_dir, &parent_dir]);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert_eq!((read(&out).lines().count(), read(&pairs).lines().count()), (2, 1));
    for line in read(&out).lines().chain(read(&pairs).lines()) {
        assert!(serde_json::from_str::<Value>(line).unwrap().is_object());
    }

    // One whose answers were changed afterwards, and one that is no run any more.
    let (changed, torn) = (dir.path().join("changed"), dir.path().join("torn"));
    copy_folder(&parent_dir, &changed);
    let events = read(&changed.join(EVENTS_FILE)).replace("\"text\":\"", "\"text\":\"not ");
    std::fs::write(changed.join(EVENTS_FILE), events).unwrap();
    copy_folder(&parent_dir, &torn);
    std::fs::write(torn.join(EVENTS_FILE), "{\"event\":\"turn\"").unwrap();
    let output = run(&[&changed, &torn]);
    assert_fails(&output, &["left out", "comes out differently", "no call was recorded"]);
}
