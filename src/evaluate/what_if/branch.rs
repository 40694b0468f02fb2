//! Other calls on the start of a run.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use crate::base::CancelToken;
use crate::design::{Document, NodeId};
use crate::environment::{
    Environment, OpenEnvironment, Snapshot, ToolCall, ToolCategory, ToolOutcome,
};
use crate::run::id_arguments::{ids_in, with_ids};
use crate::run::{CallSource, PlannedCall, inserted_name};

use super::base::{Base, WhatIfError};
use super::names::made_nodes;
use super::step::{BranchStep, OutcomeText};

/// Whether calls are made that only draw what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// All calls are made.
    Made,
    /// Of calls that draw and change nothing it is only seen whether what they name is there.
    Skipped,
}

/// An environment that makes lists of calls, each from the last state that it has in common with the one before.
#[derive(Debug)]
pub struct Branch<'a> {
    base: &'a Base,
    environment: Box<dyn Environment>,
    looks: Looks,
    steps: Vec<Arc<BranchStep>>,
    /// How many steps the environment is after; `None`: it has to be put somewhere first.
    at: Option<usize>,
}

impl<'a> Branch<'a> {
    /// A branch that is the run itself.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::Start`].
    pub fn new(
        base: &'a Base,
        looks: Looks,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, WhatIfError> {
        let environment = base.open(open_environment)?;
        Ok(Self { base, environment, looks, steps: base.line().to_vec(), at: None })
    }

    /// A branch without calls, whose first call is made on the start and not taken from the run.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::Start`].
    pub fn from_start(
        base: &'a Base,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, WhatIfError> {
        let environment = base.open(open_environment)?;
        Ok(Self { base, environment, looks: Looks::Made, steps: Vec::new(), at: None })
    }

    /// Makes these calls instead of the ones before, beginning with the first that differs, and tells `each` of
    /// every outcome that is new, with its pictures.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::Cancelled`]; the steps before the one it was stopped at stay.
    pub fn run(
        &mut self,
        calls: &[PlannedCall],
        cancel: &CancelToken,
        mut each: impl FnMut(&BranchStep, &ToolOutcome),
    ) -> Result<(), WhatIfError> {
        let common =
            self.steps.iter().zip(calls).take_while(|(made, call)| is_same(&made.planned, call));
        let common = common.count();
        self.steps.truncate(common);
        for planned in calls.get(common..).unwrap_or_default() {
            cancel.check()?;
            self.stand_at_end();
            self.advance(planned, cancel, &mut each);
            // What was stopped in the middle is no state of these calls.
            if cancel.is_cancelled() {
                self.steps.pop();
                self.at = None;
                cancel.check()?;
            }
        }
        self.stand_at_end();
        Ok(())
    }

    /// Makes calls behind the last, which were worked out on the design at the end, and gives them as somebody would
    /// write them who puts them in there; the first gets this number, which no call has that was put in before.
    /// `None` where one fails, or a node of it cannot be named; the branch then ends with the last that was made.
    ///
    /// # Errors
    ///
    /// [`WhatIfError::Cancelled`].
    pub fn put_in(
        &mut self,
        calls: &[ToolCall],
        first: u32,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<PlannedCall>>, WhatIfError> {
        let mut planned: Vec<PlannedCall> =
            self.steps.iter().map(|step| step.planned.clone()).collect();
        let before = planned.len();
        for (number, call) in (first..).zip(calls) {
            let Some(arguments) = self.written(&call.arguments) else { return Ok(None) };
            let id = format!("inserted-{number}");
            let call = Arc::new(ToolCall { id, name: call.name.clone(), arguments });
            let source = CallSource::Inserted(number);
            planned.push(PlannedCall { source, call, is_edited: true });
            self.run(&planned, cancel, |_, _| ())?;
            if self.steps.last().is_some_and(|step| step.told.failure.is_some()) {
                return Ok(None);
            }
        }
        Ok(Some(planned.split_off(before)))
    }

    /// Arguments that name nodes as they are here, with the ids that somebody would write.
    fn written(&self, arguments: &Value) -> Option<Value> {
        let named = ids_in(arguments).iter().all(|id| self.written_id(id).is_some());
        let renamed =
            with_ids(arguments, &|id| self.written_id(id).filter(|written| written != id));
        named.then(|| renamed.unwrap_or_else(|| arguments.clone()))
    }

    /// The id by which arguments that a person writes name a node that is here; `None` if they cannot.
    fn written_id(&self, id: &str) -> Option<String> {
        let node = NodeId::new(id);
        let names = self.steps.last().map(|step| &step.names);
        if let Some(in_run) = names.and_then(|names| names.in_run(&node)) {
            return Some(in_run.to_string());
        }
        if self.base.beginning().design.get(&node).is_none() {
            let maker = self.steps.iter().find(|step| step.design.get(&node).is_some());
            if let Some(CallSource::Inserted(number)) = maker.map(|step| step.planned.source)
                && names.is_some_and(|names| names.is_inserted(number, id))
            {
                return Some(inserted_name(number));
            }
        }
        let means_another = names.is_some_and(|names| names.is_of_run(&node));
        (!means_another).then(|| id.to_owned())
    }

    /// The calls, made.
    pub fn steps(&self) -> &[Arc<BranchStep>] {
        &self.steps
    }

    /// The design after each of the calls; an empty one where no tool names a node.
    pub fn designs(&self) -> impl Iterator<Item = &Document> {
        self.steps.iter().map(|step| &step.design)
    }

    /// The environment after the last call.
    pub fn environment(&self) -> &dyn Environment {
        &*self.environment
    }

    /// The environment after so many of the calls.
    pub fn environment_at(&mut self, steps: usize) -> &dyn Environment {
        let snapshot = self.snapshot_at(steps);
        self.environment.restore(&snapshot);
        self.at = Some(steps.min(self.steps.len()));
        &*self.environment
    }

    fn snapshot_at(&self, steps: usize) -> Snapshot {
        let last = steps.min(self.steps.len()).checked_sub(1).and_then(|at| self.steps.get(at));
        let start = &self.base.beginning().snapshot;
        last.map_or(start, |step| &step.snapshot).clone()
    }

    fn stand_at_end(&mut self) {
        if self.at != Some(self.steps.len()) {
            let snapshot = self.snapshot_at(self.steps.len());
            self.environment.restore(&snapshot);
            self.at = Some(self.steps.len());
        }
    }

    fn advance(
        &mut self,
        planned: &PlannedCall,
        cancel: &CancelToken,
        each: &mut impl FnMut(&BranchStep, &ToolOutcome),
    ) {
        let begin = Arc::clone(self.base.beginning());
        let last = self.steps.last();
        let before = last.map_or(&begin.design, |step| &step.design).clone();
        let mut names = last.map(|step| step.names.clone()).unwrap_or_default();
        // Nodes have other ids here than in the run where calls before were left out or put in.
        let call = names.translated(planned, &begin.design, &before);
        let recorded = match planned.source {
            CallSource::Recorded(step) => self.base.call(step),
            CallSource::Inserted(_) => None,
        };
        // A call that only looks changes nothing, so its snapshot is the one before. That it could have failed here, for
        // want of the node it looks at, is all that has to be seen.
        if let Some(base) = recorded
            && self.looks == Looks::Skipped
            && !planned.is_edited
            && base.category == ToolCategory::Inspection
            && base.told.has_picture
            && ids_in(&call.arguments).iter().all(|id| before.get(&(*id).into()).is_some())
        {
            let snapshot = self.snapshot_at(self.steps.len());
            let (told, planned) = (Arc::clone(&base.told), planned.clone());
            self.steps.push(Arc::new(BranchStep {
                planned,
                call,
                told,
                latency_ms: 0.0,
                names,
                design: before,
                snapshot,
            }));
            self.at = Some(self.steps.len());
            return;
        }
        let began = Instant::now();
        let outcome = self.environment.call(&call, cancel);
        let latency_ms = began.elapsed().as_secs_f64() * 1e3;
        let design = begin.design_of(&*self.environment);
        // Told by the documents, as not every environment says what a call made.
        let made = made_nodes(&before, &design);
        names.learn(planned, recorded.map_or(&[], |base| &base.made), &made, &outcome);
        let step = BranchStep {
            planned: planned.clone(),
            call,
            told: Arc::new(OutcomeText::new(&outcome)),
            latency_ms,
            names,
            design,
            snapshot: self.environment.snapshot(),
        };
        each(&step, &outcome);
        self.steps.push(Arc::new(step));
        self.at = Some(self.steps.len());
    }

    /// The steps of the run that fail here and did not fail there.
    pub fn newly_failed(&self) -> Vec<u32> {
        let failed = self.steps.iter().filter(|step| step.told.failure.is_some());
        let steps = failed.filter_map(|step| match step.planned.source {
            CallSource::Recorded(number) => {
                let was_good = self.base.call(number)?.told.failure.is_none();
                was_good.then_some(number)
            }
            CallSource::Inserted(_) => None,
        });
        steps.collect()
    }
}

/// Whether making one is making the other. By where they are from and by the very same arguments: recorded calls
/// share theirs, so that this is quick.
fn is_same(made: &PlannedCall, wanted: &PlannedCall) -> bool {
    made.source == wanted.source
        && made.is_edited == wanted.is_edited
        && (Arc::ptr_eq(&made.call, &wanted.call) || made.call == wanted.call)
}
