//! Two hundred runs at once in the application: how much memory they take, and how long a frame;
//! [`plans`] is the same of thousands of runs that are looked through, [`explore`] of thousands in one table,
//! [`picture`] of one very large picture, [`hands`] of nodes dragged on the canvas.
//!
//! Not part of the suite, as it measures; `benches/README.md` has the command and the figures. The
//! application is the real one, state, worker and window drawn at 60 frames a second, with or without a
//! graphics card behind it ([`frames`]); the models are behind a server in the same process that streams slowly.

mod explore;
mod frames;
pub(crate) mod generated;
mod hands;
mod picture;
mod plans;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pentimento::agent::AgentKind;
use pentimento::app::App;
use pentimento::workbench::{
    AnnotateCommand, Command, FoldKey, LaunchEdit, LibraryRun, Overlay, Pause, RunsCommand,
    RunsTarget, StageCommand, StageView, State, Workspace,
};
use serde_json::{Value, json};

use frames::{Behind, Figures, Frames, memory, opened, until};

/// Runs at once.
const RUNS: usize = 200;
/// Turns with calls of each run; one without follows.
const TURNS: usize = 10;
/// The same where other runs are looked at while they are at work.
const TURNS_AT_WORK: usize = 45;
/// Pieces of each answer's words, and the time between two of them.
const PIECES: usize = 20;
const PIECE_EVERY: Duration = Duration::from_millis(100);

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn two_hundred_runs_at_once_take_little_memory_and_short_frames() {
    let peak = work_at_two_hundred_runs(Behind::Nothing, TURNS, None);
    assert!(peak < 500, "{peak} MB");
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn two_hundred_live_runs_while_others_are_looked_at() {
    let mut figures = Figures::default();
    let peak = work_at_two_hundred_runs(Behind::asked(), TURNS_AT_WORK, Some(&mut figures));
    figures.add("memory at most", &format!("{peak} MB"), "");
    figures.print();
}

/// Launches the runs and goes through all their states, and meanwhile through runs that had ended before where
/// figures are asked for; gives the most memory that all took, in megabytes.
fn work_at_two_hundred_runs(behind: Behind, turns: usize, figures: Option<&mut Figures>) -> u64 {
    let dir = tempfile::tempdir().unwrap();
    let tasks = std::env::var_os("PENTIMENTO_HOLD_TASKS");
    let tasks = tasks.map_or_else(|| PathBuf::from("sample_runs/taskset.json"), PathBuf::from);
    let (mut window, mut app) = opened(dir.path(), vec![tasks], behind);
    let tasks = until(&mut window, &mut app, "the tasks are listed", |state| {
        !state.library.sets.is_empty()
    });
    println!("tasks listed after {tasks:?}");
    let before = memory("VmRSS");
    launch(&mut app, dir.path(), &serve(turns));
    until(&mut window, &mut app, "all are at work", |state| launched(state).len() == RUNS);
    println!("all at work; {} MB, {before} MB before", memory("VmRSS"));
    // The steady state: as much of it as all but the first and the last turns take.
    window.spent.clear();
    let steady = PIECE_EVERY * (PIECES * (TURNS - 2)) as u32;
    let began = Instant::now();
    while began.elapsed() < steady {
        if began.elapsed() > steady / 2 && app.state().overlay.is_none() {
            app.carry_out(Command::ToggleOverlay(Overlay::Jobs));
        }
        window.frame(&mut app);
    }
    window.report("at work, the list of jobs open in the second half");
    if let Some(figures) = figures {
        figures.add_frames("a frame with 200 runs at work", &window, "16 ms");
        app.carry_out(Command::ToggleOverlay(Overlay::Jobs));
        look_at_others(&mut window, &mut app, figures);
    }
    let at_work = app.state().jobs.active_runs().count();
    let turns: u32 = launched(app.state()).iter().map(|it| it.manifest.totals.turns).sum();
    println!("{at_work} runs still at work, {turns} turns recorded");
    assert!(at_work > RUNS / 2, "the steady state was over too soon: {at_work}");
    app.carry_out(Command::Runs(RunsCommand::Pause(RunsTarget::All)));
    window.spent.clear();
    until(&mut window, &mut app, "all are paused", |state| {
        state.jobs.active_runs().all(|(_, job)| job.pause == Pause::Waits)
    });
    window.report("until all were paused");
    app.carry_out(Command::Runs(RunsCommand::Resume(RunsTarget::All)));
    until(&mut window, &mut app, "all have ended", |state| {
        state.jobs.active_runs().next().is_none()
    });
    window.report("until all had ended");
    let peak = memory("VmHWM");
    println!("memory: {peak} MB at most, {} MB at the end", memory("VmRSS"));
    let runs = launched(app.state());
    let finished = runs.iter().filter(|it| it.state.word() == "finished").count();
    assert_eq!(finished, RUNS, "{:?}", app.state().notices.last());
    peak
}

/// Scrubs through the longest of the samples in the ways there are to compare (one that blinks draws no more than side
/// by side), and types into Explore's filter.
fn look_at_others(window: &mut Frames, app: &mut App, figures: &mut Figures) {
    let others = app.state().library.runs.iter().filter(|(_, run)| run.job.is_none());
    let (run, steps) = others.map(|(id, run)| (*id, run.steps)).max_by_key(|it| it.1).unwrap();
    for view in StageView::ALL.into_iter().filter(|view| *view != StageView::Blink) {
        app.carry_out(Command::Stage(StageCommand::Compare(view)));
        explore::scrub(window, app, (run, steps), &format!(", {}", view.name()), figures);
    }
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    window.frame(app);
    explore::type_into_the_filter(window, app, "200 runs at work", figures);
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)));
}

