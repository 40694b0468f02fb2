//! Designs held against the queries they were made from: in scores, in the window's state, by the
//! worker, from the command line.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pentimento::agent::planner::RulePlanner;
use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::{CpuPool, PictureSource};
use pentimento::base::CancelToken;
use pentimento::design::ShownPicture;
use pentimento::environment::suite::{GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, HandOuts, ToolCall, open_environment};
use pentimento::evaluate::{
    ComparedSide, ComparedTask, RunCanvas, Scorer, Wanted, check_side, compared_step,
};
use pentimento::metric::constraint::{Aspect, Finding, Findings, Query, Verdict};
use pentimento::metric::{Measured, MissingScore, Needs, Registry, Score};
use pentimento::run::recorder::Durability;
use pentimento::run::{Run, reader};
use pentimento::task::{DesignBrief, Task};
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    CheckKey, Command, Derived, DerivedKey, Event, FindingRef, Inputs, InspectorTab, JobId,
    JobOutcome, PlaybackCommand, QueryCommand, Request, RunId, RunInput, ScoreKey, ScorePurpose,
    ScoresCommand, State, Urgency, apply, handle,
};
use pentimento::worker::{Worker, WorkerConfig};
use serde_json::{Map, Value, json};

use super::cli;
use super::workbench::{load, opened, step};

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A poster of the night sky, on a background of this colour.
fn query(background: &str) -> Query {
    let components = json!({
        "background_color": background,
        "text": {"title": {"content": "Night sky", "size": "huge", "color": "white",
            "position": "top center"}},
        "visual": {"moon": {"size": "medium", "position": "centered"}},
    });
    let images = json!([{"content": "moon", "url": "https://example.org/moon"}]);
    let (query, odd) = Query::read("poster", &components, &images);
    assert!(odd.is_empty(), "{odd:?}");
    query
}

fn task(background: &str) -> Task {
    let words = "A poster of the night sky.".to_owned();
    Task::of_query("poster-1".to_owned(), words, query(background))
}

/// The run of the rule planner on the poster.
fn planned(task: &Task, dir: &Path) -> Arc<Run> {
    let attempt = Attempt {
        set: "graphicbench-test",
        task,
        limits: RunLimits::default(),
        settings: Map::new(),
        dir,
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::NoFsync,
        cpu: &CpuPool::default(),
    };
    let mut agent = RulePlanner::new();
    run_task(&attempt, &mut agent, &CancelToken::new(), &mut NoObserver).unwrap();
    Arc::new(reader::open(dir).unwrap())
}

fn last(run: &Run) -> u32 {
    u32::try_from(run.steps.len()).unwrap()
}

fn made(run: &Arc<Run>, task: &Task, step: u32) -> ComparedSide {
    let task = Some(Arc::new(task.clone()));
    let mut canvas = RunCanvas::open(Arc::clone(run), task, &open_environment).unwrap();
    compared_step(&mut canvas, step, &CancelToken::new()).unwrap()
}

fn scored(scorer: &Scorer, task: &Task, made: &ComparedSide) -> Vec<Measured> {
    let task = ComparedTask::load(task, &open_environment).unwrap().unwrap();
    let mut all = Vec::new();
    let never = CancelToken::new();
    scorer.score(&task, made, Wanted::ALL, &never, |measured| all.extend(measured)).unwrap();
    all
}

fn value(all: &[Measured], id: &str) -> Option<f64> {
    let found = all.iter().find(|measured| measured.variant.id == id).unwrap();
    found.measurement.score.value()
}

