//! Archives that are no records themselves: what is in one comes in as from the folder that was packed.

use serde_json::{Value, json};

use super::bad::renamed;
use super::playwright::archive;
use super::{colour, import_into, imported, png, record, write};

/// A log of a question and an answer, with a line that is torn behind them if it is.
pub(super) fn chat(answer: &str, is_torn: bool) -> Vec<u8> {
    let asked = json!({"role": "user", "content": "Draw it."});
    let answer = json!({"role": "assistant", "content": answer, "tool_calls": []});
    let torn = if is_torn { "{\"role\": \"us" } else { "" };
    format!("{asked}\n{answer}\n{torn}").into_bytes()
}

pub(super) fn step(number: u32, file: &str) -> Vec<u8> {
    let line: Value = json!({"step_num": number, "action": "WAIT", "screenshot_file": file});
    format!("{line}\n").into_bytes()
}

#[test]
fn logs_and_results_in_an_archive_are_those_of_the_folder_that_was_packed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results.zip");
    archive(
        &path,
        &[
            ("logs/a.jsonl", chat("One.", false)),
            ("logs/b.jsonl", chat("Two.", true)),
            ("gpt/chrome/task/traj.jsonl", step(1, "step_1.png")),
            ("gpt/chrome/task/step_1.png", png([4, 0, 0])),
            ("notes.txt", b"nothing".to_vec()),
        ],
    );
    let found = imported(&[&path]);
    let runs = found.runs();
    let mut named: Vec<(&str, &str)> =
        runs.iter().map(|run| (&*run.manifest.task.set, &*run.manifest.task.id)).collect();
    named.sort_unstable();
    assert_eq!(
        named,
        [("openai", "a"), ("openai", "b"), ("osworld", "task")],
        "{:#?}",
        found.report
    );
    let of_desktop = runs.iter().find(|run| run.manifest.task.set == "osworld").unwrap();
    assert_eq!(colour(of_desktop, 1), Some([4, 0, 0]));
    assert!(found.report.skipped.is_empty(), "{:?}", found.report.skipped);
    // Places are those in the archive, wherever it was unpacked.
    let at = |run: &pentimento::run::Run| record(run).source.clone();
    let torn = runs.iter().find(|run| run.manifest.task.id == "b").unwrap();
    assert!(at(torn).ends_with("results.zip#logs/b.jsonl:1"), "{}", at(torn));
    let told = found.report.runs.iter().find(|run| run.task.id == "b").unwrap();
    assert!(told.warnings[0].ends_with("results.zip#logs/b.jsonl:3"), "{:?}", told.warnings);
    for run in &runs {
        assert!(run.notes.iter().all(|note| !note.contains(".importing")), "{:?}", run.notes);
    }
    assert_eq!(import_into(found.out.path(), &[&path]).new_runs(), 0, "the same is found again");
}

#[test]
fn an_archive_of_logs_that_leads_out_or_explodes_is_refused_and_none_is_in_another() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let log = || ("log.jsonl", chat("One.", false));
    archive(&at("escape.zip"), &[log(), ("xx/evil.jsonl", chat("Two.", false))]);
    renamed(&at("escape.zip"), "xx/evil.jsonl", "../evil.jsonl");
    // None of them is large by itself.
    let spaces = || vec![b' '; 8 << 20];
    archive(
        &at("bomb.zip"),
        &[log(), ("a", spaces()), ("b", spaces()), ("c", spaces()), ("d", spaces())],
    );
    archive(&at("inner.zip"), &[log()]);
    let inner = std::fs::read(at("inner.zip")).unwrap();
    archive(&at("outer.zip"), &[("other.jsonl", chat("Three.", false)), ("inner.zip", inner)]);
    std::fs::remove_file(at("inner.zip")).unwrap();
    // A file that stands where a folder is to be costs itself alone.
    archive(
        &at("clash.zip"),
        &[("a", b"x".to_vec()), ("a/log.jsonl", chat("Four.", false)), log()],
    );
    let out = imported(&[dir.path()]);
    let thoughts: Vec<String> = out.runs().iter().map(|run| run.turns[0].thought.clone()).collect();
    assert_eq!(thoughts.len(), 2, "{:#?}", out.report);
    assert!(thoughts.contains(&"One.".to_owned()) && thoughts.contains(&"Three.".to_owned()));
    for (place, why) in [
        ("escape.zip", "leads out of it"),
        ("bomb.zip", "times its size"),
        ("outer.zip#inner.zip", "an archive within an archive"),
        ("clash.zip#a/log.jsonl", "cannot be unpacked"),
    ] {
        assert!(out.reason(place).contains(why), "{place}: {}", out.reason(place));
    }
    assert!(!dir.path().join("../evil.jsonl").exists());
}

#[test]
fn a_name_in_an_archive_that_no_file_may_have_is_left_out_and_cut_in_the_message() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.zip");
    let long = "name-".repeat(1_000);
    archive(&path, &[("log.jsonl", chat("One.", false)), (&*long, b"x".to_vec())]);
    let out = imported(&[&path]);
    assert_eq!(out.run().turns[0].thought, "One.");
    let [left_out] = out.report.skipped.as_slice() else { panic!("{:?}", out.report.skipped) };
    assert!(left_out.reason.contains("cannot be unpacked"), "{left_out:?}");
    assert!(left_out.place.contains("long.zip#name-name-"), "{left_out:?}");
    assert!(left_out.place.ends_with('…') && left_out.place.len() < 1000, "{left_out:?}");
}

#[test]
fn pictures_alone_are_a_run_of_an_archive_that_is_asked_for_and_of_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let shots = [("1.png", png([1, 0, 0])), ("2.png", png([2, 0, 0]))];
    std::fs::create_dir(at("all")).unwrap();
    archive(&at("all/shots.zip"), &shots);
    let asked = imported(&[&at("all/shots.zip")]);
    assert_eq!((asked.report.runs[0].format, asked.run().steps.len()), ("pictures", 2));
    assert_eq!(asked.run().manifest.task.id, "shots");
    // Beside others it may be anybody's document.
    write(&at("all/log.jsonl"), chat("One.", false));
    archive(
        &at("all/slides.zip"),
        &[("[Content_Types].xml", Vec::new()), ("log.jsonl", chat("Two.", false))],
    );
    let all = imported(&[&at("all")]);
    assert_eq!(all.run().turns[0].thought, "One.");
    for name in ["shots.zip", "slides.zip"] {
        assert!(all.reason(name).contains("archive of no format"), "{:?}", all.report);
    }
}
