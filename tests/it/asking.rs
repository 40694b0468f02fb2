//! Scores that models behind endpoints are asked for: nobody is asked unless somebody says so.

use std::path::Path;
use std::time::Duration;

use pentimento::app::Session;
use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::{MissingScore, Needs, Score, VariantSpec};
use pentimento::model::endpoint::{EndpointSettings, Prices};
use pentimento::workbench::{
    AnnotateCommand, AskCommand, AskEstimate, AskScope, Cell, Column, Command, ExploreCommand,
    Fetched, InspectorTab, JobKind, JobOutcome, Overlay, PanelWindow, PlaybackCommand, Request,
    RunId, RunsCommand, RunsTarget, ScoresCommand, Settings, State, Variants, WindowsCommand,
    Workspace, handle,
};
use pentimento::worker::WorkerConfig;

use crate::meaning::server::{Server, response, says};
use crate::session::{is_idle, until};

const ORIGINALITY: &str = "originality/maker-eye-1";
const CAPTIONS: &str = "caption_similarity/canvas";
const RUNS: [&str; 2] = ["quiz-progress", "settings-dark"];

/// Two runs of samples, measured by models that this server answers for; scores are kept in `dir`.
fn opened(server: &Server, dir: &Path) -> Session {
    let prices = Prices { input: 1.0, output: 2.0, cached_input: None, cache_writes: None };
    let endpoint = EndpointSettings { prices: Some(prices), ..server.settings() };
    let models = serde_json::json!({ "judge": endpoint, "captioner": endpoint });
    let file = dir.join("models.json");
    std::fs::write(&file, models.to_string()).unwrap();
    let state = State::new(Settings::default(), dir.join("runs"));
    let workspace = Some(dir.join("workspace.sqlite"));
    let config = WorkerConfig { workspace, ..WorkerConfig::default() };
    let mut session = Session::start(state, config, || {}).unwrap();
    session.carry_out(Command::Scores(ScoresCommand::UseModels(Some(file))));
    until(&mut session, "the models are known", |state| state.variants.get(ORIGINALITY).is_some());
    // Beside its own runs a set is listed with those two alone.
    let (samples, set) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs"), dir.join("set"));
    if !set.exists() {
        let runs = set.join("runs/own-samples");
        std::fs::create_dir_all(&runs).unwrap();
        let parts =
            ["modification", "replication", "taskset.json"].map(|part| (samples.join(part), &set));
        let of_runs = RUNS.map(|task| (samples.join("runs/own-samples").join(task), &runs));
        for (from, into) in parts.into_iter().chain(of_runs) {
            let copied = std::process::Command::new("cp").arg("-r").arg(from).arg(into).status();
            assert!(copied.unwrap().success());
        }
    }
    session.carry_out(Command::Open(vec![set.join("taskset.json")]));
    until(&mut session, "the runs are listed", |state| state.library.runs.len() == RUNS.len());
    settle(&mut session);
    session
}

/// Until nothing is under way, and a little longer: what is wanted follows from what came.
fn settle(session: &mut Session) {
    until(session, "all is idle", is_idle);
    while session.take_next_event(Duration::from_millis(100)) {}
    until(session, "all is idle still", is_idle);
}

fn runs(session: &Session) -> Vec<RunId> {
    session.state().library.runs.keys().copied().collect()
}

fn last(session: &Session, run: RunId, variant: &str) -> Option<Score> {
    session.state().library.runs[&run].last_score_by(variant).cloned()
}

fn explore(session: &mut Session) {
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
}

#[test]
fn stepping_and_ticking_a_column_ask_no_model() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("4")]);
    let mut session = opened(&server, dir.path());
    let run = runs(&session)[0];
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    for tab in [InspectorTab::Step, InspectorTab::Scores] {
        session.carry_out(Command::ShowInspector(tab));
        session.carry_out(Command::Playback(PlaybackCommand::Step(1)));
        settle(&mut session);
    }
    let curves = &session.state().library.runs[&run].curves;
    let not_asked = Score::Missing(MissingScore::NotAsked);
    for variant in [ORIGINALITY, CAPTIONS] {
        assert_eq!(curves.get(variant, 1), Some(&not_asked), "{variant}");
    }
    // As a curve, too, which is of every step.
    session.carry_out(Command::Scores(ScoresCommand::Choose(ORIGINALITY.into())));
    settle(&mut session);
    explore(&mut session);
    for variant in [ORIGINALITY, CAPTIONS] {
        let column = Column::Score(variant.into());
        session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column.clone())));
        settle(&mut session);
        for run in runs(&session) {
            assert_eq!(last(&session, run, variant), Some(not_asked.clone()), "{variant}");
            let words = session.state().explore.table.cell(run, &column);
            assert!(format!("{words:?}").contains("not asked yet"), "{words:?}");
        }
    }
    assert!(server.asked().is_empty(), "{} requests went out unasked", server.asked().len());
}