#[test]
fn a_design_is_scored_by_its_query_at_every_step() {
    let dir = tempfile::tempdir().unwrap();
    let task = task("teal");
    let run = planned(&task, dir.path());
    let scorer = Scorer::new(Registry::built_in(), None);
    let mut shares = Vec::new();
    for step in [0, last(&run)] {
        let made = made(&run, &task, step);
        let all = scored(&scorer, &task, &made);
        let findings = check_side(&task.brief.as_ref().unwrap().query, &made).unwrap();
        assert_eq!(value(&all, "constraints/all"), findings.share(None), "step {step}");
        for aspect in Aspect::ALL {
            let id = format!("constraints/{}", aspect.word());
            assert_eq!(value(&all, &id), findings.share(Some(aspect)), "step {step}: {id}");
        }
        let ssim = all.iter().find(|it| it.variant.id == "ssim/uniform7").unwrap();
        assert!(matches!(
            ssim.measurement.score,
            Score::Missing(MissingScore::NothingToCompare(_))
        ));
        shares.push(findings.share(None));
    }
    // An empty page has nothing of it, and the plan does all that is asked.
    assert_eq!(shares, [Some(0.0), Some(1.0)]);
}

#[test]
fn a_score_of_before_is_taken_only_for_the_same_query_and_the_same_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let teal = task("teal");
    let run = planned(&teal, &dir.path().join("run"));
    let mut made = made(&run, &teal, last(&run));
    let path = dir.path().join("w.sqlite");
    let color = |task: &Task, made: &ComparedSide| {
        let scorer = Scorer::new(Registry::built_in(), Some(path.clone()));
        let all = scored(&scorer, task, made);
        assert_eq!(scorer.take_problem(), None);
        (value(&all, "constraints/color"), value(&all, "constraints/present"))
    };
    assert_eq!(color(&teal, &made), (Some(1.0), Some(1.0)));
    assert_eq!(color(&task("red"), &made), (Some(0.5), Some(1.0)), "another query");
    assert_eq!(color(&teal, &made), (Some(1.0), Some(1.0)), "as before");
    made.shown = Some(Vec::new());
    assert_eq!(color(&teal, &made), (Some(1.0), Some(0.5)), "the picture is another's");
}

fn call(suite: &mut SuiteEnvironment, expert: &str, action: &str, mut arguments: Value) {
    arguments["expert"] = json!(expert);
    let call = ToolCall { id: "1".into(), name: action.into(), arguments };
    let outcome = suite.call(&call, &CancelToken::default());
    assert!(!outcome.is_error(), "{action}: {}", outcome.text);
}

const PHOTO: &str = "Photo Editor";
const LAYOUT: &str = "Layout Designer";

/// A moon of 400 × 400 points in the photo editor's poster, its middle in the page's, saved in this
/// format and imported over all of the layout designer's page.
fn handed_over(format: &str) -> SuiteEnvironment {
    let given = ["moon", "stars"]
        .map(|name| GivenPicture { name: name.to_owned(), ..GivenPicture::default() });
    let start = SuiteStart { given: given.to_vec(), ..SuiteStart::default() };
    let mut suite = SuiteEnvironment::new(start).unwrap();
    let poster = || json!({"docType": "poster"});
    call(&mut suite, PHOTO, "CreateDocument", poster());
    let moon = json!({"fileName": "moon.png", "layerName": "Layer1"});
    call(&mut suite, PHOTO, "ImportObject", moon);
    call(&mut suite, PHOTO, "SaveDocument", json!({"fileName": "art", "format": format}));
    call(&mut suite, LAYOUT, "CreateDocument", poster());
    let art = json!({"fileName": format!("art.{format}"), "layerName": "StarsLayer"});
    call(&mut suite, LAYOUT, "ImportObject", art);
    let size = json!({"layerName": "StarsLayer", "width": 1296, "height": 1728});
    call(&mut suite, LAYOUT, "ResizeObject", size);
    suite
}

/// The boxes on the page of what shows pictures, by the pictures' names.
fn boxes(suite: &SuiteEnvironment) -> Vec<(String, [i64; 4])> {
    let design = suite.design().unwrap();
    let place = |shown: ShownPicture| {
        let place = design.absolute_box(&shown.node).unwrap();
        let part = shown.part;
        let [x, y] = [place.x + part.x * place.width, place.y + part.y * place.height];
        let [w, h] = [part.width * place.width, part.height * place.height];
        (shown.name, [x, y, w, h].map(|side| side.round() as i64))
    };
    HandOuts::shown_pictures(suite).unwrap().into_iter().map(place).collect()
}

