//! Scores that models behind endpoints are asked for: nobody is asked unless somebody says so.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentimento::agent::planner::RulePlanner;
use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::{CpuPool, PictureSource};
use pentimento::app::Session;
use pentimento::base::{CancelToken, Pixels};
use pentimento::environment::open_environment;
use pentimento::evaluate::{ComparedSide, ComparedTask, PrimaryMetric, Scorer, Wanted};
use pentimento::metric::constraint::Query;
use pentimento::metric::judging::{
    Creativity, DesignPassMetric, Judge, JudgeForm, JudgeQuestion, VqaMetric,
};
use pentimento::metric::plan::PlanRow;
use pentimento::metric::{MissingScore, Needs, Registry, Score, VariantSpec};
use pentimento::model::endpoint::{EndpointSettings, Prices};
use pentimento::run::RunPlan;
use pentimento::run::recorder::Durability;
use pentimento::store::{ScoreKey, Store};
use pentimento::task::{self, DesignBrief, Task};
use pentimento::workbench::{
    AnnotateCommand, AskCommand, AskEstimate, AskScope, Cell, Column, Command, ExploreCommand,
    Fetched, InspectorTab, JobKind, JobOutcome, Overlay, PanelWindow, PlaybackCommand, Request,
    RunId, RunsCommand, RunsTarget, ScoresCommand, Settings, State, Variants, WindowsCommand,
    Workspace, handle,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Map, Value, json};

use crate::meaning::server::{Server, response, says};
use crate::session::{is_idle, until};

const ORIGINALITY: &str = "originality/maker-eye-1";
const CAPTIONS: &str = "caption_similarity/canvas";
const VQA: &str = "vqa/maker-eye-1";
const DESIGN_PASS: &str = "design_pass/maker-eye-1";
const RUNS: [&str; 2] = ["quiz-progress", "settings-dark"];

/// A window without runs that measures by models that this server answers for; scores are kept in `dir`.
fn measuring(server: &Server, dir: &Path) -> Session {
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
    session
}

