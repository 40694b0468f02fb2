//! `pentimento report tables`: the tables that papers print, from whatever there is.
//!
//! [`sources`] is what tables are made of: [`facts`] says of each run what they need, plans and labels
//! are read as they are. [`canvas`], [`psbench`] and [`graphicbench`] make tables of that, and
//! [`constraints`] one of our own; [`table`] is one, [`write`] writes it. A cell without data is an em dash with a footnote that says what is
//! missing.

mod canvas;
mod constraints;
mod facts;
mod graphicbench;
mod judged;
mod numbers;
mod psbench;
mod sources;
mod suite;
mod table;
mod write;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::evaluate::{Scorer, Wanted};
use crate::run::Run;

use super::super::arguments::TablesArguments;
use super::super::collection::Collection;
use super::super::labels::Label;
use super::super::output::{note, print};
use super::super::plans::{self, PlanFile};
use super::super::progress::Progress;
use super::super::scoring::{
    Cache, ScoreJob, Scored, models, note_problem, read_runs, score_all, scorer,
};
use facts::{Columns, RunFacts};
use sources::Sources;
use table::PaperTable;

/// A table, made of what there is.
type Make = fn(&Sources) -> PaperTable;

/// Every table by its id, in the order of printing.
const TABLES: &[(&str, Make)] = &[
    ("canvas-1", |it| canvas::scores(&it.canvas, &it.runs)),
    ("canvas-2", |it| canvas::pos_at_k(&it.canvas, &it.runs)),
    ("canvas-3", |it| canvas::tools_of_modifications(&it.runs)),
    ("canvas-15", |it| canvas::scores_per_difficulty(&it.canvas, &it.runs)),
    ("canvas-16", |it| canvas::turn_by_turn(&it.canvas, &it.runs)),
    ("canvas-17", |it| canvas::tools_of_task_1(&it.runs)),
    ("canvas-18", |it| canvas::tools_of_task_2(&it.runs)),
    ("canvas-19", |it| canvas::tools_of_task_3(&it.runs)),
    ("psbench-3", psbench::success),
    ("psbench-4", psbench::ndec),
    ("graphicbench-3", graphicbench::execution),
    ("graphicbench-9", graphicbench::plans),
    ("graphicbench-10", graphicbench::experts),
    ("graphicbench-11", graphicbench::expert_sequences),
    ("graphicbench-12", graphicbench::action_sequences),
    ("graphicbench-13", graphicbench::execution_per_type),
    ("graphicweaver-4", graphicbench::weaver),
    ("constraints", constraints::constraints),
];

/// Does the command.
pub(in crate::cli) fn write(arguments: &TablesArguments) -> anyhow::Result<()> {
    let chosen = chosen(&arguments.only)?;
    let needs_turns = chosen.iter().any(|(id, _)| *id == "canvas-16");
    let (sources, unreadable) = gather(arguments, needs_turns)?;
    let tables: Vec<PaperTable> = chosen.iter().map(|(_, make)| make(&sources)).collect();
    let text = write::tables(&tables, arguments.format);
    match &arguments.out {
        Some(out) => {
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))?;
        }
        None => print(&text)?,
    }
    if unreadable > 0 {
        note("The tables are of the other runs.");
        anyhow::bail!("{unreadable} of the runs cannot be read");
    }
    Ok(())
}

/// Everything that tables are made of, and how many runs cannot be read.
fn gather(arguments: &TablesArguments, needs_turns: bool) -> anyhow::Result<(Sources, usize)> {
    let models = models(arguments.models.as_deref())?;
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let scorer = scorer(cache, &models);
    let mut labels = Vec::new();
    for path in &arguments.labels {
        labels.extend(Label::read(path)?);
    }
    let (plans, runs) = split(&arguments.runs)?;
    if arguments.ask_judge {
        labels.extend(judged::judge_plans(&plans, &models)?);
    }
    let mut sources = Sources {
        canvas: Columns::canvas(scorer.registry()),
        suite: Columns::suite(scorer.registry()),
        runs: Vec::new(),
        plans,
        labels,
    };
    let mut unreadable = 0;
    if !runs.is_empty() {
        let mut collection = Collection::open(&runs, &arguments.tasks)?;
        unreadable = score_runs(&mut sources, &scorer, &mut collection, needs_turns);
    }
    note_problem(&scorer);
    Ok((sources, unreadable))
}

/// The plans at these paths, and the paths without plans.
fn split(paths: &[PathBuf]) -> anyhow::Result<(Vec<PlanFile>, Vec<PathBuf>)> {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        let found = plans::find(path)?;
        if found.is_empty() {
            others.push(path.clone());
        }
        found.iter().for_each(PlanFile::note_problems);
        files.extend(found);
    }
    Ok((files, others))
}

/// Scores the runs by what the tables of their environment print, and counts those that cannot be
/// read.
fn score_runs(
    sources: &mut Sources,
    scorer: &Scorer,
    collection: &mut Collection,
    needs_turns: bool,
) -> usize {
    let progress = Mutex::new(Progress::start(collection.runs.len(), "runs"));
    let say = |line: &str| progress.lock().unwrap_or_else(PoisonError::into_inner).done(line);
    let (jobs, problems) = read_runs(collection);
    for problem in &problems {
        say(&format!("error: {problem}"));
    }
    let is_of_suite = |job: &ScoreJob| job.run.manifest.environment == "suite";
    let (suite, others): (Vec<_>, Vec<_>) = jobs.into_iter().partition(is_of_suite);
    let of_runs = plans::of_runs(suite.iter().map(|job| (job.dir.as_path(), &*job.run)));
    let is_new = |file: &PlanFile| !sources.plans.iter().any(|known| known.is_of_same(file));
    let of_runs: Vec<PlanFile> = of_runs.into_iter().filter(is_new).collect();
    sources.plans.extend(of_runs);
    let steps = |run: &Run| facts::steps(run, needs_turns);
    let done = |it: &Scored| say(&it.job.dir.display().to_string());
    for (jobs, columns) in [(others, &sources.canvas), (suite, &sources.suite)] {
        let ids = columns.ids();
        let wanted = Wanted { variants: Some(&ids), map: None };
        let scored = score_all(scorer, jobs, steps, wanted, done);
        sources.runs.extend(scored.iter().map(|it| RunFacts::of(it, columns)));
    }
    problems.len()
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
