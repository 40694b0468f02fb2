//! An experiment as runs: every cell on every task, as often as it is repeated (`--experiment`).

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use crate::agent::batch::{Actor, AgentConfig, BatchSettings, Cell, Experiment, LaunchOptions};
use crate::agent::model_agent::AgentPrompts;
use crate::agent::models::{ModelEntry, ModelsFile, OpenedModel};
use crate::agent::runner::RunLimits;
use crate::agent::{AgentOptions, PictureSource, by_kind};
use crate::base::replace_file;
use crate::cli::arguments::{RunArguments, agent};
use crate::cli::environments::fonts;
use crate::cli::output::note;
use crate::task::PictureFolder;

use super::plan;
use super::planned::PlannedRun;

/// The copy of the file beside the runs.
const FILE: &str = "experiment.json";

/// The runs of an experiment, with a copy of its file where they go; none is kept of what is only
/// estimated.
pub(super) fn planned_runs(
    path: &Path,
    arguments: &RunArguments,
) -> anyhow::Result<Vec<PlannedRun>> {
    let experiment = Experiment::open(path)?;
    let runs = runs_of(&experiment, arguments)?;
    let tasks = runs.len() / experiment.cells().len().max(1) / experiment.repeats.max(1) as usize;
    note(&format!(
        "{}: {tasks} tasks × {} cells × {} repeats: {} runs",
        experiment.name,
        experiment.cells().len(),
        experiment.repeats,
        runs.len()
    ));
    if arguments.dry_run {
        return Ok(runs);
    }
    let out = runs.first().map(|run| run.settings.options.out_dir.clone()).unwrap_or_default();
    std::fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    keep_copy(&experiment, &out.join(FILE))?;
    Ok(runs)
}

/// Keeps what the runs are of beside them. Another experiment's folder is left alone.
fn keep_copy(experiment: &Experiment, copy: &Path) -> anyhow::Result<()> {
    if copy.exists() {
        let earlier = Experiment::open(copy).context("choose another --out")?;
        if let Some(why) = experiment.contradiction(&earlier) {
            anyhow::bail!("{why}: choose another --out than {}", copy.display());
        }
    }
    // With its paths as they are from anywhere: in another folder those of the file lead elsewhere.
    let bytes = serde_json::to_vec_pretty(experiment)?;
    replace_file(copy, &bytes).with_context(|| format!("cannot write {}", copy.display()))
}

/// The runs: by task, then repeat, then cell, so that all cells get on together.
fn runs_of(experiment: &Experiment, arguments: &RunArguments) -> anyhow::Result<Vec<PlannedRun>> {
    let out = arguments.out.as_deref().or(experiment.out.as_deref());
    let out = if arguments.dry_run { out.or(Some(Path::new(""))) } else { out };
    let out = out.context("say where runs go: --out DIR, or \"out\" in the file")?;
    let cells = experiment.cells();
    let pictures = experiment.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let agents = agents_of(experiment, &cells, arguments)?;
    let budget = arguments.budget.or(experiment.budget);
    plan::ensure_prices(budget, &agents)?;
    let orders = plan::orders(&experiment.tasks, experiment.filter.as_deref(), &agents)?;
    let tasks = orders.len() / cells.len().max(1);
    experiment.runs(tasks).with_context(|| {
        format!(
            "{tasks} tasks × {} cells × {} repeats are too many runs",
            cells.len(),
            experiment.repeats
        )
    })?;
    // Those of a task follow one another, in the order of the cells.
    let mut runs = Vec::new();
    for of_task in orders.chunks(cells.len().max(1)) {
        for repeat in 1..=experiment.repeats {
            for (order, cell) in of_task.iter().zip(&cells) {
                let mut options = options_of(experiment, cell, arguments);
                options.out_dir = out.to_path_buf();
                options.budget_usd = budget;
                let mut settings = BatchSettings::new(options);
                settings.least_turns = arguments.least_turns;
                settings.pictures = pictures.clone();
                settings.experiment = Some(experiment.told(cell, repeat));
                runs.push(PlannedRun { order: order.clone(), settings: Arc::new(settings) });
            }
        }
    }
    plan::ensure_compat(&runs)?;
    Ok(runs)
}

