//! Designing by hand, state and worker together: what is done is a run that replays to the same design.

mod demonstrations;
mod dying;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::agent::runner::{RunSettings, StartRun};
use pentimento::agent::{PictureSource, PreparedTask};
use pentimento::app::Session;
use pentimento::base::{CancelToken, Pixels, Point, Rect, Size};
use pentimento::design::{Document, ExportFileFormat, ExportSetting, ExportSize, NodeKind, figma};
use pentimento::editor::{
    Act, ArrangeAct, ExportAct, PageAct, Pointer, PointerAct, PointerKeys, PropertyAct, SelectAct,
    Tool,
};
use pentimento::environment::canvas::APPLY_EDIT;
use pentimento::environment::{HANDS_SETTING, open_environment};
use pentimento::run::folder::{EVENTS_FILE, FINAL_FILE};
use pentimento::run::replay::Replay;
use pentimento::run::{
    AgentRef, BY_HAND_KIND, Event as RunEvent, Outcome, Run, TASKS_SETTING, TaskRef, reader,
};
use pentimento::workbench::protocol::ExportFormat;
use pentimento::workbench::{
    AssistCommand, AssistDesk, AssistStart, Command, FilesCommand, JobOutcome, Overlay, Recording,
    RunId, RunState, Settings, State, views,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::figma_plugin;
use crate::nodes::until;
use crate::render::svg_export::{judge_at, on_white, similarity};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs");

/// A session with the samples open, whose runs go to this folder.
fn session(out_dir: &Path) -> Session {
    let state = State::new(Settings::default(), out_dir.to_path_buf());
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![PathBuf::from(SAMPLES)]));
    until(&mut session, "the samples are open", |state| {
        !state.library.sets.is_empty() && !state.library.runs.is_empty()
    });
    session
}

fn desk(session: &Session) -> &AssistDesk {
    session.state().assist.desk.as_ref().unwrap()
}

fn assist(session: &mut Session, command: AssistCommand) {
    session.carry_out(Command::Assist(command));
}

fn files(session: &mut Session, command: FilesCommand) {
    assist(session, AssistCommand::Files(command));
}

fn act(session: &mut Session, act: Act) {
    assist(session, AssistCommand::Act(Box::new(act)));
}

fn open(session: &mut Session, start: AssistStart) {
    assist(session, AssistCommand::Open(start));
    until(session, "the design is open", |state| {
        state.assist.desk.is_some() || state.assist.problem.is_some()
    });
    assert_eq!(session.state().assist.problem, None);
}

fn task(id: &str) -> AssistStart {
    AssistStart::Task(TaskRef { set: "own-samples".to_owned(), id: id.to_owned() })
}

fn pointer(at: Point, keys: PointerKeys) -> Pointer {
    Pointer { at, zoom: 1.0, visible: Rect::new(-100.0, -100.0, 2000.0, 2000.0), keys }
}

/// Drags one node by so much.
fn drag(session: &mut Session, node: usize, (x, y): (f64, f64), keys: PointerKeys) {
    let document = desk(session).editor.document();
    let Some(id) = document.iter_depth_first().nth(node).map(|node| node.id.clone()) else {
        return;
    };
    let at = document.absolute_box(&id).unwrap().center();
    act(session, Act::Select(SelectAct::Only(vec![id])));
    let to = Point::new(at.x + x, at.y + y);
    act(session, Act::Pointer(PointerAct::Press(pointer(at, keys))));
    act(session, Act::Pointer(PointerAct::Move(pointer(to, keys))));
    act(session, Act::Pointer(PointerAct::Release(pointer(to, keys))));
}

/// Something that hands do.
fn random_act(session: &mut Session, dice: &mut Dice) {
    let nodes = desk(session).editor.document().len();
    let node = 1 + dice.below(nodes.saturating_sub(1).max(1));
    let by = (dice.between(-60.0, 60.0).round(), dice.between(-60.0, 60.0).round());
    let alt = dice.one_in(4);
    match dice.below(8) {
        0 => act(session, Act::Undo),
        1 => act(session, Act::Redo),
        2 => {
            let document = desk(session).editor.document();
            // Never the screen itself, which the rest is done to.
            let id = document.iter_depth_first().nth(node).map(|node| node.id.clone());
            act(session, Act::Select(SelectAct::Only(id.into_iter().collect())));
            act(session, Act::Arrange(ArrangeAct::Delete));
        }
        _ => drag(session, node, by, PointerKeys { alt, ..PointerKeys::default() }),
    }
}

