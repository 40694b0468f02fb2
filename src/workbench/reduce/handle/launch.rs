//! The launch dialog and launching.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::TaskRef;
use crate::workbench::derive::views;
use crate::workbench::model::{
    Batch, EndpointTestKey, Fetched, JobKind, LaunchDialog, NoticeLevel, Overlay, RunId, State,
    remember_opened,
};
use crate::workbench::protocol::{ExperimentEdit, LaunchEdit, LaunchPlan, LaunchRun, Request};

use super::library::toggle;

/// Least and most turns of a run.
const TURNS: (u32, u32) = (1, 1000);
/// Least and most repeats of an experiment.
const REPEATS: (u32, u32) = (1, 500);
/// Least and most runs at once.
const AT_ONCE: (u32, u32) = (1, 256);

pub(super) fn open_dialog(state: &mut State, tasks: Vec<TaskRef>) {
    // Without a selection either, what was chosen the last time stays.
    if !tasks.is_empty() {
        state.launch.tasks = tasks.into_iter().collect();
    } else if let Some(task) = &state.selection.task {
        state.launch.tasks = BTreeSet::from([task.clone()]);
    }
    state.launch.options.start_design = None;
    state.launch.options.start_run = None;
    fill_in(state);
    if let Some(agent) = views::agent_instead(state) {
        state.launch.agent = agent;
    }
    // A test that the last dialog left is not paid for anew because this one opens.
    state.launch.tests.clear();
    // The files may have changed since they were read for an earlier dialog.
    state.derived.model_files.clear();
    state.derived.picture_folders.clear();
    state.derived.prompt_folders.clear();
    state.overlay = Some(Overlay::Launch);
}

/// Gives the dialog a folder if it names none.
fn fill_in(state: &mut State) {
    let out_dir = &mut state.launch.options.out_dir;
    if out_dir.as_os_str().is_empty() {
        let remembered = &state.settings.launch.options.out_dir;
        let is_remembered = !remembered.as_os_str().is_empty();
        out_dir.clone_from(if is_remembered { remembered } else { &state.default_out_dir });
    }
}

pub(super) fn edit(state: &mut State, edit: LaunchEdit) {
    let launch = &mut state.launch;
    let options = &mut launch.options;
    match edit {
        LaunchEdit::ToggleTask(task) => toggle(&mut launch.tasks, task),
        LaunchEdit::ToggleSet(set) => toggle_set(state, &set),
        LaunchEdit::FilteredTasks => state.launch.tasks = views::filtered_tasks(state),
        LaunchEdit::NoTask => launch.tasks.clear(),
        LaunchEdit::OwnStart => {
            options.start_design = None;
            options.start_run = None;
        }
        LaunchEdit::Agent(agent) => launch.agent = agent,
        LaunchEdit::MaxTurns(turns) => options.limits.max_turns = turns.clamp(TURNS.0, TURNS.1),
        LaunchEdit::Jobs(jobs) => options.at_once = jobs.clamp(AT_ONCE.0, AT_ONCE.1),
        LaunchEdit::Script(script) => launch.script = script,
        LaunchEdit::Command(command) => launch.command = command,
        LaunchEdit::ModelName(name) => {
            launch.model.name = name;
            // What is not named any more is not asked any more.
            let mut tests = std::mem::take(&mut launch.tests);
            tests.retain(|test| launch.model_names().contains(&test.choice.name.as_str()));
            launch.tests = tests;
        }
        LaunchEdit::ToggleModel(name) => toggle_model(launch, &name),
        LaunchEdit::ModelFile(file) => {
            // Another model may have the name there.
            launch.tests.clear();
            launch.model.file = file;
        }
        LaunchEdit::ModelMode(mode) => launch.model.mode = mode,
        LaunchEdit::Experiment(edit) => edit_experiment(state, edit),
        LaunchEdit::Test(name) => {
            // With a number of its own: the same model is asked anew, and not answered from before.
            launch.tests_begun += 1;
            launch.tests.retain(|test| test.choice.name != name);
            let choice = launch.model.named(&name);
            launch.tests.push(EndpointTestKey { choice, number: launch.tests_begun });
        }
        LaunchEdit::StopTest(name) => launch.tests.retain(|test| test.choice.name != name),
        LaunchEdit::KeepKey(entered) => {
            launch.keys_entered += 1;
            launch.entered_key = Some(entered);
        }
        LaunchEdit::SessionKey(entered) => {
            launch.keys_entered += 1;
            launch.entered_key = None;
            launch.model.session_keys = launch.model.session_keys.with(&entered);
        }
        LaunchEdit::OutDir(dir) => options.out_dir = dir,
        LaunchEdit::Budget(budget) => options.budget_usd = amount(budget),
        LaunchEdit::MaxCost(cost) => options.limits.max_cost_usd = amount(cost),
        // Zero is how the dialog says that there is no limit.
        LaunchEdit::MaxTokens(tokens) => {
            options.limits.max_tokens = tokens.filter(|tokens| *tokens > 0);
        }
        LaunchEdit::MaxSeconds(seconds) => options.limits.max_seconds = amount(seconds),
        LaunchEdit::Resume(resume) => options.resume = resume,
        LaunchEdit::Compat(compat) => options.compat = compat,
        LaunchEdit::Fonts(fonts) => options.fonts = fonts,
        LaunchEdit::Pictures(folder) => options.pictures = folder,
    }
}

