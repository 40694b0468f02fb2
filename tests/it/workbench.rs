//! The application without a window or a thread: commands and events in, state and requests out.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use pentimento::agent::AgentKind;
use pentimento::agent::batch::AgentChoice;
use pentimento::agent::model_agent::Mode;
use pentimento::agent::models::ModelChoice;
use pentimento::base::Pixels;
use pentimento::environment::Compat;
use pentimento::environment::{EnvironmentKind, FailureClass, ToolCall, ToolCategory, ToolFailure};
use pentimento::evaluate::PrimaryMetric;
use pentimento::label::Place;
use pentimento::metric::{MapKind, ScalarMap, Score};
use pentimento::run::{
    AgentRef, Manifest, Outcome, Run, RunOrigin, Step, StepOutcome, TaskRef, Turn,
};
use pentimento::task::{Artifact, Task, TaskKind, TaskSet};
use pentimento::workbench::protocol::{Answering, LaunchPlan, LaunchRun, ListedRun, StagePicture};
use pentimento::workbench::views::{self, Filter, LibraryRow, PaneStatus};
use pentimento::workbench::{
    Arrangement, Command, Curves, Derived, DerivedKey, Event, Fetched, FoldKey, Grouping, JobId,
    JobOutcome, LaunchEdit, Overlay, PICTURE_CACHE_BYTES, PictureKey, PlaybackCommand, Request,
    RunId, RunState, SavedSession, ScorePurpose, ScoredStep, Settings, SortBy, StageCommand,
    StagePane, State, Urgency, VariantId, Variants, apply, handle,
};

pub(super) const SET: &str = "screens";

fn task(id: &str, kind: TaskKind) -> Task {
    Task {
        id: id.into(),
        environment: EnvironmentKind::Canvas,
        kind,
        instruction: "Build the screen.".into(),
        start: None,
        ground_truth: Some(Artifact { document: None, picture: Some("truth.png".into()) }),
        canvas_size: None,
        reference_tools: Vec::new(),
        reference_plan: None,
        category: Some("Profile".into()),
        difficulty: None,
        tags: vec!["dark".into()],
        checks: None,
        brief: None,
        given: Vec::new(),
    }
}

fn task_set() -> Arc<TaskSet> {
    Arc::new(TaskSet {
        id: SET.into(),
        name: "Own screens".into(),
        dir: "/sets/screens".into(),
        tasks: vec![
            Arc::new(task("login", TaskKind::Replication)),
            Arc::new(task("cart", TaskKind::AttributeUpdate)),
            Arc::new(task("lonely", TaskKind::Replication)),
        ],
    })
}

pub(super) fn task_ref(id: &str) -> TaskRef {
    TaskRef { set: SET.into(), id: id.into() }
}

fn manifest(task: &str, agent: &str, outcome: Outcome) -> Manifest {
    let agent = AgentRef { kind: agent.into(), name: agent.into(), version: None };
    let mut manifest = Manifest::new(task_ref(task), agent, "2026-01-01T00:00:00Z");
    manifest.outcome = outcome;
    manifest
}

pub(super) fn listed(task: &str, agent: &str, steps: u32, outcome: Outcome) -> ListedRun {
    ListedRun {
        dir: PathBuf::from(format!("/runs/{task}/{agent}")),
        live: outcome == Outcome::Running,
        manifest: manifest(task, agent, outcome),
        steps: Some(steps),
        unreadable: None,
    }
}

/// A run of so many steps, two a turn; every fifth call failed.
fn run(manifest: Manifest, steps: u32) -> Arc<Run> {
    let step = |number: u32| Step {
        number,
        turn: number.div_ceil(2),
        call: Some(ToolCall {
            id: "1".into(),
            name: "create_frame".into(),
            arguments: serde_json::json!({}),
        }),
        category: ToolCategory::Creation,
        outcome: Some(StepOutcome {
            text: String::new(),
            structured: None,
            image: None,
            failure: number.is_multiple_of(5).then(|| ToolFailure {
                class: FailureClass::UnknownNode,
                message: "no such node".into(),
            }),
            latency_ms: 1.0,
        }),
    };
    let turn = |number: u32| Turn {
        number,
        thought: format!("thought {number}"),
        first_step: (number as usize - 1) * 2,
        step_count: (steps - (number - 1) * 2).min(2) as usize,
        usage: None,
        seconds: None,
        observation: None,
    };
    Arc::new(Run {
        manifest,
        origin: RunOrigin::Recorded { dir: "/runs/x".into() },
        turns: (1..=steps.div_ceil(2)).map(turn).collect(),
        steps: (1..=steps).map(step).collect(),
        notes: Vec::new(),
        torn: None,
        plan: None,
    })
}

fn picture(side: u32) -> StagePicture {
    StagePicture {
        pixels: Pixels::filled(side, side, [9, 9, 9, 255]).unwrap().into(),
        reduced: Arc::default(),
        nodes: Arc::default(),
        diagnostics: Vec::new(),
        documents: None,
    }
}

pub(super) fn map() -> ScalarMap {
    ScalarMap { width: 2, height: 2, values: vec![1.0; 4].into() }
}

/// A state with the set and four runs open; the first is selected. Gives what was then asked for.
pub(super) fn opened() -> (State, Vec<Request>) {
    let mut state = State::new(pentimento::workbench::Settings::default(), "/out".into());
    let asked = open_in(&mut state);
    (state, asked)
}

fn open_in(state: &mut State) -> Vec<Request> {
    let requests = handle(state, Command::Open(vec!["/sets/screens".into()]));
    let [Request::Open { job, .. }] = requests.as_slice() else { panic!("{requests:?}") };
    let runs = vec![
        listed("login", "tracer", 10, Outcome::Completed),
        listed("login", "gpt", 6, Outcome::Failed("ran out of memory".into())),
        listed("cart", "tracer", 4, Outcome::Cancelled),
        listed("elsewhere", "tracer", 4, Outcome::Running),
    ];
    let sets = vec![(task_set(), Vec::new())];
    let event = Event::Opened { job: *job, sets, runs, warnings: Vec::new() };
    let asked = apply(state, event);
    apply(state, Event::JobEnded(*job, JobOutcome::Done));
    asked
}

pub(super) fn load(state: &mut State, id: u32, steps: u32, live: bool) -> Vec<Request> {
    let manifest = state.library.runs[&RunId(id)].manifest.clone();
    let run = run(manifest, steps);
    apply(state, Event::RunRead { run_id: RunId(id), run, live })
}

