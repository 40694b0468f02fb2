//! What is to be run, as the command line says: each task with each agent, and how.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use crate::agent::batch::{AgentConfig, BatchSettings, LaunchOptions, Order};
use crate::agent::model_agent::AgentPrompts;
use crate::agent::models::{ModelsFile, OpenedModel};
use crate::agent::runner::RunLimits;
use crate::agent::{AgentOptions, PictureSource, by_kind};
use crate::cli::arguments::RunArguments;
use crate::cli::collection::open_noting;
use crate::cli::environments::{fonts, variables};
use crate::task::PictureFolder;

use super::planned::PlannedRun;

/// Those that the command line names, each looked at once before anything is recorded.
pub(super) fn agent_configs(arguments: &RunArguments) -> anyhow::Result<Vec<Arc<AgentConfig>>> {
    if arguments.models.is_empty() {
        return Ok(vec![Arc::new(of_kind(arguments)?)]);
    }
    let prompts = match &arguments.prompts {
        Some(folder) => AgentPrompts::from_folder(folder)?,
        None => AgentPrompts::built_in(),
    };
    let prompts = Arc::new(prompts);
    // Without a file, a model's name has to say all of it: its provider's kind and its own name.
    let file = arguments.models_file.as_deref().map(ModelsFile::open).transpose()?;
    let file = file.unwrap_or_default();
    let mut agents: Vec<Arc<AgentConfig>> = Vec::new();
    for name in &arguments.models {
        let (called, entry) = file.named_entry(name)?;
        // One model at two addresses: the second is called by all that was said of it.
        let is_taken = agents.iter().any(|other| other.name() == called);
        let called = if is_taken { name.clone() } else { called };
        // What is only estimated needs no key.
        let (mode, prompts) = (arguments.mode, Arc::clone(&prompts));
        let variables = variables();
        let model = if arguments.dry_run {
            OpenedModel::unasked(called, entry, mode, prompts, &variables)
        } else {
            OpenedModel::new(called, entry, mode, prompts, &variables)
        };
        let model = model.with_context(|| format!("the model {name}"))?;
        agents.push(Arc::new(AgentConfig::of_model(model)));
    }
    Ok(agents)
}

fn of_kind(arguments: &RunArguments) -> anyhow::Result<AgentConfig> {
    let agent = arguments.agent.as_ref().context("say who acts: --agent or --models")?;
    let options = AgentOptions {
        script: arguments.script.clone(),
        command: agent.command().map(str::to_owned),
        answer_timeout: Some(answer_timeout(arguments)),
        ..AgentOptions::default()
    };
    Ok(AgentConfig::new(agent.kind(), options, &by_kind)?)
}

/// How long a program may take for an answer.
pub(super) fn answer_timeout(arguments: &RunArguments) -> Duration {
    Duration::from_secs(u64::from(arguments.answer_timeout.get()))
}

/// Every task that the filter lets through with every agent: the sets and tasks in their order,
/// and of each task the agents in theirs, so that all of them get on together.
pub(super) fn orders(
    path: &Path,
    filter: Option<&str>,
    agents: &[Arc<AgentConfig>],
) -> anyhow::Result<Vec<Order>> {
    let mut orders = all_orders(path, agents)?;
    let all = orders.len() / agents.len().max(1);
    // Filtered after all were counted, so that the message can say of how many.
    orders.retain(|order| filter.is_none_or(|filter| order.matches(filter)));
    let filter = filter.unwrap_or_default();
    anyhow::ensure!(
        !orders.is_empty(),
        "none of the {all} tasks has \"{filter}\" in its set, id, category or instruction"
    );
    Ok(orders)
}

/// Every task with every agent.
pub(super) fn all_orders(path: &Path, agents: &[Arc<AgentConfig>]) -> anyhow::Result<Vec<Order>> {
    let opened = open_noting(path)?;
    let mut orders = Vec::new();
    for (set, _) in opened.sets {
        let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
        for task in set.tasks {
            orders.extend(agents.iter().map(|agent| Order {
                set: set.id.clone(),
                set_dir: dir.clone(),
                task: Arc::clone(&task),
                agent: Arc::clone(agent),
            }));
        }
    }
    anyhow::ensure!(!orders.is_empty(), "there is no task in {}", path.display());
    Ok(orders)
}

/// What all runs have in common.
pub(super) fn settings(arguments: &RunArguments, out: &Path) -> anyhow::Result<BatchSettings> {
    let options = LaunchOptions {
        limits: RunLimits {
            max_turns: arguments.max_turns.get(),
            max_seconds: arguments.max_seconds,
            max_tokens: arguments.max_tokens,
            max_cost_usd: arguments.max_cost,
            ..RunLimits::default()
        },
        at_once: u32::try_from(arguments.jobs.get()).unwrap_or(u32::MAX),
        out_dir: out.to_path_buf(),
        compat: arguments.compat,
        fonts: fonts(arguments.fonts),
        pictures: arguments.pictures.clone(),
        budget_usd: arguments.budget,
        start_design: None,
        start_run: None,
        resume: arguments.resume,
    };
    Ok(BatchSettings {
        options,
        least_turns: arguments.least_turns,
        pictures: picture_source(arguments)?,
        experiment: None,
    })
}

/// Where it is said that the pictures of queries are.
pub(super) fn picture_source(arguments: &RunArguments) -> anyhow::Result<PictureSource> {
    let folder = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    Ok(PictureSource::in_folder(folder))
}

/// What the tools do must be about the tools of every task.
pub(super) fn ensure_compat(runs: &[PlannedRun]) -> anyhow::Result<()> {
    let others =
        runs.iter().filter(|run| !run.settings.options.compat.fits(&run.order.task.environment));
    let others: Vec<&PlannedRun> = others.collect();
    let Some(PlannedRun { order: first, settings }) = others.first() else { return Ok(()) };
    let compat = settings.options.compat;
    let Some(of) = compat.environment() else { return Ok(()) };
    anyhow::bail!(
        "--compat {} is about the tools of the environment {of}; {} of {} runs are of others, such as {} \
         ({}): choose their tasks with --filter, or run them without it",
        compat.name(),
        others.len(),
        runs.len(),
        first.task.id,
        first.task.environment,
    )
}

/// A budget needs to know what answers cost.
pub(super) fn ensure_prices(
    budget: Option<f64>,
    agents: &[Arc<AgentConfig>],
) -> anyhow::Result<()> {
    if budget.is_none() {
        return Ok(());
    }
    // Before anything is asked: a budget that cannot be counted would never be met.
    for agent in agents {
        anyhow::ensure!(
            !agent.is_unpriced(),
            "a budget needs to know what {} costs: give it \"prices\" in the file of models",
            agent.name()
        );
    }
    Ok(())
}
