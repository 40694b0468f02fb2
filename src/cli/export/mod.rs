//! `pentimento export`: runs in the formats of others, and as pictures and films.
//!
//! - [`canvas`]: folders that CANVAS's published evaluator reads;
//! - [`sheet`]: a run as a contact sheet; [`film`]: as an animated picture or a video; [`html`]: as a page with a
//!   step slider; [`grid`]: tasks by models.

mod canvas;
mod film;
mod grid;
mod html;
mod pictured;
mod sheet;

use clap::{Args, Subcommand};

/// Write runs in the formats of others, and as pictures and films
#[derive(Args, Debug)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    command: ExportCommand,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    Canvas(canvas::CanvasArguments),
    Sheet(sheet::SheetArguments),
    Film(film::FilmArguments),
    Grid(grid::GridArguments),
    Html(html::HtmlArguments),
}

/// Does the command.
pub(super) fn export(arguments: &ExportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        ExportCommand::Canvas(arguments) => canvas::write(arguments),
        ExportCommand::Sheet(arguments) => sheet::write(arguments),
        ExportCommand::Film(arguments) => film::write(arguments),
        ExportCommand::Grid(arguments) => grid::write(arguments),
        ExportCommand::Html(arguments) => html::write(arguments),
    }
}