pub(super) fn picture_job(requests: &[Request], wanted: &PictureKey) -> Option<JobId> {
    requests.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Picture(key), .. } if key == wanted => Some(*job),
        _ => None,
    })
}

/// The scores asked for: job, steps, what for.
pub(super) fn scores(requests: &[Request]) -> Vec<(JobId, Vec<u32>, ScorePurpose)> {
    let score = |request: &Request| match request {
        Request::Derive { job, key: DerivedKey::Scores(key), .. }
            if key.purpose != ScorePurpose::Last =>
        {
            Some((*job, key.steps.clone(), key.purpose.clone()))
        }
        _ => None,
    };
    requests.iter().filter_map(score).collect()
}

/// The runs whose last scores were asked for, in this order.
fn last_scores(requests: &[Request]) -> Vec<RunId> {
    let score = |request: &Request| match request {
        Request::Derive { key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Last =>
        {
            Some(key.run)
        }
        _ => None,
    };
    requests.iter().filter_map(score).collect()
}

/// That scores of a step of the first run came.
pub(super) fn scored(
    job: JobId,
    step: u32,
    scores: Vec<(VariantId, Score)>,
    map: Option<(VariantId, ScalarMap)>,
) -> Event {
    let maps = map.into_iter().map(|(id, map)| (id, MapKind::Difference, map)).collect();
    let scored = ScoredStep { run: RunId(0), step, scores, maps };
    Event::Derived { job, result: Ok(Derived::Scores(scored)) }
}

pub(super) fn step(state: &mut State, command: PlaybackCommand) -> Vec<Request> {
    handle(state, Command::Playback(command))
}

#[test]
fn opening_selects_the_first_run_and_asks_for_it() {
    let (state, asked) = opened();
    assert_eq!(state.selection.run, Some(RunId(0)));
    assert_eq!(state.selection.task, Some(task_ref("login")));
    assert_eq!(state.selection.step, 10);
    assert!(matches!(&asked[0], Request::LoadRun { run: RunId(0), .. }), "{asked:?}");
    assert!(picture_job(&asked, &PictureKey::GroundTruth(task_ref("login"))).is_some());
    assert_eq!(state.settings.recent, [PathBuf::from("/sets/screens")]);
}

#[test]
fn last_scores_of_runs_that_are_not_on_the_stage_are_asked_for_without_loading_them() {
    let (state, asked) = opened();
    // Not the selected one, whose curve comes anyway, nor the live one, whose set is not open.
    assert_eq!(last_scores(&asked), [RunId(1), RunId(2)]);
    assert!(state.library.runs[&RunId(1)].loaded.is_none());
}

#[test]
fn the_step_on_the_stage_goes_before_everything_else() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let position = |wanted: &dyn Fn(&Request) -> bool| asked.iter().position(wanted).unwrap();
    let is_picture = |request: &Request, wanted: &PictureKey| matches!(request, Request::Derive { key: DerivedKey::Picture(key), .. } if key == wanted);
    let on_stage = position(&|r| is_picture(r, &PictureKey::Step(RunId(0), 10)));
    let is_score = |request: &Request, urgency| matches!(request, Request::Derive { key: DerivedKey::Scores(key), .. } if key.purpose.urgency() == urgency);
    let with_map = position(&|r| is_score(r, Urgency::Stage));
    let beside = position(&|r| is_picture(r, &PictureKey::Step(RunId(0), 9)));
    let curve = position(&|r| is_score(r, Urgency::Curve));
    let thumbnail = position(&|r| is_picture(r, &PictureKey::Thumbnail(RunId(0), 0)));
    assert!(on_stage < with_map && with_map < beside && beside < thumbnail && thumbnail < curve);
    assert_eq!(scores(&asked)[0].1, [10]);
    assert_eq!(scores(&asked)[1].1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn asking_twice_asks_once() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    assert_eq!(handle(&mut state, Command::CloseOverlay).len(), 0);
}

#[test]
fn scores_become_the_curve_and_the_last_one_the_librarys() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let [(with_map, ..), (curve, ..)] = scores(&asked)[..] else { panic!() };
    let scored = |job, step, value| {
        let scores = vec![(PrimaryMetric::Similarity.variant().into(), Score::Value(value))];
        let map = (job == with_map).then(|| (PrimaryMetric::Similarity.variant().into(), map()));
        scored(job, step, scores, map)
    };
    apply(&mut state, scored(with_map, 10, 0.6));
    apply(&mut state, scored(curve, 4, 0.7));
    apply(&mut state, scored(curve, 3, 0.5));
    let run = &state.library.runs[&RunId(0)];
    assert_eq!(run.last_score, Some(Score::Value(0.6)));
    assert_eq!(views::best_step(run, state.curve_variant().unwrap()), Some((4, 0.7)));
    let delta = state.step_score(RunId(0), 4).unwrap().delta.unwrap();
    assert!((delta - 0.2).abs() < 1e-12);
    assert_eq!(views::heat(&state).status, PaneStatus::Current);
}

#[test]
fn results_of_jobs_that_were_given_up_are_dropped() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let key = PictureKey::Step(RunId(0), 10);
    let stale = picture_job(&asked, &key).unwrap();
    let [(score_job, ..), ..] = scores(&asked)[..] else { panic!() };
    let cancelled = step(&mut state, PlaybackCommand::First);
    assert!(cancelled.iter().any(|r| matches!(r, Request::Cancel(job) if *job == stale)));
    let result = Ok(Arc::new(picture(8)));
    apply(&mut state, Event::derived(stale, result));
    assert!(state.ready_picture(&key).is_none());
    let scores = vec![(PrimaryMetric::Similarity.variant().into(), Score::Value(0.1))];
    let map = Some((PrimaryMetric::Similarity.variant().into(), map()));
    apply(&mut state, scored(score_job, 10, scores, map));
    assert!(state.derived.maps.is_empty());
}

#[test]
fn the_previous_picture_stays_while_the_next_one_loads() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let key = PictureKey::Step(RunId(0), 10);
    let job = picture_job(&asked, &key).unwrap();
    apply(&mut state, Event::derived(job, Ok(Arc::new(picture(8)))));
    assert_eq!(views::pane(&state, StagePane::Run).status, PaneStatus::Current);
    step(&mut state, PlaybackCommand::First);
    let pane = views::pane(&state, StagePane::Run);
    assert_eq!(pane.status, PaneStatus::Loading);
    assert_eq!(pane.key, Some(key));
}