fn until_kept(session: &mut Session) -> PathBuf {
    until(session, "all is on disk", |state| {
        let Some(desk) = &state.assist.desk else { return false };
        match &desk.recording {
            Recording::Kept { step, .. } => *step >= desk.editor.steps(),
            Recording::Empty | Recording::Failing(_) => false,
        }
    });
    let Recording::Kept { dir, .. } = &desk(session).recording else { unreachable!() };
    dir.clone()
}

/// Leaves the design, and waits until its run is over.
fn close(session: &mut Session, dir: &Path) {
    assist(session, AssistCommand::Close);
    until(session, "the run is over", |_| {
        reader::peek(dir).is_ok_and(|peek| peek.manifest.outcome == Outcome::Completed)
    });
}

/// The run, replayed to its end: it has to come out as it was recorded.
fn replayed(dir: &Path) -> (Run, Document) {
    let run = Arc::new(reader::open(dir).unwrap());
    assert_eq!(run.torn, None);
    let mut replay = Replay::new(Arc::clone(&run), &open_environment).unwrap();
    let last = u32::try_from(run.steps.len()).unwrap();
    let document = replay.environment_at(last, &CancelToken::default()).unwrap().design().unwrap();
    assert_eq!(replay.divergences().count(), 0);
    (Arc::unwrap_or_clone(run), document)
}

fn assert_same(got: &Document, expected: &Document) {
    assert_eq!(got, expected);
    let text = |document: &Document| serde_json::to_string(&figma::to_json(document)).unwrap();
    assert_eq!(text(got), text(expected), "byte for byte");
}

fn human_actions(dir: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.join(EVENTS_FILE)).unwrap();
    let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let details = events.filter_map(|event| match event {
        RunEvent::HumanAction { detail, .. } => Some(detail),
        _ => None,
    });
    details.collect()
}

#[test]
fn what_is_done_by_hand_is_a_run_that_replays_to_the_same_design() {
    for (id, seed) in [("quiz-progress", 1), ("wallet-colors", 2)] {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        open(&mut session, task(id));
        assert!(desk(&session).goal.is_some() && desk(&session).instruction.is_some());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "looking makes no run");
        let mut dice = Dice(seed);
        for _ in 0..30 {
            random_act(&mut session, &mut dice);
        }
        let run_dir = until_kept(&mut session);
        let document = desk(&session).editor.document().clone();
        let steps = desk(&session).editor.steps();
        assert!(steps >= 8, "{steps} steps");
        until(&mut session, "the library has the run", |state| {
            state.library.runs.values().any(|run| run.dir == run_dir)
        });
        close(&mut session, &run_dir);

        let (run, came_to) = replayed(&run_dir);
        assert_same(&came_to, &document);
        let manifest = &run.manifest;
        assert_eq!(
            (manifest.agent.kind.as_str(), manifest.mode.as_str()),
            (BY_HAND_KIND, BY_HAND_KIND)
        );
        assert_eq!(manifest.settings.get(HANDS_SETTING), Some(&json!(true)));
        assert!(manifest.settings.contains_key(TASKS_SETTING));
        assert_eq!(manifest.totals.failures, 0);
        assert!(run.turns.last().unwrap().observation.is_some(), "the last turn has a picture");
        // Bursts may be one turn, so that the number of the last counts.
        let actions = human_actions(&run_dir);
        assert_eq!(actions.len(), run.turns.len());
        assert_eq!(actions.last().unwrap()["step"], json!(steps));
        assert!(
            actions.iter().all(|action| action["by"] == "person" && action["label"].is_string())
        );
        let written: Value =
            serde_json::from_slice(&std::fs::read(run_dir.join(FINAL_FILE)).unwrap()).unwrap();
        let last = figma::from_json(written).unwrap().document;
        assert_eq!(last.len(), document.subtree(&document.main_frame().unwrap().id).count());
    }
}