/// The runs that were launched; the samples come with some.
fn launched(state: &State) -> Vec<&LibraryRun> {
    state.library.runs.values().filter(|run| run.job.is_some()).collect()
}

/// Launches every task by as many models as make [`RUNS`] runs.
fn launch(app: &mut App, dir: &std::path::Path, address: &str) {
    let tasks: Vec<_> =
        pentimento::workbench::views::filtered_tasks(app.state()).into_iter().collect();
    let most = tasks.len().min(RUNS / 5);
    let count = (1..=most).rev().find(|count| RUNS.is_multiple_of(*count)).unwrap();
    let chosen = tasks[..count].to_vec();
    let names: Vec<String> = (0..RUNS / count).map(|at| format!("m{at:02}")).collect();
    let model = |name: &String| {
        let provider = json!({"kind": "chat_completions", "base_url": address, "model": name,
            "proxy": "", "prices": {"input": 1.0, "output": 10.0}});
        (name.clone(), json!({ "provider": provider }))
    };
    let models: serde_json::Map<String, Value> = names.iter().map(model).collect();
    let file = dir.join("models.json");
    std::fs::write(&file, json!({ "models": models }).to_string()).unwrap();
    app.carry_out(Command::OpenLaunch(chosen.clone()));
    for edit in [
        LaunchEdit::Agent(AgentKind::Model),
        LaunchEdit::ModelFile(Some(file)),
        LaunchEdit::ModelName(names.join(",")),
        LaunchEdit::Jobs(RUNS as u32),
    ] {
        app.carry_out(Command::EditLaunch(edit));
    }
    app.carry_out(Command::Launch);
    for task in chosen {
        if app.state().library.folded.tasks.contains(&task) {
            app.carry_out(Command::ToggleFolded(FoldKey::Task(task)));
        }
    }
}

/// A server that speaks Chat Completions, takes its time and calls in so many turns; gives its address.
fn serve(turns: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    // Lives until the test's process ends.
    std::thread::Builder::new()
        .name("server".to_owned())
        .spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let answer = std::thread::Builder::new().name("answer".to_owned());
                // A client that hung up is part of a stop.
                answer
                    .stack_size(256 << 10)
                    .spawn(move || answer_slowly(stream, turns).ok())
                    .unwrap();
            }
        })
        .unwrap();
    address
}

fn answer_slowly(mut stream: TcpStream, turns: usize) -> std::io::Result<()> {
    let turn = answers_in(&stream)?;
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n";
    stream.write_all(head.as_bytes())?;
    for at in 0..PIECES {
        let words = format!("The next box belongs below the one before, at {at}. ");
        let delta = json!({"role": "assistant", "content": words});
        send(&mut stream, &json!({"choices": [{"index": 0, "delta": delta}]}))?;
        std::thread::sleep(PIECE_EVERY);
    }
    let calls: Vec<Value> =
        if turn < turns { (0..2).map(|at| call(turn, at)).collect() } else { Vec::new() };
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let delta = if calls.is_empty() { json!({}) } else { json!({ "tool_calls": calls }) };
    send(
        &mut stream,
        &json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}),
    )?;
    let usage = json!({"prompt_tokens": 4000, "completion_tokens": 300, "total_tokens": 4300});
    send(&mut stream, &json!({"choices": [], "usage": usage}))?;
    stream.write_all(b"data: [DONE]\n\n")
}

fn call(turn: usize, at: usize) -> Value {
    let arguments = json!({"x": 12 + 150 * at, "y": 20 + 70 * turn, "width": 140, "height": 60,
        "name": format!("Box {turn}.{at}"), "fillColor": {"r": 0.2, "g": 0.4, "b": 0.6, "a": 1}});
    let function = json!({"name": "create_rectangle", "arguments": arguments.to_string()});
    json!({"index": at, "id": format!("call_{turn}_{at}"), "type": "function", "function": function})
}

fn send(stream: &mut TcpStream, event: &Value) -> std::io::Result<()> {
    let mut event = event.clone();
    event["id"] = json!("c");
    event["object"] = json!("chat.completion.chunk");
    write!(stream, "data: {event}\n\n")
}

/// How many answers the request holds. What is read is not kept: the server is to take no memory.
fn answers_in(stream: &TcpStream) -> std::io::Result<usize> {
    const ANSWER: &[u8] = b"\"role\":\"assistant\"";
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut left: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    let (mut window, mut found) = (Vec::new(), 0);
    while left > 0 {
        let mut chunk = vec![0; left.min(8192)];
        reader.read_exact(&mut chunk)?;
        left -= chunk.len();
        window.extend_from_slice(&chunk);
        found += window.windows(ANSWER.len()).filter(|part| *part == ANSWER).count();
        let kept = window.len().min(ANSWER.len() - 1);
        window.drain(..window.len() - kept);
    }
    Ok(found)
}
