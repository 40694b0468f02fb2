//! What a branch begins from: a run made once more, or the start of a task.

use std::sync::Arc;
use std::time::Instant;

use crate::base::{CancelToken, Cancelled};
use crate::design::Document;
use crate::environment::{
    Environment, OpenEnvironment, Snapshot, StartError, StartState, ToolCall, ToolCategory,
};
use crate::evaluate::canvas::CanvasError;
use crate::run::id_arguments::schema_has_ids;
use crate::run::replay::{ReplayError, start_state};
use crate::run::{CallEdit, CallSource, EditError, PlannedCall, Run, RunOrigin, planned_calls};

use super::names::{MadeNode, Names, made_nodes};
use super::step::{BranchStep, OutcomeText};

/// Why there is no branch.
#[derive(Debug, thiserror::Error)]
pub enum WhatIfError {
    /// The run is known by its pictures only.
    #[error("this run has no calls to edit: only its pictures are known")]
    NoCalls,
    /// The run cannot be made once more.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// No environment can be made of the start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The edits cannot be applied.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// What attempts at the task are compared with cannot be had.
    #[error(transparent)]
    Truth(#[from] CanvasError),
    /// There is nothing to compare with.
    #[error("{0}")]
    NoTruth(String),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A call of the run that branches are made of.
#[derive(Clone, Debug)]
pub struct BaseCall {
    /// What was asked.
    pub call: Arc<ToolCall>,
    /// In which turn, from 1.
    pub turn: u32,
    /// The kind of work.
    pub category: ToolCategory,
    /// What came of it when it was made once more.
    pub told: Arc<OutcomeText>,
    /// The nodes it made.
    pub(super) made: Arc<[MadeNode]>,
}

/// A run, or the start of a task, with the environment's state after every call.
#[derive(Debug)]
pub struct Base {
    start: StartState,
    calls: Vec<BaseCall>,
    /// The line of the run itself, the trail that every branch begins with.
    line: Vec<Arc<BranchStep>>,
    begin: Arc<Beginning>,
}

/// The state before the first call.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) snapshot: Snapshot,
    /// Empty where the tools name no nodes.
    pub(super) design: Document,
    /// Whether any tool takes the id of a node: only then are nodes looked at.
    pub(super) has_ids: bool,
    /// Whether calls wait for a program outside.
    pub(super) waits: bool,
}

impl Base {
    /// Makes a recorded run once more.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::NoCalls`] of a run that is known by its pictures; why it cannot be replayed;
    /// [`WhatIfError::Cancelled`].
    pub fn of_run(
        run: &Run,
        open_environment: &OpenEnvironment,
        cancel: &CancelToken,
    ) -> Result<Self, WhatIfError> {
        if matches!(run.origin, RunOrigin::Pictures { .. }) {
            return Err(WhatIfError::NoCalls);
        }
        let mut base = Self::by_hand(start_state(run)?, open_environment)?;
        let mut environment = base.open(open_environment)?;
        let mut names = Names::default();
        let mut design = base.begin.design.clone();
        for step in run.steps.iter() {
            cancel.check()?;
            // A step without a call is a picture, of which a recorded run has none.
            let Some(call) = step.call.clone().map(Arc::new) else { continue };
            let source =
                CallSource::Recorded(u32::try_from(base.calls.len()).unwrap_or(u32::MAX) + 1);
            let planned = PlannedCall { source, call: Arc::clone(&call), is_edited: false };
            let began = Instant::now();
            let outcome = environment.call(&call, cancel);
            let latency_ms = began.elapsed().as_secs_f64() * 1e3;
            let after = base.begin.design_of(&*environment);
            let made: Arc<[MadeNode]> = made_nodes(&design, &after).into();
            names.learn(&planned, &made, &made, &outcome);
            let told = Arc::new(OutcomeText::new(&outcome));
            base.line.push(Arc::new(BranchStep {
                call: Arc::clone(&call),
                planned,
                told: Arc::clone(&told),
                latency_ms,
                names: names.clone(),
                design: after.clone(),
                snapshot: environment.snapshot(),
            }));
            let (turn, category) = (step.turn, step.category);
            base.calls.push(BaseCall { call, turn, category, told, made });
            design = after;
        }
        // A call that was stopped in the middle left no state of the run.
        cancel.check()?;
        Ok(base)
    }

    /// The start of a task, without calls: everything is put in by hand.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::Start`].
    pub fn by_hand(
        start: StartState,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, WhatIfError> {
        let environment = open_environment(&start)?;
        let has_ids = environment.tools().iter().any(|tool| schema_has_ids(&tool.schema));
        let begin = Beginning {
            snapshot: environment.snapshot(),
            design: if has_ids {
                environment.design().unwrap_or_default()
            } else {
                Document::default()
            },
            has_ids,
            waits: environment.calls_wait(),
        };
        Ok(Self { start, calls: Vec::new(), line: Vec::new(), begin: Arc::new(begin) })
    }

    /// The run's calls.
    pub fn calls(&self) -> &[BaseCall] {
        &self.calls
    }

    /// What it begins with.
    pub fn start(&self) -> &StartState {
        &self.start
    }

    /// The number of its last step.
    pub fn last(&self) -> u32 {
        u32::try_from(self.calls.len()).unwrap_or(u32::MAX)
    }

    /// Whether its calls wait for a program outside, so that they may not be made on a thread that others share.
    pub fn calls_wait(&self) -> bool {
        self.begin.waits
    }

    /// The calls that come of edits.
    ///
    /// # Errors
    ///
    /// [`EditError`].
    pub fn planned(&self, edits: &[CallEdit]) -> Result<Vec<PlannedCall>, EditError> {
        let calls: Vec<Arc<ToolCall>> = self.calls.iter().map(|it| Arc::clone(&it.call)).collect();
        planned_calls(&calls, edits)
    }

    /// The run's own calls as a plan.
    pub fn unedited(&self) -> Vec<PlannedCall> {
        self.line.iter().map(|step| step.planned.clone()).collect()
    }

    /// An environment of this kind, at the start.
    pub(super) fn open(
        &self,
        open_environment: &OpenEnvironment,
    ) -> Result<Box<dyn Environment>, WhatIfError> {
        if !self.start.has_calls() {
            return Ok(open_environment(&self.start)?);
        }
        // The calls that it begins with were made once, and are not made again for every branch.
        let (own, _) = self.start.without_calls()?;
        let mut environment = open_environment(&own)?;
        environment.restore(&self.begin.snapshot);
        Ok(environment)
    }

    pub(super) fn line(&self) -> &[Arc<BranchStep>] {
        &self.line
    }

    pub(super) fn beginning(&self) -> &Arc<Beginning> {
        &self.begin
    }

    /// The call of a step, from 1.
    pub fn call(&self, step: u32) -> Option<&BaseCall> {
        self.calls.get((step as usize).checked_sub(1)?)
    }
}

impl Beginning {
    /// The design, where nodes have to be found again.
    pub(super) fn design_of(&self, environment: &dyn Environment) -> Document {
        if self.has_ids { environment.design().unwrap_or_default() } else { Document::default() }
    }
}