#[test]
fn moving_is_recorded_as_a_tools_work_and_what_no_tool_does_as_an_exact_change() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    open(&mut session, task("quiz-progress"));
    for node in 1..12 {
        drag(&mut session, node, (16.0, 8.0), PointerKeys::default());
    }
    act(&mut session, Act::Select(SelectAct::None));
    act(&mut session, Act::Select(SelectAct::Siblings));
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    // What comes back is what was read from a file, which no tool makes.
    act(&mut session, Act::Undo);
    let run_dir = until_kept(&mut session);
    close(&mut session, &run_dir);
    let run = reader::open(&run_dir).unwrap();
    let calls = run.steps.iter().filter_map(|step| step.call.as_ref());
    let (exact, tools): (Vec<_>, Vec<_>) = calls.partition(|call| call.name == APPLY_EDIT);
    assert!(tools.iter().any(|call| call.name == "move_node"), "{tools:?}");
    assert!(!exact.is_empty());
}

#[test]
fn a_killed_session_is_gone_on_with_where_it_broke_off() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = session(dir.path());
    open(&mut first, task("timer-shape"));
    let mut dice = Dice(4);
    for _ in 0..8 {
        random_act(&mut first, &mut dice);
    }
    files(&mut first, FilesCommand::NameVersion("Half way".to_owned()));
    until(&mut first, "the version has its name", |state| {
        state.assist.desk.as_ref().is_some_and(|desk| desk.files.versions.len() == 1)
    });
    let run_dir = until_kept(&mut first);
    let saved = first.state().session_to_save();
    assert_eq!(saved.design.as_deref(), Some(run_dir.as_path()));
    let document = desk(&first).editor.document().clone();
    drop(first);
    assert_eq!(reader::peek(&run_dir).unwrap().manifest.outcome, Outcome::Running);
    // As a process leaves it that died while it wrote.
    let events = run_dir.join(EVENTS_FILE);
    let mut text = std::fs::read_to_string(&events).unwrap();
    let turns = reader::open(&run_dir).unwrap().turns.len();
    let next = json!({"event": "turn", "turn": turns + 1, "at": ""}).to_string();
    text.push_str(&next);
    text.push_str("\n{\"eve");
    std::fs::write(&events, text).unwrap();

    let mut second = session(dir.path());
    open(&mut second, AssistStart::Again(run_dir.clone()));
    assert_same(desk(&second).editor.document(), &document);
    assert_eq!(desk(&second).files.versions[0].name, "Half way");
    assert_same(&desk(&second).files.versions[0].document, &document);
    for _ in 0..8 {
        random_act(&mut second, &mut dice);
    }
    assert_eq!(until_kept(&mut second), run_dir, "in its own folder");
    let document = desk(&second).editor.document().clone();
    close(&mut second, &run_dir);
    let (run, came_to) = replayed(&run_dir);
    assert_same(&came_to, &document);
    assert!(run.turns.len() > turns);
    let totals = &run.manifest.totals;
    assert_eq!((totals.turns as usize, totals.calls as usize), (run.turns.len(), run.steps.len()));
    // It is over now: what follows would be a run of its own.
    assist(&mut second, AssistCommand::Open(AssistStart::Again(run_dir)));
    until(&mut second, "it is refused", |state| state.assist.problem.is_some());
}

