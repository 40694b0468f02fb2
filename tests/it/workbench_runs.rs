//! Launching, pausing, stopping and repeating runs, without a worker: commands in, requests out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::agent::AgentKind;
use pentimento::agent::batch::AgentChoice;
use pentimento::agent::models::ModelChoice;
use pentimento::agent::providers::ProviderKind;
use pentimento::environment::suite::GivenPicture;
use pentimento::environment::{Compat, EnvironmentKind};
use pentimento::metric::Score;
use pentimento::run::{AgentRef, Manifest, Outcome, Totals};
use pentimento::task::DesignBrief;
use pentimento::workbench::protocol::{Browse, ListedModel, PicturesListed, PromptsListed};
use pentimento::workbench::views::{self, LeftBasis, PaneStatus};
use pentimento::workbench::{
    Command, DerivedKey, Event, ExperimentEdit, Fetched, JobId, JobOutcome, LaunchEdit, Overlay,
    Pause, PlaybackCommand, Request, RunId, RunState, RunsCommand, RunsTarget, Settings,
    StageCommand, StagePane, State, apply, handle,
};
use serde_json::json;

use crate::workbench::{SET, launched, load, opened, task_ref};

fn edit(state: &mut State, edit: LaunchEdit) -> Vec<Request> {
    handle(state, Command::EditLaunch(edit))
}

/// Launches the tracer on these tasks; gives the jobs and the runs' numbers.
fn launch(state: &mut State, tasks: &[&str]) -> Vec<(JobId, RunId)> {
    let tasks = tasks.iter().map(|id| task_ref(id)).collect();
    handle(state, Command::OpenLaunch(tasks));
    let requests = handle(state, Command::Launch);
    launched(&requests).0.iter().map(|run| (run.job, run.run_id)).collect()
}

fn manifest(task: &str, kind: &str) -> Manifest {
    let agent = AgentRef { kind: kind.into(), name: kind.into(), version: None };
    Manifest::new(task_ref(task), agent, "2026-01-01T00:00:00Z")
}

fn start(state: &mut State, run_id: RunId, task: &str) -> Vec<Request> {
    let dir = PathBuf::from(format!("/out/{SET}/{task}/tracer-01"));
    let manifest = Box::new(manifest(task, "tracer"));
    apply(state, Event::RunStarted { run_id, dir, manifest })
}

fn runs(state: &mut State, command: RunsCommand) -> Vec<Request> {
    handle(state, Command::Runs(command))
}

fn pauses(requests: &[Request]) -> Vec<JobId> {
    let paused = |request: &Request| match request {
        Request::Pause(job) => Some(*job),
        _ => None,
    };
    requests.iter().filter_map(paused).collect()
}

/// Makes a task a design query that names a picture which it does not bring.
fn make_query(state: &mut State, id: &str) {
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == id).map(Arc::make_mut).unwrap();
    task.environment = EnvironmentKind::Suite;
    task.brief = Some(Arc::new(DesignBrief::default()));
    task.given = vec![GivenPicture { name: "moon".into(), ..GivenPicture::default() }];
}

fn lists_pictures(requests: &[Request]) -> Option<(JobId, PathBuf)> {
    requests.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::PictureFolder(key), .. } => {
            Some((*job, key.0.clone()))
        }
        _ => None,
    })
}

