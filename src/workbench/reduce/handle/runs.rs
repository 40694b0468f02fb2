//! Pausing, resuming, stopping runs; making them again.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::agent::batch::{AgentChoice, LaunchOptions, root_of};
use crate::agent::models::MODEL_SETTING;
use crate::agent::runner::RunSettings;
use crate::agent::{AgentKind, PICTURES_SETTING};
use crate::run::Manifest;
use crate::workbench::derive::views;
use crate::workbench::model::{Fetched, JobId, LaunchDialog, NoticeLevel, Pause, RunId, State};
use crate::workbench::protocol::{LaunchPlan, Request, RunsCommand, RunsTarget};

use super::launch::{launch_run, open_dialog};

pub(super) fn runs(state: &mut State, command: RunsCommand) -> Vec<Request> {
    match command {
        RunsCommand::Pause(target) => pause(state, target),
        RunsCommand::Resume(target) => resume(state, target),
        RunsCommand::Stop(target) => {
            let jobs = targets(state, target);
            jobs.into_iter().map(Request::Cancel).collect()
        }
        RunsCommand::Again(run) => again(state, run),
        RunsCommand::With(run) => {
            with(state, run);
            Vec::new()
        }
    }
}

/// The runs that are being made or wait to be, of those that are meant.
fn targets(state: &State, target: RunsTarget) -> Vec<JobId> {
    let is_meant = |job: &JobId| match target {
        RunsTarget::Job(meant) => *job == meant,
        RunsTarget::All => true,
    };
    state.jobs.active_runs().map(|(id, _)| id).filter(is_meant).collect()
}

fn pause(state: &mut State, target: RunsTarget) -> Vec<Request> {
    let mut requests = Vec::new();
    for job in targets(state, target) {
        let is_on = state.jobs.by_id.get(&job).is_some_and(|job| job.pause.is_on());
        if !is_on {
            set_pause(state, job, Pause::Asked);
            requests.push(Request::Pause(job));
        }
    }
    requests
}

fn resume(state: &mut State, target: RunsTarget) -> Vec<Request> {
    let mut requests = Vec::new();
    for job in targets(state, target) {
        let is_on = state.jobs.by_id.get(&job).is_some_and(|job| job.pause.is_on());
        if is_on {
            set_pause(state, job, Pause::No);
            requests.push(Request::Resume(job));
        }
    }
    requests
}

fn set_pause(state: &mut State, job: JobId, pause: Pause) {
    let Some(job) = state.jobs.by_id.get_mut(&job) else { return };
    job.pause = pause;
    if let Some(entry) = job.run.and_then(|run| state.library.runs.get_mut(&run)) {
        entry.pause = pause;
    }
}

/// Launches the run's task with the agent and the settings it had, in the folder of its batch.
fn again(state: &mut State, run: RunId) -> Vec<Request> {
    if let Some(why) = views::why_not_again(state, run) {
        state.tell(NoticeLevel::Error, why);
        return Vec::new();
    }
    let Some(entry) = state.library.runs.get(&run) else { return Vec::new() };
    let (manifest, dir) = (Arc::new(entry.manifest.clone()), entry.dir.clone());
    let (task, who) = (manifest.task.clone(), manifest.agent.name.clone());
    let out_dir = root_of(&manifest, &dir).unwrap_or_else(|| out_dir(state));
    // A behaviour nobody knows any more is the documented one.
    let told = RunSettings::from_json_lossy(&manifest.settings);
    let agents = vec![AgentChoice::Again { manifest, dir }];
    let Some(launched) = launch_run(state, &task, 0, &who) else { return Vec::new() };
    state.in_flight.show_when_started = Some(launched.run_id);
    let options = LaunchOptions {
        limits: told.limits,
        compat: told.compat.unwrap_or_default(),
        fonts: told.fonts,
        at_once: 1,
        out_dir,
        ..LaunchOptions::default()
    };
    let plan = LaunchPlan { agents, options };
    vec![Request::Launch { runs: vec![launched], plan: Box::new(plan) }]
}

fn out_dir(state: &State) -> PathBuf {
    let chosen = &state.launch.options.out_dir;
    if chosen.as_os_str().is_empty() { state.default_out_dir.clone() } else { chosen.clone() }
}

/// Opens the dialog on the run's task, with its agent and settings as far as the dialog has them.
fn with(state: &mut State, run: RunId) {
    let Some(entry) = state.library.runs.get(&run) else { return };
    let (manifest, dir) = (entry.manifest.clone(), entry.dir.clone());
    let is_listed = is_listed(state, &manifest.agent.name);
    open_dialog(state, vec![manifest.task.clone()]);
    fill_in_agent(&mut state.launch, &manifest, dir.clone(), is_listed);
    let options = &mut state.launch.options;
    let told = RunSettings::from_json_lossy(&manifest.settings);
    options.limits = told.limits;
    options.compat = told.compat.unwrap_or_default();
    options.fonts = told.fonts;
    let pictures = manifest.settings.get(PICTURES_SETTING).and_then(Value::as_str);
    options.pictures = pictures.map(PathBuf::from);
    options.resume = false;
    if let Some(root) = root_of(&manifest, &dir) {
        options.out_dir = root;
    }
}

/// Whether the dialog's file of models has one of this name, as far as it was read.
fn is_listed(state: &State, name: &str) -> bool {
    let Some(Fetched::Ready(listed)) = state.launch_models() else {
        return false;
    };
    listed.iter().any(|model| model.name == name)
}

/// Of an agent that is none of ours, nothing is taken over.
fn fill_in_agent(launch: &mut LaunchDialog, manifest: &Manifest, dir: PathBuf, is_listed: bool) {
    let Some(kind) = AgentKind::from_name(&manifest.agent.kind) else { return };
    match kind {
        AgentKind::Model => {
            let name = manifest.agent.name.clone();
            launch.model.name = if is_listed { name } else { model_name(manifest) };
            launch.model.mode = manifest.mode.parse().unwrap_or(launch.model.mode);
        }
        AgentKind::Exec => {
            let command = manifest.settings.get("command").and_then(Value::as_str);
            launch.command = command.unwrap_or(&launch.command).to_owned();
        }
        AgentKind::Scripted => launch.script = Some(dir),
        AgentKind::Tracer | AgentKind::Rules => {}
    }
    launch.agent = kind;
}

/// What the dialog calls a run's model: the name that the user gave it, which is of the file of
/// models; or, of one that was never in a file, its API, its name and its address.
fn model_name(manifest: &Manifest) -> String {
    let provider = manifest.settings.get(MODEL_SETTING).map(|model| &model["provider"]);
    let text = |name: &str| provider.and_then(|provider| provider[name].as_str());
    let (Some(kind), Some(model)) = (text("kind"), text("model")) else {
        return manifest.agent.name.clone();
    };
    if manifest.agent.name != model {
        return manifest.agent.name.clone();
    }
    let address = text("base_url").map(|address| format!("@{address}")).unwrap_or_default();
    format!("{kind}:{model}{address}")
}
