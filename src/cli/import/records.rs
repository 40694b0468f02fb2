//! `pentimento import PATH… --out DIR`: trajectories and logs of other programs as runs.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::output::{note, print, print_json};
use crate::cli::progress::Spinner;
use crate::cli::table::{Column, Table};
use crate::import::{FORMATS, Format, ImportReport, ImportRequest, ImportedRun};

pub(super) const EXAMPLES: &str = "\
Each file and folder is asked what it is. What cannot be read is listed, the rest comes in; what was
imported before stays as it is.

Read are: results of CANVAS, OSWorld and AgentNet; logs of Inspect; traces of Playwright; sessions of
Codex CLI; messages of Anthropic, OpenAI and Gemini as JSON, JSON Lines and streams of events;
results of batches of OpenAI and Anthropic; OpenTelemetry traces; videos, animated WebP and GIF;
folders of pictures (PNG, JPEG, WebP, GIF, BMP). Logs may be packed by gzip or Zstandard, and all of
these but what is an archive itself in a zip or tar archive (.tar, .tar.gz, .tgz). docs/import.md
says more of each.

Examples:
  pentimento import results --out runs
  pentimento import log.eval trace.zip --out runs --json
  pentimento import session.jsonl --format anthropic --out runs
  pentimento import ~/.codex/sessions capture.sse log.jsonl.gz --out runs
  pentimento import graphicbench plans --out runs

JSON: {\"imported\", \"found\", \"runs\": [{\"run\", \"id\", \"set\", \"task\", \"agent\", \"format\", \"turns\",
\"steps\", \"was_there\", \"has_new_scores\", \"warnings\"}], \"skipped\": [{\"place\", \"reason\"}],
\"more_skipped\"}";

/// What is imported, and where to.
#[derive(Args, Debug)]
pub(super) struct RecordArguments {
    /// Files and folders that other programs wrote.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Folder the runs go to; made if it is missing.
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// Read everything as this format, instead of telling it by its content.
    #[arg(long, value_name = "NAME", value_parser = names())]
    format: Option<String>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
}

/// Does the command.
pub(super) fn import(arguments: &RecordArguments) -> anyhow::Result<()> {
    let out_dir = arguments.out.as_deref().unwrap_or(std::path::Path::new("."));
    let request = ImportRequest {
        paths: &arguments.paths,
        out_dir,
        format: arguments.format.as_deref().and_then(Format::named),
    };
    let spinner = Spinner::start("importing");
    let report = crate::import::import(&request, &CancelToken::new(), &mut |progress| {
        let (at, total) = (progress.done + 1, progress.total);
        spinner.doing(format!("{at}/{total} {}", progress.message));
    })?;
    drop(spinner);
    if arguments.json {
        print_json(&to_json(&report))?;
    } else {
        print(&text(&report))?;
    }
    // Printed before: what came in is of use although nothing else did.
    anyhow::ensure!(!report.runs.is_empty(), "nothing could be imported");
    Ok(())
}

fn to_json(report: &ImportReport) -> Value {
    let runs = report.runs.iter().map(|run| {
        json!({
            "run": run.dir, "id": run.id, "set": run.task.set, "task": run.task.id,
            "agent": run.agent, "format": run.format, "turns": run.turns, "steps": run.steps,
            "was_there": run.was_there, "has_new_scores": run.has_new_scores,
            "warnings": run.warnings,
        })
    });
    let skipped = report
        .skipped
        .iter()
        .map(|skipped| json!({ "place": skipped.place, "reason": skipped.reason }));
    let new = report.new_runs();
    json!({
        "imported": new, "found": report.runs.len() - new,
        "runs": runs.collect::<Vec<_>>(), "skipped": skipped.collect::<Vec<_>>(),
        "more_skipped": report.more_skipped,
    })
}

fn text(report: &ImportReport) -> String {
    let mut table = Table::new(&[
        Column::left("run"),
        Column::left("format"),
        Column::left("task"),
        Column::left("agent"),
        Column::right("turns"),
        Column::right("steps"),
        Column::left(""),
    ]);
    for run in &report.runs {
        table.push(vec![
            run.dir.display().to_string(),
            run.format.to_owned(),
            run.task.id.clone(),
            run.agent.clone(),
            run.turns.to_string(),
            run.steps.to_string(),
            state(run).to_owned(),
        ]);
    }
    for run in &report.runs {
        // Beside the table and not in it: what was lost of a run may be many lines.
        for warning in &run.warnings {
            note(&format!("warning: {}: {warning}", run.id));
        }
    }
    for skipped in &report.skipped {
        note(&format!("left out: {}: {}", skipped.place, skipped.reason));
    }
    if report.more_skipped > 0 {
        note(&format!("left out: {} more", report.more_skipped));
    }
    format!("{}\n{}\n", table.to_text(), report.summary())
}

fn state(run: &ImportedRun) -> &'static str {
    match (run.was_there, run.warnings.is_empty()) {
        (true, _) if run.has_new_scores => "new scores",
        (true, _) => "was there",
        (false, true) => "",
        (false, false) => "not whole",
    }
}
