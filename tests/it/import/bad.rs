//! What must not be taken, each with the words that say why; and what is beside it comes in.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::playwright::archive;
use super::{imported, png, write, write_lines};

/// An entry with a name that the writer of archives would not write.
pub(super) fn renamed(path: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let bytes = std::fs::read(path).unwrap();
    let mut out = bytes.clone();
    for at in 0..bytes.len() - from.len() {
        if &bytes[at..at + from.len()] == from.as_bytes() {
            out[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    std::fs::write(path, out).unwrap();
}

#[test]
fn a_folder_of_bad_files_says_of_each_what_is_wrong_and_lets_the_good_one_in() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let good = json!({"role": "assistant", "content": "Hi", "tool_calls": []});
    write_lines(&at("good.jsonl"), &[json!({"role": "user", "content": "Hello"}), good]);
    write(&at("empty.json"), "");
    write(&at("torn.json"), "{\"messages\": [{\"role\": \"assistant\", \"tool_calls\": [");
    write(&at("utf16.json"), b"\xff\xfe{\0\"\0a\0\"\0:\x001\0}\0");
    write(
        &at("latin1.json"),
        b"{\"messages\": [{\"role\": \"assistant\", \"tool_calls\": \"\xe9\"}]}",
    );
    write(&at("other.json"), "{\"name\": \"package\", \"version\": \"1.0.0\"}");
    write(&at("deep.json"), format!("{{\"messages\": {}, \"tool_calls\": 1}}", "[".repeat(5000)));
    write(&at("noise.bin"), [7_u8; 5000]);
    write(&at("notes.txt"), "not of interest");
    let out = imported(&[dir.path()]);
    assert_eq!(out.run().turns.len(), 1);
    for (name, why) in [
        ("empty.json", "the file is empty"),
        ("torn.json", "not valid JSON"),
        ("utf16.json", "UTF-16"),
        ("latin1.json", "not UTF-8"),
        ("other.json", "of no format that is read"),
        ("deep.json", "nests deeper"),
        ("noise.bin", "of no format that is read"),
    ] {
        assert!(out.reason(name).contains(why), "{name}: {}", out.reason(name));
    }
    assert!(!out.report.skipped.iter().any(|it| it.place.ends_with("notes.txt")), "passed over");
}

#[test]
fn archives_that_lead_out_explode_or_lie_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let trace = || ("a.trace", b"{\"type\":\"context-options\",\"version\":8}\n".to_vec());
    archive(&at("escape.zip"), &[trace(), ("xx/yy/evil.json", b"{}".to_vec())]);
    renamed(&at("escape.zip"), "xx/yy/evil.json", "../../evil.json");
    archive(&at("rooted.zip"), &[trace(), ("xetc/passwd", Vec::new())]);
    renamed(&at("rooted.zip"), "xetc/passwd", "/etc/passwd");
    archive(
        &at("bomb.zip"),
        &[("header.json", b"{}".to_vec()), ("samples/a.json", vec![b' '; 64 << 20])],
    );
    archive(&at("nested.zip"), &[("inner.zip", b"PK\x03\x04".to_vec())]);
    let many: Vec<(String, Vec<u8>)> =
        (0..10_000).map(|number| (format!("e{number}"), Vec::new())).collect();
    let many: Vec<(&str, Vec<u8>)> =
        many.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    archive(&at("many.zip"), &many);
    archive(&at("hollow.zip"), &[trace()]);
    let mut linked = zip::ZipWriter::new(std::fs::File::create(at("link.zip")).unwrap());
    linked.add_symlink("a.trace", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
    linked.finish().unwrap();
    let mut torn = std::fs::File::create(at("torn.zip")).unwrap();
    torn.write_all(b"PK\x03\x04 and nothing else").unwrap();
    // The sum of the only entry is another than it says.
    archive(
        &at("lies.zip"),
        &[("a.trace", b"{\"type\": \"before\", \"callId\": \"1\", \"class\": \"Page\"}".to_vec())],
    );
    let mut bytes = std::fs::read(at("lies.zip")).unwrap();
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[central + 16] ^= 0xff;
    write(&at("lies.zip"), bytes);
    let out = imported(&[dir.path()]);
    assert!(out.report.runs.is_empty(), "{:#?}", out.report);
    for (name, why) in [
        ("escape.zip", "leads out of it"),
        ("rooted.zip", "leads out of it"),
        ("bomb.zip", "times its size"),
        ("nested.zip", "archive of no format"),
        ("many.zip", "archive of no format"),
        ("hollow.zip#a.trace", "holds no action"),
        ("link.zip", "holds a link"),
        ("torn.zip", "cannot be read"),
        ("lies.zip#a.trace", "checksum"),
    ] {
        assert!(out.reason(name).contains(why), "{name}: {}", out.reason(name));
    }
    assert_eq!(out.report.skipped.len(), 9, "{:#?}", out.report);
    assert!(!dir.path().join("../evil.json").exists());
}

#[test]
fn a_picture_that_promises_too_much_costs_itself_alone() {
    let dir = tempfile::tempdir().unwrap();
    // The header of a picture of 60,000 × 60,000 pixels.
    let mut huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xEA\x60\0\0\xEA\x60\x08\x06\0\0\0".to_vec();
    huge.extend(0x6A9B_21E5_u32.to_be_bytes());
    write(&dir.path().join("t/step_1_x.png"), &huge);
    write(&dir.path().join("t/step_2_x.png"), png([1, 2, 3]));
    let line = |number: u32| json!({"step_num": number, "action": "WAIT", "screenshot_file": format!("step_{number}_x.png")});
    write_lines(&dir.path().join("t/traj.jsonl"), &[line(1), line(2)]);
    let out = imported(&[dir.path()]);
    let run = out.run();
    assert_eq!(super::colour(&run, 2), Some([1, 2, 3]));
    assert!(out.report.runs[0].warnings[0].contains("a picture is left out"), "{:?}", out.report);
}

#[cfg(unix)]
#[test]
fn links_that_go_in_circles_end() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("a/1.png"), png([1, 0, 0]));
    std::os::unix::fs::symlink(dir.path(), dir.path().join("a/back")).unwrap();
    assert_eq!(imported(&[dir.path()]).report.runs.len(), 1);
}

#[test]
fn runs_of_this_program_are_not_imported_but_opened() {
    let dir = tempfile::tempdir().unwrap();
    write_lines(
        &dir.path().join("log.jsonl"),
        &[
            json!({"role": "user", "content": "Hello"}),
            json!({"role": "assistant", "content": "Hi", "tool_calls": []}),
        ],
    );
    let first = imported(&[dir.path()]);
    let again = imported(&[first.out.path()]);
    assert!(again.report.runs.is_empty());
    assert!(
        again.report.skipped[0].reason.contains("run of this program already"),
        "{:?}",
        again.report
    );
}
