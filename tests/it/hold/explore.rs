//! Six thousand canvas runs of forty steps in the table over all runs: how soon it is there and whole, how long a
//! letter of the filter and a sort take, and every frame while it is scrolled and the selection moves.
//!
//! `PENTIMENTO_HOLD_EXPLORE` names another folder of runs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use egui::{Event as Input, Key};
use serde_json::json;

use pentimento::app::App;
use pentimento::environment::{FailureClass, ToolCall, ToolCategory, ToolFailure};
use pentimento::run::{AgentRef, Event, Manifest, Outcome, TaskRef, Totals};
use pentimento::workbench::{
    AnnotateCommand, Column, Command, DigestState, ExploreCommand, Settings, State, Workspace,
};
use pentimento::worker::WorkerConfig;

use super::{Frames, memory, until};

const RUNS: u32 = 6_000;
const STEPS: u32 = 40;
const MODELS: [&str; 5] =
    ["gpt-4.1", "gpt-4o", "gemini-2.5-pro", "gemini-2.5-flash", "claude-3-5-sonnet"];
const TOOLS: [(&str, ToolCategory); 4] = [
    ("create_text", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("set_layout_mode", ToolCategory::Layout),
    ("set_fill_color", ToolCategory::Style),
];

/// Writes the runs, all of them ended, two calls a turn.
fn write_runs(out: &Path) -> PathBuf {
    let root = out.join("runs");
    for run in 0..RUNS {
        let model = MODELS[run as usize % MODELS.len()];
        let task = TaskRef { set: "made".to_owned(), id: format!("gid{}", run / 5) };
        let agent = AgentRef { kind: "model".to_owned(), name: model.to_owned(), version: None };
        let mut manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        let mut lines = String::new();
        let mut failures = 0;
        let mut push = |event: &Event| {
            lines += &serde_json::to_string(event).unwrap();
            lines.push('\n');
        };
        for step in 1..=STEPS {
            let turn = step.div_ceil(2);
            if step % 2 == 1 {
                push(&Event::Turn { turn, at: "2026-01-01T00:00:00Z".to_owned() });
                push(&Event::Thought {
                    turn,
                    text: "I go on with the next part of the screen.".repeat(4),
                });
            }
            let (name, category) = TOOLS[(run * 7 + step * 3) as usize % TOOLS.len()];
            let arguments =
                json!({"x": step * 8, "y": run % 700, "width": 120, "height": 40, "name": "Title"});
            let call = ToolCall { id: format!("c{step}"), name: name.to_owned(), arguments };
            push(&Event::Call { turn, step, category, call });
            let failed = (run + step) % 17 == 0;
            failures += u32::from(failed);
            let failure = failed.then(|| ToolFailure {
                class: FailureClass::UnknownNode,
                message: "there is no node 9:9".to_owned(),
            });
            push(&Event::Outcome {
                step,
                text: "Created a node with the id 1:2 in the frame Screen.".to_owned(),
                structured: None,
                image: None,
                failure,
                latency_ms: 1.5,
            });
            if step % 2 == 0 {
                push(&Event::TurnEnd { turn, seconds: 2.5 });
            }
        }
        manifest.outcome = Outcome::Completed;
        manifest.finished = Some("2026-01-01T00:01:00Z".to_owned());
        manifest.totals = Totals {
            turns: STEPS / 2,
            calls: STEPS,
            failures,
            input_tokens: 40_000 + u64::from(run),
            output_tokens: 4_000,
            cost_usd: Some(0.05 + f64::from(run % 100) / 1000.0),
            seconds: 50.0,
            providers: None,
        };
        let dir = root.join(format!("gid{}/{model}-01", run / 5));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("run.json"), serde_json::to_vec(&manifest).unwrap()).unwrap();
        std::fs::write(dir.join("events.jsonl"), lines).unwrap();
    }
    root
}

fn unread(state: &State) -> usize {
    state.library.runs.values().filter(|run| run.digest == DigestState::NotRead).count()
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn six_thousand_runs_are_filtered_sorted_and_scrolled_through() {
    let dir = tempfile::tempdir().unwrap();
    let runs = std::env::var_os("PENTIMENTO_HOLD_EXPLORE").map(PathBuf::from);
    let runs = runs.unwrap_or_else(|| write_runs(dir.path()));
    let ctx = egui::Context::default();
    let mut state = State::new(Settings::default(), dir.path().join("out"));
    state.workspace = Workspace::Explore;
    let mut app = App::with_state(&ctx, WorkerConfig::default(), state, vec![runs]).unwrap();
    let mut window = Frames::new(ctx);
    let opened = until(&mut window, &mut app, "the first table", |state| {
        !state.explore.table.rows.is_empty()
    });
    println!("first table: {opened:.2?}");
    let whole = until(&mut window, &mut app, "all are listed and read", |state| {
        !state.jobs.active().any(|(_, job)| job.kind == pentimento::workbench::JobKind::Open)
            && unread(state) == 0
    });
    let count = app.state().library.runs.len();
    println!(
        "complete, every call of {count} runs read: {:.2?} later; {} MB",
        whole,
        memory("VmRSS")
    );
    window.report("while they were read");
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    window.spent.clear();
    // Every letter by itself, as somebody types.
    let filter = "model:gpt calls>10 tool:set_layout_mode step:tool:create_text step:error:any";
    let mut took = Vec::new();
    for end in (1..=filter.len()).chain((1..filter.len()).rev()) {
        let began = Instant::now();
        let typed = filter[..end].to_owned();
        app.carry_out(Command::Explore(ExploreCommand::SetFilter(typed)));
        took.push(began.elapsed());
        window.frame(&mut app);
    }
    took.sort_unstable();
    println!(
        "a letter of the filter: median {:.2?}, longest {:.2?}",
        took[took.len() / 2],
        took[took.len() - 1]
    );
    app.carry_out(Command::Explore(ExploreCommand::SetFilter(String::new())));
    let mut took = Vec::new();
    for column in
        [Column::Task, Column::Cost, Column::Model, Column::Failures, Column::Tools, Column::Cost]
    {
        for is_added in [false, true] {
            let began = Instant::now();
            let column = column.clone();
            app.carry_out(Command::Explore(ExploreCommand::Sort { column, is_added }));
            took.push(began.elapsed());
        }
    }
    took.sort_unstable();
    println!("a sort: median {:.2?}, longest {:.2?}", took[took.len() / 2], took[took.len() - 1]);
    window.spent.clear();
    for _ in 0..300 {
        window.frame_with(&mut app, press(Key::ArrowDown));
    }
    window.report("the arrows through the table, one row a frame");
    app.carry_out(Command::Explore(ExploreCommand::Group(Some(Column::Model))));
    window.spent.clear();
    for _ in 0..100 {
        window.frame_with(&mut app, press(Key::ArrowDown));
    }
    window.report("the same, grouped");
    println!("{} MB at most", memory("VmHWM"));
}

fn press(key: Key) -> Vec<Input> {
    let event = |pressed| Input::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    vec![event(true), event(false)]
}