#[test]
fn a_picture_that_cannot_be_had_says_why_and_is_tried_again_on_return() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let key = PictureKey::Step(RunId(0), 10);
    let job = picture_job(&asked, &key).unwrap();
    let result = Err("the disk is gone".to_owned());
    apply(&mut state, Event::Derived { job, result });
    let pane = views::pane(&state, StagePane::Run);
    assert_eq!(pane.status, PaneStatus::Failed("the disk is gone"));
    let asked = handle(&mut state, Command::SelectRun(RunId(0)));
    assert!(picture_job(&asked, &key).is_some());
}

#[test]
fn a_job_that_dies_without_a_picture_leaves_the_reason_in_the_pane() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let job = picture_job(&asked, &PictureKey::Step(RunId(0), 10)).unwrap();
    apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("a fault".into())));
    assert_eq!(views::pane(&state, StagePane::Run).status, PaneStatus::Failed("a fault"));
}

#[test]
fn scores_that_were_stopped_are_not_scored_yet_and_are_asked_for_again() {
    let (mut state, _) = opened();
    let asked = scores(&load(&mut state, 0, 10, false));
    let (curve, steps, _) = &asked[1];
    let again = scores(&apply(&mut state, Event::JobEnded(*curve, JobOutcome::Cancelled)));
    assert!(again.iter().any(|(_, again, _)| again == steps), "{again:?}");
    let similarity = PrimaryMetric::Similarity.variant();
    assert_eq!(state.library.runs[&RunId(0)].curves.get(similarity, 4), None);

    // Those of the library as well, which are asked for run by run.
    let (mut state, asked) = opened();
    let last = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Last =>
        {
            Some((*job, key.run))
        }
        _ => None,
    });
    let (job, run) = last.unwrap();
    let again = apply(&mut state, Event::JobEnded(job, JobOutcome::Cancelled));
    assert_eq!((last_scores(&again), &state.library.runs[&run].last_score), (vec![run], &None));
}

#[test]
fn scores_that_fail_are_not_asked_for_for_ever() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let mut under_way: Vec<JobId> = scores(&asked).into_iter().map(|(job, ..)| job).collect();
    let mut asked = under_way.len();
    while let Some(job) = under_way.pop() {
        let again = apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("broken".into())));
        under_way.extend(scores(&again).into_iter().map(|(job, ..)| job));
        asked += scores(&again).len();
        // The map with the step, the curve, and all metrics of the step and the one before: once each.
        assert!(asked <= 4, "{again:?}");
    }
    let curve = state.library.runs[&RunId(0)].curves.of(PrimaryMetric::Similarity.variant());
    assert!(curve.len() == 11 && curve.iter().all(Option::is_some));
}

#[test]
fn pictures_stay_within_their_bytes_and_the_ones_in_use_are_kept() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    let side = 2048u32;
    let bytes = side as usize * side as usize * 4;
    for at in (0..=10).rev() {
        let key = PictureKey::Step(RunId(0), at);
        step(&mut state, PlaybackCommand::Step(at));
        state.derived.pictures.remove(&key);
        let asked = handle(&mut state, Command::CloseOverlay);
        let Some(job) = picture_job(&asked, &key) else { continue };
        apply(&mut state, Event::derived(job, Ok(Arc::new(picture(side)))));
        let kept =
            state.derived.pictures.values().filter(|p| matches!(p, Fetched::Ready(_))).count();
        assert!(kept * bytes <= PICTURE_CACHE_BYTES, "{kept} pictures");
    }
    // Three times the bound went in at this size; what is on the stage is there.
    let many = PICTURE_CACHE_BYTES / bytes * 3;
    for at in 0..many {
        let key = PictureKey::GroundTruth(task_ref(&format!("t{at}")));
        state.derived.pictures.insert(key, Fetched::Ready(Arc::new(picture(side))));
    }
    let thumbnail = PictureKey::Thumbnail(RunId(0), 10);
    state.derived.pictures.remove(&thumbnail);
    let asked = handle(&mut state, Command::CloseOverlay);
    let job = picture_job(&asked, &thumbnail).unwrap();
    apply(&mut state, Event::derived(job, Ok(Arc::new(picture(8)))));
    let kept: usize = state
        .derived
        .pictures
        .values()
        .map(|p| if let Fetched::Ready(p) = p { p.pixels.bytes() } else { 0 })
        .sum();
    assert!(kept <= PICTURE_CACHE_BYTES, "{kept} bytes");
    assert!(state.ready_picture(&PictureKey::Step(RunId(0), 0)).is_some());
}

#[test]
fn selecting_another_run_of_the_task_keeps_the_step_and_stops_the_old_curve() {
    let (mut state, _) = opened();
    let asked = load(&mut state, 0, 10, false);
    let curve = scores(&asked)[1].0;
    step(&mut state, PlaybackCommand::Step(3));
    let asked = handle(&mut state, Command::SelectRun(RunId(1)));
    assert_eq!(state.selection.step, 3);
    assert!(asked.iter().any(|r| matches!(r, Request::Cancel(job) if *job == curve)));
    handle(&mut state, Command::SelectRun(RunId(2)));
    assert_eq!(state.selection.step, 4, "another task begins at the run's end");
}

#[test]
fn a_live_run_is_followed_at_its_end_and_not_elsewhere() {
    let (mut state, _) = opened();
    handle(&mut state, Command::SelectRun(RunId(3)));
    load(&mut state, 3, 4, true);
    assert_eq!(state.selection.step, 4);
    load(&mut state, 3, 6, true);
    assert_eq!(state.selection.step, 6);
    step(&mut state, PlaybackCommand::StepBy(-1));
    load(&mut state, 3, 8, true);
    assert_eq!(state.selection.step, 5, "who looks back is left there");
    step(&mut state, PlaybackCommand::Last);
    load(&mut state, 3, 10, true);
    assert_eq!(state.selection.step, 10);
    step(&mut state, PlaybackCommand::SetFollow(false));
    load(&mut state, 3, 12, true);
    assert_eq!(state.selection.step, 10);
}

#[test]
fn a_run_whose_folder_vanishes_keeps_what_was_loaded() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    let message = "the folder is gone: /runs/login/tracer".to_owned();
    apply(&mut state, Event::RunLost { run_id: RunId(0), message: message.clone() });
    let run = &state.library.runs[&RunId(0)];
    assert_eq!(run.state, RunState::Unreadable(message.clone()));
    assert!(run.loaded.is_some());
    assert_eq!(state.notices.last().unwrap().text, message);
}