#[test]
fn the_suite_says_where_it_shows_which_picture_whatever_the_layers_are_called() {
    let moon = vec![("moon".to_owned(), [448, 664, 400, 400])];
    for format in ["psd", "png"] {
        let mut suite = handed_over(format);
        assert_eq!(boxes(&suite), moon, "{format}");
        let hidden = json!({"docType": "poster"});
        call(&mut suite, PHOTO, "CreateDocument", hidden);
        assert_eq!(boxes(&suite), [], "a new page shows nothing");
    }
    let mut blurred = handed_over("psd");
    call(&mut blurred, PHOTO, "BlurObject", json!({"layerName": "Layer1", "blurAmount": 10}));
    assert_eq!(boxes(&blurred), moon, "what a blur adds around it does not count");
}

#[test]
fn a_run_of_pictures_of_a_screen_has_no_query_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let picture = pentimento::base::Pixels::filled(8, 8, [9, 9, 9, 255]).unwrap();
    let made = ComparedSide { picture: Some(picture.clone()), ..ComparedSide::default() };
    let path = dir.path().join("gt.png");
    picture.save_png(&path).unwrap();
    let task = Task {
        brief: None,
        given: Vec::new(),
        ground_truth: Some(pentimento::task::Artifact { document: None, picture: Some(path) }),
        ..task("teal")
    };
    let all = scored(&Scorer::new(Registry::built_in(), None), &task, &made);
    let score = |id: &str| &all.iter().find(|it| it.variant.id == id).unwrap().measurement.score;
    assert_eq!(*score("constraints/all"), Score::Missing(MissingScore::NoQuery));
    assert_eq!(score("color_difference/ciede2000").value(), Some(0.0));
}

#[test]
fn the_command_line_scores_each_step_by_the_query_of_the_plan_without_any_task_set() {
    let dir = tempfile::tempdir().unwrap();
    let run = planned(&task("teal"), &dir.path().join("run"));
    let dir = dir.path().join("run");
    let json = cli::program().arg("score").arg(&dir).args(["--steps", "--json"]).output().unwrap();
    assert!(json.status.success(), "{json:?}");
    let found: Value = serde_json::from_slice(&json.stdout).unwrap();
    let steps = found["runs"][0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), run.steps.len() + 1);
    let share = |step: &Value| {
        let all = step.as_array().unwrap().iter().find(|it| it["id"] == "constraints/all");
        all.unwrap()["value"].as_f64().unwrap()
    };
    let shares: Vec<f64> = steps.iter().map(share).collect();
    assert_eq!((shares.first(), shares.last()), (Some(&0.0), Some(&1.0)), "{shares:?}");
    let text = cli::program().arg("score").arg(&dir).output().unwrap();
    let text = cli::stdout(&text);
    assert!(text.contains("Constraints (all)") && text.contains("1.0000"), "{text}");
    assert!(text.contains("mean constraints/contrast 1.0000 over 1 run"), "{text}");
    assert_eq!(text.matches("no run has a value of ssim").count(), 1, "{text}");
    let findings = cli::program().args(["metric", "constraints"]).arg(&dir).output().unwrap();
    assert!(cli::stdout(&findings).contains("shows the picture of this name"), "{findings:?}");
}

/// The workbench with the first task asking in words, and its run of ten steps on the stage.
fn asked() -> State {
    let (mut state, _) = opened();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "login").map(Arc::make_mut).unwrap();
    task.ground_truth = None;
    let brief = DesignBrief { query: query("teal"), ..DesignBrief::default() };
    task.brief = Some(Arc::new(brief));
    load(&mut state, 0, 10, false);
    state
}

