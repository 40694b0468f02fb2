//! What `pentimento report` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Write runs as one HTML file that needs nothing else
///
/// For each run: the curve of each metric that is shown, the final canvas beside the ground truth
/// and the heat of where they differ, and every call with what came of it and what it changed in
/// the leading metric.
#[derive(Args, Debug)]
#[command(
    after_help = REPORT_EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(in crate::cli) struct ReportArguments {
    /// Something else than the HTML file.
    #[command(subcommand)]
    pub(in crate::cli) command: Option<ReportCommand>,
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE.html", required = true)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) tasks: Vec<PathBuf>,
    /// Which variants are shown, the first one leading; may be given several times.
    #[arg(long, value_name = "ID", default_value = "ssim/uniform7")]
    pub(in crate::cli) only: Vec<String>,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: Option<PathBuf>,
}

/// What can be reported beside the HTML file.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ReportCommand {
    Tables(TablesArguments),
    Behavior(BehaviorArguments),
}

/// Print what agents did in runs, and which call moved which metric how far
///
/// Turns, calls, failures, different tools, calls a turn, and the tools that were used against those
/// that people annotated; each metric turn by turn from the start on, with its change, its standard
/// deviation (n − 1), its best step and its last; and its changes summed by tool and by category.
#[derive(Args, Debug)]
#[command(after_help = BEHAVIOR_EXAMPLES)]
pub(in crate::cli) struct BehaviorArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) tasks: Vec<PathBuf>,
    /// Which variants are followed; may be given several times.
    #[arg(long, value_name = "ID", default_value = "ssim/uniform7")]
    pub(in crate::cli) only: Vec<String>,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: Option<PathBuf>,
    /// Compute every score anew, and keep none.
    #[arg(long)]
    pub(in crate::cli) no_cache: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Print the tables of the papers from whatever runs there are
///
/// CANVAS 1, 2, 3, 5, 15 to 19; PSBench 3, 4; GraphicBench 3, 9 to 13; GraphicWeaver 4, 9, 10; and
/// `slips`, where the papers contradict themselves or their data. A row is a model with one mode and one
/// set of the settings that change results. A cell without data is a dash with a footnote that says
/// what is missing; runs that did not come to their end are left out and counted below.
///
/// Beside runs, the tables are made of plans as GraphicBench publishes them, and of what people or
/// judges said of attempts (--labels).
#[derive(Args, Debug)]
#[command(after_help = TABLES_EXAMPLES)]
pub(in crate::cli) struct TablesArguments {
    /// Run folders, folders with runs in them, or folders of published plans: {model}/{type}.jsonl.
    #[arg(value_name = "RUN|PLANS", required_unless_present = "labels")]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// What was said of attempts, one a row, CSV or JSON Lines; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) labels: Vec<PathBuf>,
    /// Let the judge of --models judge the plans: three questions a plan, unless it was asked before.
    #[arg(long, requires = "models")]
    pub(in crate::cli) ask_judge: bool,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: Option<PathBuf>,
    /// Captions that were made before, in the shape of CANVAS's precomputed_blip_scores.json: cases by the
    /// ids of runs, or TASK-AGENT. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) captions: Option<PathBuf>,
    /// What the tables are written as.
    #[arg(long, value_name = "FORMAT", default_value = "md")]
    pub(in crate::cli) format: TableFormat,
    /// Only this table, such as canvas-1; may be given several times.
    #[arg(long, value_name = "TABLE")]
    pub(in crate::cli) only: Vec<String>,
    /// The file to write, instead of stdout.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) tasks: Vec<PathBuf>,
    /// Compute every score anew, and keep none.
    #[arg(long)]
    pub(in crate::cli) no_cache: bool,
}

/// What tables are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TableFormat {
    /// Markdown.
    Md,
    /// Comma-separated values, the table's id in the first column.
    Csv,
    /// LaTeX, for the package booktabs.
    Latex,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  pentimento report runs --out report.html
  pentimento report runs/samples/login/tracer-01 --tasks sample_runs --out login.html
  pentimento report runs --only ssim/uniform7 --only component_similarity/canvas --out both.html
  pentimento report tables runs --format md
  pentimento report behavior runs --json";

const BEHAVIOR_EXAMPLES: &str = "\
Examples:
  pentimento report behavior runs
  pentimento report behavior runs --only ssim/uniform7 --only component_similarity/canvas --json
  pentimento report behavior runs --json | jq '.runs[] | {task, by_tool: .metrics[0].by_tool}'

JSON: {\"runs\": [{\"dir\", \"set\", \"task\", \"agent\", \"turns\", \"turns_with_calls\", \"calls\",
\"failures\", \"tool_diversity\", \"call_efficiency\", \"call_success\", \"tool_precision\",
\"tool_recall\", \"tool_hit_rate\", \"unused_tools\", \"unexpected_tools\",
\"tools\": {NAME: {\"calls\", \"failures\"}}, \"categories\": {…},
\"metrics\": [{\"id\", \"better\", \"turns\": [the start first], \"initial\", \"final\", \"delta\", \"sd\",
\"best_step\": {\"step\", \"value\"}, \"last_step\", \"lost_since_best\", \"changes\": [by step],
\"by_tool\": {NAME: {\"steps\", \"up\", \"down\", \"total\"}}, \"by_category\", \"unattributed\"}]}],
\"mean\": {NUMBER: {\"value\", \"runs\"}}}. A number that is not there is {\"missing\": \"why\"}.";

const TABLES_EXAMPLES: &str = "\
Examples:
  pentimento report tables runs
  pentimento report tables runs --only canvas-1 --format latex --out table1.tex
  pentimento report tables runs --format csv | grep canvas-16
  pentimento report tables graphicbench/plans --only graphicbench-9
  pentimento report tables photo-runs --labels ndec.csv --only psbench-4

A file of labels has a row an attempt; all columns but model may be left out, and cells be empty:
  model, task, difficulty, design   words; design is the type: poster, postcard …
  mode                              how the model worked, as runs say it: direct_plan, agentic …
  layers                            is the task about layers: yes or no
  success, executed                 did it succeed, did a file come out of the plan: yes or no
  seconds                           how long it took
  smart_objects, masks, smart_filters, adjustment_layers, duplicate_layers, blank_layers
                                    the NDEC checklist, is proper use made of these: yes or no
  color, text, image                how well the plan does what was asked: 1 to 5
  fidelity                          0 to 1
  content_similarity, vqa           CLIPScore, questions answered with yes in per cent: 0 to 100
  originality, elaboration          1 to 5
JSON Lines (FILE.jsonl) have the same names as keys. Several rows of one attempt each count.";
