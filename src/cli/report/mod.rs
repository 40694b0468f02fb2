//! `pentimento report`: runs as one HTML file that needs nothing else; [`tables`]: the tables that
//! papers print.
//!
//! [`gather`] replays and scores a run, [`page`] lays it out, [`curve`] and [`heat`] draw. The file
//! refers to nothing outside itself: styles are inline, pictures are data URIs, there is no script.

mod curve;
mod gather;
mod heat;
mod html;
mod page;
mod steps;
pub(super) mod tables;

use anyhow::Context as _;

use crate::run::reader;

use super::arguments::{ReportArguments, ReportCommand};
use super::collection::Collection;
use super::progress::Progress;
use gather::RunReport;

/// Does the command.
pub(super) fn write(arguments: &ReportArguments) -> anyhow::Result<()> {
    if let Some(ReportCommand::Tables(arguments)) = &arguments.command {
        return tables::write(arguments);
    }
    let out = arguments.out.as_deref().context("say where the report goes: --out FILE.html")?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (reports, unreadable) = gather_all(&mut collection);
    anyhow::ensure!(!reports.is_empty(), "none of the runs can be read");
    std::fs::write(out, page::page(&reports))
        .with_context(|| format!("cannot write {}", out.display()))?;
    anyhow::ensure!(
        unreadable == 0,
        "{unreadable} of the runs cannot be read; {} shows the others",
        out.display()
    );
    Ok(())
}

/// Every run that can be read, and how many cannot.
fn gather_all(collection: &mut Collection) -> (Vec<RunReport>, usize) {
    let found = std::mem::take(&mut collection.runs);
    let mut progress = Progress::start(found.len(), "runs");
    let (mut reports, mut unreadable) = (Vec::new(), 0);
    for found in found {
        progress.doing(found.dir.display().to_string());
        match reader::open(&found.dir) {
            Ok(run) => {
                let task = collection.task_of(&found.dir, &run.manifest);
                reports.push(RunReport::gather(run, task, &found.dir));
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