#[test]
fn queries_are_launched_with_a_folder_of_pictures_which_is_read_and_remembered() {
    let (mut state, _) = opened();
    make_query(&mut state, "cart");
    edit(&mut state, LaunchEdit::Agent(AgentKind::Exec));
    edit(&mut state, LaunchEdit::Command("agent".into()));
    let folder = PathBuf::from("/pictures");
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    let asked = edit(&mut state, LaunchEdit::Pictures(Some(folder.clone())));
    assert!(!views::launches_queries(&state) && lists_pictures(&asked).is_none());
    let requests = handle(&mut state, Command::Launch);
    assert_eq!(launched(&requests).1.options.pictures, None, "no query is among them");

    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    let asked = edit(&mut state, LaunchEdit::ToggleTask(task_ref("cart")));
    let (job, path) = lists_pictures(&asked).unwrap();
    assert_eq!(path, folder);
    let listed = |state: &State| state.launch_pictures().cloned();
    assert_eq!(listed(&state), Some(Fetched::Pending));
    let twelve = Arc::new(PicturesListed { pictures: 12 });
    apply(&mut state, Event::derived(job, Ok(Arc::clone(&twelve))));
    assert_eq!(listed(&state), Some(Fetched::Ready(twelve)));
    apply(&mut state, Event::JobEnded(job, JobOutcome::Done));
    assert!(lists_pictures(&edit(&mut state, LaunchEdit::MaxTurns(9))).is_none(), "it is known");

    // Another folder, and what is said of the first one too late.
    let asked = edit(&mut state, LaunchEdit::Pictures(Some("/others".into())));
    let (other, path) = lists_pictures(&asked).unwrap();
    // Nobody waits for what a dialog asked that was closed.
    let closed = handle(&mut state, Command::CloseOverlay);
    assert!(closed.iter().any(|request| matches!(request, Request::Cancel(job) if *job == other)));
    assert_eq!(listed(&state), None);
    let again = handle(&mut state, Command::OpenLaunch(vec![task_ref("cart")]));
    let (other, _) = lists_pictures(&again).unwrap_or((other, path.clone()));
    let late = Ok(Arc::new(PicturesListed { pictures: 99 }));
    apply(&mut state, Event::derived(job, late));
    assert_eq!((listed(&state), path), (Some(Fetched::Pending), "/others".into()));
    apply(&mut state, Event::JobEnded(other, JobOutcome::Failed("it is gone".into())));
    assert_eq!(listed(&state), Some(Fetched::Failed("it is gone".into())));

    let requests = handle(&mut state, Command::Launch);
    assert_eq!(launched(&requests).1.options.pictures, Some("/others".into()));
    let next = State::new(state.settings.clone(), "/out".into());
    assert_eq!(next.launch.options.pictures, Some("/others".into()));
    handle(&mut state, Command::OpenLaunch(vec![task_ref("cart")]));
    edit(&mut state, LaunchEdit::Pictures(None));
    assert_eq!(listed(&state), None);
    let requests = handle(&mut state, Command::Launch);
    assert_eq!(launched(&requests).1.options.pictures, None);
}

#[test]
fn of_the_agents_that_need_nothing_the_one_that_can_is_chosen() {
    let (mut state, _) = opened();
    make_query(&mut state, "cart");
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    assert_eq!((state.launch.agent, views::why_no_launch(&state)), (AgentKind::Tracer, None));
    edit(&mut state, LaunchEdit::ToggleTask(task_ref("cart")));
    let why = views::why_no_launch(&state).unwrap();
    assert!(why.contains("draws what a picture shows"), "{why}");
    handle(&mut state, Command::OpenLaunch(vec![task_ref("cart")]));
    assert_eq!((state.launch.agent, views::why_no_launch(&state)), (AgentKind::Rules, None));
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    assert_eq!((state.launch.agent, views::why_no_launch(&state)), (AgentKind::Tracer, None));
    // What somebody chose stays, whatever it can do.
    edit(&mut state, LaunchEdit::Agent(AgentKind::Scripted));
    handle(&mut state, Command::OpenLaunch(vec![task_ref("cart")]));
    assert_eq!(state.launch.agent, AgentKind::Scripted);
}