#[test]
fn a_run_that_cannot_be_read_says_so_and_is_read_again_when_selected_again() {
    let (mut state, asked) = opened();
    let Request::LoadRun { job, .. } = asked[0] else { panic!() };
    apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("no run.json".into())));
    assert!(matches!(&state.library.runs[&RunId(0)].state, RunState::Unreadable(_)));
    assert_eq!(views::pane(&state, StagePane::Run).status, PaneStatus::Failed("no run.json"));
    let asked = handle(&mut state, Command::SelectRun(RunId(0)));
    assert!(asked.iter().any(|r| matches!(r, Request::LoadRun { .. })));
}

#[test]
fn steps_and_turns_are_clamped_and_counted() {
    let (mut state, _) = opened();
    load(&mut state, 0, 9, false);
    let at = |state: &mut State, command| {
        step(state, command);
        state.selection.step
    };
    assert_eq!(at(&mut state, PlaybackCommand::Step(99)), 9);
    assert_eq!(at(&mut state, PlaybackCommand::First), 0);
    assert_eq!(at(&mut state, PlaybackCommand::StepBy(-3)), 0);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(1)), 2);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(2)), 6);
    assert_eq!(at(&mut state, PlaybackCommand::StepBy(1)), 7);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(1)), 8);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(9)), 9);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(-1)), 8);
    assert_eq!(at(&mut state, PlaybackCommand::TurnBy(-99)), 0);
    assert_eq!(at(&mut state, PlaybackCommand::NextError), 5);
    assert_eq!(at(&mut state, PlaybackCommand::NextError), 5, "there is no other");
}

#[test]
fn gains_losses_and_the_best_step_are_found() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    let values = [0.1, 0.1, 0.3, 0.31, 0.25, 0.20, 0.20, 0.5, 0.499, 0.2, 0.2];
    let curve = values.map(|value| Some(Score::Value(value))).to_vec();
    state.library.runs.get_mut(&RunId(0)).unwrap().curves =
        Curves::of_one(PrimaryMetric::Similarity.variant(), curve);
    step(&mut state, PlaybackCommand::First);
    let at = |state: &mut State, command| {
        step(state, command);
        state.selection.step
    };
    assert_eq!(at(&mut state, PlaybackCommand::NextGain), 2);
    assert_eq!(at(&mut state, PlaybackCommand::NextLoss), 4, "the steepest of the slide");
    assert_eq!(at(&mut state, PlaybackCommand::NextLoss), 9, "0.001 is not worth going to");
    assert_eq!(at(&mut state, PlaybackCommand::NextLoss), 9, "there is no other");
    assert_eq!(at(&mut state, PlaybackCommand::PreviousLoss), 4);
    assert_eq!(at(&mut state, PlaybackCommand::PreviousLoss), 4, "there is no other");
    assert_eq!(at(&mut state, PlaybackCommand::Best), 7);
    assert_eq!(at(&mut state, PlaybackCommand::PreviousGain), 2);
}

#[test]
fn a_filter_on_scores_says_how_many_are_not_known_and_what_is_in_sight_is_scored_first() {
    let mut state = State::new(pentimento::workbench::Settings::default(), "/out".into());
    handle(&mut state, Command::PauseScoring(true));
    let asked = open_in(&mut state);
    assert_eq!(last_scores(&asked), [RunId(0); 0], "paused");
    let scoring = views::library_scoring(&state).unwrap();
    assert_eq!((scoring.done, scoring.total, scoring.is_paused), (0, 3, true));
    state.library.runs.get_mut(&RunId(1)).unwrap().last_score = Some(Score::Value(0.6));
    for (filter, shown) in [("ssim<0.75", &[RunId(1)][..]), ("-ssim<0.75", &[])] {
        handle(&mut state, Command::SetFilter(filter.into()));
        // What is not known neither passes nor fails, negated or not.
        assert_eq!(views::run_order(&state), shown);
        assert_eq!(views::library_rows(&state).runs_not_scored, 2, "{filter}");
    }
    handle(&mut state, Command::SetFilter("agent:gpt ssim<0.75".into()));
    assert_eq!(views::library_rows(&state).runs_not_scored, 0, "they could not pass anyway");
    state.library.runs.get_mut(&RunId(1)).unwrap().last_score = None;
    handle(&mut state, Command::ShowRuns(vec![RunId(2)]));
    let asked = handle(&mut state, Command::PauseScoring(false));
    assert_eq!(last_scores(&asked), [RunId(2), RunId(1)], "the one in sight is the first");
}

#[test]
fn what_the_library_is_filtered_by_is_measured_at_the_end_of_every_run() {
    const PSNR: &str = "psnr/skimage";
    let (mut state, _) = opened();
    for id in 0..3 {
        state.library.runs.get_mut(&RunId(id)).unwrap().last_score = Some(Score::Value(0.6));
    }
    let asked = handle(&mut state, Command::SetFilter(format!("{PSNR}>20")));
    let asked = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Scores(key), .. } => Some((*job, key.clone())),
        _ => None,
    });
    let (job, key) = asked.expect("nothing is known by it");
    assert_eq!((key.run, &key.purpose), (RunId(0), &ScorePurpose::Last));
    assert_eq!(key.variants, [PSNR]);
    assert_eq!(views::library_rows(&state).runs_not_scored, 3);
    apply(&mut state, scored(job, 10, vec![(PSNR.into(), Score::Value(25.0))], None));
    assert_eq!(views::run_order(&state), [RunId(0)]);
    apply(&mut state, Event::JobEnded(job, JobOutcome::Done));
    assert_eq!(views::library_rows(&state).runs_not_scored, 2);
}

#[test]
fn playing_shows_every_step_and_stops_at_the_end() {
    let (mut state, _) = opened();
    load(&mut state, 0, 3, false);
    step(&mut state, PlaybackCommand::TogglePlay);
    assert_eq!((state.selection.step, state.playback.playing), (0, true));
    step(&mut state, PlaybackCommand::Tick);
    assert_eq!(state.selection.step, 0, "its picture is not there yet");
    for at in 0..=3 {
        let key = PictureKey::Step(RunId(0), at);
        state.derived.pictures.insert(key, Fetched::Ready(Arc::new(picture(8))));
    }
    for _ in 0..4 {
        step(&mut state, PlaybackCommand::Tick);
    }
    assert_eq!((state.selection.step, state.playback.playing), (3, false));
}