#[test]
fn scores_of_a_query_are_measured_listed_and_followed_like_any_other() {
    let mut state = asked();
    assert_eq!(state.curve_variant().unwrap().id, "constraints/all");
    let requests = handle(&mut state, Command::ShowInspector(InspectorTab::Scores));
    let table = requests.iter().find_map(|request| match request {
        Request::Derive { key: DerivedKey::Scores(key), inputs, .. }
            if key.purpose == ScorePurpose::Table =>
        {
            Some((key.variants.clone(), Arc::clone(inputs.task.as_ref().unwrap())))
        }
        _ => None,
    });
    let (variants, task) = table.unwrap();
    assert!(task.brief.is_some());
    assert!(variants.iter().any(|id| id == "constraints/contrast"));
    assert!(!variants.iter().any(|id| id == "ssim/uniform7"), "there is no ground truth");
    let rows = views::scores(&state).rows;
    assert_eq!(rows.iter().map(|row| row.variant.id.clone()).collect::<Vec<_>>(), variants);
    drop(rows);
    handle(&mut state, Command::Scores(ScoresCommand::ChooseBy(1)));
    assert_eq!(state.curve_variant().unwrap().id, "constraints/present");
    handle(&mut state, Command::Scores(ScoresCommand::ChooseBy(-9)));
    assert_eq!(state.curve_variant().unwrap().id, "constraints/all", "nothing stands before it");
}

#[test]
fn a_task_with_a_ground_truth_and_no_query_lists_no_score_of_a_query() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    state.settings.curve_variant = "constraints/all".to_owned();
    assert_eq!(state.curve_variant().unwrap().id, "ssim/uniform7");
    let rows = views::scores(&state).rows;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.variant.needs != Needs::Query));
    drop(rows);
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Query));
    assert!(
        !asked
            .iter()
            .any(|request| matches!(request, Request::Derive { key: DerivedKey::Check(_), .. }))
    );
    assert!(
        matches!(views::query(&state).status, PaneStatus::Nothing(why) if why.contains("no design query"))
    );
}

fn checks(requests: &[Request]) -> Vec<(JobId, CheckKey)> {
    let of = |request: &Request| match request {
        Request::Derive { job, key: DerivedKey::Check(key), .. } => Some((*job, *key)),
        _ => None,
    };
    requests.iter().filter_map(of).collect()
}

fn finding(component: &str, aspect: Aspect, verdict: Verdict, node: &str) -> Finding {
    Finding {
        component: component.to_owned(),
        aspect,
        asked: None,
        verdict,
        node: Some(node.into()),
        reason: "so it is".to_owned(),
    }
}

fn answers() -> Findings {
    Findings(vec![
        finding("title", Aspect::Present, Verdict::Yes, "1:1"),
        finding("title", Aspect::Position, Verdict::No, "1:1"),
        finding("title", Aspect::Position, Verdict::Yes, "1:1"),
        finding("moon", Aspect::Present, Verdict::CantSay, "1:2"),
    ])
}

#[test]
fn answers_are_asked_for_while_they_are_looked_at_and_stay_until_the_next_are_there() {
    let mut state = asked();
    step(&mut state, PlaybackCommand::Step(5));
    assert!(checks(&handle(&mut state, Command::CloseOverlay)).is_empty(), "nobody looks");
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Query));
    let key = |step| CheckKey { run: RunId(0), step };
    let [(job, at)] = checks(&asked)[..] else { panic!("{asked:?}") };
    assert_eq!((at, views::query(&state).status), (key(5), PaneStatus::Loading));
    assert!(checks(&handle(&mut state, Command::CloseOverlay)).is_empty(), "asked once");
    apply(&mut state, Event::derived(job, Ok(Arc::new(answers()))));
    apply(&mut state, Event::JobEnded(job, JobOutcome::Done));
    let view = views::query(&state);
    assert_eq!((view.status, view.step), (PaneStatus::Current, 5));
    let [title, moon] = &view.components[..] else { panic!("{view:?}") };
    assert_eq!((title.name, title.yes, title.answered, title.rows.len()), ("title", 2, 3, 3));
    assert_eq!((moon.yes, moon.answered), (0, 0));
    assert_eq!(title.rows.iter().map(|row| row.at.nth).collect::<Vec<_>>(), [0, 0, 1]);
    let asked = step(&mut state, PlaybackCommand::Step(6));
    let [(late, at)] = checks(&asked)[..] else { panic!("{asked:?}") };
    let view = views::query(&state);
    assert_eq!((view.status, view.step), (PaneStatus::Loading, 5), "the one before stays");
    let asked = step(&mut state, PlaybackCommand::Step(7));
    assert!(asked.iter().any(|request| matches!(request, Request::Cancel(job) if *job == late)));
    apply(&mut state, Event::derived(late, Ok(Arc::<Findings>::default())));
    assert!(state.ready_check(at).is_none(), "what was given up does not count");
    let [(job, _)] = checks(&asked)[..] else { panic!("{asked:?}") };
    apply(&mut state, Event::Derived { job, result: Err("no page".to_owned()) });
    assert_eq!(views::query(&state).status, PaneStatus::Failed("no page"));
    step(&mut state, PlaybackCommand::Step(5));
    assert_eq!(views::query(&state).status, PaneStatus::Current, "remembered");
}

