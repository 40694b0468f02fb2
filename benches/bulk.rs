//! Scoring in bulk, as people do it: the program scores every frame of the published sample runs by SSIM.
//!
//! With `PENTIMENTO_BENCH_DIR` set the scores are kept there the first time, and the next time it is said how far they
//! are from those.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How often all are scored; the median counts.
const TIMES: usize = 5;
/// Frames a second on two processors, to be held.
const HOLD: f64 = 800.0;

fn main() {
    let Some(shared) = std::env::var_os("PENTIMENTO_SHARED").map(PathBuf::from) else {
        println!(
            "PENTIMENTO_SHARED does not name the folder with the published samples: nothing to score"
        );
        return;
    };
    let runs = shared.join("data/canvas-samples");
    let (mut times, mut frames) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let (took, scored) = score(&runs);
        times.push(took);
        frames = scored;
    }
    times.sort();
    let a_second = frames.len() as f64 / times[TIMES / 2].as_secs_f64();
    println!("processor: {}", processor());
    println!("| what | measured | hold |");
    println!("|---|---|---|");
    println!(
        "| {} frames, reading and decoding included | {a_second:.0} a second ({:.2?} in the median of {TIMES}) | \
         {HOLD:.0} a second |",
        frames.len(),
        times[TIMES / 2],
    );
    if let Some(dir) = std::env::var_os("PENTIMENTO_BENCH_DIR") {
        compare(&Path::new(&dir).join("frames.json"), &frames);
    }
}

/// Has the program score every step of the runs in a folder; what has no score is `None`.
fn score(runs: &Path) -> (Duration, Vec<Option<f64>>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.arg("score").arg(runs).args(["--steps", "--only", "ssim/uniform7", "--no-cache"]);
    let began = Instant::now();
    let output = command.arg("--json").output().unwrap();
    let took = began.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = printed["runs"].as_array().unwrap().iter();
    // The first of each run is its start, and no frame.
    let steps = runs.flat_map(|run| run["steps"].as_array().unwrap().iter().skip(1));
    (took, steps.map(|scores| scores[0]["value"].as_f64()).collect())
}

/// How far the scores are from those of before, which are kept where there are none.
fn compare(file: &Path, values: &[Option<f64>]) {
    let Ok(before) = std::fs::read(file) else {
        std::fs::write(file, serde_json::to_vec(values).unwrap()).unwrap();
        println!("the scores are kept in {}", file.display());
        return;
    };
    let before: Vec<Option<f64>> = serde_json::from_slice(&before).unwrap();
    assert_eq!(before.len(), values.len(), "other frames were scored before");
    let both = before.iter().zip(values);
    let apart = both.clone().filter_map(|(a, b)| Some(((*a)? - (*b)?).abs()));
    let most = apart.fold(0.0, f64::max);
    let changed = both.filter(|(a, b)| a.is_some() != b.is_some()).count();
    println!(
        "from those kept before: {most:e} at most; {changed} have a value now or had one then"
    );
}

/// What the processor is called, and how many of it there are, where the system says.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or("unknown", |(_, name)| name);
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {name}")
}