#[test]
fn numbers_that_are_not_finite_change_nothing() {
    let (mut state, _) = opened();
    let before = state.stage.clone();
    for command in [
        StageCommand::Zoom(f32::NAN),
        StageCommand::Zoom(-1.0),
        StageCommand::PanBy([f32::INFINITY, 0.0]),
        StageCommand::ZoomBy { factor: f32::NAN, at: [0.5, 0.5] },
        StageCommand::View { zoom: 1.0, center: [f32::NAN, 0.0] },
        StageCommand::HeatThreshold(f32::NAN),
        StageCommand::HeatOpacity(f32::NAN),
    ] {
        handle(&mut state, Command::Stage(command));
        assert_eq!(state.stage.center, before.center, "{command:?}");
        assert_eq!(state.stage.heat_threshold, before.heat_threshold, "{command:?}");
    }
}

#[test]
fn zooming_about_a_point_keeps_it_in_place() {
    let (mut state, _) = opened();
    handle(&mut state, Command::Stage(StageCommand::Zoom(2.0)));
    let at = [0.25, 0.75];
    handle(&mut state, Command::Stage(StageCommand::ZoomBy { factor: 2.0, at }));
    assert_eq!(state.stage.zoom, Some(4.0));
    // The distance to the fixed point on the screen is the same: half the fraction, twice the zoom.
    assert_eq!(state.stage.center, [0.375, 0.625]);
}

pub(super) fn launched(requests: &[Request]) -> (&[LaunchRun], &LaunchPlan) {
    let Request::Launch { runs, plan } = &requests[0] else { panic!("{requests:?}") };
    (runs, plan)
}

fn kind(kind: AgentKind, command: Option<&str>) -> AgentChoice {
    AgentChoice::Kind { kind, script: None, command: command.map(str::to_owned) }
}

#[test]
fn the_launch_dialog_says_what_is_missing_and_then_launches() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    assert_eq!(state.overlay, Some(Overlay::Launch));
    assert!(state.launch.tasks.contains(&task_ref("login")));
    handle(&mut state, Command::EditLaunch(LaunchEdit::Agent(AgentKind::Scripted)));
    assert!(handle(&mut state, Command::Launch).is_empty());
    assert_eq!(state.overlay, Some(Overlay::Launch));
    assert_eq!(state.notices.last().unwrap().text, "Choose the script to play.");
    handle(&mut state, Command::EditLaunch(LaunchEdit::Agent(AgentKind::Tracer)));
    handle(&mut state, Command::EditLaunch(LaunchEdit::ToggleSet(SET.into())));
    let requests = handle(&mut state, Command::Launch);
    let (runs, plan) = launched(&requests);
    assert_eq!((runs.len(), &plan.agents[..]), (3, &[kind(AgentKind::Tracer, None)][..]));
    assert_eq!(plan.options.out_dir, PathBuf::from("/out"));
    assert_eq!(views::jobs_summary(&state).label, "0 of 3 runs");
}

#[test]
fn a_run_that_others_begin_is_listed_unless_it_is_known_by_another_path() {
    let (mut state, _) = opened();
    let count = state.library.runs.len();
    let mut new = listed("login", "somebody", 0, Outcome::Running);
    new.live = true;
    let mut known = listed("login", "tracer", 10, Outcome::Completed);
    known.dir = "/the/same/by/another/path".into();
    apply(&mut state, Event::Found { runs: vec![new, known] });
    assert_eq!(state.library.runs.len(), count + 1);
    let (_, run) = state.library.runs.last_key_value().unwrap();
    assert_eq!((run.manifest.agent.name.as_str(), &run.state), ("somebody", &RunState::Live));
}

#[test]
fn an_agent_of_ones_own_is_launched_with_its_command_which_is_remembered() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    handle(&mut state, Command::EditLaunch(LaunchEdit::Agent(AgentKind::Exec)));
    handle(&mut state, Command::EditLaunch(LaunchEdit::Command("  ".into())));
    assert!(handle(&mut state, Command::Launch).is_empty());
    assert_eq!(state.notices.last().unwrap().text, "Give the command of your agent.");
    handle(&mut state, Command::EditLaunch(LaunchEdit::Command("python3 a.py".into())));
    let requests = handle(&mut state, Command::Launch);
    assert_eq!(launched(&requests).1.agents, [kind(AgentKind::Exec, Some("python3 a.py"))]);
    let next = State::new(state.settings, "/out".into());
    assert_eq!(
        (next.launch.agent, next.launch.command.as_str()),
        (AgentKind::Exec, "python3 a.py")
    );
}

#[test]
fn a_model_is_launched_as_it_was_chosen_and_remembered_without_a_key() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    handle(&mut state, Command::EditLaunch(LaunchEdit::Agent(AgentKind::Model)));
    assert!(handle(&mut state, Command::Launch).is_empty());
    assert_eq!(state.notices.last().unwrap().text, "Name a model.");
    let edits = [
        LaunchEdit::ModelName(" small ".into()),
        LaunchEdit::ModelFile(Some("/m.json".into())),
        LaunchEdit::ModelMode(Mode::SingleTurn),
    ];
    for edit in edits {
        handle(&mut state, Command::EditLaunch(edit));
    }
    let requests = handle(&mut state, Command::Launch);
    let chosen = |name: &str| ModelChoice {
        name: name.into(),
        file: Some("/m.json".into()),
        mode: Mode::SingleTurn,
        ..ModelChoice::default()
    };
    assert_eq!(launched(&requests).1.agents, [AgentChoice::Model(chosen("small"))]);
    assert!(state.jobs.by_id.values().any(|job| job.label.starts_with("small on ")));
    let written = serde_json::to_string(&state.settings).unwrap();
    let chosen = chosen(" small ");
    assert_eq!(serde_json::from_str::<Settings>(&written).unwrap().launch.model, chosen);
    assert_eq!(State::new(state.settings, "/out".into()).launch.model, chosen);
}

#[test]
fn whose_behaviour_the_tools_follow_is_launched_with_and_remembered() {
    let (mut state, _) = opened();
    assert_eq!(state.launch.options.compat, Compat::Documented);
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    handle(&mut state, Command::EditLaunch(LaunchEdit::Compat(Compat::Canvas202601)));
    assert_eq!(
        state.settings.launch.options.compat,
        Compat::Documented,
        "nothing was launched with it yet"
    );
    let requests = handle(&mut state, Command::Launch);
    let compat = launched(&requests).1.options.compat;
    assert_eq!(
        (compat, state.settings.launch.options.compat),
        (Compat::Canvas202601, Compat::Canvas202601)
    );
    let next = State::new(state.settings, "/out".into());
    assert_eq!(next.launch.options.compat, Compat::Canvas202601);
}

