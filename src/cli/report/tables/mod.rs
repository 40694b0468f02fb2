//! `pentimento report tables`: the tables that papers print, from whatever runs there are.
//!
//! [`facts`] says of each run what the tables need, [`canvas`] and [`others`] make tables of that,
//! [`table`] is one, [`write`] writes it. A cell without data is an em dash with a footnote that says
//! what is missing.

mod canvas;
mod facts;
mod numbers;
mod others;
mod table;
mod write;

use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::run::Run;
use crate::worker::Wanted;

use super::super::arguments::TablesArguments;
use super::super::collection::Collection;
use super::super::output::{note, print};
use super::super::progress::Progress;
use super::super::scoring::{Cache, note_problem, read_runs, score_all, scorer};
use facts::{Columns, RunFacts};
use table::PaperTable;

/// A table, made of what is known of the runs.
type Make = fn(&Columns, &[RunFacts]) -> PaperTable;

/// Every table by its id, in the order of printing.
const TABLES: &[(&str, Make)] = &[
    ("canvas-1", canvas::scores),
    ("canvas-2", canvas::pos_at_k),
    ("canvas-3", canvas::tools_of_modifications),
    ("canvas-15", canvas::scores_per_difficulty),
    ("canvas-16", canvas::turn_by_turn),
    ("canvas-17", canvas::tools_of_task_1),
    ("canvas-18", canvas::tools_of_task_2),
    ("canvas-19", canvas::tools_of_task_3),
    ("psbench-3", others::psbench_success),
    ("psbench-4", others::psbench_ndec),
    ("graphicbench-3", others::graphicbench_execution),
    ("graphicbench-9", others::graphicbench_plans),
    ("graphicbench-10", others::graphicbench_experts),
    ("graphicbench-11", others::graphicbench_expert_sequences),
    ("graphicbench-12", others::graphicbench_action_sequences),
    ("graphicbench-13", others::graphicbench_execution_per_type),
    ("graphicweaver-4", others::graphicweaver),
];

/// Does the command.
pub(in crate::cli) fn write(arguments: &TablesArguments) -> anyhow::Result<()> {
    let chosen = chosen(&arguments.only)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let scorer = scorer(if arguments.no_cache { Cache::None } else { Cache::Workspace });
    let columns = Columns::of(scorer.registry());
    let progress = Mutex::new(Progress::start(collection.runs.len(), "runs"));
    let say = |line: &str| progress.lock().unwrap_or_else(PoisonError::into_inner).done(line);
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        say(&format!("error: {problem}"));
    }
    let ids = columns.ids();
    let wanted = Wanted { variants: Some(&ids), map: None };
    let needs_turns = chosen.iter().any(|(id, _)| *id == "canvas-16");
    let steps = |run: &Run| facts::steps(run, needs_turns);
    let scored =
        score_all(&scorer, jobs, steps, wanted, |it| say(&it.job.dir.display().to_string()));
    drop(progress);
    note_problem(&scorer);
    let facts: Vec<RunFacts> = scored.iter().map(|it| RunFacts::of(it, &columns)).collect();
    let tables: Vec<PaperTable> = chosen.iter().map(|(_, make)| make(&columns, &facts)).collect();
    let text = write::tables(&tables, arguments.format);
    match &arguments.out {
        Some(out) => {
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))?;
        }
        None => print(&text)?,
    }
    if !problems.is_empty() {
        note("The tables are of the other runs.");
        anyhow::bail!("{} of the runs cannot be read", problems.len());
    }
    Ok(())
}

fn chosen(only: &[String]) -> anyhow::Result<Vec<(&'static str, Make)>> {
    for id in only {
        anyhow::ensure!(
            TABLES.iter().any(|(known, _)| known == id),
            "there is no table {id:?}; there are {}",
            TABLES.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", ")
        );
    }
    let is_chosen = |id: &str| only.is_empty() || only.iter().any(|wanted| wanted == id);
    Ok(TABLES.iter().copied().filter(|(id, _)| is_chosen(id)).collect())
}
