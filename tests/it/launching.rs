//! Runs launched from the workbench against a server: paused, resumed, stopped, made again, on a
//! budget, gone on with. State and worker as in the application, without its window.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento::agent::AgentKind;
use pentimento::app::Session;
use pentimento::run::{Outcome, TaskRef, reader};
use pentimento::workbench::protocol::PicturesListed;
use pentimento::workbench::views;
use pentimento::workbench::{
    Command, ExchangesCommand, ExperimentEdit, Fetched, JobOutcome, LaunchEdit, LibraryRun, Pause,
    PlaybackCommand, RunId, RunState, RunsCommand, RunsTarget, Settings, State,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use crate::batch::{CALLS, ModelServer, run_dirs};
use crate::suite::given::query;

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(3);

/// A session on the samples, and a server that models are behind.
struct Place {
    dir: tempfile::TempDir,
    server: ModelServer,
    session: Session,
}

impl Place {
    fn new() -> Self {
        let (dir, server) = (tempfile::tempdir().unwrap(), ModelServer::start());
        let model = |name: &str, priced: bool| {
            let prices = json!({"input": 1.0, "output": 10.0});
            json!({"provider": {"kind": "chat_completions", "base_url": server.address, "model": name,
                "proxy": "", "prices": priced.then_some(prices)}})
        };
        let models = json!({"models": {
            "one": model("one", true), "two": model("two", true), "free": model("free", false),
            "broken": model("broken", false)}});
        std::fs::write(dir.path().join("models.json"), models.to_string()).unwrap();
        let state = State::new(Settings::default(), dir.path().join("runs"));
        let config = WorkerConfig { drawing_threads: 1, ..WorkerConfig::default() };
        let session = Session::start(state, config, || {}).unwrap();
        let mut place = Self { dir, server, session };
        place.session.carry_out(Command::Open(vec![PathBuf::from("sample_runs/taskset.json")]));
        place.until("the tasks are listed", |state| !state.library.sets.is_empty());
        place
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("runs")
    }

    fn state(&self) -> &State {
        self.session.state()
    }

    fn edit(&mut self, edit: LaunchEdit) {
        self.session.carry_out(Command::EditLaunch(edit));
    }

    fn runs(&mut self, command: RunsCommand) {
        self.session.carry_out(Command::Runs(command));
    }

    /// The first tasks of the samples by these models.
    fn launch(&mut self, tasks: usize, models: &str, edits: Vec<LaunchEdit>) {
        let set = self.state().library.sets[0].set.clone();
        let task = |id: &str| TaskRef { set: set.id.clone(), id: id.to_owned() };
        let tasks = set.tasks.iter().take(tasks).map(|it| task(&it.id)).collect();
        self.session.carry_out(Command::OpenLaunch(tasks));
        self.edit(LaunchEdit::Agent(AgentKind::Model));
        self.edit(LaunchEdit::ModelFile(Some(self.dir.path().join("models.json"))));
        self.edit(LaunchEdit::ModelName(models.into()));
        for edit in edits {
            self.edit(edit);
        }
        self.session.carry_out(Command::Launch);
    }

    /// Takes events until it is so.
    fn until(&mut self, what: &str, is_so: impl Fn(&State) -> bool) {
        let began = Instant::now();
        while !is_so(self.state()) {
            let notices = &self.state().notices;
            assert!(began.elapsed() < PATIENCE, "it was never so: {what}; {notices:?}");
            self.session.take_next_event(Duration::from_millis(50));
        }
    }

    fn until_over(&mut self) {
        self.until("every run ends", |state| state.jobs.active_runs().next().is_none());
    }

    fn last_notice(&self) -> &str {
        self.state().notices.last().map_or("", |notice| &notice.text)
    }
}

/// The runs that were launched; the samples come with some.
fn mine(state: &State) -> Vec<&LibraryRun> {
    state.library.runs.values().filter(|run| run.dir.starts_with(&state.default_out_dir)).collect()
}

/// Their numbers.
fn my_ids(state: &State) -> Vec<RunId> {
    let runs = state.library.runs.iter();
    let mine = runs.filter(|(_, run)| run.dir.starts_with(&state.default_out_dir));
    mine.map(|(id, _)| *id).collect()
}

fn is_paused(state: &State) -> bool {
    state.jobs.active_runs().all(|(_, job)| job.pause == Pause::Waits)
}

#[test]
fn several_models_work_on_several_tasks_and_their_costs_add_up() {
    let mut place = Place::new();
    place.launch(2, "one, two, free", vec![LaunchEdit::Jobs(3)]);
    assert_eq!(place.state().jobs.active_runs().count(), 6);
    place.until_over();
    let state = place.state();
    assert!(mine(state).iter().all(|run| run.state == RunState::Finished));
    let batch = views::batch_usage(state);
    assert_eq!((batch.runs, batch.ended, batch.unpriced), (6, 6, 2));
    assert_eq!(batch.tokens, 6 * (CALLS as u64 + 1) * 1100);
    // Four answers of 1,000 tokens read and 100 written, of four runs.
    assert!((batch.usd - 4.0 * 0.008).abs() < 1e-9, "{batch:?}");
    assert_eq!(run_dirs(&place.out()).len(), 6);
    for run in run_dirs(&place.out()) {
        let manifest = reader::peek(&run).unwrap().manifest;
        let tasks = manifest.settings["tasks"].as_str().unwrap();
        let tasks = run.join(tasks).canonicalize().unwrap();
        assert_eq!(
            tasks,
            PathBuf::from("sample_runs").canonicalize().unwrap(),
            "where its task is"
        );
    }
}

#[test]
fn all_runs_are_paused_after_their_turns_and_go_on_where_they_were() {
    let mut place = Place::new();
    place.server.answer_after(Duration::from_millis(150));
    place.launch(3, "one", vec![LaunchEdit::Jobs(2)]);
    place.until("two runs are at work", |state| mine(state).len() == 2);
    place.runs(RunsCommand::Pause(RunsTarget::All));
    assert!(place.state().jobs.active_runs().all(|(_, job)| job.pause == Pause::Asked));
    place.until("all are held, the one that waits too", is_paused);
    let words: Vec<&str> = mine(place.state()).iter().map(|run| run.word()).collect();
    assert_eq!(words, ["paused", "paused"]);
    let asked = place.server.arrived();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(place.server.arrived(), asked, "no request is made while all are paused");
    place.runs(RunsCommand::Resume(RunsTarget::All));
    place.until_over();
    assert_eq!(place.server.arrived(), 3 * (CALLS + 1), "and none was made twice");
    assert!(mine(place.state()).iter().all(|run| run.state == RunState::Finished));
    assert!(mine(place.state()).iter().all(|run| run.pause == Pause::No));
}

#[test]
fn one_run_is_paused_and_stopped_while_the_other_goes_on() {
    let mut place = Place::new();
    place.server.answer_after(Duration::from_millis(100));
    place.launch(2, "one", vec![LaunchEdit::Jobs(2)]);
    place.until("both are at work", |state| mine(state).len() == 2);
    let job = place.state().selected_run().unwrap().job.unwrap();
    place.runs(RunsCommand::Pause(RunsTarget::Job(job)));
    place.until("the other ends", |state| state.jobs.active_runs().count() == 1);
    place.until("the one is held", is_paused);
    place.runs(RunsCommand::Stop(RunsTarget::Job(job)));
    place.until_over();
    let states: Vec<&RunState> = mine(place.state()).iter().map(|it| &it.state).collect();
    assert!(states.contains(&&RunState::Cancelled) && states.contains(&&RunState::Finished));
    let runs = mine(place.state());
    let stopped = runs.iter().find(|it| it.job == Some(job)).unwrap();
    assert_eq!(reader::peek(&stopped.dir).unwrap().manifest.outcome, Outcome::Cancelled);
}

#[test]
fn a_spent_budget_stops_the_launch_and_another_goes_on_with_what_is_there() {
    let mut place = Place::new();
    // 0.002 an answer: the third reaches it, in the first run.
    let budget = |usd| vec![LaunchEdit::Jobs(1), LaunchEdit::Budget(Some(usd))];
    place.launch(2, "one", budget(0.005));
    place.until_over();
    assert!(
        place.last_notice().contains("the budget of $0.01 is spent"),
        "{}",
        place.last_notice()
    );
    assert_eq!((place.server.arrived(), run_dirs(&place.out()).len()), (3, 1));
    let mut edits = budget(1.0);
    edits.push(LaunchEdit::Resume(true));
    place.launch(2, "one", edits.clone());
    place.until_over();
    assert_eq!(place.server.arrived(), 2 * (CALLS + 1), "nothing was asked twice");
    place.until("the broken-off run is in the new one", |state| mine(state).len() == 2);
    for run in mine(place.state()) {
        assert!(
            run.dir.join("run.json").is_file(),
            "the library knows where each is: {:?}",
            run.dir
        );
        assert_eq!(run.state, RunState::Finished);
    }
    let asked = place.server.arrived();
    place.launch(2, "one", edits);
    place.until_over();
    assert_eq!(place.server.arrived(), asked, "what is finished is not made again");
    assert_eq!(mine(place.state()).len(), 2, "and is listed once");
}

#[test]
fn a_budget_without_prices_is_refused_before_anything_is_asked() {
    let mut place = Place::new();
    place.launch(1, "free", vec![LaunchEdit::Budget(Some(1.0))]);
    place.until_over();
    assert!(place.last_notice().contains("what free costs"), "{}", place.last_notice());
    assert_eq!(place.server.arrived(), 0);
    // Once the file is read, the dialog says so itself.
    place.session.carry_out(Command::OpenLaunch(Vec::new()));
    place.until("the file is listed", |state| {
        matches!(state.launch_models(), Some(Fetched::Ready(_)))
    });
    let why = views::why_no_launch(place.state()).unwrap();
    assert!(why.contains("free has no prices"), "{why}");
    let Some(Fetched::Ready(listed)) = place.state().launch_models() else { panic!() };
    let names: Vec<&str> = listed.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["broken", "free", "one", "two"]);
}

