//! `pentimento what-if`: a run with other calls, and what its calls brought.
//!
//! - [`edits`]: what `--drop`, `--edit`, `--insert` and `--move` say;
//! - [`subject`]: a run made once more, with what it is scored by;
//! - [`branch`]: the run with edits; [`attribution`]: its calls left out one by one; [`ablation`]: tools left out
//!   of many runs; [`by_hand`]: a run of calls from a file, and a task's reference tools.

mod ablation;
mod attribution;
mod branch;
mod by_hand;
mod edits;
mod subject;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::evaluate::what_if::Grouping;

use edits::{Inserted, Moved, Replaced, Steps};

/// Make a run with other calls, and say what its calls brought
///
/// The calls of RUN are made again with edits, drawn and scored at once, without a model. Steps are those of the
/// run, whatever else is edited; nodes are named by the ids they have in the run, and +1 is the node of the first
/// call that is put in. With --out the result is a run of its own, which names RUN as its parent.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct WhatIfArguments {
    /// The run's folder; with --ablate-tools run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required_unless_present = "task", conflicts_with = "task")]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "task")]
    tasks: Vec<PathBuf>,
    /// Leave these calls out: steps and ranges of them, such as 3,7-9.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = edits::steps)]
    drop: Vec<Steps>,
    /// Make a call with other arguments: N={"width": 40}. Only what is named changes; null takes it out.
    #[arg(long, value_name = "N={…}", value_parser = edits::replaced)]
    edit: Vec<Replaced>,
    /// Put a call in behind step N, 0 is before all: N=TOOL:{…}.
    #[arg(long, value_name = "N=TOOL:{…}", value_parser = edits::inserted)]
    insert: Vec<Inserted>,
    /// Make call A right behind the place of step B, 0 is before all.
    #[arg(long = "move", value_name = "A:B", value_parser = edits::moved)]
    moves: Vec<Moved>,
    /// Go on from this step: all calls of the run behind it are left out.
    #[arg(long, value_name = "STEP")]
    from: Option<u32>,
    /// Record the result in DIR/<set>/<task>/<agent>-<n>.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Score after every call, not at the end alone.
    #[arg(long, conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools", "task"])]
    steps: bool,
    /// Leave out each call by itself, and say what it brought.
    #[arg(long, conflicts_with_all = EDITS)]
    leave_one_out: bool,
    /// What is left out together.
    #[arg(long, value_name = "call|turn|node|tool", default_value = "call")]
    by: By,
    /// Shapley values from so many orders of the calls; exact of up to 8.
    #[arg(long, value_name = "ORDERS", conflicts_with_all = EDITS)]
    shapley: Option<std::num::NonZeroU32>,
    /// The same seed draws the same orders and resamples.
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Over all runs, leave out all calls of each tool: which tool helps whom, and which harms.
    #[arg(long, conflicts_with_all = EDITS, conflicts_with_all = ["leave_one_out", "shapley"])]
    ablate_tools: bool,
    /// Make a run by hand at this task: a task set, and after a # the task's id.
    #[arg(long, value_name = "SET#ID", requires = "calls", conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools"])]
    task: Option<String>,
    /// The calls of --task: JSON as the agent scripted takes it, or a run.
    #[arg(long, value_name = "FILE", requires = "task")]
    calls: Option<PathBuf>,
    /// Where the pictures of --task are looked for, if it is a design query.
    #[arg(long, value_name = "DIR", requires = "task")]
    pictures: Option<PathBuf>,
    /// Make the tools of the calls that did not fail the task's reference tools, in its taskset.json; the file
    /// as it was is kept beside it.
    #[arg(long, conflicts_with_all = ["leave_one_out", "shapley", "ablate_tools"])]
    make_reference: bool,
    /// Score by this variant, such as ssim/uniform7; may be given several times. Without it, by the one that
    /// stands for the run in lists.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Which models learned metrics go by.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// What is left out together, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
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
  Another size, and a rectangle in colour behind step 12:
    pentimento what-if runs/s/login/a-01 --edit '4={\"width\": 320}' \\
      --insert '12=create_rectangle:{\"x\": 0, \"y\": 0, \"width\": 40, \"height\": 8}' \\
      --insert '12=set_corner_radius:{\"nodeId\": \"+1\", \"radius\": 4}'
  What each call brought; what each node brought, in all orders:
    pentimento what-if runs/s/login/a-01 --leave-one-out
    pentimento what-if runs/s/login/a-01 --shapley 200 --by node --seed 1 --json
  Which tools help, over all runs:
    pentimento what-if runs --ablate-tools
  A run by hand, whose tools become the task's reference tools:
    pentimento what-if --task my-tasks#login --calls calls.json --out runs --make-reference

JSON of a run with edits: {\"run\", \"edits\", \"variants\", \"with\", \"without_edits\": scores, \"calls\": [{\"step\" or
\"inserted\", \"name\", \"arguments\", \"failed\", \"text\", \"scores\" with --steps}], \"newly_failed\": [step], \"dir\"}.
Of --leave-one-out: {\"run\", \"by\", \"variants\", \"full\": scores, \"groups\": [{\"label\", \"steps\", \"brought\": [by
variant], \"without\": scores, \"broke\": [step]}]}. Of --shapley: {\"method\", \"orders\", \"seed\", \"groups\":
[{\"label\", \"steps\", \"values\": [{\"value\", \"low\", \"high\"}]}]}. Of --ablate-tools: {\"tools\": [{\"tool\", \"agent\",
\"variant\", \"runs\", \"tasks\", \"calls\", \"brought\", \"low\", \"high\", \"broke\", \"unscored\"}], \"problems\": […]}.

brought: how much better the end is with these calls than without them; below 0, they did harm.";

/// Does the command.
pub(super) fn what_if(arguments: &WhatIfArguments) -> anyhow::Result<()> {
    if arguments.ablate_tools {
        return ablation::ablate(arguments);
    }
    if let Some(task) = &arguments.task {
        return by_hand::make(task, arguments);
    }
    if arguments.leave_one_out || arguments.shapley.is_some() {
        return attribution::attribute(arguments);
    }
    branch::branch(arguments)
}