#[test]
fn what_cannot_be_written_is_said_and_written_when_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let out_dir = dir.path().join("runs");
    // A file where the folder should be: nothing can be made in it.
    std::fs::write(&out_dir, "").unwrap();
    let mut session = session(&out_dir);
    open(&mut session, task("timer-shape"));
    for node in 1..6 {
        let keys = PointerKeys { alt: true, ..PointerKeys::default() };
        drag(&mut session, node, (12.0, 20.0), keys);
    }
    let steps = desk(&session).editor.steps();
    assert!(steps > 0);
    until(&mut session, "it is said", |state| {
        let desk = state.assist.desk.as_ref();
        desk.is_some_and(|desk| matches!(&desk.recording, Recording::Failing(_)))
    });
    let Recording::Failing(why) = &desk(&session).recording else { unreachable!() };
    assert!(why.contains("runs"), "{why}");
    std::fs::remove_file(&out_dir).unwrap();
    let run_dir = until_kept(&mut session);
    let document = desk(&session).editor.document().clone();
    close(&mut session, &run_dir);
    let (_, came_to) = replayed(&run_dir);
    assert_same(&came_to, &document);
    assert_eq!(human_actions(&run_dir).last().unwrap()["step"], json!(steps), "nothing is lost");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_leaves_no_half_run() {
    const FOLDER: &str = "PENTIMENTO_TEST_FULL_DISK_HANDS";
    const NAME: &str = "hands::a_full_disk_is_said_and_leaves_no_half_run";
    if let Some(dir) = std::env::var_os(FOLDER) {
        let mut session = session(Path::new(&dir));
        open(&mut session, task("timer-shape"));
        for node in 1..4 {
            drag(&mut session, node, (12.0, 20.0), PointerKeys::default());
        }
        until(&mut session, "it is said", |state| {
            let desk = state.assist.desk.as_ref();
            desk.is_some_and(|desk| matches!(&desk.recording, Recording::Failing(_)))
        });
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let own = std::env::current_exe().unwrap();
    let mut again = crate::full_disk::limited(own.to_str().unwrap());
    let output = again.args([NAME, "--exact"]).env(FOLDER, dir.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    let task_dir = dir.path().join("own-samples/timer-shape");
    for run in std::fs::read_dir(task_dir).unwrap() {
        // What was begun can be read, up to its last whole turn.
        let run = reader::open(&run.unwrap().path()).unwrap();
        assert_eq!(run.manifest.outcome, Outcome::Running);
    }
}

/// The run of the samples in a folder of this end.
fn sample_run(session: &Session, end: &str) -> RunId {
    let runs = session.state().library.runs.iter();
    let mut found = runs.filter(|(_, run)| run.dir.ends_with(end)).map(|(id, _)| *id);
    found.next().unwrap()
}

/// A run that was taken over behind a step, changed and closed; with the one it was taken over from.
fn taken_over(session: &mut Session, end: &str, step: u32) -> (PathBuf, PathBuf) {
    let parent = sample_run(session, end);
    let parent_dir = session.state().library.runs[&parent].dir.clone();
    open(session, AssistStart::Run(parent, step));
    let mut dice = Dice(5);
    for _ in 0..6 {
        random_act(session, &mut dice);
    }
    let run_dir = until_kept(session);
    let document = desk(session).editor.document().clone();
    close(session, &run_dir);
    assert_same(&replayed(&run_dir).1, &document);
    (run_dir, parent_dir)
}

#[test]
fn a_run_is_taken_over_behind_a_step_and_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    let end = "quiz-progress/scripted-01";
    let before =
        std::fs::read(Path::new(SAMPLES).join("runs/own-samples").join(end).join(EVENTS_FILE));
    let (run_dir, parent_dir) = taken_over(&mut session, end, 2);
    let (run, parent) = (reader::open(&run_dir).unwrap(), reader::open(&parent_dir).unwrap());
    let from = run.manifest.parent.as_ref().unwrap();
    assert_eq!((from.run.as_str(), from.step), (parent.manifest.id.as_str(), 2));
    assert_eq!(run.manifest.task, parent.manifest.task);
    let calls = |run: &Run| -> Vec<_> {
        let calls = run.steps.range(0..2).map(|step| step.call.clone().unwrap());
        calls.map(|call| (call.name, call.arguments)).collect()
    };
    assert_eq!(calls(&run), calls(&parent));
    assert_eq!(std::fs::read(parent_dir.join(EVENTS_FILE)).unwrap(), before.unwrap());
    // From the stage, as the command does it.
    let id = sample_run(&session, end);
    session.carry_out(Command::SelectRun(id));
    until(&mut session, "it is read", |state| {
        state.selected_run().is_some_and(|run| run.loaded.is_some())
    });
    files(&mut session, FilesCommand::ContinueByHand);
    until(&mut session, "it is open", |state| state.assist.desk.is_some());
    assert!(matches!(desk(&session).start, AssistStart::Run(run, _) if run == id));
}

#[test]
fn versions_are_looked_at_without_a_change_and_restored_as_one_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    open(&mut session, task("chat-dark"));
    let start = desk(&session).editor.document().clone();
    files(&mut session, FilesCommand::NameVersion("  ".to_owned()));
    files(&mut session, FilesCommand::NameVersion("Start".to_owned()));
    until(&mut session, "it has its name", |state| {
        state.assist.desk.as_ref().is_some_and(|desk| !desk.files.versions.is_empty())
    });
    let mut dice = Dice(6);
    while desk(&session).editor.document() == &start {
        random_act(&mut session, &mut dice);
    }
    let changed = desk(&session).editor.document().clone();
    let steps = desk(&session).editor.steps();
    files(&mut session, FilesCommand::View(Some(0)));
    assert_same(desk(&session).shown(), &start);
    random_act(&mut session, &mut Dice(7));
    assert_eq!(desk(&session).editor.document(), &changed, "a version is not worked on");
    files(&mut session, FilesCommand::View(Some(9)));
    assert_eq!(desk(&session).files.viewed, None);
    files(&mut session, FilesCommand::View(Some(0)));
    files(&mut session, FilesCommand::Restore);
    assert_same(desk(&session).editor.document(), &start);
    assert_eq!((desk(&session).editor.steps(), desk(&session).files.viewed), (steps + 1, None));
    act(&mut session, Act::Undo);
    assert_same(desk(&session).editor.document(), &changed);
    let run_dir = until_kept(&mut session);
    close(&mut session, &run_dir);
    assert_same(&replayed(&run_dir).1, &changed);
}