#[test]
fn behaviours_are_those_of_the_chosen_tasks_and_no_other_is_launched() {
    let (mut state, _) = opened();
    make_query(&mut state, "cart");
    edit(&mut state, LaunchEdit::Agent(AgentKind::Exec));
    edit(&mut state, LaunchEdit::Command("agent".into()));
    let shown = |state: &State| views::launched_behaviours(state);
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    assert_eq!(shown(&state), [Compat::Documented, Compat::Canvas202601]);
    edit(&mut state, LaunchEdit::Compat(Compat::Canvas202601));
    assert_eq!(views::why_no_launch(&state), None);
    edit(&mut state, LaunchEdit::ToggleTask(task_ref("cart")));
    assert_eq!(shown(&state), Compat::ALL);
    let why = views::why_no_launch(&state).unwrap();
    assert!(why.contains("canvas-2026-01") && why.contains("not of cart"), "{why}");
    edit(&mut state, LaunchEdit::ToggleTask(task_ref("login")));
    assert_eq!(shown(&state), Compat::ALL, "what is chosen stays to be seen");
    edit(&mut state, LaunchEdit::Compat(Compat::GraphicBench));
    assert_eq!(views::why_no_launch(&state), None);
    assert_eq!(shown(&state), [Compat::Documented, Compat::GraphicBench]);
    edit(&mut state, LaunchEdit::ToggleTask(task_ref("cart")));
    edit(&mut state, LaunchEdit::Compat(Compat::Documented));
    assert_eq!(shown(&state), [Compat::Documented, Compat::Canvas202601]);
}

#[test]
fn a_pause_is_asked_once_and_shown_as_soon_as_the_run_waits() {
    let (mut state, _) = opened();
    let jobs = launch(&mut state, &["login", "cart"]);
    let (job, run_id) = jobs[0];
    start(&mut state, run_id, "cart");
    let one = RunsTarget::Job(job);
    assert_eq!(pauses(&runs(&mut state, RunsCommand::Pause(one))), [job]);
    assert_eq!(state.library.runs[&run_id].word(), "pausing");
    assert_eq!(pauses(&runs(&mut state, RunsCommand::Pause(one))), [], "it was asked already");
    apply(&mut state, Event::RunPaused { job, is_paused: true });
    assert_eq!(
        (state.library.runs[&run_id].word(), state.jobs.by_id[&job].pause),
        ("paused", Pause::Waits)
    );
    assert_eq!(views::batch_usage(&state).paused, 1);
    let rest = pauses(&runs(&mut state, RunsCommand::Pause(RunsTarget::All)));
    assert_eq!(rest, [jobs[1].0], "the other one, that waits to begin");
    let requests = runs(&mut state, RunsCommand::Resume(RunsTarget::All));
    let resumed = requests.iter().filter(|it| matches!(it, Request::Resume(_))).count();
    assert_eq!((resumed, state.library.runs[&run_id].word()), (2, "live"));
}

#[test]
fn what_a_worker_says_late_of_a_pause_does_not_undo_a_newer_one() {
    let (mut state, _) = opened();
    let (job, run_id) = launch(&mut state, &["cart"])[0];
    start(&mut state, run_id, "cart");
    let one = RunsTarget::Job(job);
    runs(&mut state, RunsCommand::Pause(one));
    apply(&mut state, Event::RunPaused { job, is_paused: true });
    runs(&mut state, RunsCommand::Resume(one));
    runs(&mut state, RunsCommand::Pause(one));
    apply(&mut state, Event::RunPaused { job, is_paused: false });
    assert_eq!(state.jobs.by_id[&job].pause, Pause::Asked);
    apply(&mut state, Event::JobEnded(job, JobOutcome::Cancelled));
    apply(&mut state, Event::RunPaused { job, is_paused: true });
    let run = &state.library.runs[&run_id];
    assert_eq!((run.pause, &run.state), (Pause::No, &RunState::Cancelled));
}

#[test]
fn a_run_is_taken_out_of_the_library_and_what_is_on_the_stage_beside_it_stays() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    handle(&mut state, Command::Stage(StageCommand::ToggleSlot(RunId(1))));
    let forgets = |requests: &[Request], run: RunId| {
        requests.iter().any(|it| matches!(it, Request::Forget(it) if *it == run))
    };
    assert!(forgets(&runs(&mut state, RunsCommand::Remove(RunId(1))), RunId(1)));
    assert_eq!((state.selection.run, state.stage.slots.len()), (Some(RunId(0)), 0));
    assert!(forgets(&runs(&mut state, RunsCommand::Remove(RunId(0))), RunId(0)));
    assert!(state.library.runs.keys().eq(&[RunId(2), RunId(3)]));
    assert_eq!((state.selection.run, &state.selection.task), (None, &Some(task_ref("login"))));
    // Of a task that is not open, nothing is left to see.
    handle(&mut state, Command::SelectRun(RunId(3)));
    runs(&mut state, RunsCommand::Remove(RunId(3)));
    assert_eq!((state.selection.run, &state.selection.task), (None, &None));
    // One that is being made stays.
    let run_id = launch(&mut state, &["cart"])[0].1;
    start(&mut state, run_id, "cart");
    assert!(!forgets(&runs(&mut state, RunsCommand::Remove(run_id)), run_id));
    assert!(state.library.runs.contains_key(&run_id));
    assert!(state.notices.last().unwrap().text.contains("stop it first"));
}