#[test]
fn a_run_is_made_again_and_the_dialog_is_filled_in_with_what_it_had() {
    let mut place = Place::new();
    place.launch(1, "one", vec![LaunchEdit::MaxTurns(3), LaunchEdit::MaxCost(Some(2.0))]);
    place.until_over();
    let first = place.state().selection.run.unwrap();
    assert_eq!(views::why_not_again(place.state(), first), None);
    place.edit(LaunchEdit::MaxTurns(40));
    place.runs(RunsCommand::Again(first));
    place.until_over();
    place.until("it is on the stage", |state| state.selection.run != Some(first));
    let runs = mine(place.state());
    let [one, two] = &runs[..] else { panic!("{}", runs.len()) };
    assert_eq!(one.manifest.settings, two.manifest.settings);
    assert_eq!(
        (&one.manifest.outcome, &one.manifest.agent),
        (&two.manifest.outcome, &two.manifest.agent)
    );
    assert_ne!(one.dir, two.dir);
    place.runs(RunsCommand::With(first));
    let launch = &place.state().launch;
    assert_eq!((launch.agent, launch.model.name.as_str()), (AgentKind::Model, "one"));
    assert_eq!(
        (launch.options.limits.max_turns, launch.options.limits.max_cost_usd),
        (3, Some(2.0))
    );
    assert_eq!((launch.tasks.len(), &launch.options.out_dir), (1, &place.out()));
}

