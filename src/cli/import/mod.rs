//! `pentimento import`: what others recorded, as runs.
//!
//! - [`graphicbench`]: the plans that GraphicBench's authors publish, carried out.

mod graphicbench;
mod line;

use clap::{Args, Subcommand};

/// Make runs of what others recorded
#[derive(Args, Debug)]
pub(super) struct ImportArguments {
    /// Whose layout it is in.
    #[command(subcommand)]
    command: ImportCommand,
}

/// The layouts that are read.
#[derive(Debug, Subcommand)]
enum ImportCommand {
    Graphicbench(graphicbench::GraphicbenchArguments),
}

/// Does the command.
pub(super) fn import(arguments: &ImportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        ImportCommand::Graphicbench(arguments) => graphicbench::import(arguments),
    }
}