fn edit_experiment(state: &mut State, edit: ExperimentEdit) {
    let launch = &mut state.launch;
    let experiment = &mut launch.experiment;
    let prompts = &mut experiment.prompts;
    match edit {
        ExperimentEdit::On(is_on) => {
            experiment.is_on = is_on;
            // It begins with what was chosen without it.
            if is_on {
                experiment.modes = BTreeSet::from([launch.model.mode]);
            }
        }
        ExperimentEdit::Name(name) => experiment.name = name,
        ExperimentEdit::ToggleMode(mode) => {
            if experiment.modes != BTreeSet::from([mode]) {
                toggle(&mut experiment.modes, mode);
            }
        }
        ExperimentEdit::Temperatures(temperatures) => experiment.temperatures = temperatures,
        ExperimentEdit::TypePrompts(text) => prompts.typed = text,
        ExperimentEdit::AddPrompts(path) => {
            // Read anew, as at a tick what failed: it may have been mended since.
            state.derived.prompt_folders.forget(|key, _| key.0 == path);
            prompts.typed.clear();
            prompts.add(path);
        }
        ExperimentEdit::TogglePrompts(None) => prompts.built_in = !prompts.built_in,
        ExperimentEdit::TogglePrompts(Some(path)) => {
            let known = &mut state.derived.prompt_folders;
            known.forget(|key, fetched| key.0 == path && matches!(fetched, Fetched::Failed(_)));
            let folder = prompts.folders.iter_mut().find(|folder| folder.path == path);
            if let Some(folder) = folder {
                folder.is_on = !folder.is_on;
            }
        }
        ExperimentEdit::RemovePrompts(path) => {
            prompts.folders.retain(|folder| folder.path != path);
        }
        ExperimentEdit::Repeats(repeats) => {
            experiment.repeats = repeats.clamp(REPEATS.0, REPEATS.1);
        }
    }
}

/// All tasks in, or, if they are all in, out.
fn toggle_set(state: &mut State, id: &str) {
    let Some(entry) = state.library.set(id) else { return };
    let tasks: BTreeSet<TaskRef> = entry.tasks().map(|(task, _)| task).collect();
    if tasks.is_subset(&state.launch.tasks) {
        state.launch.tasks.retain(|task| !tasks.contains(task));
    } else {
        state.launch.tasks.extend(tasks);
    }
}

/// An amount that can be reached.
fn amount(amount: Option<f64>) -> Option<f64> {
    amount.filter(|amount| amount.is_finite() && *amount > 0.0)
}

/// The names stay as they were typed but for the one that comes or goes.
fn toggle_model(launch: &mut LaunchDialog, name: &str) {
    let names = launch.model_names();
    let names: Vec<&str> = if names.contains(&name) {
        names.into_iter().filter(|known| *known != name).collect()
    } else {
        names.into_iter().chain([name]).collect()
    };
    launch.model.name = names.join(", ");
}