#[test]
fn a_growing_answer_is_shown_until_its_turn_is_whole() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    let requests = handle(&mut state, Command::Launch);
    let (runs, _) = launched(&requests);
    let run_id = runs[0].run_id;
    let grow = |turn, text: &str| Event::Answering {
        run_id,
        answering: Answering { turn, text: text.into(), waiting: None },
    };
    apply(&mut state, grow(1, "too early"));
    let task = runs[0].task_ref.clone();
    let agent = AgentRef { kind: "model".into(), name: "small".into(), version: None };
    let run = run(Manifest::new(task, agent, "2026-01-01T00:00:00Z"), 4);
    let manifest = Box::new(run.manifest.clone());
    apply(&mut state, Event::RunStarted { run_id, dir: "/out/a".into(), manifest });
    apply(&mut state, grow(1, "I look"));
    assert_eq!(views::inspector(&state).unwrap().answering.unwrap().text, "I look");
    let turns = run.turns.len() as u32;
    assert!(turns > 0);
    apply(&mut state, Event::RunRead { run_id, run: Arc::clone(&run), live: true });
    assert!(views::inspector(&state).unwrap().answering.is_none());
    apply(&mut state, grow(turns, "late"));
    assert!(views::inspector(&state).unwrap().answering.is_none(), "that turn is whole");
    apply(&mut state, grow(turns + 1, "Next"));
    assert!(views::inspector(&state).unwrap().answering.is_some());
    apply(&mut state, Event::RunRead { run_id, run: Arc::new((*run).clone()), live: false });
    assert!(views::inspector(&state).unwrap().answering.is_none());
}

#[test]
fn the_first_launched_run_comes_on_the_stage_and_its_failure_is_told() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(vec![task_ref("cart")]));
    let requests = handle(&mut state, Command::Launch);
    let (runs, _) = launched(&requests);
    let (job, run_id) = (runs[0].job, runs[0].run_id);
    let started = Event::RunStarted {
        run_id,
        dir: "/out/1".into(),
        manifest: Box::new(manifest("cart", "tracer", Outcome::Running)),
    };
    let asked = apply(&mut state, started);
    assert_eq!(state.selection.run, Some(run_id));
    assert!(!asked.iter().any(|r| matches!(r, Request::LoadRun { .. })), "it comes by itself");
    let failed = Outcome::Failed("no picture".into());
    let failed_run = run(manifest("cart", "tracer", failed), 2);
    apply(&mut state, Event::RunRead { run_id, run: failed_run, live: false });
    apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("no picture".into())));
    assert_eq!(state.library.runs[&run_id].state, RunState::Failed("no picture".into()));
    assert_eq!(state.notices.last().unwrap().text, "tracer on cart failed: no picture");
}

#[test]
fn opening_the_same_again_doubles_nothing() {
    let (mut state, _) = opened();
    let before = (state.library.sets.len(), state.library.runs.len());
    let requests = handle(&mut state, Command::Open(vec!["/sets/screens".into()]));
    let Request::Open { job, .. } = requests[0] else { panic!() };
    let runs = vec![listed("login", "tracer", 10, Outcome::Completed)];
    let sets = vec![(task_set(), Vec::new())];
    apply(&mut state, Event::Opened { job, sets, runs, warnings: vec!["one was odd".into()] });
    assert_eq!((state.library.sets.len(), state.library.runs.len()), before);
    assert_eq!(state.notices.last().unwrap().text, "one was odd");
}

#[test]
fn a_path_that_cannot_be_opened_is_told() {
    let mut state = State::default();
    let requests = handle(&mut state, Command::Open(vec!["/nowhere".into()]));
    let Request::Open { job, .. } = requests[0] else { panic!() };
    apply(&mut state, Event::JobEnded(job, JobOutcome::Failed("nothing there".into())));
    assert_eq!(state.notices.last().unwrap().text, "opening /nowhere failed: nothing there");
    assert!(state.settings.recent.is_empty());
}

/// A window that opens again what was open, but for a folder with the run that was looked at, at this task.
fn opened_without(task: TaskRef) -> State {
    let session = SavedSession {
        open: Some(vec!["/away".into(), "/sets/screens".into()]),
        task: Some(task),
        run: Some("/away/runs/a".into()),
        step: 3,
        ..SavedSession::default()
    };
    let mut state = State::new(Settings { session, ..Settings::default() }, "/out".into());
    let [away, there] = ["/away", "/sets/screens"].map(|path| {
        let requests = handle(&mut state, Command::Reopen(vec![path.into()]));
        let Request::Open { job, .. } = requests[0] else { panic!("{requests:?}") };
        job
    });
    apply(&mut state, Event::JobEnded(away, JobOutcome::Failed("no such folder".into())));
    let runs = vec![
        listed("login", "tracer", 10, Outcome::Completed),
        listed("login", "gpt", 6, Outcome::Completed),
    ];
    let sets = vec![(task_set(), Vec::new())];
    apply(&mut state, Event::Opened { job: there, sets, runs, warnings: Vec::new() });
    apply(&mut state, Event::JobEnded(there, JobOutcome::Done));
    state
}

#[test]
fn the_run_that_was_looked_at_waits_for_its_missing_folder_until_somebody_chooses_another() {
    let mut state = opened_without(TaskRef::new("away", "welcome"));
    assert_eq!(state.selection.run, Some(RunId(0)), "something is shown in its place");
    let saved = |state: &State| {
        let session = state.session_to_save();
        (session.run, session.step)
    };
    let waiting = (Some(PathBuf::from("/away/runs/a")), 3);
    assert_eq!(saved(&state), waiting);
    step(&mut state, PlaybackCommand::First);
    assert_eq!(saved(&state), waiting, "nobody chose what is stepped through");
    let open = state.session_to_save().open.unwrap();
    assert_eq!(open, ["/sets/screens", "/away"].map(PathBuf::from));

    let shown = (Some(PathBuf::from("/runs/login/tracer")), 0);
    // What is put beside it was chosen for it.
    for command in [
        Command::Stage(StageCommand::ToggleSlot(RunId(1))),
        Command::Stage(StageCommand::ToggleStart),
        Command::AddPicture("/pictures/other.png".into()),
    ] {
        let mut beside = state.clone();
        handle(&mut beside, command);
        assert_eq!(saved(&beside), shown);
        assert_eq!(beside.session_to_save().slots.len(), 1);
    }
    let mut forgotten = state.clone();
    handle(&mut forgotten, Command::ForgetPaths(vec!["/away".into()]));
    assert_eq!(saved(&forgotten), shown);
    handle(&mut state, Command::SelectRun(RunId(0)));
    assert_eq!(saved(&state), shown, "now it is chosen");
    handle(&mut state, Command::SelectRun(RunId(1)));
    assert_eq!(saved(&state).0, Some("/runs/login/gpt".into()));

    let state = opened_without(task_ref("login"));
    assert_eq!((&state.selection.task, state.selection.run), (&Some(task_ref("login")), None));
    assert_eq!(saved(&state), waiting, "its task is there");
}