#[test]
fn a_run_that_changed_on_the_disk_is_read_again_and_nothing_of_before_is_kept() {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, false);
    handle(&mut state, Command::Playback(PlaybackCommand::Step(4)));
    state.library.runs.get_mut(&RunId(0)).unwrap().last_score = Some(Score::Value(0.5));
    let requests = runs(&mut state, RunsCommand::Reload(RunId(0)));
    let forgotten = requests.iter().position(|it| matches!(it, Request::Forget(RunId(0))));
    let read = requests.iter().position(|it| matches!(it, Request::LoadRun { run: RunId(0), .. }));
    assert!(forgotten.is_some() && forgotten < read, "{requests:?}");
    let run = &state.library.runs[&RunId(0)];
    assert!(run.loaded.is_none() && run.last_score.is_none());
    load(&mut state, 0, 6, false);
    assert_eq!((state.library.runs[&RunId(0)].steps, state.selection.step), (6, 4));
    // One that could not be read may be whole again, and comes on the stage.
    let unreadable = RunState::Unreadable("half a line".into());
    state.library.runs.get_mut(&RunId(2)).unwrap().state = unreadable;
    let requests = runs(&mut state, RunsCommand::Reload(RunId(2)));
    assert!(requests.iter().any(|it| matches!(it, Request::LoadRun { run: RunId(2), .. })));
    assert_eq!(state.selection.run, Some(RunId(2)));
}

#[test]
fn stopping_all_stops_those_that_wait_too() {
    let (mut state, _) = opened();
    let jobs = launch(&mut state, &["login", "cart"]);
    let requests = runs(&mut state, RunsCommand::Stop(RunsTarget::All));
    let stopped: Vec<JobId> = requests
        .iter()
        .filter_map(|request| if let Request::Cancel(job) = request { Some(*job) } else { None })
        .collect();
    assert_eq!(stopped, [jobs[0].0, jobs[1].0]);
}

#[test]
fn every_task_is_run_by_every_model_with_the_limits_of_the_dialog() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login"), task_ref("cart")]));
    for change in [
        LaunchEdit::Agent(AgentKind::Model),
        LaunchEdit::ModelName("anthropic:a, gemini:g ,anthropic:a,".into()),
        LaunchEdit::Budget(Some(3.0)),
        LaunchEdit::MaxCost(Some(f64::NAN)),
        LaunchEdit::MaxTokens(Some(0)),
        LaunchEdit::MaxSeconds(Some(60.0)),
        LaunchEdit::Resume(true),
        LaunchEdit::Jobs(10_000),
    ] {
        edit(&mut state, change);
    }
    let requests = handle(&mut state, Command::Launch);
    let (runs, plan) = launched(&requests);
    let choice = |name: &str| {
        AgentChoice::Model(ModelChoice { name: name.into(), ..ModelChoice::default() })
    };
    assert_eq!(plan.agents, [choice("anthropic:a"), choice("gemini:g")], "each named once");
    let who: Vec<(&str, usize)> =
        runs.iter().map(|run| (run.task_ref.id.as_str(), run.agent)).collect();
    assert_eq!(who, [("cart", 0), ("cart", 1), ("login", 0), ("login", 1)]);
    assert_eq!(
        (plan.options.budget_usd, plan.options.resume, plan.options.at_once),
        (Some(3.0), true, 256)
    );
    assert_eq!((plan.options.limits.max_cost_usd, plan.options.limits.max_tokens), (None, None));
    assert_eq!(plan.options.limits.max_seconds, Some(60.0));
    assert_eq!(runs[0].set_dir, PathBuf::from("/sets/screens"));
    let next = State::new(state.settings, "/out".into()).launch.options;
    assert_eq!(
        (next.budget_usd, next.limits.max_seconds, next.resume),
        (Some(3.0), Some(60.0), false)
    );
}

