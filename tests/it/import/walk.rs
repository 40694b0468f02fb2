//! What lies around records: others below them, names and links that cannot be read, what is packed.

use std::io::Write as _;

use pentimento::base::Pixels;
use serde_json::{Value, json};

use super::{canvas, colour, imported, png, write, write_json, write_lines};

fn step(number: u32, file: &Value) -> Value {
    json!({"step_num": number, "action": "WAIT", "screenshot_file": file})
}

#[test]
fn records_below_a_record_come_in_and_its_own_folders_do_not() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    write_lines(&at("traj.jsonl"), &[step(1, &json!(null))]);
    write_lines(&at("a/b/traj.jsonl"), &[step(1, &json!(null)), step(2, &json!(null))]);
    write(&at("screenshots/step_1.png"), png([4, 0, 0]));
    write(&at("notes/picture.png"), png([5, 0, 0]));
    write(&at("notes/other.bin"), [7_u8; 100]);
    let imported = imported(&[dir.path()]);
    let runs = imported.runs();
    assert_eq!(runs.iter().map(|run| run.steps.len()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(colour(&runs[0], 1), Some([4, 0, 0]), "found by the number of its step alone");
    assert!(imported.report.skipped.is_empty(), "{:?}", imported.report.skipped);
}

#[test]
fn results_of_canvas_in_one_folder_are_runs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["task-2-gid1-gpt-4.1", "task-2-gid2-gpt-4.1"] {
        canvas::result(dir.path(), name);
    }
    let imported = imported(&[dir.path()]);
    let runs = imported.runs();
    let tasks: Vec<&str> = runs.iter().map(|run| &*run.manifest.task.id).collect();
    assert_eq!(tasks, ["gid1", "gid2"]);
    for run in &runs {
        // Each with its own snapshots.
        assert_eq!((run.turns.len(), run.steps.len()), (3, 3));
        assert_eq!([2, 3].map(|step| colour(run, step)), [Some([1, 0, 0]), Some([2, 0, 0])]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_and_links_that_cannot_be_read_are_listed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    write_lines(&dir.path().join("good/traj.jsonl"), &[step(1, &json!(null))]);
    let odd = dir.path().join(OsStr::from_bytes(b"r\xe9sult"));
    write_lines(&odd.join("traj.jsonl"), &[step(1, &json!(null))]);
    std::os::unix::fs::symlink("/nothing/there", dir.path().join("gone.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("zero")).unwrap();
    let found = imported(&[dir.path()]);
    assert_eq!(found.report.runs.len(), 1);
    assert!(found.reason("sult").contains("not UTF-8"));
    assert!(found.reason("gone.jsonl").contains("cannot be read"));
    assert!(found.reason("zero").contains("neither a file nor a folder"));
    // By its own path it can be read.
    assert_eq!(imported(&[&odd]).report.runs.len(), 1);
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A question, and answers that have nothing in common.
fn chat(answers: u32) -> String {
    let asked = json!({"role": "user", "content": "Count."});
    let answers = (1..=answers).map(|number| {
        let said = number.wrapping_mul(2_654_435_761).to_string();
        json!({"role": "assistant", "content": said, "tool_calls": []})
    });
    let lines = std::iter::once(asked).chain(answers).map(|line| format!("{line}\n"));
    lines.collect()
}

#[test]
fn what_is_packed_as_a_whole_is_read_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let packed = gzip(chat(300).as_bytes());
    write(&at("log.jsonl.gz"), &packed);
    // Its name says nothing.
    write(&at("log"), gzip(json!({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "tool_calls": []}]}).to_string().as_bytes()));
    write(&at("torn.jsonl.gz"), &packed[..packed.len() / 2]);
    // A frame of one block that is stored as it is.
    let small = chat(1);
    let size = small.len() as u8;
    let block = ((u32::from(size) << 3) | 1).to_le_bytes();
    let frame = [&b"\x28\xb5\x2f\xfd\x20"[..], &[size], &block[..3], small.as_bytes()].concat();
    write(&at("small.jsonl.zst"), frame);
    let names = ["log.jsonl.gz", "log", "small.jsonl.zst", "torn.jsonl.gz"];
    let imported = imported(&names.map(at).each_ref().map(std::path::PathBuf::as_path));
    let runs = imported.runs();
    let found: Vec<(&str, usize)> =
        runs.iter().map(|run| (&*run.manifest.task.id, run.turns.len())).collect();
    assert_eq!(found[..3], [("log", 300), ("log", 1), ("small", 1)], "{:#?}", imported.report);
    assert!(found[3].0 == "torn" && (30..270).contains(&found[3].1), "{found:?}");
    let warnings: Vec<&[String]> =
        imported.report.runs.iter().map(|run| run.warnings.as_slice()).collect();
    assert!(warnings[..3].iter().all(|it| it.is_empty()), "{warnings:?}");
    assert!(warnings[3][0].contains("cut off"), "{warnings:?}");
}

#[test]
fn what_is_packed_and_cannot_be_read_is_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let long = format!("{{\"messages\": \"{}\"}}", " ".repeat(20 << 20));
    write(&at("bomb.json.gz"), gzip(long.as_bytes()));
    write(&at("archive.zip.gz"), gzip(b"PK\x05\x06"));
    write(&at("twice.gz"), gzip(&gzip(chat(1).as_bytes())));
    write(&at("torn.jsonl.gz"), b"\x1f\x8b\x08\0\0\0");
    write(&at("torn.jsonl.zst"), b"\x28\xb5\x2f\xfd\0\0");
    write(&at("a.jsonl.xz"), b"\xfd7zXZ\0");
    let imported = imported(&[dir.path()]);
    assert!(imported.report.runs.is_empty(), "{:#?}", imported.report);
    for (name, why) in [
        ("bomb.json.gz", "times its size"),
        ("archive.zip.gz", "unpack it first"),
        ("twice.gz", "unpack it first"),
        ("torn.jsonl.gz", "cut off"),
        ("torn.jsonl.zst", "Zstandard packed is damaged or cut off"),
        ("a.jsonl.xz", "packed by xz"),
    ] {
        assert!(imported.reason(name).contains(why), "{name}: {}", imported.reason(name));
    }
}

#[test]
fn a_picture_is_told_by_its_bytes_and_not_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut webp = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut webp);
    encoder.encode(&[8, 0, 0], 1, 1, image_webp::ColorType::Rgb8).unwrap();
    let jpeg = Pixels::filled(4, 3, [200, 200, 200, 255]).unwrap().to_jpeg().unwrap();
    for (name, bytes) in [("1.png", webp), ("2.png", jpeg), ("3.png", Vec::new())] {
        write(&dir.path().join(name), bytes);
    }
    let lines = [1, 2, 3].map(|number| step(number, &json!(format!("{number}.png"))));
    write_lines(&dir.path().join("traj.jsonl"), &lines);
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((colour(&run, 1), colour(&run, 3)), (Some([8, 0, 0]), None));
    assert!(colour(&run, 2).is_some());
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("no bytes"), "{warnings:?}");
}

#[test]
fn one_line_of_spans_that_is_longer_than_what_is_looked_at_is_one_of_several() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spans.jsonl");
    let line = |id: &str, times: usize, scopes: &str| {
        let attributes =
            json!([{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]);
        // Numbers, which are not cut short as texts are.
        let links: Vec<usize> = (0..2000).collect();
        let spans: Vec<Value> = (0..times)
            .map(|number| json!({"links": links, "traceId": id, "spanId": number.to_string(), "attributes": attributes}))
            .collect();
        json!({"resourceSpans": [{scopes: [{"spans": spans}]}]})
    };
    write_lines(
        &path,
        &[line("a", 200, "scopeSpans"), line("b", 1, "instrumentationLibrarySpans")],
    );
    assert!(std::fs::metadata(&path).unwrap().len() > 1 << 20);
    let turns: Vec<usize> = imported(&[&path]).runs().iter().map(|run| run.turns.len()).collect();
    assert_eq!(turns, [200, 1]);
    write_json(&dir.path().join("none.json"), &json!({"resourceSpans": [{"scopeSpans": []}]}));
    let none = imported(&[&dir.path().join("none.json")]);
    assert!(none.reason("none.json").contains("without a run"));
}
