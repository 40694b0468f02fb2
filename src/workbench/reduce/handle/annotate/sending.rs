//! Having the file's thread write something down.

use crate::label::{Act, FormHash, ItemId};
use crate::workbench::model::{Saving, State, Written, WrittenFor};
use crate::workbench::protocol::{LabelOrder, Request, UnsavedAct};

/// Sends what was done to be written; one thing at a time.
pub(super) fn send(
    state: &mut State,
    purpose: WrittenFor,
    (item, form): (ItemId, FormHash),
    act: Act,
) -> Vec<Request> {
    let Some(desk) = &mut state.annotate.desk else { return Vec::new() };
    if !matches!(desk.saving, Saving::Done | Saving::GoingOn) {
        return Vec::new();
    }
    state.in_flight.next_written += 1;
    let number = state.in_flight.next_written;
    desk.saving = Saving::Writing(Written { number, purpose });
    desk.told = None;
    let done = Box::new(UnsavedAct { person: desk.person.clone(), item, form, act });
    vec![Request::Labels(LabelOrder::Write { number, done })]
}