#[test]
fn a_run_that_is_looked_at_late_is_shown_whole() {
    let mut place = Place::new();
    place.server.answer_after(Duration::from_millis(60));
    place.launch(2, "one", vec![LaunchEdit::Jobs(2)]);
    place.until("both are at work", |state| mine(state).len() == 2);
    let other = {
        let selected = place.state().selection.run;
        let runs = place.state().library.runs.iter();
        let mut others = runs.filter(|(id, run)| run.job.is_some() && Some(**id) != selected);
        *others.next().unwrap().0
    };
    let turns = |state: &State, run: RunId| state.library.runs[&run].manifest.totals.turns;
    place.until("it has a turn", |state| turns(state, other) >= 2);
    assert!(place.state().library.runs[&other].loaded.is_none(), "nobody looked at it");
    place.session.carry_out(Command::SelectRun(other));
    place.until("it is there", |state| state.library.runs[&other].loaded.is_some());
    place.until_over();
    place.until("all of it is there", |state| {
        let run = &state.library.runs[&other];
        run.loaded.as_ref().is_some_and(|loaded| loaded.turns.len() == CALLS + 1)
    });
}

#[test]
fn a_query_is_launched_with_pictures_and_made_again_without_their_folder() {
    let mut place = Place::new();
    let queries = query(place.dir.path());
    let pictures = place.dir.path().join("pictures");
    place.session.carry_out(Command::Open(vec![queries]));
    place.until("the query is listed", |state| state.library.sets.len() == 2);
    let set = place.state().library.sets[1].set.clone();
    let task = TaskRef { set: set.id.clone(), id: set.tasks[0].id.clone() };
    place.session.carry_out(Command::OpenLaunch(vec![task]));
    assert_eq!(place.state().launch.agent, AgentKind::Rules, "the tracer cannot");
    let listed = |state: &State| state.launch_pictures().cloned();
    place.edit(LaunchEdit::Pictures(Some(place.dir.path().join("gone"))));
    place.until("the folder is missed", |state| matches!(listed(state), Some(Fetched::Failed(_))));
    place.edit(LaunchEdit::Pictures(Some(pictures.clone())));
    place.until("the folder is read", |state| {
        listed(state) == Some(Fetched::Ready(Arc::new(PicturesListed { pictures: 1 })))
    });
    place.session.carry_out(Command::Launch);
    place.until_over();
    let first = my_ids(place.state())[0];
    let given = |place: &Place, run: RunId| place.state().library.runs[&run].manifest.given.clone();
    let before = given(&place, first);
    assert_eq!(before[0].file.as_deref(), pictures.join("bars.svg").to_str());
    assert!(before[0].picture.is_some() && before[1].missing.is_some(), "{before:?}");

    std::fs::remove_dir_all(&pictures).unwrap();
    place.runs(RunsCommand::Again(first));
    place.until_over();
    let runs = my_ids(place.state());
    assert_eq!(runs.len(), 2);
    let second = *runs.iter().find(|run| **run != first).unwrap();
    assert_eq!(place.state().library.runs[&second].state, RunState::Finished);
    assert_eq!(given(&place, second), before);

    // A folder that cannot be read fails the run before it begins.
    let task = place.state().library.runs[&first].manifest.task.clone();
    place.session.carry_out(Command::OpenLaunch(vec![task]));
    place.session.carry_out(Command::Launch);
    place.until_over();
    assert!(place.last_notice().contains("pictures"), "{}", place.last_notice());
    assert_eq!(run_dirs(&place.out()).len(), 2);
}

