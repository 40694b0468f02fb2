//! Other programs' records, made into runs.
//!
//! Samples that are small are written here; Inspect's logs and Playwright's traces are made by those programs
//! themselves, which `tests/run` fetches, and a video by ffmpeg.

mod agentnet;
mod archives;
mod bad;
mod batches;
mod canvas;
mod cli;
mod codex;
mod inspect;
mod logs;
mod messages;
mod odd;
mod osworld;
mod otel;
mod pictures;
mod playwright;
mod streams;
pub(crate) mod tarballs;
mod walk;
mod window;

use std::path::{Path, PathBuf};

use pentimento::base::{CancelToken, Pixels};
use pentimento::import::{ImportReport, ImportRequest, import};
use pentimento::run::{Run, images, reader};
use serde_json::Value;
use tempfile::TempDir;

/// What came of an import into a new folder.
pub(crate) struct Imported {
    pub(crate) out: TempDir,
    pub(crate) report: ImportReport,
}

/// Imports what lies at these paths.
pub(crate) fn imported(paths: &[&Path]) -> Imported {
    let out = tempfile::tempdir().unwrap();
    let report = import_into(out.path(), paths);
    Imported { out, report }
}

pub(crate) fn import_into(out: &Path, paths: &[&Path]) -> ImportReport {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    let request = ImportRequest { paths: &paths, out_dir: out, format: None };
    let report = import(&request, &CancelToken::new(), &mut |_| {}).unwrap();
    let left: Vec<_> = std::fs::read_dir(out).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(!left.contains(&".importing".into()), "nothing is left of the making: {left:?}");
    report
}

impl Imported {
    /// The runs, as a reader finds them: whole.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let runs = self.report.runs.iter().map(|run| {
            let read = reader::open(&run.dir).unwrap();
            assert_eq!(read.torn, None, "{}", run.dir.display());
            assert_eq!(read.manifest.id, run.id);
            assert_eq!(read.steps.len(), run.steps as usize);
            read
        });
        runs.collect()
    }

    /// The only run.
    pub(crate) fn run(&self) -> Run {
        let mut runs = self.runs();
        assert_eq!(runs.len(), 1, "{:#?}", self.report);
        runs.remove(0)
    }

    /// Why something was left out whose place ends so.
    pub(crate) fn reason(&self, place: &str) -> &str {
        let skipped = self.report.skipped.iter().find(|it| it.place.ends_with(place));
        &skipped.unwrap_or_else(|| panic!("{place} is not in {:#?}", self.report)).reason
    }
}

/// The first pixel of a step's picture; `None` if it has none of its own.
pub(crate) fn colour(run: &Run, step: u32) -> Option<[u8; 3]> {
    let outcome = run.steps[step as usize - 1].outcome.as_ref()?;
    let dir = match &run.origin {
        pentimento::run::RunOrigin::Recorded { dir } => dir,
        pentimento::run::RunOrigin::Pictures { .. } => panic!("the run has no images"),
    };
    let [red, green, blue, _] =
        images::load(dir, outcome.image.as_ref()?).unwrap().get(0, 0).unwrap();
    Some([red, green, blue])
}

/// A picture of one colour, as PNG.
pub(crate) fn png(rgb: [u8; 3]) -> Vec<u8> {
    let [red, green, blue] = rgb;
    Pixels::filled(4, 3, [red, green, blue, 255]).unwrap().to_png().unwrap()
}

/// The same as a data URI.
pub(crate) fn data_uri(rgb: [u8; 3]) -> String {
    format!("data:image/png;base64,{}", base64(rgb))
}

pub(crate) fn base64(rgb: [u8; 3]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(png(rgb))
}

pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

pub(crate) fn write_json(path: &Path, value: &Value) {
    write(path, value.to_string());
}

pub(crate) fn write_lines(path: &Path, lines: &[Value]) {
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    write(path, text.concat());
}

/// What the record says of the run as a whole.
pub(crate) fn record(run: &Run) -> &pentimento::run::ImportRecord {
    run.manifest.imported.as_ref().unwrap()
}
