//! `pentimento models`: what the endpoints of models can do.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::agent::models::{Ability, EndpointReport, ModelChoice};
use crate::base::CancelToken;

use super::environments::variables;
use super::output::{note, print};

/// Find out what models can do before anything is paid for in bulk
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ModelsArguments {
    /// What to do.
    #[command(subcommand)]
    command: ModelsCommand,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
enum ModelsCommand {
    /// Ask each for one word, one picture and one tool call: three requests, which are paid for.
    Test {
        /// Names from the file of models, or KIND:MODEL or KIND:MODEL@ADDRESS.
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        /// The file of models.
        #[arg(long, value_name = "FILE", env = "PENTIMENTO_MODELS")]
        models_file: Option<PathBuf>,
    },
}

const EXAMPLES: &str = "\
Examples:
  pentimento models test anthropic:MODEL
  pentimento models test local small --models-file models.json";

/// Does the command. Fails if one of the models gives no answer.
pub(super) fn models(arguments: &ModelsArguments) -> anyhow::Result<()> {
    let ModelsCommand::Test { names, models_file } = &arguments.command;
    let mut failed = 0;
    for name in names {
        let file = models_file.clone();
        let choice = ModelChoice { name: name.clone(), file, ..ModelChoice::default() };
        note(&format!("{name} is asked three questions."));
        let report = choice.open(&variables())?.test(getrandom::u64()?, &CancelToken::new())?;
        print(&format!("{name}\n{}", text_of(&report)))?;
        failed += usize::from(report.answers != Ability::Yes);
    }
    if failed > 0 {
        bail!("{failed} of {} models gave no answer", names.len());
    }
    Ok(())
}

fn text_of(report: &EndpointReport) -> String {
    let mut text = String::new();
    for (what, ability) in [
        ("answers", &report.answers),
        ("sees pictures", &report.sees_pictures),
        ("calls tools", &report.calls_tools),
    ] {
        let words = match ability {
            Ability::Yes => "yes".to_owned(),
            Ability::No(why) => format!("no: {why}"),
            Ability::Failed(why) => format!("failed: {why}"),
            Ability::NotAsked => "not asked".to_owned(),
        };
        text += &line(what, &words);
    }
    // What an endpoint does not tell is unknown here, and no "no".
    let streams = report.streams.map_or("unknown", |streams| if streams { "yes" } else { "no" });
    let first = report.first_token_secs.map_or("unknown".to_owned(), |secs| format!("{secs:.2} s"));
    let total = format!("{:.2} s", report.total_secs);
    let usage = report.usage.map_or("not reported".to_owned(), |usage| {
        format!("{} tokens read, {} written", usage.input, usage.output)
    });
    let cost = report.cost_usd.map_or("unknown".to_owned(), |cost| format!("${cost:.6}"));
    for (what, words) in [
        ("streams", streams),
        ("first token", &first),
        ("in all", &total),
        ("usage", &usage),
        ("cost", &cost),
    ] {
        text += &line(what, words);
    }
    text
}

fn line(what: &str, words: &str) -> String {
    format!("  {what:<16}{words}\n")
}