#[test]
fn what_a_model_was_asked_and_answered_is_read_from_the_run() {
    let mut place = Place::new();
    place.launch(1, "one, broken", vec![LaunchEdit::Jobs(1)]);
    place.until_over();
    let ids = my_ids(place.state());
    let (one, broken) = (ids[0], ids[1]);
    place.session.carry_out(Command::SelectRun(one));
    place.until("the run is read", |state| state.exchange_list_key().is_some());
    place.session.carry_out(Command::Playback(PlaybackCommand::Step(2)));
    place.session.carry_out(Command::Exchanges(ExchangesCommand::Open));
    place.until("the request is read", |state| {
        views::exchanges(state).is_some_and(|view| view.text.is_some())
    });
    let view = views::exchanges(place.state()).unwrap();
    let (list, text) = (view.list.unwrap(), view.text.unwrap());
    let turns: Vec<u32> = list.exchanges.iter().map(|it| it.value.turn).collect();
    assert_eq!(turns, [1, 2, 3, 4]);
    assert_eq!(view.selected, Some(1), "that of the turn on the stage");
    let asked: serde_json::Value = serde_json::from_str(&text.request.raw).unwrap();
    assert_eq!(asked["model"], "one");
    assert!(text.request.raw.contains("Box 0 next.") && text.answer.raw.contains("Box 1 next."));
    let laid_out = text.request.formatted.as_ref().map(Vec::len);
    assert!(laid_out > Some(text.request.lines.len()), "laid out");
    // Pictures stand by their names: no line is megabytes of Base64.
    assert!(text.request.raw.contains("[images/") && !text.request.raw.contains("iVBORw0KGg"));
    let named = |name: &str| text.request.headers.iter().find(|header| header.0 == name);
    assert!(named("authorization").is_none_or(|header| header.1 == "[secret]"));
    place.session.carry_out(Command::Exchanges(ExchangesCommand::SelectBy(9)));
    place.until("the last answer is read", |state| {
        let view = views::exchanges(state).unwrap();
        view.selected == Some(3) && view.text.is_some_and(|text| text.answer.raw.contains("Done."))
    });
    place.session.carry_out(Command::CloseOverlay);
    place.session.carry_out(Command::SelectRun(broken));
    place.until("the run that failed is read", |state| {
        state.selection.run == Some(broken) && state.exchange_list_key().is_some()
    });
    place.session.carry_out(Command::Exchanges(ExchangesCommand::Open));
    place.until("its refusal is read", |state| {
        let view = views::exchanges(state);
        view.and_then(|view| view.text).is_some_and(|text| text.answer.raw.contains("Not today."))
    });
    // A run that asked no model has none.
    let tracer = place.state().library.runs.iter();
    let tracer = tracer.filter(|(_, run)| run.manifest.agent.kind == "tracer").map(|(id, _)| *id);
    let tracer = tracer.min().unwrap();
    place.session.carry_out(Command::SelectRun(tracer));
    place.until("it is read", |state| state.selected_run().is_some_and(|run| run.loaded.is_some()));
    assert_eq!(place.state().exchange_list_key(), None);
}

