//! The experiment that the launch dialog describes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agent::AgentKind;
use crate::agent::batch::{
    AgentChoice, EXPERIMENT_FORMAT, EXPERIMENT_VERSION, Experiment, Places, Variation,
};
use crate::agent::model_agent::Mode;
use crate::run::slug;
use crate::workbench::model::{EstimateKey, Fetched, LaunchDialog, State};

/// The experiment that the launch dialog describes, as a file says it, or why there is none; for people.
/// `None`: it describes none.
pub fn launched_experiment(state: &State) -> Option<Result<Experiment, String>> {
    state.launch.is_experiment().then(|| experiment_of(state))
}

/// How many runs the launch dialog describes; `None`: more than are made, or an experiment that cannot be.
pub fn launched_runs(state: &State) -> Option<usize> {
    let tasks = state.launch.tasks.len();
    match launched_experiment(state) {
        None => Some(tasks * state.launch.agents()),
        Some(experiment) => experiment.ok()?.runs(tasks),
    }
}

/// Who acts in what the launch dialog describes.
pub fn launched_agents(dialog: &LaunchDialog, experiment: Option<&Experiment>) -> Vec<AgentChoice> {
    if let Some(experiment) = experiment {
        let cells = experiment.cells().into_iter();
        let choices = cells
            .map(|cell| AgentChoice::Cell { cell: Box::new(cell), model: dialog.model.clone() });
        return choices.collect();
    }
    // What the dialog has of other kinds of agents is none of this one's business.
    let kind = dialog.agent;
    let (script, command) = match kind {
        AgentKind::Model => {
            let names = dialog.model_names().into_iter();
            return names.map(|name| AgentChoice::Model(dialog.model.named(name))).collect();
        }
        AgentKind::Scripted => (dialog.script.clone(), None),
        AgentKind::Exec => (None, Some(dialog.command.clone())),
        AgentKind::Tracer | AgentKind::Rules => (None, None),
    };
    vec![AgentChoice::Kind { kind, script, command }]
}

/// What the launch dialog describes, to be estimated; `None` where no model would act, or where it cannot
/// be launched.
pub fn estimate_key(state: &State) -> Option<EstimateKey> {
    let launch = &state.launch;
    let experiment = launched_experiment(state).and_then(Result::ok);
    if launch.agent != AgentKind::Model || launched_runs(state).is_none() {
        return None;
    }
    let tasks = launch.tasks.iter().filter_map(|task_ref| {
        let task = Arc::clone(state.library.shared_task(task_ref)?);
        let set_dir = state.library.set_dir(&task_ref.set)?;
        Some((task_ref.clone(), set_dir, task))
    });
    let tasks: Vec<_> = tasks.collect();
    let repeats = experiment.as_ref().map_or(1, |experiment| experiment.repeats);
    let agents = launched_agents(launch, experiment.as_ref());
    let is_whole = !tasks.is_empty() && !agents.is_empty();
    is_whole.then(|| EstimateKey::new(agents, tasks, repeats, launch.options.clone()))
}

fn experiment_of(state: &State) -> Result<Experiment, String> {
    let launch = &state.launch;
    let draft = &launch.experiment;
    let is_model = launch.agent == AgentKind::Model;
    let (tasks, only) = tasks_of(state);
    let models = if is_model { launch.model_names() } else { Vec::new() };
    let limits = &launch.options.limits;
    let name = draft.name.trim();
    let folder = slug(name);
    let experiment = Experiment {
        format: EXPERIMENT_FORMAT.to_owned(),
        version: EXPERIMENT_VERSION,
        name: name.to_owned(),
        tasks,
        only,
        filter: None,
        agents: agents_of(launch),
        models: models.into_iter().map(str::to_owned).collect(),
        models_file: launch.model.file.as_ref().filter(|_| is_model).cloned(),
        modes: modes_of(launch),
        prompts: prompts_of(state)?,
        settings: settings_of(launch)?,
        repeats: draft.repeats,
        max_turns: Some(limits.max_turns),
        max_seconds: limits.max_seconds,
        max_tokens: limits.max_tokens,
        max_cost: limits.max_cost_usd,
        budget: launch.options.budget_usd,
        compat: Some(launch.options.compat.name().to_owned()),
        fonts: Some(launch.options.fonts.name().to_owned()),
        pictures: launch.options.pictures.clone(),
        // A folder of its own: it is gone on with there.
        out: Some(launch.options.out_dir.join(folder)),
    };
    // As a file with this content would be checked: the dialog and the command line refuse the same.
    experiment.check().map_err(|fault| format!("The experiment: {fault}."))?;
    let tasks = launch.tasks.len();
    if experiment.runs(tasks).is_none() {
        let (cells, repeats) = (experiment.cells().len(), experiment.repeats);
        return Err(format!(
            "{tasks} tasks × {cells} cells × {repeats} repeats are more runs than are made."
        ));
    }
    Ok(experiment)
}

