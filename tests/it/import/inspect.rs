//! Logs that Inspect AI itself writes, by its model that answers from a list.

use std::path::{Path, PathBuf};
use std::process::Command;

use pentimento::run::Outcome;
use serde_json::{Value, json};

use super::playwright::archive;
use super::{Imported, colour, imported, record, write};
use crate::tools;

/// A new log in this format; `None` where Inspect is not there.
fn log(dir: &Path, format: &str) -> Option<PathBuf> {
    let python = tools::path("inspect-python/bin/python")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import/inspect_log.py");
    let output = Command::new(python)
        .arg(script)
        .arg(dir)
        .arg(format)
        .env("HOME", dir)
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    Some(files.find(|path| path.extension().is_some_and(|it| it == format)).unwrap())
}

fn check(imported: &Imported) {
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    let of = |id: &str| runs.iter().find(|run| run.manifest.task.id == id).unwrap();
    let red = of("red");
    assert_eq!((&*red.manifest.task.set, &*red.manifest.agent.name), ("square", "mockllm/model"));
    assert_eq!((red.turns.len(), red.steps.len()), (3, 2));
    assert_eq!((&*red.turns[0].thought, &*red.turns[2].thought), ("I draw it.", "done"));
    assert_eq!(red.steps[0].call.as_ref().unwrap().arguments, json!({"color": "red"}));
    assert_eq!(red.steps[0].outcome.as_ref().unwrap().text, "drawn red");
    assert_eq!(colour(red, 1), Some([255, 0, 0]));
    let failure = red.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap();
    assert_eq!(failure.message, "there is no such colour");
    assert_eq!(red.turns[1].usage.map(|it| (it.input_tokens, it.output_tokens)), Some((10, 5)));
    let totals = &red.manifest.totals;
    assert_eq!((totals.input_tokens, totals.output_tokens, totals.failures), (30, 15, 1));
    assert!(red.manifest.started.starts_with("20") && red.manifest.finished.is_some());
    assert!(totals.seconds > 0.0);
    assert_eq!(red.manifest.outcome, Outcome::Completed);
    assert_eq!(record(red).instruction.as_deref(), Some("Draw a red square."));
    assert_eq!(record(red).scores["includes"], "C");
    assert_eq!(record(of("two/x")).scores["includes"], "I");
    assert!(
        imported.report.runs.iter().all(|run| run.warnings.is_empty()),
        "{:?}",
        imported.report
    );
}

#[test]
fn an_archive_of_the_current_version_is_read_sample_by_sample() {
    let dir = tempfile::tempdir().unwrap();
    let Some(log) = log(dir.path(), "eval") else { return };
    // By content: its name says nothing.
    let renamed = dir.path().join("renamed.bin");
    std::fs::rename(&log, &renamed).unwrap();
    let first = imported(&[&renamed]);
    check(&first);
    let again = super::import_into(first.out.path(), &[&renamed]);
    assert!(again.runs.iter().all(|run| run.was_there), "{again:?}");
    // Cut off in the middle, as a copy may be.
    let bytes = std::fs::read(&renamed).unwrap();
    write(&dir.path().join("torn.eval"), &bytes[..bytes.len() / 2]);
    let torn = imported(&[&dir.path().join("torn.eval")]);
    assert!(torn.reason("torn.eval").contains("archive cannot be read"), "{:?}", torn.report);
}

#[test]
fn a_log_in_one_file_is_read_with_numbers_that_python_writes() {
    let dir = tempfile::tempdir().unwrap();
    let Some(log) = log(dir.path(), "json") else { return };
    check(&imported(&[&log]));
    // What is no number for JSON, and a sample that is none.
    let text = std::fs::read_to_string(&log).unwrap();
    let text = text.replacen("\"version\": 2", "\"version\": NaN", 1);
    assert!(text.contains("NaN"));
    write(&dir.path().join("nan.json"), &text);
    check(&imported(&[&dir.path().join("nan.json")]));
    let mut value: Value = serde_json::from_str(&std::fs::read_to_string(&log).unwrap()).unwrap();
    let samples = value["samples"].as_array_mut().unwrap();
    samples[0] = json!({"id": "bad"});
    samples[1]["scores"] = json!(null);
    samples[1]["limit"] = json!({"type": "message", "limit": 3});
    write(&dir.path().join("bad.json"), value.to_string());
    let bad = imported(&[&dir.path().join("bad.json")]);
    assert!(bad.reason("bad.json#sample 1").contains("no sample of an Inspect log"));
    assert_eq!(bad.run().manifest.outcome, Outcome::LimitReached("message".to_owned()));
}

