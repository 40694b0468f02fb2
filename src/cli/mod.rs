//! The command line: everything the window does that needs no window.
//!
//! One file a command; [`main`] parses, dispatches and reports. Data goes to stdout and nothing
//! else does: progress, warnings and errors go to stderr. May use every module.
//!
//! Exit codes: 0 done, 1 the work failed, 2 wrong usage or no display.

mod arguments;
mod assist;
mod calls;
mod checks;
mod chosen_task;
mod collection;
mod compare;
mod compare_groups;
mod environments;
mod explored;
mod export;
mod import;
mod interrupt;
mod key;
mod label;
mod labels;
mod made_by;
mod mcp;
mod metric;
mod models;
mod output;
mod own_metrics;
mod plans;
mod progress;
mod render;
mod report;
mod run;
mod score;
mod scoring;
mod stats;
mod study;
mod table;
mod table_file;
mod what_if;
mod window;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};

/// Exit code of wrong usage, as clap has it, and of a missing display.
const USAGE: u8 = 2;

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Runs the program on a command line, the program's name first.
pub fn run(line: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(line) {
        Ok(arguments) => {
            dispatch(arguments).map_or_else(|error| report(&error), |()| ExitCode::SUCCESS)
        }
        Err(help_or_error) => {
            // Help goes to stdout with 0, an error to stderr with 2. If that cannot be written,
            // there is nobody left to tell.
            help_or_error.print().ok();
            ExitCode::from(u8::try_from(help_or_error.exit_code()).unwrap_or(USAGE))
        }
    }
}

fn dispatch(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        None => window::open_window(arguments.paths, arguments.captions),
        Some(Command::Open(arguments)) => window::open_link(&arguments),
        Some(Command::Metric(metric)) => metric::measure(&metric),
        Some(Command::Render(render)) => render::draw(&render),
        Some(Command::Calls(calls) | Command::Script(calls)) => calls::write(&calls),
        Some(Command::Run(run)) => run::run(&run),
        Some(Command::Score(score)) => score::score(&score),
        Some(Command::Report(report)) => report::write(&report),
        Some(Command::Stats(stats)) => stats::compute(&stats),
        Some(Command::Mcp(mcp)) => mcp::serve(&mcp),
        Some(Command::Import(arguments)) => import::import(&arguments),
        Some(Command::Key(arguments)) => key::key(&arguments),
        Some(Command::Models(arguments)) => models::models(&arguments),
        Some(Command::Label(arguments)) => label::label(&arguments),
        Some(Command::Study(arguments)) => study::study(&arguments),
        Some(Command::WhatIf(arguments)) => what_if::what_if(&arguments),
        Some(Command::Compare(arguments)) => compare::compare(&arguments),
        Some(Command::Assist(arguments)) => assist::assist(&arguments),
        Some(Command::Export(arguments)) => export::export(&arguments),
    }
}

/// Says once what went wrong, the causes after it.
fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    output::note(&format!("error: {}", in_one_line(error)));
    // Scripts tell "no display" from "failed": the same call may work under a virtual one.
    let no_display = error.downcast_ref::<window::NoDisplay>().is_some();
    if no_display { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}

/// The error and its causes, outermost first; a cause that the words before it hold already is left
/// out, since our own errors name theirs.
fn in_one_line(error: &anyhow::Error) -> String {
    let mut words = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // The first error may be ours and hold its cause's words in the middle of its own.
        if !words.contains(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
}

/// Whether the reader of our stdout went away, as `head` does: nothing went wrong.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<output::StdoutError>()
        .is_some_and(|output::StdoutError(cause)| cause.kind() == io::ErrorKind::BrokenPipe)
}
