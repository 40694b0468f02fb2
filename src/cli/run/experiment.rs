//! An experiment as runs: every cell on every task, as often as it is repeated (`--experiment`).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use crate::agent::batch::{
    Actor, AgentConfig, BatchSettings, Experiment, ExperimentCell, LaunchOptions, Order,
};
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::models::{ModelsFile, OpenedModel, OpenedModels};
use crate::agent::runner::RunLimits;
use crate::agent::{AgentOptions, PictureSource, by_kind};
use crate::cli::arguments::{RunArguments, agent};
use crate::cli::environments::{fonts, variables};
use crate::cli::output::note;
use crate::task::PictureFolder;

use super::plan;
use super::planned::PlannedRun;

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
    // With the runs: the file that they were made by may be changed or gone later.
    experiment.keep_copy(&out)?;
    Ok(runs)
}

/// The runs: by task, then repeat, then cell, so that all cells get on together.
fn runs_of(experiment: &Experiment, arguments: &RunArguments) -> anyhow::Result<Vec<PlannedRun>> {
    let out = arguments.out.as_deref().or(experiment.out.as_deref());
    // A dry run writes nothing and needs no place for it.
    let out = if arguments.dry_run { out.or(Some(Path::new(""))) } else { out };
    let out = out.context("say where runs go: --out DIR, or \"out\" in the file")?;
    let cells = experiment.cells();
    let pictures = experiment.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let agents = agents_of(experiment, &cells, arguments)?;
    let budget = arguments.budget.or(experiment.budget);
    plan::ensure_prices(budget, &agents)?;
    let orders = orders_of(experiment, &agents)?;
    let tasks = orders.len() / cells.len().max(1);
    // Before any is made: the product may be more than memory holds.
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

/// The chosen tasks of all places with every agent.
fn orders_of(experiment: &Experiment, agents: &[Arc<AgentConfig>]) -> anyhow::Result<Vec<Order>> {
    let Experiment { tasks, only, filter, .. } = experiment;
    let mut orders: Vec<Order> = Vec::new();
    let mut known = BTreeSet::new();
    for place in tasks.as_slice() {
        let found = plan::all_orders(place, agents)?;
        let mut found =
            found.chunks(agents.len().max(1)).map(<[Order]>::to_vec).collect::<Vec<_>>();
        // A folder may lie in another one that is named too.
        found.retain(|of_task| {
            let task = of_task.first().map(|order| (order.set_dir.clone(), order.task.id.clone()));
            task.is_some_and(|task| known.insert(task))
        });
        orders.extend(found.into_iter().flatten());
    }
    let all = orders.len() / agents.len().max(1);
    let names: BTreeSet<String> = orders.iter().map(Order::task_name).collect();
    // A misspelt name would make the experiment smaller without a word.
    if let Some(missing) = only.iter().find(|task| !names.contains(*task)) {
        anyhow::bail!("only: there is no task {missing} among the {all}");
    }
    orders.retain(|order| only.is_empty() || only.contains(&order.task_name()));
    orders.retain(|order| filter.as_ref().is_none_or(|filter| order.matches(filter)));
    anyhow::ensure!(
        !orders.is_empty(),
        "none of the {all} tasks has {:?} in its set, id, category or instruction",
        filter.as_deref().unwrap_or_default()
    );
    Ok(orders)
}

fn options_of(
    experiment: &Experiment,
    cell: &ExperimentCell,
    arguments: &RunArguments,
) -> LaunchOptions {
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
        compat: variation.compat().or(experiment.compat()).unwrap_or(arguments.compat),
        fonts: variation.fonts().or(experiment.fonts()).unwrap_or_else(|| fonts(arguments.fonts)),
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
    cells: &[ExperimentCell],
    arguments: &RunArguments,
) -> anyhow::Result<Vec<Arc<AgentConfig>>> {
    let file = experiment.models_file.as_ref().or(arguments.models_file.as_ref());
    let file = file.map(|path| ModelsFile::open(path)).transpose()?.unwrap_or_default();
    let opened = OpenedModels::default();
    let mut agents = Vec::new();
    for cell in cells {
        let agent = match &cell.actor {
            Actor::Agent(name) => of_kind(name, arguments)?.called(&cell.label),
            Actor::Model { name, .. } => {
                // Opened once for all cells of it: its pace and its prices are those of the model and not of a cell.
                let model = opened.get(name, || opened_model(&file, name, arguments.dry_run))?;
                AgentConfig::of_cell(cell, &model)?
            }
        };
        agents.push(Arc::new(agent));
    }
    Ok(agents)
}

/// The model by its name alone: how it works is its cell's to say.
fn opened_model(file: &ModelsFile, name: &str, is_estimate: bool) -> anyhow::Result<OpenedModel> {
    let (called, entry) = file.named_entry(name)?;
    let (mode, prompts) = (Mode::default(), Arc::new(AgentPrompts::built_in()));
    let variables = variables();
    let model = if is_estimate {
        OpenedModel::unasked(called, entry, mode, prompts, &variables)
    } else {
        OpenedModel::new(called, entry, mode, prompts, &variables)
    };
    model.with_context(|| format!("the model {name}"))
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
