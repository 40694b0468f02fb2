//! What a program says of the item on the screen.

use crate::label::{Proposal, ProposalTime};
use crate::workbench::model::{Annotate, State};

/// What a program says of the item that is asked, and when that is shown; whether it is seen yet or not.
pub(in crate::workbench) fn proposed(annotate: &Annotate) -> Option<(&Proposal, ProposalTime)> {
    let (item, form) = annotate.asked()?;
    let time = annotate.labels.as_ref()?.project.queue.proposals.time()?;
    Some((item.proposal_by(form)?, time))
}

/// The same, if it is to be seen now: before the answer, or once it is on disk.
pub fn proposal(state: &State) -> Option<&Proposal> {
    let desk = state.annotate.desk.as_ref()?;
    let (proposal, time) = proposed(&state.annotate)?;
    let is_answered = desk.progress.states.get(desk.at).is_some_and(|unit| unit.is_answered);
    let is_seen = match time {
        ProposalTime::Before => true,
        ProposalTime::After => is_answered,
    };
    (is_seen && desk.review.is_none()).then_some(proposal)
}
