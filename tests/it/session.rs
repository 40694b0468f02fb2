//! State and worker together, without a window: what a person sees of real runs, in the end.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::App as _;
use pentimento::agent::AgentKind;
use pentimento::app::{App, Session, WindowOptions};
use pentimento::base::Variables;
use pentimento::environment::Environments;
use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::Score;
use pentimento::run::TaskRef;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    AnnotateCommand, Command, ExploreCommand, LaunchEdit, PlaybackCommand, RunId, RunState,
    ScoresCommand, Settings, StagePane, State, Workspace,
};
use pentimento::worker::WorkerConfig;

use super::cli::{program, stderr};
use super::shared;

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(8);

fn session(out_dir: PathBuf) -> Session {
    let state = State::new(Settings::default(), out_dir);
    Session::start(state, WorkerConfig::default(), || {}).unwrap()
}

/// Takes events until it is so; how long that took.
pub(crate) fn until(session: &mut Session, what: &str, is_so: impl Fn(&State) -> bool) -> Duration {
    let began = Instant::now();
    while !is_so(session.state()) {
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
        session.take_next_event(Duration::from_millis(50));
    }
    began.elapsed()
}

fn is_on_stage(state: &State) -> bool {
    let is_current = |pane| views::pane(state, pane).status == PaneStatus::Current;
    is_current(StagePane::Run)
        && is_current(StagePane::GroundTruth)
        && views::heat(state).status == PaneStatus::Current
}

pub(crate) fn is_idle(state: &State) -> bool {
    state.jobs.active().next().is_none()
}

#[test]
fn real_runs_open_and_every_step_gets_its_picture_and_its_score() {
    let Some(samples) = shared::path("data/canvas-samples") else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path().into());
    session.carry_out(Command::Open(vec![samples]));
    let took = until(&mut session, "the library is listed", |s| s.library.runs.len() == 69);
    println!("listed 69 runs after {took:?}");
    let took = until(&mut session, "the first run is on the stage", is_on_stage);
    println!("on the stage after another {took:?}");
    let took = until(&mut session, "all is idle", is_idle);
    println!("all scored after another {took:?}");
    let state = session.state();
    let run = state.selected_run().unwrap();
    let curve = run.curves.of(PrimaryMetric::Similarity.variant());
    assert!(!curve.is_empty());
    assert!(curve.iter().all(|score| score.as_ref().is_some_and(|s| s.value().is_some())));
    for (id, run) in &state.library.runs {
        assert!(run.last_score.is_some(), "{id:?} {}", run.dir.display());
    }
    let last = state.last_step();
    session.carry_out(Command::Playback(PlaybackCommand::Step(last / 2)));
    let took = until(&mut session, "the step is on the stage", is_on_stage);
    println!("another step after {took:?}");
}

#[test]
fn a_launched_script_is_followed_to_its_end_and_scored() {
    let Some(samples) = shared::path("data/canvas-samples/replication") else { return };
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("script.json");
    let turn = |at: u32| {
        serde_json::json!({
            "thought": format!("Box {at}."),
            "calls": [{"name": "create_rectangle", "arguments": {
                "x": 10, "y": 40 * at, "width": 200, "height": 30, "name": format!("Box {at}")
            }}],
        })
    };
    let turns: Vec<_> = (1..=6).map(turn).collect();
    std::fs::write(&script, serde_json::to_vec(&turns).unwrap()).unwrap();
    let mut session = session(dir.path().join("runs"));
    session.carry_out(Command::Open(vec![samples]));
    until(&mut session, "the library is listed", |s| !s.library.sets.is_empty());
    let set = session.state().library.sets[0].set.clone();
    let task = TaskRef { set: set.id.clone(), id: set.tasks[0].id.clone() };
    session.carry_out(Command::OpenLaunch(vec![task]));
    session.carry_out(Command::EditLaunch(LaunchEdit::Agent(AgentKind::Scripted)));
    session.carry_out(Command::EditLaunch(LaunchEdit::Script(Some(script))));
    session.carry_out(Command::Launch);
    let is_mine = |s: &State| s.selected_run().is_some_and(|r| r.manifest.agent.kind == "scripted");
    until(&mut session, "the new run is on the stage", is_mine);
    until(&mut session, "it ends", |s| {
        s.selected_run().is_some_and(|run| run.state == RunState::Finished)
    });
    until(&mut session, "all is idle", is_idle);
    let state = session.state();
    let run = state.selected_run().unwrap();
    assert_eq!((run.steps, state.selection.step), (6, 6), "it was followed: {:?}", state.notices);
    let curve = run.curves.of(PrimaryMetric::Similarity.variant());
    assert!(!curve.is_empty());
    assert!(curve.iter().all(|score| score.as_ref().is_some_and(|s| s.value().is_some())));
    let pane = views::pane(state, StagePane::Run);
    let boxes = pane.picture.unwrap().nodes.iter().filter(|node| node.name.starts_with("Box"));
    assert_eq!(boxes.count(), 6, "the nodes under the pointer are known");
    assert_ne!(state.selection.run, Some(RunId(0)));
}

