//! What keeps a run from being made.

use std::collections::BTreeSet;

use super::launched_experiment::launched_experiment;
use super::what_if::run_with_calls;
use crate::agent::AgentKind;
use crate::agent::batch::check_again;
use crate::agent::models::ModelEntry;
use crate::agent::providers::ProviderKind;
use crate::environment::{Compat, EnvironmentKind};
use crate::workbench::model::{Fetched, RunId, RunState, State};

/// Whether a task of the design suite is chosen in the launch dialog.
pub fn launches_suite(state: &State) -> bool {
    let chosen = state.launch.tasks.iter().filter_map(|task| state.library.task(task));
    chosen.into_iter().any(|task| task.environment == EnvironmentKind::Suite)
}

/// Which of the two agents that need nothing can do the chosen tasks, if only the other one was chosen.
pub fn agent_instead(state: &State) -> Option<AgentKind> {
    match state.launch.agent {
        _ if state.launch.tasks.is_empty() => None,
        AgentKind::Tracer => launches_only_suite(state).then_some(AgentKind::Rules),
        AgentKind::Rules => (!launches_suite(state)).then_some(AgentKind::Tracer),
        _ => None,
    }
}

/// Whether every chosen task is of the design suite.
fn launches_only_suite(state: &State) -> bool {
    let mut chosen = state.launch.tasks.iter().filter_map(|task| state.library.task(task));
    chosen.all(|task| task.environment == EnvironmentKind::Suite)
}

/// Whether a task is chosen in the launch dialog that names pictures it does not bring.
pub fn launches_queries(state: &State) -> bool {
    let mut chosen = state.launch.tasks.iter().filter_map(|task| state.library.task(task));
    chosen.any(|task| task.brief.is_some() && task.given.iter().any(|given| given.file.is_none()))
}

/// Whose behaviour the tools of the chosen tasks can follow, and whose they are to follow.
pub fn launched_behaviours(state: &State) -> Vec<Compat> {
    let chosen = state.launch.tasks.iter().filter_map(|task| state.library.task(task));
    let environments: BTreeSet<&EnvironmentKind> = chosen.map(|task| &task.environment).collect();
    let mut behaviours = Compat::ALL.to_vec();
    behaviours.retain(|compat| {
        // The chosen one too, though it fits none of them: it has to be seen to be changed.
        *compat == state.launch.options.compat
            || environments.iter().any(|environment| compat.fits(environment))
            || (environments.is_empty() && compat.fits(&EnvironmentKind::Canvas))
    });
    behaviours
}

/// Why the tools of a chosen task cannot behave as they are to.
fn why_no_behaviour(state: &State) -> Option<String> {
    let compat = state.launch.options.compat;
    let mut chosen = state.launch.tasks.iter().filter_map(|task| state.library.task(task));
    let other = chosen.find(|task| !compat.fits(&task.environment))?;
    let of = compat.environment()?;
    Some(format!(
        "{} is about the tools of the {of}, not of {}: choose another behaviour, or other tasks.",
        compat.name(),
        other.id
    ))
}

/// Why what the launch dialog says cannot be launched; for people. `None`: it can.
pub fn why_no_launch(state: &State) -> Option<String> {
    let launch = &state.launch;
    let plans = launch.modes().iter().any(|mode| mode.plan_way().is_some());
    // The first thing that is missing, in the order of the dialog.
    let why = match launch.agent {
        _ if launch.tasks.is_empty() => "Choose at least one task.",
        _ if goes_on_elsewhere(state) => {
            "A run is gone on with on its own task: choose that alone, or begin with the tasks' own start."
        }
        AgentKind::Scripted if launch.script.is_none() => "Choose the script to play.",
        AgentKind::Exec if launch.command.trim().is_empty() => "Give the command of your agent.",
        AgentKind::Model if launch.model_names().is_empty() => "Name a model.",
        AgentKind::Tracer if launches_suite(state) => {
            "The tracer draws what a picture shows: choose another agent, or other tasks."
        }
        AgentKind::Rules if !launches_only_suite(state) => {
            "Rules plan design queries only: choose tasks of the design suite."
        }
        AgentKind::Model if plans && !launches_only_suite(state) => {
            "A model plans design queries only: choose tasks of the design suite."
        }
        _ => {
            let why = why_no_model(state).or_else(|| why_no_behaviour(state));
            return why.or_else(|| why_no_budget(state)).or_else(|| {
                let experiment = launched_experiment(state)?;
                experiment.err()
            });
        }
    };
    Some(why.to_owned())
}

