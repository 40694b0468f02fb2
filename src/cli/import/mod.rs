//! `pentimento import`: what others recorded, as runs.
//!
//! - [`graphicbench`]: the plans that GraphicBench's authors publish, carried out.

mod graphicbench;
mod line;

use super::arguments::{ImportArguments, ImportCommand};

/// Does the command.
pub(super) fn import(arguments: &ImportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        ImportCommand::Graphicbench(arguments) => graphicbench::import(arguments),
    }
}