#[test]
fn models_of_the_file_are_listed_while_the_dialog_is_open_and_ticked_by_name() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(Vec::new()));
    edit(&mut state, LaunchEdit::ModelFile(Some("/m.json".into())));
    let requests = edit(&mut state, LaunchEdit::Agent(AgentKind::Model));
    let [Request::Derive { job, key: DerivedKey::ModelFile(key), .. }] = &requests[..] else {
        panic!("{requests:?}")
    };
    assert_eq!(key.0, PathBuf::from("/m.json"));
    assert!(edit(&mut state, LaunchEdit::ModelName("b".into())).is_empty(), "it is read once");
    let model = |name: &str, has_prices| ListedModel {
        name: name.into(),
        model: "m".into(),
        kind: ProviderKind::Gemini,
        has_prices,
    };
    let result = Ok(Arc::new(vec![model("a", true), model("b", false)]));
    apply(&mut state, Event::derived(*job, result));
    edit(&mut state, LaunchEdit::ToggleModel("a".into()));
    assert_eq!(state.launch.model_names(), ["b", "a"]);
    edit(&mut state, LaunchEdit::Budget(Some(1.0)));
    assert!(views::why_no_launch(&state).unwrap().starts_with("b has no prices"));
    edit(&mut state, LaunchEdit::ToggleModel("b".into()));
    assert_eq!((state.launch.model.name.as_str(), views::why_no_launch(&state)), ("a", None));
    // The next file is another list, and what is said of the first comes too late.
    let requests = edit(&mut state, LaunchEdit::ModelFile(Some("/n.json".into())));
    let is_read = |request: &Request| {
        matches!(request, Request::Derive { key: DerivedKey::ModelFile(_), .. })
    };
    assert_eq!(requests.iter().filter(|request| is_read(request)).count(), 1, "{requests:?}");
    let late = Ok(Arc::new(Vec::<ListedModel>::new()));
    apply(&mut state, Event::derived(*job, late));
    assert_eq!(state.launch_models(), Some(&Fetched::Pending));
}

/// The dialog with an experiment of these models on one task, without repeats.
fn experiment_of(models: &str) -> State {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    edit(&mut state, LaunchEdit::Agent(AgentKind::Model));
    edit(&mut state, LaunchEdit::ModelName(models.into()));
    experiment(&mut state, ExperimentEdit::On(true));
    experiment(&mut state, ExperimentEdit::Repeats(1));
    state
}

fn experiment(state: &mut State, change: ExperimentEdit) -> Vec<Request> {
    edit(state, LaunchEdit::Experiment(change))
}

/// Adds a folder of prompts, which is read at once: it lies there, or something is wrong with it.
fn add_prompts(state: &mut State, path: &str, found: Result<&str, &str>) {
    let requests = handle(state, Command::ChoosePath(Browse::PromptFolder, path.into()));
    let asked = requests.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::PromptFolder(key), .. } => Some((*job, &key.0)),
        _ => None,
    });
    let (job, folder) = asked.unwrap();
    assert_eq!(folder, Path::new(path));
    let found = found.map(|place| Arc::new(PromptsListed { place: place.into(), prompts: 2 }));
    apply(state, Event::derived(job, found.map_err(str::to_owned)));
}