/// Whether a task is chosen that is not that of the run which is gone on with.
fn goes_on_elsewhere(state: &State) -> bool {
    let Some(start_run) = &state.launch.options.start_run else { return false };
    let mut runs = state.library.runs.values();
    let run = runs.find(|run| run.manifest.id == start_run.run);
    run.is_some_and(|run| state.launch.tasks.iter().any(|task| *task != run.task))
}

/// Whether a name is one of the file of models, or says API and model itself. While the file is being
/// read nobody knows better.
pub fn is_model(state: &State, name: &str) -> bool {
    if ModelEntry::parse(name).is_some() {
        return true;
    }
    match (state.launch_models(), &state.launch.model.file) {
        (Some(Fetched::Ready(listed)), _) => listed.iter().any(|model| model.name == name),
        (_, file) => file.is_some(),
    }
}

/// Why a named model cannot act: it is none, or its key is missing.
fn why_no_model(state: &State) -> Option<String> {
    if state.launch.agent != AgentKind::Model {
        return None;
    }
    let names = state.launch.model_names();
    if let Some(name) = names.iter().find(|name| !is_model(state, name)) {
        let kinds = ProviderKind::ALL.map(ProviderKind::name).join(", ");
        return Some(format!(
            "{name:?} is not a model: name one of the file, or KIND:MODEL ({kinds})."
        ));
    }
    names.into_iter().find_map(|name| match state.launch_setup(name)? {
        Fetched::Ready(setup) => setup.key.as_ref().err().map(|why| format!("{name}: {why}.")),
        Fetched::Failed(why) => Some(format!("{name}: {why}.")),
        // Not waited for: what is wrong is then told by the runs.
        Fetched::Pending => None,
    })
}

/// A budget needs to know what answers cost, and only a file of models says that.
fn why_no_budget(state: &State) -> Option<String> {
    if state.launch.agent != AgentKind::Model || state.launch.options.budget_usd.is_none() {
        return None;
    }
    let Fetched::Ready(listed) = state.launch_models()? else { return None };
    let mut names = state.launch.model_names().into_iter();
    // One that the file does not list has no prices either, and is refused where it is opened.
    let name =
        names.find(|name| listed.iter().any(|model| model.name == *name && !model.has_prices))?;
    Some(format!("{name} has no prices in its file: no budget can be kept."))
}

/// What the runs that are launched begin with, for people. `None`: their tasks' own start.
pub fn launched_start(state: &State) -> Option<String> {
    let options = &state.launch.options;
    let Some(start_run) = &options.start_run else {
        let design = options.start_design.as_ref()?;
        return Some(format!("Each run begins with your design as it is, step {}.", design.step));
    };
    // What is open by hand is somebody's own, whatever its run is called.
    let from = if state.dir_of_desk() == Some(start_run.path.as_path()) {
        "your design".to_owned()
    } else {
        let mut runs = state.library.runs.values();
        let run = runs.find(|run| run.manifest.id == start_run.run);
        format!("that of {}", run.map_or(&start_run.run, |run| &run.manifest.agent.name))
    };
    let told = match start_run.step {
        0 => String::new(),
        1 => ": its call is made first, and the agent is told of it".to_owned(),
        count => format!(": its {count} calls are made first, and the agent is told of them"),
    };
    Some(format!("Each run goes on with {from} behind step {}{told}.", start_run.step))
}

/// Why an agent cannot go on with a run; for people. `None`: it can.
pub fn why_not_handed_on(state: &State, run: RunId) -> Option<String> {
    let entry = match run_with_calls(state, run) {
        Ok(entry) => entry,
        Err(why) => return Some(why.to_owned()),
    };
    let task = &entry.task;
    let is_open = state.library.task(task).is_some();
    (!is_open).then(|| format!("Its task is not open: open the task set {}.", task.set))
}

/// Why a run is neither taken out of the library nor read again; for people. `None`: it can be.
pub fn why_not_removed(state: &State, run: RunId) -> Option<String> {
    let job = state.library.runs.get(&run)?.job;
    let is_made = job.is_some_and(|job| state.jobs.is_active(job));
    is_made.then(|| "The run is being made in this window: stop it first.".to_owned())
}

/// Why a run cannot be made again; for people. `None`: it can.
pub fn why_not_again(state: &State, run: RunId) -> Option<String> {
    let Some(entry) = state.library.runs.get(&run) else {
        return Some("The run is not open any more.".to_owned());
    };
    if let RunState::Unreadable(_) = entry.state {
        return Some("The run cannot be read, so nobody knows how it was made.".to_owned());
    }
    if let Err(error) = check_again(&entry.manifest) {
        return Some(error.to_string());
    }
    let task = &entry.task;
    let is_open = state.library.task(task).is_some();
    (!is_open).then(|| format!("Its task is not open: open the task set {}.", task.set))
}