#[test]
fn a_check_that_breaks_down_says_so_and_is_asked_for_again_with_its_run() {
    let mut state = asked();
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Query));
    let [(job, _)] = checks(&asked)[..] else { panic!("{asked:?}") };
    apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("it broke".to_owned())));
    assert_eq!(views::query(&state).status, PaneStatus::Failed("it broke"));
    assert_eq!(checks(&handle(&mut state, Command::SelectRun(RunId(0)))).len(), 1);
}

#[test]
fn answers_are_chosen_with_their_nodes_and_filtered() {
    let mut state = asked();
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Query));
    let [(job, _)] = checks(&asked)[..] else { panic!("{asked:?}") };
    apply(&mut state, Event::derived(job, Ok(Arc::new(answers()))));
    let mut send = |command| {
        handle(&mut state, Command::Query(command));
        let node = state.nodes.selected.as_ref().map(|node| node.id.to_string());
        (state.query.selected.clone().map(|at| (at.component, at.nth)), node)
    };
    let at = |component: &str, nth, node: &str| {
        (Some((component.to_owned(), nth)), Some(node.to_owned()))
    };
    assert_eq!(send(QueryCommand::SelectBy(1)), at("title", 0, "1:1"));
    assert_eq!(send(QueryCommand::SelectBy(2)), at("title", 1, "1:1"));
    assert_eq!(send(QueryCommand::SelectBy(9)), at("moon", 0, "1:2"));
    assert_eq!(send(QueryCommand::Select(None)), (None, None));
    send(QueryCommand::ToggleOnly(Verdict::No));
    assert_eq!(send(QueryCommand::SelectBy(-1)), at("title", 0, "1:1"));
    let gone = FindingRef { component: "sun".to_owned(), aspect: Aspect::Color, nth: 0 };
    assert_eq!(send(QueryCommand::Select(Some(gone))), (None, None), "there is none such");
    send(QueryCommand::ToggleOnly(Verdict::No));
    assert_eq!(views::query(&state).components.len(), 2);
}

fn outcome_of(worker: &Worker, job: JobId) -> (Vec<Event>, JobOutcome) {
    let mut events = Vec::new();
    loop {
        match worker.event_within(PATIENCE).unwrap() {
            Event::JobEnded(ended, outcome) if ended == job => return (events, outcome),
            event => events.push(event),
        }
    }
}

fn derive(job: u64, key: DerivedKey, task: &Arc<Task>, run: &Arc<Run>) -> Request {
    let run = Some(RunInput::Loaded(Arc::clone(run)));
    let inputs = Inputs { task: Some(Arc::clone(task)), run, ..Inputs::default() };
    Request::Derive { job: JobId(job), key, inputs, urgency: Urgency::Stage }
}