#[test]
fn an_experiment_is_made_in_the_dialog_and_gone_on_with_by_the_command_line() {
    let mut place = Place::new();
    let experiment = [
        ExperimentEdit::On(true),
        ExperimentEdit::Name("warm or cold?".into()),
        ExperimentEdit::Temperatures("0, 1".into()),
        ExperimentEdit::Repeats(2),
    ];
    place.launch(1, "one", experiment.map(LaunchEdit::Experiment).to_vec());
    assert_eq!(place.state().jobs.active_runs().count(), 4);
    place.until_over();
    let folder = place.out().join("warm-or-cold-");
    let runs = run_dirs(&folder);
    let mut told: Vec<(String, u64)> = runs
        .iter()
        .map(|run| {
            let settings = json!(reader::peek(run).unwrap().manifest.settings);
            let repeat = settings["experiment"]["repeat"].as_u64().unwrap();
            (settings["experiment"]["settings"].as_str().unwrap().to_owned(), repeat)
        })
        .collect();
    told.sort();
    let cold_and_warm = ["temperature 0", "temperature 1"].map(str::to_owned);
    let [cold, warm] = cold_and_warm;
    assert_eq!(told, [(cold.clone(), 1), (cold, 2), (warm.clone(), 1), (warm, 2)]);

    // The same from the command line finds everything there, and a repeat more makes two runs more.
    let asked = place.server.arrived();
    let file = folder.join("experiment.json");
    let again = pentimento(&["run", "--experiment"], &file);
    assert!(again.contains("1 tasks × 2 cells × 2 repeats: 4 runs"), "{again}");
    assert_eq!(place.server.arrived(), asked, "nothing is asked twice: {again}");
    let mut more: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    more["repeats"] = json!(3);
    std::fs::write(&file, more.to_string()).unwrap();
    pentimento(&["run", "--experiment"], &file);
    assert_eq!(run_dirs(&folder).len(), 6);

    // By the same name with other tasks the window goes on in the folder; it stays one of all of them.
    place.launch(2, "one", vec![LaunchEdit::Experiment(ExperimentEdit::Repeats(1))]);
    assert_eq!(place.state().jobs.active_runs().count(), 4);
    place.until_over();
    assert_eq!(run_dirs(&folder).len(), 8, "the first task is there already");
    let kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(kept["only"].as_array().unwrap().len(), 2);
    // What was said otherwise is another experiment.
    place.launch(1, "one", vec![LaunchEdit::MaxTurns(2)]);
    place.until_over();
    let mut ended = place.state().jobs.by_id.values().filter_map(|job| job.outcome.as_ref());
    assert!(ended.any(|outcome| {
        matches!(outcome, JobOutcome::Failed(why) if why.contains("its limits were others"))
    }));
}

