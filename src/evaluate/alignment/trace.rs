//! What is kept of a run to align it with others.

use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::design::Document;
use crate::environment::{Environment, ToolCategory};
use crate::evaluate::canvas::{CanvasError, RunCanvas};
use crate::run::Step;

use super::fingerprint::{Documents, Fingerprint};

/// What two states of the canvas are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateTrace {
    /// What it looks like at one pixel a unit; `None` where it cannot be drawn or nothing was recorded.
    pub picture: Option<Fingerprint>,
    /// Its documents; `None` where there are none.
    pub document: Option<Fingerprint>,
}

/// What is kept of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTrace {
    /// Which tool was called; `None` of a picture of which no call is known.
    pub tool: Option<Arc<str>>,
    /// The kind of work.
    pub category: ToolCategory,
    /// In which turn, from 1.
    pub turn: u32,
    /// What was asked for, nodes named by what they are.
    pub call: Option<Fingerprint>,
    /// What it changed in the document; `None` where that is nothing, or not known.
    pub effect: Option<Fingerprint>,
    /// The canvas after it.
    pub state: StateTrace,
    /// Whether the picture is another than before it.
    pub is_seen: bool,
    /// Whether the call failed, or was not answered.
    pub failed: bool,
}

/// A run as others are aligned with it.
#[derive(Clone, Debug, Default)]
pub struct RunTrace {
    /// The canvas before the first step.
    pub start: StateTrace,
    /// Its steps; step n is at n − 1.
    pub steps: Vec<StepTrace>,
    /// What it came to.
    pub end: RunEnd,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct RunEnd {
    /// The picture, if there is one.
    pub picture: Option<Pixels>,
    /// The design, if it has one.
    pub design: Option<Document>,
}

/// In which ways two steps are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Likeness {
    /// The same tool was called.
    pub tool: bool,
    /// With the same arguments.
    pub call: bool,
    /// It changed the same in the document.
    pub effect: bool,
    /// The canvas looks the same after it, and did not before it.
    pub picture: bool,
}

impl Likeness {
    /// The most that [`Self::weight`] can be.
    pub(super) const MOST: u32 = 10;

    /// In which ways two steps are the same.
    pub fn between(one: &StepTrace, other: &StepTrace) -> Self {
        Self {
            tool: one.tool.is_some() && one.tool == other.tool,
            call: is_same(one.call, other.call),
            effect: is_same(one.effect, other.effect),
            picture: one.is_seen
                && other.is_seen
                && is_same(one.state.picture, other.state.picture),
        }
    }

    /// How much it speaks for the two standing in one row. What came of a call says more than what was
    /// asked for: one look at the design is asked for as another is.
    pub fn weight(self) -> u32 {
        let Self { tool, call, effect, picture } = self;
        u32::from(tool) + 3 * u32::from(call) + 4 * u32::from(effect) + 2 * u32::from(picture)
    }
}

/// Whether both are known and the same.
fn is_same(one: Option<Fingerprint>, other: Option<Fingerprint>) -> bool {
    one.is_some() && one == other
}

impl RunTrace {
    /// Goes through a run. `passed` is told after every step how many there were.
    ///
    /// A step that cannot be drawn has no picture.
    ///
    /// # Errors
    ///
    /// Why the run cannot be replayed at all; [`CanvasError::Cancelled`].
    pub fn of(
        canvas: &mut RunCanvas,
        cancel: &CancelToken,
        passed: &dyn Fn(usize),
    ) -> Result<Self, CanvasError> {
        let run = Arc::clone(canvas.run());
        // Of one document the picture follows; of several, which one is shown may change by itself.
        let is_one = canvas.environment_at(0, cancel)?.is_some_and(|it| it.documents().is_none());
        let mut documents = Documents::new(&designs_at(canvas, 0, cancel)?, &Documents::default());
        let start = StateTrace {
            picture: picture_at(canvas, 0, cancel)?.as_ref().map(Fingerprint::of_picture),
            document: documents.fingerprint(),
        };
        let mut trace = Self { start, ..Self::default() };
        let mut before = start;
        for (at, step) in (1..).zip(run.steps.iter()) {
            cancel.check()?;
            let call = step.call.as_ref().map(|call| documents.call(call));
            let after = Documents::new(&designs_at(canvas, at, cancel)?, &documents);
            let document = after.fingerprint();
            let follows = is_one && document.is_some();
            let is_as_before =
                if follows { document == before.document } else { draws_nothing(canvas, step) };
            let picture = if is_as_before && at > 1 {
                before.picture
            } else {
                picture_at(canvas, at, cancel)?.as_ref().map(Fingerprint::of_picture)
            };
            let state = StateTrace { picture, document };
            trace.steps.push(StepTrace {
                tool: step.call.as_ref().map(|call| Arc::from(call.name.as_str())),
                category: step.category,
                turn: step.turn,
                call,
                effect: after.change_since(&documents),
                state,
                is_seen: state.picture != before.picture,
                failed: has_failed(step),
            });
            (documents, before) = (after, state);
            passed(trace.steps.len());
        }
        // Only the end is kept in pixels: to tell states apart, a fingerprint is enough.
        let last = u32::try_from(trace.steps.len()).unwrap_or(u32::MAX);
        trace.end.picture = picture_at(canvas, last, cancel)?;
        trace.end.design = canvas.environment_at(last, cancel)?.and_then(Environment::design);
        Ok(trace)
    }

    /// The canvas after a step, 0 the start; `None` beyond the last.
    pub fn state(&self, step: u32) -> Option<StateTrace> {
        match (step as usize).checked_sub(1) {
            None => Some(self.start),
            Some(at) => self.steps.get(at).map(|step| step.state),
        }
    }

    /// A step, from 1.
    pub fn step(&self, step: u32) -> Option<&StepTrace> {
        self.steps.get((step as usize).checked_sub(1)?)
    }

    /// What it takes of the memory, in bytes, about.
    pub fn bytes(&self) -> usize {
        let picture = self.end.picture.as_ref().map_or(0, |pixels| pixels.rgba().len());
        self.steps.len() * size_of::<StepTrace>() + picture
    }
}

fn has_failed(step: &Step) -> bool {
    // A picture alone is no call that could fail.
    step.call.is_some() && step.outcome.as_ref().is_none_or(|outcome| outcome.failure.is_some())
}

/// Whether a step left the recorded picture as it was, because none was recorded.
fn draws_nothing(canvas: &RunCanvas, step: &Step) -> bool {
    let has_none = step.outcome.as_ref().is_none_or(|outcome| outcome.image.is_none());
    step.call.is_some() && canvas.run().is_shown_by_pictures() && has_none
}

/// The picture after a step; `None` where there is none.
fn picture_at(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<Option<Pixels>, CanvasError> {
    match canvas.picture(step, 1.0, cancel) {
        Ok(picture) => Ok(Some(picture.pixels)),
        Err(CanvasError::Cancelled(cancelled)) => Err(cancelled.into()),
        // Nothing was drawn yet, the file is gone, the document cannot be drawn.
        Err(_) => Ok(None),
    }
}

/// The designs after a step, by the places of their programs; none of a run known by its pictures.
fn designs_at(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<Vec<(usize, Document)>, CanvasError> {
    let Some(environment) = canvas.environment_at(step, cancel)? else { return Ok(Vec::new()) };
    let Some(documents) = environment.documents() else {
        return Ok(environment.design().map(|design| (0, design)).into_iter().collect());
    };
    let programs = documents.programs().iter().enumerate();
    Ok(programs.filter_map(|(at, name)| Some((at, documents.design_of(name)?))).collect())
}
