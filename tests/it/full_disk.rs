//! What a full disk does to a file that is written anew: it stays what it was.
//!
//! No test can fill a disk. A limit on the size of files fails the same write, half-way through; it holds
//! for a whole process, so what writes is started below one of its own.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use pentimento::base::Pixels;
use pentimento::workbench::protocol::ExportFormat;
use pentimento::workbench::{Event, JobId, JobOutcome, Request};
use pentimento::worker::{Worker, WorkerConfig};

use crate::cli::{assert_fails, program, stderr};
use crate::nodes::{opened, until};

/// Where the test that is started again finds its files.
const FOLDER: &str = "PENTIMENTO_TEST_FULL_DISK";
const BEFORE: &str = "what was there before";

/// A program below which no file grows over 4 KiB.
pub(crate) fn limited(program: &str) -> Command {
    let mut shell = Command::new("sh");
    // Blocks of 512 bytes. A full disk sends no signal, so this one is passed over, too.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh", program]);
    shell.env("PENTIMENTO_WORKSPACE", "");
    shell
}

fn there_before(dir: &Path, name: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, BEFORE).unwrap();
    path
}

/// The files of the folder are these, each as it was: nothing of a failed write is left beside them.
fn assert_untouched(dir: &Path, names: &[&str]) {
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut there: Vec<PathBuf> = files.collect();
    there.sort();
    assert_eq!(there, names.iter().map(|name| dir.join(name)).collect::<Vec<_>>());
    for path in there {
        assert_eq!(std::fs::read_to_string(&path).unwrap(), BEFORE, "{}", path.display());
    }
}

#[test]
fn a_full_disk_leaves_the_report_of_before() {
    let dir = tempfile::tempdir().unwrap();
    let out = there_before(dir.path(), "r.html");
    let run = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_runs/runs/own-samples/quiz-progress/scripted-01"
    );
    let arguments = ["report", run, "--out", out.to_str().unwrap()];
    let output = limited(env!("CARGO_BIN_EXE_pentimento")).args(arguments).output().unwrap();
    assert_fails(&output, &["cannot write", "r.html"]);
    assert_untouched(dir.path(), &["r.html"]);

    let output = program().args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(std::fs::read_to_string(&out).unwrap().ends_with("</html>\n"));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_full_disk_leaves_what_the_window_wrote_before() {
    const NAMES: [&str; 5] =
        ["design.json", "design.png", "design.svg", "picture.png", "table.csv"];
    if let Some(dir) = std::env::var_os(FOLDER) {
        return write_all_below_the_limit(Path::new(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    for name in NAMES {
        there_before(dir.path(), name);
    }
    let own = std::env::current_exe().unwrap();
    let name = "full_disk::a_full_disk_leaves_what_the_window_wrote_before";
    let mut again = limited(own.to_str().unwrap());
    let output = again.args([name, "--exact"]).env(FOLDER, dir.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", stderr(&output));
    assert_untouched(dir.path(), &NAMES);
}

fn write_all_below_the_limit(dir: &Path) {
    let mut session = opened("basket");
    for (format, name) in [
        (ExportFormat::Json, "design.json"),
        (ExportFormat::Png { scale: 4 }, "design.png"),
        (ExportFormat::Svg, "design.svg"),
    ] {
        let path = dir.join(name);
        session.carry_out(pentimento::workbench::Command::Export { format, path });
        until(&mut session, "it has failed", |state| {
            state.notices.iter().any(|notice| notice.text.contains(name))
        });
    }

    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    // Noise, which no encoder makes small.
    let noise = (0..64 * 64 * 4_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8);
    let pixels = Pixels::from_rgba(64, 64, noise.collect()).unwrap();
    let (picture, table) = (dir.join("picture.png"), dir.join("table.csv"));
    let text = "1,2,3\n".repeat(10_000);
    let (pixels, about) = (pixels.into(), String::new());
    worker.send(Request::SavePicture { job: JobId(1), pixels, about, path: picture });
    worker.send(Request::SaveText { job: JobId(2), text, about: None, path: table });
    for job in [1, 2] {
        let outcome = loop {
            match worker.event_within(crate::nodes::PATIENCE).unwrap() {
                Event::JobEnded(JobId(ended), outcome) if ended == job => break outcome,
                _ => {}
            }
        };
        assert!(matches!(outcome, JobOutcome::Failed(_)), "{job}: {outcome:?}");
    }
}
