//! A run in memory.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::environment::{EnvironmentKind, ToolCall, ToolCategory, ToolFailure};

use crate::metric::plan::PlanRow;
use crate::metric::plan::errors::{self, PlanError};

use super::event::{ImageRef, Usage};
use super::manifest::Manifest;
use super::shared_vec::SharedVec;

/// One agent's attempt at one task. A copy shares its turns and steps, so the state of a run after every
/// turn can be handed on.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// `run.json`, or what an import made of its source.
    pub manifest: Manifest,
    /// Where it lies and what can be had of it.
    pub origin: RunOrigin,
    /// Whole turns, in order.
    pub turns: SharedVec<Turn>,
    /// All steps of all turns, in order; step `n` is at index `n - 1`.
    pub steps: SharedVec<Step>,
    /// Notes and errors of the run itself.
    pub notes: Vec<String>,
    /// What was lost, if the file was torn.
    pub torn: Option<Torn>,
    /// The plan with its stages, if it was planned before it was carried out.
    pub plan: Option<Arc<RunPlan>>,
}

impl Run {
    /// The steps of a turn.
    pub fn steps_of(&self, turn: &Turn) -> impl DoubleEndedIterator<Item = &Step> {
        // Numbers of a file are not trusted: a sum beyond all numbers is beyond all steps as well.
        let end = turn.first_step.saturating_add(turn.step_count);
        self.steps.range(turn.first_step..end)
    }

    /// Whether no call went well, or there was none: the papers' failed run; `None` if its calls are not known.
    pub fn is_idle(&self) -> Option<bool> {
        // Pictures alone do not say whether calls failed; only that there is none says there was no call.
        if matches!(self.origin, RunOrigin::Pictures { .. }) {
            return self.steps.is_empty().then_some(true);
        }
        Some(!self.steps.iter().any(Step::went_well))
    }

    /// Whether the canvas at a step is known by the pictures that were recorded, and not by replay:
    /// there are no calls, they draw differently from machine to machine ([`page`](crate::environment::page)),
    /// or another program made them.
    pub fn is_shown_by_pictures(&self) -> bool {
        matches!(self.origin, RunOrigin::Pictures { .. })
            || self.manifest.environment == EnvironmentKind::Page
            || self.manifest.imported.is_some()
    }
}

/// A plan that a run carried out, and what is wrong with it. Item n of its final workflow is step n
/// of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPlan {
    /// The stages.
    pub row: PlanRow,
    /// In the order of the steps.
    pub errors: Vec<PlanError>,
}

impl RunPlan {
    /// The plan, looked through.
    pub fn new(row: PlanRow) -> Self {
        Self { errors: errors::of_row(&row), row }
    }

    /// What is wrong with a step, from 1.
    pub fn error_at(&self, step: u32) -> Option<&PlanError> {
        self.errors.iter().find(|error| error.step == Some(step as usize))
    }
}

/// Where a run lies and how its canvas at a step is had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOrigin {
    /// A run folder of ours: the canvas is replayed from the calls.
    Recorded {
        /// The folder.
        dir: PathBuf,
    },
    /// A folder of pictures: the canvas after step `n` is picture `n - 1`. There are no calls.
    Pictures {
        /// The folder.
        dir: PathBuf,
        /// The files, in order.
        files: Vec<PathBuf>,
    },
}

/// One model answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// From 1.
    pub number: u32,
    /// What the agent said it was thinking; empty if nothing.
    pub thought: String,
    /// Indices into [`Run::steps`]: `first_step..first_step + step_count`.
    pub first_step: usize,
    /// How many calls.
    pub step_count: usize,
    /// What it cost, if known.
    pub usage: Option<Usage>,
    /// How long it took, if known.
    pub seconds: Option<f64>,
    /// The recorded picture after the turn, if any.
    pub observation: Option<ImageRef>,
}

/// One tool call and its outcome; or, in a picture-only run, one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// From 1.
    pub number: u32,
    /// In which turn, from 1.
    pub turn: u32,
    /// What was asked; `None` in a picture-only run.
    pub call: Option<ToolCall>,
    /// The kind of work.
    pub category: ToolCategory,
    /// What came of it; `None` if the run died in the middle.
    pub outcome: Option<StepOutcome>,
}

impl Step {
    /// Whether it is known to have succeeded.
    pub fn went_well(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_none())
    }
}

/// What came of a call, as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOutcome {
    /// What the agent was told.
    pub text: String,
    /// The same for programs.
    pub structured: Option<Value>,
    /// A picture the agent was shown.
    pub image: Option<ImageRef>,
    /// Why it failed, if it did.
    pub failure: Option<ToolFailure>,
    /// How long the tool took.
    pub latency_ms: f64,
}

/// What was lost of a torn file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Bytes at the end that are not whole turns.
    pub lost_bytes: u64,
    /// The first line that could not be read, from 1.
    pub line: usize,
    /// What people read: how much is there and what is missing.
    pub message: String,
}