/// Launches what the dialog says; what is wrong with it is told, and the dialog stays open.
pub(super) fn launch(state: &mut State) -> Vec<Request> {
    fill_in(state);
    if let Some(why) = views::why_no_launch(state) {
        state.notify(NoticeLevel::Error, why);
        return Vec::new();
    }
    // Nothing is wrong with it: that was asked above.
    let experiment = views::launched_experiment(state).and_then(Result::ok);
    let agents = views::launched_agents(&state.launch, experiment.as_ref());
    let mut options = state.launch.options.clone();
    if let Some(experiment) = &experiment {
        if let Some(out_dir) = &experiment.out {
            options.out_dir.clone_from(out_dir);
        }
        // One that is launched again is gone on with, and more of it is made.
        options.resume = true;
    }
    let repeats = experiment.as_ref().map_or(1, |experiment| experiment.repeats);
    // Only of use to queries; with others the runs' manifests would name a folder for nothing.
    options.pictures = options.pictures.filter(|_| views::launches_queries(state));
    // Taken out meanwhile: entering runs changes everything else of the state.
    let tasks = std::mem::take(&mut state.launch.tasks);
    let (mut runs, mut jobs) = (Vec::new(), BTreeMap::new());
    for task in &tasks {
        for repeat in 1..=repeats {
            for (agent, choice) in agents.iter().enumerate() {
                let run = launch_run(state, task, (agent, repeat), choice.name());
                jobs.extend(run.iter().map(|run| (run.job, task.clone())));
                runs.extend(run);
            }
        }
    }
    state.launch.tasks = tasks;
    if runs.is_empty() {
        state.notify(NoticeLevel::Error, "the chosen tasks are not open any more: choose others");
        return Vec::new();
    }
    state.in_flight.batches.push(Batch { launch: state.launch.clone(), jobs });
    remember_out_dir(state, &options.out_dir);
    // One of them is enough to see that it works, and the first begins first.
    state.in_flight.show_when_started = runs.first().map(|run| run.run_id);
    state.overlay = None;
    state.jobs.at_once = options.at_once;
    remember(state);
    let plan = LaunchPlan { agents, options, experiment: experiment.map(Box::new) };
    vec![Request::Launch { runs, plan: Box::new(plan) }]
}

/// Wherever runs go, they are in the library the next time, and found again once it is closed.
pub(super) fn remember_out_dir(state: &mut State, out_dir: &Path) {
    state.library.keep_open(out_dir);
    // The default place needs no word, and below another current folder such a path is another.
    if out_dir != state.default_out_dir && out_dir.is_absolute() {
        remember_opened(&mut state.settings.run_folders, out_dir.to_path_buf());
        remember_opened(&mut state.settings.recent, out_dir.to_path_buf());
    }
}

/// Launches again what the last session left unfinished, going on with what is in the folders. What
/// cannot be launched is told, and asked about the next time.
pub(super) fn resume_unfinished(state: &mut State) -> Vec<Request> {
    let dialog = std::mem::take(&mut state.launch);
    let remembered = state.settings.launch.clone();
    let mut requests = Vec::new();
    for unfinished in std::mem::take(&mut state.unfinished) {
        state.launch.clone_from(&unfinished.launch);
        state.launch.tasks.clone_from(&unfinished.tasks);
        state.launch.options.resume = true;
        let launched = launch(state);
        if launched.is_empty() {
            state.unfinished.push(unfinished);
        }
        requests.extend(launched);
    }
    // What somebody chose for the next launch is not what was chosen for the last.
    state.launch = dialog;
    state.settings.launch = remembered;
    state.overlay = None;
    requests
}

/// Enters a run that is to be made.
pub(super) fn launch_run(
    state: &mut State,
    task_ref: &TaskRef,
    (agent, repeat): (usize, u32),
    who: &str,
) -> Option<LaunchRun> {
    // A task that was chosen and closed since makes no run, and spends no number.
    let task = Arc::clone(state.library.shared_task(task_ref)?);
    let entry = state.library.set(&task_ref.set)?;
    let set_dir = entry.set.dir.clone();
    // As it is to be recorded: what sets are called in this window is nobody else's business.
    let recorded = TaskRef::new(&entry.recorded_id, &task_ref.id);
    let run_id = RunId(state.library.next_run);
    state.library.next_run += 1;
    let job = state.jobs.start(JobKind::Run, format!("{who} on {}", task_ref.id));
    if let Some(job) = state.jobs.by_id.get_mut(&job) {
        job.run = Some(run_id);
    }
    state.in_flight.launches.insert(job, run_id);
    Some(LaunchRun { job, run_id, task_ref: recorded, set_dir, task, agent, repeat })
}

fn remember(state: &mut State) {
    let launch = &mut state.settings.launch;
    launch.clone_from(&state.launch);
    // Both are chosen anew each time: a session that begins is not the one that broke off.
    launch.tasks.clear();
    launch.options.resume = false;
    if launch.options.out_dir == state.default_out_dir {
        launch.options.out_dir = PathBuf::new();
    }
}
