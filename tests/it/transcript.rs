//! Designs written down as tool calls, and played by `scripted`.

use std::path::{Path, PathBuf};

use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::scripted::Scripted;
use pentimento::agent::{AgentTurn, PictureSource};
use pentimento::base::{CancelToken, Pixels};
use pentimento::design::{Document, figma};
use pentimento::environment::canvas::transcript::{Transcript, transcribe};
use pentimento::environment::open_environment;
use pentimento::metric::ssim::SsimUniform7;
use pentimento::render::{RenderOptions, render_node};
use pentimento::run::recorder::Durability;
use pentimento::run::{Outcome, reader};
use pentimento::task::Task;
use serde_json::{Map, Value};

use crate::render::sketch::context;
use crate::{agent, shared};

/// Calls a turn, as a model would make some at a time.
const CALLS_A_TURN: usize = 40;

fn design(path: &Path) -> Document {
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    figma::from_json(json).unwrap().document
}

fn screen(document: &Document, scale: f64) -> Pixels {
    let top = document.exported_root().or(document.main_frame()).unwrap();
    let options = RenderOptions { scale, ..RenderOptions::default() };
    render_node(&context(), document, &top.id, options).unwrap().pixels
}

/// The document that `scripted` leaves on an empty canvas.
fn played(transcript: &Transcript, wanted: &Document) -> Document {
    let turns = transcript.calls.chunks(CALLS_A_TURN);
    let turns = turns.map(|calls| AgentTurn { calls: calls.to_vec(), ..AgentTurn::default() });
    let size = wanted.exported_root().or(wanted.main_frame()).unwrap().size;
    let task = Task { canvas_size: Some(size), ..agent::task() };
    let dir = tempfile::tempdir().unwrap();
    let attempt = Attempt {
        set: "samples",
        task: &task,
        limits: RunLimits::default(),
        settings: Map::new(),
        dir: dir.path(),
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &pentimento::agent::CpuPool::default(),
    };
    let mut scripted = Scripted::new(turns.collect());
    let manifest = run_task(&attempt, &mut scripted, &CancelToken::new(), &mut NoObserver).unwrap();
    assert_eq!(manifest.outcome, Outcome::Completed);
    let run = reader::open(dir.path()).unwrap();
    let outcomes = run.steps.iter().filter_map(|step| step.outcome.as_ref());
    let failures: Vec<_> = outcomes.filter_map(|outcome| outcome.failure.as_ref()).collect();
    assert!(failures.is_empty(), "{failures:?}");
    design(&dir.path().join("final.json"))
}

fn ssim(a: &Pixels, b: &Pixels) -> f64 {
    SsimUniform7::score(a, b, &CancelToken::new()).value().unwrap()
}

/// Every design of the samples: ground truths and start states.
fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let files = ["replication", "modification"].map(|folder| {
        std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path())
    });
    let mut designs: Vec<_> = files.into_iter().flatten().collect();
    designs.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    designs.sort();
    designs
}

#[test]
fn every_sample_design_is_built_from_an_empty_canvas_by_calls_alone() {
    let designs = samples();
    assert!(designs.len() >= 16, "{designs:?}");
    for path in designs {
        let wanted = design(&path);
        let transcript = transcribe(&context(), &wanted).unwrap();
        let built = played(&transcript, &wanted);
        let picture = Pixels::open(&path.with_extension("png")).unwrap();
        let size = wanted.exported_root().or(wanted.main_frame()).unwrap().size;
        let scale = f64::from(picture.width()) / size.width;
        let score = ssim(&picture, &screen(&built, scale));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        println!(
            "{name}: {} calls, SSIM {score:.5}, {:?}",
            transcript.calls.len(),
            transcript.remarks
        );
        assert!(score >= 0.999, "{name}: {score} {:?}", transcript.remarks);
    }
}

#[test]
fn real_files_of_others_are_built_too() {
    let Some(folder) = shared::path("data/figma") else { return };
    for name in ["button", "tag", "cookie-banner"] {
        let wanted = design(&folder.join(format!("{name}.json")));
        let transcript = transcribe(&context(), &wanted).unwrap();
        let made = played(&transcript, &wanted);
        let score = ssim(&screen(&wanted, 1.0), &screen(&made, 1.0));
        println!("{name}: {} calls, SSIM {score:.5}", transcript.calls.len());
        assert!(score >= 0.98, "{name}: {score} {:?}", transcript.remarks);
    }
}

#[test]
fn a_design_without_a_frame_is_refused() {
    assert!(transcribe(&context(), &Document::default()).is_err());
}
