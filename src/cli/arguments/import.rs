//! What `pentimento import` takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::environment::Compat;

/// Make runs of what others recorded
#[derive(Args, Debug)]
pub(in crate::cli) struct ImportArguments {
    /// Whose layout it is in.
    #[command(subcommand)]
    pub(in crate::cli) command: ImportCommand,
}

/// The layouts that are read.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ImportCommand {
    Graphicbench(GraphicbenchArguments),
}

/// Carry out the plans that GraphicBench's authors publish, each as a run
///
/// Every line becomes a run in DIR/graphicbench-test/<type>-<id>/<model>-<n>, with its plan as it
/// stands and each step of the final workflow carried out. What is there already stays, so that a
/// stopped import can be gone on with.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct GraphicbenchArguments {
    /// Files of plans, one a line, or folders of them: {model}/{type}.jsonl.
    #[arg(value_name = "PLANS", required = true)]
    pub(in crate::cli) plans: Vec<PathBuf>,
    /// Folder the runs go to; made if it is missing.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: PathBuf,
    /// Where the queries' pictures are looked for, at any depth: PNG and JPEG by their names, SVG by
    /// title and keywords too. What is not there is drawn as a placeholder; run.json says which file
    /// each name got.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) pictures: Option<PathBuf>,
    /// Only lines whose place holds TEXT, such as chatgpt/poster.jsonl:17.
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) filter: Option<String>,
    /// Whose behaviour the actions follow: graphicbench takes values by their position, as the
    /// released executor does. As documented without it.
    #[arg(long, value_name = "NAME", value_parser = super::suite_compat)]
    pub(in crate::cli) compat: Option<Compat>,
    /// Plans at the same time; as many as the machine has cores without it.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento import graphicbench plans --out runs
  pentimento import graphicbench plans/chatgpt --out runs --pictures /usr/share/openclipart/svg
  pentimento import graphicbench plans --out runs --filter poster.jsonl:17 --json

JSON: {\"imported\", \"found\", \"seconds\", \"files\": [{\"model\", \"design\", \"plans\", \"steps\",
\"failed_steps\", \"plans_without_failure\", \"failures\": {CLASS: count}}]}; the failures are those of what was
imported now.";