#[test]
fn closing_a_set_takes_its_runs_out_and_keeps_others() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    let requests = handle(&mut state, Command::Close(SET.into()));
    let forgotten = requests.iter().filter(|r| matches!(r, Request::Forget(_))).count();
    assert_eq!(forgotten, 4);
    assert!(state.library.sets.is_empty() && state.library.runs.is_empty());
    assert_eq!((state.selection.run, &state.selection.task), (None, &None));
    assert_eq!(views::pane(&state, StagePane::Run).picture.map(|_| ()), None);
}

fn rows(state: &State) -> Vec<String> {
    let name = |row: &LibraryRow<'_>| match row {
        LibraryRow::Set(row) => format!("{} {}", row.name, row.runs),
        LibraryRow::Task(row) => format!(" {}", row.task.id),
        LibraryRow::Run(row) => format!("  {}{}", row.name, row.aside.unwrap_or_default()),
        LibraryRow::Agent(row) => format!("{} {}", row.name, row.runs),
    };
    views::library_rows(state).rows.iter().map(name).collect()
}

#[test]
fn the_library_shows_sets_tasks_and_runs_as_folded() {
    let (mut state, _) = opened();
    let expected = [
        "Own screens 4",
        " login",
        "  tracer",
        "  gpt",
        " cart",
        " lonely",
        " elsewhere",
        "  tracer",
    ];
    assert_eq!(rows(&state), expected);
    handle(&mut state, Command::ToggleFolded(FoldKey::Set(SET.into())));
    assert_eq!(rows(&state), ["Own screens 4"]);
}

#[test]
fn runs_are_grouped_and_sorted_as_chosen() {
    let (mut state, _) = opened();
    state.library.runs.get_mut(&RunId(0)).unwrap().last_score = Some(Score::Value(0.6));
    let run = state.library.runs.get_mut(&RunId(1)).unwrap();
    (run.last_score, run.state) = (Some(Score::Value(0.8)), RunState::Finished);
    state.library.runs.get_mut(&RunId(3)).unwrap().manifest.totals.failures = 4;
    let by_score = Arrangement { sort: SortBy::Score, ..Arrangement::default() };
    handle(&mut state, Command::ArrangeLibrary(by_score));
    assert_eq!(rows(&state)[1..4], [" login", "  gpt", "  tracer"]);
    let by_agent = Arrangement { grouping: Grouping::Agent, ..by_score };
    handle(&mut state, Command::ArrangeLibrary(by_agent));
    let grouped = ["gpt 1", "  login", "tracer 3", "  login", "  cart", "  elsewhere"];
    let sorted: BTreeSet<String> = rows(&state).into_iter().collect();
    assert_eq!(rows(&state)[..4], grouped[..4]);
    assert!(sorted.contains("  elsewhere"), "{sorted:?}");
    let fold = FoldKey::Agent("tracer".into());
    handle(&mut state, Command::ToggleFolded(fold));
    assert_eq!(rows(&state), ["gpt 1", "  login", "tracer 3"]);
    // One list, and what has no score is last either way.
    let list = Arrangement { grouping: Grouping::None, ..by_score };
    handle(&mut state, Command::ArrangeLibrary(list));
    assert_eq!(rows(&state)[..2], ["  logingpt", "  logintracer"]);
    let order = |state: &State| views::run_order(state).iter().map(|run| run.0).collect::<Vec<_>>();
    assert_eq!(order(&state)[..2], [1, 0]);
    handle(&mut state, Command::ArrangeLibrary(Arrangement { is_reversed: true, ..list }));
    assert_eq!(order(&state)[..2], [0, 1]);
    // What a run that failed left behind is no result, whatever its score.
    let failed = RunState::Failed("ran out of memory".into());
    state.library.runs.get_mut(&RunId(1)).unwrap().state = failed;
    for is_reversed in [false, true] {
        handle(&mut state, Command::ArrangeLibrary(Arrangement { is_reversed, ..list }));
        assert_eq!(order(&state)[..2], [0, 1], "{is_reversed}");
    }
    handle(&mut state, Command::ArrangeLibrary(Arrangement { sort: SortBy::Failures, ..list }));
    assert_eq!(order(&state)[0], 3);
    // The keys that go to the next run follow what is seen.
    handle(&mut state, Command::SelectRun(RunId(3)));
    handle(&mut state, Command::SelectRunBy(1));
    assert_eq!(state.selection.run, Some(RunId(order(&state)[1])));
    handle(&mut state, Command::ToggleFolded(FoldKey::Agent("tracer".into())));
    let saved = state.session_to_save();
    let settings = Settings { session: saved, ..Settings::default() };
    let next = State::new(Settings::from_json(&settings.to_json().unwrap()).unwrap(), "out".into());
    assert_eq!(next.library.arrangement.sort, SortBy::Failures);
    assert!(next.library.folded.agents.contains("tracer"));
}

#[test]
fn tools_stand_beside_the_reference_and_by_what_they_moved() {
    let (mut state, _) = opened();
    assert!(views::run_tools(&state).is_none(), "the run is not read");
    load(&mut state, 0, 10, false);
    let tools = views::run_tools(&state).unwrap();
    assert!(tools.agreement.is_none(), "the task names none");
    assert_eq!((tools.tools.len(), tools.tools[0].calls, tools.scored), (1, 10, (0, 10)));
    assert_eq!(tools.tools[0].moved, None);
    let mut set = (*state.library.sets[0].set).clone();
    let task = Arc::make_mut(&mut set.tasks[0]);
    task.reference_tools = vec!["create_frame".into(), "set_fill_color".into()];
    state.library.sets[0].set = Arc::new(set);
    let variant = VariantId::from(PrimaryMetric::Similarity.variant());
    let run = state.library.runs.get_mut(&RunId(0)).unwrap();
    for step in 0..=10 {
        run.curves.put(&variant, step, Score::Value(0.5 + f64::from(step % 3) * 0.1));
    }
    let tools = views::run_tools(&state).unwrap();
    let agreement = tools.agreement.unwrap();
    assert_eq!((agreement.precision, agreement.recall), (Score::Value(1.0), Score::Value(0.5)));
    assert_eq!(agreement.unused, ["set_fill_color"]);
    let moved = tools.tools[0].moved.unwrap();
    assert!((moved.total() - 0.1).abs() < 1e-12, "the last score minus the first: {moved:?}");
    assert_eq!((moved.steps, tools.scored), (10, (10, 10)));
    let timeline = views::timeline(&state).unwrap();
    assert_eq!(timeline.steps[0].is_reference, None);
    assert!(timeline.steps[1..].iter().all(|step| step.is_reference == Some(true)));
}