fn ask(session: &mut Session, command: AskCommand) {
    session.carry_out(Command::Ask(command));
}

/// What the dialog says that it would cost.
fn estimate(session: &mut Session) -> AskEstimate {
    settle(session);
    let key = session.state().ask_estimate_key().expect("something is left to ask");
    match session.state().derived.ask_estimates.get(&key) {
        Some(Fetched::Ready(estimate)) => **estimate,
        other => panic!("{other:?}"),
    }
}

#[test]
fn asking_says_how_much_it_is_fills_the_column_and_is_paid_for_once() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("4")]);
    let mut session = opened(&server, dir.path());
    let column = Column::Score(ORIGINALITY.into());
    explore(&mut session);
    session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column.clone())));
    settle(&mut session);
    ask(&mut session, AskCommand::Open);
    assert_eq!(session.state().overlay, Some(Overlay::Ask));
    assert_eq!(session.state().ask_scope(), AskScope::Listed);
    // Of the two scales and the captions, that which has a column.
    let chosen: Vec<&str> = session.state().asking.variants.iter().map(|id| &**id).collect();
    assert_eq!(chosen, [ORIGINALITY]);
    let said = estimate(&mut session);
    assert_eq!((said.questions, said.looked_at), (2, (2, 2)));
    assert!(said.expected_usd.unwrap() > 0.0 && said.most_usd > said.expected_usd, "{said:?}");
    assert!(server.asked().is_empty(), "nothing is sent to say what it costs");
    ask(&mut session, AskCommand::Start);
    assert_eq!(session.state().overlay, None);
    settle(&mut session);
    assert_eq!(server.asked().len(), 2);
    for run in runs(&session) {
        assert_eq!(last(&session, run, ORIGINALITY), Some(Score::Value(4.0)));
        assert_eq!(session.state().explore.table.cell(run, &column), Some(&Cell::Number(4.0)));
    }
    assert!(session.state().asked_runs().is_empty(), "all of it is answered");
    let kept: Vec<_> = std::fs::read_dir(dir.path().join("workspace.answers")).unwrap().collect();
    assert!(!kept.is_empty(), "the answers lie beside the scores");
    drop(session);
    // The next time they are known.
    let mut session = opened(&server, dir.path());
    explore(&mut session);
    session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column)));
    settle(&mut session);
    for run in runs(&session) {
        assert_eq!(last(&session, run, ORIGINALITY), Some(Score::Value(4.0)));
    }
    assert_eq!(server.asked().len(), 2, "nobody is asked twice");
}

#[test]
fn captions_of_a_step_are_asked_for_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("A quiz.")]);
    let mut session = opened(&server, dir.path());
    let run = runs(&session)[0];
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    session.carry_out(Command::Playback(PlaybackCommand::Step(1)));
    session.carry_out(Command::ShowInspector(InspectorTab::Scores));
    settle(&mut session);
    ask(&mut session, AskCommand::Open);
    let judged: Vec<_> = session.state().asked_variants().map(|it| it.id.clone()).collect();
    for variant in judged.into_iter().filter(|id| !id.starts_with("caption")) {
        ask(&mut session, AskCommand::Toggle(variant));
    }
    assert_eq!(estimate(&mut session).questions, 2, "both sides");
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    assert_eq!(server.asked().len(), 2);
    let curves = &session.state().library.runs[&run].curves;
    assert_eq!(curves.get(CAPTIONS, 1), Some(&Score::Value(1.0)));
    let not_asked = Score::Missing(MissingScore::NotAsked);
    assert_eq!(curves.get(ORIGINALITY, 1), Some(&not_asked), "only what was ticked");
}

#[test]
fn what_nobody_answers_says_why_ends_soon_and_is_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[response("400 Bad Request", "", "")]);
    let mut session = opened(&server, dir.path());
    let mut all = session.state().library.runs.iter();
    let run = *all.find(|(_, run)| run.dir.ends_with("settings-dark/scripted-01")).unwrap().0;
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    settle(&mut session);
    ask(&mut session, AskCommand::Open);
    let others: Vec<_> = session.state().asked_variants().map(|it| it.id.clone()).collect();
    for variant in others.into_iter().filter(|id| *id != ORIGINALITY) {
        ask(&mut session, AskCommand::Toggle(variant));
    }
    ask(&mut session, AskCommand::Scope(AskScope::Run));
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    assert_eq!(server.asked().len(), 5, "a run has more steps than are asked about in vain");
    let mut jobs = session.state().jobs.by_id.values();
    let job = jobs.find(|job| job.kind == JobKind::Ask).unwrap();
    let Some(JobOutcome::Failed(why)) = &job.outcome else { panic!("{job:?}") };
    assert!(why.contains("5 questions in a row") && why.contains("400"), "{why}");
    let first = session.state().library.runs[&run].curves.get(ORIGINALITY, 0);
    assert!(
        matches!(first, Some(Score::Missing(MissingScore::NoJudgement(why))) if why.contains("400")),
        "{first:?}"
    );
    let again = session.state().asked_runs();
    assert!(again[0].steps.contains(&0), "it can be asked for again: {again:?}");
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("five of six"), says("4")]);
    let mut session = opened(&server, dir.path());
    let run = runs(&session)[0];
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    session.carry_out(Command::Playback(PlaybackCommand::Step(1)));
    settle(&mut session);
    ask(&mut session, AskCommand::Open);
    let others: Vec<_> = session.state().asked_variants().map(|it| it.id.clone()).collect();
    for variant in others.into_iter().filter(|id| *id != ORIGINALITY) {
        ask(&mut session, AskCommand::Toggle(variant));
    }
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    let first = session.state().library.runs[&run].curves.get(ORIGINALITY, 1).cloned();
    assert!(
        matches!(first, Some(Score::Missing(MissingScore::NoJudgement(_)))),
        "it says why: {first:?}"
    );
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    let again = session.state().library.runs[&run].curves.get(ORIGINALITY, 1);
    assert_eq!((again, server.asked().len()), (Some(&Score::Value(4.0)), 2));
}

