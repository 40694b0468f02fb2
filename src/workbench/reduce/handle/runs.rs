//! Pausing, resuming, stopping runs; making them again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::agent::batch::{AgentChoice, LaunchOptions, root_of};
use crate::agent::models::MODEL_SETTING;
use crate::agent::runner::{RunSettings, StartRun};
use crate::agent::{AgentKind, PICTURES_SETTING};
use crate::environment::Compat;
use crate::run::Manifest;
use crate::workbench::derive::views;
use crate::workbench::model::{
    DigestState, Fetched, JobId, LaunchDialog, LibraryRun, NoticeLevel, Pause, RunId, Selection,
    State, WhatIfSubject,
};
use crate::workbench::protocol::{LaunchPlan, Request, RunsCommand, RunsTarget};

use super::launch::{launch_run, open_dialog};
use super::library::forget_run;
use super::select::{select_run, select_task};
use super::slots::keep_those_of;

pub(super) fn runs(state: &mut State, command: RunsCommand) -> Vec<Request> {
    match command {
        RunsCommand::Pause(target) => pause(state, target, Pause::Asked),
        RunsCommand::Resume(target) => pause(state, target, Pause::No),
        RunsCommand::Stop(target) => {
            let jobs = targets(state, target);
            jobs.into_iter().map(Request::Cancel).collect()
        }
        RunsCommand::Again(run) => again(state, run),
        RunsCommand::With(run) => {
            with(state, run);
            Vec::new()
        }
        RunsCommand::HandOver(run) => {
            hand_over(state, run);
            Vec::new()
        }
        RunsCommand::Remove(run) => remove(state, run),
        RunsCommand::Reload(run) => reload(state, run),
    }
}

/// The jobs that are meant: runs that are being made or wait to be, or whatever else can be paused.
fn targets(state: &State, target: RunsTarget) -> Vec<JobId> {
    match target {
        // One that has ended is not among them, and nothing becomes of it.
        RunsTarget::Job(meant) => {
            let active =
                state.jobs.active().filter(|(id, job)| *id == meant && job.kind.can_pause());
            active.map(|(id, _)| id).collect()
        }
        RunsTarget::All => state.jobs.active_runs().map(|(id, _)| id).collect(),
    }
}

/// Pauses runs, or lets them go on.
fn pause(state: &mut State, target: RunsTarget, pause: Pause) -> Vec<Request> {
    let mut requests = Vec::new();
    for id in targets(state, target) {
        let Some(job) = state.jobs.by_id.get_mut(&id) else { continue };
        // One that waits already is not asked to again.
        if job.pause.is_on() == pause.is_on() {
            continue;
        }
        job.pause = pause;
        if let Some(entry) = job.run.and_then(|run| state.library.runs.get_mut(&run)) {
            entry.pause = pause;
        }
        requests.push(if pause.is_on() { Request::Pause(id) } else { Request::Resume(id) });
    }
    requests
}

/// Takes a run out of the library; its task stays on the stage.
fn remove(state: &mut State, run: RunId) -> Vec<Request> {
    if let Some(why) = views::why_not_removed(state, run) {
        state.notify(NoticeLevel::Error, why);
        return Vec::new();
    }
    let forgotten = forget_run(state, run);
    let is_selected = state.selection.run == Some(run);
    match state.selection.task.clone() {
        Some(task) if is_selected => select_task(state, task),
        Some(task) => keep_those_of(state, &task),
        None => {}
    }
    // Of a task whose set is not open, the run was all there was to see.
    if state.selection.run == Some(run) {
        state.selection = Selection::default();
        state.playback.playing = false;
        (state.nodes.selected, state.query.selected) = (None, None);
    }
    vec![forgotten]
}

/// Has a run read again, as it was changed on the disk: nothing is kept that was made of it.
fn reload(state: &mut State, run: RunId) -> Vec<Request> {
    if let Some(why) = views::why_not_removed(state, run) {
        state.notify(NoticeLevel::Error, why);
        return Vec::new();
    }
    let Some(entry) = state.library.runs.get_mut(&run) else { return Vec::new() };
    (entry.loaded, entry.answering, entry.last_score) = (None, None, None);
    entry.curves.forget();
    entry.last_scores.clear();
    entry.digest = DigestState::NotRead;
    state.in_flight.finals_due.insert(run);
    // What is being read of it may be from before.
    state.in_flight.loads.remove(&run);
    state.derived.forget_run(run);
    select_run(state, run);
    vec![Request::Forget(run)]
}

