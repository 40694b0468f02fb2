//! `pentimento export demonstrations`: runs as lines that models learn from.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::runs::filtered_runs;
use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::made_by::command_words;
use crate::cli::output::{note, print, write_atomic};
use crate::evaluate::MadeBy;
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::export::{
    DemonstratedRun, DemonstrationOptions, DemonstrationPictures, DemonstrationUnit,
    demonstrations, is_taken_over, preference,
};

/// Write runs as demonstrations that models learn from, one line a run
///
/// Each line is a chat with tool calls in OpenAI's format; docs/assist.md has the schema. Runs that do not
/// come out as they were recorded are left out, and named.
#[derive(Args, Debug)]
pub(super) struct DemonstrationsArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
    /// Write preferences here: of runs that people took over from an agent, what they did before what the
    /// agent did from the same state. Both runs have to be among those named.
    #[arg(long, value_name = "FILE.jsonl")]
    preferences: Option<PathBuf>,
    /// One line a turn, each with what was on the canvas before it, instead of one a run.
    #[arg(long)]
    steps: bool,
    /// Put pictures into the lines: what is to be arrived at, and with --steps the canvas before.
    #[arg(long)]
    images: bool,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore, such as agent:"by hand".
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
}

/// Does the command.
pub(super) fn write(arguments: &DemonstrationsArguments) -> anyhow::Result<()> {
    let open = environments().opener();
    let cancel = CancelToken::new();
    let options = DemonstrationOptions {
        unit: if arguments.steps { DemonstrationUnit::Turn } else { DemonstrationUnit::Run },
        pictures: if arguments.images {
            DemonstrationPictures::With
        } else {
            DemonstrationPictures::Without
        },
    };
    let (mut runs, mut left_out) = (Vec::new(), Vec::new());
    for found in filtered_runs(&arguments.runs, &arguments.tasks, &arguments.filter)? {
        match found.read() {
            Ok(run) => runs.push((found.dir, DemonstratedRun { run, task: found.task })),
            Err(error) => left_out.push(error.to_string()),
        }
    }
    let mut lines = Vec::new();
    let mut written = 0;
    for (dir, of) in &runs {
        match demonstrations(of, options, &open, &cancel) {
            Ok(of_run) => {
                written += 1;
                lines.extend(of_run);
            }
            Err(error) => left_out.push(format!("{}: {error}", dir.display())),
        }
    }
    for why in &left_out {
        note(&format!("left out: {why}"));
    }
    anyhow::ensure!(!lines.is_empty(), "none of the {} runs is a demonstration", runs.len());
    let mut made_by = MadeBy {
        command: command_words(),
        runs: written.to_string(),
        left_out,
        ..MadeBy::default()
    };
    write_lines(&arguments.out, &lines, &made_by)?;
    print(&format!("{} lines of {written} runs in {}\n", lines.len(), arguments.out.display()))?;
    let Some(out) = &arguments.preferences else { return Ok(()) };
    let mut pairs = Vec::new();
    made_by.left_out.clear();
    for (dir, chosen) in runs.iter().filter(|(_, of)| is_taken_over(&of.run)) {
        let parent = chosen.run.manifest.parent.as_ref().map(|parent| parent.run.as_str());
        let rejected = runs.iter().find(|(_, of)| Some(of.run.manifest.id.as_str()) == parent);
        let Some((_, rejected)) = rejected else {
            let why = "the run it was taken over from is not among those named";
            made_by.left_out.push(format!("{}: {why}", dir.display()));
            continue;
        };
        match preference(chosen, rejected, options, &open, &cancel) {
            Ok(pair) => pairs.extend(pair),
            Err(error) => made_by.left_out.push(format!("{}: {error}", dir.display())),
        }
    }
    for why in &made_by.left_out {
        note(&format!("no pair of {why}"));
    }
    made_by.runs = pairs.len().to_string();
    write_lines(out, &pairs, &made_by)?;
    Ok(print(&format!("{} pairs in {}\n", pairs.len(), out.display()))?)
}

/// Writes lines; beside them, where they come from, as a reader of lines would take it for one of them.
fn write_lines(path: &Path, lines: &[Value], made_by: &MadeBy) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    write_atomic(path, text.as_bytes())?;
    write_atomic(&beside(path), provenance_json(&made_by.entries()).as_bytes())
}
