//! `pentimento report`: runs as one HTML file that needs nothing else; [`tables`]: the tables that papers print;
//! [`table`]: the table over all runs that the window's *Explore* shows; [`plot`]: its plots; [`figures`]: the papers'
//! figures;
//! [`behavior`]: what agents did.
//!
//! The page is [`crate::report`]'s, which the window writes too.

mod behavior;
mod figures;
mod plot;
mod table;
mod tables;

pub(super) use figures::write_figure;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use crate::base::CancelToken;
use crate::evaluate::Scorer;
use crate::report::{Measuring, RunReport, page};
use crate::run::reader;
use crate::task::Task;

use super::collection::Collection;
use super::environments::environments;
use super::made_by::command_words;
use super::output::write_atomic;
use super::own_metrics::OwnMetrics;
use super::progress::Progress;
use super::scoring::{Cache, check_variants, models, note_problem, scorer};

/// Write runs as one HTML file that needs nothing else
///
/// For each run: the curve of each metric that is shown, the final canvas beside the ground truth
/// and the heat of where they differ, and every call with what came of it and what it changed in
/// the leading metric.
#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct ReportArguments {
    /// Something else than the HTML file.
    #[command(subcommand)]
    command: Option<ReportCommand>,
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE.html", required = true)]
    out: Option<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Which variants are shown, the first one leading; may be given several times. Without it, of each run the one that
    /// stands for it in lists: ssim/uniform7, of a design query constraints/all.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
}

/// What can be reported beside the HTML file.
#[derive(Debug, Subcommand)]
enum ReportCommand {
    Tables(tables::TablesArguments),
    Table(table::TableArguments),
    Plot(plot::PlotArguments),
    Behavior(behavior::BehaviorArguments),
    Figures(figures::FiguresArguments),
}

const EXAMPLES: &str = "\
Examples:
  pentimento report runs --out report.html
  pentimento report runs/samples/login/tracer-01 --tasks sample_runs --out login.html
  pentimento report runs --only ssim/uniform7 --only component_similarity/canvas --out both.html
  pentimento report tables runs --format md
  pentimento report table runs --filter 'model:gpt' --sort=-ssim/uniform7 --format csv
  pentimento report plot runs --x calls --y ssim/uniform7 --out scatter.svg
  pentimento report figures runs --only canvas-4 --out figures
  pentimento report behavior runs --json";

/// Does the command.
pub(super) fn write(arguments: &ReportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        Some(ReportCommand::Tables(arguments)) => return tables::write(arguments),
        Some(ReportCommand::Table(arguments)) => return table::write(arguments),
        Some(ReportCommand::Plot(arguments)) => return plot::write(arguments),
        Some(ReportCommand::Behavior(arguments)) => return behavior::write(arguments),
        Some(ReportCommand::Figures(arguments)) => return figures::write(arguments),
        None => {}
    }
    let out = arguments.out.as_deref().context("say where the report goes: --out FILE.html")?;
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let scorer = scorer(Cache::Workspace, &models);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (reports, unreadable) = gather_all(&mut collection, &scorer, &only);
    note_problem(&scorer);
    // An older report is not replaced by an empty one.
    anyhow::ensure!(!reports.is_empty(), "none of the runs can be read");
    write_atomic(out, page(&reports, &command_words(), &unreadable).as_bytes())?;
    anyhow::ensure!(
        unreadable.is_empty(),
        "{} of the runs cannot be read; {} shows the others",
        unreadable.len(),
        out.display()
    );
    Ok(())
}

/// Every run that can be read, and why the others cannot.
fn gather_all(
    collection: &mut Collection,
    scorer: &Scorer,
    only: &[&str],
) -> (Vec<RunReport>, Vec<String>) {
    let open_environment = &environments().opener();
    let found = std::mem::take(&mut collection.runs);
    let mut progress = Progress::start(found.len(), "runs");
    let (mut reports, mut unreadable) = (Vec::new(), Vec::new());
    // One after another: a report holds the pictures of a run, and is for a few of them.
    for found in found {
        progress.doing(found.dir.display().to_string());
        match reader::open(&found.dir) {
            Ok(run) => {
                let task = collection.task_of(&found.dir, &run.manifest);
                let task = task.or_else(|| Task::of_plan(&run).map(Arc::new));
                // Nobody raises the token: Ctrl-C ends the command.
                let never = CancelToken::new();
                let by = Measuring::of_run(scorer, only, &run.manifest, open_environment);
                let run = Arc::new(run);
                match by.map(|by| RunReport::gather(run, task, &found.dir, &by, &never)) {
                    Some(report) => reports.extend(report.ok()),
                    None => {
                        unreadable
                            .push(format!("{}: no metric stands for it", found.dir.display()));
                    }
                }
                progress.done(&found.dir.display().to_string());
            }
            Err(error) => {
                progress.done(&format!("error: {error}"));
                unreadable.push(format!("{}: {error}", found.dir.display()));
            }
        }
    }
    (reports, unreadable)
}
