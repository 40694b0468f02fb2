//! An open window shows what a client draws while it draws.

use std::path::Path;
use std::time::{Duration, Instant};

use pentimento::app::Session as Window;
use pentimento::workbench::{Command, RunState, Settings, State};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use super::stdio::Session as Client;

const PATIENCE: Duration = Duration::from_mins(2);

/// A task set of the sample `sign-in` alone.
fn task_set(dir: &Path) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let set = std::fs::read(samples.join("taskset.json")).unwrap();
    let mut set: Value = serde_json::from_slice(&set).unwrap();
    set["tasks"].as_array_mut().unwrap().retain(|task| task["id"] == "sign-in");
    std::fs::create_dir_all(dir.join("replication")).unwrap();
    for file in ["replication/sign-in.json", "replication/sign-in.png"] {
        std::fs::copy(samples.join(file), dir.join(file)).unwrap();
    }
    std::fs::write(dir.join("taskset.json"), set.to_string()).unwrap();
}

fn until(window: &mut Window, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(window.state()) {
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
        window.take_next_event(Duration::from_millis(50));
    }
}

#[test]
fn a_window_that_is_open_follows_what_a_client_draws() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, runs) = (dir.path().join("tasks"), dir.path().join("runs"));
    task_set(&tasks);
    std::fs::create_dir_all(&runs).unwrap();
    let state = State::new(Settings::default(), dir.path().join("own"));
    let mut window = Window::start(state, WorkerConfig::default(), || {}).unwrap();
    window.carry_out(Command::Open(vec![tasks.clone(), runs.clone()]));
    until(&mut window, "the task is listed", |state| !state.library.sets.is_empty());

    let mut server = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
    server.args(["mcp", "--task", tasks.to_str().unwrap(), "--pause", "50", "--out"]).arg(&runs);
    let mut client = Client::connected(server);
    let mut draw = |id: u32| {
        let place = json!({"x": id, "y": id, "width": 9, "height": 9, "name": "Box"});
        let answer = client.call(id, "create_rectangle", &place);
        assert_eq!(answer["result"]["isError"], false);
    };
    draw(1);
    until(&mut window, "the run is listed", |state| state.library.runs.len() == 1);
    let (id, run) = window.state().library.runs.first_key_value().unwrap();
    let (id, kind) = (*id, run.manifest.agent.kind.clone());
    assert_eq!(kind, "mcp");
    window.carry_out(Command::SelectRun(id));
    until(&mut window, "its first turn shows", |state| state.library.runs[&id].steps == 1);
    assert_eq!(window.state().library.runs[&id].state, RunState::Live);
    draw(2);
    draw(3);
    until(&mut window, "it grows", |state| state.library.runs[&id].steps == 3);
    client.end();
    let is_finished = |state: &State| state.library.runs[&id].state == RunState::Finished;
    until(&mut window, "its end shows", is_finished);
    assert_eq!(window.state().library.runs.len(), 1);
}