/// The same with two runs of samples.
fn opened(server: &Server, dir: &Path) -> Session {
    let mut session = measuring(server, dir);
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

/// The same with a query of GraphicBench, two questions about its result, and the run of a plan at it.
fn planned(server: &Server, dir: &Path) -> (Session, PathBuf) {
    let mut session = measuring(server, dir);
    let queries = dir.join("queries");
    std::fs::create_dir_all(queries.join("questions")).unwrap();
    let words = "A poster of the night sky.";
    let query = json!({"id": 1, "type": "poster", "user_query": words, "images": [],
        "design_components": {"background_color": "teal", "visual": {},
            "text": {"title": {"content": "Night sky", "size": "huge", "color": "white"}}}});
    let questions = json!({"id": 1, "design": "poster", "user_query": words,
        "questions": ["Is there a title?", "Is it red?"]});
    std::fs::write(queries.join("test.jsonl"), query.to_string()).unwrap();
    std::fs::write(queries.join("questions/poster.jsonl"), questions.to_string()).unwrap();
    let task = Arc::clone(&task::open(&queries).unwrap().sets[0].0.tasks[0]);
    let of_task = queries.join("runs/graphicbench-test/poster-1");
    std::fs::create_dir_all(&of_task).unwrap();
    let run = of_task.join("rules-01");
    let attempt = Attempt {
        set: "graphicbench-test",
        task: &task,
        limits: RunLimits { max_turns: 100, ..RunLimits::default() },
        settings: Map::new(),
        dir: &run,
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::NoFsync,
        cpu: &CpuPool::default(),
    };
    run_task(&attempt, &mut RulePlanner::new(), &CancelToken::new(), &mut NoObserver).unwrap();
    session.carry_out(Command::Open(vec![queries]));
    until(&mut session, "the run is listed", |state| state.library.runs.len() == 1);
    settle(&mut session);
    (session, run)
}

#[test]
fn questions_of_a_task_and_plans_of_runs_are_asked_about_and_fill_columns_and_filters() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&["Yes", "No", "5", "4", "3"].map(says));
    let (mut session, dir_of_run) = planned(&server, dir.path());
    let run = runs(&session)[0];
    explore(&mut session);
    let columns = [VQA, DESIGN_PASS].map(|id| Column::Score(id.into()));
    for column in &columns {
        session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column.clone())));
    }
    settle(&mut session);
    for column in &columns {
        let words = session.state().explore.table.cell(run, column);
        assert!(format!("{words:?}").contains("not asked yet"), "{words:?}");
    }
    ask(&mut session, AskCommand::Open);
    assert_eq!(estimate(&mut session).questions, 5, "two about the picture, three about the plan");
    assert!(server.asked().is_empty(), "nothing is sent to say what it costs");
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    assert_eq!(server.asked().len(), 5);
    let expected = [
        (VQA, 50.0),
        ("vqa_parsed/maker-eye-1", 50.0),
        (DESIGN_PASS, 12.0 / 15.0),
        ("design_color/maker-eye-1", 5.0),
        ("design_image/maker-eye-1", 3.0),
    ];
    for (id, value) in expected {
        assert_eq!(last(&session, run, id), Some(Score::Value(value)), "{id}");
    }
    assert_eq!(session.state().explore.table.cell(run, &columns[0]), Some(&Cell::Number(50.0)));
    for (filter, shown) in [("vqa>=50 design_pass>=0.5", vec![run]), ("vqa>50", Vec::new())] {
        session.carry_out(Command::Explore(ExploreCommand::SetFilter(filter.to_owned())));
        settle(&mut session);
        assert_eq!(session.state().explore.table.shown, shown, "{filter}");
    }
    // The command line gives the same numbers for the same answers, which are kept.
    let answers = dir.path().join("workspace.answers");
    assert!(std::fs::read_dir(&answers).unwrap().next().is_some());
    let models = dir.path().join("kept.json");
    let named = json!({ "judge": server.settings(), "answers_folder": answers });
    std::fs::write(&models, named.to_string()).unwrap();
    let mut command = crate::cli::program();
    command.arg("score").arg(&dir_of_run).arg("--tasks").arg(dir.path().join("queries"));
    for (id, _) in expected {
        command.args(["--only", id]);
    }
    let output = command.arg("--models").arg(&models).arg("--json").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let scores = found["runs"][0]["scores"].as_array().unwrap();
    for (id, value) in expected {
        let score = scores.iter().find(|score| score["id"] == id).unwrap();
        assert_eq!(score["value"], value, "{id}");
    }
    assert_eq!(server.asked().len(), 5, "nobody is asked twice");
    let mut command = crate::cli::program();
    command.args(["report", "tables", "--only", "graphicbench-9"]).arg(&dir_of_run);
    command.arg("--tasks").arg(dir.path().join("queries")).arg("--models").arg(&models);
    let output = command.output().unwrap();
    let table = crate::cli::stdout(&output);
    assert!(output.status.success() && table.contains("0.800"), "{table}");
    let mut more = server.asked().into_iter().skip(5).map(|asked| asked.body.to_string());
    assert!(more.all(|body| body.contains("image_url")), "no plan is asked about again");
}

#[test]
fn a_plan_is_asked_about_once_for_all_steps_of_its_run() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("4")]);
    let (mut session, _) = planned(&server, dir.path());
    let run = runs(&session)[0];
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    settle(&mut session);
    ask(&mut session, AskCommand::Open);
    let others: Vec<_> = session.state().asked_variants().map(|it| it.id.clone()).collect();
    for variant in others.into_iter().filter(|id| !id.starts_with("design_")) {
        ask(&mut session, AskCommand::Toggle(variant));
    }
    ask(&mut session, AskCommand::Scope(AskScope::Run));
    assert_eq!(estimate(&mut session).questions, 3);
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    assert_eq!(server.asked().len(), 3);
    let entry = &session.state().library.runs[&run];
    assert!(entry.steps > 1, "{}", entry.steps);
    for step in 0..=entry.steps {
        let score = entry.curves.get(DESIGN_PASS, step);
        assert_eq!(score, Some(&Score::Value(0.8)), "step {step}");
    }
    assert!(session.state().asked_runs().is_empty(), "all of it is answered");
}