#[test]
fn the_filter_language_finds_what_it_says() {
    let (mut state, _) = opened();
    state.library.runs.get_mut(&RunId(0)).unwrap().last_score = Some(Score::Value(0.8));
    state.library.runs.get_mut(&RunId(1)).unwrap().last_score = Some(Score::Value(0.6));
    let mut found = |filter: &str| {
        handle(&mut state, Command::SetFilter(filter.into()));
        assert_eq!(views::library_rows(&state).filter_error, None, "{filter}");
        views::run_order(&state).iter().map(|run| run.0).collect::<Vec<_>>()
    };
    assert_eq!(found(""), [0, 1, 2, 3]);
    assert_eq!(found("TRACER"), [0, 2, 3]);
    assert_eq!(found("type:replication"), [0, 1]);
    assert_eq!(found("type:modification"), [2]);
    assert_eq!(found("agent:gpt"), [1]);
    assert_eq!(found("state:failed,cancelled"), [1, 2]);
    assert_eq!(found("-state:failed login"), [0]);
    assert_eq!(found("ssim<0.75"), [1]);
    assert_eq!(found("ssim>=0.8"), [0]);
    assert_eq!(found("steps>5 ssim>0.7"), [0]);
    assert_eq!(found("\"own screens\" tag:dark category:profile"), [0, 1, 2]);
    assert_eq!(found("nothing like it"), [0; 0]);
}

#[test]
fn a_task_without_runs_is_found_by_what_the_task_is() {
    let (mut state, _) = opened();
    handle(&mut state, Command::SetFilter("task:lonely".into()));
    assert_eq!(rows(&state), ["Own screens 0", " lonely"]);
}

#[test]
fn a_filter_that_is_wrong_says_where_and_hides_nothing() {
    let (mut state, _) = opened();
    for (filter, says, at) in [
        ("gpt typ:x", "`typ` is not known here", 4..9),
        ("state:broken", "`broken` is no state", 0..12),
        ("ssim<high", "`high` is no number", 0..9),
        ("agent:", "needs a value", 0..6),
        ("\"open", "not closed", 0..5),
        ("ssim<nan", "`nan` is no number", 0..8),
    ] {
        handle(&mut state, Command::SetFilter(filter.into()));
        let rows = views::library_rows(&state);
        let error = rows.filter_error.unwrap();
        assert!(error.message.contains(says), "{filter}: {error}");
        assert_eq!(error.span, at, "{filter}");
        assert_eq!(rows.runs_shown, 4);
    }
}

proptest::proptest! {
    #[test]
    fn any_filter_is_read_or_refused_within_the_text(text in "[a-z:<>=\", ü\\-0-9.]{0,24}") {
        match Filter::parse(&text, &Variants::default()) {
            Ok(filter) => {
                for term in filter.terms() {
                    proptest::prop_assert!(text.get(term.span.clone()).is_some());
                }
            }
            Err(error) => proptest::prop_assert!(text.get(error.span).is_some()),
        }
    }

    #[test]
    fn a_filmstrip_has_both_ends_and_is_in_order(last in 0u32..100_000) {
        let steps: Vec<u32> = views::filmstrip_steps(last).collect();
        proptest::prop_assert_eq!(steps.first().copied(), Some(0));
        proptest::prop_assert_eq!(steps.last().copied(), Some(last));
        proptest::prop_assert!(steps.is_sorted_by(|a, b| a < b));
        proptest::prop_assert!(steps.len() <= views::FILMSTRIP_PICTURES as usize);
    }
}

#[test]
fn the_timeline_marks_turns_failures_and_the_best_step() {
    let (mut state, _) = opened();
    load(&mut state, 0, 5, false);
    let run = state.library.runs.get_mut(&RunId(0)).unwrap();
    run.curves.put(&PrimaryMetric::Similarity.variant().into(), 3, Score::Value(0.4));
    let timeline = views::timeline(&state).unwrap();
    assert_eq!(timeline.steps.len(), 6);
    let ends: Vec<u32> =
        timeline.steps.iter().filter(|step| step.ends_turn).map(|step| step.number).collect();
    assert_eq!(ends, [0, 2, 4, 5]);
    assert!(timeline.steps[5].failed && !timeline.steps[4].failed);
    assert_eq!((timeline.turns, timeline.best), (3, Some((3, 0.4))));
}

#[test]
fn the_inspector_shows_the_step_its_turn_and_its_thought() {
    let (mut state, _) = opened();
    load(&mut state, 0, 5, false);
    step(&mut state, PlaybackCommand::Step(3));
    let inspector = views::inspector(&state).unwrap();
    assert_eq!(inspector.turn.unwrap().thought, "thought 2");
    assert_eq!(inspector.step.unwrap().number, 3);
    step(&mut state, PlaybackCommand::First);
    assert!(views::inspector(&state).unwrap().step.is_none());
}

#[test]
fn moving_over_runs_follows_the_filtered_order() {
    let (mut state, _) = opened();
    handle(&mut state, Command::SetFilter("tracer".into()));
    handle(&mut state, Command::SelectRunBy(1));
    assert_eq!(state.selection.run, Some(RunId(2)));
    handle(&mut state, Command::SelectRunBy(9));
    assert_eq!(state.selection.run, Some(RunId(3)));
    handle(&mut state, Command::SelectRunBy(-9));
    assert_eq!(state.selection.run, Some(RunId(0)));
}

#[test]
fn from_a_place_that_was_gone_to_from_afar_there_is_a_way_back() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    step(&mut state, PlaybackCommand::Step(3));
    let place = Place { step: Some(8), ..Place::default() };
    for jump in [Command::Playback(PlaybackCommand::JumpTo(8)), Command::GoToPlace(place)] {
        handle(&mut state, jump);
        assert_eq!(state.selection.step, 8);
        handle(&mut state, Command::GoBack);
        assert_eq!(state.selection.step, 3);
    }
}
