//! `pentimento what-if`: a run with other calls, and what its calls brought.
//!
//! - [`edits`]: what `--drop`, `--edit`, `--insert` and `--move` say;
//! - [`subject`]: a run made once more, with what it is scored by;
//! - [`branch`]: the run with edits; [`attribution`]: its calls left out one by one; [`ablation`]: tools left out
//!   of many runs; [`by_hand`]: a run of calls from a file, and a task's reference.

mod ablation;
mod arguments;
mod attribution;
mod branch;
mod by_hand;
mod edits;
mod subject;

pub(super) use arguments::WhatIfArguments;

/// Does the command.
pub(super) fn what_if(arguments: &WhatIfArguments) -> anyhow::Result<()> {
    let has_table =
        arguments.ablate_tools || arguments.leave_one_out || arguments.shapley.is_some();
    anyhow::ensure!(
        arguments.table.is_none() || has_table,
        "--table is of --leave-one-out, --shapley or --ablate-tools"
    );
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
