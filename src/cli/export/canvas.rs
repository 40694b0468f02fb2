//! `pentimento export canvas`: folders that CANVAS's published evaluator reads.

use std::path::PathBuf;

use clap::Args;

use crate::cli::made_by::command_words;
use crate::cli::output::{note, print};
use crate::cli::scoring::{Cache, scorer};
use crate::export::canvas::{DEFAULT_VARIANT, write_runs};
use crate::model::ModelSettings;

use super::runs::{filtered_runs, with_context};

/// Write runs as the folders that CANVAS's published evaluator reads
///
/// DIR becomes its base folder: `python -m evaluation.eval_pipeline --base_dir DIR` with what is printed
/// here. Each turn with a call is a snapshot, which --eval_snapshots scores. DIR/cases.json says which case is
/// which run, which snapshot is which step, and what was left out. An earlier export in DIR is replaced whole; a folder
/// with other files in it is refused.
#[derive(Args, Debug)]
pub(super) struct CanvasArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
    /// The variant that replications are of.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_VARIANT)]
    variant: String,
}

/// Does the command.
pub(super) fn write(arguments: &CanvasArguments) -> anyhow::Result<()> {
    let runs = filtered_runs(&arguments.runs, &arguments.tasks, &arguments.filter)?;
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let command = command_words();
    let written = with_context(&scorer, "runs", |context| {
        write_runs(&arguments.out, &runs, &arguments.variant, &command, context)
    })?;
    for left_out in &written.left_out {
        note(&format!("left out: {}: {}", left_out.run.display(), left_out.why));
    }
    anyhow::ensure!(!written.cases.is_empty(), "none of the {} runs was written", runs.len());
    // Many cases share one call of the evaluator, which is said once.
    let mut calls: Vec<&str> = written.cases.iter().map(|case| case.evaluate.as_str()).collect();
    calls.sort_unstable();
    calls.dedup();
    print(&format!("{} cases in {}\n", written.cases.len(), arguments.out.display()))?;
    for call in calls {
        print(&format!("{call}\n"))?;
    }
    Ok(())
}
