//! The launch dialog and launching.

use std::path::PathBuf;

use crate::agent::EXEC;
use crate::agent::model_agent::ModelAgent;
use crate::run::TaskRef;
use crate::workbench::command::LaunchEdit;
use crate::workbench::jobs::JobKind;
use crate::workbench::library::RunId;
use crate::workbench::protocol::{LaunchRun, Request};
use crate::workbench::state::{NoticeLevel, Overlay, State};
use crate::workbench::wants::shared_task;

/// Least and most turns of a run.
const TURNS: (u32, u32) = (1, 1000);
/// Least and most runs at once.
const AT_ONCE: (u32, u32) = (1, 16);

pub(super) fn open_dialog(state: &mut State, tasks: Vec<TaskRef>) {
    let tasks =
        if tasks.is_empty() { state.selection.task.iter().cloned().collect() } else { tasks };
    if !tasks.is_empty() {
        state.launch.tasks = tasks.into_iter().collect();
    }
    fill_in(state);
    state.overlay = Some(Overlay::Launch);
}

/// Gives what the dialog does not say yet the value of last time.
fn fill_in(state: &mut State) {
    let (launch, settings) = (&mut state.launch, &state.settings);
    if launch.agent.is_empty() {
        launch.agent.clone_from(&settings.agent);
    }
    if launch.max_turns == 0 {
        launch.max_turns = settings.max_turns;
    }
    if launch.jobs == 0 {
        launch.jobs = settings.jobs;
    }
    if launch.out_dir == PathBuf::new() {
        launch.out_dir = settings.out_dir.clone().unwrap_or_else(|| state.default_out_dir.clone());
    }
}

pub(super) fn edit(state: &mut State, edit: LaunchEdit) {
    let launch = &mut state.launch;
    match edit {
        LaunchEdit::ToggleTask(task) => {
            if !launch.tasks.remove(&task) {
                launch.tasks.insert(task);
            }
        }
        LaunchEdit::ToggleSet(set) => toggle_set(state, &set),
        LaunchEdit::Agent(agent) => launch.agent = agent,
        LaunchEdit::MaxTurns(turns) => launch.max_turns = turns.clamp(TURNS.0, TURNS.1),
        LaunchEdit::Jobs(jobs) => launch.jobs = jobs.clamp(AT_ONCE.0, AT_ONCE.1),
        LaunchEdit::Script(script) => launch.script = script,
        LaunchEdit::Command(command) => launch.command = command,
        LaunchEdit::ModelName(name) => launch.model.name = name,
        LaunchEdit::ModelFile(file) => launch.model.file = file,
        LaunchEdit::ModelMode(mode) => launch.model.mode = mode,
        LaunchEdit::OutDir(dir) => launch.out_dir = dir,
        LaunchEdit::Compat(compat) => launch.compat = compat,
    }
}

/// All tasks in, or, if they are all in, out.
fn toggle_set(state: &mut State, id: &str) {
    let Some(entry) = state.library.set(id) else { return };
    let tasks = entry.set.tasks.iter();
    let refs: Vec<TaskRef> =
        tasks.map(|task| TaskRef { set: id.to_owned(), id: task.id.clone() }).collect();
    let all_in = refs.iter().all(|task| state.launch.tasks.contains(task));
    for task in refs {
        if all_in {
            state.launch.tasks.remove(&task);
        } else {
            state.launch.tasks.insert(task);
        }
    }
}

/// Launches what the dialog says; what is wrong with it is told, and the dialog stays open.
pub(super) fn launch(state: &mut State) -> Vec<Request> {
    fill_in(state);
    if let Err(why) = check(state) {
        state.tell(NoticeLevel::Error, why);
        return Vec::new();
    }
    let dialog = state.launch.clone();
    let runs: Vec<LaunchRun> =
        dialog.tasks.into_iter().filter_map(|task| launch_run(state, task)).collect();
    if runs.is_empty() {
        state.tell(NoticeLevel::Error, "the chosen tasks are not open any more: choose others");
        return Vec::new();
    }
    state.work.show_when_started = runs.first().map(|run| run.run_id);
    state.overlay = None;
    remember(state);
    vec![Request::Launch {
        runs,
        script: dialog.script.filter(|_| dialog.agent == "scripted"),
        command: Some(dialog.command).filter(|_| dialog.agent == EXEC),
        model: Some(dialog.model).filter(|_| dialog.agent == ModelAgent::KIND),
        agent: dialog.agent,
        max_turns: dialog.max_turns,
        at_once: dialog.jobs,
        out_dir: dialog.out_dir,
        compat: dialog.compat,
    }]
}

fn check(state: &State) -> Result<(), &'static str> {
    let launch = &state.launch;
    if launch.tasks.is_empty() {
        return Err("no task is chosen: tick at least one");
    }
    if launch.agent == "scripted" && launch.script.is_none() {
        return Err("the scripted agent needs a script: choose a JSON file or a run folder");
    }
    if launch.agent == EXEC && launch.command.trim().is_empty() {
        return Err("an agent of your own needs a command: the program and its arguments");
    }
    if launch.agent == ModelAgent::KIND && launch.model.name.trim().is_empty() {
        return Err("name a model: one of the file of models, or KIND:MODEL");
    }
    Ok(())
}

fn launch_run(state: &mut State, task_ref: TaskRef) -> Option<LaunchRun> {
    let task = shared_task(state, &task_ref)?;
    let run_id = RunId(state.library.next_run);
    state.library.next_run += 1;
    let dialog = &state.launch;
    let is_model = dialog.agent == ModelAgent::KIND;
    let who = if is_model { dialog.model.name.trim() } else { &dialog.agent };
    let label = format!("{who} on {}", task_ref.id);
    let job = state.jobs.start(JobKind::Run, label);
    state.work.launches.insert(job, run_id);
    Some(LaunchRun { job, run_id, task_ref, task })
}

fn remember(state: &mut State) {
    let (launch, settings) = (&state.launch, &mut state.settings);
    settings.agent.clone_from(&launch.agent);
    settings.command.clone_from(&launch.command);
    settings.model.clone_from(&launch.model);
    settings.max_turns = launch.max_turns;
    settings.jobs = launch.jobs;
    settings.compat = launch.compat;
    settings.out_dir = (launch.out_dir != state.default_out_dir).then(|| launch.out_dir.clone());
}
