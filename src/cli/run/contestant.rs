//! Who acts, as the command line says.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use crate::agent::batch::Contestant;
use crate::agent::model_agent::AgentPrompts;
use crate::agent::models::{ModelsFile, OpenedModel};
use crate::agent::{AgentOptions, by_kind};
use crate::cli::arguments::RunArguments;

/// Those that the command line names, each looked at once before anything is recorded.
pub(super) fn contestants(arguments: &RunArguments) -> anyhow::Result<Vec<Arc<Contestant>>> {
    if arguments.models.is_empty() {
        return Ok(vec![Arc::new(of_kind(arguments)?)]);
    }
    let prompts = match &arguments.prompts {
        Some(folder) => AgentPrompts::from_folder(folder)?,
        None => AgentPrompts::built_in(),
    };
    let (file, prompts) = (models_file(arguments.models_file.as_deref())?, Arc::new(prompts));
    let mut contestants: Vec<Arc<Contestant>> = Vec::new();
    for name in &arguments.models {
        let (called, entry) = file.named_entry(name)?;
        // One model at two addresses: the second is called by all that was said of it.
        let is_taken = contestants.iter().any(|other| other.name() == called);
        let called = if is_taken { name.clone() } else { called };
        // What is only estimated needs no key.
        let (mode, prompts) = (arguments.mode, Arc::clone(&prompts));
        let model = if arguments.dry_run {
            OpenedModel::unasked(called, entry, mode, prompts)
        } else {
            OpenedModel::new(called, entry, mode, prompts)
        };
        let model = model.with_context(|| format!("the model {name}"))?;
        contestants.push(Arc::new(Contestant::of_model(model)));
    }
    Ok(contestants)
}

fn of_kind(arguments: &RunArguments) -> anyhow::Result<Contestant> {
    let agent = arguments.agent.as_ref().context("say who acts: --agent or --models")?;
    let options = AgentOptions {
        script: arguments.script.clone(),
        command: agent.command().map(str::to_owned),
        answer_timeout: Some(Duration::from_secs(u64::from(arguments.answer_timeout.get()))),
        ..AgentOptions::default()
    };
    Ok(Contestant::new(agent.kind(), options, &by_kind)?)
}

/// The user's models; none if no file is named.
fn models_file(path: Option<&Path>) -> anyhow::Result<ModelsFile> {
    Ok(path.map(ModelsFile::open).transpose()?.unwrap_or_default())
}