#[test]
fn samples_come_in_without_a_header_that_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let sample = json!({"id": "a\\b", "epoch": 1, "messages": [
        {"role": "user", "content": "Draw it."}, {"role": "assistant", "content": "Done."}]});
    let samples = ("samples/a\\b_epoch_1.json", sample.to_string().into_bytes());
    let torn = ("header.json", b"{\"eval\": {".to_vec());
    archive(&dir.path().join("torn.eval"), &[torn, samples.clone()]);
    archive(&dir.path().join("none.eval"), &[samples]);
    let imported = imported(&[dir.path()]);
    for run in imported.runs() {
        assert_eq!((&*run.manifest.task.set, &*run.manifest.task.id), ("inspect", "a\\b"));
        assert_eq!((&*run.manifest.agent.name, run.turns.len()), ("not recorded", 1));
    }
    assert_eq!(imported.report.runs.len(), 2);
    assert!(imported.reason("torn.eval#header.json").contains("not valid JSON"));
    assert!(imported.reason("none.eval#_journal/start.json").contains("no such entry"));
}

#[test]
fn a_sample_that_failed_before_its_first_answer_is_a_run_that_failed() {
    let dir = tempfile::tempdir().unwrap();
    let asked = json!([{"role": "user", "content": "Draw it."}]);
    let error = json!({"message": "the sandbox did not start", "traceback": ""});
    let log = json!({"status": "error", "eval": {"task": "square", "model": "m"}, "samples": [
        {"id": "broken", "epoch": 1, "messages": asked, "error": error},
        {"id": "unanswered", "epoch": 1, "messages": asked, "error": null},
    ]});
    write(&dir.path().join("log.json"), log.to_string());
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((&*run.manifest.task.id, run.turns.len()), ("broken", 0));
    assert_eq!(run.manifest.outcome, Outcome::Failed("the sandbox did not start".to_owned()));
    assert_eq!(record(&run).instruction.as_deref(), Some("Draw it."));
    assert!(imported.reason("log.json#sample 2").contains("no answer of a model"));
}

/// A log with these samples of one task.
fn log_of(samples: &[Value]) -> String {
    json!({"status": "success", "eval": {"task": "square", "model": "m"}, "samples": samples})
        .to_string()
}

fn sample(epoch: u32, score: f64) -> Value {
    json!({"id": "a", "epoch": epoch, "scores": {"acc": {"value": score}}, "messages": [
        {"role": "user", "content": "Draw it."}, {"role": "assistant", "content": "Done."}]})
}

#[test]
fn epochs_that_say_the_same_are_runs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.json");
    write(&path, log_of(&[1, 2, 3].map(|epoch| sample(epoch, 1.0))));
    let first = imported(&[&path]);
    let epochs: Vec<Value> =
        first.runs().iter().map(|run| record(run).facts["epoch"].clone()).collect();
    assert_eq!(epochs, [json!(1), json!(2), json!(3)]);
    assert_eq!(first.report.new_runs(), 3, "{:#?}", first.report);
    assert_eq!(super::import_into(first.out.path(), &[&path]).new_runs(), 0);
    // Scored anew, each keeps its place.
    write(&path, log_of(&[1, 2, 3].map(|epoch| sample(epoch, f64::from(epoch) / 4.0))));
    let again = super::import_into(first.out.path(), &[&path]);
    assert_eq!(again.summary(), "0 runs imported, 3 were there, 3 of them with new scores");
    let scores: Vec<Value> =
        first.runs().iter().map(|run| record(run).scores["acc"].clone()).collect();
    assert_eq!(scores, [json!(0.25), json!(0.5), json!(0.75)]);
}