#[test]
fn files_are_opened_saved_and_exported() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(&dir.path().join("runs"));
    let path = Path::new(SAMPLES).join("modification/chat-dark-base.json");
    open(&mut session, AssistStart::File(path));
    assert_eq!(desk(&session).title, "chat-dark-base");
    let mut dice = Dice(8);
    for _ in 0..4 {
        random_act(&mut session, &mut dice);
    }
    // All of it, not what was touched last.
    act(&mut session, Act::Select(SelectAct::None));
    let document = desk(&session).editor.document().clone();
    for (format, name) in [
        (ExportFormat::Json, "design.json"),
        (ExportFormat::Png { scale: 2 }, "design.png"),
        (ExportFormat::Svg, "design.svg"),
    ] {
        let path = dir.path().join(name);
        files(&mut session, FilesCommand::Write { format, path: path.clone() });
        until(&mut session, "it is written", |state| {
            state.notices.iter().any(|notice| notice.text.contains(name))
        });
        assert!(path.is_file());
    }
    // Somebody else draws the one as the other is.
    let drawn = judge_at(&std::fs::read_to_string(dir.path().join("design.svg")).unwrap(), 2);
    let picture = Pixels::decode(&std::fs::read(dir.path().join("design.png")).unwrap()).unwrap();
    let alike = similarity(&drawn, &on_white(&picture));
    assert!(alike >= 0.98, "{alike}");
    let written = dir.path().join("design.json");
    open(&mut session, AssistStart::File(written.clone()));
    let again = desk(&session).editor.document().clone();
    assert_eq!(again.len(), document.subtree(&document.main_frame().unwrap().id).count());
    if figma_plugin::installed().is_some() {
        let (back, said) = figma_plugin::there_and_back(&written, &dir.path().join("figma"));
        assert_eq!(said["notes"], json!([]), "{said}");
        let (ours, theirs) = (figma_plugin::layers(&again), figma_plugin::layers(&back));
        assert_eq!(ours.len(), theirs.len());
        for (our, their) in ours.into_iter().zip(theirs) {
            assert_eq!(our.name, their.name);
            assert_eq!(our.kind.type_name(), their.kind.type_name(), "{}", our.name);
            // Vectors and groups are as large there as what they hold.
            if matches!(our.kind, NodeKind::Rectangle | NodeKind::Frame) {
                let [our, their] = [(&again, our), (&back, their)]
                    .map(|(document, node)| document.absolute_box(&node.id).unwrap());
                let corners = [their.x - our.x, their.y - our.y, their.right() - our.right()];
                assert!(corners.iter().all(|off| off.abs() < 0.01), "{our:?} and {their:?}");
            }
        }
    }
    for bad in ["[]", "{\"document\": {\"type\": \"CANVAS\"}}", "{"] {
        let path = dir.path().join("bad.json");
        std::fs::write(&path, bad).unwrap();
        assist(&mut session, AssistCommand::Open(AssistStart::File(path)));
        until(&mut session, "it is refused", |state| state.assist.problem.is_some());
    }
    assert_eq!(session.state().assist.desk.as_ref().map(|desk| desk.number), None);
}

