//! `pentimento export demonstrations`: runs as lines that models learn from.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::runs::filtered_runs;
use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::output::{note, print, write_atomic};
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
    let mut runs = Vec::new();
    for found in filtered_runs(&arguments.runs, &arguments.tasks, &arguments.filter)? {
        match found.read() {
            Ok(run) => runs.push((found.dir, DemonstratedRun { run, task: found.task })),
            Err(error) => note(&format!("left out: {error}")),
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
            Err(error) => note(&format!("left out: {}: {error}", dir.display())),
        }
    }
    anyhow::ensure!(!lines.is_empty(), "none of the {} runs is a demonstration", runs.len());
    write_lines(&arguments.out, &lines)?;
    print(&format!("{} lines of {written} runs in {}\n", lines.len(), arguments.out.display()))?;
    let Some(out) = &arguments.preferences else { return Ok(()) };
    let mut pairs = Vec::new();
    for (dir, chosen) in runs.iter().filter(|(_, of)| is_taken_over(&of.run)) {
        let parent = chosen.run.manifest.parent.as_ref().map(|parent| parent.run.as_str());
        let rejected = runs.iter().find(|(_, of)| Some(of.run.manifest.id.as_str()) == parent);
        let Some((_, rejected)) = rejected else {
            note(&format!(
                "no pair of {}: the run it was taken over from is not among those named",
                dir.display()
            ));
            continue;
        };
        match preference(chosen, rejected, options, &open, &cancel) {
            Ok(pair) => pairs.extend(pair),
            Err(error) => note(&format!("no pair of {}: {error}", dir.display())),
        }
    }
    write_lines(out, &pairs)?;
    Ok(print(&format!("{} pairs in {}\n", pairs.len(), out.display()))?)
}

fn write_lines(path: &Path, lines: &[Value]) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    write_atomic(path, text.as_bytes())
}