#[test]
fn the_worker_checks_and_scores_a_run_whose_task_asks_in_words() {
    let dir = tempfile::tempdir().unwrap();
    let task = Arc::new(task("teal"));
    let run = planned(&task, dir.path());
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let key = CheckKey { run: RunId(0), step: last(&run) };
    let check = |job, task: &Arc<Task>| {
        worker.send(derive(job, key.into(), task, &run));
        let (events, outcome) = outcome_of(&worker, JobId(job));
        assert_eq!(outcome, JobOutcome::Done);
        let result = events.into_iter().find_map(|event| match event {
            Event::Derived { result, .. } => Some(result.map(|value| match value {
                Derived::Check(findings) => findings,
                other => panic!("{other:?}"),
            })),
            _ => None,
        });
        result.unwrap()
    };
    let findings = check(1, &task).unwrap();
    assert_eq!(findings.share(None), Some(1.0));
    let none = Arc::new(Task { brief: None, ..Task::clone(&task) });
    assert!(check(2, &none).unwrap_err().contains("no design query"));
    let steps = vec![last(&run), 0];
    let variants = vec!["constraints/all".into(), "ssim/uniform7".into()];
    let scores = ScoreKey { run: RunId(0), steps, variants, purpose: ScorePurpose::Curve };
    worker.send(derive(3, DerivedKey::Scores(scores), &task, &run));
    let (events, outcome) = outcome_of(&worker, JobId(3));
    assert_eq!(outcome, JobOutcome::Done);
    let found: Vec<(u32, Option<f64>)> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Derived { result: Ok(Derived::Scores(scored)), .. } => {
                let of = scored.scores.into_iter().find(|(id, _)| id == "constraints/all")?;
                Some((scored.step, of.1.value()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(found, [(key.step, Some(1.0)), (0, Some(0.0))]);
}

#[test]
fn the_library_shows_of_a_query_run_how_much_of_its_query_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let task = Arc::new(task("teal"));
    let run = planned(&task, dir.path());
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let manifest = Box::new(run.manifest.clone());
    let (job, variants) = (JobId(1), vec!["constraints/all".into()]);
    let key = ScoreKey { run: RunId(0), steps: Vec::new(), variants, purpose: ScorePurpose::Last };
    let unread = RunInput::Unread { dir: dir.path().to_owned(), manifest };
    let inputs = Inputs { task: Some(task), run: Some(unread), ..Inputs::default() };
    let (key, urgency) = (DerivedKey::Scores(key), Urgency::Library);
    worker.send(Request::Derive { job, key, inputs, urgency });
    let (events, outcome) = outcome_of(&worker, job);
    assert_eq!(outcome, JobOutcome::Done);
    let scores = events.into_iter().find_map(|event| match event {
        Event::Derived { result: Ok(Derived::Scores(scored)), .. } => {
            Some((scored.step, scored.scores))
        }
        _ => None,
    });
    let one = vec![("constraints/all".into(), Score::Value(1.0))];
    assert_eq!(scores, Some((last(&run), one)));
}

#[test]
fn a_table_of_our_own_has_the_share_of_yes_per_model_and_type_with_n() {
    let dir = tempfile::tempdir().unwrap();
    let teal = task("teal");
    for (name, task) in
        [("poster-1", &teal), ("poster-2", &Task { id: "poster-2".into(), ..task("rainbow") })]
    {
        planned(task, &dir.path().join(name));
    }
    let mut command = cli::program();
    command.args(["report", "tables", "--only", "constraints", "--format", "csv"]);
    let output = command.arg(dir.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|record| record.unwrap().iter().map(str::to_owned).collect())
        .collect();
    let row = |design: &str| rows.iter().find(|row| row[2] == design).unwrap();
    assert_eq!(rows.len(), 5, "four types, and all of them: {rows:?}");
    for design in ["Poster", "All"] {
        assert_eq!(row(design)[1..6], ["rules", design, "2", "1.000", "1.000"], "{rows:?}");
    }
    assert_eq!(row("Postcard")[3..5], ["0", "—"]);
    let mut command = cli::program();
    command.args(["report", "tables", "--only", "constraints"]).arg(dir.path());
    let text = cli::stdout(&command.output().unwrap());
    assert!(text.contains("in none of the papers") && text.contains("mean over n runs"), "{text}");
}
