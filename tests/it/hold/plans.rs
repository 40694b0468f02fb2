//! All published plans in the application: scrolled through, stepped through, drawn.
//!
//! `PENTIMENTO_HOLD_RUNS` names a folder that holds the imported plans already; with
//! `PENTIMENTO_HOLD_EVERY=N` only every N-th is waited for.

use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};
use egui_kittest::Harness;
use pentimento::app::{App, WindowOptions};
use pentimento::base::{CancelToken, Variables};
use pentimento::environment::{Environments, PictureRequest, open_environment};
use pentimento::run::reader;
use pentimento::run::replay::Replay;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    Command, DocumentChoice, RunId, Settings, StageCommand, StagePane, State,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use super::super::shared;
use super::frames::{Behind, FRAME, Frames, at, memory, opened, press, until};

/// How many plans were published.
const PLANS: usize = 3640;
/// Of how many documents the slowest are told.
const TOLD: usize = 12;

/// The plans as runs, imported now unless they were before.
fn runs(out: &Path) -> PathBuf {
    if let Some(runs) = std::env::var_os("PENTIMENTO_HOLD_RUNS") {
        return runs.into();
    }
    let plans = shared::path("data/graphicbench/plans").expect("the published plans");
    let runs = out.join("plans");
    let mut import = Process::new(env!("CARGO_BIN_EXE_pentimento"));
    let status =
        import.args(["import", "graphicbench"]).arg(plans).arg("--out").arg(&runs).status();
    assert!(status.unwrap().success());
    runs
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn all_published_plans_are_scrolled_and_stepped_through() {
    let dir = tempfile::tempdir().unwrap();
    let runs = runs(dir.path());
    let ctx = egui::Context::default();
    let state = State::new(Settings::default(), dir.path().join("out"));
    let queries = shared::path("data/graphicbench/test.jsonl");
    let paths = queries.into_iter().chain([runs]).collect();
    let mut app = App::with_state(&ctx, WorkerConfig::default(), state, paths).unwrap();
    let mut window = Frames::new(ctx);
    let opened =
        until(&mut window, &mut app, "all are listed", |state| state.library.runs.len() == PLANS);
    window.report(&format!("opening, {opened:.2?}"));
    println!(
        "longest frame {:?}; {} MB",
        window.spent.iter().map(|it| it.wall).max(),
        memory("VmRSS")
    );
    app.carry_out(Command::Stage(StageCommand::ShowDocuments(DocumentChoice::Current)));
    scroll(&mut window, &mut app);
    hold_a_key(&mut window, &mut app);
    app.carry_out(Command::Stage(StageCommand::ShowDocuments(DocumentChoice::All)));
    hold_a_key(&mut window, &mut app);
    app.carry_out(Command::Stage(StageCommand::ShowDocuments(DocumentChoice::Current)));
    step_through(&mut window, &mut app);
    println!("memory: {} MB at most, {} MB at the end", memory("VmHWM"), memory("VmRSS"));
}

/// Turns the wheel over the list from its top to its end.
fn scroll(window: &mut Frames, app: &mut App) {
    let pointer = Event::PointerMoved(egui::pos2(120.0, 400.0));
    window.frame_with(app, vec![pointer]);
    let turn = |delta: f32| Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, delta),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    for _ in 0..20 {
        window.frame_with(app, vec![turn(20_000.0)]);
    }
    window.spent.clear();
    let height = views::library_rows(app.state()).rows.len() as f32 * 24.0;
    let turns = (height / 400.0) as usize + 1;
    for _ in 0..turns {
        window.frame_with(app, vec![turn(-400.0)]);
    }
    window.report(&format!("scrolling {height:.0} points of list"));
}

/// Goes to another run every frame, as a key that is held down does at its fastest.
fn hold_a_key(window: &mut Frames, app: &mut App) {
    const FRAMES: usize = 400;
    let first = views::run_order(app.state()).first().copied().unwrap();
    app.carry_out(Command::SelectRun(first));
    window.spent.clear();
    let before = app.state().selection.run;
    for _ in 0..FRAMES {
        window.frame_with(app, press(Key::ArrowDown));
    }
    assert_ne!(app.state().selection.run, before);
    window.report(&format!("another run every frame, {:?}", app.state().settings.documents));
    let began = Instant::now();
    until(window, app, "the last of them is on the stage", is_on_stage);
    println!("the last one was on the stage {:.2?} later", began.elapsed());
}