#[test]
fn a_task_without_questions_and_a_run_without_a_plan_say_so_and_are_not_asked_about() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("4")]);
    let mut session = opened(&server, dir.path());
    explore(&mut session);
    for id in [VQA, DESIGN_PASS] {
        let column = Column::Score(id.into());
        session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column)));
    }
    settle(&mut session);
    for run in runs(&session) {
        let missing = [VQA, DESIGN_PASS].map(|id| last(&session, run, id));
        let [Some(Score::Missing(questions)), Some(Score::Missing(plan))] = &missing else {
            panic!("{missing:?}")
        };
        assert_eq!([questions.reason(), plan.reason()], ["no_questions", "no_plan"]);
    }
    ask(&mut session, AskCommand::Open);
    ask(&mut session, AskCommand::Start);
    settle(&mut session);
    assert!(server.asked().is_empty(), "{} requests went out", server.asked().len());
}

/// Says the same whatever it is asked, and remembers the forms.
#[derive(Debug, Default)]
struct Agreeing(Mutex<Vec<JudgeForm>>);

impl Judge for Agreeing {
    fn name(&self) -> &'static str {
        "agreeing"
    }

    fn fingerprint(&self) -> Option<String> {
        Some("one".to_owned())
    }

    fn answer(
        &self,
        question: &JudgeQuestion<'_>,
        _: &CancelToken,
    ) -> Result<String, MissingScore> {
        self.0.lock().unwrap().push(question.form);
        Ok(if question.form == JudgeForm::Vqa { "yes" } else { "5" }.to_owned())
    }
}

#[test]
fn an_answer_is_kept_by_the_questions_or_the_plan_and_that_of_other_metrics_as_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("workspace.sqlite");
    let agreeing = Arc::new(Agreeing::default());
    let judge: Arc<dyn Judge> = agreeing.clone();
    let [originality, _] = Creativity::both(&judge);
    let registry = Registry::built_in()
        .with(Arc::new(originality))
        .with(Arc::new(VqaMetric::new(Ok(Arc::clone(&judge)))))
        .with(Arc::new(DesignPassMetric::new(Ok(judge))));
    let scorer = Scorer::new(registry, Some(path.clone()));
    let task = |questions: &[&str]| {
        let questions = questions.iter().map(|&it| it.to_owned()).collect();
        let brief = DesignBrief { query: Query::default(), questions };
        let task = Task::of_query("poster-1".to_owned(), "A sea.".to_owned(), Query::default());
        let task = Task { brief: Some(Arc::new(brief)), ..task };
        ComparedTask::load(&task, &open_environment).unwrap().unwrap()
    };
    let made = |side: u32, step: &str| {
        let row = json!({"design_choices": {"background_color": "teal"},
            "final_workflow": [{"expert": "Photo Editor", "description": step}]});
        ComparedSide {
            picture: Some(Pixels::filled(side, side, [9; 4]).unwrap()),
            plan: Some(Arc::new(RunPlan::new(PlanRow::read(row.as_object().unwrap())))),
            ..ComparedSide::default()
        }
    };
    // A score of before questions and plans were asked about, under the key that it always had.
    let (first, plain) = (made(9, "Open it"), task(&["Is it blue?"]));
    let known = scorer.registry().variant("originality/agreeing").unwrap();
    let key = ScoreKey::new(plain.hash(&first), first.hash(), known).going_by(Some("one"));
    Store::open(&path).unwrap().put_scores(&[(key, Score::Value(2.0))]).unwrap();
    let asked = |questions: &[&str], made: &ComparedSide| {
        let ids = ["originality/agreeing", "vqa/agreeing", "design_pass/agreeing"];
        let wanted = Wanted { variants: Some(&ids), map: None };
        let never = CancelToken::new();
        scorer.score(&task(questions), made, wanted, &never, |_| ()).unwrap();
        let forms = std::mem::take(&mut *agreeing.0.lock().unwrap());
        let count = |form| forms.iter().filter(|it| **it == form).count();
        [JudgeForm::Originality, JudgeForm::Vqa, JudgeForm::DesignColor].map(count)
    };
    assert_eq!(asked(&["Is it blue?"], &first), [0, 1, 1], "that of before counts");
    assert_eq!(asked(&["Is it blue?"], &first), [0, 0, 0], "all is kept");
    assert_eq!(asked(&["Is it red?"], &first), [0, 1, 0], "another question");
    assert_eq!(asked(&["Is it blue?", "Is it red?"], &first), [0, 2, 0], "one more");
    assert_eq!(asked(&["Is it blue?"], &made(9, "Save it")), [0, 0, 1], "another plan");
    assert_eq!(asked(&["Is it blue?"], &made(8, "Open it")), [1, 1, 0], "another picture");
    assert_eq!(scorer.take_problem(), None);
}
