//! `pentimento report`: runs as one HTML file that needs nothing else; [`tables`]: the tables that
//! papers print; [`behavior`]: what agents did.
//!
//! [`gather`] replays and scores a run, [`followed`] is one variant over it, [`page`] lays it out, [`curve`] and [`heat`] draw. The file
//! refers to nothing outside itself: styles are inline, pictures are data URIs, there is no script.

mod behavior;
mod curve;
mod followed;
mod gather;
mod heat;
mod html;
mod page;
mod steps;
pub(super) mod tables;

use std::sync::Arc;

use anyhow::Context as _;

use crate::run::reader;
use crate::task::Task;

use super::arguments::{ReportArguments, ReportCommand};
use super::collection::Collection;
use super::output::write_atomic;
use super::progress::Progress;
use super::scoring::{Cache, check_variants, models, note_problem, scorer};
use gather::{Measuring, RunReport};

/// Does the command.
pub(super) fn write(arguments: &ReportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        Some(ReportCommand::Tables(arguments)) => return tables::write(arguments),
        Some(ReportCommand::Behavior(arguments)) => return behavior::write(arguments),
        None => {}
    }
    let out = arguments.out.as_deref().context("say where the report goes: --out FILE.html")?;
    let scorer = scorer(Cache::Workspace, &models(arguments.models.as_deref())?);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let mut variants = only.iter().filter_map(|id| scorer.registry().variant(id));
    let lead = variants.next().context("say what is shown: --only ID")?;
    let measuring = Measuring { scorer: &scorer, lead, others: variants.collect() };
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (reports, unreadable) = gather_all(&mut collection, &measuring);
    note_problem(&scorer);
    anyhow::ensure!(!reports.is_empty(), "none of the runs can be read");
    write_atomic(out, page::page(&reports).as_bytes())?;
    anyhow::ensure!(
        unreadable == 0,
        "{unreadable} of the runs cannot be read; {} shows the others",
        out.display()
    );
    Ok(())
}

/// Every run that can be read, and how many cannot.
fn gather_all(collection: &mut Collection, by: &Measuring<'_>) -> (Vec<RunReport>, usize) {
    let found = std::mem::take(&mut collection.runs);
    let mut progress = Progress::start(found.len(), "runs");
    let (mut reports, mut unreadable) = (Vec::new(), 0);
    for found in found {
        progress.doing(found.dir.display().to_string());
        match reader::open(&found.dir) {
            Ok(run) => {
                let task = collection.task_of(&found.dir, &run.manifest);
                let task = task.or_else(|| Task::of_plan(&run).map(Arc::new));
                reports.push(RunReport::gather(run, task, &found.dir, by));
                progress.done(&found.dir.display().to_string());
            }
            Err(error) => {
                unreadable += 1;
                progress.done(&format!("error: {error}"));
            }
        }
    }
    (reports, unreadable)
}
