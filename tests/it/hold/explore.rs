//! Six thousand canvas runs of forty steps in the table over all runs, and one of ten thousand: how soon the table is
//! there and whole, how long a letter of the filter and a sort take, every frame while it is scrolled and while both
//! kinds of runs are scrubbed through, and what memory all takes.
//!
//! `PENTIMENTO_HOLD_EXPLORE` names a folder for the runs, which are left there and found the next time;
//! with `PENTIMENTO_HOLD_CARD` a graphics card draws the frames, and its part and its memory count.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};

use pentimento::app::App;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    AnnotateCommand, Column, Command, DigestState, ExploreCommand, ExplorePanel, JobKind,
    PlaybackCommand, RunId, StagePane, State, Workspace,
};

use super::frames::{Behind, Figures, Frames, forget_peak, memory, opened, press, until};
use super::generated::{STEPS, write_long_run, write_runs};

const RUNS: u32 = 6_000;
const LONG: u32 = 10_000;
/// All that is typed: of a model, of a score, of calls and of one step.
const FILTERS: [&str; 2] = [
    "model:gpt ssim<0.7 tool:set_layout_mode error:any",
    "calls>10 step:tool:create_text step:error:any or cost<0.1",
];
/// What textures may take: of pictures, of tiles of large pictures, and of what lies over one another.
const TEXTURES: &str = "160 + 20 + 96 MB";

/// The runs, written now unless they were before.
fn runs(dir: &Path) -> PathBuf {
    let kept = std::env::var_os("PENTIMENTO_HOLD_EXPLORE").map(PathBuf::from);
    let dir = kept.unwrap_or_else(|| dir.to_path_buf());
    let root = dir.join("made");
    if root.is_dir() {
        return root;
    }
    let began = Instant::now();
    write_runs(&dir, RUNS);
    write_long_run(&dir, &root, LONG);
    println!("{RUNS} runs of {STEPS} steps and one of {LONG} written in {:.1?}", began.elapsed());
    root
}

fn unread(state: &State) -> usize {
    state.library.runs.values().filter(|run| run.digest == DigestState::NotRead).count()
}

fn is_listed(state: &State) -> bool {
    let all = state.library.runs.len() == RUNS as usize + 1;
    all && !state.jobs.active().any(|(_, job)| job.kind == JobKind::Open)
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn six_thousand_runs_are_filtered_sorted_and_scrubbed_through() {
    let dir = tempfile::tempdir().unwrap();
    let root = runs(dir.path());
    let mut figures = Figures::default();
    // What writing them took is none of the window's.
    forget_peak();
    println!("{} MB before the window", memory("VmRSS"));
    let (mut window, mut app) = opened(dir.path(), vec![root], Behind::asked());
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    let first = until(&mut window, &mut app, "the first table", |state| {
        !state.explore.table.rows.is_empty()
    });
    let whole = first
        + until(&mut window, &mut app, "all are listed and read", |state| {
            is_listed(state) && unread(state) == 0
        });
    figures.add("first table", &format!("{first:.2?}"), "1 s");
    figures.add("complete: every call read", &format!("{whole:.2?}"), "5 s");
    figures.add_frames("a frame until then", &window, "16 ms");
    println!("{} MB", memory("VmRSS"));
    type_into_the_filter(&mut window, &mut app, "while runs are scored", &mut figures);
    let scored = until(&mut window, &mut app, "all are scored", |state| {
        views::library_scoring(state).is_none()
    });
    println!("all scored {scored:.1?} after that");
    type_into_the_filter(&mut window, &mut app, "all scored", &mut figures);
    app.carry_out(Command::Explore(ExploreCommand::Panel(ExplorePanel::Figures)));
    let made = until(&mut window, &mut app, "the figures of the papers are made", |state| {
        let key = state.explore_figures_key();
        key.is_some_and(|key| state.derived.paper_figures.ready(&key).is_some())
    });
    println!("the figures of the papers were made {made:.2?} after they were shown");
    type_into_the_filter(&mut window, &mut app, "with the figures of the papers", &mut figures);
    app.carry_out(Command::Explore(ExploreCommand::Panel(ExplorePanel::Plots)));
    sort(&mut window, &mut app, &mut figures);
    scroll(&mut window, &mut app, &mut figures);
    let longest = run_with(app.state(), |steps| steps == LONG);
    let usual = run_with(app.state(), |steps| steps == STEPS);
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)));
    for (run, steps) in [(usual, STEPS), (longest, LONG)] {
        scrub(&mut window, &mut app, (run, steps), "", &mut figures);
    }
    figures.add(
        &format!("memory at most, of it textures {TEXTURES}"),
        &format!("{} MB", memory("VmHWM")),
        "600 MB",
    );
    figures.add("memory at the end", &format!("{} MB", memory("VmRSS")), "");
    figures.print();
}

/// A run of so many steps: the one in the middle, which is none of those on the stage.
fn run_with(state: &State, is_wanted: impl Fn(u32) -> bool) -> RunId {
    let runs = state.library.runs.iter().filter(|(_, run)| is_wanted(run.steps));
    let runs: Vec<RunId> = runs.map(|(id, _)| *id).collect();
    runs[runs.len() / 2]
}