#[test]
fn a_file_of_one_page_opens_with_all_that_lies_on_it_and_is_gone_on_with_so() {
    let dir = tempfile::tempdir().unwrap();
    let top = |id: &str, name: &str, kind: &str, x: f64| {
        let place =
            |x: f64, y: f64, side: f64| json!({"x": x, "y": y, "width": side, "height": side});
        let fill = json!({"type": "SOLID", "color": {"r": 0.1, "g": 0.2, "b": 0.9, "a": 1.0}});
        let tile = json!({
            "id": format!("{id}0"), "name": "Tile", "type": "RECTANGLE", "fills": [fill],
            "absoluteBoundingBox": place(x + 10.0, 50.0, 20.0),
        });
        json!({
            "id": id, "name": name, "type": kind, "children": [tile],
            "absoluteBoundingBox": place(x, 40.0, 100.0),
        })
    };
    let tops = [
        top("1:1", "Home", "FRAME", 0.0),
        top("1:2", "Detail", "FRAME", 200.0),
        top("1:3", "Button", "COMPONENT", 400.0),
    ];
    let page = json!({"id": "0:1", "name": "Screens", "type": "CANVAS", "children": tops});
    let file = json!({"document": {"id": "0:0", "type": "DOCUMENT", "children": [page]}});
    let path = dir.path().join("file.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let mut first = session(&dir.path().join("runs"));
    open(&mut first, AssistStart::File(path));
    let document = desk(&first).editor.document().clone();
    let names = |document: &Document| -> Vec<String> {
        let layers = document.top_layers();
        layers.iter().map(|id| document.get(id).unwrap().name.clone()).collect()
    };
    assert_eq!(names(&document), ["Home", "Detail", "Button"]);
    let detail = document.absolute_box(&"1:2".into()).unwrap();
    assert_eq!(detail, Rect::new(200.0, 40.0, 100.0, 100.0), "all lies where it lay");
    let tile = document.iter_depth_first().position(|node| node.id.as_str() == "1:20").unwrap();
    drag(&mut first, tile, (30.0, 12.0), PointerKeys::default());
    let run_dir = until_kept(&mut first);
    let moved = desk(&first).editor.document().clone();
    assert_ne!(moved, document);
    drop(first);
    let mut second = session(&dir.path().join("runs"));
    open(&mut second, AssistStart::Again(run_dir.clone()));
    assert_same(desk(&second).editor.document(), &moved);
    drag(&mut second, tile, (5.0, 9.0), PointerKeys::default());
    until_kept(&mut second);
    let moved = desk(&second).editor.document().clone();
    close(&mut second, &run_dir);
    let (run, came_to) = replayed(&run_dir);
    assert_same(&came_to, &moved);
    assert_eq!(names(&came_to), ["Home", "Detail", "Button"]);
    assert_eq!(run.manifest.settings.get(HANDS_SETTING), Some(&json!("whole_file")));
}

#[test]
fn pages_are_added_and_what_is_exported_is_of_the_page_that_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(&dir.path().join("runs"));
    open(&mut session, AssistStart::Blank(Size::new(40.0, 30.0)));
    act(&mut session, Act::Page(PageAct::Add));
    let pages = desk(&session).editor.document().pages();
    assert_eq!(pages.len(), 2);
    let write = |session: &mut Session, format: ExportFormat, name: &str| {
        let path = dir.path().join(name);
        files(session, FilesCommand::Write { format, path: path.clone() });
        path
    };
    let png = ExportFormat::Png { scale: 1 };
    let path = write(&mut session, png, "nothing.png");
    let last = session.state().notices.last().unwrap().text.clone();
    assert!(last.starts_with("Nothing lies on this page") && !path.exists(), "{last}");
    for x in [10.0, 90.0] {
        let [from, to] = [(x, 10.0), (x + 20.0, 30.0)].map(|(x, y)| Point::new(x, y));
        let keys = PointerKeys::default();
        act(&mut session, Act::Take(Tool::Rectangle));
        act(&mut session, Act::Pointer(PointerAct::Press(pointer(from, keys))));
        act(&mut session, Act::Pointer(PointerAct::Move(pointer(to, keys))));
        act(&mut session, Act::Pointer(PointerAct::Release(pointer(to, keys))));
    }
    act(&mut session, Act::Select(SelectAct::None));
    for (page, name, size) in [(0, "page.png", (100, 20)), (-1, "screen.png", (40, 30))] {
        act(&mut session, Act::Page(PageAct::ShowBy(page)));
        let path = write(&mut session, png, name);
        until(&mut session, "it is written", |_| path.is_file());
        assert_eq!(image::image_dimensions(&path).unwrap(), size, "{name}");
    }
    let path = write(&mut session, ExportFormat::Json, "design.json");
    until(&mut session, "it is written", |_| path.is_file());
    let document = desk(&session).editor.document().clone();
    let run_dir = until_kept(&mut session);
    close(&mut session, &run_dir);
    assert_same(&replayed(&run_dir).1, &document);
    open(&mut session, AssistStart::File(path));
    assert_eq!(desk(&session).editor.document().pages(), pages);
    assert_eq!(desk(&session).editor.document().len(), document.len());
}

