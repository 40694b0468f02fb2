//! `pentimento import`: what others recorded, as runs.
//!
//! - [`records`]: trajectories and logs of other programs, told by their content;
//! - [`graphicbench`]: the plans that GraphicBench's authors publish, carried out.

mod graphicbench;
mod line;
mod records;

use clap::{Args, Subcommand};

/// Make runs of what others recorded
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = records::EXAMPLES)]
pub(super) struct ImportArguments {
    /// Plans that are carried out rather than read.
    #[command(subcommand)]
    command: Option<ImportCommand>,
    #[command(flatten)]
    records: records::RecordArguments,
}

/// The layouts that are carried out.
#[derive(Debug, Subcommand)]
enum ImportCommand {
    Graphicbench(graphicbench::GraphicbenchArguments),
}

/// Does the command.
pub(super) fn import(arguments: &ImportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        Some(ImportCommand::Graphicbench(arguments)) => graphicbench::import(arguments),
        None => records::import(&arguments.records),
    }
}