/// Launches the run's task with the agent and the settings it had, in the folder of its batch.
fn again(state: &mut State, run: RunId) -> Vec<Request> {
    if let Some(why) = views::why_not_again(state, run) {
        state.notify(NoticeLevel::Error, why);
        return Vec::new();
    }
    let Some(entry) = state.library.runs.get(&run) else { return Vec::new() };
    let ((dir, manifest), task) = (entry.on_disk(), entry.task.clone());
    let out_dir = root_of(&manifest, &dir).unwrap_or_else(|| state.out_dir());
    // A behaviour nobody knows any more is the documented one.
    let told = RunSettings::from_json_lossy(&manifest.settings);
    // What it began with is in its own folder, wherever the run is by now that it went on with.
    let start_run = told.start_run.map(|_| StartRun::start_of(&dir, &manifest));
    let launched = launch_run(state, &task, (0, 1), &manifest.agent.name);
    let Some(launched) = launched else { return Vec::new() };
    let agents = vec![AgentChoice::Again { manifest: Arc::from(manifest), dir }];
    state.in_flight.show_when_started = Some(launched.run_id);
    let options = LaunchOptions {
        limits: told.limits,
        compat: told.compat.unwrap_or_default(),
        fonts: told.fonts,
        start_design: told.start_design,
        start_run,
        at_once: 1,
        out_dir,
        ..LaunchOptions::default()
    };
    let plan = LaunchPlan { agents, options, experiment: None };
    vec![Request::Launch { runs: vec![launched], plan: Box::new(plan) }]
}

/// Opens the dialog on the run's task, for agents that go on with the run behind the step that is shown, or else behind
/// its last.
fn hand_over(state: &mut State, run: RunId) {
    let edited = state.what_if.of(&WhatIfSubject::Run(run)).filter(|_| views::shows_what_if(state));
    if edited.is_some_and(|edited| edited.now.by_hand.is_some() && edited.now.has_inserted()) {
        let text = "What you did by hand is not in this run: save it as a run, and hand that over.";
        state.notify(NoticeLevel::Warning, text);
        return;
    }
    let is_shown = state.selection.run == Some(run);
    let last = state.library.runs.get(&run).map_or(0, |entry| entry.steps);
    let step = if is_shown { state.selection.step } else { last };
    open_to_go_on(state, run, step);
}

/// Opens the dialog on the run's task, for agents that go on with the run behind this step.
pub(super) fn open_to_go_on(state: &mut State, run: RunId, step: u32) {
    if let Some(why) = views::why_not_handed_on(state, run) {
        state.notify(NoticeLevel::Error, why);
        return;
    }
    let Some(entry) = state.library.runs.get(&run) else { return };
    let (task, manifest) = (entry.task.clone(), &entry.manifest);
    let start_run = StartRun { path: entry.dir.clone(), run: manifest.id.clone(), step };
    // As the run was made, or its calls would come out differently.
    let compat = manifest.compat.as_deref().and_then(Compat::from_name).unwrap_or_default();
    let fonts = RunSettings::from_json_lossy(&manifest.settings).fonts;
    open_dialog(state, vec![task]);
    let options = &mut state.launch.options;
    (options.compat, options.fonts) = (compat, fonts);
    options.start_run = Some(start_run);
}

/// Opens the dialog on the run's task, with its agent and settings as far as the dialog has them.
fn with(state: &mut State, run: RunId) {
    let Some(entry) = state.library.runs.get(&run) else { return };
    let task = entry.task.clone();
    // Asked before the dialog opens, which has the file of models read anew.
    let is_listed = is_listed(state, &entry.manifest.agent.name);
    open_dialog(state, vec![task]);
    let Some(LibraryRun { manifest, dir, .. }) = state.library.runs.get(&run) else { return };
    fill_in_agent(&mut state.launch, manifest, dir, is_listed);
    let options = &mut state.launch.options;
    let told = RunSettings::from_json_lossy(&manifest.settings);
    options.limits = told.limits;
    options.compat = told.compat.unwrap_or_default();
    options.fonts = told.fonts;
    let pictures = manifest.settings.get(PICTURES_SETTING).and_then(Value::as_str);
    options.pictures = pictures.map(PathBuf::from);
    options.resume = false;
    // Beside the run, so that both are compared as one batch.
    if let Some(root) = root_of(manifest, dir) {
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
fn fill_in_agent(launch: &mut LaunchDialog, manifest: &Manifest, dir: &Path, is_listed: bool) {
    let Some(kind) = AgentKind::from_name(&manifest.agent.kind) else { return };
    match kind {
        AgentKind::Model => {
            let unlisted = if is_listed { None } else { unlisted_name(manifest) };
            match unlisted {
                Some(name) => launch.model.name = name,
                None => launch.model.name.clone_from(&manifest.agent.name),
            }
            launch.model.mode = manifest.mode.parse().unwrap_or(launch.model.mode);
        }
        AgentKind::Exec => {
            let command = manifest.settings.get("command").and_then(Value::as_str);
            launch.command = command.unwrap_or(&launch.command).to_owned();
        }
        // The calls of a run are a script.
        AgentKind::Scripted => launch.script = Some(dir.to_path_buf()),
        AgentKind::Tracer | AgentKind::Rules => {}
    }
    launch.agent = kind;
}

/// What the dialog calls the model of a run that was never in a file of models: its API, its name and
/// its address. `None` for one that the user gave a name of his own, which is of such a file.
fn unlisted_name(manifest: &Manifest) -> Option<String> {
    let provider = &manifest.settings.get(MODEL_SETTING)?["provider"];
    let (kind, model) = (provider["kind"].as_str()?, provider["model"].as_str()?);
    let address = provider["base_url"].as_str().map(|address| format!("@{address}"));
    let name = format!("{kind}:{model}{}", address.unwrap_or_default());
    (manifest.agent.name == model).then_some(name)
}
