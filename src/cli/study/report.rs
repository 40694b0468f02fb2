//! `study report`: what a study comes to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use super::agents::autonomous;
use super::material::scoring_forms;
use super::report_json::results_json;
use super::report_text::results_text;
use crate::cli::made_by::{command_words, print_result_json};
use crate::cli::output::{note, print};
use crate::cli::report::write_figure;
use crate::cli::table_file::{TABLE_FILE, TablePath};
use crate::evaluate::MadeBy;
use crate::evaluate::figures::{study_figure, study_progress_figure};
use crate::evaluate::studies::{
    CountedRuns, StudyOfRuns, study_answers_table, study_attempts_table, study_levels_table,
};
use crate::study::{Counted, RESAMPLES, StudyRecord};

/// What is reported.
#[derive(Args, Debug)]
pub(super) struct ReportArguments {
    /// The folder of the study.
    dir: PathBuf,
    /// As JSON, with every person and every reason why something has no value.
    #[arg(long)]
    json: bool,
    /// Write the figures into this folder: success and time as PSBench's figure 4, and what is left of the distance
    /// over time where that was recorded. SVG, PDF, PNG and the numbers as CSV.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Count scripted participants, too; every figure then says that they are scripts.
    #[arg(long)]
    include_scripted: bool,
    /// Count only this attempt, by the folder of its run; may be given several times.
    #[arg(long, value_name = "RUN")]
    select: Vec<PathBuf>,
    /// Ordinary runs of agents, in this folder or below it: those of the study's tasks are judged as people's attempts
    /// are and stand beside them as "Autonomous", a row a model; may be given several times.
    #[arg(long, value_name = "RUNS")]
    agents: Vec<PathBuf>,
    /// Write what it comes to to this file, too, as a table; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    table: Option<TablePath>,
    /// What is a row of that table.
    #[arg(long, value_name = "ROWS", requires = "table", default_value = "levels")]
    table_of: TableRows,
    /// Resamples of an interval.
    #[arg(long, value_name = "N", default_value_t = RESAMPLES as u32, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
}

/// What is a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableRows {
    /// A level of difficulty, then all, under each condition: success and time with intervals.
    Levels,
    /// An attempt that is counted: whose it is, and what came of it.
    Attempts,
    /// An answer in words or by choice: whose it is, and what it is about.
    Answers,
}

/// Writes the report to stdout, and the figure and the table where they are asked for.
pub(super) fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let record = StudyRecord::open(&arguments.dir)?;
    for warning in &record.warnings {
        note(&format!("warning: {warning}"));
    }
    let forms = scoring_forms(&record.plan, &arguments.dir)?;
    let counted = if arguments.include_scripted { Counted::ScriptedToo } else { Counted::People };
    let mut selected = BTreeSet::new();
    for run in &arguments.select {
        selected.insert(run_of(&record, run)?);
    }
    let runs = if selected.is_empty() { CountedRuns::All } else { CountedRuns::These(&selected) };
    let resamples = arguments.resamples as usize;
    let mut of = StudyOfRuns::of(record, runs, &forms, counted, resamples);
    if !arguments.agents.is_empty() {
        of.results.autonomous = autonomous(&arguments.dir, &arguments.agents, resamples)?;
    }
    if let Some(file) = &arguments.table {
        let made_by = MadeBy { command: command_words(), ..MadeBy::default() };
        let table = match arguments.table_of {
            TableRows::Levels => study_levels_table(&of.results, made_by),
            TableRows::Attempts => study_attempts_table(&of.results, &of.attempts, made_by),
            TableRows::Answers => study_answers_table(&of.results, made_by),
        };
        file.write(&table)?;
    }
    let results = of.results;
    // Else an empty report would look like a study that nobody took part in.
    if results.participants.is_empty() && results.scripted_left_out > 0 {
        note(&format!(
            "{} scripted participants are left out: --include-scripted counts them.",
            results.scripted_left_out
        ));
    }
    if let Some(out) = &arguments.out {
        std::fs::create_dir_all(out)
            .with_context(|| format!("cannot make the folder {}", out.display()))?;
        let figure = study_figure(&results).map_err(|why| anyhow::anyhow!("no figure: {why}"))?;
        let command = command_words();
        write_figure(&figure, out, &command)?;
        // A study whose changes have no distances has its first figure all the same.
        match study_progress_figure(&results) {
            Ok(figure) => write_figure(&figure, out, &command)?,
            Err(why) => note(&format!("no figure of the distance over time: {why}")),
        }
    }
    if arguments.json {
        print_result_json(&results_json(&results))
    } else {
        Ok(print(&results_text(&results))?)
    }
}

/// The folder of an attempt as the record has it, however it was named.
fn run_of(record: &StudyRecord, named: &Path) -> anyhow::Result<PathBuf> {
    let wanted = std::fs::canonicalize(named)
        .with_context(|| format!("cannot find the run {}", named.display()))?;
    let mut runs = record.people.iter().flat_map(|person| &person.trials).map(|(dir, _)| dir);
    let found = runs.find(|dir| std::fs::canonicalize(dir).is_ok_and(|dir| dir == wanted));
    let found = found.with_context(|| format!("{} is no attempt of this study", named.display()));
    Ok(found?.clone())
}
