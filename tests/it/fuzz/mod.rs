//! Inputs from outside, mutated at random: nothing of it may panic or leave a bad document behind.
//!
//! Each target takes the same [`INPUTS`] as a test, or as many as it can in
//! `PENTIMENTO_FUZZ_SECONDS`; then an input that takes longer than [`SLOWEST`] is a finding too.
//! `PENTIMENTO_FUZZ_SEED` chooses other mutations. The inputs kept in `tests/data/fuzz/<target>` come
//! first, always. A finding is saved in `target/fuzz` and fails the test; `PENTIMENTO_FUZZ_INPUT` takes
//! that file alone again. What ends the whole program (no memory, a full stack) is left there as
//! `<target>-current`.
//!
//! A target is one test that calls [`campaign`] with a way to make inputs and one to use them;
//! `tests/fuzz` finds it by its module.
//!
//! ```sh
//! tests/fuzz 10
//! ```

mod corpus;
mod edits;
mod filter;
mod labels;
mod links;
mod metric_answers;
mod mutation;
mod plans;
mod records;
mod study;
mod tarballs;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pentimento::base::{CancelToken, parse_json};
use pentimento::design::{Document, diff, figma};
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use pentimento::environment::{Environment as _, PictureRequest, PictureView, ToolCall};
use pentimento::render::svg::{SvgOptions, export_node};
use pentimento::render::{RenderOptions, all_render_bounds, render_node};
use serde_json::{Value, json};

use crate::canvas::{HostileCaller, faults, validate};
use crate::render::sketch::context;
use mutation::Mutator;

/// The longest that one input may take in a campaign, on a busy machine.
const SLOWEST: Duration = Duration::from_mins(1);

/// Frames larger than this are read but not drawn: a picture of them would only take long.
const LARGEST_DRAWN: f64 = 1500.0;

/// Larger exports are not given to the judge, which takes minutes for some megabytes of filters.
const LARGEST_JUDGED: usize = 400_000;

/// How many inputs a target takes when nobody asks for a campaign.
const INPUTS: u64 = 60;

/// How long somebody asked for.
fn budget() -> Option<Duration> {
    let given = std::env::var("PENTIMENTO_FUZZ_SECONDS").ok()?;
    given.parse().ok().map(Duration::from_secs)
}

