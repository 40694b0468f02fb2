//! `pentimento export`: runs in the formats of others, and as pictures and animations.
//!
//! - [`canvas`]: folders that CANVAS's published evaluator reads;
//! - [`contact_sheet`]: a run as a contact sheet; [`animation`]: as an animated picture or a video; [`html`]: as a page
//!   with a step slider; [`grid`]: tasks by models;
//! - [`demonstrations`]: runs as lines that models learn from.
//!
//! How each is made is in [`crate::export`], which the window's worker uses too; here are the arguments, and [`runs`],
//! which finds what they name.

mod animation;
mod canvas;
mod contact_sheet;
mod demonstrations;
mod grid;
mod html;
mod runs;

use clap::{Args, Subcommand};

/// Write runs in the formats of others, and as pictures and animations
#[derive(Args, Debug)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    command: ExportCommand,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    Canvas(canvas::CanvasArguments),
    ContactSheet(contact_sheet::ContactSheetArguments),
    Animation(animation::AnimationArguments),
    Grid(grid::GridArguments),
    Html(html::HtmlArguments),
    Demonstrations(demonstrations::DemonstrationsArguments),
}

/// Does the command.
pub(super) fn export(arguments: &ExportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        ExportCommand::Canvas(arguments) => canvas::write(arguments),
        ExportCommand::ContactSheet(arguments) => contact_sheet::write(arguments),
        ExportCommand::Animation(arguments) => animation::write(arguments),
        ExportCommand::Grid(arguments) => grid::write(arguments),
        ExportCommand::Html(arguments) => html::write(arguments),
        ExportCommand::Demonstrations(arguments) => demonstrations::write(arguments),
    }
}