#[test]
fn layers_are_exported_into_a_folder_as_their_rows_say_and_nothing_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(&dir.path().join("runs"));
    open(&mut session, AssistStart::Blank(Size::new(40.0, 30.0)));
    let folder = dir.path().join("files");
    std::fs::create_dir(&folder).unwrap();
    files(&mut session, FilesCommand::ExportLayers(folder.clone()));
    let last = |session: &Session| session.state().notices.last().unwrap().text.clone();
    assert!(last(&session).starts_with("There is nothing to export"), "{}", last(&session));
    // Without a selection the screen is what gets rows and is exported.
    for format in ExportFileFormat::ALL {
        act(&mut session, Act::Property(PropertyAct::Export(ExportAct::Add)));
        let at = desk(&session).editor.document().main_frame().unwrap().export_settings.len() - 1;
        let (suffix, size) = (String::new(), ExportSize::Scale(1.0));
        let setting = ExportSetting { suffix, format, size };
        act(&mut session, Act::Property(PropertyAct::Export(ExportAct::Set { at, setting })));
    }
    for round in 1..=2 {
        files(&mut session, FilesCommand::ExportLayers(folder.clone()));
        until(&mut session, "they are written", |state| {
            let jobs = state.jobs.by_id.values();
            let exports = jobs.filter(|job| job.label.starts_with("exporting 4 files"));
            exports.filter(|job| job.outcome == Some(JobOutcome::Done)).count() == round
        });
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4 * round);
    }
    let name = desk(&session).editor.document().main_frame().unwrap().name.clone();
    for (end, head) in [
        (".png", b"\x89PNG".as_slice()),
        (" (2).png", b"\x89PNG"),
        (".jpg", b"\xff\xd8"),
        (".svg", b"<svg"),
        (".pdf", b"%PDF-"),
    ] {
        let bytes = std::fs::read(folder.join(format!("{name}{end}"))).unwrap();
        assert!(bytes.starts_with(head), "{end}");
    }
    let gone = dir.path().join("gone");
    files(&mut session, FilesCommand::ExportLayers(gone));
    until(&mut session, "it is said why not", |state| {
        let file = format!("{name}.png");
        let mut told = state.notices.iter().map(|notice| &notice.text);
        told.any(|text| text.contains("4 of 4 files were not written") && text.contains(&file))
    });
    let run_dir = until_kept(&mut session);
    let document = desk(&session).editor.document().clone();
    close(&mut session, &run_dir);
    assert_same(&replayed(&run_dir).1, &document);
}