fn is_on_stage(state: &State) -> bool {
    let is_there = |pane: &StagePane| {
        let status = views::pane(state, *pane).status;
        matches!(pane, StagePane::GroundTruth | StagePane::Heat) || status != PaneStatus::Loading
    };
    views::panes(state).iter().all(is_there)
}

/// Goes to one run after the other, as soon as each is on the stage.
fn step_through(window: &mut Frames, app: &mut App) {
    let every = std::env::var("PENTIMENTO_HOLD_EVERY").map_or(1, |every| every.parse().unwrap());
    let order = views::run_order(app.state()).into_iter().step_by(every);
    let mut took: Vec<(Duration, RunId)> = Vec::new();
    window.spent.clear();
    for run in order {
        let began = Instant::now();
        app.carry_out(Command::SelectRun(run));
        while !is_on_stage(app.state()) {
            assert!(began.elapsed() < Duration::from_mins(2), "{run:?} never came");
            // The next frame begins as soon as something comes, as a window's does that is woken.
            window.frame(app);
        }
        took.push((began.elapsed(), run));
    }
    window.report("one run after the other");
    let times: Vec<Duration> = took.iter().map(|(time, _)| *time).collect();
    println!(
        "from selecting a run to its picture: {:.1?} in the median, {:.1?} at the 99th of a hundred, {:.1?} \
         at most (frames are {FRAME:.1?} apart)",
        at(times.clone(), 0.5),
        at(times.clone(), 0.99),
        at(times, 1.0),
    );
    took.sort();
    for (time, run) in took.iter().rev().take(TOLD) {
        println!("  {time:.1?} {}", app.state().library.runs[run].dir.display());
    }
}

/// How soon the next start draws of a window with every plan open twice.
#[test]
#[ignore = "a measurement: see benches/README.md"]
fn a_window_with_seven_thousand_plans_starts() {
    let dir = tempfile::tempdir().unwrap();
    let mut before = opened_by_software(options(dir.path(), paths_twice(dir.path())));
    let began = Instant::now();
    let is_stored = || {
        let settings = std::fs::read_to_string(dir.path().join("settings.json"));
        let settings = settings.ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let open = settings.as_ref().and_then(|it| it["session"]["open"].as_array());
        open.is_some_and(|open| open.iter().any(|path| *path == json!(dir.path().join("again"))))
    };
    while before.state().state().library.runs.len() < 2 * PLANS || !is_stored() {
        assert!(began.elapsed() < Duration::from_mins(5), "never listed and stored");
        before.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{} runs listed for the first time", before.state().state().library.runs.len());
    drop(before);
    for _ in 0..3 {
        let began = Instant::now();
        let mut harness = opened_by_software(options(dir.path(), Vec::new()));
        harness.render().unwrap();
        println!("start to first frame, drawn by software: {:.2?}", began.elapsed());
    }
}

/// The frames and the memory of such a window while it scores. Nothing draws behind the frames, as for all other
/// figures of frames; a graphics card's driver would take memory of its own.
#[test]
#[ignore = "a measurement: see benches/README.md"]
fn a_window_is_typed_into_and_stepped_through_while_seven_thousand_plans_are_scored() {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths_twice(dir.path());
    let (mut window, mut app) = opened(dir.path(), paths, Behind::Nothing);
    window.frame(&mut app);
    println!("memory: {} MB with nothing listed", memory("VmRSS"));
    until(&mut window, &mut app, "all are listed", |state| state.library.runs.len() >= 2 * PLANS);
    println!("memory: {} MB when all are listed", memory("VmRSS"));
    type_into_the_filter(&mut window, &mut app);
    let longest = app.state().library.runs.iter().max_by_key(|(_, run)| run.steps);
    let longest = longest.map(|(id, _)| *id).unwrap();
    app.carry_out(Command::SelectRun(longest));
    until(&mut window, &mut app, "the run is on the stage", is_on_stage);
    window.spent.clear();
    for key in [Key::Home, Key::ArrowRight, Key::ArrowLeft] {
        for _ in 0..200 {
            window.frame_with(&mut app, press(key));
        }
    }
    window.report("another step every frame");
    let scoring = views::library_scoring(app.state());
    let words = scoring.map(|it| format!("{} of {} scored", it.done, it.total));
    println!("{}", words.unwrap_or_else(|| "all are scored".to_owned()));
    println!("memory: {} MB at most, {} MB at the end", memory("VmHWM"), memory("VmRSS"));
}

fn options(dir: &Path, paths: Vec<PathBuf>) -> WindowOptions {
    WindowOptions {
        paths,
        captions: None,
        workspace: Some(dir.join("workspace.sqlite")),
        runs: dir.join("out"),
        environments: Environments::default(),
        variables: Variables::default(),
        link: None,
    }
}

/// The queries, and the plans twice.
fn paths_twice(dir: &Path) -> Vec<PathBuf> {
    let queries = shared::path("data/graphicbench/test.jsonl");
    queries.into_iter().chain(runs_twice(dir)).collect()
}

/// The plans in two folders: as many runs as were published, twice.
fn runs_twice(out: &Path) -> [PathBuf; 2] {
    let (first, second) = (runs(out), out.join("again"));
    let copied = Process::new("cp").arg("-r").args([&first, &second]).status();
    assert!(copied.unwrap().success());
    [first, second]
}

fn opened_by_software(options: WindowOptions) -> Harness<'static, App> {
    let builder = Harness::builder().with_size(vec2(1440.0, 900.0)).wgpu();
    builder.build_eframe(|cc| App::new(cc, options).unwrap())
}