#[test]
fn the_window_scores_by_the_captions_of_its_option_as_score_does() {
    const ID: &str = "caption_similarity/canvas";
    const RUN: &str = "runs/own-samples/quiz-progress/scripted-01";
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let dir = tempfile::tempdir().unwrap();
    let captions = dir.path().join("captions.json");
    let case = r#"[{"case_id": "quiz-progress-scripted", "gt_caption": "a quiz",
        "gen_caption": "a question with answers"}]"#;
    std::fs::write(&captions, case).unwrap();
    let mut score = program();
    score.arg("score").arg(samples.join(RUN)).args(["--only", ID, "--steps", "--json"]);
    let output = score.arg("--captions").arg(&captions).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let steps = printed["runs"][0]["steps"].as_array().unwrap();
    let printed: Vec<Option<f64>> = steps.iter().map(|step| step[0]["value"].as_f64()).collect();
    assert!(printed.last().unwrap().is_some_and(|last| last > 0.0 && last < 1.0), "{printed:?}");

    let ctx = egui::Context::default();
    let options = WindowOptions {
        paths: vec![samples],
        link: None,
        captions: Some(captions),
        workspace: None,
        runs: dir.path().join("runs"),
        environments: Environments::default(),
        variables: Variables::default(),
    };
    let mut app = App::new(&eframe::CreationContext::_new_kittest(ctx.clone()), options).unwrap();
    // Without the option nothing would ever be measured by captions: idle is the end of waiting too.
    frames_until(&ctx, &mut app, "the library is listed", |state| {
        let is_listed = state.library.runs.values().any(|run| run.dir.ends_with(RUN));
        is_listed && (state.variants.get(ID).is_some() || is_idle(state))
    });
    assert!(app.state().variants.get(ID).is_some(), "the option is ignored");
    let mut runs = app.state().library.runs.iter();
    let run = *runs.find(|(_, run)| run.dir.ends_with(RUN)).unwrap().0;
    app.carry_out(Command::SelectRun(run));
    app.carry_out(Command::Scores(ScoresCommand::Choose(ID.into())));
    frames_until(&ctx, &mut app, "every step is scored", |state| {
        let curve = state.library.runs[&run].curves.of(ID);
        curve.len() == printed.len() && curve.iter().all(Option::is_some)
    });
    let curve = app.state().library.runs[&run].curves.of(ID).iter().flatten();
    assert_eq!(curve.map(Score::value).collect::<Vec<_>>(), printed);
}

#[test]
fn frames_after_a_letter_find_what_follows_from_the_runs_it_leaves() {
    let dir = tempfile::tempdir().unwrap();
    let ctx = egui::Context::default();
    let options = WindowOptions {
        paths: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")],
        link: None,
        captions: None,
        workspace: None,
        runs: dir.path().join("runs"),
        environments: Environments::default(),
        variables: Variables::default(),
    };
    let mut app = App::new(&eframe::CreationContext::_new_kittest(ctx.clone()), options).unwrap();
    app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    frames_until(&ctx, &mut app, "the runs are listed", |state| {
        state.explore.table.shown.len() > 10 && is_idle(state)
    });
    let mut frame = eframe::Frame::_new_kittest();
    let mut draw = |app: &mut App| {
        app.logic(&ctx, &mut frame);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| app.ui(ui, &mut frame));
        output.textures_delta.clear();
    };
    for _ in 0..3 {
        draw(&mut app);
    }
    assert!(!app.state().explore.is_behind());
    app.carry_out(Command::Explore(ExploreCommand::SetFilter("model:tracer".to_owned())));
    assert!(app.state().explore.is_behind(), "its frame has enough to do");
    for _ in 0..2 {
        draw(&mut app);
    }
    assert!(!app.state().explore.is_behind());
    let table = &app.state().explore.table;
    let series: Vec<(&str, usize)> = table.series.iter().map(|(it, runs)| (&**it, *runs)).collect();
    assert_eq!(series, [("tracer", table.shown.len())]);
}

/// Turns the application, without drawing it, until it is so.
pub(crate) fn frames_until(
    ctx: &egui::Context,
    app: &mut App,
    what: &str,
    is_so: impl Fn(&State) -> bool,
) {
    let (mut frame, began) = (eframe::Frame::_new_kittest(), Instant::now());
    while !is_so(app.state()) {
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
        app.logic(ctx, &mut frame);
        std::thread::sleep(Duration::from_millis(10));
    }
}