#[test]
fn every_model_works_with_every_set_of_prompts_that_is_ticked() {
    let mut state = experiment_of("anthropic:a, gemini:g");
    assert_eq!(views::launched_runs(&state), Some(2));
    for path in ["/p/terse", "/p/long", "/p/left out"] {
        add_prompts(&mut state, path, Ok(path));
    }
    assert_eq!(views::launched_runs(&state), Some(8), "with those of the program");
    experiment(&mut state, ExperimentEdit::TogglePrompts(Some("/p/left out".into())));
    assert_eq!(views::launched_runs(&state), Some(6));
    experiment(&mut state, ExperimentEdit::TogglePrompts(None));
    experiment(&mut state, ExperimentEdit::TypePrompts("~/p".into()));
    assert_eq!(views::launched_runs(&state), Some(4));
    let requests = handle(&mut state, Command::Launch);
    let (runs, plan) = launched(&requests);
    let who: Vec<&str> = plan.agents.iter().map(AgentChoice::name).collect();
    let expected =
        ["anthropic:a · terse", "anthropic:a · long", "gemini:g · terse", "gemini:g · long"];
    assert_eq!((runs.len(), who), (4, expected.to_vec()));
    let told = &plan.experiment.as_ref().unwrap().prompts;
    assert_eq!(*told, ["/p/terse", "/p/long"].map(|path| Some(PathBuf::from(path))));

    // The next session has the list and its ticks, and not what was half typed.
    let kept = Settings::from_json(&state.settings.to_json().unwrap()).unwrap();
    let next = State::new(kept, "/out".into()).launch.experiment.prompts;
    let ticks: Vec<bool> = next.folders.iter().map(|folder| folder.is_on).collect();
    assert_eq!((next.built_in, ticks, next.typed.as_str()), (false, vec![true, true, false], ""));
}

#[test]
fn a_folder_of_prompts_is_compared_once_whichever_way_leads_there() {
    let mut state = experiment_of("anthropic:a");
    add_prompts(&mut state, "/p/terse", Ok("/disk/terse"));
    add_prompts(&mut state, "/p/./terse/", Ok("/disk/terse"));
    assert_eq!(state.launch.experiment.prompts.folders.len(), 1);
    assert_eq!(views::why_no_launch(&state), None);
    add_prompts(&mut state, "/p/link", Ok("/disk/terse"));
    let same = "the same folder as /p/terse";
    assert_eq!(views::why_no_prompts(&state, 1).as_deref(), Some(same));
    assert_eq!(views::why_no_launch(&state), Some(format!("Prompts: {same}.")));
    assert_eq!(views::launched_runs(&state), None);
    // Either of them may be the one.
    experiment(&mut state, ExperimentEdit::TogglePrompts(Some("/p/terse".into())));
    assert_eq!(views::why_no_launch(&state), None);
    experiment(&mut state, ExperimentEdit::TogglePrompts(Some("/p/terse".into())));
    experiment(&mut state, ExperimentEdit::RemovePrompts("/p/link".into()));
    assert_eq!(views::why_no_launch(&state), None);
    assert_eq!(views::launched_runs(&state), Some(2));
}

#[test]
fn what_is_wrong_with_prompts_keeps_the_launch_back_until_it_is_mended() {
    let mut state = experiment_of("anthropic:a");
    experiment(&mut state, ExperimentEdit::TogglePrompts(None));
    let none = "Tick the prompts that models work with.";
    assert_eq!(views::why_no_launch(&state).as_deref(), Some(none));
    assert!(handle(&mut state, Command::Launch).is_empty());
    assert_eq!(state.notices.last().map(|notice| notice.text.as_str()), Some(none));
    add_prompts(&mut state, "/gone", Err("there is no folder"));
    assert_eq!(views::why_no_launch(&state).as_deref(), Some("Prompts: there is no folder."));
    // What is not ticked hinders nobody, and is told all the same.
    experiment(&mut state, ExperimentEdit::TogglePrompts(Some("/gone".into())));
    experiment(&mut state, ExperimentEdit::TogglePrompts(None));
    assert_eq!(views::why_no_launch(&state), None);
    add_prompts(&mut state, "/gone", Err("there is no folder"));
    assert!(views::why_no_prompts(&state, 0).is_some());
    add_prompts(&mut state, "/gone", Ok("/gone"));
    assert_eq!((views::why_no_prompts(&state, 0), views::why_no_launch(&state)), (None, None));
    // Another kind of agent has no prompts, and asks for none.
    edit(&mut state, LaunchEdit::Agent(AgentKind::Tracer));
    experiment(&mut state, ExperimentEdit::TogglePrompts(None));
    experiment(&mut state, ExperimentEdit::RemovePrompts("/gone".into()));
    assert_eq!(views::why_no_launch(&state), None);
}