#[test]
fn a_design_is_handed_back_as_the_start_of_an_agents_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    open(&mut session, task("settings-dark"));
    files(&mut session, FilesCommand::HandBack);
    assert_eq!(session.state().overlay, None, "nothing was done yet");
    let mut dice = Dice(9);
    for _ in 0..5 {
        random_act(&mut session, &mut dice);
    }
    let run_dir = until_kept(&mut session);
    let document = desk(&session).editor.document().clone();
    files(&mut session, FilesCommand::HandBack);
    until(&mut session, "the dialog is open", |state| state.overlay == Some(Overlay::Launch));
    let launch = &session.state().launch;
    let start_run: StartRun = launch.options.start_run.clone().unwrap();
    let by_hand = reader::open(&run_dir).unwrap();
    assert_eq!((&start_run.path, &start_run.run), (&run_dir, &by_hand.manifest.id));
    assert_eq!(start_run.step as usize, by_hand.steps.len());
    assert_eq!(launch.options.start_design, None);
    let said = views::launched_start(session.state()).unwrap();
    let behind = format!("goes on with your design behind step {}: ", start_run.step);
    assert!(said.contains(&behind), "{said}");
    let task_ref = TaskRef { set: "own-samples".to_owned(), id: "settings-dark".to_owned() };
    assert_eq!(launch.tasks.iter().collect::<Vec<_>>(), [&task_ref]);
    let task = session.state().library.shared_task(&task_ref).unwrap().clone();
    let settings = launch.options.run_settings();
    assert_eq!(RunSettings::from_json(&settings.to_json()).unwrap(), settings);
    let prepared =
        PreparedTask::new(&task, &settings, &PictureSource::default(), &open_environment).unwrap();
    let canvas = prepared.open(&open_environment).unwrap();
    assert_same(&canvas.design().unwrap(), &document);
    // The agent is told of all that was done; of what no tool does, not as of a tool.
    let calls = by_hand.steps.iter().filter_map(|step| step.call.as_ref());
    assert_eq!(prepared.continued.as_ref().unwrap().calls.len(), calls.count());
    let instruction = prepared.instruction(&task);
    assert!(instruction.starts_with(&task.instruction) && instruction.contains("before you"));
    assert!(!instruction.contains(APPLY_EDIT), "{instruction}");
    let agent = by_hand.manifest.agent.clone();
    let manifest = prepared.manifest(task_ref, agent, settings.to_json());
    let parent = manifest.parent.unwrap();
    assert_eq!((parent.run, parent.step), (start_run.run, start_run.step));
}

/// Runs that were handed a design before there were runs to go on with name its file.
#[test]
fn a_design_in_a_file_is_still_what_a_run_begins_with() {
    let dir = tempfile::tempdir().unwrap();
    let opened = pentimento::task::open(Path::new(SAMPLES)).unwrap();
    let mut tasks = opened.sets.iter().flat_map(|(set, _)| &set.tasks);
    let task = tasks.find(|task| task.id == "settings-dark").unwrap();
    let path = dir.path().join("handed-over-3.json");
    let place = json!({"x": 0, "y": 0, "width": 100, "height": 100});
    let mark =
        json!({"id": "1:2", "type": "RECTANGLE", "name": "Mark", "absoluteBoundingBox": place});
    let file = json!({"document": {
        "id": "1:1", "type": "FRAME", "name": "Page", "absoluteBoundingBox": place, "children": [mark],
    }});
    std::fs::write(&path, file.to_string()).unwrap();
    let settings = json!({"start_design": {"path": path, "run": "by-hand-1", "step": 3}});
    let settings = RunSettings::from_json(settings.as_object().unwrap()).unwrap();
    let pictures = PictureSource::default();
    let prepared = PreparedTask::new(task, &settings, &pictures, &open_environment).unwrap();
    let design = prepared.open(&open_environment).unwrap().design().unwrap();
    assert!(design.iter_depth_first().any(|node| node.name == "Mark"));
    let task_ref = TaskRef { set: "own-samples".to_owned(), id: task.id.clone() };
    let agent = AgentRef { kind: "tracer".to_owned(), name: "tracer".to_owned(), version: None };
    let manifest = prepared.manifest(task_ref, agent, settings.to_json());
    assert_eq!(manifest.parent.map(|of| (of.run, of.step)), Some(("by-hand-1".to_owned(), 3)));
    // A task without its start does not begin with another silently.
    std::fs::remove_file(&path).unwrap();
    let error = PreparedTask::new(task, &settings, &pictures, &open_environment);
    assert!(error.unwrap_err().to_string().contains("handed-over-3.json"));
}

#[test]
fn earlier_designs_are_offered_and_those_at_work_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    open(&mut session, task("timer-shape"));
    let mut dice = Dice(10);
    for _ in 0..4 {
        random_act(&mut session, &mut dice);
    }
    let run_dir = until_kept(&mut session);
    assert_eq!(session.state().earlier_designs(), []);
    close(&mut session, &run_dir);
    until(&mut session, "the library knows that it is over", |state| {
        state.library.runs.values().any(|run| run.dir == run_dir && run.state == RunState::Finished)
    });
    let designs = session.state().earlier_designs();
    assert_eq!(designs.len(), 1, "{designs:?}");
    assert!(!designs[0].is_broken_off && designs[0].title == "timer-shape");
    open(&mut session, designs[0].start.clone());
    assert_eq!(desk(&session).title, "timer-shape");
}