fn seed() -> u64 {
    std::env::var("PENTIMENTO_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Feeds `target` with the kept inputs, then with what `next` makes, until the time is up.
fn campaign(name: &str, next: impl Fn(&mut Mutator) -> Vec<u8>, target: impl Fn(&[u8])) {
    let budget = budget();
    let began = Instant::now();
    if let Some(saved) = std::env::var_os("PENTIMENTO_FUZZ_INPUT") {
        target(&std::fs::read(saved).unwrap());
        println!("{name}: the saved input takes {:?}", began.elapsed());
        return;
    }
    let mut kept = kept_inputs(name).into_iter();
    let mut mutator = Mutator::new(seed());
    let mut count = 0_u64;
    let mut slowest = (Duration::ZERO, Vec::new());
    while budget.map_or(count < INPUTS, |budget| began.elapsed() < budget) {
        let input = kept.next().unwrap_or_else(|| next(&mut mutator));
        let current = budget.map(|_| write(&format!("{name}-current"), &input));
        let watch = budget.map(|_| Watch::over(name));
        let started = Instant::now();
        let survived = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let took = started.elapsed();
        drop(watch);
        count += 1;
        if took > slowest.0 {
            slowest = (took, input.clone());
        }
        let place = || save(name, count, &input).display().to_string();
        assert!(survived.is_ok(), "{name}: input {count} panics: {}", place());
        if let Some(path) = current {
            std::fs::remove_file(path).unwrap();
        }
    }
    let (slowest, input) = slowest;
    let place =
        budget.map(|_| format!(": {}", save(&format!("{name}-slowest"), count, &input).display()));
    let place = place.unwrap_or_default();
    println!("{name}: {count} inputs in {:?}, the slowest {slowest:?}{place}", began.elapsed());
    if budget.is_some() {
        // A row for `docs/fuzz.md`.
        let (seconds, seed) = (began.elapsed().as_secs(), seed());
        println!("fuzz | {name} | {seed} | {count} | {seconds} s | {} ms |", slowest.as_millis());
    }
    assert!(count > 0);
}

/// Ends the program if it is not dropped within [`SLOWEST`]: what never returns is a finding too.
struct Watch {
    /// Dropped with the watch.
    _done: crossbeam_channel::Sender<()>,
}

impl Watch {
    fn over(name: &str) -> Self {
        let (done, ended) = crossbeam_channel::bounded(1);
        let message = format!("{name}: an input takes longer than {SLOWEST:?}: {name}-current");
        let watch = move || {
            if ended.recv_timeout(SLOWEST) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
                eprintln!("{message}");
                std::process::exit(1);
            }
        };
        std::thread::Builder::new().name("fuzz-watch".to_owned()).spawn(watch).unwrap();
        Self { _done: done }
    }
}

/// What was found earlier, and what is worth beginning with, in the order of the files' names.
fn kept_inputs(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("{}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing is kept in {}", folder.display());
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn save(name: &str, count: u64, input: &[u8]) -> PathBuf {
    write(&format!("{name}-{}-{count}", seed()), input)
}

fn write(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/fuzz");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, input).unwrap();
    path
}

/// Whether a file may hold it and keeps it, though no tool makes it: a group of nothing, children of
/// a shape, a place in range whose distance to its parent's is not.
fn is_kept(fault: &str) -> bool {
    let kept = ["is an empty group", "cannot have children", "has a coordinate out of range"];
    kept.iter().any(|kept| fault.ends_with(kept))
}

/// What a design goes through when it is opened, shown and saved.
fn use_design(document: &Document) {
    let wrong: Vec<String> = faults(document).into_iter().filter(|fault| !is_kept(fault)).collect();
    assert_eq!(wrong, [""; 0]);
    let drawn = all_render_bounds(&context(), document);
    let written = figma::to_json_with(document, &drawn);
    let again = figma::from_json(written).unwrap().document;
    assert_eq!(again.len(), document.len());
    let pairing = diff::pair_by_id(document, document);
    assert!(diff::diff(document, document, &pairing).is_empty());
    let Some(frame) = document.main_frame() else { return };
    let small = frame.size.width <= LARGEST_DRAWN && frame.size.height <= LARGEST_DRAWN;
    if small {
        let options = RenderOptions { scale: 0.5, ..RenderOptions::default() };
        drop(render_node(&context(), document, &frame.id, options));
        let exported = export_node(&context(), document, &frame.id, SvgOptions::default()).ok();
        if let Some(exported) = exported.filter(|exported| exported.svg.len() <= LARGEST_JUDGED) {
            let tree = resvg::usvg::Tree::from_str(&exported.svg, &resvg::usvg::Options::default());
            assert!(tree.is_ok(), "{:?}", tree.err());
        }
    }
}

#[test]
fn figma_json() {
    let corpus = corpus::designs();
    campaign(
        "figma-json",
        |mutator| mutator.json(&corpus),
        |input| {
            let Ok(json) = parse_json::<Value>(input) else { return };
            if let Ok(loaded) = figma::from_json(json) {
                use_design(&loaded.document);
            }
        },
    );
}

#[test]
fn svg() {
    let corpus = corpus::graphics();
    campaign(
        "svg",
        |mutator| mutator.text(&corpus),
        |input| {
            let text = String::from_utf8_lossy(input);
            let mut canvas = blank();
            let arguments = json!({"svg": text, "name": "g", "x": 10, "y": 10});
            canvas.call(
                &ToolCall { id: "1".into(), name: "create_graphic".into(), arguments },
                &CancelToken::default(),
            );
            use_design(canvas.document());
        },
    );
}

#[test]
fn tool_arguments() {
    campaign(
        "tool-arguments",
        |mutator| mutator.bytes(32),
        |input| {
            let mut seed = [0; 32];
            seed.copy_from_slice(input);
            let mut caller = HostileCaller::new(&seed);
            let mut mutator = Mutator::new(u64::from_le_bytes([
                seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7],
            ]));
            let mut canvas = blank();
            for _ in 0..25 {
                let mut call = caller.next(&canvas);
                if mutator.chance(0.3) {
                    mutator.distort(&mut call.arguments);
                }
                let before = canvas.document().clone();
                let failed = canvas.call(&call, &CancelToken::default()).is_error();
                assert!(!failed || *canvas.document() == before, "{} failed halfway", call.name);
            }
            validate(canvas.document()).unwrap();
            use_design(canvas.document());
            let request = PictureRequest { scale: 0.25, view: PictureView::MainFrame };
            drop(canvas.picture(&request));
        },
    );
}

fn blank() -> CanvasEnvironment {
    let size = pentimento::base::Size::new(393.0, 852.0);
    CanvasEnvironment::new(Start::Blank(size), CanvasSettings::default()).unwrap()
}