#[test]
fn the_filtered_tasks_are_taken_and_no_other() {
    let (mut state, _) = opened();
    handle(&mut state, Command::OpenLaunch(vec![task_ref("login")]));
    handle(&mut state, Command::SetFilter("lonely".into()));
    edit(&mut state, LaunchEdit::FilteredTasks);
    assert_eq!(
        state.launch.tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(),
        ["lonely"]
    );
    edit(&mut state, LaunchEdit::NoTask);
    assert_eq!(views::why_no_launch(&state).as_deref(), Some("Choose at least one task."));
}

#[test]
fn a_run_is_made_again_in_the_folder_of_its_batch() {
    let (mut state, _) = opened();
    let (_, run_id) = launch(&mut state, &["cart"])[0];
    start(&mut state, run_id, "cart");
    let run = state.library.runs.get_mut(&run_id).unwrap();
    run.manifest.settings.insert("max_turns".into(), json!(7));
    run.manifest.settings.insert("max_tokens".into(), json!(900));
    let again = run.manifest.clone();
    let requests = runs(&mut state, RunsCommand::Again(run_id));
    let (runs, plan) = launched(&requests);
    assert_eq!((runs.len(), &runs[0].task_ref, runs[0].agent), (1, &task_ref("cart"), 0));
    let [AgentChoice::Again { manifest, .. }] = &plan.agents[..] else { panic!() };
    assert_eq!(**manifest, again);
    assert_eq!((plan.options.limits.max_turns, plan.options.limits.max_tokens), (7, Some(900)));
    assert_eq!((plan.options.out_dir.clone(), plan.options.resume), (PathBuf::from("/out"), false));
}

#[test]
fn what_cannot_be_made_again_says_why() {
    let (mut state, _) = opened();
    let (_, run_id) = launch(&mut state, &["cart"])[0];
    start(&mut state, run_id, "cart");
    let why = |state: &State| views::why_not_again(state, run_id).unwrap_or_default();
    assert_eq!(why(&state), "");
    let entry = |state: &mut State, kind: &str| {
        state.library.runs.get_mut(&run_id).unwrap().manifest.agent.kind = kind.into();
    };
    entry(&mut state, "somebody");
    assert!(why(&state).contains("no agent of this program"), "{}", why(&state));
    assert!(runs(&mut state, RunsCommand::Again(run_id)).is_empty());
    assert!(state.notices.last().unwrap().text.contains("cannot be made again"));
    entry(&mut state, "tracer");
    state.library.sets.clear();
    assert!(why(&state).contains("open the task set"), "{}", why(&state));
    assert!(views::why_not_again(&state, RunId(999)).is_some());
}

#[test]
fn the_dialog_is_filled_in_with_a_model_by_its_name_or_by_its_address() {
    let (mut state, _) = opened();
    let (_, run_id) = launch(&mut state, &["cart"])[0];
    start(&mut state, run_id, "cart");
    let entry = state.library.runs.get_mut(&run_id).unwrap();
    entry.manifest.agent = AgentRef { kind: "model".into(), name: "m-1".into(), version: None };
    entry.manifest.mode = "single_turn".into();
    let provider = json!({"kind": "gemini", "model": "m-1", "base_url": "http://h/v1"});
    entry.manifest.settings.insert("model".into(), json!({ "provider": provider }));
    runs(&mut state, RunsCommand::With(run_id));
    assert_eq!(state.overlay, Some(Overlay::Launch));
    assert_eq!(state.launch.model.name, "gemini:m-1@http://h/v1");
    assert_eq!(state.launch.model.mode.name(), "single_turn");
    state.library.runs.get_mut(&run_id).unwrap().manifest.agent.name = "mine".into();
    runs(&mut state, RunsCommand::With(run_id));
    assert_eq!((state.launch.model.name.as_str(), state.launch.agent), ("mine", AgentKind::Model));
    assert_eq!(state.launch.tasks.len(), 1);
}

