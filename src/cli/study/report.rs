//! `study report`: what a study comes to.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::material::scoring_forms;
use super::report_json::results_json;
use super::report_text::results_text;
use crate::cli::output::{note, print, print_json};
use crate::cli::report::write_figure;
use crate::evaluate::figures::study_figure;
use crate::study::{Counted, RESAMPLES, StudyRecord, StudyResults};

/// What is reported.
#[derive(Args, Debug)]
pub(super) struct ReportArguments {
    /// The folder of the study.
    dir: PathBuf,
    /// As JSON, with every person and every reason why something has no value.
    #[arg(long)]
    json: bool,
    /// Write the figure, as PSBench's figure 4, into this folder: SVG, PDF, PNG and its numbers as CSV.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Count scripted participants, too; every figure then says that they are scripts.
    #[arg(long)]
    include_scripted: bool,
    /// Resamples of an interval.
    #[arg(long, value_name = "N", default_value_t = RESAMPLES as u32, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
}

/// Writes the report to stdout, and the figure where it is asked for.
pub(super) fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let record = StudyRecord::open(&arguments.dir)?;
    for warning in &record.warnings {
        note(&format!("warning: {warning}"));
    }
    let forms = scoring_forms(&record.plan, &arguments.dir)?;
    let counted = if arguments.include_scripted { Counted::ScriptedToo } else { Counted::People };
    let results = StudyResults::of(&record, &forms, counted, arguments.resamples as usize);
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
        let scripted = if arguments.include_scripted { " --include-scripted" } else { "" };
        let command = format!("pentimento study report {}{scripted}", arguments.dir.display());
        write_figure(&figure, out, &command)?;
    }
    if arguments.json {
        print_json(&results_json(&results))
    } else {
        Ok(print(&results_text(&results))?)
    }
}
