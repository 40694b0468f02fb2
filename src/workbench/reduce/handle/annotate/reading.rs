//! What is read before anything is answered: a text to agree to, and examples.

use crate::label::{Act, FormHash, ItemId, Ledger, text_hash};
use crate::workbench::model::{Annotate, OpenLabels, Reading, Saving, State, WrittenFor};
use crate::workbench::protocol::Request;

use super::sending::send;

/// What somebody who sits down reads first. Who agreed to another text is asked anew; examples are shown until
/// something was answered.
pub(super) fn first(labels: &OpenLabels, ledger: &Ledger, person: &str) -> Option<Reading> {
    let consent = &labels.project.study.consent;
    if !consent.is_empty() && !ledger.has_consented(person, consent) {
        return Some(Reading::Consent);
    }
    examples(labels, ledger, person)
}

fn examples(labels: &OpenLabels, ledger: &Ledger, person: &str) -> Option<Reading> {
    let is_new = !ledger.backwards(person).any(|event| event.act.can_be_taken_back());
    (is_new && !labels.project.study.examples.is_empty()).then_some(Reading::Examples)
}

pub(super) fn is_reading(state: &State) -> bool {
    state.annotate.desk.as_ref().is_some_and(|desk| desk.reading.is_some())
}

/// What is read is done with: agreed to, if that is asked.
pub(super) fn go_on(state: &mut State) -> Vec<Request> {
    match state.annotate.desk.as_ref().and_then(|desk| desk.reading) {
        Some(Reading::Consent) => agree(state),
        Some(Reading::Examples) => {
            toggle_examples(state);
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Has it written down that the text is agreed to; it stays until that is on disk.
pub(super) fn agree(state: &mut State) -> Vec<Request> {
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    if desk.reading != Some(Reading::Consent) {
        return Vec::new();
    }
    let text = text_hash(&labels.project.study.consent);
    send(state, WrittenFor::Agreeing, (ItemId::study(), FormHash::NONE), Act::Consented { text })
}

/// It is on disk that the text was agreed to.
pub(super) fn agreed(annotate: &mut Annotate) {
    let Some((labels, desk)) = annotate.at_desk() else { return };
    let next = examples(labels, &annotate.ledger, &desk.person);
    if let Some(desk) = &mut annotate.desk {
        desk.reading = next;
    }
}

/// Shows the examples, or leaves them.
pub(super) fn toggle_examples(state: &mut State) {
    let Some(labels) = &state.annotate.labels else { return };
    let has_examples = !labels.project.study.examples.is_empty();
    let Some(desk) = &mut state.annotate.desk else { return };
    desk.reading = match desk.reading {
        // Nothing comes before agreeing.
        Some(Reading::Consent) => Some(Reading::Consent),
        None if has_examples && !matches!(desk.saving, Saving::Failing { .. }) => {
            Some(Reading::Examples)
        }
        Some(Reading::Examples) | None => None,
    };
}