/// The runs that all is to be told of from then on, if that changed.
fn watched(requests: &[Request]) -> Option<Vec<RunId>> {
    requests.iter().find_map(|request| match request {
        Request::Watch(runs) => Some(runs.clone()),
        _ => None,
    })
}

#[test]
fn runs_at_work_that_stand_beside_each_other_are_all_told_whole_and_stay_so_as_they_grow() {
    let (mut state, _) = opened();
    let jobs = launch(&mut state, &["login", "cart"]);
    let (first, second) = (jobs[0].1, jobs[1].1);
    start(&mut state, first, "cart");
    start(&mut state, second, "login");
    let beside = Command::Stage(StageCommand::ToggleSlot(second));
    let requests = handle(&mut state, beside.clone());
    assert_eq!(watched(&requests), Some(vec![first, second]));
    let pane = views::pane(&state, StagePane::Slot(0));
    assert_eq!(pane.status, PaneStatus::Loading, "it is on its way");
    load(&mut state, second.0, 3, true);
    // What was told before it came on the stage takes nothing of it away.
    let grew = Event::RunGrew { run_id: second, totals: Totals::default(), steps: 2 };
    apply(&mut state, grew);
    let run = &state.library.runs[&second];
    assert_eq!((run.steps, run.loaded.is_some()), (3, true));
    assert_eq!(watched(&handle(&mut state, beside)), Some(vec![first]));
}

#[test]
fn a_run_that_nobody_looks_at_keeps_no_more_than_its_sums() {
    let (mut state, _) = opened();
    let jobs = launch(&mut state, &["login", "cart"]);
    let (first, second) = (jobs[0].1, jobs[1].1);
    assert_eq!(watched(&start(&mut state, first, "cart")), Some(vec![first]));
    assert_eq!(watched(&start(&mut state, second, "login")), None, "the first is on the stage");
    let totals = Totals { turns: 4, input_tokens: 1_000, seconds: 8.0, ..Totals::default() };
    apply(&mut state, Event::RunGrew { run_id: second, totals: totals.clone(), steps: 9 });
    let run = &state.library.runs[&second];
    assert_eq!((run.steps, run.manifest.totals.turns, run.loaded.is_none()), (9, 4, true));
    let requests = handle(&mut state, Command::SelectRun(second));
    assert_eq!(watched(&requests), Some(vec![second]));
    assert!(!requests.iter().any(|it| matches!(it, Request::LoadRun { .. })), "it comes by itself");
    // It ended just before it was looked at: then it is read from its folder.
    let mut over = manifest("login", "tracer");
    (over.outcome, over.totals) = (Outcome::Completed, totals);
    apply(&mut state, Event::RunEnded { run_id: second, manifest: Box::new(over) });
    let requests = apply(&mut state, Event::JobEnded(jobs[1].0, JobOutcome::Done));
    assert!(requests.iter().any(|it| matches!(it, Request::LoadRun { run, .. } if *run == second)));
    assert_eq!(state.library.runs[&second].state, RunState::Finished);
    let left = views::batch_usage(&state).left.unwrap();
    assert_eq!((left.seconds, left.basis), (8.0, LeftBasis::EndedRuns(1)));
}

#[test]
fn a_resumed_run_takes_the_place_of_the_broken_off_one_in_the_library_too() {
    let (mut state, _) = opened();
    let (_, run_id) = launch(&mut state, &["cart"])[0];
    start(&mut state, run_id, "cart");
    let old = *state.library.runs.keys().find(|run| **run != run_id).unwrap();
    let place = state.library.runs[&old].dir.clone();
    let moved = Event::RunMoved { run_id, dir: place.clone(), replaced: vec![place.clone()] };
    let requests = apply(&mut state, moved);
    assert!(requests.iter().any(|it| matches!(it, Request::Forget(run) if *run == old)));
    assert!(!state.library.runs.contains_key(&old));
    assert_eq!(state.library.runs[&run_id].dir, place);
}