/// Where the chosen tasks lie, and which they are.
fn tasks_of(state: &State) -> (Places, Vec<String>) {
    let mut places: BTreeSet<&Path> = BTreeSet::new();
    let mut only = Vec::new();
    for task in &state.launch.tasks {
        if let Some(entry) = state.library.set(&task.set) {
            places.insert(&entry.set.dir);
            only.push(format!("{}/{}", entry.recorded_id, task.id));
        }
    }
    (Places::Several(places.into_iter().map(Path::to_path_buf).collect()), only)
}

fn agents_of(launch: &LaunchDialog) -> Vec<String> {
    match launch.agent {
        AgentKind::Model | AgentKind::Scripted => Vec::new(),
        AgentKind::Exec => vec![format!("exec:{}", launch.command.trim())],
        AgentKind::Tracer | AgentKind::Rules => vec![launch.agent.name().to_owned()],
    }
}

fn modes_of(launch: &LaunchDialog) -> Vec<String> {
    let is_model = launch.agent == AgentKind::Model;
    let modes = launch.modes().into_iter().filter(|_| is_model);
    modes.map(|mode: Mode| mode.name().to_owned()).collect()
}

/// What is wrong with a folder of prompts that the launch dialog lists, by its place there; for people. `None`:
/// nothing, or nothing is known of it yet.
pub fn why_no_prompts(state: &State, at: usize) -> Option<String> {
    let folders = &state.launch.experiment.prompts.folders;
    let known = &state.derived.prompt_folders;
    match known.get(folders.get(at)?.path.as_path())? {
        Fetched::Pending => None,
        Fetched::Failed(why) => Some(why.clone()),
        Fetched::Ready(listed) => {
            // By where they lie: a link, or a way back and forth, is another path to the same prompts.
            let same = folders.iter().take(at).find(|earlier| {
                let earlier_listed = known.get(earlier.path.as_path());
                earlier.is_on
                    && matches!(earlier_listed, Some(Fetched::Ready(it)) if it.place == listed.place)
            });
            same.map(|earlier| format!("the same folder as {}", earlier.path.display()))
        }
    }
}

/// The prompts that are ticked; empty where they are the program's own alone, which a file need not say.
fn prompts_of(state: &State) -> Result<Vec<Option<PathBuf>>, String> {
    if state.launch.agent != AgentKind::Model {
        return Ok(Vec::new());
    }
    let draft = &state.launch.experiment.prompts;
    let mut prompts: Vec<Option<PathBuf>> = draft.built_in.then_some(None).into_iter().collect();
    for (at, folder) in draft.folders.iter().enumerate().filter(|(_, folder)| folder.is_on) {
        if let Some(why) = why_no_prompts(state, at) {
            return Err(format!("Prompts: {why}."));
        }
        prompts.push(Some(folder.path.clone()));
    }
    match prompts.as_slice() {
        [] => Err("Tick the prompts that models work with.".to_owned()),
        [None] => Ok(Vec::new()),
        _ => Ok(prompts),
    }
}

/// A setting a temperature.
fn settings_of(launch: &LaunchDialog) -> Result<Vec<Variation>, String> {
    if launch.agent != AgentKind::Model {
        return Ok(Vec::new());
    }
    let typed = launch.experiment.temperatures.split(',').map(str::trim);
    typed
        .filter(|typed| !typed.is_empty())
        .map(|typed| {
            let degrees = typed.parse::<f64>().ok().filter(|degrees| (0.0..=2.0).contains(degrees));
            let degrees = degrees.ok_or_else(|| {
                format!("{typed:?} is no temperature: numbers from 0 to 2, divided by commas.")
            })?;
            Ok(Variation {
                name: format!("temperature {degrees}"),
                temperature: Some(Some(degrees)),
                ..Variation::default()
            })
        })
        .collect()
}