/// What the program says of it on stderr; it ends well.
fn pentimento(arguments: &[&str], file: &Path) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .env("PENTIMENTO_WORKSPACE", "")
        .env("NO_PROXY", "127.0.0.1")
        .args(arguments)
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn what_no_experiment_can_be_is_said_before_anything_is_launched() {
    let mut place = Place::new();
    let on =
        |edit| vec![LaunchEdit::Experiment(ExperimentEdit::On(true)), LaunchEdit::Experiment(edit)];
    place.launch(1, "one", on(ExperimentEdit::Temperatures("0, hot".into())));
    assert!(place.last_notice().contains("\"hot\" is no temperature"), "{}", place.last_notice());
    place.launch(1, "one", on(ExperimentEdit::Temperatures("1, 1.0".into())));
    assert!(place.last_notice().contains("settings[1]: stands there twice"));
    let name = ExperimentEdit::Name(" ".into());
    place.launch(
        1,
        "one",
        vec![
            LaunchEdit::Experiment(ExperimentEdit::Temperatures(String::new())),
            LaunchEdit::Experiment(name),
        ],
    );
    assert!(place.last_notice().contains("say what the experiment is called"));
    assert_eq!(place.state().jobs.active_runs().count(), 0);
    assert!(!place.out().exists());
}

#[test]
fn the_dialog_says_what_a_launch_would_cost_as_a_dry_run_does_and_asks_nothing() {
    let mut place = Place::new();
    let set = place.state().library.sets[0].set.clone();
    let task = TaskRef { set: set.id.clone(), id: set.tasks[0].id.clone() };
    place.session.carry_out(Command::OpenLaunch(vec![task.clone()]));
    place.edit(LaunchEdit::Agent(AgentKind::Model));
    place.edit(LaunchEdit::ModelFile(Some(place.dir.path().join("models.json"))));
    place.edit(LaunchEdit::ModelName("one, free".into()));
    let estimate = |state: &State| {
        let key = views::estimate_key(state)?;
        match state.derived.estimates.get(&key)? {
            Fetched::Ready(estimate) => Some(Arc::clone(estimate)),
            Fetched::Failed(why) => panic!("{why}"),
            Fetched::Pending => None,
        }
    };
    place.until("it is estimated", |state| estimate(state).is_some());
    let found = estimate(place.state()).unwrap();
    let [one, free] = &found.models[..] else { panic!("{found:?}") };
    assert_eq!((one.label.as_str(), one.runs, free.expected_usd), ("one", 1, None));

    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .args(["run", "--tasks", "sample_runs/taskset.json", "--filter", &task.id])
        .args(["--models", "one", "--models-file"])
        .arg(place.dir.path().join("models.json"))
        .args(["--max-turns", &place.state().launch.options.limits.max_turns.to_string()])
        .arg("--dry-run")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    for words in [
        one.expected.input.to_string(),
        one.expected.output.to_string(),
        format!("${:.2}", one.expected_usd.unwrap()),
        format!("${:.2}", one.most_usd.unwrap()),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    // Another number of turns is another estimate; and no model heard of any of it.
    place.edit(LaunchEdit::MaxTurns(1));
    place.until("it is estimated anew", |state| estimate(state).is_some());
    let shorter = estimate(place.state()).unwrap();
    assert!(shorter.models[0].expected_usd < one.expected_usd);
    assert_eq!(place.server.arrived(), 0);
}