/// A letter a frame, and each taken back.
fn type_into_the_filter(window: &mut Frames, app: &mut App) {
    const FILTER: &str = "constraints<0.5 agent:qwen";
    window.spent.clear();
    window.frame_with(app, press(Key::Slash));
    for _ in 0..8 {
        for letter in FILTER.chars() {
            window.frame_with(app, vec![Event::Text(letter.to_string())]);
        }
        assert_eq!(app.state().library.filter, FILTER);
        for _ in 0..FILTER.len() {
            window.frame_with(app, press(Key::Backspace));
        }
    }
    window.report("typing into the filter, a letter a frame");
    window.frame_with(app, press(Key::Escape));
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn the_slowest_of_all_final_documents_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut folders = Vec::new();
    gather(&runs(dir.path()), &mut folders);
    assert_eq!(folders.len(), PLANS);
    let (mut made, mut drawn) = (Vec::new(), Vec::new());
    for folder in folders {
        let began = Instant::now();
        let run = Arc::new(reader::open(&folder).unwrap());
        let last = run.steps.len() as u32;
        let mut replay = Replay::new(run, &open_environment).unwrap();
        let environment = replay.environment_at(last, &CancelToken::new()).unwrap();
        made.push((began.elapsed(), folder.clone()));
        let began = Instant::now();
        environment.picture(&PictureRequest::default()).unwrap();
        drawn.push((began.elapsed(), folder));
    }
    for (what, mut times) in [("reading and replaying", made), ("drawing", drawn)] {
        times.sort();
        let only: Vec<Duration> = times.iter().map(|(time, _)| *time).collect();
        let sum: Duration = only.iter().sum();
        println!(
            "{what}: {sum:.1?} in all, {:.1?} in the median, {:.1?} at the 99th of a hundred",
            at(only.clone(), 0.5),
            at(only, 0.99),
        );
        for (time, folder) in times.iter().rev().take(TOLD) {
            println!("  {time:.1?} {}", folder.display());
        }
    }
}

/// All folders of runs in a folder.
fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("run.json").is_file() {
        found.push(folder.to_path_buf());
        return;
    }
    let entries = std::fs::read_dir(folder).unwrap();
    let mut inside: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inside.sort();
    for folder in inside.iter().filter(|path| path.is_dir()) {
        gather(folder, found);
    }
}
