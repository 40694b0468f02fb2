//! Making a run with other calls.

use std::path::PathBuf;

use serde_json::Value;

use crate::evaluate::what_if::{Grouping, ShapleyPlan};
use crate::run::{PlannedCall, TaskRef};
use crate::task::Reference;
use crate::workbench::model::{Inputs, NodeDrag, ReferenceKind, WhatIfSubject};

/// Changing the calls of the selected run, or of a run by hand at the selected task. Calls are named by their
/// places in the list.
#[derive(Clone, Debug, PartialEq)]
pub enum WhatIfCommand {
    /// Select a call; `None`: none.
    Select(Option<usize>),
    /// Select the call this many further; without a selection, the first or last.
    SelectBy(i32),
    /// Leave a call of the run out, or make it again; take one that was put in away.
    ToggleDropped(usize),
    /// The same of the selected call.
    ToggleSelected,
    /// Put a call to another place.
    Move {
        /// Which.
        from: usize,
        /// Where it then stands.
        to: usize,
    },
    /// Put the selected call this many places further.
    MoveBy(i32),
    /// Make a call with other arguments.
    Replace {
        /// Which.
        at: usize,
        /// With what.
        arguments: Value,
    },
    /// Put a call in.
    Insert {
        /// Where it then stands.
        at: usize,
        /// Which tool.
        name: String,
        /// With what.
        arguments: Value,
    },
    /// Take the last change back.
    Undo,
    /// Do again what was taken back last.
    Redo,
    /// Have the calls as they were made, or none by hand; undo brings the changes back.
    Discard,
    /// Select a task without a run, and begin a run by hand at it.
    ByHand(TaskRef),
    /// Record it as a run, beside the run it was made of.
    Save,
    /// Leave out each call, or each of these groups, and say what it brought; `None`: stop that.
    LeaveOut(Option<Grouping>),
    /// Draw Shapley values of the groups that are left out, too; `None`: stop that.
    Shapley(Option<ShapleyPlan>),
    /// Leave each tool out of all runs of the task set that are listed, and say what it brought; `false`: stop that, or
    /// put it away.
    Ablate(bool),
    /// Ask whether the calls that did not fail are to become the task's reference, as this; `None`: do not ask any
    /// more.
    AskReference(Option<ReferenceKind>),
    /// Write what is asked about into the task set's file.
    MakeReference,
    /// List the calls in the order of what they brought, or of the run.
    Rank(bool),
    /// Have the assistant say what could be next, or not.
    ShowNextStep(bool),
    /// Put the calls in, behind the last, that do what the assistant says.
    AcceptStep,
    /// Have the assistant say something else that could be next.
    AnotherStep,
    /// Outline what the assistant says on the picture, or not.
    ShowGhost(bool),
    /// Put the calls in, behind the last, that do what a hand did on the picture.
    Drag(NodeDrag),
}

/// A reference that is written into the file of a task set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceOrder {
    /// The folder of the set.
    pub set_dir: PathBuf,
    /// The task.
    pub task: TaskRef,
    /// What is written.
    pub reference: Reference,
}

/// A branch that is recorded.
#[derive(Clone, Debug)]
pub struct SaveBranchOrder {
    /// What it is made of.
    pub subject: WhatIfSubject,
    /// The run or the task.
    pub inputs: Inputs,
    /// Its calls.
    pub calls: Vec<PlannedCall>,
    /// Whether a person went on with the run.
    pub is_by_hand: bool,
    /// The task set's id, of a run by hand.
    pub set: String,
    /// Where its task set lies, if that is known.
    pub set_dir: Option<PathBuf>,
    /// The folder that runs are recorded in.
    pub out_dir: PathBuf,
}
