//! What `pentimento what-if` is told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::table_file::{TABLE_FILE, TablePath};
use crate::evaluate::what_if::Grouping;

use super::edits::EditArguments;

/// Make a run with other calls, and say what its calls brought
///
/// The calls of RUN are made again with edits, drawn and scored at once, without a model. Steps are those of the
/// run, whatever else is edited; nodes are named by the ids they have in the run, and +1 is the node of the first
/// call that is put in. With --out the result is a run of its own, which names RUN as its parent.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct WhatIfArguments {
    /// The run's folder; with --ablate-tools run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required_unless_present = "task", conflicts_with = "task")]
    pub(super) runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "task")]
    pub(super) tasks: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) edits: EditArguments,
    /// Record the result in DIR/<set>/<task>/<agent>-<n>.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Record it as what a person did who went on with the run by hand: each call that is put in is a turn of
    /// theirs.
    #[arg(long, requires = "out", conflicts_with = "task")]
    pub(super) by_hand: bool,
    /// Score after every call, not at the end alone.
    #[arg(long, conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools", "task"])]
    pub(super) steps: bool,
    /// Leave out each call by itself, and say what it brought.
    #[arg(long, conflicts_with_all = EDITS)]
    pub(super) leave_one_out: bool,
    /// What is left out together.
    #[arg(long, value_name = "call|turn|node|tool", default_value = "call")]
    pub(super) by: By,
    /// Shapley values from so many orders of the calls, with intervals from 20 orders on; exact of up to 8 calls.
    #[arg(long, value_name = "ORDERS", conflicts_with_all = EDITS)]
    pub(super) shapley: Option<std::num::NonZeroU32>,
    /// The same seed draws the same orders and resamples.
    #[arg(long, value_name = "N", default_value = "0")]
    pub(super) seed: u64,
    /// Over all runs, leave out all calls of each tool: which tool helps whom, and which harms.
    #[arg(long, conflicts_with_all = EDITS, conflicts_with_all = ["leave_one_out", "shapley"])]
    pub(super) ablate_tools: bool,
    /// Make a run by hand at this task: a task set, and after a # the task's id.
    #[arg(long, value_name = "SET#ID", requires = "calls", conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools"])]
    pub(super) task: Option<String>,
    /// The calls of --task: JSON as the agent scripted takes it, or a run.
    #[arg(long, value_name = "FILE", requires = "task")]
    pub(super) calls: Option<PathBuf>,
    /// Where the pictures of --task are looked for, if it is a design query.
    #[arg(long, value_name = "DIR", requires = "task")]
    pub(super) pictures: Option<PathBuf>,
    /// Make the calls that did not fail the task's reference, in its taskset.json: by the tools they called, or, of a
    /// task of the design suite, step by step as its plan. The file as it was is kept beside it.
    #[arg(
        long,
        value_name = "AS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "tools",
        conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools"]
    )]
    pub(super) make_reference: Option<ReferenceForm>,
    /// Score by this variant, such as ssim/uniform7; may be given several times. Without it, by the one that
    /// stands for the run in lists.
    #[arg(long, value_name = "ID")]
    pub(super) only: Vec<String>,
    /// Which models learned metrics go by.
    #[arg(long, value_name = "FILE.json")]
    pub(super) models: Option<PathBuf>,
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(super) json: bool,
    /// Write the table of --leave-one-out, --shapley or --ablate-tools to this file, too; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    pub(super) table: Option<TablePath>,
}

/// As what calls become the reference of their task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReferenceForm {
    /// By the tools they called.
    Tools,
    /// Step by step.
    Plan,
}

/// What is left out together, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum By {
    Call,
    Turn,
    Node,
    Tool,
}

impl From<By> for Grouping {
    fn from(by: By) -> Self {
        match by {
            By::Call => Self::Call,
            By::Turn => Self::Turn,
            By::Node => Self::Node,
            By::Tool => Self::Tool,
        }
    }
}

/// What edits a run, and is nothing to what looks at it as it is.
const EDITS: [&str; 6] = ["drop", "edit", "insert", "moves", "from", "out"];

const EXAMPLES: &str = "\
Examples:
  Without the calls 3 and 7 to 9; then kept as a run:
    pentimento what-if runs/s/login/a-01 --drop 3,7-9
    pentimento what-if runs/s/login/a-01 --drop 3,7-9 --out runs
  Gone on with by hand from step 12, to be exported as a demonstration:
    pentimento what-if runs/s/login/a-01 --from 12 --insert '12=…' --out runs --by-hand
  Another size, and a rectangle in colour behind step 12:
    pentimento what-if runs/s/login/a-01 --edit '4={\"width\": 320}' \\
      --insert '12=create_rectangle:{\"x\": 0, \"y\": 0, \"width\": 40, \"height\": 8}' \\
      --insert '12=set_corner_radius:{\"nodeId\": \"+1\", \"radius\": 4}'
  What each call brought; what each node brought, in all orders:
    pentimento what-if runs/s/login/a-01 --leave-one-out
    pentimento what-if runs/s/login/a-01 --leave-one-out --table calls.tex
    pentimento what-if runs/s/login/a-01 --shapley 200 --by node --seed 1 --json
  Which tools help, over all runs:
    pentimento what-if runs --ablate-tools
  A run by hand, whose tools become the task's reference tools:
    pentimento what-if --task my-tasks#login --calls calls.json --out runs --make-reference
  A run of the design suite, whose calls become the task's reference plan:
    pentimento what-if runs/s/poster-1/a-01 --drop 7 --make-reference=plan

JSON of a run with edits: {\"run\", \"edits\", \"variants\", \"with\", \"without_edits\": scores, \"calls\": [{\"step\" or
\"inserted\", \"name\", \"arguments\", \"failed\", \"text\", \"scores\" with --steps}], \"newly_failed\": [step], \"dir\"}.
Of --leave-one-out: {\"run\", \"by\", \"variants\", \"full\": scores, \"groups\": [{\"label\", \"steps\", \"brought\": [by
variant], \"without\": scores, \"broke\": [step]}]}. Of --shapley: {\"method\", \"orders\", \"seed\",
\"why_no_intervals\": why every \"low\" and \"high\" is null, if so, \"ends\": [by
variant: {\"empty\", \"full\"}, with \"reason\", \"message\" and \"left_out\": [step] where an end has no score],
\"groups\": [{\"label\", \"steps\", \"values\": [{\"value\", \"low\", \"high\"}]}]}. Of --ablate-tools: {\"tools\": [{\"tool\", \"agent\",
\"variant\", \"runs\", \"tasks\", \"calls\", \"brought\", \"low\", \"high\", \"broke\", \"unscored\"}], \"problems\": […]}.

brought: how much better the end is with these calls than without them; below 0, they did harm.";
