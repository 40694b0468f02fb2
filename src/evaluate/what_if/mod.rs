//! What if a run had made other calls: its calls with edits are made again, drawn and scored, without a model.
//!
//! - [`Base`]: a run, or the start of a task, made once, with a snapshot after every call;
//! - [`Branch`]: other calls on the same start, from the last snapshot that both have in common;
//! - [`EndScores`]: what a branch's end is worth by some variants;
//! - [`leave_one_out`] and [`shapley`]: what each call, turn or node of a run brought; [`ablate_tools`]: what
//!   leaving out all calls of a tool does to many runs; [`left_out_table`], [`shapley_table`] and [`effects_table`] are
//!   the same as tables;
//! - [`save_branch`]: a branch as a run of its own, which names the one it was made of.
//!
//! Everything goes through the [`Environment`](crate::environment::Environment) trait, so that it holds for every
//! environment. Start reading at [`Base`]; how nodes are found again whose ids shift is in `names`.

mod ablation;
mod attribution;
mod base;
mod branch;
mod groups;
mod names;
mod save;
mod scores;
mod step;
mod tables;

pub use ablation::{ABLATION_RESAMPLES, AblatedRun, ToolEffect, ablate_tools, effects_table};
pub use attribution::{
    GroupEffect, LeftOut, ProgressCallback, ShapleyEffects, ShapleyPlan, UnscoredEnd,
    leave_one_out, shapley,
};
pub use base::{Base, BaseCall, WhatIfError};
pub use branch::{Branch, Looks};
pub use groups::{CallGroup, Grouping, groups_of, steps_words};
pub use save::{
    SaveBranch, SaveBranchError, branch_manifest, child_manifest, save_branch, taken_over_manifest,
    thoughts_of, turns_by_hand, turns_of,
};
pub use scores::EndScores;
pub use step::{BranchStep, OutcomeText};
pub use tables::{left_out_table, shapley_method_words, shapley_table};
