//! A suggestion made of hunks: what it says, and which tools do the same.

use super::playing::calls_of;
use super::suggestion::{Reason, Stage, Suggestion};
use super::words::Wording;
use crate::design::hunk::{Consequences, Hunk, apply_hunks};
use crate::design::{Document, DocumentError, Measure, NodeId};
use crate::environment::canvas::CanvasSettings;

/// What suggestions are worked out with.
#[derive(Clone, Copy)]
pub struct AssistContext<'a> {
    /// Measures texts and combined shapes.
    pub measure: &'a dyn Measure,
    /// The canvas on which tool calls are tried out.
    pub canvas: &'a CanvasSettings,
}

impl std::fmt::Debug for AssistContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AssistContext").field("canvas", self.canvas).finish_non_exhaustive()
    }
}

/// Hunks that were carried out on a copy.
#[derive(Clone, Debug)]
pub(super) struct Described {
    pub(super) hunks: Vec<Hunk>,
    pub(super) consequences: Consequences,
    /// The copy.
    pub(super) after: Document,
    /// The nodes that are put in, with those of a goal.
    pub(super) pairs: Vec<(NodeId, NodeId)>,
}

impl Described {
    /// The suggestion to do the same to the document that it is a copy of.
    pub(super) fn suggestion(
        self,
        before: &Document,
        stage: Stage,
        reason: Reason,
        context: AssistContext<'_>,
    ) -> Suggestion {
        let Wording { control, words } = Wording::from_hunks(&self.hunks, before, &self.after);
        let calls = calls_of(&self.hunks, before, &self.after, context.canvas);
        let Self { hunks, consequences, pairs, .. } = self;
        Suggestion { stage, control, words, hunks, consequences, calls, reason, pairs }
    }
}

/// A suggestion to mend what is amiss whatever the goal is, `why` in words. `None` for no hunks, and where one of them
/// changes what is locked: whoever locked it wants it as it is.
///
/// # Errors
///
/// What the document refuses.
pub fn mend(
    document: &Document,
    hunks: Vec<Hunk>,
    why: String,
    context: AssistContext<'_>,
) -> Result<Option<Suggestion>, DocumentError> {
    let Some(stage) = hunks.first().map(Stage::of_hunk) else { return Ok(None) };
    if hunks.iter().any(|hunk| hunk.locked_in(document).is_some()) {
        return Ok(None);
    }
    let mut after = document.clone();
    let consequences = Consequences::Settle;
    apply_hunks(&mut after, &hunks, consequences, context.measure)?;
    let described = Described { hunks, consequences, after, pairs: Vec::new() };
    Ok(Some(described.suggestion(document, stage, Reason::Flaw(why), context)))
}
