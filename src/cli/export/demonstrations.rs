//! `pentimento export demonstrations`: runs as lines that models learn from.

use std::path::{Path, PathBuf};

use clap::Args;

use super::runs::filtered_runs;
use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::made_by::command_words;
use crate::cli::output::{note, print, write_atomic};
use crate::evaluate::MadeBy;
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::export::{
    DemonstrationContext, DemonstrationOptions, DemonstrationPairs, DemonstrationPictures,
    DemonstrationSet, DemonstrationUnit,
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
    let options = DemonstrationOptions {
        unit: if arguments.steps { DemonstrationUnit::Turn } else { DemonstrationUnit::Run },
        pictures: if arguments.images {
            DemonstrationPictures::With
        } else {
            DemonstrationPictures::Without
        },
    };
    let pairs = match arguments.preferences {
        Some(_) => DemonstrationPairs::With,
        None => DemonstrationPairs::Without,
    };
    anyhow::ensure!(
        arguments.preferences.as_ref() != Some(&arguments.out),
        "--out and --preferences are the same file: {}",
        arguments.out.display()
    );
    // After the arguments are looked through: reading thousands of runs takes a while.
    let runs = filtered_runs(&arguments.runs, &arguments.tasks, &arguments.filter)?;
    let context = DemonstrationContext {
        open_environment: &environments().opener(),
        cancel: &CancelToken::new(),
        progress: &|_, _, _| {},
    };
    let set = DemonstrationSet::of(&runs, options, pairs, &context)?;
    set.left_out.iter().for_each(|why| note(&format!("left out: {why}")));
    anyhow::ensure!(!set.lines.is_empty(), "none of the {} runs is a demonstration", runs.len());
    write_lines(&arguments.out, &set.lines, &set.lines_made_by(&command_words()))?;
    let (lines, written) = (set.lines.len(), set.runs);
    print(&format!("{lines} lines of {written} runs in {}\n", arguments.out.display()))?;
    let Some(out) = &arguments.preferences else { return Ok(()) };
    set.unpaired.iter().for_each(|why| note(&format!("no pair of {why}")));
    write_lines(out, &set.pairs, &set.pairs_made_by(&command_words()))?;
    Ok(print(&format!("{} pairs in {}\n", set.pairs.len(), out.display()))?)
}

/// Writes lines; beside them, where they come from, as a reader of lines would take it for one of them.
fn write_lines(path: &Path, lines: &[String], made_by: &MadeBy) -> anyhow::Result<()> {
    write_atomic(path, DemonstrationSet::text(lines).as_bytes())?;
    write_atomic(&beside(path), provenance_json(&made_by.entries()).as_bytes())
}