/// A letter a frame, and each taken back: of every letter the frame that takes it in and the one that shows what is
/// left, together.
pub(super) fn type_into_the_filter(
    window: &mut Frames,
    app: &mut App,
    when: &str,
    figures: &mut Figures,
) {
    window.frame_with(app, press(Key::Slash));
    window.frame(app);
    let mut letters: Vec<Duration> = Vec::new();
    let mut texts: Vec<(Duration, String)> = Vec::new();
    window.spent.clear();
    for filter in FILTERS {
        for (at, letter) in filter.char_indices() {
            let typed = vec![Event::Text(letter.to_string())];
            letters.push(two_frames(window, app, typed));
            let so_far = &filter[..at + letter.len_utf8()];
            assert_eq!(app.state().explore.view.filter, so_far);
            texts.push((letters[letters.len() - 1], so_far.to_owned()));
        }
        for _ in filter.chars() {
            letters.push(two_frames(window, app, press(Key::Backspace)));
            texts.push((letters[letters.len() - 1], app.state().explore.view.filter.clone()));
        }
        assert_eq!(app.state().explore.view.filter, "");
    }
    texts.sort();
    for (took, text) in texts.iter().rev().take(6) {
        println!("  {took:.1?} for a letter that makes it `{text}`");
    }
    figures.add_frames(&format!("a frame of typing into the filter, {when}"), window, "16 ms");
    figures.add_times(&format!("a letter until its table is drawn, {when}"), &letters, "");
    window.frame_with(app, press(Key::Escape));
    window.frame(app);
}

/// The frame that takes something in, and the one after it.
fn two_frames(window: &mut Frames, app: &mut App, events: Vec<Event>) -> Duration {
    let before = window.spent.len();
    window.frame_with(app, events);
    window.frame(app);
    window.spent[before..].iter().map(|spent| spent.wall + spent.card).sum()
}

/// Sorts by one column after the other, each alone and then behind those before it.
fn sort(window: &mut Frames, app: &mut App, figures: &mut Figures) {
    let score = Column::from("ssim/uniform7".to_owned());
    let columns = [
        Column::Task,
        Column::Cost,
        Column::Model,
        Column::Failures,
        score,
        Column::Tools,
        Column::State,
    ];
    let (mut alone, mut drawn) = (Vec::new(), Vec::new());
    for is_added in [false, true] {
        for column in &columns {
            let sort = ExploreCommand::Sort { column: column.clone(), is_added };
            let began = Instant::now();
            app.carry_out(Command::Explore(sort));
            let took = began.elapsed();
            window.frame(app);
            let frame = window.spent[window.spent.len() - 1];
            alone.push(took);
            drawn.push(took + frame.wall + frame.card);
        }
    }
    assert!(app.state().explore.view.sort.len() > 3);
    figures.add_times("a sort", &alone, "50 ms");
    figures.add_times("a sort until it is drawn", &drawn, "");
}

/// Walks through the rows by keys and turns the wheel over them, then the same below groups.
fn scroll(window: &mut Frames, app: &mut App, figures: &mut Figures) {
    for (group, words) in [(None, "rows"), (Some(Column::Model), "groups")] {
        app.carry_out(Command::Explore(ExploreCommand::Group(group)));
        window.frame(app);
        window.spent.clear();
        for _ in 0..300 {
            window.frame_with(app, press(Key::ArrowDown));
        }
        window.frame_with(app, vec![Event::PointerMoved(egui::pos2(300.0, 500.0))]);
        for _ in 0..300 {
            window.frame_with(app, vec![wheel(-700.0)]);
        }
        figures.add_frames(
            &format!("a frame of going through the table, {words}"),
            window,
            "16 ms",
        );
    }
}

fn wheel(points: f32) -> Event {
    Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, points),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    }
}

/// Opens a run and goes to another step in every frame: forth and back as the pointer does that is dragged over the
/// timeline, and then from one to the next.
pub(super) fn scrub(
    window: &mut Frames,
    app: &mut App,
    (run, steps): (RunId, u32),
    how: &str,
    figures: &mut Figures,
) {
    const FRAMES: u32 = 600;
    let began = Instant::now();
    app.carry_out(Command::SelectRun(run));
    until(window, app, "it is on the stage", is_on_stage);
    figures.add(
        &format!("a run of {steps} steps on the stage{how}"),
        &format!("{:.2?}", began.elapsed()),
        "",
    );
    window.spent.clear();
    for frame in 0..FRAMES {
        // Over the whole timeline and back in 200 frames.
        let place = frame % 200;
        let hundredths = if place < 100 { place } else { 200 - place };
        let step = (u64::from(steps) * u64::from(hundredths) / 100) as u32;
        app.carry_out(Command::Playback(PlaybackCommand::Step(step)));
        window.frame(app);
    }
    figures.add_frames(
        &format!("a frame of scrubbing through {steps} steps{how}"),
        window,
        "16 ms",
    );
    let began = Instant::now();
    until(window, app, "the last of them is on the stage", is_on_stage);
    println!("its picture was on the stage {:.2?} later", began.elapsed());
    window.spent.clear();
    for key in [Key::Home, Key::ArrowRight, Key::ArrowLeft] {
        for _ in 0..100 {
            window.frame_with(app, press(key));
        }
    }
    figures.add_frames(&format!("a frame of stepping through {steps} steps{how}"), window, "16 ms");
}

fn is_on_stage(state: &State) -> bool {
    state.last_step() > 0 && views::pane(state, StagePane::Run).status == PaneStatus::Current
}