fn options_of(experiment: &Experiment, cell: &Cell, arguments: &RunArguments) -> LaunchOptions {
    let variation = &cell.variation;
    let limits = RunLimits {
        max_turns: variation
            .max_turns
            .or(experiment.max_turns)
            .unwrap_or(arguments.max_turns.get()),
        max_seconds: experiment.max_seconds.or(arguments.max_seconds),
        max_tokens: experiment.max_tokens.or(arguments.max_tokens),
        max_cost_usd: experiment.max_cost.or(arguments.max_cost),
        ..RunLimits::default()
    };
    LaunchOptions {
        limits,
        at_once: u32::try_from(arguments.jobs.get()).unwrap_or(u32::MAX),
        compat: variation.compat().unwrap_or(arguments.compat),
        fonts: variation.fonts().unwrap_or_else(|| fonts(arguments.fonts)),
        pictures: experiment.pictures.clone(),
        // An experiment is gone on with by starting it again, and more repeats by saying so.
        resume: true,
        ..LaunchOptions::default()
    }
}

/// Who acts in each cell, in their order. A model is opened once: its limits are those of an account, and
/// not of a cell.
fn agents_of(
    experiment: &Experiment,
    cells: &[Cell],
    arguments: &RunArguments,
) -> anyhow::Result<Vec<Arc<AgentConfig>>> {
    let file = experiment.models_file.as_ref().or(arguments.models_file.as_ref());
    let file = file.map(|path| ModelsFile::open(path)).transpose()?.unwrap_or_default();
    let mut opened: Vec<(String, OpenedModel)> = Vec::new();
    let mut agents = Vec::new();
    for cell in cells {
        let agent = match &cell.actor {
            Actor::Agent(name) => of_kind(name, arguments)?,
            Actor::Model { name, mode, prompts } => {
                let prompts = Arc::new(match prompts {
                    Some(folder) => AgentPrompts::from_folder(folder)?,
                    None => AgentPrompts::built_in(),
                });
                let known = opened.iter().position(|(known, _)| known == name);
                let at = if let Some(at) = known {
                    at
                } else {
                    let (called, entry) = file.named_entry(name)?;
                    let (mode, prompts) = (*mode, Arc::clone(&prompts));
                    let model = if arguments.dry_run {
                        OpenedModel::unasked(called, entry, mode, prompts)
                    } else {
                        OpenedModel::new(called, entry, mode, prompts)
                    };
                    let model = model.with_context(|| format!("the model {name}"))?;
                    opened.push((name.clone(), model));
                    opened.len() - 1
                };
                let model = &opened[at].1;
                let entry = varied(model.entry().clone(), cell);
                AgentConfig::of_model(model.told(entry, *mode, prompts))
            }
        };
        agents.push(Arc::new(agent.called(&cell.label)));
    }
    Ok(agents)
}

fn of_kind(name: &str, arguments: &RunArguments) -> anyhow::Result<AgentConfig> {
    let agent = agent(name).map_err(anyhow::Error::msg)?;
    let options = AgentOptions {
        command: agent.command().map(str::to_owned),
        answer_timeout: Some(plan::answer_timeout(arguments)),
        ..AgentOptions::default()
    };
    Ok(AgentConfig::new(agent.kind(), options, &by_kind)?)
}

fn varied(mut entry: ModelEntry, cell: &Cell) -> ModelEntry {
    let variation = &cell.variation;
    entry.temperature = variation.temperature.unwrap_or(entry.temperature);
    entry.max_tokens = variation.max_answer_tokens.unwrap_or(entry.max_tokens);
    entry.parallel_calls = variation.parallel_calls.unwrap_or(entry.parallel_calls);
    entry.extra.extend(variation.extra.clone());
    entry
}