/// Runs that a judge may be asked about, without a worker.
fn judged() -> State {
    let (mut state, _) = crate::workbench::opened();
    let ssim = Variants::default().get(PrimaryMetric::Similarity.variant()).unwrap().clone();
    let judged = VariantSpec {
        id: "originality/eye".into(),
        needs: Needs::Instruction,
        is_asked: true,
        map_range: None,
        ..ssim.clone()
    };
    state.variants = Variants::new([ssim, judged]);
    state
}

#[test]
fn what_is_asked_about_is_what_the_room_and_the_windows_of_panels_show() {
    let mut state = judged();
    let scopes = |state: &State| state.ask_scopes().collect::<Vec<_>>();
    assert_eq!(scopes(&state), [AskScope::Step, AskScope::Run]);
    for (panel, shown) in [
        (PanelWindow::Explore, &[AskScope::Step, AskScope::Run, AskScope::Listed][..]),
        (PanelWindow::Explore, &[AskScope::Step, AskScope::Run]),
    ] {
        drop(handle(&mut state, Command::Windows(WindowsCommand::Toggle(panel))));
        assert_eq!(scopes(&state), shown);
    }
    let show = |room| Command::Annotate(AnnotateCommand::Show(room));
    drop(handle(&mut state, show(Workspace::Explore)));
    assert_eq!(scopes(&state), [AskScope::Listed]);
    drop(handle(&mut state, Command::Windows(WindowsCommand::Toggle(PanelWindow::Inspector))));
    assert_eq!(scopes(&state), [AskScope::Listed, AskScope::Step, AskScope::Run]);
    drop(handle(&mut state, Command::Ask(AskCommand::Open)));
    assert_eq!(state.ask_scope(), AskScope::Listed);
    let runs: Vec<u32> = state.asked_runs().iter().map(|asked| asked.run.0).collect();
    assert_eq!(runs, [0, 1, 2], "the live one is left until it has ended");
    drop(handle(&mut state, Command::CloseOverlay));

    drop(handle(&mut state, show(Workspace::Assist)));
    assert_eq!(scopes(&state), [AskScope::Step, AskScope::Run], "the inspector is seen there");
    drop(handle(&mut state, Command::Windows(WindowsCommand::DockAll)));
    assert!(scopes(&state).is_empty() && !state.can_ask());
    drop(handle(&mut state, Command::Ask(AskCommand::Open)));
    assert_eq!(state.overlay, None);
}

#[test]
fn questions_are_one_job_that_is_paused_and_stopped() {
    let mut state = judged();
    crate::workbench::load(&mut state, 0, 10, false);
    drop(handle(&mut state, Command::Ask(AskCommand::Open)));
    assert_eq!(state.overlay, Some(Overlay::Ask));
    let requests = handle(&mut state, Command::Ask(AskCommand::Start));
    let sent = requests.iter().find_map(|request| match request {
        Request::Ask { job, runs } => Some((*job, runs.clone())),
        _ => None,
    });
    let (job, runs) = sent.unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].asked.steps, [state.selection.step]);
    assert_eq!(runs[0].asked.variants, ["originality/eye"]);
    let twice = handle(&mut state, Command::Ask(AskCommand::Start));
    assert!(!twice.iter().any(|request| matches!(request, Request::Ask { .. })));
    assert!(state.notices.last().unwrap().text.contains("on their way"));
    let pause = Command::Runs(RunsCommand::Pause(RunsTarget::Job(job)));
    let paused = handle(&mut state, pause);
    assert!(paused.iter().any(|request| matches!(request, Request::Pause(it) if *it == job)));
    let stopped = handle(&mut state, Command::CancelJob(job));
    assert!(stopped.iter().any(|request| matches!(request, Request::Cancel(it) if *it == job)));
}
